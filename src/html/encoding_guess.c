/*
 * Guessing the encoding of bytes that declare nothing and are not valid UTF-8.
 *
 * Most are UTF-8 nevertheless, with a few damaged bytes. For the others the first guess is that of
 * libuchardet, which recognises languages by their frequent letters. It is given a sample, the text
 * around bytes that are not ASCII, so that a megabyte of script or markup neither costs time nor
 * hides the words.
 *
 * Its answer is then corrected by experience with the web, because rare letters tell it nothing:
 *
 *   1. Where all bytes are typographic marks that the Windows encodings share,
 *      the page is in one of them; quotes and dashes do not make it Greek.
 *   2. The ISO encodings have control characters at 0x80 to 0x9F. A page that
 *      uses these bytes is in the Windows encoding of the same script.
 *   3. Where the text is the same in windows-1252, it is that: the web's most frequent.
 *   4. Where words do not look like words (a capital after a small letter, a symbol
 *      against a letter), an encoding wins in which they do, or an East Asian one
 *      in which all bytes make characters and most of these are frequent ones.
 *
 * Without libuchardet the first guess is windows-1252, as in browsers.
 */
#include "html/encoding_parts.h"

#include "base/scan.h"
#include "base/utf8.h"

#ifdef WN_HAVE_UCHARDET
#include <uchardet.h>
#endif

enum {
    SAMPLE_BYTES = 16384, /* more did not change any answer on the test pages */
    CONTEXT_BYTES = 32,   /* ASCII kept on both sides of other bytes: a few words */
    COMMON_PERCENT = 75,  /* of the characters of an East Asian text are frequent ones */
};

/* What the detector can name beyond the standard, and two that have another name there. */
static const struct {
    const char *detected;
    wn_encoding encoding;
} other_names[] = {
    {"EUC-TW", {WN_ENCODING_ICONV, "EUC-TW", "EUC-TW"}},
    {"HZ-GB-2312", {WN_ENCODING_HZ, "HZ-GB-2312", NULL}},
    {"IBM852", {WN_ENCODING_ICONV, "IBM852", "IBM852"}},
    {"IBM855", {WN_ENCODING_ICONV, "IBM855", "IBM855"}},
    {"IBM862", {WN_ENCODING_ICONV, "IBM862", "IBM862"}},
    {"IBM865", {WN_ENCODING_ICONV, "IBM865", "IBM865"}},
    {"ISO-2022-CN", {WN_ENCODING_ICONV, "ISO-2022-CN", "ISO-2022-CN"}},
    {"ISO-2022-KR", {WN_ENCODING_ICONV, "ISO-2022-KR", "ISO-2022-KR"}},
    {"JOHAB", {WN_ENCODING_ICONV, "JOHAB", "JOHAB"}},
    {"MAC-CENTRALEUROPE", {WN_ENCODING_ICONV, "MAC-CENTRALEUROPE", "MAC-CENTRALEUROPE"}},
    {"MAC-CYRILLIC", {WN_ENCODING_X_MAC_CYRILLIC, "x-mac-cyrillic", NULL}},
    {"UHC", {WN_ENCODING_EUC_KR, "EUC-KR", NULL}},
    {"VISCII", {WN_ENCODING_ICONV, "VISCII", "VISCII"}},
};

/* The ISO encodings and the Windows encoding of the same script. */
static const uint8_t siblings[][2] = {
    {WN_ENCODING_ISO_8859_2, WN_ENCODING_WINDOWS_1250},
    {WN_ENCODING_ISO_8859_4, WN_ENCODING_WINDOWS_1257},
    {WN_ENCODING_ISO_8859_5, WN_ENCODING_WINDOWS_1251},
    {WN_ENCODING_ISO_8859_6, WN_ENCODING_WINDOWS_1256},
    {WN_ENCODING_ISO_8859_7, WN_ENCODING_WINDOWS_1253},
    {WN_ENCODING_ISO_8859_8, WN_ENCODING_WINDOWS_1255},
    {WN_ENCODING_ISO_8859_13, WN_ENCODING_WINDOWS_1257},
    {WN_ENCODING_ISO_8859_15, WN_ENCODING_WINDOWS_1252},
    {WN_ENCODING_ISO_8859_16, WN_ENCODING_WINDOWS_1250},
};

static wn_encoding named(const char *name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(name, other_names[i].detected) == 0)
            return other_names[i].encoding;
    return wn_html_encoding_get(wn_str_of(name));
}

/* Asks the detector; an encoding without a name when it does not know. */
static wn_encoding detect(wn_str sample)
{
#ifdef WN_HAVE_UCHARDET
    wn_encoding encoding = {0};
    uchardet_t detector = uchardet_new();
    if (detector && uchardet_handle_data(detector, sample.ptr, sample.len) == 0) {
        uchardet_data_end(detector);
        encoding = named(uchardet_get_charset(detector));
    }
    if (detector)
        uchardet_delete(detector);
    return encoding;
#else
    (void)sample;
    return wn_html_encoding_of(WN_ENCODING_WINDOWS_1252);
#endif
}

