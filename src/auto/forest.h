/*
 * A forest: small decision trees whose values are added up.
 *
 * Everything is a whole number: features have 16 bits, answers are in units of 1/1024, so that
 * the same page gets the same verdict with every compiler.
 *
 * The trees are not traversed. The leaves of a tree are bits, from left to right, and each split
 * knows which of them are on its left: a row whose feature is above the threshold cannot end there,
 * so those bits are cleared. After all splits, in any order, the lowest remaining bit is the leaf.
 * That takes more comparisons than a traversal, but none depends on another, so many rows are
 * processed at once. Splits that ask for something that is the same for all blocks of a page are
 * asked once per page. (Lucchese et al., QuickScorer, SIGIR 2015.)
 */
#ifndef WN_AUTO_FOREST_H
#define WN_AUTO_FOREST_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WN_LOGIT_ONE = 1024, /* unit of answers: 1.0 */
    WN_BATCH = 32,       /* rows that are judged together */
    WN_TREE_LEAVES = 16, /* at most */
    WN_MOST_TREES = 1000,
};

typedef struct wn_auto_split {
    int16_t threshold;
    uint16_t feature;
    uint16_t left; /* leaves that rows above the threshold do not reach; never the last of a tree */
} wn_auto_split;

/* Its splits are one after the other, those first that ask for a feature of the page. */
typedef struct wn_auto_tree {
    uint32_t page, block, end; /* places of splits */
    int16_t answers[WN_TREE_LEAVES];
} wn_auto_tree;

typedef struct wn_auto_forest {
    const wn_auto_split *splits;
    const wn_auto_tree *trees;
    uint32_t tree_count;
    uint32_t split_count;
    uint32_t feature_count; /* that rows must have */
    int32_t bias;
} wn_auto_forest;

/* A feature of all rows of a batch; aligned for the widest vectors. */
typedef int16_t wn_auto_column[WN_BATCH] __attribute__((aligned(2 * WN_BATCH)));

/* The leaves of each tree that the features of the page leave; `row` is that of any block. */
void wn_auto_forest_start(const wn_auto_forest *forest, const int16_t *row, uint16_t *leaves);

/*
 * Adds the answers of trees `from` to `to` to the sums of the first `count` rows of a batch;
 * `leaves` as above. Rows after them may hold anything, and so may `sums`, which has room for a
 * whole batch.
 */
void wn_auto_forest_add(const wn_auto_forest *forest, uint32_t from, uint32_t to,
                        const uint16_t *leaves, const wn_auto_column *columns, uint32_t count,
                        int32_t *sums);

/* The same by vectors of 8, 16 or 32 lanes, the widest of which this processor may lack: for tests. */
bool wn_auto_forest_has_lanes(int lanes);
void wn_auto_forest_add_by(int lanes, const wn_auto_forest *forest, uint32_t from, uint32_t to,
                           const uint16_t *leaves, const wn_auto_column *columns, uint32_t count,
                           int32_t *sums);

/* The sum of the answers of trees `from` to `to` for one row. */
int32_t wn_auto_forest_ask(const wn_auto_forest *forest, uint32_t from, uint32_t to,
                           const int16_t *row);

/*
 * Writes the first `features` numbers of `count` rows as columns, both rounded up to eights. Rows
 * are `stride` numbers long.
 */
void wn_auto_forest_turn(const int16_t *rows, uint32_t stride, uint32_t features, uint32_t count,
                         wn_auto_column *columns);

/* The probability that belongs to a logit, both in 1/1024. */
uint32_t wn_auto_logistic(int32_t logit);

#endif
