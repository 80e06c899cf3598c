/*
 * Segments: a text split where its line may be broken.
 *
 * The places are those of Unicode's line breaking algorithm (UAX #14) as far as pages need them: at
 * spaces, after hyphens, dashes and question marks, between ideographs. Thai and related scripts,
 * which would need a dictionary, may be broken before any letter.
 */
#ifndef WN_LAYOUT_SEGMENT_H
#define WN_LAYOUT_SEGMENT_H

#include "base/str.h"
#include "css/style.h"

typedef enum wn_segment_kind {
    WN_SEGMENT_WORD,
    WN_SEGMENT_SPACE,   /* collapsible: all of it is one space */
    WN_SEGMENT_KEPT,    /* spaces that are all shown */
    WN_SEGMENT_TAB,     /* one tab that is shown */
    WN_SEGMENT_NEWLINE, /* a forced break */
} wn_segment_kind;

typedef struct wn_segment {
    wn_segment_kind kind;
    uint32_t start, end;
    bool break_before; /* of a word: the line may be broken between it and what comes before */
} wn_segment;

/* How a style treats white space. */
static inline bool wn_layout_collapses(const wn_style *style)
{
    return style->white_space == WN_WHITE_SPACE_NORMAL ||
           style->white_space == WN_WHITE_SPACE_NOWRAP ||
           style->white_space == WN_WHITE_SPACE_PRE_LINE;
}
static inline bool wn_layout_wraps(const wn_style *style)
{
    return style->white_space != WN_WHITE_SPACE_NOWRAP && style->white_space != WN_WHITE_SPACE_PRE;
}
static inline bool wn_layout_keeps_lines(const wn_style *style)
{
    return style->white_space != WN_WHITE_SPACE_NORMAL &&
           style->white_space != WN_WHITE_SPACE_NOWRAP;
}

/* The segment at `start`, which is before the text's end; `previous` comes before it, or 0. */
wn_segment wn_layout_segment_at(wn_str text, uint32_t start, const wn_style *style,
                                uint32_t previous);

/* The end of the character at `at`, with the marks that belong to it. */
uint32_t wn_layout_segment_char_end(wn_str text, uint32_t at);

#endif
