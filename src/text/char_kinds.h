/*
 * Signs: what the characters of a text are, as far as a count of them says something of the text.
 *
 * Most text is ASCII: there, 64 bytes are sorted at once into masks with a bit for each byte, and
 * words are runs of bits. Other characters are looked at one by one.
 */
#ifndef WN_TEXT_CHAR_KINDS_H
#define WN_TEXT_CHAR_KINDS_H

#include "base/str.h"

typedef enum wn_sign {
    WN_SIGN_OTHER, /* one without a meaning of its own */
    WN_SIGN_SPACE,
    WN_SIGN_LOWER,
    WN_SIGN_UPPER,
    WN_SIGN_DIGIT,
    WN_SIGN_WIDE, /* a letter outside ASCII, or what may be one */
    WN_SIGN_COMMA,
    WN_SIGN_STOP, /* the end of a sentence */
    WN_SIGN_CALL, /* ! and ? */
    WN_SIGN_BULLET,
    WN_SIGN_MONEY,
} wn_sign;

/* The sign at `at`, and how many bytes it has. */
wn_sign wn_sign_at(wn_str text, size_t at, unsigned *bytes);

enum { WN_SIGN_CHUNK = 64 };

/* A bit for each of 64 bytes, the first one lowest. What is in none of them is a sign of its own. */
typedef struct wn_sign_masks {
    uint64_t letters, uppers, digits, spaces; /* of ASCII; letters are upper and lower */
    uint64_t lines;                           /* line feeds, which are spaces, too */
    uint64_t wide;                            /* all bytes outside ASCII */
} wn_sign_masks;

/* Of the first `len` bytes, and of some behind them; other bits are 0. All 64 must be readable. */
wn_sign_masks wn_sign_masks_of(const char bytes[WN_SIGN_CHUNK], uint32_t len);

#endif
