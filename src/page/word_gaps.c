#include "page/word_gaps.h"

#include "base/utf8.h"
#include "text/unicode.h"

static bool is_word_char(uint32_t c)
{
    wn_char_class class = wn_text_class_of(c);
    return class == WN_CLASS_LETTER || class == WN_CLASS_DIGIT;
}

static bool starts_word(wn_str text)
{
    if (text.len == 0)
        return false;
    const char *p = text.ptr;
    uint32_t c = wn_utf8_next(&p);
    return wn_text_class_of(c) == WN_CLASS_DIGIT || wn_text_lower(c) != c;
}

/* One letter alone is more often an initial that is set apart: <b>O</b><i>NCE</i>. */
static bool ends_word(wn_str text)
{
    enum { FEWEST_CHARS = 2 };
    for (int i = 0; i < FEWEST_CHARS; i++) {
        size_t at = text.len;
        while (at > 0 && (text.ptr[at - 1] & 0xC0) == 0x80)
            at--;
        if (at == 0)
            return false;
        const char *p = text.ptr + at - 1;
        if (!is_word_char(wn_utf8_next(&p)))
            return false;
        text.len = at - 1;
    }
    return true;
}

bool wn_page_are_separate_words(wn_str before, wn_str behind)
{
    return starts_word(behind) && ends_word(before);
}
