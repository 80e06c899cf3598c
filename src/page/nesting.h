/*
 * Nesting: what the text of a stream is in, as far as its tags tell.
 *
 * A stack of the open elements that affect the text in them: lists, items, quotations, code, terms,
 * captions, tables and cells. An element inherits what it does not set from the one around it, so
 * the innermost one has the answer.
 *
 * HTML allows end tags to be omitted: an item ends the item before it, a row the row, a cell the
 * cell and its contents. An end tag whose element is not open, or not in the same cell, is skipped.
 * What is nested deeper than the stack takes the place of its last element.
 *
 * Each element on the stack has a node in the document, below the node of the one around it:
 * writers find there what they would find in a tree.
 */
#ifndef WN_PAGE_NESTING_H
#define WN_PAGE_NESTING_H

#include "html/tokenizer.h"
#include "page/tables.h"

enum { WN_DEEPEST_NEST = 64 };

typedef struct wn_page_nest {
    wn_node_id node;
    uint32_t number; /* of a list: of its last item */
    uint32_t table;  /* its number; 0: none */
    uint32_t flags;  /* WN_BLOCK_ORDERED, WN_BLOCK_HEADER_CELL */
    uint16_t tag;
    uint8_t kind; /* winnow_block_kind of the text */
    uint8_t list_depth, quote_depth;
    uint8_t in_list, in_item, in_terms, in_term; /* places on the stack, of the same cell; or 0 */
    uint8_t around;                              /* the place of the table; 0: none */
    bool verbatim;                               /* white space counts */
    bool in_table;                               /* and not between its cells */
} wn_page_nest;

/* Zero it before its first page. */
typedef struct wn_page_nesting {
    wn_page_nest stack[WN_DEEPEST_NEST]; /* the first one is the page */
    uint32_t top;
    bool item_starts; /* the next block is the first of its item */
    bool failed;      /* out of memory */
    wn_page_tables tables;
    wn_doc *doc;
} wn_page_nesting;

void wn_page_nesting_start(wn_page_nesting *nesting, wn_doc *doc);
void wn_page_nesting_free(wn_page_nesting *nesting);

/* A start tag, with its attributes, or an end tag; tags that say nothing change nothing. */
void wn_page_nesting_open(wn_page_nesting *nesting, const wn_token *token, wn_arena *arena);
void wn_page_nesting_close(wn_page_nesting *nesting, uint16_t tag);

/* What the text that comes next is in. */
static inline const wn_page_nest *wn_page_nesting_now(const wn_page_nesting *nesting)
{
    return &nesting->stack[nesting->top];
}

/* Tells a block what it is in. */
void wn_page_nesting_describe(wn_page_nesting *nesting, wn_block *block);

#endif
