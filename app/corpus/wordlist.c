#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include "corpus/wordlist.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOTAL, DOCUMENTS, LABELLED, TFIDF, FIRST_CLASS };

const wn_wordlist_options wn_wordlist_defaults = {.n = 50, .k = 30, .threads = 1};

/* ---- One page ---------------------------------------------------------------------------- */

static void count_word(wn_document *d, wn_str stem)
{
    uint32_t word = wn_text_vocabulary_number(&d->words, stem);
    if (d->words.failed)
        return;
    assert(word <= d->counts.count);
    if (word == d->counts.count) {
        uint32_t *count = wn_array_push(&d->counts);
        d->words.failed = !count;
        if (!count)
            return;
        *count = 0;
    }
    d->counts.items[word]++;
    d->total++;
}

bool wn_corpus_document_read(wn_document *d, wn_terms *terms, wn_str text, bool stopwords)
{
    wn_text_vocabulary_clear(&d->words);
    d->counts.count = 0;
    d->total = 0;
    wn_text_terms_begin(terms, text);
    for (wn_term term; wn_text_terms_next(terms, &term);)
        if (stopwords || !term.is_stop)
            count_word(d, term.stem);
    return !d->words.failed && !terms->failed;
}

void wn_corpus_document_free(wn_document *d)
{
    wn_text_vocabulary_free(&d->words);
    wn_array_free(&d->counts);
}

/* ---- Rows -------------------------------------------------------------------------------- */

wn_word_row *wn_corpus_wordlist_add_row(wn_wordlist *list, wn_str word)
{
    uint32_t number = wn_text_vocabulary_number(&list->words, word);
    list->failed = list->failed || list->words.failed;
    if (list->failed)
        return NULL;
    assert(number <= list->rows.count);
    if (number == list->rows.count) {
        wn_word_row *row = wn_array_push(&list->rows);
        list->failed = !row;
        if (!row)
            return NULL;
        *row = (wn_word_row){.first_class = WN_NO_CLASS, .tfidf = NAN, .distance = NAN};
    }
    return &list->rows.items[number];
}

/* The number of a label; WN_NO_CLASS when it is not one of those that count, or out of memory. */
static uint32_t label_number(wn_wordlist *list, wn_str label)
{
    uint32_t left;
    list->labels.most = WN_WORDLIST_MOST_LABELS;
    uint32_t number = wn_corpus_key_sample_add(&list->labels, label, &left);
    list->failed = list->failed || list->labels.failed;
    if (list->failed || number == WN_NO_KEY)
        return WN_NO_CLASS;
    assert(number <= list->label_pages.count);
    if (number == list->label_pages.count) {
        uint32_t *pages = wn_array_push(&list->label_pages);
        list->failed = !pages;
        if (!pages)
            return WN_NO_CLASS;
        *pages = 0;
    }
    return number;
}

/*
 * The place of a label that is no longer kept is used again, so a word has no more than there are.
 */
static void count_class(wn_wordlist *list, wn_word_row *row, uint32_t class, uint64_t count)
{
    wn_class_count *place = NULL;
    for (uint32_t i = row->first_class; i != WN_NO_CLASS; i = list->counts.items[i].next) {
        wn_class_count *found = &list->counts.items[i];
        if (found->class == class) {
            found->count += count;
            return;
        }
        if (!list->labels.kept.items[found->class])
            place = found;
    }
    if (place) {
        place->class = class;
        place->count = count;
        return;
    }
    place = wn_array_push(&list->counts);
    list->failed = list->failed || !place;
    if (!place)
        return;
    *place = (wn_class_count){.class = class, .next = row->first_class, .count = count};
    row->first_class = list->counts.count - 1;
}

void wn_corpus_wordlist_add_label(wn_wordlist *list, wn_str label, uint32_t pages)
{
    uint32_t class = label_number(list, label);
    if (!list->failed && class != WN_NO_CLASS)
        list->label_pages.items[class] += pages;
}

