#include "css/value.h"

#include <math.h>

#include "base/buf.h"
#include "css/color.h"
#include "css/value_parts.h"

enum {
    MAX_TOKENS = 20000, /* of one declaration; a longer one is dropped */
    MAX_LONGHANDS = 24, /* of one shorthand */
};

/* ---- Writing ----------------------------------------------------------------------------- */

wn_css_decl *wn_css_add(wn_css_writer *w, wn_css_property property)
{
    wn_css_decl *decl = wn_array_push(w->out);
    if (!decl) {
        w->failed = true;
        return NULL;
    }
    *decl = (wn_css_decl){.property = (uint16_t)property, .logical = w->logical};
    return decl;
}

bool wn_css_add_word(wn_css_writer *w, wn_css_property property, unsigned word)
{
    wn_css_decl *decl = wn_css_add(w, property);
    if (decl) {
        decl->type = WN_VALUE_WORD;
        decl->number = (float)word;
    }
    return decl;
}

bool wn_css_add_number(wn_css_writer *w, wn_css_property property, float number)
{
    wn_css_decl *decl = wn_css_add(w, property);
    if (decl) {
        decl->type = WN_VALUE_NUMBER;
        decl->number = number;
    }
    return decl;
}

bool wn_css_add_data(wn_css_writer *w, wn_css_property property, const void *data, size_t size)
{
    wn_css_decl *decl = wn_css_add(w, property);
    void *copy = wn_arena_alloc(w->cursor.arena, size);
    if (!decl || !copy) {
        w->failed = true;
        return false;
    }
    memcpy(copy, data, size);
    decl->type = WN_VALUE_DATA;
    decl->data = copy;
    return true;
}

/* A length: as a number with its unit if it has one only. */
static bool add_calc(wn_css_writer *w, wn_css_property property, const wn_css_calc *calc)
{
    int used = 0, unit = WN_CSS_PX;
    for (int i = 0; i < WN_CSS_UNITS; i++)
        if (calc->first.of[i] != 0) {
            used++;
            unit = i;
        }
    if (calc->arm_count || used > 1) {
        if (!wn_css_add_data(w, property, calc, sizeof *calc))
            return false;
        w->out->items[w->out->count - 1].type = WN_VALUE_CALC;
        return true;
    }
    wn_css_decl *decl = wn_css_add(w, property);
    if (!decl)
        return false;
    decl->type = WN_VALUE_LENGTH;
    decl->unit = (uint8_t)unit;
    decl->number = calc->first.of[unit];
    return true;
}

/* ---- Simple longhands -------------------------------------------------------------------- */

static const wn_css_word *find_word(const wn_css_word *words, wn_str name)
{
    for (; words->name; words++)
        if (wn_str_eq_nocase(wn_str_of(words->name), name))
            return words;
    return NULL;
}

static bool take_listed(wn_css_writer *w, const wn_css_word *words, unsigned *value)
{
    if (wn_at(w)->kind != WN_CSS_IDENT)
        return false;
    const wn_css_word *word = find_word(words, wn_at(w)->text);
    if (!word)
        return false;
    w->cursor.at++;
    *value = word->value;
    return true;
}

static bool read_words(wn_css_writer *w, wn_css_property property)
{
    unsigned value;
    if (!take_listed(w, wn_css_longhands[property].words, &value))
        return false;
    if (property == WN_PROP_FONT_STYLE && wn_at(w)->kind == WN_CSS_DIMENSION)
        w->cursor.at++; /* oblique 10deg */
    unsigned more;
    if (property == WN_PROP_TEXT_TRANSFORM)
        while (take_listed(w, wn_css_longhands[property].words, &more))
            value |= more;
    return wn_css_add_word(w, property, value);
}

/* A length without words. Numbers count as pixels where quirks mode lets them. */
static bool read_plain_length(wn_css_writer *w, unsigned flags, wn_css_calc *calc)
{
    const wn_css_token *t = wn_at(w);
    if (!wn_css_read_calc(&w->cursor, calc))
        return false;
    bool ok = true;
    if (calc->is_number)
        ok = t->kind == WN_CSS_NUMBER &&
             (t->number == 0 || (w->cursor.quirks && (flags & WN_LENGTHS_UNITLESS)));
    if (t->kind != WN_CSS_FUNCTION && !(flags & WN_LENGTHS_NEGATIVE))
        ok &= t->number >= 0;
    if (!ok)
        w->cursor.at = t;
    return ok;
}

static bool take_content_size(wn_css_writer *w, unsigned *kind)
{
    static const wn_css_word words[] = {
        {"min-content", WN_LENGTH_MIN_CONTENT},
        {"max-content", WN_LENGTH_MAX_CONTENT},
        {"fit-content", WN_LENGTH_FIT_CONTENT},
        {"stretch", WN_LENGTH_STRETCH},
        {"-webkit-fill-available", WN_LENGTH_STRETCH},
        {"-webkit-min-content", WN_LENGTH_MIN_CONTENT},
        {"-webkit-max-content", WN_LENGTH_MAX_CONTENT},
        {"-webkit-fit-content", WN_LENGTH_FIT_CONTENT},
        {"intrinsic", WN_LENGTH_MAX_CONTENT},
        {"min-intrinsic", WN_LENGTH_MIN_CONTENT},
        {NULL, 0},
    };
    return take_listed(w, words, kind);
}

static bool read_length(wn_css_writer *w, wn_css_property property, unsigned flags)
{
    unsigned kind;
    wn_css_calc calc;
    if (((flags & WN_LENGTHS_AUTO) && wn_take_word(w, WN_STR("auto"))) ||
        ((flags & WN_LENGTHS_NONE) && wn_take_word(w, WN_STR("none"))) ||
        ((flags & WN_LENGTHS_NORMAL) && wn_take_word(w, WN_STR("normal"))))
        return wn_css_add_word(w, property, WN_WORD_AUTO);
    if ((flags & WN_LENGTHS_BASIS) && wn_take_word(w, WN_STR("content")))
        return wn_css_add_word(w, property, WN_WORD_CONTENTS + WN_LENGTH_CONTENT);
    if ((flags & WN_LENGTHS_CONTENT) && take_content_size(w, &kind))
        return wn_css_add_word(w, property, WN_WORD_CONTENTS + kind);
    if ((flags & WN_LENGTHS_CONTENT) && wn_css_is_function(wn_at(w), WN_STR("fit-content"))) {
        wn_css_skip_function(&w->cursor);
        return wn_css_add_word(w, property, WN_WORD_CONTENTS + WN_LENGTH_FIT_CONTENT);
    }
    return read_plain_length(w, flags, &calc) && add_calc(w, property, &calc);
}

static bool read_px(wn_css_writer *w, wn_css_property property)
{
    wn_css_calc calc;
    if (wn_take_word(w, WN_STR("normal")))
        return wn_css_add_word(w, property, WN_WORD_AUTO);
    return read_plain_length(w, WN_LENGTHS_NEGATIVE, &calc) && add_calc(w, property, &calc);
}

/* A number; percentages are parts of 1. */
static bool take_number(wn_css_writer *w, float *number)
{
    wn_css_calc calc;
    const wn_css_token *t = wn_at(w);
    if (!wn_css_read_calc(&w->cursor, &calc))
        return false;
    if (calc.is_number) {
        *number = calc.first.of[WN_CSS_PX];
        return true;
    }
    if (calc.first.of[WN_CSS_PERCENTAGE] != 0 || t->kind == WN_CSS_PERCENT) {
        *number = calc.first.of[WN_CSS_PERCENTAGE] / 100;
        return true;
    }
    w->cursor.at = t;
    return false;
}

static bool read_number(wn_css_writer *w, wn_css_property property)
{
    float number;
    if (property != WN_PROP_OPACITY && wn_at(w)->kind == WN_CSS_PERCENT)
        return false;
    if (!take_number(w, &number) || (property != WN_PROP_OPACITY && number < 0))
        return false;
    if (property == WN_PROP_OPACITY)
        number = fminf(fmaxf(number, 0), 1);
    return wn_css_add_number(w, property, number);
}

