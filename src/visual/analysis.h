/*
 * A sight: a page with all that was found by looking at it. What the methods that look begin
 * with.
 */
#ifndef WN_VISUAL_ANALYSIS_H
#define WN_VISUAL_ANALYSIS_H

#include "page/selection.h"
#include "visual/evbe.h"

/* Of a page that is looked at: styles and boxes take memory, too. */
enum { WN_SIGHT_MOST_NODES = 750000, WN_SIGHT_MOST_BOXES = 250000 };

typedef struct wn_sight {
    const wn_page *page;
    wn_view view;
    wn_kinds kinds;
    wn_block_tree tree;
} wn_sight;

/*
 * Looks at a page that has styles, boxes and texts, and makes the measured block tree of EVBE, or
 * of VIPS if `pdoc` is not 0. False when memory is out. wn_sight_close() it in any case.
 */
bool wn_sight_open(wn_sight *sight, const wn_page *page, const wn_evbe_options *options,
                   unsigned pdoc, wn_arena *arena);
void wn_sight_close(wn_sight *sight);

/* Keeps the texts of all blocks that are chosen, with their reasons. */
void wn_sight_select(const wn_sight *sight, bool explain, wn_arena *arena, wn_selection *selection);

#endif
