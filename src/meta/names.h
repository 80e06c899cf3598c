/*
 * Names of authors: what is left of "By Jane Miller, Staff Writer | 3 May 2024".
 */
#ifndef WN_META_NAMES_H
#define WN_META_NAMES_H

#include "meta/facts.h"

/*
 * The name in a byline: without "By" and "Written by" in any language, and without what follows it
 * (a date, a role, an address). "" if this is not a name. A slice of `text`.
 */
wn_str wn_meta_name_clean(wn_str text);

/* Whether the text begins as a byline does ("By Jane"), and the rest of it. */
bool wn_meta_byline_starts(wn_str text, wn_str *rest);

/* Whether the text is all that comes before the name in a byline: "Written by", "Author:". */
bool wn_meta_is_byline_label(wn_str text);

/* Offers the authors that `text` names, each by itself: "Jane Miller and Ann Weaver". */
void wn_meta_names_offer(wn_facts *facts, int rank, const char *source, wn_str text);

#endif
