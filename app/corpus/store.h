/*
 * The store: a collection of pages and their clean text, in a database.
 *
 * A store is an SQLite file ("winnow.db") or a PostgreSQL database ("postgresql://…"). Both have
 * the same operations and give the same results: the SQL is written once, in store*.c, and drivers
 * (db.h) execute it.
 *
 *     wn_store *store = wn_corpus_store_open("winnow.db", WN_STORE_WRITE, &error);
 *     wn_corpus_store_begin(store);
 *     wn_corpus_store_put(store, &page);              // once per page
 *     wn_corpus_store_commit(store);                  // only now are they permanent
 *     wn_corpus_store_close(store);
 *
 * Every call that can fail returns false (or NULL) then, and wn_corpus_store_error() says why.
 * After a failure a transaction is rolled back, and only wn_corpus_store_rollback() may follow. Use
 * a store in one thread at a time.
 */
#ifndef WN_CORPUS_STORE_H
#define WN_CORPUS_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

typedef struct wn_store wn_store;

/* One of an older winnow is brought up to date in every mode: there is no other way to read it. */
typedef enum wn_store_mode {
    WN_STORE_READ,  /* it must exist */
    WN_STORE_WRITE, /* the same */
    WN_STORE_MAKE,  /* it is made if it is not there */
} wn_store_mode;

/* The store that is used when none is named. */
#define WN_STORE_DEFAULT "winnow.db"

/* Whether `name` is the address of a database, not a file. */
bool wn_corpus_store_is_remote(const char *name);

/* NULL when it cannot be opened; then `error` says why and what to do. You own it. */
wn_store *wn_corpus_store_open(const char *name, wn_store_mode mode, wn_buf *error);
void wn_corpus_store_close(wn_store *store);

/* What the last call that failed has to say; valid until the next call. */
const char *wn_corpus_store_error(const wn_store *store);

/*
 * A transaction: what is between begin and commit happens as a whole or not at all. Begin waits
 * some seconds for another process that writes. Writing calls outside one are transactions by
 * themselves.
 */
bool wn_corpus_store_begin(wn_store *store);
bool wn_corpus_store_commit(wn_store *store);
void wn_corpus_store_rollback(wn_store *store);

/* ---- Pages ------------------------------------------------------------------------------- */

typedef enum wn_stored_status {
    WN_STORED_OK,
    WN_STORED_PARTIAL, /* a limit cut the page short */
    WN_STORED_EMPTY,   /* it has no content */
    WN_STORED_COPY,    /* of another page, `copy_of`; takes the place of the others */
    WN_STORED_STATUSES,
} wn_stored_status;

/* All of them but copies, as bits. */
#define WN_STORED_NO_COPIES (1u << WN_STORED_OK | 1u << WN_STORED_PARTIAL | 1u << WN_STORED_EMPTY)

/*
 * "ok", "partial", "empty", "copy"; "unknown" for any other number, which a damaged store may have.
 * Static.
 */
const char *wn_corpus_stored_status_name(size_t status);

/* One page. Strings are well-formed UTF-8 (put repairs what is not) and "" for what is unknown. */
typedef struct wn_stored {
    int64_t id; /* from 1, in the order of adding; never used again. put: ignored */
    wn_str url, host, label, title, author;
    wn_str date;     /* "2024-05-31", or less of it */
    wn_str language; /* "en" */
    wn_str source;   /* the file it came from, or the address it was fetched from */
    uint64_t offset; /* of the record in that file; 0 if it is the whole file */
    uint64_t inner;  /* of the record in what is compressed at that offset; else 0 */
    wn_str method;
    wn_stored_status status;
    int64_t copy_of;     /* the page it is a copy of; 0: none */
    uint64_t page_bytes; /* of the HTML */
    uint64_t text_bytes; /* of the text */
    uint64_t words;      /* of the text */
    uint64_t page_hash;  /* of the HTML and the extraction settings: if equal, nothing changed */
    uint64_t text_hash;  /* of the text: equal texts have equal hashes */
    int64_t added;       /* seconds since 1970, when it was put */
    wn_str text;         /* as people read it (WN_FIELD_TEXT) */
    wn_str stems;        /* the text for mining: see mined_text.h (WN_FIELD_STEMS) */
    wn_str all_stems;    /* every word, folded and stemmed, separated by spaces (WN_FIELD_SEARCH) */
    wn_str title_stems;  /* the same of the title (WN_FIELD_SEARCH) */
    /* put: its words, if they are sorted already (index.h); or NULL */
    const struct wn_index_page *index;
} wn_stored;

