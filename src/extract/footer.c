#include "extract/footer.h"

void wn_extract_footer_start(wn_footer *footer, const char *more)
{
    uint16_t word = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        footer->first[byte] = word;
        while (wn_footer_words[word].ptr &&
               (unsigned char)wn_ascii_lower(wn_footer_words[word].ptr[0]) == byte)
            word++;
    }
    footer->first[256] = word;
    footer->more = wn_str_of(more);
}

/* The user's words; # begins a comment. */
static bool begins_with_more(const wn_footer *footer, wn_str text)
{
    wn_str rest = footer->more;
    while (rest.len > 0) {
        const char *newline = memchr(rest.ptr, '\n', rest.len);
        size_t len = newline ? (size_t)(newline - rest.ptr) : rest.len;
        wn_str word = wn_str_trim(wn_str_from(rest.ptr, len));
        if (word.len > 0 && word.ptr[0] != '#' && wn_str_starts_nocase(text, word))
            return true;
        rest = wn_str_from_offset(rest, len + 1);
    }
    return false;
}

bool wn_extract_footer_begins(const wn_footer *footer, wn_str text)
{
    if (text.len == 0)
        return false;
    unsigned byte = (unsigned char)wn_ascii_lower(text.ptr[0]);
    for (uint16_t i = footer->first[byte]; i < footer->first[byte + 1]; i++)
        if (wn_str_starts_nocase(text, wn_footer_words[i]))
            return true;
    return footer->more.len > 0 && begins_with_more(footer, text);
}
