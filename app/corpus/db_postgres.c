/*
 * PostgreSQL: a store in the schema "winnow" of a database, through libpq.
 *
 * Pages are collected and go to the server in one COPY, into a table of this session; a few
 * statements move them from there to where they belong. Processes that write take turns by a lock
 * that belongs to the transaction. Full text search is a tsvector with the weights A to D for the
 * four levels (index.h), and a GIN index over it.
 */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus/db.h"

#define WAIT_SECONDS 5 /* for another process that writes; a macro, because SQL is made of it */

enum {
    /* Pages are sent to the server when there are so many of them, or bytes. */
    STAGED_PAGES = 500,
    STAGED_BYTES = 8 << 20,
};

#define STRING(x) #x
#define TEXT_OF(x) STRING(x)

/* Any number will do that no other program takes: it is that of the lock. */
#define WRITE_LOCK "8602431950871"

typedef struct postgres_db {
    wn_db base;
    PGconn *connection;
    wn_buf staged; /* rows for COPY */
    size_t staged_pages;
    char staged_keys[STAGED_PAGES][WN_DB_KEY];
    bool has_staging;
} postgres_db;

struct wn_rows {
    postgres_db *db;
    PGresult *result;
    int row, count;
    wn_buf bytes;
    wn_arena repaired; /* texts of the row that were not UTF-8 */
    bool failed;
};

static const char *const schema[] = {
    "CREATE SCHEMA IF NOT EXISTS winnow;"
    "CREATE TABLE meta (name TEXT COLLATE \"C\" PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE pages ("
    " id BIGINT PRIMARY KEY, key BYTEA NOT NULL UNIQUE, url TEXT NOT NULL, host TEXT COLLATE \"C\" NOT NULL,"
    " label TEXT COLLATE \"C\" NOT NULL, title TEXT NOT NULL, author TEXT NOT NULL,"
    " date TEXT COLLATE \"C\" NOT NULL, language TEXT COLLATE \"C\" NOT NULL, source TEXT NOT NULL,"
    " source_offset BIGINT NOT NULL, source_inner BIGINT NOT NULL, method TEXT COLLATE \"C\" NOT NULL, status INTEGER NOT NULL, copy_of BIGINT,"
    " page_bytes BIGINT NOT NULL, text_bytes BIGINT NOT NULL, words BIGINT NOT NULL,"
    " page_hash BIGINT NOT NULL, text_hash BIGINT NOT NULL, added BIGINT NOT NULL);"
    "CREATE INDEX pages_by_host ON pages (host, id);"
    "CREATE INDEX pages_by_copy ON pages (copy_of) WHERE copy_of IS NOT NULL;"
    "CREATE TABLE texts (id BIGINT PRIMARY KEY, title_stems TEXT NOT NULL, text TEXT NOT NULL,"
    " stems TEXT NOT NULL, vector TSVECTOR NOT NULL);"
    "CREATE INDEX page_index ON texts USING gin (vector);",

    "CREATE TABLE words (word TEXT COLLATE \"C\" PRIMARY KEY, occurrences BIGINT NOT NULL,"
    " documents BIGINT NOT NULL, labelled BIGINT NOT NULL, tfidf DOUBLE PRECISION NOT NULL,"
    " distance DOUBLE PRECISION NOT NULL, outlier INTEGER NOT NULL, labels TEXT NOT NULL);"
    "CREATE TABLE notes (kind TEXT NOT NULL, name TEXT NOT NULL, bytes BYTEA NOT NULL,"
    " PRIMARY KEY (kind, name));",

    "DROP TABLE IF EXISTS fingerprints;",

    WN_STEMS_SCHEMA,

    NULL,
};

/* ---- Failures ---------------------------------------------------------------------------- */

/* Notes what the server or libpq says; always false. */
static bool fail(postgres_db *db, const PGresult *result)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    if (PQstatus(db->connection) == CONNECTION_BAD)
        return wn_corpus_db_fail(&db->base, "the connection to the database is lost: %s",
                                 PQerrorMessage(db->connection));
    if (state && strcmp(state, "55P03") == 0) /* lock_not_available */
        return wn_corpus_db_fail(&db->base,
                                 "another process is writing to it; waited %d s, try again later",
                                 WAIT_SECONDS);
    if (state && strcmp(state, "53100") == 0) /* disk_full */
        return wn_corpus_db_fail(&db->base, "the disk of the database is full");
    const char *text = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    return wn_corpus_db_fail(&db->base, "%s", text ? text : PQerrorMessage(db->connection));
}

