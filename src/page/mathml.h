/*
 * MathML as TeX: fractions, roots, powers, indices, sums with their limits, matrices, fences.
 */
#ifndef WN_PAGE_MATHML_H
#define WN_PAGE_MATHML_H

#include "base/buf.h"
#include "html/document.h"

/* Adds the formula in the element <math> as TeX to `out`; time is linear in its elements. */
void wn_page_mathml_to_tex(wn_buf *out, const wn_doc *doc, wn_node_id math);

#endif
