/*
 * lineblock: lines, line-blocks, the three features, the rules and thresholds.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "extract/lineblock.h"
#include "support/extract.h"

static const extracted *run(void **state, const char *method, const char *page)
{
    extractor *e = *state;
    e->format = WINNOW_FORMAT_TEXT;
    extractor_set(e, "explain", "yes");
    return extract_by(e, method, page);
}

static const winnow_block *find(const extracted *result, const char *text)
{
    const winnow_block *block = extracted_find(result, text);
    if (!block)
        fail_msg("no block with \"%s\"", text);
    return block;
}

static void expect_reason(const extracted *result, const char *text, const char *reason)
{
    const char *found = find(result, text)->reason;
    if (strncmp(found, reason, strlen(reason)) != 0)
        fail_msg("\"%s\": \"%s\" is not \"%s\"", text, found, reason);
}

/* ---- Features ---------------------------------------------------------------------------- */

/* The paper's example: the title's words are {bladder, cancer, exciting, drug, break}. */
static void title_keywords_of_the_paper(void **state)
{
    (void)state;
    static const char *const expected[] = {"bladder", "cancer", "exciting", "drug", "break"};
    wn_arena arena;
    wn_page page = {.title = WN_STR("Bladder cancer: Exciting drug break"),
                    .language = WN_STR("en")};
    wn_page_stream stream = {.page = &page};
    wn_keywords keywords;
    wn_arena_init(&arena, 0);
    assert_true(wn_extract_keywords_start(&keywords, &arena, &stream, NULL));
    assert_int_equal(keywords.count, 5);
    for (int i = 0; i < 5; i++)
        assert_true(wn_str_eq(keywords.words[i], wn_str_of(expected[i])));
    static const struct {
        const char *text;
        uint32_t words;
    } texts[] = {
        {"A DRUG for cancer; drugs, Bladder", 3},
        {"“Drug”—cancer's drug", 2}, /* cancer's is another word */
        {"Home News Cancers Exciting_ druge", 1},
        {"ยา drug", 1},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(wn_extract_keywords_count(&keywords, wn_str_of(texts[i].text), UINT32_MAX),
                         texts[i].words);
    assert_int_equal(wn_extract_keywords_count(&keywords, WN_STR("drug drug drug"), 2), 2);
    assert_true(
        wn_extract_keywords_start(&keywords, &arena, &stream, "# ours\n Drug \n\nBREAK\nno"));
    assert_int_equal(wn_extract_keywords_count(&keywords, WN_STR("a drug, a break, cancer"), 9), 1);
    wn_page_stream_free(&stream);
    wn_arena_free(&arena);
}

static void stop_words_are_no_keywords(void **state)
{
    const extracted *result = run(
        state, "lineblock",
        "<html lang=en><title>The rain in the city</title><p><b>The</b> in <b>the</b> and the");
    expect_reason(result, "The in", "TTR 4.5, ATTR 0.00, TKD 0");
}

/* Characters per tag, share of links, words of the title. */
static void features(void **state)
{
    const extracted *result = run(state, "lineblock",
                                  "<title>Rain</title><body>\n"
                                  "<p>Rain, <b>rain</b> and <a href=x>rain</a>.</p>\n");
    expect_reason(result, "Rain, rain", "TTR 5.0, ATTR 0.20, TKD 3");
    assert_string_equal(find(result, "Rain, rain")->path, "line 2");
}

/* ---- Lines ------------------------------------------------------------------------------- */

static void lines_without_tags_join(void **state)
{
    const extracted *result = run(state, "lineblock",
                                  "<body>first line\nsecond line\n\nthird line");
    assert_int_equal(winnow_selection_block_count(result->content), 2);
    assert_string_equal(winnow_selection_block(result->content, 0)->text, "first line second line");
    assert_string_equal(winnow_selection_block(result->content, 1)->text, "third line");
    result = run(state, "lineblock:distance=1", "<body>first line\nsecond line\n\nthird line");
    assert_int_equal(winnow_selection_block_count(result->content), 1);
}

static void a_link_is_not_broken_by_a_newline(void **state)
{
    const extracted *result = run(state, "lineblock", "<body>see <a href=x>the\n\n\nlink</a> here");
    assert_int_equal(winnow_selection_block_count(result->content), 1);
    assert_string_equal(winnow_selection_block(result->content, 0)->text, "see the link here");
}

/* Block-level tags are on lines of their own: two of them, and distance 2 joins. */
static void distance_counts_lines_without_text(void **state)
{
    static const char page[] = "<p>one two three four</p>\n<p>five</p>";
    expect_reason(run(state, "lineblock:distance=1", page), "five", "TTR 4.0");
    expect_reason(run(state, "lineblock:distance=2", page), "five", "TTR 11.0");
}

/* ---- Rules and thresholds ---------------------------------------------------------------- */

static const char news[] =
    "<html lang=en><head><title>Bladder cancer: Exciting drug break</title></head><body>"
    "<ul><li><a href=1>Home</a></li><li><a href=2>Health</a></li></ul>"
    "<p>A new drug against bladder cancer has helped many patients in a trial.</p>"
    "<p>The doctors were surprised by how well their patients felt after a week.</p>"
    "<p><b>Drug</b> <i>break</i></p>";

static void rescue_keeps_dense_text_and_words_of_the_title(void **state)
{
    assert_string_equal(
        run(state, "lineblock", news)->text,
        "A new drug against bladder cancer has helped many patients in a trial.\n\n"
        "The doctors were surprised by how well their patients felt after a week.\n\n"
        "Drug break\n");
}

static void all_asks_for_both(void **state)
{
    assert_string_equal(run(state, "lineblock:rule=all", news)->text,
                        "A new drug against bladder cancer has helped many patients in a trial.\n");
}

static void without_a_title_words_are_not_tested(void **state)
{
    static const char page[] = "<p>The doctors were surprised by how well their patients felt.</p>"
                               "<p><b>Drug</b> <i>break</i></p>";
    assert_string_equal(run(state, "lineblock:rule=all", page)->text,
                        "The doctors were surprised by how well their patients felt.\n");
}

static void thresholds_move_with_the_page(void **state)
{
    assert_null(strstr(run(state, "lineblock:thresholds=sigma", news)->text, "Health"));
    assert_string_equal(
        run(state, "lineblock:thresholds=sigma,lambda_ttr=100,lambda_tkd=100", news)->text, "");
}

/* --explain says what the features are compared with, and how that came about. */
static void thresholds_are_told(void **state)
{
    static const char page[] =
        "<title>Drug break</title>\n<p>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "</p>\n<p>drug drug</p>";
    assert_string_equal(
        winnow_selection_notes(run(state, "lineblock:thresholds=sigma", page)->content),
        "TTR  above τ = 0.775 = λσ with λ = 0.05, σ = 15.5\n"
        "ATTR below τ = 0 = λσ with λ = 0.7, σ = 0\n"
        "TKD  at least τ = 0.25 = λσ with λ = 0.25, σ = 1\n");
    assert_string_equal(winnow_selection_notes(run(state, "lineblock:ttr=12", "<p>x")->content),
                        "TTR  above τ = 12 (fixed)\nATTR below τ = 0.2 (fixed)\n"
                        "TKD  at least τ = 2 (fixed); not tested, the page has no title\n");
}

/* What holds no text must be safe. */
static void pages_without_text(void **state)
{
    static const char *const pages[] = {"",
                                        "<",
                                        "<p>",
                                        "<title>x</title>",
                                        "<a href=x>\n\n",
                                        "<p>&nbsp;</p>",
                                        "<select><option>x",
                                        "<pre>\n\n</pre>"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        assert_int_equal(run(state, "lineblock", pages[i])->size, 0);
}

/* ---- What the stream makes of a page ------------------------------------------------------ */

static void blocks_have_kinds_and_links(void **state)
{
    extractor *e = *state;
    e->format = WINNOW_FORMAT_MARKDOWN;
    extractor_set(e, "links", "yes");
    static const char page[] = "<h2>Rain</h2><p>It <a href='/x'>rains</a>.<pre>a  b</pre>";
    assert_string_equal(extract_by(e, "lineblock:ttr=0,attr=2", page)->text,
                        "## Rain\n\nIt [rains](/x).\n\n```\na  b\n```\n");
}

/* Tags end where they end when their attributes are read, however odd these are. */
static void attributes_that_are_passed_over(void **state)
{
    (void)state;
    wn_str page = WN_STR(
        "<p a=\"x>y\">1<p a = 'x>y'>2<p b=c=\"d>e\">3<p =\"x>y\">4<p a=\"x\"b='y>z'/>5"
        "<p a=b/>6<p a/=\"x>y\">7<p a=\"\" />8<br/>9<p \"x>y\">10<p a=\"x\"=\"y>z\">11"
        "<p A\"='x>y'>12<p / >13<p a==\"x>y\">14<p a=\"unclosed");
    wn_arena arena;
    wn_arena_init(&arena, 0);
    wn_tokenizer reads = {0}, skips = {0};
    wn_html_tokenizer_init(&reads, &arena, page);
    wn_html_tokenizer_init(&skips, &arena, page);
    skips.skips_attrs = true;
    bool more;
    do {
        more = wn_html_tokenizer_next(&reads);
        assert_int_equal(more, wn_html_tokenizer_next(&skips));
        assert_int_equal(reads.pos - reads.start, skips.pos - skips.start);
        assert_int_equal(reads.token.kind, skips.token.kind);
        assert_int_equal(reads.token.self_closing, skips.token.self_closing);
    } while (more);
    wn_html_tokenizer_free(&reads);
    wn_html_tokenizer_free(&skips);
    wn_arena_free(&arena);
}

/* Browsers show nothing of such a page; a method without a tree reads on. */
static void a_title_that_is_never_closed(void **state)
{
    const extracted *result = run(
        state, "bte", "<title>Rain\n<body><p>It has been raining since Monday.</p><title>x");
    assert_string_equal(winnow_selection_metadata(result->content)->title, "Rain");
    assert_non_null(strstr(result->text, "It has been raining since Monday."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(title_keywords_of_the_paper),
        cmocka_unit_test(stop_words_are_no_keywords),
        cmocka_unit_test(features),
        cmocka_unit_test(lines_without_tags_join),
        cmocka_unit_test(a_link_is_not_broken_by_a_newline),
        cmocka_unit_test(distance_counts_lines_without_text),
        cmocka_unit_test(rescue_keeps_dense_text_and_words_of_the_title),
        cmocka_unit_test(all_asks_for_both),
        cmocka_unit_test(without_a_title_words_are_not_tested),
        cmocka_unit_test(thresholds_are_told),
        cmocka_unit_test(thresholds_move_with_the_page),
        cmocka_unit_test(pages_without_text),
        cmocka_unit_test(blocks_have_kinds_and_links),
        cmocka_unit_test(attributes_that_are_passed_over),
        cmocka_unit_test(a_title_that_is_never_closed),
    };
    return cmocka_run_group_tests(tests, extractor_open, extractor_close);
}
