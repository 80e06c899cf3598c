/*
 * winnow fetch: pages of the web into a WARC file, politely.
 *
 * The addresses come from the command line, from files with one per line and from sitemaps.
 * What crawl.h does with them is written to FILE.part record by record; a run that
 * was interrupted is taken up again by the same command.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/url.h"
#include "cli/commands.h"
#include "io/archive.h"
#include "io/crawl.h"
#include "io/message.h"
#include "io/progress.h"
#include "io/warc_write.h"
#include "winnow-io.h"

enum { MAX_TRANSFERS = 256, MAX_LIST = 1 << 30 };

typedef struct settings {
    wn_option_list files, sitemaps, earlier;
    const char *output, *agent;
    bool overwrite, progress, quiet, allow_private, ignore_robots;
    uint64_t jobs, limit, max_bytes, max_redirects, retries;
    double timeout, delay;
} settings;

static const wn_option options[] = {
    {.heading = "What is fetched"},
    WN_VALUE(
        LIST, "urls", 'i', "FILE", files,
        "also the addresses in FILE, one per line (- is standard input); lines that begin with # "
        "are ignored; can be repeated"),
    WN_VALUE(LIST, "sitemap", 0, "URL", sitemaps,
             "also the addresses in this sitemap; can be repeated"),
    WN_VALUE(LIST, "since", 0, "WARC", earlier,
             "fetch only what has changed since this archive was made; the rest becomes revisit "
             "records; can be repeated"),
    WN_VALUE(NUMBER, "limit", 0, "N", limit, "at most N addresses", .min = 1),

    {.heading = "Manners"},
    WN_VALUE(SECONDS, "delay", 0, "SECONDS", delay,
             "between two requests to a host (default: 1; more if its robots.txt asks for it)"),
    WN_VALUE(NUMBER, "jobs", 'j', "N", jobs, "fetch from N hosts at once (default: 8)", .min = 1,
             .max = MAX_TRANSFERS),
    WN_VALUE(NUMBER, "retries", 0, "N", retries,
             "number of retries after a temporary failure, each after a longer wait (default: 3)",
             .max = 20),
    WN_VALUE(TEXT, "user-agent", 0, "TEXT", agent,
             "the User-Agent header; its first word is the name used for robots.txt"),
    WN_FLAG("ignore-robots", 0, ignore_robots, "ignore robots.txt; for your own sites"),

    {.heading = "Limits"},
    WN_VALUE(SIZE, "max-bytes", 0, "SIZE", max_bytes,
             "maximum size of a page as sent; longer ones are truncated (default: 16M)", .min = 1,
             .max = UINT64_C(1) << 30),
    WN_VALUE(SECONDS, "timeout", 0, "SECONDS", timeout, "total time for a page (default: 30)"),
    WN_VALUE(NUMBER, "max-redirects", 0, "N", max_redirects, "redirects to follow (default: 10)",
             .max = 100),
    WN_FLAG("allow-private", 0, allow_private,
            "also fetch from loopback, private and link-local addresses, and use the proxy of the "
            "environment"),

    {.heading = "Output"},
    WN_VALUE(TEXT, "output", 'o', "FILE", output, "the archive: .warc, .warc.gz or .warc.zst"),
    WN_FLAG("overwrite", 0, overwrite, "replace FILE if it exists"),
    WN_FLAG("progress", 0, progress,
            "show progress and a summary even if standard error is not "
            "a terminal"),
    WN_FLAG("quiet", 'q', quiet, "no progress, no summary; only failures"),

    {.heading = "Help"},
    {0},
};

typedef struct fetching {
    const settings *settings;
    wn_io_crawl *crawl;
    wn_io_output output;
    wn_io_progress progress;
    uint64_t bad; /* lines that are not addresses, lists that could not be read */
} fetching;

static void say_cannot(fetching *f, const char *what, const char *name, const char *problem)
{
    wn_buf message = {0};
    wn_io_progress_wipe(&f->progress);
    wn_buf_add_format(&message, "cannot %s ", what);
    wn_add_quoted(&message, name);
    wn_buf_add_literal(&message, ": ");
    wn_add_printable(&message, wn_str_of(problem));
    wn_io_say(&message);
    wn_buf_free(&message);
}

static void report(void *data, const char *url, const char *problem)
{
    say_cannot(data, "fetch", url, problem);
}

/* Of a file that was named. */
static void say_unreadable(fetching *f, const char *path, const char *problem)
{
    f->bad++;
    say_cannot(f, "read", path, problem);
}

