/*
 * The words of a page, as the full text index keeps them.
 *
 * An index with every position of every word is large and slow to build. This one keeps each word
 * of a page once, at one of four levels of importance: the weight of BM25 from how often it occurs,
 * in the title more than in the text, and how long the page is. In SQLite they are kept as postings
 * (inverted.h), in PostgreSQL as the weights A to D of its own full text search.
 *
 * A search sorts all pages by these levels and scores the best of them again from all their words
 * (search.h).
 */
#ifndef WN_CORPUS_INDEX_H
#define WN_CORPUS_INDEX_H

#include "base/array.h"
#include "base/buf.h"
#include "base/map.h"

enum { WN_LEVELS = 4 };

/* What a word of each level is worth, the lowest first. */
extern const double wn_level_worth[WN_LEVELS];

/* The weight of BM25 of a word that occurs so often on a page of so many words, 0 to 2.2. */
double wn_corpus_bm25(double occurrences, double words);

/* The occurrences that a word in the title counts for. */
enum { WN_TITLE_OCCURRENCES = 3 };

/* Zero it before its first use; its memory is used again page after page. */
typedef struct wn_index_page {
    wn_buf levels[WN_LEVELS];  /* words, a space between them */
    wn_map words;              /* slices of the stems */
    wn_array(uint32_t) counts; /* occurrences, by number of the word */
} wn_index_page;

/*
 * Sorts the words into levels; false if out of memory. Both texts are stems with spaces between.
 */
bool wn_corpus_index_words(wn_index_page *index, wn_str title_stems, wn_str stems);
void wn_corpus_index_free(wn_index_page *index);

/* Takes the next word off the front of `stems`; false at its end. */
bool wn_corpus_next_stem(wn_str *stems, wn_str *stem);

#endif
