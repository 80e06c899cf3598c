/*
 * What the files that read values share: the state of one declaration, and small readers.
 */
#ifndef WN_CSS_VALUE_PARTS_H
#define WN_CSS_VALUE_PARTS_H

#include "css/value.h"

typedef struct wn_css_writer {
    wn_css_cursor cursor;
    wn_css_decls *out;
    bool logical;
    bool failed; /* out of memory */
} wn_css_writer;

static inline const wn_css_token *wn_css_at(const wn_css_writer *w)
{
    return w->cursor.at;
}

static inline bool wn_css_at_end(const wn_css_writer *w)
{
    return w->cursor.at->kind == WN_CSS_END;
}

static inline bool wn_css_take_word(wn_css_writer *w, wn_str word)
{
    if (!wn_css_is_ident(w->cursor.at, word))
        return false;
    w->cursor.at++;
    return true;
}

static inline bool wn_css_take_delim(wn_css_writer *w, char delim)
{
    if (!wn_css_is_delim(w->cursor.at, delim))
        return false;
    w->cursor.at++;
    return true;
}

/* ---- Writing: value_parts.c -------------------------------------------------------------- */

/* Adds a declaration; all of its fields but the property are 0. NULL if out of memory. */
wn_css_decl *wn_css_add(wn_css_writer *w, wn_css_property property);
bool wn_css_add_word(wn_css_writer *w, wn_css_property property, unsigned word);
bool wn_css_add_number(wn_css_writer *w, wn_css_property property, float number);
bool wn_css_add_data(wn_css_writer *w, wn_css_property property, const void *data, size_t size);

/* Adds a length, as a plain one if it has one unit. */
bool wn_css_add_calc(wn_css_writer *w, wn_css_property property, const wn_css_calc *calc);

/* ---- Small readers: value_parts.c -------------------------------------------------------- */

/* The word of that name; NULL if there is none. The list ends with a NULL name. */
const wn_css_word *wn_css_find_word(const wn_css_word *words, wn_str name);

/* Takes a word of a list at the cursor; false if there is none. */
bool wn_css_take_listed(wn_css_writer *w, const wn_css_word *words, unsigned *value);

/* Takes a length or percentage, with the WN_LENGTHS_* that `flags` has; false if there is none. */
bool wn_css_read_plain_length(wn_css_writer *w, unsigned flags, wn_css_calc *calc);

bool wn_css_take_number(wn_css_writer *w, float *number);

/* Takes an image: url(…), a gradient. */
bool wn_css_take_image(wn_css_writer *w);

/* ---- Properties -------------------------------------------------------------------------- */

/* Reads one longhand's value at the cursor; false if there is none. */
bool wn_css_read_longhand(wn_css_writer *w, wn_css_property property);

/* text-decoration-line, and its shorthand; translate: as a transform. */
bool wn_css_read_decoration(wn_css_writer *w, bool shorthand);
bool wn_css_read_translate(wn_css_writer *w);

/*
 * Shorthands: value_shorthand.c. The longhands of a property, ended by 0; of a longhand itself
 * alone.
 */
bool wn_css_read_shorthand(wn_css_writer *w, wn_css_property property);
const uint16_t *wn_css_longhands_of(wn_css_property property, uint16_t self[2], bool *logical);

/* Fonts: value_font.c */
bool wn_css_read_font_longhand(wn_css_writer *w, wn_css_property property);
bool wn_css_read_font(wn_css_writer *w);

/* Grids: value_grid.c */
bool wn_css_read_grid_longhand(wn_css_writer *w, wn_css_property property);
bool wn_css_read_grid_shorthand(wn_css_writer *w, wn_css_property property);

#endif
