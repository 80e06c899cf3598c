#include "base/utf8.h"

#include "base/scan.h"

/*
 * How many bytes the character at s takes, 0 if it is ill-formed. The second
 * byte's range depends on the first (Unicode, table 3-7): it excludes overlong
 * forms, surrogates and what lies above U+10FFFF.
 */
static size_t character_size(const unsigned char *s, size_t len, size_t *ill_formed)
{
    unsigned char lead = s[0], low = 0x80, high = 0xBF;
    size_t size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    *ill_formed = 1;
    if (size < 2)
        return size;
    if (lead == 0xE0)
        low = 0xA0;
    else if (lead == 0xED)
        high = 0x9F;
    else if (lead == 0xF0)
        low = 0x90;
    else if (lead == 0xF4)
        high = 0x8F;
    if (len < 2 || s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < size; i++) {
        *ill_formed = i;
        if (i >= len || (s[i] & 0xC0) != 0x80)
            return 0;
    }
    return size;
}

size_t wn_utf8_valid_prefix(wn_str s)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    for (;;) {
        p = wn_scan_non_ascii(p, end);
        if (p == end)
            return s.len;
        do {
            size_t ill_formed;
            size_t size = character_size((const unsigned char *)p, (size_t)(end - p), &ill_formed);
            if (size == 0)
                return (size_t)(p - s.ptr);
            p += size;
        } while (p < end && (*p & 0x80));
    }
}

size_t wn_utf8_ill_formed(wn_str s)
{
    size_t ill_formed;
    character_size((const unsigned char *)s.ptr, s.len, &ill_formed);
    return ill_formed;
}
