/*
 * Word lists: the rows of a small collection, counted by hand; blocks that are right and wrong.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "corpus/wordlist.h"
#include "eval/blocks.h"
#include "support/extract.h"

static void add_page(wn_wordlist *list, const char *label, const char *text)
{
    static wn_terms terms;
    static wn_document document;
    char code[WN_LANGUAGE_CODE];
    wn_text_terms_use(&terms, WN_STR("en"), WN_STR(""), code);
    assert_true(wn_corpus_document_read(&document, &terms, wn_str_of(text), false));
    wn_corpus_wordlist_add(list, wn_str_of(label), &document);
}

static const wn_word_row *row_of(const wn_wordlist *list, const char *word, uint32_t *number)
{
    uint32_t found = wn_text_vocabulary_find(&list->words, wn_str_of(word));
    assert_true(found != UINT32_MAX);
    if (number)
        *number = found;
    return &list->rows.items[found];
}

static void fill(wn_wordlist *list)
{
    add_page(list, "tech", "the mill mill rain 2024");
    add_page(list, "tech", "mill wind");
    add_page(list, "health", "rain rain rain rain");
    add_page(list, "", "wind");
}

static void test_rows(void **unused)
{
    (void)unused;
    wn_wordlist list = {0};
    wn_wordlist_options options = wn_wordlist_defaults;
    fill(&list);
    options.n = 1;
    options.k = 1;
    assert_true(wn_corpus_wordlist_find(&list, &options));
    assert_int_equal(list.documents, 4);
    assert_int_equal(list.order.count, 3); /* stop words and numbers are none */
    uint32_t mill, tech = wn_corpus_key_sample_find(&list.labels, WN_STR("tech"));
    const wn_word_row *row = row_of(&list, "mill", &mill);
    assert_int_equal(row->total, 3);
    assert_int_equal(row->documents, 2);
    assert_int_equal(row->labelled, 2);
    assert_int_equal(wn_corpus_wordlist_class_count(&list, mill, tech), 3);
    /* tf 2/3 and 1/2, idf ln(4/2) */
    assert_true(fabs(row->tfidf - (2.0 / 3 + 1.0 / 2) / 2 * log(2)) < 1e-12);
    row = row_of(&list, "wind", NULL);
    assert_int_equal(row->documents, 2);
    assert_int_equal(row->labelled, 1);
    assert_true(row_of(&list, "rain", NULL)->outlier);
    assert_false(isnan(row_of(&list, "rain", NULL)->distance));
    wn_buf noise = {0};
    wn_corpus_wordlist_noise(&list, &noise);
    assert_string_equal(wn_buf_c_string(&noise), "rain\n");
    wn_buf_free(&noise);
    wn_corpus_wordlist_free(&list);
}

/* The word that is left when bounds are set; "" if it is not exactly one. */
static const char *only_word(wn_wordlist *list, const wn_wordlist_options *options)
{
    static char word[32];
    assert_true(wn_corpus_wordlist_find(list, options));
    word[0] = '\0';
    if (list->order.count == 1) {
        wn_str found = wn_corpus_wordlist_word(list, list->order.items[0]);
        snprintf(word, sizeof word, "%.*s", (int)found.len, found.ptr);
    }
    return word;
}

static void test_bounds(void **unused)
{
    (void)unused;
    wn_wordlist list = {0};
    fill(&list);                     /* mill: 3 times, rain: 5, wind: 2; each on two pages */
    add_page(&list, "tech", "mill"); /* now 4 times, on three pages */
    wn_wordlist_options all = wn_wordlist_defaults, options = all;
    options.min_total = 3, options.max_total = 4;
    assert_string_equal(only_word(&list, &options), "mill");
    options = all, options.min_total = 5;
    assert_string_equal(only_word(&list, &options), "rain");
    options = all, options.max_total = 2;
    assert_string_equal(only_word(&list, &options), "wind");
    options = all, options.min_documents = 3;
    assert_string_equal(only_word(&list, &options), "mill");
    options.max_total = 3;
    assert_string_equal(only_word(&list, &options), "");
    assert_int_equal(list.order.count, 0);
    options = all, options.max_documents = 2;
    assert_true(wn_corpus_wordlist_find(&list, &options));
    assert_int_equal(list.order.count, 2); /* rain and wind */
    wn_corpus_wordlist_free(&list);
}

enum { WORDS = 3, ATTRIBUTES = 6 };
#define LN_2 0.69314718055994531

