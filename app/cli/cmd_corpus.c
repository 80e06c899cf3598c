/*
 * winnow corpus: collections of pages in a database.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/corpus.h"
#include "cli/subcommands.h"
#include "io/message.h"

static const wn_command *const subcommands[] = {
    &wn_command_corpus_add,
    &wn_command_corpus_list,
    &wn_command_corpus_show,
    &wn_command_corpus_rm,
    &wn_command_corpus_search,
    &wn_command_corpus_stats,
    &wn_command_corpus_dedup,
    &wn_command_corpus_outliers,
    &wn_command_corpus_export,
    &wn_command_corpus_reindex,
    NULL,
};

/* ---- Which store ------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_sqlite_file(const char *name)
{
    static const char magic[] = "SQLite format 3";
    char start[sizeof magic] = "";
    FILE *file = fopen(name, "rb");
    if (!file)
        return false;
    bool read = fread(start, 1, sizeof start, file) == sizeof start;
    fclose(file);
    return read && memcmp(start, magic, sizeof magic) == 0;
}

static bool is_store_name(const char *name)
{
    return wn_corpus_store_is_remote(name) || ends_with(name, ".db") ||
           ends_with(name, ".sqlite") || ends_with(name, ".sqlite3") || is_sqlite_file(name);
}

const char *wn_cli_corpus_name(char ***operands, const char *otherwise)
{
    char **words = *operands;
    if (words[0] && !otherwise && is_store_name(words[0])) {
        ++*operands;
        return words[0];
    }
    return otherwise ? otherwise : WN_STORE_DEFAULT;
}

const char *wn_cli_corpus_only(const wn_command *command, char **operands, const char *otherwise,
                               int *code)
{
    const char *name = wn_cli_corpus_name(&operands, otherwise);
    if (!operands[0])
        return name;
    *code = wn_cli_wrong_usage(command, "one store and nothing else");
    return NULL;
}

const char *wn_cli_corpus_format_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"table", "csv", "json", NULL};
    return names[index];
}

const char *wn_cli_corpus_form_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"txt", "jsonl", NULL};
    return names[index];
}

wn_store *wn_cli_corpus_open(const char *name, wn_store_mode mode)
{
    wn_buf error = {0};
    wn_store *store = wn_corpus_store_open(name, mode, &error);
    if (!store)
        wn_io_say(&error);
    wn_buf_free(&error);
    return store;
}

wn_store *wn_cli_corpus_open_only(const wn_command *command, char **operands, const char *otherwise,
                                  int *code)
{
    const char *name = wn_cli_corpus_only(command, operands, otherwise, code);
    if (!name)
        return NULL;
    *code = WN_EXIT_FAILED;
    return wn_cli_corpus_open(name, WN_STORE_READ);
}

int wn_cli_corpus_failed(const wn_store *store, const char *what)
{
    wn_buf message = {0};
    wn_buf_add_format(&message, "%s: ", what);
    wn_add_printable(&message, wn_str_trim(wn_str_of(wn_corpus_store_error(store))));
    wn_io_say(&message);
    wn_buf_free(&message);
    return WN_EXIT_FAILED;
}

/* ---- Which pages ------------------------------------------------------------------------- */

/* Two digits of a date: a number from 1 to `most`. */
static bool is_part(const char *digits, int most)
{
    int number = (digits[0] - '0') * 10 + digits[1] - '0';
    return number >= 1 && number <= most;
}

/* "2024", "2024-05" or "2024-05-31". */
static bool is_date(const char *date)
{
    static const char form[] = "0000-00-00";
    size_t length = strlen(date);
    if (length != 4 && length != 7 && length != 10)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (form[i] == '0' ? !wn_is_ascii_digit(date[i]) : date[i] != form[i])
            return false;
    }
    return (length < 7 || is_part(date + 5, 12)) && (length < 10 || is_part(date + 8, 31));
}

/* The number of the status that `name` is, WN_STORED_STATUSES if none. */
static size_t find_status(wn_str name)
{
    size_t status = 0;
    while (status < WN_STORED_STATUSES &&
           !wn_str_eq(wn_str_of(wn_corpus_stored_status_name(status)), name))
        status++;
    return status;
}

static bool read_statuses(const char *list, unsigned *statuses)
{
    *statuses = 0;
    if (strcmp(list, "all") == 0)
        return true;
    for (const char *p = list;; p++) {
        size_t length = strcspn(p, ",");
        size_t status = find_status(wn_str_from(p, length));
        if (status == WN_STORED_STATUSES)
            return false;
        *statuses |= 1u << status;
        p += length;
        if (!*p)
            return true;
    }
}

int wn_cli_corpus_filter_make(const wn_command *command, const wn_corpus_filter *given,
                              unsigned statuses, wn_store_filter *filter)
{
    if (given->since && !is_date(given->since))
        return wn_cli_wrong_usage(command, "--since is a date: 2024, 2024-05 or 2024-05-31");
    if (given->until && !is_date(given->until))
        return wn_cli_wrong_usage(command, "--until is a date: 2024, 2024-05 or 2024-05-31");
    if (given->status && !read_statuses(given->status, &statuses))
        return wn_cli_wrong_usage(command,
                                  "--status is a list of ok, partial, empty and copy, or all");
    *filter = (wn_store_filter){
        .label = given->label,
        .host = given->host,
        .language = given->language,
        .since = given->since,
        .until = given->until,
        .statuses = statuses,
    };
    return WN_GO_ON;
}

/* ---- The command ------------------------------------------------------------------------- */

static int run_corpus(const wn_command *command, char **args)
{
    return wn_cli_run_subcommand(command, subcommands, args);
}

static const wn_option no_options[] = {{0}};

const wn_command wn_command_corpus = {
    .name = "corpus",
    .operands = "COMMAND [OPTION...] [STORE] ...",
    .summary = "collections of pages and their text, in a database",
    .about = "Keeps pages and their text in a database.\n"
             "\n"
             "STORE is an SQLite file or the address of a PostgreSQL database\n"
             "(postgresql://user@host/name). The first argument is the store if it is such\n"
             "an address, ends in .db, .sqlite or .sqlite3, or is an SQLite file; otherwise\n"
             "the store is winnow.db in this folder, or the one that --store names.",
    .notes = "Examples:\n"
             "  winnow corpus add news.db crawl/\n"
             "  winnow corpus search news.db climate change\n"
             "  winnow corpus export news.db -f jsonl -o news.jsonl",
    .options = no_options,
    .subcommands = subcommands,
    .run = run_corpus,
};
