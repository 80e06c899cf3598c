/*
 * Fonts: their sizes, weights, line heights and families, and the shorthand of all of them.
 */
#include <math.h>

#include "css/value_parts.h"

/* ---- Longhands ------------------------------------------------------------------------------ */

static bool read_font_size(wn_css_writer *w)
{
    static const wn_css_word words[] = {
        {"xx-small", WN_WORD_SIZES + 1},
        {"x-small", WN_WORD_SIZES + 2},
        {"small", WN_WORD_SIZES + 3},
        {"medium", WN_WORD_SIZES + 4},
        {"large", WN_WORD_SIZES + 5},
        {"x-large", WN_WORD_SIZES + 6},
        {"xx-large", WN_WORD_SIZES + 7},
        {"xxx-large", WN_WORD_SIZES + 8},
        {"-webkit-xxx-large", WN_WORD_SIZES + 8},
        {"smaller", WN_WORD_SMALLER},
        {"larger", WN_WORD_LARGER},
        {NULL, 0},
    };
    unsigned word;
    wn_css_calc calc;
    if (wn_css_take_listed(w, words, &word))
        return wn_css_add_word(w, WN_PROP_FONT_SIZE, word);
    return wn_css_read_plain_length(w, WN_LENGTHS_UNITLESS, &calc) &&
           wn_css_add_calc(w, WN_PROP_FONT_SIZE, &calc);
}

static bool read_font_weight(wn_css_writer *w)
{
    float number;
    if (wn_css_take_word(w, WN_STR("normal")))
        return wn_css_add_number(w, WN_PROP_FONT_WEIGHT, 400);
    if (wn_css_take_word(w, WN_STR("bold")))
        return wn_css_add_number(w, WN_PROP_FONT_WEIGHT, 700);
    if (wn_css_take_word(w, WN_STR("bolder")))
        return wn_css_add_word(w, WN_PROP_FONT_WEIGHT, WN_WORD_BOLDER);
    if (wn_css_take_word(w, WN_STR("lighter")))
        return wn_css_add_word(w, WN_PROP_FONT_WEIGHT, WN_WORD_LIGHTER);
    const wn_css_token *t = wn_css_at(w);
    if (t->kind == WN_CSS_PERCENT || !wn_css_take_number(w, &number) || number < 1 ||
        number > 1000) {
        w->cursor.at = t;
        return false;
    }
    return wn_css_add_number(w, WN_PROP_FONT_WEIGHT, number);
}

static bool read_line_height(wn_css_writer *w)
{
    wn_css_calc calc;
    const wn_css_token *t = wn_css_at(w);
    if (wn_css_take_word(w, WN_STR("normal")))
        return wn_css_add_word(w, WN_PROP_LINE_HEIGHT, WN_WORD_AUTO);
    if (!wn_css_read_calc(&w->cursor, &calc))
        return false;
    if (t->kind != WN_CSS_FUNCTION && t->number < 0) {
        w->cursor.at = t;
        return false;
    }
    if (calc.is_number)
        return wn_css_add_number(w, WN_PROP_LINE_HEIGHT, fmaxf(calc.first.of[WN_CSS_PX], 0));
    return wn_css_add_calc(w, WN_PROP_LINE_HEIGHT, &calc);
}

/*
 * Fonts that every browser finds, by their own name or as others with the same widths. Other names
 * (fonts of the page, of another system) are skipped, as where they are missing.
 */
static const wn_css_word families[] = {
    {"serif", WN_FONT_SERIF},
    {"sans-serif", WN_FONT_SANS},
    {"monospace", WN_FONT_MONO},
    {"system-ui", WN_FONT_SANS},
    {"ui-sans-serif", WN_FONT_SANS},
    {"cursive", WN_FONT_SANS},
    {"fantasy", WN_FONT_SANS},
    {"math", WN_FONT_SERIF},
    {"arial", WN_FONT_SANS},
    {"helvetica", WN_FONT_SANS},
    {"arimo", WN_FONT_SANS},
    {"liberation sans", WN_FONT_SANS},
    {"times", WN_FONT_SERIF},
    {"times new roman", WN_FONT_SERIF},
    {"tinos", WN_FONT_SERIF},
    {"liberation serif", WN_FONT_SERIF},
    {"courier", WN_FONT_MONO},
    {"courier new", WN_FONT_MONO},
    {"cousine", WN_FONT_MONO},
    {"liberation mono", WN_FONT_MONO},
    {NULL, 0},
};

