#include "base/str.h"

bool wn_str_starts_nocase(wn_str s, wn_str prefix)
{
    if (s.len < prefix.len)
        return false;
    for (size_t i = 0; i < prefix.len; i++)
        if (wn_ascii_lower(s.ptr[i]) != wn_ascii_lower(prefix.ptr[i]))
            return false;
    return true;
}

bool wn_str_eq_nocase(wn_str a, wn_str b)
{
    return a.len == b.len && wn_str_starts_nocase(a, b);
}

bool wn_str_has_ending(wn_str name, wn_str ending)
{
    return name.len > ending.len &&
           wn_str_eq_nocase(wn_str_from_offset(name, name.len - ending.len), ending);
}

bool wn_str_contains_nocase(wn_str haystack, wn_str needle)
{
    if (needle.len == 0)
        return true;
    char first = wn_ascii_lower(needle.ptr[0]);
    for (; haystack.len >= needle.len; haystack.ptr++, haystack.len--)
        if (wn_ascii_lower(haystack.ptr[0]) == first && wn_str_starts_nocase(haystack, needle))
            return true;
    return false;
}

size_t wn_str_find(wn_str haystack, wn_str needle)
{
    const char *at = haystack.ptr, *end = haystack.ptr + haystack.len;
    while ((size_t)(end - at) >= needle.len &&
           (at = memchr(at, needle.ptr[0], (size_t)(end - at) - needle.len + 1))) {
        if (memcmp(at, needle.ptr, needle.len) == 0)
            return (size_t)(at - haystack.ptr);
        at++;
    }
    return haystack.len;
}

wn_str wn_str_trim(wn_str s)
{
    while (s.len > 0 && wn_is_space(s.ptr[0]))
        s.ptr++, s.len--;
    while (s.len > 0 && wn_is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

uint32_t wn_str_hash(wn_str s)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < s.len; i++)
        hash = (hash ^ (unsigned char)s.ptr[i]) * 16777619u;
    return hash;
}

wn_str wn_str_take_until(wn_str *text, char end)
{
    const char *at = text->len ? memchr(text->ptr, end, text->len) : NULL;
    size_t len = at ? (size_t)(at - text->ptr) : text->len;
    wn_str part = wn_str_from(text->ptr, len);
    *text = wn_str_from_offset(*text, at ? len + 1 : len);
    return part;
}
