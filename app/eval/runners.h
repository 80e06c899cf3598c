/*
 * What is compared: methods of the library, with their parameters, and results of other tools.
 *
 * --methods is a list with commas, and parameters have commas too:
 *
 *     auto,lineblock:rule=all,distance=3,lineblock:rule=rescue
 *
 * A comma starts the next method if a method's name comes after it, and also if there are no
 * parameters yet that could go on; else the parameters go on past it.
 */
#ifndef WN_EVAL_RUNNERS_H
#define WN_EVAL_RUNNERS_H

#include "eval/results.h"
#include "winnow.h"

typedef struct wn_runner {
    const char *name; /* "lineblock:rule=all"; of results as the user named them */
    bool is_method;
    const char *method;  /* what the library is asked for */
    bool site;           /* without what repeats on the pages of a site: "auto+site" */
    winnow_noise *noise; /* of "outlier": the noise words of the set */
    wn_results results;  /* of another tool */
} wn_runner;

/* Zero it before the first use. */
typedef struct wn_runners {
    wn_array(wn_runner) list;
    wn_arena arena; /* names */
    wn_buf error;   /* why one could not be added */
} wn_runners;

/* Adds the methods of a list; NULL: all there are. False if one is wrong: see `error`. */
bool wn_eval_runners_add_methods(wn_runners *runners, const char *list);

/* Adds NAME=PATH; false if that is wrong: see `error`. Its results are not opened yet. */
bool wn_eval_runners_add_results(wn_runners *runners, const char *assignment);

/* Adds each method once more, without what repeats on the pages of a site; false: see `error`. */
bool wn_eval_runners_add_sites(wn_runners *runners);

/* The number of the runner with that name, UINT32_MAX if there is none. */
uint32_t wn_eval_runners_find(const wn_runners *runners, wn_str name);

void wn_eval_runners_free(wn_runners *runners);

#endif
