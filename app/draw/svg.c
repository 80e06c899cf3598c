/*
 * A cloud as SVG: a list of outlines, and words that use them.
 *
 *     <path id="g3" d="…"/>                                     a letter of 1000 units
 *     <g transform="translate(…) scale(…)"><use href="#g3" x="620"/>…</g>      a word
 *
 * Words come first into a buffer of their own, while the list of outlines grows.
 */
#include "draw/svg.h"

#include <inttypes.h>
#include <math.h>

#include "base/escape.h"

typedef struct outline {
    PangoFont *font; /* held, so that no other font gets its address */
    PangoGlyph glyph;
} outline;

typedef struct drawing {
    wn_draw_font *font;
    const wn_picture *picture;
    cairo_t *cairo; /* on a surface without pixels: it makes paths */
    wn_array(outline) outlines;
    wn_buf paths, words;
} drawing;

/* ---- Outlines ---------------------------------------------------------------------------- */

typedef struct pen {
    wn_buf *out;
    long x, y; /* where it is, rounded: differences of rounded numbers do not drift */
} pen;

/* Adds points relative to where the pen is, and moves it to the last one. */
static void add_points(pen *p, char command, const cairo_path_data_t *points, int count)
{
    long x = p->x, y = p->y;
    wn_buf_add_char(p->out, command);
    for (int i = 0; i < count; i++) {
        x = lround(points[i].point.x);
        y = lround(points[i].point.y);
        const char *space = i > 0 && x >= p->x ? " " : "";
        wn_buf_add_format(p->out, "%s%ld%s%ld", space, x - p->x, y >= p->y ? " " : "", y - p->y);
    }
    p->x = x;
    p->y = y;
}

static void add_path(wn_buf *out, const cairo_path_t *path)
{
    pen p = {.out = out};
    pen start = p;
    for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
        const cairo_path_data_t *points = &path->data[i + 1];
        switch (path->data[i].header.type) {
        case CAIRO_PATH_MOVE_TO:
            add_points(&p, 'm', points, 1);
            start = p;
            break;
        case CAIRO_PATH_LINE_TO:
            add_points(&p, 'l', points, 1);
            break;
        case CAIRO_PATH_CURVE_TO:
            add_points(&p, 'c', points, 3);
            break;
        case CAIRO_PATH_CLOSE_PATH:
            wn_buf_add_char(out, 'z');
            p = start;
            break;
        }
    }
}

static void add_outline(drawing *d, PangoFont *font, PangoGlyph glyph, uint32_t number)
{
    cairo_glyph_t at_origin = {.index = glyph};
    cairo_new_path(d->cairo);
    cairo_set_scaled_font(d->cairo, pango_cairo_font_get_scaled_font((PangoCairoFont *)font));
    cairo_glyph_path(d->cairo, &at_origin, 1);
    cairo_path_t *path = cairo_copy_path(d->cairo);
    wn_buf_add_format(&d->paths, "<path id=\"g%u\" d=\"", number);
    add_path(&d->paths, path);
    wn_buf_add_literal(&d->paths, "\"/>\n");
    cairo_path_destroy(path);
}

/* The number of a glyph's outline, which is added when it is new. */
static uint32_t outline_of(drawing *d, PangoFont *font, PangoGlyph glyph)
{
    for (uint32_t i = 0; i < d->outlines.count; i++) {
        if (d->outlines.items[i].glyph == glyph && d->outlines.items[i].font == font)
            return i;
    }
    outline *new = wn_array_push(&d->outlines);
    if (!new) {
        d->paths.failed = true;
        return 0;
    }
    *new = (outline){g_object_ref(font), glyph};
    add_outline(d, font, glyph, d->outlines.count - 1);
    return d->outlines.count - 1;
}

/* ---- Words ------------------------------------------------------------------------------- */

static double units(int pango)
{
    return (double)pango / PANGO_SCALE;
}

/* Adds the glyphs of a run that starts at `x`; returns where it ends. */
static double add_run(drawing *d, const PangoGlyphItem *run, double x)
{
    for (int i = 0; i < run->glyphs->num_glyphs; i++) {
        const PangoGlyphInfo *info = &run->glyphs->glyphs[i];
        if (info->glyph != PANGO_GLYPH_EMPTY) {
            uint32_t number = outline_of(d, run->item->analysis.font, info->glyph);
            wn_buf_add_format(&d->words, "<use href=\"#g%u\" x=\"%ld\"", number,
                              lround(x + units(info->geometry.x_offset)));
            if (info->geometry.y_offset != 0)
                wn_buf_add_format(&d->words, " y=\"%ld\"", lround(units(info->geometry.y_offset)));
            wn_buf_add_literal(&d->words, "/>");
        }
        x += units(info->geometry.width);
    }
    return x;
}

