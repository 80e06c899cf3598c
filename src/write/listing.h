/*
 * Listings: the kept blocks and links as the public interface shows them.
 */
#ifndef WN_WRITE_LISTING_H
#define WN_WRITE_LISTING_H

#include "base/arena.h"
#include "page/page.h"
#include "page/selection.h"
#include "winnow.h"

/* Fills result->blocks: the kept blocks, or, to explain, all with the reasons. */
void wn_list_blocks(winnow_result *result, const wn_page *page, const wn_selection *selection,
                    bool explain, wn_arena *arena);

/* Fills result->links: those of the kept blocks. `url` is the page's address, or NULL. */
void wn_list_links(winnow_result *result, const wn_page *page, const wn_selection *selection,
                   const char *url, wn_arena *arena);

#endif