/* The attributes of a word by hand: total, documents, labelled, TF-IDF, in tech, in health. */
static const double raw[WORDS][ATTRIBUTES] = {
    {3, 2, 2, LN_2 * 7 / 12, 3, 0}, /* mill: (2/3 + 1/2) / 2 ln 2 */
    {5, 2, 2, LN_2 * 8 / 12, 1, 4}, /* rain: (1/3 + 1) / 2 ln 2 */
    {2, 2, 1, LN_2 * 9 / 12, 1, 0}, /* wind: (1/2 + 1) / 2 ln 2 */
};

static double scaled(int word, int attribute, wn_scale scale)
{
    double value = raw[word][attribute], mean = 0, variance = 0;
    if (scale == WN_SCALE_LOG)
        return log(1 + value);
    for (int i = 0; i < WORDS; i++)
        mean += raw[i][attribute] / WORDS;
    for (int i = 0; i < WORDS; i++)
        variance += (raw[i][attribute] - mean) * (raw[i][attribute] - mean) / WORDS;
    if (scale == WN_SCALE_Z)
        return variance > 0 ? (value - mean) / sqrt(variance) : 0;
    return value;
}

static double distance_between(int a, int b, wn_scale scale)
{
    double sum = 0;
    for (int i = 0; i < ATTRIBUTES; i++) {
        double difference = scaled(a, i, scale) - scaled(b, i, scale);
        sum += difference * difference;
    }
    return sqrt(sum);
}

/* Each scale gives the outliers and distances that its formula gives. */
static void test_scales(void **unused)
{
    (void)unused;
    static const char *const words[WORDS] = {"mill", "rain", "wind"};
    wn_wordlist list = {0};
    wn_wordlist_options options = wn_wordlist_defaults;
    fill(&list);
    options.n = WORDS;
    options.k = 1;
    for (options.scale = WN_SCALE_NONE; options.scale <= WN_SCALE_Z; options.scale++) {
        assert_true(wn_corpus_wordlist_find(&list, &options));
        for (int i = 0; i < WORDS; i++) {
            double nearest = INFINITY;
            for (int j = 0; j < WORDS; j++)
                if (j != i)
                    nearest = fmin(nearest, distance_between(i, j, options.scale));
            const wn_word_row *row = row_of(&list, words[i], NULL);
            assert_true(row->outlier);
            if (!(fabs(row->distance - nearest) < 1e-6))
                fail_msg("scale %d, %s: %f, not %f", (int)options.scale, words[i], row->distance,
                         nearest);
        }
    }
    wn_corpus_wordlist_free(&list);
}

static void test_many_labels(void **unused)
{
    (void)unused;
    enum { PAGES = 3000 };
    wn_wordlist list = {0};
    for (int i = 0; i < PAGES; i++) {
        char label[24];
        snprintf(label, sizeof label, "label%d", i);
        add_page(&list, label, "mill");
    }
    assert_true(wn_corpus_wordlist_find(&list, &wn_wordlist_defaults));
    assert_int_equal(row_of(&list, "mill", NULL)->labelled, PAGES);
    assert_int_equal(wn_corpus_key_sample_count(&list.labels), WN_WORDLIST_MOST_LABELS);
    assert_int_equal(list.classes.count, WN_WORDLIST_LABELS);
    wn_corpus_wordlist_free(&list);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static void test_blocks(void **unused)
{
    (void)unused;
    extractor *e = extractor_new();
    const extracted *all = extract_by(e, "all",
                                      "<p>Home News<p>The mill runs again<p>It rained all day"
                                      "<p>Read more stories<p>***");
    assert_int_equal(winnow_selection_block_count(all->content), 5);
    wn_measurer m = {0};
    wn_block_judge judge = {0};
    wn_block_counts counts;
    wn_score score;
    wn_eval_snippets none = {0};
    wn_eval_measurer_begin(&m, WN_STR("The mill runs again. It rained all the day."));
    assert_true(wn_eval_block_judge_begin(&judge, &m, all->content));
    assert_true(
        wn_eval_measurer_score(&m, WN_STR("The mill runs again Read more stories"), &none, &score));
    assert_true(wn_eval_block_judge_count(&judge, &m, &counts));
    assert_int_equal(counts.kept_content, 1);
    assert_int_equal(counts.kept_noise, 1);
    assert_int_equal(counts.dropped_content, 1);
    assert_int_equal(counts.dropped_noise, 1);
    assert_true(wn_eval_block_accuracy(&counts) == 0.5);
    assert_true(wn_eval_block_specificity(&counts) == 0.5);
    assert_true(isnan(wn_eval_block_precision(&(wn_block_counts){0})));
    wn_eval_block_judge_free(&judge);
    extractor_free(e);
    wn_eval_measurer_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),   cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_scales), cmocka_unit_test(test_many_labels),
        cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
