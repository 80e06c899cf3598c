/*
 * What winnow.spark needs of the program's app/corpus, so that many machines find what one does: the
 * keys and shingles of duplicates, the words of a page as statistics count them, the outliers of a
 * table of words, the key of a site.
 *
 * All of it is private to the package. Functions keep the GIL: a Spark worker has one thread.
 */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "corpus/minhash.h"
#include "corpus/page_language.h"
#include "corpus/sites.h"
#include "corpus/wordlist_rows.h"
#include "draw/count.h"

/* What is made once and used again; one per module. */
struct corpus_tools {
    wn_shingler shingler;
    wn_shingles shingles;
    wn_minhash minhash;
    wn_terms terms;
    wn_words *words;
    wn_stopwords stop;
    wn_document document;
};

void corpus_tools_free(struct corpus_tools *tools)
{
    if (!tools)
        return;
    wn_corpus_shingler_free(&tools->shingler);
    wn_array_free(&tools->shingles);
    wn_text_terms_free(&tools->terms);
    wn_text_words_free(tools->words);
    wn_text_stopwords_free(&tools->stop);
    wn_corpus_document_free(&tools->document);
    free(tools);
}

/* NULL with an exception. */
static struct corpus_tools *tools_of(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    if (!state->corpus && (state->corpus = calloc(1, sizeof *state->corpus)))
        state->corpus->words = wn_text_words_new();
    if (!state->corpus || !state->corpus->words) {
        PyErr_NoMemory();
        return NULL;
    }
    return state->corpus;
}

/* The UTF-8 of a str, borrowed from it; what cannot be encoded is an exception. */
static bool str_of(PyObject *text, wn_str *out)
{
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    *out = wn_str_from(bytes ? bytes : "", bytes ? (size_t)size : 0);
    return bytes != NULL;
}

/* ---- Sites and hashes -------------------------------------------------------------------- */

PyObject *corpus_site_key(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *url, *path;
    wn_str url_text, path_text;
    if (!PyArg_ParseTuple(args, "UU:_site_key", &url, &path) || !str_of(url, &url_text) ||
        !str_of(path, &path_text))
        return NULL;
    wn_buf key = {0};
    wn_corpus_sites_key(&key, url_text, path_text);
    PyObject *made = key.failed ? PyErr_NoMemory() : text_of(wn_buf_str(&key).ptr, key.len);
    wn_buf_free(&key);
    return made;
}

PyObject *corpus_hash(PyObject *module, PyObject *text)
{
    (void)module;
    wn_str bytes;
    return str_of(text, &bytes) ? PyLong_FromUnsignedLongLong(wn_hash_stable_mixed(bytes)) : NULL;
}

/* ---- Duplicates -------------------------------------------------------------------------- */

static PyObject *bytes_of(const uint64_t *numbers, size_t count)
{
    return PyBytes_FromStringAndSize((const char *)numbers, (Py_ssize_t)(count * sizeof *numbers));
}

/* Reads a text into tools->shingles; false with an exception. */
static bool read_shingles(struct corpus_tools *tools, PyObject *text)
{
    wn_str bytes;
    if (!str_of(text, &bytes))
        return false;
    if (!wn_corpus_shingler_read(&tools->shingler, bytes, &tools->shingles)) {
        PyErr_NoMemory();
        return false;
    }
    return true;
}

PyObject *corpus_dedup_keys(PyObject *module, PyObject *args)
{
    PyObject *text;
    unsigned bands, rows;
    uint64_t keys[WN_MINHASH_MOST];
    struct corpus_tools *tools = tools_of(module);
    if (!tools || !PyArg_ParseTuple(args, "UII:_dedup_keys", &text, &bands, &rows))
        return NULL;
    if (bands == 0 || rows == 0 || (uint64_t)bands * rows > WN_MINHASH_MOST)
        return PyErr_Format(PyExc_ValueError, "bands times rows must be from 1 to %d",
                            WN_MINHASH_MOST);
    if (tools->minhash.bands != bands || tools->minhash.rows != rows)
        wn_corpus_minhash_init(&tools->minhash, bands, rows);
    if (!read_shingles(tools, text))
        return NULL;
    if (tools->shingles.count > 0)
        wn_corpus_minhash_keys(&tools->minhash, &tools->shingles, keys);
    return bytes_of(keys, tools->shingles.count > 0 ? bands : 0);
}

