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
    bool failed; /* memory is out */
} wn_css_writer;

static inline const wn_css_token *wn_at(const wn_css_writer *w)
{
    return w->cursor.at;
}

static inline bool wn_at_end(const wn_css_writer *w)
{
    return w->cursor.at->kind == WN_CSS_END;
}

static inline bool wn_take_word(wn_css_writer *w, wn_str word)
{
    if (!wn_css_is_ident(w->cursor.at, word))
        return false;
    w->cursor.at++;
    return true;
}

static inline bool wn_take_delim(wn_css_writer *w, char delim)
{
    if (!wn_css_is_delim(w->cursor.at, delim))
        return false;
    w->cursor.at++;
    return true;
}

/* Adds a declaration; all of its fields but the property are 0. NULL when memory is out. */
wn_css_decl *wn_css_add(wn_css_writer *w, wn_css_property property);
bool wn_css_add_word(wn_css_writer *w, wn_css_property property, unsigned word);
bool wn_css_add_number(wn_css_writer *w, wn_css_property property, float number);
bool wn_css_add_data(wn_css_writer *w, wn_css_property property, const void *data, size_t size);

/* Reads one longhand's value at the cursor; false if there is none. */
bool wn_css_read_longhand(wn_css_writer *w, wn_css_property property);

/* Grids: value_grid.c */
bool wn_css_read_grid_longhand(wn_css_writer *w, wn_css_property property);
bool wn_css_read_grid_shorthand(wn_css_writer *w, wn_css_property property);

#endif