static bool read_integer(wn_css_writer *w, wn_css_property property, float least)
{
    wn_css_calc calc;
    const wn_css_token *t = wn_at(w);
    if (!wn_css_read_calc(&w->cursor, &calc) || !calc.is_number ||
        (t->kind == WN_CSS_NUMBER && !t->integer))
        return false;
    float number = roundf(calc.first.of[WN_CSS_PX]);
    if (number < least)
        return false;
    return wn_css_add_number(w, property, fminf(fmaxf(number, -1e9f), 1e9f));
}

static bool read_color(wn_css_writer *w, wn_css_property property)
{
    wn_color color;
    bool is_current;
    /* In quirks mode "color: 336699" is one too. */
    if (!wn_css_read_color(&w->cursor, WN_COLOR_BLACK, &color, &is_current)) {
        const wn_css_token *t = wn_at(w);
        wn_str digits = wn_str_between(t->start, t->end);
        bool number = t->kind == WN_CSS_NUMBER || t->kind == WN_CSS_DIMENSION ||
                      t->kind == WN_CSS_IDENT;
        char hash[8] = "#";
        if (!w->cursor.quirks || !number || (digits.len != 3 && digits.len != 6))
            return false;
        memcpy(hash + 1, digits.ptr, digits.len);
        wn_css_token tokens[2] = {0};
        wn_css_reader reader = {hash, hash + 1 + digits.len, w->cursor.arena};
        wn_css_next(&reader, &tokens[0]);
        wn_css_cursor cursor = {.at = tokens};
        if (!wn_css_read_color(&cursor, WN_COLOR_BLACK, &color, &is_current))
            return false;
        w->cursor.at++;
    }
    wn_css_decl *decl = wn_css_add(w, property);
    if (!decl)
        return false;
    decl->type = is_current ? WN_VALUE_CURRENT : WN_VALUE_COLOR;
    decl->color = color;
    return true;
}

/* ---- Fonts ------------------------------------------------------------------------------- */

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
    if (take_listed(w, words, &word))
        return wn_css_add_word(w, WN_PROP_FONT_SIZE, word);
    return read_plain_length(w, WN_LENGTHS_UNITLESS, &calc) &&
           add_calc(w, WN_PROP_FONT_SIZE, &calc);
}

static bool read_font_weight(wn_css_writer *w)
{
    float number;
    if (wn_take_word(w, WN_STR("normal")))
        return wn_css_add_number(w, WN_PROP_FONT_WEIGHT, 400);
    if (wn_take_word(w, WN_STR("bold")))
        return wn_css_add_number(w, WN_PROP_FONT_WEIGHT, 700);
    if (wn_take_word(w, WN_STR("bolder")))
        return wn_css_add_word(w, WN_PROP_FONT_WEIGHT, WN_WORD_BOLDER);
    if (wn_take_word(w, WN_STR("lighter")))
        return wn_css_add_word(w, WN_PROP_FONT_WEIGHT, WN_WORD_LIGHTER);
    const wn_css_token *t = wn_at(w);
    if (t->kind == WN_CSS_PERCENT || !take_number(w, &number) || number < 1 || number > 1000) {
        w->cursor.at = t;
        return false;
    }
    return wn_css_add_number(w, WN_PROP_FONT_WEIGHT, number);
}

static bool read_line_height(wn_css_writer *w)
{
    wn_css_calc calc;
    const wn_css_token *t = wn_at(w);
    if (wn_take_word(w, WN_STR("normal")))
        return wn_css_add_word(w, WN_PROP_LINE_HEIGHT, WN_WORD_AUTO);
    if (!wn_css_read_calc(&w->cursor, &calc))
        return false;
    if (t->kind != WN_CSS_FUNCTION && t->number < 0) {
        w->cursor.at = t;
        return false;
    }
    if (calc.is_number)
        return wn_css_add_number(w, WN_PROP_LINE_HEIGHT, fmaxf(calc.first.of[WN_CSS_PX], 0));
    return add_calc(w, WN_PROP_LINE_HEIGHT, &calc);
}

/*
 * Fonts that every browser finds, by their own name or as others with the same widths. Other names
 * (fonts of the page, of another system) are passed over, as where they are missing.
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
    const wn_css_token *t = wn_at(w);
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
        bool is_word = wn_at(w)->kind == WN_CSS_IDENT;
        if (!take_family(w, &name))
            return false;
        count++;
        const wn_css_word *family = known ? NULL : find_word(families, name);
        if (family) {
            known = true;
            found = family->value;
            generic_mono = is_word && wn_str_eq_nocase(name, WN_STR("monospace"));
        }
    } while (wn_take_delim(w, ','));
    /* 4: monospace alone, which has a font size of its own */
    return wn_css_add_word(w, WN_PROP_FONT_FAMILY, found | (generic_mono && count == 1 ? 4u : 0u));
}

/* font: [style || variant || weight || stretch] size [/ line-height] family */
static bool read_font(wn_css_writer *w)
{
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
    unsigned word;
    wn_css_add_word(w, WN_PROP_FONT_STYLE, 0);
    wn_css_add_word(w, WN_PROP_FONT_VARIANT_CAPS, 0);
    wn_css_add_number(w, WN_PROP_FONT_WEIGHT, 400);
    wn_css_add_word(w, WN_PROP_LINE_HEIGHT, WN_WORD_AUTO);
    if (take_listed(w, system_fonts, &word))
        return wn_css_add_word(w, WN_PROP_FONT_FAMILY, WN_FONT_SANS) && wn_at_end(w);
    for (int i = 0; i < 4; i++) {
        const wn_css_token *t = wn_at(w);
        if (wn_css_is_ident(t, WN_STR("small-caps")))
            wn_css_add_word(w, WN_PROP_FONT_VARIANT_CAPS, 1);
        if (take_listed(w, ignored, &word))
            continue;
        if (t->kind == WN_CSS_NUMBER && w->cursor.quirks && t[1].kind == WN_CSS_IDENT &&
            t->number < 100)
            break; /* a size without a unit */
        if (!read_words(w, WN_PROP_FONT_STYLE) && !read_font_weight(w))
            break;
    }
    if (!read_font_size(w))
        return false;
    if (wn_take_delim(w, '/') && !read_line_height(w))
        return false;
    return read_family(w);
}

/* ---- Boxes ------------------------------------------------------------------------------- */

