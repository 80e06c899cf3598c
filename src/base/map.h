/*
 * Maps: the hash tables of winnow. A map numbers keys: the first one is 0, the next new one 1.
 *
 *     wn_map words = {0};
 *     uint32_t n = wn_map_add(&words, word, &arena);  // its number, new if the word is new
 *     wn_map_find(&words, other);                     // WN_MAP_NONE if it is not there
 *     words.keys.items[n]; words.keys.count;          // the keys, in the order in which they came
 *     wn_map_free(&words);
 *
 * What belongs to a key is in arrays of the owner, by its number. wn_map64 is the same for keys
 * that are 64-bit numbers.
 *
 * Most keys come from pages, and some pages are hostile: keys with equal hashes would make every
 * search linear. So each map has its own random key for its hashes (base/hash.h). The number of a
 * key depends only on the order of insertion, and slots cannot be enumerated: the same input gives
 * the same result, whatever the random key is.
 *
 * Failure is sticky. When memory is out, `failed` is set until the map is cleared, and new keys
 * are not added; those that are there are still found.
 */
#ifndef WN_BASE_MAP_H
#define WN_BASE_MAP_H

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/str.h"

#define WN_MAP_NONE UINT32_MAX

typedef struct wn_map_slot {
    uint32_t hash;   /* the lower half of the key's hash */
    uint32_t number; /* of the key, plus 1; 0: the slot is free */
} wn_map_slot;

/* Open addressing, at least half of the slots free. */
typedef struct wn_map_slots {
    wn_map_slot *items;
    uint32_t size; /* a power of two; 0: no slots yet */
    uint32_t used;
    wn_hash_key hash_key;
} wn_map_slots;

/* ---- Strings ----------------------------------------------------------------------------- */

/* Zero it before the first use. */
typedef struct wn_map {
    wn_array(wn_str) keys; /* by number */
    wn_map_slots slots;
    bool failed;
} wn_map;

/*
 * The number of a key, which is added if it is new; WN_MAP_NONE if out of memory. A new key is
 * copied into `copies`; without an arena (NULL) its bytes must live as long as the map.
 */
uint32_t wn_map_add(wn_map *map, wn_str key, wn_arena *copies);

/* The number of a key; WN_MAP_NONE if it is not there. */
uint32_t wn_map_find(const wn_map *map, wn_str key);

/* Forgets all keys; keeps the memory, unless it is far more than they needed. */
void wn_map_clear(wn_map *map);
void wn_map_free(wn_map *map);
size_t wn_map_memory(const wn_map *map);

/* ---- Numbers ----------------------------------------------------------------------------- */

/* Zero it before the first use. */
typedef struct wn_map64 {
    wn_array(uint64_t) keys; /* by number */
    wn_map_slots slots;
    bool failed;
} wn_map64;

uint32_t wn_map64_add(wn_map64 *map, uint64_t key);
uint32_t wn_map64_find(const wn_map64 *map, uint64_t key);
void wn_map64_clear(wn_map64 *map);
void wn_map64_free(wn_map64 *map);
size_t wn_map64_memory(const wn_map64 *map);

#endif
