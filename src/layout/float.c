/*
 * Floats: boxes at the left or right edge that lines go around.
 *
 * Floats are placed from top to bottom: none is higher than one before it. So those of one side
 * that still matter form stairs: the further in an edge, the sooner it ends. They are kept as a
 * stack with the innermost on top; asking for the edges at some y drops those that have ended by
 * then, since later questions are never higher up. Each float is put on and taken off once.
 * (Content that a negative margin pulls up again no longer sees floats that ended.)
 */
#include <assert.h>

#include "layout/engine.h"

wn_px wn_layout_strut_sum(wn_strut strut)
{
    return strut.positive + strut.negative;
}

void wn_layout_strut_add(wn_strut *strut, wn_px margin)
{
    if (margin > 0)
        strut->positive = wn_px_max(strut->positive, margin);
    else
        strut->negative = wn_px_min(strut->negative, margin);
}

/* The float of a side that reaches furthest in; NULL if the context has none there. */
static const wn_float_edge *innermost(const wn_lay *lay, const wn_flow_state *flow, int side)
{
    uint32_t count = lay->floats[side].count;
    assert(count >= flow->first_float[side]);
    return count > flow->first_float[side] ? &lay->floats[side].items[count - 1] : NULL;
}

/* Whether the edge of a float of that side is no further in than another. */
static bool is_outside(int side, wn_px edge, wn_px other)
{
    return side == WN_LAYOUT_LEFT ? edge <= other : edge >= other;
}

void wn_layout_float_edges(wn_lay *lay, wn_frame *frame, wn_px y, wn_px *left, wn_px *right)
{
    for (int side = WN_LAYOUT_LEFT; side <= WN_LAYOUT_RIGHT; side++) {
        const wn_float_edge *top;
        while ((top = innermost(lay, &frame->flow, side)) && top->bottom <= y)
            lay->floats[side].count--;
        wn_px *edge = side == WN_LAYOUT_LEFT ? left : right;
        if (top && is_outside(side, *edge, top->edge))
            *edge = top->edge;
    }
}

wn_px wn_layout_float_next(wn_lay *lay, wn_frame *frame, wn_px y)
{
    const wn_float_edge *left = innermost(lay, &frame->flow, WN_LAYOUT_LEFT);
    const wn_float_edge *right = innermost(lay, &frame->flow, WN_LAYOUT_RIGHT);
    if (left && right)
        return wn_px_min(left->bottom, right->bottom);
    return left ? left->bottom : right ? right->bottom : y;
}

wn_px wn_layout_float_clear(const wn_frame *frame, uint8_t clear)
{
    wn_px bottom = -WN_PX_MAX;
    if (clear == WN_FLOAT_LEFT || clear == WN_FLOAT_BOTH)
        bottom = wn_px_max(bottom, frame->flow.float_bottom[WN_LAYOUT_LEFT]);
    if (clear == WN_FLOAT_RIGHT || clear == WN_FLOAT_BOTH)
        bottom = wn_px_max(bottom, frame->flow.float_bottom[WN_LAYOUT_RIGHT]);
    return bottom;
}

/* Puts an edge on its stack, in place of those that it hides. */
static void add_edge(wn_lay *lay, const wn_flow_state *flow, int side, wn_float_edge edge)
{
    const wn_float_edge *top;
    while ((top = innermost(lay, flow, side)) && top->bottom <= edge.bottom &&
           is_outside(side, top->edge, edge.edge))
        lay->floats[side].count--;
    wn_float_edge *added = wn_array_push(&lay->floats[side]);
    if (added)
        *added = edge;
    else
        lay->failed = true;
}

/* The first y from `y` on at which there is a room of that width; `left` and `right` become its. */
static wn_px find_room(wn_lay *lay, wn_frame *frame, wn_px y, wn_px needed, wn_px *left,
                       wn_px *right)
{
    wn_px outer_left = *left, outer_right = *right;
    for (;;) {
        *left = outer_left;
        *right = outer_right;
        wn_layout_float_edges(lay, frame, y, left, right);
        wn_px next = wn_layout_float_next(lay, frame, y);
        if (needed <= *right - *left || next <= y)
            return y;
        y = next;
    }
}

void wn_layout_float_place(wn_lay *lay, wn_frame *frame, uint32_t number, wn_px y, wn_px left,
                           wn_px width)
{
    wn_flow_state *flow = &frame->flow;
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_px outer_width = box->width + wn_layout_margin_width(box), right = left + width;
    wn_px outer_height = wn_px_max(box->height + wn_layout_margin_height(box), 0);
    int side = box->style->float_side == WN_FLOAT_LEFT ? WN_LAYOUT_LEFT : WN_LAYOUT_RIGHT;
    y = wn_px_max(y, flow->float_top);
    if (box->style->clear != WN_FLOAT_NONE)
        y = wn_px_max(y, wn_layout_float_clear(frame, box->style->clear));
    y = find_room(lay, frame, y, outer_width, &left, &right);
    wn_px x = side == WN_LAYOUT_LEFT ? left : right - outer_width;
    wn_float_edge edge = {side == WN_LAYOUT_LEFT ? x + outer_width : x, y + outer_height};
    box->origin = frame->box;
    box->x = x + box->margin[WN_LEFT];
    box->y = y + box->margin[WN_TOP];
    box->placed = true;
    flow->float_top = y;
    flow->float_bottom[side] = wn_px_max(flow->float_bottom[side], edge.bottom);
    if (outer_width > 0 && outer_height > 0)
        add_edge(lay, flow, side, edge);
}
