#include "visual/kinds.h"

/* A picture behind a box is like a colour of its own, which no other box has. */
#define PICTURE_BEHIND(node) ((wn_color)((node) << 8))

enum { OPAQUE_ENOUGH = 16 }; /* alpha from which on a background is seen */

static const float A_PIXEL = 1;
static const double LEAST_SEEN = 0.35; /* of the text; with less, a script must show the rest */

/* ---- From the top: what is shown, and on what -------------------------------------------- */

static bool is_line_break(const wn_style *style)
{
    switch (style->display) {
    case WN_DISPLAY_NONE:
    case WN_DISPLAY_CONTENTS:
    case WN_DISPLAY_INLINE:
    case WN_DISPLAY_INLINE_BLOCK:
    case WN_DISPLAY_INLINE_TABLE:
    case WN_DISPLAY_INLINE_FLEX:
    case WN_DISPLAY_INLINE_GRID:
    case WN_DISPLAY_RUBY:
    case WN_DISPLAY_RUBY_TEXT:
        return false;
    default:
        return true;
    }
}

static unsigned kind_of_tag(const wn_node *element)
{
    if (element->ns != WN_NS_HTML)
        return element->ns == WN_NS_SVG ? WN_NODE_PICTURE : 0;
    switch (element->tag) {
    case WN_TAG_IMG:
    case WN_TAG_VIDEO:
    case WN_TAG_CANVAS:
    case WN_TAG_OBJECT:
    case WN_TAG_EMBED:
    case WN_TAG_IFRAME:
        return WN_NODE_PICTURE;
    case WN_TAG_INPUT:
    case WN_TAG_SELECT:
    case WN_TAG_TEXTAREA:
    case WN_TAG_BUTTON:
    case WN_TAG_METER:
    case WN_TAG_PROGRESS:
        return WN_NODE_CONTROL;
    default:
        return 0;
    }
}

static bool is_blank(wn_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!wn_is_space(text.ptr[i]))
            return false;
    return true;
}

/* What no reader sees, whatever a style sheet says. Readers have scripts. */
static bool is_never_seen(const wn_node *node)
{
    switch (node->ns == WN_NS_HTML ? node->tag : WN_TAG_UNKNOWN) {
    case WN_TAG_AREA:
    case WN_TAG_BASE:
    case WN_TAG_DATALIST:
    case WN_TAG_HEAD:
    case WN_TAG_LINK:
    case WN_TAG_META:
    case WN_TAG_NOEMBED:
    case WN_TAG_NOFRAMES:
    case WN_TAG_NOSCRIPT:
    case WN_TAG_PARAM:
    case WN_TAG_SCRIPT:
    case WN_TAG_STYLE:
    case WN_TAG_TEMPLATE:
    case WN_TAG_TITLE:
        return true;
    default:
        return false;
    }
}

static bool is_hidden(const wn_style *style)
{
    return style->visibility != WN_VISIBILITY_VISIBLE;
}

/*
 * Whether a box has been moved where nobody can scroll to, left of the page or above it: menus that
 * a script lets in, text for screen readers.
 */
static bool is_off_page(const wn_kinds *k, wn_node_id id, const wn_style *style)
{
    const wn_box *box = &k->view->boxes->items[id];
    if (!box->exists)
        return false;
    wn_rect r = wn_visual_view_box(k->view, id);
    r.x += style->translate_x + style->translate_x_percent * r.width / 100;
    r.y += style->translate_y + style->translate_y_percent * r.height / 100;
    return (r.width > 0 && r.x + r.width < A_PIXEL) || (r.height > 0 && r.y + r.height < A_PIXEL);
}

static unsigned kind_of_element(const wn_kinds *k, wn_node_id id, const wn_node *node,
                                const wn_style *style)
{
    bool none = style->display == WN_DISPLAY_NONE || style->clipped_away ||
                is_off_page(k, id, style);
    if (is_never_seen(node) || (none && !k->unveiled))
        return 0;
    unsigned kind = WN_NODE_SHOWN | (none || is_line_break(style) ? WN_NODE_LINE_BREAK : 0);
    return !is_hidden(style) || k->unveiled ? kind | kind_of_tag(node) : kind;
}

