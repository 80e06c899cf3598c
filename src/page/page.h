/*
 * The page: what a reader sees, as a list of blocks.
 *
 * A block is a separate piece of text: a paragraph, a heading, a list item, a cell. Blocks are in
 * document order and contain all readable text of the document, including hidden parts (marked as
 * such): a method decides which of them are content.
 *
 * The texts of all blocks are one after the other in `text`, with white space
 * as a reader sees it; a block is a slice of it, with a NUL after. Links and inline code are spans
 * over that text.
 *
 * Methods read a const wn_page, which never changes after it is built (builder.h); code that needs
 * different blocks creates a view of it (view.h).
 */
#ifndef WN_PAGE_PAGE_H
#define WN_PAGE_PAGE_H

#include "base/array.h"

#include <assert.h>
#include "base/buf.h"
#include "html/document.h"
#include "winnow.h"

/* Why a block may not be seen, and where it is; bits of wn_block.flags. */
enum {
    WN_BLOCK_HIDDEN = 1 << 0,      /* display:none, the hidden attribute, a closed dialog, … */
    WN_BLOCK_ARIA_HIDDEN = 1 << 1, /* hidden from assistive technology only */
    WN_BLOCK_NOSCRIPT = 1 << 2,
    WN_BLOCK_TEMPLATE = 1 << 3,    /* inside <template>: never shown as it is */
    WN_BLOCK_ORDERED = 1 << 4,     /* item of a numbered list */
    WN_BLOCK_ITEM_START = 1 << 5,  /* first block of its list item */
    WN_BLOCK_HEADER_CELL = 1 << 6, /* <th> */
    WN_BLOCK_FOLDED = 1 << 7,      /* inside <details> that nobody has opened yet */
    WN_BLOCK_EDGE = 1 << 8,  /* inside <nav> or <footer>, by name or by role, or in a drawing */
    WN_BLOCK_TASK = 1 << 9,  /* begins with a box to tick, */
    WN_BLOCK_DONE = 1 << 10, /* which is ticked */

    /* The text before it is of the same element, with neither a block-level tag nor a <hr> between
       them: <br><br>, or hidden words. */
    WN_BLOCK_CONTINUES = 1 << 14,

    /* Not shown to someone who looks at the page. */
    WN_BLOCK_INVISIBLE = WN_BLOCK_HIDDEN | WN_BLOCK_TEMPLATE | WN_BLOCK_FOLDED,
};

typedef struct wn_block {
    wn_node_id node; /* the element whose text this is: the nearest block-level one */
    uint32_t text;   /* offset in page->text */
    uint32_t len;
    uint32_t words;      /* separated by spaces; for scripts without spaces an estimate */
    uint32_t link_bytes; /* bytes of the text that are inside links */
    uint32_t first_span, span_count;
    uint32_t table; /* number of the innermost table, from 1; 0: none */
    uint32_t row, column;
    uint32_t number; /* of an item in a numbered list */
    uint16_t flags;
    uint8_t kind;        /* winnow_block_kind */
    uint8_t level;       /* heading: 1-6 */
    uint8_t list_depth;  /* 0: in no list */
    uint8_t quote_depth; /* 0: in no quotation */
} wn_block;

typedef enum wn_span_kind {
    WN_SPAN_LINK,
    WN_SPAN_CODE,
    WN_SPAN_BOLD,
    WN_SPAN_ITALIC,
    WN_SPAN_SUB,
    WN_SPAN_SUP,
    WN_SPAN_DELETED,  /* <del>, <s>, <strike> */
    WN_SPAN_INSERTED, /* <ins> */
    WN_SPAN_MARKED,   /* <mark> */
    WN_SPAN_KEY,      /* <kbd> */
    WN_SPAN_QUOTED,   /* <q>: its marks are not in the text */
    WN_SPAN_ABBR,     /* <abbr title> */
    WN_SPAN_KINDS,    /* of text: their number */
    WN_SPAN_IMAGE,    /* empty, at the place of the image */
    WN_SPAN_MATH,     /* a formula; the text is a readable form of it */
} wn_span_kind;

