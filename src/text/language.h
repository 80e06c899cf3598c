/*
 * Languages: normalising what a page declares, and detecting the language of a text.
 *
 * Detection looks at the script first: most scripts are used by one language, or nearly so. For
 * Latin and Cyrillic letters it counts stop words (stopwords.h), which make up a third to a half of
 * running text. If the result is not clear, the language is "".
 */
#ifndef WN_TEXT_LANGUAGE_H
#define WN_TEXT_LANGUAGE_H

#include "base/str.h"
#include "text/stopwords.h"
#include "text/words.h"

/*
 * The language of a declaration, as a short code: "en-US", " EN_us" and "eng" are "en". "" for
 * what is not a code ("x-default", "english!"). Written to `code`, which it returns.
 */
const char *wn_text_language_normalise(wn_str declared, char code[WN_LANGUAGE_CODE]);

/*
 * The language of `text`, well-formed UTF-8: "en", "th", …; "" when it is not clear. At most the
 * first 64 KB are looked at. `words` is used for it: a walk through another text ends, and the
 * language it was told is forgotten.
 */
const char *wn_text_language_guess(wn_words *words, wn_str text);

/* The same; *probability is how often guesses on such evidence were right (0 to 1). */
const char *wn_text_language_judge(wn_words *words, wn_str text, double *probability);

#endif
