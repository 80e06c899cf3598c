/*
 * Lines that say who wrote a comment, and when: "Jane Miller says:", "3 May 2024 at 10:11",
 * "Posted by Jane | May 3, 2024".
 */
#ifndef WN_WRITE_BYLINES_H
#define WN_WRITE_BYLINES_H

#include "page/page.h"

/* Slices of the page's text; "" if not known. */
typedef struct wn_write_byline {
    wn_str author, date;
} wn_write_byline;

/*
 * Reads a line. `is_named` if names of elements say that it is one; else it must be short and
 * have a date, or end as in "Jane says". False if it is what somebody wrote.
 */
bool wn_write_byline_read(wn_write_byline *byline, const wn_page *page, const wn_block *block,
                          bool is_named);

#endif
