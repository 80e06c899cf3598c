/*
 * winnow mcp: winnow for assistants, over standard input and output.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/sandbox.h"
#include "io/message.h"
#include "serve/fetch.h"
#include "serve/mcp.h"
#include "serve/sandbox.h"

typedef struct settings {
    const char *store;
    wn_option_list folders;
    bool no_fetch, ignore_robots, allow_private, sandbox, no_sandbox;
    uint64_t max_bytes, max_memory;
    double timeout, max_time;
} settings;

static const wn_option options[] = {
    {.heading = "What it offers"},
    WN_VALUE(TEXT, "store", 's', "STORE", store, "search this store of 'winnow corpus'"),
    WN_VALUE(LIST, "allow", 'a', "DIR", folders,
             "pages and stores in DIR and below may be read; can be repeated (default: "
             "no files)"),
    WN_FLAG("no-fetch", 0, no_fetch, "do not offer to fetch pages from the web"),
    WN_FLAG("ignore-robots", 0, ignore_robots,
            "also fetch pages that robots.txt does not allow; for your own sites"),
    WN_FLAG("allow-private", 0, allow_private,
            "also fetch from loopback, private and link-local addresses"),
    WN_BOXING_OPTIONS,

    {.heading = "Limits"},
    WN_VALUE(SIZE, "max-bytes", 0, "SIZE", max_bytes, "maximum size of a page (default: 16M)",
             .min = 1, .max = WN_LARGEST_PAGE),
    WN_VALUE(SIZE, "max-memory", 0, "SIZE", max_memory, "working memory for a page (default: 512M)",
             .min = 1),
    WN_VALUE(SECONDS, "timeout", 0, "SECONDS", timeout, "time to fetch a page (default: 20)"),
    WN_VALUE(SECONDS, "max-time", 0, "SECONDS", max_time,
             "time limit for a page; one that takes longer is cut short (default: 10)"),

    {.heading = "Help"},
    {0},
};

/* The real paths of the folders; false, after a message, if one does not exist. */
static bool find_folders(const wn_option_list *named, char *real[WN_OPTION_LIST_MAX])
{
    for (size_t i = 0; i < named->count; i++) {
        real[i] = realpath(named->items[i], NULL);
        if (real[i])
            continue;
        wn_buf message = {0};
        int reason = errno;
        wn_buf_add_literal(&message, "cannot allow ");
        wn_add_quoted(&message, named->items[i]);
        wn_buf_add_format(&message, ": %s", strerror(reason));
        wn_io_say(&message);
        wn_buf_free(&message);
        return false;
    }
    return true;
}

static bool enter_sandbox(wn_serve_sandbox *sandbox, const wn_serve_settings *limits)
{
    wn_buf error = {0};
    bool entered = wn_serve_sandbox_enter(sandbox, limits, &error);
    if (entered)
        wn_cli_boxing_say(sandbox->missing);
    else
        wn_io_say(&error);
    wn_buf_free(&error);
    return entered;
}

static int serve_assistant(const settings *s, char *const *folders)
{
    const wn_serve_settings limits = {
        .store = s->store,
        .fetch = !s->no_fetch,
        .allow_private = s->allow_private,
        .fetch_timeout = s->timeout,
        .max_bytes = s->max_bytes,
        .max_memory = s->max_memory,
        .max_time = s->max_time,
        .boxing = wn_cli_boxing(s->sandbox, s->no_sandbox),
    };
    wn_serve_mcp mcp = {
        .settings = &limits,
        .ignore_robots = s->ignore_robots,
        .folders = (const char *const *)folders,
        .folder_count = s->folders.count,
    };
    wn_serve_sandbox sandbox = {.folders = mcp.folders, .folder_count = mcp.folder_count};
    wn_arena_init(&mcp.arena, 0);
    bool ready = wn_serve_worker_init(&mcp.worker, &limits);
    if (ready && limits.fetch)
        ready = wn_io_http_start() && (mcp.http = wn_serve_fetcher_new(&limits));
    if (!ready)
        wn_io_sayf("cannot start: out of memory");
    bool boxed = ready && enter_sandbox(&sandbox, &limits);
    bool done = boxed && wn_serve_mcp_run(&mcp, STDIN_FILENO, STDOUT_FILENO);
    if (mcp.http)
        wn_io_http_free(mcp.http);
    wn_serve_worker_free(&mcp.worker);
    wn_serve_sandbox_free(&sandbox);
    wn_json_free(&mcp.json);
    wn_arena_free(&mcp.arena);
    wn_buf_free(&mcp.out);
    return done ? WN_EXIT_OK : WN_EXIT_FAILED;
}

static int run_mcp(const wn_command *command, char **args)
{
    char *folders[WN_OPTION_LIST_MAX] = {0};
    settings s = {.max_bytes = 16 << 20, .max_memory = 512 << 20, .timeout = 20, .max_time = 10};
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON && args[0])
        code = wn_cli_wrong_usage(command, "mcp takes options only");
    if (code == WN_GO_ON)
        code = wn_cli_boxing_check(command, s.sandbox, s.no_sandbox);
    if (code == WN_GO_ON)
        code = find_folders(&s.folders, folders) ? serve_assistant(&s, folders) : WN_EXIT_USAGE;
    for (size_t i = 0; i < s.folders.count; i++)
        free(folders[i]);
    return code;
}

const wn_command wn_command_mcp = {
    .name = "mcp",
    .operands = "",
    .summary = "tools for assistants, over standard input and output (MCP)",
    .about = "Speaks the Model Context Protocol: it provides an assistant with tools to fetch\n"
             "pages, extract the content of HTML, and search a store. Page content is marked\n"
             "as untrusted.",
    .notes = "Exit status: 0 closed by the assistant; 1 it could not continue; 2 wrong usage.\n"
             "\n"
             "Examples:\n"
             "  winnow mcp\n"
             "  winnow mcp --store news.db --allow ~/pages",
    .options = options,
    .run = run_mcp,
};
