/*
 * winnow serve: the HTTP server and the web page.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/sandbox.h"
#include "io/message.h"
#include "serve/server.h"

enum { MAX_TOKEN = 4096, MAX_QUEUE = 1 << 20 };

typedef struct settings {
    const char *bind, *store, *token, *token_file, *user, *log;
    wn_option_list hosts, origins;
    bool fetch, allow_private, log_json, quiet, sandbox, no_sandbox;
    uint64_t workers, queue, per_client, connections;
    uint64_t max_bytes, max_batch, max_waiting, max_memory;
    double fetch_timeout, max_time, timeout, stop_timeout;
} settings;

static const wn_option options[] = {
    {.heading = "Where, and for whom"},
    WN_VALUE(TEXT, "bind", 'b', "ADDRESS:PORT", bind,
             "the address to listen on (default: 127.0.0.1:8080, this computer only); port 0: "
             "any free port"),
    WN_VALUE(TEXT, "token", 0, "TOKEN", token,
             "requests must have the header 'Authorization: Bearer TOKEN'; other users can see "
             "it in the process list, so prefer --token-file or the variable WINNOW_TOKEN"),
    WN_VALUE(TEXT, "token-file", 0, "FILE", token_file, "the same, from the first line of FILE"),
    WN_VALUE(LIST, "host", 0, "NAME", hosts,
             "a name of this server, in addition to IP addresses and localhost; requests for "
             "other names are refused; can be repeated"),
    WN_VALUE(LIST, "cors", 0, "ORIGIN", origins,
             "allow requests from pages of this origin, such as https://example.org, or * for "
             "all; can be repeated"),
    WN_VALUE(TEXT, "user", 0, "NAME", user, "become this user once the socket is open"),
    WN_BOXING_OPTIONS,

    {.heading = "What it offers"},
    WN_VALUE(TEXT, "store", 's', "STORE", store, "also search this store of 'winnow corpus'"),
    WN_FLAG("fetch", 0, fetch, "also fetch pages by their address, from public addresses only"),
    WN_FLAG("allow-private", 0, allow_private,
            "with --fetch: also from loopback, private and link-local addresses"),
    WN_VALUE(SECONDS, "fetch-timeout", 0, "SECONDS", fetch_timeout,
             "time to fetch a page (default: 20)"),

    {.heading = "Limits"},
    WN_VALUE(NUMBER, "workers", 'j', "N", workers,
             "pages to work on at once (default: one per processor core)", .min = 1,
             .max = WN_MAX_JOBS),
    WN_VALUE(NUMBER, "queue", 0, "N", queue,
             "requests that may wait for a worker; more are answered 503 (default: 256)", .min = 1,
             .max = MAX_QUEUE),
    WN_VALUE(NUMBER, "per-client", 0, "N", per_client,
             "requests of one address at once; more are answered 429 (default: no limit)"),
    WN_VALUE(NUMBER, "connections", 0, "N", connections,
             "open connections (default: 20000, or the system's limit)", .min = 1,
             .max = MAX_QUEUE),
    WN_VALUE(SIZE, "max-bytes", 0, "SIZE", max_bytes,
             "of a body, as it is sent and unpacked (default: 16M)", .min = 1,
             .max = WN_LARGEST_PAGE),
    WN_VALUE(SIZE, "max-batch", 0, "SIZE", max_batch, "of the body of a batch (default: 1G)",
             .min = 1),
    WN_VALUE(SIZE, "max-waiting", 0, "SIZE", max_waiting,
             "of all bodies in memory together; more are answered 503 (default: 512M)", .min = 1),
    WN_VALUE(SIZE, "max-memory", 0, "SIZE", max_memory, "working memory for a page (default: 512M)",
             .min = 1),
    WN_VALUE(SECONDS, "max-time", 0, "SECONDS", max_time,
             "time limit for a page; one that takes longer is cut short (default: 10)"),
    WN_VALUE(SECONDS, "timeout", 0, "SECONDS", timeout,
             "time in which a client must send its request, or each 64 KB of it, and take the "
             "answer; slower ones are cut off (default: 30)"),
    WN_VALUE(SECONDS, "stop-timeout", 0, "SECONDS", stop_timeout,
             "time that requests have to end when the server is stopped (default: 30)"),

    {.heading = "Log"},
    WN_VALUE(TEXT, "log", 0, "FILE", log,
             "append one line per request to FILE, which SIGHUP reopens (default: standard error)"),
    WN_FLAG("log-json", 0, log_json, "write the log as JSON lines"),
    WN_FLAG("quiet", 'q', quiet, "no log and no message at the start; only errors"),

    {.heading = "Help"},
    {0},
};

/* ---- The token --------------------------------------------------------------------------- */

/* Reads the first line of a file into `line`; false, after a message, if there is none. */
static bool read_token(const char *path, char line[MAX_TOKEN])
{
    FILE *file = fopen(path, "re");
    bool read = file && fgets(line, MAX_TOKEN, file);
    if (file)
        fclose(file);
    if (read)
        line[strcspn(line, "\r\n")] = '\0';
    if (read && line[0])
        return true;
    wn_buf message = {0};
    wn_buf_add_literal(&message, "cannot read a token from ");
    wn_add_quoted(&message, path);
    wn_io_say(&message);
    wn_buf_free(&message);
    return false;
}

