/*
 * Tree construction: the driver, nodes and where they go, the stack of open
 * elements. tree_builder.h shows what is where.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
 */
#include "html/tree.h"

#include <assert.h>
#include <stdlib.h>

#include "html/names_lookup.h"
#include "html/tree_builder.h"

const wn_parse_options wn_parse_defaults = {
    .scripting = false,
    .max_depth = 512, /* as Chromium */
    .max_nodes = 3 * 1000 * 1000,
    .max_attrs = 1024,
};

enum {
    TOKENS_PER_LOOK = 256, /* at the clock */
    BYTES_PER_NODE = 100,  /* of a usual page; a first guess that spares moving the array */
};

/* ---- Nodes ------------------------------------------------------------------------------- */

/* A fresh node; WN_NO_NODE, a slot that anyone may write to, when there can be no more. */
static inline wn_node_id new_node(wn_tree *t, wn_node_kind kind)
{
    wn_doc *doc = t->doc;
    if (doc->nodes.count >= t->options.max_nodes) {
        doc->limited |= WN_LIMITED_NODES;
        t->stopped = true;
        return WN_NO_NODE;
    }
    wn_node *node = wn_array_push(&doc->nodes);
    if (!node) {
        t->arena->failed = true;
        t->stopped = true;
        return WN_NO_NODE;
    }
    *node = (wn_node){.kind = (uint8_t)kind, .text = "", .source = t->tok.token.source};
    return doc->nodes.count - 1;
}

void wn_html_tree_attach(wn_tree *t, wn_node_id id, wn_place place)
{
    if (id == WN_NO_NODE || place.parent == WN_NO_NODE)
        return;
    wn_node *node = node_at(t, id), *parent = node_at(t, place.parent);
    assert(node->parent == WN_NO_NODE && id != place.parent);
    assert(!place.before || node_at(t, place.before)->parent == place.parent);
    wn_node_id prev = place.before ? node_at(t, place.before)->prev : parent->last_child;
    node->parent = place.parent;
    node->prev = prev;
    node->next = place.before;
    if (prev)
        node_at(t, prev)->next = id;
    else
        parent->first_child = id;
    if (place.before)
        node_at(t, place.before)->prev = id;
    else
        parent->last_child = id;
}

void wn_html_tree_detach(wn_tree *t, wn_node_id id)
{
    wn_node *node = node_at(t, id);
    if (node->parent == WN_NO_NODE)
        return;
    wn_node *parent = node_at(t, node->parent);
    assert(node->prev || parent->first_child == id);
    assert(node->next || parent->last_child == id);
    if (node->prev)
        node_at(t, node->prev)->next = node->next;
    else
        parent->first_child = node->next;
    if (node->next)
        node_at(t, node->next)->prev = node->prev;
    else
        parent->last_child = node->prev;
    node->parent = node->prev = node->next = WN_NO_NODE;
}

/* ---- Places ------------------------------------------------------------------------------ */

/* What is inserted into a <template> goes into its contents, which are its only child. */
static wn_node_id container(wn_tree *t, const wn_open *open)
{
    return open_is(open, WN_TAG_TEMPLATE) ? node_at(t, open->node)->first_child : open->node;
}

