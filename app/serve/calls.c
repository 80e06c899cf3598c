/*
 * A request from its head to its end, as libmicrohttpd tells it.
 *
 * The handler is called once for the head, then for each part of the body, then once more when the
 * body is complete. The connection is suspended there, and a worker resumes it when the answer is
 * made; then the handler is called for the last time. A request that is refused early keeps its
 * answer until its body has come, since a client that still sends would not read it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/progress.h"
#include "serve/fetch.h"
#include "serve/guard.h"
#include "serve/server_parts.h"

enum {
    FIRST_BODY = 256 << 10,    /* memory for a body before any of it has come */
    TIMED_PART = 64 << 10,     /* bytes that a client must send within --timeout */
    SMALL_ANSWER = 64 << 10,   /* bytes that a client must take within it */
    MOST_THROWN_AWAY = 2,      /* of a body that was refused, in largest bodies */
    LONGEST_ID = 64,           /* of a request */
    MOST_WAITING_SECONDS = 10, /* in the queue */
};

/*
 * What files of the web page may do: run and load what is ours, show pages in a frame of their own.
 */
#define PAGE_POLICY                                                                                \
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " \
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "                            \
    "frame-src 'self' data: blob:; worker-src 'self' blob:; manifest-src 'self'; "                 \
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/* The frame of a page with its images; the web page narrows this to the hosts that it has named. */
#define FRAME_POLICY "default-src 'none'; img-src http: https:; frame-ancestors 'self'"

/* Everything else comes from pages that nobody trusts. */
#define DATA_POLICY "default-src 'none'; sandbox; frame-ancestors 'none'"

/* ---- Clients ----------------------------------------------------------------------------- */

static int64_t clock_ms(void)
{
    return (int64_t)(wn_io_seconds() * 1000);
}

void wn_serve_client_allow(wn_serve_client *client, double seconds)
{
    if (client)
        client->deadline = seconds > 0 ? clock_ms() + (int64_t)(seconds * 1000) : 0;
}

