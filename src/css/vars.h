/*
 * Variables: --name: value, and var(--name, fallback).
 *
 * https://drafts.csswg.org/css-variables-1/
 *
 * An element's variables are its own and those of the element it inherits from: a chain of
 * small tables, shared by all elements that set none. A value is worked out when it is first asked
 * for and kept. A cycle makes its variables invalid. How deep they may refer to each other,
 * how long a value may become and how much text all of them may make are bounded.
 */
#ifndef WN_CSS_VARS_H
#define WN_CSS_VARS_H

#include "base/buf.h"
#include "css/value.h"

typedef struct wn_css_var {
    wn_str name, text; /* text: as declared, then as worked out */
    uint32_t hash;
    uint32_t order; /* the smaller of two with one name counts */
    uint8_t state;  /* see vars.c */
} wn_css_var;

typedef struct wn_css_env {
    const struct wn_css_env *outer; /* NULL: none */
    wn_css_var *vars;               /* in order of their hashes */
    uint32_t count;
} wn_css_env;

typedef struct wn_css_vars {
    wn_arena *arena;
    size_t budget; /* bytes of text that may still be made */
    bool limited;
} wn_css_vars;

enum { WN_CSS_VAR_BUDGET = 16 << 20 };

/*
 * The variables of an element: `decls` (of which only variables count, the last one of a name
 * wins) and those of `outer`. `outer` itself if nothing differs.
 */
const wn_css_env *wn_css_env_make(wn_css_vars *vars, const wn_css_env *outer,
                                  const wn_css_decl *const *decls, uint32_t count);

/* Adds `text` with its var()s replaced to `out`; false if one of them has no value. */
bool wn_css_substitute(wn_css_vars *vars, const wn_css_env *env, wn_str text, wn_buf *out);

#endif
