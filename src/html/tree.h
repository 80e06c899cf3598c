/*
 * Tree construction: tokens in, document out.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
 */
#ifndef WN_HTML_TREE_H
#define WN_HTML_TREE_H

#include "base/watch.h"
#include "html/document.h"
#include "html/tokenizer.h"

typedef struct wn_parse_options {
    bool scripting; /* <noscript> holds raw text, as with a browser that runs scripts */

    uint32_t max_depth; /* open elements; deeper ones become children of the last one */
    uint32_t max_nodes; /* at this number parsing stops with the tree so far */
    uint32_t max_attrs; /* of one element; further ones are dropped */
    wn_watch *watch;    /* says when to stop with the tree so far; may be NULL */

    /* Parses a fragment as if it were the contents of this element ("td", "svg path"). */
    const char *fragment_context; /* NULL: a whole document */
} wn_parse_options;

/* The limits a browser has, or larger. */
extern const wn_parse_options wn_parse_defaults;

typedef struct wn_tree wn_tree; /* the builder's working memory, reused page after page */

wn_tree *wn_html_tree_new(void);
void wn_html_tree_free(wn_tree *tree);
size_t wn_html_tree_memory(const wn_tree *tree);

/*
 * Parses `input` (well-formed UTF-8 without carriage returns) into `doc`, whose
 * strings point into `input` and `arena`. The document is usable whatever
 * happened; doc->limited says what was cut short. Fragments hang below an
 * <html> element, as the standard has it.
 */
void wn_html_tree_parse(wn_tree *tree, wn_doc *doc, wn_arena *arena, wn_str input,
                        const wn_parse_options *options);

#endif
