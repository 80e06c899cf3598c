#include "html/xpath.h"

enum { MOST_STEPS = 64 }; /* so that deep pages with many blocks do not make huge paths */

/* Siblings are counted apart: by name, texts, and all elements together. */
typedef struct counter {
    uint32_t of_tag[WN_TAG_COUNT];
    wn_node_id last[WN_TAG_COUNT]; /* the newest with that name, to tell whether it is alone */
} counter;

static bool is_named(const wn_node *node)
{
    return node->ns == WN_NS_HTML && node->tag != WN_TAG_UNKNOWN;
}

/* Texts are counted in the place of the unknown tag. */
static uint16_t slot_of(const wn_node *node)
{
    return node->kind == WN_KIND_TEXT ? WN_TAG_UNKNOWN : node->tag;
}

/* Numbers the children of a node. Only the counts that were used are cleared after it. */
static void number_children(wn_xpaths *paths, counter *c, wn_node_id parent)
{
    const wn_node *nodes = paths->doc->nodes.items;
    uint32_t elements = 0;
    for (wn_node_id id = nodes[parent].first_child; id; id = nodes[id].next) {
        const wn_node *node = &nodes[id];
        wn_xpath_step *step = &paths->steps[id];
        bool element = node->kind == WN_KIND_ELEMENT, text = node->kind == WN_KIND_TEXT;
        elements += element;
        if (!element && !text)
            continue;
        step->named = text || is_named(node);
        step->number = elements;
        if (!step->named)
            continue;
        uint16_t slot = slot_of(node);
        step->number = ++c->of_tag[slot];
        step->alone = step->number == 1;
        paths->steps[c->last[slot]].alone &= step->number == 1;
        c->last[slot] = id;
    }
    for (wn_node_id id = nodes[parent].first_child; id; id = nodes[id].next) {
        c->of_tag[slot_of(&nodes[id])] = 0;
        c->last[slot_of(&nodes[id])] = WN_NO_NODE;
    }
}

/*
 * What is in a <template> gets the template for its step. All of it at once: looking for the template
 * from each node would cost the product of nodes and depth.
 */
static void number_template(wn_xpaths *paths, wn_node_id template)
{
    const wn_doc *doc = paths->doc;
    for (wn_node_id id = wn_doc_next(doc, template, template); id;
         id = wn_doc_next(doc, id, template))
        paths->steps[id].template = template;
}

bool wn_html_xpaths_start(wn_xpaths *paths, const wn_doc *doc, wn_arena *arena)
{
    size_t count = doc->nodes.count;
    counter *c = wn_arena_alloc(arena, sizeof *c);
    paths->doc = doc;
    paths->steps = wn_arena_alloc(arena, count * sizeof *paths->steps);
    if (!c || !paths->steps)
        return false;
    memset(c, 0, sizeof *c);
    memset(paths->steps, 0, count * sizeof *paths->steps);
    uint32_t elements = 0;
    wn_node_id id = WN_DOCUMENT_NODE;
    while (id) {
        const wn_node *node = wn_doc_node(doc, id);
        if (node->kind == WN_KIND_ELEMENT)
            paths->steps[id].element = ++elements;
        number_children(paths, c, id);
        bool is_template = wn_node_is(node, WN_TAG_TEMPLATE);
        if (is_template)
            number_template(paths, id);
        id = is_template ? wn_doc_skip(doc, id, WN_DOCUMENT_NODE)
                         : wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    }
    return true;
}

static void add_step(const wn_xpaths *paths, wn_node_id id, wn_buf *out)
{
    const wn_node *node = wn_doc_node(paths->doc, id);
    const wn_xpath_step *step = &paths->steps[id];
    wn_buf_add_char(out, '/');
    if (node->kind == WN_KIND_TEXT)
        wn_buf_add_literal(out, "text()");
    else if (step->named)
        wn_buf_add(out, wn_node_name(node));
    else
        wn_buf_add_char(out, '*');
    if (!step->alone)
        wn_buf_add_format(out, "[%u]", step->number);
}

void wn_html_xpath_add(const wn_xpaths *paths, wn_node_id id, wn_buf *out)
{
    wn_node_id steps[MOST_STEPS];
    int count = 0;
    if (paths->steps[id].template)
        id = paths->steps[id].template;
    for (; id > WN_DOCUMENT_NODE && count < MOST_STEPS; id = wn_doc_node(paths->doc, id)->parent)
        steps[count++] = id;
    if (id > WN_DOCUMENT_NODE) { /* deeper: the element by its number, then a text in it */
        bool text = wn_doc_node(paths->doc, steps[0])->kind == WN_KIND_TEXT;
        wn_node_id element = text && count > 1 ? steps[1] : steps[0];
        wn_buf_add_format(out, "(//*)[%u]", paths->steps[element].element);
        count = text ? 1 : 0;
    }
    while (count-- > 0)
        add_step(paths, steps[count], out);
}
