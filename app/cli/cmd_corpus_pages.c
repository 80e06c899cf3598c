/*
 * winnow corpus list, show, rm: single pages of a store.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/corpus.h"
#include "corpus/export.h"
#include "corpus/kept_words.h"
#include "io/message.h"
#include "io/output.h"

typedef struct settings {
    const char *store;
    wn_corpus_filter filter;
    size_t format;
    uint64_t limit;
    bool stems, all, yes, dry_run, quiet, raw;
} settings;

/* ---- Numbers of pages -------------------------------------------------------------------- */

/* Reads "12" or "12-20"; false when it is neither. */
static bool read_range(const char *word, int64_t *first, int64_t *last)
{
    char *end;
    if (!wn_is_ascii_digit(word[0]))
        return false;
    *first = *last = strtoll(word, &end, 10);
    if (*end == '-' && wn_is_ascii_digit(end[1]))
        *last = strtoll(end + 1, &end, 10);
    return *end == '\0' && *first > 0 && *first <= *last && *last < INT64_MAX;
}

static int check_ranges(const wn_command *command, char **words)
{
    int64_t first, last;
    for (; *words; words++) {
        if (!read_range(*words, &first, &last))
            return wn_cli_wrong_value(command,
                                      "%s is not the number of a page; 'winnow corpus list' "
                                      "shows them; 12-20 means 12 to 20",
                                      *words);
    }
    return WN_GO_ON;
}

/* ---- list -------------------------------------------------------------------------------- */

static const wn_option list_options[] = {
    {.heading = "Output"},
    WN_STORE_OPTION,
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format, "the output format (default: txt)",
             .choices = wn_cli_corpus_form_name),
    WN_VALUE(NUMBER, "limit", 0, "N", limit, "only the first N pages", .min = 1),
    WN_CORPUS_FILTER_OPTIONS,
    {.heading = "Help"},
    {0},
};

/* One line, with tabs between: what shell tools like. */
static void write_line(wn_buf *out, const wn_stored *page)
{
    wn_buf_add_format(out, "%" PRId64 "\t%s", page->id, wn_corpus_stored_status_name(page->status));
    if (page->copy_of)
        wn_buf_add_format(out, " of %" PRId64, page->copy_of);
    wn_buf_add_format(out, "\t%" PRIu64 "\t", page->words);
    wn_add_printable(out, page->language.len ? page->language : WN_STR("-"));
    wn_buf_add_char(out, '\t');
    wn_add_printable(out, page->label.len ? page->label : WN_STR("-"));
    wn_buf_add_char(out, '\t');
    wn_add_printable(out, page->url.len ? page->url : page->source);
    wn_buf_add_char(out, '\t');
    wn_add_printable(out, page->title);
    wn_buf_add_char(out, '\n');
}

/* Ends the output of a walk and tells the exit code. */
static int end_walk(wn_store *store, wn_store_walk *walk, wn_io_output *output)
{
    int code = wn_corpus_store_walk_close(walk)
                   ? WN_EXIT_OK
                   : wn_cli_corpus_failed(store, "cannot read the store");
    if (!wn_io_output_finish(output)) {
        wn_io_say(&output->error);
        code = WN_EXIT_FAILED;
    }
    wn_io_output_free(output);
    return code;
}

static int list_pages(const settings *s, wn_store *store, const wn_store_filter *filter)
{
    wn_io_output output;
    wn_buf out = {0};
    wn_stored page;
    wn_io_output_open(&output, NULL, false);
    wn_store_walk *walk = wn_corpus_store_walk_open(store, filter, 0);
    while (walk && output.state == WN_IO_OUTPUT_OPEN && wn_corpus_store_walk_next(walk, &page)) {
        wn_buf_clear(&out);
        if (s->format == WN_CORPUS_JSONL)
            wn_corpus_stored_write_line(&out, &page, false, false);
        else
            write_line(&out, &page);
        wn_io_output_add(&output, wn_buf_str(&out));
    }
    wn_buf_free(&out);
    return end_walk(store, walk, &output);
}

