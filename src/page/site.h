/*
 * A site's template: the lines that repeat from page to page.
 *
 * Menus, notices and teasers stand on most pages of a site, and content on one. Each page of
 * a site adds its lines once; a line of enough of the pages belongs to the template, and a block of
 * which every line does is noise, whatever a method thought of it.
 *
 * A line is kept as a hash of its words: letters and digits, without regard to the case of ASCII
 * letters, to marks before and behind it, and to the kind of its spaces. Lines end at a line break or
 * a tab, so blocks of a page, its plain text and its tables give the same lines.
 *
 * Memory is bounded (Manku and Motwani, "lossy counting", 2002): when there is no more room, lines are
 * forgotten that were seen least often. What stands on most pages is never among them.
 */
#ifndef WN_PAGE_SITE_H
#define WN_PAGE_SITE_H

#include "base/array.h"
#include "base/map.h"
#include "page/page.h"
#include "page/selection.h"

enum {
    /* Lines of a site that are counted: 32 to 48 bytes each. */
    WN_SITE_MOST_LINES = 32768,
};

/* Chosen on cleanportaleval and wcxb-dev (docs/site.md). */
#define WN_SITE_SHARE 0.3 /* of the pages that must have a line */
#define WN_SITE_PAGES 3   /* that must have it at least */

typedef struct wn_site_line {
    uint32_t pages; /* that have it */
    uint32_t last;  /* the page that had it last; pages count from 1 */
} wn_site_line;

struct winnow_site {
    wn_map64 hashes;              /* of the lines */
    wn_array(wn_site_line) lines; /* by number of the hash */
    uint32_t pages;
    double share;
    uint32_t least;
    uint32_t most_lines;
    bool failed; /* memory is out: lines are missing */
};

/* Calls `found` with the hash of each line of `text` that has words, until it returns false. */
void wn_site_lines(wn_str text, bool (*found)(void *data, uint64_t hash), void *data);

/* Adds a page by the hashes of its lines; one that comes twice counts once. */
void wn_site_add(winnow_site *site, const uint64_t *lines, size_t count);

/* Whether a line of that hash belongs to the template. */
bool wn_site_has(const winnow_site *site, uint64_t hash);

/* Whether a block is of the template: it has words, and all its lines are. */
bool wn_site_is_template(const winnow_site *site, wn_str text);

/* Drops the blocks of the template from the selection. */
void wn_site_drop(const winnow_site *site, const wn_page *page, wn_selection *selection);

/* What is known of a site as bytes, to be kept and read back; false if they are not sound. */
void wn_site_write(const winnow_site *site, wn_buf *out);
bool wn_site_read(winnow_site *site, wn_str bytes);

#endif
