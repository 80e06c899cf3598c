/*
 * Lines: inline content – text, inline elements, inline-blocks, floats among them – put into
 * lines of the width that floats leave.
 *
 * The content is walked once. The items of the current line are collected; at each place where the
 * line may be broken the state is saved. If something does not fit, the walk returns to the last
 * such place, the line is finished there and the next one starts. Each line looks at the content of
 * the next one at most once, so the work is linear.
 *
 * An inline element can span many lines and be nested deeply; so that not every line has to
 * touch every open element, a line notes its extent in those opened in it and in the innermost
 * of the others, and an element that is closed hands its extent on to its parent.
 */
#include <assert.h>

#include "layout/engine.h"
#include "layout/segment.h"

enum {
    ITEM_TEXT,
    ITEM_OPEN,
    ITEM_CLOSE,
    ITEM_ATOM,   /* an inline-block, a picture */
    ITEM_BREAK,  /* <br> */
    ITEM_STATIC, /* where an absolutely positioned box would be */
};

enum { PX = WN_UNIT };

/* A place in the content, and the line up to it. */
typedef struct place {
    uint32_t box;  /* next to look at */
    uint32_t at;   /* byte of a text */
    uint32_t open; /* the innermost inline element, or the block container */
    uint32_t items;
    wn_line_item last; /* the last item as it was */
    wn_px width;       /* of the line */
    wn_px trailing;    /* of the space at its end */
    uint32_t previous; /* character; 0: none */
    bool after_space;
    bool has_content;
} place;

typedef struct liner {
    wn_lay *lay;
    wn_frame *frame;
    wn_open_block block; /* a copy: the block container */
    uint32_t container;
    wn_px y, left, right; /* of the line under way */
    wn_px indent;
    bool strict;         /* every line has room for the block's own font: no quirk */
    uint32_t first_open; /* the innermost element that was open when the line started */
    uint32_t first_waiting;
    place now, break_at;
    bool has_break;
} liner;

/* ---- Metrics ----------------------------------------------------------------------------- */

/* Half of the leading goes above the text, rounded down to a pixel. */
void wn_layout_lines_strut(wn_lay *lay, const wn_style *style, wn_px *up, wn_px *down)
{
    const wn_layout_font *font = wn_layout_cached_font(lay, style);
    wn_px height = wn_px_from(wn_css_line_height(style, (float)font->line_spacing / PX));
    wn_px leading = height - font->ascent - font->descent;
    wn_px half = leading / 2;
    half = (half >= 0 ? half / PX : -((-half + PX - 1) / PX)) * PX;
    *up = font->ascent + half;
    *down = height - *up;
}

/* How far vertical-align raises a box above its parent's baseline; top and bottom: not at all. */
static wn_px raise_of(wn_lay *lay, const wn_style *style, const wn_style *parent, wn_px up,
                      wn_px down)
{
    const wn_layout_font *font = wn_layout_cached_font(lay, parent);
    wn_px size = font->size, ascent = font->ascent, descent = font->descent;
    wn_px x_height = font->x_height;
    switch (style->vertical_align) {
    case WN_VALIGN_SUB:
        return -(size / 5 + PX);
    case WN_VALIGN_SUPER:
        return size / 3 + PX;
    case WN_VALIGN_MIDDLE:
        return (x_height / 2) - (up - down) / 2;
    case WN_VALIGN_TEXT_TOP:
        return ascent - up;
    case WN_VALIGN_TEXT_BOTTOM:
        return down - descent;
    case WN_VALIGN_LENGTH: {
        const wn_layout_font *own = wn_layout_cached_font(lay, style);
        float line = wn_css_line_height(style, (float)own->line_spacing / PX);
        return wn_layout_length(lay, style->vertical_align_length, wn_px_from(line), 0);
    }
    default:
        return 0;
    }
}

/* The metrics of an element as lines see it; an anonymous block or the container is the root. */
static void set_inline_metrics(liner *l, uint32_t number)
{
    wn_lay *lay = l->lay;
    wn_lay_box *box = wn_layout_at(lay, number);
    const wn_lay_box *parent = wn_layout_at(lay, box->parent);
    wn_px up, down;
    wn_layout_lines_strut(lay, box->style, &up, &down);
    const wn_layout_font *font = wn_layout_cached_font(lay, box->style);
    wn_px ascent = font->ascent, descent = font->descent;
    box->raise = raise_of(lay, box->style, parent->style, ascent, descent);
    bool inner = parent->kind == WN_LAY_INLINE;
    if (inner)
        box->raise += parent->raise;
    box->up = up + box->raise;
    box->down = down - box->raise;
    if (l->strict && inner) {
        box->up = wn_px_max(box->up, parent->up);
        box->down = wn_px_max(box->down, parent->down);
    }
}

