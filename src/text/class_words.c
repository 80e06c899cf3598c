#include "text/class_words.h"

static bool is_capital(char c)
{
    return (unsigned char)(c - 'A') < 26;
}

bool wn_text_class_words_refill(wn_text_class_words *words)
{
    char padded[WN_CHAR_CHUNK];
    while (!words->starts && words->at < words->value.len) {
        const char *p = words->value.ptr + words->at;
        size_t left = words->value.len - words->at;
        char behind = words->at > 0 ? p[-1] : ' ';
        if (left < WN_CHAR_CHUNK) {
            memset(padded, ' ', sizeof padded);
            memcpy(padded, p, left);
            p = padded;
        }
        uint32_t len = left < WN_CHAR_CHUNK ? (uint32_t)left : WN_CHAR_CHUNK;
        wn_text_char_masks masks = wn_text_char_masks_of(p, len);
        uint64_t letters = masks.letters << 1 | wn_is_ascii_alpha(behind);
        uint64_t uppers = masks.uppers << 1 | is_capital(behind);
        uint64_t new_words = masks.uppers & letters & ~uppers;
        words->starts = (masks.letters & ~letters) | new_words;
        words->stops = ~masks.letters | new_words;
        words->at += WN_CHAR_CHUNK;
    }
    return words->starts != 0;
}

wn_str wn_text_class_words_long(const wn_text_class_words *words, size_t start)
{
    wn_str value = words->value;
    size_t end = start + 1;
    while (end < value.len && wn_is_ascii_alpha(value.ptr[end]) &&
           (!is_capital(value.ptr[end]) || is_capital(value.ptr[end - 1])))
        end++;
    return wn_str_from(value.ptr + start, end - start);
}
