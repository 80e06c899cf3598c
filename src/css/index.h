/*
 * The index of rules: which of them an element has to be tried against.
 *
 * A rule is in the bucket of one thing that the last part of its selector asks for: an id, the
 * rarest of its classes, an attribute, a tag; `:is(.a, p)` puts it into two. An element is tried
 * against the buckets of all that it has.
 *
 * Some sheets have thousands of rules that end alike (`.card .title a`). Large buckets are divided
 * into groups by an id or class that an ancestor must have, again the rarest: their anchor. A group
 * is tried only if its anchor is above the element.
 */
#ifndef WN_CSS_INDEX_H
#define WN_CSS_INDEX_H

#include "css/selector.h"

/* A class or an id as one number, from the number of its name; never 0. */
static inline uint32_t wn_css_class_key(uint32_t atom)
{
    return 2 * atom;
}

static inline uint32_t wn_css_id_key(uint32_t atom)
{
    return 2 * atom + 1;
}

/* Keys are below this. */
static inline uint32_t wn_css_key_end(const wn_css_set *set)
{
    return 2 * wn_css_atoms_count(&set->atoms) + 4;
}

/* ---- Buckets ----------------------------------------------------------------------------- */

enum {
    WN_BUCKET_ANY,                                        /* any element */
    WN_BUCKET_TAG,                                        /* + wn_tag */
    WN_BUCKET_NAME = WN_BUCKET_TAG + WN_TAG_COUNT,        /* + hash of a name without a number */
    WN_BUCKET_ATTR = WN_BUCKET_NAME + 256,                /* + wn_attr_name */
    WN_BUCKET_ATTR_NAME = WN_BUCKET_ATTR + WN_ATTR_COUNT, /* + hash of a name */
    WN_BUCKET_KEY = WN_BUCKET_ATTR_NAME + 256,            /* + key */
};

static inline uint32_t wn_css_name_bucket(wn_str name)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < name.len; i++)
        hash = hash * 31 + (unsigned char)wn_ascii_lower(name.ptr[i]);
    return hash % 256;
}

/* ---- The index --------------------------------------------------------------------------- */

/* Rules of a bucket with the same anchor. */
typedef struct wn_css_group {
    uint32_t anchor; /* a key; 0: none */
    uint32_t first;  /* among `entries`, up to the first one of the next group */
} wn_css_group;

/* A rule in a bucket. */
typedef struct wn_css_entry {
    uint32_t bucket, anchor, rule;
} wn_css_entry;

typedef struct wn_css_index {
    wn_array(uint32_t) buckets;    /* where the groups of each one start; one more at the end */
    wn_array(wn_css_group) groups; /* of a bucket by their anchors; one more at the end */
    wn_array(wn_css_entry) entries;
    wn_array(uint32_t) uses; /* by key: how many rules ask for it */
} wn_css_index;

void wn_css_index_free(wn_css_index *index);
size_t wn_css_index_memory(const wn_css_index *index);

#endif
