/*
 * The values of longhands, property by property. wn_css_read_longhand() at the end says which
 * function reads which; most are words, lengths, numbers or colours and need no function of their
 * own.
 */
#include <assert.h>
#include <math.h>

#include "base/buf.h"
#include "css/color.h"
#include "css/value_parts.h"

/* ---- Simple ones ---------------------------------------------------------------------------- */

static bool read_words(wn_css_writer *w, wn_css_property property)
{
    unsigned value;
    if (!wn_css_take_listed(w, wn_css_longhands[property].words, &value))
        return false;
    if (property == WN_PROP_FONT_STYLE && wn_css_at(w)->kind == WN_CSS_DIMENSION)
        w->cursor.at++; /* oblique 10deg */
    unsigned more;
    if (property == WN_PROP_TEXT_TRANSFORM)
        while (wn_css_take_listed(w, wn_css_longhands[property].words, &more))
            value |= more;
    return wn_css_add_word(w, property, value);
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
    return wn_css_take_listed(w, words, kind);
}

static bool read_length(wn_css_writer *w, wn_css_property property, unsigned flags)
{
    unsigned kind;
    wn_css_calc calc;
    if (((flags & WN_LENGTHS_AUTO) && wn_css_take_word(w, WN_STR("auto"))) ||
        ((flags & WN_LENGTHS_NONE) && wn_css_take_word(w, WN_STR("none"))) ||
        ((flags & WN_LENGTHS_NORMAL) && wn_css_take_word(w, WN_STR("normal"))))
        return wn_css_add_word(w, property, WN_WORD_AUTO);
    if ((flags & WN_LENGTHS_BASIS) && wn_css_take_word(w, WN_STR("content")))
        return wn_css_add_word(w, property, WN_WORD_CONTENTS + WN_LENGTH_CONTENT);
    if ((flags & WN_LENGTHS_CONTENT) && take_content_size(w, &kind))
        return wn_css_add_word(w, property, WN_WORD_CONTENTS + kind);
    if ((flags & WN_LENGTHS_CONTENT) && wn_css_is_function(wn_css_at(w), WN_STR("fit-content"))) {
        wn_css_skip_function(&w->cursor);
        return wn_css_add_word(w, property, WN_WORD_CONTENTS + WN_LENGTH_FIT_CONTENT);
    }
    return wn_css_read_plain_length(w, flags, &calc) && wn_css_add_calc(w, property, &calc);
}

static bool read_px(wn_css_writer *w, wn_css_property property)
{
    wn_css_calc calc;
    if (wn_css_take_word(w, WN_STR("normal")))
        return wn_css_add_word(w, property, WN_WORD_AUTO);
    return wn_css_read_plain_length(w, WN_LENGTHS_NEGATIVE, &calc) &&
           wn_css_add_calc(w, property, &calc);
}

static bool read_number(wn_css_writer *w, wn_css_property property)
{
    float number;
    if (property != WN_PROP_OPACITY && wn_css_at(w)->kind == WN_CSS_PERCENT)
        return false;
    if (!wn_css_take_number(w, &number) || (property != WN_PROP_OPACITY && number < 0))
        return false;
    if (property == WN_PROP_OPACITY)
        number = fminf(fmaxf(number, 0), 1);
    return wn_css_add_number(w, property, number);
}

static bool read_integer(wn_css_writer *w, wn_css_property property, float least)
{
    wn_css_calc calc;
    const wn_css_token *t = wn_css_at(w);
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
        const wn_css_token *t = wn_css_at(w);
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

/* ---- Boxes ---------------------------------------------------------------------------------- */

/* "inline flex", "block flow-root": the outer word, then the inner one. */
static bool join_displays(unsigned *display, unsigned inner)
{
    static const uint8_t inlines[][2] = {
        {WN_DISPLAY_FLOW_ROOT, WN_DISPLAY_INLINE_BLOCK},
        {WN_DISPLAY_TABLE, WN_DISPLAY_INLINE_TABLE},
        {WN_DISPLAY_FLEX, WN_DISPLAY_INLINE_FLEX},
        {WN_DISPLAY_GRID, WN_DISPLAY_INLINE_GRID},
    };
    bool is_inline = *display == WN_DISPLAY_INLINE;
    if (*display != WN_DISPLAY_BLOCK && !is_inline)
        return false;
    if (inner != WN_DISPLAY_BLOCK)
        *display = inner;
    for (size_t i = 0; is_inline && i < sizeof inlines / sizeof *inlines; i++)
        if (inner == inlines[i][0])
            *display = inlines[i][1];
    return true;
}

static bool read_display(wn_css_writer *w, wn_css_property property)
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
    if (!wn_css_take_listed(w, words, &display))
        return false;
    if (wn_css_take_listed(w, words, &second) && !join_displays(&display, second))
        return false;
    return wn_css_add_word(w, property, display);
}

