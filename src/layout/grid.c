/*
 * Grids: items in rows and columns that the style gives or that come up as they are needed.
 *
 * 1. Items get their cells: see grid_place.c.
 * 2. Columns are sized: see grid_tracks.c.
 * 3. Items are asked for their heights; rows are sized alike.
 * 4. Items are laid out in their areas.
 *
 * There is no subgrid, and no lines before the first one of the template.
 */
#include <assert.h>

#include "layout/grid.h"

enum { STATE_START, STATE_MEASURE, STATE_ITEMS };

/* ---- Columns ----------------------------------------------------------------------------- */

static need width_needed(wn_lay *lay, uint32_t number)
{
    need n;
    wn_layout_intrinsic(lay, number);
    wn_layout_contribution(lay, number, &n.least, &n.most);
    const wn_lay_box *box = wn_layout_at(lay, number);
    if (wn_layout_scrolls(box->style->overflow_x) && wn_css_length_is_auto(box->style->min_width))
        n.least = wn_layout_margin_width(box) + wn_layout_edge_width(box);
    return n;
}

static void size_columns(wn_lay *lay, grid *g, uint8_t content)
{
    axis *a = &g->axes[COLUMNS];
    wn_layout_grid_start_tracks(lay, a);
    for (int pass = 0; pass < 2; pass++) /* items in one column first */
        for (uint32_t i = 0; i < g->item_count; i++) {
            span s = g->items[i].spans[COLUMNS];
            if ((s.count == 1) == (pass == 0))
                wn_layout_grid_fit(a, s, width_needed(lay, g->items[i].box));
        }
    /* A column with a share is no narrower than its contents. */
    for (uint32_t i = 0; i < a->count; i++)
        if (a->tracks[i].fr > 0 && a->size != WN_PX_AUTO)
            a->tracks[i].limit = a->tracks[i].base;
    wn_layout_grid_finish_tracks(a, content);
}

/* The sum of the columns if nothing is wider than it has to be. */
static wn_px least_width(wn_lay *lay, grid *g)
{
    axis *a = &g->axes[COLUMNS];
    wn_layout_grid_fill(a);
    wn_layout_grid_start_tracks(lay, a);
    for (uint32_t i = 0; i < g->item_count; i++) {
        need n;
        wn_layout_contribution(lay, g->items[i].box, &n.least, &n.most);
        n.most = n.least;
        wn_layout_grid_fit(a, g->items[i].spans[COLUMNS], n);
    }
    return wn_layout_grid_sum(a);
}

void wn_layout_grid_intrinsic(wn_lay *lay, uint32_t number)
{
    grid *g = wn_layout_grid_make(lay, number, WN_PX_AUTO, WN_PX_AUTO);
    if (!g)
        return;
    size_columns(lay, g, wn_layout_at(lay, number)->style->justify_content);
    wn_px most = wn_layout_grid_sum(&g->axes[COLUMNS]);
    wn_px least = least_width(lay, g);
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_layout_edges(lay, box, 0);
    box->min_content = wn_px_min(least, most) + wn_layout_edge_width(box);
    box->max_content = most + wn_layout_edge_width(box);
}

/* ---- Items ------------------------------------------------------------------------------- */

static wn_px area_size(const axis *a, span s)
{
    assert(s.count > 0 && s.at + s.count <= a->count);
    const track *last = &a->tracks[s.at + s.count - 1];
    return last->at + last->base - a->tracks[s.at].at;
}

static uint8_t justify_of(const wn_lay_box *box, const wn_style *container)
{
    uint8_t how = box->anonymous ? WN_ALIGN_AUTO : box->style->justify_self;
    if (how == WN_ALIGN_AUTO)
        how = container->justify_items;
    return how == WN_ALIGN_NORMAL || how == WN_ALIGN_AUTO ? WN_ALIGN_STRETCH : how;
}

static wn_px item_width(wn_lay *lay, wn_frame *frame, const item *it)
{
    wn_lay_box *box = wn_layout_at(lay, it->box);
    wn_px area = area_size(&frame->grid.grid->axes[COLUMNS], it->spans[COLUMNS]);
    wn_layout_edges(lay, box, area);
    wn_px available = area - wn_layout_margin_width(box);
    uint8_t how = justify_of(box, wn_layout_at(lay, frame->box)->style);
    bool stretch = how == WN_ALIGN_STRETCH && wn_css_length_is_auto(box->style->width) &&
                   !box->auto_left && !box->auto_right && box->kind != WN_LAY_REPLACED &&
                   box->kind != WN_LAY_TABLE;
    if (!stretch)
        return wn_layout_fit_width(lay, it->box, area, available, WN_PX_AUTO);
    return wn_layout_limit_width(lay, it->box, wn_px_max(available, 0), area, available);
}

