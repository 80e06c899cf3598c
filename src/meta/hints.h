/* The vocabularies: which names of <meta>, classes and properties belong to which fact. */
#ifndef WN_META_HINTS_H
#define WN_META_HINTS_H

#include "html/document.h"
#include "meta/facts.h"

/* A name that <meta name>, <meta property> or <meta itemprop> may have. */
typedef struct wn_meta_name {
    const char *name;   /* small letters */
    const char *source; /* "meta NAME" */
    uint8_t len;        /* of the name */
    uint8_t field;      /* wn_field */
    uint8_t rank;
} wn_meta_name;

/* NULL for a name that says nothing of interest; case does not matter. */
const wn_meta_name *wn_meta_name_find(wn_str name);

/* What an element looks like. */
enum {
    WN_HINT_AUTHOR = 1 << 0,
    WN_HINT_DATE = 1 << 1,
    WN_HINT_PUBLISHED = 1 << 2, /* a date, and it says which */
    WN_HINT_MODIFIED = 1 << 3,
    WN_HINT_PROPERTY = 1 << 4, /* itemprop or property says so */
    WN_HINT_REL = 1 << 5,
    WN_HINT_TIME = 1 << 6, /* <time> */
    WN_HINT_TAG = 1 << 7,
    WN_HINT_CATEGORY = 1 << 8,
    WN_HINT_LICENCE = 1 << 9,
    WN_HINT_LINK = 1 << 10, /* the address of a link says so */
};

/* The lists of words that class names are looked for in: of an element, and of those inside it. */
enum { WN_HINT_LIST_OWN, WN_HINT_LIST_AROUND, WN_HINT_LISTS };

enum { WN_HINT_LETTERS = 26 };

/*
 * Values that were read before: on most pages a few classes and relations are on most elements. Two
 * with the same hash are taken for the same. Zero it for each page.
 */
typedef struct wn_hint_memo {
    bool has_starts;
    /* By list and first letter: which second, third and fourth letters its words have, as bits. */
    uint32_t starts[WN_HINT_LISTS][WN_HINT_LETTERS][3];
    struct {
        uint32_t hash;
        uint32_t hints;
    } slots[512];
} wn_hint_memo;

unsigned wn_meta_hints_of_class(wn_hint_memo *memo, wn_str value);
unsigned wn_meta_hints_of_property(wn_hint_memo *memo, wn_str value);
unsigned wn_meta_hints_of_rel(wn_hint_memo *memo, wn_str value);
unsigned wn_meta_hints_of_href(wn_str value);

/*
 * Whether an address is that of a Creative Commons licence:
 * "https://creativecommons.org/licenses/by/4.0/".
 */
bool wn_meta_is_public_licence(wn_str address);

/* What an element says of those inside it. */
enum {
    WN_AROUND_ARTICLE = 1 << 0,
    WN_AROUND_EDGE = 1 << 1,    /* header, footer, side bar */
    WN_AROUND_OTHERS = 1 << 2,  /* related articles: other pages */
    WN_AROUND_ANSWERS = 1 << 3, /* comments, answers: other people */
};

unsigned wn_meta_around_of(wn_hint_memo *memo, const wn_node *element);

#endif