static bool read_display(wn_css_writer *w)
{
    static const wn_css_word words[] = {
        {"none", WN_DISPLAY_NONE},
        {"contents", WN_DISPLAY_CONTENTS},
        {"inline", WN_DISPLAY_INLINE},
        {"block", WN_DISPLAY_BLOCK},
        {"flow-root", WN_DISPLAY_FLOW_ROOT},
        {"inline-block", WN_DISPLAY_INLINE_BLOCK},
        {"list-item", WN_DISPLAY_LIST_ITEM},
        {"table", WN_DISPLAY_TABLE},
        {"inline-table", WN_DISPLAY_INLINE_TABLE},
        {"table-row-group", WN_DISPLAY_TABLE_ROW_GROUP},
        {"table-header-group", WN_DISPLAY_TABLE_HEADER_GROUP},
        {"table-footer-group", WN_DISPLAY_TABLE_FOOTER_GROUP},
        {"table-row", WN_DISPLAY_TABLE_ROW},
        {"table-cell", WN_DISPLAY_TABLE_CELL},
        {"table-column", WN_DISPLAY_TABLE_COLUMN},
        {"table-column-group", WN_DISPLAY_TABLE_COLUMN_GROUP},
        {"table-caption", WN_DISPLAY_TABLE_CAPTION},
        {"flex", WN_DISPLAY_FLEX},
        {"inline-flex", WN_DISPLAY_INLINE_FLEX},
        {"grid", WN_DISPLAY_GRID},
        {"inline-grid", WN_DISPLAY_INLINE_GRID},
        {"ruby", WN_DISPLAY_RUBY},
        {"ruby-text", WN_DISPLAY_RUBY_TEXT},
        {"-webkit-flex", WN_DISPLAY_FLEX},
        {"-webkit-inline-flex", WN_DISPLAY_INLINE_FLEX},
        {"-webkit-box", WN_DISPLAY_FLOW_ROOT},
        {"-webkit-inline-box", WN_DISPLAY_INLINE_BLOCK},
        {"math", WN_DISPLAY_INLINE},
        {"flow", WN_DISPLAY_BLOCK},
        {NULL, 0},
    };
    unsigned display, second;
    if (!take_listed(w, words, &display))
        return false;
    if (take_listed(w, words, &second)) {
        /* "inline flex", "block flow-root": the outer word, then the inner one */
        static const uint8_t inner[][2] = {
            {WN_DISPLAY_FLOW_ROOT, WN_DISPLAY_INLINE_BLOCK},
            {WN_DISPLAY_TABLE, WN_DISPLAY_INLINE_TABLE},
            {WN_DISPLAY_FLEX, WN_DISPLAY_INLINE_FLEX},
            {WN_DISPLAY_GRID, WN_DISPLAY_INLINE_GRID},
        };
        bool is_inline = display == WN_DISPLAY_INLINE;
        if (display != WN_DISPLAY_BLOCK && !is_inline)
            return false;
        if (second == WN_DISPLAY_BLOCK)
            second = display;
        for (size_t i = 0; is_inline && i < sizeof inner / sizeof *inner; i++)
            if (second == inner[i][0]) {
                second = inner[i][1];
                break;
            }
        display = second;
    }
    return wn_css_add_word(w, WN_PROP_DISPLAY, display);
}

static bool read_border_width(wn_css_writer *w, wn_css_property property)
{
    static const wn_css_word words[] = {
        {"thin", WN_WORD_THIN}, {"medium", WN_WORD_MEDIUM}, {"thick", WN_WORD_THICK}, {NULL, 0}};
    unsigned word;
    wn_css_calc calc;
    if (take_listed(w, words, &word))
        return wn_css_add_word(w, property, word);
    if (wn_at(w)->kind == WN_CSS_PERCENT || !read_plain_length(w, WN_LENGTHS_UNITLESS, &calc))
        return false;
    return add_calc(w, property, &calc);
}

static bool read_vertical_align(wn_css_writer *w)
{
    static const wn_css_word words[] = {
        {"baseline", WN_VALIGN_BASELINE},
        {"sub", WN_VALIGN_SUB},
        {"super", WN_VALIGN_SUPER},
        {"top", WN_VALIGN_TOP},
        {"text-top", WN_VALIGN_TEXT_TOP},
        {"middle", WN_VALIGN_MIDDLE},
        {"bottom", WN_VALIGN_BOTTOM},
        {"text-bottom", WN_VALIGN_TEXT_BOTTOM},
        {"-webkit-baseline-middle", WN_VALIGN_MIDDLE},
        {NULL, 0},
    };
    unsigned word;
    wn_css_calc calc;
    if (take_listed(w, words, &word))
        return wn_css_add_word(w, WN_PROP_VERTICAL_ALIGN, word);
    return read_plain_length(w, WN_LENGTHS_NEGATIVE | WN_LENGTHS_UNITLESS, &calc) &&
           add_calc(w, WN_PROP_VERTICAL_ALIGN, &calc);
}

static bool read_list_type(wn_css_writer *w)
{
    static const wn_css_word words[] = {
        {"none", WN_LIST_NONE},
        {"disc", WN_LIST_DISC},
        {"circle", WN_LIST_CIRCLE},
        {"square", WN_LIST_SQUARE},
        {"decimal", WN_LIST_DECIMAL},
        {"decimal-leading-zero", WN_LIST_DECIMAL_ZERO},
        {"lower-alpha", WN_LIST_LOWER_ALPHA},
        {"lower-latin", WN_LIST_LOWER_ALPHA},
        {"upper-alpha", WN_LIST_UPPER_ALPHA},
        {"upper-latin", WN_LIST_UPPER_ALPHA},
        {"lower-roman", WN_LIST_LOWER_ROMAN},
        {"upper-roman", WN_LIST_UPPER_ROMAN},
        {NULL, 0},
    };
    unsigned word;
    if (take_listed(w, words, &word))
        return wn_css_add_word(w, WN_PROP_LIST_STYLE_TYPE, word);
    if (wn_at(w)->kind != WN_CSS_IDENT && wn_at(w)->kind != WN_CSS_STRING)
        return false;
    w->cursor.at++;
    return wn_css_add_word(w, WN_PROP_LIST_STYLE_TYPE, WN_LIST_OTHER);
}

/* Whether an image stands at the cursor: url(…), a gradient. Moves behind it. */
static bool take_image(wn_css_writer *w)
{
    const wn_css_token *t = wn_at(w);
    if (t->kind == WN_CSS_URL) {
        w->cursor.at++;
        return true;
    }
    if (t->kind != WN_CSS_FUNCTION)
        return false;
    static const char *const functions[] = {
        "url", "image-set", "-webkit-image-set", "element", "cross-fade", "image", "paint"};
    bool image = wn_str_contains_nocase(t->text, WN_STR("-gradient"));
    for (size_t i = 0; !image && i < sizeof functions / sizeof *functions; i++)
        image = wn_str_eq_nocase(t->text, wn_str_of(functions[i]));
    if (image)
        wn_css_skip_function(&w->cursor);
    return image;
}

static bool read_image(wn_css_writer *w, wn_css_property property)
{
    bool any = false;
    do {
        if (take_image(w))
            any = true;
        else if (!wn_take_word(w, WN_STR("none")))
            return false;
    } while (property == WN_PROP_BACKGROUND_IMAGE && wn_take_delim(w, ','));
    return wn_css_add_word(w, property, any);
}

/* background: colour, images and where they go, in any order, layers apart by commas. */
static bool read_background(wn_css_writer *w)
{
    static const wn_css_word placing[] = {
        {"none", 0},        {"left", 0},      {"right", 0},       {"top", 0},
        {"bottom", 0},      {"center", 0},    {"repeat", 0},      {"repeat-x", 0},
        {"repeat-y", 0},    {"no-repeat", 0}, {"space", 0},       {"round", 0},
        {"scroll", 0},      {"fixed", 0},     {"local", 0},       {"border-box", 0},
        {"padding-box", 0}, {"text", 0},      {"content-box", 0}, {"cover", 0},
        {"contain", 0},     {"auto", 0},      {NULL, 0},
    };
    bool image = false, has_color = false;
    unsigned word;
    wn_css_calc calc;
    if (wn_at_end(w))
        return false;
    while (!wn_at_end(w)) {
        if (take_image(w))
            image = true;
        else if (take_listed(w, placing, &word) || wn_take_delim(w, '/'))
            continue;
        else if (wn_take_delim(w, ',')) {
            if (has_color || wn_at_end(w))
                return false; /* only the last layer has one */
        } else if (!has_color && read_color(w, WN_PROP_BACKGROUND_COLOR))
            has_color = true;
        else if (!read_plain_length(w, WN_LENGTHS_NEGATIVE | WN_LENGTHS_UNITLESS, &calc))
            return false;
    }
    if (!has_color) {
        wn_css_decl *decl = wn_css_add(w, WN_PROP_BACKGROUND_COLOR);
        if (decl)
            decl->type = WN_VALUE_COLOR;
    }
    return wn_css_add_word(w, WN_PROP_BACKGROUND_IMAGE, image);
}

/* ---- Alignment --------------------------------------------------------------------------- */

