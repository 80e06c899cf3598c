/*
 * Where the links of a page lead.
 */
#ifndef WN_PAGE_LINKS_H
#define WN_PAGE_LINKS_H

#include "base/buf.h"
#include "html/document.h"

/*
 * Adds to `base` what links are relative to: <base href>, itself relative to the page's
 * address `url`, which may be NULL.
 */
void wn_links_base(wn_buf *base, const wn_doc *doc, const char *url);

/* Puts the address of the link `a` into `url`; false if it leads nowhere, as javascript: does. */
bool wn_links_target(wn_buf *url, wn_str base, const wn_node *a);

/* Puts the address of an image into `url`; false if it has none of its own. */
bool wn_links_image(wn_buf *url, wn_str base, const wn_node *image);

#endif
