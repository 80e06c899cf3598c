/*
 * winnow corpus stats: what is in a store, counted.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/corpus.h"
#include "corpus/census.h"
#include "io/message.h"
#include "io/output.h"

typedef enum format { FORMAT_TXT, FORMAT_JSON } format;

typedef struct settings {
    const char *store;
    size_t format;
    uint64_t top;
} settings;

static const char *format_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"txt", "json", NULL};
    return names[index];
}

static const wn_option options[] = {
    {.heading = "Output"},
    WN_STORE_OPTION,
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format, "the output format (default: txt)",
             .choices = format_name),
    WN_VALUE(NUMBER, "number", 'n', "N", top, "the N largest of each kind (default: 10)", .min = 1),
    {.heading = "Help"},
    {0},
};

/* ---- Text -------------------------------------------------------------------------------- */

static double saved_share(const wn_census_row *row)
{
    return row->page_bytes ? 1 - (double)row->text_bytes / (double)row->page_bytes : 0;
}

static void add_row(wn_buf *out, const wn_census_row *row)
{
    wn_buf_add_format(out, "  %10" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %6.1f%%  ",
                      row->pages, row->words, row->page_bytes, row->text_bytes,
                      100 * saved_share(row));
    wn_add_printable(out, row->name.len ? row->name : WN_STR("(none)"));
    wn_buf_add_char(out, '\n');
}

static void add_heading(wn_buf *out, const char *name)
{
    wn_buf_add_format(out, "%s%-10s %12s %12s %12s %7s  %s\n", out->len ? "\n" : "", "       pages",
                      "words", "HTML bytes", "text bytes", "saved", name);
}

static bool add_txt_row(void *data, const wn_census_row *row)
{
    add_row(data, row);
    return true;
}

static bool write_txt(wn_store *store, uint64_t top, wn_buf *out)
{
    wn_census_row all;
    if (!wn_corpus_census_all(store, &all))
        return false;
    add_heading(out, "in all");
    all.name = WN_STR("all pages");
    add_row(out, &all);
    for (size_t kind = 0; kind < WN_CENSUS_KINDS; kind++) {
        add_heading(out, wn_corpus_census_name(kind));
        if (!wn_corpus_census_by(store, (wn_census_kind)kind, top, add_txt_row, out))
            return false;
    }
    return true;
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void add_numbers(wn_json_writer *json, const wn_census_row *row)
{
    wn_json_key(json, "pages");
    wn_json_uint(json, row->pages);
    wn_json_key(json, "words");
    wn_json_uint(json, row->words);
    wn_json_key(json, "page_bytes");
    wn_json_uint(json, row->page_bytes);
    wn_json_key(json, "text_bytes");
    wn_json_uint(json, row->text_bytes);
    wn_json_key(json, "saved");
    wn_json_fixed(json, saved_share(row), 4);
}

static bool add_json_row(void *data, const wn_census_row *row)
{
    wn_json_writer *json = data;
    wn_json_begin_object(json);
    wn_json_key(json, "name");
    wn_json_string(json, row->name);
    add_numbers(json, row);
    wn_json_end_object(json);
    return true;
}

static bool write_json(wn_store *store, uint64_t top, wn_buf *out)
{
    wn_json_writer json = {.out = out};
    wn_census_row all;
    if (!wn_corpus_census_all(store, &all))
        return false;
    wn_json_begin_object(&json);
    add_numbers(&json, &all);
    bool done = true;
    for (size_t kind = 0; done && kind < WN_CENSUS_KINDS; kind++) {
        wn_json_key(&json, wn_corpus_census_name(kind));
        wn_json_begin_array(&json);
        done = wn_corpus_census_by(store, (wn_census_kind)kind, top, add_json_row, &json);
        wn_json_end_array(&json);
    }
    wn_json_end_object(&json);
    wn_buf_add_char(out, '\n');
    return done;
}

/* ---- The command ------------------------------------------------------------------------- */

static int print_stats(const settings *s, wn_store *store)
{
    wn_buf out = {0};
    wn_io_output output;
    int code = WN_EXIT_OK;
    bool counted = (s->format == FORMAT_JSON ? write_json : write_txt)(store, s->top, &out);
    if (!counted)
        code = wn_cli_corpus_failed(store, "cannot read the store");
    wn_io_output_open(&output, NULL, false);
    if (counted)
        wn_io_output_add(&output, wn_buf_str(&out));
    if (!wn_io_output_finish(&output)) {
        wn_io_say(&output.error);
        code = WN_EXIT_FAILED;
    }
    wn_io_output_free(&output);
    wn_buf_free(&out);
    return code;
}

static int run_stats(const wn_command *command, char **args)
{
    settings s = {.top = 10};
    int code = wn_cli_options_parse(command, args, &s);
    if (code != WN_GO_ON)
        return code;
    wn_store *store = wn_cli_corpus_open_only(command, args, s.store, &code);
    if (!store)
        return code;
    code = print_stats(&s, store);
    wn_corpus_store_close(store);
    return code;
}

const wn_command wn_command_corpus_stats = {
    .name = "corpus stats",
    .operands = "[STORE]",
    .summary = "how many pages, words and bytes",
    .about = "Counts the pages of a store, their words, the bytes of their HTML and text, and\n"
             "the space saved by keeping only the text: in total, and by status, host,\n"
             "language and label, largest first.",
    .notes = "Exit status: 0 success; 1 the store could not be read; 2 wrong usage.\n\n"
             "Examples:\n"
             "  winnow corpus stats news.db\n"
             "  winnow corpus stats news.db -f json -n 1000",
    .options = options,
    .run = run_stats,
};
