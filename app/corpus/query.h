/*
 * A query: its words, what they may look like in the index, and which of them must be adjacent.
 *
 *     climate change            both words
 *     "climate change"          one after the other
 *     climate OR weather        either of them: one term with the stems of both
 *     climate -change           the first and not the second; also NOT change
 */
#ifndef WN_CORPUS_QUERY_H
#define WN_CORPUS_QUERY_H

#include "base/arena.h"
#include "corpus/db.h"

enum {
    WN_QUERY_TERMS = 32,
    WN_QUERY_PHRASES = 16,
};

/* Terms from `first` on that must follow each other. */
typedef struct wn_query_phrase {
    uint32_t first, length;
    uint32_t mask; /* the lowest `length` bits */
} wn_query_phrase;

typedef struct wn_query {
    wn_search_term terms[WN_QUERY_TERMS];
    double worth[WN_QUERY_TERMS]; /* that of the term's most common stem */
    uint32_t term_count;
    wn_query_phrase phrases[WN_QUERY_PHRASES];
    uint32_t phrase_count;
    wn_search_term excluded[WN_QUERY_TERMS]; /* pages with one of them are not wanted */
    uint32_t excluded_count;
    bool hopeless; /* a term is on no page */
    wn_arena arena;
} wn_query;

/* False when it failed, or `problem` says what is wrong with the query. */
bool wn_corpus_query_read(wn_query *query, wn_store *store, wn_str text,
                          const wn_store_filter *filter, const char **problem);
void wn_corpus_query_free(wn_query *query);

/* The terms that a stem may stand for: a bit each. */
uint64_t wn_corpus_query_match(const wn_query *query, wn_str stem);

/* Whether a stem is that of a word that is not wanted. */
bool wn_corpus_query_excludes(const wn_query *query, wn_str stem);

#endif
