/*
 * A set of keys of limited size that does not depend on the order of the keys.
 *
 * "The first 100,000 seen" would differ from run to run and between machines. Instead, the keys
 * with the smallest hashes are kept: the same keys, in any order and any number of parts, give the
 * same set. A key that left never comes back, so whatever is counted for a key that is kept at the
 * end was counted from its first occurrence on.
 */
#ifndef WN_CORPUS_KEY_SAMPLE_H
#define WN_CORPUS_KEY_SAMPLE_H

#include "text/vocabulary.h"

#define WN_NO_KEY UINT32_MAX

typedef struct wn_sampled_key {
    uint64_t hash;
    uint32_t number;
} wn_sampled_key;

/* Zero it, but for `most`, before the first use. */
typedef struct wn_key_sample {
    uint32_t most;       /* keys that are kept; at least 1 */
    wn_vocabulary keys;  /* by number, also those that left */
    wn_array(bool) kept; /* by number */
    wn_array(
        wn_sampled_key) heap; /* of those that are kept, the one with the largest hash on top */
    bool failed;              /* out of memory; sticky */
} wn_key_sample;

void wn_corpus_key_sample_free(wn_key_sample *sample);

/*
 * The number of a key, which is new if it was not there; WN_NO_KEY if it is not kept, or memory is
 * out. *left is the number of the key that had to make room, or WN_NO_KEY.
 */
uint32_t wn_corpus_key_sample_add(wn_key_sample *sample, wn_str key, uint32_t *left);

/* The number of a key that is kept, WN_NO_KEY of another. */
uint32_t wn_corpus_key_sample_find(const wn_key_sample *sample, wn_str key);

/* How many keys are kept. */
static inline uint32_t wn_corpus_key_sample_count(const wn_key_sample *sample)
{
    return sample->heap.count;
}

static inline wn_str wn_corpus_key_sample_key(const wn_key_sample *sample, uint32_t number)
{
    return sample->keys.words.keys.items[number];
}

#endif
