/*
 * The view: a document as a reader sees it. Style and layout of a node, for everything that needs
 * them: EVBE, VIPS, the pictures.
 */
#ifndef WN_VISUAL_VIEW_H
#define WN_VISUAL_VIEW_H

#include "css/style.h"
#include "html/document.h"
#include "layout/layout.h"

typedef struct wn_rect {
    float x, y, width, height;
} wn_rect;

typedef struct wn_view {
    const wn_doc *doc;
    const wn_styles *styles;
    const wn_boxes *boxes;
} wn_view;

static inline const wn_style *wn_visual_view_style(const wn_view *view, wn_node_id node)
{
    return wn_css_style_of(view->styles, node);
}

/* The border box of an element, or the box around the lines of a text. */
static inline wn_rect wn_visual_view_box(const wn_view *view, wn_node_id node)
{
    const wn_box *box = &view->boxes->items[node];
    return (wn_rect){wn_unit_px(box->x), wn_unit_px(box->y), wn_unit_px(box->width),
                     wn_unit_px(box->height)};
}

static inline float wn_visual_rect_area(wn_rect r)
{
    return r.width * r.height;
}

/* The smallest box around both; one without size does not count. */
static inline wn_rect wn_visual_rect_around(wn_rect a, wn_rect b)
{
    if (a.width <= 0 && a.height <= 0)
        return b;
    if (b.width <= 0 && b.height <= 0)
        return a;
    float left = a.x < b.x ? a.x : b.x, top = a.y < b.y ? a.y : b.y;
    float right = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    float bottom = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (wn_rect){left, top, right - left, bottom - top};
}

#endif
