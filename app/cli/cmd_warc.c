/*
 * winnow warc: a look inside web archives.
 *
 *     winnow warc ls FILE...                one line per record
 *     winnow warc check FILE...             one line per file: what is in it, and what is broken
 *     winnow warc cat FILE [PLACE...]       records as they are, or only what was served
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/commands.h"
#include "io/message.h"
#include "io/output.h"
#include "winnow-io.h"

/*
 * A body that is decoded must fit into memory; so much of one is given out unless told otherwise.
 */
static const uint64_t USUAL_MAX_BODY = 64 << 20;

typedef enum format { FORMAT_TABLE, FORMAT_JSONL } format;

typedef struct settings {
    size_t format;
    const char *type, *url, *output;
    uint64_t max_bytes;
    bool pages, body, overwrite, raw, quiet;
} settings;

static const char *format_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"table", "jsonl", NULL};
    return names[index];
}

static const wn_option options[] = {
    {.heading = "Which records"},
    WN_VALUE(TEXT, "type", 0, "NAME", type,
             "only records of this type: response, resource, request, metadata, …"),
    WN_VALUE(TEXT, "url", 0, "URL", url, "only records with this address"),
    WN_FLAG("pages", 0, pages, "only records that 'winnow extract' may treat as pages"),

    {.heading = "Output"},
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format,
             "the output format of ls and check (default: table)", .choices = format_name),
    WN_FLAG("body", 'b', body, "cat: only the body, without chunks and compression"),
    WN_VALUE(SIZE, "max-bytes", 0, "SIZE", max_bytes,
             "cat --body: cut a chunked or compressed body at this size (default: 64M)"),
    WN_VALUE(TEXT, "output", 'o', "FILE", output, "write to FILE"),
    WN_FLAG("overwrite", 0, overwrite, "replace FILE if it exists"),
    WN_RAW_OPTION,
    WN_FLAG("quiet", 'q', quiet, "do not report damage"),

    {.heading = "Help"},
    {0},
};

/* ---- One file ---------------------------------------------------------------------------- */

typedef struct job {
    const settings *settings;
    const char *path;
    winnow_reader *reader;
    wn_io_output output;
    wn_buf line;
    uint64_t listed; /* records */
    bool failed;
} job;

static void say_problem(job *j, const char *problem)
{
    wn_buf message = {0};
    wn_buf_add_literal(&message, "cannot read ");
    wn_add_quoted(&message, j->path);
    wn_buf_add_format(&message, ": %s", problem);
    wn_io_say(&message);
    wn_buf_free(&message);
    j->failed = true;
}

static bool open_file(job *j, const char *path)
{
    winnow_reader_settings settings = {
        .struct_size = sizeof settings,
        .kind = WINNOW_ARCHIVE_WARC,
        .max_record = j->settings->max_bytes,
        .lazy = true,
    };
    j->path = path;
    j->reader = winnow_reader_open(path, &settings);
    const winnow_error *error = winnow_reader_error(j->reader);
    if (error->status == WINNOW_STATUS_OK)
        return true;
    say_problem(j, j->reader ? error->message : "out of memory");
    winnow_reader_close(j->reader);
    return false;
}

static winnow_reader_summary summarise(const job *j)
{
    winnow_reader_summary summary = {.struct_size = sizeof summary};
    winnow_reader_summarise(j->reader, &summary);
    return summary;
}

/* Says what is broken, once all was read. */
static void say_broken(job *j)
{
    winnow_reader_summary seen = summarise(j);
    if (seen.error)
        say_problem(j, seen.error);
    if (seen.cut_short + seen.malformed == 0)
        return;
    j->failed = true;
    if (j->settings->quiet)
        return;
    wn_buf message = {0};
    wn_add_quoted(&message, j->path);
    if (seen.records == 0)
        wn_buf_add_literal(&message, " is not a web archive: it has no records");
    else
        wn_buf_add_format(&message, " is damaged: %" PRIu64 " cut short, %" PRIu64 " malformed",
                          seen.cut_short, seen.malformed);
    wn_io_say(&message);
    wn_buf_free(&message);
}

