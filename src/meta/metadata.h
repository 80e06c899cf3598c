/*
 * Metadata: title, authors, dates and other things that a page says about itself.
 *
 * Pages declare it in many ways at once: JSON-LD, Open Graph, Dublin Core, microdata, <meta>,
 * <time>, a byline. One pass over the nodes collects the candidates; facts.h keeps the most
 * credible of each. What is not declared is looked for where readers see it: near the heading.
 */
#ifndef WN_META_METADATA_H
#define WN_META_METADATA_H

#include "page/page.h"
#include "winnow.h"

typedef struct wn_metadata_reader wn_metadata_reader;

/* NULL if out of memory. */
wn_metadata_reader *wn_meta_reader_new(void);
void wn_meta_reader_free(wn_metadata_reader *reader);
size_t wn_meta_reader_memory(const wn_metadata_reader *reader);

/*
 * Reads the metadata of a page; `url` is its address or NULL. Strings are in `arena`. Sources are
 * listed if `explain`. False if a part of the page was not looked at, as it would cost too much.
 */
bool wn_meta_read(wn_metadata_reader *reader, const wn_page *page, const char *url, bool explain,
                  wn_arena *arena, winnow_metadata *metadata);

/* The same for a page without a tree: its title and language. */
void wn_meta_of_tokens(const wn_page *page, wn_arena *arena, winnow_metadata *metadata);

/* Metadata of which nothing is known: "" and empty lists. */
extern const winnow_metadata wn_no_metadata;

#endif
