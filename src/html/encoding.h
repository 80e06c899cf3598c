/*
 * Encodings: the bytes of a page in, well-formed UTF-8 without carriage returns out.
 *
 * https://encoding.spec.whatwg.org/ and
 * https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 *
 * The encoding is determined as in browsers: a byte order mark, what the caller knows (the HTTP
 * header), a <meta> in the first 1,024 bytes, then the bytes themselves: UTF-8 if they are that,
 * else a <meta> further down, else a guess. What is declared wins, even where it is wrong, with one
 * exception: a page that is well-formed UTF-8 with some letters beyond ASCII is UTF-8, whatever its
 * <meta> says.
 *
 * Nearly all pages are well-formed UTF-8; those are not copied. Line ends (CR, CR LF) become
 * LF here, once, so that later stages need not handle them.
 */
#ifndef WN_HTML_ENCODING_H
#define WN_HTML_ENCODING_H

#include "base/arena.h"
#include "base/str.h"
#include "base/watch.h"

typedef enum wn_encoding_source {
    WN_ENCODING_FROM_BOM,
    WN_ENCODING_FROM_CALLER,
    WN_ENCODING_FROM_META,  /* also from an XML declaration */
    WN_ENCODING_FROM_BYTES, /* well-formed UTF-8 or pure ASCII */
    WN_ENCODING_GUESSED,
} wn_encoding_source;

typedef struct wn_decoded {
    wn_str text;          /* slice of the input, or of the arena */
    const char *encoding; /* its WHATWG name ("windows-1252"), or a guess beyond; static */
    wn_encoding_source source;
    bool repaired; /* something was ill-formed and became U+FFFD */
} wn_decoded;

/* Decodes `bytes`. `charset` is what the caller knows of it (may be NULL or nonsense). */
wn_decoded wn_html_decode(wn_arena *arena, wn_str bytes, const char *charset);

/* The same, as far as time allows: `watch` says when to end with the text so far; or NULL. */
wn_decoded wn_html_decode_within(wn_arena *arena, wn_str bytes, const char *charset,
                                 wn_watch *watch);

/* The WHATWG name for a label (" Latin1 " -> "windows-1252"), NULL for an unknown one. */
const char *wn_html_encoding_for_label(wn_str label);

/* The encoding that a <meta> in the first 1,024 bytes declares, NULL if none does. */
const char *wn_html_encoding_prescan(wn_str bytes);

#endif
