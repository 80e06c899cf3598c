/*
 * Pages out of files that hold many: web archives (WARC, ARC) and JSON lines with a
 * field "html", each also compressed.
 *
 * Only what may be a page is given out. That is decided by what is declared, before a
 * record is read; what its bytes say is for those who decode it (input.h), because
 * they are many and the reader is one.
 */
#ifndef WN_IO_ARCHIVE_H
#define WN_IO_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/response.h"
#include "io/warc.h"

typedef enum wn_io_archive_kind {
    WN_IO_ARCHIVE_NONE, /* the file is a page, or anything else */
    WN_IO_ARCHIVE_WARC, /* or ARC */
    WN_IO_ARCHIVE_JSONL,
} wn_io_archive_kind;

enum {
    /* HTTP headers end within this, or they are not worth reading. */
    WN_IO_ARCHIVE_HEAD_LOOK = 16 << 10,
    /* Room for the header lines before a page. */
    WN_IO_ARCHIVE_HEAD_ROOM = 64 << 10,
};

typedef struct wn_io_archive {
    wn_io_archive_kind kind;
    wn_io_source stream;
    wn_io_warc warc;
    uint64_t max_page;    /* bytes of a page that are read */
    uint64_t pages;       /* so far */
    uint64_t conversions; /* so far: records of WET files */
    uint64_t line_end;    /* of JSON lines: place in the file of the piece with the last line end */
} wn_io_archive;

/* A page; its strings are valid until the next one. */
typedef struct wn_io_archived {
    wn_io_place place;
    wn_str id, url, content_type; /* "" where there is none */
    uint64_t broken;              /* places of the file up to here */
    bool truncated;               /* its end is missing, as the archive says or the file shows */
} wn_io_archived;

/* A name without the ending of a compression: "page.html" of "page.html.gz". */
wn_str wn_io_without_codec(wn_str name);

/*
 * Whether a name is that of an archive: .warc, .arc, .jsonl, .ndjson, with .gz, .zst, .lz4 or not.
 */
wn_io_archive_kind wn_io_archive_by_name(wn_str name);

/* Whether `bytes`, with which a file begins, may be an archive: then it is worth opening. */
bool wn_io_archive_may_be(wn_str name, wn_str bytes);

/*
 * Looks at what `fd` holds and prepares to read it; `first` are bytes that were read from it
 * before. `told` is what the user says that it is; NONE: the name and the bytes tell. When the kind is NONE only wn_io_archive_close() may follow. `fd` stays the caller's.
 */
wn_io_archive_kind wn_io_archive_open(wn_io_archive *archive, int fd, wn_str name, wn_str first,
                                      wn_io_archive_kind told, uint64_t max_page);
void wn_io_archive_close(wn_io_archive *archive);

/* Passes all bytes up to the end of a line, that included. */
void wn_io_archive_pass_line(wn_io_archive *archive);

/* The next page; its record goes to `block`. False at the end. */
bool wn_io_archive_next(wn_io_archive *archive, wn_io_archived *page, wn_buf *block);

/* Continues after a page that an earlier run read; false when it is not there. */
bool wn_io_archive_continue_after(wn_io_archive *archive, wn_io_place place, uint64_t broken);

/* What is wrong with the file as far as it was read: appends it to `out`; false: nothing. */
bool wn_io_archive_problem(const wn_io_archive *archive, wn_buf *out);

/* The places of the file that were damaged as far as it was read. */
uint64_t wn_io_archive_broken(const wn_io_archive *archive);

/* The response that a block begins with; a block without a head is all body. */
wn_io_response wn_io_archive_response(wn_str block, wn_str declared_type);

/*
 * The body of a response or resource, of whose block at most `max` bytes and one are given out;
 * valid as long as the block and until the next call. `response` is filled in.
 */
wn_str wn_io_archive_body(wn_io_body_decoder *decoder, wn_str block, wn_str declared_type,
                          uint64_t max, wn_io_response *response);

/* Whether a body of that declared type is a page, by the type and by what its bytes are. */
bool wn_io_archive_is_page(wn_str content_type, wn_str bytes);

/* Whether a record may hold a page, by what it declares. `start` is the start of its block. */
bool wn_io_archive_may_be_page(const wn_io_warc_record *record, wn_str start);

#endif
