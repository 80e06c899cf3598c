/*
 * The tree builder's inside, shared by the files tree*.c and nobody else:
 *
 *     tree.c            the driver; nodes, where they are inserted, the stack
 *     tree_format.c     active formatting elements, the adoption agency
 *     tree_modes.c      the insertion modes up to "in body"
 *     tree_tables.c     the insertion modes of tables, templates and frames
 *     tree_foreign.c    SVG and MathML
 *
 * Two promises hold whatever the input. Time is linear: the stack of open
 * elements is no deeper than max_depth (plus a table's parts and one raw text element), so a search
 * through it is bounded, and elements that the standard would copy (formatting
 * elements) are copied within a budget. And no step recurses.
 */
#ifndef WN_HTML_TREE_BUILDER_H
#define WN_HTML_TREE_BUILDER_H

#include "base/cost.h"
#include "html/traits.h"
#include "html/tree.h"

typedef enum wn_mode {
    MODE_INITIAL,
    MODE_BEFORE_HTML,
    MODE_BEFORE_HEAD,
    MODE_IN_HEAD,
    MODE_IN_HEAD_NOSCRIPT,
    MODE_AFTER_HEAD,
    MODE_IN_BODY,
    MODE_TEXT,
    MODE_IN_TABLE,
    MODE_IN_TABLE_TEXT,
    MODE_IN_CAPTION,
    MODE_IN_COLUMN_GROUP,
    MODE_IN_TABLE_BODY,
    MODE_IN_ROW,
    MODE_IN_CELL,
    MODE_IN_TEMPLATE,
    MODE_AFTER_BODY,
    MODE_IN_FRAMESET,
    MODE_AFTER_FRAMESET,
    MODE_AFTER_AFTER_BODY,
    MODE_AFTER_AFTER_FRAMESET,
    MODE_COUNT
} wn_mode;

/* What a mode says of a token. */
typedef enum wn_step {
    DONE,
    REPROCESS, /* the mode has changed: look at the same token again */
} wn_step;

/* An open element: what the searches ask for is here, the node need not be read. */
typedef struct wn_open {
    wn_node_id node;
    uint16_t tag;
    uint16_t ns;
    uint32_t traits;
} wn_open;

/* An entry of the list of active formatting elements; node WN_NO_NODE is a marker. */
typedef struct wn_formatting {
    wn_node_id node;
    uint16_t tag;
} wn_formatting;

/* A place between two children: `parent`'s, before the child `before` or at the end. */
typedef struct wn_place {
    wn_node_id parent;
    wn_node_id before;
} wn_place;

struct wn_tree {
    wn_tokenizer tok;
    wn_doc *doc;
    wn_arena *arena;
    wn_parse_options options;

    wn_mode mode;
    wn_mode original_mode; /* to return to from MODE_TEXT and MODE_IN_TABLE_TEXT */
    wn_array(uint8_t) template_modes;

    wn_array(wn_open) open;           /* the stack of open elements; the last is the current node */
    uint32_t open_html[WN_TAG_COUNT]; /* how many HTML elements of each tag are on it */
    uint32_t open_foreign; /* how many SVG and MathML elements are on it, plus 1 in a fragment */
    uint32_t unpushed[WN_TAG_COUNT]; /* elements too deep to be opened, whose end tags will come */
    uint32_t unpushed_total;
    wn_array(wn_formatting) formatting;
    wn_cost copies; /* budget of elements that no tag of the source made */

    wn_array(wn_str) table_text; /* pending table character tokens */
    bool table_text_is_space;

    wn_node_id head, form;
    wn_open context; /* of a fragment: node WN_NO_NODE, but tag, ns and traits */
    bool is_fragment;
    bool frameset_ok;
    bool foster_parenting;
    bool skip_newline;        /* ignore the first line feed in <pre>, <listing>, <textarea> */
    bool has_selectedcontent; /* an element that mirrors the selected <option> was seen */
    bool stopped;             /* nothing more is read */
};

/* ---- Small questions --------------------------------------------------------------------- */

static inline wn_node *node_at(wn_tree *t, wn_node_id id)
{
    return &t->doc->nodes.items[id];
}

static inline wn_open *current(wn_tree *t)
{
    return &t->open.items[t->open.count - 1];
}

static inline bool open_is(const wn_open *open, wn_tag tag)
{
    return open->tag == tag && open->ns == WN_NS_HTML;
}

static inline bool current_is(wn_tree *t, wn_tag tag)
{
    return t->open.count > 0 && open_is(current(t), tag);
}

