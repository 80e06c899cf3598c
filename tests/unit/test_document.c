/*
 * Unit tests of the document: walking, looking up, and a self-check that notices when
 * something is wrong.
 *
 *     test_document        no arguments
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "html/document.h"
#include "html/entities.h"
#include "html/tree.h"
#include "support/dump.h"

typedef struct fixture {
    wn_arena arena;
    wn_tree *tree;
    wn_doc doc;
} fixture;

static int setup(void **state)
{
    static fixture f;
    f = (fixture){.tree = wn_html_tree_new()};
    wn_arena_init(&f.arena, 0);
    *state = &f;
    return f.tree ? 0 : -1;
}

static int teardown(void **state)
{
    fixture *f = *state;
    wn_doc_free(&f->doc);
    wn_html_tree_free(f->tree);
    wn_arena_free(&f->arena);
    return 0;
}

static void parse(fixture *f, const char *html)
{
    wn_html_tree_parse(f->tree, &f->doc, &f->arena, wn_str_of(html), &wn_parse_defaults);
    assert_null(wn_doc_check(&f->doc));
}

static wn_node *node(fixture *f, wn_tag tag)
{
    wn_node_id id = wn_doc_find(&f->doc, tag);
    assert_int_not_equal(id, WN_NO_NODE);
    return &f->doc.nodes.items[id];
}

static void assert_text(wn_str actual, const char *expected)
{
    if (!wn_str_eq(actual, wn_str_of(expected)))
        fail_msg("got \"%.*s\", expected \"%s\"", WN_STR_ARGS(actual), expected);
}

/* ---- Walking ----------------------------------------------------------------------------- */

static void next_goes_in_document_order(void **state)
{
    fixture *f = *state;
    wn_buf names = {0};
    parse(f, "<title>t</title><p>a<b>b</b></p><ul><li>c<li>d</ul>e");
    for (wn_node_id id = WN_DOCUMENT_NODE; id; id = wn_doc_next(&f->doc, id, WN_DOCUMENT_NODE)) {
        const wn_node *at = wn_doc_node(&f->doc, id);
        if (at->kind == WN_KIND_ELEMENT)
            wn_buf_add(&names, wn_node_name(at));
        else if (at->kind == WN_KIND_TEXT)
            wn_buf_add(&names, wn_node_text(at));
        wn_buf_add_char(&names, ' ');
    }
    assert_text(wn_buf_str(&names), " html head title t body p a b b ul li c li d e ");
    wn_buf_free(&names);
}

/* Foster parenting moves a node that was made later before one that was made earlier. */
static void next_follows_moved_nodes(void **state)
{
    fixture *f = *state;
    wn_buf text = {0};
    parse(f, "<body><table>late<tr><td>cell</table>end");
    wn_doc_add_text(&f->doc, WN_DOCUMENT_NODE, &text);
    assert_text(wn_buf_str(&text), "latecellend");
    wn_buf_free(&text);
}

static void walks_stay_below_their_root(void **state)
{
    fixture *f = *state;
    wn_buf text = {0};
    parse(f, "<p>before<div>in<i>side</i></div><p>behind");
    wn_node_id div = wn_doc_find(&f->doc, WN_TAG_DIV);
    wn_doc_add_text(&f->doc, div, &text);
    assert_text(wn_buf_str(&text), "inside");
    wn_node_id last = wn_doc_node(&f->doc, wn_doc_find(&f->doc, WN_TAG_I))->first_child;
    assert_int_equal(wn_doc_next(&f->doc, last, div), WN_NO_NODE);
    assert_int_not_equal(wn_doc_next(&f->doc, last, WN_DOCUMENT_NODE), WN_NO_NODE);
    wn_buf_free(&text);
}

static void skip_leaves_out_what_is_inside(void **state)
{
    fixture *f = *state;
    parse(f, "<div><i>x</i></div><p>y");
    wn_node_id div = wn_doc_find(&f->doc, WN_TAG_DIV);
    assert_int_equal(wn_doc_skip(&f->doc, div, WN_DOCUMENT_NODE), wn_doc_find(&f->doc, WN_TAG_P));
    assert_int_equal(wn_doc_skip(&f->doc, div, div), WN_NO_NODE);
}

