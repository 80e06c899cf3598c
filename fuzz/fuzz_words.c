/*
 * Fuzzes words, stop words and languages: any text, any language, any list of stop words.
 *
 * Properties: words are not empty, in order, apart, inside the text and whole characters; nothing
 * between them could be a word; folded words are well-formed and stay as they are when
 * they are folded again; the same text gives the same words again.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "base/buf.h"
#include "html/encoding.h"
#include "text/language.h"
#include "text/stopwords.h"
#include "text/unicode.h"
#include "text/words.h"

/* One object for all inputs, as a thread has it: dictionaries are read once. */
static wn_words *words;

static void check_gap(const char *p, const char *end)
{
    while (p < end) {
        wn_char_class class = wn_text_class_of(wn_utf8_next(&p));
        FUZZ_CHECK(class != WN_CLASS_LETTER && class != WN_CLASS_DIGIT && class < WN_CLASS_THAI);
    }
}

static void check_fold(wn_buf *once, wn_buf *twice, wn_str word)
{
    wn_buf_clear(once);
    wn_buf_clear(twice);
    wn_text_fold(once, word);
    fuzz_check_utf8(wn_buf_str(once));
    wn_text_fold(twice, wn_buf_str(once));
    FUZZ_CHECK(wn_str_eq(wn_buf_str(once), wn_buf_str(twice)));
}

static uint64_t walk(wn_str text, const wn_stopwords *stop)
{
    wn_buf once = {0}, twice = {0};
    const char *behind = text.ptr;
    uint64_t digest = 0;
    wn_text_words_begin(words, text);
    for (wn_str word; wn_text_words_next(words, &word);) {
        FUZZ_CHECK(word.len > 0 && word.ptr >= behind);
        check_gap(behind, word.ptr);
        behind = word.ptr + word.len;
        FUZZ_CHECK(behind <= text.ptr + text.len);
        fuzz_check_utf8(word);
        check_fold(&once, &twice, word);
        digest = fuzz_digest(digest, word) + wn_text_stopwords_has(stop, wn_buf_str(&once));
    }
    check_gap(behind, text.ptr + text.len);
    wn_buf_free(&once);
    wn_buf_free(&twice);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const languages[] = {"", "fr", "th", "en", "ja"};
    fuzz_input input = {data, size};
    const char *language = languages[fuzz_choice(&input, 5)];
    wn_str bytes = fuzz_rest(&input);
    char code[WN_LANGUAGE_CODE];
    wn_arena arena;
    wn_stopwords stop = {0};
    wn_arena_init(&arena, 0);
    wn_str text = wn_html_decode(&arena, bytes, "utf-8").text;
    if (!words)
        words = wn_text_words_new();
    if (words) {
        wn_text_stopwords_use(&stop, wn_str_of(language));
        FUZZ_CHECK(wn_text_stopwords_add(&stop, bytes));
        FUZZ_CHECK(wn_text_language_guess(words, text) != NULL);
        FUZZ_CHECK(strlen(wn_text_language_normalise(bytes, code)) < WN_LANGUAGE_CODE);
        wn_text_words_set_language(words, wn_str_of(language));
        uint64_t digest = walk(text, &stop);
        FUZZ_CHECK(digest == walk(text, &stop));
    }
    wn_text_stopwords_free(&stop);
    wn_arena_free(&arena);
    return 0;
}