static bool read_align(wn_css_writer *w, wn_css_property property)
{
    static const wn_css_word words[] = {
        {"normal", WN_ALIGN_NORMAL},
        {"auto", WN_ALIGN_AUTO},
        {"stretch", WN_ALIGN_STRETCH},
        {"start", WN_ALIGN_START},
        {"end", WN_ALIGN_END},
        {"flex-start", WN_ALIGN_FLEX_START},
        {"flex-end", WN_ALIGN_FLEX_END},
        {"self-start", WN_ALIGN_SELF_START},
        {"self-end", WN_ALIGN_SELF_END},
        {"center", WN_ALIGN_CENTER},
        {"left", WN_ALIGN_LEFT},
        {"right", WN_ALIGN_RIGHT},
        {"baseline", WN_ALIGN_BASELINE},
        {"space-between", WN_ALIGN_SPACE_BETWEEN},
        {"space-around", WN_ALIGN_SPACE_AROUND},
        {"space-evenly", WN_ALIGN_SPACE_EVENLY},
        {"legacy", WN_ALIGN_NORMAL},
        {NULL, 0},
    };
    unsigned word;
    bool last = false;
    if (!wn_take_word(w, WN_STR("safe")) && !wn_take_word(w, WN_STR("unsafe"))) {
        last = wn_take_word(w, WN_STR("last"));
        if (!last)
            wn_take_word(w, WN_STR("first"));
    }
    bool justify = property == WN_PROP_JUSTIFY_CONTENT || property == WN_PROP_JUSTIFY_ITEMS ||
                   property == WN_PROP_JUSTIFY_SELF;
    if (!take_listed(w, words, &word) ||
        (!justify && (word == WN_ALIGN_LEFT || word == WN_ALIGN_RIGHT)))
        return false;
    return wn_css_add_word(w, property, last ? (unsigned)WN_ALIGN_LAST_BASELINE : word);
}

/* place-content: align, then justify; one value is both. */
static bool read_place(wn_css_writer *w, wn_css_property align, wn_css_property justify)
{
    if (!read_align(w, align))
        return false;
    if (!wn_at_end(w))
        return read_align(w, justify);
    unsigned word = (unsigned)w->out->items[w->out->count - 1].number;
    return wn_css_add_word(w, justify, word);
}

static bool read_flex(wn_css_writer *w)
{
    float grow = 1, shrink = 1;
    bool numbers = false;
    if (wn_take_word(w, WN_STR("none"))) {
        grow = shrink = 0;
        wn_css_add_word(w, WN_PROP_FLEX_BASIS, WN_WORD_AUTO);
    } else {
        bool basis = false;
        while (!wn_at_end(w)) {
            const wn_css_token *t = wn_at(w);
            float number;
            bool unitless = t->kind == WN_CSS_NUMBER || t->kind == WN_CSS_FUNCTION;
            if (!numbers && unitless && take_number(w, &grow)) {
                numbers = true;
                if (grow < 0)
                    return false;
                if (wn_at(w)->kind == WN_CSS_NUMBER && take_number(w, &number))
                    shrink = number;
            } else if (!basis && read_length(w, WN_PROP_FLEX_BASIS,
                                             wn_css_longhands[WN_PROP_FLEX_BASIS].flags)) {
                basis = true;
            } else {
                return false;
            }
        }
        if (!basis && !numbers)
            return false;
        if (!basis) {
            wn_css_decl *decl = wn_css_add(w, WN_PROP_FLEX_BASIS);
            if (decl) {
                decl->type = WN_VALUE_LENGTH;
                decl->unit = WN_CSS_PERCENTAGE;
            }
        }
    }
    return shrink >= 0 && wn_css_add_number(w, WN_PROP_FLEX_GROW, grow) &&
           wn_css_add_number(w, WN_PROP_FLEX_SHRINK, shrink);
}

/* ---- Other longhands --------------------------------------------------------------------- */

static bool read_decoration(wn_css_writer *w, bool shorthand)
{
    static const wn_css_word words[] = {{"none", 0},     {"underline", 1}, {"line-through", 2},
                                        {"overline", 4}, {"blink", 0},     {"solid", 0},
                                        {"double", 0},   {"dotted", 0},    {"dashed", 0},
                                        {"wavy", 0},     {"auto", 0},      {"from-font", 0},
                                        {NULL, 0}};
    unsigned lines = 0, word;
    wn_color color;
    bool is_current;
    wn_css_calc calc;
    if (wn_at_end(w))
        return false;
    while (!wn_at_end(w)) {
        if (take_listed(w, words, &word))
            lines |= word;
        else if (!shorthand ||
                 (!wn_css_read_color(&w->cursor, WN_COLOR_BLACK, &color, &is_current) &&
                  !read_plain_length(w, 0, &calc)))
            return false;
    }
    return wn_css_add_word(w, WN_PROP_TEXT_DECORATION_LINE, lines);
}

static bool read_spacing(wn_css_writer *w)
{
    wn_css_pair pair = {0};
    if (!read_plain_length(w, WN_LENGTHS_UNITLESS, &pair.first))
        return false;
    pair.second = pair.first;
    if (!wn_at_end(w) && !read_plain_length(w, WN_LENGTHS_UNITLESS, &pair.second))
        return false;
    return wn_css_add_data(w, WN_PROP_BORDER_SPACING, &pair, sizeof pair);
}

static bool read_ratio(wn_css_writer *w)
{
    wn_css_pair pair = {0};
    bool is_auto = wn_take_word(w, WN_STR("auto"));
    if (!wn_at_end(w)) {
        float width, height = 1;
        if (!take_number(w, &width) || width < 0)
            return false;
        if (wn_take_delim(w, '/') && (!take_number(w, &height) || height < 0))
            return false;
        if (wn_take_word(w, WN_STR("auto")))
            is_auto = true;
        pair.first.first.of[WN_CSS_PX] = width > 0 && height > 0 ? width / height : 0;
    } else if (!is_auto) {
        return false;
    }
    pair.word = is_auto;
    return wn_css_add_data(w, WN_PROP_ASPECT_RATIO, &pair, sizeof pair);
}

/* transform: what is moved by pixels is added up, all else only noted. */
static bool read_transform(wn_css_writer *w)
{
    wn_css_pair pair = {.word = 1};
    if (wn_take_word(w, WN_STR("none"))) {
        pair.word = 0;
        return wn_css_add_data(w, WN_PROP_TRANSFORM, &pair, sizeof pair);
    }
    if (wn_at_end(w))
        return false;
    while (!wn_at_end(w)) {
        const wn_css_token *t = wn_at(w);
        if (t->kind != WN_CSS_FUNCTION)
            return false;
        wn_css_calc x = {0}, y = {0};
        wn_str name = t->text;
        bool vertical = wn_str_eq_nocase(name, WN_STR("translatey"));
        w->cursor.at++;
        if (wn_str_starts_nocase(name, WN_STR("translate")) &&
            !wn_str_eq_nocase(name, WN_STR("translatez"))) {
            if (!read_plain_length(w, WN_LENGTHS_NEGATIVE, vertical ? &y : &x))
                return false;
            if (wn_take_delim(w, ',') && !read_plain_length(w, WN_LENGTHS_NEGATIVE, &y))
                return false;
            for (int i = 0; i < WN_CSS_UNITS; i++) {
                pair.first.first.of[i] += x.first.of[i];
                pair.second.first.of[i] += y.first.of[i];
            }
        }
        w->cursor.at = t;
        wn_css_skip_function(&w->cursor);
    }
    return wn_css_add_data(w, WN_PROP_TRANSFORM, &pair, sizeof pair);
}

/* translate: 10px 20px; rotate and scale are only noted. */
static bool read_translate(wn_css_writer *w)
{
    wn_css_pair pair = {.word = 1};
    if (wn_take_word(w, WN_STR("none")))
        pair.word = 0;
    else if (!read_plain_length(w, WN_LENGTHS_NEGATIVE, &pair.first) ||
             (!wn_at_end(w) && !read_plain_length(w, WN_LENGTHS_NEGATIVE, &pair.second)))
        while (!wn_at_end(w))
            w->cursor.at++;
    return wn_css_add_data(w, WN_PROP_TRANSFORM, &pair, sizeof pair);
}

