/*
 * Spacing: text as it is in the source in, text as a reader sees it out.
 *
 * Runs of white space become one space, none at the start of a line;
 * no-break spaces are spaces; soft hyphens and zero-width spaces, which nobody sees, go.
 * Joiners (U+200C, U+200D) stay: Persian and the Indic scripts need them.
 */
#ifndef WN_PAGE_SPACING_H
#define WN_PAGE_SPACING_H

#include "base/buf.h"
#include "base/watch.h"

typedef struct wn_page_spacing {
    bool at_space;       /* the text ends with a space or has just started */
    uint32_t words;      /* that ended or started so far, separated by spaces */
    uint32_t ideographs; /* characters of scripts that are written without spaces */
    uint32_t continued;  /* bytes that continue a character */
} wn_page_spacing;

/* Starts a line: white space that comes now is not seen. */
static inline void wn_page_spacing_start_line(wn_page_spacing *spacing)
{
    spacing->at_space = true;
}

/* Adds `source` to `out`. */
void wn_page_spacing_add(wn_page_spacing *spacing, wn_str source, wn_buf *out);

/* The same inside <pre>, where white space counts. */
void wn_page_spacing_add_verbatim(wn_page_spacing *spacing, wn_str source, wn_buf *out);

/* The same piece by piece, as much of it as time allows. */
void wn_page_spacing_add_long(wn_page_spacing *spacing, wn_str source, bool verbatim, wn_buf *out,
                              wn_watch *watch);

enum { WN_SPACING_PIECE = 64 << 10 }; /* bytes that take no time to speak of */

/*
 * As much of either as time allows: a text may be as long as the page. `watch` says when to leave
 * out the rest; it may be NULL.
 */
static inline void wn_page_spacing_add_within(wn_page_spacing *spacing, wn_str source,
                                              bool verbatim, wn_buf *out, wn_watch *watch)
{
    if (source.len > WN_SPACING_PIECE && watch && wn_watch_is_limited(watch))
        wn_page_spacing_add_long(spacing, source, verbatim, out, watch);
    else if (verbatim)
        wn_page_spacing_add_verbatim(spacing, source, out);
    else
        wn_page_spacing_add(spacing, source, out);
}

/* The words so far, with an estimate for scripts without spaces; at least one if there is text. */
static inline uint32_t wn_page_spacing_words(const wn_page_spacing *spacing)
{
    enum { IDEOGRAPHS_PER_WORD = 2 };
    return spacing->words + (spacing->ideographs + IDEOGRAPHS_PER_WORD - 1) / IDEOGRAPHS_PER_WORD;
}

#endif