static unsigned kind_of_text(const wn_kinds *k, const wn_node *node, const wn_style *style)
{
    bool seen = (!is_hidden(style) || k->unveiled) && !is_blank(wn_node_text(node));
    return WN_NODE_SHOWN | (seen ? WN_NODE_IS_TEXT : 0u);
}

static void look_at(wn_kinds *k, wn_node_id id)
{
    const wn_node *node = wn_doc_node(k->view->doc, id);
    const wn_style *style = wn_visual_view_style(k->view, id);
    unsigned kind = node->kind == WN_KIND_ELEMENT ? kind_of_element(k, id, node, style)
                    : node->kind == WN_KIND_TEXT  ? kind_of_text(k, node, style)
                                                  : 0u;
    if (node->kind == WN_KIND_DOCUMENT)
        kind = WN_NODE_SHOWN;
    bool link = wn_node_is(node, WN_TAG_A) && wn_node_attr(node, WN_ATTR_HREF);
    kind |= k->of[node->parent] & WN_NODE_IN_LINK;
    k->of[id] = (uint16_t)(kind | (link ? WN_NODE_IN_LINK : 0u));
    k->backgrounds[id] = k->backgrounds[node->parent];
    if (node->kind != WN_KIND_ELEMENT)
        return;
    if (style->has_background_image)
        k->backgrounds[id] = PICTURE_BEHIND(id);
    else if (wn_css_color_alpha(style->background_color) >= OPAQUE_ENOUGH)
        k->backgrounds[id] = style->background_color;
}

static void look_from_the_top(wn_kinds *k)
{
    const wn_doc *doc = k->view->doc;
    k->of[WN_NO_NODE] = 0;
    k->backgrounds[WN_NO_NODE] = WN_COLOR_WHITE;
    wn_node_id id = WN_DOCUMENT_NODE;
    while (id) {
        look_at(k, id);
        bool shown = k->of[id] & WN_NODE_SHOWN;
        id = shown ? wn_doc_next(doc, id, WN_DOCUMENT_NODE)
                   : wn_doc_skip(doc, id, WN_DOCUMENT_NODE);
    }
}

/* Whether style sheets hide so much text that a script must be meant to show it. */
static bool is_veiled(const wn_kinds *k)
{
    const wn_doc *doc = k->view->doc;
    uint64_t seen = 0, all = 0;
    wn_node_id id = WN_DOCUMENT_NODE;
    while (id) {
        const wn_node *node = wn_doc_node(doc, id);
        bool skip = node->kind == WN_KIND_ELEMENT && is_never_seen(node);
        if (node->kind == WN_KIND_TEXT && !is_blank(wn_node_text(node))) {
            all += node->len;
            seen += k->of[id] & WN_NODE_IS_TEXT ? node->len : 0;
        }
        id = skip ? wn_doc_skip(doc, id, WN_DOCUMENT_NODE) : wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    }
    return (double)seen < LEAST_SEEN * (double)all;
}

/* ---- From below: what there is to see ---------------------------------------------------- */

/* Line-break nodes that appear only with something in them; inline ones all do. */
static bool is_partially_valid(const wn_node *node, unsigned kind)
{
    if (!(kind & WN_NODE_LINE_BREAK))
        return true;
    switch (node->ns == WN_NS_HTML ? node->tag : WN_TAG_UNKNOWN) {
    case WN_TAG_BODY:
    case WN_TAG_DD:
    case WN_TAG_DL:
    case WN_TAG_DT:
    case WN_TAG_FIELDSET:
    case WN_TAG_FORM:
    case WN_TAG_HEAD:
    case WN_TAG_HTML:
    case WN_TAG_TABLE:
    case WN_TAG_TBODY:
    case WN_TAG_TD:
    case WN_TAG_TFOOT:
    case WN_TAG_TH:
    case WN_TAG_THEAD:
    case WN_TAG_TR:
        return true;
    default:
        return false;
    }
}

