/*
 * Terms: the words of a text as statistics count them.
 *
 *     "She's connected 3 of John's servers"    ->    connect  john  s  server
 *
 * A text is cut at everything that is no letter (Lingwal's paper: mode = non letters), so numbers
 * are not terms, and "John's" is two. Tokens are folded; stop words are marked; each has its stem.
 * Where a script writes no spaces, words are those of words.h.
 *
 *     wn_terms terms = {0};
 *     wn_text_terms_use(&terms, declared_language, text, code);
 *     wn_text_terms_begin(&terms, text);
 *     for (wn_term term; wn_text_terms_next(&terms, &term);)
 *         if (!term.is_stop)
 *             … term.stem …
 *     wn_text_terms_free(&terms);
 */
#ifndef WN_TEXT_TERMS_H
#define WN_TEXT_TERMS_H

#include "base/buf.h"
#include "text/language.h"
#include "text/stem.h"
#include "text/stopwords.h"
#include "text/words.h"

typedef struct wn_term {
    wn_str stem; /* valid until the next call */
    bool is_stop;
} wn_term;

/* Zero it before the first use; use one in one thread at a time. */
typedef struct wn_terms {
    wn_words *words;
    wn_stemmer *stemmer;
    wn_stopwords stop; /* of the language; others may be added (wn_text_stopwords_add) */
    wn_buf folded;     /* the word that is being cut */
    size_t at;         /* in it */
    bool is_stop;      /* that word is a stop word as a whole: "she's" */
    bool failed;       /* out of memory; sticky */
} wn_terms;

/*
 * Chooses the language of the texts to come: the one that is declared ("en-US"), or what `text`
 * looks like. Returns its code, static or in `code`.
 */
const char *wn_text_terms_use(wn_terms *terms, wn_str declared, wn_str text,
                              char code[WN_LANGUAGE_CODE]);

/* The same for a language that is known by its code ("en"); "" has no stop words and no stems. */
void wn_text_terms_set_language(wn_terms *terms, wn_str language);

/* Begins with `text`, which is well-formed UTF-8 and must live as long as its terms are read. */
void wn_text_terms_begin(wn_terms *terms, wn_str text);

/* The next term; false at the end, or if out of memory. */
bool wn_text_terms_next(wn_terms *terms, wn_term *term);

void wn_text_terms_free(wn_terms *terms);

#endif
