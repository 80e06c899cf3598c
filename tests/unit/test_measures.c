/*
 * Unit tests of the measures of `winnow eval`, against figures that were computed by hand.
 *
 *     test_measures        no arguments
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "eval/measures.h"
#include "text/normal.h"
#include "io/domain.h"
#include "eval/stats.h"
#include "support/files.h"

#define assert_near(actual, expected) assert_near_at(actual, expected, __LINE__)

static void assert_near_at(double actual, double expected, int line)
{
    if (!(fabs(actual - expected) < 1e-12))
        fail_msg("line %d: got %.15g, expected %.15g", line, actual, expected);
}

static void assert_prf_at(wn_prf prf, double precision, double recall, double f1, int line)
{
    assert_near_at(prf.precision, precision, line);
    assert_near_at(prf.recall, recall, line);
    assert_near_at(prf.f1, f1, line);
}

#define assert_prf(prf, precision, recall, f1) assert_prf_at(prf, precision, recall, f1, __LINE__)

static const wn_eval_snippets no_snippets = {0};

static wn_score score_of(const char *gold, const char *ours)
{
    wn_measurer m = {0};
    wn_score score;
    wn_eval_measurer_begin(&m, wn_str_of(gold));
    assert_true(wn_eval_measurer_score(&m, wn_str_of(ours), &no_snippets, &score));
    wn_eval_measurer_free(&m);
    return score;
}

/* ---- Words ------------------------------------------------------------------------------- */

/* The words of a text, joined by '|'. */
static void assert_words_at(const char *text, bool lower, const char *expected, int line)
{
    wn_vocabulary vocabulary = {0};
    wn_word_list words = {0};
    wn_buf joined = {0};
    assert_true(wn_eval_word_list_read(&words, &vocabulary, wn_str_of(text), lower));
    for (uint32_t i = 0; i < words.list.count; i++) {
        wn_buf_add_literal(&joined, i ? "|" : "");
        wn_buf_add(&joined, vocabulary.words.keys.items[words.list.items[i].id]);
    }
    if (strcmp(wn_buf_c_string(&joined), expected) != 0)
        fail_msg("line %d: got \"%s\", expected \"%s\"", line, wn_buf_c_string(&joined), expected);
    wn_buf_free(&joined);
    wn_eval_word_list_free(&words);
    wn_text_vocabulary_free(&vocabulary);
}

#define assert_words(text, expected) assert_words_at(text, true, expected, __LINE__)
#define assert_cased(text, expected) assert_words_at(text, false, expected, __LINE__)

/* Each expectation is what Python prints for "|".join(re.findall(r"\w+", text.lower())). */
static void words_are_pythons(void **state)
{
    (void)state;
    assert_words("", "");
    assert_words("Hello, World_1!  2nd", "hello|world_1|2nd");
    assert_words("don't re-do", "don|t|re|do");
    assert_words("ÄÖÜ ÉCOLE Straße", "äöü|école|straße");
    assert_words("ПРИВЕТ мир", "привет|мир");
    assert_words("İstanbul", "i|stanbul"); /* the dot is a character of its own */
    assert_words("ΟΔΟΣ ΣΑΣ Σ ΑΣ' ΑΣΑ", "οδος|σας|σ|ας|ασα");
    assert_words("ΑΣ.Α ΑΣ.", "ασ|α|ας");   /* a point between letters is ignored, and no \\w */
    assert_words("\xFFΣ Α\xFFΣ", "σ|α|σ"); /* what is not UTF-8 is not ignored */
    assert_words("x² ½ ①", "x²|½|①");
    assert_words("ไทย ที่", "ไทย|ท"); /* Python's \\w does not match vowel signs above letters */
    assert_words("日本語。中文", "日本語|中文");
    assert_words("\xF0\x9D\x94\xB8\xF0\x9F\x98\x80z", "\xF0\x9D\x94\xB8|z");
    assert_words("ab\xFF\xFE"
                 "cd\xC3",
                 "ab|cd"); /* not UTF-8 */
    assert_cased("Hello, İstanbul ΣΑΣ", "Hello|İstanbul|ΣΑΣ");
}

