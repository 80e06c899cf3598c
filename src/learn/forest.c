/*
 * Judging rows by trees. The steps of several rows do not wait for each other, which is what makes it fast.
 */
#include "learn/forest.h"

static inline uint32_t step(const wn_split *tree, uint32_t at, const int16_t *row)
{
    wn_split split = tree[at];
    return split.next + (uint32_t)(row[split.feature] > split.threshold);
}

/* A whole batch: the loop over it has a fixed length and is unrolled. */
static void add_batch(const wn_split *tree, uint32_t depth, const int16_t *const *rows,
                      int32_t *sums)
{
    uint32_t at[WN_BATCH] = {0};
    for (uint32_t level = 0; level < depth; level++)
        for (uint32_t i = 0; i < WN_BATCH; i++)
            at[i] = step(tree, at[i], rows[i]);
    for (uint32_t i = 0; i < WN_BATCH; i++)
        sums[i] += tree[at[i]].answer;
}

static void add_row(const wn_split *tree, uint32_t depth, const int16_t *row, int32_t *sum)
{
    uint32_t at = 0;
    for (uint32_t level = 0; level < depth; level++)
        at = step(tree, at, row);
    *sum += tree[at].answer;
}

void wn_forest_add(const wn_forest *forest, uint32_t from, uint32_t to, const int16_t *const *rows,
                   uint32_t count, int32_t *sums)
{
    for (uint32_t t = from; t < to; t++) {
        const wn_split *tree = forest->splits + forest->trees[t].start;
        uint32_t depth = forest->trees[t].depth;
        if (count == WN_BATCH)
            add_batch(tree, depth, rows, sums);
        else
            for (uint32_t i = 0; i < count; i++)
                add_row(tree, depth, rows[i], &sums[i]);
    }
}

/*
 * 1024 / (1 + exp(-x)) at x = 0, 1/8, 2/8, …, 8. Between them it is a straight line; the table is
 * part of the model, so to say: training sees the same numbers.
 */
static const uint16_t logistic[] = {
    512,  544,  576,  607,  637,  667,  695,  723,  749,  773,  796,  817,  837,
    856,  872,  888,  902,  915,  926,  937,  946,  955,  962,  969,  975,  981,
    986,  990,  994,  997,  1000, 1003, 1006, 1008, 1010, 1011, 1013, 1014, 1015,
    1016, 1017, 1018, 1019, 1019, 1020, 1020, 1021, 1021, 1021, 1022, 1022, 1022,
    1022, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 1024, 1024, 1024, 1024,
};

uint32_t wn_logistic(int32_t logit)
{
    enum { STEP = WN_LOGIT_ONE / 8, LAST = sizeof logistic / sizeof *logistic - 1 };
    uint32_t size = (uint32_t)(logit < 0 ? -(int64_t)logit : logit);
    uint32_t step = size / STEP, rest = size % STEP;
    uint32_t chance = step >= LAST
                          ? logistic[LAST]
                          : (logistic[step] * (STEP - rest) + logistic[step + 1] * rest) / STEP;
    return logit < 0 ? WN_LOGIT_ONE - chance : chance;
}
