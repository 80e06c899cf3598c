#include "io/codec.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>
#ifdef WN_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#ifdef WN_HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef WN_HAVE_LZ4
#include <lz4frame.h>
#endif
#ifdef WN_HAVE_BROTLI
#include <brotli/decode.h>
#endif

#include "base/hash.h"

enum {
    /* How much room is made at a time if the size of the result is unknown. */
    CHUNK = 64 * 1024,
    /* A first guess of how much longer text is than its compressed form. */
    USUAL_RATIO = 4,
    /* A zstd frame may ask for a window of up to 2^27 bytes, as its own program allows. */
    ZSTD_MAX_WINDOW = 27,
    /* zlib's window sizes tell it what to expect; 16 adds the gzip header. */
    ZLIB_WINDOW = 15,
    ZLIB_GZIP = 16,
};

/* ---- Names ------------------------------------------------------------------------------- */

wn_io_codec wn_io_codec_of_bytes(wn_str start)
{
    if (wn_str_starts(start, WN_STR("\x1f\x8b\x08")))
        return WN_IO_CODEC_GZIP;
    if (start.len < 4)
        return WN_IO_CODEC_NONE;
    uint32_t magic = wn_hash_load4(start.ptr);
    if (magic == 0xFD2FB528 || (magic & 0xFFFFFFF0) == 0x184D2A50)
        return WN_IO_CODEC_ZSTD;
    return magic == 0x184D2204 ? WN_IO_CODEC_LZ4 : WN_IO_CODEC_NONE;
}

wn_io_codec wn_io_codec_of_name(wn_str name)
{
    if (wn_str_has_ending(name, WN_STR(".gz")))
        return WN_IO_CODEC_GZIP;
    if (wn_str_has_ending(name, WN_STR(".zst")))
        return WN_IO_CODEC_ZSTD;
    return wn_str_has_ending(name, WN_STR(".lz4")) ? WN_IO_CODEC_LZ4 : WN_IO_CODEC_NONE;
}

const char *wn_io_codec_name(wn_io_codec codec)
{
    static const char *const names[] = {
        [WN_IO_CODEC_NONE] = "plain",      [WN_IO_CODEC_GZIP] = "gzip",
        [WN_IO_CODEC_ZLIB] = "deflate",    [WN_IO_CODEC_ZSTD] = "zstd",
        [WN_IO_CODEC_DEFLATE] = "deflate", [WN_IO_CODEC_LZ4] = "lz4",
        [WN_IO_CODEC_BROTLI] = "br",
    };
    return names[codec];
}

bool wn_io_codec_available(wn_io_codec codec)
{
    switch (codec) {
    case WN_IO_CODEC_ZSTD:
#ifdef WN_HAVE_ZSTD
        return true;
#else
        return false;
#endif
    case WN_IO_CODEC_LZ4:
#ifdef WN_HAVE_LZ4
        return true;
#else
        return false;
#endif
    case WN_IO_CODEC_BROTLI:
#ifdef WN_HAVE_BROTLI
        return true;
#else
        return false;
#endif
    case WN_IO_CODEC_NONE:
    case WN_IO_CODEC_GZIP:
    case WN_IO_CODEC_ZLIB:
    case WN_IO_CODEC_DEFLATE:
        break;
    }
    return true;
}

/* ---- Decoders ---------------------------------------------------------------------------- */

struct wn_io_decoder {
    wn_io_codec codec;
    z_stream zlib;
    bool zlib_open;
#ifdef WN_HAVE_LIBDEFLATE
    struct libdeflate_decompressor *deflate;
#endif
#ifdef WN_HAVE_ZSTD
    ZSTD_DCtx *zstd;
    ZSTD_DDict *dictionary;
#endif
#ifdef WN_HAVE_LZ4
    LZ4F_dctx *lz4;
#endif
#ifdef WN_HAVE_BROTLI
    BrotliDecoderState *brotli;
#endif
};

