/*
 * Floats: boxes at the left or right edge that lines go around.
 *
 * Floats are placed from top to bottom: none stands higher than one before it. So those of
 * one side that still matter form stairs: the further in an edge, the sooner it ends. They
 * are kept as a stack with the innermost on top; asking for the edges at some y drops what has
 * ended by then, since nobody asks higher up again. Each float is put on and taken off
 * once. (Content that a negative margin pulls up again no longer sees floats that ended.)
 */
#include "layout/engine.h"

wn_px wn_strut_sum(wn_strut strut)
{
    return strut.positive + strut.negative;
}

void wn_strut_add(wn_strut *strut, wn_px margin)
{
    if (margin > 0)
        strut->positive = wn_px_max(strut->positive, margin);
    else
        strut->negative = wn_px_min(strut->negative, margin);
}

void wn_float_edges(wn_lay *lay, wn_frame *frame, wn_px y, wn_px *left, wn_px *right)
{
    const wn_flow_state *flow = &frame->flow;
    while (lay->left_floats.count > flow->first_left &&
           lay->left_floats.items[lay->left_floats.count - 1].bottom <= y)
        lay->left_floats.count--;
    while (lay->right_floats.count > flow->first_right &&
           lay->right_floats.items[lay->right_floats.count - 1].bottom <= y)
        lay->right_floats.count--;
    if (lay->left_floats.count > flow->first_left)
        *left = wn_px_max(*left, lay->left_floats.items[lay->left_floats.count - 1].edge);
    if (lay->right_floats.count > flow->first_right)
        *right = wn_px_min(*right, lay->right_floats.items[lay->right_floats.count - 1].edge);
}

wn_px wn_float_next(wn_lay *lay, wn_frame *frame, wn_px y)
{
    const wn_flow_state *flow = &frame->flow;
    wn_px next = WN_PX_MAX << 20;
    if (lay->left_floats.count > flow->first_left)
        next = wn_px_min(next, lay->left_floats.items[lay->left_floats.count - 1].bottom);
    if (lay->right_floats.count > flow->first_right)
        next = wn_px_min(next, lay->right_floats.items[lay->right_floats.count - 1].bottom);
    return next == WN_PX_MAX << 20 ? y : next;
}

wn_px wn_float_clear(const wn_frame *frame, uint8_t clear)
{
    wn_px bottom = -WN_PX_MAX;
    if (clear == WN_FLOAT_LEFT || clear == WN_FLOAT_BOTH)
        bottom = wn_px_max(bottom, frame->flow.clear_left);
    if (clear == WN_FLOAT_RIGHT || clear == WN_FLOAT_BOTH)
        bottom = wn_px_max(bottom, frame->flow.clear_right);
    return bottom;
}

static void add_left(wn_lay *lay, uint32_t first, wn_float_edge edge)
{
    while (lay->left_floats.count > first &&
           lay->left_floats.items[lay->left_floats.count - 1].bottom <= edge.bottom &&
           lay->left_floats.items[lay->left_floats.count - 1].edge <= edge.edge)
        lay->left_floats.count--;
    wn_float_edge *top = wn_array_push(&lay->left_floats);
    if (top)
        *top = edge;
    else
        lay->failed = true;
}

static void add_right(wn_lay *lay, uint32_t first, wn_float_edge edge)
{
    while (lay->right_floats.count > first &&
           lay->right_floats.items[lay->right_floats.count - 1].bottom <= edge.bottom &&
           lay->right_floats.items[lay->right_floats.count - 1].edge >= edge.edge)
        lay->right_floats.count--;
    wn_float_edge *top = wn_array_push(&lay->right_floats);
    if (top)
        *top = edge;
    else
        lay->failed = true;
}

void wn_float_place(wn_lay *lay, wn_frame *frame, uint32_t number, wn_px y, wn_px left, wn_px width)
{
    wn_flow_state *flow = &frame->flow;
    wn_lay_box *box = wn_lay_at(lay, number);
    wn_px outer_width = box->width + wn_lay_margin_width(box);
    wn_px outer_height = wn_px_max(box->height + wn_lay_margin_height(box), 0);
    bool is_left = box->style->float_side == WN_FLOAT_LEFT;
    y = wn_px_max(y, flow->float_top);
    if (box->style->clear != WN_FLOAT_NONE)
        y = wn_px_max(y, wn_float_clear(frame, box->style->clear));
    wn_px inner_left, inner_right;
    for (;;) {
        inner_left = left;
        inner_right = left + width;
        wn_float_edges(lay, frame, y, &inner_left, &inner_right);
        wn_px next = wn_float_next(lay, frame, y);
        if (outer_width <= inner_right - inner_left || next <= y)
            break;
        y = next;
    }
    wn_px x = is_left ? inner_left : inner_right - outer_width;
    wn_px bottom = y + outer_height;
    box->origin = frame->box;
    box->x = x + box->margin[WN_LEFT];
    box->y = y + box->margin[WN_TOP];
    box->placed = true;
    flow->float_top = y;
    if (is_left) {
        flow->clear_left = wn_px_max(flow->clear_left, bottom);
        if (outer_width > 0 && outer_height > 0)
            add_left(lay, flow->first_left, (wn_float_edge){x + outer_width, bottom});
    } else {
        flow->clear_right = wn_px_max(flow->clear_right, bottom);
        if (outer_width > 0 && outer_height > 0)
            add_right(lay, flow->first_right, (wn_float_edge){x, bottom});
    }
}
