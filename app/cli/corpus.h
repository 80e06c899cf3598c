/*
 * What the commands of `winnow corpus` share: which store is meant, and which pages of it.
 */
#ifndef WN_CLI_CORPUS_H
#define WN_CLI_CORPUS_H

#include "cli/options.h"
#include "corpus/store.h"

/* The forms of what is found out about all pages. */
typedef enum wn_corpus_format { WN_CORPUS_TABLE, WN_CORPUS_CSV, WN_CORPUS_JSON } wn_corpus_format;

/* Their names, as choices of an option. */
const char *wn_cli_corpus_format_name(const void *list, size_t index);

/* The forms of single pages, and their names. */
typedef enum wn_corpus_form { WN_CORPUS_TXT, WN_CORPUS_JSONL } wn_corpus_form;
const char *wn_cli_corpus_form_name(const void *list, size_t index);

extern const wn_command wn_command_corpus_add;
extern const wn_command wn_command_corpus_dedup;
extern const wn_command wn_command_corpus_outliers;
extern const wn_command wn_command_corpus_export;
extern const wn_command wn_command_corpus_list;
extern const wn_command wn_command_corpus_reindex;
extern const wn_command wn_command_corpus_rm;
extern const wn_command wn_command_corpus_search;
extern const wn_command wn_command_corpus_show;
extern const wn_command wn_command_corpus_stats;

/* A member `const char *store`, NULL if the user does not say. */
#define WN_STORE_OPTION                                                                            \
    WN_VALUE(TEXT, "store", 's', "STORE", store, "the store (default: winnow.db)")

/*
 * Takes the store's name off the front of the operands, if the first one is such a name: an address
 * "postgresql://…", a name that ends in .db, .sqlite or .sqlite3, or a file that is an SQLite
 * database. It is `otherwise`, or winnow.db if that is NULL, when the first operand is something
 * else.
 */
const char *wn_cli_corpus_name(char ***operands, const char *otherwise);

/*
 * The same for commands that take a store and nothing else: NULL when there is more, and then *code
 * is the exit code of the message.
 */
const char *wn_cli_corpus_only(const wn_command *command, char **operands, const char *otherwise,
                               int *code);

/* Opens the store, or says why it cannot and returns NULL. */
wn_store *wn_cli_corpus_open(const char *name, wn_store_mode mode);

/* Both, for reading; NULL: *code is the exit code. */
wn_store *wn_cli_corpus_open_only(const wn_command *command, char **operands, const char *otherwise,
                                  int *code);

/* Says that something failed in the store: "what: reason". Returns the exit code. */
int wn_cli_corpus_failed(const wn_store *store, const char *what);

/* ---- Which pages ------------------------------------------------------------------------- */

typedef struct wn_corpus_filter {
    const char *label, *host, *language, *since, *until, *status;
} wn_corpus_filter;

/* Rows of a table of options; the command's settings have a member `filter`. */
#define WN_CORPUS_FILTER_OPTIONS                                                                   \
    {.heading = "Which pages"},                                                                    \
        WN_VALUE(TEXT, "label", 0, "LABEL", filter.label, "with that label"),                      \
        WN_VALUE(TEXT, "host", 0, "HOST", filter.host,                                             \
                 "from that host; .example.org: also from its subdomains"),                        \
        WN_VALUE(TEXT, "language", 0, "CODE", filter.language, "in that language: en, de, th, …"), \
        WN_VALUE(TEXT, "since", 0, "DATE", filter.since, "of that date or later: 2024-05-31"),     \
        WN_VALUE(TEXT, "until", 0, "DATE", filter.until, "of that date or earlier"),               \
        WN_VALUE(TEXT, "status", 0, "LIST", filter.status,                                         \
                 "of these kinds: ok, partial, empty, copy, separated by commas; or all")

/*
 * Checks what was given and fills in the filter. `statuses` are meant when none are named; 0: all.
 * Returns WN_GO_ON or an exit code.
 */
int wn_cli_corpus_filter_make(const wn_command *command, const wn_corpus_filter *given,
                              unsigned statuses, wn_store_filter *filter);

#endif
