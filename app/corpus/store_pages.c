/*
 * Pages of the store: walks over them, marks, removal.
 *
 * A walk reads the short attributes of some hundred pages at a time, from the id on where it is,
 * and then the texts of as many of them as fit a fixed memory. So it needs no cursor that other
 * statements could disturb, and no page can make it large but by its own size.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus/store_parts.h"

enum {
    WALK_PAGES = 500,          /* read at once */
    WALK_TEXTS = 8 * (1 << 20) /* bytes of texts read at once, unless one page has more */
};

/* ---- Conditions -------------------------------------------------------------------------- */

static void add_condition(wn_condition *c, const char *left, wn_value value)
{
    c->values[c->count++] = value;
    wn_buf_add_format(&c->sql, "%s%s $%zu", c->sql.len ? " AND " : "", left, c->count);
}

static void add_text_condition(wn_condition *c, const char *left, const char *text)
{
    if (text)
        add_condition(c, left, wn_corpus_text_value(wn_str_of(text)));
}

/* "2024" means all of that year: of a page's date as much counts as is given. */
static void add_until(wn_condition *c, const char *until)
{
    char left[64];
    if (!until)
        return;
    snprintf(left, sizeof left, "p.date <> '' AND substr(p.date, 1, %zu) <=", strlen(until));
    add_text_condition(c, left, until);
}

/* ".example.org" is example.org and what ends in .example.org; % and _ have a meaning in LIKE. */
static void add_host(wn_condition *c, const char *host)
{
    if (!host || host[0] != '.') {
        add_text_condition(c, "p.host =", host);
        return;
    }
    wn_buf_add_char(&c->pattern, '%');
    for (const char *p = host; *p; p++) {
        if (*p == '%' || *p == '_' || *p == '!')
            wn_buf_add_char(&c->pattern, '!');
        wn_buf_add_char(&c->pattern, *p);
    }
    c->values[c->count++] = wn_corpus_text_value(wn_str_of(host + 1));
    c->values[c->count++] = wn_corpus_text_value(wn_buf_str(&c->pattern));
    wn_buf_add_format(&c->sql, "%s(p.host = $%zu OR p.host LIKE $%zu ESCAPE '!')",
                      c->sql.len ? " AND " : "", c->count - 1, c->count);
}

/* The status that counts: a copy is a copy, whatever it was before. */
#define EFFECTIVE_STATUS "CASE WHEN p.copy_of IS NULL THEN p.status ELSE 3 END"

static void add_statuses(wn_condition *c, unsigned statuses)
{
    const char *separator = "";
    if (!statuses)
        return;
    wn_buf_add_format(&c->sql, "%s" EFFECTIVE_STATUS " IN (", c->sql.len ? " AND " : "");
    for (unsigned status = 0; status < WN_STORED_STATUSES; status++) {
        if (!(statuses & 1u << status))
            continue;
        wn_buf_add_format(&c->sql, "%s%u", separator, status);
        separator = ", ";
    }
    wn_buf_add_char(&c->sql, ')');
}

void wn_corpus_condition_make(wn_condition *condition, const wn_store_filter *filter)
{
    *condition = (wn_condition){0};
    if (!filter)
        return;
    add_text_condition(condition, "p.label =", filter->label);
    add_text_condition(condition, "p.language =", filter->language);
    add_text_condition(condition, "p.date >=", filter->since);
    add_until(condition, filter->until);
    add_text_condition(condition, "p.source =", filter->source);
    add_text_condition(condition, "p.url =", filter->url);
    add_host(condition, filter->host);
    add_statuses(condition, filter->statuses);
    if (filter->after)
        add_condition(condition, "p.id >", wn_corpus_int_value(filter->after));
}

void wn_corpus_condition_free(wn_condition *condition)
{
    wn_buf_free(&condition->sql);
    wn_buf_free(&condition->pattern);
}

/* ---- Columns ----------------------------------------------------------------------------- */

