/*
 * Videos, sound and frames of other sites, as a link to them.
 */
#ifndef WN_PAGE_EMBEDS_H
#define WN_PAGE_EMBEDS_H

#include "html/document.h"

/* The address of what an <iframe>, <video>, <audio> or <embed> shows; "" if it says none. */
wn_str wn_page_embed_source(const wn_doc *doc, const wn_node *element);

/* What the page says of it: its title or label; "" if it says nothing. */
wn_str wn_page_embed_title(const wn_node *element);

/*
 * Whether a frame shows something to a reader (a video, a map, a post) rather than serving a
 * script.
 */
bool wn_page_embed_is_content(const wn_doc *doc, const wn_node *element);

#endif
