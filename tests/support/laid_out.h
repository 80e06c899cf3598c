/*
 * A page, parsed, styled and laid out, for tests.
 */
#ifndef WN_TESTS_LAID_OUT_H
#define WN_TESTS_LAID_OUT_H

#include "css/cascade.h"
#include "html/tree.h"
#include "layout/layout.h"

typedef struct laid_out {
    wn_arena arena;
    wn_tree *tree;
    wn_doc doc;
    wn_css *css;
    wn_layout *layout;
    const wn_styles *styles;
    const wn_boxes *boxes; /* NULL when memory was out */
} laid_out;

/* Makes room once; then any number of pages can be laid out one after the other. */
void laid_out_init(laid_out *page);
void laid_out_free(laid_out *page);

/* Lays out a page given as bytes, on a screen of 1366 x 768, with its text fragments if wanted. */
void laid_out_run(laid_out *page, wn_str html, bool fragments);

/* The element with that id attribute; WN_NO_NODE if there is none. */
wn_node_id laid_out_find(const laid_out *page, const char *id);

#endif
