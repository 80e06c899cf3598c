/*
 * The log: one line per request, as text or JSON, to standard error or a file.
 *
 * A disk that is full does not stop the server. The line is lost, and counted.
 */
#ifndef WN_SERVE_LOG_H
#define WN_SERVE_LOG_H

#include <pthread.h>

#include "serve/exchange.h"

typedef struct wn_serve_log {
    pthread_mutex_t lock;
    const char *path; /* NULL: standard error */
    int fd;
    bool json, quiet;
} wn_serve_log;

typedef struct wn_serve_entry {
    const char *client, *method;
    wn_str target, id;
    unsigned status;
    double milliseconds;
    uint64_t in, out;   /* bytes of the body, and of the answer */
    const char *remark; /* NULL, or what ended it: "cut off" */
} wn_serve_entry;

/* False when the file cannot be opened: errno says why. */
bool wn_serve_log_open(wn_serve_log *log, const char *path, bool json, bool quiet);

/* Reopens the file after log rotation; keeps the old one if that fails. */
void wn_serve_log_reopen(wn_serve_log *log);

/* False when the line was lost. */
bool wn_serve_log_add(wn_serve_log *log, const wn_serve_entry *entry);
void wn_serve_log_close(wn_serve_log *log);

#endif
