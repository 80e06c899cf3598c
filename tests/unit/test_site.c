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

#include "base/hash.h"
#include "page/site.h"
#include "support/extract.h"
#include "text/terms.h"

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
    wn_page_site_lines(wn_str_of(text), note, &f);
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

/* ---- Templates --------------------------------------------------------------------------- */

static void add_page(winnow_site *site, const char *text)
{
    found lines = lines_of(text);
    wn_page_site_add(site, lines.hashes, lines.count);
    wn_page_site_settle(site);
    assert_false(site->failed);
}

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
    assert_int_equal(winnow_site_pages(site), 3);
    assert_true(wn_page_site_is_template(site, WN_STR("Home")));
    assert_false(wn_page_site_is_template(site, WN_STR("Sign in")));     /* on two pages */
    assert_false(wn_page_site_is_template(site, WN_STR("First story"))); /* three times on one */
    assert_false(wn_page_site_is_template(site, WN_STR("Home\nThird story")));
    assert_false(wn_page_site_is_template(site, WN_STR(" - ")));
    assert_false(wn_page_site_is_template(site, WN_STR("unseen")));
    winnow_site_free(site);
    winnow_site_free(NULL);
}

static void test_share(void **unused)
{
    (void)unused;
    winnow_site *site = make_site();
    for (int i = 0; i < 7; i++)
        add_page(site, "Something else");
    assert_true(wn_page_site_is_template(site, WN_STR("Home"))); /* 3 of 10: the share */
    add_page(site, "Something else");
    assert_false(wn_page_site_is_template(site, WN_STR("Home")));
    winnow_site_free(site);
}

/* ---- Sets of pages ----------------------------------------------------------------------- */

enum { COMMON = 7, MOST_PAGE_LINES = 2000 };

/* The lines of page `number` of a made-up site: some that all pages have, and its own. */
static size_t make_page(uint64_t number, size_t own, uint64_t lines[MOST_PAGE_LINES])
{
    size_t count = 0;
    for (uint64_t i = 0; i < COMMON; i++)
        lines[count++] = wn_hash_mix64(1000 + i) | 1;
    for (uint64_t i = 0; i < own; i++)
        lines[count++] = wn_hash_mix64((number + 1) * 100000 + i) | 1;
    return count;
}

static void learn(winnow_site *site, uint64_t number, size_t own)
{
    uint64_t lines[MOST_PAGE_LINES];
    wn_page_site_add(site, lines, make_page(number, own, lines));
}

static void check_template(const winnow_site *site)
{
    uint64_t lines[MOST_PAGE_LINES];
    make_page(0, 10, lines);
    for (int i = 0; i < COMMON; i++)
        assert_true(wn_page_site_has(site, lines[i]));
    for (int i = COMMON; i < COMMON + 10; i++)
        assert_false(wn_page_site_has(site, lines[i]));
}

/* Two sites that must be the same: they are saved as the same bytes. Frees the second. */
static void assert_same_and_free(const winnow_site *site, winnow_site *other)
{
    size_t size, other_size;
    void *bytes = winnow_site_save(site, &size);
    void *other_bytes = winnow_site_save(other, &other_size);
    assert_non_null(bytes);
    assert_non_null(other_bytes);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other_bytes, size);
    winnow_free(bytes);
    winnow_free(other_bytes);
    winnow_site_free(other);
}

static winnow_site *learn_in_order(uint64_t pages, size_t own, bool backwards,
                                   uint64_t settle_after)
{
    winnow_site *site = winnow_site_new();
    for (uint64_t i = 0; i < pages; i++) {
        learn(site, backwards ? pages - 1 - i : i, own);
        if (settle_after && i % settle_after == 0)
            wn_page_site_settle(site);
    }
    wn_page_site_settle(site);
    return site;
}

/* Learns page i in group i % groups; the groups are then merged in pairs, or one after the other. */
static winnow_site *learn_in_groups(uint64_t pages, size_t own, size_t groups, bool in_pairs)
{
    winnow_site *parts[16];
    assert_true(groups <= 16);
    for (size_t g = 0; g < groups; g++)
        parts[g] = winnow_site_new();
    for (uint64_t i = 0; i < pages; i++)
        learn(parts[i % groups], i, own);
    for (size_t g = 0; g < groups; g++)
        wn_page_site_settle(parts[g]);
    while (groups > 1) {
        size_t into = in_pairs ? (groups - 1) / 2 : 0;
        groups--;
        assert_int_equal(winnow_site_merge(parts[into], parts[groups]), WINNOW_STATUS_OK);
        winnow_site_free(parts[groups]);
    }
    return parts[0];
}

