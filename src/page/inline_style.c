#include "page/inline_style.h"

#include "base/scan.h"

/* Whether what comes before a colon is that property; the last letter decides for most. */
static inline bool is_property(wn_str name, wn_str property)
{
    return name.len >= property.len &&
           (name.ptr[name.len - 1] | 0x20) == property.ptr[property.len - 1] &&
           wn_str_eq_nocase(wn_str_from_offset(name, name.len - property.len), property);
}

static void read_display(wn_page_inline_style *s, wn_str value)
{
    static const struct {
        wn_str value;
        wn_page_inline_style means;
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
        if (wn_str_starts_nocase(value, values[i].value)) {
            *s = values[i].means;
            return;
        }
}

/* What comes after the colon takes the element out of the lines around it. */
static bool is_out_of_flow(wn_str name, wn_str value)
{
    if (is_property(name, WN_STR("float")))
        return wn_str_starts_nocase(value, WN_STR("left")) ||
               wn_str_starts_nocase(value, WN_STR("right"));
    return is_property(name, WN_STR("position")) &&
           (wn_str_starts_nocase(value, WN_STR("absolute")) ||
            wn_str_starts_nocase(value, WN_STR("fixed")));
}

/* "pre" itself: with "pre-wrap" and "pre-line" people write prose. */
static bool is_pre(wn_str value)
{
    return wn_str_starts_nocase(value, WN_STR("pre")) &&
           (value.len == 3 || value.ptr[3] == ';' || wn_is_space(value.ptr[3]) ||
            value.ptr[3] == '!');
}

wn_page_inline_style wn_page_inline_style_read(wn_str text)
{
    wn_page_inline_style s = {0};
    bool hidden = false, block = false, pre = false;
    const char *end = text.ptr + text.len;
    for (const char *p = text.ptr; (p = wn_scan_1(p, end, ':')) < end; p++) {
        const char *before = p, *after = p + 1;
        while (before > text.ptr && wn_is_space(before[-1]))
            before--;
        while (after < end && wn_is_space(*after))
            after++;
        wn_str name = wn_str_between(text.ptr, before), value = wn_str_between(after, end);
        if (is_property(name, WN_STR("display")))
            read_display(&s, value);
        else if (is_property(name, WN_STR("visibility")))
            hidden |= wn_str_starts_nocase(value, WN_STR("hidden"));
        else if (is_property(name, WN_STR("white-space")))
            pre = is_pre(value);
        else
            block |= is_out_of_flow(name, value);
    }
    s.hidden |= hidden;
    s.block |= block;
    s.pre = pre;
    return s;
}
