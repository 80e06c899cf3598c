/*
 * Tables: columns as wide as their cells need or the author says, rows as high as their cells.
 *
 * 1. The grid: every cell gets its row and column; spans are cut to what is there.
 * 2. Columns: least and most widths from the cells, those over one column first.
 * 3. The table's width is shared out among the columns, by guesses that ask for more and more: least
 *    widths, percentages, fixed widths, most widths.
 *    https://drafts.csswg.org/css-tables-3/#distributing-width-to-columns
 * 4. Cells are asked for their heights; rows follow; then the cells are laid out for good.
 *
 * Captions stand above or below, inside of the table's box.
 */
#include <string.h>

#include "layout/engine.h"

enum {
    MAX_COLUMNS = 4096,
    MAX_COLUMN_SPAN = 1000, /* as the HTML standard says */
    MAX_ROW_SPAN = 65534,
    MAX_SHARING_ROWS = 1000, /* that share out the height of a cell over them */
};

#define LEAST_PERCENT 0.001f /* less is 0% */
#define MOST_WIDE ((wn_px)1000000 * WN_UNIT)

typedef struct column {
    wn_px least, most, width, x;
    wn_px fixed;   /* given width, WN_PX_AUTO if none */
    float percent; /* 0: none */
} column;

typedef struct row {
    uint32_t box;
    wn_px height, y, baseline;
    float percent;    /* of the height of its section or table; 0: none */
    bool constrained; /* it or a cell in it has a height */
} row;

/* Rows that belong together: a group, or those that stand in none. */
typedef struct section {
    uint32_t box;          /* 0: none */
    uint32_t first, count; /* rows */
    wn_px height, y;
    wn_px given;   /* by its style; WN_PX_AUTO */
    float percent; /* likewise; 0: none */
    bool body;     /* neither head nor foot */
} section;

struct wn_table {
    column *columns;
    row *rows;
    section *sections;
    uint32_t *cells, *captions;
    uint32_t column_count, row_count, cell_count, caption_count, group_count, section_count;
    uint32_t span_sum; /* of all cells: there are no more columns */
    wn_px spacing_x, spacing_y;
};

typedef struct wn_table table;

/* ---- The grid ---------------------------------------------------------------------------- */

static uint32_t span_of(const wn_lay *lay, const wn_lay_box *box, wn_attr_name name, uint32_t most)
{
    if (!box->node)
        return 1;
    const wn_node *node = wn_doc_node(lay->doc, box->node);
    if (node->kind != WN_KIND_ELEMENT)
        return 1;
    wn_str value = wn_str_trim(wn_node_attr_value(node, name));
    uint32_t number = 0;
    for (size_t i = 0; i < value.len && wn_is_ascii_digit(value.ptr[i]) && number <= most; i++)
        number = number * 10 + (uint32_t)(value.ptr[i] - '0');
    if (number > most)
        return most;
    bool zero = number == 0 && name == WN_ATTR_ROWSPAN && value.len == 1 && value.ptr[0] == '0';
    return zero ? most : number ? number : 1;
}

/* Counts rows, cells and captions, so that their arrays can be made. */
static void count_parts(wn_lay *lay, uint32_t number, table *t)
{
    uint32_t end = wn_lay_at(lay, number)->end;
    for (uint32_t i = number + 1; i < end;) {
        const wn_lay_box *box = wn_lay_at(lay, i);
        if (box->kind == WN_LAY_GROUP) {
            t->group_count++;
            i++;
            continue;
        }
        if (box->kind == WN_LAY_ROW) {
            t->row_count++;
            i++;
            continue;
        }
        t->cell_count += box->kind == WN_LAY_CELL;
        if (box->kind == WN_LAY_CELL && t->span_sum < MAX_COLUMNS)
            t->span_sum += span_of(lay, box, WN_ATTR_COLSPAN, MAX_COLUMN_SPAN);
        t->caption_count += box->kind == WN_LAY_CAPTION;
        i = box->end;
    }
}

typedef struct grid_maker {
    wn_lay *lay;
    table *t;
    uint32_t row, cell, caption;
    uint32_t *busy;     /* by column: rows that a cell from above still covers */
    uint32_t group_end; /* first row behind the group: spans end there */
    uint32_t most;      /* columns there can be */
} grid_maker;

static void add_cell(grid_maker *g, uint32_t number, uint32_t *column)
{
    wn_lay_box *box = wn_lay_at(g->lay, number);
    while (*column < g->most - 1 && g->busy[*column] > 0)
        ++*column;
    uint32_t span = span_of(g->lay, box, WN_ATTR_COLSPAN, MAX_COLUMN_SPAN);
    uint32_t rows = span_of(g->lay, box, WN_ATTR_ROWSPAN, MAX_ROW_SPAN);
    if (span > g->most - *column)
        span = g->most - *column;
    if (rows > g->group_end - g->row)
        rows = g->group_end - g->row;
    box->row = g->row;
    box->column = *column;
    box->column_span = span;
    box->row_span = rows ? rows : 1;
    for (uint32_t i = 0; i < span; i++)
        g->busy[*column + i] = box->row_span;
    g->t->cells[g->cell++] = number;
    *column += span;
    if (*column > g->t->column_count)
        g->t->column_count = *column;
    if (*column > g->most - 1)
        *column = g->most - 1;
}

