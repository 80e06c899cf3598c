/*
 * Intrinsic widths: how narrow a box can be without its contents sticking out, and how wide it
 * would be if nothing made it break its lines.
 *
 * They are needed for boxes whose width depends on their contents. All boxes below are computed at
 * the same time, children before parents, and the results are kept: each box is visited once per
 * page. https://drafts.csswg.org/css-sizing-3/#intrinsic
 */
#include <assert.h>

#include "layout/engine.h"
#include "layout/segment.h"

/* Sums of a stretch of inline content. */
typedef struct widths {
    wn_px smallest, largest; /* so far */
    wn_px word, line;        /* under way */
    wn_px space;             /* at the end of the line under way: it does not count there */
    wn_px floats_line;       /* floats beside the line under way */
    uint32_t previous;       /* character */
    bool after_space;
} widths;

static void end_word(widths *w)
{
    w->smallest = wn_px_max(w->smallest, w->word);
    w->word = 0;
}

static void end_line(widths *w)
{
    end_word(w);
    w->largest = wn_px_max(w->largest, w->line - w->space + w->floats_line);
    w->line = w->space = 0;
    w->floats_line = 0;
    w->after_space = true;
    w->previous = 0;
}

static void add_solid(widths *w, wn_px width)
{
    w->word += width;
    w->line += width;
    w->space = 0;
    w->after_space = false;
}

/* The widest character, for words that may be broken anywhere. */
static wn_px widest_char(const wn_layout_font *font, wn_str word)
{
    wn_px widest = 0;
    for (uint32_t at = 0; at < word.len;) {
        uint32_t next = wn_layout_segment_char_end(word, at), previous = 0;
        widest = wn_px_max(
            widest, wn_layout_font_measure(font, wn_str_from(word.ptr + at, next - at), &previous));
        at = next;
    }
    return widest;
}

static void add_word(widths *w, const wn_style *style, const wn_layout_font *font, wn_str word,
                     bool break_before)
{
    bool wraps = wn_layout_wraps(style);
    if (wraps && break_before)
        end_word(w);
    wn_px width = wn_layout_font_measure(font, word, &w->previous);
    bool anywhere = wraps && style->overflow_wrap == WN_OVERFLOW_WRAP_ANYWHERE;
    if (anywhere)
        w->smallest = wn_px_max(w->smallest, widest_char(font, word));
    wn_px before = w->word;
    add_solid(w, width);
    if (anywhere)
        w->word = before;
}

/* White space that counts; `hangs` if it takes no room at the end of a line. */
static void add_space(widths *w, wn_px width, bool wraps, bool hangs)
{
    w->line += width;
    w->previous = ' ';
    if (wraps)
        end_word(w);
    else
        w->word += width;
    w->after_space = hangs;
    w->space = hangs ? width : 0;
}

static void add_text(wn_lay *lay, widths *w, const wn_lay_box *box)
{
    const wn_style *style = box->style;
    const wn_layout_font *font = wn_layout_cached_font(lay, style);
    wn_str text = wn_str_from(box->text, box->len);
    for (uint32_t at = 0; at < box->len;) {
        wn_segment s = wn_layout_segment_at(text, at, style, w->previous);
        assert(s.end > at && s.end <= box->len);
        wn_str part = wn_str_from(box->text + s.start, s.end - s.start);
        at = s.end;
        if (s.kind == WN_SEGMENT_NEWLINE) {
            end_line(w);
        } else if (s.kind == WN_SEGMENT_WORD) {
            add_word(w, style, font, part, s.break_before);
        } else if (s.kind != WN_SEGMENT_SPACE || !w->after_space) {
            uint32_t previous = ' ';
            wn_px width = wn_layout_font_measure(font, WN_STR(" "), &previous) + font->word_spacing;
            if (s.kind != WN_SEGMENT_SPACE)
                width *= s.kind == WN_SEGMENT_TAB ? style->tab_size : part.len;
            add_space(w, width, wn_layout_wraps(style), s.kind == WN_SEGMENT_SPACE);
        }
    }
}

/* ---- Boxes ------------------------------------------------------------------------------- */

