#include "auto/trimmed_page.h"

#include <assert.h>

static bool is_edge(const wn_block *block)
{
    return block->flags & WN_BLOCK_EDGE;
}

/* Words of a text that is more than a label or a list of links. */
static uint32_t text_words(const wn_block *block)
{
    enum { FEWEST = 12, MOST_LINKED = 3 }; /* a third */
    return block->words >= FEWEST && block->link_bytes < block->len / MOST_LINKED ? block->words
                                                                                  : 0;
}

/* Whether hardly any text is anywhere else than at the edges: then those do not count as edges. */
static bool is_inside_out(const wn_page *page)
{
    enum { HARDLY_ANY = 50, TIMES = 4 };
    uint64_t words[2] = {0}; /* inside, at the edges */
    for (uint32_t i = 0; i < page->blocks.count; i++) {
        const wn_block *block = &page->blocks.items[i];
        words[is_edge(block)] += text_words(block);
    }
    return words[0] < HARDLY_ANY && words[1] > (HARDLY_ANY + words[0]) * TIMES;
}

bool wn_auto_trim_page(wn_auto_trimmed_page *trimmed, const wn_page *page, wn_arena *arena)
{
    uint32_t count = page->blocks.count, kept = 0;
    wn_block *blocks = wn_arena_alloc(arena, (count + 1) * sizeof *blocks);
    *trimmed = (wn_auto_trimmed_page){
        .page = *page,
        .origins = wn_arena_alloc(arena, (count + 1) * sizeof *trimmed->origins),
    };
    if (!blocks || !trimmed->origins)
        return false;
    bool all = is_inside_out(page);
    for (uint32_t i = 0; i < count; i++) {
        const wn_block *block = &page->blocks.items[i];
        if (!all && is_edge(block)) {
            trimmed->words_beside += block->words;
            continue;
        }
        blocks[kept] = *block;
        trimmed->origins[kept++] = i;
    }
    assert(kept <= count);
    trimmed->page.blocks.items = blocks;
    trimmed->page.blocks.count = kept;
    return true;
}
