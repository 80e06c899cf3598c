#include "page/selection.h"

#include <assert.h>

bool wn_selection_start(wn_selection *selection, wn_arena *arena, uint32_t count, bool explain)
{
    selection->count = 0;
    selection->places = NULL;
    selection->scores = NULL;
    selection->verdicts = wn_arena_alloc(arena, count * sizeof *selection->verdicts);
    if (explain) {
        selection->places = wn_arena_alloc(arena, count * sizeof *selection->places);
        selection->scores = wn_arena_alloc(arena, count * sizeof *selection->scores);
    }
    if (arena->failed)
        return false;
    selection->count = count;
    for (uint32_t i = 0; i < count; i++) {
        selection->verdicts[i] = (wn_verdict){.reason = "not selected"};
        if (!explain)
            continue;
        selection->places[i] = NULL;
        selection->scores[i] = (wn_block_score){.chance = -1};
    }
    return true;
}

bool wn_selection_grow(wn_selection *selection, wn_arena *arena, uint32_t more)
{
    wn_selection grown = *selection;
    if (!wn_selection_start(&grown, arena, selection->count + more, selection->places != NULL))
        return false;
    size_t count = selection->count;
    memcpy(grown.verdicts, selection->verdicts, count * sizeof *grown.verdicts);
    if (grown.places) {
        memcpy(grown.places, selection->places, count * sizeof *grown.places);
        memcpy(grown.scores, selection->scores, count * sizeof *grown.scores);
    }
    *selection = grown;
    return true;
}

/* Gives a block all that another selection, or this one, says of one of its own. */
static void copy_block(wn_selection *selection, uint32_t to, const wn_selection *source,
                       uint32_t from)
{
    selection->verdicts[to] = source->verdicts[from];
    if (!selection->places)
        return;
    selection->places[to] = source->places[from];
    selection->scores[to] = source->scores[from];
}

void wn_selection_move(wn_selection *selection, uint32_t to, uint32_t from)
{
    assert(to < selection->count && from < selection->count);
    copy_block(selection, to, selection, from);
}

void wn_selection_set(wn_selection *selection, uint32_t block, wn_verdict verdict)
{
    assert(block < selection->count);
    selection->verdicts[block] = verdict;
    if (!selection->places)
        return;
    selection->places[block] = NULL;
    selection->scores[block] = (wn_block_score){.chance = -1};
}

void wn_selection_drop(wn_selection *selection, uint32_t block, const char *reason)
{
    assert(block < selection->count);
    wn_verdict *verdict = &selection->verdicts[block];
    *verdict = (wn_verdict){.reason = reason, .post = verdict->post};
}

bool wn_selection_keeps(const wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++)
        if (selection->verdicts[i].keep)
            return true;
    return false;
}

/*
 * The places inside blocks where the verdict changes, in the arena; their number in *count. NULL
 * if out of memory. Where it changes between two blocks nothing has to be cut.
 */
static uint32_t *find_cuts(const wn_selection *selection, const wn_page *page, wn_arena *arena,
                           uint32_t *count)
{
    const wn_verdict *verdicts = selection->verdicts;
    uint32_t changes = 0, block = 0;
    for (uint32_t i = 1; i < selection->count; i++)
        changes += verdicts[i].keep != verdicts[i - 1].keep;
    uint32_t *cuts = wn_arena_alloc(arena, (changes + 1) * sizeof *cuts);
    *count = 0;
    for (uint32_t i = 1; cuts && i < selection->count; i++) {
        if (verdicts[i].keep == verdicts[i - 1].keep)
            continue;
        uint32_t at = page->texts.items[i].start;
        while (block < page->blocks.count &&
               page->blocks.items[block].text + page->blocks.items[block].len <= at)
            block++;
        if (block < page->blocks.count && page->blocks.items[block].text < at)
            cuts[(*count)++] = at;
    }
    return cuts;
}

/*
 * Gives each block the verdict of its first text, or if it has none, as a video, of the text before
 * it; the blocks began at `starts`, or NULL: as now. False if out of memory.
 */
static bool judge_blocks(wn_selection *selection, const wn_page *page, const uint32_t *starts,
                         wn_arena *arena)
{
    wn_selection texts = *selection;
    if (!wn_selection_start(selection, arena, page->blocks.count, texts.places != NULL))
        return false;
    for (uint32_t i = 0, text = 0; i < page->blocks.count && texts.count > 0; i++) {
        uint32_t start = starts ? starts[i] : page->blocks.items[i].text;
        while (text + 1 < texts.count && page->texts.items[text + 1].start <= start)
            text++;
        copy_block(selection, i, &texts, text);
    }
    return true;
}

void wn_selection_cut(wn_selection *selection, wn_page_view *view, wn_arena *arena)
{
    uint32_t count, *starts = NULL;
    assert(selection->count == view->page.texts.count);
    uint32_t *cuts = find_cuts(selection, &view->page, arena, &count);
    if (cuts && count > 0 && wn_page_view_own(view))
        starts = wn_page_cut(&view->page, cuts, count, arena);
    bool failed = !cuts || (count > 0 && !starts) ||
                  !judge_blocks(selection, &view->page, starts, arena);
    if (failed)
        selection->count = 0;
    arena->failed |= failed;
}
