/*
 * The metadata before a text, in the form that Markdown tools know as front matter and
 * that is YAML:
 *
 *     ---
 *     title: "Mills of the North"
 *     authors: ["Jane Miller"]
 *     date: 2024-05-03
 *     ---
 *
 * Strings are written as JSON writes them, which is also YAML: no title can end its line early.
 */
#include "write/write.h"

#include "base/json.h"

static void add_key(wn_buf *out, const char *key)
{
    wn_buf_add_literal(out, key);
    wn_buf_add_literal(out, ": ");
}

static void add_string(wn_buf *out, const char *key, const char *value)
{
    wn_json_writer json = {.out = out};
    if (!*value)
        return;
    add_key(out, key);
    wn_json_c_string(&json, value);
    wn_buf_add_char(out, '\n');
}

/* Digits and marks only: it needs no quotes. */
static void add_date(wn_buf *out, const char *key, const char *date)
{
    if (!*date)
        return;
    add_key(out, key);
    wn_buf_add_literal(out, date);
    wn_buf_add_char(out, '\n');
}

static void add_list(wn_buf *out, const char *key, const char *const *values, size_t count)
{
    wn_json_writer json = {.out = out};
    if (count == 0)
        return;
    add_key(out, key);
    wn_json_begin_array(&json);
    for (size_t i = 0; i < count; i++)
        wn_json_c_string(&json, values[i]);
    wn_json_end_array(&json);
    wn_buf_add_char(out, '\n');
}

void wn_write_front_matter(wn_buf *out, const winnow_metadata *m)
{
    wn_buf_add_literal(out, "---\n");
    size_t start = out->len;
    add_string(out, "title", m->title);
    add_list(out, "authors", m->authors, m->author_count);
    add_date(out, "date", m->published);
    add_date(out, "modified", m->modified);
    add_string(out, "site", m->site);
    add_string(out, "description", m->description);
    add_string(out, "language", m->language);
    add_string(out, "canonical", m->url);
    add_string(out, "image", m->image);
    add_list(out, "tags", m->tags, m->tag_count);
    add_list(out, "categories", m->categories, m->category_count);
    add_string(out, "licence", m->licence);
    if (out->len == start)
        wn_buf_clear(out);
    else
        wn_buf_add_literal(out, "---\n");
}
