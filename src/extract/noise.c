#include "extract/noise.h"

bool wn_extract_noise_read(wn_noise *noise, wn_str lines)
{
    wn_arena_init(&noise->arena, 0);
    while (lines.len > 0) {
        wn_str stem = wn_str_trim(wn_str_take_until(&lines, '\n'));
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
