/*
 * The tokenizer: decoded input in, one token per call out.
 *
 *     wn_tokenizer tok;
 *     wn_html_tokenizer_init(&tok, &arena, input);
 *     tok.follows_tags = true;                  // no tree is built
 *     while (wn_html_tokenizer_next(&tok)) use(&tok.token);
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#tokenization
 *
 * The standard describes one state machine that looks at one character at a
 * time. This is the same machine turned inside out: what it would do between
 * two interesting characters is one scan. Each function covers the states named
 * above it.
 *
 * The input must be well-formed UTF-8 without carriage returns (encoding.h makes
 * it so) and must outlive the tokens: names, values and text are slices of it
 * where they are unchanged, else of the arena.
 */
#ifndef WN_HTML_TOKENIZER_H
#define WN_HTML_TOKENIZER_H

#include "base/arena.h"
#include "base/array.h"
#include "base/watch.h"
#include "html/document.h"
#include "html/names.h"

typedef enum wn_token_kind {
    WN_TOKEN_NONE, /* never returned: something was read that is not a token */
    WN_TOKEN_END,  /* the end of the input */
    WN_TOKEN_TEXT,
    WN_TOKEN_START_TAG,
    WN_TOKEN_END_TAG,
    WN_TOKEN_COMMENT,
    WN_TOKEN_DOCTYPE,
} wn_token_kind;

/* What the tokenizer reads next; the tree (or a tag, see follows_tags) switches it. */
typedef enum wn_tokenizer_state {
    WN_STATE_DATA,
    WN_STATE_RCDATA,  /* title, textarea: text with references */
    WN_STATE_RAWTEXT, /* style, xmp, iframe, …: text as it is */
    WN_STATE_SCRIPT,
    WN_STATE_PLAINTEXT,
    WN_STATE_CDATA,
} wn_tokenizer_state;

typedef struct wn_token {
    wn_token_kind kind;
    uint16_t tag; /* tags: a wn_tag, WN_TAG_UNKNOWN for other names */
    bool self_closing;
    bool has_nul; /* text: it holds U+0000, which most insertion modes drop */
    bool force_quirks;
    wn_str name;    /* tags: in lower case */
    wn_str text;    /* text, comment */
    wn_attr *attrs; /* start tags: valid until the next token, see wn_html_tokenizer_keep_attrs() */
    uint32_t attr_count;
    wn_doctype doctype;
    uint32_t source; /* offset of the token's first byte in the input */
} wn_token;

typedef struct wn_tokenizer {
    wn_token token;

    /* Set by the user, at any time between two tokens. */
    wn_tokenizer_state state;
    wn_str last_start_tag; /* its end tag ends RCDATA, RAWTEXT and script data */
    bool cdata_allowed;    /* the current node is not an HTML element: <![CDATA[ is one */
    bool follows_tags;     /* <script>, <title>, … switch the state without a tree */
    bool scripting;        /* with follows_tags: <noscript> holds raw text */
    bool skips_attrs;      /* nobody asks for other attributes than those of <html>, numbered
                              lists, code, tables and cells, and the href of <a> */
    uint32_t max_attrs;    /* of one tag; further ones are dropped */
    wn_watch *watch;       /* says when to end in the middle of a long token; may be NULL */

    /* Its own. */
    const char *start, *pos, *end;
    wn_arena *arena;
    wn_attr *run; /* the tag's attributes: the end of a chunk of the arena, with room for … */
    uint32_t run_room;
    uint32_t run_count;
    bool run_kept;
    uint64_t attrs_seen[(WN_ATTR_COUNT + 63) / 64]; /* one bit a name that has a number */
    wn_array(uint32_t) attr_slots; /* hash table over the names of a tag with many attributes */
    uint32_t slots_used;
    bool attrs_dropped; /* max_attrs was reached */
} wn_tokenizer;

/* Starts a new input; the arrays of an earlier one are reused (zero it before the first). */
void wn_html_tokenizer_init(wn_tokenizer *tok, wn_arena *arena, wn_str input);
void wn_html_tokenizer_free(wn_tokenizer *tok);

/* Reads the next token into tok->token; false at the end of the input. */
bool wn_html_tokenizer_next(wn_tokenizer *tok);

/*
 * Makes the attributes of the current token live as long as the arena, without
 * copying them, and returns them. One free slot comes before the first, for the user.
 */
wn_attr *wn_html_tokenizer_keep_attrs(wn_tokenizer *tok);

/* Skips raw text, unread; after its start tag only. The next token is the end tag. */
void wn_html_tokenizer_skip_raw(wn_tokenizer *tok);

/* The state the content of an element is read in, for a tree or for follows_tags. */
wn_tokenizer_state wn_html_tokenizer_content_state(wn_tag tag, bool scripting);

#endif
