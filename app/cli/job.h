/*
 * What the commands that read pages have in common: the options that say how pages are read, what
 * can be wrong with inputs, and what is said about one that fails.
 *
 * A command's struct of settings has a member `web`, which the rows below fill in:
 *
 *     typedef struct settings {
 *         wn_web_settings web;
 *         …
 *     static const wn_option options[] = {
 *         …
 *         WN_MAX_BYTES_OPTION,
 *         WN_WEB_OPTIONS,
 *     …
 *     settings s = {.web = wn_cli_job_web()};
 */
#ifndef WN_CLI_JOB_H
#define WN_CLI_JOB_H

#include "base/buf.h"
#include "cli/options.h"
#include "winnow-io.h"

#define WN_LARGEST_PAGE (UINT64_C(2) << 30) /* the library takes no more */

enum { WN_MAX_JOBS = 256 };

/* ---- Options ----------------------------------------------------------------------------- */

/* A member `uint64_t jobs`, 0 if the user does not say. */
#define WN_JOBS_OPTION                                                                             \
    WN_VALUE(NUMBER, "jobs", 'j', "N", jobs,                                                       \
             "process N pages at once (default: one per processor core)", .min = 1,                \
             .max = WN_MAX_JOBS)

/* How pages are read; a command has it as its member `web`. */
typedef struct wn_web_settings {
    uint64_t max_bytes; /* of a page */
    uint64_t max_redirects;
    double timeout;                                /* seconds for a page from the web */
    bool allow_private;                            /* also addresses that are not public */
    size_t from;                                   /* a winnow_archive_kind */
    const char *html_field, *url_field, *id_field; /* of JSON lines */
    const char *user_agent, *proxy;
    wn_option_list headers;
} wn_web_settings;

#define WN_MAX_BYTES_OPTION                                                                        \
    WN_VALUE(SIZE, "max-bytes", 0, "SIZE", web.max_bytes,                                          \
             "read at most this much of a page (default: 32M; 0: 2G, the maximum)",                \
             .max = WN_LARGEST_PAGE)

#define WN_WEB_OPTIONS                                                                             \
    WN_VALUE(SECONDS, "timeout", 0, "SECONDS", web.timeout,                                        \
             "total time to fetch a page from the web (default: 30)"),                             \
        WN_VALUE(NUMBER, "max-redirects", 0, "N", web.max_redirects,                               \
                 "redirects to follow (default: 10)", .max = 100),                                 \
        WN_FLAG("allow-private", 0, web.allow_private,                                             \
                "also fetch from loopback, private and link-local addresses, and use the proxy "   \
                "of the environment"),                                                             \
        WN_VALUE(LIST, "header", 'H', "LINE", web.headers,                                         \
                 "a header to send to web servers, such as 'Cookie: a=b'; can be repeated"),       \
        WN_VALUE(TEXT, "user-agent", 0, "TEXT", web.user_agent, "the User-Agent header"),          \
        WN_VALUE(TEXT, "proxy", 0, "URL", web.proxy,                                               \
                 "fetch through this proxy, which may then connect to any address")

/* What inputs are, where that cannot be told from their names and bytes. */
#define WN_FROM_OPTIONS                                                                            \
    WN_VALUE(CHOICE, "from", 0, "KIND", web.from,                                                  \
             "the kind of files and standard input (default: auto)", .choices = wn_cli_job_kind,   \
             .summaries = wn_cli_job_kind_summary),                                                \
        WN_VALUE(TEXT, "html-field", 0, "NAME", web.html_field,                                    \
                 "jsonl: the field that holds the page (default: html)"),                          \
        WN_VALUE(TEXT, "url-field", 0, "NAME", web.url_field,                                      \
                 "jsonl: the field that holds its address (default: url)"),                        \
        WN_VALUE(TEXT, "id-field", 0, "NAME", web.id_field,                                        \
                 "jsonl: the field that names it (default: id)")

const char *wn_cli_job_kind(const void *list, size_t index);
const char *wn_cli_job_kind_summary(const void *list, size_t index);