enum { CLIPS = 1, CLIPS_ALL = 2 };

/* clip: rect(top, right, bottom, left): nothing is left if a side is not above its other. */
static bool read_clip(wn_css_writer *w)
{
    if (wn_take_word(w, WN_STR("auto")))
        return wn_css_add_word(w, WN_PROP_CLIP, 0);
    if (!wn_css_is_function(wn_at(w), WN_STR("rect")))
        return false;
    w->cursor.at++;
    float sides[4] = {0, 1e6f, 1e6f, 0};
    for (int i = 0; i < 4; i++) {
        wn_css_calc calc;
        if (i > 0)
            wn_take_delim(w, ',');
        if (wn_take_word(w, WN_STR("auto")))
            continue;
        if (!read_plain_length(w, WN_LENGTHS_NEGATIVE, &calc))
            return false;
        sides[i] = calc.first.of[WN_CSS_PX] + 16 * calc.first.of[WN_CSS_EM];
    }
    if (!wn_take_delim(w, ')') && !wn_at_end(w))
        return false;
    bool all = sides[2] <= sides[0] || sides[1] <= sides[3];
    /* One pixel is what is left for screen readers. */
    all |= sides[2] - sides[0] <= 1 && sides[1] - sides[3] <= 1;
    return wn_css_add_word(w, WN_PROP_CLIP, all ? CLIPS | CLIPS_ALL : CLIPS);
}

static bool read_clip_path(wn_css_writer *w)
{
    if (wn_take_word(w, WN_STR("none")))
        return wn_css_add_word(w, WN_PROP_CLIP_PATH, 0);
    const wn_css_token *t = wn_at(w);
    bool all = wn_css_is_function(t, WN_STR("inset")) && t[1].kind == WN_CSS_PERCENT &&
               t[1].number >= 50;
    if (wn_at_end(w))
        return false;
    while (!wn_at_end(w))
        w->cursor.at++;
    return wn_css_add_word(w, WN_PROP_CLIP_PATH, all ? CLIPS | CLIPS_ALL : CLIPS);
}

static bool read_contain(wn_css_writer *w)
{
    static const wn_css_word words[] = {{"none", 0},   {"strict", 1},      {"content", 1},
                                        {"layout", 1}, {"paint", 1},       {"size", 0},
                                        {"style", 0},  {"inline-size", 0}, {NULL, 0}};
    unsigned all = 0, word;
    if (wn_at_end(w))
        return false;
    while (!wn_at_end(w)) {
        if (!take_listed(w, words, &word))
            return false;
        all |= word;
    }
    return wn_css_add_word(w, WN_PROP_CONTAIN, all);
}

static bool read_shadow(wn_css_writer *w)
{
    bool none = wn_take_word(w, WN_STR("none"));
    if (!none && wn_at_end(w))
        return false;
    while (!none && !wn_at_end(w))
        w->cursor.at++;
    return wn_css_add_word(w, WN_PROP_BOX_SHADOW, !none);
}

/* content: strings, attr(), and what is only noted. */
static bool read_content(wn_css_writer *w)
{
    wn_css_content content = {.text = {"", 0}, .attr = {"", 0}};
    if (wn_take_word(w, WN_STR("none")) || wn_take_word(w, WN_STR("normal"))) {
        content.none = true;
        return wn_css_add_data(w, WN_PROP_CONTENT, &content, sizeof content);
    }
    wn_buf text = {0};
    bool ok = !wn_at_end(w);
    while (ok && !wn_at_end(w) && !wn_css_is_delim(wn_at(w), '/')) {
        const wn_css_token *t = wn_at(w);
        if (t->kind == WN_CSS_STRING) {
            wn_buf_add(&text, t->text);
            w->cursor.at++;
        } else if (wn_css_is_function(t, WN_STR("attr"))) {
            content.attr = t[1].text;
            wn_css_skip_function(&w->cursor);
        } else if (wn_css_is_ident(t, WN_STR("open-quote"))) {
            wn_buf_add_literal(&text, "\xE2\x80\x9C");
            w->cursor.at++;
        } else if (wn_css_is_ident(t, WN_STR("close-quote"))) {
            wn_buf_add_literal(&text, "\xE2\x80\x9D");
            w->cursor.at++;
        } else if (t->kind == WN_CSS_FUNCTION || t->kind == WN_CSS_URL) {
            content.picture = true;
            if (t->kind == WN_CSS_URL)
                w->cursor.at++;
            else
                wn_css_skip_function(&w->cursor);
        } else if (wn_take_word(w, WN_STR("no-open-quote")) ||
                   wn_take_word(w, WN_STR("no-close-quote"))) {
            continue;
        } else {
            ok = false;
        }
    }
    if (wn_css_is_delim(wn_at(w), '/'))
        while (!wn_at_end(w))
            w->cursor.at++;
    content.text = wn_arena_copy(w->cursor.arena, wn_buf_str(&text));
    w->failed |= text.failed;
    wn_buf_free(&text);
    return ok && wn_css_add_data(w, WN_PROP_CONTENT, &content, sizeof content);
}

static bool read_other(wn_css_writer *w, wn_css_property property)
{
    wn_css_calc calc;
    switch (property) {
    case WN_PROP_FONT_FAMILY:
        return read_family(w);
    case WN_PROP_FONT_SIZE:
        return read_font_size(w);
    case WN_PROP_FONT_WEIGHT:
        return read_font_weight(w);
    case WN_PROP_LINE_HEIGHT:
        return read_line_height(w);
    case WN_PROP_DISPLAY:
        return read_display(w);
    case WN_PROP_Z_INDEX:
        return wn_take_word(w, WN_STR("auto")) ? wn_css_add_word(w, property, WN_WORD_AUTO)
                                               : read_integer(w, property, -INFINITY);
    case WN_PROP_ORDER:
        return read_integer(w, property, -INFINITY);
    case WN_PROP_BORDER_TOP_WIDTH:
    case WN_PROP_BORDER_RIGHT_WIDTH:
    case WN_PROP_BORDER_BOTTOM_WIDTH:
    case WN_PROP_BORDER_LEFT_WIDTH:
        return read_border_width(w, property);
    case WN_PROP_BACKGROUND_IMAGE:
    case WN_PROP_LIST_STYLE_IMAGE:
        return read_image(w, property);
    case WN_PROP_VERTICAL_ALIGN:
        return read_vertical_align(w);
    case WN_PROP_TAB_SIZE:
        return read_integer(w, property, 0);
    case WN_PROP_LIST_STYLE_TYPE:
        return read_list_type(w);
    case WN_PROP_TEXT_DECORATION_LINE:
        return read_decoration(w, false);
    case WN_PROP_BORDER_SPACING:
        return read_spacing(w);
    case WN_PROP_ALIGN_CONTENT:
    case WN_PROP_ALIGN_ITEMS:
    case WN_PROP_ALIGN_SELF:
    case WN_PROP_JUSTIFY_CONTENT:
    case WN_PROP_JUSTIFY_ITEMS:
    case WN_PROP_JUSTIFY_SELF:
        return read_align(w, property);
    case WN_PROP_COLUMN_COUNT:
    case WN_PROP_LINE_CLAMP:
        return wn_take_word(w, WN_STR("auto")) || wn_take_word(w, WN_STR("none"))
                   ? wn_css_add_word(w, property, WN_WORD_AUTO)
                   : read_integer(w, property, 1);
    case WN_PROP_COLUMN_WIDTH:
        return read_length(w, property, WN_LENGTHS_AUTO);
    case WN_PROP_ASPECT_RATIO:
        return read_ratio(w);
    case WN_PROP_TRANSFORM:
        return read_transform(w);
    case WN_PROP_CLIP:
        return read_clip(w);
    case WN_PROP_CLIP_PATH:
        return read_clip_path(w);
    case WN_PROP_BOX_SHADOW:
        return read_shadow(w);
    case WN_PROP_BORDER_RADIUS:
        if (!read_plain_length(w, 0, &calc) || !add_calc(w, property, &calc))
            return false;
        return wn_at_end(w) || read_plain_length(w, 0, &calc);
    case WN_PROP_CONTAIN:
        return read_contain(w);
    case WN_PROP_CONTENT:
        return read_content(w);
    default:
        return wn_css_read_grid_longhand(w, property);
    }
}