static void words_have_lengths(void **state)
{
    (void)state;
    wn_vocabulary vocabulary = {0};
    wn_word_list words = {0};
    wn_eval_word_list_read(&words, &vocabulary, WN_STR("« Hello, wor\xC2\xA0ld! »"), true);
    assert_int_equal(words.list.count, 3);
    assert_int_equal(words.list.items[0].length, 7); /* «Hello, */
    assert_int_equal(words.list.items[1].length, 3);
    assert_int_equal(words.list.items[2].length, 4); /* ld!» */
    assert_int_equal(words.length, 14);
    assert_int_equal(words.list.items[1].start, 10);
    assert_int_equal(words.list.items[1].end, 13);
    wn_eval_word_list_free(&words);
    wn_text_vocabulary_free(&vocabulary);
}

static void words_as_a_bag(void **state)
{
    (void)state;
    /* common: the, the, cat = 3 of 4 and 4 */
    wn_score score = score_of("the cat the dog", "The THE the cat");
    assert_prf(score.by[WN_MEASURE_WORDS], 3. / 4, 3. / 4, 3. / 4);
    score = score_of("a b c d", "d c b a x");
    assert_prf(score.by[WN_MEASURE_WORDS], 4. / 5, 1, 8. / 9);
}

static void empty_texts(void **state)
{
    (void)state;
    wn_score score = score_of("", "");
    assert_prf(score.by[WN_MEASURE_WORDS], 1, 1, 1);
    assert_prf(score.by[WN_MEASURE_LCS], 1, 1, 1);
    assert_prf(score.by[WN_MEASURE_LENGTH], 1, 1, 1);
    assert_near(score.by[WN_MEASURE_SHINGLES].f1, 1);
    assert_true(isnan(score.by[WN_MEASURE_SHINGLES].precision));
    assert_true(isnan(score.by[WN_MEASURE_SHINGLES].recall));
    score = score_of("", "text");
    assert_prf(score.by[WN_MEASURE_WORDS], 0, 0, 0);
    assert_near(score.by[WN_MEASURE_SHINGLES].precision, 0);
    assert_true(isnan(score.by[WN_MEASURE_SHINGLES].recall));
    score = score_of("text", " \n");
    assert_prf(score.by[WN_MEASURE_WORDS], 0, 0, 0);
    assert_prf(score.by[WN_MEASURE_LCS], 0, 0, 0);
    assert_prf(score.by[WN_MEASURE_LENGTH], 0, 0, 0);
}

/* ---- The longest common subsequence ------------------------------------------------------ */

static void lcs_of_the_paper(void **state)
{
    (void)state;
    wn_score score = score_of("Title Some text in the body", "Title Copyright Some text in");
    assert_prf(score.by[WN_MEASURE_LCS], 4. / 5, 4. / 6, 8. / 11);
}

static void lcs_minds_the_order(void **state)
{
    (void)state;
    wn_score score = score_of("a b c d", "d c b a");
    assert_prf(score.by[WN_MEASURE_LCS], 1. / 4, 1. / 4, 1. / 4);
    assert_prf(score.by[WN_MEASURE_WORDS], 1, 1, 1);
}

/* ---- Five words in a row ----------------------------------------------------------------- */

static void rouge_counts_five_words(void **state)
{
    (void)state;
    /* of abcde bcdef cdefg and abcde bcdex cdexg one is common */
    wn_score score = score_of("a b c d e f g", "A b c d e x g");
    assert_prf(score.by[WN_MEASURE_ROUGE], 1. / 3, 1. / 3, 1. / 3);
    score = score_of("a b c d e f", "a b c d e"); /* 1 of 1 and 1 of 2 */
    assert_prf(score.by[WN_MEASURE_ROUGE], 1, 1. / 2, 2. / 3);
    score = score_of("a b c", "a b c"); /* fewer words are one */
    assert_prf(score.by[WN_MEASURE_ROUGE], 1, 1, 1);
    score = score_of("a b c d e a b c d e", "a b c d e"); /* abcde is there twice, of six */
    assert_prf(score.by[WN_MEASURE_ROUGE], 1, 1. / 6, 2. / 7);
}

/* ---- Edit distance ----------------------------------------------------------------------- */

static double similarity_of(const char *a, const char *b)
{
    wn_edit edit = {0};
    double found = wn_eval_edit_similarity(&edit, wn_str_of(a), wn_str_of(b));
    assert_false(edit.failed);
    wn_eval_edit_free(&edit);
    return found;
}

