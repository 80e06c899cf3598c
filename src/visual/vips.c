/*
 * VIPS: visual blocks, separators between them, and a degree of coherence (DoC) for each.
 *
 * A block is a set of pieces; a piece is a node, or a run of inline siblings. From the page as one
 * piece, until every block has DoC >= PDoC:
 *
 *  1. Visual block extraction. A block of one piece is divided into the pieces that the report's
 *     rules find below its node (is_dividable()). What cannot be divided is a leaf.
 *  2. Separators. The gaps that cut straight through all pieces of the block, level ones or upright
 *     ones, whichever are heavier. Their weight, 1 to 9, grows with the gap, with a line in it,
 *     with different backgrounds and fonts on its sides, and is smaller between pieces that are
 *     alike.
 *  3. Content structure. The DoC of a block is 10 less its heaviest separator. If that is below
 *     PDoC, the heaviest separators cut it into smaller blocks, its children.
 *
 * The report merges blocks over light separators from below, here heavy ones cut from above; both
 * give the same flat segmentation. Blocks wait in a queue; nothing calls itself.
 */
#include "visual/vips.h"

#include <stdlib.h>

enum {
    MOST_LEVELS =
        64, /* of blocks in blocks: pieces that interlock could make as many as there are */

    /* Weights of separators. */
    LIGHTEST = 1,
    HEAVIEST = 9,
    OF_RULE = 3,       /* a line lies in the gap */
    OF_BACKGROUND = 4, /* the sides have different backgrounds */
    OF_FONT = 1,       /* the sides have different font sizes */
    OF_LIKENESS = 1,   /* is taken off: the sides are alike */
};

static const float GAPS[] = {5, 10, 20, 40};                 /* pixels; each adds 1 */
static const float SIZES[] = {0.02f, 0.1f, 0.25f};           /* of the page; DoC 8, 7, 6, else 5 */
static const float SMALL = 0.1f, SMALL_WITH_TEXT = 0.25f;    /* of the node that is divided */
static const unsigned COHERENT = 10, COHERENT_BUT_FONTS = 9; /* DoC of text alone */

/* ---- Types ------------------------------------------------------------------------------- */

typedef struct piece {
    wn_node_id first, last; /* siblings */
    wn_rect box;
    uint8_t doc;
    bool whole; /* it cannot be divided */
} piece;

/* A block that waits: pieces [start, end) of the list. */
typedef struct waiting {
    wn_vblock_id block;
    uint32_t start, end, level;
} waiting;

typedef struct vips {
    wn_block_tree *tree;
    const wn_kinds *kinds;
    const wn_node *nodes;
    unsigned pdoc;
    float page_area;
    uint32_t *depth; /* by node */
    wn_array(piece) pieces;
    wn_array(waiting) queue;
    wn_array(uint8_t) weights; /* between the pieces of the block at hand; 0: no separator */
    bool failed;
} vips;

static bool has(const vips *v, wn_node_id node, unsigned kind)
{
    return wn_visual_kind_is(v->kinds, node, kind);
}

static const wn_style *style_of(const vips *v, wn_node_id node)
{
    return wn_visual_view_style(v->kinds->view, node);
}

static wn_rect box_of(const vips *v, wn_node_id node)
{
    return wn_visual_view_box(v->kinds->view, node);
}

/* ---- 1. Visual block extraction ---------------------------------------------------------- */

static bool is_text(const vips *v, wn_node_id node)
{
    return v->kinds->of[node] & (WN_NODE_IS_TEXT | WN_NODE_VIRTUAL_TEXT);
}

/* What the children of a node are. */
typedef struct children {
    uint32_t count, texts;
    bool same_font, rule;
} children;

static children look_at_children(const vips *v, wn_node_id node)
{
    children c = {.same_font = true};
    for (wn_node_id id = wn_visual_valid_child(v->kinds, node); id;
         id = wn_visual_valid_next(v->kinds, id)) {
        c.count++;
        c.texts += is_text(v, id);
        c.rule |= wn_node_is(&v->nodes[id], WN_TAG_HR);
        c.same_font &= style_of(v, id)->font_size == style_of(v, node)->font_size;
    }
    return c;
}

