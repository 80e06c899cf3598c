/*
 * The decoders of the WHATWG Encoding standard: bytes in, UTF-8 out.
 *
 * https://encoding.spec.whatwg.org/#specification-hooks
 *
 * The standard writes each decoder as a state machine that is fed byte by byte and may push bytes
 * back. As all bytes are here at once, most become one function that looks at the bytes of the next
 * character and says what it is and how many bytes it took. What the standard pushes back is simply
 * not consumed here. An ASCII byte is never swallowed by an invalid character before it, so no tag
 * can be hidden that way.
 *
 * No byte becomes more than three, which is how the output's size is known.
 */
#include "html/encoding_parts.h"

#include <errno.h>
#include <iconv.h>

#include "base/scan.h"
#include "base/utf8.h"

/* The next character: 0 for none. Only Big5 has characters that are two code points. */
typedef struct character {
    uint32_t code;
    uint32_t size;
    uint32_t second_code;
} character;

typedef character read_character(const uint8_t *p, size_t left);

static bool in_range(unsigned c, unsigned low, unsigned high)
{
    return c - low <= high - low;
}

static char *put(char *out, uint32_t code)
{
    return out + wn_utf8_encode(code, out);
}

/* A character of `size` bytes, or none if the index has nothing for it. */
static character found(uint32_t code, uint32_t size)
{
    return (character){.code = code, .size = size};
}

/* A lead byte that cannot be completed takes the next byte along unless that is ASCII. */
static character broken_pair(const uint8_t *p, size_t left)
{
    return found(0, left > 1 && p[1] >= 0x80 ? 2 : 1);
}

static character pair_or_broken(uint32_t code, const uint8_t *p, size_t left)
{
    return code ? found(code, 2) : broken_pair(p, left);
}

/* https://encoding.spec.whatwg.org/#euc-kr-decoder */
static character read_euc_kr(const uint8_t *p, size_t left)
{
    uint32_t code = 0;
    if (!in_range(p[0], 0x81, 0xFE))
        return found(0, 1);
    if (left > 1 && in_range(p[1], 0x41, 0xFE))
        code = wn_index_euc_kr[(p[0] - 0x81) * 190 + p[1] - 0x41];
    return pair_or_broken(code, p, left);
}

/* https://encoding.spec.whatwg.org/#big5-decoder */
static character read_big5(const uint8_t *p, size_t left)
{
    if (!in_range(p[0], 0x81, 0xFE))
        return found(0, 1);
    if (left < 2 || !(in_range(p[1], 0x40, 0x7E) || in_range(p[1], 0xA1, 0xFE)))
        return broken_pair(p, left);
    unsigned pointer = (p[0] - 0x81u) * 157 + p[1] - (p[1] < 0x7F ? 0x40 : 0x62);
    if (pointer == 1133 || pointer == 1135) /* a capital and a small E with macron or caron */
        return (character){0xCA, 2, pointer == 1133 ? 0x304 : 0x30C};
    if (pointer == 1164 || pointer == 1166)
        return (character){0xEA, 2, pointer == 1164 ? 0x304 : 0x30C};
    uint32_t plane = wn_index_big5_plane_2[pointer / 8] >> pointer % 8 & 1;
    return pair_or_broken(wn_index_big5[pointer] | plane << 17, p, left);
}

/* https://encoding.spec.whatwg.org/#shift_jis-decoder */
static character read_shift_jis(const uint8_t *p, size_t left)
{
    if (p[0] == 0x80)
        return found(0x80, 1);
    if (in_range(p[0], 0xA1, 0xDF))
        return found(0xFF61 - 0xA1 + p[0], 1);
    if (!in_range(p[0], 0x81, 0x9F) && !in_range(p[0], 0xE0, 0xFC))
        return found(0, 1);
    if (left < 2 || !(in_range(p[1], 0x40, 0x7E) || in_range(p[1], 0x80, 0xFC)))
        return broken_pair(p, left);
    unsigned row = p[0] - (p[0] < 0xA0 ? 0x81u : 0xC1u);
    unsigned pointer = row * 188 + p[1] - (p[1] < 0x7F ? 0x40 : 0x41);
    if (in_range(pointer, 8836, 10715))
        return found(0xE000 - 8836 + pointer, 2);
    return pair_or_broken(wn_index_jis0208[pointer], p, left);
}

