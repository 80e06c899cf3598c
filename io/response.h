/*
 * HTTP responses as archives keep them: a head and a body.
 *
 * What the head says about the body is often no longer true: archives join chunks and decompress
 * but keep the header lines, or the other way round. So the body decides: it is chunked if its
 * chunks are valid, gzip or zstd if it begins like that, and an encoding that is declared but
 * cannot be decoded is ignored. That is not damage; a body that begins as declared but does not end
 * properly is.
 */
#ifndef WN_IO_RESPONSE_H
#define WN_IO_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Slices of the block. */
typedef struct wn_io_response {
    int status; /* 0: unreadable */
    wn_str head;
    wn_str content_type, content_encoding, transfer_encoding; /* "" if not declared */
    wn_str content_length;
    wn_str body;
} wn_io_response;

/* Reads the head; false if the block does not begin with "HTTP/". */
bool wn_io_response_parse(wn_str block, wn_io_response *response);

/* Whether the body is stored as it is, neither in chunks nor compressed. */
bool wn_io_response_is_plain(const wn_io_response *response);

/*
 * Whether a body of `size` bytes that starts with response->body is shorter than declared. This
 * says nothing about a body that was decoded when it was archived.
 */
bool wn_io_response_is_short(const wn_io_response *response, uint64_t size);

/* Memory for decoding bodies, reused from one to the next. */
typedef struct wn_io_body_decoder {
    wn_buf first, second;
    bool cut;       /* the last body was longer than the limit */
    bool truncated; /* its end is missing: of its chunks, its compression or its declared length */
    bool damaged;   /* its chunks or its compression: it ends there */
} wn_io_body_decoder;

/*
 * The body without chunks and compression, at most `max` bytes of it; valid until the next call and
 * as long as the block.
 */
wn_str wn_io_response_body(wn_io_body_decoder *decoder, const wn_io_response *response,
                           uint64_t max);

/* Decompresses bytes without a declared encoding: gzip, zstd, lz4. */
wn_str wn_io_unpacked_bytes(wn_io_body_decoder *decoder, wn_str bytes, uint64_t max);

void wn_io_body_decoder_free(wn_io_body_decoder *decoder);

#endif
