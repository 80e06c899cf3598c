/*
 * Tag clouds: which words are counted, and that no two of them ever overlap; sheets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "draw/number_words.h"
#include "draw/cloud.h"
#include "draw/count.h"
#include "draw/palette.h"
#include "draw/sheet.h"
#include "support/collide.h"
#include "support/files.h"

/* ---- Weights ----------------------------------------------------------------------------- */

/* The weights of a text, as "word,count" lines. */
static void assert_weights(const char *language, const char *text, size_t most, uint64_t least,
                           const char *expected)
{
    wn_words *segmenter = wn_text_words_new();
    wn_stopwords stop = {0};
    wn_counts counts = {0};
    wn_buf csv = {0};
    wn_text_stopwords_use(&stop, wn_str_of(language));
    wn_text_stopwords_add(&stop, WN_STR("unwanted\n"));
    wn_stemmer *stemmer = wn_text_stemmer_new();
    bool stems = wn_text_stemmer_use(stemmer, wn_str_of(language));
    wn_draw_reading reading = {segmenter, &stop, stems ? stemmer : NULL,
                               wn_draw_number_words(wn_str_of(language))};
    wn_draw_counts_add_text(&counts, &reading, wn_str_of(text));
    wn_draw_counts_csv(&csv, &counts, wn_draw_counts_top(&counts, most, least));
    assert_false(counts.failed);
    assert_string_equal(wn_buf_c_string(&csv) + sizeof "word,count\r", expected);
    wn_buf_free(&csv);
    wn_draw_counts_free(&counts);
    wn_text_stopwords_free(&stop);
    wn_text_stemmer_free(stemmer);
    wn_text_words_free(segmenter);
}

static void words_are_counted_without_regard_to_case(void **state)
{
    (void)state;
    assert_weights("en", "Mill mill MILL river River boat", 10, 1,
                   "mill,3\r\nriver,2\r\nboat,1\r\n");
}

static void equal_weights_are_in_the_order_of_their_bytes(void **state)
{
    (void)state;
    assert_weights("", "pear apple fig figs", 10, 1, "apple,1\r\nfig,1\r\nfigs,1\r\npear,1\r\n");
}

static void stop_words_of_the_language_and_the_user_are_left_out(void **state)
{
    (void)state;
    assert_weights("en", "the mill and its unwanted wheel", 10, 1, "mill,1\r\nwheel,1\r\n");
    assert_weights("de", "die Mühle und das Rad", 10, 1, "Mühle,1\r\nRad,1\r\n");
}

static void numbers_single_letters_and_endless_words_are_left_out(void **state)
{
    (void)state;
    assert_weights("en", "1999 3.14 x y mp3", 10, 1, "mp3,1\r\n");
    assert_weights("en", "https://www.mill.com/page.html", 10, 1, "mill,1\r\npage,1\r\n");
    assert_weights("zh", "水", 10, 1, "水,1\r\n");
    assert_weights("en", "abcdefghijabcdefghijabcdefghijabcdefghij", 10, 1,
                   "abcdefghijabcdefghijabcdefghijabcdefghij,1\r\n");
    assert_weights("en", "abcdefghijabcdefghijabcdefghijabcdefghijk", 10, 1, "");
}

static void an_english_s_is_cut_off(void **state)
{
    (void)state;
    assert_weights("en", "the miller's mill, the miller’s wheel; it's", 10, 1,
                   "miller,2\r\nmill,1\r\nwheel,1\r\n");
}

/* kernel and kernels are one word, shown as it is mostly written. */
static void forms_of_a_word_are_one(void **state)
{
    (void)state;
    if (strcmp(wn_text_stem_engine(), "none") == 0)
        skip();
    assert_weights("en", "a kernel, kernels and more kernels", 10, 1, "kernels,3\r\n");
    assert_weights("en", "a bucket of buckets", 10, 1, "buckets,2\r\n");
    /* A language without a stemmer. */
    assert_weights("th", "kernel kernels", 10, 1, "kernel,1\r\nkernels,1\r\n");
}

