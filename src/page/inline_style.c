#include "page/inline_style.h"

#include "base/scan.h"

/* Whether the declaration around the colon at `at` is `property`: `value`. */
static bool is_declaration(wn_str style, size_t at, wn_str property, wn_str value)
{
    size_t before = at, after = at + 1;
    while (before > 0 && wn_is_space(style.ptr[before - 1]))
        before--;
    while (after < style.len && wn_is_space(style.ptr[after]))
        after++;
    if (before < property.len)
        return false;
    wn_str name = wn_str_from(style.ptr + before - property.len, property.len);
    return wn_str_eq_nocase(name, property) &&
           wn_str_starts_nocase(wn_str_from_offset(style, after), value);
}

static void read_display(wn_inline_style *s, wn_str text, size_t colon)
{
    static const struct {
        wn_str value;
        wn_inline_style means;
    } values[] = {
        {{"none", 4}, {.hidden = true}},
        {{"block", 5}, {.block = true}},
        {{"flow-root", 9}, {.block = true}},
        {{"list-item", 9}, {.block = true}},
        {{"table", 5}, {.block = true}},
        {{"flex", 4}, {.block = true, .items = true}},
        {{"grid", 4}, {.block = true, .items = true}},
        {{"inline-flex", 11}, {.items = true}},
        {{"inline-grid", 11}, {.items = true}},
        {{"inline-block", 12}, {0}},
        {{"inline", 6}, {.inlined = true}},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (is_declaration(text, colon, WN_STR("display"), values[i].value)) {
            *s = values[i].means;
            return;
        }
}

static bool is_out_of_flow(wn_str text, size_t colon)
{
    return is_declaration(text, colon, WN_STR("float"), WN_STR("left")) ||
           is_declaration(text, colon, WN_STR("float"), WN_STR("right")) ||
           is_declaration(text, colon, WN_STR("position"), WN_STR("absolute")) ||
           is_declaration(text, colon, WN_STR("position"), WN_STR("fixed"));
}

wn_inline_style wn_inline_style_read(wn_str text)
{
    wn_inline_style s = {0};
    bool hidden = false, block = false;
    const char *end = text.ptr + text.len;
    for (const char *p = text.ptr; (p = wn_scan_1(p, end, ':')) < end; p++) {
        size_t colon = (size_t)(p - text.ptr);
        read_display(&s, text, colon);
        hidden |= is_declaration(text, colon, WN_STR("visibility"), WN_STR("hidden"));
        block |= is_out_of_flow(text, colon);
    }
    s.hidden |= hidden;
    s.block |= block;
    return s;
}
