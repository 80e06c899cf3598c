/*
 * The longest common subsequence of two lists of words, and which words are in it.
 *
 * Bit-parallel: a row of the table of lengths is a bit vector V over the words of `a`,
 * in which bit i is 0 where the length grows from i to i + 1 (Hyyrö, "Bit-parallel LCS-length
 * computation revisited", 2004). A word of `b` whose places in `a` are the bits M makes
 *
 *     V' = (V + (V & M)) | (V & ~M)
 *
 * In a stretch of 64 bits where M is 0, V changes only if a carry comes in. So a word costs
 * as many steps as it has stretches, not as many as `a` has: rare words cost nearly nothing.
 *
 * To name the words, all rows are kept and walked back. Where they would not fit into the
 * memory for it, `b` is cut in the middle, the best place to cut `a` is found from both
 * sides (Hirschberg, 1975), and each half is solved for itself.
 */
#ifndef WN_EVAL_LCS_H
#define WN_EVAL_LCS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

enum {
    /* Of longer lists only so many words are compared; two words at random then take a second. */
    WN_LCS_MOST_WORDS = 1 << 17,
    /* `match` of a word that is not in the subsequence. */
    WN_LCS_NONE = UINT32_MAX,
};

/* The places of a word in 64 words of `a`, a stretch. */
typedef struct wn_lcs_stretch {
    uint64_t mask;
    uint32_t number; /* of the stretch in `a` */
} wn_lcs_stretch;

/* Working memory. Zero it before the first use. */
typedef struct wn_lcs {
    wn_array(uint64_t) row;    /* V */
    wn_array(uint64_t) rows;   /* every V, where they are kept */
    wn_array(uint32_t) first;  /* by word: its first stretch; after the last word their number */
    wn_array(uint32_t) cursor; /* by word: where its next stretch goes */
    wn_array(wn_lcs_stretch) stretches; /* word by word, each in order */
    wn_array(uint32_t) profile;         /* lengths of all beginnings of `a` */
    wn_array(uint32_t) flipped;         /* lists back to front */
    uint32_t words;                     /* numbers of words are below it */
    uint64_t most_rows;                 /* 64-bit parts of rows that are kept; 0: the default */
} wn_lcs;

/*
 * Sets match[i] to the place in `b` that belongs to a[i], or to WN_LCS_NONE. The numbers of the
 * words are below `words`. Returns the length, and UINT32_MAX if out of memory.
 */
uint32_t wn_eval_lcs_align(wn_lcs *lcs, const uint32_t *a, uint32_t a_count, const uint32_t *b,
                           uint32_t b_count, uint32_t words, uint32_t *match);
void wn_eval_lcs_free(wn_lcs *lcs);

/*
 * Collects where the words of `a` are: those of a word are the stretches from first[word] to before
 * first[word + 1]. False if out of memory.
 */
bool wn_eval_lcs_collect(wn_lcs *lcs, const uint32_t *a, uint32_t count, uint32_t words);

#endif