static void edit_similarity_by_hand(void **state)
{
    (void)state;
    assert_near(similarity_of("kitten", "sitting"), 1 - 3. / 7);
    assert_near(similarity_of("", ""), 1);
    assert_near(similarity_of("abc", ""), 0);
    assert_near(similarity_of("flaw", "lawn"), 1 - 2. / 4);
    assert_near(similarity_of("naïve", "naive"), 1 - 1. / 5); /* characters, not bytes */
}

/* The distance by the table that textbooks have. */
static uint32_t plain_distance(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
    static uint32_t row[512];
    for (uint32_t i = 0; i <= n; i++)
        row[i] = i;
    for (uint32_t j = 1; j <= m; j++) {
        uint32_t diagonal = row[0];
        row[0] = j;
        for (uint32_t i = 1; i <= n; i++) {
            uint32_t above = row[i], best = diagonal + (a[i - 1] != b[j - 1]);
            best = above + 1 < best ? above + 1 : best;
            row[i] = row[i - 1] + 1 < best ? row[i - 1] + 1 : best;
            diagonal = above;
        }
    }
    return row[n];
}

static void edit_distance_agrees_with_the_textbook(void **state)
{
    (void)state;
    enum { MOST = 300 };
    uint32_t a[MOST], b[MOST];
    uint64_t seed = 7;
    wn_edit edit = {0};
    for (uint32_t letters = 2; letters < 20; letters++)
        wn_map64_add(&edit.alphabet, letters);
    for (int round = 0; round < 2000; round++) {
        uint32_t n = (uint32_t)((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 33) %
                     MOST;
        uint32_t m = (uint32_t)((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 33) %
                     MOST;
        uint32_t alphabet = 1 + (uint32_t)round % 17;
        for (uint32_t i = 0; i < n; i++)
            a[i] = (uint32_t)((seed = seed * 6364136223846793005u + 1) >> 40) % alphabet;
        for (uint32_t i = 0; i < m; i++)
            b[i] = (uint32_t)((seed = seed * 6364136223846793005u + 1) >> 40) % alphabet;
        assert_int_equal(wn_eval_edit_distance(&edit, a, n, b, m), plain_distance(a, n, b, m));
    }
    wn_eval_edit_free(&edit);
}

/* ---- Structure --------------------------------------------------------------------------- */

static void assert_bytes_at(const wn_buf *found, const char *expected, int line)
{
    if (!wn_str_eq(wn_buf_str(found), wn_str_of(expected)))
        fail_msg("line %d: got \"%.*s\", expected \"%s\"", line, WN_STR_ARGS(wn_buf_str(found)),
                 expected);
}

#define assert_bytes(found, expected) assert_bytes_at(found, expected, __LINE__)

static void structure_of_markdown(void **state)
{
    (void)state;
    wn_structure s = {0};
    wn_eval_structure_read(
        &s, WN_STR("# A *title*\n\n- item with `code` and $x^2$\n  ```c\n  int a;\n  ```\n\n"
                   "It is $5 or \\*not\\* [linked](http://x.example/a_b).\n\n"
                   "$$\n\\frac{a}{b}\n$$\n\n    indented\n\n> ~~~\n> quoted\n> ~~~\n"));
    assert_false(s.failed);
    assert_bytes(&s.code, "int a;\nindented\nquoted\n");
    assert_bytes(&s.formulas, "x^2\n\\frac{a}{b}\n");
    assert_bytes(&s.text, "A title\nitem with code and x^2\nint a;\nIt is $5 or *not* linked.\n"
                          "\n\\frac{a}{b}\n\nindented\nquoted\n");
    assert_int_equal(s.nodes.count, 0);
    wn_eval_structure_free(&s);
}

static void structure_of_tables(void **state)
{
    (void)state;
    wn_structure s = {0};
    wn_eval_structure_read(
        &s, WN_STR("| a | b \\| c |\n| --- | ---: |\n| **1** |  |\n\nText\n\n"
                   "<table>\n<tr><th colspan=\"2\">x</th></tr>\n"
                   "<tr><td>y<table><tr><td>in</td></tr></table></td></tr></table>\n"));
    static const wn_structure_kind kinds[] = {
        WN_STRUCTURE_CELL, WN_STRUCTURE_CELL, WN_STRUCTURE_ROW,   WN_STRUCTURE_CELL,
        WN_STRUCTURE_CELL, WN_STRUCTURE_ROW,  WN_STRUCTURE_TABLE, WN_STRUCTURE_CELL,
        WN_STRUCTURE_ROW,  WN_STRUCTURE_CELL, WN_STRUCTURE_ROW,   WN_STRUCTURE_TABLE,
        WN_STRUCTURE_CELL, WN_STRUCTURE_ROW,  WN_STRUCTURE_TABLE, WN_STRUCTURE_ROOT};
    assert_int_equal(s.nodes.count, sizeof kinds / sizeof *kinds);
    for (uint32_t i = 0; i < s.nodes.count; i++)
        assert_int_equal(s.nodes.items[i].kind, kinds[i]);
    assert_bytes(&s.cells, "ab | c1xiny");
    assert_int_equal(s.nodes.items[7].cols, 2);
    assert_int_equal(s.nodes.items[12].first, 9); /* the table in the cell begins there */
    assert_int_equal(s.nodes.items[15].first, 0);
    wn_eval_structure_free(&s);
}

static double teds_of(const char *a, const char *b)
{
    wn_structure x = {0}, y = {0};
    wn_teds teds = {0};
    wn_eval_structure_read(&x, wn_str_of(a));
    wn_eval_structure_read(&y, wn_str_of(b));
    double found = wn_eval_teds(&teds, &x, &y);
    assert_false(teds.failed);
    wn_eval_teds_free(&teds);
    wn_eval_structure_free(&x);
    wn_eval_structure_free(&y);
    return found;
}

/* A table of two rows and two columns has 4 cells, 2 rows, a table and a root: 8 nodes. */
static void teds_by_hand(void **state)
{
    (void)state;
    const char *gold = "|a|b|\n|-|-|\n|1|2|\n";
    assert_near(teds_of(gold, gold), 1);
    assert_near(teds_of(gold, "no table"), 0);
    assert_near(teds_of("none", "none either"), 1);
    assert_near(teds_of(gold, "|a|b|\n|-|-|\n"), 1 - 3. / 8);         /* a row and its cells */
    assert_near(teds_of(gold, "|a|b|\n|-|-|\n|1|3|\n"), 1 - 1. / 8);  /* another cell */
    assert_near(teds_of(gold, "|a|b|\n|-|-|\n|1|20|\n"), 1 - .5 / 8); /* half of one */
    assert_near(teds_of(gold, "|a|b|c|\n|-|-|-|\n|1|2|3|\n"), 1 - 2. / 10); /* two cells more */
    /* the same cell, over two columns */
    assert_near(teds_of("<table><tr><td colspan=2>a</td></tr></table>",
                        "<table><tr><td>a</td></tr></table>"),
                1 - 1. / 4);
    /* a second table of one cell: table, row and cell of eleven */
    assert_near(teds_of("|a|b|\n|-|-|\n|1|2|\n\n|x|\n|-|\n", gold), 1 - 3. / 11);
}

/* ---- Segmented words --------------------------------------------------------------------- */

static void segmented_words(void **state)
{
    (void)state;
    wn_measurer m = {.segmenter = wn_text_words_new()};
    wn_score score;
    assert_non_null(m.segmenter);
    wn_eval_measurer_begin(&m, WN_STR("中文。Hello don't"));
    /* The whole stretch of ideographs is one of Python's words; a reader sees that one sign is new. */
    assert_true(wn_eval_measurer_score(&m, WN_STR("中文。hello DON'T"), &no_snippets, &score));
    assert_prf(score.by[WN_MEASURE_WORDS], 1, 1, 1);
    uint32_t words = m.gold.list.count;
    assert_true(words >= 3); /* 中文 is one or two, by the dictionary */
    wn_eval_measurer_begin(&m, WN_STR("我们中文"));
    assert_true(m.gold.list.count >= 2);
    wn_eval_measurer_free(&m);
}

static void normal_text(void **state)
{
    (void)state;
    wn_buf out = {0};
    wn_text_add_normal(&out, WN_STR("soft\xC2\xADhyphen \xFF"));
    assert_bytes(&out, "softhyphen \xEF\xBF\xBD");
    wn_buf_clear(&out);
    wn_text_add_normal(&out, WN_STR("e\xCC\x81t\xC3\xA9"));
    if (strcmp(wn_text_words_other_engine(), "ICU") == 0)
        assert_bytes(&out, "\xC3\xA9t\xC3\xA9");
    wn_buf_free(&out);
}

/* The length by the table that textbooks have. */
static uint32_t plain_lcs(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
    static uint32_t row[512];
    memset(row, 0, sizeof row);
    for (uint32_t j = 0; j < m; j++) {
        uint32_t diagonal = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t above = row[i + 1];
            uint32_t best = above > row[i] ? above : row[i];
            row[i + 1] = a[i] == b[j] ? diagonal + 1 : best;
            diagonal = above;
        }
    }
    return row[n];
}

static void assert_alignment(const uint32_t *a, uint32_t n, const uint32_t *b,
                             const uint32_t *match)
{
    uint32_t last = 0;
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        if (match[i] == WN_LCS_NONE)
            continue;
        assert_int_equal(a[i], b[match[i]]);
        assert_true(!any || match[i] > last);
        last = match[i];
        any = true;
    }
}

