/*
 * SHA-1 (https://www.rfc-editor.org/rfc/rfc3174), which web archives label their records with. It
 * finds damage and equal payloads; it is not protection against forgery.
 */
#ifndef WN_IO_SHA1_H
#define WN_IO_SHA1_H

#include <stdint.h>

#include "base/str.h"

typedef struct wn_io_sha1 {
    uint32_t state[5];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
} wn_io_sha1;

void wn_io_sha1_begin(wn_io_sha1 *sha1);
void wn_io_sha1_add(wn_io_sha1 *sha1, wn_str bytes);

enum { WN_IO_SHA1_LABEL = 38 };

/* Ends it and writes the digest as archives do: "sha1:" and 32 characters in base 32. */
void wn_io_sha1_label(wn_io_sha1 *sha1, char label[WN_IO_SHA1_LABEL]);

#endif