/* Takes a result, which it frees, and tells whether it is what was wanted. */
static bool check(postgres_db *db, PGresult *result, ExecStatusType wanted)
{
    bool good = PQresultStatus(result) == wanted;
    if (!good)
        fail(db, result);
    PQclear(result);
    return good;
}

/* Several statements may give several results; the last one counts. */
static bool run_sql(wn_db *base, const char *sql)
{
    postgres_db *db = (postgres_db *)base;
    PGresult *result = PQexec(db->connection, sql);
    ExecStatusType status = PQresultStatus(result);
    return check(db, result, status == PGRES_TUPLES_OK ? status : PGRES_COMMAND_OK);
}

/* ---- Opening ----------------------------------------------------------------------------- */

static bool takes(const char *name)
{
    return wn_corpus_store_is_remote(name);
}

static void close_db(wn_db *base)
{
    postgres_db *db = (postgres_db *)base;
    PQfinish(db->connection);
    wn_buf_free(&db->staged);
    wn_buf_free(&db->base.error);
    free(db);
}

/* Messages of the server that are no errors ("schema exists already") are nobody's business. */
static void ignore_notice(void *data, const char *message)
{
    (void)data, (void)message;
}

static bool is_empty(wn_db *base, bool *empty)
{
    int64_t tables = 0;
    bool done = wn_corpus_db_number(base,
                                    "SELECT count(*) FROM information_schema.tables"
                                    " WHERE table_schema = 'winnow' AND table_name = 'meta'",
                                    NULL, 0, 0, &tables);
    *empty = tables == 0;
    return done;
}

static bool prepare_session(postgres_db *db)
{
    PQsetNoticeProcessor(db->connection, ignore_notice, NULL);
    if (PQsetClientEncoding(db->connection, "UTF8") != 0)
        return fail(db, NULL);
    return run_sql(&db->base, "SET search_path TO winnow; SET statement_timeout TO 0;"
                              "SET standard_conforming_strings TO on; SET bytea_output TO hex;"
                              "SET extra_float_digits TO 3;"
                              "SET lock_timeout TO '" TEXT_OF(WAIT_SECONDS) "s'");
}

static wn_db *open_db(const char *name, wn_store_mode mode, wn_buf *error)
{
    (void)mode;
    postgres_db *db = calloc(1, sizeof *db);
    if (!db) {
        wn_buf_add_literal(error, "out of memory");
        return NULL;
    }
    db->base.driver = &wn_driver_postgres;
    db->connection = PQconnectdb(name);
    bool opened = PQstatus(db->connection) == CONNECTION_OK;
    if (!opened)
        wn_corpus_db_fail(&db->base, "%s", PQerrorMessage(db->connection));
    if (opened && prepare_session(db))
        return &db->base;
    wn_buf_add(error, wn_buf_str(&db->base.error));
    close_db(&db->base);
    return NULL;
}

/* ---- Transactions ------------------------------------------------------------------------ */

static void drop_staged(postgres_db *db)
{
    wn_buf_clear(&db->staged);
    db->staged_pages = 0;
}

static bool begin(wn_db *base)
{
    drop_staged((postgres_db *)base);
    return run_sql(base, "BEGIN; SELECT pg_advisory_xact_lock(" WRITE_LOCK ")");
}

/* A transaction in which something failed is not committed: the server answers ROLLBACK. */
static bool commit(wn_db *base)
{
    postgres_db *db = (postgres_db *)base;
    PGresult *result = PQexec(db->connection, "COMMIT");
    bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
    if (done && strcmp(PQcmdStatus(result), "COMMIT") != 0)
        done = wn_corpus_db_fail(base, "the transaction had failed");
    else if (!done)
        fail(db, result);
    PQclear(result);
    return done;
}

static void rollback(wn_db *base)
{
    postgres_db *db = (postgres_db *)base;
    drop_staged(db);
    db->has_staging = false;
    if (PQtransactionStatus(db->connection) != PQTRANS_IDLE)
        PQclear(PQexec(db->connection, "ROLLBACK"));
}

