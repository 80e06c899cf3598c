/*
 * winnow corpus export: pages of a store as files for other programs.
 *
 * Every file appears when it is complete. Compression follows from its name; shards are files with
 * a number in their names.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/corpus.h"
#include "cli/job.h"
#include "corpus/export.h"
#include "corpus/kept_words.h"
#include "io/codec.h"
#include "io/message.h"
#include "io/output.h"

enum {
    FILES_IN_FOLDER = 1000,
    FORM_OF_OUTPUT = -1, /* none was given: the name of the output tells */
};

typedef struct settings {
    const char *store, *output;
    wn_corpus_filter filter;
    size_t format;
    bool overwrite, raw, stems, csv_safe, quiet;
    uint64_t shard, shard_size, limit;
} settings;

static const char *form_name(const void *list, size_t index)
{
    (void)list;
    return wn_export_forms[index].name;
}

static const char *form_summary(const void *list, size_t index)
{
    (void)list;
    return wn_export_forms[index].summary;
}

static const wn_option options[] = {
    {.heading = "Output"},
    WN_STORE_OPTION,
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format,
             "the output format (default: by FILE's extension, else jsonl)", .choices = form_name,
             .summaries = form_summary),
    WN_VALUE(
        TEXT, "output", 'o', "FILE", output,
        "write to FILE, which appears when it is complete; compressed if its name ends in .gz, "
        ".zst or .lz4; - is standard output"),
    WN_FLAG("overwrite", 0, overwrite,
            "replace files that exist; shards with higher numbers are removed"),
    WN_RAW_OPTION,
    WN_VALUE(NUMBER, "shard", 0, "N", shard,
             "a new file after N pages: out.jsonl becomes out-00000.jsonl, out-00001.jsonl, …",
             .min = 1),
    WN_VALUE(SIZE, "shard-size", 0, "SIZE", shard_size,
             "a new file after SIZE bytes, before compression", .min = 1),
    WN_FLAG("stems", 0, stems,
            "the stems instead of the text, without noise words; in jsonl, in addition to it"),
    WN_CSV_SAFE_OPTION,
    WN_VALUE(NUMBER, "limit", 0, "N", limit, "only the first N pages", .min = 1),
    WN_FLAG("quiet", 'q', quiet, "no summary; only errors"),
    WN_CORPUS_FILTER_OPTIONS,
    {.heading = "Help"},
    {0},
};

typedef struct exporting {
    const settings *settings;
    const wn_export_form *form;
    wn_io_output output;
    wn_io_encoder *members; /* that compresses each record by itself; else NULL */
    bool open;              /* `output` is */
    uint64_t shards;
    uint64_t in_shard, shard_bytes; /* of the open one */
    uint64_t pages;
    wn_buf record, packed, path;
    wn_noise_filter noise; /* what stems are written without */
} exporting;

/* ---- Files ------------------------------------------------------------------------------- */

static bool is_sharded(const exporting *e)
{
    return e->settings->shard || e->settings->shard_size;
}

/* "folder/out.jsonl.gz" becomes "folder/out-00012.jsonl.gz". */
static void name_shard(exporting *e, uint64_t number)
{
    wn_str name = wn_str_of(e->settings->output);
    size_t base = name.len;
    while (base > 0 && name.ptr[base - 1] != '/')
        base--;
    const char *dot = base + 1 < name.len ? memchr(name.ptr + base + 1, '.', name.len - base - 1)
                                          : NULL;
    size_t stem = dot ? (size_t)(dot - name.ptr) : name.len;
    wn_buf_clear(&e->path);
    wn_buf_add(&e->path, wn_str_from(name.ptr, stem));
    wn_buf_add_format(&e->path, "-%05" PRIu64, number);
    wn_buf_add(&e->path, wn_str_from_offset(name, stem));
}

/* Shards of an earlier and longer export would look like a part of this one. */
static void remove_old_shards(exporting *e)
{
    if (!is_sharded(e) || !e->settings->overwrite)
        return;
    uint64_t removed = 0;
    for (;; removed++) {
        name_shard(e, e->shards + removed);
        if (unlink(wn_buf_c_string(&e->path)) != 0)
            break;
    }
    if (removed && !e->settings->quiet)
        wn_io_sayf("removed %" PRIu64 " shard%s of an earlier export", removed,
                   removed == 1 ? "" : "s");
}

/* In WARC each record is compressed by itself, so the encoder is taken from the output, which then
 * writes bytes as they are. */
static void take_encoder(exporting *e)
{
    wn_io_encoder_free(e->members);
    e->members = NULL;
    if (!e->form->members)
        return;
    e->members = e->output.encoder;
    e->output.encoder = NULL;
}