/* The token of the options or the environment; WN_GO_ON or an exit code. */
static int choose_token(const wn_command *command, settings *s, char line[MAX_TOKEN])
{
    if (s->token && s->token_file)
        return wn_cli_wrong_usage(command, "--token and --token-file exclude each other");
    if (s->token_file) {
        if (!read_token(s->token_file, line))
            return WN_EXIT_FAILED;
        s->token = line;
    } else if (!s->token) {
        s->token = getenv("WINNOW_TOKEN");
    }
    if (s->token && !s->token[0])
        return wn_cli_wrong_usage(command, "the token is empty");
    return WN_GO_ON;
}

/* ---- Start ------------------------------------------------------------------------------- */

static void say_started(const wn_serve_start *start)
{
    wn_io_sayf("serving on http://%s/", start->address);
    wn_cli_boxing_say(start->missing);
    if (!start->loopback)
        wn_io_sayf("anyone who can reach this address can send requests; see --token-file, "
                   "--host, and docs/serve.md for TLS");
}

static void stay_quiet(const wn_serve_start *start)
{
    (void)start;
}

/* The server waits for these signals itself, and its threads must not get them. */
static void block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

static wn_serve_settings server_settings(const settings *s)
{
    wn_serve_settings server = {
        .bind = s->bind,
        .store = s->store,
        .token = s->token,
        .user = s->user,
        .host_count = s->hosts.count,
        .origin_count = s->origins.count,
        .fetch = s->fetch,
        .allow_private = s->allow_private,
        .fetch_timeout = s->fetch_timeout,
        .workers = wn_cli_job_count(s->workers, false),
        .queue = (size_t)s->queue,
        .per_client = (size_t)s->per_client,
        .connections = (size_t)s->connections,
        .max_bytes = s->max_bytes,
        .max_batch = s->max_batch,
        .max_waiting = s->max_waiting,
        .max_memory = s->max_memory,
        .max_time = s->max_time,
        .timeout = s->timeout,
        .stop_timeout = s->stop_timeout,
        .boxing = wn_cli_boxing(s->sandbox, s->no_sandbox),
        .log = s->log,
        .log_json = s->log_json,
        .quiet = s->quiet,
    };
    memcpy(server.hosts, s->hosts.items, sizeof server.hosts);
    memcpy(server.origins, s->origins.items, sizeof server.origins);
    return server;
}

static int run_serve(const wn_command *command, char **args)
{
    char line[MAX_TOKEN];
    settings s = {
        .bind = "127.0.0.1:8080",
        .queue = 256,
        .max_bytes = 16 << 20,
        .max_batch = 1 << 30,
        .max_waiting = 512 << 20,
        .max_memory = 512 << 20,
        .max_time = 10,
        .timeout = 30,
        .stop_timeout = 30,
        .fetch_timeout = 20,
    };
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON && args[0])
        code = wn_cli_wrong_usage(command, "serve takes options only");
    if (code == WN_GO_ON && s.allow_private && !s.fetch)
        code = wn_cli_wrong_usage(command, "--allow-private goes with --fetch");
    if (code == WN_GO_ON)
        code = wn_cli_boxing_check(command, s.sandbox, s.no_sandbox);
    if (code == WN_GO_ON)
        code = choose_token(command, &s, line);
    if (code != WN_GO_ON)
        return code;
    wn_serve_settings server = server_settings(&s);
    wn_buf error = {0};
    block_signals();
    bool served = wn_serve_run(&server, s.quiet ? stay_quiet : say_started, &error);
    if (!served)
        wn_io_say(&error);
    wn_buf_free(&error);
    return served ? WN_EXIT_OK : WN_EXIT_FAILED;
}

_Static_assert((int)WN_SERVE_MAX_NAMES == (int)WN_OPTION_LIST_MAX, "lists are copied whole");

const wn_command wn_command_serve = {
    .name = "serve",
    .operands = "",
    .summary = "a web page and an HTTP server for programs",
    .about = "Serves winnow over HTTP: POST a page to /v1/extract and get its content.\n"
             "/openapi.json describes all requests; / is a web page that shows what is kept\n"
             "and why.\n\n"
             "By default only this computer can reach it, no page of another site can use it,\n"
             "nothing is fetched from the web, and it runs in a sandbox.",
    .notes = "SIGTERM and SIGINT stop the server; requests that have begun are finished.\n\n"
             "Exit status: 0 it was stopped; 1 it could not start; 2 wrong usage.\n\n"
             "Examples:\n"
             "  winnow serve\n"
             "  curl --data-binary @page.html localhost:8080/v1/extract\n"
             "  winnow serve --bind 0.0.0.0:8080 --host pages.example.org --token-file token",
    .options = options,
    .run = run_serve,
};
