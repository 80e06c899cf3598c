#include "io/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

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

/* Messages that cannot be written have nobody to read them: failure is ignored. */
static void write_to_stderr(wn_str bytes)
{
    while (bytes.len > 0) {
        ssize_t written = write(STDERR_FILENO, bytes.ptr, bytes.len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        bytes = wn_str_from_offset(bytes, (size_t)written);
    }
}

void wn_say(wn_buf *message)
{
    wn_buf line = {0};
    wn_buf_add_literal(&line, "winnow: ");
    wn_buf_add(&line, wn_buf_str(message));
    wn_buf_add_char(&line, '\n');
    write_to_stderr(wn_buf_str(&line));
    wn_buf_free(&line);
}

void wn_sayf(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wn_buf message = {0};
    wn_buf_add_literal(&message, text);
    wn_say(&message);
    wn_buf_free(&message);
}
