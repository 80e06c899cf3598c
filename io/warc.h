/*
 * Records of web archives: WARC 0.17 to 1.1 and ARC 1 and 2.
 *
 *     wn_io_warc_open(&warc, &stream);
 *     while (wn_io_warc_next(&warc, &record))
 *         wn_io_warc_read(&warc, &block, max);          // or not: the next call skips the rest
 *
 * Damage is skipped: a truncated record is returned as far as it goes, and where no record starts
 * the reader searches for the next one. Both are counted.
 *
 * https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
 * https://archive.org/web/researcher/ArcFileFormat.php
 */
#ifndef WN_IO_WARC_H
#define WN_IO_WARC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "io/source.h"

typedef enum wn_io_warc_type {
    WN_IO_WARC_OTHER,
    WN_IO_WARC_WARCINFO,
    WN_IO_WARC_RESPONSE, /* also each page of an ARC file */
    WN_IO_WARC_RESOURCE,
    WN_IO_WARC_REQUEST,
    WN_IO_WARC_METADATA,
    WN_IO_WARC_REVISIT,
    WN_IO_WARC_CONVERSION,
    WN_IO_WARC_CONTINUATION,
    WN_IO_WARC_TYPES, /* their number */
} wn_io_warc_type;

/* "response", …; static. "other" for what the standard does not know. */
const char *wn_io_warc_type_name(wn_io_warc_type type);

/* One record. Its strings are valid until the next one is read. */
typedef struct wn_io_warc_record {
    wn_io_place place;
    bool arc;
    wn_io_warc_type type;
    wn_str type_name; /* as it is written there */
    wn_str id;        /* "" if it has none, as in ARC */
    wn_str url;       /* without the angle brackets some put around it */
    wn_str date;
    wn_str content_type; /* of the block; of an ARC record: of the page */
    wn_str truncated; /* why the archive did not keep all: "length", "disconnect", …; else "" */
    wn_str head;      /* all header lines, the first one included */
    uint64_t length;  /* of the block, as it is declared */
} wn_io_warc_record;

typedef struct wn_io_warc {
    wn_io_source *stream; /* borrowed */
    bool arc;
    int arc_version;
    uint64_t left; /* of the current block */
    bool beyond;   /* it goes beyond the end of the file */
    bool lost;     /* no record since the last thing that was counted as broken */
    wn_buf head;
    uint64_t records;   /* so far */
    uint64_t truncated; /* records whose block is shorter than they say */
    uint64_t malformed; /* headers without a length, and places where no record is */
} wn_io_warc;

/* Whether a stream that begins so is an archive. */
bool wn_io_warc_begins(wn_str start);

void wn_io_warc_open(wn_io_warc *warc, wn_io_source *stream);
void wn_io_warc_free(wn_io_warc *warc);

/* Goes on to the next record; false at the end of the file. */
bool wn_io_warc_next(wn_io_warc *warc, wn_io_warc_record *record);

/* Passes what is left of the block and the line ends after it. False if the block is cut short. */
bool wn_io_warc_finish(wn_io_warc *warc);

/*
 * The stream was moved, perhaps into the middle of a record: what is broken before the next one is
 * not counted.
 */
void wn_io_warc_resume(wn_io_warc *warc);

/* The first bytes of the block that was not read yet: `want`, or all. Valid until the next call. */
wn_str wn_io_warc_peek(wn_io_warc *warc, size_t want);

/* Adds the block to `to`, at most `max` bytes of it. */
void wn_io_warc_read(wn_io_warc *warc, wn_buf *to, uint64_t max);

/*
 * Shows it instead, without a copy where that can be: in the stream, else in `spare`. Valid until
 * the next call.
 */
wn_str wn_io_warc_view(wn_io_warc *warc, wn_buf *spare, uint64_t max);

/* The value of a header line of `head` (WARC or HTTP), trimmed; "" if there is none. */
wn_str wn_io_header_value(wn_str head, wn_str name);

/* Decimal digits and nothing else; false also when the number is too large. */
bool wn_io_header_number(wn_str digits, uint64_t *number);

#endif
