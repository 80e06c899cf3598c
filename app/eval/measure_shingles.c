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

#include <math.h>

enum { SHINGLE = 4 };

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static uint32_t shingle_count(const wn_word_list *words)
{
    uint32_t count = words->list.count;
    return count > SHINGLE ? count - SHINGLE + 1 : count > 0;
}

static uint64_t shingle_at(const wn_word_list *words, uint32_t at)
{
    uint64_t key = 0;
    for (uint32_t i = at; i < at + SHINGLE && i < words->list.count; i++)
        key = mix(key + words->list.items[i].id + UINT64_C(0x9E3779B97F4A7C15));
    return key ? key : 1;
}

static wn_shingle *place_of(const wn_measurer *m, uint64_t key)
{
    uint32_t mask = m->shingles.count - 1, at = (uint32_t)key & mask;
    while (m->shingles.items[at].key && m->shingles.items[at].key != key)
        at = (at + 1) & mask;
    return &m->shingles.items[at];
}

/* An empty table with twice the room that is needed; false when memory is out. */
static bool empty_table(wn_measurer *m, uint32_t needed)
{
    uint32_t size = 16;
    while (size / 2 < needed && size < UINT32_C(1) << 31)
        size *= 2;
    if (!wn_array_reserve(&m->shingles, size))
        return false;
    m->shingles.count = size;
    memset(m->shingles.items, 0, size * sizeof *m->shingles.items);
    return true;
}

wn_prf wn_measure_shingles(wn_measurer *m)
{
    uint32_t gold = shingle_count(&m->gold_cased), ours = shingle_count(&m->ours_cased);
    if (!empty_table(m, gold)) {
        m->failed = true;
        return (wn_prf){0};
    }
    for (uint32_t i = 0; i < gold; i++) {
        wn_shingle *place = place_of(m, shingle_at(&m->gold_cased, i));
        place->key = shingle_at(&m->gold_cased, i);
        place->count++;
    }
    uint64_t common = 0;
    for (uint32_t i = 0; i < ours; i++) {
        wn_shingle *place = place_of(m, shingle_at(&m->ours_cased, i));
        if (place->count > 0) {
            place->count--;
            common++;
        }
    }
    wn_prf prf = wn_prf_of(common, ours, gold);
    if (ours == 0)
        prf.precision = NAN;
    if (gold == 0)
        prf.recall = NAN;
    return prf;
}
