/*
 * Many pages in one request: a JSON object per line comes in, a record per line goes out, in order.
 *
 *     network thread                      the batch's thread, and its workers
 *     --------------                      -----------------------------------
 *     body -> input --- lines ----------> winnow_run_pages() -> spool
 *     answer <------------------------------------------------'
 *
 * Pages are worked on while the body still comes. HTTP/1 gives no answer before the request has
 * ended, so what is ready before that waits in the spool. When lines come faster than they are
 * worked on, or records slower than they are read, the connection is suspended.
 *
 * The call and the thread end in any order; the last of them frees the batch.
 */
#include <stdlib.h>
#include <time.h>

#include "io/progress.h"
#include "serve/handlers.h"
#include "serve/server_parts.h"
#include "winnow-io.h"

enum {
    MOST_BATCHES = 4,
    MOST_INPUT = 4 << 20, /* bytes of lines that wait, besides the one that is being sent */
    PART = 64 << 10,      /* of the answer */
    LOOK_UP_NS = 100000000,
};

typedef struct wn_serve_batch {
    wn_serve_server *server;
    wn_serve_call *call;      /* NULL: it has ended */
    wn_serve_request request; /* the parts of the call's that lines need */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    wn_buf input;
    size_t used;     /* bytes at the start of `input` that were taken */
    size_t searched; /* bytes of the rest that have no line end */
    bool skipping;   /* the line is too long: its end is waited for */
    bool body_ended, aborted, finished;
    bool waiting; /* the connection is suspended */
    wn_serve_spool spool;
} wn_serve_batch;

/* A line on its way. */
typedef struct line_task {
    wn_buf line, out;
    bool too_long;
} line_task;

static void free_batch(wn_serve_batch *batch)
{
    wn_buf_free(&batch->input);
    wn_serve_spool_close(&batch->spool);
    wn_serve_request_free(&batch->request);
    pthread_cond_destroy(&batch->changed);
    pthread_mutex_destroy(&batch->lock);
    free(batch);
}

/* Lets the connection go on, if it waits for us. With the lock. */
static void wake(wn_serve_batch *batch)
{
    if (batch->waiting && batch->call) {
        batch->waiting = false;
        MHD_resume_connection(batch->call->connection);
    }
}

/* Suspends the connection until wake(). With the lock. */
static void sleep_until_woken(wn_serve_batch *batch)
{
    batch->waiting = true;
    wn_serve_client_allow(batch->call->client, 0);
    MHD_suspend_connection(batch->call->connection);
}

/* A line of JSON may be twice as long as the page in it, and more. */
static size_t longest_line(const wn_serve_batch *batch)
{
    return (size_t)batch->server->settings->max_bytes * 2 + PART;
}

/* ---- The batch's thread: lines ----------------------------------------------------------- */

/* Removes what was taken from the front, now and then. With the lock. */
static void tidy_input(wn_serve_batch *batch)
{
    if (batch->used < MOST_INPUT / 2 && batch->used < batch->input.len)
        return;
    memmove(batch->input.ptr, batch->input.ptr + batch->used, batch->input.len - batch->used);
    batch->input.len -= batch->used;
    batch->used = 0;
}

/*
 * Takes the next line that is complete, or the last one. With the lock; false: not yet, or no more.
 */
static bool take_line(wn_serve_batch *batch, line_task *task)
{
    wn_str rest = wn_str_from_offset(wn_buf_str(&batch->input), batch->used);
    const char *from = rest.ptr + batch->searched;
    const char *end = memchr(from, '\n', rest.len - batch->searched);
    batch->searched = end ? 0 : rest.len;
    if (!end && rest.len > longest_line(batch)) {
        batch->skipping = true;
        batch->used = batch->input.len;
        batch->searched = 0;
        tidy_input(batch);
    }
    if (!end && !(batch->body_ended && (rest.len > 0 || batch->skipping)))
        return false;
    wn_str line = end ? wn_str_between(rest.ptr, end) : rest;
    wn_buf_clear(&task->line);
    task->too_long = batch->skipping || line.len > longest_line(batch);
    if (!task->too_long)
        wn_buf_add(&task->line, wn_str_trim(line));
    batch->skipping = false;
    batch->searched = 0;
    batch->used += line.len + (end != NULL);
    tidy_input(batch);
    return true;
}

