/*
 * The ten rules of EVBE, each in the paper's words and then as a function.
 *
 * A rule examines one node and its valid children and records its decision as marks (blocks.h).
 * Children are visited a fixed number of times, so all rules together are linear in the nodes of
 * the page.
 */
#include "visual/evbe.h"

enum { MOST_COLUMNS = 64 }; /* of a table that rule 6 divides */

static const float A_PIXEL = 1; /* sizes are rounded */

/* ---- Helpers ----------------------------------------------------------------------------- */

static bool has(const wn_rules *r, wn_node_id node, unsigned kind)
{
    return wn_visual_kind_is(r->kinds, node, kind);
}

static const wn_style *style_of(const wn_rules *r, wn_node_id node)
{
    return wn_visual_view_style(r->kinds->view, node);
}

static wn_rect box_of(const wn_rules *r, wn_node_id node)
{
    return wn_visual_view_box(r->kinds->view, node);
}

static bool is_separator(const wn_rules *r, wn_node_id node)
{
    return has(r, node, WN_NODE_SEPARATOR);
}

static bool is_section(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_TBODY) || wn_node_is(node, WN_TAG_THEAD) ||
           wn_node_is(node, WN_TAG_TFOOT);
}

/* A block that can is separate: no word of a sentence. */
static bool is_box(const wn_rules *r, wn_node_id node)
{
    return has(r, node, WN_NODE_VISIBLE | WN_NODE_LINE_BREAK);
}

/* The node is a block of its own. The first rule that says so is remembered. */
static void make_block(wn_rules *r, wn_node_id node, wn_cause cause)
{
    if (r->marks.cause[node] == 0)
        r->marks.cause[node] = (uint8_t)cause;
}

/* The visible nodes from `first` up to `end`, which is not one of them, are one block. */
static void make_block_of_run(wn_rules *r, wn_node_id first, wn_node_id end, wn_cause cause)
{
    uint32_t count = 0;
    wn_node_id only = WN_NO_NODE;
    for (wn_node_id id = first; id != end; id = wn_visual_valid_next(r->kinds, id))
        if (has(r, id, WN_NODE_VISIBLE)) {
            only = id;
            count++;
        }
    if (count == 1 && is_box(r, only)) {
        make_block(r, only, cause);
        return;
    }
    uint32_t group = count > 0 ? wn_visual_marks_group(&r->marks, cause, 0) : 0;
    r->failed |= count > 0 && group == 0;
    for (wn_node_id id = first; id != end && group; id = wn_visual_valid_next(r->kinds, id))
        r->marks.group[id] = group;
}

/* ---- Nodes that are divided -------------------------------------------------------------- */

/* A block of children begins with `child`. The first rule that says so is remembered. */
static void cut_before(wn_rules *r, wn_node_id child, wn_cause cause)
{
    if (child && r->marks.cut[child] == 0)
        r->marks.cut[child] = (uint8_t)cause;
}

/* Rule 6 has divided it from top to bottom: lines across it would divide its columns. */
static bool has_columns(const wn_rules *r, wn_node_id node)
{
    wn_node_id child = wn_visual_valid_child(r->kinds, node);
    while (child && !r->marks.through[child])
        child = wn_visual_valid_next(r->kinds, child);
    return child != WN_NO_NODE;
}

void wn_visual_make_divided_blocks(wn_rules *r, wn_node_id node)
{
    bool table = wn_node_is(wn_doc_node(r->kinds->view->doc, node), WN_TAG_TABLE);
    wn_node_id first = table && has_columns(r, node) ? WN_NO_NODE
                                                     : wn_visual_valid_child(r->kinds, node);
    while (first) {
        wn_node_id end = wn_visual_valid_next(r->kinds, first);
        while (end && r->marks.cut[end] == 0)
            end = wn_visual_valid_next(r->kinds, end);
        wn_cause cause = (wn_cause)r->marks.cut[first];
        if (cause != 0 && cause != WN_CAUSE_REST)
            make_block_of_run(r, first, end, cause);
        first = end;
    }
}

/* ---- Rules 1 to 4: what is not divided --------------------------------------------------- */

/*
 * Rule 1: Remove all the invalid nodes and partially valid nodes which do not have any child.
 */
wn_rule_answer wn_rule_1(wn_rules *r, wn_node_id node)
{
    return has(r, node, WN_NODE_VALID) ? WN_RULE_SILENT : WN_RULE_STOP;
}

