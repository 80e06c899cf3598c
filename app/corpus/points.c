#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include "corpus/points.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What is needed only while the tree is made. */
typedef struct making {
    wn_point_tree *tree;
    const wn_points *points;
    uint32_t *order;          /* points, equal ones together; then places, as the tree wants them */
    const double **rows;      /* by place, in the order of their making */
    uint32_t *weights, *from; /* by place: members, and where they begin in `sorted` */
    uint32_t *sorted;         /* points, equal ones together */
    uint32_t seed;
} making;

/* ---- Equal points ------------------------------------------------------------------------ */

static const double *row_of(const wn_points *points, uint32_t point)
{
    return points->values + (size_t)point * points->dims;
}

static int compare_rows(const double *a, const double *b, uint32_t dims)
{
    for (uint32_t i = 0; i < dims; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int by_row(const void *left, const void *right, void *data)
{
    const wn_points *points = data;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = compare_rows(row_of(points, a), row_of(points, b), points->dims);
    return order ? order : (a > b) - (a < b);
}

/* Sorts the points and counts the different ones: the places. */
static void collapse(making *m)
{
    const wn_points *points = m->points;
    uint32_t places = 0;
    for (uint32_t i = 0; i < points->count; i++)
        m->sorted[i] = i;
    qsort_r(m->sorted, points->count, sizeof *m->sorted, by_row, (void *)points);
    for (uint32_t i = 0; i < points->count; i++) {
        const double *row = row_of(points, m->sorted[i]);
        if (places == 0 || compare_rows(m->rows[places - 1], row, points->dims) != 0) {
            m->rows[places] = row;
            m->from[places] = i;
            m->weights[places] = 0;
            places++;
        }
        m->weights[places - 1]++;
    }
    m->tree->places = places;
}

/* ---- Cutting ----------------------------------------------------------------------------- */

static double value_of(const making *m, uint32_t position, uint32_t dim)
{
    return m->rows[m->order[position]][dim];
}

static void swap_places(making *m, uint32_t a, uint32_t b)
{
    uint32_t kept = m->order[a];
    m->order[a] = m->order[b];
    m->order[b] = kept;
}

/* A number below `bound`: no input can foresee it, and every run has the same. */
static uint32_t pick(making *m, uint32_t bound)
{
    m->seed = m->seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)m->seed * bound >> 32);
}

/*
 * Puts the places of [first, end) in such an order that those before `middle` are not above
 * it in `dim`, and those after it not below (Hoare's quickselect; equal values are set aside
 * in one step, since there are many).
 */
static void part_at(making *m, uint32_t first, uint32_t end, uint32_t middle, uint32_t dim)
{
    while (end - first > 1) {
        double pivot = value_of(m, first + pick(m, end - first), dim);
        uint32_t low = first, at = first, high = end;
        while (at < high) {
            double value = value_of(m, at, dim);
            if (value < pivot)
                swap_places(m, at++, low++);
            else if (value > pivot)
                swap_places(m, at, --high);
            else
                at++;
        }
        if (middle < low)
            end = low;
        else if (middle >= high)
            first = high;
        else
            return;
    }
}

/* Sets the box and the weight of a node; returns the dimension in which it reaches farthest. */
static uint32_t measure(making *m, uint32_t number)
{
    wn_point_tree *tree = m->tree;
    wn_tree_node *node = &tree->nodes[number];
    uint32_t dims = tree->dims, widest = 0;
    double *low = tree->boxes + (size_t)number * 2 * dims, *high = low + dims;
    const double *row = m->rows[m->order[node->first]];
    memcpy(low, row, dims * sizeof *low);
    memcpy(high, row, dims * sizeof *high);
    node->weight = 0;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        row = m->rows[m->order[i]];
        for (uint32_t dim = 0; dim < dims; dim++) {
            low[dim] = row[dim] < low[dim] ? row[dim] : low[dim];
            high[dim] = row[dim] > high[dim] ? row[dim] : high[dim];
        }
        node->weight += m->weights[m->order[i]];
    }
    for (uint32_t dim = 1; dim < dims; dim++)
        if (high[dim] - low[dim] > high[widest] - low[widest])
            widest = dim;
    return widest;
}

