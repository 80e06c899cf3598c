#include "css/media.h"

enum {
    MAX_TOKENS = 2000,
    MAX_DEPTH = 16, /* of brackets; deeper conditions do not hold */
};

/* A condition has three outcomes: what is not understood is neither true nor false. */
typedef enum outcome {
    NO,
    YES,
    UNKNOWN,
} outcome;

typedef struct reader {
    wn_css_values *values;
    wn_css_cursor cursor;
    bool supports; /* brackets hold declarations, not features */
} reader;

static const wn_css_token *at(const reader *r)
{
    return r->cursor.at;
}

static bool take_delim(reader *r, char delim)
{
    if (!wn_css_is_delim(at(r), delim))
        return false;
    r->cursor.at++;
    return true;
}

static bool take_word(reader *r, wn_str word)
{
    if (!wn_css_is_ident(at(r), word))
        return false;
    r->cursor.at++;
    return true;
}

static outcome negate(outcome o)
{
    return o == UNKNOWN ? UNKNOWN : o == YES ? NO : YES;
}

static outcome both(outcome a, outcome b)
{
    return a == NO || b == NO ? NO : a == YES && b == YES ? YES : UNKNOWN;
}

static outcome either(outcome a, outcome b)
{
    return a == YES || b == YES ? YES : a == NO && b == NO ? NO : UNKNOWN;
}

/* ---- Features ---------------------------------------------------------------------------- */

/* A feature with a number: its value here. Lengths are in pixels. */
static bool numeric_feature(const reader *r, wn_str name, float *value)
{
    float w = r->cursor.screen.width, h = r->cursor.screen.height;
    const struct {
        const char *name;
        float value;
    } features[] = {
        {"width", w},
        {"height", h},
        {"device-width", w},
        {"device-height", h},
        {"inline-size", w},
        {"block-size", h},
        {"aspect-ratio", w / h},
        {"device-aspect-ratio", w / h},
        {"color", 8},
        {"color-index", 0},
        {"monochrome", 0},
        {"resolution", 1},
        {"device-pixel-ratio", 1},
        {"grid", 0},
        {"horizontal-viewport-segments", 1},
        {"vertical-viewport-segments", 1},
    };
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (wn_str_eq_nocase(name, wn_str_of(features[i].name))) {
            *value = features[i].value;
            return true;
        }
    return false;
}

/* A feature with words: what it is here. */
static const struct {
    const char *name, *value;
    bool plain; /* (name) alone holds */
} word_features[] = {
    {"orientation", "landscape", true},
    {"scan", "progressive", true},
    {"hover", "hover", true},
    {"any-hover", "hover", true},
    {"pointer", "fine", true},
    {"any-pointer", "fine", true},
    {"update", "fast", true},
    {"overflow-block", "scroll", true},
    {"overflow-inline", "scroll", true},
    {"prefers-color-scheme", "light", true},
    {"prefers-reduced-motion", "no-preference", false},
    {"prefers-reduced-transparency", "no-preference", false},
    {"prefers-reduced-data", "no-preference", false},
    {"prefers-contrast", "no-preference", false},
    {"forced-colors", "none", false},
    {"inverted-colors", "none", false},
    {"display-mode", "browser", true},
    {"scripting", "none", false},
    {"dynamic-range", "standard", true},
    {"video-dynamic-range", "standard", true},
    {"color-gamut", "srgb", true},
    {"transform-3d", "1", true},
};

static const char *word_feature(const reader *r, wn_str name, bool *plain)
{
    for (size_t i = 0; i < sizeof word_features / sizeof *word_features; i++)
        if (wn_str_eq_nocase(name, wn_str_of(word_features[i].name))) {
            *plain = word_features[i].plain;
            if (i == 0 && r->cursor.screen.height >= r->cursor.screen.width)
                return "portrait";
            return word_features[i].value;
        }
    return NULL;
}

/* A length, number, ratio or resolution. */
static bool read_value(reader *r, float *value)
{
    const wn_css_token *t = at(r);
    static const struct {
        const char *unit;
        float per_dot;
    } dots[] = {{"dppx", 1}, {"x", 1}, {"dpi", 1 / 96.0f}, {"dpcm", 2.54f / 96}};
    if (t->kind == WN_CSS_DIMENSION)
        for (size_t i = 0; i < sizeof dots / sizeof *dots; i++)
            if (wn_str_eq_nocase(t->text, wn_str_of(dots[i].unit))) {
                *value = t->number * dots[i].per_dot;
                r->cursor.at++;
                return true;
            }
    wn_css_calc calc;
    if (!wn_css_read_calc(&r->cursor, &calc))
        return false;
    const float *of = calc.first.of;
    *value = of[WN_CSS_PX] + 16 * (of[WN_CSS_EM] + of[WN_CSS_REM]) +
             8 * (of[WN_CSS_EX] + of[WN_CSS_CH]);
    if (take_delim(r, '/')) {
        wn_css_calc by;
        if (!wn_css_read_calc(&r->cursor, &by) || by.first.of[WN_CSS_PX] == 0)
            return false;
        *value /= by.first.of[WN_CSS_PX];
    }
    return true;
}

