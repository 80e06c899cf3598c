/*
 * Grids, as the files grid*.c share them.
 *
 * Whatever holds for columns holds for rows, so a grid has two axes and an item a span in each.
 */
#ifndef WN_LAYOUT_GRID_H
#define WN_LAYOUT_GRID_H

#include "layout/engine.h"

/* The axes of a grid. */
enum { COLUMNS, ROWS };

typedef struct track {
    wn_length min, max;
    wn_px base, limit, at;
    wn_px ascent[2]; /* of items lined up at the start and the end of a row: the largest */
    float fr;
} track;

/* The tracks [at, at + count) of an axis. */
typedef struct span {
    uint32_t at, count;
    bool given; /* the item's style says where it is */
} span;

typedef struct grid_item {
    uint32_t box;
    int32_t order;
    span spans[2];
    uint8_t align; /* wn_align in the axis of the rows, resolved */
    bool at_end;   /* lined up with others at the end of their row */
    wn_px ascent;  /* from that end to its baseline */
} item;

typedef struct axis {
    const wn_track_list *template;  /* NULL: none */
    const wn_track_list *automatic; /* of tracks that come up as they are needed; NULL: auto */
    uint32_t times;                 /* how often repeat(auto-fill, …) repeats */
    uint32_t template_count;        /* tracks of the template, with repetitions */
    uint32_t explicit_count;        /* tracks of the template and the named areas */
    uint32_t extra;                 /* tracks that auto-fill added */
    track *tracks;
    uint32_t count;
    wn_px gap, size; /* size: of the content box; WN_PX_AUTO if not known */
} axis;

struct wn_layout_grid {
    axis axes[2];
    const wn_grid_areas *areas; /* NULL: none */
    item *items;                /* by order */
    uint32_t item_count;
};

typedef struct wn_layout_grid grid;

/* ---- grid_place.c ------------------------------------------------------------------------ */

/*
 * A grid with its tracks and the places of its items, not sized yet; NULL if out of memory. Both
 * sizes are of the content box and may be WN_PX_AUTO.
 */
grid *wn_layout_grid_make(wn_lay *lay, uint32_t box, wn_px width, wn_px height);

/* Sets all tracks of an axis to what the style says of them. */
void wn_layout_grid_fill(axis *a);

/* ---- grid_tracks.c ----------------------------------------------------------------------- */

/* What an item needs in an axis: at least, and to be comfortable. */
typedef struct need {
    wn_px least, most;
} need;

/* Begins the sizing of an axis whose tracks have been filled. */
void wn_layout_grid_start_tracks(const wn_lay *lay, axis *a);

/* Makes room for an item. Those in one track come before those in several. */
void wn_layout_grid_fit(axis *a, span s, need n);

/* Ends the sizing; `content` is the wn_align of the tracks. */
void wn_layout_grid_finish_tracks(axis *a, uint8_t content);

/* Makes tracks of automatic size larger by `room` in all. */
void wn_layout_grid_stretch(axis *a, wn_px room);

/* Places the tracks, aligned in `room`. */
void wn_layout_grid_place_tracks(axis *a, wn_px room, uint8_t content);

/* The size of all tracks and gaps. */
wn_px wn_layout_grid_sum(const axis *a);

#endif
