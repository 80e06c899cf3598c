#include "text/normal.h"

#include "base/memory.h"
#include "base/utf8.h"

#ifdef WN_HAVE_ICU
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#endif

static const char soft_hyphen[] = "\xC2\xAD";

/* Takes the soft hyphens out of the text from `start` on. */
static void drop_soft_hyphens(wn_buf *text, size_t start)
{
    size_t to = start;
    for (size_t from = start; from < text->len;) {
        bool is_hyphen = text->len - from >= 2 && memcmp(text->ptr + from, soft_hyphen, 2) == 0;
        if (is_hyphen)
            from += 2;
        else
            text->ptr[to++] = text->ptr[from++];
    }
    text->len = to;
}

#ifdef WN_HAVE_ICU

/* Texts of ASCII are in NFC already. */
static bool is_ascii(wn_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] >= 0x80)
            return false;
    return true;
}

/* UTF-16 that grows to what ICU asks for. */
typedef struct units {
    UChar *items;
    int32_t count, capacity;
} units;

static bool reserve(units *u, int32_t needed)
{
    if (needed <= u->capacity)
        return true;
    UChar *items = wn_memory_resize(u->items, (size_t)needed * sizeof *items);
    if (!items)
        return false;
    u->items = items;
    u->capacity = needed;
    return true;
}

static bool read_units(units *u, wn_str text)
{
    UErrorCode status = U_ZERO_ERROR;
    if (text.len > INT32_MAX / 4 || !reserve(u, (int32_t)text.len + 1))
        return false;
    u_strFromUTF8(u->items, u->capacity, &u->count, text.ptr, (int32_t)text.len, &status);
    return U_SUCCESS(status);
}

static bool compose(units *out, const units *in)
{
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&status);
    if (U_FAILURE(status) || !reserve(out, in->count + 16))
        return false;
    out->count = unorm2_normalize(nfc, in->items, in->count, out->items, out->capacity, &status);
    if (status == U_BUFFER_OVERFLOW_ERROR && reserve(out, out->count + 1)) {
        status = U_ZERO_ERROR;
        out->count = unorm2_normalize(nfc, in->items, in->count, out->items, out->capacity,
                                      &status);
    }
    return U_SUCCESS(status);
}

/* Replaces the text from `start` on by its NFC. */
static void compose_text(wn_buf *text, size_t start)
{
    wn_str part = wn_str_from(text->ptr + start, text->len - start);
    units in = {0}, out = {0};
    UErrorCode status = U_ZERO_ERROR;
    int32_t size = 0;
    enum { MOST_BYTES = 3 }; /* of UTF-8 for a unit of UTF-16 */
    if (read_units(&in, part) && compose(&out, &in) &&
        wn_buf_reserve(text, (size_t)out.count * MOST_BYTES + 1)) {
        u_strToUTF8(text->ptr + start, (int32_t)(out.count * MOST_BYTES + 1), &size, out.items,
                    out.count, &status);
        if (U_SUCCESS(status))
            text->len = start + (size_t)size;
        else
            text->failed = true;
    } else {
        text->failed = true;
    }
    wn_memory_release(in.items);
    wn_memory_release(out.items);
}

#endif

void wn_text_add_normal(wn_buf *out, wn_str text)
{
    size_t start = out->len;
    wn_utf8_add_repaired(out, text);
    if (out->failed)
        return;
    drop_soft_hyphens(out, start);
#ifdef WN_HAVE_ICU
    if (!is_ascii(wn_str_from(out->ptr + start, out->len - start)))
        compose_text(out, start);
#endif
}
