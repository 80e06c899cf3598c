/*
 * The encoding stage: finds a page's encoding, decodes it, and normalises its line ends.
 *
 * The sources of the encoding, in this order; the first one found wins:
 *
 *     a byte order mark      UTF-8, UTF-16; also UTF-32, which is not an encoding of the web
 *     the caller's charset   the HTTP header, usually; a whole Content-Type will do
 *     <meta>                 in the first 1,024 bytes; also an XML declaration
 *     the bytes              UTF-16 by its zero bytes, UTF-8 because they are just that
 *     a late <meta>          in the first 64 KB: browsers find it while parsing, and start again
 *     a guess                see encoding_guess.c
 *
 * The last two are not needed for UTF-8, so they are rare. A page in well-formed UTF-8 is read once
 * and returned unchanged; carriage returns in it cost one copy.
 */
#include "html/encoding.h"

#include "base/scan.h"
#include "base/utf8.h"
#include "html/encoding_parts.h"

enum {
    PRESCAN_BYTES = 1024,       /* what the standard advises and browsers do */
    LATE_PRESCAN_BYTES = 65536, /* a <head> is rarely longer than this */
    ZERO_SAMPLE_BYTES = 1024,   /* enough to tell UTF-16 from stray zero bytes */
};

typedef struct choice {
    wn_encoding encoding;
    wn_encoding_source source;
} choice;

const char *wn_html_encoding_for_label(wn_str label)
{
    return wn_html_encoding_get(label).name;
}

static wn_str first_bytes(wn_str bytes, size_t count)
{
    return wn_str_from(bytes.ptr, bytes.len < count ? bytes.len : count);
}

const char *wn_html_encoding_prescan(wn_str bytes)
{
    return wn_html_encoding_in_meta(first_bytes(bytes, PRESCAN_BYTES)).name;
}

static const wn_encoding utf32be = {.id = WN_ENCODING_UTF_32BE, .name = "UTF-32BE"};
static const wn_encoding utf32le = {.id = WN_ENCODING_UTF_32LE, .name = "UTF-32LE"};

/* Whether all of a sample are code points in 32 bits, of which the highest 11 are zero. */
static bool is_utf32(wn_str bytes, bool big_endian)
{
    wn_str sample = first_bytes(bytes, ZERO_SAMPLE_BYTES);
    size_t top = big_endian ? 0 : 3, nulls = 0;
    for (size_t i = 0; i + 4 <= sample.len; i += 4) {
        const char *p = sample.ptr + i;
        if (p[top] != 0 || (uint8_t)p[top ^ 1] > 0x10)
            return false;
        nulls += (p[0] | p[1] | p[2] | p[3]) == 0;
    }
    return bytes.len >= 8 && bytes.len % 4 == 0 && nulls * 64 < sample.len;
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
        return utf32be;
    if (wn_str_starts(bytes, wn_str_from("\xFF\xFE\0\0", 4)) && is_utf32(bytes, false))
        return utf32le;
    *size = 3;
    if (wn_str_starts(bytes, WN_STR("\xEF\xBB\xBF")))
        return wn_html_encoding_of(WN_ENCODING_UTF_8);
    *size = 2;
    if (wn_str_starts(bytes, WN_STR("\xFE\xFF")))
        return wn_html_encoding_of(WN_ENCODING_UTF_16BE);
    if (wn_str_starts(bytes, WN_STR("\xFF\xFE")))
        return wn_html_encoding_of(WN_ENCODING_UTF_16LE);
    *size = 0;
    return (wn_encoding){0};
}

/* A label, or a Content-Type with one. */
static wn_encoding find_in_charset(const char *charset)
{
    wn_encoding encoding = wn_html_encoding_get(wn_str_of(charset));
    return encoding.name ? encoding : wn_html_encoding_in_content(wn_str_of(charset));
}

/*
 * UTF-16 and UTF-32 without a mark. Markup is ASCII, of which every second byte is zero in
 * UTF-16; half of the sample's pairs are asked for, as the text may be of another script.
 */
static wn_encoding find_wide(wn_str bytes)
{
    wn_str sample = first_bytes(bytes, ZERO_SAMPLE_BYTES);
    if (sample.len == 0 || !memchr(sample.ptr, 0, sample.len))
        return (wn_encoding){0};
    if (is_utf32(bytes, true) || is_utf32(bytes, false))
        return is_utf32(bytes, true) ? utf32be : utf32le;
    size_t zeros[2] = {0, 0}, pairs = sample.len / 2;
    for (size_t i = 0; i < pairs * 2; i++)
        zeros[i % 2] += sample.ptr[i] == 0;
    if (zeros[1] * 2 >= pairs && zeros[0] * 16 < pairs)
        return wn_html_encoding_of(WN_ENCODING_UTF_16LE);
    if (zeros[0] * 2 >= pairs && zeros[1] * 16 < pairs)
        return wn_html_encoding_of(WN_ENCODING_UTF_16BE);
    return (wn_encoding){0};
}