static bool open_zlib(wn_io_decoder *d)
{
    int window = d->codec == WN_IO_CODEC_GZIP   ? ZLIB_WINDOW + ZLIB_GZIP
                 : d->codec == WN_IO_CODEC_ZLIB ? ZLIB_WINDOW
                                                : -ZLIB_WINDOW;
    d->zlib_open = inflateInit2(&d->zlib, window) == Z_OK;
    return d->zlib_open;
}

/* Makes what the codec needs at once; zlib only comes when it is needed. */
static bool open_decoder(wn_io_decoder *d)
{
#ifdef WN_HAVE_LIBDEFLATE
    if (d->codec <= WN_IO_CODEC_DEFLATE)
        return (d->deflate = libdeflate_alloc_decompressor()) != NULL;
#endif
#ifdef WN_HAVE_ZSTD
    if (d->codec == WN_IO_CODEC_ZSTD) {
        d->zstd = ZSTD_createDCtx();
        return d->zstd &&
               !ZSTD_isError(ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, ZSTD_MAX_WINDOW));
    }
#endif
#ifdef WN_HAVE_LZ4
    if (d->codec == WN_IO_CODEC_LZ4)
        return !LZ4F_isError(LZ4F_createDecompressionContext(&d->lz4, LZ4F_VERSION));
#endif
#ifdef WN_HAVE_BROTLI
    if (d->codec == WN_IO_CODEC_BROTLI)
        return (d->brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL)) != NULL;
#endif
    (void)d;
    return true;
}

wn_io_decoder *wn_io_decoder_new(wn_io_codec codec)
{
    wn_io_decoder *d = wn_io_codec_available(codec) ? calloc(1, sizeof *d) : NULL;
    if (!d)
        return NULL;
    d->codec = codec;
    if (open_decoder(d))
        return d;
    wn_io_decoder_free(d);
    return NULL;
}

void wn_io_decoder_free(wn_io_decoder *d)
{
    if (!d)
        return;
    if (d->zlib_open)
        inflateEnd(&d->zlib);
#ifdef WN_HAVE_LIBDEFLATE
    if (d->deflate)
        libdeflate_free_decompressor(d->deflate);
#endif
#ifdef WN_HAVE_ZSTD
    ZSTD_freeDCtx(d->zstd);
    ZSTD_freeDDict(d->dictionary);
#endif
#ifdef WN_HAVE_LZ4
    LZ4F_freeDecompressionContext(d->lz4);
#endif
#ifdef WN_HAVE_BROTLI
    if (d->brotli)
        BrotliDecoderDestroyInstance(d->brotli);
#endif
    free(d);
}

void wn_io_decoder_reset(wn_io_decoder *d)
{
    if (d->zlib_open)
        inflateReset(&d->zlib);
#ifdef WN_HAVE_ZSTD
    if (d->zstd)
        ZSTD_DCtx_reset(d->zstd, ZSTD_reset_session_only);
#endif
#ifdef WN_HAVE_LZ4
    if (d->lz4)
        LZ4F_resetDecompressionContext(d->lz4);
#endif
#ifdef WN_HAVE_BROTLI
    if (d->brotli) {
        BrotliDecoderDestroyInstance(d->brotli);
        d->brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    }
#endif
}

bool wn_io_decoder_set_dictionary(wn_io_decoder *d, wn_str dictionary)
{
#ifdef WN_HAVE_ZSTD
    if (d->zstd) {
        ZSTD_freeDDict(d->dictionary);
        d->dictionary = ZSTD_createDDict(dictionary.ptr, dictionary.len);
        return d->dictionary && !ZSTD_isError(ZSTD_DCtx_refDDict(d->zstd, d->dictionary));
    }
#endif
    (void)d;
    (void)dictionary;
    return false;
}

uint32_t wn_io_decoder_lacks_dictionary(const wn_io_decoder *d, wn_str frame)
{
#ifdef WN_HAVE_ZSTD
    unsigned needed = d->zstd ? ZSTD_getDictID_fromFrame(frame.ptr, frame.len) : 0;
    unsigned known = d->dictionary ? ZSTD_getDictID_fromDDict(d->dictionary) : 0;
    return needed != known ? needed : 0;
#else
    (void)d;
    (void)frame;
    return 0;
#endif
}

/* ---- Step by step ------------------------------------------------------------------------ */

