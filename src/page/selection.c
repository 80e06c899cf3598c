#include "page/selection.h"

#include <assert.h>

bool wn_selection_start(wn_selection *selection, wn_arena *arena, uint32_t count, bool explain)
{
    selection->count = 0;
    selection->places = NULL;
    selection->verdicts = wn_arena_alloc(arena, count * sizeof *selection->verdicts);
    if (explain)
        selection->places = wn_arena_alloc(arena, count * sizeof *selection->places);
    if (arena->failed)
        return false;
    selection->count = count;
    for (uint32_t i = 0; i < count; i++) {
        selection->verdicts[i] = (wn_verdict){.reason = "not selected"};
        if (explain)
            selection->places[i] = NULL;
    }
    return true;
}

bool wn_selection_keeps(const wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++)
        if (selection->verdicts[i].keep)
            return true;
    return false;
}

void wn_selection_cut(wn_selection *selection, wn_page_view *view, wn_arena *arena)
{
    wn_page *page = &view->page;
    assert(selection->count == view->page.texts.count);
    wn_verdict *verdicts = selection->verdicts;
    const char **places = selection->places;
    uint32_t texts = selection->count, count = 0;
    for (uint32_t i = 1; i < texts; i++)
        count += verdicts[i].keep != verdicts[i - 1].keep;
    uint32_t *cuts = wn_arena_alloc(arena, (count + 1) * sizeof *cuts);
    for (uint32_t i = 1, made = 0; cuts && made < count; i++)
        if (verdicts[i].keep != verdicts[i - 1].keep)
            cuts[made++] = page->texts.items[i].start;
    uint32_t *starts = cuts && wn_page_view_own(view) ? wn_page_cut(page, cuts, count, arena)
                                                      : NULL;
    /* A block has at least one text, so the verdicts can be moved forward in their place. */
    uint32_t blocks = starts && page->blocks.count <= texts ? page->blocks.count : 0;
    for (uint32_t i = 0, text = 0; i < blocks; i++) {
        while (text + 1 < texts && page->texts.items[text + 1].start <= starts[i])
            text++;
        verdicts[i] = verdicts[text];
        if (places)
            places[i] = places[text];
    }
    selection->count = page->blocks.count = blocks; /* of the view: the page keeps its own */
    arena->failed |= !starts;
}