static void show_progress(void *data)
{
    fetching *f = data;
    if (!wn_io_progress_due(&f->progress))
        return;
    const wn_io_crawl_counts *counts = wn_io_crawl_counted(f->crawl);
    f->progress.done = counts->fetched + counts->unchanged + counts->redirects;
    f->progress.failed = counts->failed + counts->refused;
    f->progress.bytes = counts->bytes;
    wn_io_progress_show(&f->progress, wn_io_crawl_waiting(f->crawl), true);
}

/* ---- The addresses ----------------------------------------------------------------------- */

static void add_address(fetching *f, wn_str url)
{
    if (wn_io_crawl_add(f->crawl, url))
        return;
    wn_buf shown = {0};
    wn_url_add_without_credentials(&shown, url);
    f->bad++;
    report(f, wn_buf_c_string(&shown), "it is not an http or https address");
    wn_buf_free(&shown);
}

static void add_lines(fetching *f, wn_str text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        wn_str line = end ? wn_str_between(text.ptr, end) : text;
        text = wn_str_from_offset(text, line.len + 1);
        line = wn_str_trim(line);
        if (line.len > 0 && *line.ptr != '#')
            add_address(f, line);
    }
}

static void add_list(fetching *f, const char *path)
{
    winnow_loader *loader = winnow_loader_new(&(winnow_inputs_settings){
        .struct_size = sizeof(winnow_inputs_settings),
        .max_bytes = MAX_LIST,
        .max_record = MAX_LIST,
    });
    const winnow_loaded *loaded = winnow_loader_load(loader, path);
    if (loaded->error)
        say_unreadable(f, path, loaded->error);
    add_lines(f, wn_str_from(loaded->bytes, loaded->size));
    winnow_loader_free(loader);
}

/*
 * What is known already comes before the pages: it is not queued again. Sitemaps come before that:
 * they are, for what they list.
 */
static void gather(fetching *f, char **urls)
{
    const settings *s = f->settings;
    const char *problem = NULL;
    for (size_t i = 0; i < s->sitemaps.count; i++) {
        if (!wn_io_crawl_add_sitemap(f->crawl, wn_str_of(s->sitemaps.items[i])))
            add_address(f, wn_str_of(s->sitemaps.items[i]));
    }
    const char *part = wn_buf_c_string(&f->output.temporary);
    if (f->output.saved.len > 0 && (problem = wn_io_crawl_take_up(f->crawl, part)) != NULL)
        say_unreadable(f, part, problem);
    for (size_t i = 0; i < s->earlier.count; i++) {
        if ((problem = wn_io_crawl_learn(f->crawl, s->earlier.items[i])) != NULL)
            say_unreadable(f, s->earlier.items[i], problem);
    }
    for (; *urls; urls++)
        add_address(f, wn_str_of(*urls));
    for (size_t i = 0; i < s->files.count; i++)
        add_list(f, s->files.items[i]);
    uint64_t known = wn_io_crawl_counted(f->crawl)->known;
    if (known && !s->quiet)
        wn_io_sayf("resuming after %llu addresses of an earlier run", (unsigned long long)known);
}

/* ---- The work ---------------------------------------------------------------------------- */

static void write_warcinfo(fetching *f)
{
    char id[WN_IO_RECORD_ID], date[WN_IO_RECORD_DATE];
    wn_buf block = {0};
    wn_io_record_id(id);
    wn_io_record_date(date);
    wn_buf_add_format(&block,
                      "software: winnow/%s\r\nformat: WARC File Format 1.1\r\n"
                      "conformsTo: http://iipc.github.io/warc-specifications/specifications/"
                      "warc-format/warc-1.1/\r\nrobots: %s\r\n",
                      winnow_version(), f->settings->ignore_robots ? "ignore" : "obey");
    wn_io_warc_write(&f->output, &(wn_io_warc_entry){
                                     .type = "warcinfo",
                                     .id = id,
                                     .date = date,
                                     .content_type = "application/warc-fields",
                                     .extra = WN_STR(""),
                                     .head = wn_buf_str(&block),
                                     .body = WN_STR(""),
                                 });
    wn_buf_free(&block);
}

static void say_summary(const fetching *f)
{
    const wn_io_crawl_counts *c = wn_io_crawl_counted(f->crawl);
    if (!f->progress.summary)
        return;
    wn_io_sayf(
        "%llu fetched (%.1f MB), %llu unchanged, %llu redirects, %llu refused by robots.txt, "
        "%llu failed%s",
        (unsigned long long)c->fetched, (double)c->bytes / 1e6, (unsigned long long)c->unchanged,
        (unsigned long long)c->redirects, (unsigned long long)c->refused,
        (unsigned long long)(c->failed + f->bad), c->known ? "; more in an earlier run" : "");
}

