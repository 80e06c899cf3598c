/*
 * A file as a stream of bytes, whatever it is compressed with.
 *
 * The reader looks at what comes next (peek), takes it or skips it. Compressed files are read
 * member by member, and the start of each member is remembered: it is the offset that identifies a
 * record of an archive.
 *
 * A place that cannot be decoded is a gap. The bytes before it are given out, then
 * peek comes to an end although the file has not; wn_io_source_pass_gap() continues after
 * it, at the next member that can be read.
 *
 * Memory is bounded by the largest peek, however large the file is and whatever it expands to.
 * Files are read, not mapped, so pipes work too.
 */
#ifndef WN_IO_SOURCE_H
#define WN_IO_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cost.h"
#include "io/codec.h"

/* A place in a file: where the member begins in it, and the bytes to skip in the member. */
typedef struct wn_io_place {
    uint64_t offset;
    uint64_t inner; /* 0 in files that are not compressed, and where members hold one record */
} wn_io_place;

/* A member begins at this byte of the decoded stream. */
typedef struct wn_io_source_mark {
    uint64_t position;
    uint64_t offset;
} wn_io_source_mark;

/* Where the bytes of a file come from. */
typedef struct wn_io_source_port {
    int fd;                                             /* if `read` is NULL */
    int64_t (*read)(void *data, void *to, size_t room); /* 0 at the end, -1 on failure */
    bool (*seek)(void *data, uint64_t offset);          /* NULL: it cannot */
    void *data;
    uint64_t size; /* of the file, if `read` is not NULL; 0: not known */
} wn_io_source_port;

typedef struct wn_io_source {
    wn_io_source_port port;
    bool seekable;
    bool ended;        /* the file has been read to its end */
    bool gap;          /* after the bytes that are here */
    const char *error; /* why it cannot be read on, or was not read whole; NULL: no reason */
    uint32_t lacking;  /* the number of the zstd dictionary that it would take; 0: none */
    uint64_t size;     /* of the file; 0: not known */
    uint64_t gaps;     /* so far */
    wn_io_codec codec;
    wn_io_decoder *decoder;
    bool in_member;    /* which is decoded step by step */
    uint64_t member;   /* its place in the file */
    uint64_t made;     /* bytes decoded so far, including failed attempts */
    wn_cost waste;     /* of failed attempts to find a member */
    uint64_t furthest; /* place that was reached while doing so */

    wn_buf raw; /* compressed bytes that were read */
    size_t raw_next;
    uint64_t raw_start; /* place of raw.ptr[0] in the file */

    wn_buf out; /* decoded bytes */
    size_t out_next;
    uint64_t out_start; /* position of out.ptr[0] in the decoded stream */
    wn_array(wn_io_source_mark) marks;
} wn_io_source;

/* read(), which goes on when a signal interrupts it and waits where `fd` does not. */
ssize_t wn_io_read(int fd, char *to, size_t room);

/* Begins to read `fd`, which stays the caller's. Looks at its first bytes. */
void wn_io_source_open(wn_io_source *stream, int fd);

/* The same, where `first` has been read from `fd` before. */
void wn_io_source_open_after(wn_io_source *stream, int fd, wn_str first);

/* The same for any port. */
void wn_io_source_open_port(wn_io_source *stream, const wn_io_source_port *port, wn_str first);
void wn_io_source_close(wn_io_source *stream);

/*
 * At least `want` bytes if there are so many before a gap or the end, and all that are
 * here; valid until the next call.
 */
wn_str wn_io_source_peek(wn_io_source *stream, size_t want);

/* Takes `count` bytes of those that were shown. */
void wn_io_source_take(wn_io_source *stream, size_t count);

/* Adds up to `count` bytes to `to`, or skips them; returns how many there were. */
uint64_t wn_io_source_read(wn_io_source *stream, wn_buf *to, uint64_t count);
uint64_t wn_io_source_skip(wn_io_source *stream, uint64_t count);

/*
 * Takes up to `count` bytes and shows them: where they lie if all are here, which spares a
 * copy, else read into `spare`. Valid until the next call.
 */
wn_str wn_io_source_view(wn_io_source *stream, wn_buf *spare, uint64_t count);

/* Continues after a gap; false if there is none. */
bool wn_io_source_pass_gap(wn_io_source *stream);

/* Whether all is read and taken. */
bool wn_io_source_at_end(wn_io_source *stream);

/* Where the next byte is, and the way back there; false if the file cannot be sought. */
wn_io_place wn_io_source_place(const wn_io_source *stream);
bool wn_io_source_seek(wn_io_source *stream, wn_io_place place);

/*
 * Goes to `offset`, which need not be where anything begins: in a compressed file, to the first
 * bytes from there on that look like a member. False if the file cannot be sought.
 */
bool wn_io_source_seek_near(wn_io_source *stream, uint64_t offset);

/* How much of the file has been read. */
uint64_t wn_io_source_consumed(const wn_io_source *stream);

#endif
