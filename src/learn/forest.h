/*
 * A forest: small decision trees whose answers are added up.
 *
 * Everything is a whole number: features have 16 bits, answers are in units of 1/1024, so that
 * the same page gets the same verdict with every compiler. Rows are judged in small batches, tree
 * by tree, so that the processor works on several of them at once.
 */
#ifndef WN_LEARN_FOREST_H
#define WN_LEARN_FOREST_H

#include <stdint.h>

enum {
    WN_LOGIT_ONE = 1024, /* unit of answers: 1.0 */
    WN_BATCH = 8,        /* rows that are judged together */
};

/*
 * A place in a tree. It leads to `next` where the feature is at most the threshold, and to the
 * place behind `next` where it is above. A leaf leads to itself, always: its threshold is the largest
 * there is. So all rows take the same number of steps through a tree, and no branch has to be guessed.
 */
typedef struct wn_split {
    int16_t threshold;
    uint16_t feature;
    uint16_t next;  /* in the same tree */
    int16_t answer; /* of a leaf */
} wn_split;

typedef struct wn_tree_place {
    uint32_t start; /* its first split */
    uint32_t depth; /* steps to its deepest leaf */
} wn_tree_place;

typedef struct wn_forest {
    const wn_split *splits;
    const wn_tree_place *trees;
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
