/* Code in the markup of syntax highlighters: which parts are not code, and where lines end. */
#ifndef WN_PAGE_CODE_H
#define WN_PAGE_CODE_H

#include "html/document.h"

/* Whether an element in code, or a cell, holds line numbers or a button to copy the code. */
bool wn_page_code_is_gutter(const wn_node *element);

/* Whether an inline element in code is a line of it, without the end of the line in the text. */
bool wn_page_code_is_line(const wn_doc *doc, const wn_node *element);

/* Whether the rows of a table are lines of code, in no <pre>: Gist, SyntaxHighlighter, Crayon. */
bool wn_page_code_is_table(const wn_doc *doc, const wn_node *table);

/* Whether an element is code whose lines are elements, in no <pre>: Doxygen. */
bool wn_page_code_is_fragment(const wn_doc *doc, const wn_node *element);

/* Whether a table puts line numbers beside a <pre>. */
bool wn_page_code_is_frame(const wn_node *table);

/*
 * The language of code whose element is `id`, as its classes and attributes, those of the <code>
 * in it and of the elements around it tell; "" if they do not.
 */
wn_str wn_page_code_language(const wn_doc *doc, wn_node_id id);

#endif
