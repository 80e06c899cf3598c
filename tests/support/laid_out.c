#include "support/laid_out.h"

#include <string.h>

#include "html/encoding.h"

void laid_out_init(laid_out *page)
{
    memset(page, 0, sizeof *page);
    wn_arena_init(&page->arena, 0);
    page->tree = wn_html_tree_new();
    page->css = wn_css_new();
    page->layout = wn_layout_new();
}

void laid_out_free(laid_out *page)
{
    wn_html_tree_free(page->tree);
    wn_css_free(page->css);
    wn_layout_free(page->layout);
    wn_doc_free(&page->doc);
    wn_arena_free(&page->arena);
}

void laid_out_run(laid_out *page, wn_str html, bool fragments)
{
    wn_arena_reset(&page->arena);
    wn_decoded decoded = wn_html_decode(&page->arena, html, NULL);
    wn_html_tree_parse(page->tree, &page->doc, &page->arena, decoded.text, &wn_parse_defaults);
    page->styles = wn_css_compute(page->css, &page->doc, &wn_css_defaults, &page->arena);
    wn_layout_options options = wn_layout_defaults;
    options.fragments = fragments;
    page->boxes = page->styles ? wn_layout_run(page->layout, &page->doc, page->styles, &options)
                               : NULL;
}

wn_node_id laid_out_find(const laid_out *page, const char *id)
{
    for (wn_node_id node = 1; node < page->doc.nodes.count; node++) {
        const wn_node *n = wn_doc_node(&page->doc, node);
        if (n->kind == WN_KIND_ELEMENT &&
            wn_str_eq(wn_node_attr_value(n, WN_ATTR_ID), wn_str_of(id)))
            return node;
    }
    return WN_NO_NODE;
}