/* One family: a string, or words with one space between them. */
static bool take_family(wn_css_writer *w, wn_str *name)
{
    const wn_css_token *t = wn_css_at(w);
    if (t->kind == WN_CSS_STRING) {
        *name = t->text;
        w->cursor.at++;
        return true;
    }
    if (t->kind != WN_CSS_IDENT)
        return false;
    while (w->cursor.at->kind == WN_CSS_IDENT)
        w->cursor.at++;
    const wn_css_token *last = w->cursor.at - 1;
    *name = last == t ? t->text : wn_str_between(t->start, last->end);
    return true;
}

static bool read_family(wn_css_writer *w)
{
    unsigned found = WN_FONT_SERIF, count = 0;
    bool known = false, generic_mono = false;
    do {
        wn_str name;
        bool is_word = wn_css_at(w)->kind == WN_CSS_IDENT;
        if (!take_family(w, &name))
            return false;
        count++;
        const wn_css_word *family = known ? NULL : wn_css_find_word(families, name);
        if (family) {
            known = true;
            found = family->value;
            generic_mono = is_word && wn_str_eq_nocase(name, WN_STR("monospace"));
        }
    } while (wn_css_take_delim(w, ','));
    /* 4: monospace alone, which has a font size of its own */
    return wn_css_add_word(w, WN_PROP_FONT_FAMILY, found | (generic_mono && count == 1 ? 4u : 0u));
}

bool wn_css_read_font_longhand(wn_css_writer *w, wn_css_property property)
{
    switch (property) {
    case WN_PROP_FONT_FAMILY:
        return read_family(w);
    case WN_PROP_FONT_SIZE:
        return read_font_size(w);
    case WN_PROP_FONT_WEIGHT:
        return read_font_weight(w);
    default:
        return read_line_height(w);
    }
}

/* ---- The shorthand -------------------------------------------------------------------------- */

static const wn_css_word ignored[] = {
    {"normal", 0},
    {"small-caps", 0},
    {"condensed", 0},
    {"expanded", 0},
    {"semi-condensed", 0},
    {"semi-expanded", 0},
    {"extra-condensed", 0},
    {"extra-expanded", 0},
    {"ultra-condensed", 0},
    {"ultra-expanded", 0},
    {NULL, 0},
};
static const wn_css_word system_fonts[] = {
    {"caption", 0},       {"icon", 0},       {"menu", 0}, {"message-box", 0},
    {"small-caption", 0}, {"status-bar", 0}, {NULL, 0},
};

/* font: [style || variant || weight || stretch] size [/ line-height] family */
bool wn_css_read_font(wn_css_writer *w)
{
    unsigned word;
    wn_css_add_word(w, WN_PROP_FONT_STYLE, 0);
    wn_css_add_word(w, WN_PROP_FONT_VARIANT_CAPS, 0);
    wn_css_add_number(w, WN_PROP_FONT_WEIGHT, 400);
    wn_css_add_word(w, WN_PROP_LINE_HEIGHT, WN_WORD_AUTO);
    if (wn_css_take_listed(w, system_fonts, &word))
        return wn_css_add_word(w, WN_PROP_FONT_FAMILY, WN_FONT_SANS) && wn_css_at_end(w);
    for (int i = 0; i < 4; i++) {
        const wn_css_token *t = wn_css_at(w);
        if (wn_css_is_ident(t, WN_STR("small-caps")))
            wn_css_add_word(w, WN_PROP_FONT_VARIANT_CAPS, 1);
        if (wn_css_take_listed(w, ignored, &word))
            continue;
        if (t->kind == WN_CSS_NUMBER && w->cursor.quirks && t[1].kind == WN_CSS_IDENT &&
            t->number < 100)
            break; /* a size without a unit */
        if (!wn_css_read_longhand(w, WN_PROP_FONT_STYLE) && !read_font_weight(w))
            break;
    }
    if (!read_font_size(w))
        return false;
    if (wn_css_take_delim(w, '/') && !read_line_height(w))
        return false;
    return read_family(w);
}