/* With the lock. Looks up now and then, since nobody signals that the server gives up. */
static void wait_for_change(wn_serve_batch *batch)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_UP_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&batch->changed, &batch->lock, &until);
}

static bool next_line(void *data, winnow_task *place)
{
    wn_serve_batch *batch = data;
    line_task *task = place->own;
    bool taken = false;
    pthread_mutex_lock(&batch->lock);
    while (!batch->aborted && !batch->server->giving_up) {
        taken = take_line(batch, task);
        if (batch->input.len - batch->used < MOST_INPUT / 2 && !batch->body_ended)
            wake(batch);
        if (taken && (task->line.len > 0 || task->too_long))
            break;
        if (!taken && batch->body_ended)
            break;
        if (!taken)
            wait_for_change(batch);
        taken = false;
    }
    pthread_mutex_unlock(&batch->lock);
    return taken;
}

static void work_on_line(void *data, winnow_worker *own, winnow_task *place)
{
    wn_serve_batch *batch = data;
    line_task *task = place->own;
    wn_serve_worker worker = {.settings = batch->server->settings, .page = own->page};
    wn_buf_clear(&task->out);
    wn_serve_batch_line(&worker, &batch->request, wn_buf_str(&task->line), task->too_long,
                        &task->out);
    place->waiting = task->out.len;
    batch->server->stats.batch_pages++;
}

static bool take_record(void *data, winnow_task *place)
{
    wn_serve_batch *batch = data;
    line_task *task = place->own;
    pthread_mutex_lock(&batch->lock);
    wn_serve_spool_add(&batch->spool, wn_buf_str(&task->out));
    if (batch->body_ended)
        wake(batch);
    bool more = !batch->aborted && !batch->spool.failed;
    pthread_mutex_unlock(&batch->lock);
    if (task->out.cap > MOST_INPUT)
        wn_buf_free(&task->out);
    return more;
}

static void end_line(void *data, winnow_task *place)
{
    line_task *task = place->own;
    (void)data;
    wn_buf_free(&task->line);
    wn_buf_free(&task->out);
}

static bool is_cancelled(void *data)
{
    const wn_serve_batch *batch = data;
    return batch->server->giving_up;
}

static void *run_batch(void *data)
{
    wn_serve_batch *batch = data;
    wn_serve_server *server = batch->server;
    winnow_status status = winnow_run_pages(&(winnow_run){
        .struct_size = sizeof(winnow_run),
        .threads = server->settings->workers,
        .task_size = sizeof(line_task),
        .next = next_line,
        .work = work_on_line,
        .take = take_record,
        .end_task = end_line,
        .cancel = is_cancelled,
        .data = batch,
        .ahead = server->settings->workers * 2,
    });
    pthread_mutex_lock(&batch->lock);
    batch->spool.failed = batch->spool.failed || status == WINNOW_STATUS_NO_MEMORY;
    batch->finished = true;
    wake(batch);
    bool last = batch->call == NULL;
    pthread_mutex_unlock(&batch->lock);
    if (last)
        free_batch(batch);
    server->batches--;
    return NULL;
}

/* ---- The network's thread ---------------------------------------------------------------- */

static wn_serve_batch *new_batch(wn_serve_call *call)
{
    wn_serve_batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return NULL;
    batch->server = call->server;
    batch->call = call;
    pthread_mutex_init(&batch->lock, NULL);
    pthread_cond_init(&batch->changed, NULL);
    wn_arena_init(&batch->request.arena, 0);
    wn_serve_request_set_target(&batch->request, call->request.target);
    batch->request.id = wn_arena_copy(&batch->request.arena, call->request.id);
    return batch;
}

