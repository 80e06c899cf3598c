/*
 * Snippets: the part of a text that has most of a query's words, with the words marked.
 */
#ifndef WN_CORPUS_SNIPPET_H
#define WN_CORPUS_SNIPPET_H

#include "corpus/query.h"

/* Use one in one thread at a time. */
typedef struct wn_corpus_snippets wn_corpus_snippets;

/* NULL if out of memory. */
wn_corpus_snippets *wn_corpus_snippets_new(void);
void wn_corpus_snippets_free(wn_corpus_snippets *snippets);

/* One line of some thirty words; valid until the next call. */
wn_str wn_corpus_snippet_make(wn_corpus_snippets *snippets, const wn_query *query, wn_str text,
                              wn_str language);

#endif