/* ---- Extents of inline elements ---------------------------------------------------------- */

void wn_layout_join(wn_lay_box *box, wn_px x, wn_px y, wn_px width, wn_px height)
{
    if (!box->placed) {
        box->x = x;
        box->y = y;
        box->width = width;
        box->height = height;
        box->placed = true;
        return;
    }
    wn_px right = wn_px_max(box->x + box->width, x + width);
    wn_px bottom = wn_px_max(box->y + box->height, y + height);
    box->x = wn_px_min(box->x, x);
    box->y = wn_px_min(box->y, y);
    box->width = right - box->x;
    box->height = bottom - box->y;
}

static void extend(wn_lay_box *box, wn_px left, wn_px right, wn_px first, wn_px last)
{
    if (!box->has_extent) {
        box->left = left;
        box->right = right;
        box->first = first;
        box->last = last;
        box->has_extent = true;
        return;
    }
    box->left = wn_px_min(box->left, left);
    box->right = wn_px_max(box->right, right);
    box->first = wn_px_min(box->first, first);
    box->last = wn_px_max(box->last, last);
}

/* Turns an element's extent into its box, and hands it on to the element around it. */
static void settle(liner *l, uint32_t number)
{
    wn_lay *lay = l->lay;
    wn_lay_box *box = wn_layout_at(lay, number), *parent = wn_layout_at(lay, box->parent);
    assert(box->kind == WN_LAY_INLINE);
    if (!box->has_extent)
        return;
    const wn_layout_font *font = wn_layout_cached_font(lay, box->style);
    wn_px top = box->first - box->raise - font->ascent - box->edge[WN_TOP];
    wn_px bottom = box->last - box->raise + font->descent + box->edge[WN_BOTTOM];
    wn_layout_join(box, box->left, top, box->right - box->left, bottom - top);
    if (parent->kind == WN_LAY_INLINE)
        extend(parent, box->left, box->right, box->first, box->last);
    box->has_extent = false;
}

/* ---- Finishing a line -------------------------------------------------------------------- */

typedef struct line_metrics {
    wn_px up, down;
    wn_px tallest; /* of what is at the line's top or bottom */
    bool any;
} line_metrics;

static void add_metrics(line_metrics *m, wn_px up, wn_px down)
{
    m->up = m->any ? wn_px_max(m->up, up) : up;
    m->down = m->any ? wn_px_max(m->down, down) : down;
    m->any = true;
}

/* What an element or the container itself needs above and below the baseline. */
static void own_metrics(liner *l, uint32_t number, wn_px *up, wn_px *down)
{
    const wn_lay_box *box = wn_layout_at(l->lay, number);
    if (box->kind == WN_LAY_INLINE) {
        *up = box->up;
        *down = box->down;
    } else {
        wn_layout_lines_strut(l->lay, box->style, up, down);
    }
}

/*
 * The baseline of an inline-block: of its last line, others: of their first; where there is none
 * the bottom, in vertical lines the middle.  https://drafts.csswg.org/css-inline/#baseline-source
 */
static wn_px atom_ascent(const wn_lay_box *box)
{
    const wn_style *style = box->style;
    bool block = box->kind == WN_LAY_BLOCK ||
                 (box->kind == WN_LAY_TURNED && box[1].kind == WN_LAY_BLOCK);
    bool automatic = style->baseline_source == WN_BASELINE_AUTO;
    bool last = automatic ? block : style->baseline_source == WN_BASELINE_LAST;
    bool clipped = automatic && block && style->overflow_y != WN_OVERFLOW_VISIBLE;
    wn_px baseline = last ? box->last_baseline : box->baseline;
    if (baseline != WN_PX_NONE && !clipped)
        return baseline;
    wn_px outer = box->height + wn_layout_margin_height(box);
    return (box->writing == WN_WRITING_HORIZONTAL ? outer : outer / 2) - box->margin[WN_TOP];
}

static bool is_line_aligned(const wn_style *style)
{
    return style->vertical_align == WN_VALIGN_TOP || style->vertical_align == WN_VALIGN_BOTTOM;
}

static wn_px atom_raise(liner *l, const wn_lay_box *box, wn_px up, wn_px down)
{
    const wn_lay_box *parent = wn_layout_at(l->lay, box->parent);
    wn_px outer = parent->kind == WN_LAY_INLINE ? parent->raise : 0;
    return outer + raise_of(l->lay, box->style, parent->style, up, down);
}

