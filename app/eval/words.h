/*
 * The words of a text, as numbers: what all measures are made of.
 *
 * A word is what Python's re.findall(r"\w+", text.lower()) finds, or, where a measure
 * minds the case, what re.findall(r"\w+", text) finds. Equal words have equal
 * numbers within one vocabulary, so comparing pages is comparing numbers.
 *
 * Each word also knows where it is and its length in characters together with the
 * signs after it, without spaces. These lengths add up to the length of the whole text:
 *
 *     "Hello, wor ld!"      Hello,  6    wor  3    ld!  3      in all 12
 */
#ifndef WN_EVAL_WORDS_H
#define WN_EVAL_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/str.h"
#include "text/vocabulary.h"
#include "text/words.h"

typedef struct wn_word {
    uint32_t id;         /* its number */
    uint32_t start, end; /* where it is in the text, in bytes */
    uint32_t length;     /* characters, with the signs after it */
} wn_word;

typedef struct wn_word_list {
    wn_array(wn_word) list;
    uint64_t length; /* of the text in characters, without spaces */
} wn_word_list;

/*
 * Reads the words of `text`, which need not be well-formed: what is not UTF-8 is no
 * word. Texts are cut at 2 GiB. False if out of memory.
 */
bool wn_eval_word_list_read(wn_word_list *words, wn_vocabulary *vocabulary, wn_str text,
                            bool lower);

/* The same for the words that a reader sees (text/words.h), of text that is well-formed. */
bool wn_eval_word_list_segment(wn_word_list *words, wn_vocabulary *vocabulary, wn_words *segmenter,
                               wn_str text, bool lower);
void wn_eval_word_list_free(wn_word_list *words);

/*
 * Adds `text` in lower case, with white space at its ends removed and every other stretch
 * of it as one space: the form in which snippets are looked for.
 */
void wn_eval_add_folded(wn_buf *out, wn_str text);

#endif
