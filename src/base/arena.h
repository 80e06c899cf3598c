/*
 * An arena: memory that is allocated piece by piece and freed all at once.
 *
 * A page's strings and attributes live as long as the page does, so they are cut from large chunks
 * by moving a pointer, and nothing is ever freed individually.
 *
 * Failure is sticky. When the system is out of memory or the arena's limit is reached, the call
 * returns NULL, `failed` is set and stays set until the next reset, and every later call fails too;
 * the stages read the flag once, at their end.
 *
 * Under AddressSanitizer a few poisoned bytes follow each piece, so that a
 * read past its end is seen although it stays inside the chunk.
 */
#ifndef WN_BASE_ARENA_H
#define WN_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

typedef struct wn_arena_chunk wn_arena_chunk;

typedef struct wn_arena {
    char *cursor;           /* next free byte of the newest chunk */
    char *end;              /* end of the newest chunk */
    wn_arena_chunk *newest; /* all chunks, linked from new to old */
    size_t reserved;        /* bytes of all chunks together */
    size_t last_reserved;   /* the same before the last reset */
    size_t max;             /* no more than this is reserved; 0: no limit */
    bool failed;
} wn_arena;

/* Makes an empty arena; memory is taken when it is first needed. */
void wn_arena_init(wn_arena *arena, size_t max);

/* Tells an empty arena about how many bytes will be needed. */
void wn_arena_expect(wn_arena *arena, size_t size);

/*
 * Forgets all pieces. A single chunk is kept; several are replaced by one as large as all of them
 * together, so that an arena soon has one chunk that is large enough for its pages.
 */
void wn_arena_reset(wn_arena *arena);

/* Frees everything. */
void wn_arena_free(wn_arena *arena);

/* A piece of `size` bytes, aligned for any type, not zeroed. NULL on failure. */
void *wn_arena_alloc(wn_arena *arena, size_t size);

/* A piece of `size` bytes without alignment, for text. NULL on failure. */
char *wn_arena_bytes(wn_arena *arena, size_t size);

/*
 * Makes the newest piece, `piece` of `size` bytes, longer or shorter in place.
 * False when it is not the newest or its chunk is full: then it is unchanged.
 */
bool wn_arena_resize(wn_arena *arena, char *piece, size_t size, size_t new_size);

/* A copy of s that lives in the arena; an empty string on failure. */
wn_str wn_arena_copy(wn_arena *arena, wn_str s);

/* The same with a NUL after it; "" on failure. */
const char *wn_arena_c_string(wn_arena *arena, wn_str s);

#endif
