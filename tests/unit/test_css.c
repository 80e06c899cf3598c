/*
 * Styles of whole pages: what the cascade makes of sheets and attributes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "css/cascade.h"
#include "html/tree.h"

typedef struct page {
    wn_tree *tree;
    wn_css *css;
    wn_doc doc;
    wn_arena arena;
    const wn_styles *styles;
} page;

static page open_page(const char *html)
{
    page p = {.tree = wn_tree_new(), .css = wn_css_new()};
    wn_arena_init(&p.arena, 0);
    wn_tree_parse(p.tree, &p.doc, &p.arena, wn_str_of(html), &wn_parse_defaults);
    p.styles = wn_css_compute(p.css, &p.doc, &wn_css_defaults, &p.arena);
    assert_non_null(p.styles);
    return p;
}

static void close_page(page *p)
{
    wn_doc_free(&p->doc);
    wn_tree_free(p->tree);
    wn_css_free(p->css);
    wn_arena_free(&p->arena);
}

static const wn_style *style_of(const page *p, wn_tag tag)
{
    wn_node_id id = wn_doc_find(&p->doc, tag);
    assert_int_not_equal(id, WN_NO_NODE);
    return wn_style_of(p->styles, id);
}

static void browsers_defaults(void **state)
{
    (void)state;
    page p = open_page("<!doctype html><title>t</title><h1>a</h1><p>b<b>c</b><!-- d --></p>");
    assert_int_equal(style_of(&p, WN_TAG_HEAD)->display, WN_DISPLAY_NONE);
    assert_int_equal(style_of(&p, WN_TAG_BODY)->display, WN_DISPLAY_BLOCK);
    assert_int_equal(style_of(&p, WN_TAG_H1)->font_size, 32);
    assert_int_equal(style_of(&p, WN_TAG_H1)->font_weight, 700);
    assert_int_equal(style_of(&p, WN_TAG_P)->margin[WN_TOP].px, 16);
    assert_int_equal(style_of(&p, WN_TAG_B)->display, WN_DISPLAY_INLINE);
    assert_int_equal(style_of(&p, WN_TAG_B)->font_weight, 700);
    close_page(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(browsers_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
