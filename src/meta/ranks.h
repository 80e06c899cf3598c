/*
 * How credible sources are, for those that several files use. Higher is better; they were ordered
 * by how often each was right on the WCXB development pages (`make score-metadata`).
 */
#ifndef WN_META_RANKS_H
#define WN_META_RANKS_H

enum {
    WN_RANK_SHOWN = 91,        /* "By Jane Miller" right after the heading: what readers are told */
    WN_RANK_JSONLD = 90,       /* of a work: an article, a product */
    WN_RANK_JSONLD_PAGE = 62,  /* of the page, or the site */
    WN_RANK_ORGANISATION = 36, /* as an author: a name near the heading says more */
    WN_RANK_NEARBY = 56,       /* seen near the heading; less the further away it is */
    WN_RANK_LATE = 30,         /* if nothing else speaks */
};

#endif
