/*
 * Pictures that are in the page itself, as data: URLs. Only their size is read, from the first
 * bytes.
 *
 * Pages use such images as placeholders (one pixel, or an empty drawing), so their size matters.
 */
#include <math.h>
#include <string.h>

#include "base/scan.h"
#include "layout/engine.h"

enum {
    MOST_BYTES = 4096,   /* that are looked at */
    DEFAULT_WIDTH = 300, /* of a drawing that has no size */
    DEFAULT_HEIGHT = 150,
};

typedef struct bytes {
    unsigned char of[MOST_BYTES];
    size_t count;
} bytes;

/* ---- The bytes of a URL ------------------------------------------------------------------ */

static int base64_digit(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

static void read_base64(bytes *out, wn_str text)
{
    uint32_t bits = 0;
    int count = 0;
    for (size_t i = 0; i < text.len && out->count < MOST_BYTES; i++) {
        int digit = base64_digit(text.ptr[i]);
        if (digit < 0)
            continue;
        bits = bits << 6 | (uint32_t)digit;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out->of[out->count++] = (unsigned char)(bits >> count);
        }
    }
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static void read_escaped(bytes *out, wn_str text)
{
    for (size_t i = 0; i < text.len && out->count < MOST_BYTES; i++) {
        int high = text.ptr[i] == '%' && i + 2 < text.len ? hex_digit(text.ptr[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text.ptr[i + 2]) : -1;
        out->of[out->count++] = (unsigned char)(low >= 0 ? high << 4 | low : text.ptr[i]);
        i += low >= 0 ? 2 : 0;
    }
}

/* ---- Kinds of pictures ------------------------------------------------------------------- */

static bool starts(const bytes *b, size_t at, const char *with)
{
    size_t length = strlen(with);
    return b->count >= at + length && memcmp(b->of + at, with, length) == 0;
}

static uint32_t little(const bytes *b, size_t at, int count)
{
    uint32_t number = 0;
    for (int i = count; i-- > 0;)
        number = number << 8 | b->of[at + (size_t)i];
    return number;
}

static uint32_t big(const bytes *b, size_t at, int count)
{
    uint32_t number = 0;
    for (int i = 0; i < count; i++)
        number = number << 8 | b->of[at + (size_t)i];
    return number;
}

static bool read_jpeg(const bytes *b, uint32_t *width, uint32_t *height)
{
    for (size_t at = 2; at + 9 < b->count && b->of[at] == 0xFF;) {
        unsigned marker = b->of[at + 1];
        bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 &&
                     marker != 0xCC;
        if (frame) {
            *height = big(b, at + 5, 2);
            *width = big(b, at + 7, 2);
            return true;
        }
        at += 2 + big(b, at + 2, 2);
    }
    return false;
}

static bool read_webp(const bytes *b, uint32_t *width, uint32_t *height)
{
    if (b->count < 30)
        return false;
    if (starts(b, 12, "VP8X")) {
        *width = little(b, 24, 3) + 1;
        *height = little(b, 27, 3) + 1;
    } else if (starts(b, 12, "VP8L")) {
        uint32_t bits = little(b, 21, 4);
        *width = (bits & 0x3FFF) + 1;
        *height = (bits >> 14 & 0x3FFF) + 1;
    } else {
        *width = little(b, 26, 2) & 0x3FFF;
        *height = little(b, 28, 2) & 0x3FFF;
    }
    return true;
}

/* The size of a picture made of pixels. */
static bool read_pixels(const bytes *b, uint32_t *width, uint32_t *height)
{
    if (starts(b, 0, "GIF8") && b->count >= 10) {
        *width = little(b, 6, 2);
        *height = little(b, 8, 2);
        return true;
    }
    if (starts(b, 0, "\x89PNG") && b->count >= 24) {
        *width = big(b, 16, 4);
        *height = big(b, 20, 4);
        return true;
    }
    if (starts(b, 0, "\xFF\xD8"))
        return read_jpeg(b, width, height);
    return starts(b, 0, "RIFF") && starts(b, 8, "WEBP") && read_webp(b, width, height);
}

/* ---- Drawings ---------------------------------------------------------------------------- */

/* Numbers of an attribute's value, up to four; how many there were. */
static int read_numbers(wn_str text, double numbers[4])
{
    int count = 0;
    for (size_t i = 0; i < text.len && count < 4;) {
        bool minus = text.ptr[i] == '-';
        size_t start = i += minus;
        double number = 0, factor = 1;
        for (; i < text.len && wn_is_ascii_digit(text.ptr[i]); i++)
            number = fmin(number * 10 + (text.ptr[i] - '0'), 1e7);
        if (i < text.len && text.ptr[i] == '.')
            for (i++; i < text.len && wn_is_ascii_digit(text.ptr[i]); i++)
                number += (text.ptr[i] - '0') * (factor /= 10);
        if (i > start)
            numbers[count++] = minus ? -number : number;
        else if (i < text.len && !wn_is_space(text.ptr[i]) && text.ptr[i] != ',' && !minus)
            break;
        else
            i += i == start;
    }
    return count;
}

double wn_layout_picture_ratio(wn_str view_box)
{
    double box[4];
    bool good = read_numbers(view_box, box) == 4 && box[2] > 0 && box[3] > 0;
    return good ? box[2] / box[3] : 0;
}

/* The value of an attribute of the <svg> tag in `tag`; "" if it is not there. */
static wn_str attr_in(wn_str tag, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 1; i + length + 2 < tag.len; i++) {
        if (!wn_is_space(tag.ptr[i - 1]) || memcmp(tag.ptr + i, name, length) != 0 ||
            tag.ptr[i + length] != '=')
            continue;
        char quote = tag.ptr[i + length + 1];
        const char *start = tag.ptr + i + length + 2;
        const char *end = memchr(start, quote, tag.len - (i + length + 2));
        if ((quote == '"' || quote == '\'') && end)
            return wn_str_from(start, (size_t)(end - start));
    }
    return WN_STR("");
}

/* A length in pixels; negative for percentages and none. */
static double length_in(wn_str tag, const char *name)
{
    wn_str value = attr_in(tag, name);
    double number[4];
    bool percent = memchr(value.ptr, '%', value.len) != NULL;
    return value.len && !percent && read_numbers(value, number) > 0 ? number[0] : -1;
}

/* https://svgwg.org/svg2-draft/coords.html#SizingSVGInCSS, in a room of 300 x 150. */
static bool read_drawing(const bytes *b, double *width, double *height)
{
    wn_str text = wn_str_from((const char *)b->of, b->count);
    const char *start = NULL;
    for (size_t i = 0; i + 4 < text.len && !start; i++)
        if (memcmp(text.ptr + i, "<svg", 4) == 0)
            start = text.ptr + i;
    if (!start)
        return false;
    size_t rest = text.len - (size_t)(start - text.ptr);
    const char *end = memchr(start, '>', rest);
    wn_str tag = wn_str_from(start, end ? (size_t)(end - start) : rest);
    double ratio = wn_layout_picture_ratio(attr_in(tag, "viewBox"));
    *width = length_in(tag, "width");
    *height = length_in(tag, "height");
    if (*width < 0 && *height < 0) {
        *width = ratio > 0 ? fmin(DEFAULT_WIDTH, DEFAULT_HEIGHT * ratio) : DEFAULT_WIDTH;
        *height = ratio > 0 ? *width / ratio : DEFAULT_HEIGHT;
    }
    if (*width < 0)
        *width = ratio > 0 ? *height * ratio : DEFAULT_WIDTH;
    if (*height < 0)
        *height = ratio > 0 ? *width / ratio : DEFAULT_HEIGHT;
    return true;
}

bool wn_layout_picture_size(wn_str url, wn_px *width, wn_px *height)
{
    url = wn_str_trim(url);
    const char *comma = url.len ? memchr(url.ptr, ',', url.len) : NULL;
    if (url.len < 5 || !wn_str_eq_nocase(wn_str_from(url.ptr, 5), WN_STR("data:")) || !comma)
        return false;
    wn_str kind = wn_str_from(url.ptr, (size_t)(comma - url.ptr));
    wn_str data = wn_str_from(comma + 1, url.len - kind.len - 1);
    bytes b;
    b.count = 0;
    if (kind.len > 7 && wn_str_eq_nocase(wn_str_from_offset(kind, kind.len - 7), WN_STR(";base64")))
        read_base64(&b, data);
    else
        read_escaped(&b, data);
    uint32_t pixels_wide = 0, pixels_high = 0;
    double wide, high;
    if (read_pixels(&b, &pixels_wide, &pixels_high)) {
        wide = pixels_wide;
        high = pixels_high;
    } else if (!read_drawing(&b, &wide, &high)) {
        return false;
    }
    *width = wn_px_from((float)wide);
    *height = wn_px_from((float)high);
    return true;
}
