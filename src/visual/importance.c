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
 *     gp                      (T - L) + P * paragraphs + H * headings
 *              f(b) = ----------------------------------------------------
 *                     G * (T' - L') + T + A * L + N * links + C * controls
 *
 * The first term below weighs how much of the page's plain text a block must hold: without
 * it the densest paragraph would win, with a large one always the whole page.
 *
 * GPIsValid: a candidate has WORDS words at least. Pictures, and a bound for the share of links,
 * were tried and did not help.
 *
 * The constants were chosen by tools/tune_eifce.py on wcxb-dev, by cross-validation.
 */
#include "visual/importance.h"

#include <stdlib.h>

const char *const wn_importance_names[] = {"gp", "size-distance", NULL};

static const double G = 3, P = 10, H = 5, A = 8, N = 128, C = 750;
static const uint32_t WORDS = 100;

static bool gp_is_valid(const wn_gp *gp)
{
    return gp->words >= WORDS;
}

static double by_gp(const wn_gp *gp, const wn_gp *page)
{
    double plain = (double)gp->text_length - gp->link_text_length;
    double all_plain = (double)page->text_length - page->link_text_length;
    double informative = plain + P * gp->paragraphs + H * gp->headings;
    double other = G * all_plain + gp->text_length + A * gp->link_text_length + N * gp->links +
                   C * gp->controls;
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

void wn_visual_importance_rate(wn_block_tree *tree, wn_importance importance, wn_arena *arena)
{
    wn_vblock *blocks = tree->blocks.items;
    uint32_t count = tree->blocks.count - WN_PAGE_BLOCK;
    entry *order = wn_arena_alloc(arena, (count + 1) * sizeof *order);
    if (!order)
        return;
    for (uint32_t i = 0; i < count; i++) {
        wn_vblock *block = &blocks[WN_PAGE_BLOCK + i];
        block->candidate = gp_is_valid(&block->gp);
        block->importance = importance == WN_IMPORTANCE_GP
                                ? by_gp(&block->gp, &blocks[WN_PAGE_BLOCK].gp)
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
