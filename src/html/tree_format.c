/*
 * Formatting elements: <b>, <i>, <a>, <font> and their like, which authors
 * close in any order, or never.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements
 *
 * The list remembers the formatting elements that are meant to be in force.
 * When a block starts they are opened again inside it (reconstruct), and when one
 * is closed around a block that is still open, the block is taken out of it and
 * the formatting is put inside (the adoption agency).
 *
 * Both copy elements that occur only once in the source. A page could require very many copies, so
 * there is a budget in proportion to its size; when it is used up, the list is cleared and the
 * document is marked as limited.
 */
#include "html/tree_builder.h"

enum {
    NOAHS_ARK = 3,           /* equal elements that may be in the list at once */
    MANY_ATTRS = 16,         /* with more, attributes count as equal only in the same order */
    ADOPTIONS_PER_TAG = 8,   /* the standard's outer loop */
    KEPT_WHILE_ADOPTING = 3, /* the standard's inner loop */
};

/* ---- The list ---------------------------------------------------------------------------- */

static bool is_marker(const wn_formatting *entry)
{
    return entry->node == WN_NO_NODE;
}

static uint32_t find_entry(const wn_tree *t, wn_node_id node)
{
    for (uint32_t i = t->formatting.count; i > 0; i--)
        if (t->formatting.items[i - 1].node == node)
            return i - 1;
    return UINT32_MAX;
}

static void remove_entry(wn_tree *t, uint32_t index)
{
    wn_formatting *items = t->formatting.items;
    memmove(&items[index], &items[index + 1], (t->formatting.count - index - 1) * sizeof *items);
    t->formatting.count--;
}

static void insert_entry(wn_tree *t, uint32_t index, wn_formatting entry)
{
    if (!wn_array_reserve(&t->formatting, t->formatting.count + 1)) {
        t->arena->failed = true;
        return;
    }
    wn_formatting *items = t->formatting.items;
    memmove(&items[index + 1], &items[index], (t->formatting.count - index) * sizeof *items);
    items[index] = entry;
    t->formatting.count++;
}

static bool same_attr(const wn_attr *a, const wn_attr *b)
{
    return a->id == b->id && a->name_len == b->name_len && a->value_len == b->value_len &&
           memcmp(a->name, b->name, a->name_len) == 0 &&
           memcmp(a->value, b->value, a->value_len) == 0;
}

static bool has_same_attr(const wn_node *element, const wn_attr *attr)
{
    for (uint32_t i = 0; i < element->len; i++)
        if (same_attr(&element->attrs[i], attr))
            return true;
    return false;
}

/* Whether two elements of one tag have the same attributes, in any order. */
static bool same_attrs(const wn_node *a, const wn_node *b)
{
    if (a->len != b->len)
        return false;
    for (uint32_t i = 0; i < a->len; i++) {
        if (same_attr(&a->attrs[i], &b->attrs[i]))
            continue;
        if (a->len > MANY_ATTRS || !has_same_attr(b, &a->attrs[i]))
            return false;
    }
    return true;
}

/* The "Noah's Ark clause": drops the earliest of three equal entries since the last marker. */
static void make_room_for(wn_tree *t, wn_node_id node)
{
    uint32_t equal = 0, earliest = 0;
    const wn_node *element = node_at(t, node);
    for (uint32_t i = t->formatting.count; i > 0; i--) {
        const wn_formatting *entry = &t->formatting.items[i - 1];
        if (is_marker(entry))
            break;
        if (entry->tag == element->tag && same_attrs(node_at(t, entry->node), element)) {
            equal++;
            earliest = i - 1;
        }
    }
    if (equal >= NOAHS_ARK)
        remove_entry(t, earliest);
}

void wn_html_tree_add_formatting(wn_tree *t, wn_node_id node)
{
    /* An element that is too deep to be open would never be closed either. */
    if (node == WN_NO_NODE || current(t)->node != node)
        return;
    make_room_for(t, node);
    insert_entry(t, t->formatting.count, (wn_formatting){node, node_at(t, node)->tag});
}

void wn_html_tree_add_marker(wn_tree *t)
{
    insert_entry(t, t->formatting.count, (wn_formatting){.node = WN_NO_NODE});
}

void wn_html_tree_clear_to_marker(wn_tree *t)
{
    while (t->formatting.count > 0)
        if (is_marker(&t->formatting.items[--t->formatting.count]))
            return;
}

void wn_html_tree_remove_formatting(wn_tree *t, wn_node_id node)
{
    uint32_t index = find_entry(t, node);
    if (index != UINT32_MAX)
        remove_entry(t, index);
}

static uint32_t find_tag(const wn_tree *t, wn_tag tag)
{
    for (uint32_t i = t->formatting.count; i > 0; i--) {
        const wn_formatting *entry = &t->formatting.items[i - 1];
        if (is_marker(entry))
            break;
        if (entry->tag == tag)
            return i - 1;
    }
    return UINT32_MAX;
}

wn_node_id wn_html_tree_find_formatting(const wn_tree *t, wn_tag tag)
{
    uint32_t index = find_tag(t, tag);
    return index == UINT32_MAX ? WN_NO_NODE : t->formatting.items[index].node;
}

/* ---- Reconstruction ---------------------------------------------------------------------- */

