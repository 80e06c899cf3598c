#include "eval/blocks.h"

#include <math.h>

void wn_eval_block_judge_free(wn_block_judge *judge)
{
    wn_array_free(&judge->blocks);
    wn_array_free(&judge->ids);
    wn_array_free(&judge->others);
    wn_array_free(&judge->match);
    wn_eval_word_list_free(&judge->words);
}

/* ---- Words ------------------------------------------------------------------------------- */

static bool add_block(wn_block_judge *judge, wn_measurer *m, wn_str text)
{
    if (!wn_eval_measurer_read(m, &judge->words, text))
        return false;
    uint32_t count = judge->words.list.count;
    if (count == 0)
        return true;
    if (count > UINT32_MAX / 2 - judge->ids.count ||
        !wn_array_reserve(&judge->ids, judge->ids.count + count))
        return false;
    wn_judged_block *block = wn_array_push(&judge->blocks);
    if (!block)
        return false;
    *block = (wn_judged_block){.first = judge->ids.count, .count = count};
    for (uint32_t i = 0; i < count; i++)
        judge->ids.items[judge->ids.count++] = judge->words.list.items[i].id;
    return true;
}

/* Finds which words of the page are in another text. */
static bool align(wn_block_judge *judge, wn_measurer *m, const wn_word_list *other)
{
    uint32_t count = other->list.count;
    if (!wn_array_reserve(&judge->others, count + 1) ||
        !wn_array_reserve(&judge->match, judge->ids.count + 1))
        return false;
    for (uint32_t i = 0; i < count; i++)
        judge->others.items[i] = other->list.items[i].id;
    return wn_eval_lcs_align(&m->lcs, judge->ids.items, judge->ids.count, judge->others.items,
                             count, m->small.words.keys.count, judge->match.items) != UINT32_MAX;
}

static bool is_half_found(const wn_block_judge *judge, const wn_judged_block *block)
{
    uint32_t found = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        found += judge->match.items[i] != WN_LCS_NONE;
    return 2 * (uint64_t)found >= block->count;
}

/* ---- Judging ----------------------------------------------------------------------------- */

bool wn_eval_block_judge_begin(wn_block_judge *judge, wn_measurer *m, winnow_selection *all)
{
    judge->blocks.count = judge->ids.count = 0;
    if (!wn_array_reserve(&judge->ids, 1))
        return false;
    const winnow_block *block;
    for (size_t i = 0; (block = winnow_selection_block(all, i)) != NULL; i++)
        if (block->kept && !add_block(judge, m, wn_str_from(block->text, block->size)))
            return false;
    if (!align(judge, m, &m->gold))
        return false;
    for (uint32_t i = 0; i < judge->blocks.count; i++)
        judge->blocks.items[i].content = is_half_found(judge, &judge->blocks.items[i]);
    return true;
}

bool wn_eval_block_judge_count(wn_block_judge *judge, wn_measurer *m, wn_block_counts *counts)
{
    *counts = (wn_block_counts){0};
    if (!align(judge, m, &m->ours))
        return false;
    for (uint32_t i = 0; i < judge->blocks.count; i++) {
        const wn_judged_block *block = &judge->blocks.items[i];
        bool kept = is_half_found(judge, block);
        counts->kept_content += kept && block->content;
        counts->kept_noise += kept && !block->content;
        counts->dropped_content += !kept && block->content;
        counts->dropped_noise += !kept && !block->content;
    }
    return true;
}

/* ---- Figures ----------------------------------------------------------------------------- */

void wn_eval_block_counts_add(wn_block_counts *sum, const wn_block_counts *counts)
{
    sum->kept_content += counts->kept_content;
    sum->kept_noise += counts->kept_noise;
    sum->dropped_content += counts->dropped_content;
    sum->dropped_noise += counts->dropped_noise;
}

static double share(uint64_t part, uint64_t rest)
{
    return part + rest ? (double)part / (double)(part + rest) : NAN;
}

double wn_eval_block_accuracy(const wn_block_counts *c)
{
    return share(c->kept_content + c->dropped_noise, c->kept_noise + c->dropped_content);
}

double wn_eval_block_precision(const wn_block_counts *c)
{
    return share(c->kept_content, c->kept_noise);
}

double wn_eval_block_recall(const wn_block_counts *c)
{
    return share(c->kept_content, c->dropped_content);
}

double wn_eval_block_specificity(const wn_block_counts *c)
{
    return share(c->dropped_noise, c->kept_noise);
}