/* ASCII that switches to another character set by escapes: ESC in ISO-2022, "~{" in HZ. */
static wn_encoding find_escaped(wn_str bytes)
{
    const char *end = bytes.ptr + bytes.len;
    const char *p = wn_scan_2(bytes.ptr, end, 0x1B, '~');
    while (p < end && *p == '~' && (end - p < 2 || p[1] != '{'))
        p = wn_scan_2(p + 1, end, 0x1B, '~');
    return p < end ? wn_html_encoding_guess_escaped(wn_str_between(p, end)) : (wn_encoding){0};
}

/* What is found without judging the bytes; an encoding without a name if nothing is. */
static choice find_declared(wn_str bytes, const char *charset)
{
    wn_encoding encoding = find_in_charset(charset);
    if (encoding.name)
        return (choice){encoding, WN_ENCODING_FROM_CALLER};
    encoding = wn_html_encoding_in_meta(first_bytes(bytes, PRESCAN_BYTES));
    if (encoding.name)
        return (choice){encoding, WN_ENCODING_FROM_META};
    return (choice){find_wide(bytes), WN_ENCODING_GUESSED};
}

/*
 * Whether a <meta> with a legacy encoding is a leftover from before a site switched to UTF-8: the
 * page is well-formed UTF-8, and not by coincidence. Browsers trust such a <meta> and show "cafÃ©";
 * their readers see a garbled accent, but ours would lose words. Two legacy letters can look like
 * one of UTF-8, so a few of them prove nothing.
 */
static bool is_stale_meta(choice declared, wn_str bytes)
{
    enum { FEWEST_LETTERS = 3, FIRST_LEAD = 0xC2 };
    bool has_return;
    if (declared.source != WN_ENCODING_FROM_META || declared.encoding.id == WN_ENCODING_UTF_8 ||
        wn_utf8_check(bytes, &has_return) != bytes.len)
        return false;
    uint32_t letters = 0;
    const char *end = bytes.ptr + bytes.len;
    for (const char *p = bytes.ptr; letters < FEWEST_LETTERS; p++) {
        p = wn_scan_non_ascii(p, end);
        if (p == end)
            return false;
        letters += (unsigned char)*p >= FIRST_LEAD;
    }
    return true;
}

/* A declaration after the first 1,024 bytes. */
static wn_encoding find_late_meta(wn_str bytes)
{
    if (bytes.len <= PRESCAN_BYTES)
        return (wn_encoding){0};
    return wn_html_encoding_in_meta(first_bytes(bytes, LATE_PRESCAN_BYTES));
}

static bool is_ascii(wn_str bytes)
{
    const char *end = bytes.ptr + bytes.len;
    return wn_scan_non_ascii(bytes.ptr, end) == end;
}

/* For bytes that declare nothing at their start. */
static choice find_from_bytes(wn_arena *arena, wn_str bytes, bool is_utf8)
{
    choice utf8 = {wn_html_encoding_of(WN_ENCODING_UTF_8), WN_ENCODING_FROM_BYTES};
    bool only_ascii = is_utf8 && is_ascii(bytes);
    if (is_utf8 && !only_ascii)
        return utf8;
    wn_encoding late = find_late_meta(bytes);
    if (late.name)
        return (choice){late, WN_ENCODING_FROM_META};
    if (!only_ascii)
        return (choice){wn_html_encoding_guess(arena, bytes), WN_ENCODING_GUESSED};
    wn_encoding escaped = find_escaped(bytes);
    return escaped.name ? (choice){escaped, WN_ENCODING_GUESSED} : utf8;
}

/*
 * Copies up to the next carriage return, or the end; returns how many bytes. Whole vectors are
 * written, so `out` is overwritten a little after that; it has room for all of [p, end).
 */
