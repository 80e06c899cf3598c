/*
 * Words for numbers ("two", "million"), which say as little in a cloud as digits do.
 */
#ifndef WN_DRAW_NUMBER_WORDS_H
#define WN_DRAW_NUMBER_WORDS_H

#include "base/str.h"

/*
 * Those of a language ("en"), with spaces around each; " " for a language without a list. Static.
 */
const char *wn_draw_number_words(wn_str language);

/* Whether a folded word is one of such a list. */
bool wn_draw_is_number_word(const char *list, wn_str folded);

#endif
