/*
 * What the files of the Markdown writer share: markdown.c writes blocks, markdown_table.c
 * tables, markdown_spans.c what is marked up inside both, markdown_inline.c plain text.
 */
#ifndef WN_WRITE_MARKDOWN_PARTS_H
#define WN_WRITE_MARKDOWN_PARTS_H

#include "base/cost.h"
#include "write/notes.h"
#include "write/write.h"

/* A span of the block that is written, as far as it is shown. */
typedef struct wn_markdown_span {
    const wn_span *span;
    const wn_write_note *note; /* of a mark of a footnote; else NULL */
    uint32_t end;              /* not after that of the span around it */
    uint32_t around;           /* the number of that span; UINT32_MAX: none */
} wn_markdown_span;

typedef struct wn_markdown {
    wn_buf *out;
    const wn_page *page;
    const wn_selection *selection;
    wn_page_links *links;
    const wn_write_options *options;
    wn_buf prefix; /* what each further line of the block starts with: "> ", spaces */
    wn_buf url;    /* of the link that is being written */
    wn_buf image;  /* the address of an image */
    wn_write_notes notes;
    wn_array(wn_markdown_span) spans; /* of the block that is written */
    wn_cost cost; /* of looking ahead; without it what may mean something is escaped */
} wn_markdown;

/* Where a text is: it decides what a line break becomes and what has to be escaped. */
typedef enum wn_markdown_place {
    WN_IN_LINES,   /* a paragraph: its lines may look like other blocks */
    WN_IN_BOLD,    /* the same, between "**" */
    WN_IN_HEADING, /* one line */
    WN_IN_CELL,    /* one line; "|" ends it */
} wn_markdown_place;

/* The text of a block while it is written. */
typedef struct wn_markdown_cursor {
    const char *start, *end; /* of the whole block */
    const char *part, *stop; /* the part without markup that is written */
    const char *at;
    const char *address_end; /* of the last address that was looked at; NULL: none was */
    const char *formula_end; /* where a formula in TeX that was begun is closed; NULL: none was */
    const char *plain_until; /* no address that begins before needs brackets; NULL: not known */
    wn_markdown_place place;
    char before;       /* what was written before the part; a line end where a line starts */
    unsigned unclosed; /* kinds of formulas that nothing closes */
    bool in_link;
    bool is_balanced; /* the brackets of the link's text are: they need no backslash */
    bool emphasised;  /* something in the block is: no star of the text may be taken for ours */
} wn_markdown_cursor;

/* Writes the text up to c->stop, which has no markup of ours in it. */
void wn_write_markdown_text(wn_markdown *w, wn_markdown_cursor *c);

/* Writes the text of a block so that Markdown gives back the same text. */
void wn_write_markdown_inline(wn_markdown *w, const wn_block *block, wn_markdown_place place);

/* Writes text as it is between backticks: code is never escaped. */
void wn_write_markdown_code_span(wn_markdown *w, wn_str text, wn_markdown_place place);

/* The longest run of backticks in a text. */
size_t wn_write_markdown_longest_fence(wn_str text);

/* Ends the line and starts the next one of the same block. */
void wn_write_markdown_next_line(wn_markdown *w);

/* Writes the picture of an <img>, with the link around it; false if it has no address. */
bool wn_write_markdown_image(wn_markdown *w, wn_node_id image, wn_markdown_place place);

/* Writes a video or frame as a link; false if it has no address. */
bool wn_write_markdown_embed(wn_markdown *w, wn_node_id element, wn_markdown_place place);

/* Whether the kept blocks from `first` to before `end`, all of one table, can be told as one. */
bool wn_write_markdown_fits_table(const wn_markdown *w, uint32_t first, uint32_t end);

/* Writes them. */
void wn_write_markdown_table(wn_markdown *w, uint32_t first, uint32_t end);

#endif
