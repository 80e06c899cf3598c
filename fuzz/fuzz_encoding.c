/*
 * Fuzzes the encoding stage: any bytes, any hint, small and large memory limits.
 *
 * Properties: the text is well-formed UTF-8 without carriage returns; the encoding has a name;
 * text that was not copied lies in the input; the vector check of UTF-8 says what the scalar
 * one does; the same input gives the same text again.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "html/encoding.h"
#include "html/encoding_tables.h"

/* A hint: none, a name of the standard, or what a careless server sends. */
static const char *take_charset(fuzz_input *input)
{
    static const char *const careless[] = {NULL, "", "text/html; charset=\"Big5\"", "none"};
    enum { CARELESS = sizeof careless / sizeof *careless };
    uint32_t choice = fuzz_choice(input, CARELESS + WN_ENCODING_COUNT);
    return choice < CARELESS ? careless[choice] : wn_encoding_names[choice - CARELESS];
}

static void check_text(wn_str bytes, wn_decoded page)
{
    FUZZ_CHECK(page.encoding != NULL);
    fuzz_check_utf8(page.text);
    FUZZ_CHECK(page.text.len == 0 || !memchr(page.text.ptr, '\r', page.text.len));
    if (page.text.ptr >= bytes.ptr && page.text.ptr < bytes.ptr + bytes.len)
        FUZZ_CHECK(page.text.len <= (size_t)(bytes.ptr + bytes.len - page.text.ptr));
}

static void check_utf8(wn_str bytes)
{
    bool has_return, has_return_scalar;
    size_t valid = wn_utf8_check(bytes, &has_return);
    FUZZ_CHECK(valid == wn_utf8_check_scalar(bytes, &has_return_scalar));
    FUZZ_CHECK(has_return || !has_return_scalar);
    FUZZ_CHECK(valid < bytes.len || has_return == has_return_scalar);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const char *charset = take_charset(&input);
    size_t limit = fuzz_choice(&input, 16) == 1 ? 100000 : 0;
    wn_str bytes = fuzz_rest(&input);
    wn_arena first, second;
    wn_arena_init(&first, limit);
    wn_arena_init(&second, limit);
    wn_decoded page = wn_html_decode(&first, bytes, charset);
    wn_decoded again = wn_html_decode(&second, bytes, charset);
    check_text(bytes, page);
    check_utf8(bytes);
    FUZZ_CHECK(wn_str_eq(page.text, again.text));
    FUZZ_CHECK(page.encoding == again.encoding && page.source == again.source);
    wn_arena_free(&first);
    wn_arena_free(&second);
    return 0;
}
