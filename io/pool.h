/*
 * A pool of workers that keeps order: tasks are done by many threads and come out in
 * the order in which they went in.
 *
 * One thread, the caller's, fills tasks (`fill`) and takes them back when they are done (`take`),
 * strictly in order; the workers only `work`. So neither reading the inputs nor writing the output
 * needs locks, and the output cannot depend on the number of workers. With one job there are no
 * threads at all.
 *
 *     fill -> [ . . . . . . . ] -> take         a ring of tasks, so that memory is bounded
 *                 work work
 */
#ifndef WN_IO_POOL_H
#define WN_IO_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wn_io_pool {
    /* Puts the next piece of work into `task`; false when there is no more. */
    bool (*fill)(void *data, void *task);

    /* Does it. `worker` counts from 0; no two calls with the same number overlap. */
    void (*work)(void *data, size_t worker, void *task);

    /* Takes back a task that is done; false: stop, no more is wanted. */
    bool (*take)(void *data, void *task);

    /*
     * Whether so much is waiting to be taken that only the first task may begin; may be NULL.
     * Called by many threads.
     */
    bool (*hold)(void *data);

    /* Whether the ring holds so much already that nothing more may be put into it; may be NULL. */
    bool (*full)(void *data);

    /* Called now and then while the caller's thread waits; may be NULL. */
    void (*idle)(void *data);

    void *data;

    /*
     * The ring: `window` tasks, or wn_io_pool_window(jobs) of them if that is 0; made and freed by
     * the caller. With one job only the first is used.
     */
    void *tasks;
    size_t task_size;
    size_t window;
} wn_io_pool;

/* How many processor cores there are for us: a good number of jobs. */
size_t wn_io_pool_cores(void);

/* The number of tasks the ring must have for so many jobs. */
size_t wn_io_pool_window(size_t jobs);

/* Runs until all work is done or `take` says stop. */
void wn_io_pool_run(const wn_io_pool *pool, size_t jobs);

#endif
