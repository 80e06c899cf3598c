/*
 * A walk through a directory and everything below it, in an order that never varies.
 *
 * The pages come in the bytewise order of their paths, as `find DIR | LC_ALL=C sort` would print
 * them. It includes every regular file, or link to one, whose name ends in .html, .htm, .xhtml,
 * .xht or .shtml, in any case, and every web archive (.warc, .arc, .wet), each perhaps with .gz,
 * .zst or .lz4 after it. Links to directories are not followed, so there are no loops.
 *
 * The walk keeps only the entries of the directories between its root and the current position, and
 * does not recurse: neither many pages nor deep trees are a problem.
 */
#ifndef WN_IO_WALK_H
#define WN_IO_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/buf.h"

typedef struct wn_io_walk_frame wn_io_walk_frame;

typedef struct wn_io_walk {
    wn_array(wn_io_walk_frame) frames; /* open directories, the root first */
    wn_buf path;                       /* of the innermost one */
    uint64_t found;                    /* pages and errors so far */
} wn_io_walk;

typedef enum wn_io_walk_step {
    WN_IO_WALK_PAGE,
    WN_IO_WALK_ERROR, /* a directory could not be read; errno says why; the walk can go on */
    WN_IO_WALK_END,
} wn_io_walk_step;

/* Whether a file of that name is taken. */
bool wn_io_is_page_name(wn_str name);

/* Begins at `root`, a directory; the first step reads it. `walk` was zeroed or has ended. */
void wn_io_walk_begin(wn_io_walk *walk, const char *root);

/* Goes on to the next page or error and puts its path into `path`. */
wn_io_walk_step wn_io_walk_next(wn_io_walk *walk, wn_buf *path);

/*
 * The number of pages that are known to come. It is exact unless directories are
 * among them that were not read yet: then *exact becomes false.
 */
uint64_t wn_io_walk_ahead(const wn_io_walk *walk, bool *exact);

void wn_io_walk_free(wn_io_walk *walk);

#endif
