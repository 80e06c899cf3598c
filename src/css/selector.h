/*
 * Selectors: text in, flat arrays of tests out.
 *
 * https://drafts.csswg.org/selectors-4/
 *
 * A selector is a chain of compounds (`ul.menu > li a:not(.x)` has three), a compound is a run of
 * tests. All of them lie in arrays of one set and refer to each other by number:
 *
 *     selectors --> compounds --> tests --> attributes, counts, inner lists
 *
 * Nothing is hovered or focused, so tests of such states are decided when the selector is read. A
 * selector that can never match is not kept.
 */
#ifndef WN_CSS_SELECTOR_H
#define WN_CSS_SELECTOR_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/map.h"
#include "css/token.h"
#include "html/names.h"

/* ---- Names of classes and ids ------------------------------------------------------------ */

/* Each name that a selector mentions has a number from 1 on. */
typedef struct wn_css_atoms {
    wn_map names;    /* in small letters if `fold` */
    wn_arena folded; /* of those */
    wn_buf name;     /* the one that is looked for */
    bool fold;       /* quirks mode: ignoring case */
} wn_css_atoms;

void wn_css_atoms_reset(wn_css_atoms *atoms, bool fold);
void wn_css_atoms_free(wn_css_atoms *atoms);
size_t wn_css_atoms_memory(const wn_css_atoms *atoms);
uint32_t wn_css_atom_find(wn_css_atoms *atoms, wn_str name); /* 0: no selector has it */
uint32_t wn_css_atom_add(wn_css_atoms *atoms, wn_str name);  /* 0 if out of memory */

/* The highest number. */
static inline uint32_t wn_css_atoms_count(const wn_css_atoms *atoms)
{
    return atoms->names.keys.count;
}

/* ---- Tests ------------------------------------------------------------------------------- */

typedef enum wn_css_test_kind {
    WN_TEST_TAG,   /* id: wn_tag */
    WN_TEST_NAME,  /* data: number in `strings` */
    WN_TEST_ID,    /* data: atom */
    WN_TEST_CLASS, /* data: atom */
    WN_TEST_ATTR,  /* data: number in `attrs` */
    WN_TEST_NTH,   /* data: number in `nths` */
    WN_TEST_FIRST, /* id: 1 also last (only-child) */
    WN_TEST_LAST,
    WN_TEST_FIRST_TYPE, /* id: 1 also last */
    WN_TEST_LAST_TYPE,
    WN_TEST_ROOT,
    WN_TEST_EMPTY,
    WN_TEST_LINK,
    WN_TEST_CHECKED,
    WN_TEST_DISABLED,
    WN_TEST_ENABLED,
    WN_TEST_EDITABLE, /* read-write; id 1: read-only */
    WN_TEST_LANG,     /* data: number in `strings` */
    WN_TEST_RTL,      /* :dir(); id: 1 rtl */
    WN_TEST_IS,       /* data: number in `lists` */
    WN_TEST_NOT,
    WN_TEST_HAS,
    WN_TEST_NEVER,
} wn_css_test_kind;

typedef struct wn_css_test {
    uint8_t kind; /* wn_css_test_kind */
    uint16_t id;
    uint32_t data;
} wn_css_test;

typedef struct wn_css_attr_test {
    wn_str name, value;
    uint16_t id;  /* wn_attr_name */
    char op;      /* 0: is there; = ~ | ^ $ * */
    bool no_case; /* of the value */
} wn_css_attr_test;

typedef struct wn_css_nth {
    int32_t step, offset;
    bool last, of_type;
    uint32_t list; /* of S: number in `lists` + 1; 0: none */
} wn_css_nth;

typedef struct wn_css_compound {
    uint32_t first, count; /* tests */
    char combinator;       /* to the compound before it: ' ' '>' '+' '~'; 0 for the first */
} wn_css_compound;

enum { WN_CSS_FILTERS = 4 };

typedef struct wn_css_selector {
    uint32_t first, count; /* compounds, in the order they are written */
    uint32_t specificity;
    uint16_t filter[WN_CSS_FILTERS]; /* bits that the ancestors' filter must have; 0: none */
    uint8_t pseudo;                  /* WN_PSEUDO_* */
} wn_css_selector;

enum { WN_PSEUDO_NONE, WN_PSEUDO_BEFORE, WN_PSEUDO_AFTER, WN_PSEUDO_OTHER };

typedef struct wn_css_list {
    uint32_t first, count; /* selectors */
} wn_css_list;

typedef struct wn_css_set {
    wn_css_atoms atoms;
    wn_array(wn_css_selector) selectors;
    wn_array(wn_css_compound) compounds;
    wn_array(wn_css_test) tests;
    wn_array(wn_css_attr_test) attrs;
    wn_array(wn_css_nth) nths;
    wn_array(wn_css_list) lists;
    wn_array(wn_str) strings;
    /* While a selector is read: its parts, until it is whole. */
    wn_array(wn_css_test) open_tests;
    wn_array(wn_css_compound) open_compounds;
    wn_array(wn_css_selector) open_selectors;
    wn_css_tokens tokens;
    uint64_t attrs_used[4]; /* known attributes that some selector asks for, by wn_attr_name */
    uint64_t names_used;    /* other attributes: bits of their names' hashes */
    bool failed;            /* out of memory */
} wn_css_set;

void wn_css_set_reset(wn_css_set *set, bool quirks);
void wn_css_set_free(wn_css_set *set);
size_t wn_css_set_memory(const wn_css_set *set);

/*
 * Reads a list of selectors and adds those that can match; `list` says which. False, and nothing
 * added, if one of them is invalid. `parent` is the list that "&" stands for, NULL outside
 * nested rules, where a selector without "&" is below it.
 */
bool wn_css_read_selectors(wn_css_set *set, wn_arena *arena, wn_str text, const wn_css_list *parent,
                           wn_css_list *list);

/*
 * Of the tests of tags, classes and ids that some ancestor of a matched element must pass, those
 * next to it, `most` at the most; returns how many there are.
 */
uint32_t wn_css_ancestor_tests(const wn_css_set *set, const wn_css_selector *selector,
                               const wn_css_test **tests, uint32_t most);

/* The bit of an ancestor filter that stands for a tag, class or id; never 0. */
enum { WN_CSS_FILTER_BITS = 512 };

static inline uint16_t wn_css_filter_bit(wn_css_test_kind kind, uint32_t number)
{
    uint32_t hash = (number * 4u + (uint32_t)kind) * 2654435761u;
    uint16_t bit = (uint16_t)(hash >> 23); /* 9 bits */
    return bit ? bit : 1;
}

#endif
