/*
 * SQLite: a store in one file.
 *
 * The file is a plain SQLite database that any tool can open. It is in WAL mode: others can read
 * while pages are added, a killed process leaves nothing half-written, and a transaction that was
 * committed is on the disk (synchronous=FULL).
 *
 * Full text search is an inverted index in plain tables (inverted.h). SQLite's own, FTS5, spends
 * half a millisecond on a page of 10 KB, more than all the rest: its words are scattered over a
 * table in memory that no cache holds.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpus/db.h"
#include "corpus/inverted.h"
#include "io/message.h"

enum {
    APPLICATION_ID = 0x776e6e77, /* "wnnw": file(1) and we know the file by it */
    BUSY_MILLISECONDS = 5000,
    BUSY_STEP = 10,  /* milliseconds, where SQLite itself does not wait */
    MAX_CACHED = 32, /* statements that are kept prepared */
};

typedef struct cached_statement {
    char *sql;
    sqlite3_stmt *statement;
    bool used; /* by rows that are being read */
} cached_statement;

typedef struct sqlite_db {
    wn_db base;
    sqlite3 *handle;
    cached_statement cache[MAX_CACHED];
    size_t cached;
    wn_index_page old_index; /* of a page that is replaced or removed */
    wn_gathered gathered;    /* words of pages that are not in the index yet */
} sqlite_db;

/* The pages that a search has found, and the statement that tells whether the filter wants one. */
typedef struct search_rows {
    wn_found_list found;
    uint32_t next;
    wn_buf wanted; /* "" : all of them */
    wn_value values[WN_MAX_VALUES];
    size_t count; /* of the values, without the id */
} search_rows;

struct wn_rows {
    sqlite_db *db;
    sqlite3_stmt *statement;
    cached_statement *cached; /* NULL: the statement is ours alone */
    search_rows *search;      /* then there is no statement; else NULL */
    wn_arena repaired;        /* texts of the row that were not UTF-8 */
    bool failed;
};