/* ---- Queries ----------------------------------------------------------------------------- */

/* The values as libpq wants them: text, but bytes as they are. */
typedef struct parameters {
    const char *values[WN_MAX_VALUES];
    int lengths[WN_MAX_VALUES];
    int formats[WN_MAX_VALUES];
    wn_buf text[WN_MAX_VALUES];
} parameters;

static void set_parameter(parameters *p, size_t i, const wn_value *value)
{
    switch (value->kind) {
    case WN_VALUE_NULL:
        return;
    case WN_VALUE_INT:
        wn_buf_add_format(&p->text[i], "%lld", (long long)value->number);
        break;
    case WN_VALUE_REAL:
        wn_buf_add_format(&p->text[i], "%.17g", value->real);
        break;
    case WN_VALUE_TEXT:
        wn_buf_add(&p->text[i], value->bytes);
        break;
    case WN_VALUE_BYTES:
        p->values[i] = value->bytes.len ? value->bytes.ptr : "";
        p->lengths[i] = (int)value->bytes.len;
        p->formats[i] = 1;
        return;
    }
    p->values[i] = wn_buf_c_string(&p->text[i]);
}

static wn_rows *query(wn_db *base, const char *sql, const wn_value *values, size_t count)
{
    postgres_db *db = (postgres_db *)base;
    parameters p = {0};
    for (size_t i = 0; i < count; i++)
        set_parameter(&p, i, &values[i]);
    PGresult *result = PQexecParams(db->connection, sql, (int)count, NULL, p.values, p.lengths,
                                    p.formats, 0);
    for (size_t i = 0; i < count; i++)
        wn_buf_free(&p.text[i]);
    ExecStatusType status = PQresultStatus(result);
    wn_rows *rows = NULL;
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
        fail(db, result);
    else if (!(rows = calloc(1, sizeof *rows)))
        wn_corpus_db_fail(base, "out of memory");
    if (!rows) {
        PQclear(result);
        return NULL;
    }
    *rows = (wn_rows){.db = db, .result = result, .row = -1, .count = PQntuples(result)};
    return rows;
}

static bool next(wn_rows *rows)
{
    wn_arena_reset(&rows->repaired);
    return ++rows->row < rows->count;
}

static bool is_null(wn_rows *rows, int column)
{
    return PQgetisnull(rows->result, rows->row, column);
}

static int64_t number(wn_rows *rows, int column)
{
    return strtoll(PQgetvalue(rows->result, rows->row, column), NULL, 10);
}

static double real(wn_rows *rows, int column)
{
    return strtod(PQgetvalue(rows->result, rows->row, column), NULL);
}

static wn_str text(wn_rows *rows, int column)
{
    wn_str text = wn_str_from(PQgetvalue(rows->result, rows->row, column),
                              (size_t)PQgetlength(rows->result, rows->row, column));
    text = wn_corpus_db_text(&rows->repaired, text);
    if (rows->repaired.failed)
        rows->failed = !wn_corpus_db_fail(&rows->db->base, "out of memory");
    return text;
}

static wn_str bytes(wn_rows *rows, int column)
{
    size_t length = 0;
    unsigned char *raw = PQunescapeBytea(
        (const unsigned char *)PQgetvalue(rows->result, rows->row, column), &length);
    wn_buf_clear(&rows->bytes);
    if (raw)
        wn_buf_add(&rows->bytes, wn_str_from((const char *)raw, length));
    PQfreemem(raw);
    return wn_buf_str(&rows->bytes);
}

static bool end(wn_rows *rows)
{
    PQclear(rows->result);
    wn_buf_free(&rows->bytes);
    bool failed = rows->failed;
    wn_arena_free(&rows->repaired);
    free(rows);
    return !failed;
}

/* ---- Pages ------------------------------------------------------------------------------- */

/* https://www.postgresql.org/docs/current/sql-copy.html, "Text Format". */
static void add_copy_text(wn_buf *out, wn_str s)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    while (p < end) {
        const char *start = p;
        while (p < end && *p != '\\' && *p != '\n' && *p != '\r' && *p != '\t')
            p++;
        wn_buf_add(out, wn_str_between(start, p));
        if (p == end)
            break;
        wn_buf_add_char(out, '\\');
        wn_buf_add_char(out, *p == '\n' ? 'n' : *p == '\r' ? 'r' : *p == '\t' ? 't' : '\\');
        p++;
    }
}

