/*
 * CSS tokens: bytes in, tokens out. No input is an error.
 *
 * https://drafts.csswg.org/css-syntax-3/#tokenization
 *
 * White space and comments are not tokens here: a token records whether there was white space
 * before it, which is all that selectors and values need. Names and strings are slices of the
 * input; only where escapes were replaced they are copies in the arena.
 */
#ifndef WN_CSS_TOKEN_H
#define WN_CSS_TOKEN_H

#include "base/arena.h"
#include "base/array.h"
#include "base/str.h"

typedef enum wn_css_kind {
    WN_CSS_END, /* after the last token, again and again */
    WN_CSS_IDENT,
    WN_CSS_FUNCTION, /* text: the name, without "(" */
    WN_CSS_AT,       /* text: the name, without "@" */
    WN_CSS_HASH,     /* text: without "#" */
    WN_CSS_STRING,
    WN_CSS_BAD, /* a string or url that is not one */
    WN_CSS_URL,
    WN_CSS_NUMBER,
    WN_CSS_PERCENT,
    WN_CSS_DIMENSION, /* text: the unit */
    WN_CSS_DELIM,     /* any other character; also { } ( ) [ ] , : ; */
} wn_css_kind;

typedef struct wn_css_token {
    uint8_t kind; /* wn_css_kind */
    char delim;   /* of a WN_CSS_DELIM */
    bool space;   /* white space or a comment comes before it */
    bool integer; /* a number without "." and exponent */
    bool is_id;   /* a hash that is a name: #a, not #1 */
    bool sign;    /* a number with a sign */
    float number;
    wn_str text;
    const char *start, *end; /* in the input */
} wn_css_token;

typedef struct wn_css_reader {
    const char *p, *end;
    wn_arena *arena;
} wn_css_reader;

/* Reads the next token. */
void wn_css_next(wn_css_reader *reader, wn_css_token *token);

/* All tokens of a text, with a WN_CSS_END after them. */
typedef wn_array(wn_css_token) wn_css_tokens;

/* Reads `text` whole, at most `max` tokens; false if there are more or out of memory. */
bool wn_css_read_all(wn_css_tokens *tokens, wn_arena *arena, wn_str text, uint32_t max);

static inline bool wn_css_is_delim(const wn_css_token *token, char c)
{
    return token->kind == WN_CSS_DELIM && token->delim == c;
}

static inline bool wn_css_is_ident(const wn_css_token *token, wn_str name)
{
    return token->kind == WN_CSS_IDENT && wn_str_eq_nocase(token->text, name);
}

static inline bool wn_css_is_function(const wn_css_token *token, wn_str name)
{
    return token->kind == WN_CSS_FUNCTION && wn_str_eq_nocase(token->text, name);
}

static inline bool wn_css_is_name_char(char c)
{
    return wn_is_ascii_alnum(c) || c == '-' || c == '_' || (c & 0x80);
}

/*
 * The end of the white space and comments at p; what follows is a token or `end`.
 */
const char *wn_css_skip_space(const char *p, const char *end);

/*
 * The first byte at or after p that is one of `stops` ("{;}") outside strings, comments,
 * url()s and brackets; or `end`. A closing bracket without an opening one is skipped
 * unless it is a stop. `{` opens a bracket only if it is not a stop itself.
 */
const char *wn_css_scan(const char *p, const char *end, const char *stops);

#endif
