/*
 * The word list of a store: made of its pages, kept in it, and read back.
 *
 * Pages that are copies of others do not count, nor do those without text.
 */
#ifndef WN_CORPUS_KEPT_WORDS_H
#define WN_CORPUS_KEPT_WORDS_H

#include "corpus/store.h"
#include "corpus/wordlist.h"
#include "text/stopwords.h"

/*
 * Each returns false when the store failed (wn_corpus_store_error) or out of memory (list->failed).
 */

/* Counts the words of the pages; `terms` may have stop words of the user. */
bool wn_corpus_kept_words_count(wn_store *store, const wn_store_filter *filter, wn_terms *terms,
                                bool stopwords, wn_wordlist *list);

/* Replaces what the store knows of words by the list, in one transaction. */
bool wn_corpus_kept_words_keep(wn_store *store, const wn_wordlist *list);

/* Reads back what was kept, in order; its outliers are those that were found then. */
bool wn_corpus_kept_words_read(wn_store *store, wn_wordlist *list);

/* Adds the outliers that were kept, one per line. */
bool wn_corpus_kept_words_noise(wn_store *store, wn_buf *noise);

/* ---- Stems without noise ----------------------------------------------------------------- */

/* Zero it before it is opened. */
typedef struct wn_noise_filter {
    wn_stopwords noise;
    wn_buf kept;
} wn_noise_filter;

/* Learns the outliers that were kept. */
bool wn_corpus_noise_filter_open(wn_noise_filter *filter, wn_store *store);

/* The stems without them; valid until the next call. */
wn_str wn_corpus_noise_filter_stems(wn_noise_filter *filter, wn_str stems);

void wn_corpus_noise_filter_free(wn_noise_filter *filter);

#endif
