#include "io/response.h"

#include "html/sniff.h"
#include "io/codec.h"
#include "io/warc.h"

enum {
    /* Servers compress once; a few have done it twice. */
    MAX_LAYERS = 3,
    /* Memory that one large body made larger than this is not kept for the next. */
    KEPT_CAPACITY = 16 << 20,
    MAX_CHUNK_DIGITS = 8,
    /*
     * What is left of the line of a chunk that was cut off: digits and the line ends around them.
     */
    LONGEST_CHUNK_LINE_END = MAX_CHUNK_DIGITS + 4,
};

/* ---- The head ---------------------------------------------------------------------------- */

/* Where the body begins: after the first empty line, whatever ends the lines. */
static size_t head_length(wn_str block)
{
    const char *p = block.ptr, *end = block.ptr + block.len;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
        p++;
        const char *next = p < end && *p == '\r' ? p + 1 : p;
        if (next < end && *next == '\n')
            return (size_t)(next + 1 - block.ptr);
    }
    return block.len;
}

/* "HTTP/1.1 200 OK" */
static int status_of(wn_str head)
{
    const char *space = memchr(head.ptr, ' ', head.len);
    wn_str rest = space ? wn_str_trim(wn_str_between(space, head.ptr + head.len)) : WN_STR("");
    int status = 0;
    for (size_t i = 0; i < 3; i++) {
        if (i >= rest.len || !wn_is_ascii_digit(rest.ptr[i]))
            return 0;
        status = status * 10 + (rest.ptr[i] - '0');
    }
    return status;
}

/* "HTTP/1.1 200 OK"; whatever the protocol is called, if there is a version and a status. */
static bool has_status_line(wn_str block)
{
    size_t letters = 0;
    while (letters < block.len && wn_is_ascii_alpha(block.ptr[letters]))
        letters++;
    bool versioned = letters > 0 && letters + 1 < block.len && block.ptr[letters] == '/' &&
                     wn_is_ascii_digit(block.ptr[letters + 1]);
    const char *end = versioned ? memchr(block.ptr, '\n', block.len) : NULL;
    return end && status_of(wn_str_between(block.ptr, end)) != 0;
}

bool wn_io_response_parse(wn_str block, wn_io_response *response)
{
    if (!wn_str_starts_nocase(block, WN_STR("HTTP/")) && !has_status_line(block))
        return false;
    wn_str head = wn_str_from(block.ptr, head_length(block));
    *response = (wn_io_response){
        .status = status_of(head),
        .head = head,
        .content_type = wn_io_header_value(head, WN_STR("Content-Type")),
        .content_encoding = wn_io_header_value(head, WN_STR("Content-Encoding")),
        .transfer_encoding = wn_io_header_value(head, WN_STR("Transfer-Encoding")),
        .content_length = wn_io_header_value(head, WN_STR("Content-Length")),
        .body = wn_str_from_offset(block, head.len),
    };
    return true;
}

/* ---- Chunks ------------------------------------------------------------------------------ */

/* Reads the line "1f3a; extension" and takes it off `rest`; false if it is not one. */
static bool chunk_size(wn_str *rest, size_t *size)
{
    size_t i = 0;
    *size = 0;
    for (; i < rest->len && i <= MAX_CHUNK_DIGITS && wn_hex_digit(rest->ptr[i]) >= 0; i++)
        *size = *size * 16 + (size_t)wn_hex_digit(rest->ptr[i]);
    if (i == 0 || i > MAX_CHUNK_DIGITS)
        return false;
    while (i < rest->len && rest->ptr[i] == ' ')
        i++;
    if (i < rest->len && rest->ptr[i] == ';') {
        const char *end = memchr(rest->ptr + i, '\n', rest->len - i);
        i = end ? (size_t)(end - rest->ptr) : rest->len;
    }
    i += i < rest->len && rest->ptr[i] == '\r';
    if (i >= rest->len || rest->ptr[i] != '\n')
        return false;
    *rest = wn_str_from_offset(*rest, i + 1);
    return true;
}

/* Takes the line end after a chunk off `rest`; false if there is none. */
static bool chunk_end(wn_str *rest)
{
    size_t skipped = rest->len > 0 && *rest->ptr == '\r';
    if (skipped >= rest->len || rest->ptr[skipped] != '\n')
        return false;
    *rest = wn_str_from_offset(*rest, skipped + 1);
    return true;
}

typedef enum chunks {
    CHUNKS_NONE, /* the body is not made of chunks */
    CHUNKS_WHOLE,
    CHUNKS_SHORT,   /* the last ones are missing */
    CHUNKS_DAMAGED, /* what follows one is not the next */
} chunks;

/*
 * Joins the chunks. A body of which it is declared may be cut short after its first chunk, any
 * other must be complete.
 */
static chunks join_chunks(wn_str body, bool declared, wn_buf *out)
{
    size_t size, count = 0;
    while (chunk_size(&body, &size)) {
        if (size == 0)
            return declared || count > 0 ? CHUNKS_WHOLE : CHUNKS_NONE;
        bool whole = size <= body.len;
        wn_buf_add(out, wn_str_from(body.ptr, whole ? size : body.len));
        body = wn_str_from_offset(body, size);
        if (!whole)
            return declared ? CHUNKS_SHORT : CHUNKS_NONE;
        if (!chunk_end(&body)) {
            if (!declared || count == 0)
                return CHUNKS_NONE;
            break;
        }
        count++;
    }
    if (!declared || count == 0)
        return CHUNKS_NONE;
    return body.len <= LONGEST_CHUNK_LINE_END ? CHUNKS_SHORT : CHUNKS_DAMAGED;
}

