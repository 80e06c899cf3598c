/*
 * What must hold of the output of writers, whatever the page is.
 */
#ifndef WN_FUZZ_CHECKS_H
#define WN_FUZZ_CHECKS_H

#include "base/json.h"
#include "fuzz.h"
#include "winnow.h"

static inline void fuzz_check_json(wn_str text)
{
    wn_json json = {0};
    wn_arena arena;
    wn_arena_init(&arena, 0);
    bool sound = wn_json_parse(&json, &arena, text, 0, 0);
    if (!sound)
        fprintf(stderr, "json: %s at %zu\n", json.error, json.error_offset);
    FUZZ_CHECK(sound);
    wn_json_free(&json);
    wn_arena_free(&arena);
}

/* Elements of HTML that have no end tag. */
static inline bool fuzz_is_void(wn_str name)
{
    return wn_str_eq(name, WN_STR("br")) || wn_str_eq(name, WN_STR("img")) ||
           wn_str_eq(name, WN_STR("hr")) || wn_str_eq(name, WN_STR("input")) ||
           wn_str_eq(name, WN_STR("meta")) || wn_str_eq(name, WN_STR("link"));
}

/* Every element is closed, in order. */
static inline void fuzz_check_elements(wn_str text)
{
    enum { DEEPEST = 256 };
    wn_str open[DEEPEST];
    size_t depth = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '<')
            continue;
        const char *end = memchr(text.ptr + i, '>', text.len - i);
        FUZZ_CHECK(end);
        wn_str tag = wn_str_between(text.ptr + i + 1, end);
        size_t name = 0;
        while (name < tag.len && !wn_is_space(tag.ptr[name]))
            name++;
        if (tag.len > 0 && (tag.ptr[0] == '!' || tag.ptr[0] == '?')) {
            /* <!DOCTYPE html>, <?xml …?> */
        } else if (tag.ptr[0] == '/') {
            FUZZ_CHECK(depth > 0 && wn_str_eq(open[--depth], wn_str_from_offset(tag, 1)));
        } else if (tag.ptr[tag.len - 1] != '/' && !fuzz_is_void(wn_str_from(tag.ptr, name))) {
            FUZZ_CHECK(depth < DEEPEST);
            open[depth++] = wn_str_from(tag.ptr, name);
        }
        i = (size_t)(end - text.ptr);
    }
    FUZZ_CHECK(depth == 0);
}

static inline bool fuzz_is_markup(winnow_format format)
{
    return format == WINNOW_FORMAT_HTML || format == WINNOW_FORMAT_XML ||
           format == WINNOW_FORMAT_TEI;
}

#endif
