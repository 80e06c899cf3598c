/*
 * From a name in lower case to its number: a perfect hash over the first and the
 * last eight bytes and the length (tools/gen_names.py made the tables).
 */
#ifndef WN_HTML_NAMES_LOOKUP_H
#define WN_HTML_NAMES_LOOKUP_H

#include "html/names.h"

/* Up to eight bytes as one number, the first byte lowest. */
static inline uint64_t wn_name_word(const char *p, size_t len)
{
    uint64_t word = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (len >= 8) {
        memcpy(&word, p, 8);
        return word;
    }
    if (len >= 4) {
        uint32_t low, high; /* the two halves overlap in the middle */
        memcpy(&low, p, 4);
        memcpy(&high, p + len - 4, 4);
        return low | (uint64_t)high << (8 * (len - 4));
    }
#endif
    for (size_t i = 0; i < len && i < 8; i++)
        word |= (uint64_t)(unsigned char)p[i] << (8 * i);
    return word;
}

static inline unsigned wn_name_slot(wn_str name, uint64_t multiplier)
{
    uint64_t key = wn_name_word(name.ptr, name.len);
    if (name.len > 8)
        key ^= wn_name_word(name.ptr + name.len - 8, 8);
    return (unsigned)(((key ^ name.len) * multiplier) >> (64 - WN_NAME_SLOT_BITS));
}

static inline wn_tag wn_tag_find(wn_str name)
{
    unsigned number = wn_tag_slots[wn_name_slot(name, WN_TAG_MULTIPLIER)];
    return wn_str_eq(wn_tag_names[number], name) ? (wn_tag)number : WN_TAG_UNKNOWN;
}

static inline wn_attr_name wn_attr_name_find(wn_str name)
{
    unsigned number = wn_attr_slots[wn_name_slot(name, WN_ATTR_MULTIPLIER)];
    return wn_str_eq(wn_attr_names[number], name) ? (wn_attr_name)number : WN_ATTR_UNKNOWN;
}

#endif