/* Their defaults. */
wn_web_settings wn_cli_job_web(void);

/* What a page may take; 0: as much as it needs. */
typedef struct wn_page_limits {
    uint64_t max_memory; /* bytes */
    double max_time;     /* seconds */
} wn_page_limits;

/* A member `wn_page_limits limits`. */
#define WN_PAGE_LIMIT_OPTIONS                                                                      \
    WN_VALUE(SIZE, "max-memory", 0, "SIZE", limits.max_memory,                                     \
             "working memory for a page (default: no limit)", .min = 0),                           \
        WN_VALUE(SECONDS, "max-time", 0, "SECONDS", limits.max_time,                               \
                 "time limit for a page; one that takes longer is cut short (default: no limit)")

/* How many pages are worked on at once; `asked` is what the user says, or 0. */
size_t wn_cli_job_count(uint64_t asked, bool single);

/*
 * Checks what the options cannot: that the charset (or NULL) and the language (or NULL) are known
 * and standard input is read only once. Says in bytes what --max-bytes 0 means. WN_GO_ON or an
 * exit code.
 */
int wn_cli_job_check(const wn_command *command, char **names, const char *charset,
                     const char *language, wn_web_settings *web);

/*
 * Checks --url (or NULL): it is a whole address, and there is one page. WN_GO_ON or an exit code.
 */
int wn_cli_job_check_url(const wn_command *command, const char *url, bool single);

/* The name of a file without the ending of its compression: "pages.jsonl" of "pages.jsonl.zst". */
wn_str wn_cli_job_name_unpacked(const char *path);

/* What a file is by its name: "pages.jsonl.zst" has JSON lines. NULL if that does not tell. */
const winnow_format_info *wn_cli_job_format_of(const char *path);

/* ---- The start --------------------------------------------------------------------------- */

/* Refuses an output that is one of the inputs, which would be lost; WN_GO_ON or an exit code. */
int wn_cli_job_check_output(const wn_command *command, char **names, const char *output);

/* What the options say of inputs; `max_record` 0: the usual. */
winnow_inputs_settings wn_cli_job_inputs(const wn_web_settings *web, uint64_t max_record);

/*
 * Opens the inputs of a command, of which records have at most `max_record` bytes (0: the usual).
 * NULL, after a message, if that is not possible.
 */
winnow_inputs *wn_cli_job_open(char **names, const wn_web_settings *web, uint64_t max_record);

/* Whether the inputs are one page, as far as can be told without reading standard input. */
bool wn_cli_job_is_single(winnow_inputs *inputs, char **names);

/* Tells a user who forgot to name an input that the terminal is read. */
void wn_cli_job_say_terminal(char **names, bool quiet);

/* Adds the lines of a file of words to `words`; no path, no words. WN_GO_ON or an exit code. */
int wn_cli_job_read_words(const wn_command *command, const char *path, const char *what,
                          wn_buf *words);

/* ---- A page ------------------------------------------------------------------------------ */

/* Options with the limits of a page and the user's charset (or NULL); NULL: out of memory. */
winnow_options *wn_cli_job_options(const wn_web_settings *web, const wn_page_limits *limits,
                                   const char *charset);

/* Adds the quoted name of an input. */
void wn_cli_job_add_name(wn_buf *message, const winnow_input *input);

/* Adds that an input could not be read, and why. */
void wn_cli_job_add_unreadable(wn_buf *message, const winnow_input *input, const char *error);

/* Says that. */
void wn_cli_job_say_unreadable(const winnow_input *input, const char *error);

/* The status of a selection; without one, which the library gives for want of memory, that. */
winnow_status wn_cli_job_status(const winnow_selection *content);

/* Adds why an input could not be loaded, and the option that helps; nothing if it could. */
void wn_cli_job_add_load_error(wn_buf *reason, const winnow_loaded *loaded);

/* Adds why a page that was loaded gave no text; nothing if it did. */
void wn_cli_job_add_reason(wn_buf *reason, winnow_status status, const winnow_loaded *loaded);

#endif
