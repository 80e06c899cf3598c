/*
 * Tables while a page is read: where a cell is, and which tables hold data.
 *
 * Many tables are used for layout rather than data. A table with one column is treated as such, and
 * so is one without a header that contains another table, a rule, as the posts of many forums do, or
 * many blocks in a cell: at the end of the page its cells become ordinary text, or text of the
 * enclosing cell.
 *
 *     uint32_t table = wn_page_tables_enter(&tables, node, around, false);
 *     wn_page_tables_enter_row(&tables, table);
 *     wn_page_tables_enter_cell(&tables, table, 1, 1);
 *     wn_page_tables_place(&tables, table, block);          // each block in a cell
 *     …
 *     wn_page_tables_dissolve(&tables, page);               // at the end of the page
 */
#ifndef WN_PAGE_TABLES_H
#define WN_PAGE_TABLES_H

#include "page/page.h"

/* Columns in which cells over several rows are minded; few tables have more. */
enum { WN_SPANNED_COLUMNS = 64 };

typedef struct wn_page_table {
    uint32_t row, column;       /* of the cell that is read; counted from 1 */
    uint32_t next_column;       /* after it: cells may span several */
    uint32_t cells, most_cells; /* of the row that is read, of the widest row */
    uint32_t cell_blocks, most_cell_blocks;
    uint32_t cell_headings;
    wn_node_id node;                    /* the <table>; WN_NO_NODE: there is no tree */
    uint32_t around;                    /* the table that it is in; 0: none */
    uint32_t around_row, around_column; /* of the cell that it is in */
    bool is_layout;                     /* it makes columns */
    bool holds_table, holds_rule, has_header;
    bool holds_sections; /* a cell has several headings */
    uint32_t spans;      /* from 1; 0: no cell reaches into the rows below */
} wn_page_table;

/* Of each column of a table: how many rows a cell still covers. Most tables need none. */
typedef struct wn_page_spans {
    uint16_t below[WN_SPANNED_COLUMNS];
} wn_page_spans;

/* Tables are known by number, from 1; 0 means none. Zero it before its first page. */
typedef struct wn_page_tables {
    wn_array(wn_page_table) list;
    wn_array(wn_page_spans) spans;
} wn_page_tables;

/* Forgets all tables; false if out of memory. */
bool wn_page_tables_start(wn_page_tables *tables);

void wn_page_tables_free(wn_page_tables *tables);
size_t wn_page_tables_memory(const wn_page_tables *tables);

/* A table begins, inside the table `around` or 0. Returns its number; 0 if out of memory. */
uint32_t wn_page_tables_enter(wn_page_tables *tables, wn_node_id node, uint32_t around,
                              bool is_layout);

/* A row begins, and a cell of it over `width` columns and `height` rows. */
void wn_page_tables_enter_row(wn_page_tables *tables, uint32_t table);
void wn_page_tables_enter_cell(wn_page_tables *tables, uint32_t table, uint32_t width,
                               uint32_t height);

/* The table has a header cell or a caption. */
void wn_page_tables_note_header(wn_page_tables *tables, uint32_t table);

/* A cell of the table holds an <hr>. */
void wn_page_tables_note_rule(wn_page_tables *tables, uint32_t table);

/* Says where in the table something is, which is not counted as a block. */
void wn_page_tables_locate(const wn_page_tables *tables, uint32_t table, wn_block *block);

/* Gives a block of the table its place. */
void wn_page_tables_place(wn_page_tables *tables, uint32_t table, wn_block *block);

/*
 * Makes ordinary blocks, and objects, of the cells of tables that hold no data, and lists the
 * others.
 */
void wn_page_tables_dissolve(wn_page_tables *tables, wn_page *page);

#endif