static wn_serve_client *client_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(
        connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static wn_serve_client *client_new(wn_serve_server *server, struct MHD_Connection *connection)
{
    wn_serve_client *client = calloc(1, sizeof *client);
    const union MHD_ConnectionInfo *fd = MHD_get_connection_info(connection,
                                                                 MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *address = MHD_get_connection_info(
        connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!client)
        return NULL;
    client->fd = fd ? fd->connect_fd : -1;
    wn_serve_address_text(address ? address->client_addr : NULL, client->address);
    client->slot = (uint32_t)(wn_hash_keyed(server->key, wn_str_of(client->address)) %
                              WN_SERVE_CLIENT_SLOTS);
    wn_serve_client_allow(client, server->settings->timeout);
    return client;
}

/* Once it is off the list nobody touches its socket, which is closed after this. */
static void client_free(wn_serve_server *server, wn_serve_client *client)
{
    pthread_mutex_lock(&server->clients_lock);
    *client->link = client->next;
    if (client->next)
        client->next->link = client->link;
    pthread_mutex_unlock(&server->clients_lock);
    free(client);
}

void wn_serve_client_notify(void *data, struct MHD_Connection *connection, void **place,
                            enum MHD_ConnectionNotificationCode code)
{
    wn_serve_server *server = data;
    wn_serve_client *client = *place;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        server->stats.connections--;
        if (client)
            client_free(server, client);
        return;
    }
    server->stats.connections++;
    *place = client = client_new(server, connection);
    if (!client)
        return;
    pthread_mutex_lock(&server->clients_lock);
    client->next = server->clients;
    client->link = &server->clients;
    if (client->next)
        client->next->link = &client->next;
    server->clients = client;
    pthread_mutex_unlock(&server->clients_lock);
}

/* ---- Begin and end ----------------------------------------------------------------------- */

void *wn_serve_call_begin(void *data, const char *uri, struct MHD_Connection *connection)
{
    wn_serve_server *server = data;
    wn_serve_call *call = calloc(1, sizeof *call);
    if (!call)
        return NULL;
    server->calls++;
    call->server = server;
    call->connection = connection;
    call->client = client_of(connection);
    call->method = "?";
    call->begun = wn_io_seconds();
    call->request.fetched.bytes = (wn_buf){0};
    wn_arena_init(&call->request.arena, 0);
    wn_arena_init(&call->answer.arena, 0);
    wn_serve_request_set_target(&call->request, wn_str_of(uri));
    return call;
}

static void release_slot(wn_serve_call *call)
{
    if (call->counted && call->client)
        call->server->busy[call->client->slot]--;
    call->counted = false;
}

/* Gives back the memory of the body; the worker is done with it. */
static void release_body(wn_serve_call *call)
{
    call->server->stats.body_bytes -= call->held;
    call->held = 0;
    wn_buf_free(&call->request.body);
    wn_buf_free(&call->request.fetched.bytes);
}

static const char *remark_of(const wn_serve_call *call, enum MHD_RequestTerminationCode code)
{
    if (call->client && call->client->cut)
        return "too slow, cut off";
    if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        return NULL;
    return code == MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN ? "the server stopped"
                                                          : "the client went away";
}

void wn_serve_call_end(void *data, struct MHD_Connection *connection, void **place,
                       enum MHD_RequestTerminationCode code)
{
    wn_serve_server *server = data;
    wn_serve_call *call = *place;
    (void)connection;
    if (!call)
        return;
    if (call->batch)
        wn_serve_batch_end(call);
    release_slot(call);
    release_body(call);
    double seconds = wn_io_seconds() - call->begun;
    uint64_t out = call->answer.fixed.len ? call->answer.fixed.len : call->answer.body.len;
    unsigned status = call->answer.status ? call->answer.status : 400;
    wn_serve_stats_count(&server->stats, call->route, status, seconds, call->received, out);
    server->stats.log_lost += !wn_serve_log_add(
        &server->log, &(wn_serve_entry){
                          .client = call->client ? call->client->address : "?",
                          .method = call->method,
                          .target = call->request.target,
                          .id = call->request.id,
                          .status = status,
                          .milliseconds = seconds * 1000,
                          .in = call->received,
                          .out = out,
                          .remark = remark_of(call, code),
                      });
    wn_serve_client_allow(call->client, server->settings->timeout);
    wn_serve_request_free(&call->request);
    wn_serve_answer_free(&call->answer);
    free(call);
    *place = NULL;
    server->calls--;
}

/* ---- The head ---------------------------------------------------------------------------- */

static enum MHD_Result copy_header(void *data, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    (void)kind;
    return wn_serve_request_add_header(data, wn_str_of(name), wn_str_of(value)) ? MHD_YES : MHD_NO;
}

/* The client's own id, if it is one that may be repeated in headers and logs. */
static bool is_sound_id(wn_str id)
{
    bool sound = id.len > 0 && id.len <= LONGEST_ID;
    for (size_t i = 0; sound && i < id.len; i++)
        sound = wn_is_ascii_alnum(id.ptr[i]) || strchr("-_.:", id.ptr[i]);
    return sound;
}

static void name_request(wn_serve_call *call)
{
    wn_str given = wn_serve_header(&call->request, "x-request-id");
    char id[40];
    uint64_t number = ++call->server->ids;
    snprintf(id, sizeof id, "%016" PRIx64, wn_hash_keyed_number(call->server->key, number));
    call->request.id = is_sound_id(given) ? given
                                          : wn_arena_copy(&call->request.arena, wn_str_of(id));
}

/* The length that the client announces; 0 if it does not. */
static uint64_t announced(const wn_serve_call *call)
{
    wn_str text = wn_serve_header(&call->request, "content-length");
    uint64_t length = 0;
    for (size_t i = 0; i < text.len && wn_is_ascii_digit(text.ptr[i]); i++)
        if (__builtin_mul_overflow(length, 10, &length) ||
            __builtin_add_overflow(length, (uint64_t)(text.ptr[i] - '0'), &length))
            return UINT64_MAX;
    return length;
}

static uint64_t largest_body(const wn_serve_call *call)
{
    const wn_serve_settings *s = call->server->settings;
    return call->route && call->route->batch ? s->max_batch : s->max_bytes;
}

static void refuse(wn_serve_call *call)
{
    call->refused = true;
    release_body(call);
}

static void refuse_too_large(wn_serve_call *call)
{
    wn_serve_fail(&call->answer, &call->request, 413,
                  "the body is larger than this server takes; see --max-bytes");
    refuse(call);
}

/*
 * Whether it is certain where the body ends. A proxy that believes another length than we do takes a
 * part of the body for the next request, which its guard has not seen.
 * https://www.rfc-editor.org/rfc/rfc9112#section-6.3
 */
static bool has_certain_end(const wn_serve_request *request)
{
    unsigned lengths = 0;
    for (uint32_t i = 0; i < request->headers.count; i++) {
        const wn_serve_pair *header = &request->headers.items[i];
        bool encoded = wn_str_eq(header->name, WN_STR("transfer-encoding"));
        lengths += encoded || wn_str_eq(header->name, WN_STR("content-length"));
        if (encoded && !wn_str_eq_nocase(wn_str_trim(header->value), WN_STR("chunked")))
            return false;
    }
    return lengths <= 1;
}

/* Nothing that follows is read: it may be a part of the body. */
static enum MHD_Result refuse_uncertain(wn_serve_call *call)
{
    wn_serve_fail(&call->answer, &call->request, 400,
                  "it is not certain where the body ends: the request has several lengths, or a "
                  "Transfer-Encoding other than chunked");
    refuse(call);
    return wn_serve_call_send(call);
}

static enum MHD_Result take_head(wn_serve_call *call, const char *method)
{
    wn_serve_server *server = call->server;
    call->method = wn_arena_c_string(&call->request.arena, wn_str_of(method));
    call->request.verb = wn_serve_verb_of(method);
    call->stage = WN_SERVE_AT_BODY;
    int copied = MHD_get_connection_values(call->connection, MHD_HEADER_KIND, copy_header,
                                           &call->request);
    (void)copied;
    name_request(call);
    if (!has_certain_end(&call->request))
        return refuse_uncertain(call);
    uint64_t length = announced(call);
    call->route = wn_serve_admit(server->settings, &call->request, &call->answer);
    wn_serve_client_allow(call->client, server->settings->timeout);
    if (!call->route)
        refuse(call);
    else if (length > largest_body(call))
        refuse_too_large(call);
    else if (call->route->batch && !wn_serve_batch_begin(call))
        refuse(call);
    /* A body that is announced as larger than what we would throw away is not waited for. */
    if (call->refused && length > MOST_THROWN_AWAY * largest_body(call))
        return wn_serve_call_send(call);
    if (!call->refused && !call->route->batch && length > 0)
        wn_buf_reserve(&call->request.body, length < FIRST_BODY ? (size_t)length : FIRST_BODY);
    return MHD_YES;
}

/* ---- The body ---------------------------------------------------------------------------- */

/* Keeps a part of the body, if there is room for it. */
static void keep_part(wn_serve_call *call, const char *data, size_t size)
{
    wn_serve_server *server = call->server;
    if (call->received > largest_body(call)) {
        refuse_too_large(call);
        return;
    }
    call->held += size;
    uint64_t all = atomic_fetch_add(&server->stats.body_bytes, size) + size;
    wn_buf_add(&call->request.body, wn_str_from(data, size));
    if (all > server->settings->max_waiting || call->request.body.failed) {
        wn_serve_fail_busy(&call->answer, &call->request, 503,
                           "too many bodies are in memory; try again soon");
        refuse(call);
    }
}

/* A client that sends a byte now and then gains no time by it. */
static void allow_more(wn_serve_call *call)
{
    if (call->received - call->renewed < TIMED_PART)
        return;
    call->renewed = call->received;
    wn_serve_client_allow(call->client, call->server->settings->timeout);
}

static enum MHD_Result take_part(wn_serve_call *call, const char *data, size_t *size)
{
    size_t taken = *size;
    if (call->batch && !call->refused) {
        taken = wn_serve_batch_take(call, data, *size);
        call->received += taken;
        *size -= taken;
        if (!call->refused && call->received > largest_body(call))
            refuse_too_large(call);
    } else {
        call->received += taken;
        if (!call->refused)
            keep_part(call, data, taken);
        *size = 0;
    }
    /* A client that goes on sending what was refused is cut off in the end. */
    if (call->refused && call->received > MOST_THROWN_AWAY * largest_body(call))
        return MHD_NO;
    allow_more(call);
    return MHD_YES;
}

/* ---- The work ---------------------------------------------------------------------------- */

/* Whether there is room for one more request of this client; counts it. */
static bool reserve_place(wn_serve_call *call)
{
    wn_serve_server *server = call->server;
    const wn_serve_settings *s = server->settings;
    if (call->client && s->per_client) {
        call->counted = true;
        if (atomic_fetch_add(&server->busy[call->client->slot], 1) >= s->per_client) {
            wn_serve_fail_busy(&call->answer, &call->request, 429,
                               "too many requests of this client at once; try again soon");
            return false;
        }
    }
    if (atomic_fetch_add(&server->stats.waiting, 1) >= s->queue) {
        server->stats.waiting--;
        wn_serve_fail_busy(&call->answer, &call->request, 503, "the queue is full; try again soon");
        return false;
    }
    return true;
}

static enum MHD_Result begin_work(wn_serve_call *call)
{
    wn_serve_server *server = call->server;
    if (call->route->direct) {
        wn_serve_answer_request(call->route, &server->direct, &call->request, &call->answer);
        return wn_serve_call_send(call);
    }
    if (!reserve_place(call))
        return wn_serve_call_send(call);
    wn_serve_client_allow(call->client, 0);
    call->stage = WN_SERVE_AT_WORK;
    call->queued = wn_io_seconds();
    MHD_suspend_connection(call->connection);
    wn_serve_pool_push(server->workers, &call->task);
    return MHD_YES;
}

static void finish_work(wn_serve_call *call)
{
    release_slot(call);
    release_body(call);
    call->stage = WN_SERVE_AT_ANSWER;
    MHD_resume_connection(call->connection);
}

void wn_serve_call_work(void *data, size_t thread, wn_serve_task *task)
{
    wn_serve_server *server = data;
    wn_serve_call *call = (wn_serve_call *)task;
    wn_serve_worker *worker = &server->worker[thread];
    server->stats.waiting--;
    server->stats.working++;
    if (wn_io_seconds() - call->queued > MOST_WAITING_SECONDS)
        wn_serve_fail_busy(&call->answer, &call->request, 503,
                           "the request waited too long for a worker; try again soon");
    else
        wn_serve_answer_request(call->route, worker, &call->request, &call->answer);
    wn_serve_worker_rest(worker);
    bool must_fetch = call->answer.fetch && server->fetchers;
    server->fetching += must_fetch;
    server->stats.working--;
    if (must_fetch)
        wn_serve_pool_push(server->fetchers, task);
    else
        finish_work(call);
}

void wn_serve_call_fetch(void *data, size_t thread, wn_serve_task *task)
{
    wn_serve_server *server = data;
    wn_serve_call *call = (wn_serve_call *)task;
    wn_serve_fetch(server->http[thread], server->settings, call->answer.fetch, &call->request);
    call->answer.fetch = NULL;
    call->held += call->request.fetched.bytes.len;
    server->stats.body_bytes += call->request.fetched.bytes.len;
    server->stats.waiting++;
    server->fetching--;
    call->queued = wn_io_seconds();
    wn_serve_pool_push(server->workers, task);
}

/* ---- The answer -------------------------------------------------------------------------- */

void wn_serve_call_add_headers(wn_serve_call *call, struct MHD_Response *response)
{
    wn_serve_answer *answer = &call->answer;
    const struct {
        const char *name, *value;
    } fixed[] = {
        {"X-Request-Id", wn_arena_c_string(&answer->arena, call->request.id)},
        {"X-Content-Type-Options", "nosniff"},
        {"Content-Security-Policy", answer->is_frame  ? FRAME_POLICY
                                    : answer->is_page ? PAGE_POLICY
                                                      : DATA_POLICY},
        {"Cross-Origin-Resource-Policy",
         call->server->settings->origin_count ? "cross-origin" : "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"X-Frame-Options", answer->is_frame ? "SAMEORIGIN" : "DENY"},
        {"Referrer-Policy", "no-referrer"},
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        MHD_add_response_header(response, fixed[i].name, fixed[i].value);
    if (answer->type && answer->status != 204 && answer->status != 304)
        MHD_add_response_header(response, "Content-Type", answer->type);
    if (!answer->is_page)
        MHD_add_response_header(response, "Cache-Control", "no-store");
    wn_serve_allow_origin(call->server->settings, &call->request, answer);
    for (uint32_t i = 0; i < answer->headers.count; i++)
        MHD_add_response_header(response, answer->headers.items[i].name.ptr,
                                answer->headers.items[i].value.ptr);
    if (call->server->stats.stopping || call->refused)
        MHD_add_response_header(response, "Connection", "close");
}

static wn_str body_of(const wn_serve_call *call)
{
    return call->answer.fixed.len ? call->answer.fixed : wn_buf_str(&call->answer.body);
}

/*
 * The next part of a large answer. The client has taken those before it, and gets time for this
 * one.
 */
static ssize_t read_answer(void *data, uint64_t position, char *out, size_t room)
{
    wn_serve_call *call = data;
    wn_str rest = wn_str_from_offset(body_of(call), (size_t)position);
    size_t size = rest.len < room ? rest.len : room;
    memcpy(out, rest.ptr, size);
    wn_serve_client_allow(call->client, call->server->settings->timeout);
    return (ssize_t)size;
}

enum MHD_Result wn_serve_call_send(wn_serve_call *call)
{
    wn_str body = body_of(call);
    /* The bytes live as long as the call, which ends after the last of them was sent. */
    struct MHD_Response *response =
        body.len > SMALL_ANSWER
            ? MHD_create_response_from_callback(body.len, SMALL_ANSWER, read_answer, call, NULL)
            : MHD_create_response_from_buffer(body.len, (void *)body.ptr, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    call->stage = WN_SERVE_AT_ANSWER;
    wn_serve_call_add_headers(call, response);
    wn_serve_client_allow(call->client, call->server->settings->timeout);
    enum MHD_Result result = MHD_queue_response(call->connection, call->answer.status, response);
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result wn_serve_call_handle(void *server, struct MHD_Connection *connection,
                                     const char *url, const char *method, const char *version,
                                     const char *data, size_t *size, void **place)
{
    wn_serve_call *call = *place;
    (void)server;
    (void)connection;
    (void)url;
    (void)version;
    if (!call)
        return MHD_NO;
    switch (call->stage) {
    case WN_SERVE_AT_HEAD:
        return take_head(call, method);
    case WN_SERVE_AT_BODY:
        if (*size > 0)
            return take_part(call, data, size);
        if (call->refused)
            return wn_serve_call_send(call);
        return call->batch ? wn_serve_batch_answer(call) : begin_work(call);
    case WN_SERVE_AT_WORK:
        return MHD_YES;
    case WN_SERVE_AT_ANSWER:
        return wn_serve_call_send(call);
    }
    return MHD_NO;
}
