#define _GNU_SOURCE /* memmem */
#include "css/match.h"

#include <assert.h>

enum {
    MAX_HAS_NODES = 2000, /* looked at below one element for one :has() */
    TYPE_SLOTS = 1024,
    BYTES_PER_STEP = 16, /* of an attribute that is searched */
    ATTRS_PER_STEP = 8,  /* of an element, of which one is searched for */
};

static bool element_at(const wn_css_matcher *m, wn_node_id id)
{
    return m->doc->nodes.items[id].kind == WN_KIND_ELEMENT;
}

static wn_node_id parent_of(const wn_css_matcher *m, wn_node_id id)
{
    wn_node_id parent = m->doc->nodes.items[id].parent;
    return element_at(m, parent) ? parent : WN_NO_NODE;
}

static wn_node_id previous_of(wn_css_matcher *m, wn_node_id id)
{
    do {
        id = m->doc->nodes.items[id].prev;
        wn_cost_use(&m->cost, 1);
    } while (id && !element_at(m, id));
    return wn_cost_is_used_up(&m->cost) ? WN_NO_NODE : id;
}

/* ---- Places ------------------------------------------------------------------------------ */

typedef struct type_counts {
    uint32_t count[TYPE_SLOTS];
    wn_node_id parent[TYPE_SLOTS]; /* whose children are counted */
} type_counts;

/* Names without a number share slots; two such names of one parent seldom meet. */
static uint32_t type_slot(const wn_node *node)
{
    uint32_t slot = node->tag ? node->tag : WN_TAG_COUNT + wn_str_hash(wn_node_name(node)) % 512;
    return slot % TYPE_SLOTS;
}

static uint32_t next_of_type(type_counts *counts, const wn_node *node)
{
    uint32_t slot = type_slot(node);
    if (counts->parent[slot] != node->parent) {
        counts->parent[slot] = node->parent;
        counts->count[slot] = 0;
    }
    return ++counts->count[slot];
}

static void count_children(wn_css_matcher *m, wn_node_id parent, type_counts *forward,
                           type_counts *backward)
{
    const wn_node *nodes = m->doc->nodes.items;
    uint32_t index = 0;
    for (wn_node_id id = nodes[parent].first_child; id; id = nodes[id].next)
        if (element_at(m, id)) {
            m->places[id].index = ++index;
            m->places[id].type_index = next_of_type(forward, &nodes[id]);
        }
    index = 0;
    for (wn_node_id id = nodes[parent].last_child; id; id = nodes[id].prev)
        if (element_at(m, id)) {
            m->places[id].from_end = ++index;
            m->places[id].type_from_end = next_of_type(backward, &nodes[id]);
        }
}

static const wn_css_place *place_of(wn_css_matcher *m, wn_node_id node)
{
    static const wn_css_place nowhere;
    m->by_place = true;
    if (m->places)
        return &m->places[node];
    uint32_t count = m->doc->nodes.count;
    type_counts *forward = wn_arena_alloc(m->arena, sizeof *forward);
    type_counts *backward = wn_arena_alloc(m->arena, sizeof *backward);
    m->places = wn_arena_alloc(m->arena, count * sizeof *m->places);
    if (!forward || !backward || !m->places) {
        m->places = NULL;
        return &nowhere;
    }
    memset(forward, 0, sizeof *forward);
    memset(backward, 0, sizeof *backward);
    memset(m->places, 0, count * sizeof *m->places);
    for (wn_node_id id = WN_DOCUMENT_NODE; id < count; id++)
        if (m->doc->nodes.items[id].first_child)
            count_children(m, id, forward, backward);
    return &m->places[node];
}

/* Whether n = step * k + offset for some k >= 0. */
static bool is_nth(const wn_css_nth *nth, uint32_t n)
{
    int64_t rest = (int64_t)n - nth->offset;
    return nth->step == 0 ? rest == 0 : rest % nth->step == 0 && rest / nth->step >= 0;
}

/* ---- Single tests ------------------------------------------------------------------------ */

static bool has_class(const wn_css_matcher *m, wn_node_id node, uint32_t atom)
{
    for (uint32_t i = m->class_starts[node]; i < m->class_starts[node + 1]; i++)
        if (m->class_atoms[i] == atom)
            return true;
    return false;
}

static const wn_attr *find_attr(const wn_node *node, const wn_css_attr_test *test)
{
    for (uint32_t i = 0; i < node->len; i++) {
        const wn_attr *attr = &node->attrs[i];
        if (attr->id != test->id)
            continue;
        if (test->id || wn_str_eq_nocase(wn_str_from(attr->name, attr->name_len), test->name))
            return attr;
    }
    return NULL;
}

