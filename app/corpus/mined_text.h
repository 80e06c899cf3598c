/*
 * The text of a page for mining, as section 3.2 of Lingwal's paper writes it
 * (docs/methods/outlier.md): cut at everything that is not a letter, stemmed, without stop words.
 *
 *     "The runners were running 20 miles, not over them."   ->   "runner run mile"
 *
 * A word is left out if it is a stop word, or if its stem is one: the paper stems first, and then
 * compares with the list. Outliers leave when the text is shown or exported (kept_words.h), because
 * they are found after the pages were added.
 */
#ifndef WN_CORPUS_MINED_TEXT_H
#define WN_CORPUS_MINED_TEXT_H

#include "base/buf.h"
#include "corpus/store.h"
#include "text/terms.h"

/*
 * Appends the stems of `text`, separated by spaces, in the language of `terms`; false when memory
 * is out.
 */
bool wn_corpus_mined_text(wn_terms *terms, wn_str text, wn_buf *out);

/*
 * Writes the column for all pages of a store that was made before it existed. Inside a transaction.
 */
bool wn_corpus_mined_text_fill(wn_store *store);

#endif