static bool read_border_width(wn_css_writer *w, wn_css_property property)
{
    static const wn_css_word words[] = {
        {"thin", WN_WORD_THIN}, {"medium", WN_WORD_MEDIUM}, {"thick", WN_WORD_THICK}, {NULL, 0}};
    unsigned word;
    wn_css_calc calc;
    if (wn_css_take_listed(w, words, &word))
        return wn_css_add_word(w, property, word);
    if (wn_css_at(w)->kind == WN_CSS_PERCENT ||
        !wn_css_read_plain_length(w, WN_LENGTHS_UNITLESS, &calc))
        return false;
    return wn_css_add_calc(w, property, &calc);
}

static bool read_vertical_align(wn_css_writer *w, wn_css_property property)
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
    if (wn_css_take_listed(w, words, &word))
        return wn_css_add_word(w, property, word);
    return wn_css_read_plain_length(w, WN_LENGTHS_NEGATIVE | WN_LENGTHS_UNITLESS, &calc) &&
           wn_css_add_calc(w, property, &calc);
}

static bool read_list_type(wn_css_writer *w, wn_css_property property)
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
        {"disclosure-closed", WN_LIST_CLOSED},
        {"disclosure-open", WN_LIST_OPEN},
        {NULL, 0},
    };
    unsigned word;
    if (wn_css_take_listed(w, words, &word))
        return wn_css_add_word(w, property, word);
    const wn_css_token *t = wn_css_at(w);
    bool position = t->kind == WN_CSS_IDENT && (wn_str_eq_nocase(t->text, WN_STR("inside")) ||
                                                wn_str_eq_nocase(t->text, WN_STR("outside")));
    if (position || (t->kind != WN_CSS_IDENT && t->kind != WN_CSS_STRING))
        return false;
    w->cursor.at++;
    return wn_css_add_word(w, property, WN_LIST_OTHER);
}

static bool read_image(wn_css_writer *w, wn_css_property property)
{
    bool any = false;
    do {
        if (wn_css_take_image(w))
            any = true;
        else if (!wn_css_take_word(w, WN_STR("none")))
            return false;
    } while (property == WN_PROP_BACKGROUND_IMAGE && wn_css_take_delim(w, ','));
    return wn_css_add_word(w, property, any);
}

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
    if (!wn_css_take_word(w, WN_STR("safe")) && !wn_css_take_word(w, WN_STR("unsafe"))) {
        last = wn_css_take_word(w, WN_STR("last"));
        if (!last)
            wn_css_take_word(w, WN_STR("first"));
    }
    bool justify = property == WN_PROP_JUSTIFY_CONTENT || property == WN_PROP_JUSTIFY_ITEMS ||
                   property == WN_PROP_JUSTIFY_SELF;
    if (!wn_css_take_listed(w, words, &word) ||
        (!justify && (word == WN_ALIGN_LEFT || word == WN_ALIGN_RIGHT)))
        return false;
    return wn_css_add_word(w, property, last ? (unsigned)WN_ALIGN_LAST_BASELINE : word);
}

static bool read_spacing(wn_css_writer *w, wn_css_property property)
{
    wn_css_pair pair = {0};
    if (!wn_css_read_plain_length(w, WN_LENGTHS_UNITLESS, &pair.first))
        return false;
    pair.second = pair.first;
    if (!wn_css_at_end(w) && !wn_css_read_plain_length(w, WN_LENGTHS_UNITLESS, &pair.second))
        return false;
    return wn_css_add_data(w, property, &pair, sizeof pair);
}

static bool read_ratio(wn_css_writer *w, wn_css_property property)
{
    wn_css_pair pair = {0};
    bool is_auto = wn_css_take_word(w, WN_STR("auto"));
    if (!wn_css_at_end(w)) {
        float width, height = 1;
        if (!wn_css_take_number(w, &width) || width < 0)
            return false;
        if (wn_css_take_delim(w, '/') && (!wn_css_take_number(w, &height) || height < 0))
            return false;
        if (wn_css_take_word(w, WN_STR("auto")))
            is_auto = true;
        pair.first.first.of[WN_CSS_PX] = width > 0 && height > 0 ? width / height : 0;
    } else if (!is_auto) {
        return false;
    }
    pair.word = is_auto;
    return wn_css_add_data(w, property, &pair, sizeof pair);
}

