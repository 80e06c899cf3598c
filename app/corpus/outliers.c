#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include "corpus/outliers.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_THREADS = 64,
    LEAVES_AT_ONCE = 16,
    MOST_DEPTH = 64, /* of the tree: one of halves over 2^32 places has 32 levels */
};

/* ---- The best so far --------------------------------------------------------------------- */

/* What the threads share. */
typedef struct hunt {
    wn_point_tree tree;
    uint32_t n, k;
    uint32_t *leaves; /* nodes, the sparse ones first */
    double *reach;    /* by node: the square of the diagonal of the smallest box with more than k
                         points that it is in */
    uint32_t leaf_count;
    atomic_uint next; /* leaf to be looked at */

    pthread_mutex_t lock;
    wn_outlier *best; /* a heap with the last of them on top; distances are squares */
    uint32_t best_count;
    _Atomic double bar; /* the square of the n-th best distance; below it nothing counts */
    atomic_bool failed;
} hunt;

/* Whether a comes after b in the result. */
static bool is_behind(wn_outlier a, wn_outlier b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.point > b.point;
}

static void sift_down(wn_outlier *heap, uint32_t count, uint32_t at)
{
    wn_outlier moved = heap[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_behind(heap[child + 1], heap[child]))
            child++;
        if (!is_behind(heap[child], moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

static void sift_up(wn_outlier *heap, uint32_t at)
{
    wn_outlier moved = heap[at];
    for (uint32_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (!is_behind(moved, heap[parent]))
            break;
        heap[at] = heap[parent];
    }
    heap[at] = moved;
}

/* Offers one point; false if it and all after it are not good enough. */
static bool offer(hunt *h, wn_outlier candidate)
{
    if (h->best_count < h->n) {
        h->best[h->best_count] = candidate;
        sift_up(h->best, h->best_count++);
    } else if (is_behind(h->best[0], candidate)) {
        h->best[0] = candidate;
        sift_down(h->best, h->n, 0);
    } else {
        return false;
    }
    if (h->best_count == h->n)
        atomic_store(&h->bar, h->best[0].distance);
    return true;
}

/* All points of a place are equally far away. */
static void offer_place(hunt *h, uint32_t place, double distance2)
{
    const wn_point_tree *tree = &h->tree;
    pthread_mutex_lock(&h->lock);
    for (uint32_t i = tree->first_member[place]; i < tree->first_member[place + 1]; i++)
        if (!offer(h, (wn_outlier){tree->members[i], distance2}))
            break;
    pthread_mutex_unlock(&h->lock);
}

/* ---- The nearest neighbours of one place ------------------------------------------------- */

typedef struct near {
    double distance2;
    uint32_t weight;
} near;

/*
 * The nearest so far: a heap with the farthest on top, of at least k points if there are so many.
 */
typedef struct neighbours {
    near *heap;
    uint32_t count;
    uint64_t weight;
    uint32_t *stack; /* nodes to be looked at */
} neighbours;

static void drop_farthest(neighbours *found)
{
    found->weight -= found->heap[0].weight;
    near moved = found->heap[--found->count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < found->count; at = child) {
        if (child + 1 < found->count &&
            found->heap[child + 1].distance2 > found->heap[child].distance2)
            child++;
        if (found->heap[child].distance2 <= moved.distance2)
            break;
        found->heap[at] = found->heap[child];
    }
    found->heap[at] = moved;
}

static void add_neighbour(neighbours *found, near new, uint32_t k)
{
    uint32_t at = found->count++;
    assert(at <= k); /* there is room for k + 2 */
    for (uint32_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (found->heap[parent].distance2 >= new.distance2)
            break;
        found->heap[at] = found->heap[parent];
    }
    found->heap[at] = new;
    found->weight += new.weight;
    while (found->weight - found->heap[0].weight >= k)
        drop_farthest(found);
}

static double distance2_to_box(const hunt *h, uint32_t node, const double *row)
{
    uint32_t dims = h->tree.dims;
    const double *low = h->tree.boxes + (size_t)node * 2 * dims, *high = low + dims;
    double sum = 0;
    for (uint32_t i = 0; i < dims; i++) {
        double outside = row[i] < low[i]    ? low[i] - row[i]
                         : row[i] > high[i] ? row[i] - high[i]
                                            : 0;
        sum += outside * outside;
    }
    return sum;
}

/* Whether nothing at this distance can come nearer than what is known. */
static bool is_too_far(const neighbours *found, uint32_t k, double distance2)
{
    return found->weight >= k && distance2 >= found->heap[0].distance2;
}

static void look_into_leaf(const hunt *h, const wn_tree_node *leaf, uint32_t place,
                           neighbours *found)
{
    const wn_point_tree *tree = &h->tree;
    const double *row = wn_corpus_place_values(tree, place);
    for (uint32_t other = leaf->first; other < leaf->first + leaf->count; other++) {
        uint32_t weight = wn_corpus_place_weight(tree, other) - (other == place);
        double distance2 = wn_corpus_distance2(row, wn_corpus_place_values(tree, other),
                                               tree->dims);
        if (weight > 0 && !is_too_far(found, h->k, distance2))
            add_neighbour(found, (near){distance2, weight}, h->k);
    }
}

/*
 * The square of the distance of a place to its k-th neighbour; negative as soon as it is
 * known to be below the bar. The nearer child is looked at first.
 */
static double find_distance2(hunt *h, uint32_t place, neighbours *found)
{
    const double *row = wn_corpus_place_values(&h->tree, place);
    uint32_t depth = 0;
    found->count = 0;
    found->weight = 0;
    found->stack[depth++] = 0;
    while (depth > 0) {
        uint32_t number = found->stack[--depth];
        const wn_tree_node *node = &h->tree.nodes[number];
        if (is_too_far(found, h->k, distance2_to_box(h, number, row)))
            continue;
        if (node->left == WN_NO_TREE_NODE) {
            look_into_leaf(h, node, place, found);
            if (found->weight >= h->k && found->heap[0].distance2 < atomic_load(&h->bar))
                return -1;
            continue;
        }
        bool left_first = distance2_to_box(h, node->left, row) <=
                          distance2_to_box(h, node->left + 1, row);
        assert(depth + 2 <= MOST_DEPTH);
        found->stack[depth++] = node->left + left_first;
        found->stack[depth++] = node->left + !left_first;
    }
    return found->count > 0 ? found->heap[0].distance2 : 0;
}

/* ---- The hunt ---------------------------------------------------------------------------- */

static void look_at_leaf(hunt *h, uint32_t number, neighbours *found)
{
    const wn_tree_node *leaf = &h->tree.nodes[number];
    if (h->reach[number] < atomic_load(&h->bar))
        return;
    for (uint32_t place = leaf->first; place < leaf->first + leaf->count; place++) {
        double distance2 = find_distance2(h, place, found);
        if (distance2 >= atomic_load(&h->bar))
            offer_place(h, place, distance2);
    }
}

static void *look_at_leaves(void *data)
{
    hunt *h = data;
    uint32_t stack[MOST_DEPTH];
    /* The heap has fewer than k points in addition to the farthest, and one is added. */
    neighbours found = {.heap = malloc(((size_t)h->k + 2) * sizeof(near)), .stack = stack};
    if (!found.heap) {
        atomic_store(&h->failed, true);
        return NULL;
    }
    uint32_t first;
    while ((first = atomic_fetch_add(&h->next, LEAVES_AT_ONCE)) < h->leaf_count)
        for (uint32_t i = first; i < first + LEAVES_AT_ONCE && i < h->leaf_count; i++)
            look_at_leaf(h, h->leaves[i], &found);
    free(found.heap);
    return NULL;
}

static double diagonal2(const hunt *h, uint32_t node)
{
    const double *low = h->tree.boxes + (size_t)node * 2 * h->tree.dims;
    return wn_corpus_distance2(low, low + h->tree.dims, h->tree.dims);
}

static int by_reach(const void *left, const void *right, void *data)
{
    const double *reach = data;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (reach[a] != reach[b])
        return reach[a] > reach[b] ? -1 : 1;
    return (a > b) - (a < b);
}

/* Parents come before their children, so what is true of a parent is known. */
static void order_leaves(hunt *h)
{
    for (uint32_t i = 0; i < h->tree.node_count; i++) {
        const wn_tree_node *node = &h->tree.nodes[i];
        bool has_enough = node->weight > h->k || node->parent == WN_NO_TREE_NODE;
        h->reach[i] = has_enough ? diagonal2(h, i) : h->reach[node->parent];
        if (node->left == WN_NO_TREE_NODE)
            h->leaves[h->leaf_count++] = i;
    }
    qsort_r(h->leaves, h->leaf_count, sizeof *h->leaves, by_reach, h->reach);
}

static void run_threads(hunt *h, uint32_t threads)
{
    pthread_t ids[MOST_THREADS];
    uint32_t started = 0;
    while (started + 1 < threads && started < MOST_THREADS &&
           pthread_create(&ids[started], NULL, look_at_leaves, h) == 0)
        started++;
    look_at_leaves(h);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
}

static int by_result(const void *left, const void *right)
{
    const wn_outlier *a = left, *b = right;
    return is_behind(*a, *b) ? 1 : -1;
}

static bool start_hunt(hunt *h, const wn_outlier_search *search)
{
    if (!wn_corpus_point_tree_make(&h->tree, &search->points))
        return false;
    h->leaves = malloc(h->tree.node_count * sizeof *h->leaves);
    h->reach = malloc(h->tree.node_count * sizeof *h->reach);
    return h->leaves && h->reach && pthread_mutex_init(&h->lock, NULL) == 0;
}

uint32_t wn_corpus_outliers_find(const wn_outlier_search *search, wn_outlier *found)
{
    uint32_t count = search->points.count;
    if (count == 0)
        return 0;
    uint32_t others = count > 1 ? count - 1 : 1;
    hunt h = {
        .n = search->n < count ? search->n : count,
        .k = search->k < others ? search->k : others,
        .best = found,
        .bar = -1,
    };
    bool started = start_hunt(&h, search);
    if (started) {
        order_leaves(&h);
        run_threads(&h, search->threads);
        pthread_mutex_destroy(&h.lock);
        qsort(found, h.best_count, sizeof *found, by_result);
        for (uint32_t i = 0; i < h.best_count; i++)
            found[i].distance = sqrt(found[i].distance);
    }
    free(h.leaves);
    free(h.reach);
    wn_corpus_point_tree_free(&h.tree);
    return started && !h.failed ? h.best_count : WN_OUTLIERS_FAILED;
}
