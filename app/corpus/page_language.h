/*
 * The language of a page of a collection, for its stems and stop words.
 */
#ifndef WN_CORPUS_PAGE_LANGUAGE_H
#define WN_CORPUS_PAGE_LANGUAGE_H

#include "text/language.h"

/*
 * The language detected from the text; if that is unclear, the declared one. A code, static or in
 * `code`; "" if unknown.
 */
const char *wn_corpus_page_language(wn_words *words, wn_str declared, wn_str text,
                                    char code[WN_LANGUAGE_CODE]);

#endif