const char wn_page_columns[] =
    "p.id, p.url, p.host, p.label, p.title, p.author, p.date, p.language, p.source,"
    " p.source_offset, p.method, " EFFECTIVE_STATUS ", p.copy_of, p.page_bytes, p.text_bytes,"
    " p.words, p.page_hash, p.text_hash, p.added, p.source_inner";

void wn_corpus_page_read(const wn_driver *d, wn_rows *rows, wn_stored *page)
{
    *page = (wn_stored){
        .id = d->number(rows, 0),
        .url = d->text(rows, 1),
        .host = d->text(rows, 2),
        .label = d->text(rows, 3),
        .title = d->text(rows, 4),
        .author = d->text(rows, 5),
        .date = d->text(rows, 6),
        .language = d->text(rows, 7),
        .source = d->text(rows, 8),
        .offset = (uint64_t)d->number(rows, 9),
        .method = d->text(rows, 10),
        .status = (wn_stored_status)d->number(rows, 11),
        .copy_of = d->number(rows, 12),
        .page_bytes = (uint64_t)d->number(rows, 13),
        .text_bytes = (uint64_t)d->number(rows, 14),
        .words = (uint64_t)d->number(rows, 15),
        .page_hash = (uint64_t)d->number(rows, 16),
        .text_hash = (uint64_t)d->number(rows, 17),
        .added = d->number(rows, 18),
        .inner = (uint64_t)d->number(rows, 19),
        .text = WN_STR(""),
        .stems = WN_STR(""),
        .all_stems = WN_STR(""),
        .title_stems = WN_STR(""),
    };
}

/* ---- Walks ------------------------------------------------------------------------------- */

struct wn_store_walk {
    wn_store *store;
    wn_condition condition;
    wn_buf sql;
    unsigned fields;
    uint64_t left; /* pages that the limit allows */
    int64_t last;  /* id of the last page that was read */
    bool failed, ended;

    wn_array(wn_stored) pages; /* those that were read; `next` comes next */
    uint32_t next;
    uint32_t with_texts; /* up to here they have their texts */
    wn_arena strings, texts;
};

wn_store_walk *wn_corpus_store_walk_open(wn_store *store, const wn_store_filter *filter,
                                         unsigned fields)
{
    wn_store_walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return NULL;
    walk->store = store;
    walk->fields = fields;
    walk->left = filter && filter->limit ? filter->limit : UINT64_MAX;
    wn_store_filter from_here = filter ? *filter : (wn_store_filter){0};
    walk->last = from_here.after;
    from_here.after = 0;
    wn_corpus_condition_make(&walk->condition, &from_here);
    wn_buf_add_format(&walk->sql, "SELECT %s FROM pages p WHERE ", wn_page_columns);
    if (walk->condition.sql.len)
        wn_buf_add_format(&walk->sql, "%s AND ", wn_buf_c_string(&walk->condition.sql));
    wn_buf_add_format(&walk->sql, "p.id > $%zu ORDER BY p.id LIMIT $%zu", walk->condition.count + 1,
                      walk->condition.count + 2);
    return walk;
}

static void copy_strings(wn_arena *arena, wn_stored *page)
{
    wn_str *strings[] = {&page->url,  &page->host,     &page->label,  &page->title, &page->author,
                         &page->date, &page->language, &page->source, &page->method};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        *strings[i] = wn_arena_copy(arena, *strings[i]);
}

/* Reads the short attributes of the next pages; false at the end or when it failed. */
static bool read_pages(wn_store_walk *walk)
{
    wn_db *db = walk->store->db;
    wn_condition *c = &walk->condition;
    uint64_t most = walk->left < WALK_PAGES ? walk->left : WALK_PAGES;
    wn_arena_reset(&walk->strings);
    walk->pages.count = walk->next = walk->with_texts = 0;
    c->values[c->count] = wn_corpus_int_value(walk->last);
    c->values[c->count + 1] = wn_corpus_int_value((int64_t)most);
    wn_rows *rows = db->driver->query(db, wn_buf_c_string(&walk->sql), c->values, c->count + 2);
    bool memory = true;
    while (rows && memory && db->driver->next(rows)) {
        wn_stored *page = wn_array_push(&walk->pages);
        memory = page != NULL;
        if (!memory)
            break;
        wn_corpus_page_read(db->driver, rows, page);
        copy_strings(&walk->strings, page);
        walk->last = page->id;
        memory = !walk->strings.failed;
    }
    walk->failed = !rows || !db->driver->end(rows);
    if (!memory)
        walk->failed = !wn_corpus_db_fail(db, "out of memory");
    walk->left -= walk->pages.count;
    walk->ended = walk->pages.count < most;
    return !walk->failed && walk->pages.count > 0;
}

