/*
 * Tables: columns as wide as their cells need or the author says, rows as high as their cells.
 *
 * 1. The grid: every cell gets its row and column; spans are cut to what is there.
 * 2. Columns get their widths: table_widths.c.
 * 3. Cells are asked for their heights; rows and groups of rows follow: table_heights.c.
 * 4. The cells are laid out for good.
 *
 * Captions are above or below, inside the table's box.
 */
#include <assert.h>
#include <string.h>

#include "layout/table.h"

/* ---- The grid ---------------------------------------------------------------------------- */

uint32_t wn_layout_table_span(const wn_lay *lay, const wn_lay_box *box, wn_attr_name name,
                              uint32_t most)
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
    uint32_t end = wn_layout_at(lay, number)->end;
    for (uint32_t i = number + 1; i < end;) {
        const wn_lay_box *box = wn_layout_at(lay, i);
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
            t->span_sum += wn_layout_table_span(lay, box, WN_ATTR_COLSPAN, MAX_COLUMN_SPAN);
        t->caption_count += box->kind == WN_LAY_CAPTION;
        i = box->end;
    }
}

typedef struct grid_maker {
    wn_lay *lay;
    table *t;
    uint32_t row, cell, caption;
    uint32_t *busy;     /* by column: rows that a cell from above still covers */
    uint32_t group_end; /* first row after the group: spans end there */
    uint32_t most;      /* columns there can be */
} grid_maker;

static void add_cell(grid_maker *g, uint32_t number, uint32_t *column)
{
    wn_lay_box *box = wn_layout_at(g->lay, number);
    while (*column < g->most - 1 && g->busy[*column] > 0)
        ++*column;
    uint32_t span = wn_layout_table_span(g->lay, box, WN_ATTR_COLSPAN, MAX_COLUMN_SPAN);
    uint32_t rows = wn_layout_table_span(g->lay, box, WN_ATTR_ROWSPAN, MAX_ROW_SPAN);
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
    assert(g->cell < g->t->cell_count);
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
    uint32_t end = wn_layout_at(g->lay, number)->end, column = 0;
    assert(g->row < t->row_count);
    t->rows[g->row] = (row){.box = number};
    t->sections[t->section_count - 1].count++;
    for (uint32_t i = number + 1; i < end; i = wn_layout_at(g->lay, i)->end)
        if (wn_layout_at(g->lay, i)->kind == WN_LAY_CELL)
            add_cell(g, i, &column);
    wn_cost_use(&g->lay->table_steps, t->column_count / COLUMNS_PER_STEP);
    for (uint32_t i = 0; i < t->column_count; i++)
        g->busy[i] -= g->busy[i] > 0;
    g->row++;
}

/* Whether a height is a percentage; then of what. */
float wn_layout_table_percent(wn_length length)
{
    bool percent = length.kind == WN_LENGTH_FIXED && length.px == 0 && !length.arm;
    return percent && length.percent >= LEAST_PERCENT ? length.percent : 0;
}

static void add_section(grid_maker *g, uint32_t group)
{
    const wn_lay_box *box = wn_layout_at(g->lay, group);
    bool head = group && box->style->display == WN_DISPLAY_TABLE_HEADER_GROUP;
    bool foot = group && box->style->display == WN_DISPLAY_TABLE_FOOTER_GROUP;
    assert(g->t->section_count < 2 * (size_t)g->t->group_count + 1);
    g->t->sections[g->t->section_count++] = (section){
        .box = group,
        .first = g->row,
        .given = group ? wn_layout_length(g->lay, box->style->height, WN_PX_AUTO, WN_PX_AUTO)
                       : WN_PX_AUTO,
        .percent = group ? wn_layout_table_percent(box->style->height) : 0,
        .body = !head && !foot,
    };
}

