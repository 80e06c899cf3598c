/*
 * Databases: the few operations that the store needs, as a table of functions for each kind.
 *
 * The SQL of the store is written once, in the common subset of SQLite and PostgreSQL, with values
 * as $1, $2, … The drivers handle the differences: creating tables, inserting pages quickly, and
 * full-text search.
 *
 * A failure puts its message into db->error. Rows that are being read and statements that write do
 * not disturb each other.
 */
#ifndef WN_CORPUS_DB_H
#define WN_CORPUS_DB_H

#include "base/arena.h"
#include "corpus/index.h"
#include "corpus/store.h"

/* ---- Values ------------------------------------------------------------------------------ */

typedef enum wn_value_kind {
    WN_VALUE_NULL,
    WN_VALUE_INT,
    WN_VALUE_REAL,
    WN_VALUE_TEXT,
    WN_VALUE_BYTES
} wn_value_kind;

typedef struct wn_value {
    wn_value_kind kind;
    int64_t number;
    double real;
    wn_str bytes; /* of text and bytes */
} wn_value;

static inline wn_value wn_corpus_int_value(int64_t number)
{
    return (wn_value){.kind = WN_VALUE_INT, .number = number};
}

static inline wn_value wn_corpus_real_value(double real)
{
    return (wn_value){.kind = WN_VALUE_REAL, .real = real};
}

static inline wn_value wn_corpus_text_value(wn_str text)
{
    return (wn_value){.kind = WN_VALUE_TEXT, .bytes = text};
}

static inline wn_value wn_corpus_bytes_value(wn_str bytes)
{
    return (wn_value){.kind = WN_VALUE_BYTES, .bytes = bytes};
}

/* The most values of a statement. */
enum { WN_MAX_VALUES = 32 };

/* ---- Connections ------------------------------------------------------------------------- */

typedef struct wn_driver wn_driver;

/* What every connection begins with. */
typedef struct wn_db {
    const wn_driver *driver;
    wn_buf error; /* of the last call that failed */
} wn_db;

/* The rows of a query. */
typedef struct wn_rows wn_rows;

enum { WN_DB_KEY = 16 }; /* bytes of a page's key */

/* A page on its way into the database. */
typedef struct wn_db_page {
    const wn_stored *page;
    char key[WN_DB_KEY];        /* of source and offset */
    const wn_index_page *index; /* its words */
} wn_db_page;

/*
 * The step of the schema that keeps the text for mining (mined_text.h) beside the stems that
 * searches read, and the version of a store that has both.
 */
#define WN_STEMS_SCHEMA                                                                            \
    "ALTER TABLE texts RENAME COLUMN stems TO all_stems;"                                          \
    "ALTER TABLE texts ADD COLUMN stems TEXT NOT NULL DEFAULT '';"
enum { WN_STEMS_VERSION = 4 };

/* One way to write a word of a search: any of its stems will do. */
typedef struct wn_search_term {
    wn_array(wn_str) stems;
    wn_array(double) weights; /* what each is worth, by how rare it is */
} wn_search_term;

struct wn_driver {
    const char *name;

    /* Whether a store's name is one for this driver. */
    bool (*takes)(const char *name);

    /* NULL when it cannot be opened: then `error` says why. */
    wn_db *(*open)(const char *name, wn_store_mode mode, wn_buf *error);
    void (*close)(wn_db *db);

    /* Whether there is nothing in it yet. Others may change that until a transaction begins. */
    bool (*is_empty)(wn_db *db, bool *empty);

    /* Steps of the schema: number n makes version n of n - 1. NULL past the end. */
    const char *const *schema;

    /* What follows a column of ORDER BY that is to be in the order of its bytes. */
    const char *bytewise;

    bool (*begin)(wn_db *db); /* to write; waits for others */
    bool (*commit)(wn_db *db);
    void (*rollback)(wn_db *db);

    bool (*run)(wn_db *db, const char *sql); /* statements without values and rows */
    wn_rows *(*query)(wn_db *db, const char *sql, const wn_value *values, size_t count);
    bool (*next)(wn_rows *rows);                  /* false at the end, and on failure */
    bool (*is_null)(wn_rows *rows, int column);   /* columns count from 0 */
    int64_t (*number)(wn_rows *rows, int column); /* 0 for null */
    double (*real)(wn_rows *rows, int column);    /* 0 for null */
    wn_str (*text)(wn_rows *rows, int column);    /* UTF-8; "" for null; valid until next */
    wn_str (*bytes)(wn_rows *rows, int column);   /* the same for bytes */
    bool (*end)(wn_rows *rows);                   /* false when it had failed */

    /*
     * Puts a page in, or in the place of the one with its key; new pages get ids from *next_id on,
     * which moves. `flush` ends it: what was put is in the database, and counted.
     */
    bool (*put)(wn_db *db, const wn_db_page *page, int64_t *next_id, wn_store_counts *counts);
    bool (*flush)(wn_db *db, int64_t *next_id, wn_store_counts *counts);

    /* Takes a page's words out of the full text index, before it is removed. */
    bool (*forget)(wn_db *db, int64_t id);

    /* How many pages have a stem. */
    bool (*frequency)(wn_db *db, wn_str stem, uint64_t *pages);

    /*
     * Makes the full text index again of the pages' stems, inside a transaction. It is as it is now
     * from
     *        that version of the store on; 0: it always was.
     */
    bool (*reindex)(wn_db *db);
    uint64_t index_version;

    /*
     * The pages that have all terms, the best first, then by id; rows with the id alone. `where` is
     * a condition on `pages p` with its values from $1 on, which live as long as the rows; it may
     * be "".
     */
    wn_rows *(*search)(wn_db *db, const wn_search_term *terms, size_t count, const char *where,
                       const wn_value *values, size_t value_count);
};

/* The calls that every driver has, by the names that they have in its file. */
#define WN_DRIVER_CALLS                                                                            \
    .takes = takes, .open = open_db, .close = close_db, .is_empty = is_empty, .schema = schema,    \
    .begin = begin, .commit = commit, .rollback = rollback, .run = run_sql, .query = query,        \
    .next = next, .is_null = is_null, .number = number, .real = real, .text = text,                \
    .bytes = bytes, .end = end, .put = put, .flush = flush, .forget = forget,                      \
    .frequency = frequency, .reindex = reindex, .search = search

extern const wn_driver wn_driver_sqlite;
extern const wn_driver wn_driver_postgres;

/* Puts a formatted message into db->error; always false. */
bool wn_corpus_db_fail(wn_db *db, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Text of a column as well-formed UTF-8, on which all who read text rely. A database is input:
 * anyone may have written to it. What must be repaired is kept in `repaired`.
 */
wn_str wn_corpus_db_text(wn_arena *repaired, wn_str text);

/* A query that gives one number; `otherwise` when there is no row. False when it failed. */
bool wn_corpus_db_number(wn_db *db, const char *sql, const wn_value *values, size_t count,
                         int64_t otherwise, int64_t *number);

/* A statement with values and without rows. */
bool wn_corpus_db_run(wn_db *db, const char *sql, const wn_value *values, size_t count);

#endif
