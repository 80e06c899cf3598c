#include "page/spacing.h"

#include "base/scan.h"
#include "base/utf8.h"

enum {
    PLAIN,
    SPACE,
    IDEOGRAPH, /* leads a character of a script without spaces */
    LOOK,      /* leads a character that may be invisible or a space */
};

static const uint8_t kinds[256] = {
    ['\t'] = SPACE,     ['\n'] = SPACE,     ['\f'] = SPACE,     ['\r'] = SPACE,
    [' '] = SPACE,      [0xC2] = LOOK,      [0xE0] = LOOK,      [0xE1] = LOOK,
    [0xE2] = LOOK,      [0xE3] = LOOK,      [0xE4] = IDEOGRAPH, [0xE5] = IDEOGRAPH,
    [0xE6] = IDEOGRAPH, [0xE7] = IDEOGRAPH, [0xE8] = IDEOGRAPH, [0xE9] = IDEOGRAPH,
    [0xEF] = LOOK,
};

typedef enum look {
    IS_PLAIN,
    IS_SPACE,
    IS_INVISIBLE,
    IS_IDEOGRAPH,
} look;

/* What the character is that starts with the bytes of p (well-formed UTF-8), and its size. */
static look look_at(const unsigned char *p, size_t *size)
{
    *size = p[0] < 0xE0 ? 2 : 3;
    unsigned code = p[0] < 0xE0 ? (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu)
                                : (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    switch (code) {
    case 0x00A0: /* no-break space */
    case 0x2007: /* figure space */
    case 0x202F: /* narrow no-break space */
    case 0x2028: /* line separator */
    case 0x2029: /* paragraph separator */
    case 0x3000: /* ideographic space */
        return IS_SPACE;
    case 0x00AD: /* soft hyphen */
    case 0x200B: /* zero width space */
    case 0x2060: /* word joiner */
    case 0xFEFF: /* zero width no-break space, byte order mark */
        return IS_INVISIBLE;
    default:
        break;
    }
    if (code >= 0x2000 && code <= 0x200A) /* en quad to hair space */
        return IS_SPACE;
    bool thai_lao = code >= 0x0E00 && code <= 0x0EFF;
    bool burmese_khmer = (code >= 0x1000 && code <= 0x109F) || (code >= 0x1780 && code <= 0x17FF);
    bool kana_han = code >= 0x3040 && code <= 0x3FFF;
    return thai_lao || burmese_khmer || kana_han ? IS_IDEOGRAPH : IS_PLAIN;
}

static bool is_continuation(char c)
{
    return (signed char)c < (signed char)0xC0;
}

/* One character that the table could not decide; returns its size. */
static size_t add_looked_at(wn_page_spacing *spacing, const char *p, char **out)
{
    size_t size;
    switch (look_at((const unsigned char *)p, &size)) {
    case IS_SPACE:
        if (!spacing->at_space)
            *(*out)++ = ' ';
        spacing->at_space = true;
        return size;
    case IS_INVISIBLE:
        return size;
    case IS_IDEOGRAPH:
        spacing->ideographs++;
        break;
    case IS_PLAIN:
        spacing->words += spacing->at_space;
        break;
    }
    memcpy(*out, p, size);
    *out += size;
    spacing->continued += (uint32_t)size - 1;
    spacing->at_space = false;
    return size;
}

#ifdef WN_SIMD_BIT_PER_BYTE
/* Of the lowest 16 bits; the processors we build for need not have an instruction for it. */
static uint32_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0F0F;
    return (uint32_t)((bits + (bits >> 8)) & 0x1F);
}

/*
 * Copies the first `width` bytes of a vector if they are plain prose: ASCII, single spaces (a
 * tab or the end of a line is one, too), nothing else. *after_space is whether a space comes before
 * them, then whether one is the last of them.
 */
static inline bool add_vector(wn_page_spacing *spacing, wn_vec v, unsigned width,
                              uint64_t *after_space, char *to)
{
    uint64_t all = ((uint64_t)1 << width) - 1;
    wn_vec space = wn_vec_or(wn_vec_equal(v, ' '), wn_vec_between(v, '\t', '\n'));
    uint64_t spaces = wn_vec_mask(space) & all;
    uint64_t controls = wn_vec_mask(wn_vec_at_most(v, ' ')) & all;
    uint64_t before = (spaces << 1 | *after_space) & all;
    if ((wn_vec_mask(v) & all) || controls != spaces || (spaces & before))
        return false;
    v = wn_vec_at_least(v, ' ');
    memcpy(to, &v, width);
    spacing->words += count_bits(before); /* no space among them */
    *after_space = spaces >> (width - 1);
    return true;
}

