/*
 * Importance: which block of a tree is the informative one.
 *
 * EIFCE, section 6 of the paper: blocks whose General Parameters are valid are candidates, each
 * gets an importance value, and the greatest is the informative block. Inner blocks are candidates
 * too.
 */
#ifndef WN_VISUAL_IMPORTANCE_H
#define WN_VISUAL_IMPORTANCE_H

#include "visual/blocks.h"

typedef enum wn_importance {
    WN_IMPORTANCE_GP,            /* what speaks for information by what speaks against */
    WN_IMPORTANCE_SIZE_DISTANCE, /* equation 1 as it is printed */
} wn_importance;

/* The names of these, for options; ends with NULL. */
extern const char *const wn_importance_names[];

/*
 * How many words a candidate must have, and the constants of `gp`: importance.c has the formula.
 * The defaults were chosen by tools/tune_eifce.py on wcxb-dev, by cross-validation.
 */
typedef struct wn_importance_weights {
    uint32_t words;
    double page_text, paragraph, heading, link_text, link, control;
} wn_importance_weights;

extern const wn_importance_weights wn_importance_defaults;

/* Fills in `candidate`, `importance` and `rank` of every block of a measured tree. */
void wn_visual_importance_rate(wn_block_tree *tree, wn_importance importance,
                               const wn_importance_weights *weights, wn_arena *arena);

/*
 * Marks the `count` best blocks as chosen; one inside another that is chosen does not count.
 * Returns how many there were. Without a candidate the best block of all is chosen, if there is
 * text.
 */
uint32_t wn_visual_importance_choose(wn_block_tree *tree, uint32_t count, wn_arena *arena);

#endif
