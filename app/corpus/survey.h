/*
 * The first pass over a collection: what its pages have in common, before any of them is extracted.
 *
 * Two things can be learned, for whoever asks for them: the noise words (wordlist.h) and what
 * repeats on the pages of a site (sites.h). Both look at all visible text of a page.
 *
 *     many threads    wn_corpus_survey_read(&reader, handle, html, &page)    each with its own of
 *     both one thread      wn_corpus_survey_take(&survey, &page, …)           in the order of the
 *     pages
 *                     wn_corpus_survey_noise(&survey, &request, &noise)
 *     many threads    winnow_select() with the noise words and the site
 *
 * Because pages are taken in order, what is learned does not depend on the number of threads.
 */
#ifndef WN_CORPUS_SURVEY_H
#define WN_CORPUS_SURVEY_H

#include "corpus/sites.h"
#include "corpus/wordlist.h"
#include "extract/method.h"
#include "winnow.h"

/* Zero it, but for what is wanted, before the first use. */
typedef struct wn_survey {
    bool wants_words, wants_sites;
    wn_wordlist words;
    wn_sites sites;
    uint64_t pages; /* that were taken */
    bool failed;    /* out of memory; sticky */
} wn_survey;

/* What one thread needs. Zero it before the first use. */
typedef struct wn_survey_reader {
    wn_terms terms;
} wn_survey_reader;

/* One page on its way. Zero it before the first use; its memory is reused. */
typedef struct wn_survey_page {
    wn_document document;
    wn_array(uint64_t) lines;
    bool has_text, failed;
} wn_survey_page;

/* Reads a page with the thread's handle; `options` has its encoding and limits. */
void wn_corpus_survey_read(const wn_survey *survey, wn_survey_reader *reader, winnow_page *handle,
                           wn_str html, const winnow_options *options, wn_survey_page *page);

/* Adds it. The label and the key of its site (wn_corpus_sites_key) may be empty: it has none. */
void wn_corpus_survey_take(wn_survey *survey, const wn_survey_page *page, wn_str label,
                           wn_str site_key);

/* Adds the lines of a text that is at hand, and not its words; `page` is room for the work. */
void wn_corpus_survey_take_lines(wn_survey *survey, wn_survey_page *page, wn_str text,
                                 wn_str site_key);

/*
 * Finds the noise words as the parameters of a request for the method "outlier" say, and adds them
 * to `noise`, one per line. False if out of memory.
 */
bool wn_corpus_survey_noise(wn_survey *survey, const wn_request *request, uint32_t threads,
                            wn_buf *noise);

/* The options that are in such a request; the defaults for another method. */
wn_wordlist_options wn_corpus_survey_options(const wn_request *request, uint32_t threads);

void wn_corpus_survey_reader_free(wn_survey_reader *reader);
void wn_corpus_survey_page_free(wn_survey_page *page);
void wn_corpus_survey_free(wn_survey *survey);

#endif
