#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif

#include "io/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    /* Tasks a worker: enough that a slow page does not make the others wait for it. */
    WINDOW_PER_JOB = 32,
    /* Milliseconds between two calls of `idle`. */
    IDLE_INTERVAL = 100,
};

/*
 * Tasks are numbered; number n lives in place n % window of the ring. Those from
 * `taken` to `begun` are at work or done, those from `begun` to `filled` wait.
 */
typedef struct pool_run {
    const wn_io_pool *pool;
    size_t window;
    bool *done; /* of each place in the ring */
    uint64_t taken, begun, filled;
    bool ended;     /* no more work comes: workers may go */
    size_t workers; /* that have begun: gives each its number */
    pthread_mutex_t lock;
    pthread_cond_t work_waits; /* something that may_begin() reads has changed, or ended */
    pthread_cond_t first_done; /* done[taken % window] */
} pool_run;

size_t wn_io_pool_cores(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        return (size_t)CPU_COUNT(&cores);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

size_t wn_io_pool_window(size_t jobs)
{
    return jobs > 1 ? jobs * WINDOW_PER_JOB : 1;
}

static void *task_at(const wn_io_pool *pool, size_t place)
{
    return (char *)pool->tasks + place * pool->task_size;
}

/* ---- Workers ----------------------------------------------------------------------------- */

/* The first task may always begin: all others wait for it. */
static bool may_begin(const pool_run *run)
{
    const wn_io_pool *pool = run->pool;
    if (run->begun == run->filled)
        return false;
    return run->begun == run->taken || !pool->hold || !pool->hold(pool->data);
}

static void *run_worker(void *data)
{
    pool_run *run = data;
    pthread_mutex_lock(&run->lock);
    size_t number = run->workers++;
    for (;;) {
        while (!may_begin(run) && !run->ended)
            pthread_cond_wait(&run->work_waits, &run->lock);
        if (run->ended)
            break;
        uint64_t task = run->begun++;
        size_t place = (size_t)(task % run->window);
        pthread_mutex_unlock(&run->lock);
        run->pool->work(run->pool->data, number, task_at(run->pool, place));
        pthread_mutex_lock(&run->lock);
        run->done[place] = true;
        if (task == run->taken)
            pthread_cond_signal(&run->first_done);
    }
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* ---- The caller's thread ----------------------------------------------------------------- */

/* An empty ring always has room. */
static bool has_room(const pool_run *run)
{
    const wn_io_pool *pool = run->pool;
    if (run->filled == run->taken)
        return true;
    return run->filled - run->taken < run->window && !(pool->full && pool->full(pool->data));
}

/* Fills free places of the ring; returns false when there is no more work. */
static bool fill_ring(pool_run *run)
{
    while (has_room(run)) {
        size_t place = (size_t)(run->filled % run->window);
        /* Nobody else looks at this place or changes `filled`, so no lock is needed yet. */
        if (!run->pool->fill(run->pool->data, task_at(run->pool, place)))
            return false;
        pthread_mutex_lock(&run->lock);
        run->done[place] = false;
        run->filled++;
        pthread_cond_signal(&run->work_waits);
        pthread_mutex_unlock(&run->lock);
    }
    return true;
}

/* Waits until the first task is done, or for IDLE_INTERVAL; tells whether it is done. */
static bool wait_for_first(pool_run *run)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += IDLE_INTERVAL * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    size_t place = (size_t)(run->taken % run->window);
    pthread_mutex_lock(&run->lock);
    int error = 0;
    while (!run->done[place] && error == 0)
        error = pthread_cond_timedwait(&run->first_done, &run->lock, &until);
    bool done = run->done[place];
    pthread_mutex_unlock(&run->lock);
    return done;
}

/* Takes the first task, which is done, out of the ring; false: stop. */
static bool take_first(pool_run *run)
{
    size_t place = (size_t)(run->taken % run->window);
    bool go_on = run->pool->take(run->pool->data, task_at(run->pool, place));
    pthread_mutex_lock(&run->lock);
    run->taken++;
    pthread_cond_broadcast(&run->work_waits);
    pthread_mutex_unlock(&run->lock);
    return go_on;
}

static void feed_and_take(pool_run *run)
{
    bool more = true, go_on = true;
    while (go_on) {
        more = more && fill_ring(run);
        if (run->taken == run->filled)
            break;
        if (wait_for_first(run))
            go_on = take_first(run);
        else if (run->pool->idle)
            run->pool->idle(run->pool->data);
    }
}

/* Without threads: the same calls in the same order. */
static void run_alone(const wn_io_pool *pool)
{
    while (pool->fill(pool->data, pool->tasks)) {
        pool->work(pool->data, 0, pool->tasks);
        if (!pool->take(pool->data, pool->tasks))
            break;
    }
}

static void end_workers(pool_run *run, pthread_t *threads, size_t count)
{
    pthread_mutex_lock(&run->lock);
    run->ended = true;
    pthread_cond_broadcast(&run->work_waits);
    pthread_mutex_unlock(&run->lock);
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* Starts as many workers as the system gives. */
static size_t start_workers(pool_run *run, pthread_t *threads, size_t jobs)
{
    size_t started = 0;
    while (started < jobs && pthread_create(&threads[started], NULL, run_worker, run) == 0)
        started++;
    return started;
}

void wn_io_pool_run(const wn_io_pool *pool, size_t jobs)
{
    pool_run run = {
        .pool = pool,
        .window = pool->window ? pool->window : wn_io_pool_window(jobs),
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .work_waits = PTHREAD_COND_INITIALIZER,
        .first_done = PTHREAD_COND_INITIALIZER,
    };
    pthread_t *threads = jobs > 1 ? calloc(jobs, sizeof *threads) : NULL;
    run.done = threads ? calloc(run.window, sizeof *run.done) : NULL;
    size_t started = run.done ? start_workers(&run, threads, jobs) : 0;
    if (started > 0) {
        feed_and_take(&run);
        end_workers(&run, threads, started);
    } else {
        run_alone(pool);
    }
    free(run.done);
    free(threads);
}
