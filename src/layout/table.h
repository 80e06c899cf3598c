/*
 * Tables, as the files table*.c share them.
 */
#ifndef WN_LAYOUT_TABLE_H
#define WN_LAYOUT_TABLE_H

#include "layout/engine.h"

enum {
    MAX_COLUMNS = 4096,
    MAX_COLUMN_SPAN = 1000, /* as the HTML standard says */
    MAX_ROW_SPAN = 65534,
    MAX_SHARING_ROWS = 1000, /* that share out the height of a cell over them */
    SPANNED_STEPS = 4,       /* what a column or row that a cell spans costs, and … */
    COLUMNS_PER_STEP = 16,   /* … one that is only counted */
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

/* Rows that belong together: a row group, or consecutive rows outside any group. */
typedef struct section {
    uint32_t box;          /* 0: none */
    uint32_t first, count; /* rows */
    wn_px height, y;
    wn_px given;   /* by its style; WN_PX_AUTO */
    float percent; /* likewise; 0: none */
    bool body;     /* neither head nor foot */
} section;

struct wn_layout_table {
    column *columns;
    row *rows;
    section *sections;
    uint32_t *cells, *captions;
    uint32_t column_count, row_count, cell_count, caption_count, group_count, section_count;
    uint32_t span_sum; /* of all cells: there are no more columns */
    wn_px spacing_x, spacing_y;
};

typedef struct wn_layout_table table;

/* How far a cell or column reaches: the number in an attribute, 1 if there is none. */
uint32_t wn_layout_table_span(const wn_lay *lay, const wn_lay_box *box, wn_attr_name name,
                              uint32_t most);

/* The percentage that a length is; 0 if it is something else. */
float wn_layout_table_percent(wn_length length);

/* ---- table_widths.c ---------------------------------------------------------------------- */

/* Finds the least and most widths of all columns. */
void wn_layout_table_find_columns(wn_lay *lay, uint32_t box, table *t);

/* Gives all columns their width and place in a table of that width. */
void wn_layout_table_set_columns(wn_lay *lay, uint32_t box, table *t, wn_px width);

wn_px wn_layout_table_gaps(const table *t); /* beside and between columns */

/* ---- table_heights.c --------------------------------------------------------------------- */

/* Rows and sections as high as their cells, which have been measured, need. */
void wn_layout_table_size_rows(wn_lay *lay, table *t);

/* Makes sections higher by `more` in all; they will be `whole` together. */
void wn_layout_table_stretch(table *t, wn_px more, wn_px whole);

/* Places sections and rows from `y` on; returns where they end. */
wn_px wn_layout_table_place_sections(table *t, wn_px y);

#endif
