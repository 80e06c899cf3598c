/*
 * Hashes of short strings, eight bytes at a time.
 *
 * Bytes are read as little-endian numbers, so that the same string has the same hash on every
 * machine: hashes of words stand in learned tables. They are no defence against chosen keys.
 */
#ifndef WN_BASE_HASH_H
#define WN_BASE_HASH_H

#include "base/str.h"

/* The length is spread over all bits: it must not be taken for a byte. */
#define WN_HASH_LENGTH UINT64_C(0xBF58476D1CE4E5B9)

static inline uint32_t wn_hash_load4(const char *p)
{
    uint32_t n;
    memcpy(&n, p, sizeof n);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    n = __builtin_bswap32(n);
#endif
    return n;
}

/* One to eight bytes as a number that no other bytes of the same length have. */
static inline uint64_t wn_hash_load(const char *p, size_t len)
{
    if (len >= 4)
        return wn_hash_load4(p) | (uint64_t)wn_hash_load4(p + len - 4) << 32;
    return (uint64_t)(unsigned char)p[0] | (uint64_t)(unsigned char)p[len / 2] << 8 |
           (uint64_t)(unsigned char)p[len - 1] << 16;
}

/* Sets the bit that makes small ASCII letters of capitals; bytes outside ASCII stay as they are. */
static inline uint64_t wn_hash_lower(uint64_t bytes)
{
    return bytes | (UINT64_C(0x2020202020202020) & ~((bytes & UINT64_C(0x8080808080808080)) >> 2));
}

static inline uint64_t wn_hash_mix(uint64_t hash, uint64_t bytes)
{
    hash ^= bytes;
    hash = (hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* The hash of a string; `seed` tells kinds of strings apart. */
static inline uint32_t wn_hash(uint64_t seed, wn_str s)
{
    uint64_t hash = seed + s.len * WN_HASH_LENGTH;
    for (; s.len > 8; s.ptr += 8, s.len -= 8)
        hash = wn_hash_mix(hash, wn_hash_load(s.ptr, 8));
    hash = wn_hash_mix(hash, s.len ? wn_hash_load(s.ptr, s.len) : 0);
    return (uint32_t)(hash * UINT64_C(0xD6E8FEB86659FD93) >> 32);
}

/* The same for words of ASCII letters and digits whose case does not matter. */
static inline uint32_t wn_hash_nocase(uint64_t seed, wn_str s)
{
    uint64_t hash = seed + s.len * WN_HASH_LENGTH;
    for (; s.len > 8; s.ptr += 8, s.len -= 8)
        hash = wn_hash_mix(hash, wn_hash_lower(wn_hash_load(s.ptr, 8)));
    hash = wn_hash_mix(hash, s.len ? wn_hash_lower(wn_hash_load(s.ptr, s.len)) : 0);
    return (uint32_t)(hash * UINT64_C(0xD6E8FEB86659FD93) >> 32);
}

#endif
