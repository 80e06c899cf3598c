/*
 * xpath: rules R1 and R2, blocks and their ratios, the selection, footers, and the paths.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "html/tree.h"
#include "html/xpath.h"
#include "support/extract.h"

static const extracted *run_with(void **state, const char *method, const char *footer_words,
                                 const char *page)
{
    extractor *e = *state;
    extractor_set(e, "explain", "yes");
    extractor_set(e, "xpath.footer_words", footer_words);
    return extract_by(e, method, page);
}

static const extracted *run(void **state, const char *method, const char *page)
{
    return run_with(state, method, NULL, page);
}

static const winnow_block *find(const extracted *result, const char *text)
{
    const winnow_block *block = extracted_find(result, text);
    if (!block)
        fail_msg("no block with \"%s\"", text);
    return block;
}

/* ---- Selection --------------------------------------------------------------------------- */

/* The example at the top of xpath.c, with the numbers worked out by hand. */
static void example_of_the_file(void **state)
{
    const extracted *result = run(
        state, "xpath",
        "<body><ul><li><a href=1>Home</a><li><a href=2>News</a></ul>"
        "<div><h1>Rain</h1><p>It has been <a href=3>raining</a> since Monday.</p></div>");
    assert_string_equal(result->text, "Rain\n\nIt has been raining since Monday.\n");
    assert_string_equal(find(result, "Home")->path, "/html/body/ul");
    assert_string_equal(find(result, "Home")->reason,
                        "AR 1.00 (ATR 1.00, ANR 1.00), 2 of 2 are links");
    /* 11 + 7 + 13 characters, of which 7 are a link. */
    assert_string_equal(find(result, "It has")->path, "/html/body/div/p");
    assert_string_equal(find(result, "It has")->reason,
                        "AR 0.25 (ATR 0.23, ANR 0.33), 1 of 3 are links");
    assert_string_equal(find(result, "Rain")->path, "/html/body/div");
    /* Every block, with the seven attributes of section III.B. */
    assert_string_equal(
        winnow_selection_notes(result->content),
        "all elements  all href  text length  href length   ANR   ATR    AR  block\n"
        "           6         3           43           15  0.50  0.35  0.39  /html/body\n"
        "           2         2            8            8  1.00  1.00  1.00  /html/body/ul\n"
        "           4         1           35            7  0.25  0.20  0.21  /html/body/div\n"
        "           3         1           31            7  0.33  0.23  0.25  /html/body/div/p\n");
}

/* R1 as printed is reachable: nothing of a form is read, though nothing else is there. */
static void a_page_in_a_form(void **state)
{
    static const char page[] = "<form><h1>Rain</h1><p>It has been raining since Monday.</form>";
    assert_string_equal(run(state, "xpath:keep_form=no", page)->text, "");
    assert_string_equal(run(state, "xpath", page)->text,
                        "Rain\n\nIt has been raining since Monday.\n");
    assert_non_null(
        strstr(winnow_selection_notes(run(state, "xpath", page)->content), "/html/body/form\n"));
    assert_string_equal(winnow_selection_notes(run(state, "xpath:keep_form=no", page)->content),
                        "");
    assert_string_equal(winnow_selection_notes(NULL), "");
}

static void a_headline_that_is_a_link(void **state)
{
    static const char page[] = "<div><a href=1>A long headline that is a link to itself</a>"
                               "<i>by me</i><i>today</i></div>"
                               "<ul><li><a href=2>One</a><li><a href=3>Two</a></ul>";
    assert_string_equal(run(state, "xpath", page)->text,
                        "A long headline that is a link to itselfby metoday\n");
}

static void what_r1_leaves_out(void **state)
{
    static const char page[] =
        "<p>one</p><p>two</p><p style='display: none'>hidden</p><script>s</script>"
        "<noscript>ns</noscript><object>o</object><form><p>in a form</p></form><!-- c -->";
    assert_string_equal(run(state, "xpath", page)->text, "one\n\ntwo\n");
    assert_string_equal(run(state, "xpath:keep_form=yes", page)->text, "one\n\ntwo\n\nin a form\n");
    /* A page that lies whole inside a form is read all the same. */
    assert_string_equal(run(state, "xpath", "<form><p>one</p><p>two</p></form>")->text,
                        "one\n\ntwo\n");
}