static void add_group(grid_maker *g, uint32_t number)
{
    uint32_t end = wn_layout_at(g->lay, number)->end, rows = 0;
    for (uint32_t i = number + 1; i < end; i = wn_layout_at(g->lay, i)->end)
        rows += wn_layout_at(g->lay, i)->kind == WN_LAY_ROW;
    g->group_end = g->row + rows;
    add_section(g, number);
    memset(g->busy, 0, g->t->column_count * sizeof *g->busy);
    for (uint32_t i = number + 1; i < end; i = wn_layout_at(g->lay, i)->end)
        if (wn_layout_at(g->lay, i)->kind == WN_LAY_ROW)
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

/* Heads come first and feet last, wherever they are. */
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

/*
 * A zeroed number for each column, in memory that all tables of a page use: a table whose cells
 * span a thousand columns of nothing has few bytes. NULL if out of memory.
 */
static uint32_t *column_numbers(wn_lay *lay, uint32_t count)
{
    if (!wn_array_reserve(&lay->column_numbers, count)) {
        lay->failed = true;
        return NULL;
    }
    return memset(lay->column_numbers.items, 0, count * sizeof *lay->column_numbers.items);
}

static void make_grid(wn_lay *lay, uint32_t number, table *t)
{
    grid_maker g = {.lay = lay, .t = t, .most = t->span_sum + 1};
    if (g.most > MAX_COLUMNS)
        g.most = MAX_COLUMNS;
    g.busy = column_numbers(lay, g.most);
    if (!g.busy)
        return;
    uint32_t end = wn_layout_at(lay, number)->end;
    for (int pass = 0; pass < 3; pass++) {
        bool has_head = false, has_foot = false;
        for (uint32_t i = number + 1; i < end; i = wn_layout_at(lay, i)->end) {
            const wn_lay_box *box = wn_layout_at(lay, i);
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
    assert(g.row == t->row_count && g.cell == t->cell_count && g.caption == t->caption_count);
}

/*
 * Columns in which no cell starts cannot be told from the one before them: they become one.
 * So a span of a thousand over nothing costs nothing, and makes no gaps.
 */
static void merge_columns(wn_lay *lay, table *t)
{
    uint32_t *map = column_numbers(lay, t->column_count + 2);
    if (!map)
        return;
    for (uint32_t i = 0; i < t->cell_count; i++)
        map[wn_layout_at(lay, t->cells[i])->column + 1] = 1;
    for (uint32_t i = 1; i <= t->column_count; i++)
        map[i] += map[i - 1];
    /* map[i + 1] is the number of columns up to and with i that stay. */
    for (uint32_t i = 0; i < t->cell_count; i++) {
        wn_lay_box *cell = wn_layout_at(lay, t->cells[i]);
        uint32_t first = map[cell->column + 1] - 1,
                 last = map[cell->column + cell->column_span] - 1;
        cell->column = first;
        cell->column_span = last - first + 1;
    }
    assert(map[t->column_count] > 0 && map[t->column_count] <= t->column_count);
    t->column_count = map[t->column_count];
}

/* ---- The table --------------------------------------------------------------------------- */

static table *make_table(wn_lay *lay, uint32_t number)
{
    wn_lay_box *box = wn_layout_at(lay, number);
    table *t = wn_layout_alloc(lay, sizeof *t);
    if (!t)
        return NULL;
    count_parts(lay, number, t);
    t->rows = wn_layout_alloc(lay, (t->row_count + 1) * sizeof *t->rows);
    t->sections = wn_layout_alloc(lay, (2 * (size_t)t->group_count + 1) * sizeof *t->sections);
    t->cells = wn_layout_alloc(lay, (t->cell_count + 1) * sizeof *t->cells);
    t->captions = wn_layout_alloc(lay, (t->caption_count + 1) * sizeof *t->captions);
    if (!box->style->border_collapse) {
        t->spacing_x = wn_px_max(wn_px_from(box->style->border_spacing_x), 0);
        t->spacing_y = wn_px_max(wn_px_from(box->style->border_spacing_y), 0);
    }
    if (lay->failed)
        return NULL;
    make_grid(lay, number, t);
    if (t->column_count > 0)
        merge_columns(lay, t);
    t->columns = wn_layout_alloc(lay, (t->column_count + 1) * sizeof *t->columns);
    if (lay->failed)
        return NULL;
    wn_layout_table_find_columns(lay, number, t);
    wn_layout_at(lay, number)->work = t;
    return t;
}

/* How wide all columns are at least, and how wide those with percentages make the others. */
static void sum_columns(const table *t, wn_px *least, wn_px *most)
{
    wn_px by_percent = 0, plain = 0, limit = WN_PX_MAX / 64;
    float percent = 0;
    *least = *most = 0;
    for (uint32_t i = 0; i < t->column_count; i++) {
        const column *c = &t->columns[i];
        *least += c->least;
        *most += c->most;
        if (c->percent > 0) {
            float part = c->percent < 100 - percent ? c->percent : 100 - percent;
            percent += part;
            if (part > 0)
                by_percent = wn_px_max(by_percent, wn_px_cut((float)c->most * 100 / part));
        } else {
            plain += c->most;
        }
    }
    if (percent > 0)
        *most = wn_px_max(*most, wn_px_min(by_percent, limit));
    if (percent > 0 && percent < 100 && plain > 0)
        *most = wn_px_max(*most, wn_px_min(wn_px_cut((float)plain * 100 / (100 - percent)), limit));
}

static wn_px widest_caption(wn_lay *lay, const table *t)
{
    wn_px widest = 0;
    for (uint32_t i = 0; i < t->caption_count; i++) {
        wn_px least, most;
        wn_layout_contribution(lay, t->captions[i], &least, &most);
        widest = wn_px_max(widest, least);
    }
    return widest;
}

void wn_layout_table_intrinsic(wn_lay *lay, uint32_t number)
{
    table *t = make_table(lay, number);
    if (!t)
        return;
    wn_px least, most, captions = widest_caption(lay, t);
    sum_columns(t, &least, &most);
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_layout_edges(lay, box, 0);
    wn_px around = wn_layout_table_gaps(t) + wn_layout_edge_width(box);
    box->min_content = wn_px_max(least + around, captions);
    box->max_content = wn_px_max(most + around, captions);
    if (box->style->table_fixed && wn_layout_is_definite(lay, box->style->width, WN_PX_AUTO))
        box->min_content = wn_px_min(box->min_content, around);
    else if (box->style->table_fixed && wn_css_length_has_percent(lay->styles, box->style->width))
        box->max_content = MOST_WIDE; /* as browsers do: it takes all the room there is */
}

static wn_px cell_width(const table *t, const wn_lay_box *cell)
{
    assert(cell->column_span > 0 && cell->column + cell->column_span <= t->column_count);
    const column *first = &t->columns[cell->column], *last = first + cell->column_span - 1;
    return last->x + last->width - first->x;
}

static wn_px cell_height(const table *t, const wn_lay_box *cell)
{
    assert(cell->row_span > 0 && cell->row + cell->row_span <= t->row_count);
    const row *first = &t->rows[cell->row], *last = first + cell->row_span - 1;
    return last->y + last->height - first->y;
}

/* ---- Placing ----------------------------------------------------------------------------- */

static void place_cell(wn_lay *lay, wn_frame *frame, const table *t, wn_lay_box *cell)
{
    const row *r = &t->rows[cell->row];
    bool rtl = wn_layout_at(lay, frame->box)->style->rtl;
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

/* A row or a group of rows is as wide as all of them. */
static void place_part(wn_lay *lay, wn_frame *frame, const table *t, uint32_t number, wn_px y,
                       wn_px height)
{
    const wn_lay_box *around = wn_layout_at(lay, frame->box);
    wn_px gap = t->column_count ? t->spacing_x : 0;
    wn_lay_box *box = wn_layout_at(lay, number);
    box->origin = frame->box;
    box->x = around->edge[WN_LEFT] + gap;
    box->y = y;
    box->width = wn_px_max(frame->in.width - wn_layout_edge_width(around) - 2 * gap, 0);
    box->height = height;
    box->placed = true;
}

static void place_rows(wn_lay *lay, wn_frame *frame, const table *t)
{
    for (uint32_t i = 0; i < t->row_count; i++)
        place_part(lay, frame, t, t->rows[i].box, t->rows[i].y, t->rows[i].height);
    for (uint32_t i = 0; i < t->section_count; i++)
        if (t->sections[i].box != 0)
            place_part(lay, frame, t, t->sections[i].box, t->sections[i].y, t->sections[i].height);
}

/* Absolutely positioned children of the table or its parts are where it starts. */
static void place_columns(wn_lay *lay, wn_frame *frame, const table *t)
{
    uint32_t end = wn_layout_at(lay, frame->box)->end, at = 0;
    wn_px top = t->row_count ? t->rows[0].y : 0;
    wn_px bottom = t->row_count ? t->rows[t->row_count - 1].y + t->rows[t->row_count - 1].height
                                : 0;
    for (uint32_t i = frame->box + 1; i < end;) {
        wn_lay_box *box = wn_layout_at(lay, i);
        if (box->kind == WN_LAY_COLUMN && !box->absolute) {
            uint32_t span = wn_layout_table_span(lay, box, WN_ATTR_SPAN, MAX_COLUMN_SPAN);
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
                wn_layout_set_static(lay, frame, i, wn_layout_at(lay, frame->box)->edge[WN_LEFT],
                                     top);
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
    wn_lay_box *box = wn_layout_at(lay, t->captions[frame->table.i]);
    wn_layout_edges(lay, box, frame->in.width);
    wn_lay_input in = {.width = frame->in.width - wn_layout_margin_width(box),
                       .height = WN_PX_AUTO,
                       .percent = WN_PX_AUTO,
                       .measure = frame->in.measure};
    return wn_layout_call(lay, t->captions[frame->table.i], in);
}

/* What percentages of the cells' paddings are of. */
static wn_px rows_width(wn_lay *lay, const wn_frame *frame)
{
    return frame->in.width - wn_layout_edge_width(wn_layout_at(lay, frame->box)) -
           2 * frame->table.table->spacing_x;
}

static bool call_cell(wn_lay *lay, wn_frame *frame)
{
    bool measure = frame->state == STATE_MEASURE;
    table *t = frame->table.table;
    uint32_t number = t->cells[frame->table.i];
    wn_lay_box *box = wn_layout_at(lay, number);
    wn_px width = cell_width(t, box);
    wn_layout_edges(lay, box, rows_width(lay, frame));
    bool definite = !wn_css_length_is_auto(box->style->height) || frame->in.height != WN_PX_AUTO ||
                    !wn_css_length_is_auto(wn_layout_at(lay, frame->box)->style->height);
    wn_lay_input in = {.width = width,
                       .height = measure ? WN_PX_AUTO : cell_height(t, box),
                       .percent = WN_PX_AUTO,
                       .measure = measure,
                       .loose = !measure && !definite};
    return wn_layout_call(lay, number, in);
}

static void place_captions(wn_lay *lay, wn_frame *frame, bool below, wn_px *y)
{
    table *t = frame->table.table;
    for (uint32_t i = 0; i < t->caption_count; i++) {
        wn_lay_box *box = wn_layout_at(lay, t->captions[i]);
        if (box->style->caption_bottom != below)
            continue;
        box->origin = frame->box;
        box->x = box->margin[WN_LEFT];
        box->y = *y + box->margin[WN_TOP];
        box->placed = true;
        *y += box->height + wn_layout_margin_height(box);
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
    wn_lay_box *box = wn_layout_at(lay, frame->box);
    wn_px top = 0;
    place_captions(lay, frame, false, &top);
    wn_layout_table_size_rows(lay, t);
    wn_px wanted = frame->in.height != WN_PX_AUTO
                       ? frame->in.height - top
                       : wn_layout_given_height(lay, box, box->style->height, frame->in.percent);
    wanted = wn_px_max(wanted,
                       wn_layout_given_height(lay, box, box->style->min_height, frame->in.percent));
    wn_px natural = wn_layout_table_place_sections(t, box->edge[WN_TOP]) + box->edge[WN_BOTTOM];
    if (wanted > natural)
        wn_layout_table_stretch(t, wanted - natural,
                                wanted - wn_layout_edge_height(box) - 2 * t->spacing_y);
    else if (t->column_count == 0)
        t->spacing_y = 0; /* nothing to be kept apart */
    wn_px bottom = wn_layout_table_place_sections(t, top + box->edge[WN_TOP]) +
                   box->edge[WN_BOTTOM];
    bottom = wn_px_max(bottom, top + wanted);
    place_captions(lay, frame, true, &bottom);
    box->height = bottom;
    box->baseline = box->last_baseline = WN_PX_NONE;
    if (t->row_count > 0) {
        box->baseline = row_baseline(&t->rows[0]);
        box->last_baseline = row_baseline(&t->rows[t->row_count - 1]);
    }
}

/* Calls one child after the other. True if one has been begun: then the step ends. */
static bool call_each(wn_lay *lay, wn_frame *frame, uint32_t count,
                      bool (*call)(wn_lay *lay, wn_frame *frame))
{
    for (; frame->table.i < count; frame->table.i++) {
        if (!frame->called && call(lay, frame))
            return true;
        frame->called = false;
    }
    return false;
}

static void start(wn_lay *lay, wn_frame *frame)
{
    wn_layout_intrinsic(lay, frame->box);
    if (lay->failed)
        return;
    frame->table.table = wn_layout_at(lay, frame->box)->work;
    assert(frame->table.table);
    wn_layout_table_set_columns(lay, frame->box, frame->table.table, frame->in.width);
}

static void finish(wn_lay *lay, wn_frame *frame)
{
    const table *t = frame->table.table;
    if (!frame->in.measure) {
        for (uint32_t i = 0; i < t->cell_count; i++)
            place_cell(lay, frame, t, wn_layout_at(lay, t->cells[i]));
        place_rows(lay, frame, t);
        place_columns(lay, frame, t);
    }
    wn_layout_return(lay, frame);
}

void wn_layout_table_step(wn_lay *lay, wn_frame *frame)
{
    wn_table_state *state = &frame->table;
    if (frame->state == STATE_START) {
        start(lay, frame);
        if (lay->failed)
            return;
        frame->state = STATE_CAPTIONS;
    }
    const table *t = state->table;
    if (frame->state == STATE_CAPTIONS) {
        if (call_each(lay, frame, t->caption_count, call_caption))
            return;
        frame->state = STATE_MEASURE;
        state->i = 0;
    }
    if (frame->state == STATE_MEASURE) {
        if (call_each(lay, frame, t->cell_count, call_cell))
            return;
        finish_heights(lay, frame);
        frame->state = STATE_CELLS;
        state->i = frame->in.measure ? t->cell_count : 0;
    }
    if (!call_each(lay, frame, t->cell_count, call_cell))
        finish(lay, frame);
}
