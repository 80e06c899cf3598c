#include "eval/teds.h"

void wn_eval_teds_free(wn_teds *teds)
{
    wn_eval_edit_free(&teds->edit);
    wn_array_free(&teds->chars);
    wn_array_free(&teds->cells);
    wn_array_free(&teds->roots);
    wn_array_free(&teds->trees);
    wn_array_free(&teds->forests);
}

/* One of the two trees. */
typedef struct tree {
    const wn_structure_node *nodes;
    uint32_t count;
    uint32_t cells; /* its first one in teds->cells */
    uint32_t first_root, root_count;
} tree;

/* ---- Setting up -------------------------------------------------------------------------- */

static bool push(wn_teds *teds, uint32_t value, bool is_root)
{
    uint32_t *slot = is_root ? wn_array_push(&teds->roots) : wn_array_push(&teds->cells);
    teds->failed |= !slot;
    if (slot)
        *slot = value;
    return slot != NULL;
}

/*
 * Reads the cells of a structure and finds its key roots: of nodes with the same first leaf, the
 * last.
 */
static tree add_tree(wn_teds *teds, const wn_structure *s)
{
    tree t = {.nodes = s->nodes.items,
              .count = s->nodes.count,
              .cells = teds->cells.count,
              .first_root = teds->roots.count};
    for (uint32_t i = 0; i < t.count; i++) {
        const wn_structure_node *node = &t.nodes[i];
        push(teds, teds->chars.count, false);
        if (node->kind == WN_STRUCTURE_CELL)
            wn_eval_edit_add_chars(&teds->edit, &teds->chars,
                                   wn_str_from(s->cells.ptr + node->text, node->len),
                                   WN_STRUCTURE_MOST_CELL);
    }
    push(teds, teds->chars.count, false);
    bool *seen = calloc(t.count + 1, sizeof *seen);
    teds->failed |= !seen;
    for (uint32_t i = t.count; seen && i-- > 0;) {
        if (!seen[t.nodes[i].first])
            push(teds, i, true);
        seen[t.nodes[i].first] = true;
    }
    free(seen);
    t.root_count = teds->roots.count - t.first_root;
    return t;
}

/* ---- Nodes ------------------------------------------------------------------------------- */

/* What it costs to make node `i` of one tree of node `j` of the other. */
static double replacement(wn_teds *teds, const tree *a, uint32_t i, const tree *b, uint32_t j)
{
    const wn_structure_node *x = &a->nodes[i], *y = &b->nodes[j];
    if (x->kind != y->kind)
        return 1;
    if (x->kind != WN_STRUCTURE_CELL)
        return 0;
    if (x->rows != y->rows || x->cols != y->cols)
        return 1;
    const uint32_t *starts = teds->cells.items, *chars = teds->chars.items;
    uint32_t x_start = starts[a->cells + i], x_count = starts[a->cells + i + 1] - x_start;
    uint32_t y_start = starts[b->cells + j], y_count = starts[b->cells + j + 1] - y_start;
    uint32_t longer = x_count > y_count ? x_count : y_count;
    if (longer == 0)
        return 0;
    return (double)wn_eval_edit_distance(&teds->edit, chars + x_start, x_count, chars + y_start,
                                         y_count) /
           longer;
}

static double least(double a, double b, double c)
{
    double ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* ---- Trees ------------------------------------------------------------------------------- */

/*
 * The distances of the trees below nodes `i` and `j`, and of all that end in them and share their
 * first leaves, from those of smaller ones. forests[x][y]: of the first x nodes from the first leaf
 * of `i` on, and the first y of `j`.
 */
static void compare_trees(wn_teds *teds, const tree *a, uint32_t i, const tree *b, uint32_t j)
{
    uint32_t first_a = a->nodes[i].first, first_b = b->nodes[j].first;
    uint32_t height = i - first_a + 1, width = j - first_b + 1, row = b->count + 1;
    double *forests = teds->forests.items, *trees = teds->trees.items;
    for (uint32_t x = 0; x <= height; x++)
        forests[(size_t)x * row] = x;
    for (uint32_t y = 0; y <= width; y++)
        forests[y] = y;
    for (uint32_t x = 1; x <= height; x++) {
        uint32_t below_a = a->nodes[first_a + x - 1].first;
        double *above = forests + (size_t)(x - 1) * row, *here = above + row;
        for (uint32_t y = 1; y <= width; y++) {
            uint32_t below_b = b->nodes[first_b + y - 1].first;
            double *both = &trees[(size_t)(first_a + x - 1) * row + first_b + y - 1];
            bool whole = below_a == first_a && below_b == first_b;
            double kept =
                whole ? above[y - 1] + replacement(teds, a, first_a + x - 1, b, first_b + y - 1)
                      : forests[(size_t)(below_a - first_a) * row + below_b - first_b] + *both;
            here[y] = least(above[y] + 1, here[y - 1] + 1, kept);
            if (whole)
                *both = here[y];
        }
    }
}

double wn_eval_teds(wn_teds *teds, const wn_structure *a, const wn_structure *b)
{
    uint32_t larger = a->nodes.count > b->nodes.count ? a->nodes.count : b->nodes.count;
    if (a->nodes.count == 0 || b->nodes.count == 0)
        return larger == 0;
    teds->chars.count = teds->cells.count = teds->roots.count = 0;
    wn_map64_clear(&teds->edit.alphabet);
    tree x = add_tree(teds, a), y = add_tree(teds, b);
    uint32_t size = (x.count + 1) * (y.count + 1);
    if (teds->failed || !wn_array_reserve(&teds->trees, size) ||
        !wn_array_reserve(&teds->forests, size)) {
        teds->failed = true;
        return 0;
    }
    /* Key roots are from the last to the first; what is inside others must be known before. */
    for (uint32_t i = x.root_count; i-- > 0;)
        for (uint32_t j = y.root_count; j-- > 0;)
            compare_trees(teds, &x, teds->roots.items[x.first_root + i], &y,
                          teds->roots.items[y.first_root + j]);
    teds->failed |= teds->edit.failed;
    return 1 - teds->trees.items[(size_t)(x.count - 1) * (y.count + 1) + y.count - 1] / larger;
}