static bool is_wanted(const job *j, const winnow_archive_record *record)
{
    const settings *s = j->settings;
    if (s->type && !wn_str_eq_nocase(wn_str_of(record->type_name), wn_str_of(s->type)))
        return false;
    if (s->url && strcmp(record->url, s->url) != 0)
        return false;
    return !s->pages || record->is_page;
}

/* The next record that is wanted; NULL at the end, or when nobody reads the output any more. */
static const winnow_archive_record *next_wanted(job *j)
{
    const winnow_archive_record *record = NULL;
    while (j->output.state == WN_IO_OUTPUT_OPEN && (record = winnow_reader_next(j->reader)))
        if (is_wanted(j, record))
            return record;
    return NULL;
}

/* ---- ls ---------------------------------------------------------------------------------- */

static void add_place(wn_buf *out, const winnow_archive_record *record)
{
    wn_buf_add_format(out, "%" PRIu64, record->offset);
    if (record->inner)
        wn_buf_add_format(out, "+%" PRIu64, record->inner);
}

static void key_string(wn_json_writer *json, const char *key, const char *value)
{
    wn_buf clean = {0};
    wn_add_printable(&clean, wn_str_of(value));
    wn_json_key(json, key);
    wn_json_string(json, wn_buf_str(&clean));
    wn_buf_free(&clean);
}

static void key_number(wn_json_writer *json, const char *key, uint64_t value)
{
    wn_json_key(json, key);
    wn_json_uint(json, value);
}

static void list_json(job *j, const winnow_archive_record *record)
{
    wn_json_writer json = {.out = &j->line};
    wn_json_begin_object(&json);
    key_string(&json, "file", j->path);
    key_number(&json, "offset", record->offset);
    key_number(&json, "inner", record->inner);
    key_string(&json, "type", record->type_name);
    key_string(&json, "id", record->id);
    key_string(&json, "url", record->url);
    key_string(&json, "date", record->date);
    key_number(&json, "length", record->block_size);
    key_number(&json, "http_status", (uint64_t)record->status);
    key_string(&json, "content_type", record->content_type);
    wn_json_end_object(&json);
}

/* "text/html" of "text/html; charset=utf-8", as it is spelled. */
static wn_str declared_type(const winnow_archive_record *record)
{
    return wn_str_from(record->content_type, strlen(record->media_type));
}

static void list_line(job *j, const winnow_archive_record *record)
{
    add_place(&j->line, record);
    wn_buf_add_char(&j->line, '\t');
    wn_add_printable(&j->line, wn_str_of(record->type_name));
    wn_buf_add_format(&j->line, "\t%" PRIu64 "\t%d\t", record->block_size, record->status);
    wn_add_printable(&j->line, declared_type(record));
    wn_buf_add_char(&j->line, '\t');
    wn_add_printable(&j->line, wn_str_of(record->url));
}

static void write_line(job *j)
{
    wn_buf_add_char(&j->line, '\n');
    wn_io_output_add(&j->output, wn_buf_str(&j->line));
    wn_buf_clear(&j->line);
}

static void list_records(job *j)
{
    const winnow_archive_record *record;
    while ((record = next_wanted(j))) {
        if (j->settings->format == FORMAT_JSONL)
            list_json(j, record);
        else
            list_line(j, record);
        write_line(j);
        j->listed++;
    }
}

/* A type or address that is spelled wrong would look like an archive without records. An address
 * names one page, so that not to find it is a failure. */
static void say_if_none(job *j)
{
    wn_buf message = {0};
    const settings *s = j->settings;
    if ((!s->type && !s->url) || j->listed > 0 || j->failed)
        return;
    wn_buf_add_literal(&message, s->url ? "no record has the address " : "no record has the type ");
    wn_add_quoted(&message, s->url ? s->url : s->type);
    wn_buf_add_literal(&message, s->url ? "; 'winnow warc ls' shows which addresses there are"
                                        : "; 'winnow warc check' shows which types there are");
    wn_io_say(&message);
    wn_buf_free(&message);
    j->failed = s->url != NULL;
}

