/*
 * What the standard says of kinds of elements: the lists that tree construction
 * asks about, as one bit each.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements
 */
#ifndef WN_HTML_TRAITS_H
#define WN_HTML_TRAITS_H

#include "html/document.h"

enum {
    WN_TRAIT_SPECIAL = 1 << 0,
    WN_TRAIT_FORMATTING = 1 << 1,
    WN_TRAIT_HEADING = 1 << 2,

    /* Where the search for an element "in scope" ends. */
    WN_TRAIT_SCOPE = 1 << 3,
    WN_TRAIT_LIST_SCOPE = 1 << 4,   /* list item scope: the above, and ol, ul */
    WN_TRAIT_BUTTON_SCOPE = 1 << 5, /* button scope: the above scope, and button */
    WN_TRAIT_TABLE_SCOPE = 1 << 6,  /* html, table, template */

    /* Whose end tags may be left out. */
    WN_TRAIT_IMPLIED_END = 1 << 7,
    WN_TRAIT_THOROUGHLY_IMPLIED_END = 1 << 8,

    /* Where "clear the stack back to a … context" stops. */
    WN_TRAIT_TABLE_CONTEXT = 1 << 9,
    WN_TRAIT_TABLE_BODY_CONTEXT = 1 << 10,
    WN_TRAIT_TABLE_ROW_CONTEXT = 1 << 11,

    WN_TRAIT_FOSTERS = 1 << 12,       /* text in it moves before the table */
    WN_TRAIT_TABLE_PART = 1 << 13,    /* caption, tbody, tr, td, … */
    WN_TRAIT_MAY_STAY_OPEN = 1 << 14, /* may be open when </body> comes */

    WN_TRAIT_HTML_POINT = 1 << 15, /* HTML integration point */
    WN_TRAIT_TEXT_POINT = 1 << 16, /* MathML text integration point */
};

/* The traits of an HTML element. */
extern const uint32_t wn_html_traits[WN_TAG_COUNT];

/* The traits of an SVG or MathML element; attributes tell some integration points. */
uint32_t wn_html_foreign_traits(const wn_node *element);

#endif
