/*
 * The engine behind layout.h, shared by the files of this folder.
 *
 * 1. boxes.c turns nodes and styles into a tree of boxes: one flat array in the order in
 *    which the boxes start, each with the number of the first box after it. So the
 *    children of box b are b + 1, then the `end` of that one, and so on up to b's own `end`.
 * 2. intrinsic.c computes the minimum and maximum useful width of boxes whose width depends on
 *    their contents; once per box, children before parents.
 * 3. Boxes are laid out by formatting context: flow.c (blocks, floats, with lines.c for text),
 *    flex.c, grid.c, table.c. Each works in steps on a frame of an explicit stack; where it needs a
 *    child to be laid out, it calls wn_layout_call() and goes on when that is done. A box is first
 *    measured for its height and then laid out; measurements are cached, so nested contexts do not
 *    multiply the work.
 * 4. turn.c lets all of them work in coordinates of lines from left to right.
 * 5. place.c adds up positions from the root down, and lays out absolutely positioned boxes on the
 *    way: everything around them has its place by then.
 *
 * The parent decides the width of a child, the child its height, unless that is decided too.
 */
#ifndef WN_LAYOUT_ENGINE_H
#define WN_LAYOUT_ENGINE_H

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/cost.h"
#include "layout/fonts.h"
#include "layout/layout.h"

/* ---- Lengths ----------------------------------------------------------------------------- */

/* 1/64 px with room for sums: every length that comes in is cut to WN_PX_MAX. */
typedef int64_t wn_px;

enum { WN_PX_AUTO = -1 };              /* of sizes: not known */
#define WN_PX_MAX ((wn_px)1 << 31)     /* 33 million pixels, as in browsers */
#define WN_PX_NONE (-((wn_px)1 << 40)) /* of baselines: there is none */

static inline wn_px wn_px_max(wn_px a, wn_px b)
{
    return a > b ? a : b;
}
static inline wn_px wn_px_min(wn_px a, wn_px b)
{
    return a < b ? a : b;
}
static inline wn_px wn_px_clamp(wn_px a)
{
    return a > WN_PX_MAX ? WN_PX_MAX : a < -WN_PX_MAX ? -WN_PX_MAX : a;
}
static inline wn_px wn_px_from(float px)
{
    float limit = (float)(WN_PX_MAX / WN_UNIT);
    px = px < limit ? px : limit;
    px = px > -limit ? px : -limit;
    return (wn_px)(px * WN_UNIT);
}

/* A number of units that need not fit, nor be a number. */
static inline wn_px wn_px_cut(double units)
{
    double limit = (double)WN_PX_MAX;
    return !(units < limit) ? WN_PX_MAX : units > -limit ? (wn_px)units : -WN_PX_MAX;
}

/* ---- Boxes ------------------------------------------------------------------------------- */

typedef enum wn_lay_kind {
    WN_LAY_BLOCK, /* a block container: blocks, lines, or both */
    WN_LAY_FLEX,
    WN_LAY_GRID,
    WN_LAY_TABLE,
    WN_LAY_GROUP, /* of rows */
    WN_LAY_ROW,
    WN_LAY_CELL,
    WN_LAY_CAPTION,
    WN_LAY_COLUMN,   /* or group of columns: no content */
    WN_LAY_REPLACED, /* a picture, a form control: a size of its own, nothing inside */
    WN_LAY_TURNED,   /* in it is one box whose lines run in another direction: see turn.c */
    WN_LAY_INLINE,
    WN_LAY_TEXT,
    WN_LAY_BREAK, /* <br> */
} wn_lay_kind;

/* What baseline a replaced box has. */
typedef enum wn_own_baseline {
    WN_BASELINE_OF_MARGIN, /* its bottom, with the margin: none of its own */
    WN_BASELINE_OF_BORDER,
    WN_BASELINE_OF_TEXT,       /* of a line of text in its middle */
    WN_BASELINE_OF_FIRST_LINE, /* of a line of text at its top, if that is asked for */
} wn_own_baseline;

/* Where in its room an absolutely positioned child of a flex or grid container would be. */
typedef enum wn_static_align {
    WN_STATIC_START,
    WN_STATIC_CENTER,
    WN_STATIC_END,
} wn_static_align;