static void lcs_agrees_with_the_textbook(void **state)
{
    (void)state;
    enum { MOST = 300 };
    uint32_t a[MOST], b[MOST], match[MOST];
    uint64_t seed = 1;
    wn_lcs lcs = {0};
    for (int round = 0; round < 3000; round++) {
        uint32_t words = 1 + (uint32_t)(test_random(&seed) % (round % 3 ? 8 : 100));
        uint32_t n = (uint32_t)(test_random(&seed) % MOST);
        uint32_t m = (uint32_t)(test_random(&seed) % MOST);
        for (uint32_t i = 0; i < n; i++)
            a[i] = (uint32_t)(test_random(&seed) % words);
        for (uint32_t i = 0; i < m; i++)
            b[i] = (uint32_t)(test_random(&seed) % words);
        lcs.most_rows = round % 2 ? 0 : 1 + test_random(&seed) % 100; /* must be cut */
        assert_int_equal(wn_eval_lcs_align(&lcs, a, n, b, m, words, match), plain_lcs(a, n, b, m));
        assert_alignment(a, n, b, match);
    }
    wn_eval_lcs_free(&lcs);
}

/* Words with the frequencies of a language: rank r as often as 1/r. */
static uint32_t draw_word(uint64_t *seed, uint32_t words)
{
    double x = (double)(test_random(seed) % 1000000) / 1e6;
    return (uint32_t)pow(words, x) - 1;
}

