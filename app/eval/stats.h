/*
 * What many pages say together: means, medians and how sure they are.
 *
 * The interval of a mean is found by the bootstrap: as many pages are drawn, with repetition,
 * as there are, a thousand times, and 95% of the thousand means lie in it. The draws depend on
 * nothing but the seed and the number of pages, so that an interval is the same whatever else
 * is in the table. For two methods the same draws serve both, and the interval is that of
 * the difference: pages that are hard for both do not blur it.
 */
#ifndef WN_EVAL_STATS_H
#define WN_EVAL_STATS_H

#include "eval/measures.h"

enum { WN_BOOTSTRAP_ROUNDS = 1000 };

typedef struct wn_interval {
    double low, high;
} wn_interval;

typedef struct wn_summary {
    uint64_t pages; /* that have an F1 */
    wn_prf mean, median;
    wn_interval f1;
} wn_summary;

/* The median of `count` values, NaN left out; NaN if there are none. Sorts them. */
double wn_eval_median(double *values, size_t count);

/*
 * `of_means`: the F1 is that of the mean precision and recall, not the mean of the pages' F1
 * (how the ScrapingHub benchmark does it). False if out of memory.
 */
bool wn_eval_summarize(const wn_prf *scores, size_t count, bool of_means, uint64_t seed,
                       wn_summary *summary);

typedef struct wn_difference {
    double mean; /* of a - b, in F1 */
    wn_interval interval;
    uint64_t better, equal, worse; /* pages */
} wn_difference;

/* The difference between two methods on the same pages. */
wn_difference wn_eval_compare(const wn_prf *a, const wn_prf *b, size_t count, bool of_means,
                              uint64_t seed);

#endif
