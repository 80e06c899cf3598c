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
