/*
 * Bytes that wait for a slow reader: in memory up to a limit, then in an unnamed file.
 *
 * The files are opened when the server starts, as its sandbox lets it make none later, and are used
 * again for spool after spool.
 */
#ifndef WN_SERVE_SPOOL_H
#define WN_SERVE_SPOOL_H

#include <stdatomic.h>

#include "base/buf.h"

enum { WN_SERVE_SPOOLS = 16 };

typedef struct wn_serve_spool_file {
    int fd; /* -1: it could not be made, and spools that need it fail */
    _Atomic bool used;
} wn_serve_spool_file;

/* Makes the files, in the folder for temporary ones. */
void wn_serve_spool_files_open(wn_serve_spool_file files[WN_SERVE_SPOOLS]);
void wn_serve_spool_files_close(wn_serve_spool_file files[WN_SERVE_SPOOLS]);

/* Zero it before it is opened. */
typedef struct wn_serve_spool {
    wn_buf memory;
    size_t taken;              /* bytes at the start of `memory` that were read */
    wn_serve_spool_file *file; /* what is in it comes before what is in memory */
    uint64_t written, read;
    bool failed; /* the disk is full, or out of memory: some bytes are missing */
} wn_serve_spool;

/* False when all files are in use. */
bool wn_serve_spool_open(wn_serve_spool *spool, wn_serve_spool_file files[WN_SERVE_SPOOLS]);

void wn_serve_spool_add(wn_serve_spool *spool, wn_str bytes);

/* Takes up to `room` bytes; 0 if there are none at the moment. */
size_t wn_serve_spool_take(wn_serve_spool *spool, char *out, size_t room);

/* Gives the file back, empty. A spool that was never opened may be closed. */
void wn_serve_spool_close(wn_serve_spool *spool);

#endif