static int run_list(const wn_command *command, char **args)
{
    settings s = {0};
    wn_store_filter filter;
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON)
        code = wn_cli_corpus_filter_make(command, &s.filter, 0, &filter);
    if (code != WN_GO_ON)
        return code;
    filter.limit = s.limit;
    wn_store *store = wn_cli_corpus_open_only(command, args, s.store, &code);
    if (!store)
        return code;
    code = list_pages(&s, store, &filter);
    wn_corpus_store_close(store);
    return code;
}

const wn_command wn_command_corpus_list = {
    .name = "corpus list",
    .operands = "[STORE]",
    .summary = "the pages, one per line",
    .about = "Lists the pages of a store: number, status, words, language, label, address (or\n"
             "file) and title, separated by tabs.",
    .notes = "Exit status: 0 success; 1 the store could not be read; 2 wrong usage.\n\n"
             "Examples:\n"
             "  winnow corpus list news.db --host .example.org\n"
             "  winnow corpus list news.db --status copy,empty",
    .options = list_options,
    .run = run_list,
};

/* ---- show -------------------------------------------------------------------------------- */

static const wn_option show_options[] = {
    {.heading = "Output"},
    WN_STORE_OPTION,
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format, "the output format (default: txt)",
             .choices = wn_cli_corpus_form_name),
    WN_FLAG("stems", 0, stems,
            "show the stems instead of the text, without noise words; in jsonl, in addition to it"),
    WN_RAW_OPTION,
    {.heading = "Help"},
    {0},
};

static void add_fact(wn_buf *out, const char *name, wn_str value)
{
    if (value.len == 0)
        return;
    wn_buf_add_format(out, "%-10s ", name);
    wn_add_printable(out, value);
    wn_buf_add_char(out, '\n');
}

static void write_page(wn_buf *out, const wn_stored *page, bool stems)
{
    wn_str text = stems ? page->stems : page->text;
    wn_buf_add_format(out, "id         %" PRId64 "\n", page->id);
    add_fact(out, "url", page->url);
    add_fact(out, "label", page->label);
    add_fact(out, "title", page->title);
    add_fact(out, "author", page->author);
    add_fact(out, "date", page->date);
    add_fact(out, "language", page->language);
    add_fact(out, "source", page->source);
    if (page->offset || page->inner)
        wn_buf_add_format(out, "offset     %" PRIu64 " %" PRIu64 "\n", page->offset, page->inner);
    add_fact(out, "method", page->method);
    add_fact(out, "status", wn_str_of(wn_corpus_stored_status_name(page->status)));
    if (page->copy_of)
        wn_buf_add_format(out, "copy of    %" PRId64 "\n", page->copy_of);
    wn_buf_add_format(
        out, "size       %" PRIu64 " bytes of HTML, %" PRIu64 " of text, %" PRIu64 " words\n\n",
        page->page_bytes, page->text_bytes, page->words);
    wn_buf_add(out, text);
    if (text.len > 0 && text.ptr[text.len - 1] != '\n')
        wn_buf_add_char(out, '\n');
}

/* Shows the pages of one range; *found counts them. */
static bool show_range(const settings *s, wn_store *store, wn_noise_filter *noise,
                       wn_io_output *output, int64_t first, int64_t last, uint64_t *found)
{
    const wn_store_filter filter = {.after = first - 1};
    wn_buf out = {0};
    wn_stored page;
    wn_store_walk *walk = wn_corpus_store_walk_open(store, &filter, WN_FIELD_TEXT | WN_FIELD_STEMS);
    while (walk && output->state == WN_IO_OUTPUT_OPEN && wn_corpus_store_walk_next(walk, &page) &&
           page.id <= last) {
        wn_buf_clear(&out);
        page.stems = wn_corpus_noise_filter_stems(noise, page.stems);
        if (s->format == WN_CORPUS_JSONL)
            wn_corpus_stored_write_line(&out, &page, true, s->stems);
        else
            write_page(&out, &page, s->stems);
        if (*found > 0 && s->format == WN_CORPUS_TXT)
            wn_io_output_add(output, WN_STR("\n"));
        wn_io_output_add(output, wn_buf_str(&out));
        ++*found;
    }
    wn_buf_free(&out);
    return wn_corpus_store_walk_close(walk);
}

