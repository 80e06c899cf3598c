/*
 * Places: positions are added up from the root down, in one walk over the boxes.
 *
 * Absolutely positioned boxes are laid out on the way. By then everything they are placed by –
 * the box that contains them, the place where they would stand otherwise – comes before them and
 * has its place already.  https://drafts.csswg.org/css2/#absolute-positioning
 */
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
    const wn_lay_box *parent = wn_lay_at(lay, box->parent);
    uint32_t number = box->style->position == WN_POSITION_FIXED ? parent->fixed_container
                                                                : parent->container;
    const wn_lay_box *c = wn_lay_at(lay, number);
    if (number == 0) {
        wn_lay_rect screen = {0, 0, lay->viewport_width, lay->viewport_height};
        return wn_turn_in(box->writing, screen);
    }
    wn_lay_rect area = wn_turn_in(c->writing, rect_of(c));
    wn_px top = wn_px_from(c->style->border_width[WN_TOP]);
    wn_px left = wn_px_from(c->style->border_width[WN_LEFT]);
    wn_px right = wn_px_from(c->style->border_width[WN_RIGHT]);
    wn_px bottom = wn_px_from(c->style->border_width[WN_BOTTOM]);
    area = (wn_lay_rect){area.x + left, area.y + top, wn_px_max(area.width - left - right, 0),
                         wn_px_max(area.height - top - bottom, 0)};
    return wn_turn_in(box->writing, wn_turn_out(c->writing, area));
}

/* One axis of https://drafts.csswg.org/css2/#abs-non-replaced-width: the box's start. */
static wn_px position_between(wn_px start, wn_px end, bool has_start, bool has_end, wn_px size,
                              wn_px containing, wn_px margin_start, wn_px margin_end,
                              bool auto_start, bool auto_end, wn_px static_position)
{
    if (has_start && has_end) {
        wn_px room = containing - start - end - size - margin_start - margin_end;
        wn_px shift = auto_start && auto_end ? wn_px_max(room, 0) / 2 : auto_start ? room : 0;
        return start + margin_start + shift;
    }
    if (has_start)
        return start + margin_start;
    if (has_end)
        return containing - end - margin_end - size;
    return static_position + margin_start;
}

static wn_px aligned(uint8_t align, wn_px room)
{
    return align == WN_STATIC_CENTER ? room / 2 : align == WN_STATIC_END ? room : 0;
}

static void lay_out_absolute(wn_lay *lay, uint32_t number)
{
    wn_lay_box *box = wn_lay_at(lay, number);
    const wn_style *style = box->style;
    wn_lay_rect c = containing_area(lay, box);
    wn_lay_edges(lay, box, c.width);
    const wn_length *inset = style->inset;
    bool has_left = !wn_length_is_auto(inset[WN_LEFT]);
    bool has_right = !wn_length_is_auto(inset[WN_RIGHT]);
    bool has_top = !wn_length_is_auto(inset[WN_TOP]);
    bool has_bottom = !wn_length_is_auto(inset[WN_BOTTOM]);
    wn_px left = wn_lay_length(lay, inset[WN_LEFT], c.width, 0);
    wn_px right = wn_lay_length(lay, inset[WN_RIGHT], c.width, 0);
    wn_px top = wn_lay_length(lay, inset[WN_TOP], c.height, 0);
    wn_px bottom = wn_lay_length(lay, inset[WN_BOTTOM], c.height, 0);
    const wn_lay_box *origin_box = wn_lay_at(lay, box->static_origin);
    wn_lay_rect origin = wn_turn_in(box->writing, rect_of(origin_box));
    wn_px static_x = origin.x + box->static_x - c.x;
    wn_px static_y = origin.y + origin_box->content_shift + box->static_y - c.y;

    wn_px margins = wn_lay_margin_width(box);
    wn_px available = c.width - margins - (has_left ? left : 0) - (has_right ? right : 0);
    if (!has_left && !has_right && box->static_align_x == WN_STATIC_START)
        available = c.width - margins - wn_px_max(static_x, 0);
    available = wn_px_max(available, 0);
    bool stretched = has_left && has_right && wn_length_is_auto(style->width) &&
                     box->kind != WN_LAY_REPLACED && box->kind != WN_LAY_TABLE &&
                     style->aspect_ratio <= 0;
    wn_px width = stretched ? wn_lay_limit_width(lay, number, available, c.width, available)
                            : wn_lay_fit_width(lay, number, c.width, available, c.height);
    box = wn_lay_at(lay, number);
    wn_px height = WN_PX_AUTO;
    if (has_top && has_bottom && wn_length_is_auto(style->height) && box->kind != WN_LAY_REPLACED &&
        box->kind != WN_LAY_TABLE && style->aspect_ratio <= 0)
        height = wn_lay_limit_height(
            lay, box, wn_px_max(c.height - top - bottom - wn_lay_margin_height(box), 0), c.height);
    wn_lay_input in = {.width = width, .height = height, .percent = c.height};
    wn_lay_run(lay, number, in);
    box = wn_lay_at(lay, number);
    wn_lay_edges(lay, box, c.width);
    static_x += aligned(box->static_align_x, box->static_width - box->width - margins);
    static_y += aligned(box->static_align_y,
                        box->static_height - box->height - wn_lay_margin_height(box));
    box->x = c.x + position_between(left, right, has_left, has_right, box->width, c.width,
                                    box->margin[WN_LEFT], box->margin[WN_RIGHT], box->auto_left,
                                    box->auto_right, static_x);
    box->y = c.y + position_between(top, bottom, has_top, has_bottom, box->height, c.height,
                                    box->margin[WN_TOP], box->margin[WN_BOTTOM], box->auto_top,
                                    box->auto_bottom, static_y);
    set_rect(box, wn_turn_out(box->writing, rect_of(box)));
    box->placed = true;
    box->shift_x = box->shift_y = 0; /* in what contains it: that stands at its place */
}

