#include "serve/worker.h"

#include <stdlib.h>
#include <sys/stat.h>

/* A page handle, or another thing of a worker, that holds more than this is given back. */
enum { KEPT_MEMORY = 64 << 20, KEPT_BODY = 4 << 20 };

bool wn_serve_worker_init(wn_serve_worker *worker, const wn_serve_settings *settings)
{
    *worker = (wn_serve_worker){.settings = settings, .page = winnow_page_new()};
    return worker->page != NULL;
}

static void free_segmented(wn_serve_worker *worker)
{
    if (worker->segmented)
        wn_segment_free(worker->segmented);
    free(worker->segmented);
    worker->segmented = NULL;
}

void wn_serve_worker_free(wn_serve_worker *worker)
{
    winnow_page_free(worker->page);
    free_segmented(worker);
    if (worker->tools)
        wn_draw_word_tools_free(worker->tools);
    free(worker->tools);
    wn_serve_worker_drop_store(worker);
    wn_buf_free(&worker->unpacked);
}

void wn_serve_worker_rest(wn_serve_worker *worker)
{
    if (winnow_page_memory(worker->page) > KEPT_MEMORY) {
        winnow_page *fresh = winnow_page_new();
        if (fresh) {
            winnow_page_free(worker->page);
            worker->page = fresh;
        }
    }
    wn_segmented *segmented = worker->segmented;
    if (segmented && segmented->doc_arena.reserved + segmented->arena.reserved > KEPT_MEMORY)
        free_segmented(worker);
    if (worker->unpacked.cap > KEPT_BODY)
        wn_buf_free(&worker->unpacked);
}

wn_segmented *wn_serve_worker_segmented(wn_serve_worker *worker)
{
    if (worker->segmented)
        return worker->segmented;
    worker->segmented = calloc(1, sizeof *worker->segmented);
    if (worker->segmented && !wn_segment_init(worker->segmented))
        free_segmented(worker);
    return worker->segmented;
}

wn_word_tools *wn_serve_worker_words(wn_serve_worker *worker)
{
    if (worker->tools)
        return worker->tools;
    worker->tools = calloc(1, sizeof *worker->tools);
    if (worker->tools && !wn_draw_word_tools_make(worker->tools, WN_STR(""))) {
        wn_draw_word_tools_free(worker->tools);
        free(worker->tools);
        worker->tools = NULL;
    }
    return worker->tools;
}

/* ---- The store --------------------------------------------------------------------------- */

void wn_serve_worker_drop_store(wn_serve_worker *worker)
{
    if (worker->store)
        wn_corpus_store_close(worker->store);
    worker->store = NULL;
}

wn_store *wn_serve_worker_store(wn_serve_worker *worker, wn_buf *error)
{
    const char *name = worker->settings->store;
    struct stat now = {0};
    if (!wn_corpus_store_is_remote(name) && stat(name, &now) != 0) {
        wn_serve_worker_drop_store(worker);
        wn_buf_add_literal(error, "the store is not there");
        return NULL;
    }
    if (worker->store && ((uint64_t)now.st_ino != worker->store_inode ||
                          (uint64_t)now.st_dev != worker->store_device))
        wn_serve_worker_drop_store(worker);
    if (!worker->store) {
        worker->store = wn_corpus_store_open(name, WN_STORE_READ, error);
        worker->store_inode = (uint64_t)now.st_ino;
        worker->store_device = (uint64_t)now.st_dev;
    }
    return worker->store;
}
