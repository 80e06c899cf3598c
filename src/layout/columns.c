/*
 * Columns: the contents of a container with several columns, laid out as one long column and then
 * cut into pieces that are side by side.
 *
 * While flow.c and lines.c lay the long column out, they record what cannot be split: lines, boxes
 * with their own formatting context, blocks with `break-inside: avoid`. Then the height that
 * balances the columns is found (unless the style sets it), and everything is moved to its column.
 * An element that spans all columns ends a row of columns; another row begins after it.
 * https://drafts.csswg.org/css-multicol/
 *
 * Tables, flex and grid containers and scrolling boxes are moved as a whole, not split.
 */
#include <assert.h>

#include "layout/engine.h"

enum {
    ROUNDS = 40, /* of looking for the height: enough for any number of pixels */
    MAX_COLUMNS = 1000,
    COLUMN_STEPS = 8, /* what a column that is kept costs */
};

typedef struct wn_column_cut cut;

bool wn_layout_columns_has(const wn_lay_box *box)
{
    return box->kind == WN_LAY_BLOCK &&
           (box->style->column_count > 0 || box->style->column_width > 0);
}

/* https://drafts.csswg.org/css-multicol/#pseudo-algorithm */
wn_columns wn_layout_columns_of(const wn_lay *lay, const wn_style *style, wn_px room)
{
    wn_px gap = wn_css_length_is_auto(style->column_gap)
                    ? wn_px_from(style->font_size)
                    : wn_px_max(wn_layout_length(lay, style->column_gap, room, 0), 0);
    wn_px wanted = wn_px_from(style->column_width);
    uint32_t count = style->column_count;
    if (wanted > 0) {
        wn_px fitting = (room + gap) / (wanted + gap);
        if (count == 0 || fitting < count)
            count = (uint32_t)wn_px_max(wn_px_min(fitting, MAX_COLUMNS), 1);
    }
    assert(count > 0); /* a width is at least a pixel */
    wn_px width = wn_px_max((room - gap * (count - 1)) / count, 0);
    return (wn_columns){.count = count, .width = width, .gap = gap};
}

/* ---- Pieces ------------------------------------------------------------------------------ */

void wn_layout_columns_add(wn_lay *lay, wn_frame *frame, wn_layout_piece piece)
{
    wn_flow_state *flow = &frame->flow;
    wn_layout_piece *slot = wn_array_push(&lay->pieces);
    if (!slot) {
        lay->failed = true;
        return;
    }
    bool first = lay->pieces.count == flow->first_piece + 1;
    piece.forced = piece.forced || (flow->forces_break && !first);
    if (first)
        piece.top = wn_px_min(piece.top, flow->content_top);
    else if (flow->piece_top != WN_PX_NONE)
        piece.top = wn_px_min(piece.top, flow->piece_top);
    flow->forces_break = false;
    flow->piece_top = WN_PX_NONE;
    *slot = piece;
}

void wn_layout_columns_join(wn_lay *lay, uint32_t first)
{
    if (lay->pieces.count <= first)
        return;
    wn_layout_piece *joined = &lay->pieces.items[first];
    for (uint32_t i = first + 1; i < lay->pieces.count; i++) {
        const wn_layout_piece *piece = &lay->pieces.items[i];
        joined->top = wn_px_min(joined->top, piece->top);
        joined->bottom = wn_px_max(joined->bottom, piece->bottom);
        if (joined->baseline == WN_PX_NONE)
            joined->baseline = piece->baseline;
        if (piece->last_baseline != WN_PX_NONE)
            joined->last_baseline = piece->last_baseline;
    }
    joined->splits = false;
    lay->pieces.count = first + 1;
}

/* ---- Rows of columns --------------------------------------------------------------------- */

typedef struct filling {
    wn_lay *lay;
    wn_frame *frame;
    uint32_t first, end; /* pieces of the row */
    wn_px step;          /* from column to column */
    wn_px y;             /* of the row */
    bool keep;           /* the cuts */
} filling;

static void add_cut(filling *f, wn_px top, uint32_t column)
{
    if (!f->keep)
        return;
    cut *slot = wn_array_push(&f->lay->cuts);
    if (slot)
        *slot = (cut){top, f->step * column, f->y - top};
    else
        f->lay->failed = true;
}

/*
 * How many more columns a piece that can be split takes, if it reaches so far down in one. A few
 * bytes of style can ask for a thousand at each element: those that are kept are counted with the
 * tracks of grids.
 */
