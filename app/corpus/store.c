/*
 * The store: opening, versions, transactions, pages in.
 *
 * The schema has a version, the number of steps that made it (db.h). A store that lacks the last
 * steps is brought up to date when it is opened; one that has more comes from a newer winnow, and
 * nothing is done with it.
 *
 * A page's key is a hash of its source and offset with the store's own secret.
 */
#include "corpus/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/utf8.h"
#include "corpus/mined_text.h"
#include "corpus/store_parts.h"
#include "io/message.h"

static const wn_driver *const drivers[] = {
#ifdef WN_HAVE_POSTGRES
    &wn_driver_postgres,
#endif
#ifdef WN_HAVE_SQLITE
    &wn_driver_sqlite,
#endif
    NULL,
};

/* Nobody has so many pages; from here on one can count without looking. */
#define MOST_ID (UINT64_C(1) << 60)

/* ---- Database helpers -------------------------------------------------------------------- */

bool wn_corpus_db_fail(wn_db *db, const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    wn_buf_clear(&db->error);
    for (const char *p = message; *p; p++) { /* databases break their messages into lines */
        bool space = wn_is_space(*p);
        if (!space || (db->error.len > 0 && db->error.ptr[db->error.len - 1] != ' '))
            wn_buf_add_char(&db->error, space ? ' ' : *p);
    }
    return false;
}

wn_str wn_corpus_db_text(wn_arena *repaired, wn_str text)
{
    if (wn_utf8_valid_prefix(text) == text.len)
        return text;
    wn_buf buf = {0};
    wn_utf8_add_repaired(&buf, text);
    wn_str kept = wn_arena_copy(repaired, wn_buf_str(&buf));
    repaired->failed = repaired->failed || buf.failed;
    wn_buf_free(&buf);
    return kept;
}

bool wn_corpus_db_number(wn_db *db, const char *sql, const wn_value *values, size_t count,
                         int64_t otherwise, int64_t *number)
{
    const wn_driver *driver = db->driver;
    wn_rows *rows = driver->query(db, sql, values, count);
    *number = otherwise;
    if (!rows)
        return false;
    if (driver->next(rows) && !driver->is_null(rows, 0))
        *number = driver->number(rows, 0);
    return driver->end(rows);
}

bool wn_corpus_db_run(wn_db *db, const char *sql, const wn_value *values, size_t count)
{
    wn_rows *rows = db->driver->query(db, sql, values, count);
    if (!rows)
        return false;
    while (db->driver->next(rows)) {
    }
    return db->driver->end(rows);
}

/* ---- What is known of the store itself ---------------------------------------------------- */

static bool set_meta(wn_store *store, const char *name, wn_str value)
{
    const wn_value values[] = {wn_corpus_text_value(wn_str_of(name)), wn_corpus_text_value(value)};
    return wn_corpus_db_run(store->db,
                            "INSERT INTO meta (name, value) VALUES ($1, $2)"
                            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                            values, 2);
}

static bool set_meta_number(wn_store *store, const char *name, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return set_meta(store, name, wn_str_of(text));
}

