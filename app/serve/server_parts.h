/*
 * What the files of the server share; see server.h.
 */
#ifndef WN_SERVE_SERVER_PARTS_H
#define WN_SERVE_SERVER_PARTS_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "io/http.h"
#include "serve/listen.h"
#include "serve/log.h"
#include "serve/pool.h"
#include "serve/route.h"
#include "serve/sandbox.h"
#include "serve/settings.h"
#include "serve/spool.h"
#include "serve/stats.h"

enum { WN_SERVE_CLIENT_SLOTS = 4096 };

/* A connection. The list of all of them is for the watch over slow clients. */
typedef struct wn_serve_client {
    struct wn_serve_client *next, **link;
    int fd;
    _Atomic int64_t deadline; /* milliseconds of the clock; 0: none */
    _Atomic bool cut;
    char address[WN_SERVE_ADDRESS];
    uint32_t slot; /* of its address, in `busy` */
} wn_serve_client;

typedef struct wn_serve_server {
    const wn_serve_settings *settings;
    wn_serve_stats stats;
    wn_serve_log log;
    struct MHD_Daemon *daemon;
    wn_serve_pool *workers, *fetchers;
    wn_serve_worker *worker;            /* settings->workers of them */
    wn_serve_worker direct;             /* for routes that need no page */
    wn_io_http **http;                  /* one per fetcher */
    _Atomic uint64_t calls;             /* requests that have begun and not ended */
    _Atomic uint64_t ids;               /* of requests */
    _Atomic uint64_t batches, fetching; /* now */
    _Atomic bool giving_up; /* the time to stop in is over: batches end where they are */
    wn_hash_key key;
    _Atomic uint32_t busy[WN_SERVE_CLIENT_SLOTS]; /* requests in work, by the client's address */
    pthread_mutex_t clients_lock;
    wn_serve_client *clients;
    wn_serve_spool_file spools[WN_SERVE_SPOOLS];
    wn_serve_sandbox sandbox;
} wn_serve_server;

/* A request on its way. */
typedef enum wn_serve_stage {
    WN_SERVE_AT_HEAD,
    WN_SERVE_AT_BODY,
    WN_SERVE_AT_WORK,
    WN_SERVE_AT_ANSWER, /* the answer is there, or comes piece by piece */
} wn_serve_stage;

typedef struct wn_serve_call {
    wn_serve_task task; /* first */
    wn_serve_server *server;
    struct MHD_Connection *connection;
    wn_serve_client *client;
    wn_serve_request request;
    wn_serve_answer answer;
    const wn_serve_route *route;
    const char *method;
    wn_serve_stage stage;
    bool refused;         /* the answer is made; what comes of the body is thrown away */
    bool counted;         /* in `busy` */
    double begun, queued; /* seconds of the clock */
    uint64_t received;    /* bytes of the body */
    uint64_t renewed;     /* of them when the client was last given more time */
    uint64_t held;        /* of them in memory */
    struct wn_serve_batch *batch;
} wn_serve_call;

/* ---- calls.c: what libmicrohttpd calls ---------------------------------------------------- */

void *wn_serve_call_begin(void *server, const char *uri, struct MHD_Connection *connection);
enum MHD_Result wn_serve_call_handle(void *server, struct MHD_Connection *connection,
                                     const char *url, const char *method, const char *version,
                                     const char *data, size_t *size, void **call);
void wn_serve_call_end(void *server, struct MHD_Connection *connection, void **call,
                       enum MHD_RequestTerminationCode code);
void wn_serve_client_notify(void *server, struct MHD_Connection *connection, void **client,
                            enum MHD_ConnectionNotificationCode code);

/* What workers and fetchers do with a call. */
wn_serve_work wn_serve_call_work, wn_serve_call_fetch;

/* Sets the deadline of the client, in seconds from now; 0: no deadline. */
void wn_serve_client_allow(wn_serve_client *client, double seconds);

/* Sends the answer of the call. */
enum MHD_Result wn_serve_call_send(wn_serve_call *call);

/* Adds the headers that every answer has. */
void wn_serve_call_add_headers(wn_serve_call *call, struct MHD_Response *response);

/* ---- batch.c ------------------------------------------------------------------------------ */

/* Begins a batch; false, and the answer is made, if there are too many. */
bool wn_serve_batch_begin(wn_serve_call *call);

/* Takes in a part of the body; returns how much of it was taken: less means that it must wait. */
size_t wn_serve_batch_take(wn_serve_call *call, const char *data, size_t size);

/* The body has ended: begins to answer. */
enum MHD_Result wn_serve_batch_answer(wn_serve_call *call);

/* The request has ended, in whatever way. */
void wn_serve_batch_end(wn_serve_call *call);

#endif
