/*
 * Words in every script, edges, marks, and what nobody would write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "support/files.h"
#include "text/stopwords.h"
#include "text/unicode.h"
#include "text/words.h"

static wn_words *words;

static int make_words(void **state)
{
    (void)state;
    words = wn_text_words_new();
    return words ? 0 : -1;
}

static int free_words(void **state)
{
    (void)state;
    wn_text_words_free(words);
    return 0;
}

static void join_words(wn_buf *out, wn_str text)
{
    wn_text_words_begin(words, text);
    for (wn_str word; wn_text_words_next(words, &word);) {
        if (out->len > 0)
            wn_buf_add_char(out, '|');
        wn_buf_add(out, word);
    }
}

/* The words of a text, with | between them. */
static void assert_words(const char *text, const char *expected)
{
    wn_buf out = {0};
    join_words(&out, wn_str_of(text));
    assert_string_equal(wn_buf_c_string(&out), expected);
    wn_buf_free(&out);
}

static bool has_icu(void)
{
    return strcmp(wn_text_words_other_engine(), "ICU") == 0;
}

static bool has_libthai(void)
{
    return strcmp(wn_text_words_thai_engine(), "libthai") == 0;
}

/* ---- Letters and digits ------------------------------------------------------------------ */

static void nothing_has_no_words(void **state)
{
    (void)state;
    assert_words("", "");
    assert_words(" \t\r\n", "");
    assert_words("… – ! ?? ()", "");
    wn_text_words_begin(words, (wn_str){NULL, 0});
    wn_str word;
    assert_false(wn_text_words_next(words, &word));
    assert_false(wn_text_words_next(words, &word));
}

static void letters_and_digits_are_words(void **state)
{
    (void)state;
    assert_words("The cat sat.", "The|cat|sat");
    assert_words("mp3 4K x2y", "mp3|4K|x2y");
    assert_words("café Füße Ærø", "café|Füße|Ærø");
    assert_words("Привет, мир! Γειά σου", "Привет|мир|Γειά|σου");
    assert_words("שלום עולם سلام", "שלום|עולם|سلام");
    assert_words("한국어는 띄어쓰기", "한국어는|띄어쓰기");
    assert_words("١٢٣ ५", "١٢٣|५");
}

static void apostrophes_join(void **state)
{
    (void)state;
    assert_words("don't", "don't");
    assert_words("don’t rock'n'roll", "don’t|rock'n'roll");
    assert_words("'quoted' dogs' 'tis", "quoted|dogs|tis");
    assert_words("a''b", "a|b");
    assert_words("it's'", "it's");
}

static void hyphens_separate(void **state)
{
    (void)state;
    assert_words("well-known anak-anak", "well|known|anak|anak");
    assert_words("a–b—c", "a|b|c");
}

static void points_join_digits(void **state)
{
    (void)state;
    assert_words("3.14 1,000.5", "3.14|1,000.5");
    assert_words("v1.2 example.com", "v1.2|example|com");
    assert_words("5. 6, .7", "5|6|7");
    assert_words("1..2", "1|2");
}

static void underscores_join(void **state)
{
    (void)state;
    assert_words("snake_case __init__ _a_", "snake_case|init|a");
}

static void middle_dots_join_two_l(void **state)
{
    (void)state;
    assert_words("col·lecció", "col·lecció");
    assert_words("a·b", "a|b");
}

static void articles_are_words_in_some_languages(void **state)
{
    (void)state;
    assert_words("l'homme d’abord", "l'homme|d’abord");
    wn_text_words_set_language(words, WN_STR("fr"));
    assert_words("l'homme qu’il d’abord", "l|homme|qu|il|d|abord");
    assert_words("aujourd'hui", "aujourd'hui");
    wn_text_words_set_language(words, WN_STR("it"));
    assert_words("dell'acqua", "dell|acqua");
    wn_text_words_set_language(words, WN_STR("en"));
    assert_words("l'homme", "l'homme");
}

static void marks_belong_to_letters(void **state)
{
    (void)state;
    assert_words("cafe\u0301 x", "cafe\u0301|x");
    assert_words("हिन्दी भाषा", "हिन्दी|भाषा");
    assert_words("தமிழ் மொழி", "தமிழ்|மொழி");
    assert_words("\u0301\u0301 a", "a"); /* a mark on nothing is nothing */
}

static void invisible_characters(void **state)
{
    (void)state;
    assert_words("Fuß\u00ADball", "Fuß\u00ADball");
    assert_words("می\u200Cخواهم", "می\u200Cخواهم");
    assert_words("word\u200E \u200Fnext", "word|next");
    assert_words("a\u200Bb", "a|b");
    assert_words("a\u00ADb'\u00ADc", "a\u00ADb|c");
}

static void emoji_are_no_words(void **state)
{
    (void)state;
    assert_words("ok 😀👩‍👩‍👧 🇩🇪 fine", "ok|fine");
    assert_words("a😀b", "a|b");
}

/* ---- Scripts without spaces -------------------------------------------------------------- */

