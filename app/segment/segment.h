/*
 * A page divided into visual blocks: bytes in, a block tree out, and the tree as JSON, as a
 * picture, or drawn over the page itself.
 *
 *     segment.c   the stages, as winnow.c has them, but everything is kept
 *     json.c      the tree
 *     paint.c     the page's text and boxes as they were laid out
 *     picture.c   these with the blocks: SVG, PNG, PDF
 *     overlay.c   the page, made safe, with the blocks marked in it: HTML
 */
#ifndef WN_SEGMENT_SEGMENT_H
#define WN_SEGMENT_SEGMENT_H

#include "css/cascade.h"
#include "draw/canvas.h"
#include "html/tree.h"
#include "html/xpath.h"
#include "layout/layout.h"
#include "page/builder.h"
#include "visual/analysis.h"
#include "visual/importance.h"
#include "winnow.h"

typedef struct wn_segment_settings {
    unsigned pdoc; /* of VIPS, 1 to 10; 0: EVBE */
    wn_evbe_options evbe;
    wn_importance importance;
    uint32_t blocks;            /* how many are chosen */
    float width, height;        /* of the screen */
    const wn_css_sheet *sheets; /* besides those in the page */
    size_t sheet_count;
    wn_css_load *load; /* gives those that it links to; NULL: nobody */
    void *load_data;
    wn_str base;                           /* the page's address for those */
    bool text;                             /* JSON: with the blocks' texts */
    bool boxes;                            /* pictures: only the blocks, without the page */
    uint64_t max_memory, max_milliseconds; /* for a page; 0: no limit */
} wn_segment_settings;

/* A segmented page. Everything lives until the next page. */
typedef struct wn_segmented {
    wn_arena doc_arena, arena;
    wn_tree *tree;
    wn_css *css;
    wn_layout *layout;
    wn_page_builder *builder;
    wn_doc doc;
    wn_page page;
    wn_visual_analysis analysis;
    wn_xpaths paths;
    const char *encoding;
    wn_watch watch;
} wn_segmented;

/* False if out of memory. wn_segment_free() it in any case. */
bool wn_segment_init(wn_segmented *segmented);
void wn_segment_free(wn_segmented *segmented);

/* Segments one page: ok, partial if it is too large to be looked at as a whole, or why not. */
winnow_status wn_segment(wn_segmented *segmented, wn_str bytes, const char *charset,
                         const wn_segment_settings *settings);

/* One record, on one line. `id` is the name of the page. */
void wn_segment_json(const wn_segmented *segmented, const wn_segment_settings *settings,
                     const char *id, wn_buf *out);

/* False when it cannot be drawn, and `error` says why. */
bool wn_segment_picture(const wn_segmented *segmented, const wn_segment_settings *settings,
                        wn_picture_format format, wn_buf *out, wn_buf *error);

void wn_segment_overlay(const wn_segmented *segmented, wn_buf *out);

/* Adds the XPath of the nodes of a block, as a browser's console takes it. */
void wn_segment_add_xpath(const wn_segmented *segmented, const wn_vblock *block, wn_buf *out);

/* The number of a leaf in the order of the page, from 1; 0 for an inner block. */
uint32_t *wn_segment_leaf_numbers(const wn_segmented *segmented, wn_arena *arena);

/* The colour of a block by its rank: 0xRRGGBB. */
uint32_t wn_segment_colour(uint32_t rank);

#endif
