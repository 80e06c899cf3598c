/*
 * Declarations: `margin: 0 auto !important` as a list of longhands with values.
 *
 * Unknown properties and invalid values are dropped, as in a browser. Shorthands are expanded. A
 * value with var() cannot be parsed before the element is known; it is kept as text, once for each
 * longhand.
 */
#ifndef WN_CSS_VALUE_H
#define WN_CSS_VALUE_H

#include "base/array.h"
#include "css/calc.h"
#include "css/property.h"
#include "css/style.h"

typedef enum wn_css_value {
    WN_VALUE_WIDE,    /* number: wn_css_wide */
    WN_VALUE_WORD,    /* number: what the word stands for */
    WN_VALUE_NUMBER,  /* number */
    WN_VALUE_LENGTH,  /* number and unit */
    WN_VALUE_CALC,    /* data: wn_css_calc */
    WN_VALUE_COLOR,   /* color */
    WN_VALUE_CURRENT, /* currentcolor */
    WN_VALUE_DATA,    /* data: by property, see the wn_css_… types below */
    WN_VALUE_VAR,     /* data: wn_css_text, to be read when variables are known */
    WN_VALUE_CUSTOM,  /* data: wn_css_custom */
} wn_css_value;

typedef enum wn_css_wide {
    WN_WIDE_INHERIT,
    WN_WIDE_INITIAL,
    WN_WIDE_UNSET,
    WN_WIDE_REVERT,
} wn_css_wide;

/* Words of properties with lengths or numbers beside them. */
enum {
    WN_WORD_AUTO, /* auto, normal or none */
    WN_WORD_THIN,
    WN_WORD_MEDIUM,
    WN_WORD_THICK,
    WN_WORD_SMALLER,
    WN_WORD_LARGER,
    WN_WORD_BOLDER,
    WN_WORD_LIGHTER,
    WN_WORD_SIZES = 16,    /* + 1 … 8: font sizes from xx-small to xxx-large */
    WN_WORD_CONTENTS = 32, /* + wn_length_kind: min-content … */
};

typedef struct wn_css_decl {
    uint16_t property; /* wn_css_property; a longhand, ALL or CUSTOM */
    uint8_t type;      /* wn_css_value */
    uint8_t unit;      /* wn_css_unit */
    bool important;
    bool logical; /* sides are start and end, sizes those along and across lines */
    float number;
    union {
        const void *data;
        wn_color color;
    };
} wn_css_decl;

typedef wn_array(wn_css_decl) wn_css_decls;

/* A value that is still text, and the property as it was written (a shorthand perhaps). */
typedef struct wn_css_text {
    wn_str text;
    uint16_t property;
    bool logical;
} wn_css_text;

typedef struct wn_css_custom {
    wn_str name, text;
    uint32_t hash; /* of the name */
    bool has_var;
    bool wide; /* text is initial, inherit or the like */
} wn_css_custom;

/* Track lists as they are written: lengths are still of any unit. */
typedef struct wn_css_track {
    wn_css_calc min, max;
    uint8_t min_kind, max_kind; /* wn_length_kind */
} wn_css_track;

typedef struct wn_css_track_list {
    wn_track_list list; /* `tracks` is not filled */
    const wn_css_track *tracks;
} wn_css_track_list;

/* vertical-align, border-spacing, aspect-ratio, transform: a few numbers. */
typedef struct wn_css_pair {
    wn_css_calc first, second;
    uint8_t word;
} wn_css_pair;

/* What `content` puts there. */
typedef struct wn_css_content {
    wn_str text; /* strings after each other; attr() values are missing */
    wn_str attr; /* the name of the attribute after or instead of the text */
    bool none;
    bool picture; /* an image or counter is there too */
} wn_css_content;

/* Reads declarations; reused. */
typedef struct wn_css_values {
    const wn_css_names *names;
    wn_arena *arena;
    wn_css_screen screen;
    bool quirks;
    wn_css_tokens tokens;
} wn_css_values;

/*
 * Adds the declarations of `text` ("color: red; margin: 0") to `out`. Nothing in it can fail
 * but memory, which sets arena->failed.
 */
void wn_css_read_decls(wn_css_values *values, wn_str text, wn_css_decls *out);

/*
 * Adds what `property: text` means to `out`; false, and nothing added, if that is not a valid
 * value.
 */
bool wn_css_read_value(wn_css_values *values, wn_css_property property, bool logical, wn_str text,
                       wn_css_decls *out);

/* Whether a browser knows "display: grid", for @supports. */
bool wn_css_supports(wn_css_values *values, wn_str declaration);

#endif