static void measure_atom(liner *l, const wn_lay_box *box, line_metrics *m)
{
    wn_px height = box->height + wn_layout_margin_height(box);
    if (is_line_aligned(box->style)) {
        m->tallest = wn_px_max(m->tallest, height);
        return;
    }
    wn_px up = atom_ascent(box) + box->margin[WN_TOP], down = height - up;
    wn_px raise = atom_raise(l, box, up, down);
    add_metrics(m, up + raise, down - raise);
}

static line_metrics measure_line(liner *l)
{
    wn_lay *lay = l->lay;
    line_metrics m = {0};
    wn_px up, down;
    if (l->strict) {
        own_metrics(l, l->container, &up, &down);
        add_metrics(&m, up, down);
        own_metrics(l, l->first_open, &up, &down);
        add_metrics(&m, up, down);
    }
    for (uint32_t i = 0; i < l->now.items; i++) {
        const wn_line_item *item = &lay->items.items[i];
        const wn_lay_box *box = wn_layout_at(lay, item->box);
        if (item->kind == ITEM_TEXT || item->kind == ITEM_BREAK) {
            own_metrics(l, box->parent, &up, &down);
            add_metrics(&m, up, down);
        } else if (item->kind == ITEM_OPEN && (l->strict || wn_layout_edge_width(box) > 0)) {
            add_metrics(&m, box->up, box->down);
        } else if (item->kind == ITEM_ATOM) {
            measure_atom(l, box, &m);
        }
    }
    if (m.tallest > m.up + m.down)
        m.down = m.tallest - m.up;
    return m;
}

static void place_text(liner *l, const wn_line_item *item, wn_px x, wn_px width, wn_px baseline)
{
    wn_lay *lay = l->lay;
    wn_lay_box *box = wn_layout_at(lay, item->box);
    const wn_lay_box *parent = wn_layout_at(lay, box->parent);
    const wn_layout_font *font = wn_layout_cached_font(lay, box->style);
    wn_px own = baseline - (parent->kind == WN_LAY_INLINE ? parent->raise : 0);
    box->origin = l->frame->box;
    wn_layout_join(box, x, own - font->ascent, width, (wn_px)font->ascent + font->descent);
    if (!lay->wants_fragments || l->frame->in.measure)
        return;
    wn_text_fragment *fragment = wn_array_push(&lay->fragments);
    uint32_t *owner = wn_array_push(&lay->fragment_boxes);
    if (!fragment || !owner) {
        lay->failed = true;
        return;
    }
    *owner = item->box;
    *fragment = (wn_text_fragment){
        .node = box->node,
        .generated = box->generated,
        .text = box->text + item->start,
        .len = item->end - item->start,
        .x = (wn_unit)wn_px_clamp(x / 2 * 2),
        .width = (wn_unit)wn_px_min(width, INT32_MAX),
        .baseline = (wn_unit)(wn_px_min(own, INT32_MAX)),
        .style = box->style,
    };
}

static void place_atom(liner *l, const wn_line_item *item, wn_px x, wn_px baseline,
                       const line_metrics *m)
{
    wn_lay_box *box = wn_layout_at(l->lay, item->box);
    wn_px height = box->height + wn_layout_margin_height(box);
    wn_px up = atom_ascent(box) + box->margin[WN_TOP];
    wn_px top;
    if (box->style->vertical_align == WN_VALIGN_TOP)
        top = l->y;
    else if (box->style->vertical_align == WN_VALIGN_BOTTOM)
        top = l->y + m->up + m->down - height;
    else
        top = baseline - atom_raise(l, box, up, height - up) - up;
    box->origin = l->frame->box;
    box->x = x + box->margin[WN_LEFT];
    box->y = top + box->margin[WN_TOP];
    box->placed = true;
}

static wn_px align_shift(const liner *l, wn_px room, bool last, bool *justify)
{
    const wn_style *style = wn_layout_at(l->lay, l->container)->style;
    bool rtl = style->rtl;
    *justify = false;
    switch (style->text_align) {
    case WN_TEXT_ALIGN_END:
        return rtl ? 0 : room;
    case WN_TEXT_ALIGN_RIGHT:
    case WN_TEXT_ALIGN_WEBKIT_RIGHT:
        return rtl ? 0 : room;
    case WN_TEXT_ALIGN_CENTER:
    case WN_TEXT_ALIGN_WEBKIT_CENTER:
        return wn_px_max(room, 0) / 2;
    case WN_TEXT_ALIGN_LEFT:
    case WN_TEXT_ALIGN_WEBKIT_LEFT:
        return rtl ? room : 0;
    case WN_TEXT_ALIGN_JUSTIFY:
        *justify = !last && room > 0;
        return 0;
    default:
        return 0;
    }
}

