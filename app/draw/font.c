/*
 * Fonts: Pango, told to hint nothing, so that all measures grow with the size.
 */
#include "draw/font.h"

#include "base/utf8.h"
#include "io/message.h"

static const char DEFAULT_FONT[] = "Sans Bold";
static const char OTHER_SCRIPTS[] = "fonts-noto-core";

/* ---- The font that was asked for --------------------------------------------------------- */

/* Fontconfig silently replaces a font that it does not have. */
static bool has_family(const wn_draw_font *font, const char *wanted)
{
    static const char *const generic[] = {"sans", "sans-serif", "serif", "mono", "monospace"};
    for (size_t i = 0; i < sizeof generic / sizeof *generic; i++) {
        if (g_ascii_strcasecmp(wanted, generic[i]) == 0)
            return true;
    }
    PangoFontFamily **families = NULL;
    int count = 0;
    bool found = false;
    pango_font_map_list_families(font->map, &families, &count);
    for (int i = 0; i < count && !found; i++)
        found = g_ascii_strcasecmp(pango_font_family_get_name(families[i]), wanted) == 0;
    g_free(families);
    return found;
}

/* A description may name several families, the first that exists counts. */
static bool has_any_family(const wn_draw_font *font)
{
    const char *names = pango_font_description_get_family(font->description);
    char **list = g_strsplit(names ? names : "", ",", 0);
    bool found = false;
    for (char **name = list; *name && !found; name++)
        found = has_family(font, g_strstrip(*name));
    g_strfreev(list);
    return found;
}

static void set_plain_rendering(PangoContext *context)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(context, FALSE);
}

bool wn_draw_font_open(wn_draw_font *font, const char *name, wn_buf *error)
{
    /* Each thread has one of its own, which it keeps: fonts are not looked for again. */
    *font = (wn_draw_font){.map = g_object_ref(pango_cairo_font_map_get_default())};
    font->context = pango_font_map_create_context(font->map);
    font->layout = pango_layout_new(font->context);
    font->description = pango_font_description_from_string(name ? name : DEFAULT_FONT);
    set_plain_rendering(font->context);
    pango_layout_set_single_paragraph_mode(font->layout, TRUE);
    if (!name || has_any_family(font))
        return true;
    wn_buf_add_literal(error, "there is no font ");
    wn_add_quoted(error, name);
    wn_buf_add_literal(error, "; 'fc-list : family' lists those that are installed");
    return false;
}

void wn_draw_font_free(wn_draw_font *font)
{
    g_clear_object(&font->layout);
    g_clear_object(&font->context);
    g_clear_object(&font->map);
    pango_font_description_free(font->description);
    font->description = NULL;
}

/* ---- Words ------------------------------------------------------------------------------- */

PangoLayoutLine *wn_draw_font_shape(wn_draw_font *font, wn_str word, double size)
{
    pango_font_description_set_absolute_size(font->description, size * PANGO_SCALE);
    pango_layout_set_font_description(font->layout, font->description);
    pango_layout_set_text(font->layout, word.ptr, (int)word.len);
    return pango_layout_get_line_readonly(font->layout, 0);
}

/* The Debian package with a font for the script of a word. */
static const char *package_for(wn_str word)
{
    for (const char *p = word.ptr, *end = p + word.len; p < end;) {
        switch (g_unichar_get_script(wn_utf8_next(&p))) {
        case G_UNICODE_SCRIPT_LATIN:
        case G_UNICODE_SCRIPT_GREEK:
        case G_UNICODE_SCRIPT_CYRILLIC:
            return "fonts-dejavu-core";
        case G_UNICODE_SCRIPT_THAI:
            return "fonts-thai-tlwg";
        case G_UNICODE_SCRIPT_HAN:
        case G_UNICODE_SCRIPT_HIRAGANA:
        case G_UNICODE_SCRIPT_KATAKANA:
        case G_UNICODE_SCRIPT_HANGUL:
        case G_UNICODE_SCRIPT_BOPOMOFO:
            return "fonts-noto-cjk";
        default:
            break;
        }
    }
    return OTHER_SCRIPTS;
}

static void say_missing(wn_buf *error, wn_str word)
{
    wn_buf_add_literal(error, "no font here can draw '");
    wn_add_printable(error, word);
    wn_buf_add_format(error,
                      "'; install one that can (apt-get install %s), or leave the word out "
                      "with --stopwords",
                      package_for(word));
}

bool wn_draw_font_ink(wn_draw_font *font, wn_str word, wn_cloud_box *ink, wn_buf *error)
{
    PangoRectangle box;
    PangoLayoutLine *line = wn_draw_font_shape(font, word, WN_DRAW_FONT_UNITS);
    if (pango_layout_get_unknown_glyphs_count(font->layout) > 0) {
        say_missing(error, word);
        return false;
    }
    pango_layout_line_get_extents(line, &box, NULL);
    double unit = (double)WN_DRAW_FONT_UNITS * PANGO_SCALE;
    *ink = (wn_cloud_box){box.x / unit, box.y / unit, box.width / unit, box.height / unit};
    return true;
}
