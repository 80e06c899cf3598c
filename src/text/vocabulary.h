/*
 * A vocabulary: words as numbers, in the order in which they came. Equal words have equal numbers,
 * so comparing texts is comparing numbers.
 */
#ifndef WN_TEXT_VOCABULARY_H
#define WN_TEXT_VOCABULARY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"

/* The numbers of the words seen so far. Zero it before the first use. */
typedef struct wn_vocabulary {
    wn_map words;
    wn_arena arena; /* their bytes */
    wn_buf word;    /* the word that is being read */
    bool failed;    /* out of memory; sticky until it is cleared */
} wn_vocabulary;

/* Forgets all words, keeps the memory. */
void wn_text_vocabulary_clear(wn_vocabulary *vocabulary);
void wn_text_vocabulary_free(wn_vocabulary *vocabulary);

/* The number of a word, which is new if it was not there; sets `failed` if out of memory. */
uint32_t wn_text_vocabulary_number(wn_vocabulary *vocabulary, wn_str word);

/* The number of a word that was seen, UINT32_MAX for another. */
uint32_t wn_text_vocabulary_find(const wn_vocabulary *vocabulary, wn_str word);

#endif
