/*
 * What repeats on the pages of a site, terms, and the method "outlier".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page/site.h"
#include "text/terms.h"
#include "winnow.h"

/* ---- Lines ------------------------------------------------------------------------------- */

typedef struct found {
    uint64_t hashes[16];
    size_t count;
} found;

static bool note(void *data, uint64_t hash)
{
    found *f = data;
    assert_true(f->count < 16);
    f->hashes[f->count++] = hash;
    return true;
}

static found lines_of(const char *text)
{
    found f = {0};
    wn_site_lines(wn_str_of(text), note, &f);
    return f;
}

static void test_lines(void **unused)
{
    (void)unused;
    found f = lines_of("Home\n\n - Sign in\tHelp\n *** \n");
    assert_int_equal(f.count, 3);
    assert_true(f.hashes[0] != f.hashes[1]);
    /* Marks, spaces and case do not matter; words and their order do. */
    assert_true(lines_of("sign  IN!").hashes[0] == f.hashes[1]);
    assert_true(lines_of("in sign").hashes[0] != f.hashes[1]);
    assert_true(lines_of("signin").hashes[0] != f.hashes[1]);
    assert_int_equal(lines_of("").count, 0);
}

static void add_page(winnow_site *site, const char *text)
{
    winnow_result result = {.text = text, .size = strlen(text)};
    assert_true(winnow_site_learn(site, &result));
}

/* ---- Templates --------------------------------------------------------------------------- */

static winnow_site *make_site(void)
{
    winnow_site *site = winnow_site_new();
    add_page(site, "Home\n\nSign in\n\nFirst story\n\nFirst story\n\nFirst story\n");
    add_page(site, "Home\n\nSign in\n\nSecond story\n");
    add_page(site, "Home\n\nThird story\n");
    return site;
}

static void test_what_repeats_is_template(void **unused)
{
    (void)unused;
    winnow_site *site = make_site();
    assert_true(wn_site_is_template(site, WN_STR("Home")));
    assert_false(wn_site_is_template(site, WN_STR("Sign in")));     /* on two pages */
    assert_false(wn_site_is_template(site, WN_STR("First story"))); /* three times on one */
    assert_false(wn_site_is_template(site, WN_STR("Home\nThird story")));
    assert_false(wn_site_is_template(site, WN_STR(" - ")));
    assert_false(wn_site_is_template(site, WN_STR("unseen")));
    winnow_site_free(site);
    winnow_site_free(NULL);
}

static void test_share(void **unused)
{
    (void)unused;
    winnow_site *site = make_site();
    for (int i = 0; i < 7; i++)
        add_page(site, "Something else");
    assert_true(wn_site_is_template(site, WN_STR("Home"))); /* 3 of 10: the share */
    add_page(site, "Something else");
    assert_false(wn_site_is_template(site, WN_STR("Home")));
    winnow_site_free(site);
}

static void test_memory_is_bounded(void **unused)
{
    (void)unused;
    enum { PAGES = 200, LINES = 1000 };
    winnow_site *site = winnow_site_new();
    uint64_t lines[LINES], common = 12345;
    for (uint64_t page = 0; page < PAGES; page++) {
        for (uint64_t i = 0; i < LINES; i++)
            lines[i] = i ? (page * LINES + i) * UINT64_C(0x9E3779B97F4A7C15) | 1 : common;
        wn_site_add(site, lines, LINES);
    }
    assert_true(site->lines.count <= WN_SITE_MOST_LINES);
    assert_true(site->hashes.slots.size <= 2 * WN_SITE_MOST_LINES);
    assert_true(wn_site_has(site, common));
    winnow_site_free(site);
}

/* Lines made to fall together cost no more than others. */
static void test_chosen_hashes(void **unused)
{
    (void)unused;
    enum { LINES = 100000 };
    winnow_site *site = winnow_site_new();
    uint64_t *lines = malloc(LINES * sizeof *lines);
    for (uint64_t i = 0; i < LINES; i++)
        lines[i] = (i + 1) << 32;
    wn_site_add(site, lines, LINES);
    assert_false(site->failed);
    assert_false(wn_site_has(site, lines[0]));
    free(lines);
    winnow_site_free(site);
}

