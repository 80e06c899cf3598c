/*
 * Validating UTF-8, which is done for every byte of every page.
 *
 * Three speeds share the work. Blocks of 64 ASCII bytes are recognised by their sign bits. Blocks
 * with other characters are checked sixteen bytes at a time by table lookup, as described by J.
 * Keiser and D. Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte" (2020). Where a
 * block is invalid, or less than a block is left, the scalar code goes character by character and
 * finds exactly where the well-formed part ends.
 *
 * The lookup in short: whether two bytes may follow each other is decided by
 * three half-bytes (both halves of the first, the high half of the second).
 * Each half-byte's table says, one bit per kind of error, "I would be part of
 * this error"; an error has happened where all three agree. Only the third and
 * fourth bytes of a character reach further back; there the bit TWO_CONTINUE is
 * not an error but required.
 */
#include "base/utf8.h"

#include "base/scan.h"

#if defined(WN_SIMD) && defined(__SSE2__) && (defined(__x86_64__) || defined(__i386__))
#include <immintrin.h>
#define WN_UTF8_LOOKUP 1
#define WN_LOOKUP_TARGET __attribute__((target("ssse3")))
#elif defined(WN_SIMD) && (defined(__ARM_NEON) || defined(__wasm_simd128__))
#define WN_UTF8_LOOKUP 1
#define WN_LOOKUP_TARGET
#endif

/*
 * How many bytes the character at s takes, 0 if it is ill-formed. The second
 * byte's range depends on the first (Unicode, table 3-7): it excludes overlong
 * forms, surrogates and what lies above U+10FFFF.
 */
static size_t character_size(const unsigned char *s, size_t len, size_t *ill_formed)
{
    unsigned char lead = s[0], low = 0x80, high = 0xBF;
    size_t size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    *ill_formed = 1;
    if (size < 2 || lead > 0xF4)
        return lead > 0xF4 ? 0 : size;
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

/* Moves over well-formed characters until `stop`, `end` or the first that is ill-formed. */
static const char *skip_characters(const char *p, const char *stop, const char *end,
                                   bool *has_return)
{
    while (p < stop) {
        if (!(*p & 0x80)) {
            *has_return |= *p == '\r';
            p++;
            continue;
        }
        size_t ill_formed;
        size_t size = character_size((const unsigned char *)p, (size_t)(end - p), &ill_formed);
        if (size == 0)
            break;
        p += size;
    }
    return p;
}

size_t wn_utf8_check_scalar(wn_str s, bool *has_return)
{
    const char *end = s.ptr + s.len;
    *has_return = false;
    return (size_t)(skip_characters(s.ptr, end, end, has_return) - s.ptr);
}

#ifdef WN_UTF8_LOOKUP

enum {
    BLOCK = 64,
    AHEAD =
        2048, /* fetched so early: this is the first time that anyone looks at the page's bytes */
};

/* The kinds of error that two neighbouring bytes can make. */
enum {
    TOO_SHORT = 1 << 0,    /* a lead byte, then no continuation */
    TOO_LONG = 1 << 1,     /* ASCII, then a continuation */
    OVERLONG_3 = 1 << 2,   /* E0, then 80..9F */
    TOO_LARGE = 1 << 3,    /* F4, then 90..BF; or F5.., then 90..BF */
    SURROGATE = 1 << 4,    /* ED, then A0..BF */
    OVERLONG_2 = 1 << 5,   /* C0 or C1, then a continuation */
    OVERLONG_4 = 1 << 6,   /* F0, then 80..8F */
    TOO_LARGE_80 = 1 << 6, /* F5.., then 80..8F: shares the bit, their first bytes differ */
    TWO_CONTINUE = 1 << 7, /* two continuations: right in places, see check_vector */
    ANY_LOW = TOO_SHORT | TOO_LONG | TWO_CONTINUE, /* errors that need no low half */
};

static const uint8_t first_high[16] = {
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TWO_CONTINUE,
    TWO_CONTINUE,
    TWO_CONTINUE,
    TWO_CONTINUE,
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    TOO_SHORT | TOO_LARGE | TOO_LARGE_80 | OVERLONG_4,
};

#define BEYOND (ANY_LOW | TOO_LARGE | TOO_LARGE_80)
static const uint8_t first_low[16] = {
    ANY_LOW | OVERLONG_2 | OVERLONG_3 | OVERLONG_4,
    ANY_LOW | OVERLONG_2,
    ANY_LOW,
    ANY_LOW,
    ANY_LOW | TOO_LARGE,
    BEYOND,
    BEYOND,
    BEYOND,
    BEYOND,
    BEYOND,
    BEYOND,
    BEYOND,
    BEYOND,
    BEYOND | SURROGATE,
    BEYOND,
    BEYOND,
};

#define CONTINUES (TOO_LONG | OVERLONG_2 | TWO_CONTINUE)
static const uint8_t second_high[16] = {
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    CONTINUES | OVERLONG_3 | OVERLONG_4 | TOO_LARGE_80,
    CONTINUES | OVERLONG_3 | TOO_LARGE,
    CONTINUES | SURROGATE | TOO_LARGE,
    CONTINUES | SURROGATE | TOO_LARGE,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
};

/* The few vector operations that the lookup needs beyond those of scan.h. */
#ifdef __SSE2__

WN_LOOKUP_TARGET static inline wn_vec look_up(const uint8_t table[16], wn_vec index)
{
    return _mm_shuffle_epi8(wn_vec_load((const char *)table), index);
}
static inline wn_vec high_halves(wn_vec v)
{
    return _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(0x0F));
}
static inline wn_vec low_halves(wn_vec v)
{
    return _mm_and_si128(v, _mm_set1_epi8(0x0F));
}
static inline wn_vec and_vec(wn_vec a, wn_vec b)
{
    return _mm_and_si128(a, b);
}
static inline wn_vec xor_vec(wn_vec a, wn_vec b)
{
    return _mm_xor_si128(a, b);
}
/* a - c for each byte, not below zero. */
static inline wn_vec minus(wn_vec a, uint8_t c)
{
    return _mm_subs_epu8(a, _mm_set1_epi8((char)c));
}
static inline wn_vec all_bytes(uint8_t c)
{
    return _mm_set1_epi8((char)c);
}
static inline bool is_zero(wn_vec v)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) == 0xFFFF;
}
static bool has_lookup(void)
{
    return __builtin_cpu_supports("ssse3");
}

