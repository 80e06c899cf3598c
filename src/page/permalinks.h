/*
 * Permalinks: the symbols next to headings for linking to them, "Wheels ¶", the links
 * of wikis to change their section, "Wheels [edit]", and the arrows after footnotes that lead back
 * to the text; also the numbers of notebook cells, "In [3]:", which are no links but like them.
 *
 * They are not text of the page. But methods see them, as the features of a page count all of its
 * links; so they are taken off when the blocks are chosen, in the view of the selection.
 */
#ifndef WN_PAGE_PERMALINKS_H
#define WN_PAGE_PERMALINKS_H

#include "page/page.h"
#include "page/selection.h"

/*
 * Whether a link with that text and that address is one. Words are not: some pages link their
 * headings to themselves.
 */
bool wn_page_is_permalink(wn_str text, wn_str target);

/*
 * Takes them off both ends of the view's blocks; a block that is nothing else is dropped. False
 * if out of memory.
 */
bool wn_page_permalinks_drop(wn_page_view *view, wn_selection *selection);

#endif
