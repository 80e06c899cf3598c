/*
 * The encoding stage: finds a page's encoding, decodes it, and makes its line ends one byte.
 *
 * Where the encoding is looked for, in this order, first found wins:
 *
 *     a byte order mark      UTF-8, UTF-16; also UTF-32, which is no encoding of the web
 *     the caller's charset   the HTTP header, usually; a whole Content-Type will do
 *     <meta>                 in the first 1,024 bytes, also an XML declaration
 *     the bytes              UTF-16 by its zero bytes, UTF-8 because they are just that
 *     a late <meta>          in the first 64 KB: browsers find it while parsing, and start again
 *     a guess                see encoding_guess.c
 *
 * The last two are only asked about bytes that are not UTF-8, so nearly never. A
 * page in well-formed UTF-8 is looked at once and returned as it is; carriage returns in
 * it cost one copy.
 */
#include "html/encoding.h"

#include "base/scan.h"
#include "base/utf8.h"
#include "html/encoding_parts.h"

enum {
    PRESCAN_BYTES = 1024,        /* what the standard advises and browsers do */
    LATE_PRESCAN_BYTES = 65536,  /* a <head> is rarely longer than this */
    ZERO_SAMPLE_BYTES = 1024,    /* enough to tell UTF-16 from stray zero bytes */
};

typedef struct choice {
    wn_encoding encoding;
    wn_encoding_source source;
} choice;

const char *wn_encoding_for_label(wn_str label)
{
    return wn_encoding_get(label).name;
}

static wn_str first_bytes(wn_str bytes, size_t count)
{
    return wn_str_from(bytes.ptr, bytes.len < count ? bytes.len : count);
}

const char *wn_encoding_prescan(wn_str bytes)
{
    return wn_encoding_in_meta(first_bytes(bytes, PRESCAN_BYTES)).name;
}

/* Whether all of a sample are code points in 32 bits, little-endian. */
static bool is_utf32le(wn_str bytes)
{
    wn_str sample = first_bytes(bytes, ZERO_SAMPLE_BYTES);
    for (size_t i = 0; i + 4 <= sample.len; i += 4)
        if ((uint8_t)sample.ptr[i + 2] > 0x10 || sample.ptr[i + 3] != 0)
            return false;
    return bytes.len % 4 == 0;
}

/*
 * https://encoding.spec.whatwg.org/#bom-sniff
 *
 * UTF-32 is not there, but its little-endian mark starts with that of UTF-16; a page that
 * starts with U+0000 in UTF-16 and goes on as valid UTF-32 does not exist.
 */
static wn_encoding find_bom(wn_str bytes, size_t *size)
{
    *size = 4;
    if (wn_str_starts(bytes, wn_str_from("\0\0\xFE\xFF", 4)))
        return (wn_encoding){.id = WN_ENCODING_UTF_32BE, .name = "UTF-32BE"};
    if (wn_str_starts(bytes, wn_str_from("\xFF\xFE\0\0", 4)) && is_utf32le(bytes))
        return (wn_encoding){.id = WN_ENCODING_UTF_32LE, .name = "UTF-32LE"};
    *size = 3;
    if (wn_str_starts(bytes, WN_STR("\xEF\xBB\xBF")))
        return wn_encoding_of(WN_ENCODING_UTF_8);
    *size = 2;
    if (wn_str_starts(bytes, WN_STR("\xFE\xFF")))
        return wn_encoding_of(WN_ENCODING_UTF_16BE);
    if (wn_str_starts(bytes, WN_STR("\xFF\xFE")))
        return wn_encoding_of(WN_ENCODING_UTF_16LE);
    *size = 0;
    return (wn_encoding){0};
}

/* A label, or a Content-Type with one. */
static wn_encoding find_in_charset(const char *charset)
{
    wn_encoding encoding = wn_encoding_get(wn_str_of(charset));
    return encoding.name ? encoding : wn_encoding_in_content(wn_str_of(charset));
}

/*
 * UTF-16 without a mark. Markup is ASCII, of which every second byte is zero there; half of
 * the sample's pairs are asked for, as the text between the tags may be of another script.
 */
static wn_encoding find_utf16(wn_str bytes)
{
    wn_str sample = first_bytes(bytes, ZERO_SAMPLE_BYTES);
    size_t zeros[2] = {0, 0}, pairs = sample.len / 2;
    for (size_t i = 0; i < pairs * 2; i++)
        zeros[i % 2] += sample.ptr[i] == 0;
    if (pairs >= 2 && zeros[1] * 2 >= pairs && zeros[0] * 16 < pairs)
        return wn_encoding_of(WN_ENCODING_UTF_16LE);
    if (pairs >= 2 && zeros[0] * 2 >= pairs && zeros[1] * 16 < pairs)
        return wn_encoding_of(WN_ENCODING_UTF_16BE);
    return (wn_encoding){0};
}