static void add_word(drawing *d, const wn_draw_weight *weight, const wn_cloud_word *word, bool page)
{
    uint32_t colour = d->picture->palette->colours[word->chance % WN_PALETTE_COLOURS];
    wn_buf_add_format(
        &d->words, "<g class=\"w\" fill=\"#%06x\" transform=\"translate(%.2f %.2f) scale(%.5f)\"",
        (unsigned)colour, word->x, word->y, word->size / WN_DRAW_FONT_UNITS);
    /* A page shows the count by itself, and to those who do not see it. */
    wn_buf_add_literal(&d->words, page ? " tabindex=\"0\" role=\"img\" aria-label=\"" : "><title>");
    wn_add_escaped(&d->words, weight->word);
    wn_buf_add_format(&d->words, ": %" PRIu64 "%s", weight->count, page ? "\">" : "</title>");
    PangoLayoutLine *line = wn_draw_font_shape(d->font, weight->word, WN_DRAW_FONT_UNITS);
    double x = 0;
    for (GSList *run = line->runs; run; run = run->next)
        x = add_run(d, run->data, x);
    wn_buf_add_literal(&d->words, "</g>\n");
}

static void add_svg(wn_buf *out, drawing *d, const char *attributes)
{
    const wn_picture *p = d->picture;
    wn_buf_add_format(out,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                      "viewBox=\"0 0 %.0f %.0f\"%s>\n"
                      "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n<defs>\n",
                      p->width, p->height, p->width, p->height, attributes,
                      (unsigned)p->palette->paper);
    wn_buf_add(out, wn_buf_str(&d->paths));
    wn_buf_add_literal(out, "</defs>\n");
    wn_buf_add(out, wn_buf_str(&d->words));
    wn_buf_add_literal(out, "</svg>\n");
    out->failed = out->failed || d->paths.failed || d->words.failed;
}

static void draw_words(drawing *d, const wn_draw_weight *weights, const wn_cloud_word *words,
                       size_t n, bool page)
{
    cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, NULL);
    d->cairo = cairo_create(surface);
    for (size_t i = 0; i < n; i++) {
        if (words[i].size > 0)
            add_word(d, &weights[i], &words[i], page);
    }
    cairo_destroy(d->cairo);
    cairo_surface_destroy(surface);
}

static void free_drawing(drawing *d)
{
    for (uint32_t i = 0; i < d->outlines.count; i++)
        g_object_unref(d->outlines.items[i].font);
    wn_array_free(&d->outlines);
    wn_buf_free(&d->paths);
    wn_buf_free(&d->words);
}

void wn_draw_svg_write(wn_buf *out, const wn_picture *picture, wn_draw_font *font,
                       const wn_draw_weight *weights, const wn_cloud_word *words, size_t n)
{
    drawing d = {.font = font, .picture = picture};
    draw_words(&d, weights, words, n, false);
    add_svg(out, &d, "");
    free_drawing(&d);
}

/* ---- The page ---------------------------------------------------------------------------- */

static const char page_style[] =
    "body{margin:0;font:16px sans-serif;text-align:center}\n"
    "svg{max-width:100%;height:auto}\n"
    ".w{cursor:default;outline:none}.w:hover,.w:focus{opacity:.6}\n"
    "#count{position:fixed;padding:.3em .6em;border-radius:.3em;background:#222;color:#fff;\n"
    "pointer-events:none;visibility:hidden}\n"
    "table{margin:1em auto;text-align:left}td+td{text-align:right;padding-left:2em}\n";

/* Shows the label of a word above it, while the pointer or the focus is on it. */
static const char page_script[] =
    "const count=document.getElementById('count');\n"
    "function show(event){\n"
    "  const word=event.target.closest('.w');\n"
    "  count.style.visibility=word?'visible':'hidden';\n"
    "  if(!word)return;\n"
    "  count.textContent=word.getAttribute('aria-label');\n"
    "  const box=word.getBoundingClientRect();\n"
    "  const left=box.left+(box.width-count.offsetWidth)/2;\n"
    "  count.style.left=Math.max(0,Math.min(left,innerWidth-count.offsetWidth))+'px';\n"
    "  count.style.top=Math.max(0,box.top-count.offsetHeight-4)+'px';\n"
    "}\n"
    "addEventListener('pointerover',show);addEventListener('focusin',show);\n";

static void add_table(wn_buf *out, const wn_draw_weight *weights, size_t n)
{
    wn_buf_add_literal(out, "<details><summary>All words</summary>\n<table>\n");
    for (size_t i = 0; i < n; i++) {
        wn_buf_add_literal(out, "<tr><td>");
        wn_add_escaped(out, weights[i].word);
        wn_buf_add_format(out, "<td>%" PRIu64 "\n", weights[i].count);
    }
    wn_buf_add_literal(out, "</table>\n</details>\n");
}

void wn_draw_html_write(wn_buf *out, const wn_picture *picture, wn_draw_font *font,
                        const wn_draw_weight *weights, const wn_cloud_word *words, size_t n)
{
    drawing d = {.font = font, .picture = picture};
    draw_words(&d, weights, words, n, true);
    wn_buf_add_literal(out, "<!doctype html>\n<meta charset=\"utf-8\">\n"
                            "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    wn_add_escaped(out, picture->title.len ? picture->title : WN_STR("Tag cloud"));
    wn_buf_add_format(out, "</title>\n<style>\n%s</style>\n", page_style);
    add_svg(out, &d, "");
    wn_buf_add_literal(out, "<div id=\"count\" role=\"status\"></div>\n");
    add_table(out, weights, n);
    wn_buf_add_format(out, "<script>\n%s</script>\n", page_script);
    free_drawing(&d);
}
