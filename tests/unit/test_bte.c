/*
 * bte: the three searches agree, the objective is the paper's, and what is kept of a page.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "extract/bte.h"
#include "support/extract.h"
#include "support/files.h"

enum { TRIALS = 3000, MOST_TOKENS = 120 };

/* ---- Searches ---------------------------------------------------------------------------- */

static uint32_t random_number(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

/* Fills `runs` from `tokens`; returns how many. */
static uint32_t encode(const int8_t *tokens, uint32_t count, int32_t *runs)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (made > 0 && (runs[made - 1] < 0) == (tokens[i] < 0))
            runs[made - 1] += tokens[i];
        else
            runs[made++] = tokens[i];
    }
    return made;
}

/* The token that run number `run` begins with. */
static uint32_t token_of(const int32_t *runs, uint32_t run)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < run; i++)
        at += (uint32_t)abs(runs[i]);
    return at;
}

static void check_agreement(const int8_t *tokens, uint32_t count)
{
    int32_t *runs = test_calloc(count + 1, sizeof *runs);
    uint32_t made = encode(tokens, count, runs);
    wn_bte_stretch original = wn_extract_bte_original(tokens, count);
    wn_bte_stretch improved = wn_extract_bte_improved(runs, made);
    wn_bte_stretch linear = wn_extract_bte_linear(runs, made);
    assert_int_equal(improved.sum, original.sum);
    assert_int_equal(linear.sum, original.sum);
    assert_int_equal(improved.start, linear.start);
    assert_int_equal(improved.end, linear.end);
    assert_int_equal(token_of(runs, linear.start), original.start);
    assert_int_equal(token_of(runs, linear.end), original.end);
    test_free(runs);
}

/* Streams of all mixtures of words and tags, in runs of all lengths. */
static void searches_agree_on_random_tokens(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < TRIALS; trial++) {
        int8_t tokens[MOST_TOKENS];
        uint32_t count = random_number(&seed, MOST_TOKENS);
        uint32_t words = random_number(&seed, 11), sticks = 1 + random_number(&seed, 8);
        for (uint32_t i = 0; i < count; i++) {
            bool same = i > 0 && random_number(&seed, sticks) > 0;
            tokens[i] = same ? tokens[i - 1] : random_number(&seed, 10) < words ? -1 : 1;
        }
        check_agreement(tokens, count);
    }
}

static void ties_take_the_smallest_start_then_the_largest_end(void **state)
{
    (void)state;
    const int32_t runs[] = {3, -4, 4, -4, 4, -4, 9};
    wn_bte_stretch found = wn_extract_bte_linear(runs, 7);
    assert_int_equal(found.start, 1);
    assert_int_equal(found.end, 6);
    assert_int_equal(found.sum, -4);
}

/* The example at the top of bte.c. */
static void example_of_the_file(void **state)
{
    (void)state;
    const int32_t runs[] = {2, -1, 1, -1, 2, -6, 1};
    wn_bte_stretch found = wn_extract_bte_linear(runs, 7);
    assert_int_equal(found.start, 5);
    assert_int_equal(found.end, 6);
    assert_int_equal(found.sum, -6);
}

static void without_words_there_is_nothing(void **state)
{
    (void)state;
    const int32_t tags[] = {5};
    assert_int_equal(wn_extract_bte_linear(tags, 1).end, 0);
    assert_int_equal(wn_extract_bte_improved(tags, 1).end, 0);
    assert_int_equal(wn_extract_bte_linear(NULL, 0).end, 0);
}

/* ---- Pages ------------------------------------------------------------------------------- */

static const extracted *run(extractor *e, const char *method, wn_str page)
{
    e->method = method;
    return extract(e, page.ptr, page.len);
}