/* Copies vectors of plain prose; stops at the first one that needs a closer look. */
static const char *add_prose(wn_page_spacing *spacing, const char *p, const char *end, char **to)
{
    uint64_t after_space = spacing->at_space;
    char *out = *to;
    while (end - p >= WN_VEC_SIZE &&
           add_vector(spacing, wn_vec_load(p), WN_VEC_SIZE, &after_space, out)) {
        out += WN_VEC_SIZE;
        p += WN_VEC_SIZE;
    }
    if (end - p >= WN_VEC_SIZE / 2 && end - p < WN_VEC_SIZE &&
        add_vector(spacing, wn_vec_load_half(p), WN_VEC_SIZE / 2, &after_space, out)) {
        out += WN_VEC_SIZE / 2;
        p += WN_VEC_SIZE / 2;
    }
    spacing->at_space = after_space;
    *to = out;
    return p;
}
#else
static const char *add_prose(wn_page_spacing *spacing, const char *p, const char *end, char **to)
{
    (void)spacing, (void)end, (void)to;
    return p;
}
#endif

/* Up to a vector's worth of text, character by character; returns where it stopped. */
static const char *add_closely(wn_page_spacing *spacing, const char *p, const char *end, char **to)
{
    const char *stop = end - p > WN_VEC_SIZE ? p + WN_VEC_SIZE : end;
    bool at_space = spacing->at_space;
    char *out = *to;
    while (p < stop) {
        uint8_t kind = kinds[(unsigned char)*p];
        if (kind <= SPACE) { /* without branches: words are too short to foresee their ends */
            *out = kind ? ' ' : *p;
            out += !(kind & at_space);
            spacing->words += !kind & at_space;
            spacing->continued += is_continuation(*p);
            at_space = kind;
            p++;
        } else if (kind == IDEOGRAPH) {
            memcpy(out, p, 3);
            out += 3;
            p += 3;
            spacing->ideographs++;
            spacing->continued += 2;
            at_space = false;
        } else {
            spacing->at_space = at_space;
            p += add_looked_at(spacing, p, &out);
            at_space = spacing->at_space;
        }
    }
    spacing->at_space = at_space;
    *to = out;
    return p;
}

/* What begins with something to be seen, or after something that is; `out` has room for it. */
__attribute__((noinline)) static void add_visible(wn_page_spacing *spacing, const char *p,
                                                  const char *end, wn_buf *out)
{
    char *to = out->ptr + out->len;
    while (p < end) {
        p = add_prose(spacing, p, end, &to);
        p = add_closely(spacing, p, end, &to);
        if (spacing->at_space)
            p = wn_scan_non_space(p, end);
    }
    out->len = (size_t)(to - out->ptr);
}

void wn_page_spacing_add(wn_page_spacing *spacing, wn_str source, wn_buf *out)
{
    if (source.len == 0)
        return;
    const char *p = source.ptr, *end = p + source.len;
    if (spacing->at_space)
        p = wn_scan_non_space(p, end);
    if (p < end && wn_buf_reserve(out, (size_t)(end - p)))
        add_visible(spacing, p, end, out);
}

void wn_page_spacing_add_verbatim(wn_page_spacing *spacing, wn_str source, wn_buf *out)
{
    if (source.len == 0 || !wn_buf_reserve(out, source.len))
        return;
    const char *p = source.ptr, *end = p + source.len;
    char *to = out->ptr + out->len;
    while (p < end) {
        size_t size = 1;
        look what = kinds[(unsigned char)*p] == SPACE ? IS_SPACE : IS_PLAIN;
        if (kinds[(unsigned char)*p] == LOOK)
            what = look_at((const unsigned char *)p, &size);
        if (what == IS_SPACE && size > 1)
            *to++ = ' ';
        else if (what != IS_INVISIBLE) {
            memcpy(to, p, size);
            to += size;
            spacing->continued += size > 1 ? (uint32_t)size - 1 : is_continuation(*p);
        }
        spacing->words += spacing->at_space && what != IS_SPACE;
        if (what != IS_INVISIBLE)
            spacing->at_space = what == IS_SPACE;
        p += size;
    }
    out->len = (size_t)(to - out->ptr);
}

void wn_page_spacing_add_long(wn_page_spacing *spacing, wn_str source, bool verbatim, wn_buf *out,
                              wn_watch *watch)
{
    while (source.len > WN_SPACING_PIECE) {
        wn_str piece = wn_utf8_prefix(source, WN_SPACING_PIECE);
        wn_page_spacing_add_within(spacing, piece, verbatim, out, watch);
        source = wn_str_from_offset(source, piece.len);
        if (wn_watch_look(watch))
            return;
    }
    wn_page_spacing_add_within(spacing, source, verbatim, out, watch);
}