typedef enum relation { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL } relation;

static bool take_relation(reader *r, relation *how)
{
    if (take_delim(r, '<'))
        *how = take_delim(r, '=') ? LESS_EQUAL : LESS;
    else if (take_delim(r, '>'))
        *how = take_delim(r, '=') ? GREATER_EQUAL : GREATER;
    else if (take_delim(r, '='))
        *how = EQUAL;
    else
        return false;
    return true;
}

static outcome compare(float a, relation how, float b)
{
    switch (how) {
    case LESS:
        return a < b ? YES : NO;
    case LESS_EQUAL:
        return a <= b ? YES : NO;
    case GREATER:
        return a > b ? YES : NO;
    case GREATER_EQUAL:
        return a >= b ? YES : NO;
    default:
        return a == b ? YES : NO;
    }
}

/* Takes a prefix from a name. */
static bool strip(wn_str *name, wn_str prefix)
{
    if (!wn_str_starts_nocase(*name, prefix))
        return false;
    *name = wn_str_from_offset(*name, prefix.len);
    return true;
}

/* (min-width: 600px), (hover), (width >= 600px): after the name. */
static outcome read_named_feature(reader *r, wn_str name)
{
    relation how = EQUAL;
    float value, wanted;
    bool plain = false;
    strip(&name, WN_STR("-webkit-"));
    if (strip(&name, WN_STR("min-")))
        how = GREATER_EQUAL;
    else if (strip(&name, WN_STR("max-")))
        how = LESS_EQUAL;
    const char *word = word_feature(r, name, &plain);
    bool numeric = numeric_feature(r, name, &value);
    if (take_delim(r, ':')) {
        if (word && at(r)->kind == WN_CSS_IDENT)
            return wn_str_eq_nocase(r->cursor.at++->text, wn_str_of(word)) ? YES : NO;
        if (word && at(r)->kind == WN_CSS_NUMBER)
            return wn_str_eq(wn_str_between(at(r)->start, r->cursor.at++->end), wn_str_of(word));
        return numeric && read_value(r, &wanted) ? compare(value, how, wanted) : UNKNOWN;
    }
    if (take_relation(r, &how))
        return numeric && read_value(r, &wanted) ? compare(value, how, wanted) : UNKNOWN;
    return word ? (plain ? YES : NO) : numeric ? (value != 0 ? YES : NO) : UNKNOWN;
}

/* 400px <= width < 600px */
static outcome read_range(reader *r)
{
    float left, right, value;
    relation how;
    if (!read_value(r, &left) || !take_relation(r, &how) || at(r)->kind != WN_CSS_IDENT ||
        !numeric_feature(r, at(r)->text, &value))
        return UNKNOWN;
    r->cursor.at++;
    outcome result = compare(left, how, value);
    if (take_relation(r, &how))
        result = read_value(r, &right) ? both(result, compare(value, how, right)) : UNKNOWN;
    return result;
}

static outcome read_feature(reader *r)
{
    if (at(r)->kind == WN_CSS_IDENT)
        return read_named_feature(r, r->cursor.at++->text);
    return read_range(r);
}

/* ---- Conditions -------------------------------------------------------------------------- */

static outcome read_condition(reader *r, int depth);

/* Moves past the bracket that closes what `open` opened. */
static const wn_css_token *closing(reader *r, const wn_css_token *open)
{
    r->cursor.at = open;
    wn_css_skip_function(&r->cursor);
    const wn_css_token *last = r->cursor.at - 1;
    return wn_css_is_delim(last, ')') ? last : r->cursor.at;
}

static outcome supports_declaration(reader *r, const wn_css_token *first, const wn_css_token *close)
{
    /* The tokens are read again: the reader of declarations needs the array. */
    wn_css_values own = *r->values;
    own.tokens = (wn_css_tokens){0};
    bool known = wn_css_supports(&own, wn_str_between(first->start, close->start));
    wn_array_free(&own.tokens);
    return known ? YES : NO;
}

