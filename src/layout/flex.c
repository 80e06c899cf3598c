/*
 * Flex containers: items in a row or a column that grow and shrink to fill it.
 *
 * The steps of https://drafts.csswg.org/css-flexbox/#layout-algorithm, with the axes called main
 * and cross: base sizes, lines, flexible lengths, cross sizes, alignment. Items are asked
 * for their heights where a size depends on their contents, and laid out once at the end.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "layout/engine.h"

typedef struct wn_flex_item {
    uint32_t box;
    int32_t order;
    wn_px base, size;  /* border box in the main axis: before and after flexing */
    wn_px least, most; /* limits of it; most may be WN_PX_MAX */
    wn_px cross;       /* border box in the cross axis */
    wn_px margin_main, margin_cross;
    wn_px main_at, cross_at; /* of the margin box, from the start of the content box */
    wn_px ascent;            /* from the end of the line that it is lined up at to the baseline */
    bool at_end;             /* of the cross axis */
    uint8_t align;           /* wn_align, resolved */
    bool frozen;
    bool stretched;
} item;

typedef struct wn_flex_line {
    uint32_t first, count;
    wn_px cross, at;
    wn_px ascent[2]; /* of items that are lined up at its start and end: the largest */
} line;

enum { MAX_ROUNDS = 32 }; /* of freezing items; a few are the rule */

enum { STATE_START, STATE_BASE, STATE_MAIN, STATE_CROSS, STATE_FINISH, STATE_ITEMS };

/* ---- Helpers ----------------------------------------------------------------------------- */

static bool is_row(const wn_style *style)
{
    return style->flex_direction == WN_FLEX_ROW || style->flex_direction == WN_FLEX_ROW_REVERSE;
}

/* Whether text runs from right to left along the axis. */
static bool runs_backwards(const wn_style *style, bool horizontal)
{
    return horizontal && style->rtl;
}

static bool is_reverse(const wn_style *style)
{
    return style->flex_direction == WN_FLEX_ROW_REVERSE ||
           style->flex_direction == WN_FLEX_COLUMN_REVERSE;
}

/* Whether automatic minimum sizes are those of the contents: nothing is scrolled in that axis. */
static bool is_visible(const wn_style *style, bool row)
{
    return !wn_layout_scrolls(row ? style->overflow_x : style->overflow_y);
}

/* The content box's width of the container. */
static wn_px inner_width(wn_lay *lay, const wn_frame *frame)
{
    return wn_px_max(frame->in.width - wn_layout_edge_width(wn_layout_at(lay, frame->box)), 0);
}

/* ---- Items ------------------------------------------------------------------------------- */

/* Items by their order, in document order where that is the same: a merge sort. */
static void sort_items(item *items, item *spare, uint32_t count)
{
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t start = 0; start < count; start += 2 * width) {
            uint32_t middle = start + width < count ? start + width : count;
            uint32_t end = start + 2 * width < count ? start + 2 * width : count;
            uint32_t a = start, b = middle;
            for (uint32_t i = start; i < end; i++)
                spare[i] = b >= end || (a < middle && items[a].order <= items[b].order)
                               ? items[a++]
                               : items[b++];
        }
        memcpy(items, spare, count * sizeof *items);
    }
}

static bool collect_items(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    uint32_t end = wn_layout_at(lay, frame->box)->end, count = 0;
    bool sorted = true;
    for (uint32_t i = frame->box + 1; i < end; i = wn_layout_at(lay, i)->end) {
        count += !wn_layout_at(lay, i)->absolute;
        sorted = sorted && wn_layout_at(lay, i)->style->order == 0;
    }
    flex->items = wn_layout_alloc(lay, (count + 1) * sizeof *flex->items);
    flex->lines = wn_layout_alloc(lay, (count + 1) * sizeof *flex->lines);
    if (lay->failed)
        return false;
    const wn_style *container = wn_layout_at(lay, frame->box)->style;
    for (uint32_t i = frame->box + 1; i < end; i = wn_layout_at(lay, i)->end) {
        wn_lay_box *box = wn_layout_at(lay, i);
        if (box->absolute)
            continue;
        flex->items[flex->count++] = (item){
            .box = i,
            .order = box->anonymous ? 0 : box->style->order,
            .align = wn_layout_align_of(lay, i, !is_row(container)),
        };
    }
    assert(flex->count == count);
    item *spare = sorted ? NULL : wn_layout_alloc(lay, (count + 1) * sizeof *spare);
    if (spare)
        sort_items(flex->items, spare, count);
    return !lay->failed;
}

/* The width of an item in a column: stretched, or as its contents like. */
static wn_px column_item_width(wn_lay *lay, wn_frame *frame, const item *it)
{
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    wn_px base = inner_width(lay, frame), available = base - wn_layout_margin_width(box);
    bool stretch = it->align == WN_ALIGN_STRETCH && wn_css_length_is_auto(box->style->width) &&
                   !box->auto_left && !box->auto_right && box->kind != WN_LAY_TABLE;
    const wn_style *container = wn_layout_at(lay, frame->box)->style;
    if (container->flex_wrap != WN_FLEX_NOWRAP)
        stretch = false; /* several lines: each is as wide as its items */
    if (!stretch)
        return wn_layout_fit_width(lay, it->box, base, available, frame->flex.main_size);
    return wn_layout_limit_width(lay, it->box, wn_px_max(available, 0), base, available);
}