static uint32_t add_node(wn_point_tree *tree, uint32_t parent, uint32_t first, uint32_t count)
{
    tree->nodes[tree->node_count] = (wn_tree_node){
        .first = first, .count = count, .left = WN_NO_TREE_NODE, .parent = parent};
    return tree->node_count++;
}

/* Nodes are cut in the order in which they were made: no stack is needed. */
static void cut_all(making *m)
{
    wn_point_tree *tree = m->tree;
    add_node(tree, WN_NO_TREE_NODE, 0, tree->places);
    for (uint32_t number = 0; number < tree->node_count; number++) {
        wn_tree_node *node = &tree->nodes[number];
        uint32_t widest = measure(m, number);
        if (node->count <= WN_LEAF_PLACES)
            continue;
        uint32_t half = node->count / 2, middle = node->first + half;
        part_at(m, node->first, node->first + node->count, middle, widest);
        assert(half >= WN_LEAF_PLACES / 2); /* reserve_tree() counts on it */
        node->left = add_node(tree, number, node->first, half);
        add_node(tree, number, middle, node->count - half);
    }
}

/* ---- The tree ---------------------------------------------------------------------------- */

/* Copies the places into the order of the leaves. */
static void lay_out(making *m)
{
    wn_point_tree *tree = m->tree;
    uint32_t members = 0;
    for (uint32_t i = 0; i < tree->places; i++) {
        uint32_t place = m->order[i];
        memcpy(tree->values + (size_t)i * tree->dims, m->rows[place],
               tree->dims * sizeof *tree->values);
        memcpy(tree->members + members, m->sorted + m->from[place],
               m->weights[place] * sizeof *tree->members);
        tree->first_member[i] = members;
        members += m->weights[place];
    }
    assert(members == m->points->count);
    tree->first_member[tree->places] = members;
}

static bool reserve_tree(wn_point_tree *tree, uint32_t points)
{
    size_t places = tree->places, dims = tree->dims;
    assert(places <= points);
    /* Halves have at least WN_LEAF_PLACES / 2 places, and a tree one node less than twice its
       leaves. */
    size_t nodes = places / (WN_LEAF_PLACES / 2) * 2 + 1;
    tree->values = malloc(places * dims * sizeof *tree->values);
    tree->first_member = malloc((places + 1) * sizeof *tree->first_member);
    tree->members = malloc(points * sizeof *tree->members);
    tree->nodes = malloc(nodes * sizeof *tree->nodes);
    tree->boxes = malloc(nodes * 2 * dims * sizeof *tree->boxes);
    return tree->values && tree->first_member && tree->members && tree->nodes && tree->boxes;
}

bool wn_corpus_point_tree_make(wn_point_tree *tree, const wn_points *points)
{
    uint32_t n = points->count;
    making m = {
        .tree = tree,
        .points = points,
        .rows = malloc(n * sizeof *m.rows),
        .sorted = malloc(n * sizeof *m.sorted),
        .weights = malloc(n * sizeof *m.weights),
        .from = malloc(n * sizeof *m.from),
        .order = malloc(n * sizeof *m.order),
        .seed = 1,
    };
    *tree = (wn_point_tree){.dims = points->dims};
    bool made = m.rows && m.sorted && m.weights && m.from && m.order;
    if (made) {
        collapse(&m);
        made = reserve_tree(tree, n);
    }
    if (made) {
        for (uint32_t i = 0; i < tree->places; i++)
            m.order[i] = i;
        cut_all(&m);
        lay_out(&m);
    } else {
        wn_corpus_point_tree_free(tree);
    }
    free(m.rows);
    free(m.sorted);
    free(m.weights);
    free(m.from);
    free(m.order);
    return made;
}

void wn_corpus_point_tree_free(wn_point_tree *tree)
{
    free(tree->values);
    free(tree->first_member);
    free(tree->members);
    free(tree->nodes);
    free(tree->boxes);
    *tree = (wn_point_tree){0};
}
