/*
 * Layout: where every node of a page is, and how large it is.
 *
 * Styles and the document in, one wn_box per node out: the border box in document coordinates, in
 * 1/64 of a CSS pixel, so that the same page gives the same numbers on every machine. Nothing is
 * drawn, no image is read and no script runs: images are as large as their attributes and styles
 * say, and text widths come from the font table.
 *
 *     wn_layout *layout = wn_layout_new();
 *     const wn_boxes *boxes = wn_layout_run(layout, &doc, styles, &wn_layout_defaults);
 *     wn_unit_px(boxes->items[node].width);
 *
 * The boxes live until the next run or until the layout is freed.
 */
#ifndef WN_LAYOUT_LAYOUT_H
#define WN_LAYOUT_LAYOUT_H

#include "base/watch.h"
#include "css/style.h"
#include "html/document.h"

typedef int32_t wn_unit; /* 1/64 px */

enum { WN_UNIT = 64 };

static inline float wn_unit_px(wn_unit unit)
{
    return (float)unit / WN_UNIT;
}

/*
 * The box of one node. Texts and inline elements have the smallest box around what they have
 * in all their lines. An element without a box of its own (display: contents) has the one
 * around its children's boxes, and `exists` is false.
 */
typedef struct wn_box {
    wn_unit x, y, width, height;
    bool exists;  /* the node makes a box: it is not hidden by display, nor blank between blocks */
    bool in_line; /* it is in lines of text: a text, an inline element, an inline-block */
} wn_box;

/* A piece of text in one line. */
typedef struct wn_text_fragment {
    wn_node_id node;  /* the text; the element of generated text */
    bool generated;   /* by ::before or ::after, or a form control: not in the node's text */
    const char *text; /* a part of the node's text, as it is there: white space not collapsed */
    uint32_t len;
    wn_unit x, width;
    wn_unit baseline; /* y */
    bool downwards; /* the line runs from top to bottom: x is of the baseline, that of the start */
    const wn_style *style;
} wn_text_fragment;

typedef struct wn_boxes {
    const wn_box *items; /* by node */
    uint32_t count;
    const wn_text_fragment *fragments; /* in the order of the lines; only if asked for */
    uint32_t fragment_count;
    wn_unit width, height; /* of all that can be scrolled to, at least the screen's */
    bool limited;          /* there were too many boxes, or grids cost too much: some is left out */
} wn_boxes;

typedef struct wn_layout_options {
    float width, height; /* of the screen; 0: as the styles were computed for */
    bool fragments;      /* list the pieces of text */
    uint32_t max_boxes;  /* nodes after that many boxes get none */
    size_t max_memory;   /* bytes of working memory, nearly; 0: no limit */
    wn_watch *watch;     /* says when to give up; may be NULL */
} wn_layout_options;

extern const wn_layout_options wn_layout_defaults;

typedef struct wn_layout wn_layout; /* working memory, reused page after page */

wn_layout *wn_layout_new(void); /* NULL if out of memory */
void wn_layout_free(wn_layout *layout);
size_t wn_layout_memory(const wn_layout *layout);

/*
 * The boxes of all nodes; NULL if out of memory or the watch says that it takes too long.
 * Document and styles are not altered.
 */
const wn_boxes *wn_layout_run(wn_layout *layout, const wn_doc *doc, const wn_styles *styles,
                              const wn_layout_options *options);

/* A character as text-transform (wn_text_transform) shows it after `previous`, 0 at the start. */
uint32_t wn_layout_shown(unsigned transform, uint32_t c, uint32_t previous);

#endif
