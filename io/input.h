/*
 * The names given by the user become a sequence of items, and an item becomes bytes: the
 * implementation of section 3 of winnow-io.h.
 *
 * A file may be a page or hold many: web archives and JSON lines (archive.h) give an item for each
 * page in them. Such an item carries its record; decoding it (chunks, compression, JSON) is the
 * loader's work.
 *
 * One thread reads the sequence; many threads read the bytes, each with its own loader. Each file
 * is looked at once and opened once: an item carries the descriptor on to the loader, as long as
 * not too many are open.
 *
 * Files are read, not mapped: a file that is cut short while it is mapped would end the program.
 */
#ifndef WN_IO_INPUT_H
#define WN_IO_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "io/http.h"
#include "io/json_line.h"
#include "io/response.h"
#include "winnow-io.h"

/* The default limit for a page that is compressed or in an archive. */
#define WN_IO_MAX_RECORD (UINT64_C(32) << 20)

/* ---- Items ------------------------------------------------------------------------------- */

/* One page to come. Zero it before its first use; its memory is used again. */
typedef struct wn_io_item {
    winnow_input shown;
    wn_buf block;        /* the record or line; of standard input: what was read ahead */
    bool whole;          /* of standard input: that is all, decompressed */
    bool truncated;      /* of a record: its end is missing */
    bool is_text;        /* of a record: it is the text of a page, not HTML */
    const char *address; /* as it was named, with its password; NULL: that is the id */
    wn_buf memory;       /* of the strings */

    /* Of a file that is open already; `open_files` counts those. */
    atomic_size_t *open_files; /* NULL: it is not open */
    int fd;
    uint64_t size;
} wn_io_item;

void wn_io_item_free(wn_io_item *item);

/* Fills in the next item; false when there is none. */
bool wn_io_inputs_next(winnow_inputs *inputs, wn_io_item *item);

bool wn_io_is_url(const char *name);

/* ---- The bytes of a page ----------------------------------------------------------------- */

struct winnow_loader {
    wn_io_http_settings settings;
    wn_io_http *http; /* made when the first address comes */
    wn_buf bytes;
    wn_buf error;
    wn_buf charset;
    wn_buf media_type;
    wn_io_body_decoder body;
    wn_io_json_line line;
    uint64_t max_unpacked; /* bytes of a page after decompression */
    bool plain_text;       /* the content is not HTML: it is turned into a page */
    wn_buf wrapped;        /* such a page */
    wn_io_json_fields fields;
    winnow_loaded loaded;
};

void wn_io_loader_init(winnow_loader *loader, const wn_io_http_settings *settings);
void wn_io_loader_end(winnow_loader *loader);

/* Reads one item. */
winnow_loaded wn_io_loader_load(winnow_loader *loader, wn_io_item *item);

/* The same settings for the pages of `inputs`. */
void wn_io_loader_init_for(winnow_loader *loader, const winnow_inputs *inputs);

/* The settings as they are used, the defaults in place of 0. */
typedef struct wn_io_reading {
    wn_io_http_settings web;
    uint64_t max_record;
    winnow_archive_kind from;
    wn_io_json_fields fields;
} wn_io_reading;

/* False if they do not say their size. */
bool wn_io_read_settings(const winnow_inputs_settings *handed_in, wn_io_reading *reading);

#endif