/* A number of the table; 0 when it is not there. */
static bool get_meta_number(wn_store *store, const char *name, uint64_t *number)
{
    const wn_driver *driver = store->db->driver;
    wn_value value = wn_corpus_text_value(wn_str_of(name));
    wn_rows *rows = driver->query(store->db, "SELECT value FROM meta WHERE name = $1", &value, 1);
    *number = 0;
    if (!rows)
        return false;
    if (driver->next(rows)) {
        wn_str text = driver->text(rows, 0);
        for (size_t i = 0; i < text.len && wn_is_ascii_digit(text.ptr[i]); i++)
            *number = *number * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    return driver->end(rows);
}

/* ---- Versions ---------------------------------------------------------------------------- */

static uint64_t newest_version(const wn_driver *driver)
{
    uint64_t version = 0;
    while (driver->schema[version])
        version++;
    return version;
}

static bool make_secret(wn_store *store)
{
    uint64_t halves[2];
    if (getrandom(halves, sizeof halves, 0) != (ssize_t)sizeof halves)
        return wn_corpus_db_fail(store->db, "no random numbers: %s", strerror(errno));
    return set_meta_number(store, "secret_low", halves[0]) &&
           set_meta_number(store, "secret_high", halves[1]) && set_meta_number(store, "next_id", 1);
}

/*
 * The version of the store; 0: there is nothing in it. One that is newer than this winnow is a
 * failure.
 */
static bool read_version(wn_store *store, uint64_t *version)
{
    uint64_t newest = newest_version(store->db->driver);
    bool empty;
    *version = 0;
    if (!store->db->driver->is_empty(store->db, &empty) ||
        (!empty && !get_meta_number(store, "version", version)))
        return false;
    if (!empty && *version == 0)
        return wn_corpus_db_fail(store->db,
                                 "it is damaged: it does not say of which version it is");
    if (*version <= newest)
        return true;
    return wn_corpus_db_fail(store->db,
                             "it was made by a newer winnow (version %" PRIu64
                             " of the store, this one knows %" PRIu64 "); please update winnow",
                             *version, newest);
}

/* Makes the tables, or those that an older winnow did not make. */
static bool run_steps(wn_store *store)
{
    const wn_driver *driver = store->db->driver;
    uint64_t version;
    if (!read_version(store, &version)) /* another process may have run them meanwhile */
        return false;
    if (version == newest_version(driver))
        return true;
    for (uint64_t step = version; driver->schema[step]; step++) {
        if (!driver->run(store->db, driver->schema[step]))
            return false;
    }
    if (version == 0 && !make_secret(store))
        return false;
    if (version > 0 && version < driver->index_version && !driver->reindex(store->db))
        return false;
    if (version > 0 && version < WN_STEMS_VERSION && !wn_corpus_mined_text_fill(store))
        return false;
    return set_meta_number(store, "version", newest_version(driver));
}

static bool bring_up_to_date(wn_store *store)
{
    const wn_driver *driver = store->db->driver;
    if (!driver->begin(store->db))
        return false;
    bool done = run_steps(store) && driver->commit(store->db);
    if (!done)
        wn_corpus_store_rollback(store);
    return done;
}

static bool check_version(wn_store *store, wn_store_mode mode)
{
    uint64_t version;
    if (!read_version(store, &version))
        return false;
    if (version == 0 && mode != WN_STORE_MAKE)
        return wn_corpus_db_fail(store->db,
                                 "there is nothing in it; 'winnow corpus add' makes a store");
    return version == newest_version(store->db->driver) || bring_up_to_date(store);
}

static bool read_next_id(wn_store *store)
{
    uint64_t next_id;
    if (!get_meta_number(store, "next_id", &next_id))
        return false;
    if (next_id < 1 || next_id > MOST_ID)
        return wn_corpus_db_fail(store->db,
                                 "it is damaged: the number of its next page is %" PRIu64, next_id);
    store->next_id = store->stored_next_id = (int64_t)next_id;
    return true;
}

static bool read_meta(wn_store *store)
{
    return get_meta_number(store, "secret_low", &store->secret.low) &&
           get_meta_number(store, "secret_high", &store->secret.high) && read_next_id(store);
}

/* ---- Opening ----------------------------------------------------------------------------- */

bool wn_corpus_store_is_remote(const char *name)
{
    wn_str s = wn_str_of(name);
    return wn_str_starts(s, WN_STR("postgresql://")) || wn_str_starts(s, WN_STR("postgres://"));
}

/* A password does not belong into messages: "postgresql://me:***@host/?password=***". */
static void add_without_passwords(wn_buf *out, const char *name)
{
    static const char option[] = "password=";
    const char *user = strstr(name, "://") + 3;
    const char *colon = strchr(user, ':'), *at = strrchr(user, '@');
    if (colon && at && colon < at) {
        wn_buf_add(out, wn_str_between(name, colon + 1));
        wn_buf_add_literal(out, "***");
        name = at;
    }
    for (const char *found; (found = strstr(name, option));) {
        const char *value = found + strlen(option);
        wn_buf_add(out, wn_str_between(name, value));
        wn_buf_add_literal(out, "***");
        name = value + strcspn(value, "&");
    }
    wn_buf_add_literal(out, name);
}

static void add_store_name(wn_buf *out, const char *name)
{
    wn_buf shown = {0};
    if (wn_corpus_store_is_remote(name))
        add_without_passwords(&shown, name);
    else
        wn_buf_add_literal(&shown, name);
    wn_add_quoted(out, wn_buf_c_string(&shown));
    wn_buf_free(&shown);
}

static const wn_driver *find_driver(const char *name)
{
    for (size_t i = 0; drivers[i]; i++) {
        if (drivers[i]->takes(name))
            return drivers[i];
    }
    return NULL;
}

static wn_store *fail_to_open(wn_store *store, wn_str reason, const char *name, wn_buf *error)
{
    wn_buf message = {0};
    wn_buf_add_literal(&message, "cannot open the store ");
    add_store_name(&message, name);
    wn_buf_add_literal(&message, ": ");
    wn_add_printable(&message, wn_str_trim(reason));
    wn_buf_clear(error);
    wn_buf_add(error, wn_buf_str(&message));
    wn_buf_free(&message);
    wn_corpus_store_close(store);
    return NULL;
}

wn_store *wn_corpus_store_open(const char *name, wn_store_mode mode, wn_buf *error)
{
    const wn_driver *driver = find_driver(name);
    if (!driver)
        return fail_to_open(NULL, WN_STR("this winnow was built without that kind of database"),
                            name, error);
    if (!name[0])
        return fail_to_open(NULL, WN_STR("it has no name"), name, error);
    if (!wn_corpus_store_is_remote(name) && mode != WN_STORE_MAKE && access(name, F_OK) != 0)
        return fail_to_open(NULL, WN_STR("it does not exist; 'winnow corpus add' makes a store"),
                            name, error);
    wn_store *store = calloc(1, sizeof *store);
    if (!store)
        return fail_to_open(NULL, WN_STR("out of memory"), name, error);
    wn_buf reason = {0};
    store->db = driver->open(name, mode, &reason);
    if (store->db && !(check_version(store, mode) && read_meta(store)))
        wn_buf_add(&reason, wn_buf_str(&store->db->error));
    if (!store->db || reason.len > 0) {
        fail_to_open(store, wn_buf_str(&reason), name, error);
        store = NULL;
    }
    wn_buf_free(&reason);
    return store;
}

void wn_corpus_store_close(wn_store *store)
{
    if (!store)
        return;
    if (store->in_transaction)
        wn_corpus_store_rollback(store);
    wn_corpus_store_walk_close(store->got);
    if (store->db)
        store->db->driver->close(store->db);
    wn_arena_free(&store->repaired);
    wn_corpus_index_free(&store->index);
    wn_buf_free(&store->key);
    wn_buf_free(&store->languages);
    free(store);
}

const char *wn_corpus_store_error(const wn_store *store)
{
    return wn_buf_c_string(&store->db->error);
}

/* ---- Transactions ------------------------------------------------------------------------ */

bool wn_corpus_store_begin(wn_store *store)
{
    if (!store->db->driver->begin(store->db))
        return false;
    store->in_transaction = true;
    store->in_batch = (wn_store_counts){0};
    return read_next_id(store);
}

bool wn_corpus_store_commit(wn_store *store)
{
    const wn_driver *driver = store->db->driver;
    if (!driver->flush(store->db, &store->next_id, &store->in_batch))
        return false;
    if (store->next_id != store->stored_next_id &&
        !set_meta_number(store, "next_id", (uint64_t)store->next_id))
        return false;
    if (!driver->commit(store->db))
        return false;
    store->in_transaction = false;
    store->counts.added += store->in_batch.added;
    store->counts.updated += store->in_batch.updated;
    return true;
}

void wn_corpus_store_rollback(wn_store *store)
{
    wn_buf kept = store->db->error; /* the cause of it all */
    store->db->error = (wn_buf){0};
    store->db->driver->rollback(store->db);
    wn_buf_free(&store->db->error);
    store->db->error = kept;
    wn_buf_clear(&store->languages); /* some may have been noted in vain */
    store->in_transaction = false;
}

bool wn_corpus_store_alone(wn_store *store, bool (*work)(wn_store *, const void *),
                           const void *data)
{
    if (store->in_transaction)
        return work(store, data);
    if (wn_corpus_store_begin(store) && work(store, data) && wn_corpus_store_commit(store))
        return true;
    wn_corpus_store_rollback(store);
    return false;
}

wn_store_counts wn_corpus_store_counted(const wn_store *store)
{
    return store->counts;
}

/* ---- Pages in ---------------------------------------------------------------------------- */

static const char *const status_names[WN_STORED_STATUSES] = {"ok", "partial", "empty", "copy"};

const char *wn_corpus_stored_status_name(size_t status)
{
    return status < WN_STORED_STATUSES ? status_names[status] : "unknown";
}

static void make_key(wn_store *store, wn_str source, uint64_t offset, uint64_t inner,
                     char key[WN_DB_KEY])
{
    wn_buf_clear(&store->key);
    wn_buf_add_format(&store->key, "%" PRIu64 " %" PRIu64 " ", offset, inner);
    wn_buf_add(&store->key, source);
    wn_hash_stable128(store->secret, wn_buf_str(&store->key), key);
}

/* Text that every database takes: well-formed UTF-8 without NULs, which become U+FFFD. */
static wn_str repair(wn_store *store, wn_str s)
{
    if (wn_utf8_valid_prefix(s) == s.len && !memchr(s.ptr, '\0', s.len))
        return s;
    wn_buf fixed = {0};
    while (s.len > 0) {
        size_t valid = wn_utf8_valid_prefix(s);
        const char *nul = memchr(s.ptr, '\0', valid);
        size_t good = nul ? (size_t)(nul - s.ptr) : valid;
        wn_buf_add(&fixed, wn_str_from(s.ptr, good));
        s = wn_str_from_offset(s, good);
        if (s.len > 0) {
            wn_buf_add_literal(&fixed, "\xEF\xBF\xBD");
            s = wn_str_from_offset(s, nul ? 1 : wn_utf8_ill_formed(s));
        }
    }
    wn_str copy = wn_arena_copy(&store->repaired, wn_buf_str(&fixed));
    wn_buf_free(&fixed);
    return copy;
}

static wn_stored repair_page(wn_store *store, const wn_stored *page)
{
    wn_stored p = *page;
    wn_str *strings[] = {&p.url,   &p.host,      &p.label,      &p.title,  &p.author,
                         &p.date,  &p.language,  &p.source,     &p.method, &p.text,
                         &p.stems, &p.all_stems, &p.title_stems};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        *strings[i] = repair(store, *strings[i]);
    return p;
}

/* Searches ask which languages there are; more than a few dozen are nobody's languages. */
enum { MAX_LANGUAGES = 1024 };

/* Notes the language of a page, when it is the first in it that this process puts. */
static bool note_language(wn_store *store, wn_str language)
{
    wn_str noted = wn_buf_str(&store->languages);
    if (language.len == 0 || noted.len > MAX_LANGUAGES)
        return true;
    for (wn_str one; wn_corpus_next_stem(&noted, &one);) {
        if (wn_str_eq(one, language))
            return true;
    }
    wn_buf_add(&store->languages, language);
    wn_buf_add_char(&store->languages, ' ');
    return wn_corpus_store_note_set(store, "language", language, WN_STR("1"));
}

bool wn_corpus_store_put(wn_store *store, const wn_stored *page)
{
    wn_arena_reset(&store->repaired);
    wn_stored repaired = repair_page(store, page);
    wn_db_page p = {.page = &repaired, .index = page->index ? page->index : &store->index};
    make_key(store, page->source, page->offset, page->inner, p.key);
    bool ready = page->index ||
                 wn_corpus_index_words(&store->index, repaired.title_stems, repaired.all_stems);
    if (!ready || store->repaired.failed || store->key.failed)
        return wn_corpus_db_fail(store->db, "out of memory");
    return note_language(store, repaired.language) &&
           store->db->driver->put(store->db, &p, &store->next_id, &store->in_batch);
}

bool wn_corpus_store_find(wn_store *store, wn_str source, uint64_t offset, uint64_t inner,
                          bool *found, uint64_t *page_hash)
{
    char key[WN_DB_KEY];
    make_key(store, source, offset, inner, key);
    const wn_driver *driver = store->db->driver;
    wn_value value = wn_corpus_bytes_value(wn_str_from(key, sizeof key));
    wn_rows *rows = driver->query(store->db, "SELECT page_hash FROM pages WHERE key = $1", &value,
                                  1);
    *found = false;
    if (!rows)
        return false;
    if (driver->next(rows)) {
        *found = true;
        *page_hash = (uint64_t)driver->number(rows, 0);
    }
    return driver->end(rows);
}