#elif defined(__wasm_simd128__)

static inline wn_vec look_up(const uint8_t table[16], wn_vec index)
{
    return wasm_i8x16_swizzle(wasm_v128_load(table), index);
}
static inline wn_vec high_halves(wn_vec v)
{
    return wasm_u8x16_shr(v, 4);
}
static inline wn_vec low_halves(wn_vec v)
{
    return wasm_v128_and(v, wasm_i8x16_splat(0x0F));
}
static inline wn_vec and_vec(wn_vec a, wn_vec b)
{
    return wasm_v128_and(a, b);
}
static inline wn_vec xor_vec(wn_vec a, wn_vec b)
{
    return wasm_v128_xor(a, b);
}
static inline wn_vec minus(wn_vec a, uint8_t c)
{
    return wasm_u8x16_sub_sat(a, wasm_u8x16_splat(c));
}
static inline wn_vec all_bytes(uint8_t c)
{
    return wasm_u8x16_splat(c);
}
static inline bool is_zero(wn_vec v)
{
    return !wasm_v128_any_true(v);
}
static bool has_lookup(void)
{
    return true;
}

#else /* NEON */

static inline wn_vec look_up(const uint8_t table[16], wn_vec index)
{
    return vqtbl1q_u8(vld1q_u8(table), index);
}
static inline wn_vec high_halves(wn_vec v)
{
    return vshrq_n_u8(v, 4);
}
static inline wn_vec low_halves(wn_vec v)
{
    return vandq_u8(v, vdupq_n_u8(0x0F));
}
static inline wn_vec and_vec(wn_vec a, wn_vec b)
{
    return vandq_u8(a, b);
}
static inline wn_vec xor_vec(wn_vec a, wn_vec b)
{
    return veorq_u8(a, b);
}
static inline wn_vec minus(wn_vec a, uint8_t c)
{
    return vqsubq_u8(a, vdupq_n_u8(c));
}
static inline wn_vec all_bytes(uint8_t c)
{
    return vdupq_n_u8(c);
}
static inline bool is_zero(wn_vec v)
{
    return vmaxvq_u8(v) == 0;
}
static bool has_lookup(void)
{
    return true;
}

#endif

/*
 * Not zero where a byte of p[0..15] cannot follow those before it. Three bytes
 * before p are read. A byte must be a further continuation exactly when two
 * before it is E0.. or three before it F0..: these keep their highest bit
 * after the subtraction.
 */
WN_LOOKUP_TARGET static inline wn_vec check_vector(const char *p)
{
    wn_vec now = wn_vec_load(p), before = wn_vec_load(p - 1);
    wn_vec errors = and_vec(
        and_vec(look_up(first_high, high_halves(before)), look_up(first_low, low_halves(before))),
        look_up(second_high, high_halves(now)));
    wn_vec third = minus(wn_vec_load(p - 2), 0xE0 - 0x80);
    wn_vec fourth = minus(wn_vec_load(p - 3), 0xF0 - 0x80);
    return xor_vec(and_vec(wn_vec_or(third, fourth), all_bytes(0x80)), errors);
}

/* Whether the bytes before p end within a character. */
static inline bool is_inside_character(const char *p)
{
    const unsigned char *s = (const unsigned char *)p;
    return s[-1] >= 0xC0 || s[-2] >= 0xE0 || s[-3] >= 0xF0;
}

