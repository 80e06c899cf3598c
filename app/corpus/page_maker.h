/*
 * From a selection of the library to a page of the store: language, stems, hashes, words for the
 * index.
 *
 * This is the expensive part of adding a page, and needs no database, so workers do it side by
 * side.
 */
#ifndef WN_CORPUS_PAGE_MAKER_H
#define WN_CORPUS_PAGE_MAKER_H

#include "base/arena.h"
#include "corpus/index.h"
#include "corpus/store.h"
#include "text/stem.h"
#include "text/terms.h"
#include "text/words.h"
#include "winnow.h"

/* What one thread needs for it. */
typedef struct wn_page_maker {
    wn_words *words;
    wn_stemmer *stemmer;
    wn_terms terms;
    wn_buf stems, all_stems, title_stems;
} wn_page_maker;

/*
 * `stop_words`, one per line, are left out of `stems` like those of the page's language. False when
 * memory is out.
 */
bool wn_corpus_page_maker_init(wn_page_maker *maker, wn_str stop_words);
void wn_corpus_page_maker_free(wn_page_maker *maker);

/* What is known of a page before its text is. */
typedef struct wn_page_origin {
    const char *url; /* NULL: unknown; then it is what the page says of itself */
    wn_str source, label;
    uint64_t offset, inner;
    uint64_t page_bytes, page_hash;
} wn_page_origin;

/*
 * Fills in `page`; its strings live in `arena`, its words in `index`. False if out of memory.
 */
bool wn_corpus_page_make(wn_page_maker *maker, winnow_selection *content,
                         const wn_page_origin *origin, wn_arena *arena, wn_index_page *index,
                         wn_stored *page);

#endif
