/*
 * A sheet as PNG or PDF: the same shapes, drawn by cairo; labels are set by Pango.
 */
#include "draw/font.h"
#include "draw/sheet.h"
#include "draw/surface.h"

static const char LABEL_FONT[] = "Sans";
static const double PIXELS = 2; /* of a PNG to a unit: for screens with fine pixels, and print */

typedef struct drawing {
    const wn_sheet *sheet;
    wn_font *font;
} drawing;

static void draw_line(cairo_t *cairo, const wn_shape *s)
{
    cairo_set_line_width(cairo, 1);
    cairo_move_to(cairo, s->x, s->y);
    cairo_rel_line_to(cairo, s->width, s->height);
    cairo_stroke(cairo);
}

static void draw_label(cairo_t *cairo, wn_font *font, const wn_shape *s)
{
    PangoRectangle box;
    PangoLayoutLine *line = wn_font_shape(font, s->text, s->size);
    pango_layout_line_get_extents(line, NULL, &box);
    double before = (double)box.width / PANGO_SCALE * s->anchor / 2; /* none, half, all of it */
    cairo_move_to(cairo, s->x - before, s->y);
    pango_cairo_show_layout_line(cairo, line);
}

static void draw_shapes(cairo_t *cairo, const void *data)
{
    const drawing *d = data;
    wn_surface_colour(cairo, 0xffffff);
    cairo_paint(cairo);
    for (uint32_t i = 0; i < d->sheet->shapes.count; i++) {
        const wn_shape *s = &d->sheet->shapes.items[i];
        wn_surface_colour(cairo, s->colour);
        if (s->kind == WN_SHAPE_LABEL) {
            draw_label(cairo, d->font, s);
        } else if (s->kind == WN_SHAPE_LINE) {
            draw_line(cairo, s);
        } else {
            cairo_rectangle(cairo, s->x, s->y, s->width, s->height);
            cairo_fill(cairo);
        }
    }
}

bool wn_sheet_draw(const wn_sheet *sheet, wn_picture_format format, wn_buf *out, wn_buf *error)
{
    wn_font font = {0};
    bool drawn = wn_font_open(&font, LABEL_FONT, error) &&
                 wn_surface_write(out, format, sheet->width, sheet->height, PIXELS, draw_shapes,
                                  &(drawing){sheet, &font}, error);
    wn_font_free(&font);
    return drawn;
}
