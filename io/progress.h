/*
 * Progress: how far the work is, for the waiting user.
 *
 * On a terminal a line is rewritten in place a few times per second; elsewhere, when
 * progress was asked for, a line is added every few seconds. At the end there is a
 * summary. All of it goes to standard error.
 */
#ifndef WN_IO_PROGRESS_H
#define WN_IO_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wn_io_progress {
    bool shown;         /* while the work goes on */
    bool summary;       /* at its end */
    bool in_place;      /* the line is rewritten */
    bool visible;       /* the line is on the terminal and must be wiped before other output */
    double start, last; /* seconds */
    uint64_t done, empty, failed;
    uint64_t bytes;
    uint64_t read, total; /* bytes of archives: they tell how far it is; total 0: not known */
    uint64_t read_before; /* by an earlier run */
} wn_io_progress;

/* What became of a page. */
typedef enum wn_io_outcome { WN_IO_PAGE_DONE, WN_IO_PAGE_EMPTY, WN_IO_PAGE_FAILED } wn_io_outcome;

/* Seconds of a monotonic clock. */
double wn_io_seconds(void);

/*
 * `asked`: the user wants to see progress, terminal or not. `quiet`: none at all.
 * `many`: the work may be long; `output_is_terminal`: the pages themselves go to the
 * terminal, where a progress line would be in their way.
 */
void wn_io_progress_begin(wn_io_progress *progress, bool asked, bool quiet, bool many,
                          bool output_is_terminal);

/* Counts one page of `bytes` bytes. */
void wn_io_progress_count(wn_io_progress *progress, wn_io_outcome outcome, uint64_t bytes);

/* Whether it is time to show a line. */
bool wn_io_progress_due(const wn_io_progress *progress);

/* Shows the line. `ahead` pages are to come; if not `exact`, more than that. */
void wn_io_progress_show(wn_io_progress *progress, uint64_t ahead, bool exact);

/* Wipes the line, to make room for a message. */
void wn_io_progress_wipe(wn_io_progress *progress);

/* Wipes the line and prints the summary. */
void wn_io_progress_end(wn_io_progress *progress);

#endif
