/*
 * The layout of a tag cloud: where each word is, and how large it is.
 *
 * It knows nothing about fonts. The caller measures each word once, in a font of size 1, and
 * everything else is proportional to that:
 *
 *     words[i].count = …; words[i].ink = …;                  // the most frequent first
 *     placed = wn_draw_cloud_lay(words, n, &(wn_cloud_settings){.width = 800, .height = 600});
 *     words[i].size, .x, .y                                  // draw it there
 *
 * The area of a word is proportional to its count, so its font size is proportional to the square
 * root of the count. Sizes are as large as the canvas allows. The boxes around the ink of the words
 * keep a little distance and never overlap.
 */
#ifndef WN_DRAW_CLOUD_H
#define WN_DRAW_CLOUD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wn_cloud_box {
    double x, y, width, height;
} wn_cloud_box;

typedef struct wn_cloud_word {
    uint64_t count;   /* in: at least 1, and not larger than that of the word before */
    wn_cloud_box ink; /* in: of the word in a font of size 1, from the point where it is drawn */
    double size;      /* out: of its font, in the units of the canvas; 0: there was no room */
    double x, y;      /* out: the point where it is drawn */
    uint32_t chance;  /* out: a random number, for instance for its colour */
} wn_cloud_word;

typedef struct wn_cloud_settings {
    double width, height; /* of the canvas */
    uint64_t seed;        /* other seeds give other clouds of the same words */
} wn_cloud_settings;

/* Returned if out of memory. */
#define WN_CLOUD_FAILED SIZE_MAX

/* Lays out `count` words; returns how many found room. */
size_t wn_draw_cloud_lay(wn_cloud_word *words, size_t count, const wn_cloud_settings *settings);

/* The box around the ink of a word that was laid out. */
wn_cloud_box wn_draw_cloud_box_of(const wn_cloud_word *word);

#endif
