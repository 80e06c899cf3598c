/*
 * Words as a bag: each word of the gold can be found as often as it is there.
 *
 *     gold "the cat the dog"   ours "the the the cat"   common: the, the, cat = 3
 */
#include "eval/measures.h"

#include <assert.h>

wn_prf wn_eval_measure_words(wn_measurer *m)
{
    uint32_t words = m->small.words.keys.count;
    if (!wn_array_reserve(&m->counts, words + 1)) {
        m->failed = true;
        return (wn_prf){0};
    }
    uint32_t *left = m->counts.items;
    memset(left, 0, words * sizeof *left);
    for (uint32_t i = 0; i < m->gold.list.count; i++) {
        assert(m->gold.list.items[i].id < words);
        left[m->gold.list.items[i].id]++;
    }
    uint64_t common = 0;
    for (uint32_t i = 0; i < m->ours.list.count; i++) {
        uint32_t id = m->ours.list.items[i].id;
        assert(id < words);
        if (left[id] > 0) {
            left[id]--;
            common++;
        }
    }
    return wn_eval_prf_of(common, m->ours.list.count, m->gold.list.count);
}
