/*
 * Phrases and words that tell what a text is for: "Read also: …", "Advertisement", "Photo by", and
 * words that are frequent in offers, teasers, comments and captions.
 */
#ifndef WN_AUTO_ROLE_PHRASES_H
#define WN_AUTO_ROLE_PHRASES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* What a text may begin with. */
typedef enum wn_auto_role_phrase {
    WN_PHRASE_READ_ALSO, /* a link to another page of the site */
    WN_PHRASE_AD,        /* what is written above an advertisement */
    WN_PHRASE_OFFER,
    WN_PHRASE_COMMENT, /* what is written above, below and among comments */
    WN_PHRASE_CAPTION,
    WN_PHRASE_CONTROL,                        /* a button in advertisements and of sites */
    WN_PHRASE_KINDS,                          /* that are features */
    WN_PHRASE_COMMENT_FORM = WN_PHRASE_KINDS, /* for blocks in comments only */
} wn_auto_role_phrase;

bool wn_auto_role_phrase_starts(wn_str text, wn_auto_role_phrase phrase);

/* Whether a text in comments is a button or a label, such as "Reply" or "Email:", and no more. */
bool wn_auto_is_comment_button(wn_str text);

/* What a word may be frequent in. */
typedef enum wn_auto_role_term {
    WN_TERM_OFFER,
    WN_TERM_RELATED,
    WN_TERM_COMMENT,
    WN_TERM_CAPTION,
    WN_TERM_SERVICE, /* what a site offers for nothing: newsletters, accounts, sharing */
    WN_TERM_KINDS,
} wn_auto_role_term;

enum { WN_FIRST_TERMS = 3 };

/* How many words of each kind are in a text, and among its first WN_FIRST_TERMS. */
typedef struct wn_auto_role_terms {
    uint8_t all[WN_TERM_KINDS], first[WN_TERM_KINDS];
} wn_auto_role_terms;

void wn_auto_role_terms_count(wn_auto_role_terms *counts, wn_str text);

#endif
