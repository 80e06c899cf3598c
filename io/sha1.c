#include "io/sha1.h"

#include <string.h>

enum { BLOCK = 64, LENGTH_BYTES = 8 };

void wn_io_sha1_begin(wn_io_sha1 *sha1)
{
    *sha1 = (wn_io_sha1){
        .state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0},
    };
}

static uint32_t rotate(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

/* The function and the constant of a round: section 5. */
static uint32_t mix(int round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round < 20)
        return ((b & c) | (~b & d)) + 0x5A827999;
    if (round < 40)
        return (b ^ c ^ d) + 0x6ED9EBA1;
    if (round < 60)
        return ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC;
    return (b ^ c ^ d) + 0xCA62C1D6;
}

/* Section 6.1. */
static void take_block(wn_io_sha1 *sha1, const unsigned char *block)
{
    uint32_t w[80], *h = sha1->state;
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 80; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < 80; i++) {
        uint32_t next = rotate(a, 5) + mix(i, b, c, d) + e + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

void wn_io_sha1_add(wn_io_sha1 *sha1, wn_str bytes)
{
    while (bytes.len > 0) {
        size_t used = sha1->length % BLOCK;
        size_t count = bytes.len < BLOCK - used ? bytes.len : BLOCK - used;
        memcpy(sha1->block + used, bytes.ptr, count);
        sha1->length += count;
        if (used + count == BLOCK)
            take_block(sha1, sha1->block);
        bytes = wn_str_from_offset(bytes, count);
    }
}

/* A bit, zeros, and the length in bits: section 4. */
static void pad(wn_io_sha1 *sha1)
{
    static const char padding[BLOCK] = {(char)0x80};
    uint64_t bits = sha1->length * 8;
    size_t used = sha1->length % BLOCK;
    size_t room = used < BLOCK - LENGTH_BYTES ? BLOCK : 2 * BLOCK;
    wn_io_sha1_add(sha1, wn_str_from(padding, 1));
    for (size_t left = room - LENGTH_BYTES - used - 1; left > 0;) {
        size_t count = left < BLOCK - 1 ? left : BLOCK - 1;
        wn_io_sha1_add(sha1, wn_str_from(padding + 1, count));
        left -= count;
    }
    char length[LENGTH_BYTES];
    for (int i = 0; i < LENGTH_BYTES; i++)
        length[i] = (char)(bits >> (56 - 8 * i));
    wn_io_sha1_add(sha1, wn_str_from(length, sizeof length));
}

void wn_io_sha1_label(wn_io_sha1 *sha1, char label[WN_IO_SHA1_LABEL])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"; /* RFC 4648, section 6 */
    pad(sha1);
    memcpy(label, "sha1:", 5);
    for (int i = 0; i < 32; i++) {
        uint32_t digit = 0;
        for (int bit = 5 * i; bit < 5 * i + 5; bit++)
            digit = digit << 1 | (sha1->state[bit / 32] >> (31 - bit % 32) & 1);
        label[5 + i] = digits[digit];
    }
    label[WN_IO_SHA1_LABEL - 1] = '\0';
}
