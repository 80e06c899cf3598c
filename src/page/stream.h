/*
 * The stream: a page read from its tokens only, for methods that need no tree.
 *
 *     while ((piece = wn_page_stream_next(stream)) != WN_PIECE_END)
 *         if (piece == WN_PIECE_TEXT)
 *             wn_page_stream_add(stream, stream->text);
 *     wn_page_stream_finish(stream);
 *
 * It skips what holds no text that anyone reads (the head, scripts, styles, comments,
 * choices of a form) and gives the rest piece by piece: a stretch of text, or a tag. What
 * the method adds gathers into blocks of a wn_page; a block ends at a block-level tag, at two
 * <br>, and where the method says so.
 *
 * Without a tree some things are not known: what an author has hidden, where an element ends
 * that nobody closed, what is where it must not. What blocks are (headings, items, cells, …)
 * is told by the tags that are open (nesting.h); links are spans.
 */
#ifndef WN_PAGE_STREAM_H
#define WN_PAGE_STREAM_H

#include "base/watch.h"
#include "html/tokenizer.h"
#include "page/nesting.h"
#include "page/page.h"
#include "page/spacing.h"
#include "text/words.h"

typedef enum wn_page_piece {
    WN_PIECE_END,
    WN_PIECE_TEXT,
    WN_PIECE_TAG,
} wn_page_piece;

typedef struct wn_page_stream {
    /* Set before the first piece. */
    bool raw;            /* everything is a piece: scripts, comments, what is outside the body */
    uint32_t max_tokens; /* there the page ends; 0: no limit */
    wn_watch *watch;     /* says when to end; may be NULL */

    /* The last piece. */
    wn_str text;     /* of a text; it is never empty, but may be white space */
    uint32_t source; /* its offset in the source */
    bool breaks;     /* a tag that starts or ends a block, or a line */
    bool in_link;    /* inside <a href> */
    bool limited;    /* max_tokens was reached */

    /* The page it fills, and its document: of links and of what text is in. */
    wn_page *page;
    wn_doc *doc;

    wn_buf folded; /* free for the method's use */

    /* Its own. */
    wn_words *words;
    wn_tokenizer tok;
    wn_arena *arena;
    wn_page_spacing spacing;
    wn_page_nesting nesting;
    bool in_body, new_line, has_title;
    bool no_title_end; /* no </title> is ahead */
    uint16_t skipping; /* the tag of the element that is skipped; 0: none */
    uint8_t heading;   /* 1 to 6; 0: the text is in none */
    wn_node_id link;
    uint32_t start, first_span, link_start, link_bytes, tokens;
} wn_page_stream;

/* Starts a page. `stream` is zeroed before its first one, and its memory reused. */
void wn_page_stream_open(wn_page_stream *stream, wn_page *page, wn_doc *doc, wn_arena *arena,
                         wn_str source);
void wn_page_stream_free(wn_page_stream *stream);
size_t wn_page_stream_memory(const wn_page_stream *stream);

/* The next piece. Blocks that a tag ends have ended when the tag is returned. */
wn_page_piece wn_page_stream_next(wn_page_stream *stream);

/* Adds text, or a part of it, to the block that gathers. */
void wn_page_stream_add(wn_page_stream *stream, wn_str text);

/* Whether white space that comes now is not seen. */
static inline bool wn_page_stream_ignores_space(const wn_page_stream *stream)
{
    return stream->spacing.at_space && !wn_page_nesting_now(&stream->nesting)->verbatim;
}

/*
 * The offset in the source after the first `len` bytes of the text that is left. Text with
 * references can be longer than its source ("&nGt;", U+0000): the offset never passes the end of
 * the piece.
 */
static inline uint32_t wn_page_stream_source_after(const wn_page_stream *stream, size_t len)
{
    uint32_t end = (uint32_t)(stream->tok.pos - stream->tok.start);
    return len < end - stream->source ? stream->source + (uint32_t)len : end;
}

/* Ends the block that gathers, if there is any text in it. */
void wn_page_stream_end_block(wn_page_stream *stream);

/* The reader of words, made when first asked for; NULL if out of memory. */
wn_words *wn_page_stream_words(wn_page_stream *stream);

/* Ends the page. */
void wn_page_stream_finish(wn_page_stream *stream);

#endif
