#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local const wn_memory *current;

const wn_memory *wn_memory_use(const wn_memory *memory)
{
    const wn_memory *before = current;
    current = memory;
    return before;
}

void *wn_memory_get(size_t size)
{
    return current ? current->allocate(current->data, size) : malloc(size);
}

void *wn_memory_get_zeroed(size_t size)
{
    if (!current)
        return calloc(1, size);
    void *memory = current->allocate(current->data, size);
    return memory ? memset(memory, 0, size) : NULL;
}

void *wn_memory_resize(void *memory, size_t size)
{
    if (!current)
        return realloc(memory, size);
    return memory ? current->resize(current->data, memory, size)
                  : current->allocate(current->data, size);
}

void wn_memory_release(void *memory)
{
    if (!memory)
        return;
    if (current)
        current->release(current->data, memory);
    else
        free(memory);
}
