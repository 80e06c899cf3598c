#include "corpus/search.h"

#include <math.h>
#include <stdlib.h>

#include "corpus/query.h"
#include "corpus/snippet.h"
#include "corpus/store_parts.h"

enum { CANDIDATES = 200 };

/*
 * What two words of the query add that are side by side as in the query, as a share of their worth.
 */
static const double NEIGHBOURS = 0.5;

typedef struct candidate {
    int64_t id;
    double score;
} candidate;

struct wn_search {
    wn_store *store;
    wn_query query;
    wn_condition condition;
    wn_rows *rows; /* ids, sorted by the index; NULL: there are no more */
    wn_corpus_snippets *snippets;
    wn_array(candidate) block;
    uint32_t next; /* of the block */
    bool failed;
};

/* ---- Scores ------------------------------------------------------------------------------ */

typedef struct tally {
    double counts[WN_QUERY_TERMS];     /* occurrences */
    double neighbours[WN_QUERY_TERMS]; /* times that a term was right after the one before it */
    uint64_t phrases;                  /* that were found: a bit each */
    bool excluded;                     /* a word was found that is not wanted */
} tally;

/* Counts the terms in a text; each occurrence counts `worth` times. */
static void tally_text(const wn_query *query, wn_str stems, double worth, tally *t)
{
    uint32_t states[WN_QUERY_PHRASES] = {0};
    int last = -1;
    for (wn_str stem; wn_corpus_next_stem(&stems, &stem);) {
        uint64_t terms = wn_corpus_query_match(query, stem);
        t->excluded = t->excluded || wn_corpus_query_excludes(query, stem);
        for (uint32_t i = 0; i < query->phrase_count; i++) {
            uint32_t fits = (uint32_t)(terms >> query->phrases[i].first) & query->phrases[i].mask;
            states[i] = (states[i] << 1 | 1) & fits;
            if (states[i] & 1u << (query->phrases[i].length - 1))
                t->phrases |= UINT64_C(1) << i;
        }
        int first = terms ? __builtin_ctzll(terms) : -1;
        for (int term = first; term >= 0 && term < (int)query->term_count; term++) {
            if (!(terms >> term & 1))
                continue;
            t->counts[term] += worth;
            t->neighbours[term] += last >= 0 && last + 1 == term;
        }
        last = first;
    }
}

/* The score of a page; below 0: it lacks a phrase, or has a word that is not wanted. */
static double score_page(const wn_query *query, const wn_stored *page)
{
    tally t = {0};
    tally_text(query, page->title_stems, WN_TITLE_OCCURRENCES, &t);
    tally_text(query, page->all_stems, 1, &t);
    if (t.excluded || t.phrases != (UINT64_C(1) << query->phrase_count) - 1)
        return -1;
    double score = 0;
    for (uint32_t i = 0; i < query->term_count; i++) {
        double words = (double)page->words;
        score += query->worth[i] * wn_corpus_bm25(t.counts[i], words);
        if (t.neighbours[i] > 0)
            score += NEIGHBOURS * query->worth[i] * wn_corpus_bm25(t.neighbours[i], words);
    }
    return score;
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static int by_score(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void end_rows(wn_search *search)
{
    if (search->rows && !search->store->db->driver->end(search->rows))
        search->failed = true;
    search->rows = NULL;
}

/* Scores a page and keeps it, if it has what the query asks for. */
static bool add_candidate(wn_search *search, int64_t id)
{
    wn_stored page;
    bool found;
    if (!wn_corpus_store_get(search->store, id, WN_FIELD_SEARCH, &found, &page))
        return false;
    double score = found ? score_page(&search->query, &page) : -1;
    candidate *c = score >= 0 ? wn_array_push(&search->block) : NULL;
    if (score >= 0 && !c)
        return wn_corpus_db_fail(search->store->db, "out of memory");
    if (c)
        *c = (candidate){id, score};
    return true;
}

/* Fills the block; false when there is nothing more. */
static bool read_block(wn_search *search)
{
    const wn_driver *driver = search->store->db->driver;
    search->block.count = search->next = 0;
    while (search->rows && search->block.count < CANDIDATES && !search->failed) {
        if (driver->next(search->rows))
            search->failed = !add_candidate(search, driver->number(search->rows, 0));
        else
            end_rows(search);
    }
    if (search->block.count > 0)
        qsort(search->block.items, search->block.count, sizeof *search->block.items, by_score);
    return !search->failed && search->block.count > 0;
}

/* ---- The search -------------------------------------------------------------------------- */

/* Asks the index; a word that no page has ends the search before it begins. */
static bool ask_index(wn_search *search, const wn_store_filter *given)
{
    wn_store_filter filter = given ? *given : (wn_store_filter){0};
    if (search->query.hopeless)
        return true;
    if (filter.statuses == WN_STORED_NO_COPIES) {
        int64_t copy;
        if (!wn_corpus_db_number(search->store->db,
                                 "SELECT id FROM pages WHERE copy_of IS NOT NULL LIMIT 1", NULL, 0,
                                 0, &copy))
            return false;
        if (copy == 0)
            filter.statuses = 0; /* nothing has to be asked of each page */
    }
    wn_corpus_condition_make(&search->condition, &filter);
    search->rows = search->store->db->driver->search(
        search->store->db, search->query.terms, search->query.term_count,
        wn_buf_c_string(&search->condition.sql), search->condition.values, search->condition.count);
    return search->rows != NULL;
}

wn_search *wn_corpus_search_open(wn_store *store, wn_str text, const wn_store_filter *filter,
                                 const char **problem)
{
    *problem = NULL;
    wn_search *search = calloc(1, sizeof *search);
    if (!search) {
        *problem = "out of memory";
        return NULL;
    }
    search->store = store;
    search->snippets = wn_corpus_snippets_new();
    bool ready = search->snippets &&
                 wn_corpus_query_read(&search->query, store, text, filter, problem) &&
                 ask_index(search, filter);
    if (!search->snippets)
        *problem = "out of memory";
    if (ready)
        return search;
    wn_corpus_search_close(search);
    return NULL;
}

static candidate *next_candidate(wn_search *search)
{
    if (search->next == search->block.count && !read_block(search))
        return NULL;
    return &search->block.items[search->next++];
}

bool wn_corpus_search_skip(wn_search *search, uint64_t count)
{
    while (count > 0 && next_candidate(search))
        count--;
    return count == 0;
}

bool wn_corpus_search_next(wn_search *search, wn_search_hit *hit)
{
    bool found = false;
    candidate *c = NULL;
    while (!found && (c = next_candidate(search))) { /* one may have been removed meanwhile */
        search->failed = !wn_corpus_store_get(search->store, c->id, WN_FIELD_TEXT, &found,
                                              &hit->page);
        if (search->failed)
            return false;
    }
    if (!c)
        return false;
    hit->score = c->score;
    hit->snippet = wn_corpus_snippet_make(search->snippets, &search->query, hit->page.text,
                                          hit->page.language);
    return true;
}

bool wn_corpus_search_close(wn_search *search)
{
    if (!search)
        return false;
    end_rows(search);
    bool failed = search->failed;
    wn_corpus_query_free(&search->query);
    wn_corpus_condition_free(&search->condition);
    wn_corpus_snippets_free(search->snippets);
    wn_array_free(&search->block);
    free(search);
    return !failed;
}
