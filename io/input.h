/*
 * The world in, pages out: what the user named becomes a sequence of items, and an
 * item becomes bytes.
 *
 * A file may be a page or hold many: web archives and JSON lines (archive.h) give an
 * item for each page in them. Such an item carries its record; what has to be undone
 * to get at the page (chunks, compression, JSON) is the loader's work.
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
#include "io/archive.h"
#include "io/http.h"
#include "io/json_line.h"
#include "io/response.h"
#include "io/walk.h"

/* Bytes of a page that is compressed or in an archive: what is not said otherwise. */
#define WN_MAX_RECORD (UINT64_C(64) << 20)

/* ---- The sequence of pages --------------------------------------------------------------- */

typedef enum wn_item_kind {
    WN_ITEM_FILE,   /* named by the user: read whatever it is */
    WN_ITEM_WALKED, /* found in a directory: read if it is still a regular file */
    WN_ITEM_STDIN,
    WN_ITEM_URL,
    WN_ITEM_RECORD,     /* of a web archive */
    WN_ITEM_LINE,       /* of a file of JSON lines */
    WN_ITEM_UNREADABLE, /* a directory or archive that could not be read, or not all of it */
    WN_ITEM_NO_PAGES,   /* a directory that was named and has none */
} wn_item_kind;

/* One page to come. Zero it before its first use; wn_inputs_next() reuses its memory. */
typedef struct wn_item {
    wn_item_kind kind;
    const char *id;    /* the path, the address, "-", or a record's id (else FILE@OFFSET) */
    const char *error; /* of a directory, an archive, standard input: what is wrong; else NULL */
    const char *file;  /* of a record or line: the file that holds it; else NULL */
    wn_place place;    /* where in it */
    const char *url;   /* of a record: what it is a copy of; else NULL */
    const char *type;  /* of a record: its declared content type; else NULL */
    size_t name;       /* which of the names led here */
    uint64_t broken;   /* of a record: damaged places of its file up to here */
    wn_buf block;      /* the record or line; of standard input: what was read ahead */
    bool whole;        /* of standard input: that is all, decompressed */
    wn_buf memory;     /* of the strings */
} wn_item;

typedef struct wn_inputs {
    char **names; /* borrowed */
    size_t count;
    size_t next;
    wn_walk walk;
    bool walking;
    bool walked;     /* the open archive was found in a directory */
    bool in_archive; /* `archive` is open */
    int archive_fd;
    wn_archive archive;
    wn_buf archive_path;
    wn_buf problem;      /* of an archive, for the item that tells it */
    wn_buf ahead;        /* bytes of standard input that were looked at */
    bool looked;         /* at them */
    bool stdin_open;     /* they are compressed, and `archive` reads them */
    uint64_t max_record; /* bytes of a page in an archive; set after opening, 0: 64 MB */
    uint64_t bytes_total, bytes_done; /* of the files named that are archives */
    uint64_t records, broken;         /* in archives that were read to their end */
} wn_inputs;

/* Begins the sequence of `names`, which end with NULL; none means standard input. */
void wn_inputs_open(wn_inputs *inputs, char **names);
void wn_inputs_free(wn_inputs *inputs);

/* Fills in the next item; false when there is none. */
bool wn_inputs_next(wn_inputs *inputs, wn_item *item);

/* The items that are still to come, as far as is known; *exact tells whether that is all. */
uint64_t wn_inputs_ahead(const wn_inputs *inputs, bool *exact);

/* How much of the archives has been read, of how much; *total is 0 where that is not known. */
uint64_t wn_inputs_bytes(const wn_inputs *inputs, uint64_t *total);

/*
 * Goes on behind an item of an earlier run, of which `kind`, `name`, `id`, `file`, `place` and
 * `broken` are known. Called before the first item; false when it is not there.
 */
bool wn_inputs_go_behind(wn_inputs *inputs, const wn_item *last);

/* Whether the names stand for one page: one name, neither a directory nor an archive. */
bool wn_inputs_is_single(char **names);

/* The same once they are opened, when standard input can be looked at too. */
bool wn_inputs_single(wn_inputs *inputs);

bool wn_is_url(const char *name);

void wn_item_free(wn_item *item);

/* ---- The bytes of a page ----------------------------------------------------------------- */

/* What was read; valid until the loader's next call. */
typedef struct wn_loaded {
    wn_str bytes;        /* cut one byte behind the limit, so that the limit is seen */
    const char *id;      /* that the page has of itself (JSON lines); NULL: the item's */
    const char *url;     /* of a fetched page, after redirects; of a record; else NULL */
    const char *charset; /* that the server declares; else NULL */
    const char *error;   /* why there are no bytes; NULL: there are */
    uint64_t limit;      /* the page was cut behind so many bytes; 0: it was not */
    bool not_html;       /* the server says it is something else; `error` says what */
    bool damaged;        /* its compression: the bytes end there; of pages outside archives */
    bool skip;           /* a record of an archive that is no page after all: leave it out */
} wn_loaded;

typedef struct wn_loader {
    wn_http_settings settings;
    wn_http *http; /* made when the first address comes */
    wn_buf bytes;
    wn_buf error;
    wn_buf charset;
    wn_body_decoder body;
    wn_io_json_line line;
    uint64_t max_unpacked; /* bytes of a page after decompression; 0: 64 MB */
} wn_loader;

void wn_loader_init(wn_loader *loader, const wn_http_settings *settings);
void wn_loader_free(wn_loader *loader);

/* Reads one item. */
wn_loaded wn_loader_load(wn_loader *loader, const wn_item *item);

#endif
