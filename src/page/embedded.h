/*
 * Embedded data: the text of pages that show nothing without scripts.
 *
 * Such pages often contain their text nevertheless, as JSON: in <script type="application/ld+json">
 * or "application/json", or in an attribute. The keys show which strings are the content: among
 * keys that suggest content ("articleBody", "cooked", "contentHtml"), the one whose strings have
 * the most words is used.
 */
#ifndef WN_PAGE_EMBEDDED_H
#define WN_PAGE_EMBEDDED_H

#include "base/arena.h"
#include "base/buf.h"
#include "html/document.h"

/*
 * Adds the embedded content to `out` as HTML that can be parsed like a page; nothing if there is
 * none worth it. `arena` is for working memory.
 */
void wn_page_embedded_find(const wn_doc *doc, wn_arena *arena, wn_buf *out);

#endif