static bool read_contain(wn_css_writer *w, wn_css_property property)
{
    static const wn_css_word words[] = {
        {"none", 0},
        {"strict", WN_CONTAIN_LAYOUT | WN_CONTAIN_SIZE | WN_CONTAIN_WIDTH},
        {"content", WN_CONTAIN_LAYOUT},
        {"layout", WN_CONTAIN_LAYOUT},
        {"paint", WN_CONTAIN_LAYOUT},
        {"size", WN_CONTAIN_SIZE | WN_CONTAIN_WIDTH},
        {"style", 0},
        {"inline-size", WN_CONTAIN_WIDTH},
        {NULL, 0},
    };
    unsigned all = 0, word;
    if (wn_css_at_end(w))
        return false;
    while (!wn_css_at_end(w)) {
        if (!wn_css_take_listed(w, words, &word))
            return false;
        all |= word;
    }
    return wn_css_add_word(w, property, all);
}

static bool read_shadow(wn_css_writer *w, wn_css_property property)
{
    bool none = wn_css_take_word(w, WN_STR("none"));
    if (!none && wn_css_at_end(w))
        return false;
    while (!none && !wn_css_at_end(w))
        w->cursor.at++;
    return wn_css_add_word(w, property, !none);
}

/* ---- Transforms and clips ------------------------------------------------------------------- */

/* transform: what is moved by pixels is added up, all else only noted. */
static bool read_transform(wn_css_writer *w, wn_css_property property)
{
    wn_css_pair pair = {.word = 1};
    if (wn_css_take_word(w, WN_STR("none"))) {
        pair.word = 0;
        return wn_css_add_data(w, property, &pair, sizeof pair);
    }
    if (wn_css_at_end(w))
        return false;
    while (!wn_css_at_end(w)) {
        const wn_css_token *t = wn_css_at(w);
        if (t->kind != WN_CSS_FUNCTION)
            return false;
        wn_css_calc x = {0}, y = {0};
        wn_str name = t->text;
        bool vertical = wn_str_eq_nocase(name, WN_STR("translatey"));
        w->cursor.at++;
        if (wn_str_starts_nocase(name, WN_STR("translate")) &&
            !wn_str_eq_nocase(name, WN_STR("translatez"))) {
            if (!wn_css_read_plain_length(w, WN_LENGTHS_NEGATIVE, vertical ? &y : &x))
                return false;
            if (wn_css_take_delim(w, ',') && !wn_css_read_plain_length(w, WN_LENGTHS_NEGATIVE, &y))
                return false;
            for (int i = 0; i < WN_CSS_UNITS; i++) {
                pair.first.first.of[i] += x.first.of[i];
                pair.second.first.of[i] += y.first.of[i];
            }
        }
        w->cursor.at = t;
        wn_css_skip_function(&w->cursor);
    }
    return wn_css_add_data(w, property, &pair, sizeof pair);
}

/* translate: 10px 20px; rotate and scale are only noted. */
bool wn_css_read_translate(wn_css_writer *w)
{
    wn_css_pair pair = {.word = 1};
    if (wn_css_take_word(w, WN_STR("none")))
        pair.word = 0;
    else if (!wn_css_read_plain_length(w, WN_LENGTHS_NEGATIVE, &pair.first) ||
             (!wn_css_at_end(w) && !wn_css_read_plain_length(w, WN_LENGTHS_NEGATIVE, &pair.second)))
        while (!wn_css_at_end(w))
            w->cursor.at++;
    return wn_css_add_data(w, WN_PROP_TRANSFORM, &pair, sizeof pair);
}

enum { CLIPS = 1, CLIPS_ALL = 2 };