/* The part of the EUC-JP decoder after 0x8F: three bytes, from JIS X 0212. */
static character read_jis0212(const uint8_t *p, size_t left)
{
    if (left < 2 || !in_range(p[1], 0xA1, 0xFE))
        return broken_pair(p, left);
    if (left < 3 || p[2] < 0x80)
        return found(0, 2);
    bool is_trail = in_range(p[2], 0xA1, 0xFE);
    return found(is_trail ? wn_index_jis0212[(p[1] - 0xA1) * 94 + p[2] - 0xA1] : 0, 3);
}

/* https://encoding.spec.whatwg.org/#euc-jp-decoder */
static character read_euc_jp(const uint8_t *p, size_t left)
{
    uint32_t code = 0;
    if (p[0] == 0x8F)
        return read_jis0212(p, left);
    if (p[0] != 0x8E && !in_range(p[0], 0xA1, 0xFE))
        return found(0, 1);
    if (left > 1 && p[0] == 0x8E)
        code = in_range(p[1], 0xA1, 0xDF) ? 0xFF61 - 0xA1u + p[1] : 0;
    else if (left > 1 && in_range(p[1], 0xA1, 0xFE))
        code = wn_index_jis0208[(p[0] - 0xA1) * 94 + p[1] - 0xA1];
    return pair_or_broken(code, p, left);
}

/* https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point */
static uint32_t gb18030_range_code(uint32_t pointer)
{
    if (pointer >= 189000)
        return pointer <= 1237575 ? 0x10000 + pointer - 189000 : 0;
    if (pointer > 39419)
        return 0;
    int low = 0, high = WN_GB18030_RANGES;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (wn_gb18030_ranges[middle][0] <= pointer)
            low = middle;
        else
            high = middle;
    }
    return wn_gb18030_ranges[low][1] + pointer - wn_gb18030_ranges[low][0];
}

/* The four-byte form, of which the first two bytes are known to be right. */
static character read_gb18030_four(const uint8_t *p, size_t left)
{
    bool third_is_right = left > 2 && in_range(p[2], 0x81, 0xFE);
    if (left < 3 || (left == 3 && third_is_right))
        return found(0, (uint32_t)left); /* all that is left is one broken character */
    if (!third_is_right || !in_range(p[3], '0', '9'))
        return found(0, 1);
    uint32_t pointer = (p[0] - 0x81u) * 12600 + (p[1] - 0x30u) * 1260 + (p[2] - 0x81u) * 10;
    return found(gb18030_range_code(pointer + p[3] - 0x30), 4);
}

/* https://encoding.spec.whatwg.org/#gb18030-decoder, which is also that of GBK */
static character read_gb18030(const uint8_t *p, size_t left)
{
    uint32_t code = 0;
    if (p[0] == 0x80)
        return found(0x20AC, 1);
    if (p[0] == 0xFF)
        return found(0, 1);
    if (left > 1 && in_range(p[1], '0', '9'))
        return read_gb18030_four(p, left);
    if (left > 1 && (in_range(p[1], 0x40, 0x7E) || in_range(p[1], 0x80, 0xFE)))
        code = wn_index_gb18030[(p[0] - 0x81) * 190 + p[1] - (p[1] < 0x7F ? 0x40 : 0x41)];
    return pair_or_broken(code, p, left);
}

