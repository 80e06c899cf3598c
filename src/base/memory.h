/*
 * Where memory comes from: malloc() and its kin, or the functions that the caller of a public
 * function gave for a page.
 *
 * Buffers, arrays and arenas do not carry an allocator. The public functions name the one of their
 * page while they run (wn_memory_use), and everything below takes from it; so all memory of a page
 * comes from, and goes back to, the same place. The name is kept per thread.
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
 * How often this thread was told that memory is out. Code that cannot go on without memory leaves
 * something out and goes on; a public function that sees the number grow knows that its result is
 * not whole, whoever left something out.
 */
size_t wn_memory_failures(void);

/*
 * Whether any thread was ever told so. For programs: what they left out may be a message or a part
 * of the output, and an exit status that says otherwise would be wrong.
 */
bool wn_memory_ran_out(void);

/* As malloc(), calloc(1, …), realloc() and free(): NULL when memory is out. */
void *wn_memory_get(size_t size);
void *wn_memory_get_zeroed(size_t size);
void *wn_memory_resize(void *memory, size_t size);
void wn_memory_release(void *memory);

#endif
