/*
 * A cloud as SVG, and as a page around it.
 *
 * The letters are outlines: the picture looks the same everywhere, even without the fonts. Each
 * letter is written once and used many times. Hovering over a word shows its count.
 */
#ifndef WN_DRAW_SVG_H
#define WN_DRAW_SVG_H

#include "draw/canvas.h"
#include "draw/font.h"

void wn_draw_svg_write(wn_buf *out, const wn_picture *picture, wn_draw_font *font,
                       const wn_draw_weight *weights, const wn_cloud_word *words, size_t n);

void wn_draw_html_write(wn_buf *out, const wn_picture *picture, wn_draw_font *font,
                        const wn_draw_weight *weights, const wn_cloud_word *words, size_t n);

#endif
