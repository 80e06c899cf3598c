/*
 * The report: the results of every page, and the forms in which they are written.
 *
 * One array of results, page by page and in each page row by row, feeds all forms of output:
 * tables for people (terminal and Markdown), JSON with every figure of the tables, CSV with a
 * line for every page and row, and a picture of the F1 by type.
 */
#ifndef WN_EVAL_REPORT_H
#define WN_EVAL_REPORT_H

#include <math.h>

#include "draw/sheet.h"
#include "eval/blocks.h"
#include "eval/runners.h"
#include "eval/stats.h"

/* A page that was scored. */
typedef struct wn_page_result {
    uint32_t page; /* of the set */
    wn_shares shares;
    uint64_t html_bytes, gold_bytes;
} wn_page_result;

/* What one method or tool made of it. */
typedef struct wn_run_result {
    wn_score score;
    wn_block_counts blocks; /* with report->labels */
    double seconds;         /* of processor time; 0 for results of another tool */
} wn_run_result;

/* One of the worst pages of a row. */
typedef struct wn_worst {
    uint32_t runner;
    uint32_t result; /* of the page, in wn_report.pages */
    uint32_t missed, gold_words;
    uint32_t wrong, our_words;
    wn_str missed_text, wrong_text; /* the longest stretch of each */
} wn_worst;

/* Rows that are compared. */
typedef struct wn_pair {
    uint32_t a, b;
} wn_pair;

typedef struct wn_report {
    const wn_eval_set *set;
    const wn_runners *runners;
    const wn_problems *problems;
    uint64_t wanted; /* pages, before bad ones were left out */
    wn_array(wn_page_result) pages;
    wn_array(wn_run_result) results; /* pages x runners */
    wn_array(wn_worst) worst;
    wn_array(wn_pair) pairs;
    wn_measure lead; /* the one that the tables are about */
    double right;    /* a page is right from this LCS F1 on */
    uint64_t seed;
    bool details, domains, timing;
    bool folds;     /* each page is judged by a model that has not seen it */
    bool labels;    /* measures of blocks, by label */
    wn_arena arena; /* texts of the worst pages */
    bool failed;    /* out of memory */
} wn_report;

void wn_eval_report_free(wn_report *report);

/* Each appends the whole report to `out`; its failure, or report->failed, means memory is out. */
void wn_eval_report_write_tables(wn_report *report, wn_buf *out, bool markdown);
void wn_eval_report_write_json(wn_report *report, wn_buf *out);
void wn_eval_report_write_csv(wn_report *report, bool safe,
                              wn_buf *out); /* safe: see base/escape.h */

/* Draws the F1 by type and row on `sheet`, which was zeroed. */
void wn_eval_report_plot(wn_report *report, wn_sheet *sheet);

/*
 * Whether a method has learned from the very pages of the set: its score says little of other
 * pages.
 */
bool wn_eval_report_has_learned(const wn_report *report, uint32_t runner);

/* ---- What all forms need ----------------------------------------------------------------- */

static inline const wn_run_result *wn_eval_report_result(const wn_report *report, uint32_t page,
                                                         uint32_t runner)
{
    return &report->results.items[(size_t)page * report->runners->list.count + runner];
}

static inline const wn_eval_page *wn_eval_report_page(const wn_report *report, uint32_t page)
{
    return &report->set->pages.items[report->pages.items[page].page];
}

/* NaN where there is nothing to divide by. */
static inline double wn_eval_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

/* Pages that belong together: those of a type, those of a domain, all. */
typedef struct wn_group {
    wn_str name;
    uint32_t first, count; /* in wn_groups.order */
} wn_group;

typedef struct wn_groups {
    uint32_t *order; /* numbers of wn_report.pages */
    wn_array(wn_group) list;
} wn_groups;

typedef enum wn_group_key { WN_GROUP_ALL, WN_GROUP_TYPE, WN_GROUP_DOMAIN } wn_group_key;

/* Sorts the pages into groups, by name. Sets report->failed if out of memory. */
wn_groups wn_eval_report_groups(wn_report *report, wn_group_key key);
void wn_eval_groups_free(wn_groups *groups);

/* A group's name for people: "(none)" for pages whose type or domain is not known. */
wn_str wn_eval_group_shown(const wn_group *group);

wn_summary wn_eval_report_summary(wn_report *report, uint32_t runner, wn_measure measure,
                                  const wn_groups *groups, const wn_group *group);
wn_difference wn_eval_report_difference(wn_report *report, wn_pair pair);

/* Sums over the pages of a group. */
typedef struct wn_totals {
    uint64_t pages, right; /* LCS F1 of at least report->right */
    uint64_t html_bytes, gold_bytes, text_bytes;
    uint64_t with_count, with_found, without_count, without_found;
    double seconds;
    double text_share, tag_share; /* means */
} wn_totals;

wn_totals wn_eval_report_totals(const wn_report *report, uint32_t runner, const wn_groups *groups,
                                const wn_group *group);

#endif
