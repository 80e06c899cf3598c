#include "html/entities.h"

#include "base/scan.h"
#include "base/utf8.h"

static const wn_entity *find_entity(wn_str name)
{
    uint32_t slot = wn_str_hash(name) % WN_ENTITY_SLOTS;
    for (; wn_entity_slots[slot]; slot = (slot + 1) % WN_ENTITY_SLOTS) {
        const wn_entity *entity = &wn_entities[wn_entity_slots[slot]];
        if (wn_str_eq(name, wn_str_from(wn_entity_pool + entity->name, entity->name_len)))
            return entity;
    }
    return NULL;
}

/*
 * The longest name that starts at `name`. A semicolon only ever ends a name, so
 * the whole run of letters and digits with a semicolon is the longest there can be;
 * only old names, which are short, can omit it.
 */
static const wn_entity *longest_entity(wn_str name)
{
    enum { LONGEST_WITHOUT_SEMICOLON = 6 };
    size_t run = 0;
    while (run < name.len && run < WN_ENTITY_MAX_NAME && wn_is_ascii_alnum(name.ptr[run]))
        run++;
    if (run < name.len && name.ptr[run] == ';') {
        const wn_entity *entity = find_entity(wn_str_from(name.ptr, run + 1));
        if (entity)
            return entity;
    }
    for (size_t len = run < LONGEST_WITHOUT_SEMICOLON ? run : LONGEST_WITHOUT_SEMICOLON; len >= 2;
         len--) {
        const wn_entity *entity = find_entity(wn_str_from(name.ptr, len));
        if (entity)
            return entity;
    }
    return NULL;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#named-character-reference-state */
static size_t read_named(const char *p, const char *end, bool in_attribute,
                         char text[WN_REFERENCE_MAX], size_t *text_len)
{
    const wn_entity *entity = longest_entity(wn_str_between(p + 1, end));
    if (!entity)
        return 0;
    const char *after = p + 1 + entity->name_len;
    bool bare = after[-1] != ';';
    if (in_attribute && bare && after < end && (*after == '=' || wn_is_ascii_alnum(*after)))
        return 0;
    memcpy(text, entity->text, WN_REFERENCE_MAX);
    *text_len = entity->text_len;
    return (size_t)(after - p);
}

/* https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state */
static uint32_t mend_code_point(uint32_t code)
{
    /* Numbers from 0x80 to 0x9F were always meant as windows-1252. 0 stays as it is. */
    static const uint16_t windows_1252[32] = {
        0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
    };
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return WN_REPLACEMENT;
    if (code >= 0x80 && code <= 0x9F && windows_1252[code - 0x80])
        return windows_1252[code - 0x80];
    return code;
}

static int digit_value(char c, bool hexadecimal)
{
    if (wn_is_ascii_digit(c))
        return c - '0';
    char lower = wn_ascii_lower(c);
    return hexadecimal && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-state */
static size_t read_numeric(const char *p, const char *end, char text[WN_REFERENCE_MAX],
                           size_t *text_len)
{
    const char *digits = p + 2;
    bool hexadecimal = digits < end && (*digits == 'x' || *digits == 'X');
    digits += hexadecimal;

    uint32_t code = 0;
    const char *q = digits;
    for (int digit; q < end && (digit = digit_value(*q, hexadecimal)) >= 0; q++)
        if (code <= 0x10FFFF)
            code = code * (hexadecimal ? 16u : 10u) + (uint32_t)digit;
    if (q == digits)
        return 0;
    if (q < end && *q == ';')
        q++;
    char bytes[4];
    *text_len = (size_t)wn_utf8_encode(mend_code_point(code), bytes);
    memcpy(text, bytes, sizeof bytes);
    return (size_t)(q - p);
}

/*
 * Reads the reference that starts with the '&' at p and writes its character. Returns its length in
 * the source, 0 if this is just an ampersand. In attributes `&copy=1` is not a reference, for the
 * sake of old links.
 */
static size_t read_reference(const char *p, const char *end, bool in_attribute,
                             char text[WN_REFERENCE_MAX], size_t *text_len)
{
    if (p + 1 >= end)
        return 0;
    if (p[1] == '#')
        return read_numeric(p, end, text, text_len);
    if (wn_is_ascii_alpha(p[1]))
        return read_named(p, end, in_attribute, text, text_len);
    return 0;
}

/* The size of the reference if it is this one; 0 if not. */
static inline size_t read_known(wn_str source, wn_str name, char stands_for, char *text)
{
    if (!wn_str_starts(source, name))
        return 0;
    *text = stands_for;
    return name.len;
}

/* The few that make up most are known without a search; 0 if it is not one of them. */
static inline size_t read_common(wn_str source, char *text)
{
    switch (source.ptr[1]) {
    case 'q':
        return read_known(source, WN_STR("&quot;"), '"', text);
    case 'a':
        return read_known(source, WN_STR("&amp;"), '&', text);
    case 'l':
        return read_known(source, WN_STR("&lt;"), '<', text);
    case 'g':
        return read_known(source, WN_STR("&gt;"), '>', text);
    default:
        return 0;
    }
}

#ifdef WN_SIMD_BIT_PER_BYTE
/*
 * Copies vectors up to the first '&' or U+0000, or until less than a vector is left. References
 * grow little: there is room.
 */
static inline const char *copy_vectors(const char *p, const char *end, char **out)
{
    for (; end - p >= WN_VEC_SIZE; p += WN_VEC_SIZE, *out += WN_VEC_SIZE) {
        wn_vec v = wn_vec_load(p);
        uint64_t stops = wn_vec_mask(wn_vec_or(wn_vec_equal(v, '&'), wn_vec_equal(v, '\0')));
        memcpy(*out, &v, WN_VEC_SIZE);
        if (stops) {
            *out += __builtin_ctzll(stops);
            return p + __builtin_ctzll(stops);
        }
    }
    return p;
}
#else
static inline const char *copy_vectors(const char *p, const char *end, char **out)
{
    (void)end, (void)out;
    return p;
}
#endif

/* Copies what comes before the first '&' or U+0000, which is returned. */
static inline const char *copy_plain(const char *p, const char *end, char **out)
{
    p = copy_vectors(p, end, out);
    while (p < end && *p != '&' && *p != '\0')
        *(*out)++ = *p++;
    return p;
}

size_t wn_html_references_replace(wn_str source, bool in_attribute, bool replace_nul, char *out,
                                  wn_watch *watch)
{
    const char *p = source.ptr, *end = source.ptr + source.len;
    char *start = out;
    while ((p = copy_plain(p, end, &out)) < end && !wn_watch_over(watch)) {
        size_t common = end - p > 1 ? read_common(wn_str_between(p, end), out) : 0;
        if (common) {
            p += common;
            out++;
            continue;
        }
        char text[WN_REFERENCE_MAX];
        size_t text_len = 0;
        size_t taken = *p == '&' ? read_reference(p, end, in_attribute, text, &text_len) : 0;
        if (*p == '\0' && replace_nul)
            taken = 1, text_len = (size_t)wn_utf8_encode(WN_REPLACEMENT, text);
        if (taken) {
            memcpy(out, text, text_len);
            out += text_len;
            p += taken;
        } else {
            *out++ = *p++;
        }
    }
    return (size_t)(out - start);
}