static bool is_inline_display(uint8_t display)
{
    return display == WN_DISPLAY_INLINE || display == WN_DISPLAY_INLINE_BLOCK ||
           display == WN_DISPLAY_INLINE_FLEX || display == WN_DISPLAY_INLINE_GRID ||
           display == WN_DISPLAY_INLINE_TABLE;
}

/* A block that is positioned absolutely would be below the line, an inline element in it. */
static void set_static(liner *l, uint32_t number, wn_px x, const line_metrics *m)
{
    bool block = !is_inline_display(wn_layout_at(l->lay, number)->style->specified_display);
    bool below = block && x > l->left;
    wn_layout_set_static(l->lay, l->frame, number, block ? l->block.left : x,
                         below ? l->y + m->up + m->down : l->y);
}

/* A line whose items are being placed, from its start: the left, or the right in rtl. */
typedef struct placing {
    const line_metrics *m;
    bool rtl;
    wn_px start, width; /* the start's x; of all items, without the space at the end */
    wn_px baseline;     /* y */
    wn_px shift;        /* by text-align */
    wn_px room;         /* that is shared out among `spaces`, if there are any: justify */
    uint32_t spaces, passed;
    uint32_t older; /* the innermost element open since before this line, and still open */
} placing;

static placing start_placing(const liner *l, const line_metrics *m, bool last)
{
    const wn_lay *lay = l->lay;
    bool justify;
    placing p = {
        .m = m,
        .rtl = lay->boxes.items[l->container].style->rtl,
        .width = l->now.width - l->now.trailing,
        .baseline = l->y + m->up,
        .older = l->first_open,
    };
    p.start = p.rtl ? l->right : l->left;
    p.room = l->right - l->left - p.width;
    p.shift = align_shift(l, p.room, last, &justify);
    for (uint32_t i = 0; justify && i < l->now.items; i++)
        p.spaces += lay->items.items[i].spaces;
    if (justify && l->now.trailing > 0 && p.spaces > 0)
        p.spaces--;
    return p;
}

/* The left edge of the next item; its width, with what justification adds, goes to `width`. */
static wn_px next_x(placing *p, const wn_line_item *item, wn_px *width)
{
    wn_px extra = p->spaces ? p->room * p->passed / p->spaces : 0;
    *width = item->width;
    if (item->spaces && p->spaces) {
        p->passed = (uint32_t)wn_px_min((wn_px)p->passed + item->spaces, p->spaces);
        *width += p->room * p->passed / p->spaces - extra;
    }
    wn_px from_start = p->shift + item->x + extra;
    return p->rtl ? p->start - from_start - *width : p->start + from_start;
}

static void place_open(liner *l, const placing *p, const wn_line_item *item, wn_px x)
{
    wn_lay_box *box = wn_layout_at(l->lay, item->box);
    wn_px margin = box->margin[p->rtl ? WN_RIGHT : WN_LEFT];
    wn_px edge = p->rtl ? x + item->width - margin : x + margin;
    box->origin = l->frame->box;
    box->placed = false;
    box->has_extent = false;
    extend(box, edge, edge, p->baseline, p->baseline);
}

static void place_close(liner *l, placing *p, const wn_line_item *item, wn_px x)
{
    wn_lay_box *box = wn_layout_at(l->lay, item->box);
    wn_px margin = box->margin[p->rtl ? WN_LEFT : WN_RIGHT];
    wn_px edge = p->rtl ? x + margin : x + item->width - margin;
    if (item->box == p->older) {
        extend(box, p->start, edge, p->baseline, p->baseline);
        p->older = box->parent;
    } else {
        extend(box, edge, edge, p->baseline, p->baseline);
    }
    settle(l, item->box);
}

static void place_item(liner *l, placing *p, const wn_line_item *item)
{
    wn_px width, x = next_x(p, item, &width);
    wn_lay_box *box = wn_layout_at(l->lay, item->box);
    switch (item->kind) {
    case ITEM_TEXT:
        place_text(l, item, x, width, p->baseline);
        break;
    case ITEM_BREAK:
        box->origin = l->frame->box;
        wn_layout_join(box, x, p->baseline, 0, 0);
        break;
    case ITEM_ATOM:
        place_atom(l, item, x, p->baseline, p->m);
        break;
    case ITEM_OPEN:
        place_open(l, p, item, x);
        break;
    case ITEM_CLOSE:
        place_close(l, p, item, x);
        break;
    default:
        assert(item->kind == ITEM_STATIC);
        set_static(l, item->box, x, p->m);
    }
}