PyObject *corpus_shingles(PyObject *module, PyObject *text)
{
    struct corpus_tools *tools = tools_of(module);
    if (!tools || !read_shingles(tools, text))
        return NULL;
    return bytes_of(tools->shingles.items, tools->shingles.count);
}

/* A set out of bytes, which may lie anywhere; false with an exception. */
static bool copy_shingles(wn_shingles *set, const char *bytes, Py_ssize_t size)
{
    uint32_t count = (uint32_t)((size_t)size / sizeof *set->items);
    if (!wn_array_reserve(set, count + 1)) {
        PyErr_NoMemory();
        return false;
    }
    memcpy(set->items, bytes, count * sizeof *set->items);
    set->count = count;
    return true;
}

PyObject *corpus_jaccard(PyObject *module, PyObject *args)
{
    (void)module;
    const char *left, *right;
    Py_ssize_t left_size, right_size;
    wn_shingles a = {0}, b = {0};
    if (!PyArg_ParseTuple(args, "y#y#:_jaccard", &left, &left_size, &right, &right_size))
        return NULL;
    PyObject *made = NULL;
    if (copy_shingles(&a, left, left_size) && copy_shingles(&b, right, right_size))
        made = PyFloat_FromDouble(wn_corpus_shingles_jaccard(&a, &b));
    wn_array_free(&a);
    wn_array_free(&b);
    return made;
}

/* ---- Words ------------------------------------------------------------------------------- */

/* (stem, count, share of the page in parts of 2^40) */
static PyObject *word_tuple(const wn_document *document, uint32_t word)
{
    wn_str stem = document->words.words.keys.items[word];
    uint32_t count = document->counts.items[word];
    PyObject *text = text_of(stem.ptr, stem.len);
    return text
               ? Py_BuildValue("NIK", text, count,
                               (unsigned long long)wn_corpus_wordlist_share(count, document->total))
               : NULL;
}

