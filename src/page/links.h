/*
 * Where the links of a page lead.
 */
#ifndef WN_PAGE_LINKS_H
#define WN_PAGE_LINKS_H

#include "base/buf.h"
#include "base/cost.h"
#include "html/document.h"

/*
 * Whether an address leads nowhere: it is empty, a program (javascript:), holds what it leads to
 * (data:), or names a host that cannot be.
 */
bool wn_page_links_leads_nowhere(wn_str url);

/*
 * What the addresses of a page are made with. A long address can be told again and again: a base by every
 * link, the address of a link by each paragraph in it. There is a budget for all of them; beyond it
 * addresses lead nowhere, and `cost.exceeded` says so.
 */
typedef struct wn_page_links {
    wn_buf base; /* what addresses are relative to; may be empty */
    wn_cost cost;
} wn_page_links;

/*
 * Begins with a page. If `relative`, the base is <base href>, itself relative to the page's address
 * `url`, which may be NULL; that address where there is no such element or it leads nowhere.
 * Without both it is the address that the page calls its own (<link rel="canonical">, og:url).
 */
void wn_page_links_start(wn_page_links *links, const wn_doc *doc, const char *url, bool relative);
void wn_page_links_free(wn_page_links *links);

/* Puts the address of the link `a` into `url`; false if it leads nowhere. */
bool wn_page_links_target(wn_buf *url, wn_page_links *links, const wn_node *a);

/* What an abbreviation is short for, which each block in it tells; "" beyond the budget. */
wn_str wn_page_links_meaning(wn_page_links *links, const wn_node *abbr);

/* Puts the address of an image into `url`; false if it has none of its own. */
bool wn_page_links_image(wn_buf *url, wn_page_links *links, const wn_doc *doc,
                         const wn_node *image);

/* Puts the address of a video or frame into `url`; false if it has none. */
bool wn_page_links_embed(wn_buf *url, wn_page_links *links, const wn_doc *doc,
                         const wn_node *element);

#endif
