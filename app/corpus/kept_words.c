#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include "corpus/kept_words.h"

#include <stdlib.h>

#include "base/json.h"
#include "corpus/index.h"

/* ---- Counting ---------------------------------------------------------------------------- */

bool wn_corpus_kept_words_count(wn_store *store, const wn_store_filter *filter, wn_terms *terms,
                                bool stopwords, wn_wordlist *list)
{
    wn_document document = {0};
    wn_stored page;
    char code[WN_LANGUAGE_CODE];
    wn_store_walk *walk = wn_corpus_store_walk_open(store, filter, WN_FIELD_TEXT);
    if (!walk)
        return false;
    while (!list->failed && wn_corpus_store_walk_next(walk, &page)) {
        wn_text_terms_use(terms, page.language, page.text, code);
        if (wn_corpus_document_read(&document, terms, page.text, stopwords))
            wn_corpus_wordlist_add(list, page.label, &document);
        else
            list->failed = true;
    }
    wn_corpus_document_free(&document);
    return wn_corpus_store_walk_close(walk) && !list->failed;
}

/* ---- Keeping ----------------------------------------------------------------------------- */

static int by_label(const void *left, const void *right, void *data)
{
    const wn_wordlist *list = data;
    const wn_class_count *a = left, *b = right;
    return wn_str_compare(wn_corpus_key_sample_key(&list->labels, a->class),
                          wn_corpus_key_sample_key(&list->labels, b->class));
}

/* {"science":12,"tech":3}, in bytewise order; false if out of memory. */
static bool write_labels(const wn_wordlist *list, uint32_t word, wn_buf *out)
{
    wn_json_writer json = {.out = out};
    wn_class_count found[WN_WORDLIST_MOST_LABELS];
    uint32_t count = 0;
    for (uint32_t i = list->rows.items[word].first_class; i != WN_NO_CLASS;
         i = list->counts.items[i].next)
        if (list->labels.kept.items[list->counts.items[i].class])
            found[count++] = list->counts.items[i];
    qsort_r(found, count, sizeof *found, by_label, (void *)list);
    wn_json_begin_object(&json);
    for (uint32_t i = 0; i < count; i++) {
        wn_json_key_str(&json, wn_corpus_key_sample_key(&list->labels, found[i].class));
        wn_json_uint(&json, found[i].count);
    }
    wn_json_end_object(&json);
    return !out->failed;
}

static bool put_words(wn_store *store, const wn_wordlist *list)
{
    wn_buf labels = {0};
    bool sound = wn_corpus_store_words_clear(store);
    for (uint32_t i = 0; sound && i < list->order.count; i++) {
        uint32_t word = list->order.items[i];
        const wn_word_row *row = &list->rows.items[word];
        wn_buf_clear(&labels);
        sound = write_labels(list, word, &labels);
        wn_stored_word stored = {
            .word = wn_corpus_wordlist_word(list, word),
            .occurrences = row->total,
            .documents = row->documents,
            .labelled = row->labelled,
            .tfidf = row->tfidf,
            .distance = row->outlier ? row->distance : 0,
            .outlier = row->outlier,
            .labels = wn_buf_str(&labels),
        };
        sound = sound && wn_corpus_store_word_put(store, &stored);
    }
    wn_buf_free(&labels);
    return sound;
}

bool wn_corpus_kept_words_keep(wn_store *store, const wn_wordlist *list)
{
    if (!wn_corpus_store_begin(store))
        return false;
    if (put_words(store, list) && wn_corpus_store_commit(store))
        return true;
    wn_corpus_store_rollback(store);
    return false;
}

/* ---- Reading back ------------------------------------------------------------------------ */

typedef struct reading {
    wn_wordlist *list;
    wn_json json;
    wn_arena arena;
} reading;

static bool read_word(void *data, const wn_stored_word *stored)
{
    reading *r = data;
    wn_arena_reset(&r->arena);
    bool sound = wn_json_parse(&r->json, &r->arena, stored->labels, 0, 0);
    wn_word_row *row = wn_corpus_wordlist_add_row(r->list, stored->word);
    if (!row)
        return false;
    row->total = stored->occurrences;
    row->documents = (uint32_t)stored->documents;
    row->labelled = (uint32_t)stored->labelled;
    row->tfidf = stored->tfidf;
    row->outlier = stored->outlier;
    if (stored->outlier)
        row->distance = stored->distance;
    if (sound && wn_json_node_at(&r->json, WN_JSON_ROOT)->kind == WN_JSON_OBJECT)
        wn_json_each_key (&r->json, key, WN_JSON_ROOT)
            wn_corpus_wordlist_add_class(r->list, row, wn_json_text(&r->json, key),
                                         wn_json_count(&r->json, key + 1, 0));
    return !r->list->failed;
}

bool wn_corpus_kept_words_read(wn_store *store, wn_wordlist *list)
{
    reading r = {.list = list};
    bool read = wn_corpus_store_words_each(store, false, read_word, &r);
    wn_json_free(&r.json);
    wn_arena_free(&r.arena);
    return read && !list->failed && wn_corpus_wordlist_sort(list);
}

static bool add_noise(void *data, const wn_stored_word *stored)
{
    wn_buf *noise = data;
    wn_buf_add(noise, stored->word);
    wn_buf_add_char(noise, '\n');
    return !noise->failed;
}

bool wn_corpus_kept_words_noise(wn_store *store, wn_buf *noise)
{
    return wn_corpus_store_words_each(store, true, add_noise, noise) && !noise->failed;
}

/* ---- Stems without noise ----------------------------------------------------------------- */

bool wn_corpus_noise_filter_open(wn_noise_filter *filter, wn_store *store)
{
    wn_buf words = {0};
    bool learned = wn_corpus_kept_words_noise(store, &words) &&
                   wn_text_stopwords_add(&filter->noise, wn_buf_str(&words));
    wn_buf_free(&words);
    return learned;
}

wn_str wn_corpus_noise_filter_stems(wn_noise_filter *filter, wn_str stems)
{
    if (filter->noise.added.keys.count == 0)
        return stems;
    wn_buf_clear(&filter->kept);
    for (wn_str stem; wn_corpus_next_stem(&stems, &stem);) {
        if (wn_text_stopwords_has(&filter->noise, stem))
            continue;
        if (filter->kept.len > 0)
            wn_buf_add_char(&filter->kept, ' ');
        wn_buf_add(&filter->kept, stem);
    }
    return wn_buf_str(&filter->kept);
}

void wn_corpus_noise_filter_free(wn_noise_filter *filter)
{
    wn_text_stopwords_free(&filter->noise);
    wn_buf_free(&filter->kept);
}
