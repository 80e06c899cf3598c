/*
 * The work: every page of a set through every method, and measured.
 *
 * A page is one task of the pool: its bytes and its gold are read once, each method extracts
 * it, and its scores go into the report in the order of the set. So the report is the same
 * for every number of jobs, but for the times.
 */
#ifndef WN_EVAL_RUN_H
#define WN_EVAL_RUN_H

#include "eval/report.h"
#include "io/progress.h"

typedef struct wn_run_settings {
    const uint32_t *pages; /* of the set, to be scored */
    uint32_t page_count;
    size_t jobs;
    uint32_t worst;               /* pages to be listed for each row */
    bool segment;                 /* words are cut as readers of the script cut them */
    const struct wn_folds *folds; /* the models of cross-validation; NULL: the library's own */
    wn_io_progress *progress;
} wn_run_settings;

/* Fills report->pages, ->results and ->worst; false if out of memory. */
bool wn_eval_run(const wn_run_settings *settings, const wn_eval_set *set, wn_runners *runners,
                 wn_problems *problems, wn_report *report);

#endif
