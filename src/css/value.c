/*
 * Declarations, from text to longhands: what each value means is told by value_longhand.c,
 * value_shorthand.c, value_font.c and value_grid.c.
 */
#include "css/value.h"

#include <assert.h>

#include "base/buf.h"
#include "css/value_parts.h"

enum { MAX_TOKENS = 20000 }; /* of one declaration; a longer one is dropped */

/* inherit, initial … alone; -1 if it is something else. */
static int wide_word(const wn_css_token *t)
{
    static const wn_css_word words[] = {
        {"inherit", WN_WIDE_INHERIT}, {"initial", WN_WIDE_INITIAL},     {"unset", WN_WIDE_UNSET},
        {"revert", WN_WIDE_REVERT},   {"revert-layer", WN_WIDE_REVERT}, {NULL, 0},
    };
    if (t->kind != WN_CSS_IDENT || t[1].kind != WN_CSS_END)
        return -1;
    const wn_css_word *word = wn_css_find_word(words, t->text);
    return word ? word->value : -1;
}

/* The same value for all longhands of a property. */
static bool add_to_all(wn_css_writer *w, wn_css_property property, wn_css_decl value)
{
    uint16_t self[2];
    const uint16_t *longhands = wn_css_longhands_of(property, self, &w->logical);
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
    assert(values->tokens.count > 0);
    assert(values->tokens.items[values->tokens.count - 1].kind == WN_CSS_END);
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
        ok = wn_css_read_longhand(&w, property) && wn_css_at_end(&w);
    else
        ok = wn_css_read_shorthand(&w, property) && wn_css_at_end(&w);
    if (w.failed)
        values->arena->failed = true;
    assert(out->count >= start);
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
    if (!decl) {
        values->arena->failed = true;
        return false;
    }
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