typedef struct wn_lay_box {
    wn_node_id node; /* 0 if anonymous */
    uint32_t parent;
    uint32_t end;                        /* the first box after this one and all that is in it */
    uint32_t origin;                     /* the box that x and y are relative to (its border box) */
    uint32_t container, fixed_container; /* that absolute and fixed boxes inside are placed in */
    const wn_style *style;
    int32_t ordinal; /* of a list item */

    uint8_t kind;          /* wn_lay_kind */
    uint8_t writing;       /* wn_writing_mode of the coordinates that the box is laid out in */
    uint8_t turns;         /* boxes around it at which these change */
    uint8_t own_baseline;  /* wn_own_baseline of a replaced box */
    bool inline_level : 1; /* is in a line: inline, text, inline-block … */
    bool floating : 1;
    bool absolute : 1; /* positioned absolutely or fixed */
    bool anonymous : 1;
    bool generated : 1;     /* ::before, ::after, text of a form control */
    bool has_extent : 1;    /* inline: left, right, first and last are set */
    bool has_intrinsic : 1; /* min_content and max_content are known */
    bool placed : 1;        /* it was given a place: it exists */
    bool auto_left : 1, auto_right : 1, auto_top : 1, auto_bottom : 1; /* margins */
    bool percent_inside : 1; /* something in it depends on its height */
    bool legend : 1;         /* of a fieldset: it is in its upper border */

    int32_t margin[4], edge[4];     /* edge: border and padding */
    wn_px x, y, width, height;      /* border box */
    wn_px content_shift;            /* everything relative to this box is this much lower */
    wn_px baseline, last_baseline;  /* below the top of the border box; or WN_PX_NONE */
    wn_px min_content, max_content; /* widths of the border box */
    wn_px shift_x, shift_y;         /* by position: relative, of this box and those around it */

    union {
        struct {                                 /* replaced */
            wn_px natural_width, natural_height; /* as it likes to be, or WN_PX_AUTO */
            float natural_ratio;                 /* width over height; 0: none */
        };
        struct {                                    /* all others */
            wn_px measured_width, measured_percent; /* what `measured_height` was found for */
            wn_px measured_height, measured_baseline, measured_last_baseline;
        };
    };

    void *work; /* a table: its columns and cells; a grid: where its items are */
    union {
        struct { /* a text */
            const char *text;
            uint32_t len;
        };
        struct { /* absolute: where it would be, relative to the box static_origin */
            wn_px static_x, static_y;
            wn_px static_width, static_height; /* room that it is aligned in, if align is set */
            uint32_t static_origin;
            uint8_t static_align_x, static_align_y; /* wn_static_align */
        };
        struct {            /* an inline element */
            wn_px raise;    /* of its baseline above the line's */
            wn_px up, down; /* what it (and those around it) needs above and below the line's */
            wn_px left, right, first, last; /* not in its box yet: edges; baselines of lines */
        };
        wn_node_id legend_node; /* a fieldset, while boxes are made: what comes first in it */
        struct {                /* a cell, a column */
            uint32_t row, column, row_span, column_span;
        };
    };
} wn_lay_box;

/* ---- The stack of formatting contexts ---------------------------------------------------- */

/* What the parent says of a box that is to be laid out. */
typedef struct wn_lay_input {
    wn_px width;   /* of the border box */
    wn_px height;  /* of the border box; WN_PX_AUTO: find it */
    wn_px percent; /* what percentages of height are of; WN_PX_AUTO: nothing known */
    bool measure;  /* only the height is asked for; positions may be anything */
    bool loose;    /* `height` is not what percentages inside are of: a cell's, a minimum */
} wn_lay_input;

typedef struct wn_lay wn_lay;
typedef struct wn_frame wn_frame;

/* Margins that meet: the largest of the positive and the smallest of the negative ones. */
typedef struct wn_strut {
    wn_px positive, negative;
} wn_strut;

/* The columns of a container: how many there are, as the style wants them. */
typedef struct wn_columns {
    uint32_t count;
    wn_px width, gap;
} wn_columns;

