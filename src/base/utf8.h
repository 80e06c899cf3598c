/*
 * UTF-8: checking, reading and writing code points.
 *
 * All text after the encoding stage is well-formed UTF-8; code that reads it
 * may rely on that. Ill-formed input is repaired once, there, as the WHATWG
 * Encoding standard does: each maximal ill-formed part becomes one U+FFFD.
 */
#ifndef WN_BASE_UTF8_H
#define WN_BASE_UTF8_H

#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

enum { WN_REPLACEMENT = 0xFFFD };

/* The number of bytes at the start of s that are well-formed UTF-8. */
size_t wn_utf8_valid_prefix(wn_str s);

/*
 * The same, and in the same pass whether there is a carriage return among those
 * bytes; it may also be true for one shortly after them.
 */
size_t wn_utf8_check(wn_str s, bool *has_return);

/* The same without vectors: what the tests hold the fast one against. */
size_t wn_utf8_check_scalar(wn_str s, bool *has_return);

/*
 * The length of the ill-formed part at the start of `s`, which does not start
 * with a well-formed character: what one U+FFFD stands for.
 */
size_t wn_utf8_ill_formed(wn_str s);

/* Appends any bytes, U+FFFD in place of each ill-formed part. */
void wn_utf8_add_repaired(wn_buf *out, wn_str bytes);

/* The bytes without the byte order mark that some put before UTF-8. */
static inline wn_str wn_utf8_without_mark(wn_str bytes)
{
    return wn_str_starts(bytes, WN_STR("\xEF\xBB\xBF")) ? wn_str_from_offset(bytes, 3) : bytes;
}

/* The first characters of well-formed text: as many as fit into `most` bytes. */
static inline wn_str wn_utf8_prefix(wn_str text, size_t most)
{
    if (text.len <= most)
        return text;
    for (text.len = most; text.len > 0 && (text.ptr[text.len] & 0xC0) == 0x80;)
        text.len--;
    return text;
}

/* Writes code_point (not a surrogate) as 1 to 4 bytes; returns how many. */
static inline int wn_utf8_encode(uint32_t code_point, char out[4])
{
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        out[0] = (char)(0xC0 | code_point >> 6);
        out[1] = (char)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        out[0] = (char)(0xE0 | code_point >> 12);
        out[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code_point & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code_point >> 18);
    out[1] = (char)(0x80 | (code_point >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code_point >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code_point & 0x3F));
    return 4;
}

/* The number of characters of well-formed UTF-8: bytes that do not continue one. */
static inline size_t wn_utf8_count(wn_str s)
{
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++)
        count += (s.ptr[i] & 0xC0) != 0x80;
    return count;
}

/*
 * Reads the code point at *p, which must be well-formed UTF-8 and not at its end,
 * and moves *p past it.
 */
static inline uint32_t wn_utf8_next(const char **p)
{
    const unsigned char *s = (const unsigned char *)*p;
    if (s[0] < 0x80) {
        *p += 1;
        return s[0];
    }
    if (s[0] < 0xE0) {
        *p += 2;
        return (uint32_t)(s[0] & 0x1F) << 6 | (s[1] & 0x3F);
    }
    if (s[0] < 0xF0) {
        *p += 3;
        return (uint32_t)(s[0] & 0x0F) << 12 | (uint32_t)(s[1] & 0x3F) << 6 | (s[2] & 0x3F);
    }
    *p += 4;
    return (uint32_t)(s[0] & 0x07) << 18 | (uint32_t)(s[1] & 0x3F) << 12 |
           (uint32_t)(s[2] & 0x3F) << 6 | (s[3] & 0x3F);
}

#endif
