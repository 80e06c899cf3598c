#include "text/terms.h"

#include "base/utf8.h"
#include "text/unicode.h"

/* Makes what is needed, when it is first needed. */
static bool is_ready(wn_terms *t)
{
    if (!t->words)
        t->words = wn_text_words_new();
    if (!t->stemmer)
        t->stemmer = wn_text_stemmer_new();
    t->failed = t->failed || !t->words || !t->stemmer;
    return !t->failed;
}

const char *wn_text_terms_use(wn_terms *t, wn_str declared, wn_str text,
                              char code[WN_LANGUAGE_CODE])
{
    if (!is_ready(t))
        return "";
    const char *language = wn_text_language_normalise(declared, code);
    if (!language[0])
        language = wn_text_language_guess(t->words, text);
    wn_text_terms_set_language(t, wn_str_of(language));
    return language;
}

void wn_text_terms_set_language(wn_terms *t, wn_str language)
{
    if (!is_ready(t))
        return;
    wn_text_words_set_language(t->words, language);
    wn_text_stemmer_use(t->stemmer, language);
    wn_text_stopwords_use(&t->stop, language);
}

void wn_text_terms_begin(wn_terms *t, wn_str text)
{
    wn_buf_clear(&t->folded);
    t->at = 0;
    if (is_ready(t))
        wn_text_words_begin(t->words, text);
}

static bool is_letter(uint32_t c)
{
    wn_char_class class = wn_text_class_of(c);
    return class == WN_CLASS_LETTER || class == WN_CLASS_MARK || class >= WN_CLASS_THAI;
}

/* The next run of letters of the word; empty at its end. */
static wn_str next_letters(wn_terms *t)
{
    const char *p = t->folded.ptr + t->at, *end = t->folded.ptr + t->folded.len, *start = NULL;
    while (p < end) {
        const char *before = p;
        bool letter = is_letter(wn_utf8_next(&p));
        if (letter && !start)
            start = before;
        if (!letter && start) {
            t->at = (size_t)(before - t->folded.ptr);
            return wn_str_between(start, before);
        }
    }
    t->at = t->folded.len;
    return start ? wn_str_between(start, end) : WN_STR("");
}

static bool next_word(wn_terms *t)
{
    wn_str word;
    if (!wn_text_words_next(t->words, &word))
        return false;
    wn_buf_clear(&t->folded);
    wn_text_fold(&t->folded, word);
    t->failed = t->failed || t->folded.failed;
    t->at = 0;
    t->is_stop = wn_text_stopwords_has(&t->stop, wn_buf_str(&t->folded));
    return !t->failed;
}

bool wn_text_terms_next(wn_terms *t, wn_term *term)
{
    if (t->failed)
        return false;
    for (;;) {
        wn_str token = t->at < t->folded.len ? next_letters(t) : WN_STR("");
        if (token.len > 0) {
            *term = (wn_term){
                .stem = wn_text_stem(t->stemmer, token),
                .is_stop = t->is_stop || wn_text_stopwords_has(&t->stop, token),
            };
            return true;
        }
        if (!next_word(t))
            return false;
    }
}

void wn_text_terms_free(wn_terms *t)
{
    wn_text_words_free(t->words);
    wn_text_stemmer_free(t->stemmer);
    wn_text_stopwords_free(&t->stop);
    wn_buf_free(&t->folded);
}
