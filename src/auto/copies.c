/*
 * One walk over the blocks, from one run of copies to the next.
 */
#include "auto/copies.h"

#include <assert.h>

#include "auto/judge.h"

enum {
    SURE = WN_LOGIT_ONE * 4 / 5, /* the probability of a copy that may be kept */
    LARGE_SHARE = 4,             /* a quarter of all kept words: a second copy of the text */
};

/* The copies of a page that may be kept. */
typedef struct copies {
    const wn_auto_features *features;
    const wn_auto_model *model;
    const int32_t *answers;
    uint32_t threshold; /* of the page */
} copies;

/* What is quoted was on the page before, or it could not be. */
static uint32_t least_chance(const copies *c, uint32_t block)
{
    bool is_quotation = c->features->page->blocks.items[block].quote_depth > 0;
    return is_quotation || c->threshold > SURE ? c->threshold : SURE;
}

static bool may_be_kept(const copies *c, uint32_t block)
{
    return wn_auto_is_copy(c->features, c->model, block) &&
           wn_auto_judge_chance(c->model, c->answers[block]) >= least_chance(c, block);
}

/* The block after a run of copies; `words` are those in it. */
static uint32_t run_end(const copies *c, uint32_t start, uint64_t *words)
{
    uint32_t end = start, count = c->features->page->blocks.count;
    for (*words = 0; end < count && may_be_kept(c, end); end++)
        *words += c->features->page->blocks.items[end].words;
    return end;
}

static uint64_t kept_words(const wn_page *page, const wn_selection *selection)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i < selection->count; i++)
        words += selection->verdicts[i].keep ? page->blocks.items[i].words : 0;
    return words;
}

static void keep(const copies *c, uint32_t start, uint32_t end, uint16_t *chances,
                 wn_verdict *verdicts)
{
    for (uint32_t i = start; i < end; i++) {
        chances[i] = (uint16_t)wn_auto_judge_chance(c->model, c->answers[i]);
        verdicts[i] = (wn_verdict){.reason = "a copy among text that is kept", .keep = true};
    }
}

void wn_auto_copies_keep(const wn_auto_features *features, const wn_auto_model *model,
                         const int32_t *answers, uint32_t threshold, uint16_t *chances,
                         wn_selection *selection)
{
    copies c = {features, model, answers, threshold};
    wn_verdict *verdicts = selection->verdicts;
    uint64_t kept = kept_words(features->page, selection), words;
    assert(selection->count == features->page->blocks.count);
    for (uint32_t start = 1, end; start < selection->count; start = end + 1) {
        end = start;
        if (features->blocks[start].copies_before == 0) /* as nearly all blocks */
            continue;
        end = run_end(&c, start, &words);
        if (end > start && end < selection->count && verdicts[start - 1].keep &&
            verdicts[end].keep && words * LARGE_SHARE <= kept)
            keep(&c, start, end, chances, verdicts);
    }
}
