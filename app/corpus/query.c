#include "corpus/query.h"

#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "corpus/store_parts.h"
#include "text/stem.h"
#include "text/unicode.h"

typedef struct reader {
    wn_query *query;
    wn_words *words;
    wn_stemmer *stemmer;
    wn_array(wn_str) languages; /* whose stems count */
    bool only;                  /* them and no others: words as they are do not */
    const char *problem;
} reader;

/* ---- Languages --------------------------------------------------------------------------- */

/* Whether l'homme is two words somewhere. */
static bool is_eliding(wn_str language)
{
    return wn_str_eq(language, WN_STR("fr")) || wn_str_eq(language, WN_STR("it")) ||
           wn_str_eq(language, WN_STR("ca"));
}

/*
 * Most languages have no rules of their own: then a word is what it is, and they need not be asked.
 */
static void add_language(reader *r, wn_str code)
{
    if (!wn_text_stemmer_use(r->stemmer, code) && !is_eliding(code))
        return;
    wn_str *language = wn_array_push(&r->languages);
    if (language)
        *language = wn_arena_copy(&r->query->arena, code);
    else
        r->problem = "out of memory";
}

/* Those that the store has, or the one that the filter asks for. */
static bool read_languages(reader *r, wn_store *store, const wn_store_filter *filter)
{
    const wn_driver *driver = store->db->driver;
    if (filter && filter->language) {
        r->only = wn_text_stemmer_use(r->stemmer, wn_str_of(filter->language));
        add_language(r, wn_str_of(filter->language));
        return true;
    }
    wn_rows *rows = driver->query(
        store->db, "SELECT name FROM notes WHERE kind = 'language' ORDER BY name", NULL, 0);
    while (rows && !r->problem && driver->next(rows))
        add_language(r, driver->text(rows, 0));
    return rows && driver->end(rows);
}

static void choose_word_rules(reader *r)
{
    for (uint32_t i = 0; i < r->languages.count; i++) {
        if (is_eliding(r->languages.items[i]))
            wn_text_words_set_language(r->words, r->languages.items[i]);
    }
}

/* ---- Terms ------------------------------------------------------------------------------- */

static void add_stem(reader *r, wn_search_term *term, wn_str stem)
{
    for (uint32_t i = 0; i < term->stems.count; i++) {
        if (wn_str_eq(term->stems.items[i], stem))
            return;
    }
    wn_str *slot = wn_array_push(&term->stems);
    if (slot)
        *slot = wn_arena_copy(&r->query->arena, stem);
    else
        r->problem = "out of memory";
}

/* Adds what a word may look like in the index to a term. */
static void add_stems(reader *r, wn_search_term *term, wn_str word)
{
    wn_buf folded = {0};
    wn_text_fold(&folded, word);
    if (!r->only)
        add_stem(r, term, wn_buf_str(&folded));
    for (uint32_t i = 0; i < r->languages.count; i++) {
        wn_text_stemmer_use(r->stemmer, r->languages.items[i]);
        add_stem(r, term, wn_text_stem(r->stemmer, wn_buf_str(&folded)));
    }
    wn_buf_free(&folded);
}

/* A new term at the end of a list. */
static void add_term(reader *r, wn_search_term *terms, uint32_t *count, wn_str word)
{
    if (*count == WN_QUERY_TERMS)
        r->problem = "a query can have at most 32 words";
    else
        add_stems(r, &terms[(*count)++], word);
}

static void add_words(reader *r, wn_str text)
{
    wn_text_words_begin(r->words, text);
    for (wn_str word; !r->problem && wn_text_words_next(r->words, &word);)
        add_term(r, r->query->terms, &r->query->term_count, word);
}

/* The only word of a text; false, with a problem, if there is another number of them. */
static bool read_only_word(reader *r, wn_str text, const char *problem, wn_str *word)
{
    wn_str next;
    wn_text_words_begin(r->words, text);
    if (wn_text_words_next(r->words, word) && !wn_text_words_next(r->words, &next))
        return true;
    r->problem = problem;
    return false;
}

static void add_phrase(reader *r, uint32_t first)
{
    wn_query *q = r->query;
    uint32_t length = q->term_count - first;
    if (length < 2)
        return;
    if (q->phrase_count == WN_QUERY_PHRASES) {
        r->problem = "a query can have at most 16 phrases";
        return;
    }
    uint32_t mask = length == 32 ? UINT32_MAX : (UINT32_C(1) << length) - 1;
    q->phrases[q->phrase_count++] = (wn_query_phrase){first, length, mask};
}

/* What the next part of a query is about. */
typedef enum mode { WANTED, EITHER, EXCLUDED } mode;

static bool is_in_phrase(const wn_query *q, uint32_t term)
{
    return q->phrase_count > 0 &&
           term < q->phrases[q->phrase_count - 1].first + q->phrases[q->phrase_count - 1].length;
}

/* A part that has no space in it and no quotation marks around it. */
static void read_word(reader *r, wn_str text, mode how)
{
    wn_query *q = r->query;
    wn_str word;
    if (how == EXCLUDED) {
        if (read_only_word(r, text, "only single words can be excluded", &word))
            add_term(r, q->excluded, &q->excluded_count, word);
    } else if (how == EITHER) {
        if (q->term_count == 0 || is_in_phrase(q, q->term_count - 1))
            r->problem = "OR must be between two words";
        else if (read_only_word(r, text, "OR must be between two words", &word))
            add_stems(r, &q->terms[q->term_count - 1], word);
    } else {
        add_words(r, text);
    }
}