static void following_a_missing_link_is_harmless(void **state)
{
    fixture *f = *state;
    parse(f, "");
    const wn_node *nothing = wn_doc_node(&f->doc, WN_NO_NODE);
    assert_int_equal(nothing->parent, WN_NO_NODE);
    assert_int_equal(nothing->first_child, WN_NO_NODE);
    assert_int_equal(nothing->kind, WN_KIND_NONE);
    assert_int_equal(wn_doc_find(&f->doc, WN_TAG_P), WN_NO_NODE);
}

static void find_does_not_look_into_templates(void **state)
{
    fixture *f = *state;
    parse(f, "<template><p>no</p></template><p id=yes>");
    assert_text(wn_node_attr_value(node(f, WN_TAG_P), WN_ATTR_ID), "yes");
}

/* ---- Names and attributes ---------------------------------------------------------------- */

static void names_are_known_unknown_and_respelt(void **state)
{
    fixture *f = *state;
    wn_buf names = {0};
    parse(f, "<MY-Widget></my-widget><svg><foreignobject></foreignobject><FooBar/></svg>");
    wn_node_id body = wn_doc_find(&f->doc, WN_TAG_BODY);
    for (wn_node_id id = body; id; id = wn_doc_next(&f->doc, id, body)) {
        wn_buf_add(&names, wn_node_name(wn_doc_node(&f->doc, id)));
        wn_buf_add_char(&names, ' ');
    }
    assert_text(wn_buf_str(&names), "body my-widget svg foreignObject foobar ");
    wn_buf_free(&names);
}

static void attributes_are_found(void **state)
{
    fixture *f = *state;
    parse(f, "<p CLASS='a b' title=\"&lt;\" hidden data-x=1>");
    const wn_node *p = node(f, WN_TAG_P);
    assert_int_equal(p->len, 4);
    assert_text(wn_node_attr_value(p, WN_ATTR_CLASS), "a b");
    assert_text(wn_node_attr_value(p, WN_ATTR_TITLE), "<");
    assert_non_null(wn_node_attr(p, WN_ATTR_HIDDEN));
    assert_null(wn_node_attr(p, WN_ATTR_HREF));
    assert_text(wn_node_attr_value(p, WN_ATTR_HREF), "");
    assert_int_equal(p->attrs[3].id, WN_ATTR_UNKNOWN);
    assert_null(wn_node_attr(wn_doc_node(&f->doc, WN_DOCUMENT_NODE), WN_ATTR_CLASS));
}

static void sources_point_at_tags(void **state)
{
    fixture *f = *state;
    const char *html = "<!DOCTYPE html><p>one</p><div>two</div>";
    parse(f, html);
    assert_memory_equal(html + node(f, WN_TAG_P)->source, "<p>", 3);
    assert_memory_equal(html + node(f, WN_TAG_DIV)->source, "<div>", 5);
}

/* ---- Reuse ------------------------------------------------------------------------------- */

static void a_used_document_forgets_the_last_page(void **state)
{
    fixture *f = *state;
    parse(f, "<!DOCTYPE html><p>one");
    uint64_t fresh = dump_digest(&f->doc);
    parse(f, "<table><b><svg><template><my-element a=b>&notin;<frameset>");
    wn_arena_reset(&f->arena);
    parse(f, "<!DOCTYPE html><p>one");
    assert_true(dump_digest(&f->doc) == fresh);
}

/* ---- The self-check ---------------------------------------------------------------------- */

static const char page[] = "<ul><li>one<li>two<li>three</ul><p>text<b>bold</b></p><!-- c -->";

#define assert_caught(f) assert_non_null(wn_doc_check(&(f)->doc))

static void check_sees_a_broken_sibling(void **state)
{
    fixture *f = *state;
    parse(f, page);
    wn_node *li = node(f, WN_TAG_LI);
    f->doc.nodes.items[li->next].prev = WN_NO_NODE;
    assert_caught(f);
    parse(f, page);
    node(f, WN_TAG_LI)->next = WN_NO_NODE;
    assert_caught(f);
}

