#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_WAITING = 64 << 20, /* bytes of pages that wait to be worked on or taken */
    KEPT_PAGE = 64 << 20,    /* a handle that one page made larger than this is not kept */
};

struct run {
    pthread_mutex_t lock;
    pthread_cond_t for_workers, for_caller;
    run_plan plan;
    char *file, *method;
    winnow_options *options;
    unsigned process; /* fork_count() */

    /* All guarded by the lock. */
    task *first, *last; /* in order */
    task *todo;         /* the first that nobody works on */
    size_t count;       /* of tasks */
    size_t waiting;     /* of those that nobody works on */
    size_t bytes;       /* of all tasks */
    bool reading;       /* a worker reads the archive */
    bool ended;         /* the archive has */
    bool joined;

    atomic_bool stopped;
    size_t thread_count;
    pthread_t threads[];
};

/* ---- Forks ------------------------------------------------------------------------------- */

static atomic_uint forks;

static void note_fork(void)
{
    atomic_fetch_add(&forks, 1);
}

static void register_fork(void)
{
    pthread_atfork(NULL, NULL, note_fork);
}

void fork_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_fork);
}

unsigned fork_count(void)
{
    return atomic_load(&forks);
}

bool run_is_of_this_process(const run *r)
{
    return r->process == fork_count();
}

/* ---- Tasks ------------------------------------------------------------------------------- */

task *task_new(void)
{
    return calloc(1, sizeof(task));
}

void task_free(task *t)
{
    if (!t)
        return;
    origin_clear(&t->origin);
    result_clear(&t->result);
    free(t->owned);
    free(t->path);
    free(t);
}

bool task_copy(task *t, const void *bytes, size_t size, bool is_text)
{
    size_t start = is_text ? strlen(WINNOW_PLAIN_TEXT) : 0;
    char *copy = malloc(start + size + 1);
    if (!copy)
        return false;
    memcpy(copy, WINNOW_PLAIN_TEXT, start);
    if (size > 0)
        memcpy(copy + start, bytes, size);
    t->bytes = t->owned = copy;
    t->size = start + size;
    return true;
}

static void append(run *r, task *t)
{
    if (r->last)
        r->last->next = t;
    else
        r->first = t;
    r->last = t;
    r->count++;
    r->bytes += t->size;
}

/* ---- Work -------------------------------------------------------------------------------- */

typedef struct worker {
    run *run;
    winnow_page *page;
    winnow_options *options; /* with the address and charset of the page at hand */
    const char *url, *charset;
} worker;

static bool is_stopped(void *data)
{
    run *r = data;
    return atomic_load_explicit(&r->stopped, memory_order_relaxed);
}

static void fail(task *t, winnow_status status, const char *error)
{
    result_clear(&t->result);
    t->result.status = status;
    t->result.error = copy_text(error);
    t->result.method = t->result.encoding = "";
}

/* Reads the file of a task, compressed or not. */
static void load_file(task *t)
{
    winnow_reader_settings settings = {.struct_size = sizeof settings, .kind = WINNOW_ARCHIVE_PAGE};
    winnow_reader *reader = winnow_reader_open(t->path, &settings);
    const winnow_archive_record *record = reader ? winnow_reader_next(reader) : NULL;
    const winnow_error *error = winnow_reader_error(reader);
    if (record) {
        t->owned = malloc(record->size + 1);
        if (t->owned && record->size > 0)
            memcpy(t->owned, record->body, record->size);
        t->bytes = t->owned;
        t->size = t->owned ? record->size : 0;
    } else if (error->status == WINNOW_STATUS_UNREADABLE) {
        t->origin.error = copy_text(error->message);
    } else {
        t->bytes = ""; /* an empty file is an empty page */
    }
    if (!t->bytes && !t->origin.error)
        t->origin.error = copy_text("out of memory");
    winnow_reader_close(reader);
}

static bool keep_outputs(worker *w, task *t, winnow_selection *content)
{
    bool kept = true;
    for (unsigned f = 0; f < FORMAT_COUNT; f++)
        if (w->run->plan.prepared & 1u << f)
            kept = kept && result_keep(&t->result, w->page, content, (winnow_format)f, w->options,
                                       &t->origin);
    if (content && w->run->plan.prepared & PREPARES_FACTS)
        kept = kept && facts_copy(&t->result.facts, winnow_selection_metadata(content));
    return kept;
}

/* A page whose bytes could not be read has a record, but no text. */
static void write_unreadable(worker *w, task *t)
{
    fail(t, WINNOW_STATUS_UNREADABLE, t->origin.error);
    keep_outputs(w, t, NULL);
}

