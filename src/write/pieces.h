/*
 * Blocks that make one piece: the cells of a table, the lines of code.
 */
#ifndef WN_WRITE_PIECES_H
#define WN_WRITE_PIECES_H

#include "page/page.h"
#include "page/selection.h"

/* Whether the block is in a cell of the table, maybe in a table there. */
bool wn_write_is_in_table(const wn_page *page, const wn_block *block, uint32_t table);

/* Whether the block is in a cell of a table; the caption of a table that is in no other is not. */
bool wn_write_is_of_table(const wn_page *page, const wn_block *block);

/* The table in a cell of `table` that holds the block, which is in both; 0: no other table does. */
uint32_t wn_write_table_in(const wn_page *page, const wn_block *block, uint32_t table);

/* The first block after `i` that is not in the table, which `i` is in, or is its caption. */
uint32_t wn_write_end_of_table(const wn_page *page, const wn_selection *selection, uint32_t table,
                               uint32_t i);

/*
 * Whether that table, of which the cells from `first` to before `end` are kept, only arranges text:
 * it has no header and no caption, and one column of text, or one row of two cells. Writers that
 * have tables write such cells one after the other; one that is a formula is displayed.
 */
bool wn_write_only_arranges(const wn_page *page, const wn_selection *selection, uint32_t first,
                            uint32_t end);

/* The first block after `i` that is not of the same <pre>. */
uint32_t wn_write_end_of_code(const wn_page *page, const wn_selection *selection, uint32_t i);

/*
 * Whether the block is the heading of a box or of folded text, which is not a heading of the page.
 */
bool wn_write_is_label(const wn_page *page, const wn_block *block);

/* Whether all of the block is one formula. */
bool wn_write_is_formula(const wn_page *page, const wn_block *block);

/* The language of code, as the <pre>, the <code> in it or the element around it tell; "" if not. */
wn_str wn_write_code_language(const wn_page *page, const wn_block *block);

#endif
