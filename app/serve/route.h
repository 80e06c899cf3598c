/*
 * The routes: one table says which paths there are, what they take and who answers them. The
 * server, the checks and /openapi.json read it.
 */
#ifndef WN_SERVE_ROUTE_H
#define WN_SERVE_ROUTE_H

#include "serve/exchange.h"
#include "serve/worker.h"

/* Which options of the library a route takes: those that parse(), select() or write() reads. */
enum {
    WN_SERVE_PARSES = 1 << 0,
    WN_SERVE_SELECTS = 1 << 1, /* and `method` */
    WN_SERVE_WRITES = 1 << 2,
};

typedef void wn_serve_handler(wn_serve_worker *worker, const wn_serve_request *request,
                              wn_serve_answer *answer);

typedef struct wn_serve_route {
    const char *path; /* one that ends with "/" also has what is below it */
    unsigned verbs;
    wn_serve_handler *handle;
    const char *summary;
    const char *about;                   /* more of it; may be NULL */
    unsigned takes;                      /* a page, and these options of the library */
    const winnow_parameter_info *values; /* its own options; ends with a NULL name; may be NULL */
    const char *const *types;            /* media types of its answers; ends with NULL */
    const char *below;                   /* the name of what is below its path: "id"; or NULL */
    bool direct;                         /* answered by the network's thread: it takes no time */
    bool open;                           /* needs no token */
    bool store;                          /* there only with a store */
    bool fetches;                        /* there only with --fetch */
    bool batch;                          /* the body is a stream of pages: batch.h */
    bool hidden;                         /* stands in for another program: not in /openapi.json */
} wn_serve_route;

/* NULL past the end. */
const wn_serve_route *wn_serve_route_at(size_t index);

/* NULL if there is none. */
const wn_serve_route *wn_serve_route_find(wn_str path);

/* "GET, HEAD, POST" */
void wn_serve_add_verbs(wn_buf *out, unsigned verbs);

/* What of the path is below the route's: "12" of /v1/pages/12. */
wn_str wn_serve_below(const wn_serve_route *route, const wn_serve_request *request);

/*
 * Checks whether the request may go on, and to which route; NULL, and the answer is made, if it may
 * not. This needs nothing but the head of the request.
 */
const wn_serve_route *wn_serve_admit(const wn_serve_settings *settings,
                                     const wn_serve_request *request, wn_serve_answer *answer);

/* Answers a request that was admitted. */
void wn_serve_answer_request(const wn_serve_route *route, wn_serve_worker *worker,
                             const wn_serve_request *request, wn_serve_answer *answer);

#endif
