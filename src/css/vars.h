/*
 * Variables: --name: value, and var(--name, fallback).
 *
 * https://drafts.csswg.org/css-variables-1/
 *
 * An element's variables are its own and those of the element it inherits from: a chain of small
 * tables, shared by all elements that set none. A value is computed when it is first needed, and
 * kept. A cycle makes its variables invalid. The depth of references, the length of a value and the
 * total text are bounded.
 */
#ifndef WN_CSS_VARS_H
#define WN_CSS_VARS_H

#include "base/buf.h"
#include "base/cost.h"
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
    wn_cost cost; /* of the text that is made */
} wn_css_vars;

/*
 * The variables of an element: `decls` (of which only variables count, the last one of a name
 * wins) and those of `outer`. `outer` itself if nothing differs.
 */
const wn_css_env *wn_css_env_make(wn_css_vars *vars, const wn_css_env *outer,
                                  const wn_css_decl *const *decls, uint32_t count);

/* Adds `text` with its var()s replaced to `out`; false if one of them has no value. */
bool wn_css_substitute(wn_css_vars *vars, const wn_css_env *env, wn_str text, wn_buf *out);

#endif