/* Reads texts of the pages from `next` to before `end`. */
static bool read_long(wn_store_walk *walk, const char *sql, uint32_t end)
{
    wn_db *db = walk->store->db;
    const wn_driver *d = db->driver;
    const wn_value range[] = {wn_corpus_int_value(walk->pages.items[walk->next].id),
                              wn_corpus_int_value(walk->pages.items[end - 1].id)};
    wn_rows *rows = d->query(db, sql, range, 2);
    uint32_t at = walk->next;
    while (rows && d->next(rows)) {
        int64_t id = d->number(rows, 0);
        while (at < end && walk->pages.items[at].id < id)
            at++;
        if (at == end || walk->pages.items[at].id != id)
            continue; /* not one of those that the filter wants */
        wn_stored *page = &walk->pages.items[at];
        page->text = wn_arena_copy(&walk->texts, d->text(rows, 1));
        page->stems = wn_arena_copy(&walk->texts, d->text(rows, 2));
        page->all_stems = wn_arena_copy(&walk->texts, d->text(rows, 3));
        page->title_stems = wn_arena_copy(&walk->texts, d->text(rows, 4));
    }
    if (!rows || !d->end(rows))
        return false;
    return !walk->texts.failed || wn_corpus_db_fail(db, "out of memory");
}

/* Whether pages between are left out by the filter: then their texts would be read for nothing. */
static bool is_dense(const wn_store_walk *walk, uint32_t end)
{
    int64_t span = walk->pages.items[end - 1].id - walk->pages.items[walk->next].id + 1;
    return span <= 2 * (int64_t)(end - walk->next);
}

/* How many pages from `next` on get their texts at once. */
static uint32_t choose_end(const wn_store_walk *walk)
{
    uint64_t size = 0;
    uint32_t end = walk->next;
    while (end < walk->pages.count) {
        size += walk->pages.items[end].text_bytes * 2;
        if (end > walk->next && (size > WALK_TEXTS || !is_dense(walk, end + 1)))
            break;
        end++;
    }
    return end;
}

static bool read_texts(wn_store_walk *walk)
{
    char sql[160];
    snprintf(sql, sizeof sql,
             "SELECT id, %s, %s, %s FROM texts WHERE id >= $1 AND id <= $2 ORDER BY id",
             walk->fields & WN_FIELD_TEXT ? "text" : "''",
             walk->fields & WN_FIELD_STEMS ? "stems" : "''",
             walk->fields & WN_FIELD_SEARCH ? "all_stems, title_stems" : "'', ''");
    uint32_t end = choose_end(walk);
    wn_arena_reset(&walk->texts);
    if (!read_long(walk, sql, end))
        return false;
    walk->with_texts = end;
    return true;
}

bool wn_corpus_store_walk_next(wn_store_walk *walk, wn_stored *page)
{
    if (walk->failed)
        return false;
    if (walk->next == walk->pages.count && (walk->ended || walk->left == 0 || !read_pages(walk)))
        return false;
    if (walk->fields && walk->next >= walk->with_texts && !read_texts(walk)) {
        walk->failed = true;
        return false;
    }
    *page = walk->pages.items[walk->next++];
    return true;
}

bool wn_corpus_store_walk_close(wn_store_walk *walk)
{
    if (!walk)
        return false;
    bool failed = walk->failed;
    wn_corpus_condition_free(&walk->condition);
    wn_buf_free(&walk->sql);
    wn_array_free(&walk->pages);
    wn_arena_free(&walk->strings);
    wn_arena_free(&walk->texts);
    free(walk);
    return !failed;
}

