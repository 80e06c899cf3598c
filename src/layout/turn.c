/*
 * Writing modes: text whose lines run from top to bottom.
 *
 * Every formatting context works as if lines ran from left to right, one below the other. Where an
 * element's writing mode is another one than that of what it is in, it becomes two boxes of the
 * same place: the outer one belongs to what is around it, the inner one holds the contents and is
 * laid out in coordinates of its own, in which x runs along its lines and y across them. Styles
 * of all that is inside are turned likewise: its width is what the style sheet calls height. So
 * nothing else knows of writing modes, but place.c, where positions become those on the screen.
 * https://drafts.csswg.org/css-writing-modes/#logical-direction-layout
 *
 * "turned" are boxes between coordinates that differ; "across" those among them whose lines are
 * at right angles to the ones around: there width depends on height instead of the other way.
 */
#include <string.h>

#include <assert.h>

#include "layout/engine.h"

static bool is_vertical(uint8_t writing)
{
    return writing != WN_WRITING_HORIZONTAL;
}

/* The side on the screen that is top, right, bottom or left of a box in that writing mode. */
static int screen_side(uint8_t writing, int side)
{
    static const uint8_t sides[][4] = {
        [WN_WRITING_HORIZONTAL] = {WN_TOP, WN_RIGHT, WN_BOTTOM, WN_LEFT},
        [WN_WRITING_VERTICAL_RL] = {WN_RIGHT, WN_BOTTOM, WN_LEFT, WN_TOP},
        [WN_WRITING_VERTICAL_LR] = {WN_LEFT, WN_BOTTOM, WN_RIGHT, WN_TOP},
    };
    assert(writing < sizeof sides / sizeof *sides && side >= 0 && side < 4);
    return sides[writing][side];
}

/* ---- Styles ------------------------------------------------------------------------------ */

static void swap_lengths(wn_length *a, wn_length *b)
{
    wn_length copy = *a;
    *a = *b;
    *b = copy;
}

static const wn_style *make_turned(wn_lay *lay, const wn_style *from, uint8_t writing)
{
    wn_style *style = wn_layout_alloc(lay, sizeof *style);
    if (!style)
        return from;
    *style = *from;
    for (int side = 0; side < 4; side++) {
        int screen = screen_side(writing, side);
        style->margin[side] = from->margin[screen];
        style->padding[side] = from->padding[screen];
        style->inset[side] = from->inset[screen];
        style->border_width[side] = from->border_width[screen];
        style->border_style[side] = from->border_style[screen];
        style->border_color[side] = from->border_color[screen];
    }
    swap_lengths(&style->width, &style->height);
    swap_lengths(&style->min_width, &style->min_height);
    swap_lengths(&style->max_width, &style->max_height);
    style->overflow_x = from->overflow_y;
    style->overflow_y = from->overflow_x;
    style->aspect_ratio = from->aspect_ratio > 0 ? 1 / from->aspect_ratio : 0;
    return style;
}

const wn_style *wn_layout_turn_style(wn_lay *lay, const wn_style *style, uint8_t writing)
{
    size_t number = (size_t)(style - lay->styles->table);
    if (!is_vertical(writing) || style < lay->styles->table || number >= lay->styles->count)
        return style;
    const wn_style ***made = &lay->turned_styles[writing == WN_WRITING_VERTICAL_LR];
    if (!*made)
        *made = wn_layout_alloc(lay, lay->styles->count * sizeof **made);
    if (!*made)
        return style;
    if (!(*made)[number])
        (*made)[number] = make_turned(lay, style, writing);
    return (*made)[number];
}

/* ---- Sizes ------------------------------------------------------------------------------- */

bool wn_layout_turn_is_across(const wn_lay *lay, uint32_t number)
{
    const wn_lay_box *box = &lay->boxes.items[number];
    return box->kind == WN_LAY_TURNED && is_vertical(box->writing) != is_vertical(box[1].writing);
}

/* The inner box has the outer one's borders and padding. */
static void hand_edges_in(wn_lay *lay, uint32_t number)
{
    const wn_lay_box *outer = wn_layout_at(lay, number);
    wn_lay_box *inner = wn_layout_at(lay, number + 1);
    assert(outer->kind == WN_LAY_TURNED && inner->parent == number && inner->end == outer->end);
    int32_t screen[4];
    for (int side = 0; side < 4; side++)
        screen[screen_side(outer->writing, side)] = outer->edge[side];
    for (int side = 0; side < 4; side++)
        inner->edge[side] = screen[screen_side(inner->writing, side)];
}