static unsigned at_most_int(size_t n)
{
    return n < INT_MAX ? (unsigned)n : INT_MAX;
}

static wn_io_step step_zlib(wn_io_decoder *d, wn_str *in, char *out, size_t room, size_t *made)
{
    if (!d->zlib_open && !open_zlib(d))
        return WN_IO_STEP_BAD;
    z_stream *z = &d->zlib;
    unsigned given = at_most_int(in->len), space = at_most_int(room);
    z->next_in = (Bytef *)(uintptr_t)in->ptr;
    z->avail_in = given;
    z->next_out = (Bytef *)out;
    z->avail_out = space;
    int result = inflate(z, Z_NO_FLUSH);
    *in = wn_str_from_offset(*in, given - z->avail_in);
    *made = space - z->avail_out;
    if (result == Z_STREAM_END)
        return WN_IO_STEP_END;
    return result == Z_OK || result == Z_BUF_ERROR ? WN_IO_STEP_MORE : WN_IO_STEP_BAD;
}

#ifdef WN_HAVE_ZSTD
static wn_io_step step_zstd(wn_io_decoder *d, wn_str *in, char *out, size_t room, size_t *made)
{
    ZSTD_inBuffer input = {in->ptr, in->len, 0};
    ZSTD_outBuffer output = {out, room, 0};
    size_t result = ZSTD_decompressStream(d->zstd, &output, &input);
    *in = wn_str_from_offset(*in, input.pos);
    *made = output.pos;
    if (ZSTD_isError(result))
        return WN_IO_STEP_BAD;
    return result == 0 ? WN_IO_STEP_END : WN_IO_STEP_MORE;
}
#endif

#ifdef WN_HAVE_LZ4
static wn_io_step step_lz4(wn_io_decoder *d, wn_str *in, char *out, size_t room, size_t *made)
{
    size_t taken = in->len;
    *made = room;
    size_t result = LZ4F_decompress(d->lz4, out, made, in->ptr, &taken, NULL);
    if (LZ4F_isError(result)) {
        *made = 0;
        return WN_IO_STEP_BAD;
    }
    *in = wn_str_from_offset(*in, taken);
    return result == 0 ? WN_IO_STEP_END : WN_IO_STEP_MORE;
}
#endif

#ifdef WN_HAVE_BROTLI
static wn_io_step step_brotli(wn_io_decoder *d, wn_str *in, char *out, size_t room, size_t *made)
{
    const uint8_t *next = (const uint8_t *)in->ptr;
    uint8_t *to = (uint8_t *)out;
    size_t available = in->len, space = room;
    if (!d->brotli)
        return WN_IO_STEP_BAD;
    BrotliDecoderResult result = BrotliDecoderDecompressStream(d->brotli, &available, &next, &space,
                                                               &to, NULL);
    *in = wn_str_from_offset(*in, in->len - available);
    *made = room - space;
    if (result == BROTLI_DECODER_RESULT_SUCCESS)
        return WN_IO_STEP_END;
    return result == BROTLI_DECODER_RESULT_ERROR ? WN_IO_STEP_BAD : WN_IO_STEP_MORE;
}
#endif

wn_io_step wn_io_decoder_step(wn_io_decoder *d, wn_str *in, char *out, size_t room, size_t *made)
{
    *made = 0;
    switch (d->codec) {
    case WN_IO_CODEC_GZIP:
    case WN_IO_CODEC_ZLIB:
    case WN_IO_CODEC_DEFLATE:
        return step_zlib(d, in, out, room, made);
    case WN_IO_CODEC_ZSTD:
#ifdef WN_HAVE_ZSTD
        return step_zstd(d, in, out, room, made);
#endif
    case WN_IO_CODEC_LZ4:
#ifdef WN_HAVE_LZ4
        return step_lz4(d, in, out, room, made);
#endif
    case WN_IO_CODEC_BROTLI:
#ifdef WN_HAVE_BROTLI
        return step_brotli(d, in, out, room, made);
#endif
    case WN_IO_CODEC_NONE:
        break;
    }
    return WN_IO_STEP_BAD;
}

