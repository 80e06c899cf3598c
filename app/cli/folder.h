/*
 * `-o DIR/`: a file per page.
 *
 * A file is named after the page's address, or after its input: characters that are special to a
 * file system or a shell become "_", and of two pages with the same name the second gets "-2".
 * Names are assigned in the order of the pages, so they do not depend on the number of threads.
 * Files are created relative to the open directory, under names without a slash: nothing is ever
 * written outside it.
 *
 * DIR/index.jsonl says which page is in which file, and which pages gave none. It is a resumable
 * output (io/output.h): after an interruption, the pages that it lists are done.
 */
#ifndef WN_CLI_FOLDER_H
#define WN_CLI_FOLDER_H

#include "base/array.h"
#include "base/buf.h"
#include "base/map.h"

typedef struct wn_cli_folder {
    int fd;
    wn_buf path;        /* ends with a slash */
    wn_buf index;       /* the name of its index */
    const char *ending; /* of its files: ".md" */
    bool replaces;      /* files that are there */
    bool was_empty;
    wn_map used;               /* names, in lower case: some file systems do not tell cases apart */
    wn_array(uint32_t) number; /* by name: the last one that was tried to tell pages apart */
    wn_arena names;
    uint64_t files, bytes; /* since the last checkpoint */
    bool began;            /* there was a checkpoint */
} wn_cli_folder;

/* Whether the argument of -o names a directory: it ends with a slash, or is one. */
bool wn_cli_folder_is_meant(const char *output);

/* Opens the directory, or makes it; what is wrong, or NULL. */
const char *wn_cli_folder_open(wn_cli_folder *folder, const char *path, const char *ending,
                               bool overwrite);

/* Whether an earlier run was interrupted here. */
bool wn_cli_folder_was_begun(const wn_cli_folder *folder);

/*
 * Goes on after an earlier run, which wrote what its index, `bytes` long in `index`, tells of.
 * What is wrong, or NULL.
 */
const char *wn_cli_folder_resume(wn_cli_folder *folder, const char *index, uint64_t bytes);

/* Begins again: the names of an earlier run are free. */
void wn_cli_folder_restart(wn_cli_folder *folder);

/*
 * Adds the name of a page without its ending: from its address (or NULL), else from its id. `input`
 * is the word of the command line that led to it.
 */
void wn_cli_folder_add_name(wn_buf *name, const char *url, const char *id, const char *input);

/*
 * Writes the file of a page. `name` is what wn_cli_folder_add_name() gave, and becomes the file's
 * name. What is wrong, or NULL.
 */
const char *wn_cli_folder_write(wn_cli_folder *folder, wn_buf *name, wn_str bytes);

/* Whether enough was written since the last checkpoint; if so, it is made safe. */
bool wn_cli_folder_checkpoint_due(wn_cli_folder *folder);

void wn_cli_folder_free(wn_cli_folder *folder);

#endif
