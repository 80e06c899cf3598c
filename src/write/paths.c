#include "write/paths.h"

#include <assert.h>

static bool is_list(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_UL) || wn_node_is(node, WN_TAG_OL) ||
           wn_node_is(node, WN_TAG_MENU) || wn_node_is(node, WN_TAG_DIR);
}

/* The item before a list that stands between items: such a list is meant to be in that item. */
static wn_node_id item_before(const wn_doc *doc, wn_node_id id)
{
    enum { MOST_STEPS = 8 }; /* over white space and other such lists */
    for (int step = 0; step < MOST_STEPS && id; step++) {
        id = wn_doc_node(doc, id)->prev;
        if (wn_node_is(wn_doc_node(doc, id), WN_TAG_LI))
            return id;
    }
    return WN_NO_NODE;
}

/* The node of the container that the element makes, if it does. */
static wn_node_id container_of(const wn_doc *doc, wn_node_id id)
{
    const wn_node *node = wn_doc_node(doc, id);
    if (wn_node_is(node, WN_TAG_LI) || wn_node_is(node, WN_TAG_BLOCKQUOTE))
        return id;
    if (is_list(node) && is_list(wn_doc_node(doc, node->parent)))
        return item_before(doc, id);
    return WN_NO_NODE;
}

static void add_container(wn_path *p, const wn_doc *doc, wn_node_id id)
{
    const wn_node *node = wn_doc_node(doc, id);
    bool is_item = wn_node_is(node, WN_TAG_LI);
    if (p->count == WN_DEEPEST_PATH)
        return;
    assert(p->count < WN_DEEPEST_PATH);
    p->at[p->count++] = (wn_container){
        .node = id,
        .is_item = is_item,
        .ordered = is_item && wn_node_is(wn_doc_node(doc, node->parent), WN_TAG_OL),
        .list = is_item ? node->parent : WN_NO_NODE,
    };
}

/* Walks up from `id`, so that the outermost containers come last: only those are remembered. */
static void find_path(wn_path *p, const wn_doc *doc, wn_node_id id)
{
    wn_node_id found[WN_DEEPEST_PATH];
    unsigned count = 0;
    for (; id > WN_DOCUMENT_NODE; id = wn_doc_node(doc, id)->parent) {
        wn_node_id node = container_of(doc, id);
        if (node)
            found[count++ % WN_DEEPEST_PATH] = node;
    }
    p->count = 0;
    for (unsigned left = count; left > 0 && p->count < WN_DEEPEST_PATH; left--)
        add_container(p, doc, found[(left - 1) % WN_DEEPEST_PATH]);
}

/* The path of what stands in `id`. */
static wn_path path_in(wn_paths *paths, wn_node_id id)
{
    wn_node_id parent = wn_doc_node(paths->doc, id)->parent;
    if (parent != paths->parent) {
        find_path(&paths->parent_path, paths->doc, parent);
        paths->parent = parent;
    }
    wn_path p = paths->parent_path;
    wn_node_id own = container_of(paths->doc, id);
    if (own)
        add_container(&p, paths->doc, own);
    return p;
}

wn_path wn_write_path_of(wn_paths *paths, const wn_block *block)
{
    bool nested = block->list_depth || block->quote_depth;
    return nested ? path_in(paths, block->node) : (wn_path){.count = 0};
}

wn_path wn_write_path_of_table(wn_paths *paths, const wn_block *block)
{
    return path_in(paths, wn_write_path_around(paths->doc, block, WN_TAG_TABLE));
}

int wn_write_path_share(wn_path *next, const wn_path *open)
{
    int common = 0;
    assert(next->count <= WN_DEEPEST_PATH && open->count <= WN_DEEPEST_PATH);
    while (common < next->count && common < open->count &&
           next->at[common].node == open->at[common].node) {
        next->at[common] = open->at[common];
        common++;
    }
    return common;
}

wn_node_id wn_write_path_around(const wn_doc *doc, const wn_block *block, wn_tag tag)
{
    wn_node_id id = block->node;
    while (id && !wn_node_is(wn_doc_node(doc, id), tag))
        id = wn_doc_node(doc, id)->parent;
    return id;
}
