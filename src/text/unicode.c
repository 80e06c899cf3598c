/*
 * Lower case, and the form in which words are compared.
 */
#include "text/unicode.h"

#include "base/utf8.h"

uint32_t wn_text_lower(uint32_t c)
{
    if (c < WN_LOW_CASE)
        return wn_low_case[c];
    uint32_t low = 0, high = wn_case_range_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (wn_case_ranges[middle].last < c)
            low = middle + 1;
        else
            high = middle;
    }
    const wn_case_range *range = &wn_case_ranges[low];
    if (low == wn_case_range_count || c < range->first ||
        (c - range->first) % (uint32_t)range->step != 0)
        return c;
    return (uint32_t)((int32_t)c + range->difference);
}

bool wn_text_char_set_has(const wn_char_set *set, uint32_t c)
{
    uint32_t low = 0, high = set->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (set->ranges[middle].last < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->ranges[low].first <= c;
}

/* Characters that change nothing for a reader: soft hyphen, word joiner, byte order mark. */
static bool is_ignored(uint32_t c)
{
    return c == 0xAD || c == 0x2060 || c == 0xFEFF;
}

static uint32_t fold_char(uint32_t c)
{
    if (c == 0x2019 || c == 0xFF07)
        return '\'';
    return wn_text_lower(c);
}

void wn_text_fold(wn_buf *out, wn_str word)
{
    const char *p = word.ptr, *end = word.ptr + word.len;
    if (!wn_buf_reserve(out, word.len)) /* a fold is as long as the word, or nearly */
        return;
    while (p < end) {
        if ((unsigned char)*p < 0x80) {
            wn_buf_add_char(out, wn_ascii_lower(*p++));
            continue;
        }
        uint32_t c = wn_utf8_next(&p);
        char bytes[4];
        if (!is_ignored(c))
            wn_buf_add(out, wn_str_from(bytes, (size_t)wn_utf8_encode(fold_char(c), bytes)));
    }
}
