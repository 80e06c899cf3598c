#include "visual/blocks.h"

#include <math.h>

#include "base/utf8.h"
#include "text/unicode.h"

const char *wn_visual_cause_name(wn_cause cause)
{
    static const char *const names[] = {
        [WN_CAUSE_PAGE] = "page",
        [WN_CAUSE_RULE_4] = "rule 4",
        [WN_CAUSE_RULE_5] = "rule 5",
        [WN_CAUSE_RULE_6] = "rule 6",
        [WN_CAUSE_RULE_7] = "rule 7",
        [WN_CAUSE_RULE_8] = "rule 8",
        [WN_CAUSE_RULE_9] = "rule 9",
        [WN_CAUSE_RULE_10] = "rule 10",
        [WN_CAUSE_PARENT] = "distance to parent",
        [WN_CAUSE_SIBLING] = "distance to sibling",
        [WN_CAUSE_REST] = "rest",
        [WN_CAUSE_DIVIDED] = "divided",
        [WN_CAUSE_VIPS] = "vips",
    };
    const char *name = (size_t)cause < sizeof names / sizeof *names ? names[cause] : NULL;
    return name ? name : "unknown";
}

/* ---- Marks ------------------------------------------------------------------------------- */

static void *zeroed(wn_arena *arena, size_t size)
{
    void *piece = wn_arena_alloc(arena, size);
    return piece ? memset(piece, 0, size) : NULL;
}

bool wn_visual_marks_start(wn_marks *marks, size_t count, wn_arena *arena)
{
    marks->cause = zeroed(arena, count * sizeof *marks->cause);
    marks->group = zeroed(arena, count * sizeof *marks->group);
    marks->cut = zeroed(arena, count * sizeof *marks->cut);
    marks->through = zeroed(arena, count * sizeof *marks->through);
    wn_visual_marks_group(marks, WN_CAUSE_PAGE, 0); /* number 0 is "no group" */
    return !arena->failed && marks->group_causes.count == 1 && marks->group_columns.count == 1;
}

uint32_t wn_visual_marks_group(wn_marks *marks, wn_cause cause, uint32_t column)
{
    uint8_t *of_cause = wn_array_push(&marks->group_causes);
    uint32_t *of_column = wn_array_push(&marks->group_columns);
    if (!of_cause || !of_column)
        return 0;
    *of_cause = (uint8_t)cause;
    *of_column = column;
    return marks->group_causes.count - 1;
}

void wn_visual_marks_free(wn_marks *marks)
{
    wn_array_free(&marks->group_causes);
    wn_array_free(&marks->group_columns);
}

/* ---- Building ---------------------------------------------------------------------------- */

/* How a node of a divided parent takes part in the tree. */
typedef enum part {
    PART_REST,    /* nothing in it is marked: it joins its neighbours */
    PART_GROUP,   /* it is in a block with others */
    PART_BLOCK,   /* it is a block */
    PART_DIVIDED, /* it holds blocks */
} part;

typedef struct builder {
    wn_block_tree *tree;
    const wn_kinds *kinds;
    const wn_marks *marks;
    const wn_node *nodes;
    uint32_t *parts; /* by node: the parts its children make; 0: nothing in it is marked */
    bool *several; /* by node: it, or the only part in it, or the only one in that, … has several */
    wn_vblock_id *blocks;  /* by group */
    bool *shared;          /* by group: it has more than one node */
    wn_node_id *last_part; /* by node: its last child that counted, for runs */
} builder;

static part part_of(const builder *b, wn_node_id id)
{
    return b->marks->group[id]   ? PART_GROUP
           : b->marks->cause[id] ? PART_BLOCK
           : b->parts[id]        ? PART_DIVIDED
                                 : PART_REST;
}

/* Whether two neighbours are in the same block. */
static bool is_same_part(const builder *b, wn_node_id before, wn_node_id id)
{
    part kind = part_of(b, id);
    if (!before || kind != part_of(b, before))
        return false;
    return kind == PART_REST ||
           (kind == PART_GROUP && b->marks->group[id] == b->marks->group[before]);
}

static bool counts(const builder *b, wn_node_id id)
{
    return (b->kinds->of[id] & (WN_NODE_VISIBLE | WN_NODE_SHOWN)) ==
           (WN_NODE_VISIBLE | WN_NODE_SHOWN);
}

