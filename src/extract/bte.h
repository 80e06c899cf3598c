/*
 * The three searches of bte.c, for tests and benchmarks.
 *
 * A page is a row of tokens, 1 for a tag and -1 for a word, or the same in runs: {2, -5} is two
 * tags and five words. All three find the stretch with the smallest sum, which has the most words
 * inside it and the most tags outside; if several are equal, the one with the smallest start wins,
 * then the one with the largest end.
 */
#ifndef WN_EXTRACT_BTE_H
#define WN_EXTRACT_BTE_H

#include <stdint.h>

enum {
    WN_BTE_MOST_TOKENS = 5000, /* for `original`: a few seconds of work */
    WN_BTE_MOST_RUNS = 100000, /* for `improved`: the same */
};

/* The tokens or runs from `start` to before `end`; both 0 if there is no word. */
typedef struct wn_bte_stretch {
    uint32_t start, end;
    int64_t sum;
} wn_bte_stretch;

/* One pass over the runs (Kadane). */
wn_bte_stretch wn_extract_bte_linear(const int32_t *runs, uint32_t count);

/* The paper: every pair of runs of words, with a running sum. Quadratic. */
wn_bte_stretch wn_extract_bte_improved(const int32_t *runs, uint32_t count);

/* Finn: every pair of tokens, each sum counted afresh. Cubic. */
wn_bte_stretch wn_extract_bte_original(const int8_t *tokens, uint32_t count);

#endif
