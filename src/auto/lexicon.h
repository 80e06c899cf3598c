/*
 * A lexicon: words of pages with a weight each, learned from pages with gold text.
 *
 * The words are those of class names, of texts, of headings, of addresses; the kind belongs to the
 * word. A weight is the log odds that text with this word is content, in 16ths, relative to the
 * average. Words are kept as hashes.
 */
#ifndef WN_AUTO_LEXICON_H
#define WN_AUTO_LEXICON_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/scan.h"

typedef enum wn_auto_word_kind {
    WN_WORD_CLASS = 1, /* of class, id, data-testid of an element around */
    WN_WORD_ROLE,      /* its role, itemprop, itemtype */
    WN_WORD_TEXT,      /* of the block itself */
    WN_WORD_WHOLE,     /* all of a short block */
    WN_WORD_HEADING,   /* of the heading above */
    WN_WORD_PAGE,      /* of the page's address, generator, types; this and the next by type */
    WN_WORD_OUTLINE,   /* of its title and headings */
} wn_auto_word_kind;

enum {
    WN_NO_WEIGHT = -128,              /* the word is not in the lexicon */
    WN_LEXICON_LEAST_SLOTS = 1 << 16, /* so that a slot tells its word exactly, see below */
};

/*
 * A table with open addressing: its size is a power of two, and at least one slot is free. A word
 * belongs into the slot that the low bits of its hash name, or into one of the next. A slot holds
 * the other bits of the hash, below them how many slots the word is from its own, and in its last
 * eight bits the weight, raised by 128; a free slot is 0. So four bytes are enough, and a look-up
 * touches one cache line.
 */
typedef struct wn_auto_lexicon {
    const uint32_t *slots; /* NULL: empty */
    uint32_t mask;         /* its size less 1 */
} wn_auto_lexicon;

/* The hash of a word; case does not matter. `place` tells words of the same kind apart, or is 0. */
static inline uint32_t wn_auto_word_hash(wn_auto_word_kind kind, char place, wn_str word)
{
    return wn_hash_nocase((uint64_t)kind << 40 | (uint64_t)(unsigned char)place << 32, word);
}

/*
 * What a word of a whole page says of one type of pages is a word of its own; of the first type it
 * is the word itself.
 */
static inline uint32_t wn_auto_word_of_type(uint32_t word, uint32_t type)
{
    return word + type * 0x9E3779B1u;
}

/* Words that will be looked up soon are asked for at once: memory answers many as fast as one. */
static inline void wn_auto_lexicon_expect(const wn_auto_lexicon *lexicon, uint32_t word)
{
    if (lexicon->slots)
        __builtin_prefetch(lexicon->slots + (word & lexicon->mask));
}

enum { WN_ONE_SLOT_ON = 1 << 8 }; /* what a slot further on adds to the bits that are compared */

#if !defined(WN_NO_SIMD) && defined(__SSE2__)
/*
 * Which of the next four slots is the first that holds the word or is free; 4 if none does. How many
 * slots must be looked at differs from word to word, and the processor cannot guess it: four at
 * once are nearly always enough.
 */
static inline uint32_t wn_auto_lexicon_find_in_four(const uint32_t *slots, uint32_t wanted)
{
    __m128i zero = _mm_setzero_si128(), v = _mm_loadu_si128((const __m128i *)slots);
    __m128i steps = _mm_setr_epi32(0, WN_ONE_SLOT_ON, 2 * WN_ONE_SLOT_ON, 3 * WN_ONE_SLOT_ON);
    __m128i words = _mm_add_epi32(_mm_set1_epi32((int)wanted), steps);
    __m128i is_word = _mm_cmpeq_epi32(_mm_srli_epi32(_mm_xor_si128(v, words), 8), zero);
    __m128i ends = _mm_or_si128(is_word, _mm_cmpeq_epi32(v, zero));
    return (uint32_t)__builtin_ctz((unsigned)_mm_movemask_ps(_mm_castsi128_ps(ends)) | 1u << 4);
}
#endif

/* Its weight, or WN_NO_WEIGHT. */
static inline int wn_auto_lexicon_weight(const wn_auto_lexicon *lexicon, uint32_t word)
{
    if (!lexicon->slots)
        return WN_NO_WEIGHT;
    assert((lexicon->mask & (lexicon->mask + 1)) == 0); /* a power of two less 1 */
    uint32_t at = word & lexicon->mask, wanted = word & ~lexicon->mask;
#if !defined(WN_NO_SIMD) && defined(__SSE2__)
    for (uint32_t found; at + 4 <= lexicon->mask; at += 4, wanted += 4 * WN_ONE_SLOT_ON) {
        found = wn_auto_lexicon_find_in_four(lexicon->slots + at, wanted);
        if (found < 4)
            return (int)(lexicon->slots[at + found] & 0xFF) + WN_NO_WEIGHT;
    }
#endif
    for (;; at = (at + 1) & lexicon->mask, wanted += WN_ONE_SLOT_ON) {
        uint32_t slot = lexicon->slots[at];
        if ((slot ^ wanted) < WN_ONE_SLOT_ON || slot == 0)
            return (int)(slot & 0xFF) + WN_NO_WEIGHT;
    }
}

#endif
