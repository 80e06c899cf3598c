/*
 * The document: what a page's bytes mean, as a tree in flat arrays.
 *
 * Nodes are numbered in the order in which the parser made them; a node is its
 * number, and its links to parent, children and siblings are numbers too. Node 0
 * is "no node": a real slot with nothing in it, so that following a missing link
 * is harmless (`nodes[WN_NO_NODE].parent == WN_NO_NODE`). Node 1 is the document.
 *
 * Document order is not number order (foster parenting and the adoption agency
 * move nodes); wn_doc_next() walks in document order without a stack.
 *
 * Text and attribute values are slices: of the decoded input if they are unchanged, of the arena if
 * character references were replaced.
 *
 * The document owns its node array and borrows the input and the arena. Nothing changes it after
 * parsing.
 */
#ifndef WN_HTML_DOCUMENT_H
#define WN_HTML_DOCUMENT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/str.h"
#include "html/names.h"

typedef uint32_t wn_node_id;

enum {
    WN_NO_NODE = 0,
    WN_DOCUMENT_NODE = 1,
};

typedef enum wn_node_kind {
    WN_KIND_NONE,
    WN_KIND_DOCUMENT,
    WN_KIND_ELEMENT,
    WN_KIND_TEXT,
    WN_KIND_COMMENT,
    WN_KIND_DOCTYPE,
    WN_KIND_CONTENT, /* the contents of a <template>: its only child */
} wn_node_kind;

typedef enum wn_namespace {
    WN_NS_HTML,
    WN_NS_SVG,
    WN_NS_MATHML,
} wn_namespace;

/* One attribute. Names are lower case but for the ones SVG and MathML respell. */
typedef struct wn_attr {
    const char *name;
    const char *value;
    uint32_t value_len;
    uint16_t name_len;
    uint16_t id; /* wn_attr_name, WN_ATTR_UNKNOWN for a name without a number */
} wn_attr;

typedef struct wn_node {
    wn_node_id parent, first_child, last_child, next, prev;
    uint16_t tag; /* wn_tag of an element */
    uint8_t kind; /* wn_node_kind */
    uint8_t ns;   /* wn_namespace of an element; of a text the parser's note, see tree.c */
    union {
        const char *text;     /* text, comment */
        const wn_attr *attrs; /* element; before the first of a WN_TAG_UNKNOWN is its name */
    };
    uint32_t len;    /* bytes of text, or number of attributes */
    uint32_t source; /* offset in the decoded input where the node's token starts */
} wn_node;

typedef enum wn_quirks {
    WN_NO_QUIRKS,
    WN_LIMITED_QUIRKS,
    WN_QUIRKS,
} wn_quirks;

/* The doctype as the parser saw it; public_id and system_id may be missing. */
typedef struct wn_doctype {
    wn_str name, public_id, system_id;
    bool has_public_id, has_system_id;
} wn_doctype;

/* What the parser could not finish, as bits. */
enum {
    WN_LIMITED_DEPTH = 1 << 0,
    WN_LIMITED_NODES = 1 << 1,
    WN_LIMITED_ATTRS = 1 << 2,
    WN_LIMITED_MEMORY = 1 << 3,
};

typedef struct wn_doc {
    wn_arena *arena; /* borrowed */
    wn_str source;   /* borrowed: the decoded input */
    wn_array(wn_node) nodes;
    wn_doctype doctype;
    wn_quirks quirks;
    unsigned limited; /* WN_LIMITED_* */
} wn_doc;

/* Empties the document for the next page, which is `source`, with strings in `arena`. */
void wn_doc_reset(wn_doc *doc, wn_arena *arena, wn_str source);
void wn_doc_free(wn_doc *doc);

static inline const wn_node *wn_doc_node(const wn_doc *doc, wn_node_id id)
{
    assert(id < doc->nodes.count);
    return &doc->nodes.items[id];
}

static inline bool wn_node_is(const wn_node *node, wn_tag tag)
{
    return node->tag == tag && node->ns == WN_NS_HTML && node->kind == WN_KIND_ELEMENT;
}

/* The text of a text or comment node. */
static inline wn_str wn_node_text(const wn_node *node)
{
    assert(node->kind == WN_KIND_TEXT || node->kind == WN_KIND_COMMENT);
    return wn_str_from(node->text, node->len);
}

/* The name of an element: "div", "svg", "my-widget". */
wn_str wn_node_name(const wn_node *element);

static inline wn_str wn_attr_value(const wn_attr *attr)
{
    return wn_str_from(attr->value, attr->value_len);
}

/* The attribute with that name, NULL if the element has none. */
static inline const wn_attr *wn_node_attr(const wn_node *element, wn_attr_name name)
{
    uint32_t count = element->kind == WN_KIND_ELEMENT ? element->len : 0;
    for (uint32_t i = 0; i < count; i++) /* not by address: without attributes it is NULL */
        if (element->attrs[i].id == name)
            return &element->attrs[i];
    return NULL;
}

/* The attribute's value, an empty string if the element has none. */
static inline wn_str wn_node_attr_value(const wn_node *element, wn_attr_name name)
{
    const wn_attr *attr = wn_node_attr(element, name);
    return attr ? wn_attr_value(attr) : WN_STR("");
}

/* The number that an attribute (or NULL) gives in at most eight digits; else `otherwise`. */
uint32_t wn_attr_number(const wn_attr *attr, uint32_t otherwise);

/*
 * Walking in document order below `root`: the node after `id` (children first),
 * and the node after `id` and all that is in it. WN_NO_NODE at the end.
 */
wn_node_id wn_doc_next(const wn_doc *doc, wn_node_id id, wn_node_id root);
wn_node_id wn_doc_skip(const wn_doc *doc, wn_node_id id, wn_node_id root);

/*
 * Walking below `root` with children before their parents, for sums: the first
 * node, and the one after `id`. The last one is `root` itself.
 */
wn_node_id wn_doc_first_bottom_up(const wn_doc *doc, wn_node_id root);
wn_node_id wn_doc_next_bottom_up(const wn_doc *doc, wn_node_id id);

/* The first element with that tag in document order, outside templates; or WN_NO_NODE. */
wn_node_id wn_doc_find(const wn_doc *doc, wn_tag tag);

/* Adds all text below `root` to `out`, as it is in the document. */
void wn_doc_add_text(const wn_doc *doc, wn_node_id root, wn_buf *out);

/*
 * Proves that the document is sound: links agree both ways, every node hangs in
 * the tree at most once, and every byte of its strings can be read (a sanitizer sees to that).
 * NULL if so, else what is wrong. For tests, fuzzing and debug builds.
 */
const char *wn_doc_check(const wn_doc *doc);

#endif
