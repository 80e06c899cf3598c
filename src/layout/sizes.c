/*
 * Sizes: what width, height, min-*, max-*, padding and borders make of a box, by itself.
 *
 * Sizes are those of border boxes throughout, whatever box-sizing says.
 */
#include <assert.h>

#include "layout/engine.h"

/* ---- Lengths ----------------------------------------------------------------------------- */

bool wn_layout_is_definite(const wn_lay *lay, wn_length length, wn_px base)
{
    return length.kind == WN_LENGTH_FIXED &&
           (base != WN_PX_AUTO || !wn_css_length_has_percent(lay->styles, length));
}

wn_px wn_layout_length(const wn_lay *lay, wn_length length, wn_px base, wn_px otherwise)
{
    if (!wn_layout_is_definite(lay, length, base))
        return otherwise;
    return wn_px_from(wn_css_length_px(lay->styles, length, (float)base / WN_UNIT));
}

static int32_t side_of(const wn_lay *lay, wn_length length, wn_px base)
{
    if (length.px == 0 && length.percent == 0 && !length.arm) /* as most are */
        return 0;
    wn_px limit = INT32_MAX / 4;
    wn_px px = wn_layout_length(lay, length, base, 0);
    return (int32_t)(px > limit ? limit : px < -limit ? -limit : px);
}

/* The width of a border; where borders of cells collapse, one half of it is the neighbour's. */
static wn_px border_of(const wn_lay *lay, const wn_lay_box *box, int side)
{
    wn_px border = wn_px_max(wn_px_from(box->style->border_width[side]), 0);
    if (!box->style->border_collapse || (box->kind != WN_LAY_CELL && box->kind != WN_LAY_TABLE))
        return border;
    if (box->kind == WN_LAY_TABLE) { /* the cells' borders are the table's, too */
        assert(box->end <= lay->boxes.count);
        const wn_lay_box *inner = box + 1, *end = &lay->boxes.items[box->end];
        while (inner < end && (inner->kind == WN_LAY_GROUP || inner->kind == WN_LAY_ROW ||
                               inner->kind == WN_LAY_COLUMN || inner->kind == WN_LAY_CAPTION))
            inner = inner->kind == WN_LAY_GROUP || inner->kind == WN_LAY_ROW
                        ? inner + 1
                        : &lay->boxes.items[inner->end];
        if (inner >= end || inner->kind != WN_LAY_CELL)
            return 0; /* without cells there is nothing to draw borders around */
        border = wn_px_max(border, wn_px_from(inner->style->border_width[side]));
    }
    return border / 2;
}

void wn_layout_edges(wn_lay *lay, wn_lay_box *box, wn_px width)
{
    const wn_style *style = box->style;
    width = wn_px_max(width, 0);
    assert(box->style);
    for (int side = 0; side < 4; side++) {
        box->margin[side] = side_of(lay, style->margin[side], width);
        wn_px padding = wn_px_max(side_of(lay, style->padding[side], width), 0);
        wn_px border = style->border_width[side] > 0 || style->border_collapse
                           ? border_of(lay, box, side)
                           : 0;
        if (box->kind == WN_LAY_TABLE && style->border_collapse)
            padding = 0;
        if (box->kind == WN_LAY_CELL)
            box->margin[side] = 0;
        box->edge[side] = (int32_t)wn_px_min(padding + border, INT32_MAX / 4);
    }
    box->auto_top = wn_css_length_is_auto(style->margin[WN_TOP]);
    box->auto_right = wn_css_length_is_auto(style->margin[WN_RIGHT]);
    box->auto_bottom = wn_css_length_is_auto(style->margin[WN_BOTTOM]);
    box->auto_left = wn_css_length_is_auto(style->margin[WN_LEFT]);
}

/* ---- Widths and heights ------------------------------------------------------------------ */

wn_px wn_layout_given_width(wn_lay *lay, uint32_t number, wn_length width, wn_px base,
                            wn_px available)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    switch (width.kind) {
    case WN_LENGTH_FIXED:
        if (!wn_layout_is_definite(lay, width, base))
            return WN_PX_AUTO;
        wn_px px = wn_px_max(wn_layout_length(lay, width, base, 0), 0);
        return box->style->border_box ? wn_px_max(px, wn_layout_edge_width(box))
                                      : px + wn_layout_edge_width(box);
    case WN_LENGTH_MIN_CONTENT:
        wn_layout_intrinsic(lay, number);
        return wn_layout_at(lay, number)->min_content;
    case WN_LENGTH_MAX_CONTENT:
        wn_layout_intrinsic(lay, number);
        return wn_layout_at(lay, number)->max_content;
    case WN_LENGTH_FIT_CONTENT:
        wn_layout_intrinsic(lay, number);
        box = wn_layout_at(lay, number);
        return wn_px_max(box->min_content, wn_px_min(box->max_content, available));
    case WN_LENGTH_STRETCH:
        return available == WN_PX_AUTO ? WN_PX_AUTO
                                       : wn_px_max(available, wn_layout_edge_width(box));
    default:
        return WN_PX_AUTO;
    }
}

