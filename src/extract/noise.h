/*
 * Noise words: the outliers of a collection, as the method outlier reads them.
 */
#ifndef WN_EXTRACT_NOISE_H
#define WN_EXTRACT_NOISE_H

#include "base/map.h"

typedef struct wn_noise {
    wn_map stems;
    wn_arena arena; /* of their bytes */
} wn_noise;

/* Reads stems, one per line, into a zeroed set; false if out of memory. */
bool wn_extract_noise_read(wn_noise *noise, wn_str lines);
void wn_extract_noise_free(wn_noise *noise);

static inline bool wn_extract_noise_has(const wn_noise *noise, wn_str stem)
{
    return wn_map_find(&noise->stems, stem) != WN_MAP_NONE;
}

#endif