static void add_row(grid_maker *g, uint32_t number)
{
    table *t = g->t;
    uint32_t end = wn_lay_at(g->lay, number)->end, column = 0;
    t->rows[g->row] = (row){.box = number};
    t->sections[t->section_count - 1].count++;
    for (uint32_t i = number + 1; i < end; i = wn_lay_at(g->lay, i)->end)
        if (wn_lay_at(g->lay, i)->kind == WN_LAY_CELL)
            add_cell(g, i, &column);
    for (uint32_t i = 0; i < t->column_count; i++)
        g->busy[i] -= g->busy[i] > 0;
    g->row++;
}

/* Whether a height is a percentage; then of what. */
static float percent_of(wn_length length)
{
    bool percent = length.kind == WN_LENGTH_FIXED && length.px == 0 && !length.arm;
    return percent && length.percent >= LEAST_PERCENT ? length.percent : 0;
}

static void add_section(grid_maker *g, uint32_t group)
{
    const wn_lay_box *box = wn_lay_at(g->lay, group);
    bool head = group && box->style->display == WN_DISPLAY_TABLE_HEADER_GROUP;
    bool foot = group && box->style->display == WN_DISPLAY_TABLE_FOOTER_GROUP;
    g->t->sections[g->t->section_count++] = (section){
        .box = group,
        .first = g->row,
        .given = group ? wn_lay_length(g->lay, box->style->height, WN_PX_AUTO, WN_PX_AUTO)
                       : WN_PX_AUTO,
        .percent = group ? percent_of(box->style->height) : 0,
        .body = !head && !foot,
    };
}

static void add_group(grid_maker *g, uint32_t number)
{
    uint32_t end = wn_lay_at(g->lay, number)->end, rows = 0;
    for (uint32_t i = number + 1; i < end; i = wn_lay_at(g->lay, i)->end)
        rows += wn_lay_at(g->lay, i)->kind == WN_LAY_ROW;
    g->group_end = g->row + rows;
    add_section(g, number);
    memset(g->busy, 0, g->t->column_count * sizeof *g->busy);
    for (uint32_t i = number + 1; i < end; i = wn_lay_at(g->lay, i)->end)
        if (wn_lay_at(g->lay, i)->kind == WN_LAY_ROW)
            add_row(g, i);
    memset(g->busy, 0, g->t->column_count * sizeof *g->busy);
}

/* A row in no group: with those before it. */
static void add_lone_row(grid_maker *g, uint32_t number)
{
    const table *t = g->t;
    if (t->section_count == 0 || t->sections[t->section_count - 1].box != 0)
        add_section(g, 0);
    add_row(g, number);
}

/* Heads come first and feet last, wherever they stand. */
static int part_order(const wn_lay_box *box, bool *has_head, bool *has_foot)
{
    if (box->kind == WN_LAY_GROUP && box->style->display == WN_DISPLAY_TABLE_HEADER_GROUP &&
        !*has_head)
        return *has_head = true, 0;
    if (box->kind == WN_LAY_GROUP && box->style->display == WN_DISPLAY_TABLE_FOOTER_GROUP &&
        !*has_foot)
        return *has_foot = true, 2;
    return 1;
}

static void make_grid(wn_lay *lay, uint32_t number, table *t)
{
    grid_maker g = {.lay = lay, .t = t, .most = t->span_sum + 1};
    if (g.most > MAX_COLUMNS)
        g.most = MAX_COLUMNS;
    g.busy = wn_lay_alloc(lay, g.most * sizeof *g.busy);
    if (!g.busy)
        return;
    uint32_t end = wn_lay_at(lay, number)->end;
    for (int pass = 0; pass < 3; pass++) {
        bool has_head = false, has_foot = false;
        for (uint32_t i = number + 1; i < end; i = wn_lay_at(lay, i)->end) {
            const wn_lay_box *box = wn_lay_at(lay, i);
            if (part_order(box, &has_head, &has_foot) != pass)
                continue;
            g.group_end = t->row_count;
            if (box->kind == WN_LAY_GROUP)
                add_group(&g, i);
            else if (box->kind == WN_LAY_ROW)
                add_lone_row(&g, i);
            else if (box->kind == WN_LAY_CAPTION)
                t->captions[g.caption++] = i;
        }
    }
}

/*
 * Columns in which no cell starts cannot be told from the one before them: they become one.
 * So a span of a thousand over nothing costs nothing, and makes no gaps.
 */
