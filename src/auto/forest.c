/*
 * Judging rows by trees, WN_BATCH of them at once.
 */
#include "auto/forest.h"

#include <assert.h>
#include <string.h>

#include "base/scan.h"

/* ---- Batches ----------------------------------------------------------------------------- */

/* Compilers make single instructions of operations on these where there are some. */
typedef int16_t lanes_8 __attribute__((vector_size(16), may_alias));

#if !defined(WN_NO_SIMD) && defined(__wasm_simd128__)
/* The low or the high bytes of a tree's answers, in the order of the number below. */
static inline v128_t answer_bytes_8(v128_t first, v128_t second)
{
    const v128_t order = wasm_i8x16_make(0, 1, 2, 5, 3, 9, 6, 11, 15, 4, 8, 10, 14, 7, 13, 12);
    return wasm_i8x16_swizzle(wasm_u8x16_narrow_i16x8(first, second), order);
}

/* Eight answers at once, as answer_16() finds sixteen. */
static inline void answer_8(const wn_auto_tree *tree, const lanes_8 *left, int vectors,
                            uint32_t count, int32_t *sums)
{
    v128_t a = wasm_v128_load(tree->answers), b = wasm_v128_load(tree->answers + 8);
    v128_t byte = wasm_i16x8_splat(0xFF);
    v128_t low = answer_bytes_8(wasm_v128_and(a, byte), wasm_v128_and(b, byte));
    v128_t high = answer_bytes_8(wasm_u16x8_shr(a, 8), wasm_u16x8_shr(b, 8));
    (void)count; /* sums of rows past it may become anything */
    for (int i = 0; i < vectors; i++) {
        v128_t leaves = (v128_t)left[i];
        v128_t bits = wasm_v128_and(leaves, wasm_i16x8_neg(leaves));
        v128_t place = wasm_u16x8_shr(wasm_i16x8_mul(bits, wasm_i16x8_splat(0x09AF)), 12);
        v128_t lows = wasm_i8x16_swizzle(low, wasm_v128_or(place, wasm_i16x8_splat(-0x8000)));
        v128_t highs = wasm_i8x16_swizzle(
            high, wasm_v128_or(wasm_i16x8_shl(place, 8), wasm_i16x8_splat(0x80)));
        v128_t answer = wasm_v128_or(lows, highs);
        int32_t *to = sums + i * 8;
        v128_t front = wasm_i32x4_extend_low_i16x8(answer);
        v128_t back = wasm_i32x4_extend_high_i16x8(answer);
        wasm_v128_store(to, wasm_i32x4_add(wasm_v128_load(to), front));
        wasm_v128_store(to + 4, wasm_i32x4_add(wasm_v128_load(to + 4), back));
    }
}
#else
/* A function of its own: where answers are looked up one by one, vectors are of no use. */
static __attribute__((noinline)) void add_answers(const wn_auto_tree *tree, const uint16_t *leaves,
                                                  uint32_t count, int32_t *sums)
{
#pragma GCC unroll 4
    for (uint32_t i = 0; i < count; i++) {
        assert(leaves[i] != 0); /* no split clears the last leaf */
        sums[i] += tree->answers[__builtin_ctz(leaves[i])];
    }
}

static inline void answer_8(const wn_auto_tree *tree, const lanes_8 *left, int vectors,
                            uint32_t count, int32_t *sums)
{
    uint16_t leaves[WN_BATCH];
    memcpy(leaves, left, (size_t)vectors * sizeof *left);
    add_answers(tree, leaves, count, sums);
}
#endif

#define LANES 8
#define NAME(x) x##_8
#define TARGET
#include "auto/forest_lanes.h"

/* Most processors have wider vectors than what all have; the sums are the same. */
#if !defined(WN_NO_SIMD) && defined(__x86_64__)
#include <immintrin.h>
#define WIDE 1
#define LANES 16
#define NAME(x) x##_16
#define TARGET __attribute__((target("avx2,bmi")))

typedef int16_t lanes_16 __attribute__((vector_size(32), may_alias));

/*
 * The low or the high bytes of a tree's answers, in the order of answer_16(), for both halves of a
 * vector.
 */
TARGET static inline __m256i answer_bytes(__m128i first, __m128i second)
{
    const __m128i order = _mm_setr_epi8(0, 1, 2, 5, 3, 9, 6, 11, 15, 4, 8, 10, 14, 7, 13, 12);
    return _mm256_broadcastsi128_si256(_mm_shuffle_epi8(_mm_packus_epi16(first, second), order));
}

/*
 * Sixteen answers at once: the lowest bit of a lane, times this number, has a different value in
 * its upper four bits for each of the sixteen bits there are (a de Bruijn sequence), and bytes are
 * looked up by those.
 */