/* Elements that stay open reach to the line's end. */
static void extend_open(liner *l, const placing *p)
{
    wn_lay *lay = l->lay;
    wn_px end = p->rtl ? p->start - p->shift - p->width : p->start + p->shift + p->width;
    for (uint32_t number = l->now.open; wn_layout_at(lay, number)->kind == WN_LAY_INLINE;
         number = wn_layout_at(lay, number)->parent) {
        wn_lay_box *box = wn_layout_at(lay, number);
        extend(box, end, end, p->baseline, p->baseline);
        if (number == p->older) {
            extend(box, p->start, p->start, p->baseline, p->baseline);
            break;
        }
    }
}

static void place_items(liner *l, const line_metrics *m, bool last)
{
    assert(l->now.items <= l->lay->items.count);
    placing p = start_placing(l, m, last);
    for (uint32_t i = 0; i < l->now.items; i++)
        place_item(l, &p, &l->lay->items.items[i]);
    extend_open(l, &p);
}

static void place_waiting_floats(liner *l)
{
    wn_lay *lay = l->lay;
    for (uint32_t i = l->first_waiting; i < lay->line_floats.count; i++)
        wn_layout_float_place(lay, l->frame, lay->line_floats.items[i], l->y, l->block.left,
                              l->block.width);
    lay->line_floats.count = l->first_waiting;
}

/* Finds the edges of the line at y; the first one may be indented. */
static void set_edges(liner *l)
{
    wn_px left = l->block.left, right = l->block.left + l->block.width;
    wn_layout_float_edges(l->lay, l->frame, l->y, &left, &right);
    const wn_style *style = wn_layout_at(l->lay, l->container)->style;
    if (style->rtl)
        right -= l->indent;
    else
        left += l->indent;
    l->left = left;
    l->right = right;
}

static void start_line(liner *l)
{
    l->first_open = l->now.open;
    l->now.items = 0;
    l->now.width = l->now.trailing = 0;
    l->now.previous = 0;
    l->now.after_space = true;
    l->now.has_content = false;
    l->has_break = false;
    set_edges(l);
}

/* A space at the end of a line takes no room: neither in the text nor in elements around it. */
static void drop_last_space(liner *l)
{
    wn_lay *lay = l->lay;
    wn_px space = l->now.trailing;
    for (uint32_t i = l->now.items; space > 0 && i > 0; i--) {
        wn_line_item *item = &lay->items.items[i - 1];
        if (item->kind == ITEM_TEXT) {
            if (!wn_layout_collapses(wn_layout_at(lay, item->box)->style))
                break;
            item->width -= space;
            item->spaces -= item->spaces > 0;
            l->now.width -= space;
            l->now.trailing = 0;
            for (uint32_t k = i; k < l->now.items; k++)
                lay->items.items[k].x -= space;
            break;
        }
    }
}

/* A line with something in it: the block and its context know of it, and y goes on below. */
static void count_line(liner *l, const line_metrics *m)
{
    wn_lay *lay = l->lay;
    wn_flow_state *flow = &l->frame->flow;
    wn_lay_box *root = wn_layout_at(lay, l->frame->box);
    wn_px baseline = l->y + m->up, bottom = l->y + m->up + m->down;
    if (root->baseline == WN_PX_NONE)
        root->baseline = baseline;
    if (!flow->clamped)
        root->last_baseline = baseline;
    if (flow->columns.count)
        wn_layout_columns_add(
            lay, l->frame,
            (wn_layout_piece){
                .top = l->y, .bottom = bottom, .baseline = baseline, .last_baseline = baseline});
    l->y = bottom;
    l->indent = 0;
    lay->blocks.items[lay->blocks.count - 1].has_line = true;
    bool is_old_box = root->style->display == WN_DISPLAY_FLOW_ROOT ||
                      root->style->display == WN_DISPLAY_INLINE_BLOCK;
    if (++flow->lines == root->style->line_clamp && is_old_box)
        flow->clamped = l->y; /* -webkit-line-clamp: what follows is not seen */
}

static void finish_line(liner *l, bool last)
{
    line_metrics m = {0};
    if (l->now.has_content)
        m = measure_line(l);
    drop_last_space(l);
    place_items(l, &m, last);
    if (l->now.has_content)
        count_line(l, &m);
    place_waiting_floats(l);
    start_line(l);
}

/* ---- Filling a line ---------------------------------------------------------------------- */

