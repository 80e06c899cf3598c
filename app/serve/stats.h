/*
 * What the server counts, for /metrics (the text format of Prometheus) and /ready.
 *
 * Many threads count at once; the numbers are atomic and nothing else is shared. A reader may see a
 * request in one number and not yet in another.
 */
#ifndef WN_SERVE_STATS_H
#define WN_SERVE_STATS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "serve/route.h"

enum {
    WN_SERVE_MOST_ROUTES = 40,
    WN_SERVE_STATUS_CLASSES = 6, /* 1xx to 5xx, by the first digit */
    WN_SERVE_BUCKETS = 12,       /* of the histogram of times */
};

typedef struct wn_serve_stats {
    _Atomic uint64_t
        requests[WN_SERVE_MOST_ROUTES + 1][WN_SERVE_STATUS_CLASSES]; /* last: no route */
    _Atomic uint64_t times[WN_SERVE_BUCKETS + 1]; /* requests that took so long */
    _Atomic uint64_t microseconds;                /* of all requests together */
    _Atomic uint64_t bytes_in, bytes_out;
    _Atomic uint64_t cut;      /* connections of clients that were too slow */
    _Atomic uint64_t refused;  /* 429 and 503: queue, memory, client */
    _Atomic uint64_t log_lost; /* lines that could not be written */
    _Atomic uint64_t batch_pages;
    _Atomic uint64_t waiting;     /* requests in the queue now */
    _Atomic uint64_t working;     /* requests that a worker has now */
    _Atomic uint64_t connections; /* open now */
    _Atomic uint64_t body_bytes;  /* of bodies in memory now */
    _Atomic bool stopping;
    double started;
} wn_serve_stats;

/* Counts a request that ended. `route` may be NULL. */
void wn_serve_stats_count(wn_serve_stats *stats, const wn_serve_route *route, unsigned status,
                          double seconds, uint64_t in, uint64_t out);

#endif
