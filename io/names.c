#include "io/names.h"

#include <stdlib.h>
#include <sys/random.h>

enum { FIRST_SIZE = 1024 };

void wn_io_names_init(wn_io_names *names)
{
    *names = (wn_io_names){0};
    wn_arena_init(&names->arena, 0);
    if (getrandom(&names->seed, sizeof names->seed, GRND_NONBLOCK) != sizeof names->seed)
        names->seed = (uintptr_t)names; /* the kernel has no randomness yet: better than nothing */
}

void wn_io_names_free(wn_io_names *names)
{
    wn_arena_free(&names->arena);
    wn_array_free(&names->strings);
    free(names->table);
    names->table = NULL;
}

static uint64_t hash_of(const wn_io_names *names, wn_str s)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ names->seed;
    for (size_t i = 0; i < s.len; i++)
        hash = (hash ^ (unsigned char)s.ptr[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

/* The place of a string in the table, or the free one where it would go. */
static uint32_t place_of(const wn_io_names *names, wn_str name)
{
    uint32_t place = (uint32_t)hash_of(names, name) & (names->size - 1);
    while (names->table[place] &&
           !wn_str_eq(wn_str_of(names->strings.items[names->table[place] - 1]), name))
        place = (place + 1) & (names->size - 1);
    return place;
}

uint32_t wn_io_names_find(const wn_io_names *names, wn_str name)
{
    return names->size ? names->table[place_of(names, name)] - 1 : WN_IO_NO_NAME;
}

static bool grow(wn_io_names *names)
{
    uint32_t size = names->size ? names->size * 2 : FIRST_SIZE;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    free(names->table);
    names->table = table;
    names->size = size;
    for (uint32_t i = 0; i < names->strings.count; i++)
        table[place_of(names, wn_str_of(names->strings.items[i]))] = i + 1;
    return true;
}

uint32_t wn_io_names_add(wn_io_names *names, wn_str name, bool *added)
{
    *added = false;
    if (names->strings.count >= names->size / 2 && !grow(names))
        return WN_IO_NO_NAME;
    uint32_t place = place_of(names, name);
    if (names->table[place])
        return names->table[place] - 1;
    const char *copy = wn_arena_c_string(&names->arena, name);
    const char **string = names->arena.failed ? NULL : wn_array_push(&names->strings);
    if (!string)
        return WN_IO_NO_NAME;
    *string = copy;
    names->table[place] = names->strings.count;
    *added = true;
    return names->strings.count - 1;
}