static bool same_text(wn_str a, wn_str b, bool no_case)
{
    return no_case ? wn_str_eq_nocase(a, b) : wn_str_eq(a, b);
}

static bool contains(wn_str text, wn_str part, bool no_case)
{
    if (no_case)
        return wn_str_contains_nocase(text, part);
    return part.len <= text.len && memmem(text.ptr, text.len, part.ptr, part.len);
}

static bool has_token(wn_str text, wn_str token, bool no_case)
{
    if (text.len < token.len)
        return false; /* a text without a value is NULL, to which nothing may be added */
    const char *p = text.ptr, *end = text.ptr + text.len;
    while (p < end) {
        while (p < end && wn_is_space(*p))
            p++;
        const char *start = p;
        while (p < end && !wn_is_space(*p))
            p++;
        if (p > start && same_text(wn_str_between(start, p), token, no_case))
            return true;
    }
    return false;
}

/*
 * Long attributes and long lists of them are paid for: a selector costs no more than a bounded
 * step.
 */
static bool test_attr(wn_css_matcher *m, const wn_node *node, const wn_css_attr_test *test)
{
    const wn_attr *attr = find_attr(node, test);
    wn_cost_use(&m->cost, node->len / ATTRS_PER_STEP);
    if (!attr || !test->op)
        return attr;
    wn_cost_use(&m->cost, attr->value_len / BYTES_PER_STEP);
    wn_str value = wn_attr_value(attr), wanted = test->value;
    bool no_case = test->no_case;
    if (test->op == '=')
        return same_text(value, wanted, no_case);
    if (test->op == '|')
        return value.len >= wanted.len &&
               same_text(wn_str_from(value.ptr, wanted.len), wanted, no_case) &&
               (value.len == wanted.len || value.ptr[wanted.len] == '-');
    if (wanted.len == 0)
        return false;
    if (test->op == '~')
        return has_token(value, wanted, no_case);
    if (value.len < wanted.len)
        return false;
    if (test->op == '^')
        return same_text(wn_str_from(value.ptr, wanted.len), wanted, no_case);
    if (test->op == '$')
        return same_text(wn_str_from_offset(value, value.len - wanted.len), wanted, no_case);
    return contains(value, wanted, no_case);
}

bool wn_css_is_link(const wn_node *node)
{
    return (wn_node_is(node, WN_TAG_A) || wn_node_is(node, WN_TAG_AREA)) &&
           wn_node_attr(node, WN_ATTR_HREF);
}

static bool is_empty(const wn_css_matcher *m, const wn_node *node)
{
    const wn_node *nodes = m->doc->nodes.items;
    for (wn_node_id id = node->first_child; id; id = nodes[id].next)
        if (nodes[id].kind == WN_KIND_ELEMENT || (nodes[id].kind == WN_KIND_TEXT && nodes[id].len))
            return false;
    return true;
}

static bool is_control(const wn_node *node)
{
    return node->ns == WN_NS_HTML &&
           (node->tag == WN_TAG_INPUT || node->tag == WN_TAG_BUTTON || node->tag == WN_TAG_SELECT ||
            node->tag == WN_TAG_TEXTAREA || node->tag == WN_TAG_OPTION ||
            node->tag == WN_TAG_OPTGROUP || node->tag == WN_TAG_FIELDSET);
}

static bool is_editable(const wn_node *node)
{
    static const char *const others[] = {"checkbox", "radio", "button", "submit", "reset",
                                         "hidden",   "image", "file",   "range",  "color"};
    if (wn_node_attr(node, WN_ATTR_DISABLED))
        return false;
    if (wn_node_is(node, WN_TAG_TEXTAREA))
        return true;
    if (!wn_node_is(node, WN_TAG_INPUT))
        return false;
    wn_str type = wn_node_attr_value(node, WN_ATTR_TYPE);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (wn_str_eq_nocase(type, wn_str_of(others[i])))
            return false;
    return true;
}

static bool is_checked(const wn_node *node)
{
    return (wn_node_is(node, WN_TAG_INPUT) && wn_node_attr(node, WN_ATTR_CHECKED)) ||
           (wn_node_is(node, WN_TAG_OPTION) && wn_node_attr(node, WN_ATTR_SELECTED));
}

/* The value of an attribute that is inherited: lang, dir. */
static wn_str inherited_attr(wn_css_matcher *m, wn_node_id id, wn_attr_name name)
{
    for (; id && !wn_cost_is_used_up(&m->cost); id = parent_of(m, id)) {
        wn_cost_use(&m->cost, 1);
        const wn_attr *attr = wn_node_attr(&m->doc->nodes.items[id], name);
        if (attr)
            return wn_attr_value(attr);
    }
    return WN_STR("");
}

