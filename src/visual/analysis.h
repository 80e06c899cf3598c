/*
 * The visual analysis of a page: its view, the kinds of its nodes and its tree of visual blocks.
 * Methods that need layout start with it.
 */
#ifndef WN_VISUAL_ANALYSIS_H
#define WN_VISUAL_ANALYSIS_H

#include "page/selection.h"
#include "visual/evbe.h"

/* Of a page that is looked at: styles and boxes take memory, too. */
enum { WN_VISUAL_MOST_NODES = 750000, WN_VISUAL_MOST_BOXES = 250000 };

/* How many nodes are laid out with so much memory; 0: no limit. */
uint32_t wn_visual_most_nodes(uint64_t max_memory);

typedef struct wn_visual_analysis {
    const wn_page *page;
    wn_view view;
    wn_kinds kinds;
    wn_block_tree tree;
} wn_visual_analysis;

/*
 * Analyses a page that has styles, boxes and texts, and builds the measured block tree of EVBE, or
 * of VIPS if `pdoc` is not 0. False if out of memory. wn_visual_analysis_close() it in any case.
 */
bool wn_visual_analysis_open(wn_visual_analysis *analysis, const wn_page *page,
                             const wn_evbe_options *options, unsigned pdoc, wn_arena *arena);
void wn_visual_analysis_close(wn_visual_analysis *analysis);

/* Keeps the texts of all blocks that are chosen, with their reasons. */
void wn_visual_analysis_select(const wn_visual_analysis *analysis, bool explain, wn_arena *arena,
                               wn_selection *selection);

#endif
