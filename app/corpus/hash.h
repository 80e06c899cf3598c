/*
 * SipHash-2-4: short hashes with a key (Aumasson and Bernstein, "SipHash: a fast short-input PRF").
 *
 * With a secret key nobody can choose two inputs that meet, so a page cannot be made that takes the
 * place of another.
 */
#ifndef WN_CORPUS_HASH_H
#define WN_CORPUS_HASH_H

#include <stdint.h>

#include "base/str.h"

typedef struct wn_hash_key {
    uint64_t low, high;
} wn_hash_key;

uint64_t wn_hash64(wn_hash_key key, wn_str bytes);

/* 16 bytes, the same on every machine. */
void wn_hash128(wn_hash_key key, wn_str bytes, char out[16]);

#endif
