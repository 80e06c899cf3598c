/*
 * The numbers of items as a reader sees them: "3", "c", "iii", by the type of the list.
 */
#ifndef WN_WRITE_NUMBERS_H
#define WN_WRITE_NUMBERS_H

#include "page/page.h"

/* Adds the number of an item, which is the block of a numbered list. */
void wn_write_add_number(wn_buf *out, const wn_page *page, const wn_block *item);

#endif
