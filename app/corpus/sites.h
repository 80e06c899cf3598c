/*
 * The sites of a collection: for each host what repeats on its pages (page/site.h).
 *
 * Pages that have no address belong to the folder that they lie in.
 */
#ifndef WN_CORPUS_SITES_H
#define WN_CORPUS_SITES_H

#include "eval/words.h"
#include "page/site.h"

enum {
    /* Sites that are learned; pages of further ones stay as they are. A small one takes some KB. */
    WN_SITES_MOST = 100000,
};

/* Zero it before the first use. */
typedef struct wn_sites {
    wn_vocabulary names;
    wn_array(winnow_site *) list; /* by number of the name */
    bool failed;                  /* memory is out */
} wn_sites;

/*
 * Writes the name of a page's site: the host of `url` in small letters, or the folder of `path` if
 * that is empty.
 */
void wn_site_name(wn_buf *out, wn_str url, wn_str path);

/* The site of that name, made if it is new; NULL if there are too many, or memory is out. */
winnow_site *wn_sites_make(wn_sites *sites, wn_str name);

/* NULL if nothing is known of it. */
const winnow_site *wn_sites_find(const wn_sites *sites, wn_str name);

/* All pages are added: makes the sites ready to be asked; false when memory is out. */
bool wn_sites_settle(wn_sites *sites);

void wn_sites_free(wn_sites *sites);

#endif