/*
 * The height that fills `base`. Margins that can collapse with those of the parent do not count.
 * https://drafts.csswg.org/css-sizing-4/#stretch-fit-sizing
 */
static wn_px stretched_height(const wn_lay *lay, const wn_lay_box *box, wn_px base)
{
    const wn_lay_box *parent = &lay->boxes.items[box->parent];
    bool collapses = parent->kind == WN_LAY_BLOCK && !box->inline_level && !box->floating &&
                     !box->absolute && !wn_layout_is_context(lay, parent);
    if (!collapses || parent->edge[WN_TOP] > 0)
        base -= box->margin[WN_TOP];
    if (!collapses || parent->edge[WN_BOTTOM] > 0)
        base -= box->margin[WN_BOTTOM];
    return wn_px_max(base, wn_layout_edge_height(box));
}

wn_px wn_layout_given_height(const wn_lay *lay, const wn_lay_box *box, wn_length height, wn_px base)
{
    if (height.kind == WN_LENGTH_STRETCH && base != WN_PX_AUTO)
        return stretched_height(lay, box, base);
    if (!wn_layout_is_definite(lay, height, base))
        return WN_PX_AUTO;
    wn_px px = wn_px_max(wn_layout_length(lay, height, base, 0), 0);
    return box->style->border_box ? wn_px_max(px, wn_layout_edge_height(box))
                                  : px + wn_layout_edge_height(box);
}

wn_px wn_layout_limit_width(wn_lay *lay, uint32_t number, wn_px width, wn_px base, wn_px available)
{
    const wn_style *style = wn_layout_at(lay, number)->style;
    wn_px most = wn_layout_given_width(lay, number, style->max_width, base, available);
    wn_px least = wn_layout_given_width(lay, number, style->min_width, base, available);
    if (most != WN_PX_AUTO)
        width = wn_px_min(width, most);
    return wn_px_max(width, wn_px_max(least, wn_layout_edge_width(wn_layout_at(lay, number))));
}

wn_px wn_layout_limit_height(const wn_lay *lay, const wn_lay_box *box, wn_px height, wn_px base)
{
    wn_px most = wn_layout_given_height(lay, box, box->style->max_height, base);
    wn_px least = wn_layout_given_height(lay, box, box->style->min_height, base);
    if (most != WN_PX_AUTO)
        height = wn_px_min(height, most);
    return wn_px_max(height, wn_px_max(least, wn_layout_edge_height(box)));
}

/* ---- Ratios ------------------------------------------------------------------------------ */

double wn_layout_ratio(const wn_lay_box *box)
{
    const wn_style *style = box->style;
    bool natural = box->kind == WN_LAY_REPLACED && box->natural_ratio > 0;
    if (natural && (style->aspect_ratio <= 0 || style->aspect_ratio_auto))
        return (double)box->natural_ratio;
    return style->aspect_ratio > 0 ? (double)style->aspect_ratio : 0;
}

/* One side of a box from the other, by its ratio; `own` and `other` are the edges' sums. */
static wn_px by_ratio(const wn_lay_box *box, wn_px side, wn_px own, wn_px other, double factor)
{
    bool whole = box->style->border_box && !box->style->aspect_ratio_auto;
    double inner = (double)(whole ? side : wn_px_max(side - other, 0)) * factor;
    return whole ? wn_px_max(wn_px_cut(inner), own) : wn_px_cut(inner) + own;
}

static wn_px width_of_height(const wn_lay_box *box, wn_px height)
{
    return by_ratio(box, height, wn_layout_edge_width(box), wn_layout_edge_height(box),
                    wn_layout_ratio(box));
}

static wn_px height_of_width(const wn_lay_box *box, wn_px width)
{
    return by_ratio(box, width, wn_layout_edge_height(box), wn_layout_edge_width(box),
                    1 / wn_layout_ratio(box));
}

void wn_layout_replaced_size(wn_lay *lay, uint32_t number, wn_px base, wn_px percent, wn_px *width,
                             wn_px *height)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    const wn_style *style = box->style;
    wn_px available = base == WN_PX_AUTO ? WN_PX_AUTO : base - wn_layout_margin_width(box);
    bool ratio = wn_layout_ratio(box) > 0;
    bool keyword = style->width.kind == WN_LENGTH_MIN_CONTENT ||
                   style->width.kind == WN_LENGTH_MAX_CONTENT ||
                   style->width.kind == WN_LENGTH_FIT_CONTENT;
    wn_px w = keyword ? WN_PX_AUTO
                      : wn_layout_given_width(lay, number, style->width, base, available);
    wn_px h = wn_layout_given_height(lay, box, style->height, percent);
    bool auto_width = w == WN_PX_AUTO, auto_height = h == WN_PX_AUTO;
    wn_px edges_w = wn_layout_edge_width(box), edges_h = wn_layout_edge_height(box);
    if (!auto_height)
        h = wn_layout_limit_height(lay, box, h, percent);
    if (auto_width)
        w = !auto_height && ratio     ? width_of_height(box, h)
            : box->natural_width >= 0 ? box->natural_width + edges_w
            : base != WN_PX_AUTO      ? wn_px_max(available, edges_w)
                                      : edges_w;
    wn_px unlimited = w;
    w = wn_layout_limit_width(lay, number, w, base, available);
    if (auto_height) {
        bool scaled = ratio && (!auto_width || w != unlimited || box->natural_height < 0);
        h = scaled ? height_of_width(box, w) : wn_px_max(box->natural_height, 0) + edges_h;
        wn_px limited = wn_layout_limit_height(lay, box, h, percent);
        if (limited != h && auto_width && ratio)
            w = wn_layout_limit_width(lay, number, width_of_height(box, limited), base, available);
        h = limited;
    }
    *width = w;
    *height = h;
}

