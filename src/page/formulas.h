/*
 * Formulas: what programs that typeset mathematics leave in a page, each once and as TeX.
 *
 *     <span class="katex">        KaTeX: MathML with its TeX, and spans that look like it
 *     <span class="MathJax">      MathJax 2 before its <script type="math/tex">
 *     <mjx-container>             MathJax 3 with MathML for assistive technology
 *     <math>                      MathML: its TeX annotation, its alttext, or converted
 *     <span class="mwe-math-…">   Wikipedia: MathML and a picture
 *     <img class="latex" alt>     pictures of formulas
 *     <span class="math">\(…\)    Pandoc, Sphinx: TeX for a script that never ran
 */
#ifndef WN_PAGE_FORMULAS_H
#define WN_PAGE_FORMULAS_H

#include "base/buf.h"
#include "html/document.h"

typedef enum wn_page_formula_kind {
    WN_FORMULA_NONE,    /* the element is not one, or what it says is not known */
    WN_FORMULA_WRAPPER, /* the same, but there may be one in it: nobody has looked */
    WN_FORMULA_INLINE,  /* its TeX was added */
    WN_FORMULA_DISPLAY, /* the same, and it is separate */
    WN_FORMULA_COPY,    /* what it shows is said again after it: it is not read */
} wn_page_formula_kind;

/* Whether an element may be one, at a glance: most are not. */
bool wn_page_formulas_may_start(const wn_node *element);

/* Adds the TeX of the formula that the element is to `tex`. */
wn_page_formula_kind wn_page_formulas_read(wn_buf *tex, const wn_doc *doc, wn_node_id id);

#endif
