/*
 * Cells of tables: what their elements say besides their text.
 */
#ifndef WN_WRITE_CELLS_H
#define WN_WRITE_CELLS_H

#include "page/page.h"

typedef enum wn_alignment {
    WN_ALIGN_NONE,
    WN_ALIGN_LEFT,
    WN_ALIGN_CENTER,
    WN_ALIGN_RIGHT,
} wn_alignment;

typedef struct wn_write_cell {
    uint32_t columns, rows; /* that it covers; at least 1 */
    wn_alignment alignment;
    wn_node_id node; /* the <td> or <th>; WN_NO_NODE if it is not known */
} wn_write_cell;

/* The cell that a block is in. */
wn_write_cell wn_write_cell_of(const wn_page *page, const wn_block *block);

#endif