static inline bool is_open(const wn_tree *t, wn_tag tag)
{
    return t->open_html[tag] > 0;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#adjusted-current-node */
static inline const wn_open *adjusted_current(wn_tree *t)
{
    return t->is_fragment && t->open.count == 1 ? &t->context : current(t);
}

static inline bool is_start(const wn_token *token, wn_tag tag)
{
    return token->kind == WN_TOKEN_START_TAG && token->tag == tag;
}

/* Whether the HTML element `tag` is open, with none of `boundary` above it. */
bool wn_html_tree_in_scope(const wn_tree *t, wn_tag tag, uint32_t boundary);

static inline bool in_scope(const wn_tree *t, wn_tag tag, uint32_t boundary)
{
    return is_open(t, tag) && wn_html_tree_in_scope(t, tag, boundary);
}

/* Whether the open element has the token's name, in any namespace. */
bool wn_html_tree_has_name(wn_tree *t, const wn_open *open, const wn_token *token);

bool wn_html_tree_is_hidden_input(const wn_token *token);

/* ---- Nodes and places -------------------------------------------------------------------- */

/* Where a node for the current token goes; foster parenting included. */
wn_place wn_html_tree_place(wn_tree *t);
wn_place wn_html_tree_place_in(wn_tree *t, const wn_open *target);
void wn_html_tree_attach(wn_tree *t, wn_node_id node, wn_place place);
void wn_html_tree_detach(wn_tree *t, wn_node_id node);

/* A new element from the token, in no place yet. */
wn_node_id wn_html_tree_create(wn_tree *t, wn_namespace ns);

/* Whether the budget allows `count` copies of nodes; if not, the document is marked as limited. */
bool wn_html_tree_can_copy(wn_tree *t, uint32_t count);

/* A new node like `original`, without its children; ask wn_html_tree_can_copy() first. */
wn_node_id wn_html_tree_copy(wn_tree *t, wn_node_id original);

void wn_html_tree_insert_text(wn_tree *t, wn_str text);
void wn_html_tree_insert_comment(wn_tree *t, wn_place place);

/* Inserts an element for the token and opens it, if it is not too deep. */
wn_node_id wn_html_tree_insert(wn_tree *t, wn_namespace ns);

/* The same, opened at any depth: raw text elements and parts of tables. */
wn_node_id wn_html_tree_insert_always(wn_tree *t);

/* The same, for an element that is not opened: <br>, <img>. */
wn_node_id wn_html_tree_insert_leaf(wn_tree *t, wn_namespace ns);

/* An element that the source leaves out: <html>, <body>, <tbody>. */
wn_node_id wn_html_tree_insert_implied(wn_tree *t, wn_tag tag);

/* Whether the stack is as deep as it may be. */
bool wn_html_tree_is_deep(const wn_tree *t);

/* ---- The stack --------------------------------------------------------------------------- */

void wn_html_tree_push(wn_tree *t, wn_node_id node);
void wn_html_tree_pop(wn_tree *t);
void wn_html_tree_pop_to(wn_tree *t, uint32_t count); /* until `count` are left */
void wn_html_tree_pop_until(wn_tree *t, wn_tag tag);  /* up to and with the first such element */
void wn_html_tree_pop_until_traits(wn_tree *t, uint32_t traits); /* the one found stays */
void wn_html_tree_remove_open(wn_tree *t, uint32_t index);
void wn_html_tree_insert_open(wn_tree *t, uint32_t index, wn_node_id node);
uint32_t wn_html_tree_find_open(const wn_tree *t,
                                wn_node_id node); /* UINT32_MAX if it is not open */

/* Pops elements whose end tag may be left out, but not `except` (WN_TAG_UNKNOWN: no exception). */
void wn_html_tree_imply_end_tags(wn_tree *t, wn_tag except);
void wn_html_tree_imply_end_tags_thoroughly(wn_tree *t);
void wn_html_tree_close_p(wn_tree *t);
void wn_html_tree_close_p_in_button_scope(wn_tree *t);

/* Chooses the mode from what is open. */
void wn_html_tree_reset_mode(wn_tree *t);

/* Text that the tokenizer reads raw: inserts the element and waits for its end tag. */
void wn_html_tree_read_raw(wn_tree *t, wn_tokenizer_state state);

/* Splits leading white space off the text token; what remains is in the token. */
wn_str wn_html_tree_take_spaces(wn_token *token);

/* ---- Formatting elements (tree_format.c) ------------------------------------------------- */

void wn_html_tree_add_formatting(wn_tree *t, wn_node_id node);
void wn_html_tree_add_marker(wn_tree *t);
void wn_html_tree_clear_to_marker(wn_tree *t);
void wn_html_tree_remove_formatting(wn_tree *t, wn_node_id node);
void wn_html_tree_reopen(wn_tree *t);
/* Opens again what should be open; most of the time there is nothing in the list. */
static inline void wn_html_tree_reconstruct(wn_tree *t)
{
    if (t->formatting.count > 0)
        wn_html_tree_reopen(t);
}

wn_node_id wn_html_tree_find_formatting(const wn_tree *t, wn_tag tag); /* since the last marker */
void wn_html_tree_adopt(wn_tree *t); /* the adoption agency, for the tag in the token */

/* ---- Modes ------------------------------------------------------------------------------- */

wn_step wn_html_mode_in_head(wn_tree *t, wn_token *token);
wn_step wn_html_mode_in_body(wn_tree *t, wn_token *token);
wn_step wn_html_mode_in_table(wn_tree *t, wn_token *token);
wn_step wn_html_mode_in_template(wn_tree *t, wn_token *token);
wn_step wn_html_mode_foreign(wn_tree *t, wn_token *token);

/* The rules of the current mode, whatever the namespace of the current node. */
wn_step wn_html_tree_process_as_html(wn_tree *t, wn_token *token);
void wn_html_tree_any_other_end_tag(wn_tree *t, wn_token *token);
void wn_html_tree_merge_attrs(wn_tree *t, wn_node_id element);

typedef wn_step wn_mode_function(wn_tree *t, wn_token *token);

extern wn_mode_function wn_mode_initial, wn_mode_before_html, wn_mode_before_head,
    wn_mode_in_head_noscript, wn_mode_after_head, wn_mode_text, wn_mode_in_table_text,
    wn_mode_in_caption, wn_mode_in_column_group, wn_mode_in_table_body, wn_mode_in_row,
    wn_mode_in_cell, wn_mode_after_body, wn_mode_in_frameset, wn_mode_after_frameset,
    wn_mode_after_after_body, wn_mode_after_after_frameset;

/* Gives SVG and MathML attributes their spelling. */
void wn_html_tree_adjust_attrs(wn_token *token, wn_namespace ns);

#endif
