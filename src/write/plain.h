/*
 * The text of a block without markup: powers, indices, footnote marks and quotations are shown by
 * characters.
 *
 *     10<sup>6</sup>                 10^6
 *     address<sup><a>4</a></sup>     address[4]
 *     <q>so</q>                      “so”
 */
#ifndef WN_WRITE_PLAIN_H
#define WN_WRITE_PLAIN_H

#include "page/page.h"

/* Whether the text of the block differs from the page's text, so that it has to be written. */
bool wn_write_plain_differs(const wn_page *page, const wn_block *block);

/* Adds the text of the block to `out`. */
void wn_write_plain(wn_buf *out, const wn_page *page, const wn_block *block);

/* The text of the block: that of the page or, if it differs, what it puts into `plain`. */
wn_str wn_write_plain_text(wn_buf *plain, const wn_page *page, const wn_block *block);

#endif
