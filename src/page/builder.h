/*
 * The page builder: a document in, a page out, in one walk through the tree.
 */
#ifndef WN_PAGE_BUILDER_H
#define WN_PAGE_BUILDER_H

#include "base/watch.h"
#include "page/page.h"

typedef struct wn_page_builder wn_page_builder; /* working memory, reused page after page */

wn_page_builder *wn_page_builder_new(void);
void wn_page_builder_free(wn_page_builder *builder);
size_t wn_page_builder_memory(const wn_page_builder *builder);

/*
 * Reads the document into `page`, whose memory is reused; zero it before the first. The page ends
 * early when `watch` (or NULL) says so.
 */
void wn_page_build(wn_page_builder *builder, wn_page *page, const wn_doc *doc, wn_watch *watch);

#endif