/* The DoC of a node that is not divided in this round, by its size. */
static uint8_t doc_by_size(const vips *v, wn_rect box)
{
    float share = v->page_area > 0 ? wn_visual_rect_area(box) / v->page_area : 0;
    return share < SIZES[0] ? 8 : share < SIZES[1] ? 7 : share < SIZES[2] ? 6 : 5;
}

/* Whether this round goes on below the node; if not, `p` becomes the piece that it is. */
static bool is_dividable(const vips *v, wn_node_id node, float root_area, piece *p)
{
    children c = look_at_children(v, node);
    *p = (piece){.first = node, .last = node, .box = box_of(v, node)};
    p->doc = doc_by_size(v, p->box);
    if (c.count == c.texts) { /* rules 1 and 4 */
        p->doc = (uint8_t)(c.same_font ? COHERENT : COHERENT_BUT_FONTS);
        p->whole = true;
        return false;
    }
    if (c.count == 1 || c.rule) /* rules 2 and 6 */
        return true;
    if (v->kinds->backgrounds[node] != v->kinds->backgrounds[v->nodes[node].parent])
        return false;                                /* rule 7 */
    float bound = c.texts ? SMALL_WITH_TEXT : SMALL; /* rules 8 and 9 */
    return wn_visual_rect_area(p->box) >= bound * root_area;
}

static void add_piece(vips *v, const piece *p)
{
    piece *fresh = wn_array_push(&v->pieces);
    if (fresh)
        *fresh = *p;
    v->failed |= !fresh;
}

static bool is_inline(const vips *v, wn_node_id node)
{
    return has(v, node, WN_NODE_IS_TEXT) || !has(v, node, WN_NODE_LINE_BREAK);
}

/* An inline node joins the run that ends before it. */
static void add_inline(vips *v, wn_node_id node, uint32_t start)
{
    piece *last = v->pieces.count > start ? &v->pieces.items[v->pieces.count - 1] : NULL;
    wn_node_id before = wn_visual_valid_prev(v->kinds, node);
    if (last && before && last->last == before && is_inline(v, before)) {
        last->last = node;
        last->box = wn_visual_rect_around(last->box, box_of(v, node));
        return;
    }
    add_piece(v, &(piece){.first = node,
                          .last = node,
                          .box = box_of(v, node),
                          .doc = (uint8_t)COHERENT,
                          .whole = true});
}

/* Adds the pieces below the node of a piece; returns where they start. */
static uint32_t extract(vips *v, wn_node_id root)
{
    const wn_doc *doc = v->kinds->view->doc;
    uint32_t start = v->pieces.count;
    float area = wn_visual_rect_area(box_of(v, root));
    wn_node_id id = wn_doc_next(doc, root, root);
    while (id) {
        bool descend = false;
        piece p;
        if (!has(v, id, WN_NODE_VISIBLE | WN_NODE_SHOWN))
            descend = false;
        else if (is_inline(v, id) && (is_text(v, id) || !wn_visual_valid_child(v->kinds, id)))
            add_inline(v, id, start);
        else if (is_dividable(v, id, area, &p))
            descend = true;
        else
            add_piece(v, &p);
        id = descend ? wn_doc_next(doc, id, root) : wn_doc_skip(doc, id, root);
    }
    return start;
}

/* ---- 2. Separators ----------------------------------------------------------------------- */

static int by_top(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->box.y != y->box.y)
        return x->box.y < y->box.y ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static int by_left(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->box.x != y->box.x)
        return x->box.x < y->box.x ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* A line is drawn in the gap: an <hr>, or a border of either side. */
static bool has_line(const vips *v, const piece *a, const piece *b, bool level)
{
    wn_node_id next = wn_visual_valid_next(v->kinds, a->last);
    if (next && wn_node_is(&v->nodes[next], WN_TAG_HR))
        return true;
    int end = level ? WN_BOTTOM : WN_RIGHT, start = level ? WN_TOP : WN_LEFT;
    return (v->nodes[a->last].kind == WN_KIND_ELEMENT &&
            style_of(v, a->last)->border_width[end] > 0) ||
           (v->nodes[b->first].kind == WN_KIND_ELEMENT &&
            style_of(v, b->first)->border_width[start] > 0);
}

