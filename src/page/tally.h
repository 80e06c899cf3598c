/*
 * A tally: sums for keys that are hashes, in a table of fixed size.
 *
 * The size is set by how many keys can come; keys that fall together by chance are
 * taken for the same, which a statistic can bear.
 */
#ifndef WN_PAGE_TALLY_H
#define WN_PAGE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { WN_TALLY_PROBES = 16 }; /* then two keys share an entry: chosen keys cannot make it slow */

typedef struct wn_tally_entry {
    uint32_t key; /* 0: free */
    uint32_t count;
    uint32_t words, bytes, link_bytes;
} wn_tally_entry;

typedef struct wn_tally {
    wn_tally_entry *entries;
    uint32_t mask;
} wn_tally;

/* Makes room for `keys` keys; false when memory is out. */
static inline bool wn_tally_start(wn_tally *tally, uint32_t keys, wn_arena *arena)
{
    uint32_t size = 16;
    while (size < keys + keys / 4ull && size < 1u << 30)
        size *= 2;
    tally->mask = size - 1;
    tally->entries = wn_arena_alloc(arena, size * sizeof *tally->entries);
    if (tally->entries)
        memset(tally->entries, 0, size * sizeof *tally->entries);
    return tally->entries != NULL;
}

/* The index of the key's entry, which is made when there is none. */
static inline uint32_t wn_tally_slot(wn_tally *tally, uint32_t key)
{
    key += key == 0;
    uint32_t at = (key * 0x9E3779B1u >> 7) & tally->mask;
    for (int i = 0; i < WN_TALLY_PROBES && tally->entries[at].key != key; i++) {
        if (tally->entries[at].key == 0) {
            tally->entries[at].key = key;
            return at;
        }
        at = (at + 1) & tally->mask;
    }
    return at;
}

#endif
