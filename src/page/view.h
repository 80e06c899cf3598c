/*
 * A view: the page as one selection sees it.
 *
 * Several selections share one page, and none may change it. If a selection needs different blocks
 * - split where its verdicts change, or without the symbol of a permalink - the view copies blocks
 * and spans and changes the copies. Otherwise it uses the page's own arrays and costs nothing.
 * Texts are slices of the page's text in both cases.
 */
#ifndef WN_PAGE_VIEW_H
#define WN_PAGE_VIEW_H

#include "page/page.h"

typedef struct wn_page_view {
    wn_page page; /* reads like any page; its blocks and spans are the view's own if `owned` */
    bool owned;
    wn_array(wn_block) blocks; /* memory for copies, while they are not in use */
    wn_array(wn_span) spans;
} wn_page_view;

/* Shows `page` as it is. The view is zeroed before its first use; its memory is reused. */
void wn_page_view_start(wn_page_view *view, const wn_page *page);

/* Makes blocks and spans the view's own, so that they may be changed; false: out of memory. */
bool wn_page_view_own(wn_page_view *view);

void wn_page_view_free(wn_page_view *view);
size_t wn_page_view_memory(const wn_page_view *view);

#endif
