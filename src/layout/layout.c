/*
 * The driver: styles and nodes to boxes, boxes to places. The stack of formatting contexts is
 * here, too.
 */
#include "layout/layout.h"

#include <assert.h>
#include <string.h>

#include "layout/engine.h"

enum {
    MAX_BOXES = 1 << 20,
};

const wn_layout_options wn_layout_defaults = {.max_boxes = MAX_BOXES};

struct wn_layout {
    wn_lay lay;
    wn_boxes boxes;
};

/* ---- Services ---------------------------------------------------------------------------- */

void *wn_layout_alloc(wn_lay *lay, size_t size)
{
    void *piece = wn_arena_alloc(&lay->arena, size);
    if (piece)
        memset(piece, 0, size);
    else
        lay->failed = true;
    return piece;
}

enum { FONT_UNKNOWN = 255 };

/* The font of a style; in vertical lines text is lined up by its middle. */
static wn_layout_font font_of(const wn_style *style)
{
    wn_layout_font font = wn_layout_font_of(style);
    if (style->writing_mode != WN_WRITING_HORIZONTAL) {
        int height = (font.ascent + font.descent) / WN_UNIT;
        font.ascent = (height - height / 2) * WN_UNIT;
        font.descent = height / 2 * WN_UNIT;
    }
    return font;
}

const wn_layout_font *wn_layout_cached_font(wn_lay *lay, const wn_style *style)
{
    static const wn_layout_font nothing = {0};
    size_t slot = (size_t)(style - lay->styles->table);
    if (style < lay->styles->table || slot >= lay->styles->count) {
        /* Of an anonymous box: not in the table. Its last slots serve in turn. */
        slot = lay->styles->count + ((uintptr_t)style / sizeof *style) % 16;
        if (slot >= lay->fonts.count)
            return &nothing;
        lay->fonts.items[slot] = font_of(style);
        return &lay->fonts.items[slot];
    }
    assert(slot < lay->fonts.count);
    if (lay->fonts.items[slot].face == FONT_UNKNOWN)
        lay->fonts.items[slot] = font_of(style);
    return &lay->fonts.items[slot];
}

/* ---- The stack --------------------------------------------------------------------------- */

static void (*step_of(const wn_lay_box *box))(wn_lay *, wn_frame *)
{
    switch (box->kind) {
    case WN_LAY_FLEX:
        return wn_layout_flex_step;
    case WN_LAY_GRID:
        return wn_layout_grid_step;
    case WN_LAY_TABLE:
        return wn_layout_table_step;
    case WN_LAY_TURNED:
        return wn_layout_turn_step;
    default:
        return wn_layout_flow_step;
    }
}

static wn_frame *push_frame(wn_lay *lay, uint32_t box, wn_lay_input in)
{
    wn_frame *frame = lay->free_frames;
    if (frame)
        lay->free_frames = frame->below;
    else
        frame = wn_arena_alloc(&lay->arena, sizeof *frame);
    if (!frame) {
        lay->failed = true;
        return NULL;
    }
    memset(frame, 0, sizeof *frame);
    frame->below = lay->top;
    frame->step = step_of(wn_layout_at(lay, box));
    frame->box = box;
    frame->in = in;
    lay->top = frame;
    return frame;
}

/* Whether the answer to a question for the height is known; then it is written into the box. */
static bool knows_answer(wn_lay_box *box, const wn_lay_input *in)
{
    if (!in->measure || box->measured_width != in->width)
        return false;
    if (in->height != WN_PX_AUTO) {
        box->height = in->height;
        return true;
    }
    if (box->measured_percent != in->percent)
        return false;
    box->height = box->measured_height;
    box->baseline = box->measured_baseline;
    box->last_baseline = box->measured_last_baseline;
    return true;
}

bool wn_layout_call(wn_lay *lay, uint32_t number, wn_lay_input in)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    assert(!lay->top || lay->top->box < number);
    in.width = wn_px_clamp(in.width);
    in.height = wn_px_clamp(in.height);
    box->width = in.width;
    if (box->kind == WN_LAY_REPLACED) {
        box->height = in.height != WN_PX_AUTO
                          ? in.height
                          : wn_layout_replaced_height(lay, number, in.width, in.percent);
        wn_layout_replaced_baseline(lay, wn_layout_at(lay, number));
        return false;
    }
    return !knows_answer(box, &in) && push_frame(lay, number, in) != NULL;
}

void wn_layout_return(wn_lay *lay, wn_frame *frame)
{
    wn_lay_box *box = wn_layout_at(lay, frame->box);
    box->width = frame->in.width;
    if (frame->in.measure && frame->in.height == WN_PX_AUTO) {
        box->measured_width = frame->in.width;
        box->measured_percent = frame->in.percent;
        box->measured_height = box->height;
        box->measured_baseline = box->baseline;
        box->measured_last_baseline = box->last_baseline;
    }
    assert(frame == lay->top);
    lay->top = frame->below;
    frame->below = lay->free_frames;
    lay->free_frames = frame;
    if (lay->top)
        lay->top->called = true;
}