static void check_any_order_and_grouping(uint64_t pages, size_t own, bool is_sketch)
{
    winnow_site *site = learn_in_order(pages, own, false, 1);
    assert_int_equal(site->sketch != NULL, is_sketch);
    assert_int_equal(winnow_site_pages(site), pages);
    check_template(site);
    assert_same_and_free(site, learn_in_order(pages, own, true, 1));
    assert_same_and_free(site, learn_in_order(pages, own, false, 0));
    assert_same_and_free(site, learn_in_order(pages, own, true, 3));
    for (size_t groups = 2; groups <= 16; groups += 7) {
        assert_same_and_free(site, learn_in_groups(pages, own, groups, false));
        assert_same_and_free(site, learn_in_groups(pages, own, groups, true));
    }
    winnow_site_free(site);
}

static void test_any_order_and_grouping_counted_exactly(void **unused)
{
    (void)unused;
    check_any_order_and_grouping(40, 20, false);
    check_any_order_and_grouping(40, WN_SITE_MOST_LINES / 40 - 1, false);
}

static void test_any_order_and_grouping_in_a_sketch(void **unused)
{
    (void)unused;
    check_any_order_and_grouping(40, WN_SITE_MOST_LINES / 40 + 1, true);
    check_any_order_and_grouping(100, MOST_PAGE_LINES - COMMON, true);
}

/* A group that counts in a sketch and one that counts exactly. */
static void test_merge_of_both_forms(void **unused)
{
    (void)unused;
    enum { LARGE = 60, SMALL = 3 };
    winnow_site *whole = winnow_site_new(), *large = winnow_site_new(), *small = winnow_site_new();
    for (uint64_t i = 0; i < LARGE + SMALL; i++) {
        learn(whole, i, 1000);
        learn(i < LARGE ? large : small, i, 1000);
    }
    wn_page_site_settle(whole);
    wn_page_site_settle(large);
    wn_page_site_settle(small);
    assert_non_null(large->sketch);
    assert_null(small->sketch);
    winnow_site *other = winnow_site_new();
    assert_int_equal(winnow_site_merge(other, small), WINNOW_STATUS_OK);
    assert_int_equal(winnow_site_merge(other, large), WINNOW_STATUS_OK);
    assert_int_equal(winnow_site_merge(large, small), WINNOW_STATUS_OK);
    assert_same_and_free(whole, large);
    assert_same_and_free(whole, other);
    assert_int_equal(winnow_site_merge(whole, whole), WINNOW_STATUS_BAD_ARGUMENT);
    winnow_site_free(small);
    winnow_site_free(whole);
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
        wn_page_site_add(site, lines, LINES);
    }
    wn_page_site_settle(site);
    size_t sketch = site->sketch ? WN_SITE_ROWS * WN_SITE_ROW * sizeof *site->sketch : 0;
    size_t memory = sizeof *site + wn_array_bytes(&site->lines) + wn_array_bytes(&site->waiting) +
                    sketch;
    assert_true(memory <= 2000000);
    assert_true(wn_page_site_has(site, common));
    for (uint64_t i = 1; i < LINES; i++)
        assert_false(wn_page_site_has(site, lines[i]));
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
    wn_page_site_add(site, lines, LINES);
    wn_page_site_settle(site);
    assert_false(site->failed);
    assert_false(wn_page_site_has(site, lines[0]));
    free(lines);
    winnow_site_free(site);
}

/* ---- Saving ------------------------------------------------------------------------------ */

static void test_save_and_load(void **unused)
{
    (void)unused;
    winnow_site *site = make_site(), *copy;
    size_t size;
    char *bytes = winnow_site_save(site, &size);
    assert_int_equal(winnow_site_load(&copy, bytes, size), WINNOW_STATUS_OK);
    memset(bytes, 0xFF, size); /* they were copied */
    winnow_free(bytes);
    assert_int_equal(winnow_site_pages(copy), 3);
    assert_true(wn_page_site_is_template(copy, WN_STR("home")));
    add_page(copy, "Sign in");
    assert_true(wn_page_site_is_template(copy, WN_STR("Sign in")));
    winnow_site_free(site);
    winnow_site_free(copy);
}

static void assert_bad(const char *bytes, size_t size)
{
    winnow_site *site = (winnow_site *)1;
    assert_int_equal(winnow_site_load(&site, bytes, size), WINNOW_STATUS_BAD_SITE);
    assert_null(site);
}

