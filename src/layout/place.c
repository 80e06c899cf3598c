/*
 * Places: positions are added up from the root down, in one walk over the boxes.
 *
 * Absolutely positioned boxes are laid out on the way. By then everything they are placed by –
 * the box that contains them, the place where they would be otherwise – comes before them and
 * has its place already.  https://drafts.csswg.org/css2/#absolute-positioning
 */
#include <assert.h>

#include "layout/engine.h"

/* ---- Absolute positions ------------------------------------------------------------------ */

static wn_lay_rect rect_of(const wn_lay_box *box)
{
    return (wn_lay_rect){box->x, box->y, box->width, box->height};
}

/* The box gets its place on the screen. */
static void set_rect(wn_lay_box *box, wn_lay_rect screen)
{
    box->x = wn_px_clamp(screen.x);
    box->y = wn_px_clamp(screen.y);
    box->width = screen.width;
    box->height = screen.height;
}

/* The box that contains another one, in coordinates of that: its padding box, or the screen. */
static wn_lay_rect containing_area(wn_lay *lay, const wn_lay_box *box)
{
    const wn_lay_box *parent = wn_layout_at(lay, box->parent);
    uint32_t number = box->style->position == WN_POSITION_FIXED ? parent->fixed_container
                                                                : parent->container;
    const wn_lay_box *c = wn_layout_at(lay, number);
    if (number == 0) {
        wn_lay_rect screen = {0, 0, lay->viewport_width, lay->viewport_height};
        return wn_layout_turn_in(box->writing, screen);
    }
    wn_lay_rect area = wn_layout_turn_in(c->writing, rect_of(c));
    wn_px top = wn_px_from(c->style->border_width[WN_TOP]);
    wn_px left = wn_px_from(c->style->border_width[WN_LEFT]);
    wn_px right = wn_px_from(c->style->border_width[WN_RIGHT]);
    wn_px bottom = wn_px_from(c->style->border_width[WN_BOTTOM]);
    area = (wn_lay_rect){area.x + left, area.y + top, wn_px_max(area.width - left - right, 0),
                         wn_px_max(area.height - top - bottom, 0)};
    return wn_layout_turn_in(box->writing, wn_layout_turn_out(c->writing, area));
}

/* One axis of an absolutely positioned box, and of the area that it is positioned in. */
typedef struct axis {
    int start_side, end_side;
    bool has_start, has_end; /* the style gives its distance from that side */
    wn_px start, end;        /* these distances; 0 if not given */
    wn_px at, size;          /* of the area */
    wn_px static_at;         /* in the area, where the box would be in the flow */
} axis;

static axis make_axis(const wn_lay *lay, const wn_style *style, int start_side, wn_px at,
                      wn_px size)
{
    assert(start_side == WN_LEFT || start_side == WN_TOP);
    axis a = {.start_side = start_side, .at = at, .size = size};
    a.end_side = start_side == WN_LEFT ? WN_RIGHT : WN_BOTTOM;
    wn_length start = style->inset[a.start_side], end = style->inset[a.end_side];
    a.has_start = !wn_css_length_is_auto(start);
    a.has_end = !wn_css_length_is_auto(end);
    a.start = wn_layout_length(lay, start, size, 0);
    a.end = wn_layout_length(lay, end, size, 0);
    return a;
}

static wn_px margins_of(const axis *a, const wn_lay_box *box)
{
    return (wn_px)box->margin[a->start_side] + box->margin[a->end_side];
}

/* Whether an automatic size fills the room between both sides. */
static bool is_stretched(const axis *a, const wn_lay_box *box, wn_length size)
{
    return a->has_start && a->has_end && wn_css_length_is_auto(size) &&
           box->kind != WN_LAY_REPLACED && box->kind != WN_LAY_TABLE &&
           box->style->aspect_ratio <= 0;
}

static wn_px absolute_width(wn_lay *lay, uint32_t number, const axis *x, wn_px containing_height)
{
    const wn_lay_box *box = wn_layout_at(lay, number);
    wn_px available = x->size - margins_of(x, box) - x->start - x->end;
    if (!x->has_start && !x->has_end && box->static_align_x == WN_STATIC_START)
        available = x->size - margins_of(x, box) - wn_px_max(x->static_at, 0);
    available = wn_px_max(available, 0);
    return is_stretched(x, box, box->style->width)
               ? wn_layout_limit_width(lay, number, available, x->size, available)
               : wn_layout_fit_width(lay, number, x->size, available, containing_height);
}

