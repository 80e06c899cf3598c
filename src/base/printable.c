#include "base/printable.h"

#include "base/utf8.h"

static void add_escaped_byte(wn_buf *out, unsigned char byte)
{
    if (byte == '\n')
        wn_buf_add_literal(out, "\\n");
    else if (byte == '\t')
        wn_buf_add_literal(out, "\\t");
    else
        wn_buf_add_format(out, "\\x%02x", byte);
}

/* Controls of ASCII and of Latin-1, and the characters that turn the direction of a line. */
static bool is_unprintable(uint32_t code_point)
{
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) ||
           (code_point >= 0x2028 && code_point <= 0x202E) ||
           (code_point >= 0x2066 && code_point <= 0x2069);
}

void wn_add_printable(wn_buf *out, wn_str name)
{
    while (name.len > 0) {
        size_t valid = wn_utf8_valid_prefix(name);
        const char *p = name.ptr, *end = name.ptr + valid;
        while (p < end) {
            const char *start = p;
            bool escape = is_unprintable(wn_utf8_next(&p));
            for (const char *byte = start; escape && byte < p; byte++)
                add_escaped_byte(out, (unsigned char)*byte);
            if (!escape)
                wn_buf_add(out, wn_str_between(start, p));
        }
        if (valid < name.len)
            add_escaped_byte(out, (unsigned char)name.ptr[valid++]);
        name = wn_str_from_offset(name, valid);
    }
}

void wn_add_quoted(wn_buf *out, const char *name)
{
    wn_buf_add_char(out, '\'');
    wn_add_printable(out, wn_str_of(name));
    wn_buf_add_char(out, '\'');
}

/* A carriage return that ends no line lets what follows hide what is before it. */
static bool is_obeyed(uint32_t code_point, const char *after, const char *end)
{
    bool line_end = code_point == '\n' || code_point == '\t' ||
                    (code_point == '\r' && after < end && *after == '\n');
    return !line_end && is_unprintable(code_point);
}

void wn_add_visible(wn_buf *out, wn_str text)
{
    while (text.len > 0) {
        size_t valid = wn_utf8_valid_prefix(text);
        const char *p = text.ptr, *end = text.ptr + valid, *plain = p;
        while (p < end) {
            const char *start = p;
            uint32_t code_point = wn_utf8_next(&p);
            if (!is_obeyed(code_point, p, end))
                continue;
            wn_buf_add(out, wn_str_between(plain, start));
            wn_buf_add_format(out, "\\u%04x", (unsigned)code_point);
            plain = p;
        }
        wn_buf_add(out, wn_str_between(plain, end));
        if (valid < text.len)
            add_escaped_byte(out, (unsigned char)text.ptr[valid++]);
        text = wn_str_from_offset(text, valid);
    }
}