static bool are_alike(const vips *v, const piece *a, const piece *b)
{
    return v->nodes[a->first].tag == v->nodes[b->first].tag &&
           v->nodes[a->first].parent == v->nodes[b->first].parent;
}

static uint8_t weight_of(const vips *v, const piece *a, const piece *b, float gap, bool level)
{
    int weight = LIGHTEST;
    for (size_t i = 0; i < sizeof GAPS / sizeof *GAPS; i++)
        weight += gap > GAPS[i];
    weight += has_line(v, a, b, level) ? OF_RULE : 0;
    if (v->kinds->backgrounds[a->last] != v->kinds->backgrounds[b->first])
        weight += OF_BACKGROUND;
    if (style_of(v, a->last)->font_size != style_of(v, b->first)->font_size)
        weight += OF_FONT;
    weight -= are_alike(v, a, b) ? OF_LIKENESS : 0;
    return (uint8_t)(weight < LIGHTEST ? LIGHTEST : weight > HEAVIEST ? HEAVIEST : weight);
}

/* Sorts the pieces one way and weighs the gaps that cut through all of them; the heaviest, or 0. */
static uint8_t weigh(vips *v, piece *pieces, uint32_t count, bool level)
{
    qsort(pieces, count, sizeof *pieces, level ? by_top : by_left);
    uint8_t heaviest = 0;
    float end = level ? pieces[0].box.y + pieces[0].box.height
                      : pieces[0].box.x + pieces[0].box.width;
    uint32_t furthest = 0; /* the piece that ends there */
    for (uint32_t i = 1; i < count; i++) {
        const piece *p = &pieces[i];
        float start = level ? p->box.y : p->box.x;
        float its_end = start + (level ? p->box.height : p->box.width);
        bool cut = start >= end - 0.5f;
        v->weights.items[i] = cut ? weight_of(v, &pieces[furthest], p, start - end, level) : 0;
        heaviest = v->weights.items[i] > heaviest ? v->weights.items[i] : heaviest;
        if (its_end >= end) {
            end = its_end;
            furthest = i;
        }
    }
    return heaviest;
}

/* ---- 3. Content structure ---------------------------------------------------------------- */

static wn_node_id common_ancestor(const vips *v, wn_node_id a, wn_node_id b)
{
    while (a != b) {
        if (v->depth[a] >= v->depth[b])
            a = v->nodes[a].parent;
        else
            b = v->nodes[b].parent;
    }
    return a;
}

static void enqueue(vips *v, wn_vblock_id parent, uint32_t start, uint32_t end, uint32_t level)
{
    const piece *first = &v->pieces.items[start];
    wn_vblock block = {
        .parent = parent, .cause = WN_CAUSE_VIPS, .first = first->first, .last = first->last};
    for (uint32_t i = start; i < end; i++)
        block.box = wn_visual_rect_around(block.box, v->pieces.items[i].box);
    for (uint32_t i = start + 1; i < end; i++) {
        block.first = common_ancestor(v, block.first, v->pieces.items[i].first);
        block.last = block.first;
        block.partial = true;
    }
    wn_vblock_id id = wn_visual_block_tree_add(v->tree, &block);
    waiting *w = wn_array_push(&v->queue);
    if (w)
        *w = (waiting){id, start, end, level};
    v->failed |= !w || !id;
}

static void make_leaf(vips *v, const waiting *w)
{
    for (uint32_t i = w->start; i < w->end; i++) {
        const piece *p = &v->pieces.items[i];
        for (wn_node_id id = p->first; id; id = id == p->last ? WN_NO_NODE : v->nodes[id].next)
            v->tree->of[id] = w->block;
    }
}

/* A block of one piece is exchanged for the pieces in it; false if there are none. */
static bool open_piece(vips *v, waiting *w)
{
    while (w->end - w->start == 1) {
        piece p = v->pieces.items[w->start];
        v->tree->blocks.items[w->block].doc = p.doc;
        if (p.doc >= v->pdoc || p.whole || p.first != p.last)
            return false;
        uint32_t start = extract(v, p.first);
        if (start == v->pieces.count || v->failed)
            return false;
        w->start = start;
        w->end = v->pieces.count;
    }
    return true;
}

