/*
 * VIPS: the Vision-based Page Segmentation of Cai, Yu, Wen and Ma (MSR-TR-2003-79), as the baseline
 * that EVBE is held against.
 */
#ifndef WN_VISUAL_VIPS_H
#define WN_VISUAL_VIPS_H

#include "visual/blocks.h"

enum { WN_VIPS_DEFAULT_PDOC = 6, WN_VIPS_MOST_PDOC = 10 };

/*
 * Divides until the degree of coherence of every block is at least `pdoc`, 1 to 10. Makes the
 * tree, without General Parameters; wn_visual_block_tree_free() it in any case.
 */
void wn_visual_vips(wn_block_tree *tree, const wn_kinds *kinds, unsigned pdoc, wn_arena *arena);

#endif
