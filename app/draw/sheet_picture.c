/*
 * A sheet as PNG or PDF: the same shapes, drawn by cairo; labels are set by Pango.
 */
#include "draw/font.h"
#include "draw/sheet.h"
#include "draw/surface.h"

/* Those whose widths layout knows, if they are there. */
static const char *const FACES[] = {"Liberation Sans,Arial,Sans",
                                    "Liberation Serif,Times New Roman,Serif",
                                    "Liberation Mono,Courier New,Monospace"};
static const double PIXELS = 2; /* of a PNG to a unit */

enum { FONTS = 3 * 2 * 2 }; /* faces, bold or not, italic or not */

typedef struct drawing {
    const wn_sheet *sheet;
    wn_draw_font *fonts; /* opened when they are first needed */
    wn_buf *error;
} drawing;

/* NULL if the font cannot be opened. */
static wn_draw_font *font_of(const drawing *d, const wn_shape *s)
{
    wn_draw_font *font = &d->fonts[s->face * 4 + s->bold * 2 + s->italic];
    if (font->map)
        return font;
    wn_buf name = {0};
    wn_buf_add_format(&name, "%s%s%s", FACES[s->face], s->bold ? " Bold" : "",
                      s->italic ? " Italic" : "");
    bool opened = wn_draw_font_open(font, wn_buf_c_string(&name), d->error);
    wn_buf_free(&name);
    return opened ? font : NULL;
}

#define QUARTER_TURN 1.5707963267948966

static void draw_line(cairo_t *cairo, const wn_shape *s)
{
    cairo_set_line_width(cairo, 1);
    cairo_move_to(cairo, s->x, s->y);
    cairo_rel_line_to(cairo, s->width, s->height);
    cairo_stroke(cairo);
}

static void draw_label(cairo_t *cairo, wn_draw_font *font, const wn_shape *s)
{
    PangoRectangle box;
    PangoLayoutLine *line = wn_draw_font_shape(font, s->text, s->size);
    pango_layout_line_get_extents(line, NULL, &box);
    double width = (double)box.width / PANGO_SCALE;
    double wanted = s->fit > 0 ? s->fit : width;
    cairo_save(cairo);
    cairo_translate(cairo, s->x, s->y);
    if (s->downwards)
        cairo_rotate(cairo, QUARTER_TURN);
    cairo_translate(cairo, -wanted * s->anchor / 2, 0); /* none, half, all of it */
    if (width > 0)
        cairo_scale(cairo, wanted / width, 1);
    cairo_move_to(cairo, 0, 0);
    pango_cairo_show_layout_line(cairo, line);
    cairo_restore(cairo);
}

static void add_rounded(cairo_t *cairo, const wn_shape *s)
{
    static const double quarter = 1.5707963267948966;
    double left = s->x + s->radius, right = s->x + s->width - s->radius;
    double top = s->y + s->radius, bottom = s->y + s->height - s->radius;
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, right, top, s->radius, -quarter, 0);
    cairo_arc(cairo, right, bottom, s->radius, 0, quarter);
    cairo_arc(cairo, left, bottom, s->radius, quarter, 2 * quarter);
    cairo_arc(cairo, left, top, s->radius, 2 * quarter, 3 * quarter);
    cairo_close_path(cairo);
}

static void draw_box(cairo_t *cairo, const wn_shape *s)
{
    if (s->radius > 0)
        add_rounded(cairo, s);
    else
        cairo_rectangle(cairo, s->x, s->y, s->width, s->height);
    if (s->stroke > 0) {
        cairo_set_line_width(cairo, s->stroke);
        cairo_stroke(cairo);
    } else {
        cairo_fill(cairo);
    }
}

static void draw_shapes(cairo_t *cairo, const void *data)
{
    const drawing *d = data;
    wn_draw_surface_colour(cairo, 0xffffff, 0);
    cairo_paint(cairo);
    for (uint32_t i = 0; i < d->sheet->shapes.count; i++) {
        const wn_shape *s = &d->sheet->shapes.items[i];
        wn_draw_surface_colour(cairo, s->colour, s->clear);
        if (s->kind == WN_SHAPE_LABEL) {
            wn_draw_font *font = font_of(d, s);
            if (font)
                draw_label(cairo, font, s);
        } else if (s->kind == WN_SHAPE_LINE) {
            draw_line(cairo, s);
        } else {
            draw_box(cairo, s);
        }
    }
}

bool wn_draw_sheet_draw(const wn_sheet *sheet, wn_picture_format format, wn_buf *out, wn_buf *error)
{
    wn_draw_font fonts[FONTS] = {{0}};
    drawing d = {sheet, fonts, error};
    double pixels = sheet->pixels > 0 ? sheet->pixels : PIXELS;
    bool drawn = wn_draw_surface_write(out, format, sheet->width, sheet->height, pixels,
                                       draw_shapes, &d, error);
    for (int i = 0; i < FONTS; i++)
        if (fonts[i].map)
            wn_draw_font_free(&fonts[i]);
    return drawn && error->len == 0;
}
