/*
 * Compression: gzip, zlib and raw deflate, zstd, lz4, brotli with one interface.
 *
 * A decoder turns one member at a time (a gzip member, a zstd or lz4 frame) into bytes.
 * wn_io_decoder_whole() does so in one call if the whole member is in memory, which is twice as
 * fast for gzip (libdeflate); wn_io_decoder_step() does it piece by piece, so that memory stays
 * bounded and everything before a damaged place is still read. wn_io_unpack() is for bodies that
 * lie in memory.
 *
 * All but zlib are optional when winnow is built; wn_io_codec_available() tells.
 */
#ifndef WN_IO_CODEC_H
#define WN_IO_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

typedef enum wn_io_codec {
    WN_IO_CODEC_NONE,
    WN_IO_CODEC_GZIP,
    WN_IO_CODEC_ZLIB,    /* deflate with the two bytes of zlib before it */
    WN_IO_CODEC_DEFLATE, /* without them */
    WN_IO_CODEC_ZSTD,
    WN_IO_CODEC_LZ4,
    WN_IO_CODEC_BROTLI,
} wn_io_codec;

/* Which codec the bytes begin with: gzip, zstd (also a skippable frame) or lz4, else NONE. */
wn_io_codec wn_io_codec_of_bytes(wn_str start);

/* By the ending of a file's name: .gz, .zst, .lz4, else NONE. */
wn_io_codec wn_io_codec_of_name(wn_str name);

/* "gzip", "zstd", …; static. */
const char *wn_io_codec_name(wn_io_codec codec);

/* Whether winnow was built with it. */
bool wn_io_codec_available(wn_io_codec codec);

/* ---- Decoding ---------------------------------------------------------------------------- */

typedef enum wn_io_step {
    WN_IO_STEP_MORE, /* there is more: give input, or room */
    WN_IO_STEP_END,  /* of the member */
    WN_IO_STEP_ROOM, /* only from wn_io_decoder_whole(): it needs more room */
    WN_IO_STEP_BAD,  /* damaged; from wn_io_decoder_whole() also: not all of it is here */
} wn_io_step;

typedef struct wn_io_decoder wn_io_decoder;

/* NULL if out of memory or the codec is not available. */
wn_io_decoder *wn_io_decoder_new(wn_io_codec codec);
void wn_io_decoder_free(wn_io_decoder *decoder);

/* Forgets the member it was in the middle of. */
void wn_io_decoder_reset(wn_io_decoder *decoder);

/* Gives a zstd decoder its dictionary; the bytes are copied. False when they are not one. */
bool wn_io_decoder_set_dictionary(wn_io_decoder *decoder, wn_str dictionary);

/* The number of the dictionary that a zstd frame needs and the decoder does not have; 0: none. */
uint32_t wn_io_decoder_lacks_dictionary(const wn_io_decoder *decoder, wn_str frame);

/*
 * Decodes from *in, which it shortens, to `out`; *made is the number of bytes written. Even with no
 * room left and nothing written, WN_IO_STEP_MORE may be returned.
 */
wn_io_step wn_io_decoder_step(wn_io_decoder *decoder, wn_str *in, char *out, size_t room,
                              size_t *made);

/* The whole of a member at once; *in is shortened only when it was decoded (WN_IO_STEP_END). */
wn_io_step wn_io_decoder_whole(wn_io_decoder *decoder, wn_str *in, char *out, size_t room,
                               size_t *made);

typedef enum wn_io_unpacked {
    WN_IO_UNPACKED,
    WN_IO_UNPACKED_CUT,     /* it is longer than the limit */
    WN_IO_UNPACKED_SHORT,   /* its end is missing; what is before it is there */
    WN_IO_UNPACKED_DAMAGED, /* what is before the damage is there */
    WN_IO_UNPACKED_NOT,     /* nothing came: it is not in this form */
} wn_io_unpacked;

/* Decompresses all members of `packed` to `out`, at most `max` bytes in all. */
wn_io_unpacked wn_io_unpack(wn_io_codec codec, wn_str packed, wn_buf *out, uint64_t max);

/* ---- Encoding ---------------------------------------------------------------------------- */

/*
 * Encoders write independent members: wn_io_encoder_end() completes the current one, and the same
 * bytes always give the same output.
 */
typedef struct wn_io_encoder wn_io_encoder;

/* NULL if out of memory or the codec cannot be written: gzip, zstd and lz4 can. */
wn_io_encoder *wn_io_encoder_new(wn_io_codec codec);
void wn_io_encoder_free(wn_io_encoder *encoder);

/* Compresses `bytes` to the end of `out`. False when that failed. */
bool wn_io_encoder_add(wn_io_encoder *encoder, wn_str bytes, wn_buf *out);

/* A member with nothing in it; none was begun. */
bool wn_io_encoder_add_empty(wn_io_encoder *encoder, wn_buf *out);

/* Ends the member, if one was begun. */
bool wn_io_encoder_end(wn_io_encoder *encoder, wn_buf *out);

#endif