/* Ends the archive; one without a page is not written. False when there is none. */
static bool finish(fetching *f)
{
    const wn_io_crawl_counts *c = wn_io_crawl_counted(f->crawl);
    if (f->output.state == WN_IO_OUTPUT_OPEN && c->records + c->known == 0) {
        wn_io_progress_wipe(&f->progress);
        wn_io_sayf("no server answered, so no archive is written");
        return false;
    }
    bool written = wn_io_output_finish(&f->output);
    wn_io_progress_wipe(&f->progress);
    if (!written)
        wn_io_say(&f->output.error);
    return written;
}

/* What was fetched stays for the next run. */
static bool give_up(void)
{
    wn_io_sayf("out of memory; run the same command again to continue");
    return false;
}

static int fetch_all(fetching *f, char **urls)
{
    const settings *s = f->settings;
    wn_io_crawl_settings crawl = {
        .http = {.max_bytes = s->max_bytes,
                 .max_redirects = s->max_redirects,
                 .timeout = s->timeout,
                 .allow_private = s->allow_private},
        .transfers = (size_t)s->jobs,
        .delay = s->delay,
        .retries = (uint32_t)s->retries,
        .limit = s->limit,
        .ignore_robots = s->ignore_robots,
        .agent = s->agent,
    };
    f->crawl = wn_io_http_start() ? wn_io_crawl_new(&crawl, &f->output, report, f) : NULL;
    if (!f->crawl) {
        wn_io_sayf("cannot start: out of memory; try fewer --jobs");
        return WN_EXIT_FAILED;
    }
    wn_io_progress_begin(&f->progress, s->progress, s->quiet, true, false);
    gather(f, urls);
    if (f->output.saved.len == 0)
        write_warcinfo(f);
    bool written = wn_io_crawl_run(f->crawl, show_progress) ? finish(f) : give_up();
    wn_io_progress_wipe(&f->progress);
    say_summary(f);
    const wn_io_crawl_counts *c = wn_io_crawl_counted(f->crawl);
    bool well = written && f->bad + c->failed + c->refused == 0;
    return well ? WN_EXIT_OK : WN_EXIT_FAILED;
}

static int run_fetch(const wn_command *command, char **args)
{
    settings s = {
        .jobs = 8,
        .max_bytes = 16 << 20,
        .max_redirects = 10,
        .retries = 3,
        .timeout = 30,
        .delay = 1,
    };
    int code = wn_cli_options_parse(command, args, &s);
    if (code != WN_GO_ON)
        return code;
    if (!s.output || strcmp(s.output, "-") == 0)
        return wn_cli_wrong_usage(command, "name the archive to write: -o FILE.warc.gz");
    if (!wn_str_has_ending(wn_io_without_codec(wn_str_of(s.output)), WN_STR(".warc")))
        return wn_cli_wrong_value(command,
                                  "%s is not the name of a web archive, which this command writes: "
                                  "it ends in .warc, .warc.gz or .warc.zst; 'winnow extract URL' "
                                  "extracts a page",
                                  s.output);
    if (!args[0] && s.files.count + s.sitemaps.count == 0)
        return wn_cli_wrong_usage(command, "nothing to fetch: give addresses, --urls or --sitemap");
    fetching f = {.settings = &s};
    if (wn_io_output_open_resumable(&f.output, s.output, s.overwrite, WN_STR("fetch"))) {
        code = fetch_all(&f, args);
    } else {
        wn_io_say(&f.output.error);
        code = WN_EXIT_USAGE;
    }
    wn_io_crawl_free(f.crawl);
    wn_io_output_free(&f.output);
    return code;
}

const wn_command wn_command_fetch = {
    .name = "fetch",
    .operands = "-o FILE [URL...]",
    .summary = "fetch pages into a WARC file, politely",
    .about = "Fetches web pages and writes requests and responses to a WARC file.\n\n"
             "It follows robots.txt and sends each host one request at a time, with a delay\n"
             "between requests. Redirects are recorded and followed. Temporary failures are\n"
             "retried. To resume an interrupted run, run the same command again.",
    .notes = "Exit status: 0 success; 1 something could not be fetched, or was not allowed\n"
             "by robots.txt, or the output could not be written; 2 wrong usage; 130\n"
             "interrupted.\n\n"
             "Examples:\n"
             "  winnow fetch -o pages.warc.gz https://example.org/ https://example.com/a\n"
             "  winnow fetch -o pages.warc.zst -i urls.txt --delay 2\n"
             "  winnow fetch -o site.warc.gz --sitemap https://example.org/sitemap.xml\n"
             "  winnow fetch -o new.warc.gz -i urls.txt --since old.warc.gz\n"
             "  winnow extract -f jsonl -o text.jsonl.gz pages.warc.gz",
    .options = options,
    .run = run_fetch,
};