static void check_sees_a_wrong_parent(void **state)
{
    fixture *f = *state;
    parse(f, page);
    node(f, WN_TAG_LI)->parent = wn_doc_find(&f->doc, WN_TAG_P);
    assert_caught(f);
}

static void check_sees_children_that_are_lost(void **state)
{
    fixture *f = *state;
    parse(f, page);
    node(f, WN_TAG_UL)->first_child = WN_NO_NODE;
    assert_caught(f);
    parse(f, page);
    node(f, WN_TAG_UL)->last_child = wn_doc_find(&f->doc, WN_TAG_LI);
    assert_caught(f);
}

static void check_sees_a_circle(void **state)
{
    fixture *f = *state;
    parse(f, page);
    wn_node *b = node(f, WN_TAG_B);
    b->first_child = b->last_child = wn_doc_find(&f->doc, WN_TAG_P);
    assert_caught(f);
}

static void check_sees_a_link_to_nowhere(void **state)
{
    fixture *f = *state;
    parse(f, page);
    node(f, WN_TAG_P)->next = f->doc.nodes.count;
    assert_caught(f);
}

static void check_sees_a_text_with_children(void **state)
{
    fixture *f = *state;
    parse(f, page);
    node(f, WN_TAG_UL)->kind = WN_KIND_TEXT;
    assert_caught(f);
}

static void check_sees_a_kind_that_is_none(void **state)
{
    fixture *f = *state;
    parse(f, page);
    node(f, WN_TAG_B)->kind = 77;
    assert_caught(f);
    parse(f, page);
    node(f, WN_TAG_B)->tag = WN_TAG_COUNT + 5;
    assert_caught(f);
}

#define document_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* ---- References -------------------------------------------------------------------------- */

/* Every reference of these at every distance from the start and the end, as vectors are read at once. */
static void references_anywhere(void **state)
{
    (void)state;
    static const char *const examples[][2] = {
        {"&quot;", "\""}, {"&amp;", "&"},     {"&lt;", "<"},
        {"&gt;", ">"},    {"&#39;", "'"},     {"&amp", "&"},
        {"&q;", "&q;"},   {"&ampx", "&ampx"}, {"&nGt;", "\u226B\u20D2"},
        {"&", "&"},
    };
    enum { MOST = 40 };
    static const char dots[] = "........................................";
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++)
        for (size_t before = 0; before < MOST; before++)
            for (size_t behind = 0; behind < MOST; behind++) {
                char source[2 * MOST + 8], expected[2 * MOST + 8], out[4 * MOST];
                int size = snprintf(source, sizeof source, "%.*s%s%.*s", (int)before, dots,
                                    examples[k][0], (int)behind, dots);
                snprintf(expected, sizeof expected, "%.*s%s%.*s", (int)before, dots, examples[k][1],
                         (int)behind, dots);
                size_t bound = wn_html_references_bound((size_t)size, false);
                memset(out, 'x', sizeof out);
                size_t len = wn_html_references_replace(wn_str_from(source, (size_t)size), true,
                                                        true, out, NULL);
                assert_true(len <= bound && out[bound] == 'x');
                assert_text(wn_str_from(out, len), expected);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        document_test(next_goes_in_document_order),
        document_test(next_follows_moved_nodes),
        document_test(walks_stay_below_their_root),
        document_test(skip_leaves_out_what_is_inside),
        document_test(following_a_missing_link_is_harmless),
        document_test(find_does_not_look_into_templates),
        document_test(names_are_known_unknown_and_respelt),
        document_test(attributes_are_found),
        document_test(sources_point_at_tags),
        document_test(a_used_document_forgets_the_last_page),
        document_test(check_sees_a_broken_sibling),
        document_test(check_sees_a_wrong_parent),
        document_test(check_sees_children_that_are_lost),
        document_test(check_sees_a_circle),
        document_test(check_sees_a_link_to_nowhere),
        document_test(check_sees_a_text_with_children),
        document_test(check_sees_a_kind_that_is_none),
        cmocka_unit_test(references_anywhere),
    };
    return cmocka_run_group_tests_name("document", tests, NULL, NULL);
}
