/*
 * Shingles: every four words in a row, as a bag, in the case they have. A text with fewer
 * words is one shingle of them all; one without words has none.
 *
 * As in the ScrapingHub benchmark (github.com/scrapinghub/article-extraction-benchmark) a page
 * whose text has no shingles has no precision, and one whose gold has none no recall: the
 * means are taken over those that have one, and the F1 of a set is made of the two means. The
 * F1 of a single page follows the rule for empty texts.
 *
 * A shingle is kept as a 64-bit mix of its words' numbers. That two of a page fall together by
 * chance is as likely as one in 10^12 for a page of 5,000 words.
 */
#include "eval/measures.h"

#include <assert.h>
#include <math.h>

enum { SHINGLE = 4 };

static uint32_t shingle_count(const wn_word_list *words)
{
    uint32_t count = words->list.count;
    return count > SHINGLE ? count - SHINGLE + 1 : count > 0;
}

static uint64_t shingle_at(const wn_word_list *words, uint32_t at)
{
    uint64_t key = 0;
    for (uint32_t i = at; i < at + SHINGLE && i < words->list.count; i++)
        key = wn_hash_mix64(key + words->list.items[i].id + UINT64_C(0x9E3779B97F4A7C15));
    return key;
}

/* Counts the shingles of the gold in m->counts, by their number in m->shingles. */
static bool count_gold(wn_measurer *m, uint32_t gold)
{
    wn_map64_clear(&m->shingles);
    if (!wn_array_reserve(&m->counts, gold + 1))
        return false;
    memset(m->counts.items, 0, gold * sizeof *m->counts.items);
    for (uint32_t i = 0; i < gold && !m->shingles.failed; i++) {
        uint32_t number = wn_map64_add(&m->shingles, shingle_at(&m->gold_cased, i));
        assert(number < gold || m->shingles.failed);
        if (number != WN_MAP_NONE)
            m->counts.items[number]++;
    }
    return !m->shingles.failed;
}

wn_prf wn_eval_measure_shingles(wn_measurer *m)
{
    uint32_t gold = shingle_count(&m->gold_cased), ours = shingle_count(&m->ours_cased);
    if (!count_gold(m, gold)) {
        m->failed = true;
        return (wn_prf){0};
    }
    uint64_t common = 0;
    for (uint32_t i = 0; i < ours; i++) {
        uint32_t number = wn_map64_find(&m->shingles, shingle_at(&m->ours_cased, i));
        if (number != WN_MAP_NONE && m->counts.items[number] > 0) {
            m->counts.items[number]--;
            common++;
        }
    }
    wn_prf prf = wn_eval_prf_of(common, ours, gold);
    if (ours == 0)
        prf.precision = NAN;
    if (gold == 0)
        prf.recall = NAN;
    return prf;
}