/* Capitals are kept where the writer chose them: not at the start of a sentence. */
static void names_keep_their_capitals(void **state)
{
    (void)state;
    assert_weights("en", "Rain fell in London. London saw rain. Rain, they said.", 10, 1,
                   "rain,3\r\nLondon,2\r\nfell,1\r\nsaw,1\r\n");
    assert_weights("en", "NATO. Winnow", 10, 1, "NATO,1\r\nWinnow,1\r\n");
    assert_weights("en", "He met Anna\u2019s mill", 10, 1, "Anna,1\r\nmet,1\r\nmill,1\r\n");
}

static void words_for_numbers_are_left_out(void **state)
{
    (void)state;
    assert_weights("en", "Two million mills, one hundred wheels", 10, 1, "mills,1\r\nwheels,1\r\n");
    assert_weights("de", "zwölf Mühlen", 10, 1, "Mühlen,1\r\n");
    assert_weights("th", "สามล้าน", 10, 1, "");
    assert_weights("en", "elf oneself", 10, 1, "elf,1\r\noneself,1\r\n");
}

static void most_and_least_cut_the_list(void **state)
{
    (void)state;
    assert_weights("", "aa aa aa bb bb cc", 2, 1, "aa,3\r\nbb,2\r\n");
    assert_weights("", "aa aa aa bb bb cc", 10, 2, "aa,3\r\nbb,2\r\n");
    assert_weights("", "aa bb", 10, 2, "");
    assert_weights("", "", 10, 1, "");
}

static void many_words_are_counted(void **state)
{
    (void)state;
    enum { DIFFERENT = 20000 };
    wn_counts counts = {0};
    for (int i = 0; i < 3 * DIFFERENT; i++) {
        char word[16];
        int len = snprintf(word, sizeof word, "w%d", i % DIFFERENT);
        wn_draw_counts_add(&counts, wn_str_from(word, (size_t)len));
    }
    assert_int_equal(wn_draw_counts_top(&counts, 2 * DIFFERENT, 3), DIFFERENT);
    assert_int_equal(counts.total, 3 * DIFFERENT);
    wn_draw_counts_free(&counts);
}

/* A page may be made of words whose hashes meet, if the hash is one that everybody knows. */
static void chosen_words_are_not_slow(void **state)
{
    (void)state;
    wn_buf text = {0};
    wn_counts counts = {0};
    wn_stopwords stop = {0};
    wn_words *segmenter = wn_text_words_new();
    size_t different = test_colliding_words(&text, 60000);
    assert_true(wn_text_stopwords_add(&stop, WN_STR("the\nof\n")));
    double start = test_now();
    wn_draw_reading reading = {.segmenter = segmenter, .stop = &stop};
    wn_draw_counts_add_text(&counts, &reading, wn_buf_str(&text));
    assert_int_equal(wn_draw_counts_top(&counts, SIZE_MAX, 1), different);
    assert_true(test_now() - start < 2);
    wn_draw_counts_free(&counts);
    wn_text_stopwords_free(&stop);
    wn_text_words_free(segmenter);
    wn_buf_free(&text);
}

static void a_comma_in_a_word_is_quoted(void **state)
{
    (void)state;
    assert_weights("", "a1,000", 10, 1, "\"a1,000\",1\r\n");
}

/* ---- Layout ------------------------------------------------------------------------------ */

/* Words of random lengths with counts that fall as those of real texts do. */
static void make_words(wn_cloud_word *words, size_t count, unsigned seed)
{
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1103515245u + 12345u;
        double letters = 2 + (seed >> 16) % 11;
        double height = 0.55 + ((seed >> 20) % 5) * 0.1;
        words[i] = (wn_cloud_word){
            .count = 1 + 200 / (i + 1),
            .ink = {0.05, -height + 0.1, letters * 0.6, height},
        };
    }
}

static void assert_apart(const wn_cloud_word *words, size_t count, double width, double height)
{
    for (size_t i = 0; i < count; i++) {
        if (words[i].size == 0)
            continue;
        wn_cloud_box a = wn_draw_cloud_box_of(&words[i]);
        assert_true(a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + a.height <= height);
        for (size_t k = 0; k < i; k++) {
            wn_cloud_box b = wn_draw_cloud_box_of(&words[k]);
            static const double margin = 3.99; /* pixels between neighbours, at least */
            bool apart = words[k].size == 0 || a.x >= b.x + b.width + margin ||
                         b.x >= a.x + a.width + margin || a.y >= b.y + b.height + margin ||
                         b.y >= a.y + a.height + margin;
            assert_true(apart);
        }
    }
}

