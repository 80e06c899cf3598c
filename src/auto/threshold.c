/*
 * One walk down the probabilities: words that are kept, and the content to be expected among them
 * in each of the three cases, are summed up on the way.
 */
#include "auto/threshold.h"

#include <assert.h>

enum {
    ONE = WN_LOGIT_ONE,
    CASES = 3,      /* as they are, all higher, all lower */
    UNIT = 1 << 16, /* of F; hits of 2^28 words still have room */
};

static const uint64_t weights[CASES] = {4, 1, 1};

/* The probability when its odds are multiplied by more / less. */
static uint32_t shifted(uint32_t chance, uint64_t more, uint64_t less)
{
    uint64_t for_it = chance * more, against = (ONE - chance) * less;
    return (uint32_t)(for_it * ONE / (for_it + against));
}

static void chances_of(uint32_t chance, uint32_t spread, uint32_t chances[CASES])
{
    chances[0] = chance;
    chances[1] = shifted(chance, spread, ONE);
    chances[2] = shifted(chance, ONE, spread);
}

static void add_hits(uint64_t hits[CASES], uint64_t words, uint32_t chance, uint32_t spread)
{
    uint32_t chances[CASES];
    chances_of(chance, spread, chances);
    for (int i = 0; i < CASES; i++)
        hits[i] += words * chances[i];
}

/* The weighted F of keeping that many words. */
static uint64_t score_of(uint64_t kept, const uint64_t hits[CASES], const uint64_t all[CASES],
                         uint32_t beta)
{
    uint64_t score = 0;
    for (int i = 0; i < CASES; i++)
        score += weights[i] * (hits[i] * (4 + beta) * UNIT / (kept * 4 + all[i] * beta + 1));
    return score;
}

void wn_auto_count_by_chance(const wn_page *page, const uint16_t *chances,
                             wn_auto_words_by_chance words)
{
    memset(words, 0, sizeof(wn_auto_words_by_chance));
    for (uint32_t i = 0; i < page->blocks.count; i++) {
        assert(chances[i] <= ONE);
        words[chances[i]] += page->blocks.items[i].words;
    }
}

uint32_t wn_auto_best_threshold(const wn_auto_words_by_chance words, wn_auto_threshold_aim aim)
{
    uint64_t all[CASES] = {0}, hits[CASES] = {0}, kept = 0, best = 0;
    uint32_t threshold = aim.highest;
    assert(aim.lowest > 0); /* the walk down would not end */
    assert(aim.highest > 0 && aim.highest <= ONE && aim.spread > 0);
    for (uint32_t chance = 1; chance <= ONE; chance++)
        if (words[chance])
            add_hits(all, words[chance], chance, aim.spread);
    for (uint32_t chance = ONE; chance >= aim.lowest; chance--) {
        if (words[chance] == 0)
            continue;
        kept += (uint64_t)words[chance] * ONE;
        add_hits(hits, words[chance], chance, aim.spread);
        uint64_t score = score_of(kept, hits, all, aim.beta);
        if (score > best) {
            best = score;
            threshold = chance;
        }
    }
    return threshold < aim.highest ? threshold : aim.highest;
}