/* ASCII bytes that switch to another character set by escape sequences. */
static bool has_escapes(wn_str bytes)
{
    return bytes.len > 0 && memchr(bytes.ptr, 0x1B, bytes.len) != NULL;
}

/* What is found without judging the bytes; an encoding without a name if nothing is. */
static choice find_declared(wn_str bytes, const char *charset)
{
    wn_encoding encoding = find_in_charset(charset);
    if (encoding.name)
        return (choice){encoding, WN_ENCODING_FROM_CALLER};
    encoding = wn_encoding_in_meta(first_bytes(bytes, PRESCAN_BYTES));
    if (encoding.name)
        return (choice){encoding, WN_ENCODING_FROM_META};
    return (choice){find_utf16(bytes), WN_ENCODING_GUESSED};
}

/* For bytes that are undeclared and not UTF-8. */
static choice find_late(wn_arena *arena, wn_str bytes)
{
    wn_encoding encoding = {0};
    if (bytes.len > PRESCAN_BYTES)
        encoding = wn_encoding_in_meta(first_bytes(bytes, LATE_PRESCAN_BYTES));
    if (encoding.name)
        return (choice){encoding, WN_ENCODING_FROM_META};
    return (choice){wn_encoding_guess(arena, bytes), WN_ENCODING_GUESSED};
}

/*
 * Copies text with CR LF and CR alone as LF; returns the new end. `out` may be the text
 * itself: it never gets ahead of it.
 */
static char *copy_lines(wn_str text, char *out)
{
    const char *p = text.ptr, *end = p + text.len;
    for (;;) {
        const char *stop = wn_scan_1(p, end, '\r');
        memmove(out, p, (size_t)(stop - p));
        out += stop - p;
        if (stop == end)
            return out;
        *out++ = '\n';
        p = stop + (end - stop > 1 && stop[1] == '\n' ? 2 : 1);
    }
}

static wn_str normalise_lines(wn_arena *arena, wn_str text)
{
    char *copy = wn_arena_bytes(arena, text.len);
    if (!copy)
        return WN_STR("");
    char *end = copy_lines(text, copy);
    wn_arena_resize(arena, copy, text.len, (size_t)(end - copy));
    return wn_str_between(copy, end);
}

/* Decodes and normalises in place, as the decoded text is our own. */
static wn_str decode_legacy(wn_arena *arena, wn_encoding encoding, wn_str bytes, bool *repaired)
{
    wn_str text = wn_encoding_decode(arena, encoding, bytes, repaired);
    if (text.len > 0 && memchr(text.ptr, '\r', text.len)) {
        char *end = copy_lines(text, (char *)text.ptr);
        wn_arena_resize(arena, (char *)text.ptr, text.len, (size_t)(end - text.ptr));
        text.len = (size_t)(end - text.ptr);
    }
    return text;
}

wn_decoded wn_decode(wn_arena *arena, wn_str bytes, const char *charset)
{
    if (bytes.len == 0)
        bytes = WN_STR("");
    size_t bom_size;
    bool has_return = false, is_utf8 = false, repaired = false;
    choice chosen = {find_bom(bytes, &bom_size), WN_ENCODING_FROM_BOM};
    bytes = wn_str_from_offset(bytes, bom_size);
    if (!chosen.encoding.name)
        chosen = find_declared(bytes, charset);
    if (!chosen.encoding.name || chosen.encoding.id == WN_ENCODING_UTF_8)
        is_utf8 = wn_utf8_check(bytes, &has_return) == bytes.len;
    if (!chosen.encoding.name && is_utf8 && !has_escapes(bytes))
        chosen = (choice){wn_encoding_of(WN_ENCODING_UTF_8), WN_ENCODING_FROM_BYTES};
    if (!chosen.encoding.name)
        chosen = find_late(arena, bytes);

    wn_str text = bytes;
    if (!is_utf8 || chosen.encoding.id != WN_ENCODING_UTF_8)
        text = decode_legacy(arena, chosen.encoding, bytes, &repaired);
    else if (has_return)
        text = normalise_lines(arena, bytes);
    return (wn_decoded){text, chosen.encoding.name, chosen.source, repaired};
}