/* ---- Base sizes -------------------------------------------------------------------------- */

static wn_px margins_in(const wn_lay_box *box, bool horizontal)
{
    return horizontal ? wn_layout_margin_width(box) : wn_layout_margin_height(box);
}

static wn_px edges_in(const wn_lay_box *box, bool horizontal)
{
    return horizontal ? wn_layout_edge_width(box) : wn_layout_edge_height(box);
}

/* The border box in the main axis by a property; WN_PX_AUTO for auto and the like. */
static wn_px given_main(wn_lay *lay, const wn_flex_state *flex, uint32_t number, wn_length length)
{
    const wn_lay_box *box = wn_layout_at(lay, number);
    if (!flex->row)
        return wn_layout_given_height(lay, box, length, flex->main_size);
    return wn_layout_given_width(lay, number, length, flex->main_size,
                                 flex->main_size - wn_layout_margin_width(box));
}

/* https://drafts.csswg.org/css-flexbox/#flex-basis-property; `given` is width or height. */
static wn_px given_basis(wn_lay *lay, const wn_flex_state *flex, uint32_t number, wn_px given)
{
    wn_length basis = wn_layout_at(lay, number)->style->flex_basis;
    if (basis.kind == WN_LENGTH_CONTENT)
        return WN_PX_AUTO;
    return wn_css_length_is_auto(basis) ? given : given_main(lay, flex, number, basis);
}

/*
 * The limits of an item that has a base size; `content` is the least size of what is in it. Without
 * a minimum that counts: https://drafts.csswg.org/css-flexbox/#min-size-auto
 */
static void set_limits(wn_lay *lay, const wn_flex_state *flex, item *it, wn_px given, wn_px content)
{
    const wn_style *style = wn_layout_at(lay, it->box)->style;
    wn_px most = given_main(lay, flex, it->box, flex->row ? style->max_width : style->max_height);
    it->most = most == WN_PX_AUTO ? WN_PX_MAX : most;
    it->least = given_main(lay, flex, it->box, flex->row ? style->min_width : style->min_height);
    if (it->least != WN_PX_AUTO)
        return;
    it->least = edges_in(wn_layout_at(lay, it->box), flex->row);
    if (is_visible(style, flex->row)) {
        wn_px automatic = given != WN_PX_AUTO ? wn_px_min(given, content) : content;
        it->least = wn_px_max(it->least, wn_px_min(automatic, it->most));
    }
}

/* The width of an item with a ratio in a row, if the style does not give it. */
static wn_px ratio_width(wn_lay *lay, const wn_frame *frame, const item *it, bool has_width)
{
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    wn_px percent = frame->flex.cross_size;
    bool stretch = it->align == WN_ALIGN_STRETCH && wn_css_length_is_auto(box->style->height) &&
                   percent != WN_PX_AUTO && wn_layout_ratio(box) > 0 && !has_width &&
                   wn_layout_at(lay, frame->box)->style->flex_wrap == WN_FLEX_NOWRAP;
    if (!stretch)
        return wn_layout_fit_width(lay, it->box, frame->flex.main_size, WN_PX_MAX, percent);
    wn_px height = wn_layout_limit_height(lay, box, percent - wn_layout_margin_height(box),
                                          percent);
    return wn_px_cut((double)(height - wn_layout_edge_height(box)) * wn_layout_ratio(box)) +
           wn_layout_edge_width(box);
}

static void set_margins(wn_lay *lay, const wn_flex_state *flex, item *it)
{
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    it->margin_main = margins_in(box, flex->row);
    it->margin_cross = margins_in(box, !flex->row);
}

static void row_base(wn_lay *lay, wn_frame *frame, item *it)
{
    const wn_flex_state *flex = &frame->flex;
    wn_layout_intrinsic(lay, it->box);
    wn_layout_edges(lay, wn_layout_at(lay, it->box), flex->main_size);
    wn_px given = given_main(lay, flex, it->box, wn_layout_at(lay, it->box)->style->width);
    wn_px size = given_basis(lay, flex, it->box, given);
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    wn_px content = box->min_content;
    if (box->kind == WN_LAY_REPLACED || box->style->aspect_ratio > 0) {
        wn_px width = ratio_width(lay, frame, it, given != WN_PX_AUTO);
        size = size == WN_PX_AUTO ? width : size;
        content = box->kind == WN_LAY_REPLACED ? width : wn_px_max(content, 0);
    } else if (size == WN_PX_AUTO) {
        size = box->max_content;
    }
    it->base = wn_px_max(size, wn_layout_edge_width(box));
    set_limits(lay, flex, it, box->kind == WN_LAY_TABLE ? WN_PX_AUTO : given, content);
    set_margins(lay, flex, it);
}

/* The base size of an item in a column, whose content is box->height high at its width. */
static void column_base(wn_lay *lay, wn_frame *frame, item *it)
{
    const wn_flex_state *flex = &frame->flex;
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    wn_px given = given_main(lay, flex, it->box, box->style->height);
    wn_px content = box->height, size = given_basis(lay, flex, it->box, given);
    if (size == WN_PX_AUTO && box->kind != WN_LAY_REPLACED && box->style->aspect_ratio > 0)
        size = wn_layout_replaced_height(lay, it->box, box->width, flex->main_size);
    if (size == WN_PX_AUTO)
        size = content;
    it->base = wn_px_max(size, wn_layout_edge_height(box));
    /* What was measured is the given height where there is one: then that is the bound. */
    set_limits(lay, flex, it, given, content);
    set_margins(lay, flex, it);
    it->cross = box->width;
}