void wn_corpus_wordlist_add_class(wn_wordlist *list, wn_word_row *row, wn_str label, uint64_t count)
{
    uint32_t class = label_number(list, label);
    if (!list->failed && class != WN_NO_CLASS)
        count_class(list, row, class, count);
}

void wn_corpus_wordlist_add(wn_wordlist *list, wn_str label, const wn_document *document)
{
    uint32_t class = label.len > 0 ? label_number(list, label) : WN_NO_CLASS;
    if (list->failed)
        return;
    list->documents++;
    if (class != WN_NO_CLASS)
        list->label_pages.items[class]++;
    for (uint32_t i = 0; i < document->counts.count; i++) {
        wn_word_row *row = wn_corpus_wordlist_add_row(list, document->words.words.keys.items[i]);
        if (!row)
            return;
        uint32_t count = document->counts.items[i];
        row->total += count;
        row->documents++;
        uint64_t share = wn_corpus_wordlist_share(count, document->total);
        row->tf = row->tf > UINT64_MAX - share ? UINT64_MAX : row->tf + share;
        row->labelled += label.len > 0;
        if (class != WN_NO_CLASS)
            count_class(list, row, class, count);
    }
}

uint64_t wn_corpus_wordlist_class_count(const wn_wordlist *list, uint32_t word, uint32_t class)
{
    uint32_t i = list->rows.items[word].first_class;
    while (i != WN_NO_CLASS && list->counts.items[i].class != class)
        i = list->counts.items[i].next;
    return i == WN_NO_CLASS ? 0 : list->counts.items[i].count;
}

/* ---- Order ------------------------------------------------------------------------------- */

static int by_word(const void *left, const void *right, void *data)
{
    const wn_vocabulary *words = data;
    return wn_str_compare(words->words.keys.items[*(const uint32_t *)left],
                          words->words.keys.items[*(const uint32_t *)right]);
}

static int by_pages(const void *left, const void *right, void *data)
{
    const wn_wordlist *list = data;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    uint32_t a_pages = list->label_pages.items[a], b_pages = list->label_pages.items[b];
    if (a_pages != b_pages)
        return a_pages > b_pages ? -1 : 1;
    return by_word(left, right, (void *)&list->labels.keys);
}

/* The labels that are attributes. */
static void choose_classes(wn_wordlist *list)
{
    list->classes.count = 0;
    for (uint32_t i = 0; i < wn_corpus_key_sample_count(&list->labels); i++) {
        uint32_t *place = wn_array_push(&list->classes);
        list->failed = list->failed || !place;
        if (place)
            *place = list->labels.heap.items[i].number;
    }
    if (list->classes.count == 0)
        return;
    qsort_r(list->classes.items, list->classes.count, sizeof(uint32_t), by_pages, list);
    if (list->classes.count > WN_WORDLIST_LABELS)
        list->classes.count = WN_WORDLIST_LABELS;
    qsort_r(list->classes.items, list->classes.count, sizeof(uint32_t), by_word,
            &list->labels.keys);
}

static bool is_within(uint64_t value, uint64_t min, uint64_t max)
{
    return value >= min && (max == 0 || value <= max);
}

static bool order_words(wn_wordlist *list, const wn_wordlist_options *options)
{
    list->order.count = 0;
    for (uint32_t i = 0; i < list->rows.count && !list->failed; i++) {
        const wn_word_row *row = &list->rows.items[i];
        if (!is_within(row->total, options->min_total, options->max_total) ||
            !is_within(row->documents, options->min_documents, options->max_documents))
            continue;
        uint32_t *place = wn_array_push(&list->order);
        list->failed = !place;
        if (place)
            *place = i;
    }
    if (list->order.count > 0)
        qsort_r(list->order.items, list->order.count, sizeof(uint32_t), by_word, &list->words);
    choose_classes(list);
    return !list->failed;
}

bool wn_corpus_wordlist_sort(wn_wordlist *list)
{
    return order_words(list, &wn_wordlist_defaults);
}

/* ---- Outliers ---------------------------------------------------------------------------- */

