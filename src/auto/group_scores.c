#include "auto/group_scores.h"

#include "auto/forest.h"

/* The answers of a kind. */
typedef struct answers {
    int64_t sum;
    int64_t weight;
} answers;

static void add_answers(const wn_features *f, const int32_t *logits, answers *kinds)
{
    for (uint32_t i = 0; i < f->page->blocks.count; i++) {
        answers *kind = &kinds[f->blocks[i].classes];
        int64_t weight = (int64_t)f->page->blocks.items[i].words + 1;
        kind->sum += logits[i] * weight;
        kind->weight += weight;
    }
}

bool wn_alike_share(const wn_features *f, int32_t share, wn_arena *arena, int32_t *logits)
{
    if (f->is_early || share == 0)
        return true;
    answers *kinds = wn_arena_alloc(arena, f->classes.count * sizeof *kinds);
    if (!kinds)
        return false;
    memset(kinds, 0, f->classes.count * sizeof *kinds);
    add_answers(f, logits, kinds);
    for (uint32_t i = 0; i < f->page->blocks.count; i++) {
        const answers *kind = &kinds[f->blocks[i].classes];
        int64_t mean = kind->sum / kind->weight;
        logits[i] += (int32_t)((mean - logits[i]) * share / WN_LOGIT_ONE);
    }
    return true;
}
