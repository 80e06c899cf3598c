/*
 * The longest common subsequence of words, and the lengths of texts that rest on it.
 *
 * The example of the line-block paper:
 *
 *     gold "Title Some text in the body"   ours "Title Copyright Some text in"
 *     common "Title Some text in"          recall 4/6, precision 4/5, F1 8/11
 *
 * The Thai paper counts characters instead: LEC extracted, LEP expected, LM missing;
 * precision (LEP - LM) / LEC, recall (LEP - LM) / LEP. Missing is the gold outside the word
 * LCS. Signs belong to the word before them (words.h), and of a pair the shorter one counts,
 * so that a text with fewer signs than the gold cannot have a precision above 1.
 */
#include "eval/measures.h"

static bool copy_ids(wn_measurer *m)
{
    uint32_t gold = m->gold.list.count, ours = m->ours.list.count;
    if (!wn_array_reserve(&m->gold_ids, gold + 1) || !wn_array_reserve(&m->our_ids, ours + 1) ||
        !wn_array_reserve(&m->match, gold + 1))
        return false;
    for (uint32_t i = 0; i < gold; i++)
        m->gold_ids.items[i] = m->gold.list.items[i].id;
    for (uint32_t i = 0; i < ours; i++)
        m->our_ids.items[i] = m->ours.list.items[i].id;
    m->match.count = gold;
    return true;
}

wn_prf wn_eval_measure_lcs(wn_measurer *m)
{
    m->match.count = 0;
    uint32_t common = UINT32_MAX;
    if (copy_ids(m))
        common = wn_eval_lcs_align(&m->lcs, m->gold_ids.items, m->gold.list.count, m->our_ids.items,
                                   m->ours.list.count, m->small.words.keys.count, m->match.items);
    if (common == UINT32_MAX) {
        m->failed = true;
        m->match.count = 0;
        return (wn_prf){0};
    }
    return wn_eval_prf_of(common, m->ours.list.count, m->gold.list.count);
}

wn_prf wn_eval_measure_length(const wn_measurer *m)
{
    uint64_t common = 0;
    for (uint32_t i = 0; i < m->match.count; i++) {
        if (m->match.items[i] == WN_LCS_NONE)
            continue;
        uint32_t gold = m->gold.list.items[i].length;
        uint32_t ours = m->ours.list.items[m->match.items[i]].length;
        common += gold < ours ? gold : ours;
    }
    return wn_eval_prf_of(common, m->ours.length, m->gold.length);
}
