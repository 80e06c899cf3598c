/*
 * Points in a space of few dimensions, and a tree over them.
 *
 * The points of a word list are mostly small whole numbers, and half of all words occur once: many
 * points are the same. First, equal points are merged into one place with a weight:
 *
 *     point   0 1 2 3 4 5           place     0      1      2
 *     value   3 1 7 1 1 3           value     1      3      7
 *                                   weight    3      2      1
 *                                   members   1 3 4  0 5    2
 *
 * The tree (Bentley's k-d tree) cuts the places in the middle of the dimension in which they reach
 * farthest, until a leaf holds a few. A node has the bounding box of its places and the number of
 * points they represent. Places are kept in the order of the leaves, so that a node is a range of
 * them.
 */
#ifndef WN_CORPUS_POINTS_H
#define WN_CORPUS_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wn_points {
    const double *values; /* count x dims; finite */
    uint32_t count;
    uint32_t dims;
} wn_points;

enum {
    WN_NO_TREE_NODE = UINT32_MAX,
    WN_LEAF_PLACES = 16, /* by measurement: 8 to 32 are equally fast */
};

typedef struct wn_tree_node {
    uint32_t first, count; /* of its places */
    uint32_t left;         /* the right child comes after it; WN_NO_TREE_NODE: a leaf */
    uint32_t parent;       /* WN_NO_TREE_NODE: the root */
    uint64_t weight;       /* of its places, in points */
} wn_tree_node;

typedef struct wn_point_tree {
    uint32_t dims;
    uint32_t places;
    double *values;         /* places x dims */
    uint32_t *first_member; /* by place, and after the last: in `members` */
    uint32_t *members;      /* the points of each place, in order */
    wn_tree_node *nodes;
    uint32_t node_count;
    double *boxes; /* nodes x 2 x dims: lowest, highest */
} wn_point_tree;

/* Makes the tree; false if out of memory. There is at least one point. */
bool wn_corpus_point_tree_make(wn_point_tree *tree, const wn_points *points);
void wn_corpus_point_tree_free(wn_point_tree *tree);

static inline uint32_t wn_corpus_place_weight(const wn_point_tree *tree, uint32_t place)
{
    return tree->first_member[place + 1] - tree->first_member[place];
}

static inline const double *wn_corpus_place_values(const wn_point_tree *tree, uint32_t place)
{
    return tree->values + (size_t)place * tree->dims;
}

/* The square of the distance; the dimensions are added in order. */
static inline double wn_corpus_distance2(const double *a, const double *b, uint32_t dims)
{
    double sum = 0;
    for (uint32_t i = 0; i < dims; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

#endif
