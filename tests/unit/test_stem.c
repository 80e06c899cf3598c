/*
 * Stems: forms of a word meet in one, by language.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "text/stem.h"

static int set_up(void **state)
{
    *state = wn_text_stemmer_new();
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    wn_text_stemmer_free(*state);
    return 0;
}

static void assert_stem(wn_stemmer *stemmer, const char *word, const char *expected)
{
    wn_str stem = wn_text_stem(stemmer, wn_str_of(word));
    assert_int_equal(stem.len, strlen(expected));
    assert_memory_equal(stem.ptr, expected, stem.len);
}

static void need_library(void)
{
    if (strcmp(wn_text_stem_engine(), "none") == 0)
        skip();
}

static void forms_meet(void **state)
{
    need_library();
    assert_true(wn_text_stemmer_use(*state, WN_STR("en")));
    assert_stem(*state, "connected", "connect");
    assert_stem(*state, "connection", "connect");
    assert_stem(*state, "connect", "connect");
    assert_true(wn_text_stemmer_use(*state, WN_STR("de")));
    assert_stem(*state, "häuser", "haus");
    assert_true(wn_text_stemmer_use(*state, WN_STR("ru")));
    assert_stem(*state, "книгами", "книг");
    assert_true(wn_text_stemmer_use(*state, WN_STR("nb")));
    assert_stem(*state, "husene", "hus");
    assert_true(wn_text_stemmer_use(*state, WN_STR("en")));
    assert_stem(*state, "häuser", "häuser");
}

static void words_of_other_languages_stay(void **state)
{
    static const char *const without[] = {"", "th", "zh", "xx", "klingon", "much-too-long-a-name"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        assert_false(wn_text_stemmer_use(*state, wn_str_of(without[i])));
        assert_stem(*state, "connected", "connected");
        assert_stem(*state, "ตากลม", "ตากลม");
    }
}

static void long_and_odd_words_stay(void **state)
{
    char word[100001];
    memset(word, 's', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    wn_text_stemmer_use(*state, WN_STR("en"));
    assert_stem(*state, word, word);
    assert_stem(*state, "3.14", "3.14");
    assert_stem(*state, "", "");
}

static void texts_become_stems(void **state)
{
    need_library();
    wn_words *words = wn_text_words_new();
    wn_buf out = {0};
    wn_text_stemmer_use(*state, WN_STR("en"));
    wn_text_words_set_language(words, WN_STR("en"));
    size_t count = wn_text_stem_text(*state, words, WN_STR("Winnowing: the FARMERS' winds, 3.14!"),
                                     &out);
    assert_int_equal(count, 5);
    assert_string_equal(wn_buf_c_string(&out), "winnow the farmer wind 3.14");
    wn_buf_clear(&out);
    assert_int_equal(wn_text_stem_text(*state, words, WN_STR(" …  "), &out), 0);
    assert_int_equal(out.len, 0);
    wn_buf_free(&out);
    wn_text_words_free(words);
}

/* What is remembered of one language is not told in another. */
static void texts_of_languages_take_turns(void **state)
{
    need_library();
    wn_words *words = wn_text_words_new();
    wn_buf out = {0};
    static const char *const turns[][2] = {
        {"de", "haus haus"}, {"en", "häuser häuser"}, {"", "häuser häuser"}};
    for (size_t round = 0; round < 6; round++) {
        wn_buf_clear(&out);
        wn_text_stemmer_use(*state, wn_str_of(turns[round % 3][0]));
        wn_text_stem_text(*state, words, WN_STR("Häuser, häuser"), &out);
        assert_string_equal(wn_buf_c_string(&out), turns[round % 3][1]);
    }
    wn_buf_free(&out);
    wn_text_words_free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(forms_meet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(words_of_other_languages_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_and_odd_words_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_become_stems, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_of_languages_take_turns, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