/* Milliseconds for an alignment of two lists of `count` words; `match` comes after them. */
static double time_lcs(uint32_t *lists, uint32_t count, uint32_t words, uint32_t *length)
{
    wn_lcs lcs = {0};
    uint32_t *b = lists + count, *match = b + count;
    clock_t start = clock();
    *length = wn_eval_lcs_align(&lcs, lists, count, b, count, words, match);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_alignment(lists, count, b, match);
    wn_eval_lcs_free(&lcs);
    assert_true(seconds < 5); /* a sanitizer's time; it is milliseconds without one */
    return seconds * 1e3;
}

/* A page and its gold, which has every tenth word changed; and two pages that are strangers. */
static void lcs_of_long_pages_is_fast(void **state)
{
    (void)state;
    enum { COUNT = 50000, WORDS = 5000 };
    uint32_t *list = malloc(3 * COUNT * sizeof *list);
    uint64_t seed = 7;
    uint32_t length;
    for (uint32_t i = 0; i < COUNT; i++) {
        list[i] = draw_word(&seed, WORDS);
        list[COUNT + i] = i % 10 ? list[i] : draw_word(&seed, WORDS);
    }
    double near = time_lcs(list, COUNT, WORDS, &length);
    assert_true(length >= COUNT / 10 * 9);
    for (uint32_t i = 0; i < COUNT; i++)
        list[COUNT + i] = draw_word(&seed, WORDS);
    double far = time_lcs(list, COUNT, WORDS, &length);
    assert_true(length > COUNT / 10 && length < COUNT);
    print_message("50,000 x 50,000 words: %.0f ms, of strangers %.0f ms\n", near, far);
    free(list);
}

/* ---- Length ------------------------------------------------------------------------------ */