static void thai(void **state)
{
    (void)state;
    if (!has_libthai())
        skip();
    assert_words("ความเป็นไทย", "ความ|เป็น|ไทย");
    assert_words("ต่างๆ", "ต่าง|ๆ");
    assert_words("มากๆๆ", "มาก|ๆ|ๆ");
    assert_words("โว้ยย ลิป", "โว้ยย|ลิป");
}

static void scripts_end_where_others_begin(void **state)
{
    (void)state;
    assert_words("7วันHONDA ๑๒วัน", "7|วัน|HONDA|๑๒|วัน");
    assert_words("กa一b", "ก|a|一|b");
    assert_words("ไทย\u200Bไทย", "ไทย|ไทย");
    assert_words("ไทย😀ไทย", "ไทย|ไทย");
}

static void other_scripts(void **state)
{
    (void)state;
    if (!has_icu())
        skip();
    assert_words("我来到北京。", "我|来到|北京");
    assert_words("東京タワー", "東京タワー");
    assert_words("ພາສາລາວ", "ພາສາ|ລາວ");
    assert_words("ភាសា ខ្មែរ", "ភាសា|ខ្មែរ");
    assert_words("𠮷野家", "𠮷|野家");
}

static void without_dictionaries(void **state)
{
    (void)state;
    if (has_icu())
        skip();
    assert_words("北京ひらがな", "北|京|ひらがな");
    assert_words("ພາສາລາວ", "ພາສາລາວ");
}

/* ---- Any text ---------------------------------------------------------------------------- */

/* Words are not empty, in order, apart, and begin and end at characters. */
static size_t check_walk(wn_str text)
{
    const char *behind = text.ptr;
    size_t count = 0;
    wn_text_words_begin(words, text);
    for (wn_str word; wn_text_words_next(words, &word); count++) {
        assert_true(word.len > 0 && word.ptr >= behind);
        behind = word.ptr + word.len;
        assert_true(behind <= text.ptr + text.len);
        assert_true((*word.ptr & 0xC0) != 0x80);
        assert_true(wn_utf8_valid_prefix(word) == word.len);
    }
    return count;
}

static uint32_t random_character(uint64_t *random)
{
    static const uint32_t starts[] = {0x20,   0x41,   0x27,   0xE00,  0xE30,   0xE80,
                                      0x1000, 0x1780, 0x3040, 0x30A0, 0x4E00,  0x300,
                                      0x2000, 0x600,  0xAC00, 0x900,  0x20000, 0x1F600};
    uint64_t r = test_random(random);
    return starts[r % (sizeof starts / sizeof *starts)] + (uint32_t)(r >> 32) % 96;
}

static void any_text_is_walked(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    wn_buf text = {0};
    for (int round = 0; round < 300; round++) {
        wn_buf_clear(&text);
        for (int i = 0; i < 1500; i++) {
            char bytes[4];
            uint32_t c = random_character(&random);
            for (uint64_t n = test_random(&random) % 4; n > 0; n--)
                wn_buf_add(&text, wn_str_from(bytes, (size_t)wn_utf8_encode(c, bytes)));
        }
        check_walk(wn_buf_str(&text));
    }
    wn_buf_free(&text);
}

static void every_character_alone(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < 0x110000; c += c == 0xD7FF ? 0x801 : 1) {
        char bytes[4];
        wn_str text = wn_str_from(bytes, (size_t)wn_utf8_encode(c, bytes));
        wn_char_class class = wn_text_class_of(c);
        bool is_word = class == WN_CLASS_LETTER || class == WN_CLASS_DIGIT ||
                       class >= WN_CLASS_THAI;
        assert_int_equal(check_walk(text), is_word);
    }
}

/* A long run is cut in chunks; no character gets lost, and the time does not explode. */
static void long_runs(void **state)
{
    (void)state;
    static const char *const units[] = {"ตากลม",   "ก",      "ๆ",    "ิ",     "我来到北京",
                                        "ひ",      "ລາວ",    "ខ្មែរ", "စကား", "a'",
                                        "a\u0301", "\u200D", "1,",   "a_",   "ก\u0301"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        wn_buf text = {0};
        while (text.len < 200000)
            wn_buf_add_literal(&text, units[i]);
        double start = test_now();
        check_walk(wn_buf_str(&text));
        assert_true(test_now() - start < 5);
        wn_buf_free(&text);
    }
}

/* The same words whether or not a chunk ends among them. */
static void chunks_do_not_show(void **state)
{
    (void)state;
    if (!has_libthai())
        skip();
    wn_buf text = {0}, out = {0};
    for (int i = 0; i < 300; i++)
        wn_buf_add_literal(&text, "ความเป็นไทย");
    assert_int_equal(check_walk(wn_buf_str(&text)), 900);
    wn_buf_free(&text);
    wn_buf_free(&out);
}

static void words_are_counted(void **state)
{
    (void)state;
    assert_int_equal(wn_text_words_count(words, WN_STR("one two, three")), 3);
    assert_int_equal(wn_text_words_count(words, WN_STR("")), 0);
}

/* ---- Comparing words --------------------------------------------------------------------- */

static void assert_folded(const char *word, const char *expected)
{
    wn_buf out = {0};
    wn_text_fold(&out, wn_str_of(word));
    assert_string_equal(wn_buf_c_string(&out), expected);
    wn_buf_free(&out);
}