static void merge_columns(wn_lay *lay, table *t)
{
    uint32_t *map = wn_lay_alloc(lay, (t->column_count + 2) * sizeof *map);
    if (!map)
        return;
    for (uint32_t i = 0; i < t->cell_count; i++)
        map[wn_lay_at(lay, t->cells[i])->column + 1] = 1;
    for (uint32_t i = 1; i <= t->column_count; i++)
        map[i] += map[i - 1];
    /* map[i + 1] is the number of columns up to and with i that stay. */
    for (uint32_t i = 0; i < t->cell_count; i++) {
        wn_lay_box *cell = wn_lay_at(lay, t->cells[i]);
        uint32_t first = map[cell->column + 1] - 1,
                 last = map[cell->column + cell->column_span] - 1;
        cell->column = first;
        cell->column_span = last - first + 1;
    }
    t->column_count = map[t->column_count];
}

/* ---- Columns ----------------------------------------------------------------------------- */

static void ask_width(wn_lay *lay, column *c, const wn_lay_box *box, bool is_cell)
{
    wn_length width = box->style->width;
    if (width.kind != WN_LENGTH_FIXED)
        return;
    if (width.percent >= LEAST_PERCENT && width.px == 0 && !width.arm) {
        c->percent = width.percent > c->percent ? width.percent : c->percent;
    } else if (!wn_length_has_percent(lay->styles, width)) {
        wn_px px = wn_lay_length(lay, width, 0, 0);
        if (is_cell)
            px = box->style->border_box ? wn_px_max(px, wn_lay_edge_width(box))
                                        : px + wn_lay_edge_width(box);
        if (px > 0 || !is_cell)
            c->fixed = wn_px_max(c->fixed, px);
    }
}

/* <col> and <colgroup>: widths of whole columns. */
static void read_columns(wn_lay *lay, uint32_t number, table *t)
{
    uint32_t end = wn_lay_at(lay, number)->end, at = 0;
    for (uint32_t i = number + 1; i < end;) {
        const wn_lay_box *box = wn_lay_at(lay, i);
        if (box->kind != WN_LAY_COLUMN) {
            i = box->end;
            continue;
        }
        bool group = box->end > i + 1;
        uint32_t span = span_of(lay, box, WN_ATTR_SPAN, MAX_COLUMN_SPAN);
        for (uint32_t k = 0; !group && k < span && at < t->column_count; k++)
            ask_width(lay, &t->columns[at++], box, false);
        i++;
    }
}

static void cell_widths(wn_lay *lay, uint32_t number, wn_px *least, wn_px *most)
{
    wn_lay_box *box = wn_lay_at(lay, number);
    wn_lay_edges(lay, box, 0);
    wn_px limit = wn_lay_given_width(lay, number, box->style->min_width, WN_PX_AUTO, WN_PX_AUTO);
    *least = wn_px_max(box->min_content, limit);
    limit = wn_lay_given_width(lay, number, box->style->max_width, WN_PX_AUTO, WN_PX_AUTO);
    *most = box->max_content;
    if (limit != WN_PX_AUTO)
        *most = wn_px_min(*most, limit);
    *most = wn_px_max(*least, *most);
}

static void add_single_cell(wn_lay *lay, table *t, uint32_t number)
{
    wn_px least, most;
    cell_widths(lay, number, &least, &most);
    const wn_lay_box *box = wn_lay_at(lay, number);
    column *c = &t->columns[box->column];
    c->least = wn_px_max(c->least, least);
    c->most = wn_px_max(c->most, most);
    ask_width(lay, c, box, true);
}

/* ---- Sharing ----------------------------------------------------------------------------- */

/* How wide a column is in each of the guesses. */
static wn_px guess_of(const column *c, int guess, wn_px width)
{
    wn_px by_percent = wn_px_max((wn_px)((float)width * c->percent / 100), c->least);
    if (guess >= 1 && c->percent > 0)
        return by_percent;
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
    wn_px used = sum_of_guess(columns, count, 3, width), automatic = 0, fixed = 0, automatic_count = 0;
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
    wn_px low = sum_of_guess(columns, count, guess - 1, width), high = sum_of_guess(columns, count, guess, width);
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

/* https://drafts.csswg.org/css-tables-3/#distributing-width-to-columns, for the columns of a cell. */
static void add_spanning_cell(wn_lay *lay, table *t, uint32_t number)
{
    wn_px least, most, has_least = 0, has_most = 0;
    cell_widths(lay, number, &least, &most);
    const wn_lay_box *box = wn_lay_at(lay, number);
    column asked = {.fixed = WN_PX_AUTO};
    ask_width(lay, &asked, box, true);
    if (asked.fixed != WN_PX_AUTO)
        most = wn_px_max(asked.fixed, least);
    column *columns = &t->columns[box->column];
    uint32_t count = box->column_span;
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
        uint32_t span = wn_lay_at(lay, t->cells[i])->column_span;
        spanning += span > 1;
        widest = span > widest ? span : widest;
    }
    if (spanning == 0)
        return;
    uint32_t *ends = wn_lay_alloc(lay, (widest + 2) * sizeof *ends);
    uint32_t *sorted = wn_lay_alloc(lay, spanning * sizeof *sorted);
    if (lay->failed)
        return;
    for (uint32_t i = 0; i < t->cell_count; i++) {
        uint32_t span = wn_lay_at(lay, t->cells[i])->column_span;
        ends[span + 1] += span > 1;
    }
    for (uint32_t span = 1; span <= widest + 1; span++)
        ends[span] += ends[span - 1];
    for (uint32_t i = 0; i < t->cell_count; i++) {
        uint32_t span = wn_lay_at(lay, t->cells[i])->column_span;
        if (span > 1)
            sorted[ends[span]++] = t->cells[i];
    }
    for (uint32_t i = 0; i < spanning; i++)
        add_spanning_cell(lay, t, sorted[i]);
}