/*
 * Rule 2: If a node has only text node or invalid children, no block will be extracted.
 * Otherwise same rules are applied to each child.
 */
wn_rule_answer wn_rule_2(wn_rules *r, wn_node_id node)
{
    wn_node_id child = wn_visual_valid_child(r->kinds, node);
    for (; child; child = wn_visual_valid_next(r->kinds, child))
        if (!has(r, child, WN_NODE_IS_TEXT))
            return WN_RULE_SILENT;
    return WN_RULE_STOP;
}

/*
 * Rule 3: If node has only one child,
 * 1. If child is a text node or virtual text node, then no block will be extracted.
 * 2. If child is line-break node, then same rules are applied to the child node.
 */
wn_rule_answer wn_rule_3(wn_rules *r, wn_node_id node)
{
    wn_node_id child = wn_visual_valid_child(r->kinds, node);
    if (wn_visual_valid_next(r->kinds, child))
        return WN_RULE_SILENT;
    if (has(r, child, WN_NODE_IS_TEXT) || has(r, child, WN_NODE_VIRTUAL_TEXT))
        return WN_RULE_STOP;
    if (is_section(wn_doc_node(r->kinds->view->doc, child)))
        return WN_RULE_SILENT; /* a parser makes <tbody>; what the author wrote is its rows */
    return has(r, child, WN_NODE_LINE_BREAK) ? WN_RULE_DESCEND : WN_RULE_SILENT;
}

/*
 * Rule 4: If all the children are virtual text nodes of a node, node is put into block pool.
 */
wn_rule_answer wn_rule_4(wn_rules *r, wn_node_id node)
{
    if (!is_box(r, node))
        return WN_RULE_SILENT;
    wn_node_id child = wn_visual_valid_child(r->kinds, node);
    for (; child; child = wn_visual_valid_next(r->kinds, child))
        if (!has(r, child, WN_NODE_VIRTUAL_TEXT))
            return WN_RULE_SILENT;
    make_block(r, node, WN_CAUSE_RULE_4);
    return WN_RULE_STOP;
}

/* ---- Rule 5: separators ------------------------------------------------------------------ */

/* The node after the run that begins at `id`: a separator, or none. */
static wn_node_id end_of_side(const wn_rules *r, wn_node_id id, bool *visible)
{
    *visible = false;
    for (; id && !is_separator(r, id); id = wn_visual_valid_next(r->kinds, id))
        *visible |= has(r, id, WN_NODE_VISIBLE);
    return id;
}

static uint32_t count_sides(const wn_rules *r, wn_node_id node)
{
    uint32_t sides = 0;
    wn_node_id id = wn_visual_valid_child(r->kinds, node);
    while (id) {
        bool visible;
        wn_node_id end = end_of_side(r, id, &visible);
        sides += visible;
        id = end ? wn_visual_valid_next(r->kinds, end) : WN_NO_NODE;
    }
    return sides;
}

/*
 * Rule 5: If a node contains a child whose tag is HR or any of valid nodes which has no child,
 * then the node is divided into two as the nodes before the separator and after the separator.
 * For each side of the separator, two new blocks are created and children nodes are put under
 * these blocks.
 *
 * Several separators divide a node into as many sides more. One with nothing before or after
 * it divides nothing.
 */
wn_rule_answer wn_rule_5(wn_rules *r, wn_node_id node)
{
    if (count_sides(r, node) < 2)
        return WN_RULE_SILENT;
    wn_node_id id = wn_visual_valid_child(r->kinds, node);
    while (id) {
        bool visible;
        wn_node_id end = end_of_side(r, id, &visible);
        cut_before(r, id, WN_CAUSE_RULE_5);
        id = end ? wn_visual_valid_next(r->kinds, end) : WN_NO_NODE;
    }
    return WN_RULE_DESCEND;
}

/* ---- Rule 6: columns of a table ---------------------------------------------------------- */

typedef struct columns {
    uint32_t count;
    wn_color colours[MOST_COLUMNS];
    uint32_t groups[MOST_COLUMNS];
    uint32_t
        rows_below[MOST_COLUMNS]; /* rows of the section that a cell above still reaches into */
    bool seen[MOST_COLUMNS];
    bool regular; /* each column has one colour, and there are not too many */
} columns;

typedef void use_cell(wn_rules *r, columns *c, wn_node_id cell, uint32_t column);

