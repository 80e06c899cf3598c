/*
 * What --explain says of a feature of `auto`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/feature_words.h"

static void features_are_told_in_words(void **state)
{
    (void)state;
    static const struct {
        winnow_reason reason;
        const char *words;
    } examples[] = {
        {{.feature = "WORDS", .value = 84}, "words in it: 84"},
        {{.feature = "LINK_SHARE", .value = 300}, "share of its text in links: 30%"},
        {{.feature = "ENDS_SENTENCE", .value = 2}, "ends like a sentence"},
        {{.feature = "ENDS_SENTENCE", .value = 0}, "ends like a sentence: no"},
        {{.feature = "FIRST_UPPER", .value = 0}, "begins with a capital: no"},
        {{.feature = "UPPER_WORDS", .value = 142}, "words with a capital: 14%"},
        {{.feature = "OF_TITLE", .value = 800}, "how many of its words are in the title: 80%"},
        {{.feature = "FROM_TITLE", .value = 3}, "blocks from the title: 3"},
        {{.feature = "L1_BLOCK_WORDS", .value = 125}, "element 1 up: words per block: 13"},
        {{.feature = "L2_TAG", .value = 7}, "element 2 up: element"},
        {{.feature = "NEAR_ITEM", .value = 999}, "steps up to <li>: nowhere near"},
        {{.feature = "LEFT1_WORDS", .value = -1}, "1 before it: words: nothing there"},
        {{.feature = "SOMETHING_NEW", .value = 1}, "something new"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        wn_buf out = {0};
        wn_cli_add_feature(&out, &examples[i].reason);
        assert_string_equal(wn_buf_c_string(&out), examples[i].words);
        wn_buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(features_are_told_in_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