static int show_pages(const settings *s, wn_store *store, char **words)
{
    wn_io_output output;
    uint64_t found = 0;
    wn_noise_filter noise = {0};
    bool missing = false, read = !s->stems || wn_corpus_noise_filter_open(&noise, store);
    wn_io_output_open(&output, NULL, false);
    wn_io_output_set_raw(&output, s->raw);
    for (; read && *words; words++) {
        int64_t first = 0, last = 0;
        uint64_t before = found;
        read_range(*words, &first, &last);
        read = show_range(s, store, &noise, &output, first, last, &found);
        if (read && found == before && output.state == WN_IO_OUTPUT_OPEN) {
            wn_io_sayf("there is no page %s", *words);
            missing = true;
        }
    }
    bool written = wn_io_output_finish(&output);
    if (!written)
        wn_io_say(&output.error);
    wn_io_output_free(&output);
    wn_corpus_noise_filter_free(&noise);
    if (!read)
        return wn_cli_corpus_failed(store, "cannot read the store");
    return written && !missing ? WN_EXIT_OK : WN_EXIT_FAILED;
}

static int run_show(const wn_command *command, char **args)
{
    settings s = {0};
    int code = wn_cli_options_parse(command, args, &s);
    if (code != WN_GO_ON)
        return code;
    char **words = args;
    const char *name = wn_cli_corpus_name(&words, s.store);
    if (!words[0])
        return wn_cli_wrong_usage(command, "which page? 'winnow corpus list' shows their numbers");
    code = check_ranges(command, words);
    if (code != WN_GO_ON)
        return code;
    wn_store *store = wn_cli_corpus_open(name, WN_STORE_READ);
    if (!store)
        return WN_EXIT_FAILED;
    code = show_pages(&s, store, words);
    wn_corpus_store_close(store);
    return code;
}

const wn_command wn_command_corpus_show = {
    .name = "corpus show",
    .operands = "[STORE] NUMBER...",
    .summary = "pages with everything that is known about them",
    .about = "Shows pages of a store by number: everything that is known about them, and\n"
             "their text.",
    .notes = "Exit status: 0 success; 1 there is no such page, or the store could not be\n"
             "read; 2 wrong usage.\n"
             "\n"
             "Examples:\n"
             "  winnow corpus show news.db 12\n"
             "  winnow corpus show news.db 12-20 -f jsonl",
    .options = show_options,
    .run = run_show,
};

/* ---- rm ---------------------------------------------------------------------------------- */

static const wn_option rm_options[] = {
    {.heading = "What is removed"},
    WN_STORE_OPTION,
    WN_FLAG("all", 0, all, "all pages that match the options below; without them, every page"),
    WN_FLAG("yes", 'y', yes, "do not ask before --all; required if there is no terminal"),
    WN_FLAG("dry-run", 'n', dry_run, "only say how many pages would be removed"),
    WN_FLAG("quiet", 'q', quiet, "no summary; only errors"),
    WN_CORPUS_FILTER_OPTIONS,
    {.heading = "Help"},
    {0},
};

/* Removes the pages of a filter up to `last`; inside a transaction. */
static bool remove_range(wn_store *store, const wn_store_filter *filter, int64_t last,
                         uint64_t *removed)
{
    wn_stored page;
    bool done = true, found;
    wn_store_walk *walk = wn_corpus_store_walk_open(store, filter, 0);
    while (done && walk && wn_corpus_store_walk_next(walk, &page) && page.id <= last) {
        done = wn_corpus_store_remove(store, page.id, &found);
        *removed += done && found;
    }
    return wn_corpus_store_walk_close(walk) && done;
}

/* Whether an earlier word names some of these pages. */
static bool is_named_before(char **words, char **word, int64_t first, int64_t last)
{
    for (int64_t from, to; words < word; words++)
        if (read_range(*words, &from, &to) && from <= last && first <= to)
            return true;
    return false;
}