static uint32_t last_open(const wn_tree *t, wn_tag tag)
{
    for (uint32_t i = is_open(t, tag) ? t->open.count : 0; i > 0; i--)
        if (open_is(&t->open.items[i - 1], tag))
            return i - 1;
    return UINT32_MAX;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#appropriate-place-for-inserting-a-node */
static wn_place foster_place(wn_tree *t)
{
    uint32_t table = last_open(t, WN_TAG_TABLE), template = last_open(t, WN_TAG_TEMPLATE);
    if (template != UINT32_MAX && (table == UINT32_MAX || template > table))
        return (wn_place){.parent = container(t, &t->open.items[template])};
    if (table == UINT32_MAX)
        return (wn_place){.parent = t->open.items[0].node};
    wn_node_id id = t->open.items[table].node;
    if (node_at(t, id)->parent)
        return (wn_place){.parent = node_at(t, id)->parent, .before = id};
    return (wn_place){.parent = container(t, &t->open.items[table - 1])};
}

wn_place wn_html_tree_place_in(wn_tree *t, const wn_open *target)
{
    if (t->foster_parenting && (target->traits & WN_TRAIT_FOSTERS))
        return foster_place(t);
    return (wn_place){.parent = container(t, target)};
}

wn_place wn_html_tree_place(wn_tree *t)
{
    return wn_html_tree_place_in(t, current(t));
}

/* ---- Text -------------------------------------------------------------------------------- */

/*
 * Neighbouring texts are one node. The first is a slice of the input; when more
 * follows (a tag in between was ignored, say) it moves to the arena, into a piece with room
 * to spare: its capacity is in the four bytes before it, and `ns` says so.
 */
enum { TEXT_IS_SLICE = 0, TEXT_CAN_GROW = 1 };

static bool move_text(wn_tree *t, wn_node *node, size_t needed)
{
    uint32_t capacity = needed < UINT32_MAX / 2 ? (uint32_t)needed * 2 : (uint32_t)needed;
    char *piece = wn_arena_bytes(t->arena, sizeof capacity + capacity);
    if (!piece)
        return false;
    memcpy(piece, &capacity, sizeof capacity);
    memcpy(piece + sizeof capacity, node->text, node->len);
    node->text = piece + sizeof capacity;
    node->ns = TEXT_CAN_GROW;
    return true;
}

static void append_text(wn_tree *t, wn_node *node, wn_str text)
{
    if (node->ns == TEXT_IS_SLICE && node->text + node->len == text.ptr) {
        node->len += (uint32_t)text.len;
        return;
    }
    uint32_t capacity = 0;
    size_t needed = (size_t)node->len + text.len;
    if (node->ns == TEXT_CAN_GROW)
        memcpy(&capacity, node->text - sizeof capacity, sizeof capacity);
    if (needed > UINT32_MAX || (needed > capacity && !move_text(t, node, needed)))
        return;
    memcpy((char *)node->text + node->len, text.ptr, text.len);
    node->len = (uint32_t)needed;
}

void wn_html_tree_insert_text(wn_tree *t, wn_str text)
{
    wn_place place = wn_html_tree_place(t);
    if (text.len == 0 || place.parent == WN_DOCUMENT_NODE)
        return;
    wn_node_id prev = place.before ? node_at(t, place.before)->prev
                                   : node_at(t, place.parent)->last_child;
    if (node_at(t, prev)->kind == WN_KIND_TEXT) {
        append_text(t, node_at(t, prev), text);
        return;
    }
    wn_node_id id = new_node(t, WN_KIND_TEXT);
    node_at(t, id)->text = text.ptr;
    node_at(t, id)->len = (uint32_t)text.len;
    wn_html_tree_attach(t, id, place);
}

void wn_html_tree_insert_comment(wn_tree *t, wn_place place)
{
    wn_node_id id = new_node(t, WN_KIND_COMMENT);
    node_at(t, id)->text = t->tok.token.text.ptr;
    node_at(t, id)->len = (uint32_t)t->tok.token.text.len;
    wn_html_tree_attach(t, id, place);
}

wn_str wn_html_tree_take_spaces(wn_token *token)
{
    size_t spaces = 0;
    while (spaces < token->text.len && wn_is_space(token->text.ptr[spaces]))
        spaces++;
    wn_str taken = wn_str_from(token->text.ptr, spaces);
    token->text = wn_str_from_offset(token->text, spaces);
    return taken;
}

/* ---- Elements ---------------------------------------------------------------------------- */

/* The token's attributes, to stay; a name without a number comes before them. */
static const wn_attr *keep_attrs(wn_tree *t, const wn_token *token)
{
    bool named = token->tag == WN_TAG_UNKNOWN;
    if (!named && token->attr_count == 0)
        return NULL;
    wn_attr *attrs = wn_html_tokenizer_keep_attrs(&t->tok);
    if (attrs && named)
        attrs[-1] = (wn_attr){
            .name = "", .value = token->name.ptr, .value_len = (uint32_t)token->name.len};
    return attrs;
}

static void add_template_contents(wn_tree *t, wn_node_id template)
{
    wn_html_tree_attach(t, new_node(t, WN_KIND_CONTENT), (wn_place){.parent = template});
}

wn_node_id wn_html_tree_create(wn_tree *t, wn_namespace ns)
{
    const wn_token *token = &t->tok.token;
    const wn_attr *attrs = keep_attrs(t, token);
    if (t->arena->failed)
        return WN_NO_NODE;
    wn_node_id id = new_node(t, WN_KIND_ELEMENT);
    if (id == WN_NO_NODE)
        return id;
    wn_node *node = node_at(t, id);
    node->tag = token->tag;
    node->ns = (uint8_t)ns;
    node->attrs = attrs;
    node->len = token->attr_count;
    if (wn_node_is(node, WN_TAG_TEMPLATE))
        add_template_contents(t, id);
    return id;
}

bool wn_html_tree_can_copy(wn_tree *t, uint32_t count)
{
    bool fits = count <= t->copies.left && count < t->options.max_nodes &&
                t->doc->nodes.count < t->options.max_nodes - count &&
                wn_array_reserve(&t->doc->nodes, t->doc->nodes.count + count);
    if (!fits)
        t->doc->limited |= WN_LIMITED_NODES;
    return fits;
}

wn_node_id wn_html_tree_copy(wn_tree *t, wn_node_id original)
{
    wn_cost_use(&t->copies, 1);
    wn_node_id id = new_node(t, WN_KIND_ELEMENT);
    if (id == WN_NO_NODE)
        return id;
    const wn_node *from = node_at(t, original);
    wn_node *node = node_at(t, id);
    node->kind = from->kind;
    node->tag = from->tag;
    node->ns = from->kind == WN_KIND_TEXT ? TEXT_IS_SLICE : from->ns;
    node->text = from->text;
    node->len = from->len;
    return id;
}

bool wn_html_tree_is_deep(const wn_tree *t)
{
    return t->open.count >= t->options.max_depth;
}

/* Remembers that an element is not opened, so that its end tag closes nothing else. */
static void note_unpushed(wn_tree *t, uint16_t tag)
{
    t->doc->limited |= WN_LIMITED_DEPTH;
    t->unpushed[tag]++;
    t->unpushed_total++;
}

wn_node_id wn_html_tree_insert_leaf(wn_tree *t, wn_namespace ns)
{
    wn_place place = wn_html_tree_place(t);
    wn_node_id id = wn_html_tree_create(t, ns);
    wn_html_tree_attach(t, id, place);
    return id;
}

wn_node_id wn_html_tree_insert(wn_tree *t, wn_namespace ns)
{
    wn_node_id id = wn_html_tree_insert_leaf(t, ns);
    if (wn_html_tree_is_deep(t))
        note_unpushed(t, t->tok.token.tag);
    else
        wn_html_tree_push(t, id);
    return id;
}

wn_node_id wn_html_tree_insert_always(wn_tree *t)
{
    wn_node_id id = wn_html_tree_insert_leaf(t, WN_NS_HTML);
    wn_html_tree_push(t, id);
    return id;
}

wn_node_id wn_html_tree_insert_implied(wn_tree *t, wn_tag tag)
{
    wn_place place = t->open.count ? wn_html_tree_place(t) : (wn_place){.parent = WN_DOCUMENT_NODE};
    wn_node_id id = new_node(t, WN_KIND_ELEMENT);
    wn_node *node = node_at(t, id);
    if (id != WN_NO_NODE)
        node->tag = (uint16_t)tag, node->attrs = NULL;
    wn_html_tree_attach(t, id, place);
    wn_html_tree_push(t, id);
    return id;
}

void wn_html_tree_read_raw(wn_tree *t, wn_tokenizer_state state)
{
    wn_html_tree_insert_always(t);
    t->tok.state = state;
    t->original_mode = t->mode;
    t->mode = MODE_TEXT;
}

bool wn_html_tree_has_name(wn_tree *t, const wn_open *open, const wn_token *token)
{
    if (open->tag != token->tag)
        return false;
    return token->tag != WN_TAG_UNKNOWN ||
           wn_str_eq(wn_node_name(node_at(t, open->node)), token->name);
}

bool wn_html_tree_is_hidden_input(const wn_token *token)
{
    for (uint32_t i = 0; i < token->attr_count; i++)
        if (token->attrs[i].id == WN_ATTR_TYPE)
            return wn_str_eq_nocase(wn_attr_value(&token->attrs[i]), WN_STR("hidden"));
    return false;
}

static bool has_attr(const wn_node *element, wn_str name)
{
    for (uint32_t i = 0; i < element->len; i++)
        if (wn_str_eq(wn_str_from(element->attrs[i].name, element->attrs[i].name_len), name))
            return true;
    return false;
}

/* Adds the token's attributes that the element lacks: a second <html> or <body> does that. */
void wn_html_tree_merge_attrs(wn_tree *t, wn_node_id id)
{
    const wn_token *token = &t->tok.token;
    wn_node *element = node_at(t, id);
    uint32_t max = t->options.max_attrs, missing = 0;
    for (uint32_t i = 0; i < token->attr_count; i++) {
        wn_str name = wn_str_from(token->attrs[i].name, token->attrs[i].name_len);
        if (!has_attr(element, name))
            token->attrs[missing++] = token->attrs[i];
    }
    if (max && element->len + missing > max) {
        t->doc->limited |= WN_LIMITED_ATTRS;
        missing = element->len < max ? max - element->len : 0;
    }
    if (missing == 0 || id == WN_NO_NODE)
        return;
    wn_attr *attrs = wn_arena_alloc(t->arena, (element->len + missing) * sizeof *attrs);
    if (!attrs)
        return;
    if (element->len)
        memcpy(attrs, element->attrs, element->len * sizeof *attrs);
    memcpy(attrs + element->len, token->attrs, missing * sizeof *attrs);
    element->attrs = attrs;
    element->len += missing;
}

/* ---- The stack of open elements ---------------------------------------------------------- */

static wn_open describe(wn_tree *t, wn_node_id id)
{
    const wn_node *node = node_at(t, id);
    bool html = node->ns == WN_NS_HTML;
    return (wn_open){
        .node = id,
        .tag = node->tag,
        .ns = node->ns,
        .traits = html ? wn_html_traits[node->tag] : wn_html_foreign_traits(node),
    };
}

static void count_open(wn_tree *t, const wn_open *open, int change)
{
    if (open->ns == WN_NS_HTML)
        t->open_html[open->tag] += (uint32_t)change;
    else
        t->open_foreign += (uint32_t)change;
}

void wn_html_tree_push(wn_tree *t, wn_node_id id)
{
    if (id == WN_NO_NODE)
        return; /* parsing has stopped */
    wn_open *open = wn_array_push(&t->open);
    if (!open) {
        t->arena->failed = t->stopped = true;
        return;
    }
    *open = describe(t, id);
    count_open(t, open, 1);
}

/* The first <selectedcontent> of a <select>. */
static wn_node_id find_selectedcontent(wn_tree *t, wn_node_id select)
{
    for (wn_node_id id = select; id; id = wn_doc_next(t->doc, id, select))
        if (wn_node_is(node_at(t, id), WN_TAG_SELECTEDCONTENT))
            return id;
    return WN_NO_NODE;
}

/* An option is selected if it says so or is the first of its select. */
static bool is_selected(wn_tree *t, wn_node_id select, wn_node_id option)
{
    if (wn_node_attr(node_at(t, option), WN_ATTR_SELECTED))
        return true;
    for (wn_node_id id = select; id && id != option; id = wn_doc_next(t->doc, id, select))
        if (wn_node_is(node_at(t, id), WN_TAG_OPTION))
            return false;
    return true;
}

/* Copies the children of `from` below `to`, within the budget for copies. */
static void copy_children(wn_tree *t, wn_node_id from, wn_node_id to)
{
    wn_node_id id = node_at(t, from)->first_child, parent = to;
    while (id) {
        if (!wn_html_tree_can_copy(t, 1))
            return;
        wn_node_id copy = wn_html_tree_copy(t, id);
        wn_html_tree_attach(t, copy, (wn_place){.parent = parent});
        if (node_at(t, id)->first_child) {
            id = node_at(t, id)->first_child;
            parent = copy;
            continue;
        }
        while (id != from && !node_at(t, id)->next) {
            id = node_at(t, id)->parent;
            parent = node_at(t, parent)->parent;
        }
        id = id == from ? WN_NO_NODE : node_at(t, id)->next;
    }
}

/*
 * https://html.spec.whatwg.org/multipage/form-elements.html#maybe-clone-an-option-into-selectedcontent
 * A complete <option> shows itself in its select's <selectedcontent>.
 */
static void mirror_option(wn_tree *t, wn_node_id option)
{
    uint32_t index = last_open(t, WN_TAG_SELECT);
    if (index == UINT32_MAX)
        return;
    wn_node_id select = t->open.items[index].node;
    wn_node_id mirror = find_selectedcontent(t, select);
    if (!mirror || !is_selected(t, select, option))
        return;
    for (wn_node_id id = mirror; id; id = node_at(t, id)->parent)
        if (id == option)
            return; /* an option that holds its own mirror */
    while (node_at(t, mirror)->first_child)
        wn_html_tree_detach(t, node_at(t, mirror)->first_child);
    copy_children(t, option, mirror);
}

/* The root stays open to the end, so that there always is a current node. */
void wn_html_tree_pop(wn_tree *t)
{
    if (t->open.count <= 1)
        return;
    wn_open popped = *current(t);
    t->open.count--;
    count_open(t, &popped, -1);
    if (t->has_selectedcontent && open_is(&popped, WN_TAG_OPTION))
        mirror_option(t, popped.node);
}

void wn_html_tree_pop_to(wn_tree *t, uint32_t count)
{
    while (t->open.count > count)
        wn_html_tree_pop(t);
}

void wn_html_tree_pop_until(wn_tree *t, wn_tag tag)
{
    while (t->open.count > 1) {
        bool found = current_is(t, tag);
        wn_html_tree_pop(t);
        if (found)
            return;
    }
}

void wn_html_tree_pop_until_traits(wn_tree *t, uint32_t traits)
{
    while (t->open.count > 1 && !(current(t)->traits & traits))
        wn_html_tree_pop(t);
}

uint32_t wn_html_tree_find_open(const wn_tree *t, wn_node_id node)
{
    for (uint32_t i = t->open.count; i > 0; i--)
        if (t->open.items[i - 1].node == node)
            return i - 1;
    return UINT32_MAX;
}

void wn_html_tree_remove_open(wn_tree *t, uint32_t index)
{
    count_open(t, &t->open.items[index], -1);
    memmove(&t->open.items[index], &t->open.items[index + 1],
            (t->open.count - index - 1) * sizeof *t->open.items);
    t->open.count--;
}

void wn_html_tree_insert_open(wn_tree *t, uint32_t index, wn_node_id node)
{
    uint32_t before = t->open.count;
    wn_html_tree_push(t, node);
    if (t->open.count == before)
        return;
    wn_open open = *current(t);
    memmove(&t->open.items[index + 1], &t->open.items[index],
            (t->open.count - 1 - index) * sizeof open);
    t->open.items[index] = open;
}

bool wn_html_tree_in_scope(const wn_tree *t, wn_tag tag, uint32_t boundary)
{
    for (uint32_t i = t->open.count; i > 0; i--) {
        const wn_open *open = &t->open.items[i - 1];
        if (open_is(open, tag))
            return true;
        if (open->traits & boundary)
            return false;
    }
    return false;
}

void wn_html_tree_imply_end_tags(wn_tree *t, wn_tag except)
{
    while ((current(t)->traits & WN_TRAIT_IMPLIED_END) && current(t)->tag != except)
        wn_html_tree_pop(t);
}

void wn_html_tree_imply_end_tags_thoroughly(wn_tree *t)
{
    while (current(t)->traits & WN_TRAIT_THOROUGHLY_IMPLIED_END)
        wn_html_tree_pop(t);
}

void wn_html_tree_close_p(wn_tree *t)
{
    wn_html_tree_imply_end_tags(t, WN_TAG_P);
    wn_html_tree_pop_until(t, WN_TAG_P);
}

void wn_html_tree_close_p_in_button_scope(wn_tree *t)
{
    if (in_scope(t, WN_TAG_P, WN_TRAIT_BUTTON_SCOPE))
        wn_html_tree_close_p(t);
}

/* ---- The mode that what is open asks for ------------------------------------------------- */

/* https://html.spec.whatwg.org/multipage/parsing.html#reset-the-insertion-mode-appropriately */
void wn_html_tree_reset_mode(wn_tree *t)
{
    t->mode = MODE_IN_BODY;
    for (uint32_t i = t->open.count; i > 0; i--) {
        bool last = i == 1;
        const wn_open *open = last && t->is_fragment ? &t->context : &t->open.items[i - 1];
        if (open->ns != WN_NS_HTML)
            continue;
        switch (open->tag) {
        case WN_TAG_TD:
        case WN_TAG_TH:
            if (last)
                break;
            t->mode = MODE_IN_CELL;
            return;
        case WN_TAG_TR:
            t->mode = MODE_IN_ROW;
            return;
        case WN_TAG_TBODY:
        case WN_TAG_THEAD:
        case WN_TAG_TFOOT:
            t->mode = MODE_IN_TABLE_BODY;
            return;
        case WN_TAG_CAPTION:
            t->mode = MODE_IN_CAPTION;
            return;
        case WN_TAG_COLGROUP:
            t->mode = MODE_IN_COLUMN_GROUP;
            return;
        case WN_TAG_TABLE:
            t->mode = MODE_IN_TABLE;
            return;
        case WN_TAG_TEMPLATE:
            if (t->template_modes.count > 0)
                t->mode = (wn_mode)t->template_modes.items[t->template_modes.count - 1];
            return;
        case WN_TAG_HEAD:
            if (last)
                break;
            t->mode = MODE_IN_HEAD;
            return;
        case WN_TAG_BODY:
            return;
        case WN_TAG_FRAMESET:
            t->mode = MODE_IN_FRAMESET;
            return;
        case WN_TAG_HTML:
            t->mode = t->head ? MODE_AFTER_HEAD : MODE_BEFORE_HEAD;
            return;
        default:
            break;
        }
    }
}

/* ---- The driver -------------------------------------------------------------------------- */

static wn_mode_function *const modes[MODE_COUNT] = {
    [MODE_INITIAL] = wn_mode_initial,
    [MODE_BEFORE_HTML] = wn_mode_before_html,
    [MODE_BEFORE_HEAD] = wn_mode_before_head,
    [MODE_IN_HEAD] = wn_html_mode_in_head,
    [MODE_IN_HEAD_NOSCRIPT] = wn_mode_in_head_noscript,
    [MODE_AFTER_HEAD] = wn_mode_after_head,
    [MODE_IN_BODY] = wn_html_mode_in_body,
    [MODE_TEXT] = wn_mode_text,
    [MODE_IN_TABLE] = wn_html_mode_in_table,
    [MODE_IN_TABLE_TEXT] = wn_mode_in_table_text,
    [MODE_IN_CAPTION] = wn_mode_in_caption,
    [MODE_IN_COLUMN_GROUP] = wn_mode_in_column_group,
    [MODE_IN_TABLE_BODY] = wn_mode_in_table_body,
    [MODE_IN_ROW] = wn_mode_in_row,
    [MODE_IN_CELL] = wn_mode_in_cell,
    [MODE_IN_TEMPLATE] = wn_html_mode_in_template,
    [MODE_AFTER_BODY] = wn_mode_after_body,
    [MODE_IN_FRAMESET] = wn_mode_in_frameset,
    [MODE_AFTER_FRAMESET] = wn_mode_after_frameset,
    [MODE_AFTER_AFTER_BODY] = wn_mode_after_after_body,
    [MODE_AFTER_AFTER_FRAMESET] = wn_mode_after_after_frameset,
};

wn_step wn_html_tree_process_as_html(wn_tree *t, wn_token *token)
{
    return modes[t->mode](t, token);
}

/* https://html.spec.whatwg.org/multipage/parsing.html#tree-construction-dispatcher */
static bool is_foreign(wn_tree *t, const wn_token *token)
{
    const wn_open *node = adjusted_current(t);
    if (node->ns == WN_NS_HTML || token->kind == WN_TOKEN_END)
        return false;
    bool start = token->kind == WN_TOKEN_START_TAG, text = token->kind == WN_TOKEN_TEXT;
    if (node->traits & WN_TRAIT_TEXT_POINT)
        if (text || (start && token->tag != WN_TAG_MGLYPH && token->tag != WN_TAG_MALIGNMARK))
            return false;
    if (node->tag == WN_TAG_ANNOTATION_XML && node->ns == WN_NS_MATHML && start &&
        token->tag == WN_TAG_SVG)
        return false;
    return !((node->traits & WN_TRAIT_HTML_POINT) && (start || text));
}

/* The line feed right after <pre> or <textarea> is not content. */
static bool is_skipped_newline(wn_tree *t, wn_token *token)
{
    t->skip_newline = false;
    if (token->kind != WN_TOKEN_TEXT || token->text.len == 0 || token->text.ptr[0] != '\n')
        return false;
    token->text = wn_str_from_offset(token->text, 1);
    return token->text.len == 0;
}

/* The end tag of an element that was too deep to be opened. */
static bool closes_unpushed(wn_tree *t, const wn_token *token)
{
    if (token->kind != WN_TOKEN_END_TAG || t->unpushed[token->tag] == 0)
        return false;
    t->unpushed[token->tag]--;
    t->unpushed_total--;
    return true;
}

/* Whether any rule for SVG and MathML can apply; hardly ever so. */
static bool may_be_foreign(const wn_tree *t)
{
    return t->open_foreign > 0 && t->open.count > 0;
}

static void process(wn_tree *t, wn_token *token)
{
    if (t->skip_newline && is_skipped_newline(t, token))
        return;
    if (t->unpushed_total > 0 && t->mode != MODE_TEXT && closes_unpushed(t, token))
        return;
    wn_step step;
    do
        step = may_be_foreign(t) && is_foreign(t, token) ? wn_html_mode_foreign(t, token)
                                                         : wn_html_tree_process_as_html(t, token);
    while (step == REPROCESS && !t->stopped);
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-html-fragments */
static void start_fragment(wn_tree *t, const char *context)
{
    wn_str name = wn_str_of(context);
    wn_namespace ns = WN_NS_HTML;
    if (wn_str_starts(name, WN_STR("svg ")))
        ns = WN_NS_SVG, name = wn_str_from_offset(name, strlen("svg "));
    else if (wn_str_starts(name, WN_STR("math ")))
        ns = WN_NS_MATHML, name = wn_str_from_offset(name, strlen("math "));
    wn_str lower = wn_arena_copy(t->arena, name);
    for (size_t i = 0; i < lower.len; i++)
        ((char *)lower.ptr)[i] = wn_ascii_lower(lower.ptr[i]);
    wn_tag tag = wn_tag_find(lower, lower.len);

    wn_node described = {.kind = WN_KIND_ELEMENT, .tag = (uint16_t)tag, .ns = (uint8_t)ns};
    t->is_fragment = true;
    t->open_foreign = 1; /* the context, which may be foreign and is not on the stack */
    t->context = (wn_open){.tag = described.tag, .ns = described.ns};
    t->context.traits = ns == WN_NS_HTML ? wn_html_traits[tag] : wn_html_foreign_traits(&described);
    if (ns == WN_NS_HTML)
        t->tok.state = wn_html_tokenizer_content_state(tag, t->options.scripting);
    wn_html_tree_insert_implied(t, WN_TAG_HTML);
    if (open_is(&t->context, WN_TAG_FORM))
        t->form = WN_DOCUMENT_NODE; /* stands for the form around, which is not a node here */
    if (open_is(&t->context, WN_TAG_TEMPLATE)) {
        uint8_t *mode = wn_array_push(&t->template_modes);
        if (mode)
            *mode = MODE_IN_TEMPLATE;
    }
    wn_html_tree_reset_mode(t);
}

static void start(wn_tree *t, wn_doc *doc, wn_arena *arena, wn_str input,
                  const wn_parse_options *options)
{
    wn_doc_reset(doc, arena, input);
    wn_html_tokenizer_init(&t->tok, arena, input);
    t->doc = doc;
    t->arena = arena;
    t->options = *options;
    t->tok.max_attrs = options->max_attrs;
    t->tok.watch = options->watch;
    if (t->options.max_nodes == 0)
        t->options.max_nodes = UINT32_MAX - 1;
    if (t->options.max_depth == 0 || t->options.max_depth > UINT16_MAX)
        t->options.max_depth = UINT16_MAX;
    t->mode = t->original_mode = MODE_INITIAL;
    t->template_modes.count = t->open.count = t->formatting.count = t->table_text.count = 0;
    memset(t->open_html, 0, sizeof t->open_html);
    memset(t->unpushed, 0, sizeof t->unpushed);
    t->unpushed_total = t->open_foreign = 0;
    wn_cost_start(&t->copies, WN_COST_COPIES, input.len);
    t->head = t->form = WN_NO_NODE;
    t->context = (wn_open){.node = WN_NO_NODE};
    t->is_fragment = t->foster_parenting = t->skip_newline = false;
    t->has_selectedcontent = false;
    t->frameset_ok = true;
    wn_array_reserve(&doc->nodes, (uint32_t)(input.len / BYTES_PER_NODE));
    t->stopped = arena->failed;
}

void wn_html_tree_parse(wn_tree *t, wn_doc *doc, wn_arena *arena, wn_str input,
                        const wn_parse_options *options)
{
    start(t, doc, arena, input, options);
    if (options->fragment_context && !t->stopped)
        start_fragment(t, options->fragment_context);
    uint32_t tokens = 1;
    while (!t->stopped) {
        t->tok.cdata_allowed = may_be_foreign(t) && adjusted_current(t)->ns != WN_NS_HTML;
        wn_html_tokenizer_next(&t->tok);
        if (arena->failed ||
            (tokens++ % TOKENS_PER_LOOK == 0 && options->watch && wn_watch_look(options->watch)))
            break;
        process(t, &t->tok.token);
    }
    if (t->has_selectedcontent)
        wn_html_tree_pop_to(t, 1);
    if (t->tok.attrs_dropped)
        doc->limited |= WN_LIMITED_ATTRS;
    if (arena->failed)
        doc->limited |= WN_LIMITED_MEMORY;
    assert(wn_doc_check(doc) == NULL);
}

wn_tree *wn_html_tree_new(void)
{
    return wn_memory_get_zeroed(sizeof(wn_tree));
}

void wn_html_tree_free(wn_tree *t)
{
    if (!t)
        return;
    wn_html_tokenizer_free(&t->tok);
    wn_array_free(&t->template_modes);
    wn_array_free(&t->open);
    wn_array_free(&t->formatting);
    wn_array_free(&t->table_text);
    wn_memory_release(t);
}

size_t wn_html_tree_memory(const wn_tree *t)
{
    return sizeof *t + wn_array_bytes(&t->tok.attr_slots) + wn_array_bytes(&t->template_modes) +
           wn_array_bytes(&t->open) + wn_array_bytes(&t->formatting) +
           wn_array_bytes(&t->table_text);
}
