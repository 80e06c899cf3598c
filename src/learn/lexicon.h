/*
 * A lexicon: words of pages with a weight each, learned from pages with gold text.
 *
 * The words are those of class names, of texts, of headings, of addresses; the kind belongs
 * to the word. A weight is the log of the odds that what stands there is content, in 16ths,
 * beside what is usual. Words are kept as hashes.
 */
#ifndef WN_LEARN_LEXICON_H
#define WN_LEARN_LEXICON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef enum wn_word_kind {
    WN_WORD_CLASS = 1, /* of class, id, data-testid of an element around */
    WN_WORD_ROLE,      /* its role, itemprop, itemtype */
    WN_WORD_TEXT,      /* of the block itself */
    WN_WORD_WHOLE,     /* all of a short block */
    WN_WORD_HEADING,   /* of the heading above */
    WN_WORD_PAGE, /* of the page's address, generator, types; this and the next ones, by type */
} wn_word_kind;

enum { WN_NO_WEIGHT = INT8_MIN }; /* the word is not in the lexicon */

typedef struct wn_lexicon_entry {
    uint32_t word; /* its hash; 0: free */
    int32_t weight;
} wn_lexicon_entry;

/* A table with open addressing: its size is a power of two, and at least one entry is free. */
typedef struct wn_lexicon {
    const wn_lexicon_entry *entries;
    uint32_t size; /* 0: empty */
} wn_lexicon;

/* The hash of a word is taken byte by byte, in lower case. */
static inline uint32_t wn_word_start(wn_word_kind kind)
{
    return 0x811C9DC5u ^ (uint32_t)kind * 0x9E3779B1u;
}

static inline uint32_t wn_word_add(uint32_t hash, char c)
{
    return (hash ^ (unsigned char)wn_ascii_lower(c)) * 0x01000193u;
}

static inline uint32_t wn_word_end(uint32_t hash)
{
    hash ^= hash >> 15;
    hash *= 0x2C1B3C6Du;
    hash ^= hash >> 13;
    return hash + (hash == 0);
}

/* Its weight, or WN_NO_WEIGHT. */
static inline int wn_lexicon_weight(const wn_lexicon *lexicon, uint32_t word)
{
    if (lexicon->size == 0)
        return WN_NO_WEIGHT;
    uint32_t at = word & (lexicon->size - 1);
    while (lexicon->entries[at].word) {
        if (lexicon->entries[at].word == word)
            return lexicon->entries[at].weight;
        at = (at + 1) & (lexicon->size - 1);
    }
    return WN_NO_WEIGHT;
}

#endif
