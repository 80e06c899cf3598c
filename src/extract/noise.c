#include "extract/noise.h"

static wn_str next_line(wn_str *text)
{
    const char *end = text->len ? memchr(text->ptr, '\n', text->len) : NULL;
    size_t len = end ? (size_t)(end - text->ptr) : text->len;
    wn_str line = wn_str_from(text->ptr, len);
    *text = wn_str_from_offset(*text, end ? len + 1 : len);
    return wn_str_trim(line);
}

bool wn_extract_noise_read(wn_noise *noise, wn_str lines)
{
    wn_arena_init(&noise->arena, 0);
    while (lines.len > 0) {
        wn_str stem = next_line(&lines);
        if (stem.len > 0)
            wn_map_add(&noise->stems, stem, &noise->arena);
    }
    return !noise->stems.failed;
}

void wn_extract_noise_free(wn_noise *noise)
{
    wn_map_free(&noise->stems);
    wn_arena_free(&noise->arena);
}
