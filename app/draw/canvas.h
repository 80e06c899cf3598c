/*
 * A tag cloud as a picture: weights in, the bytes of a file out.
 *
 *     font.c    measures and shapes words (Pango)       svg.c       outlines: SVG and HTML
 *     cloud.c   says where they are                   canvas.c    PNG and PDF (cairo)
 *
 * Cairo and Pango are optional: without them canvas_none.c stands in for all of this, and
 * only says what to install.
 */
#ifndef WN_DRAW_CANVAS_H
#define WN_DRAW_CANVAS_H

#include "base/buf.h"
#include "draw/cloud.h"
#include "draw/count.h"
#include "draw/palette.h"

typedef enum wn_picture_format {
    WN_PICTURE_SVG,
    WN_PICTURE_PNG,
    WN_PICTURE_PDF,
    WN_PICTURE_HTML,
} wn_picture_format;

typedef struct wn_picture {
    wn_picture_format format;
    double width, height; /* pixels; of a PDF points */
    uint64_t seed;
    const wn_palette *palette;
    const char *font; /* "Garuda", "Serif Bold"; NULL: a sans serif one */
    wn_str title;     /* of the HTML page */
} wn_picture;

/* Whether pictures can be drawn; if not, `error` says why. */
bool wn_draw_picture_possible(wn_buf *error);

/*
 * Draws `n` weights, the most frequent first, and appends the file to `out`. Returns how
 * many words found room; 0 when it failed, and `error` says how.
 */
size_t wn_draw_picture_draw(wn_buf *out, const wn_picture *picture, const wn_draw_weight *weights,
                            size_t n, wn_buf *error);

#endif
