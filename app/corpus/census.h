/*
 * Counts of the pages of a store, in all and by what they have in common.
 */
#ifndef WN_CORPUS_CENSUS_H
#define WN_CORPUS_CENSUS_H

#include "corpus/store.h"

typedef enum wn_census_kind {
    WN_CENSUS_STATUS,
    WN_CENSUS_HOST,
    WN_CENSUS_LANGUAGE,
    WN_CENSUS_LABEL,
    WN_CENSUS_KINDS,
} wn_census_kind;

/* "status", "host", …; static. */
const char *wn_corpus_census_name(size_t kind);

typedef struct wn_census_row {
    wn_str name;
    uint64_t pages, words, page_bytes, text_bytes;
} wn_census_row;

/* All pages; the name is "". False when it failed. */
bool wn_corpus_census_all(wn_store *store, wn_census_row *row);

/*
 * Calls `visit` for the `most` largest groups, the one with most pages first; it returns false to
 * stop.
 */
bool wn_corpus_census_by(wn_store *store, wn_census_kind kind, uint64_t most,
                         bool (*visit)(void *data, const wn_census_row *), void *data);

#endif
