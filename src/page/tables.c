#include "page/tables.h"

bool wn_page_tables_start(wn_page_tables *tables)
{
    tables->list.count = 0;
    wn_page_table *none = wn_array_push(&tables->list);
    if (none)
        *none = (wn_page_table){0};
    return none != NULL;
}

uint32_t wn_page_tables_enter(wn_page_tables *tables, uint32_t around, bool is_layout)
{
    wn_page_table *table = wn_array_push(&tables->list);
    if (!table)
        return 0;
    *table = (wn_page_table){.is_layout = is_layout};
    if (around)
        tables->list.items[around].is_layout = true;
    return tables->list.count - 1;
}

/* Passes over columns that a cell of a row above covers. */
static uint32_t skip_covered(const wn_page_table *t, uint32_t column)
{
    while (column <= WN_SPANNED_COLUMNS && t->below[column - 1] > 0)
        column++;
    return column;
}

void wn_page_tables_enter_row(wn_page_tables *tables, uint32_t table)
{
    wn_page_table *t = &tables->list.items[table];
    t->row++;
    t->column = t->cells = 0;
    t->next_column = 1;
    for (uint32_t i = 0; t->has_spans && i < WN_SPANNED_COLUMNS; i++)
        t->below[i] -= t->below[i] > 0;
}

void wn_page_tables_enter_cell(wn_page_tables *tables, uint32_t table, uint32_t width,
                               uint32_t height)
{
    enum { WIDEST = 32, HIGHEST = 65534 }; /* so that few bytes cannot make a wide table */
    wn_page_table *t = &tables->list.items[table];
    width = width < 1 ? 1 : width > WIDEST ? WIDEST : width;
    t->column = t->has_spans ? skip_covered(t, t->next_column) : t->next_column;
    t->next_column = t->column + width;
    /* It covers this row, too: that is taken off when the next row begins. */
    height = height == 0 || height > HIGHEST ? HIGHEST : height;
    for (uint32_t i = t->column - 1; height > 1 && i < t->column - 1 + width; i++)
        if (i < WN_SPANNED_COLUMNS && t->below[i] < height)
            t->below[i] = (uint16_t)height;
    t->has_spans |= height > 1;
    t->cell_blocks = 0;
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
    wn_page_tables_locate(tables, table, block);
}

void wn_page_tables_dissolve(wn_page_tables *tables, wn_page *page)
{
    enum { MOST_BLOCKS_IN_A_DATA_CELL = 3 };
    if (tables->list.count <= 1)
        return;
    for (uint32_t i = 1; i < tables->list.count; i++) {
        wn_page_table *t = &tables->list.items[i];
        if (t->most_cells < 2 || t->most_cell_blocks > MOST_BLOCKS_IN_A_DATA_CELL)
            t->is_layout = true;
    }
    for (uint32_t i = 0; i < page->objects.count; i++)
        if (tables->list.items[page->objects.items[i].table].is_layout)
            page->objects.items[i].table = 0;
    for (uint32_t i = 0; i < page->blocks.count; i++) {
        wn_block *block = &page->blocks.items[i];
        if (!tables->list.items[block->table].is_layout)
            continue;
        block->table = block->row = block->column = 0;
        if (block->kind == WINNOW_BLOCK_CELL)
            block->kind = WINNOW_BLOCK_PARAGRAPH;
    }
}
