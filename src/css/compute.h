/*
 * Computing: the declarations that apply to an element, in the cascade's order, become its style.
 *
 *     wn_css_start(&c, parent, parent_env);
 *     wn_css_apply(&c, decls, count, …);        weakest first
 *     wn_css_finish(&c, &style);
 *
 * The last declaration of a property wins; then the winners are computed in the order of the
 * properties, so that the font size is known when a margin in em is.
 */
#ifndef WN_CSS_COMPUTE_H
#define WN_CSS_COMPUTE_H

#include "css/vars.h"

typedef struct wn_css_computer {
    wn_css_values *values;
    wn_css_vars *vars;
    wn_arena *arena;
    wn_array(wn_length_arm) arms; /* [0] is unused */
    float root_font_size;
    bool quirks;

    /* Of the element at hand. */
    const wn_style *parent;
    const wn_css_env *env;
    wn_style style;
    bool is_root;
    bool rtl;          /* what logical properties go by, */
    uint8_t writing;   /* and wn_writing_mode */
    bool color_set[4]; /* of the borders; else it is currentcolor */
    const wn_css_decl *winners[WN_PROP_LONGHANDS];
    const wn_css_decl *reverted[WN_PROP_LONGHANDS]; /* winners of the browser's own sheet */
    uint64_t won[(WN_PROP_LONGHANDS + 63) / 64];
    uint64_t reverted_won[(WN_PROP_LONGHANDS + 63) / 64]; /* the same of `reverted` */
    wn_array(const wn_css_decl *) customs;
    const wn_css_content *content;

    /* The last value that was read again because of var(). */
    const wn_css_text *read_text;
    const wn_css_env *read_env;
    wn_css_decls read_decls;
} wn_css_computer;

extern const wn_style wn_css_initial;

/* Begins an element below one with style `parent` (NULL: the root's initial values). */
void wn_css_start(wn_css_computer *c, const wn_style *parent, const wn_css_env *env);

/* Declarations win over those before; with `important` only such count, else only the others. */
void wn_css_apply(wn_css_computer *c, const wn_css_decl *decls, uint32_t count, bool important);

/* What has been applied is where `revert` goes back to. */
void wn_css_mark_reverted(wn_css_computer *c);

/* Computes; the style is c->style, its variables c->env, what `content` says c->content. */
void wn_css_finish(wn_css_computer *c);

void wn_css_computer_free(wn_css_computer *c);

#endif