/* clip: rect(top, right, bottom, left): nothing is left if a side is not above its other. */
static bool read_clip(wn_css_writer *w, wn_css_property property)
{
    if (wn_css_take_word(w, WN_STR("auto")))
        return wn_css_add_word(w, property, 0);
    if (!wn_css_is_function(wn_css_at(w), WN_STR("rect")))
        return false;
    w->cursor.at++;
    float sides[4] = {0, 1e6f, 1e6f, 0};
    for (int i = 0; i < 4; i++) {
        wn_css_calc calc;
        if (i > 0)
            wn_css_take_delim(w, ',');
        if (wn_css_take_word(w, WN_STR("auto")))
            continue;
        if (!wn_css_read_plain_length(w, WN_LENGTHS_NEGATIVE, &calc))
            return false;
        sides[i] = calc.first.of[WN_CSS_PX] + 16 * calc.first.of[WN_CSS_EM];
    }
    if (!wn_css_take_delim(w, ')') && !wn_css_at_end(w))
        return false;
    bool all = sides[2] <= sides[0] || sides[1] <= sides[3];
    /* One pixel is what is left for screen readers. */
    all |= sides[2] - sides[0] <= 1 && sides[1] - sides[3] <= 1;
    return wn_css_add_word(w, property, all ? CLIPS | CLIPS_ALL : CLIPS);
}

static bool read_clip_path(wn_css_writer *w, wn_css_property property)
{
    if (wn_css_take_word(w, WN_STR("none")))
        return wn_css_add_word(w, property, 0);
    const wn_css_token *t = wn_css_at(w);
    bool all = wn_css_is_function(t, WN_STR("inset")) && t[1].kind == WN_CSS_PERCENT &&
               t[1].number >= 50;
    if (wn_css_at_end(w))
        return false;
    while (!wn_css_at_end(w))
        w->cursor.at++;
    return wn_css_add_word(w, property, all ? CLIPS | CLIPS_ALL : CLIPS);
}

/* ---- Text ----------------------------------------------------------------------------------- */

bool wn_css_read_decoration(wn_css_writer *w, bool shorthand)
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
    if (wn_css_at_end(w))
        return false;
    while (!wn_css_at_end(w)) {
        if (wn_css_take_listed(w, words, &word))
            lines |= word;
        else if (!shorthand ||
                 (!wn_css_read_color(&w->cursor, WN_COLOR_BLACK, &color, &is_current) &&
                  !wn_css_read_plain_length(w, 0, &calc)))
            return false;
    }
    return wn_css_add_word(w, WN_PROP_TEXT_DECORATION_LINE, lines);
}

/* Takes one part of `content`: a string, attr(), or something that is only noted. */
static bool take_content(wn_css_writer *w, wn_css_content *content, wn_buf *text)
{
    const wn_css_token *t = wn_css_at(w);
    if (t->kind == WN_CSS_STRING) {
        wn_buf_add(text, t->text);
        w->cursor.at++;
    } else if (wn_css_is_function(t, WN_STR("attr"))) {
        content->attr = t[1].text;
        wn_css_skip_function(&w->cursor);
    } else if (t->kind == WN_CSS_FUNCTION) {
        content->picture = true;
        wn_css_skip_function(&w->cursor);
    } else if (t->kind == WN_CSS_URL) {
        content->picture = true;
        w->cursor.at++;
    } else if (wn_css_take_word(w, WN_STR("open-quote"))) {
        wn_buf_add_literal(text, "\xE2\x80\x9C");
    } else if (wn_css_take_word(w, WN_STR("close-quote"))) {
        wn_buf_add_literal(text, "\xE2\x80\x9D");
    } else {
        return wn_css_take_word(w, WN_STR("no-open-quote")) ||
               wn_css_take_word(w, WN_STR("no-close-quote"));
    }
    return true;
}

static bool read_content(wn_css_writer *w, wn_css_property property)
{
    wn_css_content content = {.text = {"", 0}, .attr = {"", 0}};
    if (wn_css_take_word(w, WN_STR("none")) || wn_css_take_word(w, WN_STR("normal"))) {
        content.none = true;
        return wn_css_add_data(w, property, &content, sizeof content);
    }
    wn_buf text = {0};
    bool ok = !wn_css_at_end(w);
    while (ok && !wn_css_at_end(w) && !wn_css_is_delim(wn_css_at(w), '/'))
        ok = take_content(w, &content, &text);
    if (wn_css_is_delim(wn_css_at(w), '/')) /* what is read out instead */
        while (!wn_css_at_end(w))
            w->cursor.at++;
    content.text = wn_arena_copy(w->cursor.arena, wn_buf_str(&text));
    w->failed |= text.failed;
    wn_buf_free(&text);
    return ok && wn_css_add_data(w, property, &content, sizeof content);
}

static bool read_decoration(wn_css_writer *w, wn_css_property property)
{
    (void)property;
    return wn_css_read_decoration(w, false);
}