static void length_in_characters(void **state)
{
    (void)state;
    /* LEC "abcdexx" = 7, LEP "abcdefgh!" = 9, found ab cde = 5, so LM = 4. */
    wn_score score = score_of("ab cde fgh!", "ab cde xx");
    assert_prf(score.by[WN_MEASURE_LENGTH], 5. / 7, 5. / 9, 10. / 16);
    /* Characters, not bytes: found ขaé = 3 of 3 and of 5. */
    score = score_of("ข aé zz", "ข aé");
    assert_prf(score.by[WN_MEASURE_LENGTH], 1, 3. / 5, 6. / 8);
    /* Signs that ours lacks are missing; those it adds are too much. */
    score = score_of("one, two!", "one two!?");
    assert_prf(score.by[WN_MEASURE_LENGTH], 7. / 8, 7. / 8, 7. / 8);
    score = score_of("(one) two.", "(one) two.");
    assert_prf(score.by[WN_MEASURE_LENGTH], 1, 1, 1);
}

/* ---- Shingles ---------------------------------------------------------------------------- */

static void shingles_of_four_words(void **state)
{
    (void)state;
    /* gold: abcd bcde cdef; ours: abcd bcde cdeX deXf */
    wn_score score = score_of("a b c d e f", "a b c d e X f");
    assert_prf(score.by[WN_MEASURE_SHINGLES], 2. / 4, 2. / 3, 4. / 7);
    score = score_of("a b c d", "A b c d"); /* the case counts */
    assert_prf(score.by[WN_MEASURE_SHINGLES], 0, 0, 0);
    score = score_of("a b", "a b"); /* a short text is one shingle */
    assert_prf(score.by[WN_MEASURE_SHINGLES], 1, 1, 1);
    score = score_of("a b", "a b c");
    assert_prf(score.by[WN_MEASURE_SHINGLES], 0, 0, 0);
    /* gold: aaaa twice; ours: aaaa three times: the bag has it twice. */
    score = score_of("a a a a a", "a a a a a a");
    assert_prf(score.by[WN_MEASURE_SHINGLES], 2. / 3, 1, 4. / 5);
}

/* ---- Snippets ---------------------------------------------------------------------------- */

static void snippets_with_and_without(void **state)
{
    (void)state;
    wn_str with[] = {WN_STR("a cat sat"), WN_STR("on the mat"), WN_STR("never there"), WN_STR("")};
    wn_str without[] = {WN_STR("subscribe"), WN_STR("imprint")};
    wn_eval_snippets snippets = {with, without, 4, 2};
    wn_measurer m = {0};
    wn_score score;
    wn_eval_measurer_begin(&m, WN_STR("A cat sat on the mat"));
    wn_eval_measurer_score(&m, WN_STR("A cat\n\tSAT on  the mat. Subscribe!"), &snippets, &score);
    assert_int_equal(score.with_count, 3);
    assert_int_equal(score.with_found, 2);
    assert_int_equal(score.without_count, 2);
    assert_int_equal(score.without_found, 1);
    assert_prf(score.by[WN_MEASURE_SNIPPETS], 2. / 3, 2. / 3, 4. / 6);
    wn_eval_measurer_score(&m, WN_STR(""), &no_snippets, &score);
    assert_true(isnan(score.by[WN_MEASURE_SNIPPETS].f1));
    wn_eval_measurer_free(&m);
}

static void folding(void **state)
{
    (void)state;
    wn_buf out = {0};
    wn_eval_add_folded(&out, WN_STR(" \n A\xC2\xA0 B\t\tÉ \n"));
    assert_string_equal(wn_buf_c_string(&out), "a b é");
    wn_buf_free(&out);
}

/* ---- Shares ------------------------------------------------------------------------------ */

static void shares_of_text_and_tags(void **state)
{
    (void)state;
    wn_measurer m = {0};
    wn_eval_measurer_begin(&m, WN_STR("Title\n\nSome text"));
    /* 9 tags, of which </h1> and <p> stand between words of the content; text without spaces:
       Home 4, Title 5, Some 4, text 4, Imprint 7 = 24, content 13. */
    wn_shares shares = wn_eval_measure_shares(
        &m, WN_STR("<nav>Home</nav><h1>Title</h1><p>Some text</p><hr>Imprint"
                   "<script>var text = 'Some';</script>"));
    assert_near(shares.text, 13. / 24);
    assert_near(shares.tags, 2. / 9);
    shares = wn_eval_measure_shares(&m, WN_STR(""));
    assert_true(isnan(shares.text) && isnan(shares.tags));
    wn_eval_measurer_free(&m);
}

/* ---- Many pages -------------------------------------------------------------------------- */

