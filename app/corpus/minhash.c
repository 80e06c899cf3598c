#include "corpus/minhash.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

void wn_corpus_minhash_init(wn_minhash *m, uint32_t bands, uint32_t rows)
{
    assert((uint64_t)bands * rows <= WN_MINHASH_MOST);
    m->bands = bands;
    m->rows = rows;
    for (uint32_t i = 0; i < bands * rows; i++) {
        uint64_t random = wn_hash_mix64(UINT64_C(0x9E3779B97F4A7C15) * (i + 1));
        m->multiply[i] = (uint32_t)random | 1; /* odd: no two shingles fall together */
        m->add[i] = (uint32_t)(random >> 32);
    }
}

/*
 * The inner loop of it all: every shingle with every function. Plain C that compilers make
 * vectors of, eight functions at a time where the processor can.
 */
static inline __attribute__((always_inline)) void find_firsts(wn_minhash *m, const wn_shingles *set,
                                                              uint32_t functions)
{
    for (uint32_t s = 0; s < set->count; s++) {
        uint32_t shingle = (uint32_t)(set->items[s] >> 32);
        for (uint32_t i = 0; i < functions; i++) {
            uint32_t hash = shingle * m->multiply[i] + m->add[i];
            m->firsts[i] = hash < m->firsts[i] ? hash : m->firsts[i];
        }
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void find_firsts_avx2(wn_minhash *m, const wn_shingles *set,
                                                             uint32_t functions)
{
    find_firsts(m, set, functions);
}
#endif

void wn_corpus_minhash_keys(wn_minhash *m, const wn_shingles *set, uint64_t *keys)
{
    uint32_t functions = m->bands * m->rows;
    memset(m->firsts, 0xFF, functions * sizeof *m->firsts);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        find_firsts_avx2(m, set, functions);
    else
#endif
        find_firsts(m, set, functions);
    for (uint32_t band = 0; band < m->bands; band++) {
        keys[band] = band + 1;
        for (uint32_t row = 0; row < m->rows; row++)
            keys[band] = wn_hash_mix64(keys[band] << 1 ^ keys[band] >> 63 ^
                                       m->firsts[band * m->rows + row]);
    }
}
