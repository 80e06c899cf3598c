/*
 * Tables of text, for a terminal or in Markdown. The first row is the heading.
 *
 *     wn_draw_table table;
 *     wn_draw_table_begin(&table, 3, 1);        // three columns, the first one of them names
 *     wn_draw_table_cell(&table, "%s", "method"); …
 *     wn_draw_table_write(&table, &out, markdown);
 *     wn_draw_table_free(&table);
 */
#ifndef WN_DRAW_TEXT_TABLE_H
#define WN_DRAW_TEXT_TABLE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"

typedef struct wn_draw_table {
    uint32_t columns;
    uint32_t names; /* the first columns, set to the left; the others hold numbers */
    wn_array(wn_str) cells;
    wn_arena arena;
    bool failed;
} wn_draw_table;

void wn_draw_table_begin(wn_draw_table *table, uint32_t columns, uint32_t names);
void wn_draw_table_free(wn_draw_table *table);

/* Adds the next cell; control characters become visible. */
void wn_draw_table_cell(wn_draw_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void wn_draw_table_text(wn_draw_table *table, wn_str text);

/* Adds a number with so many decimals, "-" if it is not one. */
void wn_draw_table_number(wn_draw_table *table, double value, int decimals);

/* Adds the table and an empty line to `out`. */
void wn_draw_table_write(const wn_draw_table *table, wn_buf *out, bool markdown);

#endif