/* Counts the parts of a divided node; 0 if none of its children is marked or divided. */
static void count_parts(builder *b, wn_node_id parent)
{
    uint32_t parts = 0;
    bool divided = false, several = false;
    wn_node_id before = WN_NO_NODE;
    for (wn_node_id id = b->nodes[parent].first_child; id; id = b->nodes[id].next) {
        if (!counts(b, id))
            continue;
        parts += !is_same_part(b, before, id);
        divided |= part_of(b, id) != PART_REST;
        several |= part_of(b, id) == PART_DIVIDED && b->several[id];
        before = id;
    }
    b->parts[parent] = divided ? parts : 0;
    b->several[parent] = divided && (parts > 1 || several);
}

static wn_vblock_id add_block(builder *b, wn_vblock_id parent, wn_node_id node, wn_cause cause)
{
    wn_vblock block = {.parent = parent, .first = node, .last = node, .cause = (uint8_t)cause};
    return wn_visual_block_tree_add(b->tree, &block);
}

static wn_vblock_id enter_group(builder *b, wn_vblock_id around, wn_node_id id)
{
    uint32_t group = b->marks->group[id];
    wn_vblock_id block = b->blocks[group];
    if (block == WN_NO_BLOCK) {
        block = add_block(b, around, id, b->marks->group_causes.items[group]);
        b->blocks[group] = block;
        b->tree->blocks.items[block].column = b->marks->group_columns.items[group];
    }
    b->tree->blocks.items[block].last = id;
    /* A node of several can be a block inside the block of all. */
    if (b->marks->cause[id] && b->shared[group])
        return add_block(b, block, id, b->marks->cause[id]);
    if (b->several[id] && b->shared[group])
        return add_block(b, block, id, WN_CAUSE_DIVIDED);
    return block;
}

/* The block that a visible node and what is in it belong to; `around` is its parent's. */
static wn_vblock_id enter(builder *b, wn_vblock_id around, wn_node_id id)
{
    wn_node_id parent = b->nodes[id].parent, before = b->last_part[parent];
    b->last_part[parent] = id;
    switch (part_of(b, id)) {
    case PART_GROUP:
        return enter_group(b, around, id);
    case PART_BLOCK:
        return add_block(b, around, id, b->marks->cause[id]);
    case PART_DIVIDED: /* if it is the only part, its parent is that block already */
        return b->several[id] && b->parts[parent] > 1 && !b->marks->through[id]
                   ? add_block(b, around, id, WN_CAUSE_DIVIDED)
                   : around;
    case PART_REST:
        break;
    }
    if (b->parts[parent] < 2)
        return around;
    if (!is_same_part(b, before, id))
        return add_block(b, around, id, WN_CAUSE_REST);
    wn_vblock_id run = b->tree->of[before];
    b->tree->blocks.items[run].last = id;
    return run;
}

static void note_shared_groups(builder *b, wn_node_id *first_of)
{
    size_t count = b->kinds->view->doc->nodes.count;
    for (wn_node_id id = WN_DOCUMENT_NODE; id < count; id++) {
        uint32_t group = b->marks->group[id];
        if (group && counts(b, id)) {
            b->shared[group] = first_of[group] != WN_NO_NODE;
            first_of[group] = id;
        }
    }
}

static void build(builder *b)
{
    const wn_doc *doc = b->kinds->view->doc;
    wn_node_id id = wn_doc_first_bottom_up(doc, WN_DOCUMENT_NODE);
    for (; id != WN_DOCUMENT_NODE; id = wn_doc_next_bottom_up(doc, id))
        if (counts(b, id))
            count_parts(b, id);
    wn_node_id body = wn_doc_find(doc, WN_TAG_BODY);
    wn_node_id root = body ? body : WN_DOCUMENT_NODE;
    b->tree->of[root] = add_block(b, WN_NO_BLOCK, root, WN_CAUSE_PAGE);
    id = wn_doc_next(doc, root, root);
    while (id) {
        if (!counts(b, id)) {
            id = wn_doc_skip(doc, id, root);
            continue;
        }
        wn_vblock_id around = b->tree->of[b->nodes[id].parent];
        b->tree->of[id] = enter(b, around, id);
        id = wn_doc_next(doc, id, root);
    }
}