static void remember_break(liner *l)
{
    if (!l->now.has_content)
        return;
    l->break_at = l->now;
    if (l->now.items > 0)
        l->break_at.last = l->lay->items.items[l->now.items - 1];
    l->has_break = true;
}

static void break_at_last_place(liner *l)
{
    assert(l->has_break && l->break_at.items <= l->lay->items.count);
    l->now = l->break_at;
    if (l->now.items > 0)
        l->lay->items.items[l->now.items - 1] = l->break_at.last;
    finish_line(l, false);
}

/* The line is too narrow for its first word, but floats end below: tries there. */
static bool move_below_floats(liner *l)
{
    wn_px next = wn_layout_float_next(l->lay, l->frame, l->y);
    if (l->now.has_content || next <= l->y)
        return false;
    l->y = next;
    set_edges(l);
    return true;
}

/* Makes room for something of that width; false if the line was broken: look again. */
static bool make_room(liner *l, wn_px width)
{
    while (l->now.width + width > l->right - l->left) {
        if (l->has_break) {
            break_at_last_place(l);
            return false;
        }
        if (!move_below_floats(l))
            break;
    }
    return true;
}

static wn_line_item *add_item(liner *l, uint32_t box, int kind, wn_px width)
{
    wn_lay *lay = l->lay;
    lay->items.count = l->now.items;
    wn_line_item *item = wn_array_push(&lay->items);
    if (!item) {
        lay->failed = true;
        return NULL;
    }
    *item = (wn_line_item){.box = box, .kind = (uint8_t)kind, .x = l->now.width, .width = width};
    l->now.items++;
    l->now.width += width;
    return item;
}

/* Adds bytes of the text under way to the line. */
static wn_line_item *add_text(liner *l, uint32_t start, uint32_t end, wn_px width)
{
    wn_lay *lay = l->lay;
    if (l->now.items > 0) {
        wn_line_item *last = &lay->items.items[l->now.items - 1];
        if (last->kind == ITEM_TEXT && last->box == l->now.box && last->end == start) {
            last->end = end;
            last->width += width;
            l->now.width += width;
            return last;
        }
    }
    wn_line_item *item = add_item(l, l->now.box, ITEM_TEXT, width);
    if (item) {
        item->start = start;
        item->end = end;
    }
    return item;
}

static wn_px space_width(const wn_layout_font *font, uint32_t *previous)
{
    return wn_layout_font_measure(font, WN_STR(" "), previous) + font->word_spacing;
}

/* Breaks a word that is wider than a line anywhere; puts the part that fits into the line. */
static void add_part_of_word(liner *l, const wn_lay_box *box, const wn_layout_font *font,
                             const wn_segment *word)
{
    wn_str text = wn_str_from(box->text, word->end);
    wn_px room = l->right - l->left - l->now.width, width = 0;
    uint32_t at = word->start;
    while (at < word->end) {
        uint32_t next = wn_layout_segment_char_end(text, at), previous = l->now.previous;
        wn_px more = wn_layout_font_measure(font, wn_str_from(box->text + at, next - at),
                                            &previous);
        bool first = at == word->start && !l->now.has_content;
        if (width + more > room && !first)
            break;
        width += more;
        at = next;
        l->now.previous = previous;
    }
    if (at > word->start) {
        add_text(l, word->start, at, width);
        l->now.has_content = true;
        l->now.after_space = false;
        l->now.trailing = 0;
        l->now.at = at;
    }
    if (at < word->end)
        finish_line(l, false);
}

static void add_word(liner *l, const wn_lay_box *box, const wn_segment *word)
{
    const wn_style *style = box->style;
    const wn_layout_font *font = wn_layout_cached_font(l->lay, style);
    bool wraps = wn_layout_wraps(style);
    if (wraps && word->break_before && !l->now.after_space)
        remember_break(l);
    uint32_t previous = l->now.previous;
    wn_px width = wn_layout_font_measure(
        font, wn_str_from(box->text + word->start, word->end - word->start), &previous);
    uint32_t before = l->now.at, box_before = l->now.box;
    wn_px y = l->y;
    if (!make_room(l, width))
        return;
    bool anywhere = wraps && style->overflow_wrap != WN_OVERFLOW_WRAP_NORMAL;
    if (anywhere && l->now.width + width > l->right - l->left && before == l->now.at &&
        box_before == l->now.box && (y == l->y || !l->now.has_content)) {
        add_part_of_word(l, box, font, word);
        return;
    }
    add_text(l, word->start, word->end, width);
    l->now.previous = previous;
    l->now.has_content = true;
    l->now.after_space = false;
    l->now.trailing = 0;
    l->now.at = word->end;
}

