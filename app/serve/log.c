#include "serve/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/printable.h"

static int open_file(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0640);
}

bool wn_serve_log_open(wn_serve_log *log, const char *path, bool json, bool quiet)
{
    *log = (wn_serve_log){.path = path, .json = json, .quiet = quiet, .fd = STDERR_FILENO};
    pthread_mutex_init(&log->lock, NULL);
    if (path)
        log->fd = open_file(path);
    return log->fd >= 0;
}

void wn_serve_log_reopen(wn_serve_log *log)
{
    int fd = log->path ? open_file(log->path) : -1;
    if (fd < 0)
        return;
    pthread_mutex_lock(&log->lock);
    close(log->fd);
    log->fd = fd;
    pthread_mutex_unlock(&log->lock);
}

void wn_serve_log_close(wn_serve_log *log)
{
    if (log->path && log->fd >= 0)
        close(log->fd);
    pthread_mutex_destroy(&log->lock);
}

/* ---- Lines ------------------------------------------------------------------------------- */

/* "2024-05-03T10:11:12.345Z" */
static void add_time(char text[40])
{
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    size_t size = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + size, 40 - size, ".%03dZ", (int)(now.tv_nsec / 1000000));
}

static void add_text(wn_buf *line, const wn_serve_entry *e, const char *time)
{
    wn_buf_add_format(line, "%s %s ", time, e->client);
    wn_add_printable(line, wn_str_of(e->method)); /* any token, so any bytes */
    wn_buf_add_char(line, ' ');
    wn_add_printable(line, e->target);
    wn_buf_add_format(line, " %u %.1fms in=%" PRIu64 " out=%" PRIu64 " id=", e->status,
                      e->milliseconds, e->in, e->out);
    wn_add_printable(line, e->id);
    if (e->remark)
        wn_buf_add_format(line, " (%s)", e->remark);
}

static void add_json(wn_buf *line, const wn_serve_entry *e, const char *time)
{
    wn_json_writer json = {.out = line};
    const struct {
        const char *key;
        wn_str value;
    } texts[] = {
        {"time", wn_str_of(time)},
        {"client", wn_str_of(e->client)},
        {"id", e->id},
        {"method", wn_str_of(e->method)},
        {"target", e->target},
    };
    wn_json_begin_object(&json);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        wn_json_key(&json, texts[i].key);
        wn_json_outside(&json, texts[i].value);
    }
    wn_json_key(&json, "status");
    wn_json_uint(&json, e->status);
    wn_json_key(&json, "ms");
    wn_json_fixed(&json, e->milliseconds, 1);
    wn_json_key(&json, "in");
    wn_json_uint(&json, e->in);
    wn_json_key(&json, "out");
    wn_json_uint(&json, e->out);
    if (e->remark) {
        wn_json_key(&json, "remark");
        wn_json_c_string(&json, e->remark);
    }
    wn_json_end_object(&json);
}

/* Writes a line as a whole, or what of it goes. */
static bool write_line(int fd, wn_str line)
{
    while (line.len > 0) {
        ssize_t written = write(fd, line.ptr, line.len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        line = wn_str_from_offset(line, (size_t)written);
    }
    return true;
}

bool wn_serve_log_add(wn_serve_log *log, const wn_serve_entry *entry)
{
    char time[40];
    wn_buf line = {0};
    if (log->quiet)
        return true;
    add_time(time);
    (log->json ? add_json : add_text)(&line, entry, time);
    wn_buf_add_char(&line, '\n');
    pthread_mutex_lock(&log->lock);
    bool written = !line.failed && write_line(log->fd, wn_buf_str(&line));
    pthread_mutex_unlock(&log->lock);
    wn_buf_free(&line);
    return written;
}
