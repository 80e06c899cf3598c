/*
 * Words of a text, in every script.
 *
 *     wn_words *words = wn_text_words_new();
 *     wn_text_words_begin(words, text);
 *     for (wn_str word; wn_text_words_next(words, &word);)
 *         …                                          // a slice of the text
 *     wn_text_words_free(words);
 *
 * A word is a run of letters, digits and the marks on them. Everything else separates:
 * spaces, punctuation, symbols, emoji, hyphens ("well-known" is two words, "anak-anak" is
 * one word twice). Three things join, and only between two letters or digits: an apostrophe
 * ("don't"), the underscore, and between digits the point and comma ("3.14", "1,000").
 *
 * Thai, Lao, Khmer, Burmese, Chinese and Japanese write no spaces between words. A run of such a
 * script ends where the script changes and is cut by a dictionary:
 *
 *     Thai                              libthai, then three rules of our own (words.c); else ICU
 *     Lao, Khmer, Burmese               ICU
 *     Chinese, Japanese                 ICU
 *
 * Without them (both are optional when winnow is built) each ideograph is a word, a run of kana is
 * one, and so is a run of the others, up to 512 characters. docs/words.md has the figures.
 *
 * Time is linear: dictionaries see at most 512 characters at once. Memory is taken when the
 * first word of such a script comes, and does not grow with the text.
 */
#ifndef WN_TEXT_WORDS_H
#define WN_TEXT_WORDS_H

#include "base/str.h"

/* Reads one text at a time; use one in one thread at a time. */
typedef struct wn_words wn_words;

/* NULL if out of memory. You own it: wn_text_words_free() it. */
wn_words *wn_text_words_new(void);
void wn_text_words_free(wn_words *words);

/*
 * Tells the language of the texts to come ("fr"), "" if it is not known. In French, Italian
 * and Catalan the article before an apostrophe is a word by itself: l'homme is "l", "homme".
 */
void wn_text_words_set_language(wn_words *words, wn_str language);

/* Begins with `text`, which is well-formed UTF-8 and must live as long as its words are read. */
void wn_text_words_begin(wn_words *words, wn_str text);

/* The next word, a slice of the text and never empty; false at the end. */
bool wn_text_words_next(wn_words *words, wn_str *word);

/* The number of words of `text`. */
size_t wn_text_words_count(wn_words *words, wn_str text);

/* What cuts Thai, and what the other scripts: "libthai", "ICU" or "none". Static. */
const char *wn_text_words_thai_engine(void);
const char *wn_text_words_other_engine(void);

#endif
