/*
 * Judging in batches. Most blocks of a page are plainly not content, and the first trees of a
 * forest know it: what is hopeless after them is not asked further.
 */
#include "page/judge.h"

enum {
    FIRST_TREES = 32,           /* after which hopeless blocks are left alone */
    HOPELESS = -5 * WN_LOGIT_ONE,
    SURELY_NOT = -6 * WN_LOGIT_ONE, /* the second look does not look at these */
};

/* Keeps the rows that are not hopeless at the front; returns how many they are. */
static uint32_t drop_hopeless(uint32_t count, const int16_t **rows, uint32_t *blocks, int32_t *sums,
                              int32_t *logits)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (sums[i] < HOPELESS) {
            logits[blocks[i]] = sums[i];
            continue;
        }
        rows[left] = rows[i];
        blocks[left] = blocks[i];
        sums[left++] = sums[i];
    }
    return left;
}

/* Judges a batch; the answers go to `logits` at the places of the blocks. */
static void judge_batch(const wn_forest *forest, uint32_t count, const int16_t **rows,
                        uint32_t *blocks, int32_t *logits)
{
    int32_t sums[WN_BATCH];
    uint32_t first = forest->tree_count < FIRST_TREES ? forest->tree_count : FIRST_TREES;
    for (uint32_t i = 0; i < count; i++)
        sums[i] = forest->bias;
    wn_forest_add(forest, 0, first, rows, count, sums);
    count = drop_hopeless(count, rows, blocks, sums, logits);
    wn_forest_add(forest, first, forest->tree_count, rows, count, sums);
    for (uint32_t i = 0; i < count; i++)
        logits[blocks[i]] = sums[i];
}

void wn_judge_first(const wn_features *features, const wn_model *model, int32_t *logits)
{
    wn_row rows[WN_BATCH];
    uint32_t count = features->page->blocks.count;
    for (uint32_t start = 0; start < count; start += WN_BATCH) {
        uint32_t size = count - start < WN_BATCH ? count - start : WN_BATCH;
        const int16_t *pointers[WN_BATCH];
        uint32_t blocks[WN_BATCH];
        for (uint32_t i = 0; i < size; i++) {
            wn_features_row(features, start + i, rows[i]);
            pointers[i] = rows[i];
            blocks[i] = start + i;
        }
        judge_batch(&model->block, size, pointers, blocks, logits);
    }
}

void wn_judge_second(const wn_second *second, const wn_model *model, int32_t *logits)
{
    int16_t rows[WN_BATCH][WN_BOTH_COUNT];
    const int16_t *pointers[WN_BATCH];
    uint32_t blocks[WN_BATCH], size = 0;
    uint32_t count = second->features->page->blocks.count;
    for (uint32_t i = 0; i < count; i++) {
        if (second->logits[i] >= SURELY_NOT) {
            wn_features_row(second->features, i, rows[size]);
            wn_second_row(second, i, rows[size] + WN_FEATURE_COUNT);
            pointers[size] = rows[size];
            blocks[size++] = i;
        }
        if (size == WN_BATCH || i + 1 == count) {
            judge_batch(&model->second, size, pointers, blocks, logits);
            size = 0;
        }
    }
}
