/*
 * Shared by the files of the Markdown writer: markdown.c writes blocks, markdown_table.c tables,
 * markdown_spans.c the markup inside both, markdown_inline.c plain text.
 */
#ifndef WN_WRITE_MARKDOWN_PARTS_H
#define WN_WRITE_MARKDOWN_PARTS_H

#include "base/cost.h"
#include "page/notes.h"
#include "write/write.h"

/* A span of the current block that is shown. */
typedef struct wn_markdown_span {
    const wn_span *span;
    const wn_page_note *note; /* if the span is a footnote mark; else NULL */
    uint32_t end;             /* at most the end of the span around it */
    uint32_t around;          /* the number of that span; UINT32_MAX: none */
} wn_markdown_span;

typedef struct wn_markdown {
    wn_buf *out;
    const wn_page *page;
    const wn_selection *selection;
    wn_page_links *links;
    const wn_write_options *options;
    wn_buf prefix; /* start of each further line of the block: "> ", spaces */
    wn_buf url;    /* of the current link */
    wn_buf image;  /* the address of an image */
    wn_page_notes notes;
    wn_array(wn_markdown_span) spans; /* of the current block */
    wn_cost cost; /* of looking ahead; once it is used up, every special character is escaped */
} wn_markdown;

/* Where a text is: it decides what a line break becomes and what has to be escaped. */
typedef enum wn_markdown_place {
    WN_IN_LINES,   /* a paragraph: its lines may look like other blocks */
    WN_IN_BOLD,    /* the same, between "**" */
    WN_IN_HEADING, /* one line */
    WN_IN_CELL,    /* one line; "|" ends it */
} wn_markdown_place;

/* The position in the text of a block. */
typedef struct wn_markdown_cursor {
    const char *start, *end; /* of the whole block */
    const char *part, *stop; /* the current part, without markup */
    const char *at;
    const char *address_end; /* of the last address that was examined; NULL: none yet */
    const char *formula_end; /* the end of the TeX formula that was begun; NULL: none */
    const char *plain_until; /* addresses that begin before need no brackets; NULL: not known */
    wn_markdown_place place;
    char before; /* the character written before the part; a line end at the start of a line */
    unsigned unclosed; /* kinds of formulas that are known to be unclosed */
    bool in_link;
    bool is_balanced; /* brackets in the link's text match, so they need no backslash */
    bool emphasised;  /* the block has emphasis, so stars in its text must not pair with ours */
} wn_markdown_cursor;

/* Writes the text up to c->stop, which contains none of our markup. */
void wn_write_markdown_text(wn_markdown *w, wn_markdown_cursor *c);

/* Writes the text of a block so that a Markdown reader shows the same text. */
void wn_write_markdown_inline(wn_markdown *w, const wn_block *block, wn_markdown_place place);

/* Writes text unchanged between backticks: code is never escaped. */
void wn_write_markdown_code_span(wn_markdown *w, wn_str text, wn_markdown_place place);

/* The longest run of backticks in a text. */
size_t wn_write_markdown_longest_fence(wn_str text);

/* Ends the line and starts the next one of the same block. */
void wn_write_markdown_next_line(wn_markdown *w);

/* Writes the picture of an <img>, with the link around it; false if it has no address. */
bool wn_write_markdown_image(wn_markdown *w, wn_node_id image, wn_markdown_place place);

/* Writes a video or frame as a link; false if it has no address. */
bool wn_write_markdown_embed(wn_markdown *w, wn_node_id element, wn_markdown_place place);

/* Whether the kept blocks from `first` to before `end`, all of one table, fit a Markdown table. */
bool wn_write_markdown_fits_table(const wn_markdown *w, uint32_t first, uint32_t end);

/* Writes them. */
void wn_write_markdown_table(wn_markdown *w, uint32_t first, uint32_t end);

#endif