static void no_two_words_overlap(void **state)
{
    (void)state;
    static const double sizes[][2] = {{800, 600}, {300, 900}, {1600, 200}};
    wn_cloud_word words[200];
    for (unsigned seed = 1; seed <= 9; seed++) {
        size_t count = 1 + seed * 22;
        double width = sizes[seed % 3][0], height = sizes[seed % 3][1];
        make_words(words, count, seed);
        size_t placed = wn_draw_cloud_lay(words, count, &(wn_cloud_settings){width, height, seed});
        assert_int_equal(placed, count);
        assert_apart(words, count, width, height);
    }
}

static void sizes_follow_the_weights_and_fill_the_canvas(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    wn_cloud_word words[COUNT];
    double area = 0;
    make_words(words, COUNT, 7);
    wn_draw_cloud_lay(words, COUNT, &(wn_cloud_settings){800, 600, 1});
    for (size_t i = 0; i < COUNT; i++) {
        area += words[i].ink.width * words[i].ink.height * words[i].size * words[i].size;
        if (i > 0)
            assert_true(words[i].size <= words[i - 1].size);
        if (words[i].count == words[0].count)
            assert_true(words[i].size == words[0].size);
    }
    assert_true(area > 0.4 * 800 * 600);
    wn_cloud_box first = wn_draw_cloud_box_of(&words[0]);
    assert_true(first.x < 400 && first.x + first.width > 400);
    assert_true(first.y < 300 && first.y + first.height > 300);
}

static void a_seed_decides_everything(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    wn_cloud_word a[COUNT], b[COUNT], c[COUNT];
    make_words(a, COUNT, 3);
    make_words(b, COUNT, 3);
    make_words(c, COUNT, 3);
    wn_draw_cloud_lay(a, COUNT, &(wn_cloud_settings){800, 600, 5});
    wn_draw_cloud_lay(b, COUNT, &(wn_cloud_settings){800, 600, 5});
    wn_draw_cloud_lay(c, COUNT, &(wn_cloud_settings){800, 600, 6});
    bool other = false;
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(a[i].x == b[i].x && a[i].y == b[i].y && a[i].size == b[i].size);
        assert_int_equal(a[i].chance, b[i].chance);
        other = other || a[i].x != c[i].x;
    }
    assert_true(other);
}

static void what_has_no_room_is_left_out(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    wn_cloud_word words[COUNT];
    make_words(words, COUNT, 11);
    size_t placed = wn_draw_cloud_lay(words, COUNT, &(wn_cloud_settings){100, 100, 1});
    size_t shown = 0;
    for (size_t i = 0; i < COUNT; i++)
        shown += words[i].size > 0;
    assert_int_equal(shown, placed);
    assert_true(placed > 0 && placed < COUNT);
    assert_apart(words, COUNT, 100, 100);
}

static void odd_words_do_no_harm(void **state)
{
    (void)state;
    wn_cloud_settings settings = {800, 600, 1};
    wn_cloud_word empty = {.count = 5}, wide = {.count = 1, .ink = {0, -1, 40, 1}};
    wn_cloud_word pair[2] = {empty, wide};
    assert_int_equal(wn_draw_cloud_lay(NULL, 0, &settings), 0);
    assert_int_equal(wn_draw_cloud_lay(&empty, 1, &settings), 1);
    assert_int_equal(wn_draw_cloud_lay(&wide, 1, &settings), 1);
    assert_int_equal(wn_draw_cloud_lay(pair, 2, &settings), 2);
    wn_cloud_word large = {.count = UINT64_MAX, .ink = {0, -1, 1, 1}};
    wn_cloud_word uneven[2] = {large, wide};
    wn_draw_cloud_lay(uneven, 2, &(wn_cloud_settings){50, 10000, 1});
    assert_apart(uneven, 2, 50, 10000);
}

/* ---- Palettes ---------------------------------------------------------------------------- */