/* How many columns or rows a cell takes; rowspan=0 means all that follow. */
static uint32_t span_of(const wn_node *cell, unsigned attribute)
{
    enum { MOST_SPAN = 65534 };
    uint32_t span = wn_attr_number(wn_node_attr(cell, attribute), 1);
    if (span == 0)
        return attribute == WN_ATTR_ROWSPAN ? MOST_SPAN : 1;
    return span < MOST_SPAN ? span : MOST_SPAN;
}

static void note_colour(wn_rules *r, columns *c, wn_node_id cell, uint32_t column)
{
    const wn_node *node = wn_doc_node(r->kinds->view->doc, cell);
    c->count = column >= c->count ? column + 1 : c->count;
    if (!wn_node_is(node, WN_TAG_TD))
        return; /* headings of columns may have a colour of their own */
    wn_color colour = r->kinds->backgrounds[cell];
    c->regular &= !c->seen[column] || c->colours[column] == colour;
    c->colours[column] = colour;
    c->seen[column] = true;
}

static void put_in_column(wn_rules *r, columns *c, wn_node_id cell, uint32_t column)
{
    if (!has(r, cell, WN_NODE_VISIBLE))
        return;
    if (c->groups[column] == 0)
        c->groups[column] = wn_visual_marks_group(&r->marks, WN_CAUSE_RULE_6, column + 1);
    r->failed |= c->groups[column] == 0;
    r->marks.group[cell] = c->groups[column];
}

/*
 * Goes over the cells of a row that are in one column. A cell across several is in none of them: it
 * is no part of a column, but it takes its place.
 */
static void each_cell_of_row(wn_rules *r, columns *c, wn_node_id row, use_cell *use)
{
    const wn_node *nodes = r->kinds->view->doc->nodes.items;
    uint32_t column = 0;
    bool taken[MOST_COLUMNS];
    for (uint32_t i = 0; i < MOST_COLUMNS; i++) {
        taken[i] = c->rows_below[i] > 0;
        c->rows_below[i] -= taken[i];
    }
    for (wn_node_id cell = nodes[row].first_child; cell; cell = nodes[cell].next) {
        if (!wn_node_is(&nodes[cell], WN_TAG_TD) && !wn_node_is(&nodes[cell], WN_TAG_TH))
            continue;
        while (column < MOST_COLUMNS && taken[column])
            column++;
        uint32_t width = span_of(&nodes[cell], WN_ATTR_COLSPAN);
        uint32_t height = span_of(&nodes[cell], WN_ATTR_ROWSPAN);
        if (column >= MOST_COLUMNS) {
            c->regular = false;
            return;
        }
        if (width == 1)
            use(r, c, cell, column);
        for (uint32_t i = 0; i < width && column < MOST_COLUMNS; i++)
            c->rows_below[column++] = height - 1;
    }
}

/* Goes over the cells of a table, but not of tables inside it. */
static void each_cell(wn_rules *r, columns *c, wn_node_id table, use_cell *use, bool through)
{
    const wn_node *nodes = r->kinds->view->doc->nodes.items;
    for (wn_node_id part = nodes[table].first_child; part; part = nodes[part].next) {
        if (!is_section(&nodes[part]))
            continue;
        r->marks.through[part] |= through;
        memset(c->rows_below, 0, sizeof c->rows_below);
        for (wn_node_id row = nodes[part].first_child; row; row = nodes[row].next) {
            if (!wn_node_is(&nodes[row], WN_TAG_TR))
                continue;
            r->marks.through[row] |= through;
            each_cell_of_row(r, c, row, use);
        }
    }
}

/* The cells of several columns, such as a heading above all of them, are blocks of their own. */
static void make_blocks_of_wide_cells(wn_rules *r, wn_node_id table)
{
    const wn_node *nodes = r->kinds->view->doc->nodes.items;
    for (wn_node_id part = nodes[table].first_child; part; part = nodes[part].next)
        for (wn_node_id row = nodes[part].first_child; row && r->marks.through[part];
             row = nodes[row].next)
            for (wn_node_id cell = nodes[row].first_child; cell && r->marks.through[row];
                 cell = nodes[cell].next)
                if (is_box(r, cell) && r->marks.group[cell] == 0)
                    make_block(r, cell, WN_CAUSE_RULE_6);
}

/*
 * Rule 6: If node is a table and some of its columns have different background color than the
 * others, divide the table into the number separate columns and construct a block for each piece.
 *
 * A cell across several columns is a piece by itself.
 */
