/*
 * Fonts: how words look, through Pango.
 *
 * Pango chooses a font for each script from those that are installed and shapes the word: Thai
 * vowels over their consonants, Arabic letters joined. A word is a line that is drawn from a
 * point on its baseline.
 */
#ifndef WN_DRAW_FONT_H
#define WN_DRAW_FONT_H

#include <pango/pangocairo.h>

#include "base/buf.h"
#include "draw/cloud.h"

/* The size in which words are measured and outlined: large, so that whole numbers are exact. */
enum { WN_DRAW_FONT_UNITS = 1000 };

typedef struct wn_draw_font {
    PangoFontMap *map;
    PangoContext *context;
    PangoFontDescription *description;
    PangoLayout *layout; /* of the word at hand */
} wn_draw_font;

/*
 * Opens a font by its name, NULL for a sans serif one. False when there is none of that name, and
 * `error` says so. wn_draw_font_free() it in any case.
 */
bool wn_draw_font_open(wn_draw_font *font, const char *name, wn_buf *error);
void wn_draw_font_free(wn_draw_font *font);

/* The word shaped in a font of that size; the font owns the line until the next call. */
PangoLayoutLine *wn_draw_font_shape(wn_draw_font *font, wn_str word, double size);

/*
 * The box around the ink of a word in a font of size 1. False if no font has all of its
 * characters: `error` names the word and what to install.
 */
bool wn_draw_font_ink(wn_draw_font *font, wn_str word, wn_cloud_box *ink, wn_buf *error);

#endif
