/*
 * A sheet: a list of shapes, and its form as SVG.
 */
#include "draw/sheet.h"

#include "base/escape.h"

static void add(wn_sheet *sheet, wn_shape shape, wn_shape_kind kind)
{
    shape.kind = kind;
    shape.text = wn_arena_copy(&sheet->arena, shape.text);
    wn_shape *new = sheet->arena.failed ? NULL : wn_array_push(&sheet->shapes);
    if (new)
        *new = shape;
    else
        sheet->failed = true;
}

void wn_draw_sheet_box(wn_sheet *sheet, wn_shape shape)
{
    add(sheet, shape, WN_SHAPE_BOX);
}

void wn_draw_sheet_line(wn_sheet *sheet, wn_shape shape)
{
    add(sheet, shape, WN_SHAPE_LINE);
}

void wn_draw_sheet_label(wn_sheet *sheet, wn_shape shape)
{
    add(sheet, shape, WN_SHAPE_LABEL);
}

void wn_draw_sheet_free(wn_sheet *sheet)
{
    wn_array_free(&sheet->shapes);
    wn_arena_free(&sheet->arena);
}

/* ---- SVG --------------------------------------------------------------------------------- */

static void write_clear(wn_buf *out, const wn_shape *s)
{
    if (s->clear > 0)
        wn_buf_add_format(out, " opacity=\"%.2f\"", 1 - s->clear);
}

static void write_box(wn_buf *out, const wn_shape *s)
{
    wn_buf_add_format(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", s->x, s->y,
                      s->width, s->height);
    if (s->radius > 0)
        wn_buf_add_format(out, " rx=\"%.1f\"", s->radius);
    if (s->stroke > 0)
        wn_buf_add_format(out, " fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.1f\"",
                          (unsigned)s->colour, s->stroke);
    else
        wn_buf_add_format(out, " fill=\"#%06x\"", (unsigned)s->colour);
    write_clear(out, s);
    if (s->text.len > 0) {
        wn_buf_add_literal(out, "><title>");
        wn_add_escaped(out, s->text);
        wn_buf_add_literal(out, "</title></rect>\n");
    } else {
        wn_buf_add_literal(out, "/>\n");
    }
}

static void write_line(wn_buf *out, const wn_shape *s)
{
    wn_buf_add_format(out,
                      "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#%06x\"/>\n",
                      s->x, s->y, s->x + s->width, s->y + s->height, (unsigned)s->colour);
}

static void write_label(wn_buf *out, const wn_shape *s)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    wn_buf_add_format(out,
                      "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\" "
                      "fill=\"#%06x\"",
                      s->x, s->y, s->size, anchors[s->anchor], (unsigned)s->colour);
    write_clear(out, s);
    if (s->face != WN_DRAW_FACE_SANS)
        wn_buf_add_format(out, " font-family=\"%s\"",
                          s->face == WN_DRAW_FACE_SERIF ? "Times New Roman, serif"
                                                        : "Courier New, monospace");
    if (s->downwards)
        wn_buf_add_format(out, " transform=\"rotate(90 %.1f %.1f)\"", s->x, s->y);
    wn_buf_add_literal(out, s->bold ? " font-weight=\"bold\"" : "");
    wn_buf_add_literal(out, s->italic ? " font-style=\"italic\"" : "");
    if (s->fit > 0)
        wn_buf_add_format(out,
                          " textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" "
                          "xml:space=\"preserve\"",
                          s->fit);
    wn_buf_add_char(out, '>');
    wn_add_escaped(out, s->text);
    wn_buf_add_literal(out, "</text>\n");
}

static void write_svg(const wn_sheet *sheet, wn_buf *out)
{
    wn_buf_add_format(out,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                      "viewBox=\"0 0 %.0f %.0f\" font-family=\"Arial, sans-serif\">\n"
                      "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                      sheet->width, sheet->height, sheet->width, sheet->height);
    for (uint32_t i = 0; i < sheet->shapes.count; i++) {
        const wn_shape *s = &sheet->shapes.items[i];
        if (s->kind == WN_SHAPE_BOX)
            write_box(out, s);
        else if (s->kind == WN_SHAPE_LINE)
            write_line(out, s);
        else
            write_label(out, s);
    }
    wn_buf_add_literal(out, "</svg>\n");
}

bool wn_draw_sheet_write(const wn_sheet *sheet, wn_picture_format format, wn_buf *out,
                         wn_buf *error)
{
    if (format != WN_PICTURE_SVG && !sheet->failed)
        return wn_draw_sheet_draw(sheet, format, out, error);
    write_svg(sheet, out);
    if (sheet->failed || out->failed)
        wn_buf_add_literal(error, "cannot draw: out of memory");
    return !sheet->failed && !out->failed;
}
