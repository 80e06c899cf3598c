/*
 * Judging rows by trees. The inner loop has no branch that depends on the data but its end.
 */
#include "learn/forest.h"

static int32_t answer(const wn_split *tree, const int32_t *leaves, const int16_t *row)
{
    uint32_t at = 0;
    while (!(at & WN_LEAF)) {
        const wn_split *split = &tree[at];
        at = row[split->feature] > split->threshold ? split->right : split->left;
    }
    return leaves[at & (WN_LEAF - 1)];
}

void wn_forest_add(const wn_forest *forest, uint32_t from, uint32_t to, const int16_t *const *rows,
                   uint32_t count, int32_t *sums)
{
    for (uint32_t t = from; t < to; t++) {
        const wn_split *tree = forest->splits + forest->trees[2 * t];
        const int32_t *leaves = forest->leaves + forest->trees[2 * t + 1];
        for (uint32_t i = 0; i < count; i++)
            sums[i] += answer(tree, leaves, rows[i]);
    }
}

/*
 * 1024 / (1 + exp(-x)) at x = 0, 1/8, 2/8, …, 8. Between them it is a straight line; the table is
 * part of the model, so to say: training sees the same numbers.
 */
static const uint16_t logistic[] = {
    512, 544, 576, 607, 637, 667, 695, 723, 749, 773, 796, 817,
    837, 856, 872, 888, 902, 915, 926, 937, 946, 955, 962, 969,
    975, 981, 986, 990, 994, 997, 1000, 1003, 1006, 1008, 1010, 1011,
    1013, 1014, 1015, 1016, 1017, 1018, 1019, 1019, 1020, 1020, 1021, 1021,
    1021, 1022, 1022, 1022, 1022, 1023, 1023, 1023, 1023, 1023, 1023, 1023,
    1023, 1024, 1024, 1024, 1024,
};

uint32_t wn_logistic(int32_t logit)
{
    enum { STEP = WN_LOGIT_ONE / 8, LAST = sizeof logistic / sizeof *logistic - 1 };
    uint32_t size = (uint32_t)(logit < 0 ? -(int64_t)logit : logit);
    uint32_t step = size / STEP, rest = size % STEP;
    uint32_t chance = step >= LAST ? logistic[LAST]
                                   : (logistic[step] * (STEP - rest) + logistic[step + 1] * rest) / STEP;
    return logit < 0 ? WN_LOGIT_ONE - chance : chance;
}
