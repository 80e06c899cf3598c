#include "corpus/key_sample.h"

#include <assert.h>

#include "base/hash.h"

/* Whether a is kept rather than b. Keys with the same hash are ordered by their bytes. */
static bool is_before(const wn_key_sample *s, wn_sampled_key a, wn_str a_key, wn_sampled_key b)
{
    if (a.hash != b.hash)
        return a.hash < b.hash;
    return wn_str_compare(a_key, wn_corpus_key_sample_key(s, b.number)) < 0;
}

static bool is_less(const wn_key_sample *s, wn_sampled_key a, wn_sampled_key b)
{
    return is_before(s, a, wn_corpus_key_sample_key(s, a.number), b);
}

static void sift_up(wn_key_sample *s, uint32_t at)
{
    wn_sampled_key *heap = s->heap.items, moved = heap[at];
    for (uint32_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (!is_less(s, heap[parent], moved))
            break;
        heap[at] = heap[parent];
    }
    heap[at] = moved;
}

static void sift_down(wn_key_sample *s, uint32_t at)
{
    wn_sampled_key *heap = s->heap.items, moved = heap[at];
    for (uint32_t child; (child = 2 * at + 1) < s->heap.count; at = child) {
        if (child + 1 < s->heap.count && is_less(s, heap[child], heap[child + 1]))
            child++;
        if (!is_less(s, moved, heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* Puts a new key in; returns the number of the one that leaves for it. */
static uint32_t keep(wn_key_sample *s, wn_sampled_key new)
{
    if (s->heap.count < s->most) {
        wn_sampled_key *place = wn_array_push(&s->heap);
        s->failed = !place;
        if (place) {
            *place = new;
            sift_up(s, s->heap.count - 1);
        }
        return WN_NO_KEY;
    }
    uint32_t left = s->heap.items[0].number;
    s->kept.items[left] = false;
    s->heap.items[0] = new;
    sift_down(s, 0);
    return left;
}

uint32_t wn_corpus_key_sample_add(wn_key_sample *s, wn_str key, uint32_t *left)
{
    *left = WN_NO_KEY;
    uint32_t known = wn_text_vocabulary_find(&s->keys, key);
    if (known != UINT32_MAX)
        return !s->failed && s->kept.items[known] ? known : WN_NO_KEY;
    wn_sampled_key new = {.hash = wn_hash_stable_mixed(key), .number = s->kept.count};
    if (s->heap.count == s->most && !is_before(s, new, key, s->heap.items[0]))
        return WN_NO_KEY;
    bool *kept = s->failed ? NULL : wn_array_push(&s->kept);
    if (!kept) {
        s->failed = true;
        return WN_NO_KEY;
    }
    *kept = true;
    uint32_t number = wn_text_vocabulary_number(&s->keys, key);
    s->failed = s->keys.failed;
    if (s->failed)
        return WN_NO_KEY;
    assert(number == new.number);
    *left = keep(s, new);
    return s->failed ? WN_NO_KEY : number;
}

uint32_t wn_corpus_key_sample_find(const wn_key_sample *s, wn_str key)
{
    uint32_t number = wn_text_vocabulary_find(&s->keys, key);
    return number < s->kept.count && s->kept.items[number] ? number : WN_NO_KEY;
}

void wn_corpus_key_sample_free(wn_key_sample *s)
{
    wn_text_vocabulary_free(&s->keys);
    wn_array_free(&s->kept);
    wn_array_free(&s->heap);
}