/* The end of the text around `high`: the next place with nothing but ASCII for a while. */
static const char *context_end(const char *high, const char *end)
{
    const char *p = high;
    while (p < end && p - high <= CONTEXT_BYTES) {
        if (*p & 0x80)
            high = p;
        p++;
    }
    return p;
}

/* Copies the text around bytes that are not ASCII, up to SAMPLE_BYTES. */
static wn_str gather_sample(wn_arena *arena, wn_str bytes)
{
    char *sample = wn_arena_bytes(arena, SAMPLE_BYTES);
    const char *p = bytes.ptr, *end = p + bytes.len;
    size_t len = 0;
    while (sample && len < SAMPLE_BYTES) {
        const char *high = wn_scan_non_ascii(p, end);
        if (high == end)
            break;
        const char *start = high - p > CONTEXT_BYTES ? high - CONTEXT_BYTES : p;
        p = context_end(high, end);
        size_t size = (size_t)(p - start);
        size = size < SAMPLE_BYTES - len ? size : SAMPLE_BYTES - len;
        memcpy(sample + len, start, size);
        len += size;
    }
    if (sample)
        wn_arena_resize(arena, sample, SAMPLE_BYTES, len);
    return wn_str_from(sample ? sample : "", len);
}

static void give_back(wn_arena *arena, wn_str newest)
{
    wn_arena_resize(arena, (char *)newest.ptr, newest.len, 0);
}

/* Whether all bytes that are not ASCII are marks that windows-1250 to -1258 agree on. */
static bool has_only_marks(wn_str sample)
{
    static const char marks[] = "\x82\x84\x85\x86\x87\x89\x8B\x91\x92\x93\x94\x95\x96\x97\x99\x9B"
                                "\xA0\xA7\xA9\xAB\xAE\xB0\xB1\xB7\xBB";
    for (size_t i = 0; i < sample.len; i++)
        if ((sample.ptr[i] & 0x80) && !strchr(marks, sample.ptr[i]))
            return false;
    return true;
}

/* Whether there are bytes that are control characters in the ISO encodings. */
static bool has_controls(wn_str sample)
{
    for (size_t i = 0; i < sample.len; i++)
        if (((uint8_t)sample.ptr[i] & 0xE0) == 0x80)
            return true;
    return false;
}

/* What a character is to the eye, as far as oddness() needs it. */
typedef enum kind { OTHER, UPPER, LOWER, CASELESS, SYMBOL, CONTROL } kind;

/* Latin Extended-A: capitals and small letters take turns, but not everywhere in step. */
static kind extended_latin_kind(uint32_t c)
{
    if (c == 0x138 || c == 0x149 || c == 0x17F)
        return LOWER;
    bool odd_is_upper = (c >= 0x139 && c <= 0x148) || c >= 0x179;
    return c == 0x178 || (c % 2 == 1) == odd_is_upper ? UPPER : LOWER;
}

static kind latin_1_kind(uint32_t c)
{
    if (c < 0xA0)
        return CONTROL;
    if (c >= 0xC0)
        return c == 0xD7 || c == 0xF7 ? SYMBOL : c < 0xDF ? UPPER : LOWER;
    return strchr("\xA2\xA3\xA4\xA5\xA6\xA7\xA8\xAC\xAF\xB1\xB5\xB6\xB8\xBC\xBD\xBE", (int)c)
               ? SYMBOL
               : OTHER;
}

static kind kind_of(uint32_t c)
{
    if (c < 0x80)
        return !wn_is_ascii_alpha((char)c) ? OTHER : c >= 'a' ? LOWER : UPPER;
    if (c < 0x100)
        return latin_1_kind(c);
    if (c < 0x180)
        return extended_latin_kind(c);
    if (c >= 0x386 && c <= 0x3CE)
        return c == 0x387 ? OTHER : c == 0x390 || c >= 0x3AC ? LOWER : UPPER;
    if (c >= 0x400 && c <= 0x45F)
        return c >= 0x430 ? LOWER : UPPER;
    if ((c >= 0x5D0 && c <= 0x64A) || (c >= 0xE01 && c <= 0xE5B))
        return CASELESS;
    if (c == WN_REPLACEMENT)
        return CONTROL;
    return c == 0x192 || (c >= 0x2C6 && c <= 0x2DD) || (c >= 0x2020 && c <= 0x2021) ||
                   (c >= 0x2190 && c < 0x2E80)
               ? SYMBOL
               : OTHER;
}

static bool is_letter(kind k)
{
    return k == UPPER || k == LOWER || k == CASELESS;
}