/* A width property in px; WN_PX_AUTO if it depends on anything else. */
static wn_px fixed_width(wn_lay *lay, uint32_t number, wn_length width)
{
    if (width.kind == WN_LENGTH_STRETCH || width.kind == WN_LENGTH_AUTO)
        return WN_PX_AUTO;
    if (width.kind == WN_LENGTH_FIXED)
        return wn_layout_given_width(lay, number, width, WN_PX_AUTO, WN_PX_AUTO);
    const wn_lay_box *box = wn_layout_at(lay, number);
    if (!box->has_intrinsic)
        return WN_PX_AUTO;
    return width.kind == WN_LENGTH_MIN_CONTENT   ? box->min_content
           : width.kind == WN_LENGTH_MAX_CONTENT ? box->max_content
                                                 : WN_PX_AUTO;
}

void wn_layout_contribution(wn_lay *lay, uint32_t number, wn_px *smallest, wn_px *largest)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    const wn_style *style = box->style;
    wn_layout_edges(lay, box, 0);
    wn_px least = box->min_content, most = box->max_content;
    wn_px width = fixed_width(lay, number, style->width);
    if (width != WN_PX_AUTO && box->kind == WN_LAY_TABLE)
        width = wn_px_max(width, least);
    if (width == WN_PX_AUTO && box->kind != WN_LAY_REPLACED && style->aspect_ratio > 0 &&
        wn_layout_given_height(lay, box, style->height, WN_PX_AUTO) != WN_PX_AUTO)
        width = wn_layout_fit_width(lay, number, 0, 0, WN_PX_AUTO);
    if (width != WN_PX_AUTO)
        least = most = width;
    wn_px limit = fixed_width(lay, number, style->max_width);
    if (limit != WN_PX_AUTO) {
        least = wn_px_min(least, limit);
        most = wn_px_min(most, limit);
    }
    /* Pictures as wide as a percentage of an unknown width can be made as narrow as one likes. */
    bool percent = wn_css_length_has_percent(lay->styles, style->width) ||
                   wn_css_length_has_percent(lay->styles, style->max_width);
    if (box->kind == WN_LAY_REPLACED && percent)
        least = wn_layout_edge_width(box);
    limit = fixed_width(lay, number, style->min_width);
    least = wn_px_max(least, limit);
    most = wn_px_max(wn_px_max(most, limit), least);
    wn_px margins = wn_layout_margin_width(box);
    *smallest = wn_px_max(least + margins, 0);
    *largest = wn_px_max(most + margins, 0);
}

/* The start or end of an inline element: margin, border and padding of that side. */
static void add_side(widths *w, const wn_lay_box *box, int side)
{
    wn_px width = (wn_px)box->margin[side] + box->edge[side];
    if (width)
        add_solid(w, width);
}

static void add_atom(widths *w, wn_px least, wn_px most, bool wraps)
{
    if (wraps)
        end_word(w);
    w->word += least;
    w->line += most;
    w->space = 0;
    w->after_space = false;
    w->previous = 0;
    if (wraps)
        end_word(w);
}

/* A block in the flow: it, or its text, is next to the floats unless it clears them. */
static void add_block(widths *w, const wn_style *style, wn_px least, wn_px most)
{
    wn_px floats = style->clear == WN_FLOAT_NONE ? w->floats_line : 0;
    end_line(w);
    w->smallest = wn_px_max(w->smallest, least);
    w->largest = wn_px_max(w->largest, most + floats);
}

/* A child whose own widths are known. */
static void add_box(wn_lay *lay, widths *w, uint32_t number)
{
    wn_px least, most;
    wn_layout_contribution(lay, number, &least, &most);
    const wn_lay_box *box = wn_layout_at(lay, number);
    if (box->floating) {
        w->smallest = wn_px_max(w->smallest, least);
        w->floats_line += most;
    } else if (box->inline_level) {
        add_atom(w, least, most, wn_layout_wraps(wn_layout_at(lay, box->parent)->style));
    } else {
        add_block(w, box->style, least, most);
    }
}