static bool call_item(wn_lay *lay, wn_frame *frame, bool measure)
{
    grid *g = frame->grid.grid;
    const item *it = &g->items[frame->grid.i];
    wn_lay_input in = {.width = item_width(lay, frame, it),
                       .height = WN_PX_AUTO,
                       .percent = WN_PX_AUTO,
                       .measure = measure};
    if (!measure) {
        const wn_lay_box *box = wn_layout_at(lay, it->box);
        wn_px area = area_size(&g->axes[ROWS], it->spans[ROWS]);
        in.percent = area;
        bool stretch = it->align == WN_ALIGN_STRETCH && wn_css_length_is_auto(box->style->height) &&
                       !box->auto_top && !box->auto_bottom && box->kind != WN_LAY_REPLACED &&
                       box->style->aspect_ratio <= 0;
        if (stretch)
            in.height = wn_layout_limit_height(
                lay, box, wn_px_max(area - wn_layout_margin_height(box), 0), area);
    }
    return wn_layout_call(lay, it->box, in);
}

/* ---- Baselines --------------------------------------------------------------------------- */

static bool is_lined_up(wn_lay *lay, const item *it)
{
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    return (it->align == WN_ALIGN_BASELINE || it->align == WN_ALIGN_LAST_BASELINE) &&
           !box->auto_top && !box->auto_bottom;
}

/* The row that an item is lined up in: its first, or its last. */
static track *row_of(const grid *g, const item *it)
{
    span s = it->spans[ROWS];
    return &g->axes[ROWS].tracks[it->at_end ? s.at + s.count - 1 : s.at];
}

/* How far an item is from the end of its row that it is lined up at. */
static wn_px baseline_shift(const grid *g, const item *it)
{
    return row_of(g, it)->ascent[it->at_end] - it->ascent;
}

/* https://drafts.csswg.org/css-grid/#algo-baseline-shims */
static void find_baselines(wn_lay *lay, grid *g)
{
    for (uint32_t i = 0; i < g->item_count; i++) {
        item *it = &g->items[i];
        if (!is_lined_up(lay, it))
            continue;
        const wn_lay_box *box = wn_layout_at(lay, it->box);
        wn_baseline found = wn_layout_baseline_of(lay, it->box, false,
                                                  it->align == WN_ALIGN_LAST_BASELINE, false);
        wn_px at = found.at + box->margin[WN_TOP];
        it->at_end = found.at_end;
        it->ascent = found.at_end ? box->height + wn_layout_margin_height(box) - at : at;
        track *row = row_of(g, it);
        row->ascent[it->at_end] = wn_px_max(row->ascent[it->at_end], it->ascent);
    }
}

static uint32_t edge_of(span s, bool last)
{
    return last ? s.at + s.count - 1 : UINT32_MAX - s.at;
}

/*
 * How well an item's baseline serves as the container's: its row decides, then whether it is lined
 * up there, those at the same end of the row before others, and last its column.
 */
static uint64_t baseline_rank(wn_lay *lay, const item *it, bool last)
{
    uint64_t rank = (uint64_t)edge_of(it->spans[ROWS], last) << 32;
    if (is_lined_up(lay, it))
        rank |= (uint64_t)(it->at_end == last ? 3 : 2) << 30;
    return rank | (edge_of(it->spans[COLUMNS], last) & ((1u << 30) - 1));
}

/*
 * The container's first or last: of the items lined up in its first or last row, else of its first
 * or last item.  https://drafts.csswg.org/css-grid/#grid-baselines
 */
static wn_px container_baseline(wn_lay *lay, const grid *g, bool last)
{
    const item *best = NULL;
    uint64_t best_rank = 0;
    for (uint32_t i = 0; i < g->item_count; i++) {
        uint64_t rank = baseline_rank(lay, &g->items[i], last);
        if (best && rank <= best_rank)
            continue;
        best = &g->items[i];
        best_rank = rank;
    }
    if (!best)
        return WN_PX_NONE;
    const wn_lay_box *box = wn_layout_at(lay, best->box);
    bool use_last = is_lined_up(lay, best) ? best->align == WN_ALIGN_LAST_BASELINE : last;
    return box->y + (use_last ? wn_layout_baseline_last(box) : wn_layout_baseline_first(box));
}

/* ---- Rows -------------------------------------------------------------------------------- */

static wn_px height_needed(wn_lay *lay, const grid *g, const item *it)
{
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    wn_px height = box->height + wn_layout_margin_height(box);
    return is_lined_up(lay, it) ? height + baseline_shift(g, it) : height;
}

/* Sizes the rows once all items have been measured; the container gets its height. */
static void size_rows(wn_lay *lay, wn_frame *frame)
{
    grid *g = frame->grid.grid;
    axis *a = &g->axes[ROWS];
    wn_layout_grid_start_tracks(lay, a);
    find_baselines(lay, g);
    for (int pass = 0; pass < 2; pass++) /* items in one row first */
        for (uint32_t i = 0; i < g->item_count; i++) {
            span s = g->items[i].spans[ROWS];
            if ((s.count == 1) != (pass == 0))
                continue;
            wn_px height = height_needed(lay, g, &g->items[i]);
            wn_layout_grid_fit(a, s, (need){height, height});
        }
    wn_lay_box *box = wn_layout_at(lay, frame->box);
    uint8_t content = box->style->align_content;
    wn_px edges = wn_layout_edge_height(box), height = a->size;
    wn_layout_grid_finish_tracks(a, content);
    if (height == WN_PX_AUTO) {
        wn_px natural = wn_layout_grid_sum(a);
        height = wn_layout_limit_height(lay, box, natural + edges, frame->in.percent) - edges;
        if (height > natural && (content == WN_ALIGN_NORMAL || content == WN_ALIGN_STRETCH))
            wn_layout_grid_stretch(a, height - natural);
    }
    wn_layout_grid_place_tracks(a, height, content);
    box->height = frame->in.height != WN_PX_AUTO ? frame->in.height : height + edges;
}

