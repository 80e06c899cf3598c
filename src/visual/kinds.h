/*
 * Kinds of nodes, as Win and Thwin define them for EVBE; VIPS uses the same.
 *
 *     inline         does not cause a new line
 *     line-break     causes one
 *     invalid        does not appear: scripts, comments, what is hidden or moved off the page
 *     partially valid   appears only with something visible in it: inline nodes, form, table, dd, …
 *     valid          appears: partially valid with something in it, and all other line-break nodes
 *     text           text without a tag, other than white space
 *     virtual text   an inline node that holds only text and virtual text
 *
 * The paper tells inline from line-break by tags; what the reader sees is `display`, so that
 * decides here.
 *
 * Some pages hide everything until a script shows it (one in twenty of wcxb-dev). If most text of a
 * page is hidden by its style sheets, hidden text is treated as visible.
 */
#ifndef WN_VISUAL_KINDS_H
#define WN_VISUAL_KINDS_H

#include "visual/view.h"

enum {
    WN_NODE_SHOWN = 1 << 0,        /* it is laid out at all */
    WN_NODE_VISIBLE = 1 << 1,      /* there is something to see in it: text, a picture, a control */
    WN_NODE_LINE_BREAK = 1 << 2,   /* else inline */
    WN_NODE_VALID = 1 << 3,        /* else invalid */
    WN_NODE_IS_TEXT = 1 << 4,      /* a text node */
    WN_NODE_VIRTUAL_TEXT = 1 << 5, /* an inline node of text */
    WN_NODE_SEPARATOR = 1 << 6,    /* hr, or a valid line-break node with nothing in it */
    WN_NODE_CONTROL = 1 << 7,      /* of a form: field, button, choice */
    WN_NODE_PICTURE = 1 << 8,      /* img, svg, video, … */
    WN_NODE_IN_LINK = 1 << 9,      /* it is an <a href>, or in one */
};

typedef struct wn_kinds {
    const wn_view *view;
    uint16_t *of;          /* by node */
    wn_color *backgrounds; /* by node: what is seen behind it */
    bool unveiled;         /* what style sheets hide is taken for seen */
} wn_kinds;

/* Two passes over the document; false if out of memory. */
bool wn_visual_kinds_find(wn_kinds *kinds, const wn_view *view, wn_arena *arena);

static inline bool wn_visual_kind_is(const wn_kinds *kinds, wn_node_id node, unsigned kind)
{
    return (kinds->of[node] & kind) == kind;
}

/* The first child that is valid, and the next and previous siblings that are; WN_NO_NODE: none. */
wn_node_id wn_visual_valid_child(const wn_kinds *kinds, wn_node_id parent);
wn_node_id wn_visual_valid_next(const wn_kinds *kinds, wn_node_id node);
wn_node_id wn_visual_valid_prev(const wn_kinds *kinds, wn_node_id node);

#endif