wn_rule_answer wn_rule_6(wn_rules *r, wn_node_id node)
{
    if (!wn_node_is(wn_doc_node(r->kinds->view->doc, node), WN_TAG_TABLE))
        return WN_RULE_SILENT;
    columns c = {.regular = true};
    each_cell(r, &c, node, note_colour, false);
    bool differ = false;
    for (uint32_t i = 1; i < c.count; i++)
        differ |= c.seen[i] && c.seen[i - 1] && c.colours[i] != c.colours[i - 1];
    if (!c.regular || !differ)
        return WN_RULE_SILENT;
    each_cell(r, &c, node, put_in_column, true);
    make_blocks_of_wide_cells(r, node);
    return WN_RULE_DESCEND;
}

/* ---- Rule 7: coloured bars --------------------------------------------------------------- */

static bool is_bar(const wn_rules *r, wn_node_id node)
{
    if (!node || !is_separator(r, node) ||
        !wn_node_is(wn_doc_node(r->kinds->view->doc, node), WN_TAG_DIV))
        return false;
    return box_of(r, node).height > 0 && r->kinds->backgrounds[node] != WN_COLOR_WHITE &&
           wn_css_color_alpha(style_of(r, node)->background_color) > 0;
}

static wn_node_id last_valid_child(const wn_rules *r, wn_node_id node)
{
    wn_node_id last = wn_doc_node(r->kinds->view->doc, node)->last_child;
    return last && !has(r, last, WN_NODE_VALID) ? wn_visual_valid_prev(r->kinds, last) : last;
}

/*
 * Rule 7: If the first child of the node or the last child of the node is a DIV with no child and
 * with nonzero height property and background-color property which is not white, then create two
 * blocks: one of which for its parent node and the other for its parent previous or direct
 * sibling node.
 */
wn_rule_answer wn_rule_7(wn_rules *r, wn_node_id node)
{
    bool first = is_bar(r, wn_visual_valid_child(r->kinds, node));
    bool last = is_bar(r, last_valid_child(r, node));
    if ((!first && !last) || !is_box(r, node))
        return WN_RULE_SILENT;
    wn_node_id before = first ? wn_visual_valid_prev(r->kinds, node) : WN_NO_NODE;
    wn_node_id behind = last ? wn_visual_valid_next(r->kinds, node) : WN_NO_NODE;
    make_block(r, node, WN_CAUSE_RULE_7);
    if (before && is_box(r, before))
        make_block(r, before, WN_CAUSE_RULE_7);
    if (behind && is_box(r, behind))
        make_block(r, behind, WN_CAUSE_RULE_7);
    return WN_RULE_SILENT;
}

/* ---- Rule 8: side by side ---------------------------------------------------------------- */

/* Whether the children of a node can lie beside each other as floats do. */
static bool is_row(const wn_rules *r, wn_node_id node)
{
    switch (style_of(r, node)->display) {
    case WN_DISPLAY_FLEX:
    case WN_DISPLAY_INLINE_FLEX:
    case WN_DISPLAY_GRID:
    case WN_DISPLAY_INLINE_GRID:
        return !r->options->strict;
    default:
        return false;
    }
}

/* Neither above the other, nor one over the other. */
static bool lie_beside(wn_rect a, wn_rect b)
{
    bool rows_meet = a.y + a.height > b.y + A_PIXEL && b.y + b.height > a.y + A_PIXEL;
    bool apart = a.x + a.width <= b.x + A_PIXEL || b.x + b.width <= a.x + A_PIXEL;
    return rows_meet && apart;
}

static bool float_beside(const wn_style *first, const wn_style *second)
{
    return first->float_side == WN_FLOAT_LEFT &&
           (first->clear == WN_FLOAT_NONE || first->clear == WN_FLOAT_BOTH) &&
           second->float_side != WN_FLOAT_NONE && second->clear == WN_FLOAT_NONE;
}

/* Whether two adjacent children are the pair that the rule speaks of. */
static bool is_pair(const wn_rules *r, bool row, wn_node_id first, wn_node_id second, float width)
{
    if (!is_box(r, first) || !is_box(r, second))
        return false;
    wn_rect a = box_of(r, first), b = box_of(r, second);
    if (row)
        return lie_beside(a, b) && a.width + b.width <= width + A_PIXEL;
    return float_beside(style_of(r, first), style_of(r, second)) && a.width + b.width < width;
}

static bool is_floating(const wn_rules *r, bool row, wn_node_id node)
{
    return is_box(r, node) && (row ? r->marks.cause[node] == WN_CAUSE_RULE_8
                                   : style_of(r, node)->float_side != WN_FLOAT_NONE);
}