/* Cut anywhere, or with a byte more, it is not sound. */
static void check_cuts(winnow_site *site)
{
    size_t size;
    char *bytes = winnow_site_save(site, &size);
    size_t step = size / 1000 + 1;
    for (size_t cut = 0; cut < size; cut += step)
        assert_bad(bytes, cut);
    assert_bad(bytes, size - 1);
    char *longer = calloc(size + 1, 1);
    memcpy(longer, bytes, size);
    assert_bad(longer, size + 1);
    free(longer);
    winnow_free(bytes);
    winnow_site_free(site);
}

static void test_cut_bytes(void **unused)
{
    (void)unused;
    check_cuts(make_site());
    check_cuts(winnow_site_new());
    check_cuts(learn_in_order(40, 1000, false, 1));
}

/* Whatever byte is changed: it is not loaded, or it is a site that can be used and saved again. */
static void test_changed_bytes(void **unused)
{
    (void)unused;
    enum { HEADER = 24, LINE = 16 };
    winnow_site *site = make_site();
    size_t size, again_size;
    char *bytes = winnow_site_save(site, &size);
    assert_int_equal(size, HEADER + 5 * LINE);
    for (size_t at = 0; at < size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            winnow_site *loaded;
            bytes[at] ^= (char)(1 << bit);
            winnow_status status = winnow_site_load(&loaded, bytes, size);
            bool is_version = at < 8, is_count = at >= 16 && at < HEADER;
            assert_true(status == WINNOW_STATUS_OK || status == WINNOW_STATUS_BAD_SITE);
            assert_true(status == WINNOW_STATUS_BAD_SITE || !(is_version || is_count));
            if (loaded) {
                wn_page_site_is_template(loaded, WN_STR("Home"));
                char *again = winnow_site_save(loaded, &again_size);
                assert_int_equal(again_size, size);
                assert_memory_equal(again, bytes, size);
                winnow_free(again);
            }
            winnow_site_free(loaded);
            bytes[at] ^= (char)(1 << bit);
        }
    }
    memcpy(bytes + HEADER, bytes + HEADER + LINE, LINE); /* a line twice */
    assert_bad(bytes, size);
    winnow_free(bytes);
    winnow_site_free(site);
}

/* ---- Through the interface --------------------------------------------------------------- */

static void test_extraction_without_the_template(void **unused)
{
    (void)unused;
    static const char page[] = "<p>Subscribe to our letter<p>Rain fell on Monday.";
    extractor *e = extractor_new();
    winnow_site *site = winnow_site_new();
    for (int i = 0; i < 3; i++) {
        char other[100];
        snprintf(other, sizeof other, "<p>Subscribe to our letter<p>Story number %d", i);
        winnow_parse(e->page, other, strlen(other), NULL);
        assert_int_equal(winnow_site_learn(site, e->page), WINNOW_STATUS_OK);
    }
    winnow_parse(e->page, "<p hidden>x", 11, NULL);
    assert_int_equal(winnow_site_learn(site, e->page), WINNOW_STATUS_EMPTY);
    winnow_options_set_site(e->options, site);
    assert_string_equal(extract_by(e, "all", page)->text, "Rain fell on Monday.\n");
    extractor_set(e, "explain", "yes");
    const extracted *result = extract_by(e, "all", page);
    assert_int_equal(winnow_selection_block_count(result->content), 2);
    const winnow_block *block = winnow_selection_block(result->content, 0);
    assert_false(block->kept);
    assert_string_equal(block->reason, "it repeats on pages of the site");
    extractor_free(e);
    winnow_site_free(site);
}

/* The same pages in another order and in two sites that are merged. */
static void test_learning_from_pages_in_any_order(void **unused)
{
    (void)unused;
    enum { PAGES = 9 };
    winnow_page *page = winnow_page_new();
    winnow_site *site = winnow_site_new(), *first = winnow_site_new(), *second = winnow_site_new();
    for (int i = 0; i < 2 * PAGES; i++) {
        int number = i < PAGES ? i : 2 * PAGES - 1 - i;
        char html[100];
        snprintf(html, sizeof html, "<nav>Home<p>News</nav><p>Story %d<p>Part %d", number,
                 number % 3);
        winnow_parse(page, html, strlen(html), NULL);
        winnow_site *learner = i < PAGES ? site : number % 2 ? first : second;
        assert_int_equal(winnow_site_learn(learner, page), WINNOW_STATUS_OK);
    }
    assert_int_equal(winnow_site_merge(first, second), WINNOW_STATUS_OK);
    assert_same_and_free(site, first);
    winnow_site_free(second);
    winnow_site_free(site);
    winnow_page_free(page);
}

