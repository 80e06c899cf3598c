/*
 * The importance value.
 *
 * Equation 1 of the paper divides what speaks for a block by what speaks against it:
 *
 *     size-distance     f(b) = area of b / distance of its centre from the centre of the screen
 *
 * and the paper then wants "both upper and lower part of the function replaced with the
 * reasonable General Parameters". Ours, with T the text length, L the link text length, and T', L'
 * those of the whole page:
 *
 *     gp                      (T - L) + paragraph * paragraphs + heading * headings
 *              f(b) = -------------------------------------------------------------------------
 *                     page_text * (T' - L') + T + link_text * L + link * links + control * controls
 *
 * The first term below weighs how much of the page's plain text a block must hold: without
 * it the densest paragraph would win, with a large one always the whole page.
 *
 * GPIsValid: a candidate has at least a number of words. Pictures, and a bound for the share of
 * links, were tried and did not help.
 */
#include "visual/importance.h"

#include <stdlib.h>

const char *const wn_importance_names[] = {"gp", "size-distance", NULL};

const wn_importance_weights wn_importance_defaults = {
    .words = 100,
    .page_text = 3,
    .paragraph = 10,
    .heading = 5,
    .link_text = 8,
    .link = 128,
    .control = 750,
};

static bool gp_is_valid(const wn_gp *gp, const wn_importance_weights *w)
{
    return gp->words >= w->words;
}

static double by_gp(const wn_gp *gp, const wn_gp *page, const wn_importance_weights *w)
{
    double plain = (double)gp->text_length - gp->link_text_length;
    double all_plain = (double)page->text_length - page->link_text_length;
    double informative = plain + w->paragraph * gp->paragraphs + w->heading * gp->headings;
    double other = w->page_text * all_plain + gp->text_length +
                   w->link_text * gp->link_text_length + w->link * gp->links +
                   w->control * gp->controls;
    return other > 0 ? informative / other : 0;
}

static double by_size_and_distance(const wn_gp *gp)
{
    return gp->area / (gp->distance > 1 ? gp->distance : 1);
}

/* ---- Ranks ------------------------------------------------------------------------------- */

typedef struct entry {
    wn_vblock_id id;
    bool candidate;
    double importance;
} entry;

/* Candidates first, then by importance; of equal ones the outer first. */
static int by_importance(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->candidate != y->candidate)
        return x->candidate ? -1 : 1;
    if (x->importance != y->importance)
        return x->importance > y->importance ? -1 : 1;
    return x->id < y->id ? -1 : 1;
}

void wn_visual_importance_rate(wn_block_tree *tree, wn_importance importance,
                               const wn_importance_weights *weights, wn_arena *arena)
{
    wn_vblock *blocks = tree->blocks.items;
    uint32_t count = tree->blocks.count - WN_PAGE_BLOCK;
    entry *order = wn_arena_alloc(arena, (count + 1) * sizeof *order);
    if (!order)
        return;
    for (uint32_t i = 0; i < count; i++) {
        wn_vblock *block = &blocks[WN_PAGE_BLOCK + i];
        block->candidate = gp_is_valid(&block->gp, weights);
        block->importance = importance == WN_IMPORTANCE_GP
                                ? by_gp(&block->gp, &blocks[WN_PAGE_BLOCK].gp, weights)
                                : by_size_and_distance(&block->gp);
        order[i] = (entry){WN_PAGE_BLOCK + i, block->candidate, block->importance};
    }
    qsort(order, count, sizeof *order, by_importance);
    for (uint32_t i = 0; i < count; i++)
        blocks[order[i].id].rank = i + 1;
}

/* ---- The choice -------------------------------------------------------------------------- */

/* Whether a block is in a chosen one, or holds one; `holds` has those that do. */
static bool overlaps(const wn_block_tree *tree, const bool *holds, wn_vblock_id id)
{
    bool found = holds[id];
    for (; id && !found; id = tree->blocks.items[id].parent)
        found = tree->blocks.items[id].chosen;
    return found;
}

static void choose(wn_block_tree *tree, bool *holds, wn_vblock_id id)
{
    tree->blocks.items[id].chosen = true;
    for (; id && !holds[id]; id = tree->blocks.items[id].parent)
        holds[id] = true;
}

uint32_t wn_visual_importance_choose(wn_block_tree *tree, uint32_t wanted, wn_arena *arena)
{
    wn_vblock *blocks = tree->blocks.items;
    uint32_t count = tree->blocks.count - WN_PAGE_BLOCK, chosen = 0;
    wn_vblock_id *by_rank = wn_arena_alloc(arena, (count + 1) * sizeof *by_rank);
    bool *holds = wn_arena_alloc(arena, tree->blocks.count * sizeof *holds);
    if (!by_rank || !holds)
        return 0;
    memset(holds, 0, tree->blocks.count * sizeof *holds);
    for (wn_vblock_id id = WN_PAGE_BLOCK; id < tree->blocks.count; id++)
        by_rank[blocks[id].rank - 1] = id;
    for (uint32_t i = 0; i < count && chosen < wanted; i++) {
        const wn_vblock *block = &blocks[by_rank[i]];
        if ((i > 0 && !block->candidate) || block->gp.words == 0)
            break;
        if (overlaps(tree, holds, by_rank[i]))
            continue;
        choose(tree, holds, by_rank[i]);
        chosen++;
    }
    return chosen;
}
