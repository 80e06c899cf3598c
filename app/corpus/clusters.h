/*
 * The clusters of redundant pages (dedup.h): which page of each is kept, how many there are, a
 * picture.
 */
#ifndef WN_CORPUS_CLUSTERS_H
#define WN_CORPUS_CLUSTERS_H

#include "corpus/dedup.h"
#include "draw/sheet.h"

/* What is known of a page, by its number. */
typedef struct wn_cluster_page {
    int64_t id, copy_of; /* in the store */
    int64_t date;        /* 20240531; 0: not known */
    uint32_t rank;       /* by its place in the inputs, which no order of adding changes */
    uint32_t bytes;      /* of its text */
    uint32_t kept;       /* the page of its cluster that is kept; itself if it is that one */
    uint32_t size;       /* of the cluster; of the kept page only */
} wn_cluster_page;

typedef enum wn_keep { WN_KEEP_FIRST, WN_KEEP_LONGEST, WN_KEEP_NEWEST } wn_keep;

enum { WN_CLUSTER_BINS = 32 }; /* bin i: clusters of more than 2^i and at most 2^(i+1) pages */

typedef struct wn_clusters {
    wn_array(wn_cluster_page) pages;
    uint64_t clusters, copies;       /* clusters of more than one page; pages that are not kept */
    uint64_t bytes, copy_bytes;      /* of all texts, and of those of copies */
    uint64_t largest;                /* pages of the largest cluster */
    uint64_t sizes[WN_CLUSTER_BINS]; /* clusters by size */
} wn_clusters;

/*
 * Chooses the pages that are kept, when the clusters are found; of equal ones that of the least
 * rank.
 */
void wn_corpus_clusters_choose(wn_clusters *clusters, wn_dedup *dedup, wn_keep keep);

/* "2024-05-31" as 20240531, and less of it with zeros. */
int64_t wn_corpus_cluster_date(wn_str date);

/* Draws how many clusters there are of each size. */
void wn_corpus_clusters_plot(const wn_clusters *clusters, wn_sheet *sheet);

void wn_corpus_clusters_free(wn_clusters *clusters);

#endif
