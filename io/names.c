#include "io/names.h"

#include <assert.h>

void wn_io_names_init(wn_io_names *names)
{
    *names = (wn_io_names){0};
    wn_arena_init(&names->arena, 0);
}

void wn_io_names_free(wn_io_names *names)
{
    wn_arena_free(&names->arena);
    wn_array_free(&names->strings);
    wn_map_free(&names->map);
}

uint32_t wn_io_names_find(const wn_io_names *names, wn_str name)
{
    uint32_t number = wn_map_find(&names->map, name);
    return number < names->strings.count ? number : WN_IO_NO_NAME;
}

uint32_t wn_io_names_add(wn_io_names *names, wn_str name, bool *added)
{
    uint32_t number = wn_io_names_find(names, name);
    *added = false;
    if (number != WN_IO_NO_NAME)
        return number;
    const char *copy = wn_arena_c_string(&names->arena, name);
    bool room = !names->arena.failed && wn_array_reserve(&names->strings, names->strings.count + 1);
    number = room ? wn_map_add(&names->map, wn_str_from(copy, name.len), NULL) : WN_MAP_NONE;
    if (number == WN_MAP_NONE)
        return WN_IO_NO_NAME;
    assert(number == names->strings.count);
    names->strings.items[names->strings.count++] = copy;
    *added = true;
    return number;
}
