#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(ptr, size) ASAN_POISON_MEMORY_REGION(ptr, size)
#define UNPOISON(ptr, size) ASAN_UNPOISON_MEMORY_REGION(ptr, size)
enum { RED_ZONE = 8 };
#else
#define POISON(ptr, size) ((void)(ptr), (void)(size))
#define UNPOISON(ptr, size) ((void)(ptr), (void)(size))
enum { RED_ZONE = 0 };
#endif

enum {
    FIRST_CHUNK = 16 * 1024,      /* enough for a small page */
    LARGEST_STEP = 4 * 1024 * 1024, /* chunks double up to here */
};

struct wn_arena_chunk {
    alignas(max_align_t) wn_arena_chunk *older;
    size_t size; /* bytes behind this header */
};

static char *chunk_bytes(wn_arena_chunk *chunk)
{
    return (char *)(chunk + 1);
}

static void release(wn_arena_chunk *chunk)
{
    UNPOISON(chunk_bytes(chunk), chunk->size);
    free(chunk);
}

/* The size of the chunk that will hold `need` bytes: the double of the last, if that is enough. */
static size_t next_chunk_size(const wn_arena *arena, size_t need)
{
    size_t size = arena->newest ? arena->newest->size * 2 : FIRST_CHUNK;
    if (size > LARGEST_STEP)
        size = LARGEST_STEP;
    return size < need ? need : size;
}

static bool add_chunk(wn_arena *arena, size_t need)
{
    if (arena->failed || need > SIZE_MAX / 2) {
        arena->failed = true;
        return false;
    }
    size_t size = next_chunk_size(arena, need);
    size_t total = sizeof(wn_arena_chunk) + size;
    bool within = arena->max == 0 || (total <= arena->max && arena->reserved <= arena->max - total);
    wn_arena_chunk *chunk = within ? malloc(total) : NULL;
    if (!chunk) {
        arena->failed = true;
        return false;
    }
    chunk->older = arena->newest;
    chunk->size = size;
    arena->newest = chunk;
    arena->reserved += total;
    arena->cursor = chunk_bytes(chunk);
    arena->end = arena->cursor + size;
    POISON(arena->cursor, size);
    return true;
}

void wn_arena_init(wn_arena *arena, size_t max)
{
    *arena = (wn_arena){.max = max};
}

void wn_arena_reset(wn_arena *arena)
{
    wn_arena_chunk *largest = arena->newest;
    for (wn_arena_chunk *c = arena->newest; c; c = c->older)
        if (c->size > largest->size)
            largest = c;
    for (wn_arena_chunk *c = arena->newest, *older; c; c = older) {
        older = c->older;
        if (c != largest)
            release(c);
    }
    size_t max = arena->max;
    wn_arena_init(arena, max);
    if (!largest)
        return;
    largest->older = NULL;
    arena->newest = largest;
    arena->reserved = sizeof(wn_arena_chunk) + largest->size;
    arena->cursor = chunk_bytes(largest);
    arena->end = arena->cursor + largest->size;
    POISON(arena->cursor, largest->size);
}

void wn_arena_free(wn_arena *arena)
{
    for (wn_arena_chunk *c = arena->newest, *older; c; c = older) {
        older = c->older;
        release(c);
    }
    wn_arena_init(arena, arena->max);
}

static bool has_room(const wn_arena *arena, size_t size)
{
    return arena->newest && (size_t)(arena->end - arena->cursor) >= size;
}

char *wn_arena_bytes(wn_arena *arena, size_t size)
{
    if (arena->failed)
        return NULL;
    size_t whole = size < SIZE_MAX / 2 ? size + RED_ZONE : size;
    if (!has_room(arena, whole) && !add_chunk(arena, whole))
        return NULL;
    char *piece = arena->cursor;
    arena->cursor += whole;
    UNPOISON(piece, size);
    return piece;
}

void *wn_arena_alloc(wn_arena *arena, size_t size)
{
    size_t past = (uintptr_t)arena->cursor % alignof(max_align_t);
    size_t gap = past ? alignof(max_align_t) - past : 0;
    if (gap > 0) /* with no room for the gap, the next chunk starts aligned */
        arena->cursor = has_room(arena, gap) ? arena->cursor + gap : arena->end;
    return wn_arena_bytes(arena, size);
}

bool wn_arena_resize(wn_arena *arena, char *piece, size_t size, size_t new_size)
{
    if (arena->failed || piece + size + RED_ZONE != arena->cursor)
        return false;
    if (new_size > size && !has_room(arena, new_size - size))
        return false;
    arena->cursor = piece + new_size + RED_ZONE;
    UNPOISON(piece, new_size);
    if (new_size < size)
        POISON(piece + new_size, size - new_size + RED_ZONE);
    else
        POISON(piece + new_size, RED_ZONE);
    return true;
}

wn_str wn_arena_copy(wn_arena *arena, wn_str s)
{
    char *copy = wn_arena_bytes(arena, s.len);
    if (!copy)
        return WN_STR("");
    if (s.len > 0)
        memcpy(copy, s.ptr, s.len);
    return wn_str_from(copy, s.len);
}