typedef struct wn_flow_state {
    uint32_t cursor;         /* the next box to look at */
    uint32_t first_block;    /* of this context in lay->blocks */
    uint32_t first_float[2]; /* by side: of this context in lay->floats, see float.c */
    uint32_t first_waiting, first_closed;
    uint32_t run_start, run_end; /* the run of inline content being prepared */
    bool run_has_content;
    wn_px y;               /* bottom of what is there so far */
    wn_strut strut;        /* margins that have not become room yet */
    wn_px float_bottom[2]; /* by side: of all floats */
    wn_px float_top;       /* no float is placed higher */
    wn_px content_width;
    uint32_t lines;
    wn_px clamped;      /* bottom of the last line that -webkit-line-clamp shows; 0: none */
    wn_columns columns; /* count 0: none; see columns.c */
    uint32_t first_piece, first_fragment;
    wn_px content_top, piece_top;
    bool forces_break;
} wn_flow_state;

typedef struct wn_flex_state {
    struct wn_flex_item *items;
    struct wn_flex_line *lines;
    uint32_t count, line_count, i;
    wn_px main_size, cross_size; /* of the content box; WN_PX_AUTO if not known */
    wn_px main_gap, cross_gap;
    bool row;                   /* the main axis is horizontal */
    bool flip_main, flip_cross; /* the axis runs from right to left, or up */
    bool flip_lines;            /* wrap-reverse */
} wn_flex_state;

typedef struct wn_table_state {
    struct wn_layout_table *table;
    uint32_t i;
    wn_px top; /* of the rows: below captions */
} wn_table_state;

typedef struct wn_grid_state {
    struct wn_layout_grid *grid;
    uint32_t i;
} wn_grid_state;

struct wn_frame {
    wn_frame *below;
    void (*step)(wn_lay *lay, wn_frame *frame);
    uint32_t box;
    uint32_t state; /* of the step function */
    bool called;    /* a child was called and is done now */
    wn_lay_input in;
    union {
        wn_flow_state flow;
        wn_flex_state flex;
        wn_table_state table;
        wn_grid_state grid;
    };
};

/* ---- The engine -------------------------------------------------------------------------- */

/* A block of a flow that is open: its children are being laid out. */
typedef struct wn_open_block {
    uint32_t box;
    wn_px left, width; /* of the content box, in the context's coordinates */
    wn_px top;         /* of the border box; valid when `resolved` */
    wn_px height;      /* of the content box if known beforehand, else WN_PX_AUTO */
    wn_px percent;     /* what percentages of children's heights are of */
    bool resolved;     /* no margin can move it any more */
    bool has_line;     /* its first line is after us: no text-indent */
    uint32_t pieces;   /* there were before it: see columns.c */
} wn_open_block;

/* A float in a block that has no place yet, and the edges it will be between. */
typedef struct wn_waiting_float {
    uint32_t box;
    wn_px left, width;
} wn_waiting_float;

/* The sides of floats. */
enum { WN_LAYOUT_LEFT, WN_LAYOUT_RIGHT };

/* A float's edge: no float further in reaches below `bottom`. */
typedef struct wn_float_edge {
    wn_px edge, bottom;
} wn_float_edge;

/* What cannot be cut of a long column that is to be cut into several. */
typedef struct wn_layout_piece {
    wn_px top, bottom;
    wn_px baseline, last_baseline; /* or WN_PX_NONE */
    bool forced;                   /* a column begins with it */
    bool splits;                   /* it can be cut anywhere */
    bool spans;                    /* all columns */
} wn_layout_piece;

typedef struct wn_line_item {
    uint32_t box;
    uint8_t kind;        /* see lines.c */
    uint32_t start, end; /* bytes of a text */
    uint32_t spaces;     /* of a text, that can be widened */
    wn_px x, width;
} wn_line_item;

/* What is in a long column from `top` on is `x` to the right and `y` lower than there. */
struct wn_column_cut {
    wn_px top, x, y;
};

struct wn_lay {
    const wn_doc *doc;
    const wn_styles *styles;
    wn_arena arena; /* anonymous styles, frames, work of tables, flex and grid */
    wn_px viewport_width, viewport_height;
    uint32_t max_boxes;
    wn_watch *watch; /* may be NULL */
    bool failed, limited, wants_fragments, quirks;
    wn_cost steps;       /* of formatting contexts and lines */
    wn_cost grid_steps;  /* that all grids share, see grid_place.c */
    wn_cost table_steps; /* likewise */

