/*
 * Judging in batches. Most blocks of a page are plainly not content, and the first trees of a
 * forest know it: what is hopeless after them is not asked further. Those that are left are gathered into
 * full batches again, which are judged fastest.
 */
#include "page/judge.h"

enum {
    /* The first trees learn fast: what has this answer after them is not asked further. */
    FIRST_TREES = 24,
    HASTY_TREES = 10,
    HOPELESS = -13 * WN_LOGIT_ONE / 4,
    SURELY_NOT = -7 * WN_LOGIT_ONE / 2, /* the second look does not look at these */
};

typedef struct batch {
    int16_t rows[WN_BATCH][WN_BOTH_COUNT];
    uint32_t blocks[WN_BATCH];
    int32_t sums[WN_BATCH];
    uint32_t count;
} batch;

/* Adds the answers of some trees to the sums of a batch; places that are empty repeat the first. */
static void ask(batch *b, const wn_forest *forest, uint32_t from, uint32_t to)
{
    const int16_t *rows[WN_BATCH];
    for (uint32_t i = 0; i < WN_BATCH; i++)
        rows[i] = b->rows[i < b->count ? i : 0];
    for (uint32_t i = b->count; i < WN_BATCH; i++)
        b->sums[i] = 0;
    wn_forest_add(forest, from, to, rows, WN_BATCH, b->sums);
}

/* Asks the last trees for the blocks of a batch, `from` to `to`, and empties it. */
static void finish_at(batch *b, const wn_forest *forest, uint32_t from, uint32_t to,
                      int32_t *logits)
{
    if (b->count == 0)
        return;
    ask(b, forest, from, to);
    for (uint32_t i = 0; i < b->count; i++)
        logits[b->blocks[i]] = b->sums[i];
    b->count = 0;
}

static void finish(batch *b, const wn_forest *forest, uint32_t from, int32_t *logits)
{
    finish_at(b, forest, from, forest->tree_count, logits);
}

/* Takes those over that are not hopeless, and empties the batch. */
static void sift(batch *b, batch *left, const wn_forest *forest, uint32_t asked, int32_t *logits)
{
    for (uint32_t i = 0; i < b->count; i++) {
        logits[b->blocks[i]] = b->sums[i];
        if (b->sums[i] < HOPELESS)
            continue;
        memcpy(left->rows[left->count], b->rows[i], sizeof(wn_row));
        left->blocks[left->count] = b->blocks[i];
        left->sums[left->count++] = b->sums[i];
        if (left->count == WN_BATCH)
            finish(left, forest, asked, logits);
    }
    b->count = 0;
}

void wn_judge_first(const wn_features *features, const wn_model *model, bool hasty, int32_t *logits)
{
    const wn_forest *forest = &model->block;
    uint32_t asked = forest->tree_count < FIRST_TREES ? forest->tree_count : FIRST_TREES;
    uint32_t count = features->page->blocks.count;
    batch all, left;
    all.count = left.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        wn_features_row(features, i, all.rows[all.count]);
        all.blocks[all.count] = i;
        all.sums[all.count++] = forest->bias;
        if (all.count < WN_BATCH && i + 1 < count)
            continue;
        if (hasty) {
            finish_at(&all, forest, 0, asked < HASTY_TREES ? asked : HASTY_TREES, logits);
            continue;
        }
        ask(&all, forest, 0, asked);
        sift(&all, &left, forest, asked, logits);
    }
    finish(&left, forest, asked, logits);
}

void wn_judge_second(const wn_second *second, const wn_model *model, int32_t *logits)
{
    uint32_t count = second->features->page->blocks.count;
    batch b;
    b.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (second->logits[i] < SURELY_NOT)
            continue;
        wn_features_row(second->features, i, b.rows[b.count]);
        wn_second_row(second, i, b.rows[b.count] + WN_FEATURE_COUNT);
        b.blocks[b.count] = i;
        b.sums[b.count++] = model->second.bias;
        if (b.count == WN_BATCH)
            finish(&b, &model->second, 0, logits);
    }
    finish(&b, &model->second, 0, logits);
}