TARGET static inline __attribute__((always_inline)) void answer_16(const wn_auto_tree *tree,
                                                                   const lanes_16 *left,
                                                                   int vectors, uint32_t count,
                                                                   int32_t *sums)
{
    const __m128i *answers = (const __m128i *)tree->answers;
    __m128i a = _mm_loadu_si128(answers), b = _mm_loadu_si128(answers + 1);
    __m128i byte = _mm_set1_epi16(0xFF);
    __m256i low = answer_bytes(_mm_and_si128(a, byte), _mm_and_si128(b, byte));
    __m256i high = answer_bytes(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8));
    (void)count; /* sums of rows after it may become anything */
    for (int i = 0; i < vectors; i++) {
        __m256i leaves = (__m256i)left[i];
        __m256i bits = _mm256_and_si256(leaves, _mm256_sub_epi16(_mm256_setzero_si256(), leaves));
        __m256i place = _mm256_srli_epi16(_mm256_mullo_epi16(bits, _mm256_set1_epi16(0x09AF)), 12);
        __m256i lows = _mm256_shuffle_epi8(low, _mm256_or_si256(place, _mm256_set1_epi16(-0x8000)));
        __m256i highs = _mm256_shuffle_epi8(
            high, _mm256_or_si256(_mm256_slli_epi16(place, 8), _mm256_set1_epi16(0x80)));
        __m256i answer = _mm256_or_si256(lows, highs);
        __m256i *to = (__m256i *)(sums + i * 16);
        __m256i front = _mm256_cvtepi16_epi32(_mm256_castsi256_si128(answer));
        __m256i back = _mm256_cvtepi16_epi32(_mm256_extracti128_si256(answer, 1));
        _mm256_storeu_si256(to, _mm256_add_epi32(_mm256_loadu_si256(to), front));
        _mm256_storeu_si256(to + 1, _mm256_add_epi32(_mm256_loadu_si256(to + 1), back));
    }
}

#include "auto/forest_lanes.h"

/* A whole batch is one vector. */
#define LANES 32
#define NAME(x) x##_32
#define TARGET __attribute__((target("avx512bw,avx2,bmi")))

typedef int16_t lanes_32 __attribute__((vector_size(64), may_alias));

/* All answers at once, as answer_16() finds sixteen, but that 16-bit numbers are looked up whole. */
TARGET static inline __attribute__((always_inline)) void answer_32(const wn_auto_tree *tree,
                                                                   const lanes_32 *left,
                                                                   int vectors, uint32_t count,
                                                                   int32_t *sums)
{
    const __m512i order = _mm512_castsi256_si512(
        _mm256_setr_epi16(0, 1, 2, 5, 3, 9, 6, 11, 15, 4, 8, 10, 14, 7, 13, 12));
    __m256i unsorted = _mm256_loadu_si256((const __m256i *)tree->answers);
    __m512i answers = _mm512_permutexvar_epi16(order, _mm512_castsi256_si512(unsorted));
    (void)count; /* sums of rows after it may become anything */
    for (int i = 0; i < vectors; i++) {
        __m512i leaves = (__m512i)left[i];
        __m512i bits = _mm512_and_si512(leaves, _mm512_sub_epi16(_mm512_setzero_si512(), leaves));
        __m512i place = _mm512_srli_epi16(_mm512_mullo_epi16(bits, _mm512_set1_epi16(0x09AF)), 12);
        __m512i answer = _mm512_permutexvar_epi16(place, answers);
        __m512i *to = (__m512i *)(sums + i * 32);
        __m512i front = _mm512_cvtepi16_epi32(_mm512_castsi512_si256(answer));
        __m512i back = _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(answer, 1));
        _mm512_storeu_si512(to, _mm512_add_epi32(_mm512_loadu_si512(to), front));
        _mm512_storeu_si512(to + 1, _mm512_add_epi32(_mm512_loadu_si512(to + 1), back));
    }
}

#include "auto/forest_lanes.h"
#endif

bool wn_auto_forest_has_lanes(int lanes)
{
#ifdef WIDE
    bool has_16 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
    /* The first processors with AVX-512 slowed down for it; those that also know VBMI do not. */
    bool has_32 = has_16 && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512vbmi");
    return lanes == 8 || (lanes == 16 && has_16) || (lanes == 32 && has_32);
#else
    return lanes == 8;
#endif
}

void wn_auto_forest_add_by(int lanes, const wn_auto_forest *forest, uint32_t from, uint32_t to,
                           const uint16_t *leaves, const wn_auto_column *columns, uint32_t count,
                           int32_t *sums)
{
    assert(from <= to && to <= forest->tree_count);
    assert(count <= WN_BATCH);
#ifdef WIDE
    if (lanes == 32) {
        add_32(forest, from, to, leaves, columns, count, sums);
        return;
    }
    if (lanes == 16) {
        add_16(forest, from, to, leaves, columns, count, sums);
        return;
    }
#endif
    (void)lanes;
    add_8(forest, from, to, leaves, columns, count, sums);
}

void wn_auto_forest_add(const wn_auto_forest *forest, uint32_t from, uint32_t to,
                        const uint16_t *leaves, const wn_auto_column *columns, uint32_t count,
                        int32_t *sums)
{
    int lanes = wn_auto_forest_has_lanes(32) ? 32 : wn_auto_forest_has_lanes(16) ? 16 : 8;
    wn_auto_forest_add_by(lanes, forest, from, to, leaves, columns, count, sums);
}

