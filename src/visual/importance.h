/*
 * Importance: which block of a tree the reader came for.
 *
 * EIFCE, section 6 of the paper: blocks whose General Parameters are valid are candidates, each
 * gets an importance value, and the greatest is the informative block. Inner blocks are candidates too.
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

/* Fills in `candidate`, `importance` and `rank` of every block of a measured tree. */
void wn_visual_importance_rate(wn_block_tree *tree, wn_importance importance, wn_arena *arena);

/*
 * Marks the `count` best blocks as chosen; one inside another that is chosen does not count. Returns
 * how many there were. Without a candidate the best block of all is chosen, if there is text.
 */
uint32_t wn_visual_importance_choose(wn_block_tree *tree, uint32_t count, wn_arena *arena);

#endif
