/*
 * Compression: gzip, zlib and raw deflate, zstd, lz4, brotli behind one interface.
 *
 * A decoder turns one member at a time (a gzip member, a zstd or lz4 frame) into
 * bytes. wn_decoder_whole() does so in one call when all of a member lies in memory,
 * which is twice as fast for gzip (libdeflate); wn_decoder_step() does it piece by
 * piece, so that memory stays bounded and what stands before a damaged place is
 * still read. wn_unpack() is for bodies that lie in memory.
 *
 * All but zlib are optional when winnow is built; wn_codec_available() tells.
 */
#ifndef WN_IO_CODEC_H
#define WN_IO_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

typedef enum wn_codec {
    WN_CODEC_NONE,
    WN_CODEC_GZIP,
    WN_CODEC_ZLIB,    /* deflate with the two bytes of zlib before it */
    WN_CODEC_DEFLATE, /* without them */
    WN_CODEC_ZSTD,
    WN_CODEC_LZ4,
    WN_CODEC_BROTLI,
} wn_codec;

/* Which codec the bytes begin with: gzip, zstd (also a skippable frame) or lz4, else NONE. */
wn_codec wn_codec_of_bytes(wn_str start);

/* By the ending of a file's name: .gz, .zst, .lz4, else NONE. */
wn_codec wn_codec_of_name(wn_str name);

/* "gzip", "zstd", …; static. */
const char *wn_codec_name(wn_codec codec);

/* Whether winnow was built with it. */
bool wn_codec_available(wn_codec codec);

/* ---- Decoding ---------------------------------------------------------------------------- */

typedef enum wn_step {
    WN_STEP_MORE, /* there is more: give input, or room */
    WN_STEP_END,  /* of the member */
    WN_STEP_ROOM, /* only from wn_decoder_whole(): it needs more room */
    WN_STEP_BAD,  /* damaged; from wn_decoder_whole() also: not all of it is here */
} wn_step;

typedef struct wn_decoder wn_decoder;

/* NULL when memory is out or the codec is not available. */
wn_decoder *wn_decoder_new(wn_codec codec);
void wn_decoder_free(wn_decoder *decoder);

/* Forgets the member it was in the middle of. */
void wn_decoder_reset(wn_decoder *decoder);

/* Gives a zstd decoder its dictionary; the bytes are copied. False when it is none. */
bool wn_decoder_set_dictionary(wn_decoder *decoder, wn_str dictionary);

/*
 * Decodes from *in, which it shortens, to `out`; *made tells how many bytes came. With
 * no room left and none made there may still be WN_STEP_MORE to come.
 */
wn_step wn_decoder_step(wn_decoder *decoder, wn_str *in, char *out, size_t room, size_t *made);

/* The whole of a member at once; *in is shortened only when it was decoded (WN_STEP_END). */
wn_step wn_decoder_whole(wn_decoder *decoder, wn_str *in, char *out, size_t room, size_t *made);

typedef enum wn_unpacked {
    WN_UNPACKED,
    WN_UNPACKED_CUT,     /* it is longer than the limit */
    WN_UNPACKED_DAMAGED, /* what stands before the damage is there */
    WN_UNPACKED_NOT,     /* nothing came: it is not in this form */
} wn_unpacked;

/* Adds to `out` what `packed` holds, all members of it; at most `max` bytes in all. */
wn_unpacked wn_unpack(wn_codec codec, wn_str packed, wn_buf *out, uint64_t max);

/* ---- Encoding ---------------------------------------------------------------------------- */

/*
 * Encoders make members that each stand alone: what was added since the last end is
 * finished by wn_encoder_end(), and the same bytes always give the same output.
 */
typedef struct wn_encoder wn_encoder;

/* NULL when memory is out or the codec cannot be written: gzip, zstd and lz4 can. */
wn_encoder *wn_encoder_new(wn_codec codec);
void wn_encoder_free(wn_encoder *encoder);

/* Compresses `bytes` to the end of `out`. False when that failed. */
bool wn_encoder_add(wn_encoder *encoder, wn_str bytes, wn_buf *out);

/* A member with nothing in it; none was begun. */
bool wn_encoder_add_empty(wn_encoder *encoder, wn_buf *out);

/* Ends the member, if one was begun. */
bool wn_encoder_end(wn_encoder *encoder, wn_buf *out);

#endif
