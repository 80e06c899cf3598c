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
    HOPELESS = -10 * WN_LOGIT_ONE / 4,
};

enum {
    /* Rows are turned into columns eight numbers at a time. */
    ROW = (WN_FEATURE_COUNT + 7) / 8 * 8,
};

/* A forest that is asked for the blocks of one page. */
typedef struct asked {
    const wn_forest *forest;
    uint16_t leaves[WN_MOST_TREES];
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
    wn_forest_turn(b->rows[0], ROW, WN_FEATURE_COUNT, b->count, a->columns);
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
static void start(asked *a, const wn_forest *forest, const int16_t *row)
{
    a->forest = forest;
    wn_forest_start(forest, row, a->leaves);
}

const wn_forest *wn_judge_forest(const wn_features *features, const wn_model *model)
{
    return features->is_early && model->early.tree_count > 0 ? &model->early : &model->block;
}

void wn_judge_blocks(const wn_features *features, const wn_model *model, bool hasty,
                     int32_t *logits)
{
    const wn_forest *forest = wn_judge_forest(features, model);
    uint32_t first = forest->tree_count < FIRST_TREES ? forest->tree_count : FIRST_TREES;
    uint32_t count = features->page->blocks.count;
    batch all, left;
    asked a;
    all.count = left.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        wn_features_row(features, i, all.rows[all.count]);
        if (i == 0)
            start(&a, forest, all.rows[0]);
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

bool wn_is_copy(const wn_features *features, const wn_model *model, uint32_t block)
{
    return features->blocks[block].copies_before > 0 &&
           features->page->blocks.items[block].words >= (uint32_t)model->constants[WN_COPY_WORDS];
}

void wn_judge_chances(const wn_features *features, const wn_model *model, const int32_t *logits,
                      uint16_t *chances)
{
    int64_t scale = model->constants[WN_SCALE];
    for (uint32_t i = 0; i < features->page->blocks.count; i++) {
        uint32_t chance = wn_logistic((int32_t)(logits[i] * scale / WN_LOGIT_ONE));
        chances[i] = (uint16_t)(wn_is_copy(features, model, i) ? 0 : chance);
    }
}
