/*
 * Tables in GitHub's Markdown:
 *
 *     | Year | Harvest |
 *     | --- | --- |
 *     | 1911 | 12 t |
 *
 * A row is a line, so a table whose cells contain headings, code of several lines, or other tables,
 * is written in HTML instead (markdown.c). Blocks in one cell are separated by <br>, which all readers
 * of such tables support. A cell that spans several columns or rows is written once, where it
 * begins.
 */
#include "write/markdown_parts.h"

#include "write/cells.h"

/* Short rows are padded with empty cells, up to this many columns: it bounds the cost of a row. */
enum { MOST_FILLED_COLUMNS = 32 };

static bool is_kept(const wn_markdown *w, uint32_t i)
{
    return w->selection->verdicts[i].keep &&
           wn_write_is_shown(&w->page->blocks.items[i], w->options);
}

static uint32_t count_columns(const wn_markdown *w, uint32_t first, uint32_t end)
{
    uint32_t columns = 1;
    for (uint32_t i = first; i < end; i++)
        if (is_kept(w, i) && w->page->blocks.items[i].column >= columns)
            columns = w->page->blocks.items[i].column + 1;
    return columns;
}

/* Whether the first row consists of header cells only. */
static bool has_header(const wn_markdown *w, uint32_t first, uint32_t end)
{
    const wn_block *blocks = w->page->blocks.items;
    for (uint32_t i = first; i < end && blocks[i].row == blocks[first].row; i++)
        if (is_kept(w, i) && !(blocks[i].flags & WN_BLOCK_HEADER_CELL))
            return false;
    return true;
}

static void add_repeated(wn_markdown *w, const char *cell, uint32_t times)
{
    while (times-- > 0)
        wn_buf_add_literal(w->out, cell);
}

static void add_cell_text(wn_markdown *w, const wn_block *block)
{
    if (block->kind == WINNOW_BLOCK_CODE)
        wn_write_markdown_code_span(w, wn_block_text(w->page, block), WN_IN_CELL);
    else if (block->kind == WINNOW_BLOCK_IMAGE)
        wn_write_markdown_image(w, block->node, WN_IN_CELL);
    else if (block->kind == WINNOW_BLOCK_EMBED)
        wn_write_markdown_embed(w, block->node, WN_IN_CELL);
    else
        wn_write_markdown_inline(w, block, WN_IN_CELL);
}

/* Writes the row of block `i`, padded if `fill`; returns the first block after it. */
static uint32_t add_row(wn_markdown *w, uint32_t i, uint32_t end, uint32_t columns, bool fill)
{
    const wn_block *blocks = w->page->blocks.items;
    uint32_t row = blocks[i].row, written = 0; /* cells so far; the last one is open */
    wn_buf_add_char(w->out, '|');
    for (; i < end && blocks[i].row == row; i++) {
        if (!is_kept(w, i))
            continue;
        uint32_t cell = blocks[i].column + 1;
        if (cell <= written) {
            wn_buf_add_literal(w->out, "<br>");
        } else {
            if (written > 0)
                wn_buf_add_literal(w->out, " |");
            add_repeated(w, "  |", cell - written - 1);
            wn_buf_add_char(w->out, ' ');
            written = cell;
        }
        add_cell_text(w, &blocks[i]);
    }
    wn_buf_add_literal(w->out, " |");
    if (fill)
        add_repeated(w, "  |", columns - written);
    return i;
}

/* "| :--- | ---: |": the alignment of a column is that of its first cell that has one. */
static void add_alignment(wn_markdown *w, uint32_t first, uint32_t end, uint32_t columns)
{
    static const char *const rules[] = {" --- |", " :--- |", " :---: |", " ---: |"};
    uint8_t alignment[MOST_FILLED_COLUMNS] = {0};
    for (uint32_t i = first; i < end; i++) {
        const wn_block *block = &w->page->blocks.items[i];
        if (is_kept(w, i) && block->column < MOST_FILLED_COLUMNS && !alignment[block->column])
            alignment[block->column] = (uint8_t)wn_write_cell_of(w->page, block).alignment;
    }
    for (uint32_t i = 0; i < columns; i++)
        wn_buf_add_literal(w->out, rules[i < MOST_FILLED_COLUMNS ? alignment[i] : 0]);
}

bool wn_write_markdown_fits_table(const wn_markdown *w, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        const wn_block *block = &w->page->blocks.items[i];
        wn_str text = wn_block_text(w->page, block);
        bool is_code = block->kind == WINNOW_BLOCK_CODE && memchr(text.ptr, '\n', text.len);
        bool is_section = block->kind == WINNOW_BLOCK_HEADING &&
                          !(block->flags & WN_BLOCK_HEADER_CELL);
        bool is_nested = w->page->tables.items[block->table].outermost != block->table;
        if (is_kept(w, i) && (is_code || is_section || is_nested))
            return false;
    }
    return true;
}

void wn_write_markdown_table(wn_markdown *w, uint32_t first, uint32_t end)
{
    uint32_t columns = count_columns(w, first, end);
    uint32_t next = first;
    if (has_header(w, first, end)) {
        next = add_row(w, first, end, columns, true); /* needs as many cells as the line below */
    } else {
        wn_buf_add_char(w->out, '|'); /* a table must have a header */
        add_repeated(w, "  |", columns);
    }
    wn_write_markdown_next_line(w);
    wn_buf_add_char(w->out, '|');
    add_alignment(w, first, end, columns);
    while (next < end) {
        if (is_kept(w, next)) {
            wn_write_markdown_next_line(w);
            next = add_row(w, next, end, columns, columns <= MOST_FILLED_COLUMNS);
        } else {
            next++;
        }
    }
}