/* Adds the box at `number`, or the start of an inline element; returns the next one to look at. */
static uint32_t add_next(wn_lay *lay, widths *w, uint32_t number, uint32_t *open)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    assert(box->end > number);
    if (box->absolute)
        return box->end;
    if (box->kind == WN_LAY_INLINE && !box->floating) {
        wn_layout_edges(lay, box, 0);
        add_side(w, box, WN_LEFT);
        *open = number;
        return number + 1;
    }
    if (box->kind == WN_LAY_TEXT)
        add_text(lay, w, box);
    else if (box->kind == WN_LAY_BREAK)
        end_line(w);
    else
        add_box(lay, w, number);
    return box->end;
}

static void set_widths(wn_lay *lay, uint32_t number, wn_px smallest, wn_px largest)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_layout_edges(lay, box, 0);
    largest = wn_px_max(largest, smallest);
    if (box->style->contain & WN_CONTAIN_WIDTH)
        smallest = largest = 0;
    if (wn_layout_columns_has(box))
        wn_layout_columns_intrinsic(lay, box->style, &smallest, &largest);
    box->min_content = smallest + wn_layout_edge_width(box);
    box->max_content = largest + wn_layout_edge_width(box);
}

static void flow_widths(wn_lay *lay, uint32_t number)
{
    uint32_t end = wn_layout_at(lay, number)->end, open = number;
    widths w = {.after_space = true};
    wn_px indent = wn_layout_length(lay, wn_layout_at(lay, number)->style->text_indent, WN_PX_AUTO,
                                    0);
    indent += wn_layout_marker_inside(lay, number);
    if (indent > 0)
        w.word = w.line = indent;
    for (uint32_t i = number + 1; i < end || open != number;) {
        if (open != number && i >= wn_layout_at(lay, open)->end) {
            add_side(&w, wn_layout_at(lay, open), WN_RIGHT);
            open = wn_layout_at(lay, open)->parent;
        } else {
            i = add_next(lay, &w, i, &open);
        }
    }
    end_line(&w);
    set_widths(lay, number, w.smallest, w.largest);
}

static void replaced_widths(wn_lay *lay, uint32_t number)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_px width, height;
    wn_layout_edges(lay, box, 0);
    /* For width: min-content and the like. */
    box->min_content = box->max_content = wn_px_max(box->natural_width, 0) +
                                          wn_layout_edge_width(box);
    wn_layout_replaced_size(lay, number, WN_PX_AUTO, WN_PX_AUTO, &width, &height);
    box->min_content = box->max_content = width;
}

static void find_widths(wn_lay *lay, uint32_t number)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    box->has_intrinsic = true; /* already: nobody asks for them again on the way */
    switch (box->kind) {
    case WN_LAY_REPLACED:
        replaced_widths(lay, number);
        break;
    case WN_LAY_FLEX:
        wn_layout_flex_intrinsic(lay, number);
        break;
    case WN_LAY_GRID:
        wn_layout_grid_intrinsic(lay, number);
        break;
    case WN_LAY_TABLE:
        wn_layout_table_intrinsic(lay, number);
        break;
    case WN_LAY_TURNED:
        wn_layout_turn_intrinsic(lay, number);
        break;
    case WN_LAY_BLOCK:
    case WN_LAY_CELL:
    case WN_LAY_CAPTION:
        flow_widths(lay, number);
        break;
    default:
        break;
    }
    box = wn_layout_at(lay, number);
    box->min_content = wn_px_clamp(box->min_content);
    box->max_content = wn_px_clamp(box->max_content);
}

void wn_layout_intrinsic(wn_lay *lay, uint32_t number)
{
    if (wn_layout_at(lay, number)->has_intrinsic)
        return;
    uint32_t end = wn_layout_at(lay, number)->end;
    lay->failed |= !wn_cost_spend(&lay->steps, end - number);
    for (uint32_t i = end; i > number && !lay->failed; i--)
        if (!wn_layout_at(lay, i - 1)->has_intrinsic)
            find_widths(lay, i - 1);
    wn_layout_edges(lay, wn_layout_at(lay, number), 0);
}
