/*
 * Where the links of a page lead.
 */
#ifndef WN_PAGE_LINKS_H
#define WN_PAGE_LINKS_H

#include "base/buf.h"
#include "html/document.h"

/* Whether an address is none: it is empty, a program (javascript:), or holds what it leads to (data:). */
bool wn_page_links_leads_nowhere(wn_str url);

/*
 * Adds to `base` what links are relative to: <base href>, itself relative to the page's
 * address `url`, which may be NULL; that address where there is no such element or it leads nowhere.
 * Without both it is the address that the page calls its own (<link rel="canonical">, og:url).
 */
void wn_page_links_base(wn_buf *base, const wn_doc *doc, const char *url);

/* Puts the address of the link `a` into `url`; false if it leads nowhere. */
bool wn_page_links_target(wn_buf *url, wn_str base, const wn_node *a);

/* Puts the address of an image into `url`; false if it has none of its own. */
bool wn_page_links_image(wn_buf *url, wn_str base, const wn_doc *doc, const wn_node *image);

/* Puts the address of a video or frame into `url`; false if it has none. */
bool wn_page_links_embed(wn_buf *url, wn_str base, const wn_doc *doc, const wn_node *element);

#endif