    wn_array(wn_lay_box) boxes;
    wn_array(uint32_t) box_of; /* by node; 0: none */
    wn_array(wn_open_block) blocks;
    wn_array(wn_float_edge) floats[2]; /* by side */
    wn_array(wn_waiting_float) waiting_floats;
    wn_array(uint32_t) closed_blocks, line_floats;
    wn_array(wn_line_item) items;
    wn_array(wn_layout_piece) pieces;
    wn_array(struct wn_column_cut) cuts;
    wn_array(uint32_t) column_numbers; /* of the table that is made */
    wn_array(uint64_t) taken;          /* cells of the grid whose items get their places */
    wn_array(wn_text_fragment) fragments;
    wn_array(uint32_t) fragment_boxes;
    wn_array(wn_box) result_boxes;
    wn_array(wn_layout_font) fonts; /* by style number; size 0 and face 255: not looked up yet */

    wn_frame *top, *free_frames;
    const wn_style **turned_styles[2]; /* by style number, for vertical-rl and vertical-lr */
    const wn_style **inner_styles;     /* likewise, of boxes in turned ones */
    struct {
        const wn_style *of;
        uint8_t display;
        const wn_style *made;
    } anonymous_styles[16];
};

static inline wn_lay_box *wn_layout_at(wn_lay *lay, uint32_t box)
{
    assert(box < lay->boxes.count);
    return &lay->boxes.items[box];
}

/* A zeroed piece of memory that lives until the page is done; NULL if out of memory. */
void *wn_layout_alloc(wn_lay *lay, size_t size);

const wn_layout_font *wn_layout_cached_font(wn_lay *lay, const wn_style *style);

/* ---- boxes.c, replaced.c ----------------------------------------------------------------- */

/* Makes the boxes of the page; box 0 is the screen, box 1 the root element's. */
void wn_layout_make_boxes(wn_lay *lay);

/* Sets the baselines of a replaced box whose height is known. */
void wn_layout_replaced_baseline(wn_lay *lay, wn_lay_box *box);

/* Whether the element is replaced; then natural sizes are set and its contents make no boxes. */
bool wn_layout_make_replaced(wn_lay *lay, wn_lay_box *box);

/* ---- pictures.c -------------------------------------------------------------------------- */

/* The size of the picture that a data: URL holds; false if it is not one, or none that is known. */
bool wn_layout_picture_size(wn_str url, wn_px *width, wn_px *height);

/* Width over height by a viewBox attribute; 0 if it says nothing. */
double wn_layout_picture_ratio(wn_str view_box);

/* ---- sizes.c ----------------------------------------------------------------------------- */

/* A length in px, with percentages of `base`; `otherwise` for auto and percentages of unknown. */
wn_px wn_layout_length(const wn_lay *lay, wn_length length, wn_px base, wn_px otherwise);

/* Whether a length is px, or a percentage of a known base. */
bool wn_layout_is_definite(const wn_lay *lay, wn_length length, wn_px base);

/* Sets margins and edges; percentages are of `width`. */
void wn_layout_edges(wn_lay *lay, wn_lay_box *box, wn_px width);

static inline wn_px wn_layout_edge_width(const wn_lay_box *box)
{
    return (wn_px)box->edge[WN_LEFT] + box->edge[WN_RIGHT];
}
static inline wn_px wn_layout_edge_height(const wn_lay_box *box)
{
    return (wn_px)box->edge[WN_TOP] + box->edge[WN_BOTTOM];
}
static inline wn_px wn_layout_margin_width(const wn_lay_box *box)
{
    return (wn_px)box->margin[WN_LEFT] + box->margin[WN_RIGHT];
}
static inline wn_px wn_layout_margin_height(const wn_lay_box *box)
{
    return (wn_px)box->margin[WN_TOP] + box->margin[WN_BOTTOM];
}

/* The border box's width for a width property; WN_PX_AUTO for auto and the like. */
wn_px wn_layout_given_width(wn_lay *lay, uint32_t box, wn_length width, wn_px base,
                            wn_px available);
wn_px wn_layout_given_height(const wn_lay *lay, const wn_lay_box *box, wn_length height,
                             wn_px base);

