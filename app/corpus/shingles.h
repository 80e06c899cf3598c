/*
 * Shingles: a text as the set of its stretches of five words.
 *
 *     "a rose is a rose is a rose"   ->   a rose is a rose | rose is a rose is | is a rose is a
 *
 * Words are those of text/words.h ignoring case; a shingle is kept as a hash of 64 bits.
 * Two texts are as similar as Jaccard says: shingles in both / shingles in either. A text of
 * fewer than five words is one shingle, one without words has none.
 */
#ifndef WN_CORPUS_SHINGLES_H
#define WN_CORPUS_SHINGLES_H

#include "base/array.h"
#include "base/buf.h"
#include "text/words.h"

enum { WN_SHINGLE_WORDS = 5 };

/* A set: sorted, each hash once. */
typedef wn_array(uint64_t) wn_shingles;

/* Reads texts. Zero it before the first use; use one in one thread at a time. */
typedef struct wn_shingler {
    wn_words *words;
    wn_buf folded;
} wn_shingler;

void wn_corpus_shingler_free(wn_shingler *shingler);

/* Puts the shingles of `text`, which is UTF-8, into `set`; false if out of memory. */
bool wn_corpus_shingler_read(wn_shingler *shingler, wn_str text, wn_shingles *set);

/* Of two empty sets it is 0: there is nothing that they share. */
double wn_corpus_shingles_jaccard(const wn_shingles *a, const wn_shingles *b);

#endif
