#include "serve/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "io/progress.h"
#include "serve/handlers.h"

/* Upper bounds of the buckets, in seconds. */
static const double bounds[WN_SERVE_BUCKETS] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05,
                                                0.1,   0.25,  0.5,   1,    2.5,  10};

static size_t route_number(const wn_serve_route *route)
{
    const wn_serve_route *other;
    for (size_t i = 0; i < WN_SERVE_MOST_ROUTES && (other = wn_serve_route_at(i)); i++)
        if (other == route)
            return i;
    return WN_SERVE_MOST_ROUTES;
}

void wn_serve_stats_count(wn_serve_stats *stats, const wn_serve_route *route, unsigned status,
                          double seconds, uint64_t in, uint64_t out)
{
    size_t bucket = 0, class = status / 100;
    while (bucket < WN_SERVE_BUCKETS && seconds > bounds[bucket])
        bucket++;
    stats->requests[route_number(route)][class < WN_SERVE_STATUS_CLASSES ? class : 0]++;
    stats->times[bucket]++;
    stats->microseconds += (uint64_t)(seconds * 1e6);
    stats->bytes_in += in;
    stats->bytes_out += out;
    stats->refused += status == 429 || status == 503;
}

/* ---- /metrics ---------------------------------------------------------------------------- */

static void add_metric(wn_buf *out, const char *name, const char *type, const char *help,
                       uint64_t value)
{
    wn_buf_add_format(out, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", name, help, name, type,
                      name, value);
}

static void add_requests(wn_buf *out, const wn_serve_stats *stats)
{
    wn_buf_add_literal(out, "# HELP winnow_requests_total Requests that ended.\n"
                            "# TYPE winnow_requests_total counter\n");
    for (size_t i = 0; i <= WN_SERVE_MOST_ROUTES; i++) {
        const wn_serve_route *route = i < WN_SERVE_MOST_ROUTES ? wn_serve_route_at(i) : NULL;
        for (size_t class = 1; class < WN_SERVE_STATUS_CLASSES; class ++) {
            uint64_t count = stats->requests[i][class];
            if (count)
                wn_buf_add_format(
                    out, "winnow_requests_total{route=\"%s\",status=\"%zuxx\"} %" PRIu64 "\n",
                    route ? route->path : "none", class, count);
        }
    }
}

static void add_times(wn_buf *out, const wn_serve_stats *stats)
{
    uint64_t sum = 0;
    const char *name = "winnow_request_seconds";
    wn_buf_add_format(out, "# HELP %s Time from the head of a request to the end of its answer.\n",
                      name);
    wn_buf_add_format(out, "# TYPE %s histogram\n", name);
    for (size_t i = 0; i < WN_SERVE_BUCKETS; i++) {
        sum += stats->times[i];
        wn_buf_add_format(out, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name, bounds[i], sum);
    }
    sum += stats->times[WN_SERVE_BUCKETS];
    wn_buf_add_format(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, sum);
    wn_buf_add_format(out, "%s_sum %.6f\n%s_count %" PRIu64 "\n", name,
                      (double)stats->microseconds / 1e6, name, sum);
}

/* Resident memory, from the second number of /proc/self/statm; 0 where there is none. */
static uint64_t resident_bytes(void)
{
    unsigned long long pages = 0, all;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%llu %llu", &all, &pages) != 2)
        pages = 0;
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void wn_serve_metrics(wn_serve_worker *worker, const wn_serve_request *request,
                      wn_serve_answer *answer)
{
    (void)request;
    const wn_serve_stats *stats = worker->stats;
    wn_buf *out = &answer->body;
    answer->status = 200;
    answer->type = "text/plain; version=0.0.4; charset=utf-8";
    add_requests(out, stats);
    add_times(out, stats);
    add_metric(out, "winnow_received_bytes_total", "counter", "Bytes of bodies.", stats->bytes_in);
    add_metric(out, "winnow_sent_bytes_total", "counter", "Bytes of answers.", stats->bytes_out);
    add_metric(out, "winnow_refused_total", "counter", "Requests answered with 429 or 503.",
               stats->refused);
    add_metric(out, "winnow_slow_clients_total", "counter",
               "Connections cut because the client was too slow.", stats->cut);
    add_metric(out, "winnow_log_lines_lost_total", "counter",
               "Lines of the log that could not be written.", stats->log_lost);
    add_metric(out, "winnow_batch_pages_total", "counter", "Pages of batches.", stats->batch_pages);
    add_metric(out, "winnow_queue", "gauge", "Requests that wait for a worker.", stats->waiting);
    add_metric(out, "winnow_working", "gauge", "Requests that a worker has.", stats->working);
    add_metric(out, "winnow_connections", "gauge", "Open connections.", stats->connections);
    add_metric(out, "winnow_body_bytes", "gauge", "Bytes of bodies in memory.", stats->body_bytes);
    add_metric(out, "process_resident_memory_bytes", "gauge", "Resident memory.", resident_bytes());
    wn_buf_add_format(out,
                      "# HELP winnow_uptime_seconds Time since the start.\n"
                      "# TYPE winnow_uptime_seconds gauge\nwinnow_uptime_seconds %.0f\n",
                      wn_io_seconds() - stats->started);
}
