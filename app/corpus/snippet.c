#include "corpus/snippet.h"

#include <stdlib.h>

#include "text/stem.h"

enum {
    WINDOW = 30,             /* words of a snippet */
    LEAD = 4,                /* of them before the first that was asked for */
    MAX_TEXT = 1 << 20,      /* bytes of a text that are looked at */
    MAX_SNIPPET = 600,       /* bytes, before marks: words can be long */
    TERM_WORTH = 2 * WINDOW, /* a term counts more than all words together */
};

typedef struct place {
    wn_str word;
    uint64_t terms; /* of the query: a bit each */
} place;

struct wn_corpus_snippets {
    wn_words *words;
    wn_stemmer *stemmer;
    wn_buf out;
    place window[WINDOW]; /* the last words, as a ring */
};

wn_corpus_snippets *wn_corpus_snippets_new(void)
{
    wn_corpus_snippets *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->words = wn_text_words_new();
    s->stemmer = wn_text_stemmer_new();
    if (s->words && s->stemmer)
        return s;
    wn_corpus_snippets_free(s);
    return NULL;
}

void wn_corpus_snippets_free(wn_corpus_snippets *snippets)
{
    if (!snippets)
        return;
    wn_text_words_free(snippets->words);
    wn_text_stemmer_free(snippets->stemmer);
    wn_buf_free(&snippets->out);
    free(snippets);
}

static uint64_t terms_of(wn_corpus_snippets *s, const wn_query *query, wn_str word)
{
    return wn_corpus_query_match(query, wn_text_stem_word(s->stemmer, word));
}

/* How good the ring is as a snippet: different terms first, then how many words are terms. */
static unsigned rate_window(const wn_corpus_snippets *s, size_t count)
{
    uint64_t terms = 0;
    unsigned hits = 0;
    for (size_t i = 0; i < count; i++) {
        terms |= s->window[i].terms;
        hits += s->window[i].terms != 0;
    }
    return (unsigned)__builtin_popcountll(terms) * TERM_WORTH + hits;
}

/*
 * Where the best WINDOW words begin. A window is rated only when a word of the query has just
 * stepped LEAD words into it from the right end's view; so ratings are few. The first with all
 * terms will do.
 */
static const char *find_start(wn_corpus_snippets *s, const wn_query *query, wn_str text)
{
    const char *best = text.ptr;
    unsigned best_rate = 0;
    size_t seen = 0;
    wn_text_words_begin(s->words, text);
    for (wn_str word; wn_text_words_next(s->words, &word); seen++) {
        s->window[seen % WINDOW] = (place){word, terms_of(s, query, word)};
        size_t count = seen + 1 < WINDOW ? seen + 1 : WINDOW;
        size_t oldest = seen + 1 < WINDOW ? 0 : (seen + 1) % WINDOW;
        bool full = count == WINDOW && s->window[(oldest + LEAD) % WINDOW].terms;
        if (!full && !s->window[seen % WINDOW].terms)
            continue;
        unsigned rate = rate_window(s, count);
        if (rate > best_rate || (rate == best_rate && full && best_rate == 0)) {
            best_rate = rate;
            best = s->window[oldest].word.ptr;
        }
        if (full && best_rate >= query->term_count * TERM_WORTH)
            break;
    }
    return best;
}

/* Adds text between words: white space of any kind and length is one space. */
static void add_between(wn_buf *out, wn_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        bool space = wn_is_space(text.ptr[i]);
        if (!space)
            wn_buf_add_char(out, text.ptr[i]);
        else if (out->len > 0 && out->ptr[out->len - 1] != ' ')
            wn_buf_add_char(out, ' ');
    }
}

static void add_word(wn_corpus_snippets *s, wn_str word, bool marked)
{
    wn_buf_add_literal(&s->out, marked ? "**" : "");
    wn_buf_add(&s->out, word);
    wn_buf_add_literal(&s->out, marked ? "**" : "");
}

wn_str wn_corpus_snippet_make(wn_corpus_snippets *s, const wn_query *query, wn_str text,
                              wn_str language)
{
    if (text.len > MAX_TEXT) {
        text.len = MAX_TEXT;
        while (text.len > 0 && (text.ptr[text.len] & 0xC0) == 0x80)
            text.len--;
    }
    wn_text_stemmer_use(s->stemmer, language);
    wn_text_words_set_language(s->words, language);
    const char *end = text.ptr + text.len, *at = find_start(s, query, text);
    wn_buf_clear(&s->out);
    wn_buf_add_literal(&s->out, at > text.ptr ? "… " : "");
    wn_text_words_begin(s->words, wn_str_between(at, end));
    size_t count = 0;
    for (wn_str word;
         count < WINDOW && s->out.len < MAX_SNIPPET && wn_text_words_next(s->words, &word);
         count++) {
        if (word.len > MAX_SNIPPET || word.ptr - at > MAX_SNIPPET)
            break;
        add_between(&s->out, wn_str_between(at, word.ptr));
        add_word(s, word, terms_of(s, query, word) != 0);
        at = word.ptr + word.len;
    }
    /* Up to the end of the sentence, if it is here. */
    if (at < end && strchr(".!?", *at))
        wn_buf_add_char(&s->out, *at++);
    wn_str rest = wn_str_trim(wn_str_between(at, end));
    wn_buf_add_literal(&s->out, rest.len > 0 ? " …" : "");
    return wn_buf_str(&s->out);
}
