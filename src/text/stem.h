/*
 * Stems: the part of a word that its forms share, so that "connected" and "connection" count as
 * one.
 *
 * The algorithms are those of Snowball (libstemmer), one per language; they follow the language's
 * rules and need no dictionary. Without a stemmer for the language, or if winnow was built without
 * libstemmer, words are unchanged.
 *
 *     wn_stemmer *stemmer = wn_text_stemmer_new();
 *     wn_text_stemmer_use(stemmer, WN_STR("en"));
 *     wn_text_stem(stemmer, WN_STR("connection"));     // "connect"
 *     wn_text_stemmer_free(stemmer);
 */
#ifndef WN_TEXT_STEM_H
#define WN_TEXT_STEM_H

#include "base/buf.h"
#include "base/str.h"
#include "text/words.h"

/* Use one in one thread at a time. */
typedef struct wn_stemmer wn_stemmer;

/* NULL if out of memory. You own it: wn_text_stemmer_free() it. */
wn_stemmer *wn_text_stemmer_new(void);
void wn_text_stemmer_free(wn_stemmer *stemmer);

/*
 * Chooses the language of the words to come ("en"); false if it has no stems: words stay as they
 * are.
 */
bool wn_text_stemmer_use(wn_stemmer *stemmer, wn_str language);

/* The stem of a word that was folded (wn_fold, unicode.h); valid until the next call. */
wn_str wn_text_stem(wn_stemmer *stemmer, wn_str folded);

/* The stem of a word as it is in a text, not folded; remembers those of many words. */
wn_str wn_text_stem_word(wn_stemmer *stemmer, wn_str word);

/*
 * Appends the words of `text` in their order, folded and stemmed, with a space between them. The
 * language is the one that both `words` and `stemmer` were told. Returns how many there are.
 */
size_t wn_text_stem_text(wn_stemmer *stemmer, wn_words *words, wn_str text, wn_buf *out);

/* "libstemmer" or "none". Static. */
const char *wn_text_stem_engine(void);

#endif