static void add_space(liner *l, const wn_lay_box *box, const wn_segment *space)
{
    const wn_layout_font *font = wn_layout_cached_font(l->lay, box->style);
    if (!l->now.after_space) {
        wn_px width = space_width(font, &l->now.previous);
        wn_line_item *item = add_text(l, space->start, space->end, width);
        if (item)
            item->spaces++;
        l->now.trailing = width;
        l->now.after_space = true;
    }
    l->now.previous = ' ';
    l->now.at = space->end;
    if (wn_layout_wraps(box->style))
        remember_break(l);
}

static void add_kept_space(liner *l, const wn_lay_box *box, const wn_segment *space)
{
    const wn_layout_font *font = wn_layout_cached_font(l->lay, box->style);
    uint32_t previous = ' ';
    wn_px width = space_width(font, &previous) * (space->end - space->start);
    if (space->kind == WN_SEGMENT_TAB) {
        wn_px stop = wn_px_max(width * box->style->tab_size, PX);
        width = stop - (l->now.width % stop);
    }
    add_text(l, space->start, space->end, width);
    l->now.trailing = wn_layout_wraps(box->style) ? width : 0;
    l->now.previous = ' ';
    l->now.at = space->end;
    l->now.has_content = true;
    l->now.after_space = false;
    if (wn_layout_wraps(box->style))
        remember_break(l);
}

static void fill_text(liner *l)
{
    wn_lay *lay = l->lay;
    uint32_t number = l->now.box;
    while (l->now.box == number && !lay->failed) {
        /* A text may be as long as the page. */
        lay->failed |= !wn_cost_spend(&lay->steps, 1) || wn_watch_over(lay->watch);
        const wn_lay_box *box = wn_layout_at(lay, number);
        if (l->now.at >= box->len) {
            l->now.box = box->end;
            l->now.at = 0;
            return;
        }
        wn_segment s = wn_layout_segment_at(wn_str_from(box->text, box->len), l->now.at, box->style,
                                            l->now.previous);
        assert(s.start == l->now.at && s.end > s.start && s.end <= box->len);
        switch (s.kind) {
        case WN_SEGMENT_WORD:
            add_word(l, box, &s);
            break;
        case WN_SEGMENT_SPACE:
            add_space(l, box, &s);
            break;
        case WN_SEGMENT_NEWLINE:
            l->now.at = s.end;
            l->now.has_content = true;
            add_text(l, s.start, s.start, 0);
            finish_line(l, true);
            break;
        default:
            add_kept_space(l, box, &s);
        }
    }
}

static void fill_atom(liner *l)
{
    wn_lay_box *box = wn_layout_at(l->lay, l->now.box);
    const wn_style *around = wn_layout_at(l->lay, box->parent)->style;
    bool wraps = wn_layout_wraps(around);
    if (wraps)
        remember_break(l);
    wn_px width = box->width + wn_layout_margin_width(box);
    if (!make_room(l, width))
        return;
    add_item(l, l->now.box, ITEM_ATOM, width);
    l->now.has_content = true;
    l->now.after_space = false;
    l->now.trailing = 0;
    l->now.previous = 0;
    l->now.box = box->end;
    if (wraps)
        remember_break(l);
}

/* A float beside the line, if there is room; else it waits for the line's end. */
static void fill_float(liner *l)
{
    wn_lay *lay = l->lay;
    const wn_lay_box *box = wn_layout_at(lay, l->now.box);
    uint32_t number = l->now.box;
    wn_px width = box->width + wn_layout_margin_width(box);
    l->now.box = box->end;
    if (box->placed) /* before the line was broken and its end was looked at again */
        return;
    bool fits = l->now.width - l->now.trailing + width <= l->right - l->left;
    bool must_clear = box->style->clear != WN_FLOAT_NONE &&
                      wn_layout_float_clear(l->frame, box->style->clear) > l->y;
    if (lay->line_floats.count == l->first_waiting &&
        (!l->now.has_content || (fits && !must_clear))) {
        wn_layout_float_place(lay, l->frame, number, l->y, l->block.left, l->block.width);
        set_edges(l);
        return;
    }
    uint32_t *waiting = wn_array_push(&lay->line_floats);
    if (waiting)
        *waiting = number;
    else
        lay->failed = true;
    wn_layout_at(lay, number)->placed = true;
}

