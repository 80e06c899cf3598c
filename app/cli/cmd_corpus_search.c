/*
 * winnow corpus search: full text search in a store.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/corpus.h"
#include "corpus/export.h"
#include "corpus/search.h"
#include "io/color.h"
#include "io/message.h"
#include "io/output.h"

typedef struct settings {
    const char *store;
    wn_corpus_filter filter;
    size_t format;
    uint64_t count, skip;
} settings;

static const wn_option options[] = {
    {.heading = "Search"},
    WN_STORE_OPTION,
    WN_VALUE(NUMBER, "number", 'n', "N", count, "show N pages (default: 10)", .min = 1),
    WN_VALUE(NUMBER, "skip", 0, "N", skip, "skip the first N"),
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format, "the output format (default: txt)",
             .choices = wn_cli_corpus_form_name),
    WN_CORPUS_FILTER_OPTIONS,
    {.heading = "Help"},
    {0},
};

/* ---- Output ------------------------------------------------------------------------------ */

static void add_part(wn_buf *out, wn_str part)
{
    if (part.len == 0)
        return;
    wn_buf_add_literal(out, "  ");
    wn_add_printable(out, part);
}

/* The snippet, with colour in place of the marks around what was found. */
static void add_snippet(wn_buf *out, wn_str snippet, bool colored)
{
    static const wn_str mark = WN_STR("**");
    wn_buf safe = {0};
    bool found = false;
    wn_add_printable(&safe, snippet);
    for (wn_str rest = wn_buf_str(&safe); rest.len > 0; found = !found) {
        size_t place = colored ? wn_str_find(rest, mark) : rest.len;
        wn_io_color_add(out, found, WN_IO_YELLOW, wn_str_from(rest.ptr, place));
        rest = wn_str_from_offset(rest, place < rest.len ? place + mark.len : rest.len);
    }
    wn_buf_free(&safe);
}

static void write_txt(wn_buf *out, uint64_t rank, const wn_search_hit *hit, bool colored)
{
    const wn_stored *page = &hit->page;
    wn_buf title = {0};
    wn_add_printable(&title, page->title.len ? page->title : WN_STR("(no title)"));
    wn_buf_add_format(out, "%" PRIu64 ". ", rank);
    wn_io_color_add(out, colored, WN_IO_BOLD, wn_buf_str(&title));
    wn_buf_free(&title);
    wn_buf_add_format(out, "\n   [%" PRId64 "]", page->id);
    add_part(out, page->url.len ? page->url : page->source);
    add_part(out, page->label);
    add_part(out, page->language);
    add_part(out, page->date);
    wn_buf_add_literal(out, "\n   ");
    add_snippet(out, hit->snippet, colored);
    wn_buf_add_literal(out, "\n");
}

static void write_jsonl(wn_buf *out, uint64_t rank, const wn_search_hit *hit)
{
    wn_json_writer json = {.out = out};
    wn_json_begin_object(&json);
    wn_json_key(&json, "rank");
    wn_json_uint(&json, rank);
    wn_json_key(&json, "score");
    wn_json_fixed(&json, hit->score, 4);
    wn_corpus_stored_write_json(&json, &hit->page);
    wn_json_key(&json, "snippet");
    wn_json_string(&json, hit->snippet);
    wn_json_end_object(&json);
    wn_buf_add_char(out, '\n');
}

/* ---- The search -------------------------------------------------------------------------- */

static int print_hits(const settings *s, wn_store *store, wn_search *search)
{
    wn_io_output output;
    wn_buf out = {0};
    wn_search_hit hit;
    wn_io_output_open(&output, NULL, false);
    /* Hits are harmless to a terminal as they are written, and may have colours. */
    bool text = s->format == WN_CORPUS_TXT;
    bool colored = text && wn_io_color_at(STDOUT_FILENO);
    wn_io_output_set_raw(&output, text);
    uint64_t shown = 0;
    bool any = s->skip == 0 || wn_corpus_search_skip(search, s->skip);
    while (any && shown < s->count && output.state == WN_IO_OUTPUT_OPEN &&
           wn_corpus_search_next(search, &hit)) {
        shown++;
        wn_buf_clear(&out);
        if (shown > 1 && text)
            wn_buf_add_char(&out, '\n');
        if (text)
            write_txt(&out, s->skip + shown, &hit, colored);
        else
            write_jsonl(&out, s->skip + shown, &hit);
        wn_io_output_add(&output, wn_buf_str(&out));
    }
    bool written = wn_io_output_finish(&output);
    if (!written)
        wn_io_say(&output.error);
    bool searched = wn_corpus_search_close(search);
    int code = searched ? WN_EXIT_OK : wn_cli_corpus_failed(store, "cannot search the store");
    wn_io_output_free(&output);
    wn_buf_free(&out);
    if (code == WN_EXIT_OK && shown == 0)
        wn_io_sayf("no page found");
    return written ? code : WN_EXIT_FAILED;
}

static int search_store(const wn_command *command, const settings *s, wn_store *store,
                        const wn_store_filter *filter, char **words)
{
    wn_buf query = {0};
    const char *problem;
    for (char **word = words; *word; word++)
        wn_buf_add_format(&query, "%s%s", word == words ? "" : " ", *word);
    wn_search *search = wn_corpus_search_open(store, wn_buf_str(&query), filter, &problem);
    wn_buf_free(&query);
    if (search)
        return print_hits(s, store, search);
    if (problem)
        return wn_cli_wrong_usage(command, "%s", problem);
    return wn_cli_corpus_failed(store, "cannot search the store");
}

static int run_search(const wn_command *command, char **args)
{
    settings s = {.count = 10};
    wn_store_filter filter;
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON)
        code = wn_cli_corpus_filter_make(command, &s.filter, WN_STORED_NO_COPIES, &filter);
    if (code != WN_GO_ON)
        return code;
    char **words = args;
    const char *name = wn_cli_corpus_name(&words, s.store);
    if (!words[0])
        return wn_cli_wrong_usage(command, "no search words given");
    wn_store *store = wn_cli_corpus_open(name, WN_STORE_READ);
    if (!store)
        return WN_EXIT_FAILED;
    code = search_store(command, &s, store, &filter, words);
    wn_corpus_store_close(store);
    return code;
}

const wn_command wn_command_corpus_search = {
    .name = "corpus search",
    .operands = "[STORE] WORD...",
    .summary = "find pages by their words",
    .about = "Finds the pages that contain all WORDs, in any of their forms, best first. Words\n"
             "in double quotes must be adjacent; words joined by OR are alternatives; a word\n"
             "after NOT, or with a - before it (after --, so that it is not an option),\n"
             "excludes pages. Copies of other pages are left out unless --status includes\n"
             "them.",
    .notes = "Exit status: 0 success, also if no page was found; 1 the store could not be\n"
             "read; 2 wrong usage.\n\n"
             "Examples:\n"
             "  winnow corpus search news.db climate change\n"
             "  winnow corpus search news.db '\"climate change\" report' --since 2024\n"
             "  winnow corpus search news.db 'climate OR weather NOT report'\n"
             "  winnow corpus search news.db -f jsonl -n 100 ตลาด",
    .options = options,
    .run = run_search,
};
