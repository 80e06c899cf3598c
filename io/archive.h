/*
 * Pages out of files that hold many: web archives (WARC, ARC) and JSON lines with a
 * field "html", each also compressed.
 *
 * Only records that may be pages are returned. That is decided from the declared type, before a
 * record is read. The content is examined later, by the threads that decode it (input.h): there are
 * many of them and only one reader.
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
    /* HTTP headers longer than this are not worth reading. */
    WN_IO_ARCHIVE_HEAD_LOOK = 16 << 10,
    /* Room for the header lines before a page. */
    WN_IO_ARCHIVE_HEAD_ROOM = 64 << 10,
};

typedef struct wn_io_archive {
    wn_io_archive_kind kind;
    wn_io_source stream;
    wn_io_warc warc;
    uint64_t max_page; /* bytes of a page that are read */
    uint64_t pages;    /* so far */
    uint64_t line_end; /* of JSON lines: place in the file of the piece with the last line end */
} wn_io_archive;

/* A page; its strings are valid until the next one. */
typedef struct wn_io_archived {
    wn_io_place place;
    wn_str id, url, content_type; /* "" where there is none */
    uint64_t broken;              /* places of the file up to here */
    bool truncated;               /* its end is missing, according to the archive or the file */
    bool is_text;                 /* it is not HTML but the text of a page, as in WET files */
    wn_str date;                  /* "" where there is none */
    uint64_t length;              /* bytes of the file that it takes; 0: it shares a piece */
} wn_io_archived;

/* A name without the ending of a compression: "page.html" of "page.html.gz". */
wn_str wn_io_without_codec(wn_str name);

/*
 * Whether a name is that of an archive: .warc, .arc, .wet, .jsonl, .ndjson, with .gz, .zst, .lz4 or
 * not.
 */
wn_io_archive_kind wn_io_archive_by_name(wn_str name);

/* Whether a file that begins with `bytes` may be an archive and is worth opening. */
bool wn_io_archive_may_be(wn_str name, wn_str bytes);

/*
 * Detects what `fd` contains and prepares to read it; `first` are bytes already read from it.
 * `told` is the kind given by the user; NONE: detect it from the name and content. If the detected
 * kind is NONE, only wn_io_archive_close() may follow. The caller still owns `fd`.
 */
wn_io_archive_kind wn_io_archive_open(wn_io_archive *archive, int fd, wn_str name, wn_str first,
                                      wn_io_archive_kind told, uint64_t max_page);
void wn_io_archive_close(wn_io_archive *archive);

/* Skips all bytes up to and including the end of a line. */
void wn_io_archive_pass_line(wn_io_archive *archive);

/* The next page; its record goes to `block`. False at the end. */
bool wn_io_archive_next(wn_io_archive *archive, wn_io_archived *page, wn_buf *block);

/* Continues after a page that an earlier run read; false when it is not there. */
bool wn_io_archive_continue_after(wn_io_archive *archive, wn_io_place place, uint64_t broken);

/* Appends to `out` what is wrong with the file as far as it was read; false if nothing is. */
bool wn_io_archive_problem(const wn_io_archive *archive, wn_buf *out);

/* How many bytes of the file the record takes that starts at `offset`, once it was read. */
uint64_t wn_io_archive_length(wn_io_archive *archive, uint64_t offset);

/* The places of the file that were damaged as far as it was read. */
uint64_t wn_io_archive_broken(const wn_io_archive *archive);

/* The response at the start of a block; a block without HTTP headers is all body. */
wn_io_response wn_io_archive_response(wn_str block, wn_str declared_type);

/*
 * The body of a response or resource, at most `max` + 1 bytes; valid as long as the block and until
 * the next call. `response` is filled in.
 */
wn_str wn_io_archive_body(wn_io_body_decoder *decoder, wn_str block, wn_str declared_type,
                          uint64_t max, wn_io_response *response);

/* Whether a body of that declared type is a page, by the type and by what its bytes are. */
bool wn_io_archive_is_page(wn_str content_type, wn_str bytes);

/* Whether a record is the text of a page, as in WET files. */
bool wn_io_archive_is_text(const wn_io_warc_record *record);

/* Whether a record may hold a page, or its text, by what it declares. `start` is the start of its block. */
bool wn_io_archive_may_be_page(const wn_io_warc_record *record, wn_str start);

#endif