static size_t copy_run(const char *p, const char *end, char *out)
{
    const char *start = p;
#ifdef WN_SIMD
    enum { STEP = 2 * WN_VEC_SIZE };
    for (; end - p >= STEP; p += STEP, out += STEP) {
        size_t at = wn_vec_first_of_two(wn_vec_equal(wn_vec_load(p), '\r'),
                                        wn_vec_equal(wn_vec_load(p + WN_VEC_SIZE), '\r'));
        memcpy(out, p, STEP);
        if (at < STEP)
            return (size_t)(p - start) + at;
    }
#endif
    while (p < end && *p != '\r')
        *out++ = *p++;
    return (size_t)(p - start);
}

/* The same where `out` is the text itself, or lies before it. */
static size_t move_run(const char *p, const char *end, char *out)
{
    size_t size = (size_t)(wn_scan_1(p, end, '\r') - p);
    memmove(out, p, size);
    return size;
}

/* Copies text with CR LF and CR alone as LF, run by run; returns the new end. */
__attribute__((always_inline)) static inline char *
copy_lines(wn_str text, char *out, size_t copy(const char *, const char *, char *), wn_watch *watch)
{
    const char *p = text.ptr, *end = p + text.len;
    for (;;) {
        size_t size = copy(p, end, out);
        p += size;
        out += size;
        if (p == end || wn_watch_over(watch))
            return out;
        *out++ = '\n';
        p += end - p > 1 && p[1] == '\n' ? 2 : 1;
    }
}

/* The text itself if it has no carriage returns, else a copy without. */
static wn_str normalise_lines(wn_arena *arena, wn_str text, wn_watch *watch)
{
    if (text.len == 0 || !memchr(text.ptr, '\r', text.len))
        return text;
    char *copy = wn_arena_bytes(arena, text.len);
    if (!copy)
        return WN_STR("");
    char *end = copy_lines(text, copy, copy_run, watch);
    wn_arena_resize(arena, copy, text.len, (size_t)(end - copy));
    return wn_str_between(copy, end);
}

/* Decodes and normalises in place, as the decoded text is our own. */
static wn_str decode_legacy(wn_arena *arena, wn_encoding encoding, wn_str bytes,
                            wn_decoding *decoding)
{
    wn_str text = wn_html_encoding_decode(arena, encoding, bytes, decoding);
    if (text.len > 0 && memchr(text.ptr, '\r', text.len)) {
        char *end = copy_lines(text, (char *)text.ptr, move_run, decoding->watch);
        wn_arena_resize(arena, (char *)text.ptr, text.len, (size_t)(end - text.ptr));
        text.len = (size_t)(end - text.ptr);
    }
    return text;
}

/* Whether the bytes are the text: well-formed UTF-8, or ASCII in an encoding that contains it. */
static bool is_text_already(int id, wn_str bytes, bool is_utf8)
{
    if (id == WN_ENCODING_UTF_8)
        return is_utf8;
    bool contains_ascii = id < WN_ENCODING_COUNT && id != WN_ENCODING_UTF_16BE &&
                          id != WN_ENCODING_UTF_16LE && id != WN_ENCODING_REPLACEMENT &&
                          id != WN_ENCODING_ISO_2022_JP;
    return contains_ascii && is_ascii(bytes);
}

wn_decoded wn_html_decode(wn_arena *arena, wn_str bytes, const char *charset)
{
    return wn_html_decode_within(arena, bytes, charset, NULL);
}

wn_decoded wn_html_decode_within(wn_arena *arena, wn_str bytes, const char *charset,
                                 wn_watch *watch)
{
    if (bytes.len == 0)
        bytes = WN_STR("");
    size_t bom_size;
    bool has_return = true, is_utf8 = false;
    wn_decoding decoding = {.watch = watch};
    choice chosen = {find_bom(bytes, &bom_size), WN_ENCODING_FROM_BOM};
    bytes = wn_str_from_offset(bytes, bom_size);
    if (!chosen.encoding.name)
        chosen = find_declared(bytes, charset);
    if (is_stale_meta(chosen, bytes))
        chosen = (choice){wn_html_encoding_of(WN_ENCODING_UTF_8), WN_ENCODING_FROM_BYTES};
    if (!chosen.encoding.name || chosen.encoding.id == WN_ENCODING_UTF_8)
        is_utf8 = wn_utf8_check(bytes, &has_return) == bytes.len;
    if (!chosen.encoding.name)
        chosen = find_from_bytes(arena, bytes, is_utf8);

    wn_str text = bytes;
    if (!is_text_already(chosen.encoding.id, bytes, is_utf8))
        text = decode_legacy(arena, chosen.encoding, bytes, &decoding);
    else if (has_return)
        text = normalise_lines(arena, bytes, watch);
    return (wn_decoded){text, chosen.encoding.name, chosen.source, decoding.repaired};
}
