/*
 * Fuzzes HTTP responses as archives keep them: any head, any body.
 *
 * Properties: slices lie inside the block; a body is never longer than the limit, and one that was
 * cut says so; the same block gives the same body again.
 */
#include "fuzz.h"

#include "io/mime.h"
#include "io/response.h"

static uint64_t decode(wn_str block, uint64_t max)
{
    wn_io_response response = {.body = block, .content_type = WN_STR("")};
    wn_io_body_decoder decoder = {0};
    response.content_encoding = response.transfer_encoding = WN_STR("");
    if (wn_io_response_parse(block, &response))
        FUZZ_CHECK(response.head.len + response.body.len == block.len && response.status >= 0);
    wn_str body = wn_io_response_body(&decoder, &response, max);
    FUZZ_CHECK(body.len <= max);
    wn_str charset = wn_io_type_charset(response.content_type);
    FUZZ_CHECK(charset.len <= response.content_type.len);
    uint64_t digest = fuzz_digest(decoder.cut, body) + wn_io_bytes_are_page(body) +
                      wn_io_type_may_be_page(response.content_type);
    wn_io_body_decoder_free(&decoder);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t limits[] = {1 << 16, 100, 1, 1 << 20};
    fuzz_input input = {data, size};
    uint64_t max = limits[fuzz_choice(&input, 4)];
    wn_str block = fuzz_rest(&input);
    FUZZ_CHECK(decode(block, max) == decode(block, max));
    return 0;
}
