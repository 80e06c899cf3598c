#include "page/tables.h"

bool wn_page_tables_start(wn_page_tables *tables)
{
    tables->list.count = tables->spans.count = 0;
    wn_page_table *none = wn_array_push(&tables->list);
    if (none)
        *none = (wn_page_table){0};
    return none != NULL;
}

void wn_page_tables_free(wn_page_tables *tables)
{
    wn_array_free(&tables->list);
    wn_array_free(&tables->spans);
}

size_t wn_page_tables_memory(const wn_page_tables *tables)
{
    return wn_array_bytes(&tables->list) + wn_array_bytes(&tables->spans);
}

uint32_t wn_page_tables_enter(wn_page_tables *tables, wn_node_id node, uint32_t around,
                              bool is_layout)
{
    wn_page_table *table = wn_array_push(&tables->list);
    if (!table)
        return 0;
    *table = (wn_page_table){.node = node, .is_layout = is_layout, .around = around};
    wn_page_table *outer = &tables->list.items[around];
    if (around) {
        outer->holds_table = true;
        table->around_row = outer->row ? outer->row - 1 : 0;
        table->around_column = outer->column ? outer->column - 1 : 0;
    }
    return tables->list.count - 1;
}

/* Skips columns that a cell of a row above covers. */
static uint32_t skip_covered(const uint16_t *below, uint32_t column)
{
    while (column <= WN_SPANNED_COLUMNS && below[column - 1] > 0)
        column++;
    return column;
}

/* The rows that are covered below each column of a table; NULL if it has no such cells. */
static uint16_t *spans_of(wn_page_tables *tables, const wn_page_table *t)
{
    return t->spans ? tables->spans.items[t->spans - 1].below : NULL;
}

/* The same for a table with a cell that reaches into the rows below; NULL if out of memory. */
static uint16_t *make_spans(wn_page_tables *tables, wn_page_table *t)
{
    if (t->spans == 0) {
        wn_page_spans *spans = wn_array_push(&tables->spans);
        if (!spans)
            return NULL;
        *spans = (wn_page_spans){0};
        t->spans = tables->spans.count;
    }
    return spans_of(tables, t);
}

void wn_page_tables_enter_row(wn_page_tables *tables, uint32_t table)
{
    wn_page_table *t = &tables->list.items[table];
    t->row++;
    t->column = t->cells = 0;
    t->next_column = 1;
    uint16_t *below = spans_of(tables, t);
    for (uint32_t i = 0; below && i < WN_SPANNED_COLUMNS; i++)
        below[i] -= below[i] > 0;
}

void wn_page_tables_enter_cell(wn_page_tables *tables, uint32_t table, uint32_t width,
                               uint32_t height)
{
    enum { WIDEST = 32, HIGHEST = 65534 }; /* so that few bytes cannot make a wide table */
    wn_page_table *t = &tables->list.items[table];
    width = width < 1 ? 1 : width > WIDEST ? WIDEST : width;
    const uint16_t *covered = spans_of(tables, t);
    t->column = covered ? skip_covered(covered, t->next_column) : t->next_column;
    t->next_column = t->column + width;
    /* It covers this row, too: that is taken off when the next row begins. */
    height = height == 0 || height > HIGHEST ? HIGHEST : height;
    uint16_t *below = height > 1 ? make_spans(tables, t) : NULL;
    for (uint32_t i = t->column - 1; below && i < t->column - 1 + width; i++)
        if (i < WN_SPANNED_COLUMNS && below[i] < height)
            below[i] = (uint16_t)height;
    t->cell_blocks = t->cell_headings = 0;
    if (++t->cells > t->most_cells)
        t->most_cells = t->cells;
}

void wn_page_tables_locate(const wn_page_tables *tables, uint32_t table, wn_block *block)
{
    const wn_page_table *t = &tables->list.items[table];
    block->table = table;
    block->row = t->row ? t->row - 1 : 0;
    block->column = t->column ? t->column - 1 : 0;
}

