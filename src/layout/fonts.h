/*
 * Fonts: how wide a text is, without any font file.
 *
 * Three typefaces replace all others, as in a browser that has only the common ones: serif, sans
 * serif and monospace. Their widths come from a table (fonts_table.c). A character that is not in
 * the table has the average width of its script.
 */
#ifndef WN_LAYOUT_FONTS_H
#define WN_LAYOUT_FONTS_H

#include <stdint.h>

#include "base/str.h"
#include "css/style.h"

/* In the order of tools/gen_fonts.py. */
typedef enum wn_face {
    WN_FACE_SERIF,
    WN_FACE_SERIF_BOLD,
    WN_FACE_SERIF_ITALIC,
    WN_FACE_SERIF_BOLD_ITALIC,
    WN_FACE_SANS,
    WN_FACE_SANS_BOLD,
    WN_FACE_MONO,
    WN_FACE_COUNT
} wn_face;

enum {
    WN_FONT_EM = 2048,
    WN_KERN_FIRST = 0x20, /* kerning is known for the characters from here … */
    WN_KERN_CHARS = 95,   /* … on, this many */
};

/* In 1/2048 em. */
typedef struct wn_face_metrics {
    uint16_t ascent, descent, line_gap, x_height;
} wn_face_metrics;

extern const wn_face_metrics wn_face_table[WN_FACE_COUNT];
extern const uint8_t wn_font_blocks[256];
extern const uint16_t wn_font_widths[WN_FACE_COUNT][14][256];
extern const uint8_t wn_kern_rows[WN_FACE_COUNT][WN_KERN_CHARS];
extern const int16_t wn_kern_pairs[][WN_KERN_CHARS];

/* A font at its size. Lengths are in 1/64 px; ascent, descent and gap are whole pixels. */
typedef struct wn_layout_font {
    uint8_t face;
    uint8_t transform; /* wn_text_transform */
    bool small_caps;
    int32_t size;
    int32_t ascent, descent;
    int32_t line_spacing; /* of `line-height: normal` */
    int32_t x_height;
    int32_t letter_spacing, word_spacing;
} wn_layout_font;

wn_layout_font wn_layout_font_of(const wn_style *style);

/* The width of a character that stands alone, in 1/2048 em, before text-transform. */
uint32_t wn_layout_font_advance(const wn_layout_font *font, uint32_t c);

/*
 * The width in 1/64 px of a text without control characters. `*previous` is the character
 * before it, for kerning and capitals, or 0; it becomes the last one of the text.
 */
int64_t wn_layout_font_measure(const wn_layout_font *font, wn_str text, uint32_t *previous);

#endif