static void divide(vips *v, waiting w)
{
    uint32_t original_start = w.start, original_end = w.end;
    if (w.level >= MOST_LEVELS || !open_piece(v, &w)) {
        w.start = original_start;
        w.end = original_end;
        make_leaf(v, &w);
        return;
    }
    uint32_t count = w.end - w.start;
    piece *pieces = &v->pieces.items[w.start];
    if (!wn_array_reserve(&v->weights, count)) {
        v->failed = true;
        return;
    }
    uint8_t upright = weigh(v, pieces, count, false), heaviest = weigh(v, pieces, count, true);
    if (upright > heaviest)
        heaviest = weigh(v, pieces, count, false);
    uint8_t doc = (uint8_t)(10 - heaviest);
    v->tree->blocks.items[w.block].doc = heaviest ? doc : 9;
    if (heaviest == 0 || doc >= v->pdoc) {
        make_leaf(v, &w);
        return;
    }
    uint32_t start = 0;
    for (uint32_t i = 1; i <= count; i++) {
        if (i < count && v->weights.items[i] != heaviest)
            continue;
        enqueue(v, w.block, w.start + start, w.start + i, w.level + 1);
        start = i;
    }
}

/* What is in a piece belongs to its block; what is not seen to none. */
static void fill_in(vips *v, wn_node_id root)
{
    const wn_doc *doc = v->kinds->view->doc;
    for (wn_node_id id = wn_doc_next(doc, root, root); id; id = wn_doc_next(doc, id, root))
        if (!v->tree->of[id] && has(v, id, WN_NODE_VISIBLE))
            v->tree->of[id] = v->tree->of[v->nodes[id].parent];
}

static void note_depths(vips *v)
{
    const wn_doc *doc = v->kinds->view->doc;
    v->depth[WN_NO_NODE] = v->depth[WN_DOCUMENT_NODE] = 0;
    wn_node_id id = WN_DOCUMENT_NODE;
    while ((id = wn_doc_next(doc, id, WN_DOCUMENT_NODE)))
        v->depth[id] = v->depth[v->nodes[id].parent] + 1;
}

void wn_visual_vips(wn_block_tree *tree, const wn_kinds *kinds, unsigned pdoc, wn_arena *arena)
{
    const wn_doc *doc = kinds->view->doc;
    vips v = {.tree = tree, .kinds = kinds, .nodes = doc->nodes.items, .pdoc = pdoc};
    v.depth = wn_arena_alloc(arena, doc->nodes.count * sizeof *v.depth);
    tree->of = wn_arena_alloc(arena, doc->nodes.count * sizeof *tree->of);
    tree->blocks.count = 0;
    wn_visual_block_tree_add(tree, &(wn_vblock){0}); /* number 0 is "no block" */
    if (!arena->failed && !tree->failed) {
        memset(tree->of, 0, doc->nodes.count * sizeof *tree->of);
        note_depths(&v);
        wn_node_id body = wn_doc_find(doc, WN_TAG_BODY);
        wn_node_id root = body ? body : WN_DOCUMENT_NODE;
        v.page_area = wn_visual_rect_area(box_of(&v, root));
        add_piece(&v, &(piece){.first = root, .last = root, .box = box_of(&v, root), .doc = 1});
        if (!v.failed)
            enqueue(&v, WN_NO_BLOCK, 0, 1, 0);
        for (uint32_t next = 0; next < v.queue.count && !v.failed; next++)
            divide(&v, v.queue.items[next]);
        if (tree->blocks.count > WN_PAGE_BLOCK)
            tree->blocks.items[WN_PAGE_BLOCK].cause = WN_CAUSE_PAGE;
        fill_in(&v, root);
    }
    tree->failed |= v.failed || arena->failed;
    wn_array_free(&v.pieces);
    wn_array_free(&v.queue);
    wn_array_free(&v.weights);
}
