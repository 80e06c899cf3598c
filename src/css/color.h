/*
 * Colours as they are written: names, #hex, rgb(), hsl(), hwb(), lab(), lch(), oklab(), oklch(),
 * color() and color-mix().
 *
 * https://drafts.csswg.org/css-color-4/
 *
 * Everything becomes sRGB with eight bits per channel; colours outside it are clipped.
 */
#ifndef WN_CSS_COLOR_H
#define WN_CSS_COLOR_H

#include "css/calc.h"
#include "css/style.h"

/*
 * Reads a colour and moves past it. False, without moving, if there is none. For currentcolor
 * *is_current is set and the colour is `current`.
 */
bool wn_css_read_color(wn_css_cursor *cursor, wn_color current, wn_color *color, bool *is_current);

/* The colour of that name; false if there is none. */
bool wn_css_named_color(wn_str name, wn_color *color);

/* bgcolor="…" and the like, where any text is a colour. False if it is empty or transparent. */
bool wn_css_legacy_color(wn_str text, wn_color *color);

#endif
