/*
 * The words of class names and ids: "site-header navBar_main" has five. They are runs of ASCII
 * letters; a capital after a small letter begins a new one.
 */
#ifndef WN_TEXT_CLASS_WORDS_H
#define WN_TEXT_CLASS_WORDS_H

#include "text/char_kinds.h"

typedef struct wn_text_class_words {
    wn_str value;
    size_t at; /* where the chunk begins that is read; value.len or more: all are read */
    uint64_t starts, stops; /* in it: words begin, and end before */
} wn_text_class_words;

/* Before the first call, zero `at`, `starts` and `stops`, and set `value`. */
static inline wn_text_class_words wn_text_class_words_of(wn_str value)
{
    return (wn_text_class_words){.value = value};
}

/* Goes on to the next chunk that has words; false if there is none. */
bool wn_text_class_words_refill(wn_text_class_words *words);

/* A word that goes on past its chunk. */
wn_str wn_text_class_words_long(const wn_text_class_words *words, size_t start);

/* The next word; false when there is none. */
static inline bool wn_text_class_words_next(wn_text_class_words *words, wn_str *word)
{
    if (!words->starts && !wn_text_class_words_refill(words))
        return false;
    size_t start = (size_t)__builtin_ctzll(words->starts);
    words->starts &= words->starts - 1;
    uint64_t stops = words->stops >> start >> 1;
    size_t first = words->at - WN_CHAR_CHUNK + start;
    *word = stops ? wn_str_from(words->value.ptr + first, 1 + (size_t)__builtin_ctzll(stops))
                  : wn_text_class_words_long(words, first);
    return true;
}

#endif
