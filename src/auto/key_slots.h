/*
 * Key slots: small numbers for keys that are hashes, from a table of fixed size. What is counted
 * for each key is in arrays of the owner, by the key's slot.
 *
 * The size is set by how many keys can come; keys that collide are treated as equal, which does not
 * matter for statistics.
 */
#ifndef WN_AUTO_KEY_SLOTS_H
#define WN_AUTO_KEY_SLOTS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { WN_KEY_SLOTS_PROBES = 16 }; /* then two keys share a slot: chosen keys cannot make it slow */

typedef struct wn_auto_key_slots {
    uint32_t *keys; /* 0: free */
    uint32_t mask;
} wn_auto_key_slots;

/* Zeros by slot. NULL if out of memory. */
static inline void *wn_auto_key_slots_zeros(const wn_auto_key_slots *slots, size_t size,
                                            wn_arena *arena)
{
    void *zeros = wn_arena_alloc(arena, (slots->mask + 1ull) * size);
    return zeros ? memset(zeros, 0, (slots->mask + 1ull) * size) : NULL;
}

/* Makes room for `keys` keys; false if out of memory. */
static inline bool wn_auto_key_slots_start(wn_auto_key_slots *slots, uint32_t keys, wn_arena *arena)
{
    uint32_t size = 16;
    while (size < keys + keys / 4ull && size < 1u << 30)
        size *= 2;
    slots->mask = size - 1;
    slots->keys = wn_auto_key_slots_zeros(slots, sizeof *slots->keys, arena);
    return slots->keys != NULL;
}

/* The slot of the key, which is taken when it has none. */
static inline uint32_t wn_auto_key_slots_find(wn_auto_key_slots *slots, uint32_t key)
{
    assert(slots->keys && (slots->mask & (slots->mask + 1)) == 0);
    key += key == 0;
    uint32_t at = (key * 0x9E3779B1u >> 7) & slots->mask;
    for (int i = 0; i < WN_KEY_SLOTS_PROBES && slots->keys[at] != key; i++) {
        if (slots->keys[at] == 0) {
            slots->keys[at] = key;
            return at;
        }
        at = (at + 1) & slots->mask;
    }
    return at;
}

#endif
