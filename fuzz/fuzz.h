/*
 * What the fuzz targets share.
 *
 * The options of a run are read from the end of the input. A page that ends with a line
 * end, as files do, gets the defaults; a change to its last byte changes them.
 */
#ifndef WN_FUZZ_FUZZ_H
#define WN_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that must hold whatever the input is. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

/* Takes the last byte as a number below `limit`; 0 for a line end, and when there is none. */
static inline uint32_t fuzz_choice(fuzz_input *input, uint32_t limit)
{
    return input->size > 0 ? (uint32_t)(input->data[--input->size] ^ '\n') % limit : 0;
}

static inline wn_str fuzz_rest(const fuzz_input *input)
{
    return wn_str_from((const char *)input->data, input->size);
}

static inline void fuzz_check_utf8(wn_str s)
{
    FUZZ_CHECK(s.len == 0 || wn_utf8_valid_prefix(s) == s.len);
}

/* Continues a digest over bytes; starts with 0. */
static inline uint64_t fuzz_digest(uint64_t digest, wn_str s)
{
    digest += s.len;
    for (size_t i = 0; i < s.len; i++)
        digest = (digest ^ (unsigned char)s.ptr[i]) * UINT64_C(0x100000001b3);
    return digest;
}

#endif
