#include "serve/pool.h"

#include <pthread.h>
#include <stdlib.h>

struct wn_serve_pool {
    pthread_mutex_t lock;
    pthread_cond_t more;
    wn_serve_task *first, **end;
    bool stopping;
    wn_serve_work *work;
    void *data;
    size_t started, numbered; /* threads, and those that have taken their number */
    pthread_t threads[];
};

/* The next task; NULL when there will be no more. */
static wn_serve_task *take(wn_serve_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (!pool->first && !pool->stopping)
        pthread_cond_wait(&pool->more, &pool->lock);
    wn_serve_task *task = pool->first;
    if (task) {
        pool->first = task->next;
        if (!pool->first)
            pool->end = &pool->first;
    }
    pthread_mutex_unlock(&pool->lock);
    return task;
}

static void *run(void *data)
{
    wn_serve_pool *pool = data;
    wn_serve_task *task;
    pthread_mutex_lock(&pool->lock);
    size_t number = pool->numbered++;
    pthread_mutex_unlock(&pool->lock);
    while ((task = take(pool)))
        pool->work(pool->data, number, task);
    return NULL;
}

wn_serve_pool *wn_serve_pool_start(size_t threads, wn_serve_work *work, void *data)
{
    wn_serve_pool *pool = calloc(1, sizeof *pool + threads * sizeof *pool->threads);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->more, NULL);
    pool->end = &pool->first;
    pool->work = work;
    pool->data = data;
    while (pool->started < threads &&
           pthread_create(&pool->threads[pool->started], NULL, run, pool) == 0)
        pool->started++;
    if (pool->started == threads)
        return pool;
    wn_serve_pool_stop(pool);
    return NULL;
}

void wn_serve_pool_push(wn_serve_pool *pool, wn_serve_task *task)
{
    task->next = NULL;
    pthread_mutex_lock(&pool->lock);
    *pool->end = task;
    pool->end = &task->next;
    pthread_cond_signal(&pool->more);
    pthread_mutex_unlock(&pool->lock);
}

void wn_serve_pool_stop(wn_serve_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->started; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->more);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