static void find_columns(wn_lay *lay, uint32_t number, table *t)
{
    for (uint32_t i = 0; i < t->column_count; i++)
        t->columns[i].fixed = WN_PX_AUTO;
    read_columns(lay, number, t);
    for (uint32_t i = 0; i < t->cell_count; i++)
        if (wn_lay_at(lay, t->cells[i])->column_span == 1)
            add_single_cell(lay, t, t->cells[i]);
    for (uint32_t i = 0; i < t->column_count; i++) {
        column *c = &t->columns[i];
        if (c->fixed != WN_PX_AUTO && c->percent == 0)
            c->most = wn_px_max(c->fixed, c->least);
    }
    add_spanning_cells(lay, t);
}

static wn_px gaps_width(const table *t)
{
    return t->column_count ? t->spacing_x * (t->column_count + 1) : 0;
}

/* ---- Widths ------------------------------------------------------------------------------ */

static table *make_table(wn_lay *lay, uint32_t number)
{
    wn_lay_box *box = wn_lay_at(lay, number);
    table *t = wn_lay_alloc(lay, sizeof *t);
    if (!t)
        return NULL;
    count_parts(lay, number, t);
    t->rows = wn_lay_alloc(lay, (t->row_count + 1) * sizeof *t->rows);
    t->sections = wn_lay_alloc(lay, (2 * (size_t)t->group_count + 1) * sizeof *t->sections);
    t->cells = wn_lay_alloc(lay, (t->cell_count + 1) * sizeof *t->cells);
    t->captions = wn_lay_alloc(lay, (t->caption_count + 1) * sizeof *t->captions);
    if (!box->style->border_collapse) {
        t->spacing_x = wn_px_max(wn_px_from(box->style->border_spacing_x), 0);
        t->spacing_y = wn_px_max(wn_px_from(box->style->border_spacing_y), 0);
    }
    if (lay->failed)
        return NULL;
    make_grid(lay, number, t);
    if (t->column_count > 0)
        merge_columns(lay, t);
    t->columns = wn_lay_alloc(lay, (t->column_count + 1) * sizeof *t->columns);
    if (lay->failed)
        return NULL;
    find_columns(lay, number, t);
    wn_lay_at(lay, number)->work = t;
    return t;
}

void wn_table_intrinsic(wn_lay *lay, uint32_t number)
{
    table *t = make_table(lay, number);
    if (!t)
        return;
    wn_px least = 0, most = 0, by_percent = 0, plain = 0;
    float percent = 0;
    for (uint32_t i = 0; i < t->column_count; i++) {
        const column *c = &t->columns[i];
        least += c->least;
        most += c->most;
        if (c->percent > 0) {
            float part = c->percent < 100 - percent ? c->percent : 100 - percent;
            percent += part;
            if (part > 0)
                by_percent = wn_px_max(by_percent, (wn_px)((float)c->most * 100 / part));
        } else {
            plain += c->most;
        }
    }
    if (percent > 0)
        most = wn_px_max(most, wn_px_min(by_percent, WN_PX_MAX / 64));
    if (percent > 0 && percent < 100 && plain > 0)
        most = wn_px_max(most,
                         wn_px_min((wn_px)((float)plain * 100 / (100 - percent)), WN_PX_MAX / 64));
    wn_lay_box *box = wn_lay_at(lay, number);
    wn_lay_edges(lay, box, 0);
    wn_px around = gaps_width(t) + wn_lay_edge_width(box);
    wn_px captions = 0;
    for (uint32_t i = 0; i < t->caption_count; i++) {
        wn_px caption_least, caption_most;
        wn_lay_contribution(lay, t->captions[i], &caption_least, &caption_most);
        captions = wn_px_max(captions, caption_least);
    }
    box = wn_lay_at(lay, number);
    box->min_content = wn_px_max(least + around, captions);
    box->max_content = wn_px_max(most + around, captions);
    if (box->style->table_fixed && wn_lay_is_definite(lay, box->style->width, WN_PX_AUTO))
        box->min_content = wn_px_min(box->min_content, around);
    else if (box->style->table_fixed && wn_length_has_percent(lay->styles, box->style->width))
        box->max_content = MOST_WIDE; /* as browsers do: it takes all the room there is */
}

