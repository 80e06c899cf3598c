/*
 * Bytes that wait for a slow reader: in memory up to a bound, then in a file that has no name.
 */
#ifndef WN_SERVE_SPOOL_H
#define WN_SERVE_SPOOL_H

#include "base/buf.h"

/* Zero it, with fd -1, before the first use. */
typedef struct wn_serve_spool {
    wn_buf memory;
    size_t taken; /* bytes at the start of `memory` that were read */
    int fd;       /* the file; -1: none yet. What is in it comes before what is in memory */
    uint64_t written, read;
    bool failed; /* the disk is full, or memory is out: some bytes are missing */
} wn_serve_spool;

void wn_serve_spool_add(wn_serve_spool *spool, wn_str bytes);

/* Takes up to `room` bytes; 0 if there are none at the moment. */
size_t wn_serve_spool_take(wn_serve_spool *spool, char *out, size_t room);
void wn_serve_spool_free(wn_serve_spool *spool);

#endif