/* A border box's width or height within min-* and max-*. */
wn_px wn_layout_limit_width(wn_lay *lay, uint32_t box, wn_px width, wn_px base, wn_px available);
wn_px wn_layout_limit_height(const wn_lay *lay, const wn_lay_box *box, wn_px height, wn_px base);

/* The width of a float, an inline-block …: as wide as its contents, within what is available. */
wn_px wn_layout_fit_width(wn_lay *lay, uint32_t box, wn_px base, wn_px available, wn_px percent);

/* The size of a replaced box, or one with aspect-ratio; heights' percentages are of `percent`. */
void wn_layout_replaced_size(wn_lay *lay, uint32_t box, wn_px base, wn_px percent, wn_px *width,
                             wn_px *height);

/* The height of a replaced box whose width has been decided. */
wn_px wn_layout_replaced_height(wn_lay *lay, uint32_t box, wn_px width, wn_px percent);

/* Width over height, 0 if it has none. */
double wn_layout_ratio(const wn_lay_box *box);

/* The height of the content box of a container that is being laid out; WN_PX_AUTO if not known. */
wn_px wn_layout_inner_height(wn_lay *lay, const wn_frame *frame);

/* Whether an overflow makes a box that scrolls, if only by script. */
bool wn_layout_scrolls(uint8_t overflow);

/* Whether the box makes a formatting context of its own. */
bool wn_layout_is_context(const wn_lay *lay, const wn_lay_box *box);

/* ---- intrinsic.c ------------------------------------------------------------------------- */

/* Sees to it that min_content and max_content of the box are known. */
void wn_layout_intrinsic(wn_lay *lay, uint32_t box);

/* What a child adds to its parent's: the same with width, min-width, max-width and margins. */
void wn_layout_contribution(wn_lay *lay, uint32_t child, wn_px *smallest, wn_px *largest);

/* ---- turn.c ------------------------------------------------------------------------------ */

typedef struct wn_lay_rect {
    wn_px x, y, width, height;
} wn_lay_rect;

/* A place on the screen in coordinates of a writing mode, and back. */
static inline wn_lay_rect wn_layout_turn_in(uint8_t writing, wn_lay_rect screen)
{
    if (writing == WN_WRITING_HORIZONTAL)
        return screen;
    wn_px y = writing == WN_WRITING_VERTICAL_RL ? -(screen.x + screen.width) : screen.x;
    return (wn_lay_rect){screen.y, y, screen.height, screen.width};
}
static inline wn_lay_rect wn_layout_turn_out(uint8_t writing, wn_lay_rect own)
{
    if (writing == WN_WRITING_HORIZONTAL)
        return own;
    wn_px x = writing == WN_WRITING_VERTICAL_RL ? -(own.y + own.height) : own.y;
    return (wn_lay_rect){x, own.x, own.height, own.width};
}

/* The style as it is in these coordinates: with width for height, and the sides likewise. */
const wn_style *wn_layout_turn_style(wn_lay *lay, const wn_style *style, uint8_t writing);

/* Whether the box is turned and its lines are at right angles to those around it. */
bool wn_layout_turn_is_across(const wn_lay *lay, uint32_t box);

/* ---- align.c ----------------------------------------------------------------------------- */

typedef struct wn_baseline {
    wn_px at;    /* from the start of the border box: its top or left */
    bool at_end; /* the box is lined up with others at the end of the axis: bottom or right */
} wn_baseline;

/* The baselines below the top of a box, made up if it has none. */
wn_px wn_layout_baseline_first(const wn_lay_box *box);
wn_px wn_layout_baseline_last(const wn_lay_box *box);

/* The first or last baseline of an item, in the axis along the lines of its container or across. */
wn_baseline wn_layout_baseline_of(const wn_lay *lay, uint32_t box, bool along_lines, bool last,
                                  bool rtl);

/* ---- Calls ------------------------------------------------------------------------------- */

/*
 * Lays a box out. True: it has been begun, the caller returns and is called again when it is
 * done. False: it is done already. Then width, height and baselines of the box are set.
 */
bool wn_layout_call(wn_lay *lay, uint32_t box, wn_lay_input in);

/* The frame's box is done. */
void wn_layout_return(wn_lay *lay, wn_frame *frame);

/* Works until the box is laid out: for those who have no frame themselves. */
void wn_layout_lay_out(wn_lay *lay, uint32_t box, wn_lay_input in);