/* ---- At once ----------------------------------------------------------------------------- */

#ifdef WN_HAVE_LIBDEFLATE
static wn_io_step whole_deflate(wn_io_decoder *d, wn_str *in, char *out, size_t room, size_t *made)
{
    size_t taken = 0;
    enum libdeflate_result result = LIBDEFLATE_BAD_DATA;
    if (d->codec == WN_IO_CODEC_GZIP)
        result = libdeflate_gzip_decompress_ex(d->deflate, in->ptr, in->len, out, room, &taken,
                                               made);
    else if (d->codec == WN_IO_CODEC_ZLIB)
        result = libdeflate_zlib_decompress_ex(d->deflate, in->ptr, in->len, out, room, &taken,
                                               made);
    else
        result = libdeflate_deflate_decompress_ex(d->deflate, in->ptr, in->len, out, room, &taken,
                                                  made);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE)
        return WN_IO_STEP_ROOM;
    if (result != LIBDEFLATE_SUCCESS)
        return WN_IO_STEP_BAD;
    *in = wn_str_from_offset(*in, taken);
    return WN_IO_STEP_END;
}
#endif

#ifdef WN_HAVE_ZSTD
/*
 * Whether the frame asks for no larger window than step_zstd() allows: both must take the same
 * frames. https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1
 */
static bool has_allowed_window(wn_str frame)
{
    enum { DESCRIPTOR = 4, SINGLE_SEGMENT = 1 << 5, SMALLEST_WINDOW = 10 };
    if (frame.len < DESCRIPTOR + 2 || (frame.ptr[DESCRIPTOR] & SINGLE_SEGMENT))
        return true;
    return SMALLEST_WINDOW + ((unsigned char)frame.ptr[DESCRIPTOR + 1] >> 3) <= ZSTD_MAX_WINDOW;
}

/* Only frames that tell their size; others are read step by step. */
static wn_io_step whole_zstd(wn_io_decoder *d, wn_str *in, char *out, size_t room, size_t *made)
{
    unsigned long long size = ZSTD_getFrameContentSize(in->ptr, in->len);
    size_t taken = ZSTD_findFrameCompressedSize(in->ptr, in->len);
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || ZSTD_isError(taken) ||
        !has_allowed_window(*in))
        return WN_IO_STEP_BAD;
    if (size > room)
        return WN_IO_STEP_ROOM;
    size_t result = ZSTD_decompress_usingDDict(d->zstd, out, room, in->ptr, taken, d->dictionary);
    if (ZSTD_isError(result))
        return WN_IO_STEP_BAD;
    *made = result;
    *in = wn_str_from_offset(*in, taken);
    return WN_IO_STEP_END;
}
#endif

wn_io_step wn_io_decoder_whole(wn_io_decoder *d, wn_str *in, char *out, size_t room, size_t *made)
{
    *made = 0;
#ifdef WN_HAVE_LIBDEFLATE
    if (d->deflate)
        return whole_deflate(d, in, out, room, made);
#endif
#ifdef WN_HAVE_ZSTD
    if (d->zstd)
        return whole_zstd(d, in, out, room, made);
#endif
    (void)d;
    (void)in;
    (void)out;
    (void)room;
    return WN_IO_STEP_BAD;
}

/* ---- Bodies in memory -------------------------------------------------------------------- */

/* How much room to make for what is still packed: not more than the limit leaves. */
static size_t room_for(wn_str packed, size_t left)
{
    size_t guess = packed.len < SIZE_MAX / USUAL_RATIO - CHUNK ? packed.len * USUAL_RATIO + CHUNK
                                                               : SIZE_MAX;
    return guess < left ? guess : left;
}

/* One member, at once; false when that cannot be done. */
static bool unpack_whole(wn_io_decoder *d, wn_str *packed, wn_buf *out, size_t left)
{
    size_t made = 0, room = room_for(*packed, left);
    while (wn_buf_reserve(out, room)) {
        wn_io_step state = wn_io_decoder_whole(d, packed, out->ptr + out->len, room, &made);
        if (state == WN_IO_STEP_END)
            out->len += made;
        if (state != WN_IO_STEP_ROOM || room == left)
            return state == WN_IO_STEP_END;
        room = room > left / USUAL_RATIO ? left : room * USUAL_RATIO;
    }
    return false;
}

