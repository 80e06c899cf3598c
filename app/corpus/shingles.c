#include "corpus/shingles.h"

#include <stdlib.h>

#include "base/hash.h"
#include "text/unicode.h"

/* ---- Sets -------------------------------------------------------------------------------- */

static int by_hash(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void make_set(wn_shingles *set)
{
    uint32_t kept = 0;
    if (set->count > 1)
        qsort(set->items, set->count, sizeof *set->items, by_hash);
    for (uint32_t i = 0; i < set->count; i++)
        if (kept == 0 || set->items[kept - 1] != set->items[i])
            set->items[kept++] = set->items[i];
    set->count = kept;
}

double wn_corpus_shingles_jaccard(const wn_shingles *a, const wn_shingles *b)
{
    uint32_t i = 0, j = 0, both = 0;
    while (i < a->count && j < b->count) {
        uint64_t x = a->items[i], y = b->items[j];
        both += x == y;
        i += x <= y;
        j += y <= x;
    }
    uint64_t either = (uint64_t)a->count + b->count - both;
    return either ? (double)both / (double)either : 0;
}

/* ---- Texts ------------------------------------------------------------------------------- */

static bool add_shingle(wn_shingles *set, const uint64_t *words, size_t count, size_t last)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash = wn_hash_mix64(hash + words[(last + 1 + i) % WN_SHINGLE_WORDS]);
    uint64_t *place = wn_array_push(set);
    if (place)
        *place = hash;
    return place != NULL;
}

bool wn_corpus_shingler_read(wn_shingler *s, wn_str text, wn_shingles *set)
{
    uint64_t words[WN_SHINGLE_WORDS] = {0}; /* the last five, round and round */
    size_t count = 0;
    bool sound = true;
    set->count = 0;
    if (!s->words && !(s->words = wn_text_words_new()))
        return false;
    wn_text_words_begin(s->words, text);
    for (wn_str word; sound && wn_text_words_next(s->words, &word);) {
        size_t at = count++ % WN_SHINGLE_WORDS;
        wn_buf_clear(&s->folded);
        wn_text_fold(&s->folded, word);
        words[at] = wn_hash_stable_mixed(wn_buf_str(&s->folded));
        sound = !s->folded.failed &&
                (count < WN_SHINGLE_WORDS || add_shingle(set, words, WN_SHINGLE_WORDS, at));
    }
    if (sound && count > 0 && count < WN_SHINGLE_WORDS)
        sound = add_shingle(set, words, count, WN_SHINGLE_WORDS - 1);
    make_set(set);
    return sound;
}

void wn_corpus_shingler_free(wn_shingler *s)
{
    wn_text_words_free(s->words);
    wn_buf_free(&s->folded);
}