static void extract_page(worker *w, task *t)
{
    const char *url = t->origin.url ? t->origin.url : w->url;
    const char *charset = t->is_utf8 ? "utf-8" : t->origin.charset ? t->origin.charset : w->charset;
    winnow_options_set_text(w->options, WINNOW_OPTION_URL, url);
    winnow_options_set_text(w->options, WINNOW_OPTION_CHARSET, charset);
    winnow_parse(w->page, t->bytes, t->size, w->options);
    winnow_selection *content = winnow_select(w->page, w->run->method, w->options);
    bool noted = result_note(&t->result, w->page, content, t->bytes, t->size, t->origin.incomplete);
    if (!noted || !keep_outputs(w, t, content))
        fail(t, WINNOW_STATUS_NO_MEMORY, "out of memory");
}

/* A handle that a page made very large is replaced, and one that there could not be is made. */
static bool has_page(worker *w)
{
    if (w->page && winnow_page_memory(w->page) <= KEPT_PAGE)
        return true;
    winnow_page_free(w->page);
    w->page = winnow_page_new();
    return w->page != NULL;
}

static void do_task(worker *w, task *t)
{
    if (t->path)
        load_file(t);
    if (!has_page(w) || !w->options)
        fail(t, WINNOW_STATUS_NO_MEMORY, "out of memory");
    else if (t->origin.error)
        write_unreadable(w, t);
    else
        extract_page(w, t);
}

/* ---- Archives ---------------------------------------------------------------------------- */

/* The id of a record, or of what has none: its place. */
static char *id_of(const char *file, const winnow_archive_record *record)
{
    if (*record->id)
        return copy_text(record->id);
    size_t size = (file ? strlen(file) : 0) + 48;
    char *id = malloc(size);
    if (id)
        snprintf(id, size, record->inner ? "%s@%llu+%llu" : "%s@%llu", file ? file : "",
                 (unsigned long long)record->offset, (unsigned long long)record->inner);
    return id;
}

/* The next record that is a page, as a task; NULL at the end, or if out of memory. */
static task *read_record(run *r)
{
    const winnow_archive_record *record = winnow_reader_next(r->plan.reader);
    task *t = record ? task_new() : NULL;
    if (!t)
        return NULL;
    t->origin = (origin){
        .id = id_of(r->file, record),
        .url = copy_text(record->url),
        .charset = copy_text(record->charset),
        .date = copy_text(record->date),
        .file = copy_text(r->file),
        .offset = record->offset,
        .inner = record->inner,
        .incomplete = missing_parts(record->truncated, record->damaged),
        .length = record->length,
        .http_status = record->status,
        .media_type = copy_text(record->media_type),
        .error = copy_text(record->problem),
    };
    if (!task_copy(t, record->body, record->size, record->type == WINNOW_RECORD_CONVERSION)) {
        task_free(t);
        return NULL;
    }
    return t;
}

static bool has_room(const run *r)
{
    return r->count < r->plan.threads || (r->count < r->plan.ahead && r->bytes < MOST_WAITING);
}

/* A task for a worker, with the lock held; NULL: the work is over. */
static task *next_task(run *r)
{
    for (;;) {
        if (is_stopped(r))
            return NULL;
        if (r->todo) {
            task *t = r->todo;
            r->todo = t->next;
            r->waiting--;
            return t;
        }
        if (r->plan.reader && !r->reading && !r->ended && has_room(r)) {
            r->reading = true;
            pthread_mutex_unlock(&r->lock);
            task *t = read_record(r);
            pthread_mutex_lock(&r->lock);
            r->reading = false;
            if (t) {
                append(r, t);
                pthread_cond_signal(&r->for_workers);
                return t;
            }
            r->ended = true;
            pthread_cond_broadcast(&r->for_workers);
            pthread_cond_signal(&r->for_caller);
        }
        if (r->ended)
            return NULL;
        pthread_cond_wait(&r->for_workers, &r->lock);
    }
}

static void *work(void *data)
{
    run *r = data;
    worker w = {
        .run = r,
        .options = winnow_options_copy(r->options),
        .url = winnow_options_text(r->options, WINNOW_OPTION_URL),
        .charset = winnow_options_text(r->options, WINNOW_OPTION_CHARSET),
    };
    winnow_options_set_cancel(w.options, is_stopped, r);
    pthread_mutex_lock(&r->lock);
    for (task *t; (t = next_task(r));) {
        size_t size = t->size;
        pthread_mutex_unlock(&r->lock);
        do_task(&w, t);
        pthread_mutex_lock(&r->lock);
        r->bytes += t->size - size; /* of a file that was read */
        t->done = true;
        if (t == r->first)
            pthread_cond_signal(&r->for_caller);
    }
    pthread_mutex_unlock(&r->lock);
    winnow_options_free(w.options);
    winnow_page_free(w.page);
    return NULL;
}

