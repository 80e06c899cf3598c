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
 * Strings are written as JSON writes them, which is also YAML: no title can end its line early. But
 * YAML allows fewer characters as they are than JSON does: the others are escaped too.
 */
#include "write/write.h"

#include "base/json.h"
#include "base/utf8.h"
#include "write/fields.h"

/* Control characters, ends of lines for YAML 1.1, and what is no character. */
static bool is_special(uint32_t c)
{
    return (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE ||
           c == 0xFFFF;
}

/* Adds what JSON wrote. */
static void add_escaped(wn_buf *out, wn_str json)
{
    const char *p = json.ptr, *end = p + json.len, *plain = p;
    while (p < end) {
        const char *at = p;
        uint32_t c = wn_utf8_next(&p);
        if (!is_special(c))
            continue;
        wn_buf_add(out, wn_str_between(plain, at));
        wn_buf_add_format(out, "\\u%04x", (unsigned)c);
        plain = p;
    }
    wn_buf_add(out, wn_str_between(plain, end));
}

static void add_values(wn_buf *out, const wn_write_field *field)
{
    wn_buf text = {0};
    wn_json_writer json = {.out = &text};
    if (field->is_list)
        wn_json_begin_array(&json);
    for (size_t i = 0; i < field->count; i++)
        wn_json_c_string(&json, field->values[i]);
    if (field->is_list)
        wn_json_end_array(&json);
    if (text.len > 0)
        add_escaped(out, wn_buf_str(&text));
    out->failed |= text.failed;
    wn_buf_free(&text);
}

/* The fields that have values, between two lines "---"; nothing if there are none. */
static void add_fields(wn_buf *out, const winnow_metadata *m)
{
    static const char ruling[] = "---\n";
    wn_write_field field;
    size_t start = out->len;
    for (size_t i = 0; wn_write_field_at(m, i, &field); i++) {
        if (field.count == 0)
            continue;
        wn_buf_add_format(out, "%s%s: ", out->len == start ? ruling : "", field.list_name);
        if (field.is_date)
            wn_buf_add_literal(out, field.values[0]); /* digits and marks need no quotes */
        else
            add_values(out, &field);
        wn_buf_add_char(out, '\n');
    }
    wn_buf_add_literal(out, out->len > start ? ruling : "");
}

void wn_write_front_matter(wn_buf *out, const wn_write_report *report, wn_str body,
                           const wn_write_options *options)
{
    if (options->metadata) {
        add_fields(out, report->metadata);
        if (body.len > 0)
            wn_buf_add_char(out, '\n');
    }
    wn_buf_add(out, body);
}