static bool is_language(wn_str lang, wn_str wanted)
{
    return wanted.len > 0 && lang.len >= wanted.len &&
           wn_str_eq_nocase(wn_str_from(lang.ptr, wanted.len), wanted) &&
           (lang.len == wanted.len || lang.ptr[wanted.len] == '-');
}

/* ---- Inner lists ------------------------------------------------------------------------- */

static bool match_from(wn_css_matcher *m, const wn_css_selector *selector, wn_node_id node,
                       wn_node_id anchor);

static bool matches_any(wn_css_matcher *m, uint32_t list, wn_node_id node)
{
    assert(list < m->set->lists.count);
    const wn_css_list *l = &m->set->lists.items[list];
    for (uint32_t i = 0; i < l->count; i++)
        if (match_from(m, &m->set->selectors.items[l->first + i], node, WN_NO_NODE))
            return true;
    return false;
}

/* Whether something below or after `node` matches a selector relative to it. */
static bool has_relative(wn_css_matcher *m, const wn_css_selector *selector, wn_node_id node)
{
    const wn_node *nodes = m->doc->nodes.items;
    char first = m->set->compounds.items[selector->first].combinator;
    assert(selector->count > 0);
    bool sideways = first == '+' || first == '~';
    wn_node_id root = sideways ? nodes[node].parent : node;
    wn_node_id id = sideways ? wn_doc_skip(m->doc, node, root) : wn_doc_next(m->doc, node, root);
    for (uint32_t seen = 0; id && seen < MAX_HAS_NODES; seen++) {
        if (!wn_cost_spend(&m->cost, 1))
            return false;
        if (nodes[id].kind == WN_KIND_ELEMENT && match_from(m, selector, id, node))
            return true;
        id = wn_doc_next(m->doc, id, root);
    }
    return false;
}

static bool test_has(wn_css_matcher *m, uint32_t list, wn_node_id node)
{
    assert(list < m->set->lists.count);
    const wn_css_list *l = &m->set->lists.items[list];
    m->by_place = true;
    for (uint32_t i = 0; i < l->count; i++)
        if (has_relative(m, &m->set->selectors.items[l->first + i], node))
            return true;
    return false;
}

/* How many elements before `node`, or after it, match a list. */
static uint32_t matching_siblings(wn_css_matcher *m, uint32_t list, wn_node_id node, bool after)
{
    const wn_node *nodes = m->doc->nodes.items;
    uint32_t count = 0;
    while ((node = after ? nodes[node].next : nodes[node].prev) && wn_cost_spend(&m->cost, 1))
        count += element_at(m, node) && matches_any(m, list, node);
    return count;
}

static bool test_nth(wn_css_matcher *m, const wn_css_nth *nth, wn_node_id node)
{
    const wn_css_place *place = place_of(m, node);
    if (!nth->list) {
        uint32_t n = nth->of_type ? (nth->last ? place->type_from_end : place->type_index)
                                  : (nth->last ? place->from_end : place->index);
        return is_nth(nth, n);
    }
    if (!matches_any(m, nth->list - 1, node))
        return false;
    uint32_t n = 1 + matching_siblings(m, nth->list - 1, node, nth->last);
    return is_nth(nth, n);
}

/* ---- Compounds --------------------------------------------------------------------------- */

/* Tests of an element's position among its siblings. */
static bool test_place(wn_css_matcher *m, const wn_css_test *test, wn_node_id id)
{
    const wn_css_place *place = place_of(m, id);
    switch (test->kind) {
    case WN_TEST_FIRST:
        return place->index == 1 && (!test->id || place->from_end == 1);
    case WN_TEST_LAST:
        return place->from_end == 1;
    case WN_TEST_FIRST_TYPE:
        return place->type_index == 1 && (!test->id || place->type_from_end == 1);
    default:
        assert(test->kind == WN_TEST_LAST_TYPE);
        return place->type_from_end == 1;
    }
}

/* Tests of what an element is by itself, or by those around it. */
static bool test_state(wn_css_matcher *m, const wn_css_test *test, wn_node_id id)
{
    const wn_node *node = &m->doc->nodes.items[id];
    switch (test->kind) {
    case WN_TEST_ROOT:
        return node->parent == WN_DOCUMENT_NODE;
    case WN_TEST_EMPTY:
        m->by_place = true;
        return is_empty(m, node);
    case WN_TEST_LINK:
        return wn_css_is_link(node);
    case WN_TEST_CHECKED:
        return is_checked(node);
    case WN_TEST_DISABLED:
        return is_control(node) && wn_node_attr(node, WN_ATTR_DISABLED);
    case WN_TEST_ENABLED:
        return is_control(node) && !wn_node_attr(node, WN_ATTR_DISABLED);
    case WN_TEST_EDITABLE:
        return is_editable(node) != (test->id == 1);
    case WN_TEST_LANG:
        assert(test->data < m->set->strings.count);
        return is_language(inherited_attr(m, id, WN_ATTR_LANG), m->set->strings.items[test->data]);
    case WN_TEST_RTL:
        return wn_str_eq_nocase(inherited_attr(m, id, WN_ATTR_DIR), WN_STR("rtl")) ==
               (test->id == 1);
    default:
        assert(test->kind == WN_TEST_NEVER);
        return false;
    }
}