static wn_px absolute_height(const wn_lay *lay, const wn_lay_box *box, const axis *y)
{
    if (!is_stretched(y, box, box->style->height))
        return WN_PX_AUTO;
    wn_px room = wn_px_max(y->size - y->start - y->end - margins_of(y, box), 0);
    return wn_layout_limit_height(lay, box, room, y->size);
}

/* How far the alignment of a flex or grid container moves the box's static position. */
static wn_px aligned(uint8_t align, wn_px room)
{
    return align == WN_STATIC_CENTER ? room / 2 : align == WN_STATIC_END ? room : 0;
}

/* https://drafts.csswg.org/css2/#abs-non-replaced-width: where a box of that size starts. */
static wn_px position_in(const axis *a, const wn_lay_box *box, wn_px size)
{
    wn_px margin_start = box->margin[a->start_side], margin_end = box->margin[a->end_side];
    bool auto_start = a->start_side == WN_LEFT ? box->auto_left : box->auto_top;
    bool auto_end = a->end_side == WN_RIGHT ? box->auto_right : box->auto_bottom;
    if (a->has_start && a->has_end) {
        wn_px room = a->size - a->start - a->end - size - margin_start - margin_end;
        wn_px shift = auto_start && auto_end ? wn_px_max(room, 0) / 2 : auto_start ? room : 0;
        return a->at + a->start + margin_start + shift;
    }
    if (a->has_start)
        return a->at + a->start + margin_start;
    if (a->has_end)
        return a->at + a->size - a->end - margin_end - size;
    return a->at + a->static_at + margin_start;
}

static void lay_out_absolute(wn_lay *lay, uint32_t number)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    assert(box->absolute && box->static_origin < number);
    wn_lay_rect area = containing_area(lay, box);
    const wn_lay_box *origin_box = wn_layout_at(lay, box->static_origin);
    wn_lay_rect origin = wn_layout_turn_in(box->writing, rect_of(origin_box));
    axis x = make_axis(lay, box->style, WN_LEFT, area.x, area.width);
    axis y = make_axis(lay, box->style, WN_TOP, area.y, area.height);
    x.static_at = origin.x + box->static_x - area.x;
    y.static_at = origin.y + origin_box->content_shift + box->static_y - area.y;
    wn_layout_edges(lay, box, area.width);
    wn_lay_input in = {.percent = area.height};
    in.width = absolute_width(lay, number, &x, area.height);
    in.height = absolute_height(lay, wn_layout_at(lay, number), &y);
    wn_layout_lay_out(lay, number, in);
    box = wn_layout_at(lay, number);
    wn_layout_edges(lay, box, area.width);
    x.static_at += aligned(box->static_align_x,
                           box->static_width - box->width - wn_layout_margin_width(box));
    y.static_at += aligned(box->static_align_y,
                           box->static_height - box->height - wn_layout_margin_height(box));
    box->x = position_in(&x, box, box->width);
    box->y = position_in(&y, box, box->height);
    set_rect(box, wn_layout_turn_out(box->writing, rect_of(box)));
    box->placed = true;
    box->shift_x = box->shift_y = 0; /* in what contains it: that is at its place */
}

/* ---- Relative positions ------------------------------------------------------------------ */

/* How far `position: relative` moves a box; percentages are of the parent. */
static void relative_shift(wn_lay *lay, const wn_lay_box *box, wn_px *x, wn_px *y)
{
    const wn_lay_box *parent = wn_layout_at(lay, box->parent);
    *x = *y = 0;
    if (box->style->position != WN_POSITION_RELATIVE || box->kind == WN_LAY_TEXT ||
        box->kind == WN_LAY_BREAK || box->anonymous)
        return;
    wn_lay_rect around = wn_layout_turn_in(box->writing, rect_of(parent));
    wn_px width = wn_px_max(around.width - wn_layout_edge_width(parent), 0);
    wn_px height = wn_css_length_is_auto(parent->style->height)
                       ? WN_PX_AUTO
                       : wn_px_max(around.height - wn_layout_edge_height(parent), 0);
    axis across = make_axis(lay, box->style, WN_LEFT, 0, width);
    axis down = make_axis(lay, box->style, WN_TOP, 0, height);
    *x = across.has_start ? across.start : -across.end;
    *y = down.has_start ? down.start : -down.end;
}

/* ---- The walk ---------------------------------------------------------------------------- */

/*
 * Positions become absolute. A box is placed relative to its origin, but moved with its parents:
 * shift_x and shift_y sum up what `position: relative` moves on the way.
 */