/* What a page is asked for beside its short attributes. */
enum {
    WN_FIELD_TEXT = 1 << 0,
    WN_FIELD_STEMS = 1 << 1,
    WN_FIELD_SEARCH = 1 << 2,
};

/* What became of the pages that were put, since the store was opened; whole transactions only. */
typedef struct wn_store_counts {
    uint64_t added, updated;
} wn_store_counts;

/*
 * Adds a page. One with the same source, offset and inner is replaced: it keeps its id and is no
 * longer a copy. Inside a transaction.
 */
bool wn_corpus_store_put(wn_store *store, const wn_stored *page);
wn_store_counts wn_corpus_store_counted(const wn_store *store);

/* The hash of the page from that place; *found tells whether there is one. */
bool wn_corpus_store_find(wn_store *store, wn_str source, uint64_t offset, uint64_t inner,
                          bool *found, uint64_t *page_hash);

/* Which pages. Zeroed: all of them. */
typedef struct wn_store_filter {
    const char *label, *host,
        *language;             /* NULL: any. A host ".example.org" also means those below it */
    const char *since, *until; /* dates, both included; a page without a date has none */
    const char *source, *url;  /* NULL: any */
    unsigned statuses;         /* 1 << wn_stored_status, …; 0: any */
    int64_t after;             /* only ids above this */
    uint64_t limit;            /* no more than so many; 0: no limit */
} wn_store_filter;

/* A walk over pages in the order of their ids. Memory is bounded however many there are. */
typedef struct wn_store_walk wn_store_walk;

/*
 * NULL if out of memory. The filter is borrowed until the walk ends. Writing meanwhile is
 * allowed.
 */
wn_store_walk *wn_corpus_store_walk_open(wn_store *store, const wn_store_filter *filter,
                                         unsigned fields);

/* The next page, valid until the next call; false at the end, or when it failed: close tells. */
bool wn_corpus_store_walk_next(wn_store_walk *walk, wn_stored *page);

/* False when the walk ended because something failed. */
bool wn_corpus_store_walk_close(wn_store_walk *walk);

/*
 * One page by its id, valid until the next call of this function; *found tells whether there is
 * one.
 */
bool wn_corpus_store_get(wn_store *store, int64_t id, unsigned fields, bool *found,
                         wn_stored *page);

/*
 * Calls `visit` with the id of each page, in the order of their places: by source (bytewise),
 * offset and inner offset. Unlike the ids, that order does not depend on when pages were added.
 * `visit` returns false to stop.
 */
bool wn_corpus_store_places_each(wn_store *store, bool (*visit)(void *data, int64_t id),
                                 void *data);

/* How many pages there are. */
bool wn_corpus_store_count(wn_store *store, const wn_store_filter *filter, uint64_t *count);

/* Marks a page as a copy of another; copy_of 0, or of a page that is not there: it is not one. */
bool wn_corpus_store_mark_copy(wn_store *store, int64_t id, int64_t copy_of);

/* Removes a page; its copies are pages of their own again. *found: whether there was one. */
bool wn_corpus_store_remove(wn_store *store, int64_t id, bool *found);

/* Makes the full text index again, for a store in which it is damaged. */
bool wn_corpus_store_reindex(wn_store *store);

/* ---- Words ------------------------------------------------------------------------------- */

/* What is known of a word of the collection (READING of the paper: one row a word). */
typedef struct wn_stored_word {
    wn_str word; /* a stem */
    uint64_t occurrences, documents, labelled;
    double tfidf, distance; /* mean TF-IDF; distance to the k-th neighbour */
    bool outlier;
    wn_str labels; /* occurrences by label, as the writer likes it */
} wn_stored_word;

/* Forgets all words. Inside a transaction, with the words that take their place. */
bool wn_corpus_store_words_clear(wn_store *store);
bool wn_corpus_store_word_put(wn_store *store, const wn_stored_word *word);

/*
 * Calls `visit` for each word, in bytewise order; it returns false to stop. `outliers`: only those.
 * The word is valid during the call.
 */
bool wn_corpus_store_words_each(wn_store *store, bool outliers,
                                bool (*visit)(void *data, const wn_stored_word *), void *data);

/* ---- Notes: bytes by kind and name, for what is learned of a collection -------------------- */

/* An empty value removes the note. */
bool wn_corpus_store_note_set(wn_store *store, const char *kind, wn_str name, wn_str bytes);

/* Puts the note into `bytes`, which becomes empty when there is none. */
bool wn_corpus_store_note_get(wn_store *store, const char *kind, wn_str name, wn_buf *bytes);

#endif
