/*
 * Where style sheets come from that are not in the page: the caller gives them, at once or when
 * a <link> or an @import asks for one. This library opens no files and no connections.
 */
#ifndef WN_CSS_SHEET_SOURCE_H
#define WN_CSS_SHEET_SOURCE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* A sheet. Its bytes may be anything, in any encoding. */
typedef struct wn_css_sheet {
    wn_str bytes;
    const char *charset; /* the encoding the HTTP header names; NULL: unknown */
    wn_str url;          /* for its @imports; may be empty */
    wn_str media;        /* "screen and …"; empty: all */
    bool user; /* the reader's own: weaker than the page's; else as if it was in the page */
} wn_css_sheet;

/*
 * The sheet at `url`, which was resolved against the address of what mentions it if that is known.
 * False if there is none. `bytes`, `charset` and `url`, if it is another after redirects, are to be
 * filled in; what they point to must live until the styles have been computed.
 */
typedef bool wn_css_load(void *data, wn_str url, wn_css_sheet *sheet);

/*
 * The text of a sheet as UTF-8: its encoding is told by a byte order mark, the HTTP header, or
 * @charset, else by the bytes. A slice of the bytes or of the arena.
 */
wn_str wn_css_sheet_text(const wn_css_sheet *sheet, wn_arena *arena);

#endif
