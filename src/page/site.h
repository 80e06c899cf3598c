/*
 * A site's template: the lines that repeat from page to page.
 *
 * Menus, notices and teasers are on most pages of a site, and content on one. Each page of a site
 * adds its lines once; a line on enough of the pages belongs to the template, and a block all of
 * whose lines do is noise, whatever a method decided.
 *
 * A line is kept as a hash of its words: letters and digits, ignoring the case of ASCII
 * letters, to marks around it, and to the kind of its spaces. Lines end at a line break or
 * a tab, so blocks of a page, its plain text and its tables give the same lines.
 *
 * What is learned is a function of the set of pages. Lines are counted exactly as long as there are
 * not too many; then their counts move to a Count-Min sketch (Cormode and Muthukrishnan, 2005),
 * which only ever overestimates, by less than one page in a hundred. Both are sums, so pages may
 * come in any order, and sites may be learned separately and merged.
 */
#ifndef WN_PAGE_SITE_H
#define WN_PAGE_SITE_H

#include "base/array.h"
#include "page/page.h"
#include "page/selection.h"

enum {
    WN_SITE_MOST_LINES = 32768, /* that are counted exactly */
    WN_SITE_ROWS = 4,           /* of the sketch: a line's count is the least of its counters */
    WN_SITE_ROW = 1 << 16,      /* counters of a row; 1 MB in all */
};

/* Chosen on cleanportaleval and wcxb-dev (docs/site.md). */
#define WN_SITE_SHARE 0.3 /* of the pages that must have a line */
#define WN_SITE_PAGES 3   /* that must have it at least */

typedef struct wn_page_site_line {
    uint64_t hash;
    uint32_t pages; /* that have it */
} wn_page_site_line;

struct winnow_site {
    wn_array(wn_page_site_line) lines; /* sorted by hash; empty with a sketch */
    wn_array(uint64_t) waiting;        /* lines of pages that were not counted yet */
    uint32_t *sketch;                  /* NULL: lines are counted exactly */
    uint32_t pages;
    bool failed; /* out of memory: lines are missing */
};

/* Calls `found` with the hash of each line of `text` that has words, until it returns false. */
void wn_page_site_lines(wn_str text, bool (*found)(void *data, uint64_t hash), void *data);

/*
 * Adds a page by the hashes of its lines; one that comes twice counts once. Pages are counted
 * several at a time: settle the site before it is asked, merged or written.
 */
void wn_page_site_add(winnow_site *site, const uint64_t *lines, size_t count);
void wn_page_site_settle(winnow_site *site);

/* Adds what another site, which is settled, has learned from other pages. */
void wn_page_site_merge(winnow_site *site, const winnow_site *other);

/* Whether a line of that hash belongs to the template. */
bool wn_page_site_has(const winnow_site *site, uint64_t hash);

/* Whether a block is of the template: it has words, and all its lines are. */
bool wn_page_site_is_template(const winnow_site *site, wn_str text);

/* Drops the blocks of the template from the selection. */
void wn_page_site_drop(const winnow_site *site, const wn_page *page, wn_selection *selection);

/* What is known of a site as bytes, to be kept and read back; false if they are not sound. */
void wn_page_site_write(const winnow_site *site, wn_buf *out);
bool wn_page_site_read(winnow_site *site, wn_str bytes);

#endif