/* table-layout: fixed: the first row and <col> decide, the rest is shared equally. */
static void share_fixed(wn_lay *lay, uint32_t number, table *t, wn_px width)
{
    wn_px used = 0;
    uint32_t unset = 0;
    for (uint32_t i = 0; i < t->column_count; i++)
        t->columns[i].width = WN_PX_AUTO;
    column asked;
    for (uint32_t i = 0; i < t->column_count; i++)
        t->columns[i].fixed = WN_PX_AUTO, t->columns[i].percent = 0;
    read_columns(lay, number, t);
    for (uint32_t i = 0; i < t->cell_count; i++) {
        wn_lay_box *box = wn_lay_at(lay, t->cells[i]);
        if (box->row != 0)
            break;
        asked = (column){.fixed = WN_PX_AUTO};
        wn_lay_edges(lay, box, 0);
        ask_width(lay, &asked, box, true);
        for (uint32_t k = 0; k < box->column_span; k++) {
            column *c = &t->columns[box->column + k];
            if (c->fixed == WN_PX_AUTO && c->percent == 0) {
                c->percent = asked.percent / (float)box->column_span;
                c->fixed = asked.fixed == WN_PX_AUTO ? WN_PX_AUTO
                                                     : asked.fixed / (wn_px)box->column_span;
            }
        }
    }
    for (uint32_t i = 0; i < t->column_count; i++) {
        column *c = &t->columns[i];
        c->width = c->percent > 0           ? (wn_px)((float)width * c->percent / 100)
                   : c->fixed != WN_PX_AUTO ? c->fixed
                                            : WN_PX_AUTO;
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

static void set_columns(wn_lay *lay, uint32_t number, table *t, wn_px table_width)
{
    const wn_lay_box *box = wn_lay_at(lay, number);
    wn_px width = wn_px_max(table_width - wn_lay_edge_width(box) - gaps_width(t), 0);
    if (box->style->table_fixed && !wn_length_is_auto(box->style->width))
        share_fixed(lay, number, t, width);
    else
        share_auto(t->columns, t->column_count, width);
    box = wn_lay_at(lay, number);
    wn_px x = box->edge[WN_LEFT] + t->spacing_x;
    for (uint32_t i = 0; i < t->column_count; i++) {
        t->columns[i].x = x;
        x += t->columns[i].width + t->spacing_x;
    }
}

static wn_px cell_width(const table *t, const wn_lay_box *cell)
{
    const column *first = &t->columns[cell->column], *last = first + cell->column_span - 1;
    return last->x + last->width - first->x;
}

/* ---- Rows -------------------------------------------------------------------------------- */

static bool on_baseline(const wn_style *style)
{
    return style->vertical_align != WN_VALIGN_TOP && style->vertical_align != WN_VALIGN_MIDDLE &&
           style->vertical_align != WN_VALIGN_BOTTOM;
}

/* What the styles of rows and cells say of the rows' heights. */
static void read_rows(wn_lay *lay, table *t)
{
    for (uint32_t i = 0; i < t->row_count; i++) {
        wn_length height = wn_lay_at(lay, t->rows[i].box)->style->height;
        wn_px given = wn_lay_length(lay, height, WN_PX_AUTO, WN_PX_AUTO);
        t->rows[i].height = wn_px_max(given, 0);
        t->rows[i].percent = percent_of(height);
        t->rows[i].constrained = given != WN_PX_AUTO;
        t->rows[i].baseline = 0;
    }
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const wn_lay_box *cell = wn_lay_at(lay, t->cells[i]);
        row *r = &t->rows[cell->row];
        if (cell->row_span > 1)
            continue;
        float percent = percent_of(cell->style->height);
        r->percent = percent > r->percent ? percent : r->percent;
        if (wn_lay_length(lay, cell->style->height, WN_PX_AUTO, 0) > 0)
            r->constrained = true;
    }
}

/* The rows that a height is shared out among, by what they are like: the first kind there is. */
typedef enum row_kind {
    ROWS_FREE,        /* with something in them, and no height given */
    ROWS_EMPTY,       /* with neither */
    ROWS_CONSTRAINED, /* with a height */
    ROWS_ALL,
} row_kind;

static bool is_of_kind(const row *r, row_kind kind)
{
    bool free = !r->constrained && r->percent == 0;
    return kind == ROWS_FREE          ? free && r->height > 0
           : kind == ROWS_EMPTY       ? free && r->height == 0
           : kind == ROWS_CONSTRAINED ? r->percent == 0 && r->height > 0
                                      : true;
}

/*
 * Makes rows higher by `more` in all: first those with a percentage of `base`, then those
 * that are free, in proportion.  https://drafts.csswg.org/css-tables-3/#height-distribution-algorithm
 */
static void grow_rows(row *rows, uint32_t count, wn_px more, wn_px base)
{
    for (uint32_t i = 0; base != WN_PX_AUTO && i < count && more > 0; i++) {
        wn_px wanted = (wn_px)((double)base * (double)rows[i].percent / 100) - rows[i].height;
        if (rows[i].percent == 0 || wanted <= 0)
            continue;
        wanted = wn_px_min(wanted, more);
        rows[i].height += wanted;
        more -= wanted;
    }
    for (row_kind kind = ROWS_FREE; kind <= ROWS_ALL && more > 0; kind++) {
        wn_px sum = 0;
        uint32_t found = 0;
        for (uint32_t i = 0; i < count; i++) {
            found += is_of_kind(&rows[i], kind);
            sum += is_of_kind(&rows[i], kind) ? rows[i].height : 0;
        }
        for (uint32_t i = 0; i < count && found > 0; i++) {
            if (!is_of_kind(&rows[i], kind))
                continue;
            double share = sum > 0 ? (double)rows[i].height / (double)sum : 1.0 / found;
            wn_px part = (wn_px)((double)more * share);
            rows[i].height += part;
        }
        if (found > 0)
            return;
    }
}

/* A row is as high as its cells; those on the baseline are lined up first. */
static void size_rows(wn_lay *lay, table *t)
{
    read_rows(lay, t);
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const wn_lay_box *cell = wn_lay_at(lay, t->cells[i]);
        if (cell->baseline != WN_PX_NONE && on_baseline(cell->style))
            t->rows[cell->row].baseline = wn_px_max(t->rows[cell->row].baseline, cell->baseline);
    }
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const wn_lay_box *cell = wn_lay_at(lay, t->cells[i]);
        row *r = &t->rows[cell->row];
        wn_px height = cell->measured_height;
        if (cell->baseline != WN_PX_NONE && on_baseline(cell->style))
            height += r->baseline - cell->baseline;
        if (cell->row_span == 1)
            r->height = wn_px_max(r->height, height);
    }
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const wn_lay_box *cell = wn_lay_at(lay, t->cells[i]);
        if (cell->row_span == 1 || cell->row_span > MAX_SHARING_ROWS)
            continue;
        wn_px sum = t->spacing_y * (cell->row_span - 1);
        for (uint32_t k = 0; k < cell->row_span; k++)
            sum += t->rows[cell->row + k].height;
        wn_px more = cell->measured_height - sum;
        if (more > 0 && sum == t->spacing_y * (cell->row_span - 1))
            t->rows[cell->row + cell->row_span - 1].height += more;
        else if (more > 0)
            grow_rows(&t->rows[cell->row], cell->row_span, more, WN_PX_AUTO);
    }
}

