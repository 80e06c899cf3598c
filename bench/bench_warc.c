/*
 * Reads all records of a web archive, with their blocks, and prints how many there were, the bytes of
 * their blocks, and the processor time it took: bench_warc FILE
 */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "io/warc.h"

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (fd < 0)
        return 2;
    wn_io_source source;
    wn_io_warc warc = {0};
    wn_io_warc_record record;
    wn_buf block = {0};
    unsigned long long bytes = 0;
    double start = processor_seconds();
    wn_io_source_open(&source, fd);
    wn_io_warc_open(&warc, &source);
    while (wn_io_warc_next(&warc, &record))
        bytes += wn_io_warc_view(&warc, &block, record.length).len;
    double seconds = processor_seconds() - start;
    printf("%llu %llu %.6f\n", (unsigned long long)warc.records, bytes, seconds);
    wn_buf_free(&block);
    wn_io_warc_free(&warc);
    wn_io_source_close(&source);
    close(fd);
    return 0;
}