static void place_box(wn_lay *lay, uint32_t number)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    const wn_lay_box *parent = wn_layout_at(lay, box->parent);
    if (box->absolute) {
        lay_out_absolute(lay, number);
        return;
    }
    const wn_lay_box *origin = wn_layout_at(lay, box->origin);
    assert(box->origin < number); /* it has its place already */
    wn_lay_rect own = rect_of(box), around = wn_layout_turn_in(box->writing, rect_of(origin)),
                moved = {0};
    relative_shift(lay, box, &moved.x, &moved.y);
    moved = wn_layout_turn_out(box->writing, moved);
    box->shift_x = parent->shift_x + moved.x;
    box->shift_y = parent->shift_y + moved.y;
    own.x += around.x;
    own.y += around.y + origin->content_shift;
    own = wn_layout_turn_out(box->writing, own);
    /* The origin is at its place already, moved by its own shift. */
    own.x += box->shift_x - origin->shift_x;
    own.y += box->shift_y - origin->shift_y;
    set_rect(box, own);
}

static wn_unit unit_of(wn_px px)
{
    return (wn_unit)(px > INT32_MAX ? INT32_MAX : px < -INT32_MAX ? -INT32_MAX : px);
}

static void write_box(wn_lay *lay, const wn_lay_box *box)
{
    if (box->node == WN_NO_NODE || box->generated)
        return;
    assert(box->node < lay->result_boxes.count);
    lay->result_boxes.items[box->node] = (wn_box){
        .x = unit_of(box->x),
        .y = unit_of(box->y),
        .width = unit_of(wn_px_max(box->width, 0)),
        .height = unit_of(wn_px_max(box->height, 0)),
        .exists = true,
        .in_line = box->inline_level,
    };
}

static void place_fragments(wn_lay *lay)
{
    assert(lay->fragment_boxes.count == lay->fragments.count);
    for (uint32_t i = 0; i < lay->fragments.count; i++) {
        wn_text_fragment *fragment = &lay->fragments.items[i];
        const wn_lay_box *box = wn_layout_at(lay, lay->fragment_boxes.items[i]);
        const wn_lay_box *origin = wn_layout_at(lay, box->origin);
        wn_lay_rect around = wn_layout_turn_in(box->writing, rect_of(origin));
        wn_lay_rect line = {around.x + fragment->x,
                            around.y + origin->content_shift + fragment->baseline, 0, 0};
        line = wn_layout_turn_out(box->writing, line);
        fragment->downwards = box->writing != WN_WRITING_HORIZONTAL;
        fragment->x = unit_of(line.x + box->shift_x - origin->shift_x);
        fragment->baseline = unit_of(line.y + box->shift_y - origin->shift_y);
    }
}

/* One axis of the smallest box around two. */
static void join_axis(wn_unit *at, wn_unit *size, wn_unit other_at, wn_unit other_size)
{
    wn_px end = wn_px_max((wn_px)*at + *size, (wn_px)other_at + other_size);
    *at = unit_of(wn_px_min(*at, other_at));
    *size = unit_of(end - *at);
}

/* Elements without a box (display: contents) are as large as what is in them. */
static void write_contents(wn_lay *lay)
{
    const wn_doc *doc = lay->doc;
    wn_node_id root = wn_doc_find(doc, WN_TAG_HTML);
    wn_box *boxes = lay->result_boxes.items;
    for (wn_node_id id = root ? wn_doc_first_bottom_up(doc, root) : WN_NO_NODE; id && id != root;
         id = wn_doc_next_bottom_up(doc, id)) {
        const wn_box *box = &boxes[id];
        wn_node_id parent = wn_doc_node(doc, id)->parent;
        wn_box *around = &boxes[parent];
        bool has_size = box->exists || box->width || box->height;
        if (!has_size || around->exists ||
            wn_css_style_of(lay->styles, parent)->display != WN_DISPLAY_CONTENTS)
            continue;
        if (around->width || around->height) {
            join_axis(&around->x, &around->width, box->x, box->width);
            join_axis(&around->y, &around->height, box->y, box->height);
        } else {
            *around = *box;
            around->exists = false;
        }
    }
}

void wn_layout_place(wn_lay *lay)
{
    wn_lay_box *screen = wn_layout_at(lay, 0);
    wn_px width = screen->width, height = screen->height;
    for (uint32_t i = 1; i < lay->boxes.count && !lay->failed; i++) {
        place_box(lay, i);
        const wn_lay_box *box = wn_layout_at(lay, i);
        write_box(lay, box);
        if (box->style->position != WN_POSITION_FIXED) {
            width = wn_px_max(width, box->x + box->width);
            height = wn_px_max(height, box->y + box->height);
        }
    }
    if (lay->failed)
        return;
    place_fragments(lay);
    write_contents(lay);
    wn_layout_at(lay, 0)->width = width;
    wn_layout_at(lay, 0)->height = height;
}