static void add_record(exporting *e, const wn_buf *record)
{
    wn_str bytes = wn_buf_str(record);
    bool packed = !record->failed; /* half a record is useless */
    e->shard_bytes += bytes.len;
    if (packed && e->members) {
        wn_buf_clear(&e->packed);
        packed = wn_io_encoder_add(e->members, bytes, &e->packed) &&
                 wn_io_encoder_end(e->members, &e->packed);
        bytes = wn_buf_str(&e->packed);
    }
    e->output.pending.failed = e->output.pending.failed || !packed; /* the output says so */
    wn_io_output_add(&e->output, bytes);
}

/* Opens the next file; false, after a message, if that failed. */
static bool open_file(exporting *e, const char *path)
{
    e->open = wn_io_output_open(&e->output, path, e->settings->overwrite);
    if (!e->open) {
        wn_io_say(&e->output.error);
        wn_io_output_free(&e->output);
        return false;
    }
    wn_io_output_set_raw(&e->output, e->settings->raw);
    take_encoder(e);
    e->shards++;
    e->in_shard = e->shard_bytes = 0;
    if (e->form->begin) {
        wn_buf head = {0};
        e->form->begin(&head);
        add_record(e, &head);
        wn_buf_free(&head);
    }
    return true;
}

/* The one file, or the next shard. */
static bool open_next(exporting *e)
{
    if (!is_sharded(e))
        return open_file(e, e->settings->output);
    name_shard(e, e->shards);
    return open_file(e, wn_buf_c_string(&e->path));
}

static bool close_file(exporting *e)
{
    if (!e->open)
        return true;
    bool written = wn_io_output_finish(&e->output);
    if (!written)
        wn_io_say(&e->output.error);
    wn_io_output_free(&e->output);
    e->open = false;
    return written;
}

static bool shard_is_full(const exporting *e)
{
    const settings *s = e->settings;
    return (s->shard && e->in_shard >= s->shard) ||
           (s->shard_size && e->in_shard > 0 && e->shard_bytes + e->record.len > s->shard_size);
}

/* ---- Pages ------------------------------------------------------------------------------- */

/* Adds the record to the open file, or to the next; false: stop. */
static bool add_to_file(exporting *e)
{
    if (e->open && shard_is_full(e) && !close_file(e))
        return false;
    if (!e->open && !open_next(e))
        return false;
    add_record(e, &e->record);
    e->in_shard++;
    return e->output.state == WN_IO_OUTPUT_OPEN;
}

static bool make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    wn_buf message = {0};
    wn_buf_add_literal(&message, "cannot create the folder ");
    wn_add_quoted(&message, path);
    wn_buf_add_format(&message, ": %s", strerror(errno));
    wn_io_say(&message);
    wn_buf_free(&message);
    return false;
}

/* DIR/000/00000012.txt: no folder gets very large. */
static bool write_own_file(exporting *e, const wn_stored *page)
{
    wn_buf_clear(&e->path);
    wn_buf_add_format(&e->path, "%s/%03" PRId64, e->settings->output, page->id / FILES_IN_FOLDER);
    if (!make_folder(e->settings->output) || !make_folder(wn_buf_c_string(&e->path)))
        return false;
    wn_buf_add_format(&e->path, "/%08" PRId64 ".txt", page->id);
    if (!open_file(e, wn_buf_c_string(&e->path)))
        return false;
    add_record(e, &e->record);
    return close_file(e);
}

/* ---- The command ------------------------------------------------------------------------- */

static int export_pages(exporting *e, wn_store *store, const wn_store_filter *filter)
{
    const wn_export_wishes wishes = {e->settings->stems, e->settings->csv_safe};
    wn_stored page;
    bool written = true;
    /*
     * Opened before the work, so that nobody waits for an error; a store without pages gives a file
     * without them.
     */
    if (!e->form->files && !open_next(e))
        return WN_EXIT_USAGE;
    wn_store_walk *walk = wn_corpus_store_walk_open(
        store, filter, WN_FIELD_TEXT | (e->settings->stems ? WN_FIELD_STEMS : 0));
    while (written && walk && wn_corpus_store_walk_next(walk, &page)) {
        page.stems = wn_corpus_noise_filter_stems(&e->noise, page.stems);
        wn_buf_clear(&e->record);
        e->form->write(&e->record, &page, &wishes);
        written = e->form->files ? write_own_file(e, &page) : add_to_file(e);
        e->pages += written;
    }
    bool closed = e->open && e->output.state == WN_IO_OUTPUT_CLOSED;
    bool read = wn_corpus_store_walk_close(walk);
    if (!read) /* a file that lacks pages must not appear */
        wn_cli_corpus_failed(store, "cannot read the store; the file is not written");
    if (!read && e->open) {
        wn_io_output_free(&e->output);
        e->open = false;
    }
    written = close_file(e) && (written || closed);
    return read && written ? WN_EXIT_OK : WN_EXIT_FAILED;
}

