/*
 * Shingles: words in a row, as a bag. A text with fewer words is one shingle of them all; one
 * without words has none.
 *
 * ROUGE-5 (Lin, "ROUGE: a package for automatic evaluation of summaries", 2004) is the F1 of five
 * words in a row, in lower case.
 *
 * `shingles` are four words in the case they have.
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

enum { SHINGLE = 4, ROUGE = 5 };

static uint32_t shingle_count(const wn_word_list *words, uint32_t size)
{
    uint32_t count = words->list.count;
    return count > size ? count - size + 1 : count > 0;
}

static uint64_t shingle_at(const wn_word_list *words, uint32_t at, uint32_t size)
{
    uint64_t key = 0;
    for (uint32_t i = at; i < at + size && i < words->list.count; i++)
        key = wn_hash_mix64(key + words->list.items[i].id + UINT64_C(0x9E3779B97F4A7C15));
    return key;
}

/* Counts the shingles of the gold in m->counts, by their number in m->shingles. */
static bool count_gold(wn_measurer *m, const wn_word_list *words, uint32_t size, uint32_t gold)
{
    wn_map64_clear(&m->shingles);
    if (!wn_array_reserve(&m->counts, gold + 1))
        return false;
    memset(m->counts.items, 0, gold * sizeof *m->counts.items);
    for (uint32_t i = 0; i < gold && !m->shingles.failed; i++) {
        uint32_t number = wn_map64_add(&m->shingles, shingle_at(words, i, size));
        assert(number < gold || m->shingles.failed);
        if (number != WN_MAP_NONE)
            m->counts.items[number]++;
    }
    return !m->shingles.failed;
}

/* Shingles of `size` words that both texts have. */
static wn_prf compare(wn_measurer *m, const wn_word_list *ours, const wn_word_list *gold,
                      uint32_t size)
{
    uint32_t gold_count = shingle_count(gold, size), our_count = shingle_count(ours, size);
    if (!count_gold(m, gold, size, gold_count)) {
        m->failed = true;
        return (wn_prf){0};
    }
    uint64_t common = 0;
    for (uint32_t i = 0; i < our_count; i++) {
        uint32_t number = wn_map64_find(&m->shingles, shingle_at(ours, i, size));
        if (number != WN_MAP_NONE && m->counts.items[number] > 0) {
            m->counts.items[number]--;
            common++;
        }
    }
    return wn_eval_prf_of(common, our_count, gold_count);
}

wn_prf wn_eval_measure_shingles(wn_measurer *m)
{
    wn_prf prf = compare(m, &m->ours_cased, &m->gold_cased, SHINGLE);
    if (m->ours_cased.list.count == 0)
        prf.precision = NAN;
    if (m->gold_cased.list.count == 0)
        prf.recall = NAN;
    return prf;
}

wn_prf wn_eval_measure_rouge(wn_measurer *m)
{
    return compare(m, &m->ours, &m->gold, ROUGE);
}
