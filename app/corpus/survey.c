#include "corpus/survey.h"

static bool note_line(void *data, uint64_t hash)
{
    wn_survey_page *page = data;
    uint64_t *place = wn_array_push(&page->lines);
    page->failed = !place;
    if (place)
        *place = hash;
    return place != NULL;
}

static void count_words(wn_survey_reader *reader, winnow_selection *all, wn_str text,
                        wn_survey_page *page)
{
    char code[WN_LANGUAGE_CODE];
    const char *language = winnow_selection_metadata(all)->language;
    wn_text_terms_use(&reader->terms, wn_str_of(language), text, code);
    if (!wn_corpus_document_read(&page->document, &reader->terms, text, false))
        page->failed = true;
}

void wn_corpus_survey_read(const wn_survey *survey, wn_survey_reader *reader, winnow_page *handle,
                           wn_str html, const winnow_options *options, wn_survey_page *page)
{
    size_t size;
    page->lines.count = 0;
    page->has_text = page->failed = false;
    winnow_parse(handle, html.ptr, html.len, options);
    winnow_selection *all = winnow_select(handle, "all", NULL);
    const char *written = winnow_write(all, WINNOW_FORMAT_TEXT, NULL, &size);
    wn_str text = wn_str_from(written ? written : "", size);
    winnow_status status = winnow_selection_status(all);
    page->has_text = written && (status == WINNOW_STATUS_OK || status == WINNOW_STATUS_PARTIAL);
    if (page->has_text && survey->wants_words)
        count_words(reader, all, text, page);
    if (page->has_text && survey->wants_sites)
        wn_page_site_lines(text, note_line, page);
}

static void add_lines(wn_survey *survey, const wn_survey_page *page, wn_str site_key)
{
    winnow_site *site = site_key.len > 0 ? wn_corpus_sites_make(&survey->sites, site_key) : NULL;
    if (site)
        wn_page_site_add(site, page->lines.items, page->lines.count);
    survey->failed = survey->failed || survey->sites.failed || (site && site->failed);
}

void wn_corpus_survey_take(wn_survey *survey, const wn_survey_page *page, wn_str label,
                           wn_str site_key)
{
    survey->failed = survey->failed || page->failed;
    if (survey->failed || !page->has_text)
        return;
    survey->pages++;
    if (survey->wants_words)
        wn_corpus_wordlist_add(&survey->words, label, &page->document);
    if (survey->wants_sites)
        add_lines(survey, page, site_key);
    survey->failed = survey->failed || survey->words.failed;
}

void wn_corpus_survey_take_lines(wn_survey *survey, wn_survey_page *page, wn_str text,
                                 wn_str site_key)
{
    page->lines.count = 0;
    page->failed = false;
    wn_page_site_lines(text, note_line, page);
    survey->failed = survey->failed || page->failed;
    if (!survey->failed)
        add_lines(survey, page, site_key);
}

/* The value of a parameter of the request's method, `otherwise` if it has no such. */
static double value_of(const wn_request *request, const char *name, double otherwise)
{
    int index = wn_method_param(request->method, wn_str_of(name));
    return index >= 0 ? request->values[index] : otherwise;
}

wn_wordlist_options wn_corpus_survey_options(const wn_request *request, uint32_t threads)
{
    wn_wordlist_options options = wn_wordlist_defaults;
    options.n = (uint32_t)value_of(request, "n", options.n);
    options.k = (uint32_t)value_of(request, "k", options.k);
    options.scale = (wn_scale)value_of(request, "scale", options.scale);
    options.min_documents = (uint64_t)value_of(request, "min_documents", 0);
    options.max_documents = (uint64_t)value_of(request, "max_documents", 0);
    options.threads = threads;
    return options;
}

bool wn_corpus_survey_noise(wn_survey *survey, const wn_request *request, uint32_t threads,
                            wn_buf *noise)
{
    wn_wordlist_options options = wn_corpus_survey_options(request, threads);
    survey->failed = survey->failed || !wn_corpus_wordlist_find(&survey->words, &options);
    if (!survey->failed)
        wn_corpus_wordlist_noise(&survey->words, noise);
    wn_buf_c_string(noise); /* from now on many threads read it */
    return !survey->failed && !noise->failed;
}

void wn_corpus_survey_reader_free(wn_survey_reader *reader)
{
    wn_text_terms_free(&reader->terms);
}

void wn_corpus_survey_page_free(wn_survey_page *page)
{
    wn_corpus_document_free(&page->document);
    wn_array_free(&page->lines);
}

void wn_corpus_survey_free(wn_survey *survey)
{
    wn_corpus_wordlist_free(&survey->words);
    wn_corpus_sites_free(&survey->sites);
}
