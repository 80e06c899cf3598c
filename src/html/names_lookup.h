/*
 * From a name in lower case to its number: a perfect hash over the first and the
 * last eight bytes and the length (tools/gen_names.py made the tables).
 */
#ifndef WN_HTML_NAMES_LOOKUP_H
#define WN_HTML_NAMES_LOOKUP_H

#include "html/names.h"

/* Up to eight bytes as one number, the first byte lowest. */
static inline uint64_t wn_html_name_word(const char *p, size_t len)
{
    uint64_t word = 0;
    for (size_t i = 0; i < len && i < 8; i++)
        word |= (uint64_t)(unsigned char)p[i] << (8 * i);
    return word;
}

/*
 * The same, where eight bytes can be read whatever the length: one load and a mask, without an
 * unpredictable branch on the length.
 */
static inline uint64_t wn_html_name_word_masked(const char *p, size_t len)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    static const uint64_t masks[9] = {
        0,
        0xFF,
        0xFFFF,
        0xFFFFFF,
        0xFFFFFFFF,
        0xFFFFFFFFFF,
        0xFFFFFFFFFFFF,
        0xFFFFFFFFFFFFFF,
        0xFFFFFFFFFFFFFFFF,
    };
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word & masks[len < 8 ? len : 8];
#else
    return wn_html_name_word(p, len);
#endif
}

/* The key of a name; `readable` bytes can be read from its start on. */
static inline uint64_t wn_html_name_key(wn_str name, size_t readable)
{
    uint64_t key = readable >= 8 ? wn_html_name_word_masked(name.ptr, name.len)
                                 : wn_html_name_word(name.ptr, name.len);
    return name.len > 8 ? key ^ wn_html_name_word_masked(name.ptr + name.len - 8, 8) : key;
}

static inline unsigned wn_html_name_slot(uint64_t key, size_t len, uint64_t multiplier)
{
    return (unsigned)(((key ^ len) * multiplier) >> (64 - WN_NAME_SLOT_BITS));
}

/*
 * The key of a name of up to eight bytes is the name (the generator has checked that
 * no longer one is where it would be looked for); longer names are compared.
 */
static inline bool wn_html_name_is(wn_str name, uint64_t key, const wn_str *known,
                                   uint64_t known_key)
{
    return key == known_key && (name.len <= 8 || wn_str_eq(name, *known));
}

/*
 * The number of an element's name in lower case, WN_TAG_UNKNOWN if it has none; `readable` is
 * at least the name's length.
 */
static inline wn_tag wn_tag_find(wn_str name, size_t readable)
{
    uint64_t key = wn_html_name_key(name, readable);
    unsigned number = wn_tag_slots[wn_html_name_slot(key, name.len, WN_TAG_MULTIPLIER)];
    bool found = wn_html_name_is(name, key, &wn_tag_names[number], wn_tag_keys[number]);
    return found ? (wn_tag)number : WN_TAG_UNKNOWN;
}

/* The same for an attribute's name. */
static inline wn_attr_name wn_attr_name_find(wn_str name, size_t readable)
{
    uint64_t key = wn_html_name_key(name, readable);
    unsigned number = wn_attr_slots[wn_html_name_slot(key, name.len, WN_ATTR_MULTIPLIER)];
    bool found = wn_html_name_is(name, key, &wn_attr_names[number], wn_attr_keys[number]);
    return found ? (wn_attr_name)number : WN_ATTR_UNKNOWN;
}

#endif