/* ---- Places ------------------------------------------------------------------------------ */

static wn_px aligned(uint8_t how, wn_px room, bool before, bool after)
{
    if (before || after)
        return before && after ? wn_px_max(room, 0) / 2 : before ? wn_px_max(room, 0) : 0;
    switch (how) {
    case WN_ALIGN_CENTER:
        return room / 2;
    case WN_ALIGN_END:
    case WN_ALIGN_FLEX_END:
    case WN_ALIGN_RIGHT:
    case WN_ALIGN_LAST_BASELINE:
        return room;
    default:
        return 0;
    }
}

static wn_px item_x(wn_lay *lay, const grid *g, const item *it, const wn_style *container)
{
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    const axis *a = &g->axes[COLUMNS];
    wn_px outer = box->width + wn_layout_margin_width(box);
    wn_px room = area_size(a, it->spans[COLUMNS]) - outer;
    wn_px x = a->tracks[it->spans[COLUMNS].at].at +
              aligned(justify_of(box, container), room, box->auto_left, box->auto_right);
    return container->rtl ? a->size - x - outer : x;
}

static wn_px item_y(wn_lay *lay, const grid *g, const item *it)
{
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    const axis *a = &g->axes[ROWS];
    wn_px room = area_size(a, it->spans[ROWS]) - box->height - wn_layout_margin_height(box);
    wn_px y = a->tracks[it->spans[ROWS].at].at;
    if (!is_lined_up(lay, it))
        return y + aligned(it->align, room, box->auto_top, box->auto_bottom);
    return y + (it->at_end ? room - baseline_shift(g, it) : baseline_shift(g, it));
}

static void place_item(wn_lay *lay, wn_frame *frame, const item *it)
{
    const wn_lay_box *container = wn_layout_at(lay, frame->box);
    wn_lay_box *box = wn_layout_at(lay, it->box);
    assert(box->parent == frame->box);
    wn_px x = item_x(lay, frame->grid.grid, it, container->style);
    wn_px y = item_y(lay, frame->grid.grid, it);
    box->origin = frame->box;
    box->x = container->edge[WN_LEFT] + box->margin[WN_LEFT] + x;
    box->y = container->edge[WN_TOP] + box->margin[WN_TOP] + y;
    box->placed = true;
}

/* ---- Steps ------------------------------------------------------------------------------- */

static void start(wn_lay *lay, wn_frame *frame)
{
    const wn_lay_box *box = wn_layout_at(lay, frame->box);
    uint8_t content = box->style->justify_content;
    wn_px width = wn_px_max(frame->in.width - wn_layout_edge_width(box), 0);
    grid *g = wn_layout_grid_make(lay, frame->box, width, wn_layout_inner_height(lay, frame));
    frame->grid.grid = g;
    if (!g)
        return;
    size_columns(lay, g, content);
    wn_layout_grid_place_tracks(&g->axes[COLUMNS], width, content);
}

static void finish(wn_lay *lay, wn_frame *frame)
{
    grid *g = frame->grid.grid;
    wn_lay_box *box = wn_layout_at(lay, frame->box);
    for (uint32_t i = 0; i < g->item_count; i++)
        place_item(lay, frame, &g->items[i]);
    box->baseline = container_baseline(lay, g, false);
    box->last_baseline = container_baseline(lay, g, true);
    for (uint32_t i = frame->box + 1; !frame->in.measure && i < box->end;
         i = wn_layout_at(lay, i)->end)
        if (wn_layout_at(lay, i)->absolute)
            wn_layout_set_static_room(lay, frame, i, WN_STATIC_START, WN_STATIC_START);
    wn_layout_return(lay, frame);
}

void wn_layout_grid_step(wn_lay *lay, wn_frame *frame)
{
    if (frame->state == STATE_START) {
        start(lay, frame);
        if (lay->failed)
            return;
        frame->state = STATE_MEASURE;
    }
    grid *g = frame->grid.grid;
    for (; frame->state == STATE_MEASURE && frame->grid.i < g->item_count; frame->grid.i++) {
        if (!frame->called && call_item(lay, frame, true))
            return;
        frame->called = false;
    }
    if (frame->state == STATE_MEASURE) {
        size_rows(lay, frame);
        frame->state = STATE_ITEMS;
        frame->grid.i = frame->in.measure ? g->item_count : 0;
    }
    for (; frame->grid.i < g->item_count; frame->grid.i++) {
        if (!frame->called && call_item(lay, frame, false))
            return;
        frame->called = false;
    }
    finish(lay, frame);
}
