/*
 * Many pages on many threads, in order, as plain C: no thread here ever touches Python, so workers
 * need no GIL and the interpreter may end while they work.
 *
 *     add -> [ . . . . . . . ] -> take        tasks that wait, are worked on, or are done
 *               work work
 *
 * Pages come from the caller, who adds them, or from an archive, which the workers read themselves:
 * who has nothing to do reads the next record. winnow_run_pages() is not used because it calls back
 * for its pages, and a Python iterator is called for its results.
 */
#ifndef BINDING_RUN_H
#define BINDING_RUN_H

#include <pthread.h>

#include "result.h"
#include "winnow-io.h"

/* One page on its way. */
typedef struct task {
    struct task *next;
    const void *bytes; /* borrowed from `source`, or `owned` */
    size_t size;
    char *owned;
    char *path;   /* or the page is in this file, compressed or not */
    void *source; /* the caller's */
    bool is_utf8; /* whatever it declares */
    bool done;    /* guarded by the lock of the run */
    origin origin;
    result result;
} task;

/* NULL: out of memory. */
task *task_new(void);

/* `source` must have been taken out of it. */
void task_free(task *t);

/* Gives it a copy of the bytes of a page, or of plain text as a page; false: out of memory. */
bool task_copy(task *t, const void *bytes, size_t size, bool is_text);

typedef struct run run;

/* How it is done. Everything is borrowed. */
typedef struct run_plan {
    const winnow_options *options;
    const char *method;
    unsigned prepared; /* bits, as in result.h */
    size_t threads;
    size_t ahead;          /* tasks at a time */
    winnow_reader *reader; /* the archive; NULL: tasks are added */
    const char *file;      /* its name; may be NULL */
} run_plan;

/* Starts the threads; NULL if out of memory or there can be no thread. */
run *run_start(const run_plan *plan);

/* Stops the work, also in the middle of a page, and waits for the threads. */
void run_stop(run *r);

/* Ends it. What was not taken is given to `release`, which may be NULL. */
void run_free(run *r, void (*release)(void *source));

/* In a child process there are no threads: frees nothing, waits for nothing. */
bool run_is_of_this_process(const run *r);

typedef enum run_state {
    RUN_READY,   /* the next page can be taken */
    RUN_HUNGRY,  /* more pages should be added before the next one is waited for */
    RUN_WORKING, /* the next page is being worked on */
    RUN_EMPTY,   /* there is no page: it is over, or none was added */
} run_state;

/* When pages should be added. */
typedef enum run_appetite {
    RUN_ADDS_NONE,
    RUN_ADDS_TO_WAIT, /* while the next page is not ready, if there is room */
    RUN_ADDS_TO_FEED, /* also when it is ready, if the workers will soon have nothing to do */
} run_appetite;

/* What to do next; waits up to `milliseconds` while it is RUN_WORKING. */
run_state run_look(run *r, run_appetite appetite, unsigned milliseconds);

void run_add(run *r, task *t);

/* The first page, if it is RUN_READY. You own it. */
task *run_take(run *r);

/* Told when the process forks: how often that happened. */
unsigned fork_count(void);
void fork_watch(void);

#endif
