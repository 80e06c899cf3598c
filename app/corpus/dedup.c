#include "corpus/dedup.h"

#include <assert.h>
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
    if (!parent) {
        d->failed = true;
        return false;
    }
    *parent = page;
    if (attributes.len > 0)
        wn_corpus_runs_add(&d->keys,
                           (wn_entry){wn_hash_stable_mixed(attributes), page, KIND_EXACT});
    add_near_keys(d, page, text);
    return !d->failed && !d->keys.error;
}

/* ---- Comparing --------------------------------------------------------------------------- */

/* Reads a page into a model. */
static bool read_page(wn_dedup *d, wn_dedup_model *model, uint32_t page, bool exact)
{
    model->page = page;
    wn_buf_clear(&model->attributes);
    bool read = d->options.read(d->options.data, page, exact, &model->attributes) &&
                !model->attributes.failed;
    if (read && !exact)
        read = wn_corpus_shingler_read(&d->shingler, wn_buf_str(&model->attributes),
                                       &model->shingles);
    d->failed = d->failed || !read;
    return read;
}

static bool are_alike(wn_dedup *d, const wn_dedup_model *a, const wn_dedup_model *b, bool exact)
{
    d->compared++;
    if (exact)
        return wn_str_eq(wn_buf_str(&a->attributes), wn_buf_str(&b->attributes));
    return wn_corpus_shingles_jaccard(&a->shingles, &b->shingles) >= d->options.threshold;
}

static bool is_joined_with_a_model(wn_dedup *d, uint32_t page, uint32_t models)
{
    uint32_t first = wn_corpus_dedup_first(d, page);
    for (uint32_t i = 0; i < models; i++)
        if (wn_corpus_dedup_first(d, d->models[i].page) == first)
            return true;
    return false;
}

/*
 * Compares a page with the models of its key, and joins it with those it is like; one that is like
 * none becomes a model itself. The first model is read only when there is a second page.
 */
static uint32_t place_page(wn_dedup *d, uint32_t page, uint32_t models, bool *first_is_read,
                           bool exact)
{
    assert(models <= WN_DEDUP_MODELS);
    wn_dedup_model *new = &d->models[models];
    if (models == 0) {
        new->page = page;
        *first_is_read = false;
        return 1;
    }
    if (is_joined_with_a_model(d, page, models))
        return models;
    if (!*first_is_read && !read_page(d, &d->models[0], d->models[0].page, exact))
        return models;
    *first_is_read = true;
    if (!read_page(d, new, page, exact))
        return models;
    bool alike = false;
    for (uint32_t i = 0; i < models; i++) {
        if (are_alike(d, &d->models[i], new, exact)) {
            join(d, d->models[i].page, page);
            alike = true;
        }
    }
    return models + (!alike && models < WN_DEDUP_MODELS);
}

bool wn_corpus_dedup_find(wn_dedup *d)
{
    wn_entry entry, last = {0};
    uint32_t models = 0;
    bool first_is_read = false;
    wn_corpus_runs_sort(&d->keys);
    while (!d->failed && wn_corpus_runs_next(&d->keys, &entry)) {
        if (entry.key != last.key || entry.kind != last.kind)
            models = 0;
        models = place_page(d, entry.page, models, &first_is_read, entry.kind == KIND_EXACT);
        last = entry;
    }
    return !d->failed && !d->keys.error;
}

void wn_corpus_dedup_free(wn_dedup *d)
{
    wn_corpus_shingler_free(&d->shingler);
    wn_corpus_runs_free(&d->keys);
    wn_array_free(&d->parents);
    for (uint32_t i = 0; i <= WN_DEDUP_MODELS; i++) {
        wn_buf_free(&d->models[i].attributes);
        wn_array_free(&d->models[i].shingles);
    }
}
