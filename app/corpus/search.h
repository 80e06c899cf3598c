/*
 * Full text search: the pages that have all words of a query, the best first, each with a snippet.
 *
 *     climate change              pages with both words, in any of their forms
 *     "climate change" report     and the two next to each other
 *     climate OR weather -report  one of two words, and without another
 *
 * It goes in two steps. The database finds the pages with all words and sorts them by the levels of
 * its index (index.h). Then they are looked at block by block, CANDIDATES at a time, with all their
 * words: BM25, with words counting more that few pages have, in the title, and next to each other
 * as in the query.
 *
 * A word of the query means its stems in all languages that the store has, or in the one that the
 * filter asks for. Both databases give the same pages in the same order.
 */
#ifndef WN_CORPUS_SEARCH_H
#define WN_CORPUS_SEARCH_H

#include "corpus/store.h"

typedef struct wn_search wn_search;

typedef struct wn_search_hit {
    wn_stored page; /* its short attributes */
    double score;
    wn_str snippet; /* of the text, words of the query between ** and ** */
} wn_search_hit;

/*
 * NULL when it failed (wn_corpus_store_error() says why), or the query has no word or too many:
 * then `problem` says so. The filter is borrowed until the end.
 */
wn_search *wn_corpus_search_open(wn_store *store, wn_str query, const wn_store_filter *filter,
                                 const char **problem);

/* The next hit, valid until the next call; false at the end, or when it failed: close tells. */
bool wn_corpus_search_next(wn_search *search, wn_search_hit *hit);

/* Leaves out the next `count` hits; false when there are not so many. */
bool wn_corpus_search_skip(wn_search *search, uint64_t count);

/* False when it ended because something failed. */
bool wn_corpus_search_close(wn_search *search);

#endif
