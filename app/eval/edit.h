/*
 * The edit distance of two texts (Levenshtein): how many characters must be put in, taken out or
 * replaced to make one of the other, and the similarity 1 - distance / length of the longer one.
 *
 * Bit-parallel: 64 rows of the table of distances are one step (Myers, "A fast bit-vector
 * algorithm for approximate string matching", 1999, in the form of Hyyrö, 2003).
 */
#ifndef WN_EVAL_EDIT_H
#define WN_EVAL_EDIT_H

#include "base/map.h"
#include "base/str.h"
#include "eval/lcs.h"

/* Of longer texts only so many characters are compared; two at random then take half a second. */
enum { WN_EDIT_MOST_CHARS = 1 << 16 };

/* The characters of a text, as small numbers. */
typedef wn_array(uint32_t) wn_edit_chars;

/* Working memory. Zero it before the first use. */
typedef struct wn_edit {
    wn_map64 alphabet;           /* characters by their number */
    wn_lcs places;               /* of each character in the first text */
    wn_array(uint64_t) up, down; /* where the distance grows and falls from row to row */
    wn_edit_chars a, b;
    bool failed; /* out of memory; sticky */
} wn_edit;

void wn_eval_edit_free(wn_edit *edit);

/* Appends the characters of a well-formed text, at most `most` of them. */
void wn_eval_edit_add_chars(wn_edit *edit, wn_edit_chars *chars, wn_str text, uint32_t most);

/* The distance of two lists of characters of this alphabet. */
uint32_t wn_eval_edit_distance(wn_edit *edit, const uint32_t *a, uint32_t a_count,
                               const uint32_t *b, uint32_t b_count);

/* The similarity of two well-formed texts, 0 to 1; 1 if both are empty. */
double wn_eval_edit_similarity(wn_edit *edit, wn_str a, wn_str b);

#endif
