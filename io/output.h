/*
 * The output: standard output, or a file that appears only when it is complete.
 *
 * A file is written under a temporary name beside it and renamed at the end, so nobody ever sees
 * half of a file, and an existing file stays until then. Ctrl-C removes the temporary file. Devices
 * and pipes are written to directly.
 *
 * A name that ends in .gz, .zst or .lz4 has its file compressed.
 *
 * Long runs can be resumed after an interruption of any kind. It is written to FILE.part; at
 * checkpoints it is synced to disk, and FILE.part.done records how much of FILE.part is valid and
 * how far the work has come. Checkpoints, and the compressed pieces that end with them, depend on
 * what is written and not on time, so that an interrupted run gives the same bytes in the end.
 *
 * A reader that closes the pipe (`| head`) has what it wanted: that is not an error, only the end
 * of the work. A full disk is an error. Both are sticky: `state` is checked after each page, not
 * after each write.
 */
#ifndef WN_IO_OUTPUT_H
#define WN_IO_OUTPUT_H

#include <stdbool.h>

#include "base/buf.h"
#include "io/codec.h"

typedef enum wn_io_output_state {
    WN_IO_OUTPUT_OPEN,
    WN_IO_OUTPUT_CLOSED, /* by its reader: stop, quietly */
    WN_IO_OUTPUT_FAILED, /* `error` says how */
} wn_io_output_state;

typedef struct wn_io_output {
    wn_io_output_state state;
    int fd;
    wn_buf pending;   /* not yet written */
    wn_buf path;      /* of the file; empty: standard output or a device */
    wn_buf temporary; /* its name until it is complete */
    bool overwrite;
    wn_buf error;           /* a message for the user */
    wn_io_encoder *encoder; /* NULL: as it is */
    wn_buf packed;          /* compressed and not yet written */
    bool resumable;
    wn_buf marker;    /* name of the file that records the progress */
    uint64_t key;     /* what work it is */
    wn_buf saved;     /* where an earlier run stood; empty: it starts from the beginning */
    bool kept;        /* there is a checkpoint to go on from */
    uint64_t written; /* bytes of the file */
    uint64_t since;   /* bytes added since the last checkpoint */
    bool terminal;    /* what it would obey is made visible: wn_add_visible() */
} wn_io_output;

/*
 * Opens `path`; NULL or "-" is standard output. False when it cannot be opened, or
 * exists and `overwrite` is not set: `error` says so.
 */
bool wn_io_output_open(wn_io_output *output, const char *path, bool overwrite);

/*
 * The same for work that can be resumed; `key` distinguishes it from other work with the same
 * output. If there is a checkpoint, `saved` is what wn_io_output_checkpoint() was given.
 */
bool wn_io_output_open_resumable(wn_io_output *output, const char *path, bool overwrite,
                                 wn_str key);

/*
 * With `raw`, text is written to a terminal unchanged. Pages and archives are untrusted, and an
 * escape sequence can change more than colours.
 */
void wn_io_output_set_raw(wn_io_output *output, bool raw);

/* Whether enough was added since the last checkpoint. */
bool wn_io_output_checkpoint_due(const wn_io_output *output);

/* Syncs what was added to disk; `state` describes how far the work is. */
void wn_io_output_checkpoint(wn_io_output *output, wn_str state);

/* Ends the compressed piece that was begun, so that the next bytes can be read without it. */
void wn_io_output_end_piece(wn_io_output *output);

/* Starts from the beginning although there was a checkpoint. */
void wn_io_output_restart(wn_io_output *output);

void wn_io_output_add(wn_io_output *output, wn_str bytes);

/* Writes what is pending, for a reader who is waiting for it. */
void wn_io_output_flush(wn_io_output *output);

/* Writes the rest and gives the file its name; false when that failed: `error` says how. */
bool wn_io_output_finish(wn_io_output *output);

/* Frees everything; a file that was not finished is removed. */
void wn_io_output_free(wn_io_output *output);

/*
 * From now on Ctrl-C and its like remove the temporary file and end the program with
 * 128 + the signal's number, and a closed pipe is an error of write(), not a signal.
 */
void wn_io_output_handle_signals(void);

/* A line of progress that ends without a newline is at the terminal, or no longer. */
void wn_io_output_note_line(bool open);

#endif
