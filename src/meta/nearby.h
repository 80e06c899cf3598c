/*
 * What readers see near the heading: "By Jane Miller", "3 May 2024".
 */
#ifndef WN_META_NEARBY_H
#define WN_META_NEARBY_H

#include "meta/facts.h"
#include "page/page.h"

/* Looks at the blocks around the one that is the title, and offers what they say. */
void wn_meta_nearby_read(wn_facts *facts, const wn_page *page, wn_str title);

#endif