void wn_page_tables_place(wn_page_tables *tables, uint32_t table, wn_block *block)
{
    wn_page_table *t = &tables->list.items[table];
    bool in_cell = t->row > 0;
    if (!in_cell && block->kind != WINNOW_BLOCK_CAPTION)
        return; /* a heading in the caption, for one */
    t->cell_blocks += in_cell;
    if (t->cell_blocks > t->most_cell_blocks)
        t->most_cell_blocks = t->cell_blocks;
    t->cell_headings += in_cell && block->kind == WINNOW_BLOCK_HEADING;
    t->holds_sections |= t->cell_headings > 1;
    wn_page_tables_locate(tables, table, block);
}

void wn_page_tables_note_header(wn_page_tables *tables, uint32_t table)
{
    tables->list.items[table].has_header = true;
}

void wn_page_tables_note_rule(wn_page_tables *tables, uint32_t table)
{
    tables->list.items[table].holds_rule = true;
}

/* ---- At the end of the page -------------------------------------------------------------- */

/* Whether a table only makes columns. A cell with several headings is a column of the page. */
static bool is_layout(const wn_page_table *t)
{
    enum { MOST_BLOCKS_IN_A_DATA_CELL = 3, MOST_WITH_A_HEADER = 24 };
    uint32_t most = t->has_header ? MOST_WITH_A_HEADER : MOST_BLOCKS_IN_A_DATA_CELL;
    return t->is_layout || t->holds_sections || t->most_cells < 2 || t->most_cell_blocks > most ||
           ((t->holds_table || t->holds_rule) && !t->has_header);
}

/*
 * Lists the tables of data with what they are in; false if out of memory. What is in a table of
 * columns is in what is around that.
 */
static bool list_tables(wn_page_tables *tables, wn_page *page)
{
    if (!wn_array_reserve(&page->tables, tables->list.count))
        return false;
    page->tables.count = tables->list.count;
    page->tables.items[0] = (wn_table){0};
    for (uint32_t i = 1; i < tables->list.count; i++) {
        wn_page_table *t = &tables->list.items[i];
        const wn_page_table *outer = &tables->list.items[t->around];
        wn_table *listed = &page->tables.items[i];
        *listed = (wn_table){.around = t->around, .row = t->around_row, .column = t->around_column};
        if (t->around && outer->is_layout)
            *listed = page->tables.items[t->around];
        t->is_layout = is_layout(t) ||
                       page->tables.items[listed->around].depth + 1 > WN_DEEPEST_TABLE;
        if (t->is_layout)
            continue;
        listed->depth = (uint8_t)(page->tables.items[listed->around].depth + 1);
        listed->node = t->node;
        listed->outermost = listed->around ? page->tables.items[listed->around].outermost : i;
    }
    return true;
}

void wn_page_tables_dissolve(wn_page_tables *tables, wn_page *page)
{
    page->tables.count = 0;
    if (tables->list.count <= 1)
        return;
    if (!list_tables(tables, page)) {
        page->failed = true;
        return;
    }
    for (uint32_t i = 0; i < page->objects.count; i++) {
        wn_object *object = &page->objects.items[i];
        if (!tables->list.items[object->table].is_layout)
            continue;
        const wn_table *table = &page->tables.items[object->table];
        object->table = table->around;
        object->row = table->row;
        object->column = table->column;
    }
    for (uint32_t i = 0; i < page->blocks.count; i++) {
        wn_block *block = &page->blocks.items[i];
        if (!tables->list.items[block->table].is_layout)
            continue;
        const wn_table *table = &page->tables.items[block->table];
        block->table = table->around;
        block->row = table->row;
        block->column = table->column;
        bool is_caption = block->table && block->kind == WINNOW_BLOCK_CAPTION;
        if (block->kind == WINNOW_BLOCK_CELL || is_caption)
            block->kind = WINNOW_BLOCK_PARAGRAPH;
    }
}
