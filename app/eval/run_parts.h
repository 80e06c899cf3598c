/*
 * What the files of the run share: its threads and tasks. For run*.c only.
 */
#ifndef WN_EVAL_RUN_PARTS_H
#define WN_EVAL_RUN_PARTS_H

#include "corpus/survey.h"
#include "eval/run.h"
#include "winnow-io.h"

/* What one thread needs for itself. */
typedef struct worker {
    winnow_page *page; /* as the run gives them */
    winnow_options *options;
    winnow_loader *html, *gold;
    wn_survey_reader survey;
    wn_results_reader others;
    wn_measurer measurer;
    wn_block_judge judge;
    wn_json json;
    wn_arena arena;             /* snippets of the page */
    wn_buf gold_text, our_text; /* with --segment: in one form */
    winnow_page *converter;     /* makes Markdown of HTML */
} worker;

/* One page on its way. */
typedef struct page_task {
    uint32_t page; /* of the set */
    wn_page_result result;
    wn_run_result *results; /* one per runner */
    wn_problems problems;
    bool scored, failed;
} page_task;

typedef struct run {
    const wn_run_settings *settings;
    const wn_eval_set *set;
    wn_runners *runners;
    wn_problems *problems;
    wn_report *report;
    uint32_t given, taken; /* pages */
    wn_survey survey;      /* what the pages have in common, for those rows that need it */
} run;

/*
 * Sends pages through workers as `plan` says, which needs no more than its tasks. OK or NO_MEMORY.
 */
winnow_status wn_eval_run_through(run *r, winnow_run *plan, size_t threads);

/* The worker, with what it works with at the moment. */
worker *wn_eval_run_worker(winnow_worker *member);

/* A winnow_run.next: the next page of the settings, for tasks that begin with the page's number. */
bool wn_eval_run_next(void *data, winnow_task *place);

/*
 * Reads a page and its gold into the worker's memory; false, and a problem, if one is missing. Of
 * gold in Markdown or HTML it gives the words; its structure is in the worker's measurer.
 */
bool wn_eval_run_read(run *r, worker *w, page_task *t, const wn_eval_page *page, wn_str *html,
                      wn_str *gold);

/* What a row makes of the page; "" and a problem if it fails. Valid until the worker's next. */
wn_str wn_eval_run_text(run *r, worker *w, page_task *t, const wn_runner *runner,
                        const wn_eval_page *page, wn_str html, double *seconds);

/*
 * Looks at all pages once, if a row needs to know what they have in common; false when memory is
 * out.
 */
bool wn_eval_run_survey(run *r);

/* What repeats on the pages of the page's site; NULL if it is not known. */
const winnow_site *wn_eval_run_site(const run *r, const wn_eval_page *page);

/* Lists the worst pages of each row; false if out of memory. */
bool wn_eval_run_worst(run *r);

#endif
