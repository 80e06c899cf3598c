/*
 * Kinds of characters whose counts describe a text.
 *
 * Most text is ASCII: 64 bytes at a time are classified into masks with one bit per byte, and words
 * are runs of bits. Other characters are classified one by one.
 */
#ifndef WN_TEXT_CHAR_KINDS_H
#define WN_TEXT_CHAR_KINDS_H

#include "base/scan.h"
#include "base/str.h"

typedef enum wn_text_char_kind {
    WN_CHAR_KIND_OTHER, /* one without a meaning of its own */
    WN_CHAR_KIND_SPACE,
    WN_CHAR_KIND_LOWER,
    WN_CHAR_KIND_UPPER,
    WN_CHAR_KIND_DIGIT,
    WN_CHAR_KIND_WIDE, /* a letter outside ASCII, or what may be one */
    WN_CHAR_KIND_COMMA,
    WN_CHAR_KIND_STOP, /* the end of a sentence */
    WN_CHAR_KIND_CALL, /* ! and ? */
    WN_CHAR_KIND_BULLET,
    WN_CHAR_KIND_MONEY,
} wn_text_char_kind;

/* The kind of each character of ASCII, and of one that is outside of it. */
extern const uint8_t wn_text_ascii_kinds[128];
wn_text_char_kind wn_text_char_kind_wide(wn_str text, size_t at, unsigned *bytes);

/* The kind of the character at `at`, and how many bytes it has. */
static inline wn_text_char_kind wn_text_char_kind_at(wn_str text, size_t at, unsigned *bytes)
{
    unsigned char first = (unsigned char)text.ptr[at];
    *bytes = 1;
    return first < 0x80 ? (wn_text_char_kind)wn_text_ascii_kinds[first]
                        : wn_text_char_kind_wide(text, at, bytes);
}

enum { WN_CHAR_CHUNK = 64 };

/* A bit for each of 64 bytes, the first one lowest. What is in none of them is of another kind. */
typedef struct wn_text_char_masks {
    uint64_t letters, uppers, digits, spaces; /* of ASCII; letters are upper and lower */
    uint64_t lines;                           /* line feeds, which are spaces, too */
    uint64_t wide;                            /* all bytes outside ASCII */
} wn_text_char_masks;

/* Of the first `len` bytes, and of some after them; other bits are 0. All 64 must be readable. */
#ifdef WN_SIMD_BIT_PER_BYTE
static inline wn_text_char_masks wn_text_char_masks_of(const char bytes[WN_CHAR_CHUNK],
                                                       uint32_t len)
{
    wn_text_char_masks masks = {0};
    for (uint32_t at = 0; at < len; at += WN_VEC_SIZE) {
        wn_vec v = wn_vec_load(bytes + at);
        wn_vec upper = wn_vec_between(v, 'A', 'Z'), lines = wn_vec_equal(v, '\n');
        wn_vec spaces = wn_vec_or(wn_vec_or(wn_vec_equal(v, ' '), wn_vec_equal(v, '\t')),
                                  wn_vec_or(wn_vec_equal(v, '\0'), lines));
        masks.letters |= wn_vec_mask(wn_vec_or(upper, wn_vec_between(v, 'a', 'z'))) << at;
        masks.uppers |= wn_vec_mask(upper) << at;
        masks.digits |= wn_vec_mask(wn_vec_between(v, '0', '9')) << at;
        masks.spaces |= wn_vec_mask(spaces) << at;
        masks.lines |= wn_vec_mask(lines) << at;
        masks.wide |= wn_vec_mask(v) << at;
    }
    return masks;
}
#else
wn_text_char_masks wn_text_char_masks_of(const char bytes[WN_CHAR_CHUNK], uint32_t len);
#endif

#endif
