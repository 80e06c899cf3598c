/*
 * A tag cloud as a picture: measures the words, lays them out, and draws them.
 *
 * PNG and PDF are drawn by cairo; in a PDF the words are text, which can be searched.
 */
#include "draw/canvas.h"

#include <cairo-pdf.h>
#include <stdlib.h>

#include "draw/font.h"
#include "draw/svg.h"

bool wn_picture_possible(wn_buf *error)
{
    (void)error;
    return true;
}

/* ---- PNG and PDF ------------------------------------------------------------------------- */

static cairo_status_t append(void *out, const unsigned char *bytes, unsigned int length)
{
    wn_buf *buf = out;
    wn_buf_add(buf, wn_str_from((const char *)bytes, length));
    return buf->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static void set_colour(cairo_t *cairo, uint32_t colour)
{
    cairo_set_source_rgb(cairo, (colour >> 16 & 0xFF) / 255.0, (colour >> 8 & 0xFF) / 255.0,
                         (colour & 0xFF) / 255.0);
}

static void draw(cairo_t *cairo, const wn_picture *p, wn_font *font, const wn_weight *weights,
                 const wn_cloud_word *words, size_t n)
{
    set_colour(cairo, p->palette->paper);
    cairo_paint(cairo);
    for (size_t i = 0; i < n; i++) {
        if (words[i].size <= 0)
            continue;
        set_colour(cairo, p->palette->colours[words[i].chance % WN_PALETTE_COLOURS]);
        cairo_move_to(cairo, words[i].x, words[i].y);
        pango_cairo_show_layout_line(cairo, wn_font_shape(font, weights[i].word, words[i].size));
    }
}

/* Draws with cairo; its errors are sticky and read once. */
static cairo_status_t draw_surface(wn_buf *out, const wn_picture *p, wn_font *font,
                                   const wn_weight *weights, const wn_cloud_word *words, size_t n)
{
    bool pdf = p->format == WN_PICTURE_PDF;
    cairo_surface_t *surface =
        pdf ? cairo_pdf_surface_create_for_stream(append, out, p->width, p->height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)p->width, (int)p->height);
    cairo_t *cairo = cairo_create(surface);
    draw(cairo, p, font, weights, words, n);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    if (!pdf && status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, append, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

/* ---- All together ------------------------------------------------------------------------ */

static bool write_file(wn_buf *out, const wn_picture *p, wn_font *font, const wn_weight *weights,
                       const wn_cloud_word *words, size_t n, wn_buf *error)
{
    cairo_status_t status = CAIRO_STATUS_SUCCESS;
    if (p->format == WN_PICTURE_SVG)
        wn_svg_write(out, p, font, weights, words, n);
    else if (p->format == WN_PICTURE_HTML)
        wn_html_write(out, p, font, weights, words, n);
    else
        status = draw_surface(out, p, font, weights, words, n);
    if (out->failed)
        status = CAIRO_STATUS_NO_MEMORY;
    if (status != CAIRO_STATUS_SUCCESS)
        wn_buf_add_format(error, "cannot draw: %s", cairo_status_to_string(status));
    return status == CAIRO_STATUS_SUCCESS;
}

static bool measure(wn_font *font, const wn_weight *weights, wn_cloud_word *words, size_t n,
                    wn_buf *error)
{
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        words[i].count = weights[i].count;
        ok = wn_font_measure(font, weights[i].word, &words[i].ink, error);
    }
    return ok;
}

size_t wn_picture_draw(wn_buf *out, const wn_picture *p, const wn_weight *weights, size_t n,
                       wn_buf *error)
{
    wn_font font = {0};
    wn_cloud_word *words = calloc(n ? n : 1, sizeof *words);
    size_t placed = 0;
    if (wn_font_open(&font, p->font, error) && words && measure(&font, weights, words, n, error)) {
        placed = wn_cloud_lay(words, n, &(wn_cloud_settings){p->width, p->height, p->seed});
        if (placed == WN_CLOUD_FAILED)
            placed = 0;
        else if (placed > 0 && !write_file(out, p, &font, weights, words, n, error))
            placed = 0;
        else if (placed == 0)
            wn_buf_add_literal(error, "no word finds room; choose a larger --size");
    }
    if (placed == 0 && error->len == 0)
        wn_buf_add_literal(error, "cannot draw: out of memory");
    wn_font_free(&font);
    free(words);
    return placed;
}
