/*
 * Sniffing: whether bytes are a page at all.
 */
#ifndef WN_HTML_SNIFF_H
#define WN_HTML_SNIFF_H

#include "base/str.h"

/* Whether the bytes are an image, an archive, a PDF: something without text for us. */
bool wn_html_sniff_is_binary(wn_str bytes);

/* Whether decoded text holds a single tag, comment or doctype. */
bool wn_html_sniff_has_markup(wn_str text);

/* Whether it is a feed, RSS or Atom: XML with pieces of pages in it, and no page. */
bool wn_html_sniff_is_feed(wn_str text);

#endif
