/*
 * memchr() by vectors. That of the C library looks at one byte after the other, which took 7% of the time
 * of an extraction.
 */
#include <stddef.h>
#include <string.h>
#include <wasm_simd128.h>

void *memchr(const void *memory, int c, size_t count)
{
    const char *p = memory;
    v128_t wanted = wasm_i8x16_splat((int8_t)c);
    for (; count >= sizeof wanted; p += sizeof wanted, count -= sizeof wanted) {
        unsigned found = wasm_i8x16_bitmask(wasm_i8x16_eq(wasm_v128_load(p), wanted));
        if (found)
            return (void *)(p + __builtin_ctz(found));
    }
    for (; count > 0; p++, count--)
        if (*p == (char)c)
            return (void *)p;
    return NULL;
}
