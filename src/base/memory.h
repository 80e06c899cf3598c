/*
 * Where memory comes from: malloc() and related functions, or the allocator that the user set for a
 * page.
 *
 * Buffers, arrays and arenas do not carry an allocator. The public functions select the one of
 * their page while they run (wn_memory_use), and everything below uses it; so all memory of a page
 * comes from, and goes back to, the same allocator. The selection is per thread.
 */
#ifndef WN_BASE_MEMORY_H
#define WN_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wn_memory {
    void *(*allocate)(void *data, size_t size);
    void *(*resize)(void *data, void *memory, size_t size);
    void (*release)(void *data, void *memory);
    void *data;
} wn_memory;

/* From now on this thread takes memory from there; NULL: from malloc(). Returns what it was. */
const wn_memory *wn_memory_use(const wn_memory *memory);

/*
 * How many allocations of this thread have failed. Code that cannot get memory leaves something out
 * and continues; a public function that sees this number grow knows that its result is incomplete,
 * wherever that happened.
 */
size_t wn_memory_failures(void);

/*
 * Whether an allocation has failed in any thread. For programs: a message or a part of the output
 * may be missing, and the exit status must say so.
 */
bool wn_memory_ran_out(void);

/* As malloc(), calloc(1, …), realloc() and free(): NULL if out of memory. */
void *wn_memory_get(size_t size);
void *wn_memory_get_zeroed(size_t size);
void *wn_memory_resize(void *memory, size_t size);
void wn_memory_release(void *memory);

#endif
