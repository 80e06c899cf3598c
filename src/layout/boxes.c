/*
 * The tree of boxes, made in one walk over the document.
 *
 * A node has at most one box. Anonymous boxes that CSS requires are created along the way: a cell
 * that is in no row opens an anonymous row, text in a flex container an anonymous item. Such a box
 * stays open for following siblings that belong in it and is closed by the first one that does not.
 * Block containers need none: flow.c handles blocks and lines side by side, and blocks inside
 * inline elements.
 *
 * White space that cannot be seen because it is at the start of a block or between two
 * blocks makes no box.
 */
#include <assert.h>
#include <string.h>

#include "base/scan.h"
#include "layout/engine.h"

enum { MAX_TURNS = 4 }; /* writing modes inside others; the next ones are as those around */

typedef struct builder {
    wn_lay *lay;
    uint32_t current;  /* the innermost open box */
    bool after_inline; /* the box before is in a line: a space here may be seen */
} builder;

/* What a box is to its parent. */
typedef enum role {
    ROLE_INLINE,
    ROLE_BLOCK,
    ROLE_CELL,
    ROLE_ROW,
    ROLE_TABLE_PART, /* group of rows, column, caption */
    ROLE_ABSOLUTE,
} role;

/* ---- Styles of anonymous boxes ----------------------------------------------------------- */

static const wn_style *make_anonymous_style(wn_lay *lay, const wn_style *parent, uint8_t display)
{
    static const wn_length none = {0, 0, WN_LENGTH_AUTO, 0};
    static const wn_length zero = {0, 0, WN_LENGTH_FIXED, 0};
    wn_style *style = wn_layout_alloc(lay, sizeof *style);
    if (!style)
        return parent;
    memcpy(style, parent, offsetof(wn_style, inherited_end));
    style->display = style->specified_display = display;
    style->width = style->height = style->max_width = style->max_height = none;
    style->min_width = style->min_height = none;
    for (int side = 0; side < 4; side++) {
        style->margin[side] = style->padding[side] = zero;
        style->inset[side] = none;
    }
    style->flex_shrink = 1;
    style->flex_basis = none;
    style->align_self = style->justify_self = WN_ALIGN_AUTO;
    style->opacity = 1;
    style->z_index_auto = true;
    return style;
}

/* Few are needed at a time: a page's rows of text in flex items look alike. */
static const wn_style *anonymous_style(wn_lay *lay, const wn_style *parent, uint8_t display)
{
    size_t slots = sizeof lay->anonymous_styles / sizeof *lay->anonymous_styles;
    size_t slot = ((uintptr_t)parent / sizeof *parent + display) % slots;
    if (lay->anonymous_styles[slot].of != parent ||
        lay->anonymous_styles[slot].display != display) {
        lay->anonymous_styles[slot].of = parent;
        lay->anonymous_styles[slot].display = display;
        lay->anonymous_styles[slot].made = make_anonymous_style(lay, parent, display);
    }
    return lay->anonymous_styles[slot].made;
}

/* ---- Opening and closing ----------------------------------------------------------------- */

static bool contains_positioned(const wn_style *style)
{
    return style->position != WN_POSITION_STATIC || style->has_transform;
}

/* Whether the box is out of the flow, and what is placed by it. */
static void set_position(wn_lay_box *box, uint32_t number)
{
    const wn_style *style = box->style;
    box->floating = style->float_side != WN_FLOAT_NONE;
    box->absolute = style->position == WN_POSITION_ABSOLUTE || style->position == WN_POSITION_FIXED;
    if (contains_positioned(style))
        box->container = number;
    if (style->has_transform)
        box->fixed_container = number;
}

