/*
 * What the files of the encoding stage share: encoding.c asks encoding_prescan.c and
 * encoding_guess.c for the encoding, and encoding_decode.c for the text.
 */
#ifndef WN_HTML_ENCODING_PARTS_H
#define WN_HTML_ENCODING_PARTS_H

#include "base/arena.h"
#include "base/watch.h"
#include "base/str.h"
#include "html/encoding_tables.h"

/* Encodings that are not part of the web: files in them are met, but only ever guessed. */
enum {
    WN_ENCODING_UTF_32BE = WN_ENCODING_COUNT,
    WN_ENCODING_UTF_32LE,
    WN_ENCODING_HZ,
    WN_ENCODING_ICONV, /* one of those that the C library can decode */
};

/* An encoding: its id, its name (static), and for WN_ENCODING_ICONV what iconv calls it. */
typedef struct wn_encoding {
    int id;
    const char *name;
    const char *iconv_name;
} wn_encoding;

/* Both return an encoding without a name (NULL) when there is none. */
wn_encoding wn_html_encoding_get(wn_str label);
wn_encoding wn_html_encoding_in_meta(wn_str bytes);

/* https://html.spec.whatwg.org/multipage/urls-and-fetching.html
 * #algorithm-for-extracting-a-character-encoding-from-a-meta-element */
wn_encoding wn_html_encoding_in_content(wn_str content);

/* The encoding that bytes without any declaration are most likely in; always has a name. */
wn_encoding wn_html_encoding_guess(wn_arena *arena, wn_str bytes);

/* The same for ASCII bytes with escape sequences; without a name when they are just ASCII. */
wn_encoding wn_html_encoding_guess_escaped(wn_str bytes);

/* A decoding under way. */
typedef struct wn_decoding {
    wn_watch *watch; /* says when to stop with the text so far; may be NULL */
    bool repaired;   /* something became U+FFFD */
} wn_decoding;

/* Decodes into the arena. */
wn_str wn_html_encoding_decode(wn_arena *arena, wn_encoding encoding, wn_str bytes,
                               wn_decoding *decoding);

size_t wn_html_encoding_count_not_ascii(wn_str bytes);

static inline wn_encoding wn_html_encoding_of(wn_encoding_id id)
{
    return (wn_encoding){.id = id, .name = wn_encoding_names[id]};
}

#endif
