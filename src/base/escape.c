#include "base/escape.h"

static const char REPLACEMENT[] = "\xEF\xBF\xBD"; /* U+FFFD */

/*
 * The number of bytes of the noncharacter at `p`, which leads a character of three or four bytes;
 * 0 if it is a character. https://infra.spec.whatwg.org/#noncharacter
 */
static size_t noncharacter_size(const char *p, const char *end)
{
    const unsigned char *c = (const unsigned char *)p;
    if (c[0] == 0xEF && end - p >= 3)
        return (c[1] == 0xBF && c[2] >= 0xBE) || (c[1] == 0xB7 && c[2] >= 0x90 && c[2] < 0xB0) ? 3
                                                                                               : 0;
    return c[0] >= 0xF0 && end - p >= 4 && (c[1] & 15) == 15 && c[2] == 0xBF && c[3] >= 0xBE ? 4
                                                                                             : 0;
}

/*
 * The replacement of the character at `p`; NULL: the character itself. *size is its number of
 * bytes.
 */
static const char *escape_of(const char *p, const char *end, bool lines, size_t *size)
{
    *size = 1;
    if ((unsigned char)*p >= 0xEF) {
        size_t found = noncharacter_size(p, end);
        *size = found ? found : 1;
        return found ? REPLACEMENT : NULL;
    }
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
    case '\x7F':
        return " ";
    case '\xC2': /* leads U+0080 to U+009F */
        if (end - p < 2 || (unsigned char)p[1] >= 0xA0)
            return NULL;
        *size = 2;
        return " ";
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

/* The end of "https://user@host:80", where the path begins; 0 if there is no such beginning. */
static size_t authority_end(wn_str url)
{
    size_t end = 0;
    while (end < url.len && (wn_is_ascii_alnum(url.ptr[end]) || strchr("+-.", url.ptr[end])))
        end++;
    if (!wn_str_starts(wn_str_from_offset(url, end), WN_STR("://")))
        return 0;
    for (end += 3; end < url.len && !strchr("/?#", url.ptr[end]);)
        end++;
    return end;
}

/* Whether the character at `i` may not be in the path, query or fragment of an address. */
static bool is_invalid_in_url(wn_str url, size_t i, bool in_fragment)
{
    char c = url.ptr[i];
    if (c == '%')
        return i + 2 >= url.len || wn_hex_digit(url.ptr[i + 1]) < 0 ||
               wn_hex_digit(url.ptr[i + 2]) < 0;
    return c == '#' ? in_fragment : c != 0 && strchr(" \"<>[]\\^`{|}", c) != NULL;
}

void wn_add_escaped_url(wn_buf *out, wn_str url)
{
    bool in_fragment = false;
    size_t plain = 0;
    for (size_t i = authority_end(url); i < url.len; i++) {
        if (is_invalid_in_url(url, i, in_fragment)) {
            wn_add_escaped(out, wn_str_from(url.ptr + plain, i - plain));
            wn_buf_add_format(out, "%%%02X", (unsigned)(unsigned char)url.ptr[i]);
            plain = i + 1;
        }
        in_fragment |= url.ptr[i] == '#';
    }
    wn_add_escaped(out, wn_str_from_offset(url, plain));
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
