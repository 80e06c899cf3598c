/*
 * Reasons by asking again: one answer for each feature, with that feature as usual.
 */
#include "auto/reasons.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 501 }; /* blocks that tell what is usual */

static int compare_values(const void *a, const void *b)
{
    return *(const int16_t *)a - *(const int16_t *)b;
}

bool wn_auto_reasons_prepare(wn_auto_reasons *r, const wn_auto_features *features,
                             const wn_auto_forest *forest, wn_arena *arena)
{
    uint32_t blocks = features->page->blocks.count;
    uint32_t step = blocks / MOST_SAMPLES + 1, count = (blocks + step - 1) / step;
    assert(count > 0 && count <= MOST_SAMPLES);
    wn_auto_row *rows = wn_arena_alloc(arena, count * sizeof *rows);
    if (!rows)
        return false;
    r->features = features;
    r->forest = forest;
    for (uint32_t i = 0; i < count; i++)
        wn_auto_features_row(features, i * step, rows[i]);
    for (uint32_t f = 0; f < WN_FEATURE_COUNT; f++) {
        int16_t values[MOST_SAMPLES];
        for (uint32_t i = 0; i < count; i++)
            values[i] = rows[i][f];
        qsort(values, count, sizeof *values, compare_values);
        r->usual[f] = values[count / 2];
    }
    return true;
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

uint32_t wn_auto_reasons_of(const wn_auto_reasons *r, uint32_t block,
                            wn_auto_reason found[WN_REASONS])
{
    const wn_auto_forest *forest = r->forest;
    assert(forest->feature_count <= WN_FEATURE_COUNT);
    wn_auto_row row;
    uint32_t count = 0;
    wn_auto_features_row(r->features, block, row);
    int32_t answer = wn_auto_forest_ask(forest, 0, forest->tree_count, row);
    for (uint32_t f = 0; f < WN_FEATURE_COUNT; f++) {
        int16_t value = row[f];
        if (value == r->usual[f])
            continue;
        row[f] = r->usual[f];
        int32_t part = answer - wn_auto_forest_ask(forest, 0, forest->tree_count, row);
        row[f] = value;
        if (part != 0)
            count = insert(found, count, (wn_auto_reason){(wn_auto_feature)f, value, part});
    }
    return count;
}