static bool is_break(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_BR) || wn_node_is(node, WN_TAG_WBR);
}

/* Whether an inline node holds only text and virtual text. */
static bool is_virtual_text(const wn_kinds *k, wn_node_id id)
{
    const wn_node *nodes = k->view->doc->nodes.items;
    if (k->of[id] & (WN_NODE_LINE_BREAK | WN_NODE_PICTURE | WN_NODE_CONTROL))
        return false;
    for (wn_node_id child = nodes[id].first_child; child; child = nodes[child].next)
        if ((k->of[child] & WN_NODE_VALID) &&
            !(k->of[child] & (WN_NODE_IS_TEXT | WN_NODE_VIRTUAL_TEXT)) && !is_break(&nodes[child]))
            return false;
    return true;
}

static void look_from_below(wn_kinds *k, wn_node_id id)
{
    const wn_node *node = wn_doc_node(k->view->doc, id);
    unsigned kind = k->of[id];
    if (!(kind & WN_NODE_SHOWN))
        return;
    if (kind & (WN_NODE_IS_TEXT | WN_NODE_PICTURE | WN_NODE_CONTROL))
        kind |= WN_NODE_VISIBLE | WN_NODE_VALID;
    if (node->kind == WN_KIND_ELEMENT) {
        bool rule = wn_node_is(node, WN_TAG_HR);
        if (!(kind & WN_NODE_VISIBLE) && (rule || !is_partially_valid(node, kind)))
            kind |= WN_NODE_SEPARATOR | WN_NODE_VALID;
        if (kind & WN_NODE_VISIBLE)
            kind |= WN_NODE_VALID | (is_virtual_text(k, id) ? WN_NODE_VIRTUAL_TEXT : 0u);
    }
    k->of[id] = (uint16_t)kind;
    if (kind & WN_NODE_VISIBLE)
        k->of[node->parent] |= WN_NODE_VISIBLE;
}

bool wn_visual_kinds_find(wn_kinds *k, const wn_view *view, wn_arena *arena)
{
    size_t count = view->doc->nodes.count;
    *k = (wn_kinds){.view = view};
    k->of = wn_arena_alloc(arena, count * sizeof *k->of);
    k->backgrounds = wn_arena_alloc(arena, count * sizeof *k->backgrounds);
    if (arena->failed)
        return false;
    memset(k->of, 0, count * sizeof *k->of);
    look_from_the_top(k);
    if (is_veiled(k)) {
        k->unveiled = true;
        look_from_the_top(k);
    }
    wn_node_id id = wn_doc_first_bottom_up(view->doc, WN_DOCUMENT_NODE);
    for (; id != WN_DOCUMENT_NODE; id = wn_doc_next_bottom_up(view->doc, id))
        look_from_below(k, id);
    return true;
}

/* ---- Children and siblings --------------------------------------------------------------- */

static wn_node_id first_valid(const wn_kinds *k, wn_node_id id, bool backwards)
{
    const wn_node *nodes = k->view->doc->nodes.items;
    while (id && !(k->of[id] & WN_NODE_VALID))
        id = backwards ? nodes[id].prev : nodes[id].next;
    return id;
}

wn_node_id wn_visual_valid_child(const wn_kinds *k, wn_node_id parent)
{
    return first_valid(k, wn_doc_node(k->view->doc, parent)->first_child, false);
}

wn_node_id wn_visual_valid_next(const wn_kinds *k, wn_node_id node)
{
    return first_valid(k, wn_doc_node(k->view->doc, node)->next, false);
}

wn_node_id wn_visual_valid_prev(const wn_kinds *k, wn_node_id node)
{
    return first_valid(k, wn_doc_node(k->view->doc, node)->prev, true);
}