/* Latin, Greek, Cyrillic, Hebrew and Arabic, Thai: blocks that words do not mix. */
static int script_of(uint32_t c)
{
    return c < 0x370 ? 0 : c < 0x400 ? 1 : c < 0x590 ? 2 : c < 0xE00 ? 3 : 4;
}

/* How wrong two neighbours look, at least one of which is not ASCII. */
static unsigned oddness_of_pair(uint32_t before, uint32_t c)
{
    kind a = kind_of(before), b = kind_of(c);
    if (b == CONTROL)
        return 4;
    if (is_letter(a) && is_letter(b))
        return script_of(before) != script_of(c) ? 2 : a == LOWER && b == UPPER;
    return (a == SYMBOL && is_letter(b)) || (is_letter(a) && b == SYMBOL);
}

/* How wrong the sample looks in an encoding; 0 is well. */
static size_t oddness(wn_arena *arena, wn_encoding encoding, wn_str sample)
{
    wn_decoding decoding = {0};
    wn_str text = wn_html_encoding_decode(arena, encoding, sample, &decoding);
    const char *p = text.ptr, *end = p + text.len;
    size_t sum = 0;
    for (uint32_t before = ' ', c; p < end; before = c) {
        c = wn_utf8_next(&p);
        if (before >= 0x80 || c >= 0x80)
            sum += oddness_of_pair(before, c);
    }
    give_back(arena, text);
    return sum;
}

/* The encoding of the same script in the other family; the same if it has none. */
static int sibling_of(int id)
{
    for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++)
        if (siblings[i][0] == id || siblings[i][1] == id)
            return siblings[i][siblings[i][0] == id];
    return id;
}

/*
 * Of the guess and the encodings it is easily confused with, the one that looks right. A
 * rival must look twice as good as the guess, and nearly without fault.
 */
static wn_encoding least_odd(wn_arena *arena, wn_encoding guess, size_t least, wn_str sample)
{
    wn_encoding best = guess;
    int rivals[] = {sibling_of(guess.id), WN_ENCODING_WINDOWS_1252, WN_ENCODING_MACINTOSH};
    size_t tolerated = wn_html_encoding_count_not_ascii(sample) / 16;
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals && least > 0; i++) {
        wn_encoding rival = wn_html_encoding_of((wn_encoding_id)rivals[i]);
        size_t odd = oddness(arena, rival, sample);
        if (odd <= least / 2 && odd <= tolerated) {
            best = rival;
            least = odd;
        }
    }
    return best;
}

/* An East Asian encoding with the lead bytes of its frequent characters. */
typedef struct east_asian {
    wn_encoding_id id;
    uint8_t common[2][2];
} east_asian;

static const east_asian east_asians[] = {
    {WN_ENCODING_EUC_JP, {{0xA4, 0xA5}, {0xB0, 0xCF}}},    /* kana, level 1 kanji */
    {WN_ENCODING_SHIFT_JIS, {{0x82, 0x83}, {0x88, 0x98}}}, /* the same */
    {WN_ENCODING_GBK, {{0xB0, 0xD7}, {0xA3, 0xA3}}},       /* level 1 hanzi, full-width forms */
    {WN_ENCODING_BIG5, {{0xA4, 0xC6}, {0xA1, 0xA1}}},      /* level 1 hanzi, punctuation */
    {WN_ENCODING_EUC_KR, {{0xB0, 0xC8}, {0xA3, 0xA3}}},    /* hangul, full-width forms */
};

static bool is_common(const east_asian *e, uint8_t lead)
{
    return (lead >= e->common[0][0] && lead <= e->common[0][1]) ||
           (lead >= e->common[1][0] && lead <= e->common[1][1]);
}

/* The share of pairs with a common lead byte, in percent; 0 if the sample has other bytes. */
static size_t common_pairs(wn_arena *arena, const east_asian *e, wn_str sample)
{
    wn_decoding decoding = {0};
    size_t pairs = 0, common = 0;
    give_back(arena, wn_html_encoding_decode(arena, wn_html_encoding_of(e->id), sample, &decoding));
    for (size_t i = 0; i < sample.len; i++) {
        if (!(sample.ptr[i] & 0x80))
            continue;
        common += is_common(e, (uint8_t)sample.ptr[i]);
        pairs++;
        i++;
    }
    return decoding.repaired || pairs < 2 ? 0 : common * 100 / pairs;
}

/* The East Asian encoding that a short text looks like, or none. */
static wn_encoding find_east_asian(wn_arena *arena, wn_str sample)
{
    wn_encoding best = {0};
    size_t most = COMMON_PERCENT - 1;
    for (size_t i = 0; i < sizeof east_asians / sizeof *east_asians; i++) {
        size_t share = common_pairs(arena, &east_asians[i], sample);
        if (share > most) {
            most = share;
            best = wn_html_encoding_of(east_asians[i].id);
        }
    }
    return best;
}

