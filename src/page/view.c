#include "page/view.h"

#include <assert.h>

/* Takes the memory of the copies back from the page that showed them. */
static void disown(wn_page_view *view)
{
    if (!view->owned)
        return;
    view->blocks.items = view->page.blocks.items;
    view->blocks.capacity = view->page.blocks.capacity;
    view->spans.items = view->page.spans.items;
    view->spans.capacity = view->page.spans.capacity;
    view->owned = false;
}

void wn_page_view_start(wn_page_view *view, const wn_page *page)
{
    disown(view);
    view->page = *page;
}

bool wn_page_view_own(wn_page_view *view)
{
    wn_page *page = &view->page;
    if (view->owned)
        return true;
    if (!wn_array_reserve(&view->blocks, page->blocks.count + 1) ||
        !wn_array_reserve(&view->spans, page->spans.count + 1))
        return false;
    assert(view->blocks.items != page->blocks.items);
    if (page->blocks.count > 0)
        memcpy(view->blocks.items, page->blocks.items,
               page->blocks.count * sizeof *view->blocks.items);
    if (page->spans.count > 0)
        memcpy(view->spans.items, page->spans.items, page->spans.count * sizeof *view->spans.items);
    page->blocks.items = view->blocks.items;
    page->blocks.capacity = view->blocks.capacity;
    page->spans.items = view->spans.items;
    page->spans.capacity = view->spans.capacity;
    view->owned = true;
    return true;
}

void wn_page_view_free(wn_page_view *view)
{
    disown(view);
    wn_array_free(&view->blocks);
    wn_array_free(&view->spans);
}

size_t wn_page_view_memory(const wn_page_view *view)
{
    size_t blocks = view->owned ? view->page.blocks.capacity : view->blocks.capacity;
    size_t spans = view->owned ? view->page.spans.capacity : view->spans.capacity;
    return blocks * sizeof(wn_block) + spans * sizeof(wn_span);
}