/* A new box in the current one; NULL when there are too many. */
static wn_lay_box *open_box(builder *b, wn_node_id node, const wn_style *style, wn_lay_kind kind)
{
    wn_lay *lay = b->lay;
    if (lay->boxes.count >= lay->max_boxes) {
        lay->limited = true;
        return NULL;
    }
    wn_lay_box *box = wn_array_push(&lay->boxes);
    if (!box) {
        lay->failed = true;
        return NULL;
    }
    uint32_t number = lay->boxes.count - 1;
    const wn_lay_box *parent = wn_layout_at(lay, b->current);
    *box = (wn_lay_box){
        .node = node,
        .parent = b->current,
        .end = number + 1,
        .style = style,
        .kind = (uint8_t)kind,
        .writing = parent->writing,
        .turns = parent->turns,
        .anonymous = node == WN_NO_NODE,
        .container = parent->container,
        .fixed_container = parent->fixed_container,
        .baseline = WN_PX_NONE,
        .last_baseline = WN_PX_NONE,
        .measured_width = WN_PX_AUTO,
    };
    if (kind != WN_LAY_TEXT && kind != WN_LAY_BREAK && node != WN_NO_NODE)
        set_position(box, number);
    b->current = number;
    return box;
}

static void close_box(builder *b)
{
    wn_lay_box *box = wn_layout_at(b->lay, b->current);
    assert(b->current != 0 && box->parent < b->current);
    box->end = b->lay->boxes.count;
    b->current = box->parent;
    if (!box->absolute && !box->floating)
        b->after_inline = box->inline_level && box->kind != WN_LAY_BREAK;
}

/* ---- Anonymous boxes --------------------------------------------------------------------- */

static void open_anonymous(builder *b, wn_lay_kind kind, bool inline_level)
{
    static const uint8_t displays[] = {
        [WN_LAY_BLOCK] = WN_DISPLAY_BLOCK,
        [WN_LAY_TABLE] = WN_DISPLAY_TABLE,
        [WN_LAY_ROW] = WN_DISPLAY_TABLE_ROW,
        [WN_LAY_CELL] = WN_DISPLAY_TABLE_CELL,
    };
    assert(kind == WN_LAY_BLOCK || (kind < sizeof displays && displays[kind]));
    const wn_style *parent = wn_layout_at(b->lay, b->current)->style;
    wn_lay_box *box = open_box(b, WN_NO_NODE, anonymous_style(b->lay, parent, displays[kind]),
                               kind);
    if (box)
        box->inline_level = inline_level;
    b->after_inline = false;
}

static bool is_table_part(role role)
{
    return role == ROLE_CELL || role == ROLE_ROW || role == ROLE_TABLE_PART;
}

/* Whether a child of that role must leave the anonymous box that is open. */
static bool leaves_anonymous(wn_lay_kind kind, role role)
{
    switch (kind) {
    case WN_LAY_BLOCK:
        return role != ROLE_INLINE;
    case WN_LAY_CELL:
        return is_table_part(role);
    case WN_LAY_ROW:
        return role == ROLE_ROW || role == ROLE_TABLE_PART;
    case WN_LAY_TABLE:
        return !is_table_part(role);
    default:
        return false;
    }
}

/* The anonymous box that must be between a parent and a child; WN_LAY_TEXT: none. */
static wn_lay_kind missing_between(const wn_lay_box *parent, role role)
{
    switch (parent->kind) {
    case WN_LAY_FLEX:
    case WN_LAY_GRID:
        return role == ROLE_INLINE   ? WN_LAY_BLOCK
               : is_table_part(role) ? WN_LAY_TABLE
                                     : WN_LAY_TEXT;
    case WN_LAY_TABLE:
        return role == ROLE_ROW || role == ROLE_TABLE_PART ? WN_LAY_TEXT : WN_LAY_ROW;
    case WN_LAY_GROUP:
        return role == ROLE_ROW ? WN_LAY_TEXT : WN_LAY_ROW;
    case WN_LAY_ROW:
        return role == ROLE_CELL ? WN_LAY_TEXT : WN_LAY_CELL;
    default:
        return is_table_part(role) ? WN_LAY_TABLE : WN_LAY_TEXT;
    }
}

