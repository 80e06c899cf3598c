/*
 * Flow: blocks below each other, lines between them, floats beside them.
 *
 * One frame lays out a whole block formatting context: all blocks in it that do not make a
 * context of their own are opened and closed on a stack, in coordinates of the context's root.
 *
 * Adjacent margins collapse: they are collected in a strut, which becomes space when something
 * follows that margins cannot pass through – a line, a border, a box with its own context. Until
 * then the position of open blocks is unknown, and floats in them wait.
 * https://drafts.csswg.org/css2/#collapsing-margins
 *
 * A run is a stretch of inline content up to the next block, wherever that is: blocks
 * inside inline elements end a run, and another one starts after them.
 */
#include <assert.h>

#include "layout/engine.h"

enum { STATE_START, STATE_WALK, STATE_PREPARE, STATE_FLOAT, STATE_CONTEXT };

enum { MAX_INLINE_DEPTH = 512 }; /* inline elements around a block whose boxes grow with it */

static wn_open_block *top_block(wn_lay *lay)
{
    assert(lay->blocks.count > 0);
    return &lay->blocks.items[lay->blocks.count - 1];
}

/* ---- Where things are -------------------------------------------------------------------- */

/* Places blocks that were closed before their position was known at `y`. */
static void set_closed(wn_lay *lay, const wn_flow_state *flow, wn_px y)
{
    for (uint32_t i = flow->first_closed; i < lay->closed_blocks.count; i++)
        wn_layout_at(lay, lay->closed_blocks.items[i])->y = y;
    lay->closed_blocks.count = flow->first_closed;
}

/* Floats that waited for the place of their block get theirs. */
static void place_waiting_floats(wn_lay *lay, wn_frame *frame, wn_px y)
{
    const wn_flow_state *flow = &frame->flow;
    for (uint32_t i = flow->first_waiting; i < lay->waiting_floats.count; i++) {
        const wn_waiting_float *w = &lay->waiting_floats.items[i];
        wn_layout_float_place(lay, frame, w->box, y, w->left, w->width);
    }
    lay->waiting_floats.count = flow->first_waiting;
}

/* Everything that is open gets its place at `y`, and floats that waited for it. */
static void resolve(wn_lay *lay, wn_frame *frame, wn_px y)
{
    wn_flow_state *flow = &frame->flow;
    for (uint32_t i = lay->blocks.count; i > flow->first_block; i--) {
        wn_open_block *block = &lay->blocks.items[i - 1];
        if (block->resolved)
            break;
        block->resolved = true;
        block->top = y;
    }
    set_closed(lay, flow, y);
    flow->y = y;
    flow->strut = (wn_strut){0, 0};
    place_waiting_floats(lay, frame, y);
}

static wn_px next_y(const wn_flow_state *flow)
{
    return flow->y + wn_layout_strut_sum(flow->strut);
}

static void resolve_here(wn_lay *lay, wn_frame *frame)
{
    const wn_flow_state *flow = &frame->flow;
    bool waiting = lay->waiting_floats.count > flow->first_waiting;
    if (!top_block(lay)->resolved || flow->strut.positive || flow->strut.negative || waiting)
        resolve(lay, frame, next_y(flow));
}

/* `clear` pushes the box below floats; then its margin no longer meets the ones before. */
static void clear_floats(wn_lay *lay, wn_frame *frame, const wn_lay_box *box, wn_px margin)
{
    wn_flow_state *flow = &frame->flow;
    uint8_t clear = box->style->clear;
    if (clear == WN_FLOAT_NONE)
        return;
    /* Floats that would move down with the box are never above it: it must pass them. */
    bool follow = lay->waiting_floats.count > flow->first_waiting;
    wn_px before = wn_layout_float_clear(frame, clear);
    if (follow)
        resolve_here(lay, frame);
    wn_strut with = flow->strut;
    wn_layout_strut_add(&with, margin);
    wn_px bottom = wn_layout_float_clear(frame, clear);
    follow = follow && bottom > before && bottom > flow->y;
    if (!follow && bottom <= flow->y + wn_layout_strut_sum(with))
        return;
    resolve_here(lay, frame);
    flow->y = bottom - margin;
}

void wn_layout_set_static(wn_lay *lay, wn_frame *frame, uint32_t number, wn_px x, wn_px y)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    assert(box->absolute && frame->box < number);
    box->static_x = x;
    box->static_y = y;
    box->static_origin = frame->box;
    box->static_align_x = box->static_align_y = WN_STATIC_START;
}

