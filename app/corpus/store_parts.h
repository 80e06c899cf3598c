/*
 * What the files of the store share: store.c opens it and puts pages in, store_pages.c reads and
 * changes them, store_words.c keeps what was learned of them.
 */
#ifndef WN_CORPUS_STORE_PARTS_H
#define WN_CORPUS_STORE_PARTS_H

#include "base/arena.h"
#include "base/hash.h"
#include "corpus/db.h"
#include "corpus/store.h"

struct wn_store {
    wn_db *db;
    wn_hash_key secret; /* of this store: keys of pages cannot be chosen to meet */
    bool in_transaction;
    int64_t next_id, stored_next_id;  /* the next page's, and what the database knows of it */
    wn_store_counts counts, in_batch; /* for good; in this transaction */
    wn_arena repaired;                /* strings of the page that is put */
    wn_index_page index;              /* its words */
    wn_buf key;
    wn_buf languages;   /* of pages, that are noted: "en de " */
    wn_store_walk *got; /* holds the page that was got last */
};

/* A condition on `pages p` and its values, for what a filter asks. */
typedef struct wn_condition {
    wn_buf sql; /* "" for all */
    wn_value values[WN_MAX_VALUES];
    size_t count;
    wn_buf pattern; /* of the host */
} wn_condition;

void wn_corpus_condition_make(wn_condition *condition, const wn_store_filter *filter);
void wn_corpus_condition_free(wn_condition *condition);

/* The columns of a page's short attributes, from `pages p`, and how they are read. */
extern const char wn_page_columns[];
void wn_corpus_page_read(const wn_driver *driver, wn_rows *rows, wn_stored *page);

/* Runs `work` inside the transaction that is open, or in one of its own. */
bool wn_corpus_store_alone(wn_store *store, bool (*work)(wn_store *, const void *),
                           const void *data);

#endif