/* Closes and opens anonymous boxes until a child of that role may be in the current box. */
static void make_way(builder *b, role role)
{
    wn_lay *lay = b->lay;
    if (role == ROLE_ABSOLUTE)
        return;
    while (wn_layout_at(lay, b->current)->anonymous && b->current != 0 &&
           leaves_anonymous(wn_layout_at(lay, b->current)->kind, role))
        close_box(b);
    for (int deepest = 0; deepest < 4; deepest++) { /* table, row, cell: never more */
        const wn_lay_box *parent = wn_layout_at(lay, b->current);
        wn_lay_kind missing = missing_between(parent, role);
        uint32_t count = lay->boxes.count;
        if (missing == WN_LAY_TEXT)
            break;
        open_anonymous(b, missing, missing == WN_LAY_TABLE && parent->kind == WN_LAY_INLINE);
        if (lay->boxes.count == count)
            break;
    }
}

/* Boxes in which white space between children means nothing. */
static bool drops_space(const wn_lay_box *box)
{
    return box->kind == WN_LAY_TABLE || box->kind == WN_LAY_GROUP || box->kind == WN_LAY_ROW ||
           box->kind == WN_LAY_FLEX || box->kind == WN_LAY_GRID;
}

/* ---- Nodes ------------------------------------------------------------------------------- */

static bool is_blank(wn_str text)
{
    return wn_scan_non_space(text.ptr, text.ptr + text.len) == text.ptr + text.len;
}

static bool keeps_space(const wn_style *style)
{
    return style->white_space == WN_WHITE_SPACE_PRE ||
           style->white_space == WN_WHITE_SPACE_PRE_WRAP ||
           style->white_space == WN_WHITE_SPACE_BREAK_SPACES;
}

static void add_text(builder *b, wn_node_id node, const wn_style *style, wn_str text,
                     bool generated)
{
    wn_lay *lay = b->lay;
    if (text.len == 0)
        return;
    if (!keeps_space(style) && is_blank(text)) {
        const wn_lay_box *parent = wn_layout_at(lay, b->current);
        bool has_lines = style->white_space == WN_WHITE_SPACE_PRE_LINE &&
                         memchr(text.ptr, '\n', text.len) != NULL;
        if (drops_space(parent) || (!b->after_inline && !has_lines))
            return;
    }
    make_way(b, ROLE_INLINE);
    wn_lay_box *box = open_box(b, node, style, WN_LAY_TEXT);
    if (!box)
        return;
    box->inline_level = true;
    box->generated = generated;
    box->text = text.ptr;
    box->len = (uint32_t)text.len;
    if (!generated)
        lay->box_of.items[node] = b->current;
    close_box(b);
}

static wn_lay_kind kind_of_display(uint8_t display)
{
    switch (display) {
    case WN_DISPLAY_INLINE:
    case WN_DISPLAY_RUBY:
    case WN_DISPLAY_RUBY_TEXT:
        return WN_LAY_INLINE;
    case WN_DISPLAY_TABLE:
    case WN_DISPLAY_INLINE_TABLE:
        return WN_LAY_TABLE;
    case WN_DISPLAY_TABLE_ROW_GROUP:
    case WN_DISPLAY_TABLE_HEADER_GROUP:
    case WN_DISPLAY_TABLE_FOOTER_GROUP:
        return WN_LAY_GROUP;
    case WN_DISPLAY_TABLE_ROW:
        return WN_LAY_ROW;
    case WN_DISPLAY_TABLE_CELL:
        return WN_LAY_CELL;
    case WN_DISPLAY_TABLE_COLUMN:
    case WN_DISPLAY_TABLE_COLUMN_GROUP:
        return WN_LAY_COLUMN;
    case WN_DISPLAY_TABLE_CAPTION:
        return WN_LAY_CAPTION;
    case WN_DISPLAY_FLEX:
    case WN_DISPLAY_INLINE_FLEX:
        return WN_LAY_FLEX;
    case WN_DISPLAY_GRID:
    case WN_DISPLAY_INLINE_GRID:
        return WN_LAY_GRID;
    default:
        return WN_LAY_BLOCK;
    }
}

