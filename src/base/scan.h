/*
 * Fast searches for bytes: most bytes of a page are examined here.
 *
 * Each function returns the first position in [p, end) whose byte belongs to a
 * small set, or `end`. They look at 16 bytes at a time with SSE2, NEON or WebAssembly's vectors and
 * at single bytes elsewhere, or when WN_NO_SIMD is defined; the results are the same.
 * They never read outside [p, end).
 */
#ifndef WN_BASE_SCAN_H
#define WN_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(WN_NO_SIMD) && defined(__SSE2__)
#include <emmintrin.h>
#define WN_SIMD 1
#define WN_SIMD_BIT_PER_BYTE 1 /* masks can be shifted and counted byte by byte */

typedef __m128i wn_vec;

static inline wn_vec wn_vec_load(const char *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}
static inline wn_vec wn_vec_equal(wn_vec v, char c)
{
    return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}
static inline wn_vec wn_vec_or(wn_vec a, wn_vec b)
{
    return _mm_or_si128(a, b);
}
/* One bit per byte: whether its highest bit is set. */
static inline uint64_t wn_vec_mask(wn_vec v)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(v);
}
enum { WN_VEC_MASK_SHIFT = 0 }; /* 1 bit of the mask a byte */

/* Eight bytes, and eight zeros. */
static inline wn_vec wn_vec_load_half(const char *p)
{
    return _mm_loadl_epi64((const __m128i *)p);
}
/* Bytes below `limit`, as unsigned numbers, raised to it. */
static inline wn_vec wn_vec_at_least(wn_vec v, char limit)
{
    return _mm_max_epu8(v, _mm_set1_epi8(limit));
}

static inline wn_vec wn_vec_not(wn_vec v) /* of a comparison */
{
    return _mm_cmpeq_epi8(v, _mm_setzero_si128());
}
/* Bytes not above `limit`, as unsigned numbers. */
static inline wn_vec wn_vec_at_most(wn_vec v, char limit)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(limit)), v);
}
/* Bytes from `low` to `high`, as unsigned numbers. */
static inline wn_vec wn_vec_between(wn_vec v, char low, char high)
{
    return wn_vec_at_most(_mm_sub_epi8(v, _mm_set1_epi8(low)), (char)(high - low));
}
/* The first set byte in 32; 32 or more if there is none. */
static inline size_t wn_vec_first_of_two(wn_vec first, wn_vec second)
{
    uint64_t mask = wn_vec_mask(first) | wn_vec_mask(second) << 16 | (uint64_t)1 << 32;
    return (size_t)__builtin_ctzll(mask);
}

#elif !defined(WN_NO_SIMD) && defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define WN_SIMD 1

typedef uint8x16_t wn_vec;

static inline wn_vec wn_vec_load(const char *p)
{
    return vld1q_u8((const uint8_t *)p);
}
static inline wn_vec wn_vec_equal(wn_vec v, char c)
{
    return vceqq_u8(v, vdupq_n_u8((uint8_t)c));
}
static inline wn_vec wn_vec_or(wn_vec a, wn_vec b)
{
    return vorrq_u8(a, b);
}
/* Four bits per byte: whether its highest bit is set. */
static inline uint64_t wn_vec_mask(wn_vec v)
{
    uint8x16_t sign = vreinterpretq_u8_s8(vshrq_n_s8(vreinterpretq_s8_u8(v), 7));
    uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(sign), 4);
    return vget_lane_u64(vreinterpret_u64_u8(nibbles), 0);
}
enum { WN_VEC_MASK_SHIFT = 2 }; /* 4 bits of the mask a byte */