static void check_page(extractor *e, wn_str page, const char *expected)
{
    static const char *const methods[] = {"bte", "bte:search=improved", "bte:search=original"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        assert_string_equal(run(e, methods[i], page)->text, expected);
}

static void keeps_the_stretch_and_cuts_blocks(void **state)
{
    check_page(*state,
               WN_STR("<html><head><title>no</title></head><body><ul><li>Home<li>News</ul>"
                      "<p>It has been raining since Monday.</p>"),
               "It has been raining since Monday.\n");
    /* Inline tags end the stretch in the middle of a paragraph. */
    check_page(*state,
               WN_STR("<p><b></b><i></i><b>x</b><i></i><b></b><i></i>one two three four five six"
                      "<b></b><i></i><b></b><i></i><b></b><i></i><b>y</b></p>"),
               "one two three four five six\n");
}

static void searches_agree_on_pages(void **state)
{
    test_files files = {0};
    wn_buf bytes = {0};
    int compared = 0;
    test_files_find(&files, TESTS_DIR "/pages", ".html");
    assert_true(files.count > 0);
    for (size_t i = 0; i < files.count; i++) {
        assert_true(test_file_read(&bytes, files.paths[i]));
        if (run(*state, "bte:search=original", wn_buf_str(&bytes))->status ==
            WINNOW_STATUS_TOO_LARGE)
            continue;
        const extracted *linear = run(*state, "bte", wn_buf_str(&bytes));
        wn_buf text = {0};
        wn_buf_add(&text, wn_str_from(linear->text, linear->size));
        check_page(*state, wn_buf_str(&bytes), wn_buf_c_string(&text));
        wn_buf_free(&text);
        compared++;
    }
    assert_true(compared > 0);
    test_files_free(&files);
    wn_buf_free(&bytes);
}

static void original_refuses_large_pages(void **state)
{
    wn_buf page = {0};
    wn_buf_add_literal(&page, "<p>");
    for (int i = 0; i < WN_BTE_MOST_TOKENS; i++)
        wn_buf_add_literal(&page, "word ");
    assert_int_equal(run(*state, "bte:search=original", wn_buf_str(&page))->status,
                     WINNOW_STATUS_TOO_LARGE);
    assert_int_equal(run(*state, "bte", wn_buf_str(&page))->status, WINNOW_STATUS_OK);
    wn_buf_free(&page);
}

static void without_step_0_scripts_are_words(void **state)
{
    wn_str page = WN_STR(
        "<script>var a = 1; var b = 2; var c = 3; var d = 4;</script><p>Text.</p>");
    assert_string_equal(run(*state, "bte", page)->text, "Text.\n");
    assert_non_null(strstr(run(*state, "bte:clean=no", page)->text, "var a = 1;"));
}

/* A dictionary counts words where no spaces do: this heading outweighs its tags. */
static void words_of_scripts_without_spaces(void **state)
{
    wn_str page = WN_STR("<div><div><div>a</div></div></div><p>ฝนตกหนักตั้งแต่วันจันทร์ที่ผ่านมา</p>"
                         "<div><div><div>b</div></div></div>");
    assert_string_equal(run(*state, "bte", page)->text, "ฝนตกหนักตั้งแต่วันจันทร์ที่ผ่านมา\n");
}

static void parameters_are_checked(void **state)
{
    wn_str page = WN_STR("<p>Text.</p>");
    assert_int_equal(run(*state, "bte:search=best", page)->status, WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(run(*state, "bte:speed=1", page)->status, WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(run(*state, "all:search=linear", page)->status, WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(run(*state, "lineblock:ttr=-1", page)->status, WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(run(*state, "lineblock:distance=1.5", page)->status,
                     WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(run(*state, "lineblock:ttr=99.5,attr=0.25", page)->status,
                     WINNOW_STATUS_EMPTY);
    assert_int_equal(run(*state, "bet:search=linear", page)->status, WINNOW_STATUS_UNKNOWN_METHOD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_agree_on_random_tokens),
        cmocka_unit_test(ties_take_the_smallest_start_then_the_largest_end),
        cmocka_unit_test(example_of_the_file),
        cmocka_unit_test(without_words_there_is_nothing),
        cmocka_unit_test(keeps_the_stretch_and_cuts_blocks),
        cmocka_unit_test(searches_agree_on_pages),
        cmocka_unit_test(original_refuses_large_pages),
        cmocka_unit_test(without_step_0_scripts_are_words),
        cmocka_unit_test(words_of_scripts_without_spaces),
        cmocka_unit_test(parameters_are_checked),
    };
    return cmocka_run_group_tests(tests, extractor_open, extractor_close);
}