/* ---- Numbers and radii ---------------------------------------------------------------------- */

static bool read_z_index(wn_css_writer *w, wn_css_property property)
{
    return wn_css_take_word(w, WN_STR("auto")) ? wn_css_add_word(w, property, WN_WORD_AUTO)
                                               : read_integer(w, property, -INFINITY);
}

static bool read_order(wn_css_writer *w, wn_css_property property)
{
    return read_integer(w, property, -INFINITY);
}

static bool read_tab_size(wn_css_writer *w, wn_css_property property)
{
    return read_integer(w, property, 0);
}

static bool read_count(wn_css_writer *w, wn_css_property property)
{
    return wn_css_take_word(w, WN_STR("auto")) || wn_css_take_word(w, WN_STR("none"))
               ? wn_css_add_word(w, property, WN_WORD_AUTO)
               : read_integer(w, property, 1);
}

static bool read_column_width(wn_css_writer *w, wn_css_property property)
{
    return read_length(w, property, WN_LENGTHS_AUTO);
}

static bool read_radius(wn_css_writer *w, wn_css_property property)
{
    wn_css_calc calc;
    if (!wn_css_read_plain_length(w, 0, &calc) || !wn_css_add_calc(w, property, &calc))
        return false;
    return wn_css_at_end(w) || wn_css_read_plain_length(w, 0, &calc);
}

/* ---- All of them ---------------------------------------------------------------------------- */

typedef bool (*reader)(wn_css_writer *w, wn_css_property property);

/* The properties of WN_FORM_OTHER; those of grids are left out. */
static const reader readers[WN_PROP_LONGHANDS] = {
    [WN_PROP_FONT_FAMILY] = wn_css_read_font_longhand,
    [WN_PROP_FONT_SIZE] = wn_css_read_font_longhand,
    [WN_PROP_FONT_WEIGHT] = wn_css_read_font_longhand,
    [WN_PROP_LINE_HEIGHT] = wn_css_read_font_longhand,
    [WN_PROP_DISPLAY] = read_display,
    [WN_PROP_Z_INDEX] = read_z_index,
    [WN_PROP_ORDER] = read_order,
    [WN_PROP_BORDER_TOP_WIDTH] = read_border_width,
    [WN_PROP_BORDER_RIGHT_WIDTH] = read_border_width,
    [WN_PROP_BORDER_BOTTOM_WIDTH] = read_border_width,
    [WN_PROP_BORDER_LEFT_WIDTH] = read_border_width,
    [WN_PROP_BACKGROUND_IMAGE] = read_image,
    [WN_PROP_LIST_STYLE_IMAGE] = read_image,
    [WN_PROP_VERTICAL_ALIGN] = read_vertical_align,
    [WN_PROP_TAB_SIZE] = read_tab_size,
    [WN_PROP_LIST_STYLE_TYPE] = read_list_type,
    [WN_PROP_TEXT_DECORATION_LINE] = read_decoration,
    [WN_PROP_BORDER_SPACING] = read_spacing,
    [WN_PROP_ALIGN_CONTENT] = read_align,
    [WN_PROP_ALIGN_ITEMS] = read_align,
    [WN_PROP_ALIGN_SELF] = read_align,
    [WN_PROP_JUSTIFY_CONTENT] = read_align,
    [WN_PROP_JUSTIFY_ITEMS] = read_align,
    [WN_PROP_JUSTIFY_SELF] = read_align,
    [WN_PROP_COLUMN_COUNT] = read_count,
    [WN_PROP_LINE_CLAMP] = read_count,
    [WN_PROP_COLUMN_WIDTH] = read_column_width,
    [WN_PROP_ASPECT_RATIO] = read_ratio,
    [WN_PROP_TRANSFORM] = read_transform,
    [WN_PROP_CLIP] = read_clip,
    [WN_PROP_CLIP_PATH] = read_clip_path,
    [WN_PROP_BOX_SHADOW] = read_shadow,
    [WN_PROP_BORDER_RADIUS] = read_radius,
    [WN_PROP_CONTAIN] = read_contain,
    [WN_PROP_CONTENT] = read_content,
};

bool wn_css_read_longhand(wn_css_writer *w, wn_css_property property)
{
    assert(property < WN_PROP_LONGHANDS);
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
        return readers[property] ? readers[property](w, property)
                                 : wn_css_read_grid_longhand(w, property);
    }
}
