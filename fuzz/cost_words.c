/*
 * Looks for texts whose words cost more than their share: cutting, folding, stop words,
 * the language.
 */
#include "cost.h"

#include "base/arena.h"
#include "base/buf.h"
#include "html/encoding.h"
#include "text/language.h"
#include "text/stopwords.h"
#include "text/unicode.h"
#include "text/words.h"

static void read_words(wn_str bytes, uint32_t choice)
{
    static const char *const languages[] = {"", "fr", "th", "en", "ja"};
    static wn_words *words; /* one for all texts: dictionaries are read once */
    static wn_arena arena;
    static wn_buf folded;
    const char *language = languages[choice % 5];
    wn_stopwords stop = {0};
    if (!words) {
        words = wn_text_words_new();
        wn_arena_init(&arena, 0);
    }
    FUZZ_CHECK(words);
    wn_arena_reset(&arena);
    wn_str text = wn_html_decode(&arena, bytes, "utf-8").text;
    wn_text_stopwords_use(&stop, wn_str_of(language));
    wn_text_language_guess(words, text);
    wn_text_words_set_language(words, wn_str_of(language));
    wn_text_words_begin(words, text);
    for (wn_str word; wn_text_words_next(words, &word);) {
        wn_buf_clear(&folded);
        wn_text_fold(&folded, word);
        wn_text_stopwords_has(&stop, wn_buf_str(&folded));
    }
    wn_text_stopwords_free(&stop);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return cost_test(data, size, read_words);
}