static void words_are_folded(void **state)
{
    (void)state;
    assert_folded("ABC xyz", "abc xyz");
    assert_folded("ÄÖÜẞ", "äöüß");
    assert_folded("ΑΒΓ ПРИВЕТ", "αβγ привет");
    assert_folded("Don’t", "don't");
    assert_folded("Fuß\u00ADball", "fußball");
    assert_folded("ÀĀĂŸŽ ƁǄ Ⴀ Ḁ Ａ 𐐀", "àāăÿž ɓǆ ⴀ ḁ ａ 𐐨");
    assert_folded("ไทย漢字", "ไทย漢字");
    assert_int_equal(wn_text_lower(0x130), 'i');
    assert_int_equal(wn_text_lower(0x10FFFF), 0x10FFFF);
}

static void stopwords_of_a_language(void **state)
{
    (void)state;
    wn_stopwords stop = {0};
    assert_false(wn_text_stopwords_has(&stop, WN_STR("the")));
    assert_true(wn_text_stopwords_use(&stop, WN_STR("en")));
    assert_true(wn_text_stopwords_has(&stop, WN_STR("the")));
    assert_true(wn_text_stopwords_has(&stop, WN_STR("don't")));
    assert_false(wn_text_stopwords_has(&stop, WN_STR("grain")));
    assert_false(wn_text_stopwords_has(&stop, WN_STR("")));
    assert_true(wn_text_stopwords_use(&stop, WN_STR("th")));
    assert_true(wn_text_stopwords_has(&stop, WN_STR("และ")));
    assert_false(wn_text_stopwords_has(&stop, WN_STR("the")));
    assert_false(wn_text_stopwords_use(&stop, WN_STR("tlh")));
    wn_text_stopwords_free(&stop);
}

static void every_wanted_language_has_stopwords(void **state)
{
    (void)state;
    static const char *const wanted[] = {"en", "de", "fr", "es", "pt", "it", "nl",
                                         "ru", "vi", "th", "id", "zh", "ja"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_true(wn_text_stopword_language_bit(wn_str_of(wanted[i])) != 0);
}

static void stopwords_of_a_user(void **state)
{
    (void)state;
    wn_stopwords stop = {0};
    assert_true(wn_text_stopwords_add(&stop, WN_STR("\xEF\xBB\xBF"
                                                    "Grain\r\n# no word\n\n  ÄPFEL  \nlast")));
    assert_int_equal(stop.added.keys.count, 3);
    assert_true(wn_text_stopwords_has(&stop, WN_STR("grain")));
    assert_true(wn_text_stopwords_has(&stop, WN_STR("äpfel")));
    assert_true(wn_text_stopwords_has(&stop, WN_STR("last")));
    assert_false(wn_text_stopwords_has(&stop, WN_STR("# no word")));
    assert_true(wn_text_stopwords_add(&stop, WN_STR("grain\nbad \xFF byte\n")));
    assert_int_equal(stop.added.keys.count, 4);
    wn_text_stopwords_free(&stop);
}

static void many_stopwords_of_a_user(void **state)
{
    (void)state;
    wn_stopwords stop = {0};
    wn_buf lines = {0};
    for (int i = 0; i < 5000; i++)
        wn_buf_add_format(&lines, "word%d\n", i);
    assert_true(wn_text_stopwords_add(&stop, wn_buf_str(&lines)));
    assert_int_equal(stop.added.keys.count, 5000);
    assert_true(wn_text_stopwords_has(&stop, WN_STR("word4999")));
    assert_false(wn_text_stopwords_has(&stop, WN_STR("word5000")));
    wn_buf_free(&lines);
    wn_text_stopwords_free(&stop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_has_no_words),
        cmocka_unit_test(letters_and_digits_are_words),
        cmocka_unit_test(apostrophes_join),
        cmocka_unit_test(hyphens_separate),
        cmocka_unit_test(points_join_digits),
        cmocka_unit_test(underscores_join),
        cmocka_unit_test(middle_dots_join_two_l),
        cmocka_unit_test(articles_are_words_in_some_languages),
        cmocka_unit_test(marks_belong_to_letters),
        cmocka_unit_test(invisible_characters),
        cmocka_unit_test(emoji_are_no_words),
        cmocka_unit_test(thai),
        cmocka_unit_test(scripts_end_where_others_begin),
        cmocka_unit_test(other_scripts),
        cmocka_unit_test(without_dictionaries),
        cmocka_unit_test(any_text_is_walked),
        cmocka_unit_test(every_character_alone),
        cmocka_unit_test(long_runs),
        cmocka_unit_test(chunks_do_not_show),
        cmocka_unit_test(words_are_counted),
        cmocka_unit_test(words_are_folded),
        cmocka_unit_test(stopwords_of_a_language),
        cmocka_unit_test(every_wanted_language_has_stopwords),
        cmocka_unit_test(stopwords_of_a_user),
        cmocka_unit_test(many_stopwords_of_a_user),
    };
    return cmocka_run_group_tests(tests, make_words, free_words);
}
