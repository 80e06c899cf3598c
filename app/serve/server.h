/*
 * The server: HTTP through libmicrohttpd.
 *
 *     network threads                        workers
 *     --------------                         -------
 *     head -> admitted? -> body in memory -> queue -> extract -> answer
 *        \                                                        /
 *         `-- connection is suspended while a worker has it -----'
 *
 * Everything has a bound: connections, bodies in memory, requests in the queue, the time that a
 * client may take to send or to read, the time and memory of a page.
 *
 *     listen.c   the socket            calls.c   a request from its head to its end
 *     guard.c    who may ask           batch.c   many pages in one request
 *     pool.c     the workers           server.c  start, watch over slow clients, stop
 *     sandbox.c  what it may do
 */
#ifndef WN_SERVE_SERVER_H
#define WN_SERVE_SERVER_H

#include "base/buf.h"
#include "serve/settings.h"

/* What is known when the server takes requests. */
typedef struct wn_serve_start {
    const char *address;
    bool loopback;
    const char *missing; /* what the sandbox lacks; NULL: nothing, or none is wanted */
} wn_serve_start;

/*
 * Serves until SIGINT or SIGTERM; SIGHUP opens the log again. The signals must be blocked when it
 * is called. False when it cannot start: `error` says why. `started` is called once.
 */
bool wn_serve_run(const wn_serve_settings *settings, void (*started)(const wn_serve_start *start),
                  wn_buf *error);

#endif