/* Inline elements around a block are as large as it is, too. */
static void grow_inlines(wn_lay *lay, const wn_lay_box *box)
{
    uint32_t number = box->parent;
    for (int depth = 0; depth < MAX_INLINE_DEPTH; depth++) {
        wn_lay_box *around = wn_layout_at(lay, number);
        if (around->kind != WN_LAY_INLINE)
            return;
        around->origin = box->origin;
        wn_layout_join(around, box->x, box->y, box->width, box->height);
        number = around->parent;
    }
}

/* ---- Widths ------------------------------------------------------------------------------ */

/* How far a block narrower than its container moves, by auto margins, direction and alignment. */
static wn_px horizontal_shift(const wn_lay_box *box, const wn_style *around, wn_px room)
{
    if (box->auto_left && box->auto_right)
        return wn_px_max(room, 0) / 2;
    if (box->auto_left)
        return wn_px_max(room, 0);
    if (box->auto_right || room <= 0)
        return around->rtl && !box->auto_right ? room : 0;
    if (around->text_align == WN_TEXT_ALIGN_WEBKIT_CENTER)
        return room / 2;
    if (around->text_align == WN_TEXT_ALIGN_WEBKIT_RIGHT)
        return room;
    return around->rtl && around->text_align != WN_TEXT_ALIGN_WEBKIT_LEFT ? room : 0;
}

/* The width of a block in the flow: all there is, unless it says something else. */
static wn_px block_width(wn_lay *lay, uint32_t number, wn_px base, wn_px available, wn_px percent)
{
    const wn_lay_box *box = wn_layout_at(lay, number);
    bool button = box->node && wn_node_is(wn_doc_node(lay->doc, box->node), WN_TAG_BUTTON);
    if (box->kind == WN_LAY_TABLE || box->kind == WN_LAY_REPLACED || box->legend || button ||
        wn_layout_turn_is_across(lay, number))
        return wn_layout_fit_width(lay, number, base, available, percent);
    bool by_ratio = box->style->aspect_ratio > 0 &&
                    wn_layout_given_height(lay, box, box->style->height, percent) != WN_PX_AUTO;
    if (by_ratio && wn_css_length_is_auto(box->style->width))
        return wn_layout_fit_width(lay, number, base, available, percent);
    wn_px width = wn_layout_given_width(lay, number, box->style->width, base, available);
    if (width == WN_PX_AUTO)
        width = available;
    return wn_layout_limit_width(lay, number, width, base, available);
}

/* ---- Pieces of columns ------------------------------------------------------------------- */

static void begin_piece(wn_lay *lay, wn_frame *frame, wn_open_block *block, const wn_lay_box *box)
{
    block->pieces = lay->pieces.count;
    if (box->style->break_before == WN_BREAK_COLUMN)
        frame->flow.forces_break = true;
}

/* A block is closed: what is in it stays together if it must, and it may be higher than that. */
static void end_piece(wn_lay *lay, wn_frame *frame, const wn_open_block *block)
{
    wn_flow_state *flow = &frame->flow;
    const wn_lay_box *box = wn_layout_at(lay, block->box);
    assert(lay->pieces.count >= block->pieces);
    bool empty = lay->pieces.count == block->pieces;
    wn_px bottom = box->y + box->height;
    wn_px from = empty ? box->y : lay->pieces.items[lay->pieces.count - 1].bottom;
    if (!empty && bottom <= from + box->edge[WN_BOTTOM])
        lay->pieces.items[lay->pieces.count - 1].bottom = wn_px_max(bottom, from);
    else if (bottom > from)
        wn_layout_columns_add(
            lay, frame,
            (wn_layout_piece){.top = from,
                              .bottom = bottom,
                              .baseline = WN_PX_NONE,
                              .last_baseline = WN_PX_NONE,
                              .splits = !empty || box->height > wn_layout_edge_height(box)});
    if (box->style->break_inside_avoid)
        wn_layout_columns_join(lay, block->pieces);
    flow->piece_top = WN_PX_NONE;
    if (box->style->break_after == WN_BREAK_COLUMN)
        flow->forces_break = true;
}

