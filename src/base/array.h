/*
 * Growing arrays of any type, indexed by 32-bit numbers.
 *
 *     wn_array(wn_node) nodes = {0};
 *     wn_node *node = wn_array_push(&nodes);      // NULL if out of memory
 *     nodes.items[3]; nodes.count;
 *     wn_array_free(&nodes);
 *
 * An array keeps its memory when it is emptied (`count = 0`), so the arrays of a context stop
 * allocating after the first pages. Pushing may move the items: keep indexes, not pointers.
 */
#ifndef WN_BASE_ARRAY_H
#define WN_BASE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

#define wn_array(type)                                                                             \
    struct {                                                                                       \
        type *items;                                                                               \
        uint32_t count;                                                                            \
        uint32_t capacity;                                                                         \
    }

/* The address of a new last item, not zeroed; NULL if out of memory. */
#define wn_array_push(array)                                                                       \
    ((array)->count < (array)->capacity || wn_array_reserve((array), (array)->count + 1u)          \
         ? &(array)->items[(array)->count++]                                                       \
         : NULL)

/* Makes room for `needed` items in all; false if out of memory. */
#define wn_array_reserve(array, needed)                                                            \
    wn_array_grow((void **)&(array)->items, &(array)->capacity, sizeof *(array)->items, (needed))

#define wn_array_bytes(array) ((size_t)(array)->capacity * sizeof *(array)->items)

#define wn_array_free(array)                                                                       \
    (wn_memory_release((array)->items), (array)->items = NULL, (array)->count = 0,                 \
     (array)->capacity = 0)

/*
 * Frees the items of an array that is working memory if it became larger than that of an ordinary
 * page: what comes after needs the memory more.
 */
#define wn_array_free_if_large(array)                                                              \
    (wn_array_bytes(array) > WN_ARRAY_LARGE ? (void)wn_array_free(array) : (void)0)

enum { WN_ARRAY_LARGE = 2 << 20 };

bool wn_array_grow(void **items, uint32_t *capacity, size_t item_size, uint32_t needed);

#endif
