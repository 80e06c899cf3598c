/*
 * What the files of the Markdown writer share: markdown.c writes blocks, markdown_table.c
 * tables, markdown_inline.c the text inside of both.
 */
#ifndef WN_WRITE_MARKDOWN_PARTS_H
#define WN_WRITE_MARKDOWN_PARTS_H

#include "write/write.h"

typedef struct wn_markdown {
    wn_buf *out;
    const wn_page *page;
    const wn_selection *selection;
    wn_str base; /* what links are relative to; may be empty */
    const wn_write_options *options;
    wn_buf prefix; /* what each further line of the block starts with: "> ", spaces */
    wn_buf url;    /* of the link that is being written */
    wn_buf image;  /* the address of an image */
} wn_markdown;

/* Where a text stands: it decides what a line break becomes and what has to be escaped. */
typedef enum wn_markdown_place {
    WN_IN_LINES,   /* a paragraph: its lines may look like other blocks */
    WN_IN_BOLD,    /* the same, between "**" */
    WN_IN_HEADING, /* one line */
    WN_IN_CELL,    /* one line; "|" ends it */
} wn_markdown_place;

/* Writes the text of a block so that Markdown gives back the same text. */
void wn_write_markdown_inline(wn_markdown *w, const wn_block *block, wn_markdown_place place);

/* Writes text as it stands between backticks: code is never escaped. */
void wn_write_markdown_code_span(wn_markdown *w, wn_str text, wn_markdown_place place);

/* The longest run of backticks in a text. */
size_t wn_write_markdown_longest_fence(wn_str text);

/* Ends the line and starts the next one of the same block. */
void wn_write_markdown_next_line(wn_markdown *w);

/* Whether the kept blocks from `first` to before `end`, all of one table, can be told as one. */
bool wn_write_markdown_fits_table(const wn_markdown *w, uint32_t first, uint32_t end);

/* Writes them. */
void wn_write_markdown_table(wn_markdown *w, uint32_t first, uint32_t end);

#endif
