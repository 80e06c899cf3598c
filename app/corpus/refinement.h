/*
 * Equations 2 and 3 of Lingwal's paper: precision and recall of a collection before and after the
 * removal of redundant pages. docs/dedup.md defines them.
 *
 *     wn_refinement refinement = {0};
 *     wn_corpus_refinement_learn(&refinement, lines);      // optional: the relevant pages
 *     wn_corpus_refinement_add(&refinement, &page);        // every page, in the order of the clusters
 *     wn_corpus_refinement_count(&refinement, &clusters);  // once the clusters are known
 *     … refinement.rows …
 *     wn_corpus_refinement_free(&refinement);
 */
#ifndef WN_CORPUS_REFINEMENT_H
#define WN_CORPUS_REFINEMENT_H

#include "base/json.h"
#include "base/map.h"
#include "corpus/clusters.h"
#include "corpus/store.h"

/* The pages of one label, or all of them. */
typedef struct wn_refinement_row {
    wn_str label;                      /* "" of all pages, which is the last row */
    uint64_t retrieved, refined;       /* pages before and after the removal */
    uint64_t relevant, relevant_after; /* relevant documents before and after */
} wn_refinement_row;

typedef struct wn_refined_page {
    uint32_t label, document; /* numbers; a document that is not relevant is WN_MAP_NONE */
    bool kept;
} wn_refined_page;

/* Zero it before the first use. */
typedef struct wn_refinement {
    wn_map listed;                /* sources that were learned */
    wn_array(uint32_t) documents; /* of them, by number */
    wn_map names, labels;         /* of documents; of pages */
    wn_map64 texts;               /* hashes of texts, when no sources were learned */
    wn_array(wn_refined_page) pages;
    wn_array(wn_refinement_row) rows;
    wn_arena arena; /* bytes of sources, names and labels */
} wn_refinement;

/*
 * Learns which pages are relevant: lines "SOURCE" or "SOURCE<tab>DOCUMENT". Pages of one document
 * are relevant once. Without this call every different text is a relevant document. False when
 * memory is out.
 */
bool wn_corpus_refinement_learn(wn_refinement *refinement, wn_str lines);

bool wn_corpus_refinement_add(wn_refinement *refinement, const wn_stored *page);
bool wn_corpus_refinement_count(wn_refinement *refinement, const wn_clusters *clusters);

/* As printed, for the pages before (`after` false) and after the removal; NAN without pages. */
double wn_corpus_printed_precision(const wn_refinement_row *row, bool after);
double wn_corpus_printed_recall(const wn_refinement_row *row, bool after);

/* The share of relevant documents among the pages, and of the relevant documents that are there. */
double wn_corpus_true_precision(const wn_refinement_row *row, bool after);
double wn_corpus_true_recall(const wn_refinement_row *row, bool after);

void wn_corpus_refinement_table(const wn_refinement *refinement, wn_buf *out);
void wn_corpus_refinement_json(const wn_refinement *refinement, wn_json_writer *json);

void wn_corpus_refinement_free(wn_refinement *refinement);

#endif
