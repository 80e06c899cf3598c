/*
 * Widths of a table's columns: what the cells need, what the author says, and how the table's width
 * is shared out among them.
 *
 * Least and most widths come from the cells over one column first, then from those over two, and
 * so on. A width is shared out by guesses that ask for more and more: least widths, percentages,
 * fixed widths, most widths.  https://drafts.csswg.org/css-tables-3/#distributing-width-to-columns
 */
#include <assert.h>

#include "layout/table.h"

/* ---- What is asked for ------------------------------------------------------------------- */

static void ask_width(wn_lay *lay, column *c, const wn_lay_box *box, bool is_cell)
{
    wn_length width = box->style->width;
    if (width.kind != WN_LENGTH_FIXED)
        return;
    if (width.percent >= LEAST_PERCENT && width.px == 0 && !width.arm) {
        c->percent = width.percent > c->percent ? width.percent : c->percent;
    } else if (!wn_css_length_has_percent(lay->styles, width)) {
        wn_px px = wn_layout_length(lay, width, 0, 0);
        if (is_cell)
            px = box->style->border_box ? wn_px_max(px, wn_layout_edge_width(box))
                                        : px + wn_layout_edge_width(box);
        if (px > 0 || !is_cell)
            c->fixed = wn_px_max(c->fixed, px);
    }
}

/* <col> and <colgroup>: widths of whole columns. */
static void read_columns(wn_lay *lay, uint32_t number, table *t)
{
    uint32_t end = wn_layout_at(lay, number)->end, at = 0;
    for (uint32_t i = number + 1; i < end;) {
        const wn_lay_box *box = wn_layout_at(lay, i);
        if (box->kind != WN_LAY_COLUMN) {
            i = box->end;
            continue;
        }
        bool group = box->end > i + 1;
        uint32_t span = wn_layout_table_span(lay, box, WN_ATTR_SPAN, MAX_COLUMN_SPAN);
        for (uint32_t k = 0; !group && k < span && at < t->column_count; k++)
            ask_width(lay, &t->columns[at++], box, false);
        i++;
    }
}

static void cell_widths(wn_lay *lay, uint32_t number, wn_px *least, wn_px *most)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_layout_edges(lay, box, 0);
    wn_px limit = wn_layout_given_width(lay, number, box->style->min_width, WN_PX_AUTO, WN_PX_AUTO);
    *least = wn_px_max(box->min_content, limit);
    limit = wn_layout_given_width(lay, number, box->style->max_width, WN_PX_AUTO, WN_PX_AUTO);
    *most = box->max_content;
    if (limit != WN_PX_AUTO)
        *most = wn_px_min(*most, limit);
    *most = wn_px_max(*least, *most);
}

static void add_single_cell(wn_lay *lay, table *t, uint32_t number)
{
    wn_px least, most;
    cell_widths(lay, number, &least, &most);
    const wn_lay_box *box = wn_layout_at(lay, number);
    column *c = &t->columns[box->column];
    c->least = wn_px_max(c->least, least);
    c->most = wn_px_max(c->most, most);
    ask_width(lay, c, box, true);
}

/* ---- Sharing ----------------------------------------------------------------------------- */

/* How wide a column is in each of the guesses. */
static wn_px guess_of(const column *c, int guess, wn_px width)
{
    if (guess >= 1 && c->percent > 0)
        return wn_px_max(wn_px_cut((float)width * c->percent / 100), c->least);
    if (guess >= 2 && c->fixed != WN_PX_AUTO)
        return wn_px_max(c->fixed, c->least);
    return guess >= 3 ? c->most : c->least;
}

static wn_px sum_of_guess(const column *columns, uint32_t count, int guess, wn_px width)
{
    wn_px sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += guess_of(&columns[i], guess, width);
    return sum;
}

/* Width beyond what everyone wants goes to columns without a width, else to all. */
static void share_excess(column *columns, uint32_t count, wn_px width)
{
    wn_px used = sum_of_guess(columns, count, 3, width), automatic = 0, fixed = 0,
          automatic_count = 0;
    float percent = 0;
    for (uint32_t i = 0; i < count; i++) {
        const column *c = &columns[i];
        bool is_auto = c->percent == 0 && c->fixed == WN_PX_AUTO;
        automatic += is_auto ? c->most : 0;
        automatic_count += is_auto;
        fixed += c->percent == 0 && !is_auto ? c->most : 0;
        percent += c->percent;
    }
    double excess = (double)(width - used);
    for (uint32_t i = 0; i < count; i++) {
        column *c = &columns[i];
        bool is_auto = c->percent == 0 && c->fixed == WN_PX_AUTO;
        double share = 0;
        if (automatic_count > 0)
            share = is_auto ? (automatic > 0 ? (double)c->most / (double)automatic
                                             : 1.0 / (double)automatic_count)
                            : 0;
        else if (fixed > 0)
            share = c->percent == 0 ? (double)c->most / (double)fixed : 0;
        else
            share = percent > 0 ? (double)(c->percent / percent) : 1.0 / count;
        c->width = guess_of(c, 3, width) + (wn_px)(excess * share);
    }
}

