/*
 * Style sheets: text in, rules out.
 *
 * https://drafts.csswg.org/css-syntax-3/#parsing and https://drafts.csswg.org/css-nesting-1/
 *
 * Most rules of a large sheet match nothing on a page, so only their selectors are read here; the
 * declarations stay text until wn_css_block_decls() needs them. Conditions (@media, @supports) are
 * evaluated immediately, and blocks that do not apply are skipped. Nesting uses a stack, not
 * recursion.
 *
 * When all sheets have been read, wn_css_rules_index() gives the rules their order in the cascade
 * and makes the index by which they are looked up.
 */
#ifndef WN_CSS_SHEET_H
#define WN_CSS_SHEET_H

#include "css/index.h"
#include "css/selector.h"
#include "css/sheet_source.h"
#include "css/value.h"

/* Declarations of a rule, read when they are first needed. */
typedef struct wn_css_block {
    wn_str text;
    uint32_t first, count; /* among `decls`, once read */
    bool read;
    bool important; /* some are */
    bool logical;   /* some depend on the direction */
    bool custom;    /* some are variables */
} wn_css_block;

/* One selector with its declarations. */
typedef struct wn_css_rule {
    uint32_t selector, block;
    uint32_t layer;
    uint64_t key; /* order in the cascade: layer, specificity, place in the sheets */
} wn_css_rule;

typedef struct wn_css_layer {
    wn_str name;
    uint32_t parent;
    uint32_t order; /* from 1; larger wins */
} wn_css_layer;

enum {
    WN_LAYER_NONE, /* rules outside layers win over all layers */
    WN_LAYER_USER, /* the reader's sheets, weaker than all of the page's */
    WN_LAYER_FIRST,
};

typedef struct wn_css_rules {
    wn_css_set set;
    wn_array(wn_css_rule) rules;
    wn_array(wn_css_block) blocks;
    wn_css_decls decls;
    wn_array(wn_css_layer) layers;
    wn_css_decls registered; /* initial values of @property */
    wn_css_index index;
    wn_array(wn_str) texts; /* of the sheets; what one imports comes before it */
    uint32_t imports;       /* sheets that were loaded by @import */
    bool limited;
} wn_css_rules;

typedef struct wn_css_source {
    wn_css_values *values;
    wn_str base; /* address of the sheet */
    wn_css_load *load;
    void *load_data;
    bool user;
} wn_css_source;

void wn_css_rules_reset(wn_css_rules *rules, bool quirks);
void wn_css_rules_free(wn_css_rules *rules);
size_t wn_css_rules_memory(const wn_css_rules *rules);

/* Adds the rules of a sheet after those that are there. */
void wn_css_rules_add(wn_css_rules *rules, wn_str text, const wn_css_source *source);

/*
 * Asks for the sheet that `reference`, on the page or sheet at source->base, stands for, and adds
 * its rules. False if there is none.
 */
bool wn_css_rules_load(wn_css_rules *rules, wn_str reference, const wn_css_source *source);

/* Orders the rules and makes their index; to be called once, when all sheets have been read. */
void wn_css_rules_index(wn_css_rules *rules);

/* The second half of that; false if out of memory. In index.c. */
bool wn_css_index_make(wn_css_rules *rules);

/* The declarations of a block. */
const wn_css_block *wn_css_block_decls(wn_css_rules *rules, wn_css_values *values, uint32_t block);

#endif