static bool is_inline_display(uint8_t display)
{
    return display == WN_DISPLAY_INLINE || display == WN_DISPLAY_INLINE_BLOCK ||
           display == WN_DISPLAY_INLINE_TABLE || display == WN_DISPLAY_INLINE_FLEX ||
           display == WN_DISPLAY_INLINE_GRID || display == WN_DISPLAY_RUBY ||
           display == WN_DISPLAY_RUBY_TEXT;
}

static role role_of(const wn_style *style, wn_lay_kind kind)
{
    if (style->position == WN_POSITION_ABSOLUTE || style->position == WN_POSITION_FIXED)
        return ROLE_ABSOLUTE;
    switch (kind) {
    case WN_LAY_CELL:
        return ROLE_CELL;
    case WN_LAY_ROW:
        return ROLE_ROW;
    case WN_LAY_GROUP:
    case WN_LAY_COLUMN:
    case WN_LAY_CAPTION:
        return ROLE_TABLE_PART;
    default:
        return is_inline_display(style->display) ? ROLE_INLINE : ROLE_BLOCK;
    }
}

/* ---- Writing modes ----------------------------------------------------------------------- */

/* Makes a style that of a box inside the one it was made for: without place and margins. */
static void clear_outside(wn_style *style)
{
    static const wn_length none = {0, 0, WN_LENGTH_AUTO, 0};
    static const wn_length zero = {0, 0, WN_LENGTH_FIXED, 0};
    style->position = WN_POSITION_STATIC;
    style->float_side = WN_FLOAT_NONE;
    for (int side = 0; side < 4; side++) {
        style->margin[side] = zero;
        style->inset[side] = none;
    }
}

/*
 * The style of the box that holds contents in lines of another direction: in the place of its
 * parent.
 */
static const wn_style *inner_style(wn_lay *lay, const wn_style *style)
{
    size_t number = (size_t)(style - lay->styles->table);
    if (style < lay->styles->table || number >= lay->styles->count)
        return style; /* of an anonymous box: it has neither edges nor sizes */
    if (!lay->inner_styles)
        lay->inner_styles = wn_layout_alloc(lay, lay->styles->count * sizeof *lay->inner_styles);
    if (!lay->inner_styles || lay->inner_styles[number])
        return lay->inner_styles ? lay->inner_styles[number] : style;
    wn_style *own = wn_layout_alloc(lay, sizeof *own);
    if (!own)
        return style;
    *own = *wn_layout_turn_style(lay, style, style->writing_mode);
    clear_outside(own);
    return lay->inner_styles[number] = own;
}

/* Makes the current box one around another that holds the contents. */
static void open_inner(builder *b, const wn_style *style, wn_lay_kind kind)
{
    wn_lay *lay = b->lay;
    uint32_t outer = b->current;
    wn_lay_box *box = open_box(b, WN_NO_NODE, inner_style(lay, style), kind);
    if (!box)
        return;
    box->anonymous = false; /* no sibling closes it */
    box->writing = style->writing_mode;
    box->turns++;
    wn_layout_at(lay, outer)->kind = WN_LAY_TURNED;
    b->after_inline = false;
}

/* Turns the current box, which has nothing in it yet: contents go into one inside it. */
static void turn(builder *b, const wn_style *style)
{
    wn_lay *lay = b->lay;
    const wn_lay_box *box = wn_layout_at(lay, b->current);
    wn_lay_kind kind = (wn_lay_kind)box->kind;
    if (style->writing_mode == box->writing || box->turns >= MAX_TURNS)
        return;
    switch (kind) {
    case WN_LAY_INLINE: /* https://drafts.csswg.org/css-writing-modes/#block-flow */
        kind = WN_LAY_BLOCK;
        break;
    case WN_LAY_CELL:
    case WN_LAY_CAPTION:
        open_anonymous(b, WN_LAY_BLOCK, false);
        wn_layout_at(lay, b->current)->anonymous = false;
        style = wn_layout_at(lay, b->current)->style;
        kind = WN_LAY_BLOCK;
        break;
    case WN_LAY_BLOCK:
    case WN_LAY_FLEX:
    case WN_LAY_GRID:
    case WN_LAY_TABLE:
        break;
    default:
        return;
    }
    open_inner(b, style, kind);
}