static uint32_t further_columns(const filling *f, wn_px down, wn_px height, uint32_t column)
{
    if (height <= 0 || down <= height || column >= MAX_COLUMNS)
        return 0;
    wn_px more = wn_px_min((down - 1) / height, MAX_COLUMNS - column);
    return !f->keep || wn_cost_spend(&f->lay->grid_steps, (uint64_t)more * COLUMN_STEPS)
               ? (uint32_t)more
               : 0;
}

/* Fills columns of that height; returns how many there are, and how high the highest is. */
static uint32_t fill(filling *f, wn_px height, wn_px *highest)
{
    assert(f->first < f->end && f->end <= f->lay->pieces.count);
    const wn_layout_piece *pieces = f->lay->pieces.items;
    wn_px top = pieces[f->first].top;
    uint32_t column = 0;
    *highest = 0;
    add_cut(f, top, 0);
    for (uint32_t i = f->first; i < f->end; i++) {
        const wn_layout_piece *p = &pieces[i];
        bool breaks = i > f->first && p->top > top &&
                      (p->forced || (!p->splits && p->bottom - top > height));
        if (breaks) {
            top = p->top;
            add_cut(f, top, ++column);
        }
        uint32_t more = p->splits ? further_columns(f, p->bottom - top, height, column) : 0;
        if (more > 0)
            *highest = wn_px_max(*highest, height);
        for (uint32_t k = 1; f->keep && k <= more; k++)
            add_cut(f, top + k * height, column + k);
        top += more * height;
        column += more;
        *highest = wn_px_max(*highest, p->bottom - top);
    }
    f->lay->failed |= !wn_cost_spend(&f->lay->steps, f->end - f->first);
    return column + 1;
}