#ifdef __SSE2__
/* Moves over whole blocks of ASCII, in vectors twice as wide. */
__attribute__((target("avx2"))) static const char *skip_ascii_wide(const char *p, const char *end,
                                                                   bool *has_return)
{
    __m256i returns = _mm256_setzero_si256(), carriage_return = _mm256_set1_epi8('\r');
    for (; end - p >= BLOCK; p += BLOCK) {
        if (end - p > AHEAD)
            __builtin_prefetch(p + AHEAD);
        __m256i a = _mm256_loadu_si256((const __m256i *)p);
        __m256i b = _mm256_loadu_si256((const __m256i *)(p + 32));
        if (_mm256_movemask_epi8(_mm256_or_si256(a, b)))
            break;
        a = _mm256_cmpeq_epi8(a, carriage_return);
        b = _mm256_cmpeq_epi8(b, carriage_return);
        returns = _mm256_or_si256(returns, _mm256_or_si256(a, b));
    }
    *has_return |= !_mm256_testz_si256(returns, returns);
    return p;
}

static const char *skip_ascii(const char *p, const char *end, bool *has_return)
{
    return __builtin_cpu_supports("avx2") ? skip_ascii_wide(p, end, has_return) : p;
}
#else
static const char *skip_ascii(const char *p, const char *end, bool *has_return)
{
    (void)end, (void)has_return;
    return p;
}
#endif

/*
 * Moves over whole blocks as long as nothing in them is wrong. Three bytes
 * before p must be there, and no character may reach over p. The last character
 * before the returned place may be incomplete.
 */
WN_LOOKUP_TARGET static const char *skip_blocks(const char *p, const char *end, bool *has_return)
{
    wn_vec returns = all_bytes(0);
    bool was_ascii = true;
    for (; end - p >= BLOCK; p += BLOCK) {
        if (was_ascii)
            p = skip_ascii(p, end, has_return);
        if (end - p < BLOCK)
            break;
        if (end - p > AHEAD)
            __builtin_prefetch(p + AHEAD);
        wn_vec a = wn_vec_load(p), b = wn_vec_load(p + 16);
        wn_vec c = wn_vec_load(p + 32), d = wn_vec_load(p + 48);
        bool is_ascii = wn_vec_mask(wn_vec_or(wn_vec_or(a, b), wn_vec_or(c, d))) == 0;
        if (!is_ascii) {
            wn_vec errors = wn_vec_or(wn_vec_or(check_vector(p), check_vector(p + 16)),
                                      wn_vec_or(check_vector(p + 32), check_vector(p + 48)));
            if (!is_zero(errors))
                break;
        } else if (!was_ascii && is_inside_character(p)) {
            break;
        }
        was_ascii = is_ascii;
        wn_vec front = wn_vec_or(wn_vec_equal(a, '\r'), wn_vec_equal(b, '\r'));
        wn_vec back = wn_vec_or(wn_vec_equal(c, '\r'), wn_vec_equal(d, '\r'));
        returns = wn_vec_or(returns, wn_vec_or(front, back));
    }
    *has_return |= !is_zero(returns);
    return p;
}

/* The start of the character that reaches over p, or p. */
static const char *character_start(const char *p)
{
    const unsigned char *s = (const unsigned char *)p;
    return s[-1] >= 0xC0 ? p - 1 : s[-2] >= 0xE0 ? p - 2 : s[-3] >= 0xF0 ? p - 3 : p;
}

size_t wn_utf8_check(wn_str s, bool *has_return)
{
    *has_return = false;
    if (s.len == 0)
        return 0;
    const char *p = s.ptr, *end = s.ptr + s.len;
    if (s.len >= BLOCK + 8 && has_lookup()) {
        p = skip_characters(p, p + 3, end, has_return);
        if (p - s.ptr < 3)
            return (size_t)(p - s.ptr);
        p = character_start(skip_blocks(p, end, has_return));
    }
    return (size_t)(skip_characters(p, end, end, has_return) - s.ptr);
}

#else

size_t wn_utf8_check(wn_str s, bool *has_return)
{
    return wn_utf8_check_scalar(s, has_return);
}

#endif

size_t wn_utf8_valid_prefix(wn_str s)
{
    bool has_return;
    return wn_utf8_check(s, &has_return);
}

size_t wn_utf8_ill_formed(wn_str s)
{
    size_t ill_formed;
    character_size((const unsigned char *)s.ptr, s.len, &ill_formed);
    return ill_formed;
}

void wn_utf8_add_repaired(wn_buf *out, wn_str bytes)
{
    while (bytes.len > 0) {
        size_t valid = wn_utf8_valid_prefix(bytes);
        wn_buf_add(out, wn_str_from(bytes.ptr, valid));
        bytes = wn_str_from_offset(bytes, valid);
        if (bytes.len > 0) {
            wn_buf_add_literal(out, "\uFFFD");
            bytes = wn_str_from_offset(bytes, wn_utf8_ill_formed(bytes));
        }
    }
}
