/*
 * Resuming an interrupted run: what a checkpoint of the output (io/output.h) records about the
 * inputs.
 *
 * The key of the work is all that must be the same for this: the words of the command,
 * the version, and the files with their sizes and times.
 */
#ifndef WN_CLI_RESUME_H
#define WN_CLI_RESUME_H

#include "base/buf.h"
#include "io/progress.h"
#include "winnow-io.h"

/* How far the work is. */
typedef struct wn_work_state {
    winnow_bookmark last;    /* the last page that was written */
    wn_buf memory;           /* of its strings */
    uint64_t taken, written; /* pages */
} wn_work_state;

/* Adds the words of the command to the key; before they are parsed. */
void wn_cli_resume_add_words(wn_buf *key, char **args);

/* Adds what identifies the files after the names. */
void wn_cli_resume_add_files(wn_buf *key, char **names);

/* Whether work on these names can be taken up again: standard input can not. */
bool wn_cli_resume_possible(char **names);

/* The state as text, and back; false if the text is not a state. `memory` is to be freed. */
void wn_cli_resume_write(wn_buf *out, const wn_work_state *state, const wn_io_progress *progress);
bool wn_cli_resume_read(wn_str text, wn_work_state *state, wn_io_progress *progress);

#endif