void wn_visual_block_tree_build(wn_block_tree *tree, const wn_kinds *kinds, const wn_marks *marks,
                                wn_arena *arena)
{
    size_t nodes = kinds->view->doc->nodes.count, groups = marks->group_causes.count;
    builder b = {
        .tree = tree,
        .kinds = kinds,
        .marks = marks,
        .nodes = kinds->view->doc->nodes.items,
        .parts = zeroed(arena, nodes * sizeof *b.parts),
        .several = zeroed(arena, nodes * sizeof *b.several),
        .blocks = zeroed(arena, groups * sizeof *b.blocks),
        .shared = zeroed(arena, groups * sizeof *b.shared),
        .last_part = zeroed(arena, nodes * sizeof *b.last_part),
    };
    wn_node_id *first_of = zeroed(arena, groups * sizeof *first_of);
    tree->of = zeroed(arena, nodes * sizeof *tree->of);
    tree->blocks.count = 0;
    wn_visual_block_tree_add(tree, &(wn_vblock){0}); /* number 0 is "no block" */
    if (arena->failed || tree->failed) {
        tree->failed = true;
        return;
    }
    note_shared_groups(&b, first_of);
    build(&b);
}

wn_vblock_id wn_visual_block_tree_add(wn_block_tree *tree, const wn_vblock *block)
{
    wn_vblock *fresh = wn_array_push(&tree->blocks);
    if (!fresh) {
        tree->failed = true;
        return WN_NO_BLOCK;
    }
    *fresh = *block;
    wn_vblock_id id = tree->blocks.count - 1;
    if (id == WN_NO_BLOCK || block->parent == WN_NO_BLOCK)
        return id;
    wn_vblock *parent = &tree->blocks.items[block->parent];
    if (parent->last_child)
        tree->blocks.items[parent->last_child].next = id;
    else
        parent->first_child = id;
    parent->last_child = id;
    return id;
}

void wn_visual_block_tree_free(wn_block_tree *tree)
{
    wn_array_free(&tree->blocks);
}

/* ---- General Parameters ------------------------------------------------------------------ */

enum { FIRST_UNSPACED = 0x0E00 }; /* Thai is the first script without spaces */

/* Characters but spaces, and words; of scripts without spaces two characters are a word. */
static void count_text(wn_str text, bool in_link, wn_gp *gp)
{
    const char *p = text.ptr, *end = text.ptr + text.len;
    uint32_t length = 0, words = 0, ideographs = 0;
    bool at_space = true;
    while (p < end) {
        uint32_t c = wn_utf8_next(&p);
        bool space = c <= ' ' || c == 0xA0;
        length += !space;
        words += !space && at_space;
        ideographs += c >= FIRST_UNSPACED && wn_text_class_of(c) >= WN_CLASS_THAI;
        at_space = space;
    }
    gp->text_length += length;
    gp->words += words + ideographs / 2;
    if (in_link)
        gp->link_text_length += length;
}

static wn_str text_at(const wn_page *page, uint32_t index)
{
    uint32_t start = page->texts.items[index].start;
    uint32_t end = index + 1 < page->texts.count ? page->texts.items[index + 1].start
                                                 : (uint32_t)page->text.len;
    return wn_str_from(page->text.ptr + start, end - start);
}

static bool is_heading(const wn_node *node)
{
    return node->ns == WN_NS_HTML && node->tag >= WN_TAG_H1 && node->tag <= WN_TAG_H6;
}

static void count_node(const wn_kinds *kinds, wn_node_id id, wn_gp *gp)
{
    const wn_node *node = wn_doc_node(kinds->view->doc, id);
    unsigned kind = kinds->of[id];
    if (node->kind != WN_KIND_ELEMENT)
        return;
    bool in_picture = kinds->of[node->parent] & WN_NODE_PICTURE;
    gp->links += wn_node_is(node, WN_TAG_A) && (kind & WN_NODE_IN_LINK);
    gp->images += (kind & WN_NODE_PICTURE) && !in_picture;
    gp->controls += (kind & WN_NODE_CONTROL) != 0;
    gp->headings += is_heading(node);
    gp->paragraphs += wn_node_is(node, WN_TAG_P);
}