static bool run_test(wn_css_matcher *m, const wn_css_test *test, wn_node_id id)
{
    const wn_node *node = &m->doc->nodes.items[id];
    switch (test->kind) {
    case WN_TEST_TAG:
        return node->tag == test->id;
    case WN_TEST_NAME:
        return node->tag == WN_TAG_UNKNOWN &&
               wn_str_eq_nocase(wn_node_name(node), m->set->strings.items[test->data]);
    case WN_TEST_ID:
        return m->ids[id] == test->data;
    case WN_TEST_CLASS:
        return has_class(m, id, test->data);
    case WN_TEST_ATTR:
        return test_attr(m, node, &m->set->attrs.items[test->data]);
    case WN_TEST_NTH:
        return test_nth(m, &m->set->nths.items[test->data], id);
    case WN_TEST_FIRST:
    case WN_TEST_LAST:
    case WN_TEST_FIRST_TYPE:
    case WN_TEST_LAST_TYPE:
        return test_place(m, test, id);
    case WN_TEST_IS:
        return matches_any(m, test->data, id);
    case WN_TEST_NOT:
        return !matches_any(m, test->data, id);
    case WN_TEST_HAS:
        return test_has(m, test->data, id);
    default:
        return test_state(m, test, id);
    }
}

static bool run_tests(wn_css_matcher *m, const wn_css_compound *compound, wn_node_id node)
{
    if (!wn_cost_spend(&m->cost, 1))
        return false;
    assert(compound->first + compound->count <= m->set->tests.count);
    for (uint32_t i = compound->first; i < compound->first + compound->count; i++)
        if (!run_test(m, &m->set->tests.items[i], node))
            return false;
    return true;
}

/* ---- Selectors --------------------------------------------------------------------------- */

/* Whether the first compound, matched at `node`, is to `anchor` as its combinator says. */
static bool is_relative_to(wn_css_matcher *m, char combinator, wn_node_id node, wn_node_id anchor)
{
    if (!anchor)
        return true;
    if (combinator == '>')
        return parent_of(m, node) == anchor;
    if (combinator == '+')
        return previous_of(m, node) == anchor;
    wn_node_id id = node;
    if (combinator == '~') {
        while ((id = previous_of(m, id)) && id != anchor)
            ;
        return id == anchor;
    }
    while ((id = parent_of(m, id)) && id != anchor)
        wn_cost_use(&m->cost, 1);
    return id == anchor;
}

/*
 * The next choice after a failure: a sibling before the last `~`, or an ancestor of the last ' '.
 */
typedef struct choice {
    uint32_t compound;
    wn_node_id node;
} choice;

static bool match_from(wn_css_matcher *m, const wn_css_selector *selector, wn_node_id node,
                       wn_node_id anchor)
{
    assert(selector->count > 0 && selector->first + selector->count <= m->set->compounds.count);
    const wn_css_compound *compounds = &m->set->compounds.items[selector->first];
    uint32_t i = selector->count - 1;
    choice up = {0, WN_NO_NODE}, before = {0, WN_NO_NODE};
    for (;;) {
        bool ok = node && run_tests(m, &compounds[i], node);
        if (ok && i == 0) {
            if (is_relative_to(m, compounds[0].combinator, node, anchor))
                return true;
            ok = false;
        }
        if (ok) {
            char combinator = compounds[i--].combinator;
            bool vertical = combinator == ' ' || combinator == '>';
            if (!vertical)
                m->by_place = true;
            node = vertical ? parent_of(m, node) : previous_of(m, node);
            if (vertical)
                before.node = WN_NO_NODE;
            if (combinator == ' ')
                up = (choice){i, node};
            else if (combinator == '~')
                before = (choice){i, node};
            continue;
        }
        if (wn_cost_is_used_up(&m->cost))
            return false;
        if (before.node && (before.node = previous_of(m, before.node))) {
            i = before.compound;
            node = before.node;
        } else if (up.node && (up.node = parent_of(m, up.node))) {
            before.node = WN_NO_NODE;
            i = up.compound;
            node = up.node;
        } else {
            return false;
        }
    }
}

bool wn_css_matches(wn_css_matcher *m, const wn_css_selector *selector, wn_node_id node)
{
    return match_from(m, selector, node, WN_NO_NODE);
}
