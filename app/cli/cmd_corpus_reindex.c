/*
 * winnow corpus reindex: makes the full text index of a store again.
 */
#include <inttypes.h>

#include "cli/commands.h"
#include "cli/corpus.h"
#include "io/message.h"

typedef struct settings {
    const char *store;
    bool quiet;
} settings;

static const wn_option options[] = {
    {.heading = "Which store"},
    WN_STORE_OPTION,
    WN_FLAG("quiet", 'q', quiet, "no summary; only errors"),
    {.heading = "Help"},
    {0},
};

static int reindex(wn_store *store, bool quiet)
{
    uint64_t pages;
    if (!wn_corpus_store_reindex(store) || !wn_corpus_store_count(store, NULL, &pages))
        return wn_cli_corpus_failed(store, "cannot rebuild the index; it is unchanged");
    if (!quiet)
        wn_io_sayf("%" PRIu64 " pages indexed", pages);
    return WN_EXIT_OK;
}

static int run_reindex(const wn_command *command, char **args)
{
    settings s = {0};
    int code = wn_cli_options_parse(command, args, &s);
    const char *name = code == WN_GO_ON ? wn_cli_corpus_only(command, args, s.store, &code) : NULL;
    if (!name)
        return code;
    wn_store *store = wn_cli_corpus_open(name, WN_STORE_WRITE);
    code = store ? reindex(store, s.quiet) : WN_EXIT_FAILED;
    wn_corpus_store_close(store);
    return code;
}

const wn_command wn_command_corpus_reindex = {
    .name = "corpus reindex",
    .operands = "[STORE]",
    .summary = "rebuild the full-text index",
    .about = "Rebuilds the index of 'winnow corpus search' from the pages in the store. This\n"
             "is needed only if the index is damaged, which a search or an addition reports.",
    .notes = "It succeeds completely or changes nothing. Exit status: 0 success; 1 the store\n"
             "could not be read or written; 2 wrong usage; 130 interrupted.\n"
             "\n"
             "Example:\n"
             "  winnow corpus reindex news.db",
    .options = options,
    .run = run_reindex,
};
