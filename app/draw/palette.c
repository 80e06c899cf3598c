/*
 * Palettes: a table.
 */
#include "draw/palette.h"

static const wn_palette palettes[] = {
    {"ocean",
     "blues and greens",
     0xffffff,
     {0x0b3c5d, 0x1d70a2, 0x2a8fa8, 0x127475, 0x3b6ea5, 0x3d5a80}},
    /*
     * Okabe and Ito's palette, darker where white paper requires it: distinguishable with colour
     * blindness.
     */
    {"safe",
     "colours that people with colour blindness can distinguish",
     0xffffff,
     {0x0072b2, 0xd55e00, 0x00805c, 0xb8548a, 0x8a6d00, 0x333333}},
    {"forest",
     "greens and browns",
     0xfffdf7,
     {0x2d4a22, 0x4f772d, 0x6b8e23, 0x7f5539, 0x9c6644, 0x31572c}},
    {"sunset",
     "reds, oranges and violets",
     0xffffff,
     {0x6a0572, 0xab2346, 0xd1495b, 0xc85a17, 0x8f3985, 0x3c1642}},
    {"night",
     "light colours on dark paper",
     0x14213d,
     {0xfca311, 0xe5e5e5, 0x8ecae6, 0xffd166, 0x95d5b2, 0xf4978e}},
    {"grey",
     "for printing",
     0xffffff,
     {0x111111, 0x333333, 0x4d4d4d, 0x666666, 0x777777, 0x2b2b2b}},
};

const wn_palette *wn_draw_palette_at(size_t index)
{
    return index < sizeof palettes / sizeof *palettes ? &palettes[index] : NULL;
}

const char *wn_draw_palette_name(const void *list, size_t index)
{
    (void)list;
    const wn_palette *palette = wn_draw_palette_at(index);
    return palette ? palette->name : NULL;
}

const char *wn_draw_palette_summary(const void *list, size_t index)
{
    (void)list;
    const wn_palette *palette = wn_draw_palette_at(index);
    return palette ? palette->summary : NULL;
}