static wn_px limited(const item *it, wn_px size)
{
    return wn_px_max(wn_px_min(size, it->most), it->least);
}

/* ---- Lines and flexible lengths ---------------------------------------------------------- */

static void make_lines(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    bool wraps = wn_layout_at(lay, frame->box)->style->flex_wrap != WN_FLEX_NOWRAP;
    wn_px room = flex->main_size, used = 0;
    flex->line_count = 0;
    for (uint32_t i = 0; i < flex->count; i++) {
        item *it = &flex->items[i];
        wn_px size = limited(it, it->base) + it->margin_main;
        line *last = flex->line_count ? &flex->lines[flex->line_count - 1] : NULL;
        if (!last || (wraps && room != WN_PX_AUTO && used + flex->main_gap + size > room)) {
            flex->lines[flex->line_count++] = (line){.first = i, .count = 1};
            used = size;
        } else {
            last->count++;
            used += flex->main_gap + size;
        }
    }
}

/* The sum of a line's items at their base sizes, with margins and gaps. */
static wn_px base_sum(const wn_flex_state *flex, const line *ln)
{
    assert(ln->count > 0 && ln->first + ln->count <= flex->count);
    wn_px sum = flex->main_gap * (ln->count - 1);
    for (uint32_t i = ln->first; i < ln->first + ln->count; i++)
        sum += limited(&flex->items[i], flex->items[i].base) + flex->items[i].margin_main;
    return sum;
}

/*
 * The line whose items grow or shrink:
 * https://drafts.csswg.org/css-flexbox/#resolve-flexible-lengths
 */
typedef struct flexing {
    item *items;
    uint32_t count;
    uint32_t unfrozen; /* items whose size is not final */
    bool row, growing;
    double room;    /* of the line, without gaps */
    double initial; /* free space before the first round */
} flexing;

/* The space that the items not frozen share in one round, and the sums that they share it by. */
typedef struct free_space {
    double room, factors, scaled;
} free_space;

static double factor_of(const wn_style *style, bool growing)
{
    return growing ? (double)style->flex_grow : (double)style->flex_shrink;
}

static double inner_base(const flexing *f, const wn_lay_box *box, const item *it)
{
    return (double)(it->base - edges_in(box, f->row));
}

/* Items that cannot change in the direction of the line have their size. */
static void freeze_inflexible(wn_lay *lay, flexing *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        item *it = &f->items[i];
        bool flexible = factor_of(wn_layout_at(lay, it->box)->style, f->growing) > 0;
        it->size = limited(it, it->base);
        it->frozen = !flexible || (f->growing ? it->base > it->size : it->base < it->size);
        f->unfrozen -= it->frozen;
    }
}

static free_space measure_space(wn_lay *lay, const flexing *f)
{
    free_space space = {.room = f->room};
    for (uint32_t i = 0; i < f->count; i++) {
        const item *it = &f->items[i];
        const wn_lay_box *box = wn_layout_at(lay, it->box);
        space.room -= (double)((it->frozen ? it->size : it->base) + it->margin_main);
        if (it->frozen)
            continue;
        space.factors += factor_of(box->style, f->growing);
        space.scaled += (double)box->style->flex_shrink * inner_base(f, box, it);
    }
    return space;
}

/* Factors whose sum is below 1 share only that part of the space there was at first. */
static void limit_space(const flexing *f, free_space *space)
{
    double part = f->initial * space->factors;
    if (space->factors < 1 && fabs(part) < fabs(space->room))
        space->room = part;
}

/* Gives each item its share. Returns by how much limits are violated, all in all. */
static wn_px share_space(wn_lay *lay, const flexing *f, const free_space *space)
{
    wn_px violation = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        item *it = &f->items[i];
        if (it->frozen)
            continue;
        const wn_lay_box *box = wn_layout_at(lay, it->box);
        double share = 0;
        if (f->growing && space->factors > 0)
            share = space->room * (double)box->style->flex_grow / space->factors;
        else if (!f->growing && space->scaled > 0)
            share = space->room * (double)box->style->flex_shrink * inner_base(f, box, it) /
                    space->scaled;
        it->size = wn_px_clamp(it->base + wn_px_cut(share < 0 ? share - 0.5 : share + 0.5));
        violation += limited(it, it->size) - it->size;
    }
    return violation;
}

/* Freezes the items at limits of the kind that was violated more, or all. */
static void freeze_violating(flexing *f, wn_px violation, bool all)
{
    for (uint32_t i = 0; i < f->count; i++) {
        item *it = &f->items[i];
        if (it->frozen)
            continue;
        wn_px bounded = limited(it, it->size);
        if (all || violation == 0 || (violation > 0 ? bounded > it->size : bounded < it->size)) {
            it->size = bounded;
            it->frozen = true;
            f->unfrozen--;
        }
    }
}