wn_px wn_layout_replaced_height(wn_lay *lay, uint32_t number, wn_px width, wn_px percent)
{
    const wn_lay_box *box = wn_layout_at(lay, number);
    wn_px height = wn_layout_given_height(lay, box, box->style->height, percent);
    if (height == WN_PX_AUTO) {
        bool replaced = box->kind == WN_LAY_REPLACED;
        wn_px own = replaced ? box->natural_height : WN_PX_AUTO;
        bool natural = replaced && width == box->natural_width + wn_layout_edge_width(box);
        height = wn_layout_ratio(box) > 0 && (!natural || own < 0)
                     ? height_of_width(box, width)
                     : wn_px_max(own, 0) + wn_layout_edge_height(box);
    }
    return wn_layout_limit_height(lay, box, height, percent);
}

/* Padding that is a percentage of `base`: contents' widths are found without it. */
static wn_px percent_padding(wn_lay *lay, uint32_t number, wn_px base)
{
    const wn_style *style = wn_layout_at(lay, number)->style;
    if (base == WN_PX_AUTO ||
        (style->padding[WN_LEFT].percent == 0 && style->padding[WN_RIGHT].percent == 0))
        return 0;
    wn_layout_edges(lay, wn_layout_at(lay, number), 0);
    wn_px without = wn_layout_edge_width(wn_layout_at(lay, number));
    wn_layout_edges(lay, wn_layout_at(lay, number), base);
    return wn_layout_edge_width(wn_layout_at(lay, number)) - without;
}

wn_px wn_layout_fit_width(wn_lay *lay, uint32_t number, wn_px base, wn_px available, wn_px percent)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_px width, height;
    if (box->kind == WN_LAY_REPLACED) {
        wn_layout_replaced_size(lay, number, base, percent, &width, &height);
        return width;
    }
    width = wn_layout_given_width(lay, number, box->style->width, base, available);
    if (width == WN_PX_AUTO && box->style->aspect_ratio > 0) {
        height = wn_layout_given_height(lay, box, box->style->height, percent);
        if (height != WN_PX_AUTO)
            width = width_of_height(box, wn_layout_limit_height(lay, box, height, percent));
    }
    if (width == WN_PX_AUTO) {
        wn_layout_intrinsic(lay, number);
        wn_px more = percent_padding(lay, number, base);
        box = wn_layout_at(lay, number);
        width = wn_px_max(box->min_content, wn_px_min(box->max_content, available - more)) + more;
    } else if (box->kind == WN_LAY_TABLE ||
               (box->kind == WN_LAY_TURNED && box[1].kind == WN_LAY_TABLE)) {
        wn_layout_intrinsic(lay, number);
        width = wn_px_max(width, wn_layout_at(lay, number)->min_content);
    }
    return wn_layout_limit_width(lay, number, width, base, available);
}

/* ---- Formatting contexts ----------------------------------------------------------------- */

wn_px wn_layout_inner_height(wn_lay *lay, const wn_frame *frame)
{
    const wn_lay_box *box = wn_layout_at(lay, frame->box);
    wn_px height = frame->in.height;
    if (height == WN_PX_AUTO) {
        height = wn_layout_given_height(lay, box, box->style->height, frame->in.percent);
        if (height != WN_PX_AUTO)
            height = wn_layout_limit_height(lay, box, height, frame->in.percent);
    }
    return height == WN_PX_AUTO ? WN_PX_AUTO : wn_px_max(height - wn_layout_edge_height(box), 0);
}

bool wn_layout_scrolls(uint8_t overflow)
{
    return overflow != WN_OVERFLOW_VISIBLE && overflow != WN_OVERFLOW_CLIP;
}

bool wn_layout_is_context(const wn_lay *lay, const wn_lay_box *box)
{
    const wn_style *style = box->style;
    if (box->kind != WN_LAY_BLOCK || box->floating || box->absolute || box->inline_level)
        return true;
    uint8_t parent = lay->boxes.items[box->parent].kind;
    return style->display == WN_DISPLAY_FLOW_ROOT || wn_layout_scrolls(style->overflow_x) ||
           wn_layout_scrolls(style->overflow_y) || style->contain || style->column_count > 0 ||
           style->column_width > 0 || style->column_span_all || box->legend ||
           parent == WN_LAY_FLEX || parent == WN_LAY_GRID ||
           (box->node && wn_node_is(wn_doc_node(lay->doc, box->node), WN_TAG_FIELDSET));
}
