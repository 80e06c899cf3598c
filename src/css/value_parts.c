#include "css/value_parts.h"

#include <assert.h>

/* ---- Writing -------------------------------------------------------------------------------- */

wn_css_decl *wn_css_add(wn_css_writer *w, wn_css_property property)
{
    assert(property < WN_PROP_LONGHANDS || property == WN_PROP_ALL);
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
bool wn_css_add_calc(wn_css_writer *w, wn_css_property property, const wn_css_calc *calc)
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

/* ---- Words ---------------------------------------------------------------------------------- */

const wn_css_word *wn_css_find_word(const wn_css_word *words, wn_str name)
{
    for (; words->name; words++)
        if (wn_str_eq_nocase(wn_str_of(words->name), name))
            return words;
    return NULL;
}

bool wn_css_take_listed(wn_css_writer *w, const wn_css_word *words, unsigned *value)
{
    if (wn_css_at(w)->kind != WN_CSS_IDENT)
        return false;
    const wn_css_word *word = wn_css_find_word(words, wn_css_at(w)->text);
    if (!word)
        return false;
    w->cursor.at++;
    *value = word->value;
    return true;
}

/* ---- Lengths and numbers -------------------------------------------------------------------- */

/* A length without words. Numbers count as pixels where quirks mode lets them. */
bool wn_css_read_plain_length(wn_css_writer *w, unsigned flags, wn_css_calc *calc)
{
    const wn_css_token *t = wn_css_at(w);
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

/* A number; percentages are parts of 1. */
bool wn_css_take_number(wn_css_writer *w, float *number)
{
    wn_css_calc calc;
    const wn_css_token *t = wn_css_at(w);
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

/* ---- Images --------------------------------------------------------------------------------- */

/* Whether an image is at the cursor: url(…), a gradient. Moves past it. */
bool wn_css_take_image(wn_css_writer *w)
{
    const wn_css_token *t = wn_css_at(w);
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