/* Opens the box of an element or of generated content; NULL if it can have none. */
static wn_lay_box *open_styled(builder *b, wn_node_id node, const wn_style *style)
{
    wn_lay_kind kind = kind_of_display(style->display);
    style = wn_layout_turn_style(b->lay, style, wn_layout_at(b->lay, b->current)->writing);
    uint32_t parent = b->current;
    if (wn_layout_at(b->lay, parent)->kind == WN_LAY_COLUMN && kind != WN_LAY_COLUMN)
        return NULL;
    if (wn_layout_at(b->lay, parent)->kind != WN_LAY_COLUMN)
        make_way(b, role_of(style, kind));
    wn_lay_box *box = open_box(b, node, style, kind);
    if (!box)
        return NULL;
    box->inline_level = is_inline_display(style->display) && !box->absolute && !box->floating;
    if (!box->inline_level)
        b->after_inline = false;
    else if (kind != WN_LAY_INLINE)
        b->after_inline = false;
    return box;
}

static void add_generated(builder *b, wn_node_id node, uint32_t style_number, wn_str text)
{
    const wn_style *style = &b->lay->styles->table[style_number];
    if (style_number == 0 || style->display == WN_DISPLAY_NONE)
        return;
    if (style->display == WN_DISPLAY_CONTENTS) {
        add_text(b, node, style, text, true);
        return;
    }
    wn_lay_box *box = open_styled(b, node, style);
    if (!box)
        return;
    box->generated = true;
    uint32_t own = b->current;
    turn(b, style);
    add_text(b, node, style, text, true);
    while (b->current != own)
        close_box(b);
    close_box(b);
}

static const wn_generated *generated_of(const wn_lay *lay, wn_node_id node)
{
    const wn_styles *styles = lay->styles;
    uint32_t number = styles->generated_of ? styles->generated_of[node] : 0;
    return number ? &styles->generated[number] : NULL;
}

/* The content of a <details> that is closed, but for its summary. */
static bool is_folded_away(const wn_doc *doc, wn_node_id node)
{
    const wn_node *parent = wn_doc_node(doc, wn_doc_node(doc, node)->parent);
    if (!wn_node_is(parent, WN_TAG_DETAILS) || wn_node_attr(parent, WN_ATTR_OPEN))
        return false;
    if (!wn_node_is(wn_doc_node(doc, node), WN_TAG_SUMMARY))
        return true;
    for (wn_node_id before = wn_doc_node(doc, node)->prev; before;
         before = wn_doc_node(doc, before)->prev)
        if (wn_node_is(wn_doc_node(doc, before), WN_TAG_SUMMARY))
            return true;
    return false;
}

/* ---- Fieldsets --------------------------------------------------------------------------- */

/* https://html.spec.whatwg.org/multipage/rendering.html#rendered-legend; or WN_NO_NODE. */
static wn_node_id find_legend(const wn_lay *lay, wn_node_id fieldset)
{
    for (wn_node_id id = wn_doc_node(lay->doc, fieldset)->first_child; id;
         id = wn_doc_node(lay->doc, id)->next) {
        const wn_style *style = wn_css_style_of(lay->styles, id);
        if (wn_node_is(wn_doc_node(lay->doc, id), WN_TAG_LEGEND) &&
            style->display != WN_DISPLAY_NONE && style->display != WN_DISPLAY_CONTENTS &&
            style->float_side == WN_FLOAT_NONE && style->position != WN_POSITION_ABSOLUTE &&
            style->position != WN_POSITION_FIXED)
            return id;
    }
    return WN_NO_NODE;
}

/* The legend that a node's contents begin with, wherever it is. */
static wn_node_id legend_of(const wn_lay *lay, wn_node_id node)
{
    uint32_t box = lay->box_of.items[node];
    return box && wn_node_is(wn_doc_node(lay->doc, node), WN_TAG_FIELDSET)
               ? lay->boxes.items[box].legend_node
               : WN_NO_NODE;
}