/* ---- check ------------------------------------------------------------------------------- */

/* The types, in the order in which they are printed. */
static const struct {
    winnow_record_type type;
    const char *name;
} types[] = {
    {WINNOW_RECORD_OTHER, "other"},
    {WINNOW_RECORD_WARCINFO, "warcinfo"},
    {WINNOW_RECORD_RESPONSE, "response"},
    {WINNOW_RECORD_RESOURCE, "resource"},
    {WINNOW_RECORD_REQUEST, "request"},
    {WINNOW_RECORD_METADATA, "metadata"},
    {WINNOW_RECORD_REVISIT, "revisit"},
    {WINNOW_RECORD_CONVERSION, "conversion"},
    {WINNOW_RECORD_CONTINUATION, "continuation"},
};
enum { TYPES = sizeof types / sizeof *types };

typedef struct counts {
    uint64_t types[TYPES];
    uint64_t html;               /* responses that are declared to be HTML and are not empty */
    uint64_t pages;              /* records that are pages for `extract`, by what they declare */
    uint64_t bytes;              /* of all blocks */
    uint64_t declared_truncated; /* records that say so themselves: WARC-Truncated */
    uint64_t bodies_truncated;   /* others of which the end is missing */
    uint64_t bodies_damaged;
} counts;

/* Looks whether what was served is all there; only what is encoded must be read for that. */
static void check_body(job *j, const winnow_archive_record *record, counts *c)
{
    if (record->type == WINNOW_RECORD_REVISIT) /* which has the head alone */
        return;
    if (*record->truncated_by) {
        c->declared_truncated++;
        return;
    }
    if (record->type != WINNOW_RECORD_RESPONSE || record->http_header_size == 0)
        return;
    if (record->encoded) {
        if (record->block_size > j->settings->max_bytes)
            return;
        record = winnow_reader_body(j->reader);
    }
    c->bodies_truncated += record->truncated && !record->too_long;
    c->bodies_damaged += record->damaged;
}

static void count_records(job *j, counts *c)
{
    const winnow_archive_record *record;
    while ((record = winnow_reader_next(j->reader))) {
        for (int i = 0; i < TYPES; i++)
            c->types[i] += types[i].type == record->type;
        c->html += record->type == WINNOW_RECORD_RESPONSE && record->block_size > 0 &&
                   record->declared_html;
        c->pages += record->is_page;
        c->bytes += record->block_size;
        check_body(j, record, c);
    }
}

static void check_json(job *j, const counts *c)
{
    winnow_reader_summary seen = summarise(j);
    wn_json_writer json = {.out = &j->line};
    wn_json_begin_object(&json);
    key_string(&json, "file", j->path);
    key_string(&json, "format", seen.arc ? "arc" : "warc");
    key_string(&json, "compression", seen.compression);
    key_number(&json, "records", seen.records);
    wn_json_key(&json, "types");
    wn_json_begin_object(&json);
    for (int i = 0; i < TYPES; i++) {
        if (c->types[i])
            key_number(&json, types[i].name, c->types[i]);
    }
    wn_json_end_object(&json);
    key_number(&json, "html", c->html);
    key_number(&json, "pages", c->pages);
    key_number(&json, "bytes", c->bytes);
    key_number(&json, "truncated", seen.cut_short);
    key_number(&json, "malformed", seen.malformed);
    key_number(&json, "bodies_truncated", c->bodies_truncated);
    key_number(&json, "bodies_damaged", c->bodies_damaged);
    key_number(&json, "declared_truncated", c->declared_truncated);
    wn_json_end_object(&json);
}

static void add_finding(wn_buf *line, uint64_t count, const char *one, const char *many)
{
    if (count > 0)
        wn_buf_add_format(line, ", %" PRIu64 " %s", count, count == 1 ? one : many);
}

