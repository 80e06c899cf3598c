/*
 * Fuzzes what is made of compressed bytes, by each codec, and of bytes that are compressed.
 *
 * Properties: never more than the limit; what is decoded at once and step by step is the same; what was
 * compressed comes back.
 */
#include "fuzz.h"

#include "io/codec.h"

enum { LIMIT = 1 << 20, STEP = 1000 };

/* Decodes one member in small steps. */
static wn_io_step in_steps(wn_io_codec codec, wn_str packed, wn_buf *out)
{
    wn_io_decoder *decoder = wn_io_decoder_new(codec);
    wn_io_step state = WN_IO_STEP_BAD;
    size_t made = 1;
    wn_str piece = WN_STR("");
    while (decoder && out->len < LIMIT) {
        if (piece.len == 0) {
            piece = wn_str_from(packed.ptr, packed.len < STEP ? packed.len : STEP);
            packed = wn_str_from_offset(packed, piece.len);
        }
        if (!wn_buf_reserve(out, STEP))
            break;
        state = wn_io_decoder_step(decoder, &piece, out->ptr + out->len, STEP, &made);
        out->len += made;
        if (state != WN_IO_STEP_MORE || (made == 0 && piece.len == 0 && packed.len == 0))
            break;
    }
    wn_io_decoder_free(decoder);
    return state;
}

static void decode(wn_io_codec codec, wn_str packed)
{
    wn_buf all = {0}, steps = {0}, whole = {0};
    wn_io_unpacked state = wn_io_unpack(codec, packed, &all, LIMIT);
    FUZZ_CHECK(all.len <= LIMIT);
    FUZZ_CHECK(state != WN_IO_UNPACKED_NOT || all.len == 0);
    wn_io_decoder *decoder = wn_io_decoder_new(codec);
    size_t made;
    if (decoder && wn_buf_reserve(&whole, LIMIT)) {
        wn_str rest = packed;
        bool ended = wn_io_decoder_whole(decoder, &rest, whole.ptr, LIMIT, &made) == WN_IO_STEP_END;
        /* Of damaged deflate one decoder may take what the other refuses. */
        if (ended && made < LIMIT && in_steps(codec, packed, &steps) == WN_IO_STEP_END)
            FUZZ_CHECK(wn_str_eq(wn_buf_str(&steps), wn_str_from(whole.ptr, made)));
    }
    wn_io_decoder_free(decoder);
    wn_buf_free(&all);
    wn_buf_free(&steps);
    wn_buf_free(&whole);
}

/* Two pieces of the bytes, each a member of its own. */
static void round_trip(wn_io_codec codec, wn_str bytes)
{
    wn_buf packed = {0}, out = {0};
    wn_io_encoder *encoder = wn_io_encoder_new(codec);
    size_t half = bytes.len / 2;
    if (encoder && bytes.len > 0 && bytes.len < LIMIT) {
        FUZZ_CHECK(wn_io_encoder_add(encoder, wn_str_from(bytes.ptr, half), &packed));
        FUZZ_CHECK(wn_io_encoder_end(encoder, &packed));
        FUZZ_CHECK(wn_io_encoder_add(encoder, wn_str_from_offset(bytes, half), &packed));
        FUZZ_CHECK(wn_io_encoder_end(encoder, &packed));
        FUZZ_CHECK(wn_io_unpack(codec, wn_buf_str(&packed), &out, LIMIT) == WN_IO_UNPACKED);
        FUZZ_CHECK(wn_str_eq(wn_buf_str(&out), bytes));
    }
    wn_io_encoder_free(encoder);
    wn_buf_free(&packed);
    wn_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    uint32_t choice = fuzz_choice(&input, WN_IO_CODEC_BROTLI + 4);
    wn_str bytes = fuzz_rest(&input);
    static const wn_io_codec written[] = {WN_IO_CODEC_GZIP, WN_IO_CODEC_ZSTD, WN_IO_CODEC_LZ4};
    if (choice > WN_IO_CODEC_BROTLI)
        round_trip(written[choice - WN_IO_CODEC_BROTLI - 1], bytes);
    else
        decode(choice == WN_IO_CODEC_NONE ? wn_io_codec_of_bytes(bytes) : (wn_io_codec)choice,
               bytes);
    return 0;
}