/*
 * What a fieldset that is a flex or grid container holds beside its legend is in a box of its own.
 */
static void open_contents(builder *b, wn_node_id node)
{
    wn_lay *lay = b->lay;
    wn_node_id fieldset = wn_doc_node(lay->doc, node)->parent;
    uint32_t number = lay->box_of.items[fieldset];
    if (!number || !wn_node_is(wn_doc_node(lay->doc, fieldset), WN_TAG_FIELDSET))
        return;
    const wn_lay_box *box = wn_layout_at(lay, b->current);
    bool own = b->current == number || (box->parent == number && box->node == WN_NO_NODE);
    wn_lay_kind kind = kind_of_display(box->style->display);
    if (!own || legend_of(lay, fieldset) == node || box->kind != WN_LAY_BLOCK ||
        (kind != WN_LAY_FLEX && kind != WN_LAY_GRID))
        return;
    wn_style *style = wn_layout_alloc(lay, sizeof *style);
    if (!style)
        return;
    *style = *box->style;
    clear_outside(style);
    for (int side = 0; side < 4; side++) {
        style->padding[side] = style->margin[side];
        style->border_width[side] = 0;
    }
    style->width = style->height = style->min_width = style->min_height = style->inset[0];
    style->max_width = style->max_height = style->inset[0];
    wn_lay_box *inner = open_box(b, WN_NO_NODE, style, kind);
    if (inner)
        inner->anonymous = false;
}

static wn_node_id first_child_of(const wn_lay *lay, wn_node_id node)
{
    wn_node_id legend = legend_of(lay, node);
    return legend ? legend : wn_doc_node(lay->doc, node)->first_child;
}

static wn_node_id next_of(const wn_lay *lay, wn_node_id node)
{
    const wn_node *n = wn_doc_node(lay->doc, node);
    wn_node_id legend = legend_of(lay, n->parent), next = n->next;
    if (legend && node == legend)
        next = wn_doc_node(lay->doc, n->parent)->first_child;
    return next && next == legend ? wn_doc_node(lay->doc, next)->next : next;
}

/* Replaced elements know sizes on the screen, form controls those along and across their lines. */
static bool make_replaced(wn_lay *lay, wn_lay_box *box, const wn_style *style)
{
    const wn_style *turned = box->style;
    box->style = style;
    bool replaced = wn_layout_make_replaced(lay, box);
    box->style = turned;
    const wn_node *node = wn_doc_node(lay->doc, box->node);
    bool control = wn_node_is(node, WN_TAG_INPUT) || wn_node_is(node, WN_TAG_TEXTAREA) ||
                   wn_node_is(node, WN_TAG_SELECT) || wn_node_is(node, WN_TAG_METER) ||
                   wn_node_is(node, WN_TAG_PROGRESS);
    bool vertical = box->writing != WN_WRITING_HORIZONTAL;
    if (control && style->writing_mode != WN_WRITING_HORIZONTAL)
        vertical = !vertical;
    if (replaced && vertical) {
        wn_px width = box->natural_width;
        box->natural_width = box->natural_height;
        box->natural_height = width;
        box->natural_ratio = box->natural_ratio > 0 ? 1 / box->natural_ratio : 0;
    }
    return replaced;
}

static void add_break(builder *b, wn_node_id node, const wn_style *style)
{
    make_way(b, ROLE_INLINE);
    wn_lay_box *box = open_box(b, node, style, WN_LAY_BREAK);
    if (!box)
        return;
    box->inline_level = true;
    b->lay->box_of.items[node] = b->current;
    close_box(b);
}