static void add_copy_column(wn_buf *out, wn_str s)
{
    wn_buf_add_char(out, '\t');
    add_copy_text(out, s);
}

static void add_copy_number(wn_buf *out, int64_t value)
{
    wn_buf_add_format(out, "\t%lld", (long long)value);
}

static void add_copy_bytes(wn_buf *out, wn_str s)
{
    static const char digits[] = "0123456789abcdef";
    wn_buf_add_literal(out, "\t\\\\x");
    for (size_t i = 0; i < s.len; i++) {
        wn_buf_add_char(out, digits[(unsigned char)s.ptr[i] >> 4]);
        wn_buf_add_char(out, digits[s.ptr[i] & 15]);
    }
}

/* A word between quotes, as tsvector and tsquery have it; quotes and backslashes are doubled. */
static void add_lexeme(wn_buf *out, wn_str word)
{
    wn_buf_add_char(out, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == '\'' || word.ptr[i] == '\\')
            wn_buf_add_char(out, word.ptr[i]);
        wn_buf_add_char(out, word.ptr[i]);
    }
    wn_buf_add_char(out, '\'');
}

static const char level_weights[WN_LEVELS] = {'D', 'C', 'B', 'A'};

/* 'wind':1A 'grain':1D … */
static void add_vector(wn_buf *out, const wn_index_page *index)
{
    wn_buf vector = {0};
    for (size_t level = 0; level < WN_LEVELS; level++) {
        wn_str words = wn_buf_str(&index->levels[level]);
        for (wn_str word; wn_corpus_next_stem(&words, &word);) {
            add_lexeme(&vector, word);
            wn_buf_add_format(&vector, ":1%c ", level_weights[level]);
        }
    }
    add_copy_column(out, wn_buf_str(&vector));
    out->failed = out->failed || vector.failed;
    wn_buf_free(&vector);
}

