/*
 * Fonts: widths are summed in 1/2048 em and turned into pixels once a text.
 */
#include "layout/fonts.h"

#include <assert.h>

#include "layout/layout.h"

#include "base/utf8.h"
#include "text/unicode.h"

enum {
    UNIT = 64,
    WIDE = 2048,          /* ideographs, kana, hangul: as wide as they are high */
    SOUTH_ASIAN = 1100,   /* the mean of letters of Thai, Lao, Khmer, Burmese, Devanagari … */
    UNKNOWN_WIDTH = 1229, /* any other letter */
    SMALL_CAPS_PERCENT = 70,
    MAX_SIZE = 10000 * UNIT, /* as browsers have it */
};

/* ---- A font at a size -------------------------------------------------------------------- */

static wn_face face_of(const wn_style *style)
{
    bool bold = style->font_weight >= 600;
    switch (style->font_class) {
    case WN_FONT_SANS:
        return bold ? WN_FACE_SANS_BOLD : WN_FACE_SANS;
    case WN_FONT_MONO:
        return WN_FACE_MONO;
    default:
        return style->italic ? (bold ? WN_FACE_SERIF_BOLD_ITALIC : WN_FACE_SERIF_ITALIC)
                             : (bold ? WN_FACE_SERIF_BOLD : WN_FACE_SERIF);
    }
}

/* A part of the size in whole pixels, as browsers round ascent and descent. */
static int32_t whole_pixels(int32_t size, int32_t part)
{
    int64_t scaled = (int64_t)size * part;
    return (int32_t)((scaled + WN_FONT_EM * UNIT / 2) / (WN_FONT_EM * UNIT)) * UNIT;
}

static int32_t spacing_of(float px)
{
    float limit = 10000;
    px = px > limit ? limit : px > -limit ? px : -limit;
    return (int32_t)(px * UNIT);
}

wn_layout_font wn_layout_font_of(const wn_style *style)
{
    wn_layout_font font = {.face = (uint8_t)face_of(style)};
    const wn_face_metrics *m = &wn_face_table[font.face];
    float size = style->font_size * UNIT;
    font.size = size > 0 ? (size < MAX_SIZE ? (int32_t)(size + 0.5f) : MAX_SIZE) : 0;
    font.ascent = whole_pixels(font.size, m->ascent);
    font.descent = whole_pixels(font.size, m->descent);
    font.line_spacing = font.ascent + font.descent + whole_pixels(font.size, m->line_gap);
    font.x_height = (int32_t)((int64_t)font.size * m->x_height / WN_FONT_EM);
    font.letter_spacing = spacing_of(style->letter_spacing);
    font.word_spacing = spacing_of(style->word_spacing);
    font.transform = style->text_transform;
    font.small_caps = style->small_caps;
    return font;
}

/* ---- Characters -------------------------------------------------------------------------- */

