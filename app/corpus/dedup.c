#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include "corpus/dedup.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum {
    KIND_EXACT,
    KIND_NEAR,
    LEAST_KEYS = 4096, /* that are kept in memory, whatever the option says */
};

/* ---- Clusters ---------------------------------------------------------------------------- */

/* Union-find; the root is the first page of a cluster, so the order of joining does not matter. */
uint32_t wn_corpus_dedup_first(wn_dedup *d, uint32_t page)
{
    uint32_t *parents = d->parents.items;
    assert(page < d->parents.count);
    while (parents[page] != page) {
        assert(parents[page] < page); /* so the walk ends */
        parents[page] = parents[parents[page]];
        page = parents[page];
    }
    return page;
}

static void join(wn_dedup *d, uint32_t a, uint32_t b)
{
    a = wn_corpus_dedup_first(d, a);
    b = wn_corpus_dedup_first(d, b);
    if (a < b)
        d->parents.items[b] = a;
    else
        d->parents.items[a] = b;
}

/* ---- Keys -------------------------------------------------------------------------------- */

void wn_corpus_dedup_init(wn_dedup *d, const wn_dedup_options *options)
{
    d->options = *options;
    /* Sorting takes as much again. */
    d->keys.max = (size_t)(options->memory / sizeof(wn_entry) / 2);
    if (d->keys.max < LEAST_KEYS)
        d->keys.max = LEAST_KEYS;
    wn_corpus_minhash_init(&d->minhash, options->bands, options->rows);
}

static void add_near_keys(wn_dedup *d, uint32_t page, wn_str text)
{
    uint64_t keys[WN_MINHASH_MOST];
    wn_shingles *set = &d->models[0].shingles;
    if (d->options.bands == 0)
        return;
    if (!wn_corpus_shingler_read(&d->shingler, text, set))
        d->failed = true;
    if (d->failed || set->count == 0)
        return;
    wn_corpus_minhash_keys(&d->minhash, set, keys);
    for (uint32_t band = 0; band < d->options.bands; band++)
        wn_corpus_runs_add(&d->keys, (wn_entry){keys[band], page, KIND_NEAR});
}

bool wn_corpus_dedup_add(wn_dedup *d, wn_str text, wn_str attributes)
{
    uint32_t page = d->parents.count;
    uint32_t *parent = page < UINT32_MAX - 1 ? wn_array_push(&d->parents) : NULL;
    wn_dedup_text *place = parent ? wn_array_push(&d->texts) : NULL;
    if (!place) {
        d->failed = true;
        return false;
    }
    *parent = page;
    *place = (wn_dedup_text){.bytes = text.len, .hash = wn_hash_stable_mixed(text)};
    if (attributes.len > 0)
        wn_corpus_runs_add(&d->keys,
                           (wn_entry){wn_hash_stable_mixed(attributes), page, KIND_EXACT});
    add_near_keys(d, page, text);
    return !d->failed && !d->keys.error;
}

/* ---- Comparing --------------------------------------------------------------------------- */

/* The order of the pages under a key: by what their texts are, not by when they came. */
static int by_text(const void *left, const void *right, void *data)
{
    const wn_dedup *d = data;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const wn_dedup_text *x = &d->texts.items[a], *y = &d->texts.items[b];
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (a > b) - (a < b);
}

static bool have_same_text(const wn_dedup *d, uint32_t a, uint32_t b)
{
    const wn_dedup_text *x = &d->texts.items[a], *y = &d->texts.items[b];
    return x->bytes == y->bytes && x->hash == y->hash;
}

/*
 * The room for the page at that place of the group; only those that may still be asked for have
 * one.
 */
static wn_dedup_model *room_of(wn_dedup *d, uint32_t place)
{
    if (place < WN_DEDUP_FIRST)
        return &d->models[place];
    return &d->models[WN_DEDUP_FIRST + place % (WN_DEDUP_BEFORE + 1)];
}