bool wn_css_read_longhand(wn_css_writer *w, wn_css_property property)
{
    const wn_css_longhand *longhand = &wn_css_longhands[property];
    switch (longhand->form) {
    case WN_FORM_WORD:
        return read_words(w, property);
    case WN_FORM_LENGTH:
        return read_length(w, property, longhand->flags);
    case WN_FORM_PX:
        return read_px(w, property);
    case WN_FORM_NUMBER:
        return read_number(w, property);
    case WN_FORM_COLOR:
        return read_color(w, property);
    default:
        return read_other(w, property);
    }
}

/* ---- Shorthands -------------------------------------------------------------------------- */

#define SIDES(NAME)                                                                                \
    WN_PROP_##NAME##_TOP, WN_PROP_##NAME##_RIGHT, WN_PROP_##NAME##_BOTTOM, WN_PROP_##NAME##_LEFT
#define EDGES(PART)                                                                                \
    WN_PROP_BORDER_TOP_##PART, WN_PROP_BORDER_RIGHT_##PART, WN_PROP_BORDER_BOTTOM_##PART,          \
        WN_PROP_BORDER_LEFT_##PART
#define EDGE(SIDE)                                                                                 \
    WN_PROP_BORDER_##SIDE##_WIDTH, WN_PROP_BORDER_##SIDE##_STYLE, WN_PROP_BORDER_##SIDE##_COLOR

/* The longhands of each shorthand; `logical`: which sides depends on the direction of text and lines. */
static const struct {
    uint16_t shorthand;
    bool logical;
    uint16_t longhands[MAX_LONGHANDS];
} shorthands[] = {
    {WN_PROP_MARGIN, false, {SIDES(MARGIN)}},
    {WN_PROP_PADDING, false, {SIDES(PADDING)}},
    {WN_PROP_INSET, false, {WN_PROP_TOP, WN_PROP_RIGHT, WN_PROP_BOTTOM, WN_PROP_LEFT}},
    {WN_PROP_BORDER, false, {EDGE(TOP), EDGE(RIGHT), EDGE(BOTTOM), EDGE(LEFT)}},
    {WN_PROP_BORDER_TOP, false, {EDGE(TOP)}},
    {WN_PROP_BORDER_RIGHT, false, {EDGE(RIGHT)}},
    {WN_PROP_BORDER_BOTTOM, false, {EDGE(BOTTOM)}},
    {WN_PROP_BORDER_LEFT, false, {EDGE(LEFT)}},
    {WN_PROP_BORDER_WIDTH, false, {EDGES(WIDTH)}},
    {WN_PROP_BORDER_STYLE, false, {EDGES(STYLE)}},
    {WN_PROP_BORDER_COLOR, false, {EDGES(COLOR)}},
    {WN_PROP_BACKGROUND, false, {WN_PROP_BACKGROUND_COLOR, WN_PROP_BACKGROUND_IMAGE}},
    {WN_PROP_FONT,
     false,
     {WN_PROP_FONT_STYLE, WN_PROP_FONT_VARIANT_CAPS, WN_PROP_FONT_WEIGHT, WN_PROP_FONT_SIZE,
      WN_PROP_LINE_HEIGHT, WN_PROP_FONT_FAMILY}},
    {WN_PROP_FONT_VARIANT, false, {WN_PROP_FONT_VARIANT_CAPS}},
    {WN_PROP_LIST_STYLE,
     false,
     {WN_PROP_LIST_STYLE_TYPE, WN_PROP_LIST_STYLE_POSITION, WN_PROP_LIST_STYLE_IMAGE}},
    {WN_PROP_FLEX, false, {WN_PROP_FLEX_GROW, WN_PROP_FLEX_SHRINK, WN_PROP_FLEX_BASIS}},
    {WN_PROP_FLEX_FLOW, false, {WN_PROP_FLEX_DIRECTION, WN_PROP_FLEX_WRAP}},
    {WN_PROP_GAP, false, {WN_PROP_ROW_GAP, WN_PROP_COLUMN_GAP}},
    {WN_PROP_OVERFLOW, false, {WN_PROP_OVERFLOW_X, WN_PROP_OVERFLOW_Y}},
    {WN_PROP_PLACE_CONTENT, false, {WN_PROP_ALIGN_CONTENT, WN_PROP_JUSTIFY_CONTENT}},
    {WN_PROP_PLACE_ITEMS, false, {WN_PROP_ALIGN_ITEMS, WN_PROP_JUSTIFY_ITEMS}},
    {WN_PROP_PLACE_SELF, false, {WN_PROP_ALIGN_SELF, WN_PROP_JUSTIFY_SELF}},
    {WN_PROP_COLUMNS, false, {WN_PROP_COLUMN_WIDTH, WN_PROP_COLUMN_COUNT}},
    {WN_PROP_TEXT_DECORATION, false, {WN_PROP_TEXT_DECORATION_LINE}},
    {WN_PROP_RADIUS, false, {WN_PROP_BORDER_RADIUS}},
    {WN_PROP_GRID,
     false,
     {WN_PROP_GRID_TEMPLATE_COLUMNS, WN_PROP_GRID_TEMPLATE_ROWS, WN_PROP_GRID_TEMPLATE_AREAS,
      WN_PROP_GRID_AUTO_COLUMNS, WN_PROP_GRID_AUTO_ROWS, WN_PROP_GRID_AUTO_FLOW}},
    {WN_PROP_GRID_TEMPLATE,
     false,
     {WN_PROP_GRID_TEMPLATE_COLUMNS, WN_PROP_GRID_TEMPLATE_ROWS, WN_PROP_GRID_TEMPLATE_AREAS}},
    {WN_PROP_GRID_AREA,
     false,
     {WN_PROP_GRID_ROW_START, WN_PROP_GRID_COLUMN_START, WN_PROP_GRID_ROW_END,
      WN_PROP_GRID_COLUMN_END}},
    {WN_PROP_GRID_ROW, false, {WN_PROP_GRID_ROW_START, WN_PROP_GRID_ROW_END}},
    {WN_PROP_GRID_COLUMN, false, {WN_PROP_GRID_COLUMN_START, WN_PROP_GRID_COLUMN_END}},
    {WN_PROP_TRANSLATE, false, {WN_PROP_TRANSFORM}},
    {WN_PROP_MARGIN_INLINE, true, {WN_PROP_MARGIN_LEFT, WN_PROP_MARGIN_RIGHT}},
    {WN_PROP_MARGIN_BLOCK, true, {WN_PROP_MARGIN_TOP, WN_PROP_MARGIN_BOTTOM}},
    {WN_PROP_PADDING_INLINE, true, {WN_PROP_PADDING_LEFT, WN_PROP_PADDING_RIGHT}},
    {WN_PROP_PADDING_BLOCK, true, {WN_PROP_PADDING_TOP, WN_PROP_PADDING_BOTTOM}},
    {WN_PROP_INSET_INLINE, true, {WN_PROP_LEFT, WN_PROP_RIGHT}},
    {WN_PROP_INSET_BLOCK, true, {WN_PROP_TOP, WN_PROP_BOTTOM}},
    {WN_PROP_BORDER_INLINE, true, {EDGE(LEFT), EDGE(RIGHT)}},
    {WN_PROP_BORDER_BLOCK, true, {EDGE(TOP), EDGE(BOTTOM)}},
    {WN_PROP_BORDER_INLINE_START, true, {EDGE(LEFT)}},
    {WN_PROP_BORDER_INLINE_END, true, {EDGE(RIGHT)}},
    {WN_PROP_BORDER_BLOCK_START, true, {EDGE(TOP)}},
    {WN_PROP_BORDER_BLOCK_END, true, {EDGE(BOTTOM)}},
    {WN_PROP_BORDER_INLINE_WIDTH, true, {WN_PROP_BORDER_LEFT_WIDTH, WN_PROP_BORDER_RIGHT_WIDTH}},
    {WN_PROP_BORDER_BLOCK_WIDTH, true, {WN_PROP_BORDER_TOP_WIDTH, WN_PROP_BORDER_BOTTOM_WIDTH}},
    {WN_PROP_BORDER_INLINE_STYLE, true, {WN_PROP_BORDER_LEFT_STYLE, WN_PROP_BORDER_RIGHT_STYLE}},
    {WN_PROP_BORDER_BLOCK_STYLE, true, {WN_PROP_BORDER_TOP_STYLE, WN_PROP_BORDER_BOTTOM_STYLE}},
    {WN_PROP_BORDER_INLINE_COLOR, true, {WN_PROP_BORDER_LEFT_COLOR, WN_PROP_BORDER_RIGHT_COLOR}},
    {WN_PROP_BORDER_BLOCK_COLOR, true, {WN_PROP_BORDER_TOP_COLOR, WN_PROP_BORDER_BOTTOM_COLOR}},
};

