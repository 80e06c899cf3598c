/*
 * A tag cloud as a picture: measures the words, lays them out, and draws them.
 *
 * PNG and PDF are drawn by cairo; in a PDF the words are text, which can be searched.
 */
#include "draw/canvas.h"

#include <stdlib.h>

#include "draw/font.h"
#include "draw/surface.h"
#include "draw/svg.h"

bool wn_draw_picture_possible(wn_buf *error)
{
    (void)error;
    return true;
}

/* ---- PNG and PDF ------------------------------------------------------------------------- */

typedef struct drawing {
    const wn_picture *picture;
    wn_draw_font *font;
    const wn_draw_weight *weights;
    const wn_cloud_word *words;
    size_t count;
} drawing;

static void draw_words(cairo_t *cairo, const void *data)
{
    const drawing *d = data;
    const wn_palette *palette = d->picture->palette;
    wn_draw_surface_colour(cairo, palette->paper, 0);
    cairo_paint(cairo);
    for (size_t i = 0; i < d->count; i++) {
        const wn_cloud_word *word = &d->words[i];
        if (word->size <= 0)
            continue;
        wn_draw_surface_colour(cairo, palette->colours[word->chance % WN_PALETTE_COLOURS], 0);
        cairo_move_to(cairo, word->x, word->y);
        pango_cairo_show_layout_line(cairo,
                                     wn_draw_font_shape(d->font, d->weights[i].word, word->size));
    }
}

/* ---- All together ------------------------------------------------------------------------ */

static bool write_file(wn_buf *out, const wn_picture *p, wn_draw_font *font,
                       const wn_draw_weight *weights, const wn_cloud_word *words, size_t n,
                       wn_buf *error)
{
    if (p->format == WN_PICTURE_SVG)
        wn_draw_svg_write(out, p, font, weights, words, n);
    else if (p->format == WN_PICTURE_HTML)
        wn_draw_html_write(out, p, font, weights, words, n);
    else
        return wn_draw_surface_write(out, p->format, p->width, p->height, 1, draw_words,
                                     &(drawing){p, font, weights, words, n}, error);
    if (out->failed)
        wn_buf_add_literal(error, "cannot draw: out of memory");
    return !out->failed;
}

static bool measure(wn_draw_font *font, const wn_draw_weight *weights, wn_cloud_word *words,
                    size_t n, wn_buf *error)
{
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        words[i].count = weights[i].count;
        ok = wn_draw_font_ink(font, weights[i].word, &words[i].ink, error);
    }
    return ok;
}

size_t wn_draw_picture_draw(wn_buf *out, const wn_picture *p, const wn_draw_weight *weights,
                            size_t n, wn_buf *error)
{
    wn_draw_font font = {0};
    wn_cloud_word *words = calloc(n ? n : 1, sizeof *words);
    size_t placed = 0;
    if (wn_draw_font_open(&font, p->font, error) && words &&
        measure(&font, weights, words, n, error)) {
        placed = wn_draw_cloud_lay(words, n, &(wn_cloud_settings){p->width, p->height, p->seed});
        if (placed == WN_CLOUD_FAILED)
            placed = 0;
        else if (placed > 0 && !write_file(out, p, &font, weights, words, n, error))
            placed = 0;
        else if (placed == 0)
            wn_buf_add_literal(error, "no word finds room; choose a larger --size");
    }
    if (placed == 0 && error->len == 0)
        wn_buf_add_literal(error, "cannot draw: out of memory");
    wn_draw_font_free(&font);
    free(words);
    return placed;
}