static void add_gp(wn_gp *to, const wn_gp *from)
{
    to->text_length += from->text_length;
    to->words += from->words;
    to->link_text_length += from->link_text_length;
    to->links += from->links;
    to->images += from->images;
    to->controls += from->controls;
    to->headings += from->headings;
    to->paragraphs += from->paragraphs;
}

/* The box around the nodes in which a block begins. */
static void measure_boxes(wn_block_tree *tree, const wn_kinds *kinds)
{
    const wn_doc *doc = kinds->view->doc;
    for (wn_node_id id = WN_DOCUMENT_NODE; id < doc->nodes.count; id++) {
        wn_vblock_id own = tree->of[id];
        wn_vblock_id around = tree->of[wn_doc_node(doc, id)->parent];
        wn_rect box = own ? wn_visual_view_box(kinds->view, id) : (wn_rect){0};
        for (; own > around; own = tree->blocks.items[own].parent)
            tree->blocks.items[own].box = wn_visual_rect_around(tree->blocks.items[own].box, box);
    }
}

/*
 * Floats hang out of the box that they are in: one with nothing but floats has no height of its
 * own, though the eye sees a block as large as they are.
 */
static void add_floats(wn_block_tree *tree, const wn_kinds *kinds)
{
    const wn_doc *doc = kinds->view->doc;
    wn_vblock *blocks = tree->blocks.items;
    for (wn_node_id id = WN_DOCUMENT_NODE; id < doc->nodes.count; id++) {
        wn_vblock *own = &blocks[tree->of[id]];
        if (tree->of[id] && wn_doc_node(doc, id)->kind == WN_KIND_ELEMENT &&
            wn_visual_view_style(kinds->view, id)->float_side != WN_FLOAT_NONE)
            own->floats = wn_visual_rect_around(own->floats, wn_visual_view_box(kinds->view, id));
    }
    for (wn_vblock_id id = tree->blocks.count - 1; id >= WN_PAGE_BLOCK; id--) {
        wn_vblock *parent = &blocks[blocks[id].parent];
        parent->floats = wn_visual_rect_around(parent->floats, blocks[id].floats);
        blocks[id].box = wn_visual_rect_around(blocks[id].box, blocks[id].floats);
    }
}

static void measure_place(wn_vblock *block, const wn_styles *styles)
{
    float x = block->box.x + block->box.width / 2 - styles->viewport_width / 2;
    float y = block->box.y + block->box.height / 2 - styles->viewport_height / 2;
    block->gp.area = wn_visual_rect_area(block->box);
    block->gp.distance = sqrtf(x * x + y * y);
}

void wn_visual_block_tree_measure(wn_block_tree *tree, const wn_kinds *kinds, const wn_page *page)
{
    wn_vblock *blocks = tree->blocks.items;
    for (uint32_t i = 0; i < page->texts.count; i++) {
        wn_node_id id = page->texts.items[i].node;
        if (tree->of[id])
            count_text(text_at(page, i), kinds->of[id] & WN_NODE_IN_LINK, &blocks[tree->of[id]].gp);
    }
    for (wn_node_id id = WN_DOCUMENT_NODE; id < page->doc->nodes.count; id++)
        if (tree->of[id])
            count_node(kinds, id, &blocks[tree->of[id]].gp);
    for (wn_vblock_id id = tree->blocks.count - 1; id > WN_PAGE_BLOCK; id--)
        add_gp(&blocks[blocks[id].parent].gp, &blocks[id].gp);
    measure_boxes(tree, kinds);
    add_floats(tree, kinds);
    for (wn_vblock_id id = WN_PAGE_BLOCK; id < tree->blocks.count; id++)
        measure_place(&blocks[id], kinds->view->styles);
}

/* ---- Questions --------------------------------------------------------------------------- */

bool wn_visual_vblock_is_in(const wn_block_tree *tree, wn_vblock_id id, wn_vblock_id ancestor)
{
    while (id > ancestor) /* parents have smaller numbers */
        id = tree->blocks.items[id].parent;
    return id == ancestor;
}

uint32_t wn_visual_block_tree_leaves(const wn_block_tree *tree)
{
    uint32_t leaves = 0;
    for (wn_vblock_id id = WN_PAGE_BLOCK; id < tree->blocks.count; id++)
        leaves += wn_visual_vblock_is_leaf(&tree->blocks.items[id]);
    return leaves;
}
