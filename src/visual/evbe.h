/*
 * EVBE: the Effective Visual Block Extractor of Win and Thwin. A view in, a block tree out.
 *
 * rules.c has the ten rules; evbe.c walks the document with them.
 */
#ifndef WN_VISUAL_EVBE_H
#define WN_VISUAL_EVBE_H

#include "visual/blocks.h"

typedef struct wn_evbe_options {
    unsigned parent_bound;  /* a visual distance to the parent up to this is valid */
    unsigned sibling_bound; /* the same to the next sibling */
    bool strict;            /* rule 8 knows only floats, as it is printed */
    float tolerance;        /* share by which two widths or heights may differ and be alike */
} wn_evbe_options;

extern const wn_evbe_options wn_evbe_defaults;

/* Makes the tree, without General Parameters; wn_visual_block_tree_free() it in any case. */
void wn_visual_evbe(wn_block_tree *tree, const wn_kinds *kinds, const wn_evbe_options *options,
                    wn_arena *arena);

/* ---- The rules --------------------------------------------------------------------------- */

/* What a rule says of a node. */
typedef enum wn_rule_answer {
    WN_RULE_SILENT,  /* it does not apply */
    WN_RULE_DESCEND, /* it applies; the next rules and the children are tried, too */
    WN_RULE_STOP,    /* no other rule is tried, and none on the children */
} wn_rule_answer;

typedef struct wn_rules {
    const wn_kinds *kinds;
    const wn_evbe_options *options;
    wn_marks marks;
    bool failed; /* out of memory */
} wn_rules;

/*
 * Makes the blocks of a node that rules 5, 8 and 9 have divided, when all rules were tried: where
 * two of them divide it in different places, it is divided in both.
 */
void wn_visual_make_divided_blocks(wn_rules *rules, wn_node_id node);

typedef wn_rule_answer wn_rule(wn_rules *rules, wn_node_id node);

wn_rule wn_rule_1, wn_rule_2, wn_rule_3, wn_rule_4, wn_rule_5, wn_rule_6, wn_rule_7, wn_rule_8,
    wn_rule_9, wn_rule_10;

#endif
