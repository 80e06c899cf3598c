/*
 * Threads that take tasks from one queue, first in, first out.
 */
#ifndef WN_SERVE_POOL_H
#define WN_SERVE_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* The first member of what is worked on. */
typedef struct wn_serve_task {
    struct wn_serve_task *next;
} wn_serve_task;

typedef struct wn_serve_pool wn_serve_pool;

/* What one thread does with a task; `thread` counts from 0. */
typedef void wn_serve_work(void *data, size_t thread, wn_serve_task *task);

/* Starts the threads; NULL when that is not possible. */
wn_serve_pool *wn_serve_pool_start(size_t threads, wn_serve_work *work, void *data);

/* Adds a task. The queue has no bound of its own: the caller counts. */
void wn_serve_pool_push(wn_serve_pool *pool, wn_serve_task *task);

/* Ends the threads when all tasks are done, and frees the pool; NULL is fine. */
void wn_serve_pool_stop(wn_serve_pool *pool);

#endif