static const char *const schema[] = {
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE pages ("
    " id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, url TEXT NOT NULL, host TEXT NOT NULL,"
    " label TEXT NOT NULL, title TEXT NOT NULL, author TEXT NOT NULL, date TEXT NOT NULL,"
    " language TEXT NOT NULL, source TEXT NOT NULL, source_offset INTEGER NOT NULL, source_inner INTEGER NOT NULL,"
    " method TEXT NOT NULL, status INTEGER NOT NULL, copy_of INTEGER,"
    " page_bytes INTEGER NOT NULL, text_bytes INTEGER NOT NULL, words INTEGER NOT NULL,"
    " page_hash INTEGER NOT NULL, text_hash INTEGER NOT NULL, added INTEGER NOT NULL);"
    "CREATE INDEX pages_by_host ON pages (host, id);"
    "CREATE INDEX pages_by_copy ON pages (copy_of) WHERE copy_of IS NOT NULL;"
    "CREATE TABLE texts (id INTEGER PRIMARY KEY, title_stems TEXT NOT NULL,"
    " text TEXT NOT NULL, stems TEXT NOT NULL);"
    "PRAGMA application_id = 2003725943;",

    "CREATE TABLE words (word TEXT PRIMARY KEY, occurrences INTEGER NOT NULL,"
    " documents INTEGER NOT NULL, labelled INTEGER NOT NULL, tfidf REAL NOT NULL,"
    " distance REAL NOT NULL, outlier INTEGER NOT NULL, labels TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE notes (kind TEXT NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL,"
    " PRIMARY KEY (kind, name));",

    /* Before, the index was an FTS5 table. */
    "DROP TABLE IF EXISTS page_index; DROP TABLE IF EXISTS fingerprints;" WN_INVERTED_SCHEMA,

    WN_STEMS_SCHEMA,

    NULL,
};

/* ---- Failures ---------------------------------------------------------------------------- */

/* What SQLite's code means for a user, and what to do about it. */
static void explain(sqlite3 *handle, int code, wn_buf *out)
{
    int number = handle ? sqlite3_system_errno(handle) : 0;
    switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        wn_buf_add_format(out, "another process is writing to it; waited %d s, try again later",
                          BUSY_MILLISECONDS / 1000);
        break;
    case SQLITE_FULL:
        wn_buf_add_literal(out, "the disk is full");
        break;
    case SQLITE_NOTADB:
        wn_buf_add_literal(out, "it is not a database");
        break;
    case SQLITE_CORRUPT:
        wn_buf_add_format(out, "the file is damaged: %s", sqlite3_errmsg(handle));
        break;
    case SQLITE_READONLY:
        wn_buf_add_literal(out, "it may only be read, not written");
        break;
    case SQLITE_NOMEM:
        wn_buf_add_literal(out, "out of memory");
        break;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        wn_buf_add_literal(out, number ? strerror(number) : sqlite3_errmsg(handle));
        break;
    default:
        wn_buf_add_literal(out, handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
    }
}

/* Notes the failure with that code; always false. */
static bool fail(sqlite_db *db, int code)
{
    wn_buf_clear(&db->base.error);
    explain(db->handle, code, &db->base.error);
    return false;
}

static bool run_sql(wn_db *base, const char *sql)
{
    sqlite_db *db = (sqlite_db *)base;
    int code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || fail(db, code);
}

/* ---- Opening ----------------------------------------------------------------------------- */

static bool takes(const char *name)
{
    return !wn_corpus_store_is_remote(name);
}

static void close_db(wn_db *base)
{
    sqlite_db *db = (sqlite_db *)base;
    for (size_t i = 0; i < db->cached; i++) {
        sqlite3_finalize(db->cache[i].statement);
        free(db->cache[i].sql);
    }
    sqlite3_close_v2(db->handle);
    wn_corpus_index_free(&db->old_index);
    wn_corpus_gathered_free(&db->gathered);
    wn_buf_free(&db->base.error);
    free(db);
}

/* A number that a statement without values gives; -1 when it failed. */
static int64_t ask_number(sqlite_db *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    int code = sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    else
        fail(db, code);
    sqlite3_finalize(statement);
    return number;
}

static bool is_empty(wn_db *base, bool *empty)
{
    int64_t tables = ask_number((sqlite_db *)base, "SELECT count(*) FROM sqlite_schema");
    *empty = tables == 0;
    return tables >= 0;
}

/*
 * What a file that somebody made may not do: run SQL of its own that never ends, when a view has the
 * name of a table, or a trigger waits for pages.
 */
static bool forbid_programs(sqlite_db *db)
{
    int code = sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return code == SQLITE_OK || fail(db, code);
}

/* Columns that are computed: a file of some kilobytes may hold gigabytes in them. */
static const char computed_columns[] =
    "SELECT count(*) FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c"
    " WHERE s.type = 'table' AND s.sql NOT LIKE 'CREATE VIRTUAL%' AND c.hidden IN (2, 3)";

/* Whether the file is empty or one of ours. */
static bool check_file(sqlite_db *db)
{
    bool empty;
    if (!is_empty(&db->base, &empty))
        return false;
    if (!empty && (ask_number(db, "PRAGMA application_id") != APPLICATION_ID ||
                   ask_number(db, computed_columns) != 0))
        return wn_corpus_db_fail(&db->base, "it is a database, but no store of winnow");
    return true;
}

/*
 * Of several processes that make a file theirs at once SQLite lets one pass and turns the others
 * away.
 */
static bool use_wal(sqlite_db *db)
{
    static const char sql[] = "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL";
    int code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    for (int waited = 0; (code & 0xFF) == SQLITE_BUSY && waited < BUSY_MILLISECONDS;) {
        waited += sqlite3_sleep(BUSY_STEP);
        code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    }
    return code == SQLITE_OK || fail(db, code);
}

/* Memory for the pages of the database while it is written, and large steps to the disk. */
static bool prepare_file(sqlite_db *db, wn_store_mode mode)
{
    return (mode == WN_STORE_READ || use_wal(db)) &&
           run_sql(&db->base, "PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;"
                              "PRAGMA wal_autocheckpoint = 2000; PRAGMA temp_store = MEMORY;"
                              "PRAGMA trusted_schema = OFF");
}

/*
 * "./" makes a file of what has a meaning for SQLite: pages in ":memory:" would be lost at the end.
 */
static bool open_file(sqlite_db *db, const char *name, wn_store_mode mode)
{
    int flags = SQLITE_OPEN_READWRITE | (mode == WN_STORE_MAKE ? SQLITE_OPEN_CREATE : 0);
    wn_buf path = {0};
    wn_buf_add_format(&path, "%s%s", name[0] == '/' ? "" : "./", name);
    int code = path.failed ? SQLITE_NOMEM
                           : sqlite3_open_v2(wn_buf_c_string(&path), &db->handle,
                                             flags | SQLITE_OPEN_NOMUTEX, NULL);
    wn_buf_free(&path);
    return code == SQLITE_OK || fail(db, code);
}

/*
 * Whether reading failed because SQLite cannot make the files beside the store by which processes
 * agree.
 */
static bool needs_files(sqlite_db *db)
{
    int code = sqlite3_extended_errcode(db->handle);
    return (code & 0xFF) == SQLITE_CANTOPEN || code == SQLITE_READONLY_DIRECTORY ||
           code == SQLITE_READONLY_CANTINIT;
}

/*
 * Opens a store in a folder that is only to be read. Nobody writes to it at this moment, or such
 * files would be there; so it can be read without them.
 */
static bool open_at_rest(sqlite_db *db, const char *name)
{
    wn_buf path = {0};
    wn_buf_add_format(&path, "%s-wal", name);
    bool at_rest = access(wn_buf_c_string(&path), F_OK) != 0 && !path.failed;
    wn_buf_clear(&path);
    wn_buf_add_format(&path, "file:%s", name[0] == '/' ? "" : "./");
    for (const char *p = name; *p; p++)
        wn_buf_add_format(&path, strchr("%?#", *p) ? "%%%02X" : "%c", (unsigned char)*p);
    wn_buf_add_literal(&path, "?immutable=1");
    int code = SQLITE_NOMEM;
    if (at_rest && !path.failed) {
        sqlite3_close_v2(db->handle);
        code = sqlite3_open_v2(wn_buf_c_string(&path), &db->handle,
                               SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    }
    wn_buf_free(&path);
    return at_rest && (code == SQLITE_OK || fail(db, code));
}

static bool check_and_prepare(sqlite_db *db, wn_store_mode mode)
{
    sqlite3_extended_result_codes(db->handle, 1);
    sqlite3_busy_timeout(db->handle, BUSY_MILLISECONDS);
    return forbid_programs(db) && check_file(db) && prepare_file(db, mode);
}

static wn_db *open_db(const char *name, wn_store_mode mode, wn_buf *error)
{
    sqlite_db *db = calloc(1, sizeof *db);
    if (!db) {
        wn_buf_add_literal(error, "out of memory");
        return NULL;
    }
    db->base.driver = &wn_driver_sqlite;
    bool opened = open_file(db, name, mode) && check_and_prepare(db, mode);
    if (!opened && mode == WN_STORE_READ && needs_files(db))
        opened = open_at_rest(db, name) && check_and_prepare(db, mode);
    if (opened)
        return &db->base;
    wn_buf_add(error, wn_buf_str(&db->base.error));
    close_db(&db->base);
    return NULL;
}

/* ---- Transactions ------------------------------------------------------------------------ */

static bool begin(wn_db *base)
{
    return run_sql(base, "BEGIN IMMEDIATE");
}

static bool commit(wn_db *base)
{
    return run_sql(base, "COMMIT");
}

/* After some failures SQLite has rolled back by itself. */
static void rollback(wn_db *base)
{
    sqlite_db *db = (sqlite_db *)base;
    wn_corpus_gathered_clear(&db->gathered);
    if (!sqlite3_get_autocommit(db->handle))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

/* ---- Queries ----------------------------------------------------------------------------- */

/* A cached statement of this text that nobody uses; NULL if there is none. */
static cached_statement *find_cached(sqlite_db *db, const char *sql)
{
    for (size_t i = 0; i < db->cached; i++) {
        if (!db->cache[i].used && strcmp(db->cache[i].sql, sql) == 0)
            return &db->cache[i];
    }
    return NULL;
}

/* Keeps a statement for the next time, if there is room. */
static cached_statement *keep(sqlite_db *db, const char *sql, sqlite3_stmt *statement)
{
    char *copy = db->cached < MAX_CACHED ? strdup(sql) : NULL;
    if (!copy)
        return NULL;
    cached_statement *cached = &db->cache[db->cached++];
    *cached = (cached_statement){.sql = copy, .statement = statement};
    return cached;
}

static int bind(sqlite3_stmt *statement, int at, const wn_value *value)
{
    switch (value->kind) {
    case WN_VALUE_INT:
        return sqlite3_bind_int64(statement, at, value->number);
    case WN_VALUE_REAL:
        return sqlite3_bind_double(statement, at, value->real);
    case WN_VALUE_TEXT:
        return sqlite3_bind_text64(statement, at, value->bytes.ptr, value->bytes.len, SQLITE_STATIC,
                                   SQLITE_UTF8);
    case WN_VALUE_BYTES:
        return value->bytes.len ? sqlite3_bind_blob64(statement, at, value->bytes.ptr,
                                                      value->bytes.len, SQLITE_STATIC)
                                : sqlite3_bind_zeroblob(statement, at, 0);
    case WN_VALUE_NULL:
        break;
    }
    return sqlite3_bind_null(statement, at);
}

/* SQLite takes $1 for a name; the values are bound by it. */
static int bind_all(sqlite3_stmt *statement, const wn_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[24];
        snprintf(name, sizeof name, "$%zu", i + 1);
        int at = sqlite3_bind_parameter_index(statement, name);
        int code = at ? bind(statement, at, &values[i]) : SQLITE_OK;
        if (code != SQLITE_OK)
            return code;
    }
    return SQLITE_OK;
}

static wn_rows *query(wn_db *base, const char *sql, const wn_value *values, size_t count)
{
    sqlite_db *db = (sqlite_db *)base;
    wn_rows *rows = calloc(1, sizeof *rows);
    if (!rows) {
        fail(db, SQLITE_NOMEM);
        return NULL;
    }
    rows->db = db;
    rows->cached = find_cached(db, sql);
    int code = SQLITE_OK;
    if (!rows->cached) {
        code = sqlite3_prepare_v2(db->handle, sql, -1, &rows->statement, NULL);
        if (code == SQLITE_OK && !rows->statement)
            code = SQLITE_NOMEM; /* the text of the query is empty where memory was out */
        if (code == SQLITE_OK)
            rows->cached = keep(db, sql, rows->statement);
    }
    if (rows->cached) {
        rows->statement = rows->cached->statement;
        rows->cached->used = true;
    }
    if (code == SQLITE_OK)
        code = bind_all(rows->statement, values, count);
    if (code == SQLITE_OK)
        return rows;
    fail(db, code);
    rows->failed = true;
    base->driver->end(rows);
    return NULL;
}

static bool next_found(wn_rows *rows);

static bool next(wn_rows *rows)
{
    if (rows->search)
        return next_found(rows);
    wn_arena_reset(&rows->repaired);
    int code = rows->failed ? SQLITE_DONE : sqlite3_step(rows->statement);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        rows->failed = !fail(rows->db, code);
    return false;
}

static bool is_null(wn_rows *rows, int column)
{
    return sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

static int64_t number(wn_rows *rows, int column)
{
    if (rows->search)
        return rows->search->found.items[rows->search->next - 1].id;
    return sqlite3_column_int64(rows->statement, column);
}

static double real(wn_rows *rows, int column)
{
    return sqlite3_column_double(rows->statement, column);
}

static wn_str text(wn_rows *rows, int column)
{
    const char *p = (const char *)sqlite3_column_text(rows->statement, column);
    size_t size = p ? (size_t)sqlite3_column_bytes(rows->statement, column) : 0;
    wn_str text = wn_corpus_db_text(&rows->repaired, wn_str_from(p ? p : "", size));
    if (rows->repaired.failed)
        rows->failed = !fail(rows->db, SQLITE_NOMEM);
    return text;
}

static wn_str bytes(wn_rows *rows, int column)
{
    const char *p = sqlite3_column_blob(rows->statement, column);
    return p ? wn_str_from(p, (size_t)sqlite3_column_bytes(rows->statement, column)) : WN_STR("");
}

static bool end(wn_rows *rows)
{
    bool failed = rows->failed;
    if (rows->search) {
        wn_array_free(&rows->search->found);
        wn_buf_free(&rows->search->wanted);
        free(rows->search);
    } else if (rows->cached) {
        sqlite3_reset(rows->statement);
        sqlite3_clear_bindings(rows->statement);
        rows->cached->used = false;
    } else {
        sqlite3_finalize(rows->statement);
    }
    wn_arena_free(&rows->repaired);
    free(rows);
    return !failed;
}

/* ---- Pages ------------------------------------------------------------------------------- */

static bool forget(wn_db *base, int64_t id)
{
    sqlite_db *db = (sqlite_db *)base;
    wn_value value = wn_corpus_int_value(id);
    wn_rows *rows = query(base, "SELECT title_stems, all_stems FROM texts WHERE id = $1", &value,
                          1);
    if (!rows)
        return false;
    bool done = true;
    if (next(rows)) {
        done = wn_corpus_index_words(&db->old_index, text(rows, 0), text(rows, 1)) ||
               fail(db, SQLITE_NOMEM);
        done = done && wn_corpus_inverted_add(base, &db->gathered, id, &db->old_index, true);
    }
    return end(rows) && done;
}

static bool put_row(sqlite_db *db, int64_t id, const wn_db_page *p, bool replace)
{
    const wn_stored *page = p->page;
    const wn_value values[] = {
        wn_corpus_int_value(id),
        wn_corpus_bytes_value(wn_str_from(p->key, sizeof p->key)),
        wn_corpus_text_value(page->url),
        wn_corpus_text_value(page->host),
        wn_corpus_text_value(page->label),
        wn_corpus_text_value(page->title),
        wn_corpus_text_value(page->author),
        wn_corpus_text_value(page->date),
        wn_corpus_text_value(page->language),
        wn_corpus_text_value(page->source),
        wn_corpus_int_value((int64_t)page->offset),
        wn_corpus_text_value(page->method),
        wn_corpus_int_value(page->status),
        wn_corpus_int_value((int64_t)page->page_bytes),
        wn_corpus_int_value((int64_t)page->text_bytes),
        wn_corpus_int_value((int64_t)page->words),
        wn_corpus_int_value((int64_t)page->page_hash),
        wn_corpus_int_value((int64_t)page->text_hash),
        wn_corpus_int_value(page->added),
        wn_corpus_int_value((int64_t)page->inner),
    };
    const char *sql =
        replace
            ? "UPDATE pages SET url = $3, host = $4, label = $5, title = $6, author = $7,"
              " date = $8, language = $9, source = $10, source_offset = $11, method = $12,"
              " status = $13, copy_of = NULL, page_bytes = $14, text_bytes = $15, words = $16,"
              " page_hash = $17, text_hash = $18, added = $19, source_inner = $20 WHERE id = $1"
            : "INSERT INTO pages (id, key, url, host, label, title, author, date, language,"
              " source, source_offset, method, status, page_bytes, text_bytes, words,"
              " page_hash, text_hash, added, source_inner) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,"
              " $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)";
    return wn_corpus_db_run(&db->base, sql, values, sizeof values / sizeof *values);
}

static bool put_texts(sqlite_db *db, int64_t id, const wn_stored *page)
{
    const wn_value texts[] = {wn_corpus_int_value(id), wn_corpus_text_value(page->title_stems),
                              wn_corpus_text_value(page->text), wn_corpus_text_value(page->stems),
                              wn_corpus_text_value(page->all_stems)};
    return wn_corpus_db_run(&db->base,
                            "INSERT OR REPLACE INTO texts (id, title_stems, text, stems, all_stems)"
                            " VALUES ($1, $2, $3, $4, $5)",
                            texts, 5);
}

static bool put(wn_db *base, const wn_db_page *page, int64_t *next_id, wn_store_counts *counts)
{
    sqlite_db *db = (sqlite_db *)base;
    wn_value key = wn_corpus_bytes_value(wn_str_from(page->key, sizeof page->key));
    int64_t id;
    if (!wn_corpus_db_number(base, "SELECT id FROM pages WHERE key = $1", &key, 1, 0, &id))
        return false;
    bool replace = id != 0;
    if (replace && !forget(base, id))
        return false;
    if (!replace)
        id = (*next_id)++;
    *(replace ? &counts->updated : &counts->added) += 1;
    return put_row(db, id, page, replace) && put_texts(db, id, page->page) &&
           wn_corpus_inverted_add(base, &db->gathered, id, page->index, false);
}

static bool flush(wn_db *base, int64_t *next_id, wn_store_counts *counts)
{
    (void)next_id, (void)counts;
    return wn_corpus_inverted_flush(base, &((sqlite_db *)base)->gathered);
}

static bool reindex(wn_db *base)
{
    sqlite_db *db = (sqlite_db *)base;
    if (!run_sql(base, "DELETE FROM index_blocks; DELETE FROM index_parts"))
        return false;
    wn_rows *rows = query(base, "SELECT id, title_stems, all_stems FROM texts ORDER BY id", NULL,
                          0);
    bool done = rows != NULL;
    while (done && next(rows)) {
        done = wn_corpus_index_words(&db->old_index, text(rows, 1), text(rows, 2)) ||
               fail(db, SQLITE_NOMEM);
        done = done &&
               wn_corpus_inverted_add(base, &db->gathered, number(rows, 0), &db->old_index, false);
    }
    return rows && end(rows) && done && wn_corpus_inverted_flush(base, &db->gathered);
}

/* ---- Search ------------------------------------------------------------------------------ */

static bool frequency(wn_db *base, wn_str stem, uint64_t *pages)
{
    wn_postings list = {0};
    bool done = wn_corpus_inverted_find(base, stem, &list);
    *pages = list.count;
    wn_array_free(&list);
    return done;
}

/* Whether the filter wants the page; false also when it cannot be told. */
static bool is_wanted(wn_rows *rows, int64_t id)
{
    search_rows *search = rows->search;
    int64_t wanted = 0;
    if (search->wanted.len == 0)
        return true;
    search->values[search->count] = wn_corpus_int_value(id);
    if (!wn_corpus_db_number(&rows->db->base, wn_buf_c_string(&search->wanted), search->values,
                             search->count + 1, 0, &wanted))
        rows->failed = true;
    return wanted != 0;
}

/* Filters ask about a page when its turn comes: most searches end before the last. */
static bool next_found(wn_rows *rows)
{
    search_rows *search = rows->search;
    while (!rows->failed && search->next < search->found.count) {
        if (is_wanted(rows, search->found.items[search->next++].id))
            return !rows->failed;
    }
    return false;
}

static wn_rows *search(wn_db *base, const wn_search_term *terms, size_t count, const char *where,
                       const wn_value *values, size_t value_count)
{
    wn_rows *rows = calloc(1, sizeof *rows);
    search_rows *found = calloc(1, sizeof *found);
    if (!rows || !found || value_count + 1 > WN_MAX_VALUES) {
        free(rows);
        free(found);
        fail((sqlite_db *)base, SQLITE_NOMEM);
        return NULL;
    }
    *rows = (wn_rows){.db = (sqlite_db *)base, .search = found};
    for (found->count = 0; found->count < value_count; found->count++)
        found->values[found->count] = values[found->count];
    if (where[0])
        wn_buf_add_format(&found->wanted, "SELECT p.id FROM pages p WHERE p.id = $%zu AND (%s)",
                          value_count + 1, where);
    if (wn_corpus_inverted_search(base, terms, count, &found->found))
        return rows;
    end(rows);
    return NULL;
}

const wn_driver wn_driver_sqlite = {
    .name = "SQLite",
    WN_DRIVER_CALLS,
    .index_version = 3,
    .bytewise = "",
};
