/*
 * Borrowed strings: a pointer and a length, no terminator.
 *
 * There are two string types in winnow and no more. A wn_str points into memory
 * that something else owns (the page's bytes, an arena, a literal) and is passed
 * by value. A wn_buf (buf.h) owns its bytes and grows.
 *
 * The web compares names ignoring ASCII case and has five kinds of white space; the helpers here do
 * the same. None of them depends on the locale.
 */
#ifndef WN_BASE_STR_H
#define WN_BASE_STR_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct wn_str {
    const char *ptr;
    size_t len;
} wn_str;

/* A wn_str of a string literal. */
#define WN_STR(literal) ((wn_str){(literal), sizeof(literal) - 1})

/* Arguments for printf's "%.*s". */
#define WN_STR_ARGS(s) (int)(s).len, (s).ptr

static inline wn_str wn_str_from(const char *ptr, size_t len)
{
    return (wn_str){ptr, len};
}

/* The string between two pointers into the same bytes. */
static inline wn_str wn_str_between(const char *start, const char *end)
{
    assert(start <= end);
    return (wn_str){start, (size_t)(end - start)};
}

/* A wn_str of a C string; an empty one for NULL. */
static inline wn_str wn_str_of(const char *c_string)
{
    return (wn_str){c_string ? c_string : "", c_string ? strlen(c_string) : 0};
}

static inline bool wn_str_eq(wn_str a, wn_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Bytewise, as strcmp() does it: below, at or above 0. */
static inline int wn_str_compare(wn_str a, wn_str b)
{
    size_t both = a.len < b.len ? a.len : b.len;
    int order = both ? memcmp(a.ptr, b.ptr, both) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static inline bool wn_str_starts(wn_str s, wn_str prefix)
{
    return s.len >= prefix.len && memcmp(s.ptr, prefix.ptr, prefix.len) == 0;
}

/* The part of s from offset on; empty when offset lies after its end. */
static inline wn_str wn_str_from_offset(wn_str s, size_t offset)
{
    size_t start = offset < s.len ? offset : s.len;
    return (wn_str){start ? s.ptr + start : s.ptr, s.len - start}; /* NULL + 0 is undefined */
}

static inline char wn_ascii_lower(char c)
{
    return (unsigned char)(c - 'A') < 26 ? (char)(c | 0x20) : c;
}

static inline bool wn_is_ascii_alpha(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static inline bool wn_is_ascii_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline bool wn_is_ascii_alnum(char c)
{
    return wn_is_ascii_alpha(c) || wn_is_ascii_digit(c);
}

/* The value of a hexadecimal digit; -1 if it is not one. */
static inline int wn_hex_digit(char c)
{
    char lower = wn_ascii_lower(c);
    if (wn_is_ascii_digit(c))
        return c - '0';
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* ASCII white space as HTML and CSS define it: tab, line feed, form feed, return, space. */
static inline bool wn_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/* Equality ignoring ASCII case. */
bool wn_str_eq_nocase(wn_str a, wn_str b);
bool wn_str_starts_nocase(wn_str s, wn_str prefix);

/* Whether a file name has this ending (".html"), ignoring ASCII case, and is longer than it. */
bool wn_str_has_ending(wn_str name, wn_str ending);

/* Whether needle occurs in haystack, ignoring ASCII case. */
bool wn_str_contains_nocase(wn_str haystack, wn_str needle);

/* Where needle, which is not empty, first occurs in haystack; haystack.len if it does not. */
size_t wn_str_find(wn_str haystack, wn_str needle);

/* s without white space at both ends. */
wn_str wn_str_trim(wn_str s);

/*
 * Takes the part before the first `end` off the front of *text, with the `end`; all of it if there
 * is none.
 */
wn_str wn_str_take_until(wn_str *text, char end);

/*
 * FNV-1a with 32 bits. Generated tables are laid out by it (entities, stop words), so it never
 * changes. It is not a defence against chosen keys: tables of what a page says are maps
 * (base/map.h).
 */
uint32_t wn_str_hash(wn_str s);

#endif
