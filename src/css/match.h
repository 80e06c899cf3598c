/*
 * Matching: whether a selector matches an element.
 *
 * From right to left, without recursion but for :is() and the like, whose depth is bounded. If a
 * compound could match several ancestors, the nearest is tried first, and only the choice at the
 * last descendant combinator is ever undone: an ancestor farther up cannot help what is to the left
 * of it. The same holds for `~` among siblings.
 *
 * Positions among siblings are counted for the whole document when they are first needed. Tests
 * that could be repeated very often (:has(), `~` in long lists) have a budget; when it is used up,
 * nothing matches any more and `cost.exceeded` is set.
 */
#ifndef WN_CSS_MATCH_H
#define WN_CSS_MATCH_H

#include "base/cost.h"
#include "css/selector.h"
#include "html/document.h"

/* The position of an element among its siblings, from 1; from the start and the end. */
typedef struct wn_css_place {
    uint32_t index, from_end, type_index, type_from_end;
} wn_css_place;

typedef struct wn_css_matcher {
    const wn_doc *doc;
    const wn_css_set *set;
    wn_arena *arena;
    const uint32_t *ids; /* by node: atom of its id */
    const uint32_t
        *class_starts; /* by node: where its classes start; of node + 1: where they end */
    const uint32_t *class_atoms;
    wn_css_place *places; /* by node; NULL until asked for */
    wn_cost cost;
    bool by_place; /* the last matches depended on more than the element and its ancestors */
} wn_css_matcher;

bool wn_css_matches(wn_css_matcher *m, const wn_css_selector *selector, wn_node_id node);

/* Whether the element is a link that a browser follows. */
bool wn_css_is_link(const wn_node *node);

#endif