/* Copies ASCII up to the next byte that is not; most pages are mostly that. */
static const char *copy_ascii(const char *p, const char *end, char **out)
{
    if (end - p < 2 || (p[1] & 0x80)) {
        *(*out)++ = *p;
        return p + 1;
    }
    const char *stop = wn_scan_non_ascii(p, end);
    memcpy(*out, p, (size_t)(stop - p));
    *out += stop - p;
    return stop;
}

/* Inlined into a loop of its own for each encoding. */
__attribute__((always_inline)) static inline char *
decode_characters(read_character *read, wn_str bytes, char *out, wn_decoding *d)
{
    const char *p = bytes.ptr, *end = p + bytes.len;
    bool is_wrong = false;
    while (p < end && !wn_watch_over(d->watch)) {
        if (!(*p & 0x80)) {
            p = copy_ascii(p, end, &out);
            continue;
        }
        character c = read((const uint8_t *)p, (size_t)(end - p));
        p += c.size;
        is_wrong |= c.code == 0;
        out = put(out, c.code ? c.code : WN_REPLACEMENT);
        if (c.second_code)
            out = put(out, c.second_code);
    }
    d->repaired |= is_wrong;
    return out;
}

/* The UTF-8 of each byte of a single-byte encoding. */
typedef struct byte_table {
    char utf8[256][4];
    uint8_t size[256];
    bool is_wrong[256];
} byte_table;

static void fill_table(byte_table *table, const uint16_t *index)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        uint32_t code = byte < 0x80 ? byte : index[byte - 0x80];
        table->is_wrong[byte] = byte >= 0x80 && code == 0;
        if (table->is_wrong[byte])
            code = WN_REPLACEMENT;
        table->size[byte] = (uint8_t)wn_utf8_encode(code, table->utf8[byte]);
    }
}

/*
 * https://encoding.spec.whatwg.org/#single-byte-decoder
 *
 * Four bytes are always written, of which those after the character are written over by the next
 * one; so a character costs no branch that could be mispredicted.
 */
static char *decode_single_byte(const uint16_t *index, wn_str bytes, char *out, wn_decoding *d)
{
    const char *p = bytes.ptr, *end = p + bytes.len;
    byte_table table = {0};
    bool is_wrong = false;
    fill_table(&table, index);
    while (p < end && !wn_watch_over(d->watch)) {
        const char *stop = end - p > WN_VEC_SIZE ? p + WN_VEC_SIZE : end;
        if (stop - p == WN_VEC_SIZE && wn_scan_non_ascii(p, stop) == stop) {
            memcpy(out, p, WN_VEC_SIZE);
            out += WN_VEC_SIZE;
            p = stop;
        }
        for (; p < stop; p++) {
            uint8_t byte = (uint8_t)*p;
            memcpy(out, table.utf8[byte], 4);
            out += table.size[byte];
            is_wrong |= table.is_wrong[byte];
        }
    }
    d->repaired |= is_wrong;
    return out;
}

/* https://encoding.spec.whatwg.org/#x-user-defined-decoder */
static character read_user_defined(const uint8_t *p, size_t left)
{
    (void)left;
    return found(0xF780 - 0x80u + p[0], 1);
}

/* https://encoding.spec.whatwg.org/#utf-8-decoder */
static char *decode_utf8(wn_str bytes, char *out, wn_decoding *d)
{
    for (;;) {
        size_t valid = wn_utf8_valid_prefix(bytes);
        memcpy(out, bytes.ptr, valid);
        out += valid;
        bytes = wn_str_from_offset(bytes, valid);
        if (bytes.len == 0 || wn_watch_over(d->watch))
            return out;
        d->repaired = true;
        out = put(out, WN_REPLACEMENT);
        bytes = wn_str_from_offset(bytes, wn_utf8_ill_formed(bytes));
    }
}

