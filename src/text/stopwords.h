/*
 * Stop words: the frequent words of a language, which say nothing about a text.
 *
 * There are lists for many languages (data/stopwords), and the user can add words. All words are
 * compared in the form that wn_text_fold() makes (unicode.h).
 *
 *     wn_stopwords stop = {0};
 *     wn_text_stopwords_use(&stop, WN_STR("en"));
 *     wn_text_stopwords_add(&stop, bytes_of_a_file);
 *     if (!wn_text_stopwords_has(&stop, folded_word)) …
 *     wn_text_stopwords_free(&stop);
 */
#ifndef WN_TEXT_STOPWORDS_H
#define WN_TEXT_STOPWORDS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

enum { WN_LANGUAGE_CODE = 9 }; /* bytes of the longest code and its NUL */

/* ---- The lists that come with winnow ----------------------------------------------------- */

typedef struct wn_stopword_entry {
    uint16_t offset, length;
    uint32_t languages; /* a bit each */
} wn_stopword_entry;

/* The languages with a list, in the order of their bits; "" past the end. */
extern const char wn_stopword_languages[][WN_LANGUAGE_CODE];
extern const char wn_stopword_text[];
extern const wn_stopword_entry wn_stopword_entries[];
extern const uint16_t wn_stopword_slots[];
extern const uint32_t wn_stopword_slot_mask;

/* The languages in which a folded word is a stop word, a bit each. */
uint32_t wn_text_stopword_bits(wn_str folded);

/* The bit of a language ("en"); 0 if there is no list of it. */
uint32_t wn_text_stopword_language_bit(wn_str language);

/* ---- A set of them ----------------------------------------------------------------------- */

/* Zero it before the first use. */
typedef struct wn_stopwords {
    uint32_t languages; /* bits of the lists that are used */
    wn_map added;       /* the user's words */
    wn_arena arena;     /* their bytes */
} wn_stopwords;

void wn_text_stopwords_free(wn_stopwords *stop);

/* Uses the list of one language instead of any other; false if there is none. */
bool wn_text_stopwords_use(wn_stopwords *stop, wn_str language);

/*
 * Adds words, one per line, as UTF-8. Case does not matter, nor do white space at both ends, empty
 * lines and lines that begin with #. False if out of memory: some may be missing.
 */
bool wn_text_stopwords_add(wn_stopwords *stop, wn_str lines);

/* Whether a folded word is one of them. */
bool wn_text_stopwords_has(const wn_stopwords *stop, wn_str folded);

#endif
