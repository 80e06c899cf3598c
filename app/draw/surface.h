/*
 * Surfaces: what cairo draws on, and the bytes that it makes of it.
 */
#ifndef WN_DRAW_SURFACE_H
#define WN_DRAW_SURFACE_H

#include <cairo.h>

#include "draw/canvas.h"

typedef void (*wn_surface_painter)(cairo_t *cairo, const void *data);

/*
 * Lets `paint` draw on `width` by `height` units, the width of a unit being `scale` pixels of a
 * PNG or one point of a PDF, and appends the file to `out`. False when that failed, and `error`
 * says how.
 */
bool wn_draw_surface_write(wn_buf *out, wn_picture_format format, double width, double height,
                           double scale, wn_surface_painter paint, const void *data, wn_buf *error);

/* Draws in that colour from now on; `clear` of what is below shows through, 0 to 1. */
void wn_draw_surface_colour(cairo_t *cairo, uint32_t colour, double clear);

#endif
