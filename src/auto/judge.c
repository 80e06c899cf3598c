/*
 * Scoring in batches. Most blocks of a page are clearly not content, and the first trees of a
 * forest show it: blocks that are hopeless after them are dropped, and so are those that are
 * hopeless or certain after half of the trees. The rest are collected into full batches again,
 * which are the fastest.
 */
#include "auto/judge.h"

#include <assert.h>

#include "auto/page_type.h"

enum {
    STAGES = 3, /* the first trees, to the half of them, the rest */
    FIRST_TREES = 24,
    HASTY_TREES = 10,
    HOPELESS = -10 * WN_LOGIT_ONE / 4, /* what has this answer after a stage is not asked further */
    CERTAIN = 10 * WN_LOGIT_ONE / 4,   /* nor what has this one after the second */
};

enum {
    /* Rows are turned into columns eight numbers at a time. */
    ROW = (WN_FEATURE_COUNT + 7) / 8 * 8,
};

typedef struct batch {
    int16_t rows[WN_BATCH][ROW];
    uint32_t blocks[WN_BATCH];
    int32_t sums[WN_BATCH];
    uint32_t count;
} batch;

/* The way of a page's blocks through a forest. */
typedef struct sieve {
    const wn_auto_forest *forest;
    int last;              /* stage */
    uint32_t ends[STAGES]; /* of each stage: the tree after its last */
    batch batches[STAGES]; /* what waits for its trees */
    uint16_t leaves[WN_MOST_TREES];
    wn_auto_column columns[ROW];
    uint32_t turned; /* features of a batch that are made columns */
    int32_t *logits;
} sieve;

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void start(sieve *s, const wn_auto_forest *forest, bool hasty, int32_t *logits)
{
    uint32_t count = forest->tree_count;
    assert(forest->feature_count <= WN_FEATURE_COUNT && count <= WN_MOST_TREES);
    s->forest = forest;
    s->last = hasty ? 0 : STAGES - 1;
    s->ends[0] = smaller(hasty ? HASTY_TREES : FIRST_TREES, count);
    s->ends[1] = smaller(s->ends[0] + count / 2, count);
    s->ends[2] = count;
    s->turned = WN_FEATURE_COUNT;
    s->logits = logits;
    for (int stage = 0; stage < STAGES; stage++)
        s->batches[stage].count = 0;
}

/*
 * Asks the trees of a stage for its batch; places of it that are empty hold anything. The columns
 * of what is the same for the whole page stay as the first batch, which is the largest, made them.
 */
static void ask(sieve *s, int stage)
{
    batch *b = &s->batches[stage];
    assert(b->count > 0 && b->count <= WN_BATCH);
    wn_auto_forest_turn(b->rows[0], ROW, s->turned, b->count, s->columns);
    s->turned = WN_F_PAGE_WORDS;
    wn_auto_forest_add(s->forest, stage ? s->ends[stage - 1] : 0, s->ends[stage], s->leaves,
                       (const wn_auto_column *)s->columns, b->count, b->sums);
    for (uint32_t i = 0; i < b->count; i++)
        s->logits[b->blocks[i]] = b->sums[i];
}

/* Asks for a batch and hands on what is not hopeless, which may fill the next batch. */
static void pass(sieve *s, int stage)
{
    batch *b = &s->batches[stage], *next = b + 1;
    uint32_t count = stage < s->last ? b->count : 0;
    assert(stage <= s->last);
    ask(s, stage);
    b->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (b->sums[i] < HOPELESS || (stage > 0 && b->sums[i] > CERTAIN))
            continue;
        assert(next->count < WN_BATCH);
        memcpy(next->rows[next->count], b->rows[i], sizeof(wn_auto_row));
        next->blocks[next->count] = b->blocks[i];
        next->sums[next->count++] = b->sums[i];
        if (next->count == WN_BATCH)
            pass(s, stage + 1);
    }
}

static int32_t ask_gate(const wn_auto_forest *gate, const int16_t *row)
{
    if (gate->tree_count == 0)
        return WN_GATE_SHUT;
    return gate->bias + wn_auto_forest_ask(gate, 0, gate->tree_count, row);
}

wn_auto_gates wn_auto_judge_gates(const wn_auto_features *features, const wn_auto_model *model)
{
    int16_t row[WN_PAGE_ROW];
    wn_auto_features_row(features, features->largest, row);
    wn_auto_page_type_row(features, NULL, row + WN_FEATURE_COUNT);
    return (wn_auto_gates){.story = ask_gate(&model->gate, row),
                           .item = ask_gate(&model->item_gate, row)};
}

const wn_auto_forest *wn_auto_judge_forest(const wn_auto_features *features,
                                           const wn_auto_model *model, wn_auto_gates gates)
{
    /* Nearly all early pages with gold are articles, so those that are not are judged as modern ones. */
    bool is_like_modern = model->gate.tree_count > 0 &&
                          gates.story < model->constants[WN_EARLY_CUT];
    bool is_early = features->is_early && model->early.tree_count > 0 && !is_like_modern;
    bool is_story = model->article.tree_count > 0 &&
                    gates.story >= model->constants[WN_ARTICLE_CUT];
    bool is_item = model->item.tree_count > 0 && gates.item >= model->constants[WN_ITEM_CUT];
    if (is_item && (!is_story || gates.item > gates.story)) /* a recipe may be both */
        return &model->item;
    if (is_early)
        return &model->early;
    return is_story ? &model->article : &model->block;
}

void wn_auto_judge_blocks(const wn_auto_features *features, const wn_auto_forest *forest,
                          bool hasty, int32_t *logits)
{
    sieve s;
    batch *b = &s.batches[0];
    start(&s, forest, hasty, logits);
    for (uint32_t i = 0; i < features->page->blocks.count; i++) {
        wn_auto_features_row(features, i, b->rows[b->count]);
        if (i == 0) /* any row tells what the forest makes of the page as such */
            wn_auto_forest_start(s.forest, b->rows[0], s.leaves);
        b->blocks[b->count] = i;
        b->sums[b->count++] = s.forest->bias;
        if (b->count == WN_BATCH)
            pass(&s, 0);
    }
    for (int stage = 0; stage <= s.last; stage++)
        if (s.batches[stage].count > 0)
            pass(&s, stage);
}

bool wn_auto_is_copy(const wn_auto_features *features, const wn_auto_model *model, uint32_t block)
{
    return features->blocks[block].copies_before > 0 &&
           features->page->blocks.items[block].words >= (uint32_t)model->constants[WN_COPY_WORDS];
}

uint32_t wn_auto_judge_chance(const wn_auto_model *model, int32_t logit)
{
    return wn_auto_logistic((int32_t)((int64_t)logit * model->constants[WN_SCALE] / WN_LOGIT_ONE));
}

void wn_auto_judge_chances(const wn_auto_features *features, const wn_auto_model *model,
                           const int32_t *logits, uint16_t *chances)
{
    for (uint32_t i = 0; i < features->page->blocks.count; i++) {
        bool is_copy = wn_auto_is_copy(features, model, i);
        chances[i] = (uint16_t)(is_copy ? 0 : wn_auto_judge_chance(model, logits[i]));
    }
}
