/*
 * What readers see near the heading: "By Jane Miller", "3 May 2024".
 */
#ifndef WN_META_NEARBY_H
#define WN_META_NEARBY_H

#include "meta/date.h"
#include "meta/facts.h"
#include "page/page.h"

/*
 * The language that tells day from month in the dates of a page: the declared one, or "und" if the
 * title is in another script than English, whatever is declared.
 */
wn_str wn_meta_date_language(const wn_page *page);

/* The date that a short block says, by its <time> or its text; false if it says none, or no day. */
bool wn_meta_block_date(const wn_page *page, const wn_block *block, wn_date *date);

/* Whether a short text says that a date beside it is of somebody's account: "Joined:". */
bool wn_meta_says_joined(wn_str text);

/* Whether a date in a block is of the author's account: "Joined: 3 May 2009", also with the label before it. */
bool wn_meta_is_of_account(const wn_page *page, uint32_t block);

/* The name that an element in a block is marked with as an author's, or "": class, itemprop or address say so. */
wn_str wn_meta_block_author(const wn_page *page, const wn_block *block);

/* Looks at the blocks around the one that is the title, and offers what they say. */
void wn_meta_nearby_read(wn_facts *facts, const wn_page *page, wn_str title);

#endif
