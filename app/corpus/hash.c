#include "corpus/hash.h"

typedef struct sip {
    uint64_t a, b, c, d;
} sip;

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static void round_once(sip *s)
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

static void take_in(sip *s, uint64_t word)
{
    s->d ^= word;
    round_once(s);
    round_once(s);
    s->a ^= word;
}

/* Up to eight bytes as a number, the lowest first. */
static uint64_t read_word(const char *p, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)(unsigned char)p[i] << (8 * i);
    return word;
}

static void take_all(sip *s, wn_str bytes)
{
    size_t whole = bytes.len / 8;
    for (size_t i = 0; i < whole; i++)
        take_in(s, read_word(bytes.ptr + 8 * i, 8));
    take_in(s, read_word(bytes.ptr + 8 * whole, bytes.len % 8) | (uint64_t)bytes.len << 56);
}

static uint64_t finish(sip *s, uint64_t mark)
{
    (mark == 0xDD ? &s->b : &s->c)[0] ^= mark;
    for (int i = 0; i < 4; i++)
        round_once(s);
    return s->a ^ s->b ^ s->c ^ s->d;
}

static sip begin(wn_hash_key key)
{
    return (sip){
        .a = key.low ^ UINT64_C(0x736f6d6570736575),
        .b = key.high ^ UINT64_C(0x646f72616e646f6d),
        .c = key.low ^ UINT64_C(0x6c7967656e657261),
        .d = key.high ^ UINT64_C(0x7465646279746573),
    };
}

uint64_t wn_hash64(wn_hash_key key, wn_str bytes)
{
    sip s = begin(key);
    take_all(&s, bytes);
    return finish(&s, 0xFF);
}

void wn_hash128(wn_hash_key key, wn_str bytes, char out[16])
{
    sip s = begin(key);
    s.b ^= 0xEE;
    take_all(&s, bytes);
    uint64_t halves[2] = {finish(&s, 0xEE), finish(&s, 0xDD)};
    for (int i = 0; i < 16; i++)
        out[i] = (char)(halves[i / 8] >> (8 * (i % 8)));
}
