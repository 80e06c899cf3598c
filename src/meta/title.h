/*
 * The title: choosing among candidates, and removing the name of the site.
 *
 * <title> is nearly always there and nearly always says more than the title: "Mills of the North |
 * The Daily Miller". The heading says less, but a page can have several, and the first one may be
 * the site's logo. A heading that <title> or og:title confirms is the title; without one the most
 * believable of the others is, without the name of the site. Where the <h1> is the site's name, as
 * <title> shows, the title is a later heading, which may be an <h2>.
 */
#ifndef WN_META_TITLE_H
#define WN_META_TITLE_H

#include "meta/facts.h"
#include "page/page.h"

enum { WN_MOST_TITLES = 24 };

typedef struct wn_title {
    const char *source;
    wn_str text;
    uint32_t heading; /* <h1> up to this heading, itself included; 0: it is not a heading */
    uint8_t level;    /* of a heading: 1 or 2 */
} wn_title;

/* Empty when `count` is 0. */
typedef struct wn_titles {
    wn_title items[WN_MOST_TITLES];
    uint32_t count;
} wn_titles;

/*
 * `source` is "title", "meta og:title", …; the text is tidy. Headings are added in document order.
 */
void wn_meta_titles_add(wn_titles *titles, const char *source, wn_str text);
void wn_meta_titles_add_heading(wn_titles *titles, wn_str text, uint32_t heading, uint8_t level);

/*
 * The title, "" if there is none; its source and, if it is a heading, how many <h1> come up to it.
 * The facts give the name of the site; one that only <title> has is offered to them.
 */
wn_str wn_meta_titles_choose(const wn_titles *titles, wn_facts *facts, const char **source,
                             uint32_t *heading);

/*
 * A title that is not a heading, up to where the page shows it: of "Old mills - North - The Daily
 * Miller" it is "Old mills" if a block says that and nothing else.
 */
wn_str wn_meta_titles_shown(wn_facts *facts, const wn_page *page, wn_str title);

#endif
