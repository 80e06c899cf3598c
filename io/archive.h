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

typedef enum wn_archive_kind {
    WN_ARCHIVE_NONE, /* the file is a page, or anything else */
    WN_ARCHIVE_WARC, /* or ARC */
    WN_ARCHIVE_JSONL,
} wn_archive_kind;

enum {
    /* HTTP headers end within this, or they are not worth reading. */
    WN_ARCHIVE_HEAD_LOOK = 16 << 10,
    /* Room for the header lines before a page. */
    WN_ARCHIVE_HEAD_ROOM = 64 << 10,
};

typedef struct wn_archive {
    wn_archive_kind kind;
    wn_source stream;
    wn_warc warc;
    uint64_t max_page; /* bytes of a page that are read */
    uint64_t pages;    /* so far */
    uint64_t line_end; /* of JSON lines: place in the file of the piece with the last line end */
} wn_archive;

/* A page; its strings are valid until the next one. */
typedef struct wn_archived {
    wn_place place;
    wn_str id, url, content_type; /* "" where there is none */
    uint64_t broken;              /* places of the file up to here */
} wn_archived;

/* Whether a name is that of an archive: .warc, .arc, .jsonl, .ndjson, with .gz, .zst, .lz4 or not. */
wn_archive_kind wn_archive_by_name(wn_str name);

/* Whether `bytes`, with which a file begins, may be an archive: then it is worth opening. */
bool wn_archive_may_be(wn_str name, wn_str bytes);

/*
 * Looks at what `fd` holds and prepares to read it; `first` are bytes that were read from it
 * before. When the kind is NONE only wn_archive_close() may follow. `fd` stays the caller's.
 */
wn_archive_kind wn_archive_open(wn_archive *archive, int fd, wn_str name, wn_str first,
                                uint64_t max_page);
void wn_archive_close(wn_archive *archive);

/* Passes all bytes up to the end of a line, that included. */
void wn_archive_pass_line(wn_archive *archive);

/* The next page; its record goes to `block`. False at the end. */
bool wn_archive_next(wn_archive *archive, wn_archived *page, wn_buf *block);

/* Goes on behind a page that was read by an earlier run; false when it is not there. */
bool wn_archive_go_behind(wn_archive *archive, wn_place place, uint64_t broken);

/* What is wrong with the file as far as it was read: appends it to `out`; false: nothing. */
bool wn_archive_problem(const wn_archive *archive, wn_buf *out);

/* The places of the file that were damaged as far as it was read. */
uint64_t wn_archive_broken(const wn_archive *archive);

/*
 * The body of a response or resource, of whose block at most `max` bytes and one are given out; valid as long as
 * the block and until the next call. `response` is filled in.
 */
wn_str wn_archive_body(wn_body_decoder *decoder, wn_str block, wn_str declared_type, uint64_t max,
                       wn_response *response);

/* Whether a body of that declared type is a page, by the type and by what its bytes are. */
bool wn_archive_is_page(wn_str content_type, wn_str bytes);

/* Whether a record may hold a page, by what it declares. `start` is the start of its block. */
bool wn_archive_may_be_page(const wn_warc_record *record, wn_str start);

#endif
