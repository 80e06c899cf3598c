/*
 * XPaths: the address of a node, for use in a browser console.
 *
 *     wn_xpaths paths;
 *     if (wn_html_xpaths_start(&paths, doc, arena))
 *         wn_html_xpath_add(&paths, id, out);       // "/html/body/div[2]/p"
 *
 * document.evaluate() finds the same node in a browser that has parsed the same page (without
 * scripts). A step is the element's name and its number among its siblings of that name, left out
 * where there is only one. Elements that XPath cannot name in an HTML document (SVG, MathML, names
 * with odd characters) are numbered among all elements: "*[3]". Very deep nodes are counted among
 * all elements of the document. What is inside a <template> is not part of the document: its
 * address is that of the template.
 */
#ifndef WN_HTML_XPATH_H
#define WN_HTML_XPATH_H

#include "html/document.h"

/* What a step says of one node. */
typedef struct wn_xpath_step {
    uint32_t number;     /* among siblings like it, from 1 */
    uint32_t element;    /* of elements: in document order, from 1 */
    wn_node_id template; /* the outermost around it; else 0 */
    bool named;          /* the step is its name; else * */
    bool alone;          /* no sibling is like it */
} wn_xpath_step;

typedef struct wn_xpaths {
    const wn_doc *doc;
    wn_xpath_step *steps; /* by node */
} wn_xpaths;

/* Counts all nodes once, in linear time; false if out of memory. */
bool wn_html_xpaths_start(wn_xpaths *paths, const wn_doc *doc, wn_arena *arena);

/* Adds the path of an element or a text. */
void wn_html_xpath_add(const wn_xpaths *paths, wn_node_id id, wn_buf *out);

#endif
