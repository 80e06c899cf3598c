/*
 * The server: HTTP through libmicrohttpd.
 *
 *     network threads                        workers
 *     --------------                         -------
 *     head -> admitted? -> body in memory -> queue -> extract -> answer
 *        \                                                        /
 *         `-- connection is suspended while a worker has it -----'
 *
 * Everything has a bound: connections, bodies in memory, requests in the queue, the time that a client
 * may take to send or to read, the time and memory of a page.
 *
 *     listen.c   the socket            calls.c   a request from its head to its end
 *     guard.c    who may ask           batch.c   many pages in one request
 *     pool.c     the workers           server.c  start, watch over slow clients, stop
 */
#ifndef WN_SERVE_SERVER_H
#define WN_SERVE_SERVER_H

#include "base/buf.h"
#include "serve/settings.h"

/*
 * Serves until SIGINT or SIGTERM; SIGHUP opens the log again. The signals must be blocked when it is
 * called. False when it cannot start: `error` says why. `started` is called with the address.
 */
bool wn_serve_run(const wn_serve_settings *settings,
                  void (*started)(const char *address, bool loopback), wn_buf *error);

#endif
