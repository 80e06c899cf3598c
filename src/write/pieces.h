/*
 * Blocks that make one piece: the cells of a table, the lines of code.
 */
#ifndef WN_WRITE_PIECES_H
#define WN_WRITE_PIECES_H

#include "page/page.h"
#include "page/selection.h"

/* The first block behind `i` that is no cell of the same table. */
uint32_t wn_write_end_of_table(const wn_page *page, const wn_selection *selection, uint32_t i);

/* The first block behind `i` that is not of the same <pre>. */
uint32_t wn_write_end_of_code(const wn_page *page, const wn_selection *selection, uint32_t i);

/* Whether the block is the heading of a box or of folded text, which is no heading of the page. */
bool wn_write_is_label(const wn_page *page, const wn_block *block);

/* The language of code, as the <pre>, the <code> in it or the element around it tell; "" if not. */
wn_str wn_write_code_language(const wn_page *page, const wn_block *block);

#endif