static inline wn_vec wn_vec_not(wn_vec v)
{
    return vmvnq_u8(v);
}
static inline wn_vec wn_vec_at_most(wn_vec v, char limit)
{
    return vcleq_u8(v, vdupq_n_u8((uint8_t)limit));
}
static inline wn_vec wn_vec_between(wn_vec v, char low, char high)
{
    return wn_vec_at_most(vsubq_u8(v, vdupq_n_u8((uint8_t)low)), (char)(high - low));
}
static inline size_t wn_vec_first_of_two(wn_vec first, wn_vec second)
{
    uint64_t mask = wn_vec_mask(first);
    if (mask)
        return (size_t)__builtin_ctzll(mask) >> WN_VEC_MASK_SHIFT;
    mask = wn_vec_mask(second);
    return mask ? 16 + ((size_t)__builtin_ctzll(mask) >> WN_VEC_MASK_SHIFT) : 32;
}

#elif !defined(WN_NO_SIMD) && defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define WN_SIMD 1
#define WN_SIMD_BIT_PER_BYTE 1

typedef v128_t wn_vec;

static inline wn_vec wn_vec_load(const char *p)
{
    return wasm_v128_load(p);
}
static inline wn_vec wn_vec_equal(wn_vec v, char c)
{
    return wasm_i8x16_eq(v, wasm_i8x16_splat(c));
}
static inline wn_vec wn_vec_or(wn_vec a, wn_vec b)
{
    return wasm_v128_or(a, b);
}
static inline uint64_t wn_vec_mask(wn_vec v)
{
    return wasm_i8x16_bitmask(v);
}
enum { WN_VEC_MASK_SHIFT = 0 };

static inline wn_vec wn_vec_load_half(const char *p)
{
    return wasm_v128_load64_zero(p);
}
static inline wn_vec wn_vec_at_least(wn_vec v, char limit)
{
    return wasm_u8x16_max(v, wasm_i8x16_splat(limit));
}
static inline wn_vec wn_vec_not(wn_vec v)
{
    return wasm_v128_not(v);
}
static inline wn_vec wn_vec_at_most(wn_vec v, char limit)
{
    return wasm_u8x16_le(v, wasm_i8x16_splat(limit));
}
static inline wn_vec wn_vec_between(wn_vec v, char low, char high)
{
    return wn_vec_at_most(wasm_i8x16_sub(v, wasm_i8x16_splat(low)), (char)(high - low));
}
static inline size_t wn_vec_first_of_two(wn_vec first, wn_vec second)
{
    uint64_t mask = wn_vec_mask(first) | wn_vec_mask(second) << 16 | (uint64_t)1 << 32;
    return (size_t)__builtin_ctzll(mask);
}
#endif

enum { WN_VEC_SIZE = 16 };

/*
 * Defines a scan: `VECTOR` is the set as a vector expression of `v`, `BYTE` as a condition on `c`.
 * Two vectors are checked with one branch if there are enough bytes: most values and texts are
 * shorter, and a loop that ends after one or two steps is a branch that the processor cannot
 * predict.
 */
#ifdef WN_SIMD
#define WN_DEFINE_SCAN(name, PARAMETERS, VECTOR, BYTE)                                             \
    static inline const char *name PARAMETERS                                                      \
    {                                                                                              \
        bool any_vector = end - p >= WN_VEC_SIZE;                                                  \
        while (end - p >= 2 * WN_VEC_SIZE) {                                                       \
            wn_vec v = wn_vec_load(p);                                                             \
            wn_vec first = (VECTOR);                                                               \
            v = wn_vec_load(p + WN_VEC_SIZE);                                                      \
            wn_vec second = (VECTOR);                                                              \
            size_t at = wn_vec_first_of_two(first, second);                                        \
            if (at < 2 * WN_VEC_SIZE)                                                              \
                return p + at;                                                                     \
            p += 2 * WN_VEC_SIZE;                                                                  \
        }                                                                                          \
        while (end - p >= WN_VEC_SIZE) {                                                           \
            wn_vec v = wn_vec_load(p);                                                             \
            uint64_t mask = wn_vec_mask(VECTOR);                                                   \
            if (mask)                                                                              \
                return p + (__builtin_ctzll(mask) >> WN_VEC_MASK_SHIFT);                           \
            p += WN_VEC_SIZE;                                                                      \
        }                                                                                          \
        if (any_vector && p < end) { /* the last bytes, and some before them once more */          \
            wn_vec v = wn_vec_load(end - WN_VEC_SIZE);                                             \
            uint64_t mask = wn_vec_mask(VECTOR);                                                   \
            return mask ? end - WN_VEC_SIZE + (__builtin_ctzll(mask) >> WN_VEC_MASK_SHIFT) : end;  \
        }                                                                                          \
        for (; p < end; p++) {                                                                     \
            char c = *p;                                                                           \
            if (BYTE)                                                                              \
                break;                                                                             \
        }                                                                                          \
        return p;                                                                                  \
    }