/* ---- Sections ---------------------------------------------------------------------------- */

static void set_section_height(table *t, section *s, wn_px height)
{
    wn_px more = height - s->height;
    if (more <= 0)
        return;
    grow_rows(&t->rows[s->first], s->count, more, height);
    s->height = height;
}

static void size_sections(table *t)
{
    for (uint32_t i = 0; i < t->section_count; i++) {
        section *s = &t->sections[i];
        s->height = s->count > 1 ? t->spacing_y * (s->count - 1) : 0;
        for (uint32_t r = s->first; r < s->first + s->count; r++)
            s->height += t->rows[r].height;
        set_section_height(t, s, s->given);
    }
}

/* Whether a section may grow with its table, in turn: free ones, those with a height, all. */
static bool may_grow(const section *s, bool bodies, int turn)
{
    if (bodies && !s->body)
        return false;
    return turn == 0   ? s->given == WN_PX_AUTO && s->percent == 0
           : turn == 1 ? s->percent == 0
                       : true;
}

/* Height that the table has beyond its sections goes to its bodies, or to all if there are none. */
static void stretch_sections(table *t, wn_px more, wn_px whole)
{
    bool bodies = false;
    for (uint32_t i = 0; i < t->section_count; i++)
        bodies = bodies || t->sections[i].body;
    for (uint32_t i = 0; i < t->section_count && more > 0; i++) {
        section *s = &t->sections[i];
        wn_px wanted = (wn_px)((double)whole * (double)s->percent / 100) - s->height;
        if (s->percent == 0 || wanted <= 0 || (bodies && !s->body))
            continue;
        wanted = wn_px_min(wanted, more);
        set_section_height(t, s, s->height + wanted);
        more -= wanted;
    }
    for (int turn = 0; turn < 3 && more > 0; turn++) {
        wn_px sum = 0;
        uint32_t found = 0;
        for (uint32_t i = 0; i < t->section_count; i++) {
            found += may_grow(&t->sections[i], bodies, turn);
            sum += may_grow(&t->sections[i], bodies, turn) ? t->sections[i].height : 0;
        }
        for (uint32_t i = 0; i < t->section_count && found > 0; i++) {
            section *s = &t->sections[i];
            if (!may_grow(s, bodies, turn))
                continue;
            double share = sum > 0 ? (double)s->height / (double)sum : 1.0 / found;
            set_section_height(t, s, s->height + (wn_px)((double)more * share));
        }
        if (found > 0)
            return;
    }
}