bool wn_corpus_store_get(wn_store *store, int64_t id, unsigned fields, bool *found, wn_stored *page)
{
    *found = false;
    if (id < 1) /* no page has such a number, but a damaged index may */
        return true;
    const wn_store_filter one = {.after = id - 1, .limit = 1};
    wn_corpus_store_walk_close(store->got);
    store->got = wn_corpus_store_walk_open(store, &one, fields);
    if (!store->got)
        return wn_corpus_db_fail(store->db, "out of memory");
    *found = wn_corpus_store_walk_next(store->got, page) && page->id == id;
    return !store->got->failed;
}

bool wn_corpus_store_places_each(wn_store *store, bool (*visit)(void *data, int64_t id), void *data)
{
    const wn_driver *d = store->db->driver;
    wn_buf sql = {0};
    wn_buf_add_format(&sql,
                      "SELECT p.id FROM pages p ORDER BY p.source%s, p.source_offset,"
                      " p.source_inner, p.id",
                      d->bytewise);
    wn_rows *rows = d->query(store->db, wn_buf_c_string(&sql), NULL, 0);
    wn_buf_free(&sql);
    while (rows && d->next(rows) && visit(data, d->number(rows, 0))) {
    }
    return rows && d->end(rows);
}

bool wn_corpus_store_count(wn_store *store, const wn_store_filter *filter, uint64_t *count)
{
    wn_condition condition;
    wn_buf sql = {0};
    int64_t number;
    wn_corpus_condition_make(&condition, filter);
    wn_buf_add_literal(&sql, "SELECT count(*) FROM pages p");
    if (condition.sql.len)
        wn_buf_add_format(&sql, " WHERE %s", wn_buf_c_string(&condition.sql));
    bool done = wn_corpus_db_number(store->db, wn_buf_c_string(&sql), condition.values,
                                    condition.count, 0, &number);
    *count = done ? (uint64_t)number : 0;
    wn_buf_free(&sql);
    wn_corpus_condition_free(&condition);
    return done;
}

/* ---- Changes ----------------------------------------------------------------------------- */

typedef struct id_pair {
    int64_t id, other;
} id_pair;

static bool mark_copy(wn_store *store, const void *data)
{
    const id_pair *pair = data;
    wn_value values[] = {wn_corpus_int_value(pair->id), wn_corpus_int_value(pair->other)};
    if (pair->other == 0)
        values[1] = (wn_value){.kind = WN_VALUE_NULL};
    return wn_corpus_db_run(
        store->db, "UPDATE pages SET copy_of = (SELECT id FROM pages WHERE id = $2) WHERE id = $1",
        values, 2);
}

bool wn_corpus_store_mark_copy(wn_store *store, int64_t id, int64_t copy_of)
{
    return wn_corpus_store_alone(store, mark_copy, &(id_pair){id, copy_of});
}

static bool remove_page(wn_store *store, const void *data)
{
    static const char *const statements[] = {
        "UPDATE pages SET copy_of = NULL WHERE copy_of = $1",
        "DELETE FROM texts WHERE id = $1",
        "DELETE FROM pages WHERE id = $1",
    };
    const wn_value id = wn_corpus_int_value(*(const int64_t *)data);
    bool done = store->db->driver->forget(store->db, id.number);
    for (size_t i = 0; done && i < sizeof statements / sizeof *statements; i++)
        done = wn_corpus_db_run(store->db, statements[i], &id, 1);
    return done;
}

static bool reindex(wn_store *store, const void *data)
{
    (void)data;
    return store->db->driver->reindex(store->db);
}

bool wn_corpus_store_reindex(wn_store *store)
{
    return wn_corpus_store_alone(store, reindex, NULL);
}

bool wn_corpus_store_remove(wn_store *store, int64_t id, bool *found)
{
    const wn_value value = wn_corpus_int_value(id);
    int64_t there;
    if (!wn_corpus_db_number(store->db, "SELECT id FROM pages WHERE id = $1", &value, 1, 0, &there))
        return false;
    *found = there != 0;
    return !*found || wn_corpus_store_alone(store, remove_page, &id);
}
