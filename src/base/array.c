#include "base/array.h"

#include <assert.h>

enum { FIRST_CAPACITY = 16, MEDIUM = 1 << 10, LARGE = 1 << 18 };

bool wn_array_grow(void **items, uint32_t *capacity, size_t item_size, uint32_t needed)
{
    assert(item_size > 0 && (*items || *capacity == 0));
    if (needed <= *capacity)
        return true;
    /*
     * Growing by half keeps appending linear. Larger arrays grow by less, because their unused part
     * matters, and the system moves very large ones without copying.
     */
    unsigned part = *capacity < MEDIUM ? 2 : *capacity < LARGE ? 4 : 8;
    uint64_t larger = *capacity + (uint64_t)*capacity / part;
    if (larger < needed)
        larger = needed;
    if (larger < FIRST_CAPACITY)
        larger = FIRST_CAPACITY;
    if (larger > UINT32_MAX || larger > SIZE_MAX / item_size)
        return false;
    void *moved = wn_memory_resize(*items, (size_t)larger * item_size);
    if (!moved)
        return false;
    assert(larger >= needed);
    *items = moved;
    *capacity = (uint32_t)larger;
    return true;
}