void wn_layout_flow_step(wn_lay *lay, wn_frame *frame);
void wn_layout_flex_step(wn_lay *lay, wn_frame *frame);
void wn_layout_table_step(wn_lay *lay, wn_frame *frame);
void wn_layout_grid_step(wn_lay *lay, wn_frame *frame);
void wn_layout_turn_step(wn_lay *lay, wn_frame *frame);

void wn_layout_table_intrinsic(wn_lay *lay, uint32_t box);
void wn_layout_grid_intrinsic(wn_lay *lay, uint32_t box);
void wn_layout_flex_intrinsic(wn_lay *lay, uint32_t box);
void wn_layout_turn_intrinsic(wn_lay *lay, uint32_t box);

/* ---- columns.c --------------------------------------------------------------------------- */

bool wn_layout_columns_has(const wn_lay_box *box);
wn_columns wn_layout_columns_of(const wn_lay *lay, const wn_style *style, wn_px room);

/* Notes a piece of the long column; makes those from number `first` on one. */
void wn_layout_columns_add(wn_lay *lay, wn_frame *frame, wn_layout_piece piece);
void wn_layout_columns_join(wn_lay *lay, uint32_t first);

/* Cuts the long column; returns the bottom of it all. `most` is the height there is. */
wn_px wn_layout_columns_finish(wn_lay *lay, wn_frame *frame, wn_px most);

/* Turns the widths of one column's contents into those of the container's. */
void wn_layout_columns_intrinsic(const wn_lay *lay, const wn_style *style, wn_px *least,
                                 wn_px *most);

/* ---- markers.c --------------------------------------------------------------------------- */

/* The number of a list item. */
int32_t wn_layout_marker_ordinal(const wn_lay *lay, wn_node_id node);

/* The room that the marker of an item takes in its first line. */
wn_px wn_layout_marker_inside(wn_lay *lay, uint32_t box);

/* ---- lines.c, float.c -------------------------------------------------------------------- */

/* Whether an inline box makes a line by itself, or is only white space between blocks. */
bool wn_layout_lines_has_content(wn_lay *lay, uint32_t box);

/* Lays the run of inline boxes out in lines from flow.y on. */
void wn_layout_lines_lay_out(wn_lay *lay, wn_frame *frame, uint32_t start, uint32_t end);

/* The height of a line with nothing in it, and where its baseline is. */
void wn_layout_lines_strut(wn_lay *lay, const wn_style *style, wn_px *up, wn_px *down);

/* Joins a rectangle to the box's own. */
void wn_layout_join(wn_lay_box *box, wn_px x, wn_px y, wn_px width, wn_px height);

/* Left and right edge between the floats at `y`. */
void wn_layout_float_edges(wn_lay *lay, wn_frame *frame, wn_px y, wn_px *left, wn_px *right);

/* The next y below `y` at which a float ends; y itself if there is none. */
wn_px wn_layout_float_next(wn_lay *lay, wn_frame *frame, wn_px y);

/* Puts a float whose size is known at `y` or below, between the edges of a content box. */
void wn_layout_float_place(wn_lay *lay, wn_frame *frame, uint32_t box, wn_px y, wn_px left,
                           wn_px width);

/* The bottom of the floats that `clear` clears; -WN_PX_MAX if there are none. */
wn_px wn_layout_float_clear(const wn_frame *frame, uint8_t clear);

/* Gives an absolutely positioned child of a flex or grid container the room it is aligned in. */
void wn_layout_set_static_room(wn_lay *lay, wn_frame *frame, uint32_t box, uint8_t align_x,
                               uint8_t align_y);

/* align-self of a child, resolved; self-start and -end become the container's start and end. */
uint8_t wn_layout_align_of(const wn_lay *lay, uint32_t child, bool along_lines);

wn_px wn_layout_strut_sum(wn_strut strut);
void wn_layout_strut_add(wn_strut *strut, wn_px margin);

/* The position of an absolutely positioned box if it were not, in the context of the frame. */
void wn_layout_set_static(wn_lay *lay, wn_frame *frame, uint32_t box, wn_px x, wn_px y);

/* ---- place.c ----------------------------------------------------------------------------- */

/* Adds positions up and writes the result. */
void wn_layout_place(wn_lay *lay);

#endif
