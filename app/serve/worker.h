/*
 * What one thread needs to answer requests: handles that are used again for request after request,
 * and are made when a request first needs them.
 */
#ifndef WN_SERVE_WORKER_H
#define WN_SERVE_WORKER_H

#include "corpus/store.h"
#include "draw/page_words.h"
#include "segment/segment.h"
#include "serve/settings.h"
#include "winnow.h"

typedef struct wn_serve_worker {
    const wn_serve_settings *settings;
    const struct wn_serve_stats *stats; /* what /metrics shows; may be NULL */
    winnow_page *page;
    wn_segmented *segmented;
    wn_word_tools *tools;
    wn_store *store;
    uint64_t store_device, store_inode; /* the file that was opened */
    wn_buf unpacked;                    /* the body of the request at hand */
} wn_serve_worker;

/* False if out of memory. */
bool wn_serve_worker_init(wn_serve_worker *worker, const wn_serve_settings *settings);
void wn_serve_worker_free(wn_serve_worker *worker);

/* Between two requests: gives back memory that one large page took. */
void wn_serve_worker_rest(wn_serve_worker *worker);

/* Each makes its handle if there is none yet; NULL if out of memory. */
wn_segmented *wn_serve_worker_segmented(wn_serve_worker *worker);
wn_word_tools *wn_serve_worker_words(wn_serve_worker *worker);

/*
 * The store, opened for reading. NULL when it cannot be: `error` says why. One that was replaced by
 * another file is opened again.
 */
wn_store *wn_serve_worker_store(wn_serve_worker *worker, wn_buf *error);

/* Closes the store after a failure, so that the next request opens it again. */
void wn_serve_worker_drop_store(wn_serve_worker *worker);

#endif