static void flex_line(wn_lay *lay, wn_flex_state *flex, const line *ln)
{
    flexing f = {
        .items = flex->items + ln->first,
        .count = ln->count,
        .unfrozen = ln->count,
        .row = flex->row,
        .growing = base_sum(flex, ln) < flex->main_size,
        .room = (double)(flex->main_size - flex->main_gap * (ln->count - 1)),
    };
    assert(flex->main_size != WN_PX_AUTO);
    freeze_inflexible(lay, &f);
    for (uint32_t round = 0; f.unfrozen > 0; round++) {
        wn_cost_use(&lay->steps, f.count);
        free_space space = measure_space(lay, &f);
        if (round == 0)
            f.initial = space.room;
        limit_space(&f, &space);
        wn_px violation = share_space(lay, &f, &space);
        freeze_violating(&f, violation, round >= MAX_ROUNDS);
    }
}

/* ---- Cross sizes ------------------------------------------------------------------------- */

static bool has_auto_cross_margin(const wn_lay_box *box, bool row)
{
    return row ? box->auto_top || box->auto_bottom : box->auto_left || box->auto_right;
}

static bool on_baseline(const item *it)
{
    return it->align == WN_ALIGN_BASELINE || it->align == WN_ALIGN_LAST_BASELINE;
}

static bool is_lined_up(wn_lay *lay, const wn_flex_state *flex, const item *it)
{
    return on_baseline(it) && !has_auto_cross_margin(wn_layout_at(lay, it->box), flex->row);
}

/* Where the item's baseline is, and at which end of the line that counts. */
static void find_baseline(wn_lay *lay, wn_frame *frame, item *it)
{
    wn_flex_state *flex = &frame->flex;
    if (!on_baseline(it))
        return;
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    bool rtl = wn_layout_at(lay, frame->box)->style->rtl;
    wn_baseline found = wn_layout_baseline_of(lay, it->box, !flex->row,
                                              it->align == WN_ALIGN_LAST_BASELINE, rtl);
    found.at += box->margin[flex->row ? WN_TOP : WN_LEFT];
    found.at_end = found.at_end != flex->flip_lines;
    it->ascent = found.at_end ? it->cross + it->margin_cross - found.at : found.at;
    it->at_end = found.at_end != flex->flip_cross;
}

/* A line is as large as its largest item, and as those lined up by their baselines together. */
static void size_line(wn_lay *lay, wn_frame *frame, line *ln)
{
    wn_flex_state *flex = &frame->flex;
    wn_px descent[2] = {0, 0};
    ln->cross = ln->ascent[0] = ln->ascent[1] = 0;
    for (uint32_t i = ln->first; i < ln->first + ln->count; i++) {
        item *it = &flex->items[i];
        wn_px outer = it->cross + it->margin_cross;
        ln->cross = wn_px_max(ln->cross, outer);
        find_baseline(lay, frame, it);
        if (!is_lined_up(lay, flex, it))
            continue;
        ln->ascent[it->at_end] = wn_px_max(ln->ascent[it->at_end], it->ascent);
        descent[it->at_end] = wn_px_max(descent[it->at_end], outer - it->ascent);
        ln->cross = wn_px_max(ln->cross, ln->ascent[it->at_end] + descent[it->at_end]);
    }
}

static void size_lines(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    const wn_lay_box *box = wn_layout_at(lay, frame->box);
    for (uint32_t l = 0; l < flex->line_count; l++)
        size_line(lay, frame, &flex->lines[l]);
    if (box->style->flex_wrap != WN_FLEX_NOWRAP || flex->line_count != 1)
        return;
    line *only = &flex->lines[0];
    if (flex->cross_size != WN_PX_AUTO) {
        only->cross = flex->cross_size;
    } else { /* a row without a height, but with limits */
        wn_px edges = wn_layout_edge_height(box);
        only->cross = wn_layout_limit_height(lay, box, only->cross + edges, frame->in.percent) -
                      edges;
    }
}

/* How `room` is shared out between `count` things: before the first, and between them. */
static void distribute(uint8_t how, wn_px room, uint32_t count, wn_px *before, wn_px *between)
{
    assert(count > 0);
    *before = *between = 0;
    switch (how) {
    case WN_ALIGN_CENTER:
        *before = room / 2;
        break;
    case WN_ALIGN_END:
    case WN_ALIGN_FLEX_END:
    case WN_ALIGN_RIGHT:
        *before = room;
        break;
    case WN_ALIGN_SPACE_BETWEEN:
        if (count > 1 && room > 0)
            *between = room / (count - 1);
        break;
    case WN_ALIGN_SPACE_AROUND:
        if (room > 0) {
            *between = room / count;
            *before = *between / 2;
        }
        break;
    case WN_ALIGN_SPACE_EVENLY:
        if (room > 0) {
            *between = room / (count + 1);
            *before = *between;
        }
        break;
    default:
        break;
    }
}

static wn_px lines_sum(const wn_flex_state *flex)
{
    wn_px sum = flex->line_count > 1 ? flex->cross_gap * (flex->line_count - 1) : 0;
    for (uint32_t l = 0; l < flex->line_count; l++)
        sum += flex->lines[l].cross;
    return sum;
}