/* Shares a width out among columns, by the guess that comes closest. */
static void share_auto(column *columns, uint32_t count, wn_px width)
{
    int guess = 1;
    while (guess <= 3 && sum_of_guess(columns, count, guess, width) <= width)
        guess++;
    if (guess > 3) {
        share_excess(columns, count, width);
        return;
    }
    wn_px low = sum_of_guess(columns, count, guess - 1, width),
          high = sum_of_guess(columns, count, guess, width);
    double part = high > low && width > low ? (double)(width - low) / (double)(high - low) : 0;
    for (uint32_t i = 0; i < count; i++) {
        column *c = &columns[i];
        wn_px from = guess_of(c, guess - 1, width), to = guess_of(c, guess, width);
        c->width = from + (wn_px)((double)(to - from) * part);
    }
}

/* ---- Cells over several columns ---------------------------------------------------------- */

/* What a cell wants in percent beyond its columns goes to those that want none. */
static void share_percent(column *columns, uint32_t count, float percent)
{
    wn_px most = 0;
    uint32_t free = 0;
    for (uint32_t i = 0; i < count; i++) {
        percent -= columns[i].percent;
        free += columns[i].percent == 0;
        most += columns[i].percent == 0 ? columns[i].most : 0;
    }
    if (percent <= 0 || free == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (columns[i].percent == 0)
            columns[i].percent = most > 0 ? percent * (float)columns[i].most / (float)most
                                          : percent / (float)free;
}

/*
 * https://drafts.csswg.org/css-tables-3/#distributing-width-to-columns, for the columns of a cell.
 */
static void add_spanning_cell(wn_lay *lay, table *t, uint32_t number)
{
    uint32_t spanned = wn_layout_at(lay, number)->column_span;
    if (!wn_cost_spend(&lay->table_steps, (uint64_t)spanned * SPANNED_STEPS))
        return; /* its columns are as wide as the other cells want them */
    wn_px least, most, has_least = 0, has_most = 0;
    cell_widths(lay, number, &least, &most);
    const wn_lay_box *box = wn_layout_at(lay, number);
    column asked = {.fixed = WN_PX_AUTO};
    ask_width(lay, &asked, box, true);
    if (asked.fixed != WN_PX_AUTO)
        most = wn_px_max(asked.fixed, least);
    column *columns = &t->columns[box->column];
    uint32_t count = box->column_span;
    assert(count > 1 && box->column + count <= t->column_count);
    wn_px gaps = t->spacing_x * (count - 1);
    for (uint32_t i = 0; i < count; i++) {
        has_least += columns[i].least;
        has_most += columns[i].most;
    }
    if (least - gaps > has_least) {
        share_auto(columns, count, least - gaps);
        for (uint32_t i = 0; i < count; i++)
            columns[i].least = wn_px_max(columns[i].least, columns[i].width);
    }
    if (most - gaps > has_most) {
        share_auto(columns, count, most - gaps);
        for (uint32_t i = 0; i < count; i++)
            columns[i].most = wn_px_max(columns[i].most, columns[i].width);
    }
    for (uint32_t i = 0; i < count; i++)
        columns[i].most = wn_px_max(columns[i].most, columns[i].least);
    if (asked.percent > 0)
        share_percent(columns, count, asked.percent);
}

/* Those over few columns come first. */
static void add_spanning_cells(wn_lay *lay, table *t)
{
    uint32_t spanning = 0, widest = 1;
    for (uint32_t i = 0; i < t->cell_count; i++) {
        uint32_t span = wn_layout_at(lay, t->cells[i])->column_span;
        spanning += span > 1;
        widest = span > widest ? span : widest;
    }
    if (spanning == 0)
        return;
    uint32_t *ends = wn_layout_alloc(lay, (widest + 2) * sizeof *ends);
    uint32_t *sorted = wn_layout_alloc(lay, spanning * sizeof *sorted);
    if (lay->failed)
        return;
    for (uint32_t i = 0; i < t->cell_count; i++) {
        uint32_t span = wn_layout_at(lay, t->cells[i])->column_span;
        ends[span + 1] += span > 1;
    }
    for (uint32_t span = 1; span <= widest + 1; span++)
        ends[span] += ends[span - 1];
    for (uint32_t i = 0; i < t->cell_count; i++) {
        uint32_t span = wn_layout_at(lay, t->cells[i])->column_span;
        if (span > 1)
            sorted[ends[span]++] = t->cells[i];
    }
    assert(ends[widest] == spanning);
    for (uint32_t i = 0; i < spanning; i++)
        add_spanning_cell(lay, t, sorted[i]);
}

void wn_layout_table_find_columns(wn_lay *lay, uint32_t number, table *t)
{
    for (uint32_t i = 0; i < t->column_count; i++)
        t->columns[i].fixed = WN_PX_AUTO;
    read_columns(lay, number, t);
    for (uint32_t i = 0; i < t->cell_count; i++)
        if (wn_layout_at(lay, t->cells[i])->column_span == 1)
            add_single_cell(lay, t, t->cells[i]);
    for (uint32_t i = 0; i < t->column_count; i++) {
        column *c = &t->columns[i];
        if (c->fixed != WN_PX_AUTO && c->percent == 0)
            c->most = wn_px_max(c->fixed, c->least);
    }
    add_spanning_cells(lay, t);
}

wn_px wn_layout_table_gaps(const table *t)
{
    return t->column_count ? t->spacing_x * (t->column_count + 1) : 0;
}

/* ---- Widths ------------------------------------------------------------------------------ */

/* What the cells of the first row ask for, where <col> does not. */
static void read_first_row(wn_lay *lay, table *t)
{
    for (uint32_t i = 0; i < t->cell_count; i++) {
        wn_lay_box *box = wn_layout_at(lay, t->cells[i]);
        if (box->row != 0)
            break;
        column asked = {.fixed = WN_PX_AUTO};
        wn_layout_edges(lay, box, 0);
        ask_width(lay, &asked, box, true);
        assert(box->column + box->column_span <= t->column_count);
        for (uint32_t k = 0; k < box->column_span; k++) {
            column *c = &t->columns[box->column + k];
            if (c->fixed != WN_PX_AUTO || c->percent != 0)
                continue;
            c->percent = asked.percent / (float)box->column_span;
            if (asked.fixed != WN_PX_AUTO)
                c->fixed = asked.fixed / (wn_px)box->column_span;
        }
    }
}

/* table-layout: fixed: the first row and <col> decide, the rest is shared equally. */
static void share_fixed(wn_lay *lay, uint32_t number, table *t, wn_px width)
{
    wn_px used = 0;
    uint32_t unset = 0;
    for (uint32_t i = 0; i < t->column_count; i++)
        t->columns[i].fixed = WN_PX_AUTO, t->columns[i].percent = 0;
    read_columns(lay, number, t);
    read_first_row(lay, t);
    for (uint32_t i = 0; i < t->column_count; i++) {
        column *c = &t->columns[i];
        c->width = c->percent > 0 ? wn_px_cut((float)width * c->percent / 100) : c->fixed;
        unset += c->width == WN_PX_AUTO;
        used += wn_px_max(c->width, 0);
    }
    wn_px rest = wn_px_max(width - used, 0);
    for (uint32_t i = 0; i < t->column_count; i++) {
        column *c = &t->columns[i];
        if (unset > 0 && c->width == WN_PX_AUTO)
            c->width = rest / unset;
        else if (unset == 0 && used > 0)
            c->width += (wn_px)((double)rest * (double)c->width / (double)used);
    }
}

void wn_layout_table_set_columns(wn_lay *lay, uint32_t number, table *t, wn_px table_width)
{
    const wn_lay_box *box = wn_layout_at(lay, number);
    wn_px width = wn_px_max(table_width - wn_layout_edge_width(box) - wn_layout_table_gaps(t), 0);
    if (box->style->table_fixed && !wn_css_length_is_auto(box->style->width))
        share_fixed(lay, number, t, width);
    else
        share_auto(t->columns, t->column_count, width);
    box = wn_layout_at(lay, number);
    wn_px x = box->edge[WN_LEFT] + t->spacing_x;
    for (uint32_t i = 0; i < t->column_count; i++) {
        t->columns[i].x = x;
        x += t->columns[i].width + t->spacing_x;
    }
}