/* The width of the inner box by `size`, the outer one's height or a limit of it; WN_PX_AUTO. */
static wn_px inner_width_of(wn_lay *lay, uint32_t number, wn_length size, wn_px percent)
{
    const wn_lay_box *inner = wn_layout_at(lay, number + 1);
    switch (size.kind) {
    case WN_LENGTH_MIN_CONTENT:
        return inner->min_content;
    case WN_LENGTH_MAX_CONTENT:
        return inner->max_content;
    default:
        return wn_layout_given_height(lay, wn_layout_at(lay, number), size, percent);
    }
}

/*
 * How long the lines are of a box that is across: its height, else as its contents like,
 * within what is known of the room.  https://drafts.csswg.org/css-writing-modes/#orthogonal-flows
 */
static wn_px length_of_lines(wn_lay *lay, uint32_t number, wn_px percent)
{
    wn_layout_intrinsic(lay, number + 1);
    hand_edges_in(lay, number);
    const wn_lay_box *outer = wn_layout_at(lay, number), *inner = wn_layout_at(lay, number + 1);
    const wn_style *style = outer->style;
    wn_px width = inner_width_of(lay, number, style->height, percent);
    if (width == WN_PX_AUTO) {
        wn_px room = percent != WN_PX_AUTO         ? percent
                     : is_vertical(outer->writing) ? lay->viewport_width
                                                   : lay->viewport_height;
        room -= wn_layout_margin_height(outer);
        width = wn_px_max(inner->min_content, wn_px_min(inner->max_content, room));
    }
    if (inner->kind == WN_LAY_TABLE)
        width = wn_px_max(width, inner->min_content);
    wn_px most = inner_width_of(lay, number, style->max_height, percent);
    wn_px least = inner_width_of(lay, number, style->min_height, percent);
    if (most != WN_PX_AUTO)
        width = wn_px_min(width, most);
    return wn_px_max(wn_px_max(width, least), wn_layout_edge_height(outer));
}

void wn_layout_turn_intrinsic(wn_lay *lay, uint32_t number)
{
    wn_lay_box *outer = wn_layout_at(lay, number), *inner = wn_layout_at(lay, number + 1);
    if (!wn_layout_turn_is_across(lay, number)) {
        outer->min_content = inner->min_content;
        outer->max_content = inner->max_content;
        return;
    }
    wn_layout_edges(lay, outer, 0);
    wn_lay_input in = {.width = length_of_lines(lay, number, WN_PX_AUTO),
                       .height = WN_PX_AUTO,
                       .percent = WN_PX_AUTO,
                       .measure = true};
    wn_layout_lay_out(lay, number + 1, in);
    outer = wn_layout_at(lay, number);
    outer->min_content = outer->max_content = wn_layout_at(lay, number + 1)->height;
}

/* ---- Steps ------------------------------------------------------------------------------- */

enum { STATE_START, STATE_DONE };

/* Asks for the inner box; true if it has been begun. */
static bool call_inner(wn_lay *lay, wn_frame *frame)
{
    wn_lay_input in = frame->in;
    if (wn_layout_turn_is_across(lay, frame->box)) {
        in.width = frame->in.height != WN_PX_AUTO
                       ? frame->in.height
                       : length_of_lines(lay, frame->box, frame->in.percent);
        in.height = frame->in.width;
        in.percent = WN_PX_AUTO;
        in.loose = wn_css_length_is_auto(wn_layout_at(lay, frame->box)->style->width);
    } else if (in.height == WN_PX_AUTO) {
        const wn_lay_box *outer = wn_layout_at(lay, frame->box);
        in.height = wn_layout_given_height(lay, outer, outer->style->height, in.percent);
        if (in.height != WN_PX_AUTO)
            in.height = wn_layout_limit_height(lay, outer, in.height, in.percent);
    }
    hand_edges_in(lay, frame->box);
    return wn_layout_call(lay, frame->box + 1, in);
}

/* A baseline of the inner box as seen from outside, where lines are counted from the other side. */
static wn_px mirrored(const wn_lay_box *inner, wn_px baseline)
{
    return baseline == WN_PX_NONE ? WN_PX_NONE : inner->height - baseline;
}

void wn_layout_turn_step(wn_lay *lay, wn_frame *frame)
{
    if (frame->state == STATE_START) {
        frame->state = STATE_DONE;
        if (call_inner(lay, frame))
            return;
    }
    wn_lay_box *outer = wn_layout_at(lay, frame->box), *inner = wn_layout_at(lay, frame->box + 1);
    bool across = wn_layout_turn_is_across(lay, frame->box);
    outer->height = across ? inner->width : inner->height;
    outer->baseline = across ? WN_PX_NONE : mirrored(inner, inner->baseline);
    outer->last_baseline = across ? WN_PX_NONE : mirrored(inner, inner->last_baseline);
    inner->origin = frame->box;
    inner->x = inner->y = 0;
    inner->placed = true;
    wn_layout_return(lay, frame);
}