/* ---- Terms ------------------------------------------------------------------------------- */

static const char *terms_of(wn_terms *terms, wn_buf *out, const char *text)
{
    wn_buf_clear(out);
    wn_text_terms_begin(terms, wn_str_of(text));
    for (wn_term term; wn_text_terms_next(terms, &term);) {
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
    assert_string_equal(wn_text_terms_use(&terms, WN_STR("en-US"), WN_STR(""), code), "en");
    assert_string_equal(terms_of(&terms, &out, "42 SERVER, 7mill! x86_64"), "server mill x");
    assert_string_equal(terms_of(&terms, &out, "The mill"), "(the) mill");
    assert_string_equal(terms_of(&terms, &out, "12 - 3.4"), "");
    if (strcmp(wn_text_stem_engine(), "none") != 0)
        assert_string_equal(terms_of(&terms, &out, "connected connections"), "connect connect");
    wn_text_terms_free(&terms);
    wn_buf_free(&out);
}

/* ---- The method -------------------------------------------------------------------------- */

static const char *outlier(extractor *e, const char *method, const char *stems, const char *page)
{
    winnow_noise *noise = winnow_noise_new(stems, strlen(stems));
    winnow_options_set_noise(e->options, noise);
    const char *text = extract_by(e, method, page)->text;
    winnow_options_set_noise(e->options, NULL);
    winnow_noise_free(noise);
    return text;
}

static void test_outlier(void **unused)
{
    (void)unused;
    static const char page[] =
        "<html lang=en><p>share news share news share news rain"
        "<p>The <b>rain</b> has <i>stopped</i> in <span>the</span> <unknown>north</unknown>"
        "<p>One two three four<br><br>five"
        "<p>too short 1 2 3 4 5 6"
        "<p hidden>hidden words are none that anybody reads";
    extractor *e = extractor_new();
    assert_int_equal(extract_by(e, "outlier", page)->status, WINNOW_STATUS_NEEDS_COLLECTION);
    assert_string_equal(outlier(e, "outlier", "share\nnews\n", page),
                        "The rain has stopped in the north\n\nOne two three four\n\nfive\n");
    /* A collection without outliers. */
    assert_non_null(strstr(outlier(e, "outlier", "", page), "share"));
    assert_null(
        strstr(outlier(e, "outlier:min_words=2,stopwords=skip", "rain\nstop\nstopped\nnorth", page),
               "The"));
    extractor_free(e);
}

/* b, i, span, br and unknown tags do not end a block, whatever element it is in; others do. */
static void test_what_ends_a_block(void **unused)
{
    (void)unused;
    static const char *const whole[] = {
        "<ul><li>one two<br><br>three four five</ul>",
        "<table><tr><td>one two<br><br>three four five<td>x<tr><td>y<td>z</table>",
        "<h2>one two<br><br>three four five</h2>",
        "<blockquote>one two<br><br>three four five</blockquote>",
        "<dl><dd>one two<br><br>three four five</dl>",
        "<div>one two<br><br><b>three</b><br><br><i>four</i> five</div>",
        "<p>one two <span hidden>and more</span> three <x-y>four</x-y> five</p>",
    };
    static const char *const parts[] = {
        "<div>one two<hr>three four five</div>",
        "<div>one two<p></p>three four five</div>",
        "<ul><li>one two<br><br><div></div>three four five</ul>",
        "<ul><li>one two<li>three four five</ul>",
        "<p>one two <span hidden>and more words to</span> three four",
    };
    extractor *e = extractor_new();
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const char *text = outlier(e, "outlier", "", whole[i]);
        if (!strstr(text, "one two") || !strstr(text, "five") || strstr(text, "more"))
            fail_msg("%s: '%s'", whole[i], text);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_string_equal(outlier(e, "outlier", "", parts[i]), "");
    extractor_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_what_repeats_is_template),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_any_order_and_grouping_counted_exactly),
        cmocka_unit_test(test_any_order_and_grouping_in_a_sketch),
        cmocka_unit_test(test_merge_of_both_forms),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_chosen_hashes),
        cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_cut_bytes),
        cmocka_unit_test(test_changed_bytes),
        cmocka_unit_test(test_extraction_without_the_template),
        cmocka_unit_test(test_learning_from_pages_in_any_order),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_outlier),
        cmocka_unit_test(test_what_ends_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