/* ---- The caller -------------------------------------------------------------------------- */

/* Signals go to the caller's threads: Python's handlers run there. */
static void start_threads(run *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (r->thread_count < r->plan.threads &&
           pthread_create(&r->threads[r->thread_count], NULL, work, r) == 0)
        r->thread_count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void release_run(run *r)
{
    pthread_cond_destroy(&r->for_workers);
    pthread_cond_destroy(&r->for_caller);
    pthread_mutex_destroy(&r->lock);
    winnow_options_free(r->options);
    free(r->file);
    free(r->method);
    free(r);
}

run *run_start(const run_plan *plan)
{
    run *r = calloc(1, sizeof *r + plan->threads * sizeof *r->threads);
    if (!r)
        return NULL;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
#ifndef __APPLE__
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
#endif
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->for_workers, NULL);
    pthread_cond_init(&r->for_caller, &monotonic);
    pthread_condattr_destroy(&monotonic);
    r->plan = *plan;
    r->file = copy_text(plan->file);
    r->method = copy_text(plan->method);
    r->options = plan->options ? winnow_options_copy(plan->options) : winnow_options_new();
    r->process = fork_count();
    if (r->options)
        start_threads(r);
    if (r->thread_count == 0) {
        release_run(r);
        return NULL;
    }
    return r;
}

void run_stop(run *r)
{
    if (r->joined || !run_is_of_this_process(r))
        return;
    atomic_store(&r->stopped, true);
    pthread_mutex_lock(&r->lock);
    pthread_cond_broadcast(&r->for_workers);
    pthread_mutex_unlock(&r->lock);
    for (size_t i = 0; i < r->thread_count; i++)
        pthread_join(r->threads[i], NULL);
    r->joined = true;
}

void run_free(run *r, void (*release)(void *source))
{
    if (!r || !run_is_of_this_process(r))
        return;
    run_stop(r);
    for (task *t = r->first, *next; t; t = next) {
        next = t->next;
        if (t->source && release)
            release(t->source);
        task_free(t);
    }
    release_run(r);
}

static struct timespec soon(unsigned milliseconds)
{
    struct timespec t;
#ifdef __APPLE__
    clock_gettime(CLOCK_REALTIME, &t);
#else
    clock_gettime(CLOCK_MONOTONIC, &t);
#endif
    t.tv_nsec += (long)milliseconds * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* With the lock held. */
static run_state state_of(const run *r, run_appetite appetite)
{
    bool ready = r->first && r->first->done;
    bool starving = r->waiting < 2 * r->plan.threads;
    if (has_room(r) && ((appetite == RUN_ADDS_TO_FEED && starving) || (appetite && !ready)))
        return RUN_HUNGRY;
    if (r->first)
        return ready ? RUN_READY : RUN_WORKING;
    return r->plan.reader && !r->ended && !r->joined ? RUN_WORKING : RUN_EMPTY;
}

run_state run_look(run *r, run_appetite appetite, unsigned milliseconds)
{
    struct timespec until = soon(milliseconds);
    pthread_mutex_lock(&r->lock);
    run_state state = state_of(r, appetite);
    int waited = 0;
    while (state == RUN_WORKING && milliseconds > 0 && waited != ETIMEDOUT) {
        waited = pthread_cond_timedwait(&r->for_caller, &r->lock, &until);
        state = state_of(r, appetite);
    }
    pthread_mutex_unlock(&r->lock);
    return state;
}

void run_add(run *r, task *t)
{
    pthread_mutex_lock(&r->lock);
    append(r, t);
    if (!r->todo)
        r->todo = t;
    r->waiting++;
    pthread_cond_signal(&r->for_workers);
    pthread_mutex_unlock(&r->lock);
}

task *run_take(run *r)
{
    pthread_mutex_lock(&r->lock);
    task *t = r->first;
    if (t && t->done) {
        r->first = t->next;
        if (!r->first)
            r->last = NULL;
        r->count--;
        r->bytes -= t->size;
        t->next = NULL;
        pthread_cond_signal(&r->for_workers);
    } else {
        t = NULL;
    }
    pthread_mutex_unlock(&r->lock);
    return t;
}
