/*
 * Which objects are kept:
 *
 *   - one between two kept blocks, not counting dropped ones in its own <figure>: text that is kept
 *     without the caption of a picture still goes on around the picture;
 *   - one beside a kept block on one side if it is nearer to that block than to the other one: if
 *     the element that holds both is deeper in the tree. A caption is near its picture. It may be
 *     as near to the other one if that is a label or the like, with kept text soon after it.
 *
 * Rules are kept only between two kept blocks: they separate.
 */
#include "page/objects.h"

#include <assert.h>

#include "page/embeds.h"
#include "page/images.h"

/* How deep in the tree an element is. */
static uint32_t depth_of(const wn_doc *doc, wn_node_id id)
{
    uint32_t depth = 0;
    for (; id; id = wn_doc_node(doc, id)->parent)
        depth++;
    return depth;
}

/* The depth of the deepest element around both. */
static uint32_t common_depth(const wn_doc *doc, wn_node_id a, wn_node_id b)
{
    uint32_t depth_a = depth_of(doc, a), depth_b = depth_of(doc, b);
    for (; depth_a > depth_b; depth_a--)
        a = wn_doc_node(doc, a)->parent;
    for (; depth_b > depth_a; depth_b--)
        b = wn_doc_node(doc, b)->parent;
    for (; a != b; depth_a--) {
        a = wn_doc_node(doc, a)->parent;
        b = wn_doc_node(doc, b)->parent;
    }
    return depth_a;
}

/* Whether it is something to look at at all. */
static bool is_content(const wn_page *page, const wn_object *object)
{
    const wn_node *node = wn_doc_node(page->doc, object->node);
    if (object->flags & (WN_BLOCK_INVISIBLE | WN_BLOCK_EDGE))
        return false;
    if (object->kind == WINNOW_BLOCK_EMBED)
        return wn_node_is(node, WN_TAG_IFRAME) ? wn_page_embed_is_content(page->doc, node)
                                               : wn_page_embed_source(page->doc, node).len > 0;
    return object->kind != WINNOW_BLOCK_IMAGE || (wn_page_image_source(page->doc, node).len > 0 &&
                                                  !wn_page_image_is_decoration(page->doc, node));
}

/* Whether one of the next few blocks in that direction is kept, `block` being the first of them. */
static bool is_kept_soon(const wn_selection *selection, uint32_t block, int direction)
{
    enum { FEW = 3 };
    for (int i = 0; i < FEW && block < selection->count; i++, block += (uint32_t)direction)
        if (selection->verdicts[block].keep)
            return true;
    return false;
}

/* The <figure> around an element; WN_NO_NODE if there is none close by. */
static wn_node_id figure_around(const wn_doc *doc, wn_node_id id)
{
    enum { MOST_STEPS = 6 }; /* a link, a <picture> and wrappers of these */
    for (int i = 0; i < MOST_STEPS && id; i++, id = wn_doc_node(doc, id)->parent)
        if (wn_node_is(wn_doc_node(doc, id), WN_TAG_FIGURE))
            return id;
    return WN_NO_NODE;
}

/* Whether the blocks on both sides of an object's figure, of which `after` is in or after, are kept. */
static bool is_figure_among_kept(const wn_page *page, const wn_selection *selection,
                                 const wn_object *object, uint32_t after)
{
    enum { MOST_BLOCKS = 4 }; /* of a caption: its text, who took the picture */
    const wn_block *blocks = page->blocks.items;
    wn_node_id figure = figure_around(page->doc, object->node);
    if (!figure)
        return false;
    uint32_t first = after, end = after;
    for (int i = 0;
         i < MOST_BLOCKS && first > 0 && figure_around(page->doc, blocks[first - 1].node) == figure;
         i++)
        first--;
    for (int i = 0; i < MOST_BLOCKS && end < selection->count &&
                    figure_around(page->doc, blocks[end].node) == figure;
         i++)
        end++;
    return first > 0 && selection->verdicts[first - 1].keep && end < selection->count &&
           selection->verdicts[end].keep;
}