static void medians(void **state)
{
    (void)state;
    double odd[] = {3, 1, NAN, 2}, even[] = {4, 1, 2, 3};
    assert_near(wn_eval_median(odd, 4), 2);
    assert_near(wn_eval_median(even, 4), 2.5);
    assert_true(isnan(wn_eval_median(odd, 0)));
}

static void summaries(void **state)
{
    (void)state;
    const wn_prf scores[] = {{1, .5, .6}, {.5, 1, .7}, {NAN, 0, 0}, {0, NAN, 0}};
    wn_summary s;
    assert_true(wn_eval_summarize(scores, 4, false, 1, &s));
    assert_int_equal(s.pages, 4);
    assert_prf(s.mean, .5, .5, 1.3 / 4);
    assert_near(s.median.f1, .3);
    assert_true(wn_eval_summarize(scores, 4, true, 1, &s)); /* of the means .5 and .5 */
    assert_near(s.mean.f1, .5);
    assert_true(wn_eval_summarize(scores, 0, false, 1, &s));
    assert_true(isnan(s.mean.f1) && isnan(s.f1.low));
}

/* 400 pages, half 0 and half 1: the mean's standard error is 0.025, so about .451 to .549. */
static void intervals(void **state)
{
    (void)state;
    enum { PAGES = 400 };
    wn_prf scores[PAGES], better[PAGES];
    for (int i = 0; i < PAGES; i++) {
        double f1 = i % 2;
        scores[i] = (wn_prf){f1, f1, f1};
        better[i] = (wn_prf){f1 + .1, f1 + .1, f1 + .1};
    }
    wn_summary s, again;
    wn_eval_summarize(scores, PAGES, false, 1, &s);
    wn_eval_summarize(scores, PAGES, false, 1, &again);
    assert_true(fabs(s.f1.low - .451) < .01 && fabs(s.f1.high - .549) < .01);
    assert_true(s.f1.low == again.f1.low && s.f1.high == again.f1.high);
    wn_difference d = wn_eval_compare(better, scores, PAGES, false, 1);
    assert_true(fabs(d.mean - .1) < 1e-9);
    assert_true(fabs(d.interval.low - .1) < 1e-9 && fabs(d.interval.high - .1) < 1e-9);
    assert_int_equal(d.better, PAGES);
    assert_int_equal(d.worse, 0);
}

/* ---- Sites ------------------------------------------------------------------------------- */

static void domains_of_addresses(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"https://www.example.com/a/b?c", "example.com"},
        {"http://news.bbc.co.uk:80/x", "bbc.co.uk"},
        {"https://user:pw@Sub.Example.ORG", "example.org"},
        {"https://example.de", "example.de"},
        {"http://a.b.com.br/#x", "b.com.br"},
        {"http://192.168.0.1/x", "192.168.0.1"},
        {"http://[::1]:80/x", "[::1]"},
        {"http://localhost/x", "localhost"},
        {"//www.heise.de/x", "heise.de"},
        {"no address", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char domain[WN_IO_DOMAIN_SIZE];
        wn_io_domain_by_rule(wn_str_of(cases[i][0]), domain);
        assert_string_equal(domain, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_pythons),
        cmocka_unit_test(words_have_lengths),
        cmocka_unit_test(words_as_a_bag),
        cmocka_unit_test(empty_texts),
        cmocka_unit_test(lcs_of_the_paper),
        cmocka_unit_test(lcs_minds_the_order),
        cmocka_unit_test(lcs_agrees_with_the_textbook),
        cmocka_unit_test(lcs_of_long_pages_is_fast),
        cmocka_unit_test(rouge_counts_five_words),
        cmocka_unit_test(edit_similarity_by_hand),
        cmocka_unit_test(edit_distance_agrees_with_the_textbook),
        cmocka_unit_test(structure_of_markdown),
        cmocka_unit_test(structure_of_tables),
        cmocka_unit_test(teds_by_hand),
        cmocka_unit_test(segmented_words),
        cmocka_unit_test(normal_text),
        cmocka_unit_test(length_in_characters),
        cmocka_unit_test(shingles_of_four_words),
        cmocka_unit_test(snippets_with_and_without),
        cmocka_unit_test(folding),
        cmocka_unit_test(shares_of_text_and_tags),
        cmocka_unit_test(medians),
        cmocka_unit_test(summaries),
        cmocka_unit_test(intervals),
        cmocka_unit_test(domains_of_addresses),
    };
    return cmocka_run_group_tests_name("measures", tests, NULL, NULL);
}
