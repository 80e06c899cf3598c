#include "base/escape.h"

/*
 * The replacement of the character at `p`; NULL: the character itself. *size is its number of
 * bytes.
 */
static const char *escape_of(const char *p, const char *end, bool lines, size_t *size)
{
    *size = 1;
    switch (*p) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\n':
    case '\t':
        return lines ? NULL : " ";
    case '\xEF':
        if (end - p < 3 || p[1] != '\xBF' || (unsigned char)p[2] < 0xBE)
            return NULL;
        *size = 3;
        return "\xEF\xBF\xBD";
    default:
        return (unsigned char)*p < 0x20 ? " " : NULL;
    }
}

static void add_escaped(wn_buf *out, wn_str text, bool lines)
{
    const char *p = text.ptr, *end = p + text.len, *plain = p;
    while (p < end) {
        size_t size;
        const char *escape = escape_of(p, end, lines, &size);
        if (escape) {
            wn_buf_add(out, wn_str_between(plain, p));
            wn_buf_add_literal(out, escape);
            plain = p + size;
        }
        p += size;
    }
    wn_buf_add(out, wn_str_between(plain, end));
}

void wn_add_escaped(wn_buf *out, wn_str text)
{
    add_escaped(out, text, false);
}

void wn_add_escaped_lines(wn_buf *out, wn_str text)
{
    add_escaped(out, text, true);
}

static void add_csv_field(wn_buf *out, wn_str mark, wn_str field)
{
    bool quoted = false;
    for (size_t i = 0; i < field.len && !quoted; i++)
        quoted = strchr(",\"\r\n", field.ptr[i]) != NULL;
    if (!quoted) {
        wn_buf_add(out, mark);
        wn_buf_add(out, field);
        return;
    }
    wn_buf_add_char(out, '"');
    wn_buf_add(out, mark);
    for (size_t i = 0; i < field.len; i++) {
        if (field.ptr[i] == '"')
            wn_buf_add_char(out, '"');
        wn_buf_add_char(out, field.ptr[i]);
    }
    wn_buf_add_char(out, '"');
}

void wn_add_csv_field(wn_buf *out, wn_str field)
{
    add_csv_field(out, WN_STR(""), field);
}

static bool looks_like_a_formula(wn_str field)
{
    return field.len > 0 && memchr("=+-@\t\r", field.ptr[0], 6);
}

void wn_add_csv_cell(wn_buf *out, wn_str field, bool safe)
{
    add_csv_field(out, safe && looks_like_a_formula(field) ? WN_STR("'") : WN_STR(""), field);
}