/* Whether an object between the blocks `after - 1` and `after` belongs to kept text. */
static bool is_among_kept(const wn_page *page, const wn_selection *selection,
                          const wn_object *object, uint32_t after)
{
    const wn_block *blocks = page->blocks.items;
    bool has_before = after > 0, has_after = after < selection->count;
    bool before = has_before && selection->verdicts[after - 1].keep;
    bool behind = has_after && selection->verdicts[after].keep;
    if (before && behind)
        return true;
    if (object->kind == WINNOW_BLOCK_RULE)
        return false;
    if (is_figure_among_kept(page, selection, object, after))
        return true;
    if (!before && !behind)
        return false;
    uint32_t near_before = has_before
                               ? common_depth(page->doc, object->node, blocks[after - 1].node)
                               : 0;
    uint32_t near_behind = has_after ? common_depth(page->doc, object->node, blocks[after].node)
                                     : 0;
    bool inside = before ? is_kept_soon(selection, after, 1)
                         : is_kept_soon(selection, after - 1, -1);
    return before ? near_before + inside > near_behind : near_behind + inside > near_before;
}

static wn_block block_of(const wn_page *page, const wn_object *object)
{
    uint32_t last = (uint32_t)page->text.len - 1; /* a NUL */
    return (wn_block){
        .node = object->node,
        .text = object->text < last ? object->text : last,
        .first_span = page->spans.count,
        .table = object->table,
        .row = object->row,
        .column = object->column,
        .number = object->number,
        .flags = object->flags,
        .kind = object->kind,
        .list_depth = object->list_depth,
        .quote_depth = object->quote_depth,
    };
}

/*
 * Where each object goes, as the number of the block that comes after it; NOWHERE: it is dropped.
 */
enum { NOWHERE = -1 };

static uint32_t choose(const wn_page *page, const wn_selection *selection, int64_t *places)
{
    uint32_t count = 0, after = 0;
    for (uint32_t i = 0; i < page->objects.count; i++) {
        const wn_object *object = &page->objects.items[i];
        while (after < selection->count && page->blocks.items[after].text < object->text)
            after++;
        bool kept = is_among_kept(page, selection, object, after) && is_content(page, object);
        places[i] = kept ? (int64_t)after : NOWHERE;
        count += kept;
    }
    return count;
}

/* Merges blocks and objects, from the end: the arrays have room for all. */
static void merge(wn_page *page, wn_selection *selection, const int64_t *places, uint32_t count)
{
    bool tells_roles = selection->verdicts[0].role != WINNOW_ROLE_UNKNOWN;
    uint32_t to = selection->count, from = to - count;
    for (uint32_t i = page->objects.count; i-- > 0;) {
        if (places[i] == NOWHERE)
            continue;
        while (from > places[i]) {
            page->blocks.items[--to] = page->blocks.items[--from];
            wn_selection_move(selection, to, from);
        }
        page->blocks.items[--to] = block_of(page, &page->objects.items[i]);
        wn_verdict beside = {.reason = "beside kept text", .keep = true};
        bool is_embed = page->objects.items[i].kind == WINNOW_BLOCK_EMBED;
        if (tells_roles)
            beside.role = is_embed ? WINNOW_ROLE_EMBED : WINNOW_ROLE_BODY;
        wn_selection_set(selection, to, beside);
    }
    assert(to == from);
    page->blocks.count = selection->count;
}

bool wn_page_objects_place(wn_page_view *view, wn_selection *selection, wn_arena *arena)
{
    wn_page *page = &view->page;
    uint32_t objects = page->objects.count;
    if (objects == 0 || selection->count == 0 || selection->count != page->blocks.count)
        return true;
    int64_t *places = wn_arena_alloc(arena, objects * sizeof *places);
    if (!places)
        return false;
    uint32_t count = choose(page, selection, places);
    if (count == 0)
        return true;
    if (!wn_page_view_own(view) || !wn_array_reserve(&page->blocks, selection->count + count) ||
        !wn_selection_grow(selection, arena, count))
        return false;
    merge(page, selection, places, count);
    return true;
}
