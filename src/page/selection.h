/*
 * The selection: a method's answer, one verdict a block of the page.
 *
 * Writers, --explain and measurements read it, and need not know which method
 * made it.
 */
#ifndef WN_PAGE_SELECTION_H
#define WN_PAGE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

/* A verdict and why: `reason` is a static string, short and readable by users. */
typedef struct wn_verdict {
    const char *reason;
    bool keep;
} wn_verdict;

/* As many verdicts as the page has blocks. */
typedef struct wn_selection {
    wn_verdict *verdicts;
    uint32_t count;
} wn_selection;

#endif
