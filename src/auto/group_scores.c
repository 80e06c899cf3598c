#include "auto/group_scores.h"

#include <assert.h>

#include "auto/forest.h"

/* The scores of a group. */
typedef struct scores {
    int64_t sum;
    int64_t weight;
} scores;

static void add_scores(const wn_auto_features *f, const int32_t *logits, scores *groups)
{
    for (uint32_t i = 0; i < f->page->blocks.count; i++) {
        assert(f->blocks[i].classes < f->classes.count);
        scores *group = &groups[f->blocks[i].classes];
        int64_t weight = (int64_t)f->page->blocks.items[i].words + 1;
        group->sum += logits[i] * weight;
        group->weight += weight;
    }
}

bool wn_auto_blend_group_scores(const wn_auto_features *f, int32_t share, wn_arena *arena,
                                int32_t *logits)
{
    if (f->is_early || share == 0)
        return true;
    scores *groups = wn_arena_alloc(arena, f->classes.count * sizeof *groups);
    if (!groups)
        return false;
    memset(groups, 0, f->classes.count * sizeof *groups);
    add_scores(f, logits, groups);
    for (uint32_t i = 0; i < f->page->blocks.count; i++) {
        const scores *group = &groups[f->blocks[i].classes];
        assert(group->weight > 0); /* it holds this block at least */
        int64_t mean = group->sum / group->weight;
        logits[i] += (int32_t)((mean - logits[i]) * share / WN_LOGIT_ONE);
    }
    return true;
}