/* align-content: where the lines are placed. */
static void place_lines(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    const wn_style *style = wn_layout_at(lay, frame->box)->style;
    wn_px room = flex->cross_size - lines_sum(flex), before = 0, between = 0;
    bool many = style->flex_wrap != WN_FLEX_NOWRAP;
    uint8_t how = style->align_content;
    if (flex->flip_lines && (how == WN_ALIGN_START || how == WN_ALIGN_END))
        how = how == WN_ALIGN_START ? WN_ALIGN_FLEX_END : WN_ALIGN_FLEX_START;
    if (many && (how == WN_ALIGN_NORMAL || how == WN_ALIGN_STRETCH) && room > 0)
        for (uint32_t l = 0; l < flex->line_count; l++)
            flex->lines[l].cross += room / flex->line_count;
    else if (many && flex->line_count > 0)
        distribute(how, room, flex->line_count, &before, &between);
    wn_px at = before;
    for (uint32_t l = 0; l < flex->line_count; l++) {
        flex->lines[l].at = at;
        at += flex->lines[l].cross + between + flex->cross_gap;
    }
}

/* Stretches items to their lines. */
static void stretch_items(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    for (uint32_t l = 0; l < flex->line_count; l++) {
        const line *ln = &flex->lines[l];
        for (uint32_t i = ln->first; i < ln->first + ln->count; i++) {
            item *it = &flex->items[i];
            const wn_lay_box *box = wn_layout_at(lay, it->box);
            const wn_style *style = box->style;
            wn_length given = flex->row ? style->height : style->width;
            it->stretched = given.kind == WN_LENGTH_STRETCH ||
                            (it->align == WN_ALIGN_STRETCH && wn_css_length_is_auto(given) &&
                             !has_auto_cross_margin(box, flex->row));
            if (!it->stretched)
                continue;
            wn_px size = wn_px_max(ln->cross - it->margin_cross, 0);
            it->cross = flex->row
                            ? wn_layout_limit_height(lay, box, size, flex->cross_size)
                            : wn_layout_limit_width(lay, it->box, size, flex->cross_size, size);
        }
    }
}

/* ---- Places ------------------------------------------------------------------------------ */

/* Which margins of a box are auto, at the start and the end of an axis that may run backwards. */
static void auto_margins(const wn_lay_box *box, bool horizontal, bool flipped, bool *start,
                         bool *end)
{
    bool first = horizontal ? box->auto_left : box->auto_top;
    bool second = horizontal ? box->auto_right : box->auto_bottom;
    *start = flipped ? second : first;
    *end = flipped ? first : second;
}

/* The start of an item in its line, in the cross axis. */
static wn_px cross_offset(wn_lay *lay, const wn_flex_state *flex, const line *ln, const item *it)
{
    bool wrap_reverse = flex->flip_lines;
    const wn_lay_box *box = wn_layout_at(lay, it->box);
    wn_px room = ln->cross - it->cross - it->margin_cross;
    bool auto_before, auto_after;
    auto_margins(box, !flex->row, flex->flip_cross, &auto_before, &auto_after);
    if (auto_before || auto_after)
        return auto_before && auto_after ? wn_px_max(room, 0) / 2
               : auto_before             ? wn_px_max(room, 0)
                                         : 0;
    bool backwards = flex->flip_cross != wrap_reverse;
    switch (it->align) {
    case WN_ALIGN_CENTER:
        return room / 2;
    case WN_ALIGN_END:
        return wrap_reverse ? 0 : room;
    case WN_ALIGN_START:
        return wrap_reverse ? room : 0;
    case WN_ALIGN_FLEX_END:
        return room;
    case WN_ALIGN_LEFT:
        return backwards ? room : 0;
    case WN_ALIGN_RIGHT:
        return backwards ? 0 : room;
    case WN_ALIGN_BASELINE:
    case WN_ALIGN_LAST_BASELINE: {
        wn_px from_end = ln->ascent[it->at_end] - it->ascent;
        return it->at_end ? room - from_end : from_end;
    }
    default:
        return 0;
    }
}

/* Whether left or right means the right of a row or the bottom of a column, in its coordinates. */
static bool is_at_far_side(const wn_lay_box *container, bool row, uint8_t how)
{
    if (row)
        return how == WN_ALIGN_RIGHT;
    return container->writing == WN_WRITING_VERTICAL_RL   ? how == WN_ALIGN_LEFT
           : container->writing == WN_WRITING_VERTICAL_LR ? how == WN_ALIGN_RIGHT
                                                          : false;
}

/* justify-content, with sides of the container as those of the main axis. */
static uint8_t main_alignment(const wn_lay_box *container, const wn_flex_state *flex)
{
    uint8_t how = container->style->justify_content;
    bool at_end;
    if (how == WN_ALIGN_START || how == WN_ALIGN_END)
        at_end = (how == WN_ALIGN_END) != is_reverse(container->style);
    else if (how == WN_ALIGN_LEFT || how == WN_ALIGN_RIGHT)
        at_end = is_at_far_side(container, flex->row, how) != flex->flip_main;
    else
        return how;
    return at_end ? WN_ALIGN_FLEX_END : WN_ALIGN_FLEX_START;
}