/* One member, step by step. */
static wn_io_unpacked unpack_steps(wn_io_decoder *d, wn_str *packed, wn_buf *out, size_t end)
{
    size_t start = out->len, made;
    wn_io_decoder_reset(d);
    while (out->len < end) {
        size_t room = end - out->len < CHUNK ? end - out->len : CHUNK;
        if (!wn_buf_reserve(out, room))
            return WN_IO_UNPACKED_CUT;
        wn_io_step state = wn_io_decoder_step(d, packed, out->ptr + out->len, room, &made);
        out->len += made;
        if (state == WN_IO_STEP_END)
            return WN_IO_UNPACKED;
        bool ended = made == 0 && packed->len == 0;
        if ((state == WN_IO_STEP_BAD || ended) && out->len == start)
            return WN_IO_UNPACKED_NOT;
        if (state == WN_IO_STEP_BAD || ended)
            return ended && state != WN_IO_STEP_BAD ? WN_IO_UNPACKED_SHORT : WN_IO_UNPACKED_DAMAGED;
    }
    return WN_IO_UNPACKED_CUT;
}

static wn_io_unpacked unpack_members(wn_io_decoder *d, wn_str packed, wn_buf *out, size_t end)
{
    bool first = true;
    do {
        if (!unpack_whole(d, &packed, out, end - out->len)) {
            wn_io_unpacked state = unpack_steps(d, &packed, out, end);
            if (state == WN_IO_UNPACKED_NOT && !first)
                return WN_IO_UNPACKED; /* whatever follows the last member is ignored */
            if (state != WN_IO_UNPACKED)
                return state;
        }
        first = false;
    } while (out->len < end && wn_io_codec_of_bytes(packed) == d->codec);
    return WN_IO_UNPACKED;
}

wn_io_unpacked wn_io_unpack(wn_io_codec codec, wn_str packed, wn_buf *out, uint64_t max)
{
    wn_io_decoder *d = packed.len ? wn_io_decoder_new(codec) : NULL;
    if (!d)
        return WN_IO_UNPACKED_NOT;
    size_t most = max < SIZE_MAX - out->len ? (size_t)max : SIZE_MAX - out->len;
    wn_io_unpacked state = unpack_members(d, packed, out, out->len + most);
    wn_io_decoder_free(d);
    return state;
}

/* ---- Encoders ---------------------------------------------------------------------------- */

struct wn_io_encoder {
    wn_io_codec codec;
    bool begun; /* a member is open */
    z_stream zlib;
    bool zlib_open;
#ifdef WN_HAVE_ZSTD
    ZSTD_CCtx *zstd;
#endif
#ifdef WN_HAVE_LZ4
    LZ4F_cctx *lz4;
#endif
};

static bool open_encoder(wn_io_encoder *e)
{
    if (e->codec == WN_IO_CODEC_GZIP)
        e->zlib_open = deflateInit2(&e->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                    ZLIB_WINDOW + ZLIB_GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK;
#ifdef WN_HAVE_ZSTD
    if (e->codec == WN_IO_CODEC_ZSTD) {
        e->zstd = ZSTD_createCCtx();
        return e->zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_checksumFlag, 1));
    }
#endif
#ifdef WN_HAVE_LZ4
    if (e->codec == WN_IO_CODEC_LZ4)
        return !LZ4F_isError(LZ4F_createCompressionContext(&e->lz4, LZ4F_VERSION));
#endif
    return e->zlib_open;
}

wn_io_encoder *wn_io_encoder_new(wn_io_codec codec)
{
    wn_io_encoder *e = wn_io_codec_available(codec) ? calloc(1, sizeof *e) : NULL;
    if (!e)
        return NULL;
    e->codec = codec;
    if (open_encoder(e))
        return e;
    wn_io_encoder_free(e);
    return NULL;
}

