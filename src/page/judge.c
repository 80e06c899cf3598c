/*
 * Judging in batches. Most blocks of a page are plainly not content, and the first trees of a
 * forest know it: what is hopeless after them is not asked further. Those that are left are gathered into
 * full batches again, which are judged fastest.
 */
#include "page/judge.h"

enum {
    /* The first trees learn fast: what has this answer after them is not asked further. */
    FIRST_TREES = 16,
    HASTY_TREES = 10,
    HOPELESS = -11 * WN_LOGIT_ONE / 4,
    SURELY_NOT = -11 * WN_LOGIT_ONE / 4, /* the second look does not look at these */
};

enum {
    /* Rows are turned into columns eight numbers at a time. */
    ROW = (WN_BOTH_COUNT + 7) / 8 * 8,
};

/* A forest that is asked for the blocks of one page. */
typedef struct asked {
    const wn_forest *forest;
    uint32_t features; /* of a row */
    uint32_t leaves[WN_MOST_TREES];
    wn_column columns[ROW];
} asked;

typedef struct batch {
    int16_t rows[WN_BATCH][ROW];
    uint32_t blocks[WN_BATCH];
    int32_t sums[WN_BATCH];
    uint32_t count;
} batch;

/* Adds the answers of some trees to the sums of a batch; places that are empty hold anything. */
static void ask(batch *b, asked *a, uint32_t from, uint32_t to)
{
    wn_forest_turn(b->rows[0], ROW, a->features, b->count, a->columns);
    wn_forest_add(a->forest, from, to, a->leaves, (const wn_column *)a->columns, b->count, b->sums);
}

/* Asks the last trees for the blocks of a batch, `from` to `to`, and empties it. */
static void finish_at(batch *b, asked *a, uint32_t from, uint32_t to, int32_t *logits)
{
    if (b->count == 0)
        return;
    ask(b, a, from, to);
    for (uint32_t i = 0; i < b->count; i++)
        logits[b->blocks[i]] = b->sums[i];
    b->count = 0;
}

static void finish(batch *b, asked *a, uint32_t from, int32_t *logits)
{
    finish_at(b, a, from, a->forest->tree_count, logits);
}

/* Takes those over that are not hopeless, and empties the batch. */
static void sift(batch *b, batch *left, asked *a, uint32_t from, int32_t *logits)
{
    for (uint32_t i = 0; i < b->count; i++) {
        logits[b->blocks[i]] = b->sums[i];
        if (b->sums[i] < HOPELESS)
            continue;
        memcpy(left->rows[left->count], b->rows[i], sizeof(wn_row));
        left->blocks[left->count] = b->blocks[i];
        left->sums[left->count++] = b->sums[i];
        if (left->count == WN_BATCH)
            finish(left, a, from, logits);
    }
    b->count = 0;
}

/* The first row of a page tells what the forest makes of the page as such. */
static void start(asked *a, const wn_forest *forest, uint32_t features, const int16_t *row)
{
    a->forest = forest;
    a->features = features;
    wn_forest_start(forest, row, a->leaves);
}

void wn_judge_first(const wn_features *features, const wn_model *model, bool hasty, int32_t *logits)
{
    const wn_forest *forest = &model->block;
    uint32_t first = forest->tree_count < FIRST_TREES ? forest->tree_count : FIRST_TREES;
    uint32_t count = features->page->blocks.count;
    batch all, left;
    asked a;
    all.count = left.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        wn_features_row(features, i, all.rows[all.count]);
        if (i == 0)
            start(&a, forest, WN_FEATURE_COUNT, all.rows[0]);
        all.blocks[all.count] = i;
        all.sums[all.count++] = forest->bias;
        if (all.count < WN_BATCH && i + 1 < count)
            continue;
        if (hasty) {
            finish_at(&all, &a, 0, first < HASTY_TREES ? first : HASTY_TREES, logits);
            continue;
        }
        ask(&all, &a, 0, first);
        sift(&all, &left, &a, first, logits);
    }
    if (count > 0)
        finish(&left, &a, first, logits);
}

void wn_judge_second(const wn_second *second, const wn_model *model, int32_t *logits)
{
    uint32_t count = second->features->page->blocks.count;
    batch b;
    asked a;
    b.count = 0;
    bool started = false;
    for (uint32_t i = 0; i < count; i++) {
        if (second->logits[i] < SURELY_NOT)
            continue;
        int16_t *row = b.rows[b.count];
        wn_features_row(second->features, i, row);
        wn_second_row(second, i, row + WN_FEATURE_COUNT);
        if (!started)
            start(&a, &model->second, WN_BOTH_COUNT, row);
        started = true;
        b.blocks[b.count] = i;
        b.sums[b.count++] = model->second.bias;
        if (b.count == WN_BATCH)
            finish(&b, &a, 0, logits);
    }
    if (started)
        finish(&b, &a, 0, logits);
}