/*
 * Words that must follow each other: `text` is after the quotation mark. Returns what is after
 * them.
 */
static wn_str read_phrase(reader *r, wn_str text, mode how)
{
    const char *close = memchr(text.ptr, '"', text.len);
    uint32_t first = r->query->term_count;
    if (!close) {
        r->problem = "a quotation mark is not closed";
        return WN_STR("");
    }
    if (how != WANTED)
        r->problem = "OR, NOT and - go with single words, not with phrases";
    else
        add_words(r, wn_str_between(text.ptr, close));
    if (!r->problem)
        add_phrase(r, first);
    return wn_str_from_offset(text, (size_t)(close - text.ptr) + 1);
}

/* Takes what is before the next space or quotation mark off the text. */
static wn_str take_part(wn_str *text)
{
    size_t size = 0;
    while (size < text->len && !wn_is_space(text->ptr[size]) && text->ptr[size] != '"')
        size++;
    wn_str part = wn_str_from(text->ptr, size);
    *text = wn_str_from_offset(*text, size);
    return part;
}

static void read_text(reader *r, wn_str text)
{
    mode how = WANTED;
    while (!r->problem && (text = wn_str_trim(text)).len > 0) {
        if (*text.ptr == '"') {
            text = read_phrase(r, wn_str_from_offset(text, 1), how);
            how = WANTED;
            continue;
        }
        wn_str part = take_part(&text);
        bool excludes = part.len > 0 && *part.ptr == '-';
        if (wn_str_eq(part, WN_STR("OR"))) {
            how = EITHER;
        } else if (wn_str_eq(part, WN_STR("NOT")) || (excludes && part.len == 1)) {
            how = EXCLUDED;
        } else if (!wn_str_eq(part, WN_STR("AND"))) {
            read_word(r, excludes ? wn_str_from_offset(part, 1) : part, excludes ? EXCLUDED : how);
            how = WANTED;
        }
    }
    if (!r->problem && how != WANTED)
        r->problem = "there is no word after OR or NOT";
    if (!r->problem && r->query->term_count == 0)
        r->problem = r->query->excluded_count > 0
                         ? "the query only excludes words; add one to search for"
                         : "the query has no words";
}

/* ---- Worth ------------------------------------------------------------------------------- */

/* Leaves out the stems that no page has and says what the others are worth: log(1 + N / n). */
static bool weigh_term(wn_query *query, wn_store *store, uint32_t number)
{
    wn_search_term *term = &query->terms[number];
    double pages = (double)(store->next_id - 1), least = INFINITY;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < term->stems.count; i++) {
        uint64_t with;
        if (!store->db->driver->frequency(store->db, term->stems.items[i], &with))
            return false;
        if (with == 0)
            continue;
        double *weight = wn_array_push(&term->weights);
        if (!weight)
            return wn_corpus_db_fail(store->db, "out of memory");
        *weight = log(1 + pages / (double)with);
        least = fmin(least, *weight);
        term->stems.items[kept++] = term->stems.items[i];
    }
    term->stems.count = kept;
    query->worth[number] = least;
    query->hopeless = query->hopeless || kept == 0;
    return true;
}

static bool weigh_terms(wn_query *query, wn_store *store)
{
    bool done = true;
    for (uint32_t i = 0; done && !query->hopeless && i < query->term_count; i++)
        done = weigh_term(query, store, i);
    return done;
}

/* ---- The query --------------------------------------------------------------------------- */

bool wn_corpus_query_read(wn_query *query, wn_store *store, wn_str text,
                          const wn_store_filter *filter, const char **problem)
{
    reader r = {.query = query, .words = wn_text_words_new(), .stemmer = wn_text_stemmer_new()};
    if (wn_utf8_valid_prefix(text) < text.len)
        r.problem = "the query is not UTF-8";
    bool done = r.words && r.stemmer && read_languages(&r, store, filter);
    if (done) {
        choose_word_rules(&r);
        read_text(&r, text);
        *problem = r.problem;
    }
    if (query->arena.failed || !r.words || !r.stemmer)
        *problem = "out of memory";
    wn_text_words_free(r.words);
    wn_text_stemmer_free(r.stemmer);
    wn_array_free(&r.languages);
    return done && !*problem && weigh_terms(query, store);
}

static void free_terms(wn_search_term *terms, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        wn_array_free(&terms[i].stems);
        wn_array_free(&terms[i].weights);
    }
}

void wn_corpus_query_free(wn_query *query)
{
    free_terms(query->terms, query->term_count);
    free_terms(query->excluded, query->excluded_count);
    wn_arena_free(&query->arena);
}

/* Whether a stem is one of a term's. */
static bool is_stem_of(const wn_search_term *term, wn_str stem)
{
    for (uint32_t j = 0; j < term->stems.count; j++) {
        wn_str wanted = term->stems.items[j];
        if (wanted.len == stem.len && wanted.ptr[0] == stem.ptr[0] && wn_str_eq(wanted, stem))
            return true;
    }
    return false;
}

uint64_t wn_corpus_query_match(const wn_query *query, wn_str stem)
{
    uint64_t terms = 0;
    for (uint32_t i = 0; i < query->term_count; i++)
        terms |= (uint64_t)is_stem_of(&query->terms[i], stem) << i;
    return terms;
}

bool wn_corpus_query_excludes(const wn_query *query, wn_str stem)
{
    for (uint32_t i = 0; i < query->excluded_count; i++)
        if (is_stem_of(&query->excluded[i], stem))
            return true;
    return false;
}