/* Removes what the words name, or all; *missing: there is a word that names no page. */
static bool remove_named(const settings *s, wn_store *store, wn_store_filter *filter, char **words,
                         uint64_t *removed, bool *missing)
{
    bool done = !s->all || remove_range(store, filter, INT64_MAX, removed);
    for (char **word = words; done && *word; word++) {
        int64_t first = 0, last = 0;
        uint64_t before = *removed;
        read_range(*word, &first, &last);
        filter->after = first - 1;
        done = remove_range(store, filter, last, removed);
        if (done && *removed == before && !is_named_before(words, word, first, last)) {
            wn_io_sayf("there is no page %s", *word);
            *missing = true;
        }
    }
    return done;
}

/* Asks at the terminal; without one, only --yes will do. */
static bool is_confirmed(const settings *s, uint64_t pages)
{
    char answer[8] = "";
    if (!s->all || s->yes || s->dry_run || pages == 0)
        return true;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
        wn_io_sayf("--all would remove %" PRIu64 " pages; use --yes to confirm, or --dry-run to "
                   "see how many",
                   pages);
        return false;
    }
    fprintf(stderr, "Remove %" PRIu64 " pages? [y/N] ", pages);
    return fgets(answer, sizeof answer, stdin) && wn_ascii_lower(answer[0]) == 'y';
}

/* All in one transaction: either every page is gone or none. */
static int remove_pages(const settings *s, wn_store *store, wn_store_filter *filter, char **words)
{
    uint64_t removed = 0;
    bool missing = false;
    bool done = wn_corpus_store_begin(store) &&
                remove_named(s, store, filter, words, &removed, &missing);
    bool keep = done && (missing || s->dry_run || !is_confirmed(s, removed));
    if (keep)
        wn_corpus_store_rollback(store);
    if (!keep && (!done || !wn_corpus_store_commit(store))) {
        wn_cli_corpus_failed(store, "cannot remove pages; all are still there");
        wn_corpus_store_rollback(store);
        return WN_EXIT_FAILED;
    }
    if (s->dry_run && !missing)
        wn_io_sayf("%" PRIu64 " would be removed", removed);
    else if (keep)
        wn_io_sayf("nothing was removed");
    else if (!s->quiet)
        wn_io_sayf("%" PRIu64 " removed", removed);
    return missing || (keep && !s->dry_run) ? WN_EXIT_FAILED : WN_EXIT_OK;
}

static int run_rm(const wn_command *command, char **args)
{
    settings s = {0};
    wn_store_filter filter;
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON)
        code = wn_cli_corpus_filter_make(command, &s.filter, 0, &filter);
    if (code != WN_GO_ON)
        return code;
    char **words = args;
    const char *name = wn_cli_corpus_name(&words, s.store);
    if (!words[0] == !s.all)
        return wn_cli_wrong_usage(command, "give the numbers of pages, or --all");
    code = check_ranges(command, words);
    if (code != WN_GO_ON)
        return code;
    wn_store *store = wn_cli_corpus_open(name, WN_STORE_WRITE);
    if (!store)
        return WN_EXIT_FAILED;
    code = remove_pages(&s, store, &filter, words);
    wn_corpus_store_close(store);
    return code;
}

const wn_command wn_command_corpus_rm = {
    .name = "corpus rm",
    .operands = "[STORE] NUMBER...|--all",
    .summary = "remove pages",
    .about = "Removes pages from a store, by number or, with --all, all that match the\n"
             "options. Copies of a removed page are no longer marked as copies. Either all are\n"
             "removed or, if one does not exist or something fails, none.",
    .notes = "Exit status: 0 success; 1 there is no such page, the store could not be written,\n"
             "or the answer was no; 2 wrong usage.\n"
             "\n"
             "Examples:\n"
             "  winnow corpus rm news.db 12 30-35\n"
             "  winnow corpus rm news.db --all --status copy --dry-run\n"
             "  winnow corpus rm news.db --all --status copy --yes",
    .options = rm_options,
    .run = run_rm,
};