/* The children without float, run by run; a float that is not one of a pair is beside the rule. */
static void cut_around_floats(wn_rules *r, bool row, wn_node_id node)
{
    bool after_float = true;
    wn_node_id id = wn_visual_valid_child(r->kinds, node);
    for (; id; id = wn_visual_valid_next(r->kinds, id)) {
        bool floating = is_floating(r, row, id);
        bool paired = r->marks.cause[id] == WN_CAUSE_RULE_8;
        if (floating || after_float)
            cut_before(r, id, floating && !paired ? WN_CAUSE_REST : WN_CAUSE_RULE_8);
        after_float = floating;
    }
}

/*
 * Rule 8: If a node has two adjacent children that the first child has float: left with or
 * without clear: both property and the second child has float: left or right with clear: none
 * property or without clear property and the total width of these two children is less than the
 * width of the parent node, create a block for each adjacent child. Also create a block for the
 * children without float value. Then same rules are applied to the children of each block.
 *
 * Children of a flex or grid container that lie beside each other count as floats, and may fill
 * it (not with `strict`).
 */
wn_rule_answer wn_rule_8(wn_rules *r, wn_node_id node)
{
    bool row = is_row(r, node), found = false;
    float width = box_of(r, node).width;
    wn_node_id first = wn_visual_valid_child(r->kinds, node), second;
    for (; first && (second = wn_visual_valid_next(r->kinds, first)); first = second) {
        if (!is_pair(r, row, first, second, width))
            continue;
        make_block(r, first, WN_CAUSE_RULE_8);
        make_block(r, second, WN_CAUSE_RULE_8);
        found = true;
    }
    if (!found)
        return WN_RULE_SILENT;
    cut_around_floats(r, row, node);
    return WN_RULE_DESCEND;
}

/* ---- Rules 9 and 10: borders ------------------------------------------------------------- */

static bool has_border(const wn_rules *r, wn_node_id node, int side)
{
    return style_of(r, node)->border_width[side] > 0;
}

/*
 * Whether the borders of a child divide its siblings. Cells of a table lie beside each other, and
 * have nothing before or after them that a line above could divide.
 */
static bool divides(const wn_rules *r, wn_node_id child, int side)
{
    return is_box(r, child) && has_border(r, child, side) &&
           style_of(r, child)->display != WN_DISPLAY_TABLE_CELL;
}

/* The end of the block that begins at `id`: a line below it, or above the next, ends it. */
static wn_node_id end_at_line(const wn_rules *r, wn_node_id id)
{
    for (;;) {
        bool below = divides(r, id, WN_BOTTOM);
        id = wn_visual_valid_next(r->kinds, id);
        if (!id || below || divides(r, id, WN_TOP))
            return id;
    }
}

/*
 * Rule 9: If a node has a child, whose at least one of border-top-width and border-bottom-width
 * values is nonzero, divide this node into two blocks. Put the sibling nodes before the node with
 * nonzero border into the first block and put the siblings after the node with nonzero border
 * into the second block.
 * 1. If child has only nonzero border-top-width, put the child into second block.
 * 2. If child has only nonzero border-bottom-width, put the child into first block.
 * 3. If child has both nonzero border-top-width and nonzero border-bottom-width, create a third
 *    block and put it between two blocks.
 */
wn_rule_answer wn_rule_9(wn_rules *r, wn_node_id node)
{
    wn_node_id first = wn_visual_valid_child(r->kinds, node);
    if (!first || !end_at_line(r, first))
        return WN_RULE_SILENT;
    for (; first; first = end_at_line(r, first))
        cut_before(r, first, WN_CAUSE_RULE_9);
    return WN_RULE_DESCEND;
}

/*
 * Rule 10: If a node has at least one of nonzero border-top-width and nonzero border-bottom-width
 * values and both of the nonzero border-left-width and nonzero border-right-width values, create a
 * block for the node.
 */
wn_rule_answer wn_rule_10(wn_rules *r, wn_node_id node)
{
    bool level = has_border(r, node, WN_TOP) || has_border(r, node, WN_BOTTOM);
    if (!is_box(r, node) || !level || !has_border(r, node, WN_LEFT) ||
        !has_border(r, node, WN_RIGHT))
        return WN_RULE_SILENT;
    make_block(r, node, WN_CAUSE_RULE_10);
    return WN_RULE_DESCEND;
}