/* Places sections and rows from `y` on; returns where they end. */
static wn_px place_sections(table *t, wn_px y)
{
    bool any = false;
    for (uint32_t i = 0; i < t->section_count; i++) {
        section *s = &t->sections[i];
        bool shown = s->count > 0 || s->height > 0;
        y += shown && !any ? t->spacing_y : 0;
        any = any || shown;
        s->y = y;
        for (uint32_t r = s->first; r < s->first + s->count; r++) {
            t->rows[r].y = y;
            y += t->rows[r].height + t->spacing_y;
        }
        y = shown ? s->y + s->height + t->spacing_y : y;
    }
    return y;
}

static wn_px cell_height(const table *t, const wn_lay_box *cell)
{
    const row *first = &t->rows[cell->row], *last = first + cell->row_span - 1;
    return last->y + last->height - first->y;
}

/* ---- Placing ----------------------------------------------------------------------------- */

static void place_cell(wn_lay *lay, wn_frame *frame, const table *t, wn_lay_box *cell)
{
    const row *r = &t->rows[cell->row];
    bool rtl = wn_lay_at(lay, frame->box)->style->rtl;
    cell->origin = frame->box;
    cell->x = t->columns[cell->column].x;
    if (rtl)
        cell->x = frame->in.width - cell->x - cell->width;
    cell->y = r->y;
    cell->placed = true;
    wn_px room = wn_px_max(cell->height - cell->measured_height, 0);
    switch (cell->style->vertical_align) {
    case WN_VALIGN_TOP:
        cell->content_shift = 0;
        break;
    case WN_VALIGN_MIDDLE:
        cell->content_shift = room / 2;
        break;
    case WN_VALIGN_BOTTOM:
        cell->content_shift = room;
        break;
    default:
        cell->content_shift = cell->measured_baseline == WN_PX_NONE
                                  ? 0
                                  : r->baseline - cell->measured_baseline;
    }
}

static void place_rows(wn_lay *lay, wn_frame *frame, const table *t)
{
    wn_lay_box *box = wn_lay_at(lay, frame->box);
    wn_px gap = t->column_count ? t->spacing_x : 0;
    wn_px x = box->edge[WN_LEFT] + gap;
    wn_px width = wn_px_max(frame->in.width - wn_lay_edge_width(box) - 2 * gap, 0);
    for (uint32_t i = 0; i < t->row_count; i++) {
        wn_lay_box *r = wn_lay_at(lay, t->rows[i].box);
        r->origin = frame->box;
        r->x = x;
        r->y = t->rows[i].y;
        r->width = width;
        r->height = t->rows[i].height;
        r->placed = true;
    }
    for (uint32_t i = 0; i < t->section_count; i++) {
        const section *s = &t->sections[i];
        wn_lay_box *group = wn_lay_at(lay, s->box);
        if (s->box == 0)
            continue;
        group->origin = frame->box;
        group->x = x;
        group->y = s->y;
        group->width = width;
        group->height = s->height;
        group->placed = true;
    }
}

/* Absolutely positioned children of the table or its parts stand where it starts. */
static void place_columns(wn_lay *lay, wn_frame *frame, const table *t)
{
    uint32_t end = wn_lay_at(lay, frame->box)->end, at = 0;
    wn_px top = t->row_count ? t->rows[0].y : 0;
    wn_px bottom = t->row_count ? t->rows[t->row_count - 1].y + t->rows[t->row_count - 1].height
                                : 0;
    for (uint32_t i = frame->box + 1; i < end;) {
        wn_lay_box *box = wn_lay_at(lay, i);
        if (box->kind == WN_LAY_COLUMN && !box->absolute) {
            uint32_t span = span_of(lay, box, WN_ATTR_SPAN, MAX_COLUMN_SPAN);
            bool group = box->end > i + 1;
            box->origin = frame->box;
            box->placed = true;
            if (!group && at < t->column_count) {
                uint32_t last = at + span > t->column_count ? t->column_count - 1 : at + span - 1;
                box->x = t->columns[at].x;
                box->y = top;
                box->width = t->columns[last].x + t->columns[last].width - t->columns[at].x;
                box->height = bottom - top;
                at += span;
            }
            i++;
        } else {
            if (box->absolute)
                wn_lay_set_static(lay, frame, i, wn_lay_at(lay, frame->box)->edge[WN_LEFT], top);
            bool inside = box->kind == WN_LAY_GROUP || box->kind == WN_LAY_ROW;
            i = inside && !box->absolute ? i + 1 : box->end;
        }
    }
}

/* ---- Steps ------------------------------------------------------------------------------- */

enum { STATE_START, STATE_CAPTIONS, STATE_MEASURE, STATE_CELLS };

static bool call_caption(wn_lay *lay, wn_frame *frame)
{
    table *t = frame->table.table;
    wn_lay_box *box = wn_lay_at(lay, t->captions[frame->table.i]);
    wn_lay_edges(lay, box, frame->in.width);
    wn_lay_input in = {.width = frame->in.width - wn_lay_margin_width(box),
                       .height = WN_PX_AUTO,
                       .percent = WN_PX_AUTO,
                       .measure = frame->in.measure};
    return wn_lay_call(lay, t->captions[frame->table.i], in);
}

