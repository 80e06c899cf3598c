#include "base/hash.h"

#include <time.h>

#if defined(__linux__)
#include <sys/random.h>
#elif defined(__wasi__)
#include <unistd.h>
#endif

/* ---- SipHash ----------------------------------------------------------------------------- */

typedef struct sip {
    uint64_t a, b, c, d;
} sip;

static inline uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void round_once(sip *s)
{
    s->a += s->b;
    s->b = rotate(s->b, 13) ^ s->a;
    s->a = rotate(s->a, 32);
    s->c += s->d;
    s->d = rotate(s->d, 16) ^ s->c;
    s->a += s->d;
    s->d = rotate(s->d, 21) ^ s->a;
    s->c += s->b;
    s->b = rotate(s->b, 17) ^ s->c;
    s->c = rotate(s->c, 32);
}

static inline sip begin(wn_hash_key key)
{
    return (sip){
        .a = key.low ^ UINT64_C(0x736f6d6570736575),
        .b = key.high ^ UINT64_C(0x646f72616e646f6d),
        .c = key.low ^ UINT64_C(0x6c7967656e657261),
        .d = key.high ^ UINT64_C(0x7465646279746573),
    };
}

static inline void take_in(sip *s, uint64_t word, int rounds)
{
    s->d ^= word;
    for (int i = 0; i < rounds; i++)
        round_once(s);
    s->a ^= word;
}

static inline uint64_t read_word(const char *p)
{
    return wn_hash_load4(p) | (uint64_t)wn_hash_load4(p + 4) << 32;
}

/* Fewer than eight bytes as a number, the lowest first. Reads may overlap: no loop is needed. */
static inline uint64_t read_last(const char *p, size_t count)
{
    const unsigned char *bytes = (const unsigned char *)p;
    size_t middle = count / 2, last = count - 1;
    if (count >= 4)
        return wn_hash_load4(p) | (uint64_t)wn_hash_load4(p + count - 4) << 8 * (count - 4);
    if (count == 0)
        return 0;
    return bytes[0] | (uint64_t)bytes[middle] << 8 * middle | (uint64_t)bytes[last] << 8 * last;
}

static inline void take_all(sip *s, wn_str bytes, int rounds)
{
    uint64_t length = (uint64_t)bytes.len << 56;
    for (; bytes.len >= 8; bytes.ptr += 8, bytes.len -= 8)
        take_in(s, read_word(bytes.ptr), rounds);
    take_in(s, read_last(bytes.ptr, bytes.len) | length, rounds);
}

static inline uint64_t finish(sip *s, int rounds)
{
    for (int i = 0; i < rounds; i++)
        round_once(s);
    return s->a ^ s->b ^ s->c ^ s->d;
}

/* ---- Keyed ------------------------------------------------------------------------------- */

static bool read_random(wn_hash_key *key)
{
#if defined(__linux__)
    return getrandom(key, sizeof *key, GRND_NONBLOCK) == (ssize_t)sizeof *key;
#elif defined(__wasi__)
    return getentropy(key, sizeof *key) == 0;
#else
    (void)key;
    return false;
#endif
}

wn_hash_key wn_hash_random_key(const void *owner)
{
    wn_hash_key key;
    if (read_random(&key))
        return key;
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    key.low = wn_hash_mix64((uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec);
    key.high = wn_hash_mix64((uintptr_t)owner ^ (uint64_t)(uintptr_t)&key << 24 ^ key.low);
    return key;
}

uint64_t wn_hash_keyed(wn_hash_key key, wn_str bytes)
{
    sip s = begin(key);
    take_all(&s, bytes, 1);
    s.c ^= 0xFF;
    return finish(&s, 3);
}

uint64_t wn_hash_keyed_number(wn_hash_key key, uint64_t number)
{
    sip s = begin(key);
    take_in(&s, number, 1);
    take_in(&s, (uint64_t)sizeof number << 56, 1);
    s.c ^= 0xFF;
    return finish(&s, 3);
}

/* ---- Stable ------------------------------------------------------------------------------ */

uint64_t wn_hash_stable64(wn_hash_key key, wn_str bytes)
{
    sip s = begin(key);
    take_all(&s, bytes, 2);
    s.c ^= 0xFF;
    return finish(&s, 4);
}

void wn_hash_stable128(wn_hash_key key, wn_str bytes, char out[16])
{
    sip s = begin(key);
    s.b ^= 0xEE;
    take_all(&s, bytes, 2);
    s.c ^= 0xEE;
    uint64_t low = finish(&s, 4);
    s.b ^= 0xDD;
    uint64_t high = finish(&s, 4);
    for (int i = 0; i < 8; i++) {
        out[i] = (char)(low >> (8 * i));
        out[8 + i] = (char)(high >> (8 * i));
    }
}
