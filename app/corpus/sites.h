/*
 * The sites of a collection: the template that was learned from the pages of each host
 * (page/site.h).
 *
 * Pages that have no address belong to the folder that they lie in.
 */
#ifndef WN_CORPUS_SITES_H
#define WN_CORPUS_SITES_H

#include "text/vocabulary.h"
#include "page/site.h"

enum {
    /* Sites that are learned; pages of further ones stay as they are. A small one takes some KB. */
    WN_SITES_MOST = 100000,
};

/* Zero it before the first use. */
typedef struct wn_sites {
    wn_vocabulary keys;
    wn_array(winnow_site *) list; /* by number of the key */
    bool failed;                  /* memory is out */
} wn_sites;

/*
 * Appends the key of a page's site: the host of `url` in lower case, or the folder of `path` if
 * there is no host.
 */
void wn_corpus_sites_key(wn_buf *out, wn_str url, wn_str path);

/* The site of that key, made if it is new; NULL if there are too many, or memory is out. */
winnow_site *wn_corpus_sites_make(wn_sites *sites, wn_str key);

/* NULL if nothing is known of it. */
const winnow_site *wn_corpus_sites_find(const wn_sites *sites, wn_str key);

/* All pages are added: makes the sites ready to be asked; false when memory is out. */
bool wn_corpus_sites_settle(wn_sites *sites);

void wn_corpus_sites_free(wn_sites *sites);

#endif
