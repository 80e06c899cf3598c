/*
 * Words of class names and ids that tell what an element is for: "comments", "related-posts",
 * "photo-credit". Each stands for a bit.
 */
#ifndef WN_AUTO_ROLE_WORDS_H
#define WN_AUTO_ROLE_WORDS_H

#include "base/str.h"

enum {
    WN_SAYS_COMMENT = 1 << 0,
    WN_SAYS_RELATED = 1 << 1,
    WN_SAYS_PROMOTION = 1 << 2, /* "promo" and the like, which teasers are called, too */
    WN_SAYS_SHARE = 1 << 3,
    WN_SAYS_CAPTION = 1 << 4,
    WN_SAYS_AUTHOR = 1 << 5,
    WN_SAYS_DATE = 1 << 6,
    WN_SAYS_LEDE = 1 << 7,
    WN_SAYS_EMBED = 1 << 8,
    WN_SAYS_LEGAL = 1 << 9,
    WN_SAYS_NAVIGATION = 1 << 10,
    WN_SAYS_FACTS = 1 << 11,
    WN_SAYS_QUESTION = 1 << 12, /* with its answer, in a list of them */
    WN_SAYS_AD = 1 << 13,       /* of somebody who pays */
    WN_SAYS_TITLE = 1 << 14,
    WN_SAYS_BYLINE = 1 << 15, /* author, date or something else of that kind */
};

/* What a word of a class name says, as bits; 0: nothing. Case does not matter. */
uint16_t wn_auto_role_word(wn_str word);

#endif