/* Korean as it was written on DOS, which the detector does not know. */
static bool is_johab(wn_arena *arena, wn_str sample)
{
    wn_decoding decoding = {0};
    size_t hangul = 0, others = 0;
    wn_str text = wn_html_encoding_decode(arena, named("JOHAB"), sample, &decoding);
    for (const char *p = text.ptr, *end = p + text.len; p < end;) {
        uint32_t c = wn_utf8_next(&p);
        hangul += c >= 0xAC00 && c <= 0xD7A3;
        others += c >= 0x80 && !(c >= 0xAC00 && c <= 0xD7A3);
    }
    give_back(arena, text);
    return !decoding.repaired && hangul >= 16 && hangul >= others * 2;
}

/* UTF-8 in which something broke: bytes of other encodings hardly ever form characters. */
static bool is_mostly_utf8(wn_str sample)
{
    size_t characters = 0, errors = 0;
    const char *p = sample.ptr, *end = p + sample.len;
    while ((p = wn_scan_non_ascii(p, end)) < end) {
        wn_str rest = wn_str_between(p, end);
        size_t valid = wn_utf8_valid_prefix(wn_str_from(p, rest.len < 4 ? rest.len : 4));
        characters += valid > 0;
        errors += valid == 0;
        p += valid > 0 ? valid : wn_utf8_ill_formed(rest);
    }
    return characters >= errors * 8;
}

static bool is_single_byte(wn_encoding encoding)
{
    return encoding.id < WN_ENCODING_COUNT && wn_single_byte_index[encoding.id];
}

/* The Windows encoding for an ISO one whose control characters are used; else the same. */
static wn_encoding without_controls(wn_encoding guess, wn_str sample)
{
    for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++)
        if (siblings[i][0] == guess.id && has_controls(sample))
            return wn_html_encoding_of(siblings[i][1]);
    return guess;
}

/* Whether two single-byte encodings agree on all bytes of the sample. */
static bool is_same_text(int a, int b, wn_str sample)
{
    const uint16_t *index_a = wn_single_byte_index[a], *index_b = wn_single_byte_index[b];
    for (size_t i = 0; i < sample.len; i++) {
        uint8_t byte = (uint8_t)sample.ptr[i];
        if (byte >= 0x80 && index_a[byte - 0x80] != index_b[byte - 0x80])
            return false;
    }
    return true;
}

/* A guess of a single-byte encoding, held against the other possibilities. */
static wn_encoding review(wn_arena *arena, wn_encoding guess, wn_str sample)
{
    wn_encoding latin = wn_html_encoding_of(WN_ENCODING_WINDOWS_1252);
    if (has_only_marks(sample))
        return latin;
    if (!is_single_byte(guess))
        return guess; /* a DOS encoding */
    guess = without_controls(guess, sample);
    size_t odd = oddness(arena, guess, sample);
    wn_encoding asian = {0};
    if (odd * 4 > wn_html_encoding_count_not_ascii(sample))
        asian = find_east_asian(arena, sample);
    if (asian.name)
        return asian;
    guess = least_odd(arena, guess, odd, sample);
    return is_same_text(guess.id, latin.id, sample) ? latin : guess;
}

static wn_encoding guess_from_sample(wn_arena *arena, wn_str sample)
{
    if (is_mostly_utf8(sample))
        return wn_html_encoding_of(WN_ENCODING_UTF_8);
    wn_encoding guess = detect(sample);
    if (!guess.name)
        return is_johab(arena, sample) ? named("JOHAB")
                                       : wn_html_encoding_of(WN_ENCODING_WINDOWS_1252);
    bool is_dos = wn_str_starts(wn_str_of(guess.name), WN_STR("IBM"));
    return is_dos || is_single_byte(guess) ? review(arena, guess, sample) : guess;
}

wn_encoding wn_html_encoding_guess(wn_arena *arena, wn_str bytes)
{
    wn_str sample = gather_sample(arena, bytes);
    if (sample.len == 0)
        return wn_html_encoding_of(WN_ENCODING_WINDOWS_1252);
    wn_encoding guess = guess_from_sample(arena, sample);
    give_back(arena, sample);
    return guess;
}

wn_encoding wn_html_encoding_guess_escaped(wn_str bytes)
{
    size_t size = bytes.len < SAMPLE_BYTES ? bytes.len : SAMPLE_BYTES;
    wn_encoding guess = detect(wn_str_from(bytes.ptr, size));
    bool uses_escapes = guess.id == WN_ENCODING_ISO_2022_JP || guess.id == WN_ENCODING_HZ ||
                        guess.id == WN_ENCODING_ICONV;
    return guess.name && uses_escapes ? guess : (wn_encoding){0};
}