/* What percentages of the cells' paddings are of. */
static wn_px rows_width(wn_lay *lay, const wn_frame *frame)
{
    return frame->in.width - wn_lay_edge_width(wn_lay_at(lay, frame->box)) -
           2 * frame->table.table->spacing_x;
}

static bool call_cell(wn_lay *lay, wn_frame *frame, bool measure)
{
    table *t = frame->table.table;
    uint32_t number = t->cells[frame->table.i];
    wn_lay_box *box = wn_lay_at(lay, number);
    wn_px width = cell_width(t, box);
    wn_lay_edges(lay, box, rows_width(lay, frame));
    bool definite = !wn_length_is_auto(box->style->height) || frame->in.height != WN_PX_AUTO ||
                    !wn_length_is_auto(wn_lay_at(lay, frame->box)->style->height);
    wn_lay_input in = {.width = width,
                       .height = measure ? WN_PX_AUTO : cell_height(t, box),
                       .percent = WN_PX_AUTO,
                       .measure = measure,
                       .loose = !measure && !definite};
    return wn_lay_call(lay, number, in);
}

static void place_captions(wn_lay *lay, wn_frame *frame, bool below, wn_px *y)
{
    table *t = frame->table.table;
    for (uint32_t i = 0; i < t->caption_count; i++) {
        wn_lay_box *box = wn_lay_at(lay, t->captions[i]);
        if (box->style->caption_bottom != below)
            continue;
        box->origin = frame->box;
        box->x = box->margin[WN_LEFT];
        box->y = *y + box->margin[WN_TOP];
        box->placed = true;
        *y += box->height + wn_lay_margin_height(box);
    }
}

static wn_px row_baseline(const row *r)
{
    return r->y + (r->baseline > 0 ? r->baseline : r->height);
}

/* All heights are known: rows, captions and the table itself. */
static void finish_heights(wn_lay *lay, wn_frame *frame)
{
    table *t = frame->table.table;
    wn_lay_box *box = wn_lay_at(lay, frame->box);
    wn_px top = 0;
    place_captions(lay, frame, false, &top);
    size_rows(lay, t);
    wn_px wanted = frame->in.height != WN_PX_AUTO
                       ? frame->in.height - top
                       : wn_lay_given_height(lay, box, box->style->height, frame->in.percent);
    wanted = wn_px_max(wanted,
                       wn_lay_given_height(lay, box, box->style->min_height, frame->in.percent));
    size_sections(t);
    wn_px natural = place_sections(t, box->edge[WN_TOP]) + box->edge[WN_BOTTOM];
    if (wanted > natural)
        stretch_sections(t, wanted - natural, wanted - wn_lay_edge_height(box) - 2 * t->spacing_y);
    else if (t->column_count == 0)
        t->spacing_y = 0; /* nothing to be kept apart */
    wn_px bottom = place_sections(t, top + box->edge[WN_TOP]) + box->edge[WN_BOTTOM];
    bottom = wn_px_max(bottom, top + wanted);
    place_captions(lay, frame, true, &bottom);
    box->height = bottom;
    box->baseline = box->last_baseline = WN_PX_NONE;
    if (t->row_count > 0) {
        box->baseline = row_baseline(&t->rows[0]);
        box->last_baseline = row_baseline(&t->rows[t->row_count - 1]);
    }
}

void wn_table_step(wn_lay *lay, wn_frame *frame)
{
    wn_table_state *state = &frame->table;
    if (frame->state == STATE_START) {
        wn_lay_intrinsic(lay, frame->box);
        if (lay->failed)
            return;
        state->table = wn_lay_at(lay, frame->box)->work;
        set_columns(lay, frame->box, state->table, frame->in.width);
        frame->state = STATE_CAPTIONS;
    }
    table *t = state->table;
    while (frame->state == STATE_CAPTIONS && state->i < t->caption_count) {
        if (!frame->called && call_caption(lay, frame))
            return;
        frame->called = false;
        state->i++;
    }
    if (frame->state == STATE_CAPTIONS) {
        frame->state = STATE_MEASURE;
        state->i = 0;
    }
    while (frame->state == STATE_MEASURE && state->i < t->cell_count) {
        if (!frame->called && call_cell(lay, frame, true))
            return;
        frame->called = false;
        state->i++;
    }
    if (frame->state == STATE_MEASURE) {
        finish_heights(lay, frame);
        frame->state = STATE_CELLS;
        state->i = frame->in.measure ? t->cell_count : 0;
    }
    while (state->i < t->cell_count) {
        if (!frame->called && call_cell(lay, frame, false))
            return;
        frame->called = false;
        place_cell(lay, frame, t, wn_lay_at(lay, t->cells[state->i]));
        state->i++;
    }
    if (!frame->in.measure) {
        place_rows(lay, frame, t);
        place_columns(lay, frame, t);
    }
    wn_lay_return(lay, frame);
}
