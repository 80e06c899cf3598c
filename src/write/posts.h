/*
 * Who wrote a post of a forum, and when: lines of the post say so, and are rarely part of its text.
 */
#ifndef WN_WRITE_POSTS_H
#define WN_WRITE_POSTS_H

#include "meta/date.h"
#include "page/page.h"
#include "page/selection.h"

typedef struct wn_write_post {
    wn_str author;           /* "" if not known; a slice of the page */
    char date[WN_DATE_SIZE]; /* ISO 8601; "" if not known */
    wn_str new_author;       /* what the text does not say, to be written before it */
    const char *new_date;    /* "" if the text says any of it */
} wn_write_post;

/* Reads the post that begins with the block `first` (WN_POST_STARTS). */
void wn_write_post_read(wn_write_post *post, const wn_page *page, const wn_selection *selection,
                        uint32_t first);

#endif