void wn_layout_lay_out(wn_lay *lay, uint32_t box, wn_lay_input in)
{
    wn_frame *outer = lay->top;
    lay->top = NULL;
    if (wn_layout_call(lay, box, in))
        while (lay->top && !lay->failed) {
            lay->top->step(lay, lay->top);
            lay->failed |= !wn_cost_spend(&lay->steps, 1) || wn_watch_over(lay->watch);
        }
    lay->top = outer;
}

/* ---- A page ------------------------------------------------------------------------------ */

static void empty(wn_lay *lay)
{
    wn_arena_reset(&lay->arena);
    lay->boxes.count = lay->blocks.count = 0;
    lay->floats[WN_LAYOUT_LEFT].count = lay->floats[WN_LAYOUT_RIGHT].count = 0;
    lay->waiting_floats.count = lay->closed_blocks.count = lay->line_floats.count = 0;
    lay->items.count = lay->pieces.count = lay->cuts.count = 0;
    lay->fragments.count = lay->fragment_boxes.count = 0;
    lay->failed = lay->limited = false;
    lay->top = lay->free_frames = NULL;
    memset(lay->anonymous_styles, 0, sizeof lay->anonymous_styles);
    memset(lay->turned_styles, 0, sizeof lay->turned_styles);
    lay->inner_styles = NULL;
}

/* Arrays by node and by style. */
static bool make_tables(wn_lay *lay)
{
    uint32_t nodes = lay->doc->nodes.count, fonts = lay->styles->count + 16;
    if (!wn_array_reserve(&lay->box_of, nodes) || !wn_array_reserve(&lay->result_boxes, nodes) ||
        !wn_array_reserve(&lay->fonts, fonts))
        return false;
    lay->box_of.count = lay->result_boxes.count = nodes;
    lay->fonts.count = fonts;
    memset(lay->box_of.items, 0, nodes * sizeof *lay->box_of.items);
    memset(lay->result_boxes.items, 0, nodes * sizeof *lay->result_boxes.items);
    memset(lay->fonts.items, FONT_UNKNOWN, fonts * sizeof *lay->fonts.items);
    return true;
}

/* What all files of this folder rely on: a box comes after its parent and lies within it. */
static void check_tree(wn_lay *lay)
{
    (void)lay;
#ifndef NDEBUG
    assert(wn_layout_at(lay, 0)->end == lay->boxes.count);
    for (uint32_t i = 1; i < lay->boxes.count; i++) {
        const wn_lay_box *box = wn_layout_at(lay, i), *parent = wn_layout_at(lay, box->parent);
        assert(box->parent < i && box->end > i && box->end <= parent->end);
        assert(box->container <= i && box->fixed_container <= i);
        assert(box->node < lay->doc->nodes.count);
        assert(box->kind != WN_LAY_TURNED || (box->end > i + 1 && box[1].end == box->end));
    }
#endif
}

static void lay_out_root(wn_lay *lay)
{
    if (lay->boxes.count < 2)
        return;
    wn_lay_box *root = wn_layout_at(lay, 1);
    if (root->absolute)
        return;
    wn_layout_edges(lay, root, lay->viewport_width);
    wn_px available = lay->viewport_width - wn_layout_margin_width(root);
    wn_px width = wn_layout_given_width(lay, 1, root->style->width, lay->viewport_width, available);
    if (width == WN_PX_AUTO)
        width = root->floating || root->kind == WN_LAY_TABLE || wn_layout_turn_is_across(lay, 1)
                    ? wn_layout_fit_width(lay, 1, lay->viewport_width, available, WN_PX_AUTO)
                    : available;
    width = wn_layout_limit_width(lay, 1, width, lay->viewport_width, available);
    wn_lay_input in = {.width = width, .height = WN_PX_AUTO, .percent = lay->viewport_height};
    root = wn_layout_at(lay, 1);
    if (wn_layout_turn_is_across(lay, 1) && wn_css_length_is_auto(root->style->height))
        in.height = wn_px_max(lay->viewport_height - wn_layout_margin_height(root), 0);
    wn_layout_lay_out(lay, 1, in);
    root = wn_layout_at(lay, 1);
    wn_px rest = wn_px_max(available - width, 0);
    root->x = root->margin[WN_LEFT];
    if (root->kind == WN_LAY_TURNED && root[1].writing == WN_WRITING_VERTICAL_RL)
        root->x += rest;
    else if (root->auto_left)
        root->x += root->auto_right ? rest / 2 : rest;
    root->y = root->margin[WN_TOP];
    root->placed = true;
}

static void start_costs(wn_lay *lay)
{
    uint64_t boxes = lay->boxes.count;
    wn_cost_start(&lay->steps, WN_COST_LAYOUT, boxes + lay->doc->source.len);
    wn_cost_start(&lay->grid_steps, WN_COST_GRIDS, boxes);
    wn_cost_start(&lay->table_steps, WN_COST_TABLES, boxes);
}

