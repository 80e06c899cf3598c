/*
 * The sites of a collection: the template that was learned from the pages of each host
 * (page/site.h).
 *
 * Pages that have no address belong to the folder that they lie in.
 */
#ifndef WN_CORPUS_SITES_H
#define WN_CORPUS_SITES_H

#include "corpus/key_sample.h"
#include "page/site.h"

enum {
    /*
     * Sites that are learned, those whose keys have the least hashes (key_sample.h); pages of
     * further ones stay as they are. A small one takes some KB.
     */
    WN_SITES_MOST = 100000,
};

/* Zero it before the first use. */
typedef struct wn_sites {
    uint32_t most; /* sites that are learned; 0: WN_SITES_MOST */
    wn_key_sample keys;
    wn_array(winnow_site *) list; /* by number of the key; NULL: it had to make room */
    bool failed;                  /* out of memory */
} wn_sites;

/*
 * Appends the key of a page's site: the host of `url` in lower case, or the folder of `path` if
 * there is no host.
 */
void wn_corpus_sites_key(wn_buf *out, wn_str url, wn_str path);

/*
 * The site of that key, made if it is new; NULL if it is not one of those that are learned, or
 * memory is out. Valid until the next call, which may have to make room.
 */
winnow_site *wn_corpus_sites_make(wn_sites *sites, wn_str key);

/* NULL if nothing is known of it. */
const winnow_site *wn_corpus_sites_find(const wn_sites *sites, wn_str key);

/* All pages are added: makes the sites ready to be asked; false if out of memory. */
bool wn_corpus_sites_settle(wn_sites *sites);

void wn_corpus_sites_free(wn_sites *sites);

#endif