/* A function: selector(), font-tech(), style(): taken as supported, a style query as not. */
static outcome read_function(reader *r)
{
    bool holds = r->supports && wn_css_is_function(at(r), WN_STR("selector"));
    wn_css_skip_function(&r->cursor);
    return holds ? YES : r->supports ? NO : UNKNOWN;
}

static outcome read_in_brackets(reader *r, int depth)
{
    if (at(r)->kind == WN_CSS_FUNCTION)
        return read_function(r);
    const wn_css_token *open = at(r);
    if (!wn_css_is_delim(open, '(') || depth >= MAX_DEPTH)
        return UNKNOWN;
    const wn_css_token *close = closing(r, open), *after = r->cursor.at;
    r->cursor.at = open + 1;
    outcome result;
    bool inner = wn_css_is_delim(at(r), '(') || wn_css_is_ident(at(r), WN_STR("not")) ||
                 at(r)->kind == WN_CSS_FUNCTION;
    if (inner)
        result = read_condition(r, depth + 1);
    else if (r->supports)
        result = supports_declaration(r, at(r), close);
    else
        result = read_feature(r);
    if (!r->supports && !inner && r->cursor.at < close)
        result = UNKNOWN; /* something was left over */
    r->cursor.at = after;
    return result;
}

/* not X, X and Y, X or Y */
static outcome read_condition(reader *r, int depth)
{
    if (take_word(r, WN_STR("not")))
        return negate(read_in_brackets(r, depth));
    outcome result = read_in_brackets(r, depth);
    for (;;) {
        const wn_css_token *before = at(r);
        if (take_word(r, WN_STR("and")))
            result = both(result, read_in_brackets(r, depth));
        else if (take_word(r, WN_STR("or")))
            result = either(result, read_in_brackets(r, depth));
        else
            return result;
        if (at(r) <= before + 1)
            return UNKNOWN;
    }
}

/* ---- Queries ----------------------------------------------------------------------------- */

/* [not | only] type [and condition] */
static outcome read_query(reader *r)
{
    const wn_css_token *t = at(r);
    if (t->kind != WN_CSS_IDENT || (wn_css_is_ident(t, WN_STR("not")) && t[1].kind != WN_CSS_IDENT))
        return read_condition(r, 0);
    bool negated = take_word(r, WN_STR("not"));
    if (!negated)
        take_word(r, WN_STR("only"));
    if (at(r)->kind != WN_CSS_IDENT)
        return UNKNOWN;
    wn_str type = r->cursor.at++->text;
    outcome result = wn_str_eq_nocase(type, WN_STR("all")) ||
                             wn_str_eq_nocase(type, WN_STR("screen"))
                         ? YES
                         : NO;
    if (take_word(r, WN_STR("and")))
        result = both(result, read_condition(r, 0));
    return negated ? negate(result) : result;
}

static void skip_to_comma(reader *r)
{
    while (at(r)->kind != WN_CSS_END && !wn_css_is_delim(at(r), ',')) {
        if (at(r)->kind == WN_CSS_FUNCTION || wn_css_is_delim(at(r), '('))
            wn_css_skip_function(&r->cursor);
        else
            r->cursor.at++;
    }
}

static bool open_reader(reader *r, wn_css_values *values, wn_str text)
{
    *r = (reader){.values = values};
    if (!wn_css_read_all(&values->tokens, values->arena, text, MAX_TOKENS))
        return false;
    r->cursor = (wn_css_cursor){
        .at = values->tokens.items, .screen = values->screen, .arena = values->arena};
    return true;
}

bool wn_css_media_holds(wn_css_values *values, wn_str text)
{
    reader r;
    if (wn_str_trim(text).len == 0)
        return true;
    if (!open_reader(&r, values, text))
        return false;
    for (;;) {
        outcome result = read_query(&r);
        bool whole = at(&r)->kind == WN_CSS_END || wn_css_is_delim(at(&r), ',');
        if (whole && result == YES)
            return true;
        skip_to_comma(&r);
        if (!take_delim(&r, ','))
            return false;
    }
}

bool wn_css_supports_holds(wn_css_values *values, wn_str text)
{
    reader r;
    if (!open_reader(&r, values, text))
        return false;
    r.supports = true;
    return read_condition(&r, 0) == YES && at(&r)->kind == WN_CSS_END;
}

bool wn_css_container_holds(wn_css_values *values, wn_str text)
{
    reader r;
    if (!open_reader(&r, values, text))
        return false;
    if (at(&r)->kind == WN_CSS_IDENT && !wn_css_is_ident(at(&r), WN_STR("not")))
        r.cursor.at++;
    return at(&r)->kind == WN_CSS_END || read_condition(&r, 0) == YES;
}