static void weigh(wn_wordlist *list)
{
    for (uint32_t i = 0; i < list->rows.count; i++) {
        wn_word_row *row = &list->rows.items[i];
        row->outlier = false;
        row->distance = NAN;
        double tf = (double)row->tf / (double)WN_WORDLIST_ONE / row->documents;
        row->tfidf = tf * log((double)list->documents / row->documents);
    }
}

static void fill_row(const wn_wordlist *list, uint32_t word, double *values)
{
    const wn_word_row *row = &list->rows.items[word];
    values[TOTAL] = (double)row->total;
    values[DOCUMENTS] = row->documents;
    values[LABELLED] = row->labelled;
    values[TFIDF] = row->tfidf;
    for (uint32_t i = 0; i < list->classes.count; i++)
        values[FIRST_CLASS + i] = (double)wn_corpus_wordlist_class_count(list, word,
                                                                         list->classes.items[i]);
}

static void scale_z(double *values, uint32_t count, uint32_t dims, uint32_t dim)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[(size_t)i * dims + dim];
    double mean = sum / count;
    for (uint32_t i = 0; i < count; i++) {
        double *value = &values[(size_t)i * dims + dim];
        *value -= mean;
        squares += *value * *value;
    }
    double deviation = sqrt(squares / count);
    for (uint32_t i = 0; i < count && deviation > 0; i++)
        values[(size_t)i * dims + dim] /= deviation;
}

static void scale_values(double *values, uint32_t count, uint32_t dims, wn_scale scale)
{
    for (size_t i = 0; scale == WN_SCALE_LOG && i < (size_t)count * dims; i++)
        values[i] = log1p(values[i]);
    for (uint32_t dim = 0; scale == WN_SCALE_Z && dim < dims; dim++)
        scale_z(values, count, dims, dim);
}

static bool search(wn_wordlist *list, const wn_wordlist_options *options, double *values,
                   wn_outlier *found)
{
    uint32_t count = list->order.count, dims = FIRST_CLASS + list->classes.count;
    for (uint32_t i = 0; i < count; i++)
        fill_row(list, list->order.items[i], values + (size_t)i * dims);
    scale_values(values, count, dims, options->scale);
    wn_outlier_search search = {
        .points = {values, count, dims},
        .n = options->n,
        .k = options->k,
        .threads = options->threads,
    };
    uint32_t outliers = wn_corpus_outliers_find(&search, found);
    for (uint32_t i = 0; outliers != WN_OUTLIERS_FAILED && i < outliers; i++) {
        wn_word_row *row = &list->rows.items[list->order.items[found[i].point]];
        row->outlier = true;
        row->distance = found[i].distance;
    }
    return outliers != WN_OUTLIERS_FAILED;
}

bool wn_corpus_wordlist_find(wn_wordlist *list, const wn_wordlist_options *options)
{
    weigh(list);
    if (list->failed || !order_words(list, options))
        return false;
    if (list->order.count == 0 || options->n == 0)
        return true;
    size_t dims = FIRST_CLASS + list->classes.count;
    size_t most = options->n < list->order.count ? options->n : list->order.count;
    double *values = malloc(list->order.count * dims * sizeof *values);
    wn_outlier *found = malloc(most * sizeof *found);
    bool done = values && found && search(list, options, values, found);
    list->failed = !done;
    free(values);
    free(found);
    return done;
}

void wn_corpus_wordlist_noise(const wn_wordlist *list, wn_buf *out)
{
    for (uint32_t i = 0; i < list->order.count; i++) {
        uint32_t word = list->order.items[i];
        if (!list->rows.items[word].outlier)
            continue;
        wn_buf_add(out, wn_corpus_wordlist_word(list, word));
        wn_buf_add_char(out, '\n');
    }
}

void wn_corpus_wordlist_free(wn_wordlist *list)
{
    wn_text_vocabulary_free(&list->words);
    wn_corpus_key_sample_free(&list->labels);
    wn_array_free(&list->rows);
    wn_array_free(&list->counts);
    wn_array_free(&list->label_pages);
    wn_array_free(&list->order);
    wn_array_free(&list->classes);
}
