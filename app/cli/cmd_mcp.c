/*
 * winnow mcp: winnow for assistants, over standard input and output.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "io/message.h"
#include "serve/fetch.h"
#include "serve/mcp.h"

typedef struct settings {
    const char *store;
    wn_option_list folders;
    bool no_fetch, ignore_robots, allow_private;
    uint64_t max_bytes, max_memory;
    double timeout, max_time;
} settings;

static const wn_option options[] = {
    {.heading = "What it offers"},
    WN_VALUE(TEXT, "store", 's', "STORE", store, "search this store of 'winnow corpus'"),
    WN_VALUE(LIST, "allow", 'a', "DIR", folders,
             "pages and stores in DIR and below may be read; may be given several times (default: "
             "no files)"),
    WN_FLAG("no-fetch", 0, no_fetch, "do not offer to fetch pages from the web"),
    WN_FLAG("ignore-robots", 0, ignore_robots,
            "fetch also what robots.txt does not allow: for sites of your own"),
    WN_FLAG("allow-private", 0, allow_private,
            "also fetch from loopback, private and link-local addresses"),

    {.heading = "Limits"},
    WN_VALUE(SIZE, "max-bytes", 0, "SIZE", max_bytes, "of a page (default: 16M)", .min = 1,
             .max = WN_LARGEST_PAGE),
    WN_VALUE(SIZE, "max-memory", 0, "SIZE", max_memory, "working memory of a page (default: 512M)",
             .min = 1),
    WN_VALUE(SECONDS, "timeout", 0, "SECONDS", timeout, "time to fetch a page (default: 20)"),
    WN_VALUE(SECONDS, "max-time", 0, "SECONDS", max_time,
             "time to extract a page; one that takes longer is cut short (default: 10)"),

    {.heading = "Help"},
    {0},
};

/* The real paths of the folders; false, and it was said, if one is not there. */
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
    };
    wn_serve_mcp mcp = {
        .settings = &limits,
        .ignore_robots = s->ignore_robots,
        .folders = (const char *const *)folders,
        .folder_count = s->folders.count,
    };
    wn_arena_init(&mcp.arena, 0);
    bool ready = wn_serve_worker_init(&mcp.worker, &limits);
    if (ready && limits.fetch)
        ready = wn_io_http_start() && (mcp.http = wn_serve_fetcher_new(&limits));
    if (!ready)
        wn_io_sayf("cannot start: out of memory");
    bool done = ready && wn_serve_mcp_run(&mcp, STDIN_FILENO, STDOUT_FILENO);
    if (mcp.http)
        wn_io_http_free(mcp.http);
    wn_serve_worker_free(&mcp.worker);
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
        code = find_folders(&s.folders, folders) ? serve_assistant(&s, folders) : WN_EXIT_USAGE;
    for (size_t i = 0; i < s.folders.count; i++)
        free(folders[i]);
    return code;
}

const wn_command wn_command_mcp = {
    .name = "mcp",
    .operands = "",
    .summary = "tools for assistants, over standard input and output (MCP)",
    .about = "Speaks the Model Context Protocol: an assistant that starts it gets tools to fetch\n"
             "pages, to extract the content of HTML, and to search a store. What they return\n"
             "is marked as untrusted.",
    .notes = "Exit status: 0 the assistant has ended it; 1 it could not go on; 2 wrong usage.\n\n"
             "Examples:\n"
             "  winnow mcp\n"
             "  winnow mcp --store news.db --allow ~/pages",
    .options = options,
    .run = run_mcp,
};
