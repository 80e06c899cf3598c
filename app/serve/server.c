#include "serve/server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "io/progress.h"
#include "serve/fetch.h"
#include "serve/server_parts.h"

enum {
    CONNECTION_MEMORY = 64 << 10, /* head and a part of the body */
    MOST_CONNECTIONS = 20000,
    SPARE_DESCRIPTORS = 128, /* for stores, logs, fetching */
    FETCHERS = 16,
    WATCH_MS = 200, /* how often the clients are looked at */
};

/* ---- Slow clients ------------------------------------------------------------------------ */

/* Ends the connections whose clients took too long; libmicrohttpd sees a closed socket. */
static void cut_slow_clients(wn_serve_server *server)
{
    int64_t now = (int64_t)(wn_io_seconds() * 1000);
    pthread_mutex_lock(&server->clients_lock);
    for (wn_serve_client *client = server->clients; client; client = client->next) {
        int64_t deadline = client->deadline;
        if (deadline == 0 || now < deadline || client->cut)
            continue;
        client->cut = true;
        shutdown(client->fd, SHUT_RDWR);
        server->stats.cut++;
    }
    pthread_mutex_unlock(&server->clients_lock);
}

/* ---- Start ------------------------------------------------------------------------------- */

/* As many connections as were asked for, and as there are descriptors for. */
static unsigned connection_limit(const wn_serve_settings *settings)
{
    struct rlimit limit;
    rlim_t wanted = settings->connections ? settings->connections : MOST_CONNECTIONS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return (unsigned)wanted;
    if (limit.rlim_cur < wanted + SPARE_DESCRIPTORS && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max < wanted + SPARE_DESCRIPTORS ? limit.rlim_max
                                                                     : wanted + SPARE_DESCRIPTORS;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    rlim_t room = limit.rlim_cur > 2 * SPARE_DESCRIPTORS ? limit.rlim_cur - SPARE_DESCRIPTORS
                                                         : limit.rlim_cur / 2;
    return (unsigned)(room < wanted ? room : wanted);
}

static void say_nothing(void *data, const char *format, va_list values)
{
    (void)data;
    (void)format;
    (void)values;
}

/* One thread moves bytes for about four workers. */
static unsigned network_threads(const wn_serve_settings *settings)
{
    return (unsigned)(settings->workers / 4 + 1);
}

static bool start_daemon(wn_serve_server *server, int fd)
{
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    unsigned threads = network_threads(server->settings);
    unsigned connections = connection_limit(server->settings);
    struct MHD_OptionItem pool[] = {
        {MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, wn_serve_call_handle, server, MHD_OPTION_EXTERNAL_LOGGER, say_nothing,
        NULL, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)CONNECTION_MEMORY / 2,
        MHD_OPTION_URI_LOG_CALLBACK, wn_serve_call_begin, server, MHD_OPTION_NOTIFY_COMPLETED,
        wn_serve_call_end, server, MHD_OPTION_NOTIFY_CONNECTION, wn_serve_client_notify, server,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY,
        threads > 1 ? pool : none, MHD_OPTION_END);
    return server->daemon != NULL;
}

static bool start_workers(wn_serve_server *server)
{
    const wn_serve_settings *s = server->settings;
    server->worker = calloc(s->workers, sizeof *server->worker);
    server->http = calloc(FETCHERS, sizeof *server->http);
    if (!server->worker || !server->http)
        return false;
    for (size_t i = 0; i < s->workers; i++) {
        if (!wn_serve_worker_init(&server->worker[i], s))
            return false;
        server->worker[i].stats = &server->stats;
    }
    for (size_t i = 0; s->fetch && i < FETCHERS; i++)
        if (!(server->http[i] = wn_serve_fetcher_new(s)))
            return false;
    server->workers = wn_serve_pool_start(s->workers, wn_serve_call_work, server);
    if (s->fetch)
        server->fetchers = wn_serve_pool_start(FETCHERS, wn_serve_call_fetch, server);
    return server->workers && (!s->fetch || server->fetchers);
}

/* ---- Stop -------------------------------------------------------------------------------- */

static void sleep_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Takes no more connections and lets the requests that have begun end, for a while. */
static void stop_serving(wn_serve_server *server)
{
    double end = wn_io_seconds() + server->settings->stop_timeout;
    server->stats.stopping = true;
    MHD_socket fd = MHD_quiesce_daemon(server->daemon);
    if (fd != MHD_INVALID_SOCKET)
        close(fd);
    while (server->calls > 0 && wn_io_seconds() < end) {
        cut_slow_clients(server);
        sleep_ms(10);
    }
    server->giving_up = true;
    /* What is in the queues must end before the daemon: its connections are suspended. */
    while (server->stats.waiting + server->stats.working + server->fetching + server->batches > 0)
        sleep_ms(10);
}

static void free_server(wn_serve_server *server)
{
    wn_serve_pool_stop(server->fetchers);
    wn_serve_pool_stop(server->workers);
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    for (size_t i = 0; server->worker && i < server->settings->workers; i++)
        wn_serve_worker_free(&server->worker[i]);
    for (size_t i = 0; server->http && i < FETCHERS; i++)
        if (server->http[i])
            wn_io_http_free(server->http[i]);
    free(server->worker);
    free(server->http);
    pthread_mutex_destroy(&server->clients_lock);
    wn_serve_spool_files_close(server->spools);
    wn_serve_sandbox_free(&server->sandbox);
    wn_serve_log_close(&server->log);
    free(server);
}

/* ---- All of it --------------------------------------------------------------------------- */

/* Waits for the signal that ends the server; looks at the clients meanwhile. */
static void watch(wn_serve_server *server)
{
    sigset_t signals;
    struct timespec time = {0, WATCH_MS * 1000000L};
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    for (;;) {
        int number = sigtimedwait(&signals, NULL, &time);
        if (number == SIGINT || number == SIGTERM)
            return;
        if (number == SIGHUP)
            wn_serve_log_reopen(&server->log);
        cut_slow_clients(server);
    }
}

/* Everything that can fail before the first request; `error` says what did. */
static bool start(wn_serve_server *server, int *fd, wn_buf *error)
{
    const wn_serve_settings *s = server->settings;
    if (!wn_serve_log_open(&server->log, s->log, s->log_json, s->quiet)) {
        wn_buf_add_format(error, "cannot open the log: %s", strerror(errno));
        return false;
    }
    if (s->fetch && !wn_io_http_start()) {
        wn_buf_add_literal(error, "libcurl does not work");
        return false;
    }
    *fd = wn_serve_listen(s->bind, error);
    if (*fd < 0 || (s->user && !wn_serve_become(s->user, error)))
        return false;
    /* Threads have the rights of the one that starts them. */
    if (!wn_serve_sandbox_enter(&server->sandbox, s, error))
        return false;
    if (start_workers(server) && start_daemon(server, *fd))
        return true;
    wn_buf_add_literal(error, "cannot start: out of memory or threads");
    return false;
}

bool wn_serve_run(const wn_serve_settings *settings, void (*started)(const wn_serve_start *start),
                  wn_buf *error)
{
    int fd = -1;
    char address[WN_SERVE_ADDRESS];
    wn_serve_server *server = calloc(1, sizeof *server);
    if (!server) {
        wn_buf_add_literal(error, "cannot start: out of memory");
        return false;
    }
    server->settings = settings;
    server->stats.started = wn_io_seconds();
    server->key = wn_hash_random_key(server);
    server->direct = (wn_serve_worker){.settings = settings, .stats = &server->stats};
    server->sandbox.accepts = true;
    pthread_mutex_init(&server->clients_lock, NULL);
    wn_serve_spool_files_open(server->spools);
    bool running = start(server, &fd, error);
    if (running) {
        wn_serve_start start = {.address = address, .missing = server->sandbox.missing};
        wn_serve_listening(fd, address, &start.loopback);
        started(&start);
        watch(server);
        stop_serving(server);
    } else if (fd >= 0) {
        close(fd);
    }
    free_server(server);
    return running;
}
