/*
 * A forest: small decision trees whose answers are added up.
 *
 * Everything is a whole number: features have 16 bits, answers are in units of 1/1024, so
 * the same page gets the same verdict with every compiler. Rows are judged in small batches, tree
 * by tree, so that the processor works on several of them at once.
 */
#ifndef WN_LEARN_FOREST_H
#define WN_LEARN_FOREST_H

#include <stdint.h>

enum {
    WN_LOGIT_ONE = 1024, /* unit of answers: 1.0 */
    WN_BATCH = 16,       /* rows that are judged together */
    WN_LEAF = 0x8000,    /* a child with this bit is a leaf: an index into the tree's answers */
};

/* Goes to the right where the feature is above the threshold. */
typedef struct wn_split {
    int16_t threshold;
    uint16_t feature;
    uint16_t left, right; /* splits of the same tree, or leaves */
} wn_split;

typedef struct wn_forest {
    const wn_split *splits;
    const int32_t *leaves;
    const uint32_t *trees; /* for each tree: index of its first split, of its first leaf */
    uint32_t tree_count;
    uint32_t feature_count; /* that rows must have */
    int32_t bias;
} wn_forest;

/* Adds the answers of trees `from` to `to` for `count` rows, at most WN_BATCH, to `sums`. */
void wn_forest_add(const wn_forest *forest, uint32_t from, uint32_t to, const int16_t *const *rows,
                   uint32_t count, int32_t *sums);

/* The probability that belongs to a logit, both in 1/1024. */
uint32_t wn_logistic(int32_t logit);

#endif