/* ---- Relative positions ------------------------------------------------------------------ */

/* How far `position: relative` moves a box; percentages are of the parent. */
static void relative_shift(wn_lay *lay, const wn_lay_box *box, wn_px *x, wn_px *y)
{
    const wn_length *inset = box->style->inset;
    const wn_lay_box *parent = wn_lay_at(lay, box->parent);
    *x = *y = 0;
    if (box->style->position != WN_POSITION_RELATIVE || box->kind == WN_LAY_TEXT ||
        box->kind == WN_LAY_BREAK || box->anonymous)
        return;
    wn_lay_rect around = wn_turn_in(box->writing, rect_of(parent));
    wn_px width = wn_px_max(around.width - wn_lay_edge_width(parent), 0);
    wn_px height = wn_length_is_auto(parent->style->height)
                       ? WN_PX_AUTO
                       : wn_px_max(around.height - wn_lay_edge_height(parent), 0);
    if (!wn_length_is_auto(inset[WN_LEFT]))
        *x = wn_lay_length(lay, inset[WN_LEFT], width, 0);
    else
        *x = -wn_lay_length(lay, inset[WN_RIGHT], width, 0);
    if (!wn_length_is_auto(inset[WN_TOP]))
        *y = wn_lay_length(lay, inset[WN_TOP], height, 0);
    else
        *y = -wn_lay_length(lay, inset[WN_BOTTOM], height, 0);
}

/* ---- The walk ---------------------------------------------------------------------------- */

/*
 * Positions become absolute. A box is placed relative to its origin, but moved with its parents:
 * shift_x and shift_y sum up what `position: relative` moves on the way.
 */
static void place_box(wn_lay *lay, uint32_t number)
{
    wn_lay_box *box = wn_lay_at(lay, number);
    const wn_lay_box *parent = wn_lay_at(lay, box->parent);
    if (box->absolute) {
        lay_out_absolute(lay, number);
        return;
    }
    const wn_lay_box *origin = wn_lay_at(lay, box->origin);
    wn_lay_rect own = rect_of(box), around = wn_turn_in(box->writing, rect_of(origin)), moved = {0};
    relative_shift(lay, box, &moved.x, &moved.y);
    moved = wn_turn_out(box->writing, moved);
    box->shift_x = parent->shift_x + moved.x;
    box->shift_y = parent->shift_y + moved.y;
    own.x += around.x;
    own.y += around.y + origin->content_shift;
    own = wn_turn_out(box->writing, own);
    /* The origin stands at its place already, moved by its own shift. */
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
    lay->result_boxes.items[box->node] = (wn_box){
        .x = unit_of(box->x),
        .y = unit_of(box->y),
        .width = unit_of(wn_px_max(box->width, 0)),
        .height = unit_of(wn_px_max(box->height, 0)),
        .exists = true,
        .in_line = box->inline_level,
    };
}

static void place_fragments(wn_lay *lay, uint32_t first)
{
    for (uint32_t i = first; i < lay->fragments.count; i++) {
        wn_text_fragment *fragment = &lay->fragments.items[i];
        const wn_lay_box *box = wn_lay_at(lay, lay->fragment_boxes.items[i]);
        const wn_lay_box *origin = wn_lay_at(lay, box->origin);
        wn_lay_rect around = wn_turn_in(box->writing, rect_of(origin));
        wn_lay_rect line = {around.x + fragment->x,
                            around.y + origin->content_shift + fragment->baseline, 0, 0};
        line = wn_turn_out(box->writing, line);
        fragment->downwards = box->writing != WN_WRITING_HORIZONTAL;
        fragment->x = unit_of(line.x + box->shift_x - origin->shift_x);
        fragment->baseline = unit_of(line.y + box->shift_y - origin->shift_y);
    }
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
            wn_style_of(lay->styles, parent)->display != WN_DISPLAY_CONTENTS)
            continue;
        if (!around->width && !around->height) {
            *around = *box;
            around->exists = false;
            continue;
        }
        wn_px right = wn_px_max((wn_px)around->x + around->width, (wn_px)box->x + box->width);
        wn_px bottom = wn_px_max((wn_px)around->y + around->height, (wn_px)box->y + box->height);
        around->x = unit_of(wn_px_min(around->x, box->x));
        around->y = unit_of(wn_px_min(around->y, box->y));
        around->width = unit_of(right - around->x);
        around->height = unit_of(bottom - around->y);
    }
}

void wn_lay_place(wn_lay *lay)
{
    wn_lay_box *screen = wn_lay_at(lay, 0);
    wn_px width = screen->width, height = screen->height;
    for (uint32_t i = 1; i < lay->boxes.count && !lay->failed; i++) {
        place_box(lay, i);
        const wn_lay_box *box = wn_lay_at(lay, i);
        write_box(lay, box);
        if (box->style->position != WN_POSITION_FIXED) {
            width = wn_px_max(width, box->x + box->width);
            height = wn_px_max(height, box->y + box->height);
        }
    }
    place_fragments(lay, 0);
    write_contents(lay);
    wn_lay_at(lay, 0)->width = width;
    wn_lay_at(lay, 0)->height = height;
}
