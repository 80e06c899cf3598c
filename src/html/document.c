#include "html/document.h"

void wn_doc_reset(wn_doc *doc, wn_arena *arena, wn_str source)
{
    doc->arena = arena;
    doc->source = source;
    doc->nodes.count = 0;
    doc->doctype = (wn_doctype){.name = WN_STR("")};
    doc->quirks = WN_NO_QUIRKS;
    doc->limited = 0;
    static const wn_node nothing = {.kind = WN_KIND_NONE, .text = ""};
    static const wn_node document = {.kind = WN_KIND_DOCUMENT, .text = ""};
    if (!wn_array_reserve(&doc->nodes, 2)) {
        arena->failed = true;
        return;
    }
    doc->nodes.items[WN_NO_NODE] = nothing;
    doc->nodes.items[WN_DOCUMENT_NODE] = document;
    doc->nodes.count = 2;
}

void wn_doc_free(wn_doc *doc)
{
    wn_array_free(&doc->nodes);
}

wn_str wn_node_name(const wn_node *element)
{
    if (element->kind != WN_KIND_ELEMENT)
        return WN_STR("");
    if (element->tag == WN_TAG_UNKNOWN)
        return wn_attr_value(&element->attrs[-1]);
    return element->ns == WN_NS_SVG ? wn_svg_tag_names[element->tag] : wn_tag_names[element->tag];
}

wn_node_id wn_doc_skip(const wn_doc *doc, wn_node_id id, wn_node_id root)
{
    const wn_node *nodes = doc->nodes.items;
    for (; id != root && id != WN_NO_NODE; id = nodes[id].parent)
        if (nodes[id].next)
            return nodes[id].next;
    return WN_NO_NODE;
}

uint32_t wn_attr_number(const wn_attr *attr, uint32_t otherwise)
{
    enum { MOST_DIGITS = 8 };
    wn_str value = attr ? wn_str_trim(wn_attr_value(attr)) : WN_STR("");
    uint32_t number = 0;
    if (value.len == 0 || value.len > MOST_DIGITS)
        return otherwise;
    for (size_t i = 0; i < value.len; i++) {
        if (!wn_is_ascii_digit(value.ptr[i]))
            return otherwise;
        number = number * 10 + (uint32_t)(value.ptr[i] - '0');
    }
    return number;
}

wn_node_id wn_doc_next(const wn_doc *doc, wn_node_id id, wn_node_id root)
{
    wn_node_id child = doc->nodes.items[id].first_child;
    return child ? child : wn_doc_skip(doc, id, root);
}

wn_node_id wn_doc_first_bottom_up(const wn_doc *doc, wn_node_id root)
{
    const wn_node *nodes = doc->nodes.items;
    while (nodes[root].first_child)
        root = nodes[root].first_child;
    return root;
}

wn_node_id wn_doc_next_bottom_up(const wn_doc *doc, wn_node_id id)
{
    const wn_node *node = wn_doc_node(doc, id);
    return node->next ? wn_doc_first_bottom_up(doc, node->next) : node->parent;
}

wn_node_id wn_doc_find(const wn_doc *doc, wn_tag tag)
{
    wn_node_id id = WN_DOCUMENT_NODE;
    while (id != WN_NO_NODE) {
        const wn_node *node = wn_doc_node(doc, id);
        if (wn_node_is(node, tag))
            return id;
        id = wn_node_is(node, WN_TAG_TEMPLATE) ? wn_doc_skip(doc, id, WN_DOCUMENT_NODE)
                                               : wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    }
    return WN_NO_NODE;
}

void wn_doc_add_text(const wn_doc *doc, wn_node_id root, wn_buf *out)
{
    for (wn_node_id id = root; id != WN_NO_NODE; id = wn_doc_next(doc, id, root))
        if (wn_doc_node(doc, id)->kind == WN_KIND_TEXT)
            wn_buf_add(out, wn_node_text(wn_doc_node(doc, id)));
}

/* ---- Self-check -------------------------------------------------------------------------- */

static const char *check_node(const wn_doc *doc, wn_node_id id)
{
    const wn_node *nodes = doc->nodes.items, *node = &nodes[id];
    uint32_t count = doc->nodes.count;
    if (node->parent >= count || node->first_child >= count || node->last_child >= count ||
        node->next >= count || node->prev >= count)
        return "a link leads outside the node array";
    if (node->kind == WN_KIND_NONE || node->kind > WN_KIND_CONTENT)
        return "a node has no kind";
    if (node->kind == WN_KIND_ELEMENT && node->tag >= WN_TAG_COUNT)
        return "an element has no name";
    if (!node->first_child != !node->last_child)
        return "a first child without a last one, or the reverse";
    if (node->first_child && (nodes[node->first_child].prev || nodes[node->last_child].next))
        return "the first child has a sibling before it, or the last one after it";
    if (node->next && nodes[node->next].prev != id)
        return "a next sibling does not point back";
    if (node->prev && nodes[node->prev].next != id)
        return "a previous sibling does not point back";
    if (node->first_child && node->kind != WN_KIND_ELEMENT && node->kind != WN_KIND_DOCUMENT &&
        node->kind != WN_KIND_CONTENT)
        return "a text or comment has children";
    return NULL;
}

/* Reads every byte of the node's strings: a sanitizer sees a slice that points nowhere. */
static const char *check_strings(const wn_node *node)
{
    unsigned sum = 0;
    if (node->kind == WN_KIND_ELEMENT) {
        for (uint32_t i = 0; i < node->len; i++) {
            const wn_attr *attr = &node->attrs[i];
            for (uint32_t k = 0; k < attr->name_len; k++)
                sum |= (unsigned char)attr->name[k];
            for (uint32_t k = 0; k < attr->value_len; k++)
                sum |= (unsigned char)attr->value[k];
        }
    } else if (node->kind == WN_KIND_TEXT || node->kind == WN_KIND_COMMENT) {
        if (node->kind == WN_KIND_TEXT && node->len == 0)
            return "a text node is empty";
        for (uint32_t k = 0; k < node->len; k++)
            sum |= (unsigned char)node->text[k];
    }
    return sum > 0xFF ? "unreachable" : NULL;
}

/* Walks the tree and counts; more steps than nodes means that the links run in a circle. */
static const char *check_walk(const wn_doc *doc)
{
    const wn_node *nodes = doc->nodes.items;
    uint32_t steps = 0;
    for (wn_node_id id = WN_DOCUMENT_NODE; id; id = wn_doc_next(doc, id, WN_DOCUMENT_NODE)) {
        if (++steps >= doc->nodes.count)
            return "the tree has a circle";
        const char *wrong = check_strings(&nodes[id]);
        if (wrong)
            return wrong;
        uint32_t children = 0;
        for (wn_node_id child = nodes[id].first_child; child; child = nodes[child].next) {
            if (nodes[child].parent != id)
                return "a child does not know its parent";
            if (++children >= doc->nodes.count)
                return "the siblings run in a circle";
        }
    }
    return NULL;
}

const char *wn_doc_check(const wn_doc *doc)
{
    if (doc->nodes.count < 2)
        return doc->arena->failed ? NULL : "the document has no nodes";
    for (wn_node_id id = WN_DOCUMENT_NODE; id < doc->nodes.count; id++) {
        const char *wrong = check_node(doc, id);
        if (wrong)
            return wrong;
    }
    return check_walk(doc);
}