/* justify-content, with auto margins first. */
static void place_main(wn_lay *lay, wn_frame *frame, const line *ln)
{
    wn_flex_state *flex = &frame->flex;
    wn_px room = flex->main_size - flex->main_gap * (ln->count - 1), before, between;
    uint32_t autos = 0;
    for (uint32_t i = ln->first; i < ln->first + ln->count; i++) {
        const wn_lay_box *box = wn_layout_at(lay, flex->items[i].box);
        room -= flex->items[i].size + flex->items[i].margin_main;
        autos += flex->row ? box->auto_left + box->auto_right : box->auto_top + box->auto_bottom;
    }
    uint8_t how = autos && room > 0 ? WN_ALIGN_FLEX_START
                                    : main_alignment(wn_layout_at(lay, frame->box), flex);
    distribute(how, room, ln->count, &before, &between);
    wn_px each = autos && room > 0 ? room / autos : 0, at = before;
    for (uint32_t i = ln->first; i < ln->first + ln->count; i++) {
        item *it = &flex->items[i];
        const wn_lay_box *box = wn_layout_at(lay, it->box);
        bool start, end;
        auto_margins(box, flex->row, flex->flip_main, &start, &end);
        at += start ? each : 0;
        it->main_at = at;
        at += it->size + it->margin_main + (end ? each : 0) + between + flex->main_gap;
    }
}

/* From axes to x and y. */
static void place_item(wn_lay *lay, wn_frame *frame, const line *ln, item *it)
{
    wn_flex_state *flex = &frame->flex;
    const wn_lay_box *container = wn_layout_at(lay, frame->box);
    wn_lay_box *box = wn_layout_at(lay, it->box);
    assert(box->parent == frame->box && flex->cross_size != WN_PX_AUTO);
    wn_px cross = ln->at + cross_offset(lay, flex, ln, it);
    wn_px main = it->main_at;
    if (flex->flip_main)
        main = flex->main_size - main - it->size - it->margin_main;
    if (flex->flip_cross)
        cross = flex->cross_size - cross - it->cross - it->margin_cross;
    box->origin = frame->box;
    box->x = container->edge[WN_LEFT] + box->margin[WN_LEFT] + (flex->row ? main : cross);
    box->y = container->edge[WN_TOP] + box->margin[WN_TOP] + (flex->row ? cross : main);
    box->placed = true;
}

void wn_layout_set_static_room(wn_lay *lay, wn_frame *frame, uint32_t number, uint8_t align_x,
                               uint8_t align_y)
{
    const wn_lay_box *container = wn_layout_at(lay, frame->box);
    wn_layout_set_static(lay, frame, number, container->edge[WN_LEFT], container->edge[WN_TOP]);
    wn_lay_box *box = wn_layout_at(lay, number);
    box->static_width = wn_px_max(container->width - wn_layout_edge_width(container), 0);
    box->static_height = wn_px_max(container->height - wn_layout_edge_height(container), 0);
    box->static_align_x = align_x;
    box->static_align_y = align_y;
}

/* start, center or end for an alignment of a single thing; `flipped` if the axis runs backwards. */
static uint8_t static_align(uint8_t how, bool flipped, bool flip_all)
{
    bool end = false;
    switch (how) {
    case WN_ALIGN_CENTER:
    case WN_ALIGN_SPACE_AROUND:
    case WN_ALIGN_SPACE_EVENLY:
        return WN_STATIC_CENTER;
    case WN_ALIGN_END:
    case WN_ALIGN_LAST_BASELINE:
        end = true;
        break;
    case WN_ALIGN_START:
        break;
    case WN_ALIGN_RIGHT:
        return WN_STATIC_END;
    case WN_ALIGN_LEFT:
        return WN_STATIC_START;
    case WN_ALIGN_FLEX_END:
        end = !flipped;
        break;
    default:
        end = flipped;
    }
    return end != flip_all ? WN_STATIC_END : WN_STATIC_START;
}

/* An absolutely positioned child would be as if it were the only item. */
static void place_absolute(wn_lay *lay, wn_frame *frame)
{
    const wn_style *style = wn_layout_at(lay, frame->box)->style;
    uint32_t end = wn_layout_at(lay, frame->box)->end;
    bool row = frame->flex.row;
    for (uint32_t i = frame->box + 1; i < end; i = wn_layout_at(lay, i)->end) {
        const wn_lay_box *box = wn_layout_at(lay, i);
        if (!box->absolute)
            continue;
        uint8_t justify = style->justify_content;
        uint8_t align = wn_layout_align_of(lay, i, !row);
        if (!row && (justify == WN_ALIGN_LEFT || justify == WN_ALIGN_RIGHT))
            justify = is_at_far_side(wn_layout_at(lay, frame->box), row, justify) ? WN_ALIGN_END
                                                                                  : WN_ALIGN_START;
        uint8_t main = static_align(justify, is_reverse(style), runs_backwards(style, row));
        uint8_t cross = static_align(align, frame->flex.flip_lines, runs_backwards(style, !row));
        wn_layout_set_static_room(lay, frame, i, row ? main : cross, row ? cross : main);
    }
}

/* ---- Steps ------------------------------------------------------------------------------- */

static void start(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    const wn_style *style = wn_layout_at(lay, frame->box)->style;
    flex->row = is_row(style);
    flex->flip_lines = style->flex_wrap == WN_FLEX_WRAP_REVERSE;
    flex->flip_main = is_reverse(style) != runs_backwards(style, flex->row);
    flex->flip_cross = flex->flip_lines != runs_backwards(style, !flex->row);
    wn_px width = inner_width(lay, frame), height = wn_layout_inner_height(lay, frame);
    flex->main_size = flex->row ? width : height;
    flex->cross_size = flex->row ? height : width;
    wn_px column_gap = wn_px_max(wn_layout_length(lay, style->column_gap, width, 0), 0);
    wn_px row_gap = wn_px_max(wn_layout_length(lay, style->row_gap, height, 0), 0);
    flex->main_gap = flex->row ? column_gap : row_gap;
    flex->cross_gap = flex->row ? row_gap : column_gap;
    if (!collect_items(lay, frame))
        return;
    for (uint32_t i = 0; i < flex->count; i++) {
        item *it = &flex->items[i];
        wn_layout_edges(lay, wn_layout_at(lay, it->box), width);
        if (flex->row)
            row_base(lay, frame, it);
    }
}

