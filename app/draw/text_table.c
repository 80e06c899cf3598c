#include "draw/text_table.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "io/message.h"

enum { LONGEST_CELL = 1024 };

void wn_draw_table_begin(wn_draw_table *table, uint32_t columns, uint32_t names)
{
    *table = (wn_draw_table){.columns = columns, .names = names};
}

void wn_draw_table_free(wn_draw_table *table)
{
    wn_array_free(&table->cells);
    wn_arena_free(&table->arena);
}

void wn_draw_table_text(wn_draw_table *table, wn_str text)
{
    wn_buf shown = {0};
    wn_add_printable(&shown, text);
    wn_str *cell = wn_array_push(&table->cells);
    if (cell)
        *cell = wn_arena_copy(&table->arena, wn_buf_str(&shown));
    table->failed = table->failed || !cell || table->arena.failed;
    wn_buf_free(&shown);
}

void wn_draw_table_cell(wn_draw_table *table, const char *format, ...)
{
    char text[LONGEST_CELL];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wn_draw_table_text(table, wn_str_of(text));
}

void wn_draw_table_number(wn_draw_table *table, double value, int decimals)
{
    if (isnan(value))
        wn_draw_table_cell(table, "-");
    else
        wn_draw_table_cell(table, "%.*f", decimals, value);
}

/* ---- Writing ----------------------------------------------------------------------------- */

/* Characters are the width of nearly all names. */
static size_t column_width(const wn_draw_table *table, uint32_t column)
{
    size_t width = 0;
    for (uint32_t i = column; i < table->cells.count; i += table->columns) {
        size_t cell = wn_utf8_count(table->cells.items[i]);
        width = cell > width ? cell : width;
    }
    return width;
}

static void write_plain_row(const wn_draw_table *table, uint32_t first, const size_t *widths,
                            wn_buf *out)
{
    for (uint32_t column = 0; column < table->columns; column++) {
        wn_str cell = table->cells.items[first + column];
        size_t space = widths[column] - wn_utf8_count(cell);
        bool last = column + 1 == table->columns;
        if (column > 0)
            wn_buf_add_literal(out, "  ");
        if (column >= table->names)
            wn_buf_add_repeated(out, ' ', space);
        wn_buf_add(out, cell);
        if (column < table->names && !last)
            wn_buf_add_repeated(out, ' ', space);
    }
    wn_buf_add_char(out, '\n');
}

static void write_markdown_row(const wn_draw_table *table, uint32_t first, wn_buf *out)
{
    for (uint32_t column = 0; column < table->columns; column++) {
        wn_str cell = table->cells.items[first + column];
        wn_buf_add_literal(out, "| ");
        for (size_t i = 0; i < cell.len; i++) {
            if (strchr("|\\`*_<>[]", cell.ptr[i]) && cell.ptr[i])
                wn_buf_add_char(out, '\\');
            wn_buf_add_char(out, cell.ptr[i]);
        }
        wn_buf_add_char(out, ' ');
    }
    wn_buf_add_literal(out, "|\n");
}

static void write_markdown_rule(const wn_draw_table *table, wn_buf *out)
{
    for (uint32_t column = 0; column < table->columns; column++)
        wn_buf_add_literal(out, column < table->names ? "| --- " : "| ---: ");
    wn_buf_add_literal(out, "|\n");
}

void wn_draw_table_write(const wn_draw_table *table, wn_buf *out, bool markdown)
{
    size_t *widths = calloc(table->columns, sizeof *widths);
    assert(table->failed || table->cells.count % table->columns == 0);
    out->failed = out->failed || table->failed || !widths;
    for (uint32_t i = 0; widths && i < table->columns; i++)
        widths[i] = column_width(table, i);
    for (uint32_t i = 0; widths && i + table->columns <= table->cells.count; i += table->columns) {
        if (markdown)
            write_markdown_row(table, i, out);
        else
            write_plain_row(table, i, widths, out);
        if (i == 0 && markdown)
            write_markdown_rule(table, out);
    }
    wn_buf_add_char(out, '\n');
    free(widths);
}