/* A part of page->text inside one block; spans nest and are in order of their start. */
typedef struct wn_span {
    uint32_t start, end; /* offsets in page->text */
    wn_node_id node;     /* the <a>, <code>, … */
    uint32_t kind : 8;   /* wn_span_kind */
    uint32_t value : 24; /* of a formula: its number in page->formulas */
} wn_span;

/* A formula in TeX: a slice of page->tex. */
typedef struct wn_formula {
    uint32_t tex, len;
    bool display; /* is separate */
} wn_formula;

/* A picture or the like without text around it, which is therefore in no block. */
typedef struct wn_object {
    wn_node_id node; /* the <img>, <hr>, <iframe>, … */
    uint32_t text;   /* where it is in page->text */
    uint32_t table;  /* that it is in; 0: none */
    uint32_t row, column;
    uint32_t number; /* of the item that it is in, in a numbered list */
    uint16_t flags;  /* as those of a block */
    uint8_t kind;    /* winnow_block_kind */
    uint8_t list_depth, quote_depth;
} wn_object;

/* A table of data, by its number. One that is in no cell of another has `around` 0. */
typedef struct wn_table {
    wn_node_id node; /* the <table>; WN_NO_NODE: there is no tree */
    uint32_t around; /* the table that it is in, and its cell there */
    uint32_t row, column;
    uint32_t outermost; /* the table that is around all of these; itself if there is none */
    uint8_t depth;      /* 1: it is in no other */
} wn_table;

/* Tables in tables that are told apart; what lies deeper is text of the cell it is in. */
enum { WN_DEEPEST_TABLE = 4 };

/* Where the text of a text node begins in page->text; it ends where the next one begins. */
typedef struct wn_text {
    wn_node_id node; /* of a formula: the first text node in it */
    uint32_t start;
    wn_node_id formula; /* the element that is read as a formula; else WN_NO_NODE */
} wn_text;

typedef struct wn_page {
    const wn_doc *doc;
    wn_buf text;
    wn_array(wn_block) blocks;
    wn_array(wn_span) spans;
    wn_array(wn_text) texts;     /* if wants_texts; those without visible text are empty */
    wn_array(wn_object) objects; /* in document order; views make blocks of them (objects.h) */
    wn_array(wn_table) tables;   /* by number; 0: no table */
    wn_array(wn_formula) formulas;
    wn_buf tex;      /* of all formulas */
    wn_str title;    /* of <title>, with white space collapsed */
    wn_str language; /* of <html lang> */
    bool wants_texts;

    /* What is seen, for methods that look; else NULL. */
    const struct wn_styles *styles;
    const struct wn_boxes *boxes;

    bool failed; /* out of memory: the page ends early */
} wn_page;

/* Empties the page for the next document; its text and arrays are there, if only empty. */
void wn_page_start(wn_page *page, const wn_doc *doc);

/*
 * Makes a block of the text from `start` to its end, with a NUL after it. NULL when there
 * is no memory for both: then the text is gone and the page has failed.
 */
wn_block *wn_page_add_block(wn_page *page, uint32_t start);
void wn_page_free(wn_page *page);
size_t wn_page_memory(const wn_page *page);

/*
 * Cuts blocks in two at each of the `count` offsets in page->text, which are in order; those
 * between two blocks change nothing. Returns where each block began before it lost its white space,
 * as offsets in page->text, in the arena; NULL if out of memory. For those who own the blocks of
 * a page: who makes it, and a view (view.h). Parts have no NUL at their end.
 */
uint32_t *wn_page_cut(wn_page *page, const uint32_t *offsets, uint32_t count, wn_arena *arena);

/* The blocks of a table follow each other; returns the one after the last, from one of them on. */
uint32_t wn_page_table_end(const wn_page *page, uint32_t block);

/* The TeX of a span of kind WN_SPAN_MATH. */
static inline wn_str wn_page_formula_tex(const wn_page *page, const wn_span *span)
{
    assert(span->kind == WN_SPAN_MATH && span->value < page->formulas.count);
    const wn_formula *formula = &page->formulas.items[span->value];
    return wn_str_from(page->tex.ptr + formula->tex, formula->len);
}

static inline wn_str wn_block_text(const wn_page *page, const wn_block *block)
{
    assert((size_t)block->text + block->len <= page->text.len);
    return wn_str_from(page->text.ptr + block->text, block->len);
}

#endif