static void fill_break(liner *l)
{
    wn_lay *lay = l->lay;
    uint32_t number = l->now.box;
    uint8_t clear = wn_layout_at(lay, number)->style->clear;
    wn_layout_at(lay, number)->placed = false;
    add_item(l, number, ITEM_BREAK, 0);
    l->now.has_content = true;
    l->now.box = number + 1;
    finish_line(l, true);
    if (clear != WN_FLOAT_NONE) {
        l->y = wn_px_max(l->y, wn_layout_float_clear(l->frame, clear));
        set_edges(l);
    }
}

static void fill_open(liner *l)
{
    wn_lay *lay = l->lay;
    uint32_t number = l->now.box;
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_layout_edges(lay, box, l->block.width);
    set_inline_metrics(l, number);
    box = wn_layout_at(lay, number);
    bool rtl = box->style->rtl;
    int side = rtl ? WN_RIGHT : WN_LEFT;
    wn_px width = (wn_px)box->margin[side] + box->edge[side];
    add_item(l, number, ITEM_OPEN, width);
    if (wn_layout_edge_width(box) > 0 || wn_layout_margin_width(box) != 0)
        l->now.has_content = true;
    if (width != 0)
        l->now.trailing = 0;
    l->now.open = number;
    l->now.box = number + 1;
}

static void fill_close(liner *l)
{
    assert(l->now.open != l->container);
    const wn_lay_box *box = wn_layout_at(l->lay, l->now.open);
    int side = box->style->rtl ? WN_LEFT : WN_RIGHT;
    wn_px width = (wn_px)box->margin[side] + box->edge[side];
    add_item(l, l->now.open, ITEM_CLOSE, width);
    if (width != 0)
        l->now.trailing = 0;
    l->now.open = box->parent;
}

/* One box or one end of an element. */
static void fill(liner *l)
{
    wn_lay *lay = l->lay;
    if (l->now.open != l->container && l->now.box >= wn_layout_at(lay, l->now.open)->end) {
        fill_close(l);
        return;
    }
    const wn_lay_box *box = wn_layout_at(lay, l->now.box);
    if (box->absolute) {
        add_item(l, l->now.box, ITEM_STATIC, 0);
        l->now.box = box->end;
    } else if (box->floating) {
        fill_float(l);
    } else if (box->kind == WN_LAY_TEXT) {
        if (l->now.at == 0)
            wn_layout_at(lay, l->now.box)->placed = false;
        fill_text(l);
    } else if (box->kind == WN_LAY_BREAK) {
        fill_break(l);
    } else if (box->kind == WN_LAY_INLINE) {
        fill_open(l);
    } else {
        fill_atom(l);
    }
}

/* ---- Runs -------------------------------------------------------------------------------- */

bool wn_layout_lines_has_content(wn_lay *lay, uint32_t number)
{
    const wn_lay_box *box = wn_layout_at(lay, number);
    switch (box->kind) {
    case WN_LAY_TEXT:
        if (!wn_layout_collapses(box->style))
            return box->len > 0;
        for (uint32_t i = 0; i < box->len; i++)
            if (!wn_is_space(box->text[i]) ||
                (box->text[i] == '\n' && wn_layout_keeps_lines(box->style)))
                return true;
        return false;
    case WN_LAY_INLINE:
        return wn_layout_edge_width(box) > 0 || wn_layout_margin_width(box) != 0;
    default:
        return true;
    }
}

void wn_layout_lines_lay_out(wn_lay *lay, wn_frame *frame, uint32_t start, uint32_t end)
{
    assert(start < end && lay->blocks.count > 0);
    wn_open_block block = lay->blocks.items[lay->blocks.count - 1];
    const wn_style *style = wn_layout_at(lay, block.box)->style;
    liner l = {
        .lay = lay,
        .frame = frame,
        .block = block,
        .container = block.box,
        .y = frame->flow.y,
        .strict = lay->doc->quirks == WN_NO_QUIRKS,
        .first_waiting = lay->line_floats.count,
        /* Elements that were opened before a block inside them go on after it. */
        .now = {.box = start, .open = wn_layout_at(lay, start)->parent},
    };
    if (!block.has_line)
        l.indent = wn_layout_length(lay, style->text_indent, block.width, 0) +
                   wn_layout_marker_inside(lay, block.box);
    start_line(&l);
    while (!lay->failed && (l.now.box < end || (l.now.open != l.container &&
                                                l.now.box >= wn_layout_at(lay, l.now.open)->end)))
        fill(&l);
    finish_line(&l, true);
    /* A block comes, inside elements that stay open: their boxes are settled so far. */
    for (uint32_t open = l.now.open; open != l.container; open = wn_layout_at(lay, open)->parent)
        settle(&l, open);
    frame->flow.y = l.y;
}