/* Boxes are given half of the memory, the other half is the arena's. */
static uint32_t most_boxes(const wn_layout_options *options)
{
    uint32_t most = options->max_boxes ? options->max_boxes : MAX_BOXES;
    size_t fit = options->max_memory / 2 / sizeof(wn_lay_box) + 2;
    return options->max_memory && fit < most ? (uint32_t)fit : most;
}

/* What is needed no more when the places of all boxes are known. */
static void free_large(wn_lay *lay)
{
    wn_array_free_if_large(&lay->boxes);
    wn_array_free_if_large(&lay->box_of);
    wn_array_free_if_large(&lay->items);
    wn_array_free_if_large(&lay->pieces);
    wn_array_free_if_large(&lay->taken);
    wn_array_free_if_large(&lay->fragment_boxes);
}

const wn_boxes *wn_layout_run(wn_layout *layout, const wn_doc *doc, const wn_styles *styles,
                              const wn_layout_options *options)
{
    wn_lay *lay = &layout->lay;
    lay->arena.max = options->max_memory / 2;
    empty(lay);
    lay->doc = doc;
    lay->styles = styles;
    lay->viewport_width = wn_px_from(options->width > 0 ? options->width : styles->viewport_width);
    lay->viewport_height = wn_px_from(options->height > 0 ? options->height
                                                          : styles->viewport_height);
    lay->max_boxes = most_boxes(options);
    lay->watch = options->watch;
    lay->wants_fragments = options->fragments;
    lay->quirks = doc->quirks == WN_QUIRKS;
    if (doc->nodes.count == 0 || !make_tables(lay))
        return NULL;
    wn_layout_make_boxes(lay);
    start_costs(lay);
    if (!lay->failed)
        check_tree(lay);
    if (!lay->failed)
        lay_out_root(lay);
    if (!lay->failed)
        wn_layout_place(lay);
    if (lay->failed)
        return NULL;
    wn_lay_box *screen = wn_layout_at(lay, 0);
    layout->boxes = (wn_boxes){
        .items = lay->result_boxes.items,
        .count = lay->result_boxes.count,
        .fragments = lay->fragments.items,
        .fragment_count = lay->fragments.count,
        .width = (wn_unit)wn_px_min(screen->width, INT32_MAX),
        .height = (wn_unit)wn_px_min(screen->height, INT32_MAX),
        .limited = lay->limited || lay->grid_steps.exceeded || lay->table_steps.exceeded,
    };
    free_large(lay);
    return &layout->boxes;
}

/* ---- Life -------------------------------------------------------------------------------- */

wn_layout *wn_layout_new(void)
{
    wn_layout *layout = wn_memory_get_zeroed(sizeof *layout);
    if (layout)
        wn_arena_init(&layout->lay.arena, 0);
    return layout;
}

void wn_layout_free(wn_layout *layout)
{
    if (!layout)
        return;
    wn_lay *lay = &layout->lay;
    wn_array_free(&lay->boxes);
    wn_array_free(&lay->box_of);
    wn_array_free(&lay->blocks);
    wn_array_free(&lay->floats[WN_LAYOUT_LEFT]);
    wn_array_free(&lay->floats[WN_LAYOUT_RIGHT]);
    wn_array_free(&lay->waiting_floats);
    wn_array_free(&lay->closed_blocks);
    wn_array_free(&lay->line_floats);
    wn_array_free(&lay->items);
    wn_array_free(&lay->pieces);
    wn_array_free(&lay->cuts);
    wn_array_free(&lay->taken);
    wn_array_free(&lay->column_numbers);
    wn_array_free(&lay->fragments);
    wn_array_free(&lay->fragment_boxes);
    wn_array_free(&lay->result_boxes);
    wn_array_free(&lay->fonts);
    wn_arena_free(&lay->arena);
    wn_memory_release(layout);
}

size_t wn_layout_memory(const wn_layout *layout)
{
    const wn_lay *lay = &layout->lay;
    return sizeof *layout + lay->arena.reserved + wn_array_bytes(&lay->boxes) +
           wn_array_bytes(&lay->box_of) + wn_array_bytes(&lay->blocks) +
           wn_array_bytes(&lay->floats[WN_LAYOUT_LEFT]) +
           wn_array_bytes(&lay->floats[WN_LAYOUT_RIGHT]) + wn_array_bytes(&lay->waiting_floats) +
           wn_array_bytes(&lay->closed_blocks) + wn_array_bytes(&lay->line_floats) +
           wn_array_bytes(&lay->items) + wn_array_bytes(&lay->pieces) + wn_array_bytes(&lay->cuts) +
           wn_array_bytes(&lay->taken) + wn_array_bytes(&lay->column_numbers) +
           wn_array_bytes(&lay->fragments) + wn_array_bytes(&lay->fragment_boxes) +
           wn_array_bytes(&lay->result_boxes) + wn_array_bytes(&lay->fonts);
}
