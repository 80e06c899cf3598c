/*
 * Presentational attributes: bgcolor, width, align and the like as CSS.
 *
 * https://html.spec.whatwg.org/multipage/rendering.html
 *
 * They count as declarations of the page that are weaker than any of its rules. What can be said
 * with a selector (hidden, nowrap, align="center") is in the browser's own sheet or in its
 * second part, which has the place of these; here are those with values.
 */
#ifndef WN_CSS_HINTS_H
#define WN_CSS_HINTS_H

#include "css/value.h"
#include "html/document.h"

/*
 * Adds what the attributes of an element say to `out`, and a number that tells such lists apart
 * to *hash (0 if there is nothing). False if out of memory.
 */
bool wn_css_add_hints(const wn_doc *doc, wn_node_id id, wn_css_decls *out, uint64_t *hash);

#endif
