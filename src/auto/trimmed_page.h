/*
 * A trimmed page: one without its navigation, footers and drawings.
 *
 * Of the words in <nav> and <footer> hardly any are content (0.4% on the pages auto has learned
 * from), and a third of all blocks are there, so they are left out from the start. Words in
 * drawings (<svg>) are labels that mean nothing without the drawing.
 */
#ifndef WN_AUTO_TRIMMED_PAGE_H
#define WN_AUTO_TRIMMED_PAGE_H

#include "base/arena.h"
#include "page/page.h"

typedef struct wn_auto_trimmed_page {
    wn_page page;          /* shares all but its blocks with the whole page */
    uint32_t *origins;     /* by block: which one of the whole page it is */
    uint32_t words_beside; /* in the blocks that are left out */
} wn_auto_trimmed_page;

/*
 * Leaves out what is in navigation, footers and drawings, unless nearly all texts are there, as on
 * pages that never close their <nav>. False if out of memory.
 */
bool wn_auto_trim_page(wn_auto_trimmed_page *trimmed, const wn_page *page, wn_arena *arena);

#endif