/* The longhands of a property, ended by 0; of a longhand itself alone. */
static const uint16_t *longhands_of(wn_css_property property, uint16_t self[2], bool *logical)
{
    for (size_t i = 0; i < sizeof shorthands / sizeof *shorthands; i++)
        if (shorthands[i].shorthand == property) {
            *logical |= shorthands[i].logical;
            return shorthands[i].longhands;
        }
    self[0] = property < WN_PROP_LONGHANDS || property == WN_PROP_ALL ? (uint16_t)property : 0;
    self[1] = 0;
    return self;
}

/* One to four values for top, right, bottom, left; of two sides one or two. */
static bool read_sides(wn_css_writer *w, const uint16_t *longhands)
{
    uint32_t start = w->out->count, sides = 0, given = 0;
    while (longhands[sides])
        sides++;
    while (given < sides && !wn_at_end(w)) {
        if (!wn_css_read_longhand(w, (wn_css_property)longhands[given]))
            return false;
        given++;
    }
    if (given == 0)
        return false;
    for (uint32_t side = given; side < sides; side++) {
        wn_css_decl *copy = wn_array_push(w->out);
        if (!copy)
            return false;
        uint32_t from = side == 1 || given == 1 ? 0 : side - 2; /* left is like right */
        *copy = w->out->items[start + from];
        copy->property = longhands[side];
    }
    return true;
}

/* border: width, style and colour in any order; what is missing is initial. */
static bool read_border(wn_css_writer *w, const uint16_t *longhands)
{
    uint32_t start = w->out->count;
    bool seen[3] = {false, false, false};
    if (wn_at_end(w))
        return false;
    while (!wn_at_end(w)) {
        bool read = false;
        for (int part = 0; part < 3 && !read; part++)
            if (!seen[part] && wn_css_read_longhand(w, (wn_css_property)longhands[part]))
                read = seen[part] = true;
        if (!read)
            return false;
    }
    for (int part = 0; part < 3; part++)
        if (!seen[part]) {
            wn_css_decl *decl = wn_css_add(w, (wn_css_property)longhands[part]);
            if (!decl)
                return false;
            decl->type = WN_VALUE_WIDE;
            decl->number = WN_WIDE_INITIAL;
        }
    for (uint32_t i = 3; longhands[i]; i++) {
        uint32_t part = i % 3;
        for (uint32_t j = start; j < start + 3; j++)
            if (w->out->items[j].property == longhands[part]) {
                wn_css_decl *copy = wn_array_push(w->out);
                if (!copy)
                    return false;
                *copy = w->out->items[j];
                copy->property = longhands[i];
            }
    }
    return true;
}

/* Longhands in any order, each at most once; those that are missing get their initial value. */
static bool read_any_order(wn_css_writer *w, const uint16_t *longhands)
{
    bool seen[MAX_LONGHANDS] = {false};
    if (wn_at_end(w))
        return false;
    while (!wn_at_end(w)) {
        bool read = false;
        for (int i = 0; longhands[i] && !read; i++)
            if (!seen[i] && wn_css_read_longhand(w, (wn_css_property)longhands[i]))
                read = seen[i] = true;
        if (!read)
            return false;
    }
    for (int i = 0; longhands[i]; i++)
        if (!seen[i]) {
            wn_css_decl *decl = wn_css_add(w, (wn_css_property)longhands[i]);
            if (!decl)
                return false;
            decl->type = WN_VALUE_WIDE;
            decl->number = WN_WIDE_INITIAL;
        }
    return true;
}

/* list-style: `none` may be the type or the image. */
static bool read_list_style(wn_css_writer *w, const uint16_t *longhands)
{
    if (!wn_css_is_ident(wn_at(w), WN_STR("none")) || wn_css_is_ident(&wn_at(w)[1], WN_STR("none")))
        return read_any_order(w, longhands);
    w->cursor.at++;
    wn_css_add_word(w, WN_PROP_LIST_STYLE_TYPE, WN_LIST_NONE);
    if (wn_at_end(w))
        return wn_css_add_word(w, WN_PROP_LIST_STYLE_POSITION, 0) &&
               wn_css_add_word(w, WN_PROP_LIST_STYLE_IMAGE, 0);
    return read_any_order(w, longhands);
}

static bool read_radius(wn_css_writer *w)
{
    wn_css_calc first, calc;
    if (!read_plain_length(w, 0, &first) || !add_calc(w, WN_PROP_BORDER_RADIUS, &first))
        return false;
    while (!wn_at_end(w))
        if (!wn_take_delim(w, '/') && !read_plain_length(w, 0, &calc))
            return false;
    return true;
}

static bool read_font_variant(wn_css_writer *w)
{
    bool caps = false;
    while (wn_at(w)->kind == WN_CSS_IDENT || wn_at(w)->kind == WN_CSS_FUNCTION) {
        caps |= wn_css_is_ident(wn_at(w), WN_STR("small-caps"));
        if (wn_at(w)->kind == WN_CSS_FUNCTION)
            wn_css_skip_function(&w->cursor);
        else
            w->cursor.at++;
    }
    return wn_css_add_word(w, WN_PROP_FONT_VARIANT_CAPS, caps);
}

static bool read_text_wrap(wn_css_writer *w)
{
    if (wn_take_word(w, WN_STR("nowrap")))
        return wn_css_add_word(w, WN_PROP_WHITE_SPACE, WN_WHITE_SPACE_NOWRAP);
    while (wn_at(w)->kind == WN_CSS_IDENT)
        w->cursor.at++;
    return true;
}

