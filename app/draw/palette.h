/*
 * Palettes: colours that go together, and the paper they are on.
 *
 * Every colour has a contrast of at least 3:1 with its paper, what WCAG 2.1 asks of large text.
 */
#ifndef WN_DRAW_PALETTE_H
#define WN_DRAW_PALETTE_H

#include <stddef.h>
#include <stdint.h>

enum { WN_PALETTE_COLOURS = 6 };

typedef struct wn_palette {
    const char *name;
    const char *summary;
    uint32_t paper; /* 0xRRGGBB */
    uint32_t colours[WN_PALETTE_COLOURS];
} wn_palette;

/* Palette number `index`, the default first; NULL past the end. Static. */
const wn_palette *wn_draw_palette_at(size_t index);

/* Their names and summaries, for the table of options. */
const char *wn_draw_palette_name(const void *list, size_t index);
const char *wn_draw_palette_summary(const void *list, size_t index);

#endif