/* ---- Single rows ------------------------------------------------------------------------- */

/* The leaves that some splits leave. */
static uint32_t reach(const wn_auto_split *split, const wn_auto_split *end, const int16_t *row)
{
    uint32_t gone = 0;
    for (; split < end; split++)
        gone |= split->left & -(uint32_t)(row[split->feature] > split->threshold);
    return ~gone & UINT16_MAX;
}

void wn_auto_forest_start(const wn_auto_forest *forest, const int16_t *row, uint16_t *leaves)
{
    const wn_auto_split *splits = forest->splits;
    for (uint32_t i = 0; i < forest->tree_count; i++) {
        const wn_auto_tree *tree = &forest->trees[i];
        leaves[i] = (uint16_t)reach(splits + tree->page, splits + tree->block, row);
    }
}

int32_t wn_auto_forest_ask(const wn_auto_forest *forest, uint32_t from, uint32_t to,
                           const int16_t *row)
{
    const wn_auto_split *splits = forest->splits;
    int32_t sum = 0;
    assert(from <= to && to <= forest->tree_count);
    for (uint32_t i = from; i < to; i++) {
        const wn_auto_tree *tree = &forest->trees[i];
        uint32_t leaves = reach(splits + tree->page, splits + tree->end, row);
        assert(leaves != 0); /* no split clears the last leaf */
        sum += tree->answers[__builtin_ctz(leaves)];
    }
    return sum;
}

/* ---- Rows to columns --------------------------------------------------------------------- */

#if !defined(WN_NO_SIMD) && defined(__SSE2__)
#define INTERLEAVE_LOW _mm_unpacklo_epi16
#define INTERLEAVE_HIGH _mm_unpackhi_epi16
#elif !defined(WN_NO_SIMD) && defined(__wasm_simd128__)
#define INTERLEAVE_LOW(a, b) wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define INTERLEAVE_HIGH(a, b) wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#endif

#ifdef INTERLEAVE_LOW
/* Each number of the first half of the rows, and then the one in the same place of the second. */
static inline void interleave(const wn_vec from[8], wn_vec to[8])
{
    for (int i = 0; i < 4; i++) {
        to[2 * i] = INTERLEAVE_LOW(from[i], from[i + 4]);
        to[2 * i + 1] = INTERLEAVE_HIGH(from[i], from[i + 4]);
    }
}

/* Eight numbers of eight rows. */
static inline void turn_square(const int16_t *rows, uint32_t stride, wn_auto_column *columns,
                               uint32_t lane)
{
    wn_vec a[8], b[8];
    for (int i = 0; i < 8; i++)
        a[i] = wn_vec_load((const char *)(rows + (size_t)i * stride));
    interleave(a, b);
    interleave(b, a);
    interleave(a, b);
    for (int i = 0; i < 8; i++)
        memcpy(&columns[i][lane], &b[i], sizeof b[i]);
}
#else
static inline void turn_square(const int16_t *rows, uint32_t stride, wn_auto_column *columns,
                               uint32_t lane)
{
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++)
            columns[i][lane + (uint32_t)k] = rows[(size_t)k * stride + (size_t)i];
}
#endif

void wn_auto_forest_turn(const int16_t *rows, uint32_t stride, uint32_t features, uint32_t count,
                         wn_auto_column *columns)
{
    assert(count <= WN_BATCH && (features + 7) / 8 * 8 <= stride);
    for (uint32_t lane = 0; lane < count; lane += 8)
        for (uint32_t feature = 0; feature < features; feature += 8)
            turn_square(rows + (size_t)lane * stride + feature, stride, columns + feature, lane);
}

/* ---- Probabilities ----------------------------------------------------------------------- */

/*
 * 1024 / (1 + exp(-x)) at x = 0, 1/8, 2/8, …, 8. Between them it is a straight line; the table is
 * part of the model, so to say: training sees the same numbers.
 */
static const uint16_t logistic[] = {
    512,  544,  576,  607,  637,  667,  695,  723,  749,  773,  796,  817,  837,
    856,  872,  888,  902,  915,  926,  937,  946,  955,  962,  969,  975,  981,
    986,  990,  994,  997,  1000, 1003, 1006, 1008, 1010, 1011, 1013, 1014, 1015,
    1016, 1017, 1018, 1019, 1019, 1020, 1020, 1021, 1021, 1021, 1022, 1022, 1022,
    1022, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 1024, 1024, 1024, 1024,
};

uint32_t wn_auto_logistic(int32_t logit)
{
    enum { STEP = WN_LOGIT_ONE / 8, LAST = sizeof logistic / sizeof *logistic - 1 };
    uint32_t size = (uint32_t)(logit < 0 ? -(int64_t)logit : logit);
    uint32_t step = size / STEP, rest = size % STEP;
    uint32_t chance = step >= LAST
                          ? logistic[LAST]
                          : (logistic[step] * (STEP - rest) + logistic[step + 1] * rest) / STEP;
    return logit < 0 ? WN_LOGIT_ONE - chance : chance;
}