static void stage_page(postgres_db *db, const wn_db_page *p)
{
    wn_buf *out = &db->staged;
    const wn_stored *page = p->page;
    const wn_str texts[] = {page->url,  page->host,     page->label,  page->title, page->author,
                            page->date, page->language, page->source, page->method};
    const int64_t numbers[] = {
        (int64_t)page->offset,     page->status,         (int64_t)page->page_bytes,
        (int64_t)page->text_bytes, (int64_t)page->words, (int64_t)page->page_hash,
        (int64_t)page->text_hash,  page->added,          (int64_t)page->inner,
    };
    wn_buf_add_format(out, "%zu", db->staged_pages);
    add_copy_bytes(out, wn_str_from(p->key, sizeof p->key));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_copy_column(out, texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_copy_number(out, numbers[i]);
    add_copy_column(out, page->title_stems);
    add_copy_column(out, page->text);
    add_copy_column(out, page->stems);
    add_copy_column(out, page->all_stems);
    add_vector(out, p->index);
    wn_buf_add_char(out, '\n');
    memcpy(db->staged_keys[db->staged_pages++], p->key, sizeof p->key);
}

/* The columns of `staged`, in the order in which stage_page() writes them. */
#define SHORT_COLUMNS                                                                              \
    "url, host, label, title, author, date, language, source, method, source_offset, status,"      \
    " page_bytes, text_bytes, words, page_hash, text_hash, added, source_inner"

static bool copy_staged(postgres_db *db)
{
    PGresult *result = PQexec(db->connection,
                              "COPY staged (seq, key, " SHORT_COLUMNS
                              ", title_stems, text, stems, all_stems, vector) FROM STDIN");
    if (!check(db, result, PGRES_COPY_IN))
        return false;
    wn_str rest = wn_buf_str(&db->staged);
    bool sent = true;
    while (sent && rest.len > 0) {
        size_t piece = rest.len < (1 << 20) ? rest.len : (1 << 20);
        sent = PQputCopyData(db->connection, rest.ptr, (int)piece) == 1;
        rest = wn_str_from_offset(rest, piece);
    }
    if (!sent || PQputCopyEnd(db->connection, NULL) != 1)
        return fail(db, NULL);
    bool copied = check(db, PQgetResult(db->connection), PGRES_COMMAND_OK);
    for (PGresult *more; (more = PQgetResult(db->connection)) != NULL;)
        PQclear(more);
    return copied;
}

/* Runs a statement and tells how many rows it changed. */
static bool run_counting(postgres_db *db, const char *sql, uint64_t *changed)
{
    PGresult *result = PQexec(db->connection, sql);
    if (PQresultStatus(result) == PGRES_COMMAND_OK)
        *changed = strtoull(PQcmdTuples(result), NULL, 10);
    return check(db, result, PGRES_COMMAND_OK);
}

/* Gives the staged pages their ids: that of the page they replace, or the next. */
static bool number_staged(postgres_db *db, int64_t *next_id, wn_store_counts *counts)
{
    uint64_t updated = 0, added = 0;
    char sql[400];
    snprintf(
        sql, sizeof sql,
        "UPDATE staged SET id = fresh.id FROM (SELECT seq, %lld + row_number() OVER"
        " (ORDER BY seq) AS id FROM staged WHERE id IS NULL) fresh WHERE staged.seq = fresh.seq",
        (long long)*next_id - 1);
    if (!run_counting(db, "UPDATE staged SET id = p.id FROM pages p WHERE p.key = staged.key",
                      &updated) ||
        !run_counting(db, sql, &added))
        return false;
    *next_id += (int64_t)added;
    counts->added += added;
    counts->updated += updated;
    return true;
}

static bool move_staged(postgres_db *db)
{
    return run_sql(&db->base,
                   "INSERT INTO pages (id, key, " SHORT_COLUMNS ") SELECT id, key, " SHORT_COLUMNS
                   " FROM staged ORDER BY id ON CONFLICT (id) DO UPDATE SET url = excluded.url,"
                   " host = excluded.host, label = excluded.label, title = excluded.title,"
                   " author = excluded.author, date = excluded.date, language = excluded.language,"
                   " source = excluded.source, method = excluded.method,"
                   " source_offset = excluded.source_offset, status = excluded.status,"
                   " copy_of = NULL, page_bytes = excluded.page_bytes,"
                   " text_bytes = excluded.text_bytes, words = excluded.words,"
                   " page_hash = excluded.page_hash, text_hash = excluded.text_hash,"
                   " added = excluded.added, source_inner = excluded.source_inner;"
                   "INSERT INTO texts (id, title_stems, text, stems, all_stems, vector)"
                   " SELECT id, title_stems, text, stems, all_stems, vector FROM staged ORDER BY id"
                   " ON CONFLICT (id) DO UPDATE SET title_stems = excluded.title_stems,"
                   " text = excluded.text, stems = excluded.stems, all_stems = excluded.all_stems,"
                   " vector = excluded.vector;"
                   "TRUNCATE staged");
}

static bool make_staging(postgres_db *db)
{
    if (db->has_staging)
        return true;
    db->has_staging = run_sql(
        &db->base,
        "CREATE TEMPORARY TABLE IF NOT EXISTS staged (seq BIGINT, id BIGINT, key BYTEA,"
        " url TEXT, host TEXT, label TEXT, title TEXT, author TEXT, date TEXT,"
        " language TEXT, source TEXT, method TEXT, source_offset BIGINT, status INTEGER,"
        " page_bytes BIGINT, text_bytes BIGINT, words BIGINT, page_hash BIGINT,"
        " text_hash BIGINT, added BIGINT, source_inner BIGINT, title_stems TEXT, text TEXT, stems TEXT,"
        " all_stems TEXT,"
        " vector TSVECTOR) ON COMMIT DELETE ROWS");
    return db->has_staging;
}

static bool flush(wn_db *base, int64_t *next_id, wn_store_counts *counts)
{
    postgres_db *db = (postgres_db *)base;
    if (db->staged_pages == 0)
        return true;
    if (db->staged.failed)
        return wn_corpus_db_fail(base, "out of memory");
    bool done = make_staging(db) && copy_staged(db) && number_staged(db, next_id, counts) &&
                move_staged(db);
    drop_staged(db);
    return done;
}

static bool is_staged(const postgres_db *db, const char key[WN_DB_KEY])
{
    for (size_t i = 0; i < db->staged_pages; i++) {
        if (memcmp(db->staged_keys[i], key, WN_DB_KEY) == 0)
            return true;
    }
    return false;
}

/* Of two pages with the same key the first must be in the table before the second comes. */
static bool put(wn_db *base, const wn_db_page *page, int64_t *next_id, wn_store_counts *counts)
{
    postgres_db *db = (postgres_db *)base;
    bool full = db->staged_pages == STAGED_PAGES || db->staged.len > STAGED_BYTES;
    if ((full || is_staged(db, page->key)) && !flush(base, next_id, counts))
        return false;
    stage_page(db, page);
    return true;
}

/* The words go with the row. */
static bool forget(wn_db *base, int64_t id)
{
    (void)base, (void)id;
    return true;
}

static bool reindex(wn_db *base)
{
    return run_sql(base, "REINDEX INDEX page_index");
}

/* ---- Search ------------------------------------------------------------------------------ */

/* Adds 'word' or 'word':A as a tsquery inside a string of SQL. */
static void add_query_word(wn_buf *sql, wn_str word, char weight)
{
    wn_buf lexeme = {0};
    add_lexeme(&lexeme, word);
    for (size_t i = 0; i < lexeme.len; i++) {
        if (lexeme.ptr[i] == '\'')
            wn_buf_add_char(sql, '\'');
        wn_buf_add_char(sql, lexeme.ptr[i]);
    }
    if (weight)
        wn_buf_add_format(sql, ":%c", weight);
    wn_buf_free(&lexeme);
}

static bool frequency(wn_db *base, wn_str stem, uint64_t *pages)
{
    wn_buf sql = {0};
    int64_t found = 0;
    wn_buf_add_literal(&sql, "SELECT count(*) FROM texts WHERE vector @@ '");
    add_query_word(&sql, stem, 0);
    wn_buf_add_literal(&sql, "'::tsquery");
    bool done = wn_corpus_db_number(base, wn_buf_c_string(&sql), NULL, 0, 0, &found);
    wn_buf_free(&sql);
    *pages = (uint64_t)found;
    return done;
}

/* What a stem adds to a page's worth: the worth of its level times its weight. */
static void add_worth(wn_buf *sql, wn_str stem, double weight)
{
    wn_buf_add_literal(sql, " + CASE");
    for (size_t level = WN_LEVELS; level-- > 0;) {
        wn_buf_add_literal(sql, " WHEN t.vector @@ '");
        add_query_word(sql, stem, level_weights[level]);
        wn_buf_add_format(sql, "'::tsquery THEN %.17g::float8 * %.17g::float8", weight,
                          wn_level_worth[level]);
    }
    wn_buf_add_literal(sql, " ELSE 0 END");
}

static void write_search(wn_buf *sql, const wn_search_term *terms, size_t count, const char *where)
{
    wn_buf_add_literal(sql, "SELECT t.id, 0::float8");
    for (size_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < terms[i].stems.count; j++)
            add_worth(sql, terms[i].stems.items[j], terms[i].weights.items[j]);
    }
    wn_buf_add_literal(sql, " AS worth FROM texts t");
    if (where[0])
        wn_buf_add_literal(sql, " JOIN pages p ON p.id = t.id");
    wn_buf_add_literal(sql, " WHERE t.vector @@ '");
    for (size_t i = 0; i < count; i++) {
        wn_buf_add_literal(sql, i ? " & (" : "(");
        for (uint32_t j = 0; j < terms[i].stems.count; j++) {
            wn_buf_add_literal(sql, j ? " | " : "");
            add_query_word(sql, terms[i].stems.items[j], 0);
        }
        wn_buf_add_char(sql, ')');
    }
    wn_buf_add_literal(sql, "'::tsquery");
    if (where[0])
        wn_buf_add_format(sql, " AND (%s)", where);
    wn_buf_add_literal(sql, " ORDER BY 2 DESC, 1");
}

static wn_rows *search(wn_db *base, const wn_search_term *terms, size_t count, const char *where,
                       const wn_value *values, size_t value_count)
{
    wn_buf sql = {0};
    write_search(&sql, terms, count, where);
    wn_rows *rows = query(base, wn_buf_c_string(&sql), values, value_count);
    wn_buf_free(&sql);
    return rows;
}

const wn_driver wn_driver_postgres = {
    .name = "PostgreSQL",
    WN_DRIVER_CALLS,
    .bytewise = " COLLATE \"C\"",
};
