/*
 * Facts: the metadata found so far, each with its source.
 *
 * The readers of the parts of a page offer what they find, with a rank: how credible that source is
 * for that field. The highest rank wins, and among equals the first. A page may have several
 * authors, tags and categories: those of the best source are kept together.
 *
 * Values are slices of the page or of the arena, as long as the page lives.
 */
#ifndef WN_META_FACTS_H
#define WN_META_FACTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "page/spacing.h"

typedef enum wn_field {
    WN_FIELD_TITLE,
    WN_FIELD_AUTHOR,
    WN_FIELD_PUBLISHED,
    WN_FIELD_MODIFIED,
    WN_FIELD_SITE,
    WN_FIELD_DESCRIPTION,
    WN_FIELD_LANGUAGE,
    WN_FIELD_URL,
    WN_FIELD_IMAGE,
    WN_FIELD_TAG,
    WN_FIELD_CATEGORY,
    WN_FIELD_LICENCE,
    WN_FIELD_COUNT,
} wn_field;

enum { WN_MOST_VALUES = 32 }; /* of a field: a page with more is a page of keywords */

/* What is known of a field. */
typedef struct wn_fact {
    int rank;           /* 0: nothing is known */
    const char *source; /* static */
    wn_str *values;     /* one; or several, of fields that may have them */
    uint32_t count;
} wn_fact;

typedef struct wn_facts {
    wn_arena *arena;
    wn_buf scratch; /* texts are made presentable here */
    wn_fact fields[WN_FIELD_COUNT];
} wn_facts;

/* Forgets everything; keeps the scratch buffer's memory. */
void wn_meta_facts_start(wn_facts *facts, wn_arena *arena);
void wn_meta_facts_free(wn_facts *facts);

/* Whether an offer with that rank would be taken. */
bool wn_meta_facts_wants(const wn_facts *facts, wn_field field, int rank);

/*
 * Offers a value. White space in it is collapsed; an empty one is ignored. `source` is static and
 * tells in a few words where it was found. Returns whether it was taken.
 */
bool wn_meta_facts_offer(wn_facts *facts, wn_field field, int rank, const char *source,
                         wn_str value);

/* The same for a list with commas between its values. */
void wn_meta_facts_offer_list(wn_facts *facts, wn_field field, int rank, const char *source,
                              wn_str list);

/* The first value of a field; "" if there is none. */
wn_str wn_meta_facts_value(const wn_facts *facts, wn_field field);

/* A copy in the arena with white space collapsed. */
wn_str wn_meta_facts_tidy(wn_facts *facts, wn_str text);

/* The same for text that may hold character references although it should not: "Q&amp;amp;A". */
wn_str wn_meta_facts_tidy_escaped(wn_facts *facts, wn_str text);

/*
 * The tag that a declaration of the language begins with, "" if it is not one: "pt-BR" for "pt_BR,
 * en".
 */
wn_str wn_meta_facts_language(wn_facts *facts, wn_str declared);

#endif