static bool read_shorthand(wn_css_writer *w, wn_css_property property)
{
    uint16_t self[2];
    const uint16_t *longhands = longhands_of(property, self, &w->logical);
    switch (property) {
    case WN_PROP_BORDER:
    case WN_PROP_BORDER_TOP:
    case WN_PROP_BORDER_RIGHT:
    case WN_PROP_BORDER_BOTTOM:
    case WN_PROP_BORDER_LEFT:
    case WN_PROP_BORDER_INLINE:
    case WN_PROP_BORDER_BLOCK:
    case WN_PROP_BORDER_INLINE_START:
    case WN_PROP_BORDER_INLINE_END:
    case WN_PROP_BORDER_BLOCK_START:
    case WN_PROP_BORDER_BLOCK_END:
        return read_border(w, longhands);
    case WN_PROP_BACKGROUND:
        return read_background(w);
    case WN_PROP_FONT:
        return read_font(w);
    case WN_PROP_FONT_VARIANT:
        return read_font_variant(w);
    case WN_PROP_LIST_STYLE:
        return read_list_style(w, longhands);
    case WN_PROP_FLEX:
        return read_flex(w);
    case WN_PROP_FLEX_FLOW:
    case WN_PROP_COLUMNS:
        return read_any_order(w, longhands);
    case WN_PROP_PLACE_CONTENT:
    case WN_PROP_PLACE_ITEMS:
    case WN_PROP_PLACE_SELF:
        return read_place(w, (wn_css_property)longhands[0], (wn_css_property)longhands[1]);
    case WN_PROP_TEXT_DECORATION:
        return read_decoration(w, true);
    case WN_PROP_RADIUS:
        return read_radius(w);
    case WN_PROP_TEXT_WRAP:
        return read_text_wrap(w);
    case WN_PROP_TRANSLATE:
        return read_translate(w);
    case WN_PROP_GRID:
    case WN_PROP_GRID_TEMPLATE:
    case WN_PROP_GRID_AREA:
    case WN_PROP_GRID_ROW:
    case WN_PROP_GRID_COLUMN:
        return wn_css_read_grid_shorthand(w, property);
    case WN_PROP_ALL:
        return false;
    default:
        return read_sides(w, longhands);
    }
}

/* ---- Declarations ------------------------------------------------------------------------ */

/* inherit, initial … alone; -1 if it is something else. */
static int wide_word(const wn_css_token *t)
{
    static const wn_css_word words[] = {
        {"inherit", WN_WIDE_INHERIT}, {"initial", WN_WIDE_INITIAL},     {"unset", WN_WIDE_UNSET},
        {"revert", WN_WIDE_REVERT},   {"revert-layer", WN_WIDE_REVERT}, {NULL, 0},
    };
    if (t->kind != WN_CSS_IDENT || t[1].kind != WN_CSS_END)
        return -1;
    const wn_css_word *word = find_word(words, t->text);
    return word ? word->value : -1;
}

/* The same value for all longhands of a property. */
static bool add_to_all(wn_css_writer *w, wn_css_property property, wn_css_decl value)
{
    uint16_t self[2];
    const uint16_t *longhands = longhands_of(property, self, &w->logical);
    for (; *longhands; longhands++) {
        wn_css_decl *decl = wn_css_add(w, (wn_css_property)*longhands);
        if (!decl)
            return false;
        value.property = decl->property;
        value.logical = decl->logical;
        *decl = value;
    }
    return true;
}

static bool has_var(const wn_css_token *t)
{
    for (; t->kind != WN_CSS_END; t++)
        if (t->kind == WN_CSS_FUNCTION && wn_str_eq_nocase(t->text, WN_STR("var")))
            return true;
    return false;
}

static bool add_text(wn_css_writer *w, wn_css_property property, bool logical, wn_str text)
{
    wn_css_text *kept = wn_arena_alloc(w->cursor.arena, sizeof *kept);
    if (!kept)
        return false;
    *kept = (wn_css_text){text, (uint16_t)property, logical};
    return add_to_all(w, property, (wn_css_decl){.type = WN_VALUE_VAR, .data = kept});
}

/* Reads the tokens that have been read into values->tokens. */
static bool read_tokens(wn_css_values *values, wn_css_property property, bool logical, wn_str text,
                        wn_css_decls *out)
{
    uint32_t start = out->count;
    wn_css_writer w = {
        .cursor = {values->tokens.items, values->screen, values->arena, values->quirks},
        .out = out,
        .logical = logical,
    };
    bool ok;
    int wide = wide_word(w.cursor.at);
    if (has_var(w.cursor.at))
        ok = add_text(&w, property, logical, text);
    else if (wide >= 0)
        ok = add_to_all(&w, property, (wn_css_decl){.type = WN_VALUE_WIDE, .number = (float)wide});
    else if (property < WN_PROP_LONGHANDS)
        ok = wn_css_read_longhand(&w, property) && wn_at_end(&w);
    else
        ok = read_shorthand(&w, property) && wn_at_end(&w);
    if (w.failed)
        values->arena->failed = true;
    if (!ok)
        out->count = start;
    return ok;
}

bool wn_css_read_value(wn_css_values *values, wn_css_property property, bool logical, wn_str text,
                       wn_css_decls *out)
{
    return property != WN_PROP_NONE && property < WN_PROP_CUSTOM &&
           wn_css_read_all(&values->tokens, values->arena, text, MAX_TOKENS) &&
           read_tokens(values, property, logical, text, out);
}

/* Takes "!important" from the end of the tokens; what is left of the text. */
static wn_str take_important(wn_css_tokens *tokens, wn_str text, bool *important)
{
    *important = false;
    if (tokens->count < 3)
        return text;
    wn_css_token *last = &tokens->items[tokens->count - 2];
    if (!wn_css_is_ident(last, WN_STR("important")) || !wn_css_is_delim(last - 1, '!'))
        return text;
    *important = true;
    text = wn_str_between(text.ptr, last[-1].start);
    last[-1] = (wn_css_token){.start = last[-1].start, .end = last[-1].start, .text = {"", 0}};
    tokens->count -= 2;
    return wn_str_trim(text);
}

static bool add_custom(wn_css_values *values, wn_str name, wn_str text, wn_css_decls *out)
{
    wn_css_custom *custom = wn_arena_alloc(values->arena, sizeof *custom);
    wn_css_decl *decl = custom ? wn_array_push(out) : NULL;
    if (!decl)
        return false;
    *custom = (wn_css_custom){
        .name = name,
        .text = text,
        .hash = wn_str_hash(name),
        .has_var = has_var(values->tokens.items),
        .wide = wide_word(values->tokens.items) >= 0,
    };
    *decl = (wn_css_decl){.property = WN_PROP_CUSTOM, .type = WN_VALUE_CUSTOM, .data = custom};
    return true;
}

/* One declaration, from its name to its semicolon. */
static bool read_decl(wn_css_values *values, wn_str text, wn_css_decls *out)
{
    wn_css_reader reader = {text.ptr, text.ptr + text.len, values->arena};
    wn_css_token name, colon;
    wn_css_next(&reader, &name);
    if (name.kind != WN_CSS_IDENT)
        return false;
    bool logical;
    wn_css_property property = wn_css_find_property(values->names, name.text, &logical);
    if (property == WN_PROP_NONE || property == WN_PROP_OTHER)
        return property == WN_PROP_OTHER;
    wn_css_next(&reader, &colon);
    if (!wn_css_is_delim(&colon, ':'))
        return false;
    wn_str value = wn_str_trim(wn_str_between(colon.end, reader.end));
    if (!wn_css_read_all(&values->tokens, values->arena, value, MAX_TOKENS))
        return false;
    bool important;
    uint32_t start = out->count;
    value = take_important(&values->tokens, value, &important);
    bool ok = property == WN_PROP_CUSTOM ? add_custom(values, name.text, value, out)
                                         : read_tokens(values, property, logical, value, out);
    for (uint32_t i = start; important && i < out->count; i++)
        out->items[i].important = true;
    return ok;
}

void wn_css_read_decls(wn_css_values *values, wn_str text, wn_css_decls *out)
{
    const char *p = text.ptr, *end = text.ptr + text.len;
    while (p < end && !values->arena->failed) {
        p = wn_css_skip_space(p, end);
        const char *stop = wn_css_scan(p, end, ";");
        if (stop > p)
            read_decl(values, wn_str_between(p, stop), out);
        p = stop + 1;
    }
}

bool wn_css_supports(wn_css_values *values, wn_str declaration)
{
    wn_css_decls out = {0};
    bool known = read_decl(values, declaration, &out);
    wn_array_free(&out);
    return known;
}