static void test_write_and_read(void **unused)
{
    (void)unused;
    winnow_site *site = make_site(), *copy = winnow_site_new();
    wn_buf bytes = {0};
    wn_site_write(site, &bytes);
    assert_true(wn_site_read(copy, wn_buf_str(&bytes)));
    assert_int_equal(copy->pages, 3);
    assert_true(wn_site_is_template(copy, WN_STR("home")));
    add_page(copy, "Sign in");
    assert_true(wn_site_is_template(copy, WN_STR("Sign in")));
    for (size_t len = 0; len < bytes.len; len++) { /* cut anywhere, it is not sound */
        winnow_site *cut = winnow_site_new();
        assert_false(wn_site_read(cut, wn_str_from(bytes.ptr, len)));
        winnow_site_free(cut);
    }
    wn_buf_free(&bytes);
    winnow_site_free(site);
    winnow_site_free(copy);
}

static void test_extraction_without_the_template(void **unused)
{
    (void)unused;
    static const char page[] = "<p>Subscribe to our letter<p>Rain fell on Monday.";
    winnow_context *context = winnow_context_new();
    winnow_site *site = winnow_site_new();
    winnow_options options;
    winnow_options_init(&options);
    options.method = "all";
    for (int i = 0; i < 3; i++) {
        char other[100];
        snprintf(other, sizeof other, "<p>Subscribe to our letter<p>Story number %d", i);
        assert_true(winnow_site_learn(site, winnow_run(context, other, strlen(other), &options)));
    }
    options.site = site;
    const winnow_result *result = winnow_run(context, page, sizeof page - 1, &options);
    assert_string_equal(result->text, "Rain fell on Monday.\n");
    options.explain = true;
    result = winnow_run(context, page, sizeof page - 1, &options);
    assert_int_equal(result->block_count, 2);
    assert_false(result->blocks[0].kept);
    assert_string_equal(result->blocks[0].reason, "it repeats on pages of the site");
    winnow_context_free(context);
    winnow_site_free(site);
}

/* ---- Terms ------------------------------------------------------------------------------- */

static const char *terms_of(wn_terms *terms, wn_buf *out, const char *text)
{
    wn_buf_clear(out);
    wn_terms_begin(terms, wn_str_of(text));
    for (wn_term term; wn_terms_next(terms, &term);) {
        wn_buf_add_literal(out, out->len ? " " : "");
        wn_buf_add_literal(out, term.is_stop ? "(" : "");
        wn_buf_add(out, term.stem);
        wn_buf_add_literal(out, term.is_stop ? ")" : "");
    }
    return wn_buf_c_string(out);
}

static void test_terms(void **unused)
{
    (void)unused;
    char code[WN_LANGUAGE_CODE];
    wn_terms terms = {0};
    wn_buf out = {0};
    assert_string_equal(wn_terms_use(&terms, WN_STR("en-US"), WN_STR(""), code), "en");
    assert_string_equal(terms_of(&terms, &out, "42 SERVER, 7mill! x86_64"), "server mill x");
    assert_string_equal(terms_of(&terms, &out, "The mill"), "(the) mill");
    assert_string_equal(terms_of(&terms, &out, "12 - 3.4"), "");
    if (strcmp(wn_stem_engine(), "none") != 0)
        assert_string_equal(terms_of(&terms, &out, "connected connections"), "connect connect");
    wn_terms_free(&terms);
    wn_buf_free(&out);
}

/* ---- The method -------------------------------------------------------------------------- */

static void test_outlier(void **unused)
{
    (void)unused;
    static const char page[] =
        "<html lang=en><p>share news share news share news rain"
        "<p>The <b>rain</b> has <i>stopped</i> in <span>the</span> <unknown>north</unknown>"
        "<p>One two three four<br><br>five"
        "<p>too short 1 2 3 4 5 6"
        "<p hidden>hidden words are none that anybody reads";
    winnow_context *context = winnow_context_new();
    winnow_options options;
    winnow_options_init(&options);
    options.method = "outlier";
    assert_int_equal(winnow_run(context, page, sizeof page - 1, &options)->status,
                     WINNOW_NEEDS_COLLECTION);
    options.noise_words = "share\nnews\n";
    assert_string_equal(winnow_run(context, page, sizeof page - 1, &options)->text,
                        "The rain has stopped in the north\n\nOne two three four\n\nfive\n");
    options.noise_words = ""; /* a collection without outliers */
    assert_non_null(strstr(winnow_run(context, page, sizeof page - 1, &options)->text, "share"));
    options.method = "outlier:min_words=2,stopwords=skip";
    options.noise_words = "rain\nstop\nstopped\nnorth";
    assert_null(strstr(winnow_run(context, page, sizeof page - 1, &options)->text, "The"));
    winnow_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_what_repeats_is_template),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_chosen_hashes),
        cmocka_unit_test(test_write_and_read),
        cmocka_unit_test(test_extraction_without_the_template),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_outlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