/* https://www.w3.org/TR/WCAG21/#dfn-relative-luminance, with a square for the curve. */
static double luminance(uint32_t colour)
{
    double r = (colour >> 16) / 255.0, g = (colour >> 8 & 0xFF) / 255.0,
           b = (colour & 0xFF) / 255.0;
    return 0.2126 * r * r + 0.7152 * g * g + 0.0722 * b * b;
}

static void colours_are_seen_on_their_paper(void **state)
{
    (void)state;
    for (size_t i = 0; wn_draw_palette_at(i); i++) {
        const wn_palette *palette = wn_draw_palette_at(i);
        for (size_t k = 0; k < WN_PALETTE_COLOURS; k++) {
            double a = luminance(palette->paper) + 0.05;
            double b = luminance(palette->colours[k]) + 0.05;
            assert_true((a > b ? a / b : b / a) >= 3);
        }
    }
    assert_null(wn_draw_palette_name(NULL, 1000));
    assert_null(wn_draw_palette_summary(NULL, 1000));
}

/* ---- Sheets ------------------------------------------------------------------------------ */

static void a_sheet_becomes_svg(void **state)
{
    (void)state;
    wn_sheet sheet = {.width = 40, .height = 30};
    wn_buf out = {0}, error = {0};
    wn_draw_sheet_box(&sheet, (wn_shape){.x = 1, .width = 2, .height = 3, .text = WN_STR("a<b>")});
    wn_draw_sheet_line(&sheet, (wn_shape){.x = 1, .y = 2, .width = 3, .colour = 0xff0000});
    wn_draw_sheet_label(
        &sheet, (wn_shape){.x = 5, .size = 13, .anchor = WN_ANCHOR_END, .text = WN_STR("\"&\1")});
    assert_true(wn_draw_sheet_write(&sheet, WN_PICTURE_SVG, &out, &error));
    assert_string_equal(wn_buf_c_string(&out),
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"30\" "
                        "viewBox=\"0 0 40 30\" font-family=\"Arial, sans-serif\">\n"
                        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
                        "<rect x=\"1.0\" y=\"0.0\" width=\"2.0\" height=\"3.0\" fill=\"#000000\">"
                        "<title>a&lt;b&gt;</title></rect>\n"
                        "<line x1=\"1.0\" y1=\"2.0\" x2=\"4.0\" y2=\"2.0\" stroke=\"#ff0000\"/>\n"
                        "<text x=\"5.0\" y=\"0.0\" font-size=\"13\" text-anchor=\"end\" "
                        "fill=\"#000000\">&quot;&amp; </text>\n"
                        "</svg>\n");
    out.failed = true;
    assert_false(wn_draw_sheet_write(&sheet, WN_PICTURE_SVG, &out, &error));
    assert_string_equal(wn_buf_c_string(&error), "cannot draw: out of memory");
    wn_buf_free(&out);
    wn_buf_free(&error);
    wn_draw_sheet_free(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_counted_without_regard_to_case),
        cmocka_unit_test(equal_weights_are_in_the_order_of_their_bytes),
        cmocka_unit_test(stop_words_of_the_language_and_the_user_are_left_out),
        cmocka_unit_test(numbers_single_letters_and_endless_words_are_left_out),
        cmocka_unit_test(an_english_s_is_cut_off),
        cmocka_unit_test(forms_of_a_word_are_one),
        cmocka_unit_test(names_keep_their_capitals),
        cmocka_unit_test(words_for_numbers_are_left_out),
        cmocka_unit_test(most_and_least_cut_the_list),
        cmocka_unit_test(many_words_are_counted),
        cmocka_unit_test(chosen_words_are_not_slow),
        cmocka_unit_test(a_comma_in_a_word_is_quoted),
        cmocka_unit_test(no_two_words_overlap),
        cmocka_unit_test(sizes_follow_the_weights_and_fill_the_canvas),
        cmocka_unit_test(a_seed_decides_everything),
        cmocka_unit_test(what_has_no_room_is_left_out),
        cmocka_unit_test(odd_words_do_no_harm),
        cmocka_unit_test(colours_are_seen_on_their_paper),
        cmocka_unit_test(a_sheet_becomes_svg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
