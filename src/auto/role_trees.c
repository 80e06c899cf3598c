/*
 * The forest holds as many trees for each role, one role after the other; the role with the highest
 * sum is chosen. Blocks are asked about in batches, as judge.c does it.
 */
#include "auto/role_trees.h"

#include <assert.h>

#include "auto/model.h"
#include "auto/role_data.h"

const uint8_t wn_auto_tree_roles[WN_TREE_ROLES] = {
    WINNOW_ROLE_TITLE,   WINNOW_ROLE_LEDE,      WINNOW_ROLE_CAPTION,
    WINNOW_ROLE_RELATED, WINNOW_ROLE_PROMOTION, WINNOW_ROLE_OTHER,
};

enum { ROW = (WN_ROLE_ROW + 7) / 8 * 8 }; /* rows are turned into columns eight numbers at a time */

typedef struct batch {
    int16_t rows[WN_BATCH][ROW];
    wn_auto_column columns[ROW];
    uint16_t leaves[WN_MOST_TREES];
    int32_t sums[WN_TREE_ROLES][WN_BATCH];
    uint32_t blocks[WN_BATCH];
    uint32_t count;
} batch;

static bool is_chosen_by_trees(int role)
{
    for (int i = 0; i < WN_TREE_ROLES - 1; i++)
        if (wn_auto_tree_roles[i] == role)
            return true;
    return false;
}

/* The role of a block for which the trees have chosen number `chosen`. */
static int corrected(const wn_page *page, uint32_t block, const wn_verdict *verdict, int chosen)
{
    if (chosen < WN_TREE_ROLES - 1)
        return wn_auto_tree_roles[chosen];
    if (!is_chosen_by_trees(verdict->role))
        return verdict->role;
    return verdict->keep ? wn_auto_role_of_kept(&page->blocks.items[block]) : WINNOW_ROLE_OTHER;
}

static int best_of(const batch *b, uint32_t lane)
{
    int best = 0;
    for (int i = 1; i < WN_TREE_ROLES; i++)
        if (b->sums[i][lane] > b->sums[best][lane])
            best = i;
    return best;
}

static void ask(const wn_auto_forest *forest, batch *b, const wn_page *page,
                wn_selection *selection)
{
    uint32_t each = forest->tree_count / WN_TREE_ROLES;
    assert(b->count > 0 && b->count <= WN_BATCH);
    wn_auto_forest_turn(b->rows[0], ROW, WN_ROLE_ROW, b->count, b->columns);
    memset(b->sums, 0, sizeof b->sums);
    for (uint32_t i = 0; i < WN_TREE_ROLES; i++)
        wn_auto_forest_add(forest, i * each, (i + 1) * each, b->leaves,
                           (const wn_auto_column *)b->columns, b->count, b->sums[i]);
    for (uint32_t lane = 0; lane < b->count; lane++) {
        wn_verdict *verdict = &selection->verdicts[b->blocks[lane]];
        verdict->role = (uint8_t)corrected(page, b->blocks[lane], verdict, best_of(b, lane));
    }
    b->count = 0;
}

/* Roles are given when all rows of a batch are written; rows look at the rules' roles alone. */
static void ask_all(const wn_auto_forest *forest, const wn_auto_role_rows *rows,
                    wn_selection *selection)
{
    batch own, *b = &own; /* not in an arena, which does not align it for vectors */
    const wn_page *page = rows->roles->features->page;
    bool is_first = true;
    b->count = 0;
    for (uint32_t i = 0; i < selection->count; i++) {
        if (wn_selection_role_is_comment(rows->selection->verdicts[i].role))
            continue;
        wn_auto_role_row(rows, i, b->rows[b->count]);
        if (is_first) /* any row tells what the forest makes of the page */
            wn_auto_forest_start(forest, b->rows[0], b->leaves);
        is_first = false;
        b->blocks[b->count++] = i;
        if (b->count == WN_BATCH)
            ask(forest, b, page, selection);
    }
    if (b->count > 0)
        ask(forest, b, page, selection);
}

void wn_auto_role_trees_correct(const wn_auto_roles *roles, int page_type, const uint16_t *chances,
                                const wn_auto_role_listener *listener, wn_arena *arena,
                                wn_selection *selection)
{
    wn_auto_forest forest = {0};
    wn_auto_role_rows rows;
    wn_selection by_rules = *selection;
    size_t size = selection->count * sizeof *selection->verdicts;
    by_rules.verdicts = wn_arena_alloc(arena, size);
    if (!by_rules.verdicts)
        return;
    memcpy(by_rules.verdicts, selection->verdicts, size);
    if (!wn_auto_role_rows_prepare(&rows, roles, page_type, chances, &by_rules, arena))
        return;
    if (listener)
        listener->hear(listener->user, &rows);
    if (wn_auto_forest_find(&forest, wn_auto_role_data, wn_auto_role_data_count) &&
        forest.tree_count > 0)
        ask_all(&forest, &rows, selection);
}
