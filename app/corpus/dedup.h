/*
 * Duplicate pages: clusters of pages that are equal, or nearly so.
 *
 *     1. Each page is read once. It gives keys: one from the attributes by which pages are compared
 *        (exact), and one per band of its MinHash (near).
 *     2. The keys are sorted (runs.h). Pages with a key in common may be copies.
 *     3. Those are read again and compared: the attributes themselves, or the true Jaccard
 *        similarity of their shingles. Copies are joined (union-find).
 *
 * No page is compared with every other. Under one key the different texts are put in the order of
 * their lengths, and each is compared with the few before it, which are the most likely copies, and
 * with the very first ones. So a key that very many pages share costs no more than others.
 *
 * Which pairs are compared depends only on the texts under the key; whether they are copies depends
 * only on the two; and clusters are connected components. So the clusters are a function of the set
 * of pages: any order of pages and keys gives the same, and so do many machines that each see a
 * part of the keys. A pair that is in one cluster already need not be compared, since that could
 * only join them again.
 *
 * Memory: the option `memory` for the keys, 24 bytes per page for the clusters and texts, and a
 * dozen pages.
 */
#ifndef WN_CORPUS_DEDUP_H
#define WN_CORPUS_DEDUP_H

#include "corpus/minhash.h"
#include "corpus/runs.h"

typedef struct wn_dedup_options {
    uint32_t bands, rows; /* of the MinHash; bands 0: only equal pages */
    double threshold;     /* Jaccard similarity from which pages are copies */
    uint64_t memory;      /* bytes for keys */
    /*
     * Appends what pages are compared by: the text if !exact, else the attributes of which
     * all must be equal. False when it cannot be read: the search ends.
     */
    bool (*read)(void *data, uint32_t page, bool exact, wn_buf *out);
    void *data;
} wn_dedup_options;

/* A page under the present key that was read. */
typedef struct wn_dedup_model {
    bool is_read;
    uint32_t place; /* in the group */
    wn_buf attributes;
    wn_shingles shingles;
} wn_dedup_model;

/* What tells texts apart without reading them again. */
typedef struct wn_dedup_text {
    uint64_t bytes, hash;
} wn_dedup_text;

/* A text is compared with so many of its key: those just before it, and the first ones. */
enum { WN_DEDUP_BEFORE = 8, WN_DEDUP_FIRST = 4 };

/* Zero it before wn_corpus_dedup_init(). */
typedef struct wn_dedup {
    wn_dedup_options options;
    wn_minhash minhash;
    wn_shingler shingler;
    wn_runs keys;
    wn_array(uint32_t) parents;    /* of the pages; a root is its own parent */
    wn_array(wn_dedup_text) texts; /* of the pages */
    wn_array(uint32_t) group;      /* pages of the present key */
    wn_dedup_model models[WN_DEDUP_FIRST + WN_DEDUP_BEFORE + 1];
    uint64_t compared; /* pairs of pages that were read */
    bool failed;       /* out of memory, or a page could not be read; or see keys.error */
} wn_dedup;

void wn_corpus_dedup_init(wn_dedup *dedup, const wn_dedup_options *options);
void wn_corpus_dedup_free(wn_dedup *dedup);

/*
 * Adds the next page; pages are numbered from 0. `attributes` are compared by their bytes; an empty
 * string, or a text without words, is like no other. False when it failed.
 */
bool wn_corpus_dedup_add(wn_dedup *dedup, wn_str text, wn_str attributes);

/* Finds the clusters, when all pages were added; false when it failed. */
bool wn_corpus_dedup_find(wn_dedup *dedup);

/* The first page of the cluster that a page is in. */
uint32_t wn_corpus_dedup_first(wn_dedup *dedup, uint32_t page);

#endif