/* The least height at which all pieces are in so many columns, and none sticks out. */
static wn_px balanced(filling *f, uint32_t count)
{
    const wn_layout_piece *pieces = f->lay->pieces.items;
    wn_px low = 0, high = 0, highest;
    uint32_t forced = 0;
    for (uint32_t i = f->first; i < f->end; i++) {
        forced += pieces[i].forced && i > f->first;
        if (!pieces[i].splits)
            low = wn_px_max(low, pieces[i].bottom - pieces[i].top);
        high = wn_px_max(high, pieces[i].bottom - pieces[f->first].top);
    }
    uint32_t allowed = count > forced + 1 ? count : forced + 1;
    low = wn_px_max(low, high / allowed);
    for (int round = 0; round < ROUNDS && low < high && !f->lay->failed; round++) {
        wn_px middle = low + (high - low) / 2;
        if (fill(f, middle, &highest) <= allowed)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/* Lays a row of pieces out; returns its height. `most` is the height there is, or WN_PX_AUTO. */
static wn_px fill_row(filling *f, uint32_t count, wn_px most, bool balance)
{
    wn_px height = most, highest;
    if (most == WN_PX_AUTO || balance) {
        height = balanced(f, count);
        if (most != WN_PX_AUTO)
            height = wn_px_min(height, most);
    }
    f->keep = true;
    fill(f, wn_px_max(height, 1), &highest);
    f->keep = false;
    return highest;
}

/* ---- Moving ------------------------------------------------------------------------------ */

/* The number of the cut that `y` comes after. */
static uint32_t cut_of(const wn_lay *lay, uint32_t first, wn_px y)
{
    uint32_t low = first, high = lay->cuts.count;
    assert(low < high);
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (lay->cuts.items[middle].top <= y)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A box that was cut is as large as all its parts together. */
static void move_box(const wn_lay *lay, uint32_t first, wn_lay_box *box)
{
    uint32_t from = cut_of(lay, first, box->y);
    uint32_t to = cut_of(lay, first, wn_px_max(box->y + box->height - 1, box->y));
    assert(from <= to && to < lay->cuts.count);
    const cut *cuts = lay->cuts.items;
    wn_px x = box->x, y = box->y, height = box->height;
    box->x = x + cuts[from].x;
    box->y = y + cuts[from].y;
    if (from == to)
        return;
    wn_px left = box->x, right = box->x + box->width, top = box->y, bottom = box->y;
    for (uint32_t i = from; i <= to; i++) {
        wn_px part_top = i == from ? y : cuts[i].top;
        wn_px part_bottom = i == to ? y + height : cuts[i + 1].top;
        left = wn_px_min(left, x + cuts[i].x);
        right = wn_px_max(right, x + cuts[i].x + box->width);
        top = wn_px_min(top, part_top + cuts[i].y);
        bottom = wn_px_max(bottom, part_bottom + cuts[i].y);
    }
    box->x = left;
    box->y = top;
    box->width = right - left;
    box->height = bottom - top;
}

static wn_unit moved(wn_unit from, wn_px by)
{
    wn_px to = from + by;
    return (wn_unit)wn_px_max(wn_px_min(to, INT32_MAX), -INT32_MAX);
}

static void move_boxes(wn_lay *lay, const wn_frame *frame, uint32_t first)
{
    uint32_t root = frame->box, end = wn_layout_at(lay, root)->end;
    for (uint32_t i = root + 1; i < end; i++) {
        wn_lay_box *box = wn_layout_at(lay, i);
        if (box->absolute) {
            if (box->static_origin == root) {
                const cut *c = &lay->cuts.items[cut_of(lay, first, box->static_y)];
                box->static_x += c->x;
                box->static_y += c->y;
            }
            i = box->end - 1;
        } else if (box->origin == root) {
            move_box(lay, first, box);
        }
    }
    for (uint32_t i = frame->flow.first_fragment; i < lay->fragments.count; i++) {
        wn_text_fragment *fragment = &lay->fragments.items[i];
        if (wn_layout_at(lay, lay->fragment_boxes.items[i])->origin != root)
            continue;
        const cut *c = &lay->cuts.items[cut_of(lay, first, fragment->baseline - 1)];
        fragment->x = moved(fragment->x, c->x);
        fragment->baseline = moved(fragment->baseline, c->y);
    }
}

/* The highest first baseline of the first row, the lowest last one of the last. */
static void find_baselines(wn_lay *lay, const wn_frame *frame, uint32_t first_cut,
                           uint32_t first_end, uint32_t last_start)
{
    wn_lay_box *root = wn_layout_at(lay, frame->box);
    root->baseline = root->last_baseline = WN_PX_NONE;
    for (uint32_t i = frame->flow.first_piece; i < lay->pieces.count; i++) {
        const wn_layout_piece *p = &lay->pieces.items[i];
        if (p->baseline == WN_PX_NONE)
            continue;
        wn_px shift = lay->cuts.items[cut_of(lay, first_cut, p->top)].y;
        if (i < first_end && (root->baseline == WN_PX_NONE || p->baseline + shift < root->baseline))
            root->baseline = p->baseline + shift;
        if (i >= last_start)
            root->last_baseline = wn_px_max(root->last_baseline, p->last_baseline + shift);
    }
    if (root->baseline == WN_PX_NONE)
        root->baseline = root->last_baseline;
    if (root->last_baseline == WN_PX_NONE)
        root->last_baseline = root->baseline;
}

wn_px wn_layout_columns_finish(wn_lay *lay, wn_frame *frame, wn_px most)
{
    wn_flow_state *flow = &frame->flow;
    const wn_style *style = wn_layout_at(lay, frame->box)->style;
    uint32_t first_cut = lay->cuts.count, first = flow->first_piece, count = lay->pieces.count;
    uint32_t first_end = count, last_start = first;
    filling f = {.lay = lay,
                 .frame = frame,
                 .step = (flow->columns.width + flow->columns.gap) * (style->rtl ? -1 : 1),
                 .y = flow->content_top};
    for (uint32_t i = first; i < count && !lay->failed;) {
        uint32_t end = i + 1;
        bool spans = lay->pieces.items[i].spans;
        while (!spans && end < count && !lay->pieces.items[end].spans)
            end++;
        f.first = i;
        f.end = end;
        bool balance = !style->column_fill_auto || end < count;
        wn_px room = most == WN_PX_AUTO ? WN_PX_AUTO
                                        : wn_px_max(most - (f.y - flow->content_top), WN_UNIT);
        f.y += fill_row(&f, flow->columns.count, spans ? WN_PX_AUTO : room, balance);
        first_end = i == first ? end : first_end;
        last_start = i;
        i = end;
    }
    if (count > first && !lay->failed) {
        find_baselines(lay, frame, first_cut, first_end, last_start);
        if (!frame->in.measure)
            move_boxes(lay, frame, first_cut);
    }
    lay->cuts.count = first_cut;
    lay->pieces.count = first;
    return f.y;
}

/* ---- Intrinsic widths -------------------------------------------------------------------- */

void wn_layout_columns_intrinsic(const wn_lay *lay, const wn_style *style, wn_px *least,
                                 wn_px *most)
{
    wn_px gap = wn_css_length_is_auto(style->column_gap)
                    ? wn_px_from(style->font_size)
                    : wn_layout_length(lay, style->column_gap, 0, 0);
    wn_px width = wn_px_from(style->column_width);
    uint32_t count = style->column_count ? style->column_count : 1;
    wn_px gaps = wn_px_max(gap, 0) * (count - 1);
    if (width > 0) {
        *least = wn_px_min(*least, width);
        *most = wn_px_max(*most, width) * count + gaps;
    } else {
        *least = *least * count + gaps;
        *most = *most * count + gaps;
    }
    *most = wn_px_max(*most, *least);
}
