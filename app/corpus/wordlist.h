/*
 * The word list of a collection: one row per word, and which words are outliers.
 *
 *     wn_document document = {0};
 *     wn_wordlist list = {0};
 *     wn_corpus_document_read(&document, &terms, text, false);     // each page: its words, counted
 *     wn_corpus_wordlist_add(&list, label, &document);
 *     …
 *     wn_corpus_wordlist_find(&list, &options);                    // n words become outliers
 *
 * The row of a word, in the order of its attributes:
 *
 *     total       how often it occurs
 *     documents   in how many pages
 *     labelled    in how many pages that have a label
 *     tfidf       mean of tf x idf over the pages it occurs in: tf = its share of the page's
 *                 words, idf = ln(pages / documents)
 *     LABEL       how often it occurs in pages of that label, for each label
 *
 * All counts are integers, including the shares, so every order of the pages, and every partition
 * whose lists are added up, gives identical rows.
 *
 * A point of the search is that row, as it is (scale none), by its logarithm ln(1 + x) (log), or as
 * (x - mean) / deviation (z). Words outside the bounds have no part in it.
 */
#ifndef WN_CORPUS_WORDLIST_H
#define WN_CORPUS_WORDLIST_H

#include "corpus/key_sample.h"
#include "corpus/outliers.h"
#include "text/terms.h"

/* ---- One page ---------------------------------------------------------------------------- */

/* Its different words, by number. Zero it before the first use; its memory is reused. */
typedef struct wn_document {
    wn_vocabulary words;
    wn_array(uint32_t) counts; /* by number */
    uint64_t total;
} wn_document;

/*
 * Counts the stems of `text`, in the language that `terms` was told; stop words only if they are
 * wanted. False if out of memory.
 */
bool wn_corpus_document_read(wn_document *document, wn_terms *terms, wn_str text, bool stopwords);
void wn_corpus_document_free(wn_document *document);

/* ---- The collection ---------------------------------------------------------------------- */

enum {
    /* Labels that are attributes, those with most pages; each is a dimension of the search. */
    WN_WORDLIST_LABELS = 64,
    /*
     * Labels that are counted at all, those with the least hashes (key_sample.h); pages of further
     * ones only count as labelled.
     */
    WN_WORDLIST_MOST_LABELS = 1024,
    WN_NO_CLASS = UINT32_MAX,
};

/*
 * A share of 1 as a whole number. A sum holds a word that is all there is on 16 million pages, and
 * stays at its largest from there on.
 */
#define WN_WORDLIST_ONE (UINT64_C(1) << 40)

/* A word's share of a page, rounded: 32 bits first, then 8 more, so that nothing overflows. */
static inline uint64_t wn_corpus_wordlist_share(uint32_t count, uint64_t total)
{
    uint64_t high = ((uint64_t)count << 32) / total, rest = ((uint64_t)count << 32) % total;
    return (high << 8) + ((rest << 8) + total / 2) / total;
}

/* How often a word occurs in the pages of a label. */
typedef struct wn_class_count {
    uint32_t class; /* number of the label */
    uint32_t next;  /* of the same word; WN_NO_CLASS: none */
    uint64_t count;
} wn_class_count;

typedef struct wn_word_row {
    uint64_t total;
    uint32_t documents, labelled;
    uint32_t first_class; /* in wn_wordlist.counts; WN_NO_CLASS: none */
    uint64_t tf;          /* sum of its shares, in parts of WN_WORDLIST_ONE */
    double tfidf;         /* NaN: not known */
    double distance;      /* to the k-th neighbour; of outliers, else NaN */
    bool outlier;
} wn_word_row;

/* Zero it before the first use. */
typedef struct wn_wordlist {
    wn_vocabulary words;
    wn_array(wn_word_row) rows; /* by number of the word */
    wn_array(wn_class_count) counts;
    wn_key_sample labels;
    wn_array(uint32_t) label_pages; /* by number of the label, also of those that are not kept */
    uint32_t documents;
    bool failed; /* out of memory; sticky */

    /*
     * Made by wn_corpus_wordlist_find(): the words in bytewise order, without those that were
     * pruned.
     */
    wn_array(uint32_t) order;
    wn_array(uint32_t) classes; /* labels that are attributes, in bytewise order */
} wn_wordlist;

void wn_corpus_wordlist_free(wn_wordlist *list);

/* Adds a page; an empty label means no label. */
void wn_corpus_wordlist_add(wn_wordlist *list, wn_str label, const wn_document *document);

/* Adds a word with its row as it was found before; its class counts are added after it. */
wn_word_row *wn_corpus_wordlist_add_row(wn_wordlist *list, wn_str word);
/* Adds the pages of a label that were counted before. */
void wn_corpus_wordlist_add_label(wn_wordlist *list, wn_str label, uint32_t pages);
void wn_corpus_wordlist_add_class(wn_wordlist *list, wn_word_row *row, wn_str label,
                                  uint64_t count);

typedef enum wn_scale { WN_SCALE_NONE, WN_SCALE_LOG, WN_SCALE_Z } wn_scale;

typedef struct wn_wordlist_options {
    uint32_t n, k; /* outliers, neighbours */
    uint32_t threads;
    wn_scale scale;
    uint64_t min_total, max_total;         /* bounds; max 0: none */
    uint64_t min_documents, max_documents; /* the same */
} wn_wordlist_options;

/* n = 50, k = 30, as in the paper; no bounds. */
extern const wn_wordlist_options wn_wordlist_defaults;

/* Puts the words in order and finds the outliers among them; false if out of memory. */
bool wn_corpus_wordlist_find(wn_wordlist *list, const wn_wordlist_options *options);

/* Only puts the words in order, as they are. */
bool wn_corpus_wordlist_sort(wn_wordlist *list);

/* Adds the outliers, one per line, in bytewise order: what winnow_options.noise_words takes. */
void wn_corpus_wordlist_noise(const wn_wordlist *list, wn_buf *out);

/* ---- Reading ----------------------------------------------------------------------------- */

static inline wn_str wn_corpus_wordlist_word(const wn_wordlist *list, uint32_t word)
{
    return list->words.words.keys.items[word];
}

/* How often a word occurs in the pages of a label. */
uint64_t wn_corpus_wordlist_class_count(const wn_wordlist *list, uint32_t word, uint32_t class);

#endif
