/*
 * Fuzzes the reader of archives: any file, plain or compressed.
 *
 * Properties: it ends; records are one after the other; whether blocks are read or skipped does not
 * change what records there are; no page is longer than the limit; the place of a record leads back
 * to it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "io/archive.h"

enum { MAX_PAGE = 1 << 16, HEAD_ROOM = 64 << 10, MAX_RECORDS = 4096 };

static int file_with(wn_str bytes)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
    return fd;
}

static bool is_before(wn_io_place a, wn_io_place b)
{
    return a.offset < b.offset || (a.offset == b.offset && a.inner < b.inner);
}

/* Of every block, so that each of its bytes is read. */
static uint64_t all_seen;

/* Goes over all records; returns a digest of them. */
static uint64_t walk(int fd, bool read_blocks, wn_io_place *last, uint64_t *last_digest)
{
    wn_io_source source;
    wn_io_warc warc = {0};
    wn_io_warc_record record;
    wn_buf block = {0};
    wn_io_place before = {0};
    uint64_t digest = 0;
    lseek(fd, 0, SEEK_SET);
    wn_io_source_open(&source, fd);
    wn_io_warc_open(&warc, &source);
    for (int i = 0; i < MAX_RECORDS && wn_io_warc_next(&warc, &record); i++) {
        FUZZ_CHECK(i == 0 || is_before(before, record.place));
        before = *last = record.place;
        *last_digest = fuzz_digest(0, record.head);
        digest = fuzz_digest(digest, record.head) + record.place.offset;
        if (read_blocks) {
            wn_str shown = wn_io_warc_view(&warc, &block, record.length);
            FUZZ_CHECK(shown.len <= record.length);
            all_seen ^= fuzz_digest(0, shown);
        }
    }
    wn_buf_free(&block);
    wn_io_warc_free(&warc);
    wn_io_source_close(&source);
    return digest;
}

/* The last record is found again by its place. */
static void go_back(int fd, wn_io_place place, uint64_t digest, bool arc)
{
    wn_io_source source;
    wn_io_warc warc = {0};
    wn_io_warc_record record;
    lseek(fd, 0, SEEK_SET);
    wn_io_source_open(&source, fd);
    wn_io_warc_open(&warc, &source);
    if (!arc && wn_io_warc_next(&warc, &record) && !warc.arc) {
        warc.left = 0;
        FUZZ_CHECK(wn_io_source_seek(&source, place));
        FUZZ_CHECK(wn_io_warc_next(&warc, &record));
        FUZZ_CHECK(fuzz_digest(0, record.head) == digest);
    }
    wn_io_warc_free(&warc);
    wn_io_source_close(&source);
}

static void read_pages(int fd, const char *name)
{
    wn_io_archive archive;
    wn_io_archived page;
    wn_buf block = {0}, problem = {0};
    lseek(fd, 0, SEEK_SET);
    if (wn_io_archive_open(&archive, fd, wn_str_of(name), WN_STR(""), WN_IO_ARCHIVE_NONE,
                           MAX_PAGE) != WN_IO_ARCHIVE_NONE) {
        for (int i = 0; i < MAX_RECORDS && wn_io_archive_next(&archive, &page, &block); i++)
            FUZZ_CHECK(archive.kind == WN_IO_ARCHIVE_JSONL || block.len <= MAX_PAGE + HEAD_ROOM);
        wn_io_archive_problem(&archive, &problem);
    }
    wn_io_archive_close(&archive);
    wn_buf_free(&block);
    wn_buf_free(&problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wn_str bytes = wn_str_from((const char *)data, size);
    wn_io_place last = {0};
    uint64_t last_digest = 0;
    int fd = file_with(bytes);
    uint64_t digest = walk(fd, true, &last, &last_digest);
    FUZZ_CHECK(digest == walk(fd, false, &last, &last_digest));
    if (digest)
        go_back(fd, last, last_digest, wn_str_contains_nocase(bytes, WN_STR("filedesc:")));
    read_pages(fd, "a.warc");
    read_pages(fd, "a.jsonl");
    close(fd);
    return 0;
}