/* The width of a character that the table has not, by its script. */
static uint32_t width_by_script(uint32_t c)
{
    if (c >= 0x0E00 && c <= 0x0E7F) /* Thai: vowels and tones above and below take no room */
        return c == 0x0E31 || (c >= 0x0E34 && c <= 0x0E3A) || (c >= 0x0E47 && c <= 0x0E4E)
                   ? 0
                   : SOUTH_ASIAN;
    if ((c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
        (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
        (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) || c >= 0x1F000)
        return c >= 0xE0000 ? 0 : WIDE;
    wn_char_class class = wn_text_class_of(c);
    if (class == WN_CLASS_MARK || class == WN_CLASS_FORMAT || (c >= 0xFE00 && c <= 0xFE0F))
        return 0;
    if (c >= 0x0900 && c <= 0x1FFF)
        return SOUTH_ASIAN;
    return c < 0x20 || (c >= 0x7F && c < 0xA0) ? 0 : UNKNOWN_WIDTH;
}

static uint32_t plain_advance(unsigned face, uint32_t c)
{
    assert(face < WN_FACE_COUNT);
    if (c < 0x80)
        return wn_font_widths[face][0][c];
    if (c == 0xAD || (c >= 0x200B && c <= 0x200F) || c == 0x2060 || c == 0xFEFF)
        return 0;
    uint32_t block = c < 0x10000 ? wn_font_blocks[c >> 8] : 0;
    uint32_t width = block ? wn_font_widths[face][block - 1][c & 0xFF] : 0;
    return width ? width : width_by_script(c);
}

/* The capital of a letter that is common in capitals; other letters are wide by chance. */
static uint32_t upper(uint32_t c)
{
    if (c - 'a' < 26u)
        return c - 32;
    if ((c >= 0xE0 && c <= 0xFE && c != 0xF7) || (c >= 0x3B1 && c <= 0x3C9 && c != 0x3C2) ||
        (c >= 0x430 && c <= 0x44F))
        return c - 32;
    if (c >= 0x450 && c <= 0x45F)
        return c - 80;
    if (c >= 0x100 && c <= 0x137)
        return c & ~1u;
    return c;
}

static bool is_word_char(uint32_t c)
{
    wn_char_class class = wn_text_class_of(c);
    return class == WN_CLASS_LETTER || class == WN_CLASS_DIGIT || class == WN_CLASS_APOSTROPHE ||
           class == WN_CLASS_MARK;
}

uint32_t wn_layout_shown(unsigned transform, uint32_t c, uint32_t previous)
{
    switch (transform) {
    case WN_TRANSFORM_UPPERCASE:
        return upper(c);
    case WN_TRANSFORM_LOWERCASE:
        return wn_text_lower(c);
    case WN_TRANSFORM_CAPITALIZE:
        return previous == 0 || !is_word_char(previous) ? upper(c) : c;
    default:
        return c;
    }
}

static uint32_t advance(const wn_layout_font *font, uint32_t c, uint32_t previous)
{
    c = wn_layout_shown(font->transform, c, previous);
    if (font->small_caps && upper(c) != c)
        return plain_advance(font->face, upper(c)) * SMALL_CAPS_PERCENT / 100;
    return plain_advance(font->face, c);
}

uint32_t wn_layout_font_advance(const wn_layout_font *font, uint32_t c)
{
    return advance(font, c, 0);
}

/* ---- Texts ------------------------------------------------------------------------------- */

/* The usual case: neither transformed nor spaced, ASCII, with kerning. */
static int64_t measure_ascii(const wn_layout_font *font, const char **p, const char *end,
                             uint32_t *previous)
{
    assert(font->face < WN_FACE_COUNT);
    const uint16_t *widths = wn_font_widths[font->face][0];
    const uint8_t *rows = wn_kern_rows[font->face];
    int64_t sum = 0;
    uint32_t left = *previous - WN_KERN_FIRST;
    const char *at = *p;
    for (; at < end && (unsigned char)*at < 0x80; at++) {
        uint32_t right = (uint32_t)*at - WN_KERN_FIRST;
        sum += widths[(unsigned char)*at];
        if (left < WN_KERN_CHARS && right < WN_KERN_CHARS)
            sum += wn_kern_pairs[rows[left]][right];
        left = right;
    }
    *previous = left + WN_KERN_FIRST;
    *p = at;
    return sum;
}

int64_t wn_layout_font_measure(const wn_layout_font *font, wn_str text, uint32_t *previous)
{
    const char *p = text.ptr, *end = text.ptr + text.len;
    int64_t sum = 0, letters = 0;
    bool plain = font->transform == WN_TRANSFORM_NONE && !font->small_caps &&
                 font->letter_spacing == 0;
    while (p < end) {
        if (plain && (unsigned char)*p < 0x80) {
            sum += measure_ascii(font, &p, end, previous);
            continue;
        }
        uint32_t c = wn_utf8_next(&p);
        uint32_t width = advance(font, c, *previous);
        sum += width;
        letters += width > 0;
        *previous = c;
    }
    int64_t scale = font->size;
    return (sum * scale + WN_FONT_EM / 2) / WN_FONT_EM + letters * font->letter_spacing;
}
