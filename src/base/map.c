#include "base/map.h"

#include <assert.h>

enum {
    FIRST_SIZE = 64,
    MOST_KEYS = 1 << 30, /* with twice as many slots their number still fits into 32 bits */
    /*
     * A map with more slots per key than this starts small again, so that one large page does not
     * make clearing the map slow for all later ones.
     */
    MOST_SLOTS_PER_KEY = 64,
};

/* ---- Slots ------------------------------------------------------------------------------- */

static void check_slots(const wn_map_slots *slots)
{
    assert((slots->size & (slots->size - 1)) == 0);
    assert((slots->size == 0) == (slots->items == NULL));
    assert(slots->used <= slots->size / 2); /* so every search ends at a free one */
    (void)slots;
}

/* Puts a number into the first free slot, starting at the one given by the hash. */
static void fill_slot(wn_map_slot *items, uint32_t size, wn_map_slot slot)
{
    uint32_t mask = size - 1, at = slot.hash & mask;
    while (items[at].number)
        at = (at + 1) & mask;
    items[at] = slot;
}

/* Makes twice as many slots; the hashes that are kept are all that is needed for that. */
static bool grow(wn_map_slots *slots)
{
    uint32_t size = slots->size ? slots->size * 2 : FIRST_SIZE;
    wn_map_slot *items = wn_memory_get_zeroed(size * sizeof *items);
    if (!items)
        return false;
    if (slots->size == 0)
        slots->hash_key = wn_hash_random_key(slots);
    for (uint32_t i = 0; i < slots->size; i++)
        if (slots->items[i].number)
            fill_slot(items, size, slots->items[i]);
    wn_memory_release(slots->items);
    slots->items = items;
    slots->size = size;
    return true;
}

/* Makes room for one more key; false if out of memory. */
static bool make_room(wn_map_slots *slots)
{
    check_slots(slots);
    if (slots->used < slots->size / 2)
        return true;
    return slots->used < MOST_KEYS && grow(slots);
}

static void add_slot(wn_map_slots *slots, uint32_t hash, uint32_t number)
{
    fill_slot(slots->items, slots->size, (wn_map_slot){hash, number + 1});
    slots->used++;
    check_slots(slots);
}

static void free_slots(wn_map_slots *slots)
{
    wn_memory_release(slots->items);
    *slots = (wn_map_slots){0};
}

static void clear_slots(wn_map_slots *slots)
{
    if (slots->size > FIRST_SIZE && slots->size / MOST_SLOTS_PER_KEY > slots->used)
        free_slots(slots);
    else if (slots->used > 0)
        memset(slots->items, 0, slots->size * sizeof *slots->items);
    slots->used = 0;
}

/* ---- Strings ----------------------------------------------------------------------------- */

static uint32_t find_string(const wn_map *map, wn_str key, uint32_t hash)
{
    uint32_t mask = map->slots.size - 1;
    for (uint32_t at = hash & mask; map->slots.items[at].number; at = (at + 1) & mask) {
        wn_map_slot slot = map->slots.items[at];
        assert(slot.number <= map->keys.count);
        if (slot.hash == hash && wn_str_eq(map->keys.items[slot.number - 1], key))
            return slot.number - 1;
    }
    return WN_MAP_NONE;
}

uint32_t wn_map_find(const wn_map *map, wn_str key)
{
    if (map->slots.used == 0)
        return WN_MAP_NONE;
    return find_string(map, key, (uint32_t)wn_hash_keyed(map->slots.hash_key, key));
}

/* Appends a key that is not there; false if out of memory. */
static bool push_string(wn_map *map, wn_str key, wn_arena *copies)
{
    wn_str kept = copies ? wn_arena_copy(copies, key) : key;
    wn_str *place = copies && copies->failed ? NULL : wn_array_push(&map->keys);
    if (place)
        *place = kept;
    return place != NULL;
}

uint32_t wn_map_add(wn_map *map, wn_str key, wn_arena *copies)
{
    if (map->failed || !make_room(&map->slots)) {
        map->failed = true;
        return wn_map_find(map, key);
    }
    uint32_t hash = (uint32_t)wn_hash_keyed(map->slots.hash_key, key);
    uint32_t number = find_string(map, key, hash);
    if (number != WN_MAP_NONE)
        return number;
    if (!push_string(map, key, copies)) {
        map->failed = true;
        return WN_MAP_NONE;
    }
    add_slot(&map->slots, hash, map->keys.count - 1);
    return map->keys.count - 1;
}

void wn_map_clear(wn_map *map)
{
    clear_slots(&map->slots);
    map->keys.count = 0;
    map->failed = false;
}

void wn_map_free(wn_map *map)
{
    free_slots(&map->slots);
    wn_array_free(&map->keys);
    map->failed = false;
}

/* ---- Numbers ----------------------------------------------------------------------------- */

static uint32_t find_number(const wn_map64 *map, uint64_t key, uint32_t hash)
{
    uint32_t mask = map->slots.size - 1;
    for (uint32_t at = hash & mask; map->slots.items[at].number; at = (at + 1) & mask) {
        wn_map_slot slot = map->slots.items[at];
        assert(slot.number <= map->keys.count);
        if (slot.hash == hash && map->keys.items[slot.number - 1] == key)
            return slot.number - 1;
    }
    return WN_MAP_NONE;
}

uint32_t wn_map64_find(const wn_map64 *map, uint64_t key)
{
    if (map->slots.used == 0)
        return WN_MAP_NONE;
    return find_number(map, key, (uint32_t)wn_hash_keyed_number(map->slots.hash_key, key));
}

uint32_t wn_map64_add(wn_map64 *map, uint64_t key)
{
    if (map->failed || !make_room(&map->slots)) {
        map->failed = true;
        return wn_map64_find(map, key);
    }
    uint32_t hash = (uint32_t)wn_hash_keyed_number(map->slots.hash_key, key);
    uint32_t number = find_number(map, key, hash);
    if (number != WN_MAP_NONE)
        return number;
    uint64_t *place = wn_array_push(&map->keys);
    map->failed = !place;
    if (!place)
        return WN_MAP_NONE;
    *place = key;
    add_slot(&map->slots, hash, map->keys.count - 1);
    return map->keys.count - 1;
}

void wn_map64_clear(wn_map64 *map)
{
    clear_slots(&map->slots);
    map->keys.count = 0;
    map->failed = false;
}

void wn_map64_free(wn_map64 *map)
{
    free_slots(&map->slots);
    wn_array_free(&map->keys);
    map->failed = false;
}

/* ---- Memory ------------------------------------------------------------------------------ */

size_t wn_map_memory(const wn_map *map)
{
    return wn_array_bytes(&map->keys) + map->slots.size * sizeof *map->slots.items;
}

size_t wn_map64_memory(const wn_map64 *map)
{
    return wn_array_bytes(&map->keys) + map->slots.size * sizeof *map->slots.items;
}
