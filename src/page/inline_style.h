/*
 * The `style` attribute of an element, as far as it changes which words are seen
 * and which are apart. Style sheets are another matter, and not read here.
 */
#ifndef WN_PAGE_INLINE_STYLE_H
#define WN_PAGE_INLINE_STYLE_H

#include "base/str.h"

/* What a `style` attribute says that matters here. */
typedef struct wn_page_inline_style {
    bool hidden;
    bool block;   /* is separate: display:block, a float, a placed box, … */
    bool inlined; /* display:inline */
    bool items;   /* display:flex or grid: its children are separate */
    bool pre;     /* white-space:pre */
} wn_page_inline_style;

wn_page_inline_style wn_page_inline_style_read(wn_str text);

#endif