static void texts_that_are_too_short(void **state)
{
    assert_string_equal(run(state, "xpath", "<p>one</p><p>x</p><p>ก</p><p>two</p>")->text,
                        "one\n\ntwo\n");
    /* In the middle of a paragraph they share the fate of what is before them. */
    assert_string_equal(run(state, "xpath", "<p>one<b>,</b> two</p><p>three</p>")->text,
                        "one, two\n\nthree\n");
}

/* Texts of one paragraph can have different fates: it is cut between them. */
static void paragraphs_are_cut(void **state)
{
    const extracted *result = run(
        state, "xpath",
        "<div>Some words that are no link at all, and more of them. "
        "<span><a href=1>First</a> <a href=2>Second</a></span> And the end.</div>");
    assert_string_equal(result->text, "Some words that are no link at all, and more of them.\n\n"
                                      "And the end.\n");
    assert_int_equal(winnow_selection_block_count(result->content), 3);
    assert_string_equal(winnow_selection_block(result->content, 1)->text, "First Second");
}

static void footers(void **state)
{
    static const char page[] = "<p>Text.</p><p>More.</p><p>COPYRIGHT by me</p><p>© 2011</p>"
                               "<p>สงวนลิขสิทธิ์</p><p>Все права защищены.</p><p>Mentions légales</p>"
                               "<p>Made with love</p>";
    assert_string_equal(run(state, "xpath", page)->text, "Text.\n\nMore.\n\nMade with love\n");
    assert_string_equal(run_with(state, "xpath", "# ours\nmade with\n", page)->text,
                        "Text.\n\nMore.\n");
}

static void one_leaf_and_none(void **state)
{
    assert_string_equal(run(state, "xpath", "<p>Only this.</p>")->text, "Only this.\n");
    assert_string_equal(run(state, "xpath", "<a href=x>Only a link</a>")->text, "");
    assert_int_equal(run(state, "xpath", "")->status, WINNOW_STATUS_EMPTY);
    assert_int_equal(run(state, "xpath", "<p> </p>")->status, WINNOW_STATUS_EMPTY);
    assert_string_equal(run(state, "xpath", "<pre>ab\n\n\n</pre> <p>cd</p>")->text, "ab\n\ncd\n");
}

/* ---- Paths ------------------------------------------------------------------------------- */

static void check_path(const wn_xpaths *paths, wn_node_id id, const char *expected)
{
    wn_buf path = {0};
    wn_html_xpath_add(paths, id, &path);
    assert_string_equal(wn_buf_c_string(&path), expected);
    wn_buf_free(&path);
}

static void paths_of_nodes(void **state)
{
    (void)state;
    wn_str page = WN_STR("<body><div>a<b>b</b>c</div><p>d</p><div>e</div><svg><g/><g/></svg>"
                         "<my-box>f</my-box><template><p>g</p></template>");
    static const struct {
        const char *text, *path;
    } expected[] = {
        {"a", "/html/body/div[1]/text()[1]"}, {"b", "/html/body/div[1]/b/text()"},
        {"c", "/html/body/div[1]/text()[2]"}, {"d", "/html/body/p/text()"},
        {"e", "/html/body/div[2]/text()"},    {"f", "/html/body/*[5]/text()"},
        {"g", "/html/body/template"},
    };
    wn_arena arena;
    wn_doc doc = {0};
    wn_tree *tree = wn_html_tree_new();
    wn_xpaths paths;
    wn_arena_init(&arena, 0);
    wn_html_tree_parse(tree, &doc, &arena, page, &wn_parse_defaults);
    assert_true(wn_html_xpaths_start(&paths, &doc, &arena));
    for (wn_node_id id = 1; id < doc.nodes.count; id++)
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            if (doc.nodes.items[id].kind == WN_KIND_TEXT &&
                wn_str_eq(wn_node_text(&doc.nodes.items[id]), wn_str_of(expected[i].text)))
                check_path(&paths, id, expected[i].path);
    wn_doc_free(&doc);
    wn_html_tree_free(tree);
    wn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_the_file),
        cmocka_unit_test(a_headline_that_is_a_link),
        cmocka_unit_test(a_page_in_a_form),
        cmocka_unit_test(what_r1_leaves_out),
        cmocka_unit_test(texts_that_are_too_short),
        cmocka_unit_test(paragraphs_are_cut),
        cmocka_unit_test(footers),
        cmocka_unit_test(one_leaf_and_none),
        cmocka_unit_test(paths_of_nodes),
    };
    return cmocka_run_group_tests(tests, extractor_open, extractor_close);
}