static void check_line(job *j, const counts *c)
{
    winnow_reader_summary seen = summarise(j);
    wn_add_printable(&j->line, wn_str_of(j->path));
    if (seen.records == 0) {
        wn_buf_add_literal(&j->line, ": it has no records");
        return;
    }
    wn_buf_add_format(&j->line, ": %s, %s: %" PRIu64 " record%s (", seen.arc ? "ARC" : "WARC",
                      seen.compression, seen.records, seen.records == 1 ? "" : "s");
    const char *separator = "";
    for (int i = 0; i < TYPES; i++) {
        if (!c->types[i])
            continue;
        wn_buf_add_format(&j->line, "%s%" PRIu64 " %s", separator, c->types[i], types[i].name);
        separator = ", ";
    }
    bool sound = !seen.error && seen.cut_short + seen.malformed == 0 &&
                 c->bodies_truncated + c->bodies_damaged == 0;
    wn_buf_add_format(&j->line, "), %" PRIu64 " HTML, %" PRIu64 " may be pages; %s", c->html,
                      c->pages, sound ? "sound" : "DAMAGED");
    add_finding(&j->line, c->bodies_truncated, "body ends too early", "bodies end too early");
    add_finding(&j->line, c->bodies_damaged, "body is damaged", "bodies are damaged");
    add_finding(&j->line, c->declared_truncated, "record declares that it is truncated",
                "records declare that they are truncated");
}

static void check_file(job *j)
{
    counts c = {0};
    count_records(j, &c);
    if (j->settings->format == FORMAT_JSONL)
        check_json(j, &c);
    else
        check_line(j, &c);
    write_line(j);
    j->failed = j->failed || c.bodies_truncated + c.bodies_damaged > 0;
}

/* ---- cat --------------------------------------------------------------------------------- */

/* Copies the block as it is stored, but for its first bytes. */
static void copy_block(job *j, size_t skip)
{
    const void *bytes;
    size_t size;
    while ((size = winnow_reader_block(j->reader, &bytes)) > 0) {
        size_t less = skip < size ? skip : size;
        wn_io_output_add(&j->output, wn_str_from((const char *)bytes + less, size - less));
        skip -= less;
    }
}

/* Each record is a piece of its own where the output is compressed, as in archives of the web. */
static void copy_record(job *j, const winnow_archive_record *record)
{
    bool arc = summarise(j).arc;
    wn_io_output_add(&j->output, wn_str_from(record->header, record->header_size));
    copy_block(j, 0);
    wn_io_output_add(&j->output, arc ? WN_STR("\n") : WN_STR("\r\n\r\n"));
    wn_io_output_end_piece(&j->output);
}

/* Copies what was served. Only what must be decoded has to fit into memory. */
static void copy_body(job *j, const winnow_archive_record *record)
{
    if (!record->encoded) {
        copy_block(j, record->http_header_size);
        return;
    }
    record = winnow_reader_body(j->reader);
    wn_io_output_add(&j->output, wn_str_from(record->body, record->size));
    if (record->too_long)
        say_problem(j, "a body is longer than --max-bytes and was truncated");
}

static void copy(job *j, const winnow_archive_record *record)
{
    if (j->settings->body)
        copy_body(j, record);
    else
        copy_record(j, record);
}

static void copy_all(job *j)
{
    const winnow_archive_record *record;
    while ((record = next_wanted(j))) {
        copy(j, record);
        j->listed++;
    }
}

/* The first column of ls: OFFSET or OFFSET+INNER. */
typedef struct place {
    uint64_t offset, inner;
} place;

static bool parse_place(const char *text, place *at)
{
    char *end;
    *at = (place){.offset = strtoull(text, &end, 10)};
    if (end != text && *end == '+')
        at->inner = strtoull(end + 1, &end, 10);
    return end != text && *end == '\0';
}

static void copy_place(job *j, const char *text, place at)
{
    if (!winnow_reader_seek(j->reader, at.offset, at.inner)) {
        say_problem(j, "records can be looked up by position only in a file, not in a pipe");
        return;
    }
    const winnow_archive_record *record = winnow_reader_next(j->reader);
    if (record && record->offset == at.offset && record->inner == at.inner) {
        copy(j, record);
        return;
    }
    wn_buf problem = {0};
    wn_buf_add_literal(&problem, "there is no record at ");
    wn_add_quoted(&problem, text);
    say_problem(j, wn_buf_c_string(&problem));
    wn_buf_free(&problem);
}

