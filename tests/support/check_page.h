/*
 * One page through the whole library, with everything that must hold for any page:
 *
 *   - decoding and tree construction give a document that passes its own check;
 *   - each method gives a valid status and text;
 *   - each of these takes less than a second, and memory stays below 100 MB + 20 times
 *     the input.
 */
#ifndef WN_TESTS_CHECK_PAGE_H
#define WN_TESTS_CHECK_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "winnow.h"

enum {
    PAGE_RUNS = 7, /* the tree, and the methods */
};

typedef struct page_report {
    double seconds[PAGE_RUNS];
    size_t memory[PAGE_RUNS];
    winnow_status status; /* of "all" */
    wn_buf problems;      /* one line each; empty if all is well */
} page_report;

extern const char *const page_run_names[PAGE_RUNS];

/* Fills `report`; false if there are problems. Free report->problems with wn_buf_free(). */
bool check_page(page_report *report, wn_str bytes);

/* How much slower than the bar a run may be: sanitizers and WINNOW_TIME_SCALE say so. */
double check_page_time_scale(void);

#endif
