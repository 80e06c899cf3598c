#include "text/char_kinds.h"

/* ---- One by one -------------------------------------------------------------------------- */

enum {
    OTHER = WN_CHAR_KIND_OTHER,
    SPACE = WN_CHAR_KIND_SPACE,
    LOWER = WN_CHAR_KIND_LOWER,
    UPPER = WN_CHAR_KIND_UPPER,
    DIGIT = WN_CHAR_KIND_DIGIT,
    WIDE = WN_CHAR_KIND_WIDE,
    COMMA = WN_CHAR_KIND_COMMA,
    STOP = WN_CHAR_KIND_STOP,
    CALL = WN_CHAR_KIND_CALL,
    BULLET = WN_CHAR_KIND_BULLET,
    MONEY = WN_CHAR_KIND_MONEY,
};

const uint8_t wn_text_ascii_kinds[128] = {
    [' '] = SPACE, ['\n'] = SPACE, ['\t'] = SPACE, [0] = SPACE,    [','] = COMMA, [';'] = COMMA,
    ['.'] = STOP,  ['!'] = CALL,   ['?'] = CALL,   ['|'] = BULLET, ['$'] = MONEY, ['0'] = DIGIT,
    DIGIT,         DIGIT,          DIGIT,          DIGIT,          DIGIT,         DIGIT,
    DIGIT,         DIGIT,          DIGIT,          ['A'] = UPPER,  UPPER,         UPPER,
    UPPER,         UPPER,          UPPER,          UPPER,          UPPER,         UPPER,
    UPPER,         UPPER,          UPPER,          UPPER,          UPPER,         UPPER,
    UPPER,         UPPER,          UPPER,          UPPER,          UPPER,         UPPER,
    UPPER,         UPPER,          UPPER,          UPPER,          UPPER,         ['a'] = LOWER,
    LOWER,         LOWER,          LOWER,          LOWER,          LOWER,         LOWER,
    LOWER,         LOWER,          LOWER,          LOWER,          LOWER,         LOWER,
    LOWER,         LOWER,          LOWER,          LOWER,          LOWER,         LOWER,
    LOWER,         LOWER,          LOWER,          LOWER,          LOWER,         LOWER,
    LOWER,
};

/* A sign outside ASCII that means something, in UTF-8. */
typedef struct wide_sign {
    unsigned char bytes[3];
    uint8_t sign;
} wide_sign;

static const wide_sign two_byte_signs[] = {
    {{0xC2, 0xA3}, MONEY}, {{0xC2, 0xA5}, MONEY},  {{0xC2, 0xB7}, BULLET}, {{0xC2, 0xBB}, BULLET},
    {{0xC2, 0xA0}, SPACE}, {{0xD8, 0x8C}, COMMA},  {{0xD8, 0x9B}, COMMA},  {{0xD8, 0x9F}, CALL},
    {{0xDB, 0x94}, STOP},  {{0xC2, 0xAB}, BULLET}, {{0xC2, 0xA9}, OTHER},
};

static const wide_sign three_byte_signs[] = {
    {{0xE3, 0x80, 0x81}, COMMA},  {{0xE3, 0x80, 0x82}, STOP},   {{0xEF, 0xBC, 0x8C}, COMMA},
    {{0xEF, 0xBC, 0x81}, CALL},   {{0xEF, 0xBC, 0x9F}, CALL},   {{0xE0, 0xA5, 0xA4}, STOP},
    {{0xE2, 0x80, 0xA2}, BULLET}, {{0xE2, 0x80, 0xBA}, BULLET}, {{0xE2, 0x86, 0x92}, BULLET},
    {{0xE2, 0x82, 0xAC}, MONEY},  {{0xE2, 0x82, 0xB9}, MONEY},  {{0xE0, 0xB8, 0xBF}, MONEY},
    {{0xEF, 0xBF, 0xA5}, MONEY},  {{0xE2, 0x98, 0x85}, BULLET},
};

wn_text_char_kind wn_text_char_kind_wide(wn_str text, size_t at, unsigned *bytes)
{
    const unsigned char *p = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at;
    if (*p < 0xE0 && left >= 2) {
        *bytes = 2;
        for (size_t i = 0; i < sizeof two_byte_signs / sizeof *two_byte_signs; i++)
            if (memcmp(two_byte_signs[i].bytes, p, 2) == 0)
                return (wn_text_char_kind)two_byte_signs[i].sign;
        return WN_CHAR_KIND_WIDE;
    }
    if (*p < 0xF0 && left >= 3) {
        *bytes = 3;
        for (size_t i = 0; i < sizeof three_byte_signs / sizeof *three_byte_signs; i++)
            if (memcmp(three_byte_signs[i].bytes, p, 3) == 0)
                return (wn_text_char_kind)three_byte_signs[i].sign;
        return *p == 0xE2 && (p[1] == 0x80 || p[1] == 0x81) ? WN_CHAR_KIND_OTHER
                                                            : WN_CHAR_KIND_WIDE;
    }
    *bytes = left >= 4 ? 4 : 1;
    return WN_CHAR_KIND_WIDE;
}

/* ---- 64 at once -------------------------------------------------------------------------- */

#ifndef WN_SIMD_BIT_PER_BYTE
wn_text_char_masks wn_text_char_masks_of(const char bytes[WN_CHAR_CHUNK], uint32_t len)
{
    wn_text_char_masks masks = {0};
    for (uint32_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];
        uint64_t bit = UINT64_C(1) << i;
        if (c >= 0x80) {
            masks.wide |= bit;
            continue;
        }
        masks.letters |= wn_text_ascii_kinds[c] == LOWER || wn_text_ascii_kinds[c] == UPPER ? bit
                                                                                            : 0;
        masks.uppers |= wn_text_ascii_kinds[c] == UPPER ? bit : 0;
        masks.digits |= wn_text_ascii_kinds[c] == DIGIT ? bit : 0;
        masks.spaces |= wn_text_ascii_kinds[c] == SPACE ? bit : 0;
        masks.lines |= c == '\n' ? bit : 0;
    }
    return masks;
}
#endif
