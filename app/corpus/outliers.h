/*
 * Outliers: the n points with the largest Euclidean distance to their k-th nearest neighbour
 * (Ramaswamy, Rastogi and Shim, 2000; what Lingwal's paper uses).
 *
 *     wn_outlier found[50];
 *     wn_outlier_search search = {.points = points, .n = 50, .k = 30, .threads = 2};
 *     uint32_t count = wn_corpus_outliers_find(&search, found);
 *
 * The search is exact without comparing every point with every other. Only n results are needed, so
 * a point is abandoned as soon as k neighbours are closer than the n-th best distance so far:
 *
 *     - the leaves of the tree (points.h) are visited from the sparse to the dense, so that
 *       good answers are there early;
 *     - a leaf in a box with more than k points and a diagonal below that distance is skipped
 *       entirely;
 *     - the others ask the tree, and stop when k neighbours are near enough.
 *
 * Equal points are neighbours at distance 0. If there are fewer than k others, the farthest
 * counts. Equal distances are ordered by the number of the point; the result is the same
 * for every number of threads.
 */
#ifndef WN_CORPUS_OUTLIERS_H
#define WN_CORPUS_OUTLIERS_H

#include "corpus/points.h"

typedef struct wn_outlier {
    uint32_t point;
    double distance; /* to its k-th neighbour */
} wn_outlier;

typedef struct wn_outlier_search {
    wn_points points;
    uint32_t n, k; /* both at least 1 */
    uint32_t threads;
} wn_outlier_search;

enum { WN_OUTLIERS_FAILED = UINT32_MAX };

/*
 * Writes the outliers to `found`, which has room for n, the farthest first. Returns their number:
 * n, or as many as there are points; WN_OUTLIERS_FAILED if out of memory.
 */
uint32_t wn_corpus_outliers_find(const wn_outlier_search *search, wn_outlier *found);

#endif