static uint32_t unit_16(const uint8_t *p, bool big_endian)
{
    return big_endian ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

/* https://encoding.spec.whatwg.org/#shared-utf-16-decoder */
static char *decode_utf16(bool big_endian, wn_str bytes, char *out, wn_decoding *d)
{
    const uint8_t *p = (const uint8_t *)bytes.ptr, *end = p + bytes.len;
    while (p < end && !wn_watch_over(d->watch)) {
        uint32_t code = end - p > 1 ? unit_16(p, big_endian) : 0xD800;
        bool is_lead = in_range(code, 0xD800, 0xDBFF);
        uint32_t trail = is_lead && end - p > 3 ? unit_16(p + 2, big_endian) : 0;
        if (in_range(trail, 0xDC00, 0xDFFF)) {
            code = 0x10000 + ((code - 0xD800) << 10) + (trail - 0xDC00);
            p += 4;
        } else if (is_lead && end - p < 4) {
            p = end; /* half a pair, and perhaps an odd byte: one error */
        } else {
            p += 2;
        }
        bool is_wrong = in_range(code, 0xD800, 0xDFFF);
        d->repaired |= is_wrong;
        out = put(out, is_wrong ? WN_REPLACEMENT : code);
    }
    return out;
}

static char *decode_utf32(bool big_endian, wn_str bytes, char *out, wn_decoding *d)
{
    const uint8_t *p = (const uint8_t *)bytes.ptr, *end = p + bytes.len;
    while (p < end && !wn_watch_over(d->watch)) {
        uint32_t code = 0xD800;
        if (end - p >= 4)
            code = big_endian ? unit_16(p, true) << 16 | unit_16(p + 2, true)
                              : unit_16(p + 2, false) << 16 | unit_16(p, false);
        bool is_wrong = code > 0x10FFFF || in_range(code, 0xD800, 0xDFFF);
        d->repaired |= is_wrong;
        out = put(out, is_wrong ? WN_REPLACEMENT : code);
        p += end - p >= 4 ? 4 : end - p;
    }
    return out;
}

/* The states of ISO-2022-JP between characters, and what its escapes are. */
typedef enum jis_state { JIS_ASCII, JIS_ROMAN, JIS_KATAKANA, JIS_PAIRS, JIS_NONE } jis_state;

/* The state that the escape at p (after the ESC byte) switches to. */
static jis_state escape_target(const uint8_t *p, size_t left)
{
    if (left < 2)
        return JIS_NONE;
    if (p[0] == '$')
        return p[1] == '@' || p[1] == 'B' ? JIS_PAIRS : JIS_NONE;
    if (p[0] != '(')
        return JIS_NONE;
    if (p[1] == 'I')
        return JIS_KATAKANA;
    return p[1] == 'B' ? JIS_ASCII : p[1] == 'J' ? JIS_ROMAN : JIS_NONE;
}

/* One byte outside pairs. */
static uint32_t jis_single(jis_state state, uint8_t byte)
{
    if (state == JIS_KATAKANA)
        return in_range(byte, 0x21, 0x5F) ? 0xFF61 - 0x21u + byte : WN_REPLACEMENT;
    if (byte >= 0x80 || byte == 0x0E || byte == 0x0F)
        return WN_REPLACEMENT;
    if (state == JIS_ROMAN && (byte == 0x5C || byte == 0x7E))
        return byte == 0x5C ? 0xA5 : 0x203E;
    return byte;
}

/* Two bytes of JIS X 0208. An ESC in second place is an error but stays an ESC. */
static uint32_t jis_pair(const uint8_t *p, size_t left, size_t *size)
{
    bool has_trail = left > 1 && in_range(p[1], 0x21, 0x7E);
    *size = !in_range(p[0], 0x21, 0x7E) || left < 2 || p[1] == 0x1B ? 1 : 2;
    uint32_t code = *size == 2 && has_trail ? wn_index_jis0208[(p[0] - 0x21) * 94 + p[1] - 0x21]
                                            : 0;
    return code ? code : WN_REPLACEMENT;
}

/*
 * https://encoding.spec.whatwg.org/#iso-2022-jp-decoder
 *
 * Two escapes with nothing between them are an error, so that no text can be hidden
 * from a filter by splitting it with escapes; `just_escaped` is the standard's output flag.
 */
static char *decode_iso_2022_jp(wn_str bytes, char *out, wn_decoding *d)
{
    const uint8_t *p = (const uint8_t *)bytes.ptr, *end = p + bytes.len;
    jis_state state = JIS_ASCII;
    bool just_escaped = false;
    while (p < end && !wn_watch_over(d->watch)) {
        uint32_t code;
        if (*p == 0x1B) {
            jis_state target = escape_target(p + 1, (size_t)(end - p) - 1);
            bool is_escape = target != JIS_NONE, was_escaped = just_escaped;
            just_escaped = is_escape;
            p += is_escape ? 3 : 1;
            state = is_escape ? target : state;
            if (is_escape && !was_escaped)
                continue;
            code = WN_REPLACEMENT;
        } else if (state == JIS_PAIRS) {
            size_t size;
            code = jis_pair(p, (size_t)(end - p), &size);
            p += size;
            just_escaped = false;
        } else {
            code = jis_single(state, *p++);
            just_escaped = false;
        }
        d->repaired |= code == WN_REPLACEMENT;
        out = put(out, code);
    }
    return out;
}

/* https://encoding.spec.whatwg.org/#replacement-decoder */
static char *decode_replacement(wn_str bytes, char *out, wn_decoding *d)
{
    d->repaired = bytes.len > 0;
    return bytes.len > 0 ? put(out, WN_REPLACEMENT) : out;
}

/* HZ (RFC 1843): between "~{" and "~}" two ASCII bytes are a character of GB 2312. */
static char *decode_hz(wn_str bytes, char *out, wn_decoding *d)
{
    const char *p = bytes.ptr, *end = p + bytes.len;
    bool in_pairs = false;
    while (p < end && !wn_watch_over(d->watch)) {
        char next = end - p > 1 ? p[1] : 0;
        if (*p == '~' && (next == '{' || next == '}')) {
            in_pairs = next == '{';
            p += 2;
        } else if (in_pairs && *p != '\n' && next) {
            uint8_t pair[] = {(uint8_t)*p | 0x80, (uint8_t)next | 0x80};
            character c = read_gb18030(pair, 2);
            d->repaired |= c.code == 0;
            out = put(out, c.code ? c.code : WN_REPLACEMENT);
            p += 2;
        } else {
            in_pairs = false; /* a line's end ends them */
            d->repaired |= (*p & 0x80) != 0;
            out = put(out, *p & 0x80 ? WN_REPLACEMENT : *p);
            p += *p == '~' && next == '~' ? 2 : 1;
        }
    }
    return out;
}

/*
 * An encoding that only the C library knows; if it does not either, then as windows-1252. It is
 * given a piece at a time; what it leaves of one, half a character, is given again with the next.
 */
static char *decode_with_iconv(const char *name, wn_str bytes, char *out, size_t room,
                               wn_decoding *d)
{
    enum { A_PIECE = 1 << 10 }; /* bytes; the clock is looked at after some hundred pieces */
    iconv_t converter = iconv_open("UTF-8", name);
    char *in = (char *)bytes.ptr, *end = in + bytes.len;
    if (converter == (iconv_t)-1)
        return decode_single_byte(wn_single_byte_index[WN_ENCODING_WINDOWS_1252], bytes, out, d);
    while (in < end && !wn_watch_over(d->watch)) {
        size_t left = end - in > A_PIECE ? A_PIECE : (size_t)(end - in);
        bool last = left == (size_t)(end - in);
        if (iconv(converter, &in, &left, &out, &room) != (size_t)-1 || (errno == EINVAL && !last))
            continue;
        if (errno == E2BIG || room < 3)
            break;
        d->repaired = true;
        out = put(out, WN_REPLACEMENT);
        room -= 3;
        in++;
    }
    iconv_close(converter);
    return out;
}

size_t wn_html_encoding_count_not_ascii(wn_str bytes)
{
    size_t count = 0, i = 0;
    for (; i + 8 <= bytes.len; i += 8) {
        uint64_t eight;
        memcpy(&eight, bytes.ptr + i, 8);
        eight = eight >> 7 & UINT64_C(0x0101010101010101);
        count += eight * UINT64_C(0x0101010101010101) >> 56; /* the sum of its bytes */
    }
    for (; i < bytes.len; i++)
        count += (uint8_t)bytes.ptr[i] >> 7;
    return count;
}

/* The room that a decoder may write to: its longest output, and a little after it. */
static size_t output_bound(int id, wn_str bytes)
{
    if (id == WN_ENCODING_ISO_2022_JP || id == WN_ENCODING_HZ || id == WN_ENCODING_ICONV)
        return bytes.len < SIZE_MAX / 4 ? bytes.len * 3 + 4 : SIZE_MAX;
    if (id == WN_ENCODING_UTF_16BE || id == WN_ENCODING_UTF_16LE)
        return bytes.len + bytes.len / 2 + 3;
    if (id == WN_ENCODING_UTF_32BE || id == WN_ENCODING_UTF_32LE || id == WN_ENCODING_REPLACEMENT)
        return bytes.len + 3;
    size_t not_ascii = wn_html_encoding_count_not_ascii(bytes);
    return not_ascii <= (SIZE_MAX - bytes.len) / 2 - 2 ? bytes.len + 2 * not_ascii + 4 : SIZE_MAX;
}

static char *decode(wn_encoding encoding, wn_str bytes, char *out, size_t room, wn_decoding *d)
{
    switch (encoding.id) {
    case WN_ENCODING_UTF_8:
        return decode_utf8(bytes, out, d);
    case WN_ENCODING_GBK:
    case WN_ENCODING_GB18030:
        return decode_characters(read_gb18030, bytes, out, d);
    case WN_ENCODING_BIG5:
        return decode_characters(read_big5, bytes, out, d);
    case WN_ENCODING_EUC_JP:
        return decode_characters(read_euc_jp, bytes, out, d);
    case WN_ENCODING_ISO_2022_JP:
        return decode_iso_2022_jp(bytes, out, d);
    case WN_ENCODING_SHIFT_JIS:
        return decode_characters(read_shift_jis, bytes, out, d);
    case WN_ENCODING_EUC_KR:
        return decode_characters(read_euc_kr, bytes, out, d);
    case WN_ENCODING_REPLACEMENT:
        return decode_replacement(bytes, out, d);
    case WN_ENCODING_UTF_16BE:
    case WN_ENCODING_UTF_16LE:
        return decode_utf16(encoding.id == WN_ENCODING_UTF_16BE, bytes, out, d);
    case WN_ENCODING_UTF_32BE:
    case WN_ENCODING_UTF_32LE:
        return decode_utf32(encoding.id == WN_ENCODING_UTF_32BE, bytes, out, d);
    case WN_ENCODING_HZ:
        return decode_hz(bytes, out, d);
    case WN_ENCODING_X_USER_DEFINED:
        return decode_characters(read_user_defined, bytes, out, d);
    case WN_ENCODING_ICONV:
        return decode_with_iconv(encoding.iconv_name, bytes, out, room, d);
    default:
        return decode_single_byte(wn_single_byte_index[encoding.id], bytes, out, d);
    }
}

wn_str wn_html_encoding_decode(wn_arena *arena, wn_encoding encoding, wn_str bytes, wn_decoding *d)
{
    size_t room = output_bound(encoding.id, bytes);
    char *text = wn_arena_bytes(arena, room);
    d->repaired = false;
    if (!text)
        return WN_STR("");
    char *end = decode(encoding, bytes, text, room, d);
    wn_arena_resize(arena, text, room, (size_t)(end - text));
    return wn_str_between(text, end);
}