PyObject *corpus_word_counts(PyObject *module, PyObject *args)
{
    PyObject *text, *language;
    wn_str bytes, declared;
    char code[WN_LANGUAGE_CODE], again[WN_LANGUAGE_CODE];
    struct corpus_tools *tools = tools_of(module);
    if (!tools || !PyArg_ParseTuple(args, "UU:_word_counts", &text, &language) ||
        !str_of(text, &bytes) || !str_of(language, &declared))
        return NULL;
    const char *known = wn_corpus_page_language(tools->words, declared, bytes, code);
    wn_text_terms_use(&tools->terms, wn_str_of(known), bytes, again);
    if (!wn_corpus_document_read(&tools->document, &tools->terms, bytes, false))
        return PyErr_NoMemory();
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list && i < tools->document.counts.count; i++) {
        PyObject *item = word_tuple(&tools->document, i);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* Counts the words of a text as a tag cloud does: (word, count) pairs. */
PyObject *corpus_tag_counts(PyObject *module, PyObject *args)
{
    PyObject *text, *language;
    wn_str bytes, declared;
    char code[WN_LANGUAGE_CODE];
    struct corpus_tools *tools = tools_of(module);
    if (!tools || !PyArg_ParseTuple(args, "UU:_tag_counts", &text, &language) ||
        !str_of(text, &bytes) || !str_of(language, &declared))
        return NULL;
    const char *known = wn_text_language_normalise(declared, code);
    wn_str chosen = wn_str_of(known[0] ? known : wn_text_language_guess(tools->words, bytes));
    wn_counts counts = {0};
    wn_text_words_set_language(tools->words, chosen);
    wn_text_stopwords_use(&tools->stop, chosen);
    wn_draw_counts_add_text(&counts, tools->words, &tools->stop, bytes);
    PyObject *list = counts.failed ? PyErr_NoMemory() : PyList_New(0);
    for (uint32_t i = 0; list && i < counts.counts.count; i++) {
        wn_str word = counts.words.keys.items[i];
        PyObject *name = text_of(word.ptr, word.len);
        PyObject *item = name
                             ? Py_BuildValue("NK", name, (unsigned long long)counts.counts.items[i])
                             : NULL;
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    wn_draw_counts_free(&counts);
    return list;
}

/* ---- Outliers ---------------------------------------------------------------------------- */

/* Adds (label, count) pairs of a word. */
static bool add_classes(wn_wordlist *list, uint32_t word, PyObject *classes)
{
    PyObject *pairs = PyObject_GetIter(classes), *pair;
    bool added = pairs != NULL;
    while (added && (pair = PyIter_Next(pairs))) {
        PyObject *label;
        unsigned long long count;
        wn_str name;
        added = PyArg_ParseTuple(pair, "UK", &label, &count) && str_of(label, &name);
        if (added)
            wn_corpus_wordlist_add_class(list, &list->rows.items[word], name, count);
        Py_DECREF(pair);
    }
    Py_XDECREF(pairs);
    return added && !PyErr_Occurred();
}

/* Adds (word, total, documents, labelled, tf, ((label, count), …)). */
static bool add_row(wn_wordlist *list, PyObject *row)
{
    PyObject *word, *classes;
    unsigned long long total, tf;
    unsigned documents, labelled;
    wn_str text;
    if (!PyArg_ParseTuple(row, "UKIIKO", &word, &total, &documents, &labelled, &tf, &classes) ||
        !str_of(word, &text))
        return false;
    wn_word_row *added = wn_corpus_wordlist_add_row(list, text);
    if (!added)
        return false;
    added->total = total;
    added->documents = documents;
    added->labelled = labelled;
    added->tf = tf;
    return add_classes(list, (uint32_t)(added - list->rows.items), classes);
}

static bool add_rows(wn_wordlist *list, PyObject *rows)
{
    PyObject *items = PyObject_GetIter(rows), *item;
    bool added = items != NULL;
    while (added && (item = PyIter_Next(items))) {
        added = add_row(list, item);
        Py_DECREF(item);
    }
    Py_XDECREF(items);
    return added && !PyErr_Occurred();
}

/* Labels with the number of their pages, as pairs. They come before the rows. */
static bool add_labels(wn_wordlist *list, PyObject *labels)
{
    PyObject *pairs = PyObject_GetIter(labels), *pair;
    bool added = pairs != NULL;
    while (added && (pair = PyIter_Next(pairs))) {
        PyObject *label;
        unsigned pages;
        wn_str name;
        added = PyArg_ParseTuple(pair, "UI", &label, &pages) && str_of(label, &name);
        if (added)
            wn_corpus_wordlist_add_label(list, name, pages);
        Py_DECREF(pair);
    }
    Py_XDECREF(pairs);
    return added && !PyErr_Occurred();
}

/* (the table, the noise words), both as bytes */
static PyObject *write_outliers(const wn_wordlist *list, bool all, bool json)
{
    wn_word_rows rows = {0};
    wn_buf table = {0}, noise = {0};
    if (all)
        wn_corpus_word_rows_choose(&rows, list, NULL, 0, 0);
    else
        wn_corpus_word_rows_outliers(&rows, list);
    if (json)
        wn_corpus_word_rows_json(&rows, list, &table);
    else
        wn_corpus_word_rows_csv(&rows, list, &table);
    wn_corpus_wordlist_noise(list, &noise);
    PyObject *made = rows.failed || table.failed || noise.failed
                         ? PyErr_NoMemory()
                         : Py_BuildValue("y#y#", wn_buf_str(&table).ptr, (Py_ssize_t)table.len,
                                         wn_buf_c_string(&noise), (Py_ssize_t)noise.len);
    wn_array_free(&rows.list);
    wn_buf_free(&table);
    wn_buf_free(&noise);
    return made;
}

PyObject *corpus_outliers(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rows, *labels, *made = NULL;
    unsigned documents, n, k, scale, threads;
    unsigned long long min_documents, max_documents;
    int all, json;
    if (!PyArg_ParseTuple(args, "OOIIIIIKKpp:_outliers", &rows, &labels, &documents, &n, &k, &scale,
                          &threads, &min_documents, &max_documents, &all, &json))
        return NULL;
    if (k == 0 || scale > WN_SCALE_Z) {
        PyErr_SetString(PyExc_ValueError, "neighbours must be at least 1, scale 0, 1 or 2");
        return NULL;
    }
    wn_wordlist list = {.documents = documents};
    wn_wordlist_options options = {
        .n = n,
        .k = k,
        .threads = threads,
        .scale = (wn_scale)scale,
        .min_documents = min_documents,
        .max_documents = max_documents,
    };
    if (add_labels(&list, labels) && add_rows(&list, rows)) {
        if (wn_corpus_wordlist_find(&list, &options))
            made = write_outliers(&list, all, json);
    }
    if (!made && !PyErr_Occurred())
        PyErr_NoMemory();
    wn_corpus_wordlist_free(&list);
    return made;
}