static int cat(job *j, const wn_command *command, char **args)
{
    place at;
    for (char **arg = args + 1; *arg; arg++) {
        if (!parse_place(*arg, &at))
            return wn_cli_wrong_value(
                command,
                "%s is not a position; use the first column of 'winnow warc ls', such as 1234 or "
                "1234+56",
                *arg);
    }
    if (!open_file(j, args[0]))
        return WN_GO_ON;
    if (!args[1])
        copy_all(j);
    for (char **arg = args + 1; *arg; arg++) {
        parse_place(*arg, &at);
        copy_place(j, *arg, at);
    }
    if (!args[1])
        say_broken(j);
    winnow_reader_close(j->reader);
    return WN_GO_ON;
}

/* ---- The command ------------------------------------------------------------------------- */

static int each_file(job *j, char **paths, void (*work)(job *))
{
    for (; *paths && j->output.state == WN_IO_OUTPUT_OPEN; paths++) {
        if (!open_file(j, *paths))
            continue;
        work(j);
        say_broken(j);
        winnow_reader_close(j->reader);
    }
    return WN_GO_ON;
}

static int do_work(job *j, const wn_command *command, char **args)
{
    const char *what = args[0] ? args[0] : "";
    bool list = strcmp(what, "ls") == 0, check = strcmp(what, "check") == 0;
    if (!list && !check && strcmp(what, "cat") != 0)
        return wn_cli_wrong_usage(command, "missing command: ls, check or cat");
    if (!args[1])
        return wn_cli_wrong_usage(command, "name a web archive, or - for standard input");
    if (!wn_io_output_open(&j->output, j->settings->output, j->settings->overwrite)) {
        wn_io_say(&j->output.error);
        return WN_EXIT_USAGE;
    }
    wn_io_output_set_raw(&j->output, j->settings->raw);
    int code = list || check ? each_file(j, args + 1, list ? list_records : check_file)
                             : cat(j, command, args + 1);
    if (!check && code == WN_GO_ON && !(args[1] && args[2] && !list))
        say_if_none(j);
    if (code == WN_GO_ON && !wn_io_output_finish(&j->output)) {
        wn_io_say(&j->output.error);
        return WN_EXIT_FAILED;
    }
    return code;
}

static int run_warc(const wn_command *command, char **args)
{
    settings s = {.max_bytes = USUAL_MAX_BODY};
    int code = wn_cli_options_parse(command, args, &s);
    if (code != WN_GO_ON)
        return code;
    job j = {.settings = &s, .output.fd = -1};
    code = do_work(&j, command, args);
    wn_io_output_free(&j.output);
    wn_buf_free(&j.line);
    if (code != WN_GO_ON)
        return code;
    return j.failed ? WN_EXIT_FAILED : WN_EXIT_OK;
}

const wn_command wn_command_warc = {
    .name = "warc",
    .operands = "ls|check|cat FILE...",
    .summary = "list, check and print the records of web archives",
    .about = "Shows the contents of web archives: WARC 0.17 to 1.1 and ARC, also compressed.\n"
             "\n"
             "  ls FILE...          one line per record: position, type, length, HTTP status,\n"
             "                      content type, address\n"
             "  check FILE...       one line per file: its records, its pages, damage\n"
             "  cat FILE [PLACE...] the records at these positions (first column of ls), or\n"
             "                      all of them, decompressed",
    .notes = "Exit status: 0 success; 1 a file could not be read or is damaged, or no record\n"
             "has the address of --url; 2 wrong usage.\n"
             "\n"
             "Examples:\n"
             "  winnow warc check *.warc.gz\n"
             "  winnow warc ls --pages crawl.warc.gz | head\n"
             "  winnow warc cat --body crawl.warc.gz 940 > page.html\n"
             "  winnow warc cat --body --type response --url https://example.org/ a.warc\n"
             "  winnow warc cat crawl.warc.gz > crawl.warc",
    .options = options,
    .run = run_warc,
};