void wn_io_encoder_free(wn_io_encoder *e)
{
    if (!e)
        return;
    if (e->zlib_open)
        deflateEnd(&e->zlib);
#ifdef WN_HAVE_ZSTD
    ZSTD_freeCCtx(e->zstd);
#endif
#ifdef WN_HAVE_LZ4
    LZ4F_freeCompressionContext(e->lz4);
#endif
    free(e);
}

static bool encode_zlib(wn_io_encoder *e, wn_str bytes, wn_buf *out, bool end)
{
    z_stream *z = &e->zlib;
    int result;
    do {
        unsigned given = at_most_int(bytes.len);
        if (!wn_buf_reserve(out, CHUNK))
            return false;
        z->next_in = (Bytef *)(uintptr_t)bytes.ptr;
        z->avail_in = given;
        z->next_out = (Bytef *)out->ptr + out->len;
        z->avail_out = CHUNK;
        result = deflate(z, end && given == bytes.len ? Z_FINISH : Z_NO_FLUSH);
        bytes = wn_str_from_offset(bytes, given - z->avail_in);
        out->len += CHUNK - z->avail_out;
    } while (result == Z_OK && (bytes.len > 0 || z->avail_out == 0 || end));
    if (end)
        deflateReset(z);
    return result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END;
}

#ifdef WN_HAVE_ZSTD
static bool encode_zstd(wn_io_encoder *e, wn_str bytes, wn_buf *out, bool end)
{
    ZSTD_inBuffer input = {bytes.ptr, bytes.len, 0};
    size_t left;
    do {
        if (!wn_buf_reserve(out, CHUNK))
            return false;
        ZSTD_outBuffer output = {out->ptr + out->len, CHUNK, 0};
        left = ZSTD_compressStream2(e->zstd, &output, &input, end ? ZSTD_e_end : ZSTD_e_continue);
        out->len += output.pos;
    } while (!ZSTD_isError(left) && (end ? left > 0 : input.pos < input.size));
    return !ZSTD_isError(left);
}
#endif

#ifdef WN_HAVE_LZ4
/* Takes back room that was made; false when the call that should have filled it failed. */
static bool keep_lz4(wn_buf *out, size_t made)
{
    if (LZ4F_isError(made))
        return false;
    out->len += made;
    return true;
}

static bool encode_lz4(wn_io_encoder *e, wn_str bytes, wn_buf *out, bool end)
{
    LZ4F_preferences_t preferences = {.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled};
    size_t bound = LZ4F_compressBound(bytes.len, &preferences) + LZ4F_HEADER_SIZE_MAX;
    if (!wn_buf_reserve(out, bound))
        return false;
    if (!e->begun && !keep_lz4(out, LZ4F_compressBegin(e->lz4, out->ptr + out->len,
                                                       out->cap - out->len, &preferences)))
        return false;
    if (end)
        return keep_lz4(out,
                        LZ4F_compressEnd(e->lz4, out->ptr + out->len, out->cap - out->len, NULL));
    return keep_lz4(out, LZ4F_compressUpdate(e->lz4, out->ptr + out->len, out->cap - out->len,
                                             bytes.ptr, bytes.len, NULL));
}
#endif

static bool encode(wn_io_encoder *e, wn_str bytes, wn_buf *out, bool end)
{
#ifdef WN_HAVE_ZSTD
    if (e->zstd)
        return encode_zstd(e, bytes, out, end);
#endif
#ifdef WN_HAVE_LZ4
    if (e->lz4)
        return encode_lz4(e, bytes, out, end);
#endif
    return encode_zlib(e, bytes, out, end);
}

bool wn_io_encoder_add(wn_io_encoder *e, wn_str bytes, wn_buf *out)
{
    bool well = bytes.len == 0 || encode(e, bytes, out, false);
    e->begun = e->begun || bytes.len > 0;
    return well;
}

bool wn_io_encoder_add_empty(wn_io_encoder *e, wn_buf *out)
{
    return encode(e, WN_STR(""), out, true);
}

bool wn_io_encoder_end(wn_io_encoder *e, wn_buf *out)
{
    bool well = !e->begun || encode(e, WN_STR(""), out, true);
    e->begun = false;
    return well;
}
