#include "io/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "io/output.h"

/* Seconds between two lines: on a terminal, and elsewhere. */
static const double TERMINAL_INTERVAL = 0.1;
static const double PLAIN_INTERVAL = 2;

/* Work that ends before this many seconds needs no progress on a terminal. */
static const double PATIENCE = 0.5;

double wn_io_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void wn_io_progress_begin(wn_io_progress *progress, bool asked, bool quiet, bool many,
                          bool output_is_terminal)
{
    bool terminal = isatty(STDERR_FILENO);
    *progress = (wn_io_progress){
        .shown = !quiet && (asked || (many && terminal && !output_is_terminal)),
        .summary = !quiet && (asked || (many && terminal)),
        .in_place = terminal,
        .start = wn_io_seconds(),
    };
    progress->last = progress->start + PATIENCE;
}

void wn_io_progress_count(wn_io_progress *progress, wn_io_outcome outcome, uint64_t bytes)
{
    progress->done += outcome == WN_IO_PAGE_DONE;
    progress->empty += outcome == WN_IO_PAGE_EMPTY;
    progress->failed += outcome == WN_IO_PAGE_FAILED;
    progress->bytes += bytes;
}

bool wn_io_progress_due(const wn_io_progress *progress)
{
    double interval = progress->in_place ? TERMINAL_INTERVAL : PLAIN_INTERVAL;
    return progress->shown && wn_io_seconds() - progress->last >= interval;
}

/* 45 s, 3:20 min, 2:05 h */
static void print_duration(double seconds)
{
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole < 100)
        fprintf(stderr, "%lu s", whole);
    else if (whole < 6000)
        fprintf(stderr, "%lu:%02lu min", whole / 60, whole % 60);
    else
        fprintf(stderr, "%lu:%02lu h", whole / 3600, whole / 60 % 60);
}

static void print_rates(uint64_t pages, uint64_t bytes, double seconds)
{
    double rate = (double)pages / seconds;
    fprintf(stderr, "%.*f pages/s, %.1f MB/s", rate < 10 ? 1 : 0, rate,
            (double)bytes / 1e6 / seconds);
}

/* At least a millisecond, so that rates can be made of it. */
static double elapsed(const wn_io_progress *progress)
{
    double seconds = wn_io_seconds() - progress->start;
    return seconds < 0.001 ? 0.001 : seconds;
}

/* By pages where their number is known, else by the bytes of archives; below 0: unknown. */
static double time_left(const wn_io_progress *progress, uint64_t pages, uint64_t ahead, bool exact,
                        double seconds)
{
    if (exact)
        return pages > 0 ? (double)ahead * seconds / (double)pages : -1;
    uint64_t read = progress->read - progress->read_before;
    if (progress->total <= progress->read || read == 0)
        return -1;
    return (double)(progress->total - progress->read) * seconds / (double)read;
}

void wn_io_progress_show(wn_io_progress *progress, uint64_t ahead, bool exact)
{
    uint64_t pages = progress->done + progress->empty + progress->failed;
    double seconds = elapsed(progress);
    progress->last = wn_io_seconds();
    progress->visible = progress->in_place;
    wn_io_output_note_line(progress->visible);
    fputs(progress->in_place ? "\r\033[K" : "winnow: ", stderr);
    fprintf(stderr, "%llu", (unsigned long long)pages);
    if (exact)
        fprintf(stderr, " of %llu", (unsigned long long)(pages + ahead));
    fputs(" pages, ", stderr);
    if (!exact && progress->total)
        fprintf(stderr, "%.0f%% of %.1f MB, ",
                100 * (double)progress->read / (double)progress->total,
                (double)progress->total / 1e6);
    print_rates(pages, progress->bytes, seconds);
    double left = time_left(progress, pages, ahead, exact, seconds);
    if (left >= 0) {
        fputs(", ", stderr);
        print_duration(left);
        fputs(" left", stderr);
    }
    if (!progress->in_place)
        fputc('\n', stderr);
    fflush(stderr);
}

void wn_io_progress_wipe(wn_io_progress *progress)
{
    if (!progress->visible)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->visible = false;
    wn_io_output_note_line(false);
}

void wn_io_progress_end(wn_io_progress *progress)
{
    wn_io_progress_wipe(progress);
    if (!progress->summary)
        return;
    uint64_t pages = progress->done + progress->empty + progress->failed;
    double seconds = elapsed(progress);
    fprintf(stderr, "winnow: %llu %s: %llu done, %llu empty, %llu failed; %.1f MB in ",
            (unsigned long long)pages, pages == 1 ? "page" : "pages",
            (unsigned long long)progress->done, (unsigned long long)progress->empty,
            (unsigned long long)progress->failed, (double)progress->bytes / 1e6);
    if (seconds < 10)
        fprintf(stderr, "%.2f s", seconds);
    else
        print_duration(seconds);
    fputs(", ", stderr);
    print_rates(pages, progress->bytes, seconds);
    fputc('\n', stderr);
}
