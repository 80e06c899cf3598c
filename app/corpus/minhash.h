/*
 * MinHash with bands: pages that share most of their shingles get a key in common.
 *
 * Each of bands x rows hash functions orders all shingles at random, and two sets have the
 * same first one with a probability of J, their Jaccard similarity (Broder, 1997). The firsts
 * of `rows` functions together make the key of a band, so that a key is shared with J^rows,
 * and at least one of all with 1 - (1 - J^rows)^bands:
 *
 *     J                         0.5    0.6    0.7    0.8    0.85   0.9    0.95
 *     14 bands of 8 rows        5%     21%    56%    92%    98.8%  99.96% 100%
 *
 * Fourteen, eight and five words a shingle are what large public corpora of web text were made
 * with.
 */
#ifndef WN_CORPUS_MINHASH_H
#define WN_CORPUS_MINHASH_H

#include "corpus/shingles.h"

enum {
    WN_MINHASH_BANDS = 14,
    WN_MINHASH_ROWS = 8,
    WN_MINHASH_MOST = 2048, /* functions in all */
};

typedef struct wn_minhash {
    uint32_t bands, rows;
    uint32_t multiply[WN_MINHASH_MOST], add[WN_MINHASH_MOST];
    uint32_t firsts[WN_MINHASH_MOST]; /* of the last set */
} wn_minhash;

/* bands x rows is at most WN_MINHASH_MOST. */
void wn_corpus_minhash_init(wn_minhash *minhash, uint32_t bands, uint32_t rows);

/* Writes a key for each band; keys of different bands are different. The set is not empty. */
void wn_corpus_minhash_keys(wn_minhash *minhash, const wn_shingles *set, uint64_t *keys);

#endif