/* The page at that place of the group, read if it was not yet; NULL when it cannot be. */
static const wn_dedup_model *read_page(wn_dedup *d, uint32_t place, bool exact)
{
    wn_dedup_model *model = room_of(d, place);
    if (model->is_read && model->place == place)
        return model;
    wn_buf_clear(&model->attributes);
    bool read = d->options.read(d->options.data, d->group.items[place], exact,
                                &model->attributes) &&
                !model->attributes.failed;
    if (read && !exact)
        read = wn_corpus_shingler_read(&d->shingler, wn_buf_str(&model->attributes),
                                       &model->shingles);
    model->is_read = read;
    model->place = place;
    d->failed = d->failed || !read;
    return read ? model : NULL;
}

static bool are_alike(wn_dedup *d, const wn_dedup_model *a, const wn_dedup_model *b, bool exact)
{
    d->compared++;
    if (exact)
        return wn_str_eq(wn_buf_str(&a->attributes), wn_buf_str(&b->attributes));
    return wn_corpus_shingles_jaccard(&a->shingles, &b->shingles) >= d->options.threshold;
}

/* Compares two pages of the group, unless it is known already that they are in one cluster. */
static void compare(wn_dedup *d, uint32_t place, uint32_t other, bool exact)
{
    uint32_t page = d->group.items[place], other_page = d->group.items[other];
    if (d->failed || wn_corpus_dedup_first(d, page) == wn_corpus_dedup_first(d, other_page))
        return;
    const wn_dedup_model *a = read_page(d, place, exact);
    const wn_dedup_model *b = a ? read_page(d, other, exact) : NULL;
    if (b && are_alike(d, a, b, exact))
        join(d, page, other_page);
}

/* Pages with the same text are joined, and one of them stands for all. */
static void collapse_group(wn_dedup *d)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->group.count; i++) {
        uint32_t page = d->group.items[i];
        if (kept > 0 && have_same_text(d, d->group.items[kept - 1], page))
            join(d, d->group.items[kept - 1], page);
        else
            d->group.items[kept++] = page;
    }
    d->group.count = kept;
}

/* Joins the pages of one key. Which pairs are compared follows from their texts alone. */
static void join_group(wn_dedup *d, bool exact)
{
    if (d->group.count > 1)
        qsort_r(d->group.items, d->group.count, sizeof *d->group.items, by_text, d);
    if (!exact)
        collapse_group(d);
    for (size_t i = 0; i < sizeof d->models / sizeof *d->models; i++)
        d->models[i].is_read = false;
    for (uint32_t place = 1; place < d->group.count; place++) {
        uint32_t start = place > WN_DEDUP_BEFORE ? place - WN_DEDUP_BEFORE : 0;
        for (uint32_t other = place; other-- > start;)
            compare(d, place, other, exact);
        for (uint32_t other = 0; other < start && other < WN_DEDUP_FIRST; other++)
            compare(d, place, other, exact);
    }
    d->group.count = 0;
}

bool wn_corpus_dedup_find(wn_dedup *d)
{
    wn_entry entry, last = {0};
    wn_corpus_runs_sort(&d->keys);
    while (!d->failed && wn_corpus_runs_next(&d->keys, &entry)) {
        if (entry.key != last.key || entry.kind != last.kind)
            join_group(d, last.kind == KIND_EXACT);
        uint32_t *place = wn_array_push(&d->group);
        d->failed = d->failed || !place;
        if (place)
            *place = entry.page;
        last = entry;
    }
    if (!d->failed)
        join_group(d, last.kind == KIND_EXACT);
    return !d->failed && !d->keys.error;
}

void wn_corpus_dedup_free(wn_dedup *d)
{
    wn_corpus_shingler_free(&d->shingler);
    wn_corpus_runs_free(&d->keys);
    wn_array_free(&d->parents);
    wn_array_free(&d->texts);
    wn_array_free(&d->group);
    for (size_t i = 0; i < sizeof d->models / sizeof *d->models; i++) {
        wn_buf_free(&d->models[i].attributes);
        wn_array_free(&d->models[i].shingles);
    }
}
