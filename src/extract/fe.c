/*
 * fe and kfe: the block with most text, and the blocks with much of it.
 *
 * S. Debnath, P. Mitra, N. Pal, C. L. Giles: Automatic Identification of Informative Sections of
 * Web Pages, 2005, as baselines for eifce. Both choose among the leaves of the same block tree
 * (visual/evbe.h).
 *
 * The idea: features of a block are its text, links, pictures and form controls. The
 * probability that it is a block of text is
 *
 *     p(b) = plain(b) / plain(page)  *  plain(b) / (text(b) + control * controls(b) + picture *
 *     images(b))
 *
 * with plain = text outside links: how much of the page's text it holds, times how much of it is
 * text. FE takes the block with the greatest p. K-FE sorts the blocks by p, divides them
 * into k clusters by k-means, and takes those of the highest cluster.
 *
 * Where it fails: content in several blocks (fe), and where other things dominate the content.
 */
#include "extract/method.h"
#include "visual/analysis.h"

#include <stdlib.h>

enum { CONTROL, PICTURE, CLUSTERS };

enum { MOST_CLUSTERS = 10, MOST_ROUNDS = 100 };

#define FEATURE_PARAMS                                                                             \
    [CONTROL] = WN_NUMBER("control", "characters that a form control counts as", 20, 0, 1000000),  \
    [PICTURE] = WN_NUMBER("picture", "characters that an image counts as", 20, 0, 1000000)

const wn_param *const wn_fe_params[] = {FEATURE_PARAMS, NULL};

const wn_param *const wn_kfe_params[] = {
    FEATURE_PARAMS,
    [CLUSTERS] = WN_WHOLE("k", "clusters of blocks, of which the highest is kept", 3, 2, 10),
    NULL,
};
_Static_assert(MOST_CLUSTERS == 10, "the parameter k says so");

typedef struct scored {
    wn_vblock_id block;
    double p;
} scored;

static double probability(const wn_gp *gp, const wn_gp *page, const wn_request *request)
{
    double plain = (double)gp->text_length - gp->link_text_length;
    double all = (double)page->text_length - page->link_text_length;
    double features = gp->text_length + request->values[CONTROL] * gp->controls +
                      request->values[PICTURE] * gp->images;
    return all > 0 && features > 0 ? plain / all * plain / features : 0;
}

static int by_probability(const void *a, const void *b)
{
    const scored *x = a, *y = b;
    if (x->p != y->p)
        return x->p > y->p ? -1 : 1;
    return x->block < y->block ? -1 : 1;
}

/* The leaves that have text, the best first; in the arena. */
static scored *sort_leaves(const wn_block_tree *tree, const wn_request *request, uint32_t *count,
                           wn_arena *arena)
{
    scored *leaves = wn_arena_alloc(arena, tree->blocks.count * sizeof *leaves);
    *count = 0;
    for (wn_vblock_id id = WN_PAGE_BLOCK; leaves && id < tree->blocks.count; id++) {
        const wn_vblock *block = &tree->blocks.items[id];
        double p = probability(&block->gp, &tree->blocks.items[WN_PAGE_BLOCK].gp, request);
        if (wn_visual_vblock_is_leaf(block) && p > 0)
            leaves[(*count)++] = (scored){id, p};
    }
    if (*count > 0)
        qsort(leaves, *count, sizeof *leaves, by_probability);
    return leaves;
}

/*
 * How many of the sorted leaves are in the highest of k clusters. In one dimension clusters are
 * runs, so a round is one pass: each leaf joins the nearest mean, then the means are recomputed.
 */
static uint32_t highest_cluster(const scored *leaves, uint32_t count, uint32_t k)
{
    double means[MOST_CLUSTERS];
    uint32_t highest = 0;
    for (uint32_t i = 0; i < k; i++) /* evenly between the greatest and the smallest */
        means[i] = leaves[0].p + (leaves[count - 1].p - leaves[0].p) * i / (k - 1);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double sums[MOST_CLUSTERS] = {0};
        uint32_t sizes[MOST_CLUSTERS] = {0}, cluster = 0;
        for (uint32_t i = 0; i < count; i++) {
            while (cluster + 1 < k && leaves[i].p < (means[cluster] + means[cluster + 1]) / 2)
                cluster++;
            sums[cluster] += leaves[i].p;
            sizes[cluster]++;
        }
        for (uint32_t i = 0; i < k; i++)
            means[i] = sizes[i] ? sums[i] / sizes[i] : means[i];
        if (sizes[0] == highest)
            break;
        highest = sizes[0];
    }
    return highest;
}

static void select_leaves(const wn_page *page, const wn_request *request, uint32_t k,
                          wn_arena *arena, wn_selection *selection)
{
    wn_visual_analysis analysis;
    if (wn_visual_analysis_open(&analysis, page, &wn_evbe_defaults, 0, arena)) {
        uint32_t count;
        scored *leaves = sort_leaves(&analysis.tree, request, &count, arena);
        uint32_t kept = !leaves || count == 0 ? 0 : k < 2 ? 1 : highest_cluster(leaves, count, k);
        for (uint32_t i = 0; i < count; i++) {
            wn_vblock *block = &analysis.tree.blocks.items[leaves[i].block];
            block->importance = leaves[i].p;
            block->rank = i + 1;
            block->chosen = i < kept;
        }
        wn_visual_analysis_select(&analysis, request->explain, arena, selection);
    }
    wn_visual_analysis_close(&analysis);
}

void wn_extract_select_fe(const wn_page *page, const wn_request *request, wn_arena *arena,
                          wn_selection *selection)
{
    select_leaves(page, request, 1, arena, selection);
}

void wn_extract_select_kfe(const wn_page *page, const wn_request *request, wn_arena *arena,
                           wn_selection *selection)
{
    select_leaves(page, request, (uint32_t)request->values[CLUSTERS], arena, selection);
}