static bool call_item(wn_lay *lay, wn_frame *frame, item *it)
{
    wn_flex_state *flex = &frame->flex;
    wn_lay_input in = {.height = WN_PX_AUTO, .percent = WN_PX_AUTO, .measure = true};
    if (frame->state == STATE_BASE) {
        in.width = column_item_width(lay, frame, it);
        in.percent = flex->main_size;
    } else if (frame->state == STATE_CROSS) {
        in.width = it->size;
        in.percent = flex->cross_size;
        if (wn_layout_at(lay, it->box)->style->height.kind == WN_LENGTH_STRETCH)
            in.percent = WN_PX_AUTO; /* it fills its line once that is known */
    } else if (flex->row) {
        in = (wn_lay_input){.width = it->size,
                            .height = it->stretched ? it->cross : WN_PX_AUTO,
                            .percent = flex->cross_size};
    } else {
        bool definite = wn_layout_inner_height(lay, frame) != WN_PX_AUTO;
        const wn_style *style = wn_layout_at(lay, it->box)->style;
        in = (wn_lay_input){.width = it->cross,
                            .height = it->size,
                            .percent = flex->main_size,
                            .loose = !definite && wn_css_length_is_auto(style->height)};
    }
    return wn_layout_call(lay, it->box, in);
}

/* After the base sizes: lines, and the items' sizes in the main axis. */
static void find_main(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    const wn_lay_box *box = wn_layout_at(lay, frame->box);
    wn_px edges = wn_layout_edge_height(box);
    if (flex->main_size == WN_PX_AUTO) {
        /* A column without a height: as high as its items, within its limits. */
        wn_px most = wn_layout_given_height(lay, box, box->style->max_height, frame->in.percent);
        flex->main_size = most == WN_PX_AUTO ? WN_PX_AUTO : wn_px_max(most - edges, 0);
        make_lines(lay, frame);
        wn_px longest = 0;
        for (uint32_t l = 0; l < flex->line_count; l++)
            longest = wn_px_max(longest, base_sum(flex, &flex->lines[l]));
        flex->main_size = wn_layout_limit_height(lay, box, longest + edges, frame->in.percent) -
                          edges;
    } else {
        make_lines(lay, frame);
    }
    for (uint32_t l = 0; l < flex->line_count; l++)
        flex_line(lay, flex, &flex->lines[l]);
}

/* After the cross sizes: the container's height, and where everything is. */
static void find_cross(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    wn_lay_box *box = wn_layout_at(lay, frame->box);
    wn_px edges = wn_layout_edge_height(box);
    size_lines(lay, frame);
    if (flex->cross_size == WN_PX_AUTO)
        flex->cross_size =
            wn_layout_limit_height(lay, box, lines_sum(flex) + edges, frame->in.percent) - edges;
    place_lines(lay, frame);
    stretch_items(lay, frame);
    for (uint32_t l = 0; l < flex->line_count; l++)
        place_main(lay, frame, &flex->lines[l]);
    box = wn_layout_at(lay, frame->box);
    box->height = frame->in.height != WN_PX_AUTO
                      ? frame->in.height
                      : (flex->row ? flex->cross_size : flex->main_size) + edges;
}

/* The baseline of a line by the items lined up in it, by those at its top first; WN_PX_NONE. */
static wn_px shared_baseline(wn_lay *lay, const wn_flex_state *flex, const line *ln, bool last)
{
    wn_px found[2] = {WN_PX_NONE, WN_PX_NONE};
    for (uint32_t i = ln->first; flex->row && i < ln->first + ln->count; i++) {
        const item *it = &flex->items[i];
        bool bottom = it->at_end != flex->flip_cross;
        if (!is_lined_up(lay, flex, it) || found[bottom] != WN_PX_NONE)
            continue;
        const wn_lay_box *box = wn_layout_at(lay, it->box);
        found[bottom] = box->y + (it->align == WN_ALIGN_LAST_BASELINE
                                      ? wn_layout_baseline_last(box)
                                      : wn_layout_baseline_first(box));
    }
    return found[last] != WN_PX_NONE ? found[last] : found[!last];
}

/* The container's own: https://drafts.csswg.org/css-flexbox/#flex-baselines, as things are seen. */
static void export_baselines(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    assert(flex->line_count > 0 && flex->line_count <= flex->count);
    wn_lay_box *container = wn_layout_at(lay, frame->box);
    bool reverse = is_reverse(container->style);
    for (int last = 0; last < 2; last++) {
        bool from_back = (last != 0) != flex->flip_lines;
        const line *ln = &flex->lines[from_back ? flex->line_count - 1 : 0];
        wn_px baseline = shared_baseline(lay, flex, ln, last);
        if (baseline == WN_PX_NONE) {
            uint32_t i = (last != 0) != reverse ? ln->first + ln->count - 1 : ln->first;
            const wn_lay_box *box = wn_layout_at(lay, flex->items[i].box);
            baseline = box->y +
                       (last ? wn_layout_baseline_last(box) : wn_layout_baseline_first(box));
        }
        *(last ? &container->last_baseline : &container->baseline) = baseline;
    }
}