/* Makes the element's box and what comes before its contents; true if there are contents. */
static bool enter_element(builder *b, wn_node_id node, const wn_style *style)
{
    wn_lay *lay = b->lay;
    const wn_node *n = wn_doc_node(lay->doc, node);
    if (style->display == WN_DISPLAY_NONE)
        return false;
    if (wn_node_is(n, WN_TAG_WBR)) {
        add_text(b, node, style, WN_STR("\xE2\x80\x8B"), true);
        return false;
    }
    if (wn_node_is(n, WN_TAG_BR)) {
        add_break(b, node, style);
        return false;
    }
    if (style->display == WN_DISPLAY_CONTENTS)
        return true;
    wn_lay_box *box = open_styled(b, node, style);
    if (!box)
        return false;
    lay->box_of.items[node] = b->current;
    if (style->display == WN_DISPLAY_LIST_ITEM)
        box->ordinal = wn_layout_marker_ordinal(lay, node);
    if (make_replaced(lay, box, style)) {
        close_box(b);
        return false;
    }
    if (wn_node_is(n, WN_TAG_FIELDSET)) {
        box->legend_node = find_legend(lay, node);
        if (box->kind == WN_LAY_FLEX || box->kind == WN_LAY_GRID)
            box->kind = WN_LAY_BLOCK; /* see open_contents() */
    } else if (wn_node_is(n, WN_TAG_LEGEND)) {
        box->legend = legend_of(lay, n->parent) == node;
    }
    turn(b, style);
    const wn_generated *generated = generated_of(lay, node);
    if (generated)
        add_generated(b, node, generated->before_style, generated->before_text);
    return true;
}

/* Closes the element's box, and all anonymous ones that are open in it. */
static void leave_element(builder *b, wn_node_id node)
{
    wn_lay *lay = b->lay;
    uint32_t own = lay->box_of.items[node];
    if (own == 0)
        return;
    const wn_generated *generated = generated_of(lay, node);
    if (generated) {
        /* An anonymous box that is open inside may take the generated content up. */
        add_generated(b, node, generated->after_style, generated->after_text);
    }
    while (b->current != own && b->current > own)
        close_box(b);
    if (b->current == own)
        close_box(b);
}

/* Makes the node's box; true if its children are to be looked at. */
static bool enter(builder *b, wn_node_id node)
{
    const wn_node *n = wn_doc_node(b->lay->doc, node);
    if (is_folded_away(b->lay->doc, node))
        return false;
    const wn_style *style = wn_css_style_of(b->lay->styles, node);
    open_contents(b, node);
    if (n->kind == WN_KIND_TEXT) {
        add_text(b, node, style, wn_node_text(n), false);
        return false;
    }
    return n->kind == WN_KIND_ELEMENT && enter_element(b, node, style);
}

/* Box 0 is the screen: what the root element is in. */
static bool make_screen(wn_lay *lay)
{
    wn_lay_box *screen = wn_array_push(&lay->boxes);
    if (!screen)
        return false;
    *screen = (wn_lay_box){
        .style = &lay->styles->table[0],
        .end = 1,
        .width = lay->viewport_width,
        .height = lay->viewport_height,
        .anonymous = true,
        .baseline = WN_PX_NONE,
        .last_baseline = WN_PX_NONE,
    };
    return true;
}

void wn_layout_make_boxes(wn_lay *lay)
{
    const wn_doc *doc = lay->doc;
    builder b = {.lay = lay};
    wn_node_id root = wn_doc_find(doc, WN_TAG_HTML);
    if (!make_screen(lay)) {
        lay->failed = true;
        return;
    }
    wn_node_id node = root;
    while (node && !lay->failed) {
        lay->failed |= wn_watch_over(lay->watch);
        wn_node_id child = enter(&b, node) ? first_child_of(lay, node) : WN_NO_NODE;
        if (child) {
            node = child;
            continue;
        }
        for (;;) {
            if (wn_doc_node(doc, node)->kind == WN_KIND_ELEMENT)
                leave_element(&b, node);
            if (node == root || next_of(lay, node))
                break;
            node = wn_doc_node(doc, node)->parent;
        }
        node = node == root ? WN_NO_NODE : next_of(lay, node);
    }
    while (b.current != 0)
        close_box(&b);
    wn_layout_at(lay, 0)->end = lay->boxes.count;
}