/* ---- Compression ------------------------------------------------------------------------- */

/* Whether the bytes are text already, so that nothing needs to be undone. */
static bool is_markup(wn_str body)
{
    wn_str start = wn_str_trim(wn_str_from(body.ptr, body.len < 512 ? body.len : 512));
    return start.len > 0 && *start.ptr == '<' && wn_html_sniff_has_markup(start);
}

/* The two bytes zlib puts before deflate: https://www.rfc-editor.org/rfc/rfc1950#page-4 */
static bool is_zlib(wn_str body)
{
    if (body.len < 2)
        return false;
    unsigned first = (unsigned char)body.ptr[0], second = (unsigned char)body.ptr[1];
    return (first & 0x0F) == 8 && (first << 8 | second) % 31 == 0;
}

static wn_io_codec codec_for(wn_str body, wn_str declared)
{
    wn_io_codec codec = wn_io_codec_of_bytes(body);
    if (codec != WN_IO_CODEC_NONE)
        return codec;
    if (declared.len == 0 || is_markup(body))
        return WN_IO_CODEC_NONE;
    if (wn_str_contains_nocase(declared, WN_STR("deflate")))
        return is_zlib(body) ? WN_IO_CODEC_ZLIB : WN_IO_CODEC_DEFLATE;
    return wn_str_contains_nocase(declared, WN_STR("br")) ? WN_IO_CODEC_BROTLI : WN_IO_CODEC_NONE;
}

/* Raw deflate and brotli have no mark, and text may pass for a little of them. */
static bool is_believable(wn_io_codec codec, wn_io_unpacked state, wn_str bytes)
{
    if (state == WN_IO_UNPACKED_NOT)
        return false;
    bool marked = codec != WN_IO_CODEC_DEFLATE && codec != WN_IO_CODEC_BROTLI;
    bool incomplete = state == WN_IO_UNPACKED_DAMAGED || state == WN_IO_UNPACKED_SHORT;
    return marked || !incomplete || !wn_html_sniff_is_binary(bytes);
}

bool wn_io_response_is_plain(const wn_io_response *response)
{
    wn_str rest = response->body;
    size_t size;
    return rest.len > 0 && !chunk_size(&rest, &size) &&
           codec_for(response->body, response->content_encoding) == WN_IO_CODEC_NONE;
}

static void empty(wn_buf *buf)
{
    if (buf->cap > KEPT_CAPACITY)
        wn_buf_free(buf);
    wn_buf_clear(buf);
}

/* Undoes up to MAX_LAYERS of compression, from one buffer to the other. */
static wn_str unpack_layers(wn_io_body_decoder *d, wn_str body, wn_str declared, uint64_t max)
{
    for (int layer = 0; layer < MAX_LAYERS; layer++) {
        wn_io_codec codec = codec_for(body, declared);
        wn_buf *to = body.ptr == d->first.ptr ? &d->second : &d->first;
        if (codec == WN_IO_CODEC_NONE)
            break;
        empty(to);
        wn_io_unpacked state = wn_io_unpack(codec, body, to, max);
        if (!is_believable(codec, state, wn_buf_str(to)))
            break;
        d->cut = state == WN_IO_UNPACKED_CUT;
        d->damaged = d->damaged || state == WN_IO_UNPACKED_DAMAGED;
        d->truncated = d->truncated || state == WN_IO_UNPACKED_SHORT;
        body = wn_buf_str(to);
        declared = WN_STR("");
    }
    return body;
}

static bool declares_chunks(const wn_io_response *response)
{
    return wn_str_contains_nocase(response->transfer_encoding, WN_STR("chunked"));
}

bool wn_io_response_is_short(const wn_io_response *response, uint64_t size)
{
    uint64_t length;
    bool as_sent = response->content_encoding.len == 0 ||
                   wn_str_eq_nocase(response->content_encoding, WN_STR("identity")) ||
                   codec_for(response->body, response->content_encoding) != WN_IO_CODEC_NONE;
    /* Of redirects browsers keep the head alone; that of "not modified" tells of another answer. */
    bool bodiless = response->status == 204 || response->status / 100 == 3;
    return as_sent && !bodiless && !declares_chunks(response) &&
           wn_io_header_number(response->content_length, &length) && size < length;
}

wn_str wn_io_response_body(wn_io_body_decoder *d, const wn_io_response *response, uint64_t max)
{
    wn_str body = response->body;
    d->cut = d->damaged = false;
    d->truncated = wn_io_response_is_short(response, body.len);
    empty(&d->first);
    chunks joined = join_chunks(body, declares_chunks(response), &d->first);
    if (joined != CHUNKS_NONE && !d->first.failed) {
        body = wn_buf_str(&d->first);
        d->truncated = d->truncated || joined == CHUNKS_SHORT;
        d->damaged = joined == CHUNKS_DAMAGED;
    }
    body = unpack_layers(d, body, response->content_encoding, max);
    if (body.len > max) {
        body.len = (size_t)max;
        d->cut = true;
    }
    return body;
}

wn_str wn_io_unpacked_bytes(wn_io_body_decoder *d, wn_str bytes, uint64_t max)
{
    d->cut = d->truncated = d->damaged = false;
    return unpack_layers(d, bytes, WN_STR(""), max);
}

void wn_io_body_decoder_free(wn_io_body_decoder *d)
{
    wn_buf_free(&d->first);
    wn_buf_free(&d->second);
}
