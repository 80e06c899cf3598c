/*
 * The title: which of several, and where the name of the site ends.
 *
 * <title> is nearly always there and nearly always says more than the title: "Mills of the North |
 * The Daily Miller". The heading says less, but a page can have several, and the first one may be
 * the site's logo. A heading that <title> or og:title confirms is the title; without one the
 * most believable of the others is, without the name of the site.
 */
#ifndef WN_META_TITLE_H
#define WN_META_TITLE_H

#include "meta/facts.h"

enum { WN_MOST_TITLES = 16 };

typedef struct wn_title {
    const char *source;
    wn_str text;
    uint32_t heading; /* the number of the <h1>, from 1; 0: it is none */
} wn_title;

/* Empty when `count` is 0. */
typedef struct wn_titles {
    wn_title items[WN_MOST_TITLES];
    uint32_t count;
} wn_titles;

/* `source` is "title", "meta og:title", …; the text is tidy. */
void wn_meta_titles_add(wn_titles *titles, const char *source, wn_str text);
void wn_meta_titles_add_heading(wn_titles *titles, wn_str text, uint32_t heading);

/*
 * The title, "" if there is none; its source and, if it is one, the number of its <h1>. The
 * facts give the name of the site; one that only <title> has is offered to them.
 */
wn_str wn_meta_titles_choose(const wn_titles *titles, wn_facts *facts, const char **source,
                             uint32_t *heading);

#endif
