#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local const wn_memory *current;
static _Thread_local size_t failures;
static atomic_bool ran_out;

const wn_memory *wn_memory_use(const wn_memory *memory)
{
    const wn_memory *before = current;
    current = memory;
    return before;
}

size_t wn_memory_failures(void)
{
    return failures;
}

/* Notes it if there is no memory although some was wanted. */
static void *noted(void *memory, size_t size)
{
    if (!memory && size > 0) {
        failures++;
        atomic_store_explicit(&ran_out, true, memory_order_relaxed);
    }
    return memory;
}

bool wn_memory_ran_out(void)
{
    return atomic_load_explicit(&ran_out, memory_order_relaxed);
}

void *wn_memory_get(size_t size)
{
    return noted(current ? current->allocate(current->data, size) : malloc(size), size);
}

void *wn_memory_get_zeroed(size_t size)
{
    if (!current)
        return noted(calloc(1, size), size);
    void *memory = wn_memory_get(size);
    return memory ? memset(memory, 0, size) : NULL;
}

void *wn_memory_resize(void *memory, size_t size)
{
    if (!memory)
        return wn_memory_get(size);
    return noted(current ? current->resize(current->data, memory, size) : realloc(memory, size),
                 size);
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
