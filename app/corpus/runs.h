/*
 * Sorting more than fits into memory: entries go in, and come out in the order of their keys.
 *
 * Entries gather in memory. When it is full they are sorted and written after each other into
 * a temporary file, as a run; at the end all runs are merged. What fits is never written.
 *
 *     in   ....[ memory ]  ->  run  run  run  ->  merge  ->  out, by key and then by page
 *
 * The file has no name (it was unlinked at once), so nothing is left behind whatever happens.
 */
#ifndef WN_CORPUS_RUNS_H
#define WN_CORPUS_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/array.h"

typedef struct wn_entry {
    uint64_t key;
    uint32_t page;
    uint32_t kind; /* what the key is made of; part of the key */
} wn_entry;

/* A stretch of sorted entries in the file, while they are merged. */
typedef struct wn_entry_run {
    uint64_t at, left; /* entries: the next one to be read, and how many remain */
    wn_entry *buffer;
    uint32_t next, filled; /* in the buffer */
} wn_entry_run;

/* Zero it, but for max, before the first use. */
typedef struct wn_runs {
    size_t max; /* entries that are kept in memory; at least 1 */
    wn_entry *entries;
    size_t count, capacity;
    FILE *file;
    wn_array(wn_entry_run) list;
    size_t buffered;         /* entries of a run that are read at once */
    wn_array(uint32_t) heap; /* numbers of runs, the one with the least entry on top */
    size_t next;             /* of `entries`, if nothing was written */
    int error;               /* errno of what failed; 0: nothing did */
} wn_runs;

/* Adds an entry; a failure is sticky and shows in `error`. */
void wn_corpus_runs_add(wn_runs *runs, wn_entry entry);

/* Ends adding; then wn_corpus_runs_next() gives the entries in order, until it is false. */
void wn_corpus_runs_sort(wn_runs *runs);
bool wn_corpus_runs_next(wn_runs *runs, wn_entry *entry);

void wn_corpus_runs_free(wn_runs *runs);

#endif