static int export_store(const settings *s, wn_store *store, const wn_store_filter *filter)
{
    exporting e = {.settings = s, .form = &wn_export_forms[s->format]};
    int code;
    if (s->stems && !wn_corpus_noise_filter_open(&e.noise, store))
        code = wn_cli_corpus_failed(store, "cannot read the noise words of the store");
    else
        code = export_pages(&e, store, filter);
    if (code == WN_EXIT_OK)
        remove_old_shards(&e);
    if (code == WN_EXIT_OK && !s->quiet && s->output)
        wn_io_sayf("%" PRIu64 " page%s in %" PRIu64 " file%s", e.pages, e.pages == 1 ? "" : "s",
                   e.shards, e.shards == 1 ? "" : "s");
    wn_corpus_noise_filter_free(&e.noise);
    wn_io_encoder_free(e.members);
    wn_buf_free(&e.record);
    wn_buf_free(&e.packed);
    wn_buf_free(&e.path);
    return code;
}

static bool has_ending(const wn_export_form *form, wn_str name)
{
    for (size_t i = 0; i < sizeof form->endings / sizeof *form->endings && form->endings[i]; i++)
        if (wn_str_has_ending(name, wn_str_of(form->endings[i])))
            return true;
    return false;
}

/* Chooses the form by the name of the output, "pages.csv.gz", "crawl.warc.wet". A name without an
 * ending gets the first; a wrong ending is refused, or a file would contain what it does not say. */
static int choose_form(const wn_command *command, settings *s)
{
    wn_str name = wn_cli_job_name_unpacked(s->output);
    size_t base = name.len;
    while (base > 0 && name.ptr[base - 1] != '/')
        base--;
    s->format = 0;
    if (!memchr(name.ptr + base, '.', name.len - base))
        return WN_GO_ON;
    for (; wn_export_forms[s->format].name; s->format++)
        if (has_ending(&wn_export_forms[s->format], name))
            return WN_GO_ON;
    return wn_cli_wrong_value(command,
                              "cannot tell the format from the name %s; use .jsonl, .csv or "
                              ".warc.wet, or choose one with -f",
                              s->output);
}

static int check_settings(const wn_command *command, settings *s)
{
    bool to_stdout = !s->output || strcmp(s->output, "-") == 0;
    if (s->format == (size_t)FORM_OF_OUTPUT && to_stdout)
        s->format = 0;
    int code = s->format == (size_t)FORM_OF_OUTPUT ? choose_form(command, s) : WN_GO_ON;
    if (code != WN_GO_ON)
        return code;
    if (wn_export_forms[s->format].files && to_stdout)
        return wn_cli_wrong_usage(command, "text files need a folder: -o DIR");
    if ((s->shard || s->shard_size) && to_stdout)
        return wn_cli_wrong_usage(command, "shards need a name: -o FILE");
    return WN_GO_ON;
}

static int run_export(const wn_command *command, char **args)
{
    settings s = {.format = (size_t)FORM_OF_OUTPUT};
    wn_store_filter filter;
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON)
        code = wn_cli_corpus_filter_make(command, &s.filter, WN_STORED_NO_COPIES, &filter);
    if (code == WN_GO_ON)
        code = check_settings(command, &s);
    if (code != WN_GO_ON)
        return code;
    filter.limit = s.limit;
    wn_store *store = wn_cli_corpus_open_only(command, args, s.store, &code);
    if (!store)
        return code;
    code = export_store(&s, store, &filter);
    wn_corpus_store_close(store);
    return code;
}

const wn_command wn_command_corpus_export = {
    .name = "corpus export",
    .operands = "[STORE]",
    .summary = "pages as JSON lines, CSV, text files or WARC",
    .about = "Writes the pages of a store for other programs, in the order of their numbers.\n"
             "Copies of other pages are left out unless --status includes them.",
    .notes = "Exit status: 0 success; 1 the store could not be read or a file could not be\n"
             "written; 2 wrong usage.\n"
             "\n"
             "Examples:\n"
             "  winnow corpus export news.db -o news.jsonl.zst\n"
             "  winnow corpus export news.db -f wet --shard 10000 -o news.warc.wet.gz\n"
             "  winnow corpus export news.db -f txt -o texts --language th",
    .options = options,
    .run = run_export,
};