#else
#define WN_DEFINE_SCAN(name, PARAMETERS, VECTOR, BYTE)                                             \
    static inline const char *name PARAMETERS                                                      \
    {                                                                                              \
        for (; p < end; p++) {                                                                     \
            char c = *p;                                                                           \
            if (BYTE)                                                                              \
                break;                                                                             \
        }                                                                                          \
        return p;                                                                                  \
    }
#endif

/* The first of two or three bytes; one byte alone is memchr's job. */
WN_DEFINE_SCAN(wn_scan_2, (const char *p, const char *end, char a, char b),
               wn_vec_or(wn_vec_equal(v, a), wn_vec_equal(v, b)), c == a || c == b)

WN_DEFINE_SCAN(wn_scan_3, (const char *p, const char *end, char a, char b, char d),
               wn_vec_or(wn_vec_or(wn_vec_equal(v, a), wn_vec_equal(v, b)), wn_vec_equal(v, d)),
               c == a || c == b || c == d)

/* The first byte that is not ASCII. */
WN_DEFINE_SCAN(wn_scan_non_ascii, (const char *p, const char *end), v, (c & 0x80) != 0)

/* A bit for each kind of white space. */
#define WN_SPACES (UINT64_C(1) << ' ' | 1 << '\n' | 1 << '\t' | 1 << '\r' | 1 << '\f')

/* The first byte that is not white space: indentation is skipped. */
WN_DEFINE_SCAN(wn_scan_non_space, (const char *p, const char *end),
               wn_vec_not(wn_vec_or(wn_vec_or(wn_vec_equal(v, ' '), wn_vec_between(v, '\t', '\n')),
                                    wn_vec_between(v, '\f', '\r'))),
               (unsigned char)c > ' ' || !(WN_SPACES >> c & 1))

/* The first byte that is neither a space nor a tab. */
WN_DEFINE_SCAN(wn_scan_indent, (const char *p, const char *end),
               wn_vec_not(wn_vec_or(wn_vec_equal(v, ' '), wn_vec_equal(v, '\t'))),
               c != ' ' && c != '\t')

/* The first byte equal to c, or end: memchr with the convention of this file. */
static inline const char *wn_scan_1(const char *p, const char *end, char c)
{
    const char *found = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
    return found ? found : end;
}

/* The first byte equal to `a` whose neighbour `distance` bytes on, before `end`, is equal to `b`. */
static inline const char *wn_scan_pair(const char *p, const char *end, char a, char b, int distance)
{
#ifdef WN_SIMD
    for (; end - p >= WN_VEC_SIZE + distance; p += WN_VEC_SIZE) {
        uint64_t mask = wn_vec_mask(wn_vec_equal(wn_vec_load(p), a)) &
                        wn_vec_mask(wn_vec_equal(wn_vec_load(p + distance), b));
        if (mask)
            return p + (__builtin_ctzll(mask) >> WN_VEC_MASK_SHIFT);
    }
#endif
    for (; end - p > distance; p++)
        if (*p == a && p[distance] == b)
            return p;
    return end;
}

#endif
