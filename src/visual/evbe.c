/*
 * EVBE: one walk down with the rules, one walk up with the siblings.
 *
 * Chaw Su Win, Mie Mie Su Thwin: Informative Content Extraction By Using Eifce, section 5.3.
 *
 *     EVBE(RE)                                     here
 *       ExtractBlock(RE)                           apply_rules(), then the visual distances
 *       for each child of RE                       walk_down()
 *         if CheckValidity(child) EVBE(child)      rule 1: children that are not valid are passed
 *
 * ExtractBlock: the rules decide by the nature of a node: all of them are tried on it, then come
 * its children. If they leave it open, its visual distance (distance.h) to its parent decides: up
 * to the bound it belongs to its parent's block, beyond it is a block. In one case the distance to
 * a sibling decides, as the paper shows with its masthead: a node in which nothing was divided is a
 * block if it looks too different from the node that follows it. Whether something was divided is
 * known on the way up.
 */
#include "visual/evbe.h"

#include "visual/distance.h"

const wn_evbe_options wn_evbe_defaults = {.parent_bound = 3, .sibling_bound = 3, .tolerance = 0.1f};

static wn_rule *const rules_in_order[] = {
    wn_rule_1, wn_rule_2, wn_rule_3, wn_rule_4, wn_rule_5,
    wn_rule_6, wn_rule_7, wn_rule_8, wn_rule_9, wn_rule_10,
};

enum { RULES = sizeof rules_in_order / sizeof *rules_in_order };

/* Tries all rules on a node: one that applies does not silence those after it. */
static wn_rule_answer apply_rules(wn_rules *r, wn_node_id node)
{
    wn_rule_answer answer = WN_RULE_SILENT;
    if (r->marks.through[node])
        return WN_RULE_DESCEND; /* a row of a table that rule 6 has divided into columns */
    for (int i = 0; i < RULES; i++) {
        wn_rule_answer said = rules_in_order[i](r, node);
        if (said == WN_RULE_STOP)
            return WN_RULE_STOP;
        if (said == WN_RULE_DESCEND)
            answer = said;
    }
    wn_visual_make_divided_blocks(r, node);
    return answer;
}

static bool is_box(const wn_rules *r, wn_node_id node)
{
    return wn_visual_kind_is(r->kinds, node, WN_NODE_VISIBLE | WN_NODE_LINE_BREAK);
}

/* Elements below the body; the body is the page. */
static bool can_be_block(const wn_rules *r, wn_node_id node)
{
    wn_node_id parent = wn_doc_node(r->kinds->view->doc, node)->parent;
    return is_box(r, node) && is_box(r, parent) &&
           !wn_node_is(wn_doc_node(r->kinds->view->doc, node), WN_TAG_BODY);
}

static void test_parent(wn_rules *r, wn_node_id node)
{
    wn_node_id parent = wn_doc_node(r->kinds->view->doc, node)->parent;
    if (r->marks.cause[node] == 0 && can_be_block(r, node) &&
        wn_visual_distance(r->kinds, r->options->tolerance, node, parent) >
            r->options->parent_bound)
        r->marks.cause[node] = WN_CAUSE_PARENT;
}

/* Bit of `settled`, by node: a rule said that no block is extracted, or that it is one whole. */
static void walk_down(wn_rules *r, uint8_t *settled)
{
    const wn_doc *doc = r->kinds->view->doc;
    wn_node_id id = WN_DOCUMENT_NODE;
    while (id) {
        bool shown = wn_visual_kind_is(r->kinds, id, WN_NODE_SHOWN);
        bool element = wn_doc_node(doc, id)->kind == WN_KIND_ELEMENT;
        wn_rule_answer answer = shown && element ? apply_rules(r, id) : WN_RULE_DESCEND;
        if (shown && element && answer != WN_RULE_STOP)
            test_parent(r, id);
        settled[id] = answer == WN_RULE_STOP;
        bool descend = shown && answer != WN_RULE_STOP;
        id = descend ? wn_doc_next(doc, id, WN_DOCUMENT_NODE)
                     : wn_doc_skip(doc, id, WN_DOCUMENT_NODE);
    }
}

static void test_sibling(wn_rules *r, wn_node_id node)
{
    if (!can_be_block(r, node))
        return; /* before the siblings are looked for: there may be many that are not valid */
    wn_node_id next = wn_visual_valid_next(r->kinds, node);
    if (next && is_box(r, next) &&
        wn_visual_distance(r->kinds, r->options->tolerance, node, next) > r->options->sibling_bound)
        r->marks.cause[node] = WN_CAUSE_SIBLING;
}

/* `divided`, by node: something in it is a block. */
static void walk_up(wn_rules *r, uint8_t *settled, uint8_t *divided)
{
    const wn_doc *doc = r->kinds->view->doc;
    wn_node_id id = wn_doc_first_bottom_up(doc, WN_DOCUMENT_NODE);
    for (; id != WN_DOCUMENT_NODE; id = wn_doc_next_bottom_up(doc, id)) {
        if (!settled[id] && !divided[id] && !r->marks.cause[id] && !r->marks.group[id])
            test_sibling(r, id);
        if (divided[id] || r->marks.cause[id] || r->marks.group[id])
            divided[wn_doc_node(doc, id)->parent] = 1;
    }
}

void wn_visual_evbe(wn_block_tree *tree, const wn_kinds *kinds, const wn_evbe_options *options,
                    wn_arena *arena)
{
    size_t count = kinds->view->doc->nodes.count;
    wn_rules r = {.kinds = kinds, .options = options};
    uint8_t *flags = wn_arena_alloc(arena, 2 * count);
    if (flags && wn_visual_marks_start(&r.marks, count, arena)) {
        memset(flags, 0, 2 * count);
        walk_down(&r, flags);
        walk_up(&r, flags, flags + count);
        wn_visual_block_tree_build(tree, kinds, &r.marks, arena);
    }
    tree->failed |= r.failed || arena->failed;
    wn_visual_marks_free(&r.marks);
}
