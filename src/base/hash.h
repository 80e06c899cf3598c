/*
 * Hashes, of two sorts.
 *
 * A keyed hash is for tables in memory (base/map.h). Its key is random, so an attacker cannot
 * choose strings that collide in a table, and no output may depend on it.
 *
 * A stable hash is part of something that is stored: a learned model, generated tables, a
 * database, a checkpoint, the pages that dedup compares. The same string has the same stable hash
 * on every machine and in every version; none of them may ever change.
 */
#ifndef WN_BASE_HASH_H
#define WN_BASE_HASH_H

#include "base/str.h"

typedef struct wn_hash_key {
    uint64_t low, high;
} wn_hash_key;

/* ---- Keyed ------------------------------------------------------------------------------- */

/* An unpredictable key. `owner` is any address, for systems without randomness. */
wn_hash_key wn_hash_random_key(const void *owner);

/* SipHash-1-3 of the bytes, and of the eight bytes of a number, the lowest first. */
uint64_t wn_hash_keyed(wn_hash_key key, wn_str bytes);
uint64_t wn_hash_keyed_number(wn_hash_key key, uint64_t number);

/* ---- Stable: keys of pages in databases, fingerprints of pages and texts ------------------- */

/*
 * SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012) with 64 and 128
 * bits (out[16]: the lowest byte first). With a secret key nobody can make two sources whose
 * hashes collide.
 */
uint64_t wn_hash_stable64(wn_hash_key key, wn_str bytes);
void wn_hash_stable128(wn_hash_key key, wn_str bytes, char out[16]);

/* ---- Stable: lines of a site's template, shingles ----------------------------------------- */

/* FNV-1a with 64 bits, byte by byte; this is the initial value. */
#define WN_HASH_FNV1A UINT64_C(0xCBF29CE484222325)

static inline uint64_t wn_hash_fnv1a(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001B3);
}

/* Mixes the bits of a number, one to one: the end of SplitMix64 (Steele, Lea and Flood, 2014). */
static inline uint64_t wn_hash_mix64(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* The next number of a random sequence, the same on every machine; any first state will do. */
static inline uint64_t wn_splitmix64(uint64_t *state)
{
    return wn_hash_mix64(*state += UINT64_C(0x9E3779B97F4A7C15));
}

/* FNV-1a, then mixed: every bit depends on all bytes. */
static inline uint64_t wn_hash_stable_mixed(wn_str bytes)
{
    uint64_t hash = WN_HASH_FNV1A;
    for (size_t i = 0; i < bytes.len; i++)
        hash = wn_hash_fnv1a(hash, (unsigned char)bytes.ptr[i]);
    return wn_hash_mix64(hash);
}

/* ---- Stable: words of learned tables ------------------------------------------------------ */

/*
 * Bytes are read eight at a time, as little-endian numbers. The length is spread over all bits, so
 * that it cannot be confused with a byte.
 */
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

/* The hash of a string; `seed` distinguishes kinds of strings. */
static inline uint32_t wn_hash(uint64_t seed, wn_str s)
{
    uint64_t hash = seed + s.len * WN_HASH_LENGTH;
    for (; s.len > 8; s.ptr += 8, s.len -= 8)
        hash = wn_hash_mix(hash, wn_hash_load(s.ptr, 8));
    hash = wn_hash_mix(hash, s.len ? wn_hash_load(s.ptr, s.len) : 0);
    return (uint32_t)(hash * UINT64_C(0xD6E8FEB86659FD93) >> 32);
}

/*
 * A quicker hash for tables that are forgotten with the page, of strings that tend to be longer than
 * words: two halves of it do not wait for each other.
 */
static inline uint32_t wn_hash_quick(uint64_t seed, wn_str s)
{
    uint64_t a = seed + s.len * WN_HASH_LENGTH, b = ~seed;
    for (; s.len > 16; s.ptr += 16, s.len -= 16) {
        a = wn_hash_mix(a, wn_hash_load(s.ptr, 8));
        b = wn_hash_mix(b, wn_hash_load(s.ptr + 8, 8));
    }
    if (s.len > 8)
        a = wn_hash_mix(a, wn_hash_load(s.ptr, 8));
    size_t last = s.len < 8 ? s.len : 8; /* bytes; some were taken before */
    b = wn_hash_mix(b, last ? wn_hash_load(s.ptr + s.len - last, last) : 0);
    return (uint32_t)((a ^ (b << 32 | b >> 32)) * UINT64_C(0xD6E8FEB86659FD93) >> 32);
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