static void finish(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    wn_lay_box *container = wn_layout_at(lay, frame->box);
    container->baseline = container->last_baseline = WN_PX_NONE;
    for (uint32_t l = 0; l < flex->line_count; l++)
        for (uint32_t i = 0; i < flex->lines[l].count; i++)
            place_item(lay, frame, &flex->lines[l], &flex->items[flex->lines[l].first + i]);
    if (flex->count > 0)
        export_baselines(lay, frame);
    if (!frame->in.measure)
        place_absolute(lay, frame);
    wn_layout_return(lay, frame);
}

void wn_layout_flex_step(wn_lay *lay, wn_frame *frame)
{
    wn_flex_state *flex = &frame->flex;
    if (frame->state == STATE_START) {
        start(lay, frame);
        if (lay->failed)
            return;
        frame->state = flex->row ? STATE_MAIN : STATE_BASE;
    }
    for (; frame->state == STATE_BASE && flex->i < flex->count; flex->i++) {
        if (!frame->called && call_item(lay, frame, &flex->items[flex->i]))
            return;
        frame->called = false;
        column_base(lay, frame, &flex->items[flex->i]);
    }
    if (frame->state == STATE_BASE || frame->state == STATE_MAIN) {
        find_main(lay, frame);
        frame->state = flex->row ? STATE_CROSS : STATE_FINISH;
        flex->i = 0;
    }
    for (; frame->state == STATE_CROSS && flex->i < flex->count; flex->i++) {
        if (!frame->called && call_item(lay, frame, &flex->items[flex->i]))
            return;
        frame->called = false;
        item *it = &flex->items[flex->i];
        it->cross = wn_layout_at(lay, it->box)->height;
    }
    if (frame->state == STATE_CROSS || frame->state == STATE_FINISH) {
        find_cross(lay, frame);
        frame->state = STATE_ITEMS;
        flex->i = frame->in.measure ? flex->count : 0;
    }
    for (; flex->i < flex->count; flex->i++) {
        if (!frame->called && call_item(lay, frame, &flex->items[flex->i]))
            return;
        frame->called = false;
    }
    finish(lay, frame);
}

/* A column that is broken into several: as wide as these are side by side, if that can be told. */
static wn_px wrapped_columns(wn_lay *lay, uint32_t number, wn_px gap, wn_px row_gap)
{
    const wn_lay_box *box = wn_layout_at(lay, number);
    const wn_style *style = box->style;
    wn_px height = wn_layout_given_height(lay, box, style->height, WN_PX_AUTO);
    wn_px most = wn_layout_given_height(lay, box, style->max_height, WN_PX_AUTO);
    if (height == WN_PX_AUTO || (most != WN_PX_AUTO && most < height))
        height = most;
    if (height == WN_PX_AUTO)
        return 0;
    height -= wn_layout_edge_height(box);
    wn_px sum = 0, widest = 0, used = 0;
    for (uint32_t i = number + 1; i < box->end; i = wn_layout_at(lay, i)->end) {
        wn_lay_box *child = wn_layout_at(lay, i);
        if (child->absolute)
            continue;
        wn_px least, most_wide,
            size = wn_layout_given_height(lay, child, child->style->flex_basis, height);
        wn_layout_contribution(lay, i, &least, &most_wide);
        if (size == WN_PX_AUTO)
            size = wn_layout_given_height(lay, child, child->style->height, height);
        size = wn_layout_limit_height(lay, child, wn_px_max(size, 0), height) +
               wn_layout_margin_height(child);
        if (used > 0 && used + row_gap + size > height) {
            sum += widest + gap;
            widest = used = 0;
        }
        used += size + (used > 0 ? row_gap : 0);
        widest = wn_px_max(widest, most_wide);
    }
    return sum + widest;
}

void wn_layout_flex_intrinsic(wn_lay *lay, uint32_t number)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    const wn_style *style = box->style;
    bool row = is_row(style), wraps = style->flex_wrap != WN_FLEX_NOWRAP;
    wn_px gap = wn_px_max(wn_layout_length(lay, style->column_gap, WN_PX_AUTO, 0), 0);
    wn_px smallest = 0, largest = 0;
    uint32_t count = 0;
    for (uint32_t i = number + 1; i < box->end; i = wn_layout_at(lay, i)->end) {
        wn_px least, most;
        if (wn_layout_at(lay, i)->absolute)
            continue;
        wn_layout_contribution(lay, i, &least, &most);
        count++;
        largest = row ? largest + most : wn_px_max(largest, most);
        smallest = row && !wraps ? smallest + least : wn_px_max(smallest, least);
    }
    if (row && count > 1) {
        largest += gap * (count - 1);
        smallest += wraps ? 0 : gap * (count - 1);
    }
    wn_layout_edges(lay, box, 0);
    if (!row && wraps) {
        wn_px row_gap = wn_px_max(wn_layout_length(lay, style->row_gap, WN_PX_AUTO, 0), 0);
        smallest = wn_px_max(smallest, wrapped_columns(lay, number, gap, row_gap));
        box = wn_layout_at(lay, number);
    }
    box->min_content = smallest + wn_layout_edge_width(box);
    box->max_content = wn_px_max(largest, smallest) + wn_layout_edge_width(box);
}
