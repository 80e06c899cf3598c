/*
 * Reasons by asking again: for each feature the trees that ask for it, with that feature as usual.
 */
#include "auto/reasons.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 501 }; /* blocks that tell what is usual */

static int compare_values(const void *a, const void *b)
{
    return *(const int16_t *)a - *(const int16_t *)b;
}

/* The value of each feature that is usual on the page; false if out of memory. */
static bool find_usual(wn_auto_reasons *r, wn_arena *arena)
{
    uint32_t blocks = r->features->page->blocks.count;
    uint32_t step = blocks / MOST_SAMPLES + 1, count = (blocks + step - 1) / step;
    assert(count > 0 && count <= MOST_SAMPLES);
    wn_auto_row *rows = wn_arena_alloc(arena, count * sizeof *rows);
    if (!rows)
        return false;
    for (uint32_t i = 0; i < count; i++)
        wn_auto_features_row(r->features, i * step, rows[i]);
    for (uint32_t f = 0; f < WN_FEATURE_COUNT; f++) {
        int16_t values[MOST_SAMPLES];
        for (uint32_t i = 0; i < count; i++)
            values[i] = rows[i][f];
        qsort(values, count, sizeof *values, compare_values);
        r->usual[f] = values[count / 2];
    }
    return true;
}

/* Calls for each feature that a tree asks for, once: `last` has the last tree that asked for it. */
static void visit_tree(wn_auto_reasons *r, uint32_t tree, uint16_t *last, uint32_t *next)
{
    const wn_auto_tree *t = &r->forest->trees[tree];
    for (uint32_t i = t->page; i < t->end; i++) {
        uint32_t feature = r->forest->splits[i].feature;
        if (last[feature] == tree + 1)
            continue;
        last[feature] = (uint16_t)(tree + 1);
        if (r->trees)
            r->trees[next[feature]] = (uint16_t)tree;
        next[feature]++;
    }
}

/* One pass counts the trees of each feature, the next one lists them; false if out of memory. */
static bool list_trees(wn_auto_reasons *r, wn_arena *arena)
{
    uint32_t next[WN_FEATURE_COUNT] = {0}, sum = 0;
    r->trees = NULL;
    for (int pass = 0; pass < 2; pass++) {
        uint16_t last[WN_FEATURE_COUNT] = {0};
        for (uint32_t tree = 0; tree < r->forest->tree_count; tree++)
            visit_tree(r, tree, last, next);
        if (pass > 0)
            break;
        for (uint32_t f = 0; f < WN_FEATURE_COUNT; f++) {
            r->first[f] = sum;
            sum += next[f];
            next[f] = r->first[f];
        }
        r->first[WN_FEATURE_COUNT] = sum;
        r->trees = wn_arena_alloc(arena, (sum + 1) * sizeof *r->trees);
        if (!r->trees)
            return false;
    }
    return true;
}

bool wn_auto_reasons_prepare(wn_auto_reasons *r, const wn_auto_features *features,
                             const wn_auto_forest *forest, wn_arena *arena)
{
    r->features = features;
    r->forest = forest;
    assert(forest->tree_count <= WN_MOST_TREES && forest->feature_count <= WN_FEATURE_COUNT);
    return find_usual(r, arena) && list_trees(r, arena);
}

/* Puts a reason in its place among those found so far; returns how many there are then. */
static uint32_t insert(wn_auto_reason found[WN_REASONS], uint32_t count, wn_auto_reason reason)
{
    uint32_t at = count < WN_REASONS ? count : WN_REASONS;
    for (; at > 0 && abs(found[at - 1].part) < abs(reason.part); at--)
        if (at < WN_REASONS)
            found[at] = found[at - 1];
    if (at < WN_REASONS)
        found[at] = reason;
    return count < WN_REASONS ? count + 1 : count;
}

/*
 * How much the answer changes when a feature has its usual value; answers[] are those of each tree.
 */
static int32_t part_of(const wn_auto_reasons *r, uint32_t feature, wn_auto_row row,
                       const int16_t *answers)
{
    int16_t value = row[feature];
    int32_t part = 0;
    row[feature] = r->usual[feature];
    for (uint32_t i = r->first[feature]; i < r->first[feature + 1]; i++) {
        uint32_t tree = r->trees[i];
        part += answers[tree] - wn_auto_forest_ask(r->forest, tree, tree + 1, row);
    }
    row[feature] = value;
    return part;
}

uint32_t wn_auto_reasons_of(const wn_auto_reasons *r, uint32_t block,
                            wn_auto_reason found[WN_REASONS])
{
    wn_auto_row row;
    int16_t answers[WN_MOST_TREES];
    uint32_t count = 0;
    wn_auto_features_row(r->features, block, row);
    for (uint32_t tree = 0; tree < r->forest->tree_count; tree++)
        answers[tree] = (int16_t)wn_auto_forest_ask(r->forest, tree, tree + 1, row);
    for (uint32_t f = 0; f < WN_FEATURE_COUNT; f++) {
        int32_t part = row[f] == r->usual[f] ? 0 : part_of(r, f, row, answers);
        if (part != 0)
            count = insert(found, count, (wn_auto_reason){(wn_auto_feature)f, row[f], part});
    }
    return count;
}