/* Starts the thread, which nobody waits for. */
static bool start_thread(wn_serve_batch *batch)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_batch, batch) != 0)
        return false;
    pthread_detach(thread);
    return true;
}

bool wn_serve_batch_begin(wn_serve_call *call)
{
    wn_serve_server *server = call->server;
    if (wn_serve_header(&call->request, "content-encoding").len > 0) {
        wn_serve_fail(&call->answer, &call->request, 415, "a batch may not be compressed");
        return false;
    }
    if (!wn_serve_batch_check(&server->direct, &call->request, &call->answer))
        return false;
    bool room = atomic_fetch_add(&server->batches, 1) < MOST_BATCHES;
    wn_serve_batch *batch = room ? new_batch(call) : NULL;
    if (batch && wn_serve_spool_open(&batch->spool, server->spools) && start_thread(batch)) {
        call->batch = batch;
        return true;
    }
    server->batches--;
    if (batch)
        free_batch(batch);
    wn_serve_fail_busy(&call->answer, &call->request, 503,
                       "too many batches at once; try again soon");
    return false;
}

size_t wn_serve_batch_take(wn_serve_call *call, const char *data, size_t size)
{
    wn_serve_batch *batch = call->batch;
    pthread_mutex_lock(&batch->lock);
    size_t pending = batch->input.len - batch->used;
    bool full = pending > MOST_INPUT && batch->searched < pending && !batch->finished;
    if (full) {
        sleep_until_woken(batch);
    } else if (!batch->finished) {
        wn_buf_add(&batch->input, wn_str_from(data, size));
        batch->aborted = batch->aborted || batch->input.failed;
        pthread_cond_signal(&batch->changed);
    }
    pthread_mutex_unlock(&batch->lock);
    return full ? 0 : size;
}

/* The next part of the answer; waits for it without holding the network's thread. */
static ssize_t read_part(void *data, uint64_t position, char *out, size_t room)
{
    wn_serve_call *call = data;
    wn_serve_batch *batch = call->batch;
    ssize_t result = 0;
    (void)position;
    pthread_mutex_lock(&batch->lock);
    size_t size = wn_serve_spool_take(&batch->spool, out, room);
    if (size > 0)
        result = (ssize_t)size;
    else if (batch->finished)
        result = batch->spool.failed || batch->server->giving_up ? MHD_CONTENT_READER_END_WITH_ERROR
                                                                 : MHD_CONTENT_READER_END_OF_STREAM;
    else
        sleep_until_woken(batch);
    if (result > 0)
        wn_serve_client_allow(call->client, call->server->settings->timeout);
    pthread_mutex_unlock(&batch->lock);
    return result;
}

enum MHD_Result wn_serve_batch_answer(wn_serve_call *call)
{
    wn_serve_batch *batch = call->batch;
    pthread_mutex_lock(&batch->lock);
    batch->body_ended = true;
    pthread_cond_signal(&batch->changed);
    pthread_mutex_unlock(&batch->lock);
    call->stage = WN_SERVE_AT_ANSWER;
    call->answer.status = 200;
    call->answer.type = "application/x-ndjson";
    struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PART,
                                                                      read_part, call, NULL);
    if (!response)
        return MHD_NO;
    wn_serve_call_add_headers(call, response);
    wn_serve_client_allow(call->client, call->server->settings->timeout);
    enum MHD_Result result = MHD_queue_response(call->connection, 200, response);
    MHD_destroy_response(response);
    return result;
}

void wn_serve_batch_end(wn_serve_call *call)
{
    wn_serve_batch *batch = call->batch;
    call->batch = NULL;
    pthread_mutex_lock(&batch->lock);
    batch->call = NULL;
    batch->aborted = true;
    pthread_cond_signal(&batch->changed);
    bool last = batch->finished;
    pthread_mutex_unlock(&batch->lock);
    if (last)
        free_batch(batch);
}