/* A box that is not cut. */
static void add_whole(wn_lay *lay, wn_frame *frame, const wn_lay_box *box)
{
    wn_flow_state *flow = &frame->flow;
    bool has = box->baseline != WN_PX_NONE;
    wn_px last = box->last_baseline != WN_PX_NONE ? box->last_baseline : box->baseline;
    wn_layout_columns_add(lay, frame,
                          (wn_layout_piece){.top = box->y,
                                            .bottom = box->y + box->height,
                                            .baseline = has ? box->y + box->baseline : WN_PX_NONE,
                                            .last_baseline = has ? box->y + last : WN_PX_NONE,
                                            .forced = box->style->break_before == WN_BREAK_COLUMN,
                                            .spans = box->style->column_span_all});
    if (box->style->break_after == WN_BREAK_COLUMN)
        flow->forces_break = true;
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static wn_open_block *push_block(wn_lay *lay, uint32_t number)
{
    wn_open_block *block = wn_array_push(&lay->blocks);
    if (!block) {
        lay->failed = true;
        return NULL;
    }
    *block = (wn_open_block){.box = number, .height = WN_PX_AUTO, .percent = WN_PX_AUTO};
    return block;
}

/* The content's height, if the style says it, or the ratio. */
static wn_px given_content_height(wn_lay *lay, const wn_lay_box *box, wn_px percent)
{
    wn_px height = wn_layout_given_height(lay, box, box->style->height, percent);
    if (height == WN_PX_AUTO)
        return WN_PX_AUTO;
    return wn_layout_limit_height(lay, box, height, percent) - wn_layout_edge_height(box);
}

static void open_block(wn_lay *lay, wn_frame *frame, uint32_t number)
{
    wn_flow_state *flow = &frame->flow;
    wn_open_block parent = *top_block(lay);
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_layout_edges(lay, box, parent.width);
    wn_px available = parent.width - wn_layout_margin_width(box);
    wn_px width = block_width(lay, number, parent.width, available, parent.percent);
    box = wn_layout_at(lay, number);
    wn_px shift = horizontal_shift(box, wn_layout_at(lay, parent.box)->style, available - width);
    clear_floats(lay, frame, box, box->margin[WN_TOP]);
    wn_layout_strut_add(&flow->strut, box->margin[WN_TOP]);
    wn_open_block *block = push_block(lay, number);
    if (!block)
        return;
    box->origin = frame->box;
    box->x = parent.left + box->margin[WN_LEFT] + shift;
    box->width = width;
    block->left = box->x + box->edge[WN_LEFT];
    block->width = wn_px_max(width - wn_layout_edge_width(box), 0);
    block->height = given_content_height(lay, box, parent.percent);
    block->percent = block->height != WN_PX_AUTO ? block->height
                     : lay->quirks               ? parent.percent
                                                 : WN_PX_AUTO;
    flow->cursor = number + 1;
    if (flow->columns.count)
        begin_piece(lay, frame, block, box);
    if (box->edge[WN_TOP] > 0) {
        resolve_here(lay, frame);
        if (flow->piece_top == WN_PX_NONE)
            flow->piece_top = flow->y;
        flow->y += box->edge[WN_TOP];
    }
}

/* In quirks mode the body, and what it is in, fill the screen. */
static wn_px quirky_height(wn_lay *lay, uint32_t number, wn_px height)
{
    const wn_lay_box *box = wn_layout_at(lay, number);
    if (!lay->quirks || !box->node || !wn_css_length_is_auto(box->style->height))
        return height;
    const wn_node *node = wn_doc_node(lay->doc, box->node);
    if (wn_node_is(node, WN_TAG_HTML))
        return wn_px_max(height, lay->viewport_height);
    if (wn_node_is(node, WN_TAG_BODY) && box->parent == 1)
        return wn_px_max(height, lay->viewport_height - wn_layout_margin_height(box));
    return height;
}

/* A marker beside an item without text makes a line all the same. */
static bool has_marker_line(const wn_lay_box *box, const wn_open_block *block)
{
    const wn_style *style = box->style;
    return style->display == WN_DISPLAY_LIST_ITEM && !block->has_line &&
           box->end == block->box + 1 &&
           (style->list_style != WN_LIST_NONE || style->list_style_image);
}

/* The height of a line with nothing in it. */
static wn_px line_height(wn_lay *lay, const wn_style *style)
{
    wn_px up, down;
    wn_layout_lines_strut(lay, style, &up, &down);
    return up + down;
}

/* A block with a ratio is at least as high as that makes it. */
static wn_px height_by_ratio(const wn_lay_box *box, wn_px height)
{
    if (box->style->aspect_ratio <= 0)
        return height;
    bool whole = box->style->border_box && !box->style->aspect_ratio_auto;
    double side = (double)(box->width - (whole ? 0 : wn_layout_edge_width(box)));
    double by_ratio = side / (double)box->style->aspect_ratio;
    return wn_px_max(height, wn_px_cut(by_ratio) + (whole ? 0 : wn_layout_edge_height(box)));
}

/* Closes a block that is certain to have a place; returns its height. */
static wn_px close_resolved(wn_lay *lay, wn_frame *frame, const wn_open_block *block, wn_px percent)
{
    wn_flow_state *flow = &frame->flow;
    wn_lay_box *box = wn_layout_at(lay, block->box);
    wn_px edges = wn_layout_edge_height(box);
    if (block->height != WN_PX_AUTO) {
        flow->strut = (wn_strut){0, 0};
        flow->y = block->top + block->height + edges;
        return block->height + edges;
    }
    bool open_end = box->edge[WN_BOTTOM] == 0;
    if (!open_end) {
        flow->y = next_y(flow);
        flow->strut = (wn_strut){0, 0};
    }
    wn_px height = wn_px_max(flow->y + box->edge[WN_BOTTOM] - block->top, 0);
    wn_px limited = wn_layout_limit_height(lay, box, height_by_ratio(box, height), percent);
    limited = quirky_height(lay, block->box, limited);
    if (limited != height)
        flow->strut = (wn_strut){0, 0};
    flow->y = block->top + limited;
    return limited;
}

/* Closes a block that margins pass through: its position may become known later. */
static void close_unresolved(wn_lay *lay, wn_frame *frame, uint32_t number, bool parent_resolved)
{
    wn_flow_state *flow = &frame->flow;
    wn_lay_box *box = wn_layout_at(lay, number);
    box->height = 0;
    box->y = next_y(flow);
    if (parent_resolved) { /* those inside are at the same place, and so are their floats */
        set_closed(lay, flow, box->y);
        place_waiting_floats(lay, frame, box->y);
        return;
    }
    uint32_t *closed = wn_array_push(&lay->closed_blocks);
    if (closed)
        *closed = number;
    else
        lay->failed = true;
}

/* Whether a block has a height even if nothing is in it. */
static bool has_least_height(wn_lay *lay, const wn_open_block *block, wn_px percent)
{
    const wn_lay_box *box = wn_layout_at(lay, block->box);
    wn_px least = wn_px_max(block->height, 0) + wn_layout_edge_height(box);
    if (block->height == WN_PX_AUTO)
        least = height_by_ratio(box, least);
    least = wn_layout_limit_height(lay, box, least, percent);
    return quirky_height(lay, block->box, least) > 0;
}

static void close_block(wn_lay *lay, wn_frame *frame)
{
    wn_flow_state *flow = &frame->flow;
    assert(lay->blocks.count > flow->first_block + 1);
    const wn_open_block *block = top_block(lay), *parent = block - 1;
    wn_lay_box *box = wn_layout_at(lay, block->box);
    if (has_marker_line(box, block)) {
        resolve_here(lay, frame);
        flow->y += line_height(lay, box->style);
    }
    if (!block->resolved && has_least_height(lay, block, parent->percent))
        resolve_here(lay, frame);
    box->placed = true;
    if (block->resolved) {
        box->y = block->top;
        box->height = close_resolved(lay, frame, block, parent->percent);
    } else {
        close_unresolved(lay, frame, block->box, parent->resolved);
    }
    wn_layout_strut_add(&flow->strut, box->margin[WN_BOTTOM]);
    if (flow->columns.count)
        end_piece(lay, frame, block);
    grow_inlines(lay, box);
    lay->blocks.count--;
}

/* ---- Floats and boxes with a context of their own ---------------------------------------- */

static wn_lay_input input_for(const wn_frame *frame, wn_px width, wn_px percent)
{
    return (wn_lay_input){
        .width = width, .height = WN_PX_AUTO, .percent = percent, .measure = frame->in.measure};
}

/* Begins to lay out a float or an atom as wide as it likes to be. */
static bool call_fitting(wn_lay *lay, wn_frame *frame, uint32_t number)
{
    const wn_open_block *block = top_block(lay);
    wn_px base = block->width, percent = block->percent;
    wn_layout_edges(lay, wn_layout_at(lay, number), base);
    wn_px available = base - wn_layout_margin_width(wn_layout_at(lay, number));
    wn_px width = wn_layout_fit_width(lay, number, base, available, percent);
    wn_layout_at(lay, number)->placed = false;
    return wn_layout_call(lay, number, input_for(frame, width, percent));
}

static void place_float(wn_lay *lay, wn_frame *frame, uint32_t number)
{
    const wn_open_block *block = top_block(lay);
    if (block->resolved) {
        wn_layout_float_place(lay, frame, number, next_y(&frame->flow), block->left, block->width);
        return;
    }
    wn_waiting_float *waiting = wn_array_push(&lay->waiting_floats);
    if (waiting)
        *waiting = (wn_waiting_float){number, block->left, block->width};
    else
        lay->failed = true;
}

/* Finds room beside floats for a box with its own context, moving down if it must. */
static wn_px find_room(wn_lay *lay, wn_frame *frame, uint32_t number)
{
    wn_flow_state *flow = &frame->flow;
    const wn_open_block block = *top_block(lay);
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_px margin_left = box->margin[WN_LEFT], margin_right = box->margin[WN_RIGHT];
    for (;;) {
        wn_px left = block.left, right = block.left + block.width;
        wn_px inner_left = left, inner_right = right;
        wn_layout_float_edges(lay, frame, flow->y, &inner_left, &inner_right);
        wn_px start = wn_px_max(left + margin_left, inner_left);
        wn_px end = wn_px_min(right - margin_right, inner_right);
        bool beside = inner_left > left || inner_right < right;
        if (!beside) {
            start = left + margin_left;
            end = right - margin_right;
        }
        wn_px width = block_width(lay, number, block.width, end - start, block.percent);
        bool fits = width <= end - start;
        if (beside && fits && wn_css_length_is_auto(wn_layout_at(lay, number)->style->width) &&
            wn_layout_at(lay, number)->kind != WN_LAY_REPLACED) {
            wn_layout_intrinsic(lay, number);
            fits = wn_layout_at(lay, number)->min_content <= end - start;
        }
        wn_px next = wn_layout_float_next(lay, frame, flow->y);
        if (fits || !beside || next <= flow->y) {
            box = wn_layout_at(lay, number);
            wn_px shift = horizontal_shift(box, wn_layout_at(lay, block.box)->style,
                                           end - start - width);
            box->x = start + shift;
            return width;
        }
        flow->y = next;
    }
}

/* An element over all columns is as wide as they are together. */
static wn_px spanning_width(wn_lay *lay, wn_frame *frame, uint32_t number)
{
    const wn_lay_box *root = wn_layout_at(lay, frame->box);
    wn_px room = wn_px_max(frame->in.width - wn_layout_edge_width(root), 0);
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_px left = root->edge[WN_LEFT], available = room - wn_layout_margin_width(box);
    wn_px width = block_width(lay, number, room, available, top_block(lay)->percent);
    box = wn_layout_at(lay, number);
    box->x = left + box->margin[WN_LEFT] +
             horizontal_shift(box, wn_layout_at(lay, frame->box)->style, available - width);
    return width;
}

static bool call_context(wn_lay *lay, wn_frame *frame, uint32_t number)
{
    wn_flow_state *flow = &frame->flow;
    wn_px percent = top_block(lay)->percent;
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_layout_edges(lay, box, top_block(lay)->width);
    clear_floats(lay, frame, box, box->margin[WN_TOP]);
    wn_layout_strut_add(&flow->strut, box->margin[WN_TOP]);
    resolve_here(lay, frame);
    bool spans = frame->flow.columns.count && wn_layout_at(lay, number)->style->column_span_all;
    wn_px width = spans ? spanning_width(lay, frame, number) : find_room(lay, frame, number);
    return wn_layout_call(lay, number, input_for(frame, width, percent));
}

/* A legend is in the middle of its fieldset's upper border, which grows with it. */
static void place_legend(const wn_open_block *block, wn_frame *frame, wn_lay_box *box,
                         const wn_lay_box *fieldset)
{
    wn_px border = wn_px_from(fieldset->style->border_width[WN_TOP]);
    wn_px padding = fieldset->edge[WN_TOP] - border;
    wn_px outer = box->height + wn_layout_margin_height(box);
    box->y = block->top + box->margin[WN_TOP] + wn_px_max(border - outer, 0) / 2;
    frame->flow.y = block->top + wn_px_max(border, outer) + padding;
    frame->flow.strut = (wn_strut){0, 0};
}

static void place_context(wn_lay *lay, wn_frame *frame, uint32_t number)
{
    wn_flow_state *flow = &frame->flow;
    wn_lay_box *box = wn_layout_at(lay, number), *root = wn_layout_at(lay, frame->box);
    box->origin = frame->box;
    box->y = flow->y;
    box->placed = true;
    if (box->legend) {
        const wn_open_block *block = top_block(lay);
        place_legend(block, frame, box, wn_layout_at(lay, block->box));
        return;
    }
    if (box->baseline != WN_PX_NONE) {
        if (root->baseline == WN_PX_NONE)
            root->baseline = box->y + box->baseline;
        root->last_baseline = box->y + (box->last_baseline != WN_PX_NONE ? box->last_baseline
                                                                         : box->baseline);
    }
    flow->y += box->height;
    flow->strut = (wn_strut){0, 0};
    wn_layout_strut_add(&flow->strut, box->margin[WN_BOTTOM]);
    if (flow->columns.count)
        add_whole(lay, frame, box);
    grow_inlines(lay, box);
}

/* ---- Runs of inline content -------------------------------------------------------------- */

static bool is_atom(const wn_lay_box *box)
{
    return box->inline_level && box->kind != WN_LAY_INLINE && box->kind != WN_LAY_TEXT &&
           box->kind != WN_LAY_BREAK;
}

static bool ends_run(const wn_lay_box *box)
{
    return !box->inline_level && !box->floating && !box->absolute;
}

/* Lays out the inline-blocks and floats of the run, one call after the other. */
static bool prepare_run(wn_lay *lay, wn_frame *frame)
{
    wn_flow_state *flow = &frame->flow;
    const wn_open_block block = *top_block(lay);
    uint32_t end = wn_layout_at(lay, block.box)->end;
    assert(flow->run_start <= flow->run_end && flow->run_end <= end);
    while (flow->run_end < end) {
        uint32_t number = flow->run_end;
        wn_lay_box *box = wn_layout_at(lay, number);
        if (ends_run(box))
            break;
        if (box->kind == WN_LAY_INLINE && !box->absolute && !box->floating) {
            wn_layout_edges(lay, box, block.width);
            box->placed = false;
            flow->run_end++;
        } else {
            flow->run_end = box->end;
        }
        if (!box->floating && !box->absolute)
            flow->run_has_content = flow->run_has_content ||
                                    wn_layout_lines_has_content(lay, number);
        box = wn_layout_at(lay, number);
        if ((is_atom(box) || box->floating) && !box->absolute && call_fitting(lay, frame, number))
            return true;
    }
    return false;
}

/* A run without anything to see: floats are placed, elements are where a line would be. */
static void skip_run(wn_lay *lay, wn_frame *frame)
{
    wn_flow_state *flow = &frame->flow;
    wn_px x = top_block(lay)->left;
    uint32_t number = flow->run_start;
    while (number < flow->run_end) {
        wn_lay_box *box = wn_layout_at(lay, number);
        uint32_t next = box->kind == WN_LAY_INLINE && !box->absolute && !box->floating ? number + 1
                                                                                       : box->end;
        if (box->absolute) {
            wn_layout_set_static(lay, frame, number, x, next_y(flow));
        } else if (box->floating) {
            place_float(lay, frame, number);
        } else {
            box->origin = frame->box;
            box->x = x;
            box->y = next_y(flow);
            box->width = box->height = 0;
        }
        number = next;
    }
}

static void lay_out_run(wn_lay *lay, wn_frame *frame)
{
    wn_flow_state *flow = &frame->flow;
    if (flow->run_has_content) {
        resolve_here(lay, frame);
        wn_layout_lines_lay_out(lay, frame, flow->run_start, flow->run_end);
    } else {
        skip_run(lay, frame);
    }
    flow->cursor = flow->run_end;
}

/* ---- The walk ---------------------------------------------------------------------------- */

/* The contents are laid out in the first column. */
static void start_columns(wn_lay *lay, wn_frame *frame, wn_open_block *block)
{
    wn_flow_state *flow = &frame->flow;
    const wn_style *style = wn_layout_at(lay, frame->box)->style;
    flow->columns = wn_layout_columns_of(lay, style, block->width);
    flow->first_piece = block->pieces = lay->pieces.count;
    flow->first_fragment = lay->fragments.count;
    flow->content_top = flow->y;
    flow->piece_top = WN_PX_NONE;
    if (style->rtl)
        block->left += block->width - flow->columns.width;
    block->width = flow->columns.width;
}

static void start(wn_lay *lay, wn_frame *frame)
{
    wn_flow_state *flow = &frame->flow;
    wn_lay_box *box = wn_layout_at(lay, frame->box);
    flow->first_block = lay->blocks.count;
    for (int side = WN_LAYOUT_LEFT; side <= WN_LAYOUT_RIGHT; side++) {
        flow->first_float[side] = lay->floats[side].count;
        flow->float_bottom[side] = -WN_PX_MAX;
    }
    flow->first_waiting = lay->waiting_floats.count;
    flow->first_closed = lay->closed_blocks.count;
    flow->float_top = -WN_PX_MAX;
    flow->cursor = frame->box + 1;
    flow->y = box->edge[WN_TOP];
    box->baseline = box->last_baseline = WN_PX_NONE;
    wn_open_block *block = push_block(lay, frame->box);
    if (!block)
        return;
    block->resolved = true;
    block->left = box->edge[WN_LEFT];
    block->width = wn_px_max(frame->in.width - wn_layout_edge_width(box), 0);
    if (wn_layout_columns_has(box))
        start_columns(lay, frame, block);
    block->height = frame->in.height != WN_PX_AUTO
                        ? wn_px_max(frame->in.height - wn_layout_edge_height(box), 0)
                        : given_content_height(lay, box, frame->in.percent);
    if (box->kind == WN_LAY_CELL && frame->in.height == WN_PX_AUTO)
        block->height = WN_PX_AUTO; /* its height is a minimum, and not what it will be */
    block->percent = block->height != WN_PX_AUTO               ? block->height
                     : lay->quirks && box->kind != WN_LAY_CELL ? frame->in.percent
                                                               : WN_PX_AUTO;
    if (frame->in.loose)
        block->percent = WN_PX_AUTO;
}

/* A button's content is in the middle of its height. */
static void centre_button(wn_lay *lay, wn_lay_box *box, wn_px content)
{
    if (!box->node || !wn_node_is(wn_doc_node(lay->doc, box->node), WN_TAG_BUTTON))
        return;
    wn_px room = box->height - wn_layout_edge_height(box) - content;
    box->content_shift = wn_px_max(room, 0) / 2;
    if (box->baseline != WN_PX_NONE) {
        box->baseline += box->content_shift;
        box->last_baseline += box->content_shift;
    }
}

/* Cuts the columns: they are as high as the container is, or can be. */
static wn_px finish_columns(wn_lay *lay, wn_frame *frame, const wn_open_block *block)
{
    const wn_lay_box *box = wn_layout_at(lay, frame->box);
    wn_px most = wn_layout_given_height(lay, box, box->style->max_height, frame->in.percent);
    if (most != WN_PX_AUTO)
        most = wn_px_max(most - wn_layout_edge_height(box), 0);
    if (block->height != WN_PX_AUTO)
        most = block->height;
    return wn_layout_columns_finish(lay, frame, most);
}

/* What is scrolled has its baselines within its box. */
static void keep_baselines_inside(wn_lay_box *box)
{
    if (box->baseline == WN_PX_NONE || !wn_layout_scrolls(box->style->overflow_y))
        return;
    box->baseline = wn_px_max(wn_px_min(box->baseline, box->height), 0);
    box->last_baseline = wn_px_max(wn_px_min(box->last_baseline, box->height), 0);
}

/* The bottom of what is in the context. */
static wn_px content_bottom(wn_lay *lay, wn_frame *frame, const wn_open_block *block)
{
    const wn_flow_state *flow = &frame->flow;
    const wn_lay_box *box = wn_layout_at(lay, frame->box);
    wn_px bottom = wn_px_max(flow->y, wn_layout_float_clear(frame, WN_FLOAT_BOTH));
    if (flow->columns.count)
        bottom = finish_columns(lay, frame, block);
    else if (flow->clamped)
        bottom = flow->clamped;
    return box->style->contain & WN_CONTAIN_SIZE ? box->edge[WN_TOP] : bottom;
}

/* The height of the context's border box. */
static wn_px context_height(wn_lay *lay, wn_frame *frame, const wn_open_block *block, wn_px bottom)
{
    const wn_lay_box *box = wn_layout_at(lay, frame->box);
    wn_px edges = wn_layout_edge_height(box), percent = frame->in.percent;
    if (frame->in.height != WN_PX_AUTO)
        return frame->in.height;
    wn_px height;
    if (block->height != WN_PX_AUTO) {
        height = block->height + edges;
    } else {
        height = wn_px_max(bottom, box->edge[WN_TOP]) + box->edge[WN_BOTTOM];
        height = wn_layout_limit_height(lay, box, height_by_ratio(box, height), percent);
        height = quirky_height(lay, frame->box, height);
    }
    if (box->kind == WN_LAY_CELL)
        height = wn_px_max(height, given_content_height(lay, box, percent) + edges);
    return height;
}

/* Leaves the stacks as they were before the context. */
static void end_context(wn_lay *lay, const wn_flow_state *flow)
{
    assert(lay->blocks.count == flow->first_block + 1);
    assert(lay->waiting_floats.count == flow->first_waiting);
    lay->blocks.count = flow->first_block;
    for (int side = WN_LAYOUT_LEFT; side <= WN_LAYOUT_RIGHT; side++)
        lay->floats[side].count = flow->first_float[side];
    lay->closed_blocks.count = flow->first_closed;
}

static void finish(wn_lay *lay, wn_frame *frame)
{
    wn_lay_box *box = wn_layout_at(lay, frame->box);
    wn_open_block block = *top_block(lay);
    if (has_marker_line(box, &block))
        frame->flow.y += line_height(lay, box->style);
    resolve_here(lay, frame);
    wn_px bottom = content_bottom(lay, frame, &block);
    box->height = context_height(lay, frame, &block, bottom);
    centre_button(lay, box, wn_px_max(bottom - box->edge[WN_TOP], 0));
    keep_baselines_inside(box);
    end_context(lay, &frame->flow);
    wn_layout_return(lay, frame);
}

/* One box. True if a child was called: the step ends here. */
static bool walk(wn_lay *lay, wn_frame *frame)
{
    wn_flow_state *flow = &frame->flow;
    uint32_t number = flow->cursor;
    assert(number > top_block(lay)->box);
    const wn_lay_box *box = wn_layout_at(lay, number);
    if (box->absolute) {
        wn_layout_set_static(lay, frame, number, top_block(lay)->left, next_y(flow));
        flow->cursor = box->end;
    } else if (box->floating) {
        frame->state = STATE_FLOAT;
        return call_fitting(lay, frame, number);
    } else if (box->inline_level) {
        frame->state = STATE_PREPARE;
        flow->run_start = flow->run_end = number;
        flow->run_has_content = false;
    } else if (box->kind == WN_LAY_COLUMN || box->kind == WN_LAY_GROUP || box->kind == WN_LAY_ROW) {
        flow->cursor = box->end; /* without a table: cannot be */
    } else if (wn_layout_is_context(lay, box)) {
        frame->state = STATE_CONTEXT;
        return call_context(lay, frame, number);
    } else {
        open_block(lay, frame, number);
    }
    return false;
}

void wn_layout_flow_step(wn_lay *lay, wn_frame *frame)
{
    wn_flow_state *flow = &frame->flow;
    while (!lay->failed) {
        switch (frame->state) {
        case STATE_START:
            start(lay, frame);
            frame->state = STATE_WALK;
            break;
        case STATE_PREPARE:
            if (prepare_run(lay, frame))
                return;
            lay_out_run(lay, frame);
            frame->state = STATE_WALK;
            break;
        case STATE_FLOAT:
            place_float(lay, frame, flow->cursor);
            flow->cursor = wn_layout_at(lay, flow->cursor)->end;
            frame->state = STATE_WALK;
            break;
        case STATE_CONTEXT:
            place_context(lay, frame, flow->cursor);
            flow->cursor = wn_layout_at(lay, flow->cursor)->end;
            frame->state = STATE_WALK;
            break;
        default:
            if (flow->cursor < wn_layout_at(lay, top_block(lay)->box)->end) {
                if (walk(lay, frame))
                    return;
            } else if (lay->blocks.count > flow->first_block + 1) {
                close_block(lay, frame);
            } else {
                finish(lay, frame);
                return;
            }
        }
    }
}
