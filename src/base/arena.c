#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#include "base/memory.h"

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

enum { SMALLEST_CHUNK = 16 * 1024 }; /* enough for a small page */

struct wn_arena_chunk {
    alignas(max_align_t) wn_arena_chunk *older;
    size_t size; /* bytes after this header */
};

static char *chunk_bytes(wn_arena_chunk *chunk)
{
    return (char *)(chunk + 1);
}

static void release(wn_arena_chunk *chunk)
{
    UNPOISON(chunk_bytes(chunk), chunk->size);
    wn_memory_release(chunk);
}

/*
 * The size of a chunk that will hold `need` bytes: half of what there is already, so
 * that chunks stay few and little is wasted; the first one as much as the last page took.
 */
static size_t next_chunk_size(const wn_arena *arena, size_t need)
{
    size_t size = arena->newest ? arena->reserved / 2 : arena->last_reserved;
    if (size < SMALLEST_CHUNK)
        size = SMALLEST_CHUNK;
    size_t taken = arena->reserved + sizeof(wn_arena_chunk);
    if (arena->max && (arena->max < taken || size > arena->max - taken))
        size = arena->max < taken ? 0 : arena->max - taken; /* the last bit of the limit */
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
    wn_arena_chunk *chunk = within ? wn_memory_get(total) : NULL;
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

void wn_arena_expect(wn_arena *arena, size_t size)
{
    arena->last_reserved = size;
}

static void release_all(wn_arena *arena)
{
    for (wn_arena_chunk *c = arena->newest, *older; c; c = older) {
        older = c->older;
        release(c);
    }
}

void wn_arena_reset(wn_arena *arena)
{
    wn_arena_chunk *only = arena->newest && !arena->newest->older ? arena->newest : NULL;
    size_t reserved = arena->reserved;
    if (arena->max) { /* with a limit, what fits must not depend on the pages before */
        wn_arena_free(arena);
        return;
    }
    if (!only)
        release_all(arena);
    wn_arena_init(arena, arena->max);
    arena->last_reserved = reserved;
    if (!only)
        return;
    arena->newest = only;
    arena->reserved = reserved;
    arena->cursor = chunk_bytes(only);
    arena->end = arena->cursor + only->size;
    POISON(arena->cursor, only->size);
}

void wn_arena_free(wn_arena *arena)
{
    release_all(arena);
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
    assert(arena->cursor <= arena->end);
    UNPOISON(piece, size);
    return piece;
}

void *wn_arena_alloc(wn_arena *arena, size_t size)
{
    size_t gap = (size_t) - (uintptr_t)arena->cursor % alignof(max_align_t);
    if (gap > 0) /* with no room for the gap, the next chunk starts aligned */
        arena->cursor = has_room(arena, gap) ? arena->cursor + gap : arena->end;
    void *piece = wn_arena_bytes(arena, size);
    assert((uintptr_t)piece % alignof(max_align_t) == 0);
    return piece;
}

bool wn_arena_resize(wn_arena *arena, char *piece, size_t size, size_t new_size)
{
    if (arena->failed || piece + size + RED_ZONE != arena->cursor)
        return false;
    if (new_size > size && !has_room(arena, new_size - size))
        return false;
    arena->cursor = piece + new_size + RED_ZONE;
    assert(arena->cursor <= arena->end);
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

const char *wn_arena_c_string(wn_arena *arena, wn_str s)
{
    char *copy = wn_arena_bytes(arena, s.len + 1);
    if (!copy)
        return "";
    if (s.len > 0)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}