static bool is_settled(const wn_tree *t, const wn_formatting *entry)
{
    return is_marker(entry) || wn_html_tree_find_open(t, entry->node) != UINT32_MAX;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements */
void wn_html_tree_reopen(wn_tree *t)
{
    uint32_t count = t->formatting.count, first = count;
    if (is_settled(t, &t->formatting.items[count - 1]))
        return;
    while (first > 0 && !is_settled(t, &t->formatting.items[first - 1]))
        first--;
    for (uint32_t i = first; i < count && !wn_html_tree_is_deep(t); i++) {
        if (!wn_html_tree_can_copy(t, 1)) {
            t->formatting.count = i;
            return;
        }
        wn_node_id copy = wn_html_tree_copy(t, t->formatting.items[i].node);
        wn_html_tree_attach(t, copy, wn_html_tree_place(t));
        wn_html_tree_push(t, copy);
        t->formatting.items[i].node = copy;
    }
}

/* ---- The adoption agency ----------------------------------------------------------------- */

/* Whether the open element at `index` is in scope: no boundary above it. */
static bool is_in_scope(const wn_tree *t, uint32_t index)
{
    for (uint32_t i = t->open.count; i > index + 1; i--)
        if (t->open.items[i - 1].traits & WN_TRAIT_SCOPE)
            return false;
    return true;
}

/* The first special element above `index` on the stack; UINT32_MAX if there is none. */
static uint32_t find_furthest_block(const wn_tree *t, uint32_t index)
{
    for (uint32_t i = index + 1; i < t->open.count; i++)
        if (t->open.items[i].traits & WN_TRAIT_SPECIAL)
            return i;
    return UINT32_MAX;
}

static void move_children(wn_tree *t, wn_node_id from, wn_node_id to)
{
    wn_node *source = node_at(t, from), *target = node_at(t, to);
    for (wn_node_id id = source->first_child; id; id = node_at(t, id)->next)
        node_at(t, id)->parent = to;
    target->first_child = source->first_child;
    target->last_child = source->last_child;
    source->first_child = source->last_child = WN_NO_NODE;
}

static void move_node(wn_tree *t, wn_node_id node, wn_place place)
{
    wn_html_tree_detach(t, node);
    wn_html_tree_attach(t, node, place);
}

/*
 * The inner loop: every formatting element between the block and the formatting
 * element is copied around the block; others leave the stack. Returns the outermost
 * node, which holds the block; *bookmark moves past the first copy in the list.
 */
static wn_node_id wrap_block(wn_tree *t, uint32_t formatting, uint32_t block, uint32_t *bookmark)
{
    wn_node_id last = t->open.items[block].node;
    bool first = true;
    uint32_t round = 0;
    for (uint32_t i = block - 1; i > formatting; i--) {
        wn_node_id node = t->open.items[i].node;
        uint32_t entry = find_entry(t, node);
        if (++round > KEPT_WHILE_ADOPTING && entry != UINT32_MAX) {
            remove_entry(t, entry);
            *bookmark -= entry < *bookmark;
            entry = UINT32_MAX;
        }
        if (entry == UINT32_MAX) {
            wn_html_tree_remove_open(t, i);
            continue;
        }
        wn_node_id copy = wn_html_tree_copy(t, node);
        t->formatting.items[entry].node = copy;
        t->open.items[i].node = copy;
        if (first)
            *bookmark = entry + 1;
        first = false;
        move_node(t, last, (wn_place){.parent = copy});
        last = copy;
    }
    return last;
}

/* One round of the outer loop; true if another one may be needed. */
static bool adopt_once(wn_tree *t, uint32_t entry)
{
    wn_node_id element = t->formatting.items[entry].node;
    uint32_t index = wn_html_tree_find_open(t, element);
    if (index == UINT32_MAX) {
        remove_entry(t, entry);
        return false;
    }
    if (!is_in_scope(t, index))
        return false;
    uint32_t block = find_furthest_block(t, index);
    if (block == UINT32_MAX) {
        wn_html_tree_pop_to(t, index);
        remove_entry(t, entry);
        return false;
    }
    if (!wn_html_tree_can_copy(t, block - index)) { /* close the element and leave it at that */
        wn_html_tree_remove_open(t, index);
        remove_entry(t, entry);
        return false;
    }
    wn_node_id block_node = t->open.items[block].node;
    wn_open ancestor = t->open.items[index - 1];
    uint32_t bookmark = entry;
    wn_node_id last = wrap_block(t, index, block, &bookmark);
    wn_node_id copy = wn_html_tree_copy(t, element);
    move_node(t, last, wn_html_tree_place_in(t, &ancestor));
    move_children(t, block_node, copy);
    wn_html_tree_attach(t, copy, (wn_place){.parent = block_node});

    uint32_t old = find_entry(t, element);
    remove_entry(t, old);
    bookmark -= old < bookmark;
    insert_entry(t, bookmark, (wn_formatting){copy, node_at(t, copy)->tag});
    wn_html_tree_remove_open(t, wn_html_tree_find_open(t, element));
    wn_html_tree_insert_open(t, wn_html_tree_find_open(t, block_node) + 1, copy);
    return true;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm */
void wn_html_tree_adopt(wn_tree *t)
{
    wn_tag tag = (wn_tag)t->tok.token.tag;
    if (current_is(t, tag) && find_entry(t, current(t)->node) == UINT32_MAX) {
        wn_html_tree_pop(t);
        return;
    }
    for (int round = 0; round < ADOPTIONS_PER_TAG; round++) {
        uint32_t entry = find_tag(t, tag);
        if (entry == UINT32_MAX) {
            wn_html_tree_any_other_end_tag(t, &t->tok.token);
            return;
        }
        if (!adopt_once(t, entry))
            return;
    }
}
