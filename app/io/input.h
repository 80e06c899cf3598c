/*
 * The world in, pages out: what the user named becomes a sequence of items, and an
 * item becomes bytes.
 *
 * The sequence (wn_inputs) is read by one thread and always has the same order; the
 * bytes (wn_loader) are read by many, each with a loader of its own. Nothing is read
 * before it is needed, and never more of a page than the limit allows, so endless
 * inputs end.
 *
 * Files are read, not mapped: a file that is cut short while it is mapped would end
 * the program.
 */
#ifndef WN_IO_INPUT_H
#define WN_IO_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "io/http.h"
#include "io/walk.h"

/* ---- The sequence of pages --------------------------------------------------------------- */

typedef enum wn_item_kind {
    WN_ITEM_FILE,   /* named by the user: read whatever it is */
    WN_ITEM_WALKED, /* found in a directory: read if it is still a regular file */
    WN_ITEM_STDIN,
    WN_ITEM_URL,
    WN_ITEM_UNREADABLE, /* a directory that could not be read */
    WN_ITEM_NO_PAGES,   /* a directory that was named and has none */
} wn_item_kind;

/* One page to come. Zero it before its first use; wn_inputs_next() reuses its memory. */
typedef struct wn_item {
    wn_item_kind kind;
    const char *id;    /* the path, the address, or "-" */
    const char *error; /* of a directory: what is wrong with it; else NULL */
    wn_buf memory;     /* of id */
} wn_item;

typedef struct wn_inputs {
    char **names; /* borrowed */
    size_t count;
    size_t next;
    wn_walk walk;
    bool walking;
} wn_inputs;

/* Begins the sequence of `names`, which end with NULL; none means standard input. */
void wn_inputs_open(wn_inputs *inputs, char **names);
void wn_inputs_free(wn_inputs *inputs);

/* Fills in the next item; false when there is none. */
bool wn_inputs_next(wn_inputs *inputs, wn_item *item);

/* The items that are still to come, as far as is known; *exact tells whether that is all. */
uint64_t wn_inputs_ahead(const wn_inputs *inputs, bool *exact);

/* Whether the names stand for one page: one name, and not a directory. */
bool wn_inputs_is_single(char **names);

bool wn_is_url(const char *name);

void wn_item_free(wn_item *item);

/* ---- The bytes of a page ----------------------------------------------------------------- */

/* What was read; valid until the loader's next call. */
typedef struct wn_loaded {
    wn_str bytes;        /* cut one byte behind the limit, so that the limit is seen */
    const char *url;     /* of a fetched page, after redirects; else NULL */
    const char *charset; /* that the server declares; else NULL */
    const char *error;   /* why there are no bytes; NULL: there are */
    bool not_html;       /* the server says it is something else; `error` says what */
} wn_loaded;

typedef struct wn_loader {
    wn_http_settings settings;
    wn_http *http; /* made when the first address comes */
    wn_buf bytes;
    wn_buf error;
} wn_loader;

void wn_loader_init(wn_loader *loader, const wn_http_settings *settings);
void wn_loader_free(wn_loader *loader);

/* Reads one item. */
wn_loaded wn_loader_load(wn_loader *loader, const wn_item *item);

#endif
