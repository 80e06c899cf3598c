/*
 * A tally: numbers for keys that are hashes, in a table of fixed size. What is counted for each
 * key stands in arrays of the owner, by the key's slot.
 *
 * The size is set by how many keys can come; keys that fall together by chance are
 * taken for the same, which a statistic can bear.
 */
#ifndef WN_AUTO_KEY_SLOTS_H
#define WN_AUTO_KEY_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { WN_TALLY_PROBES = 16 }; /* then two keys share a slot: chosen keys cannot make it slow */

typedef struct wn_tally {
    uint32_t *keys; /* 0: free */
    uint32_t mask;
} wn_tally;

/* Zeros by slot. NULL when memory is out. */
static inline void *wn_tally_zeros(const wn_tally *tally, size_t size, wn_arena *arena)
{
    void *zeros = wn_arena_alloc(arena, (tally->mask + 1ull) * size);
    return zeros ? memset(zeros, 0, (tally->mask + 1ull) * size) : NULL;
}

/* Makes room for `keys` keys; false when memory is out. */
static inline bool wn_tally_start(wn_tally *tally, uint32_t keys, wn_arena *arena)
{
    uint32_t size = 16;
    while (size < keys + keys / 4ull && size < 1u << 30)
        size *= 2;
    tally->mask = size - 1;
    tally->keys = wn_tally_zeros(tally, sizeof *tally->keys, arena);
    return tally->keys != NULL;
}

/* The slot of the key, which is taken when it has none. */
static inline uint32_t wn_tally_slot(wn_tally *tally, uint32_t key)
{
    key += key == 0;
    uint32_t at = (key * 0x9E3779B1u >> 7) & tally->mask;
    for (int i = 0; i < WN_TALLY_PROBES && tally->keys[at] != key; i++) {
        if (tally->keys[at] == 0) {
            tally->keys[at] = key;
            return at;
        }
        at = (at + 1) & tally->mask;
    }
    return at;
}

#endif
