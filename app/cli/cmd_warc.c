/*
 * winnow warc: a look inside web archives.
 *
 *     winnow warc ls FILE...                one line a record
 *     winnow warc check FILE...             one line a file: what is in it, and what is broken
 *     winnow warc cat FILE [PLACE...]       records as they are, or only what was served
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/commands.h"
#include "io/archive.h"
#include "io/message.h"
#include "io/mime.h"
#include "io/output.h"
#include "io/response.h"
#include "winnow.h"

enum {
    /* HTTP headers end within this. */
    HEAD_LOOK = 16 << 10,
    /* Bytes of a body that tell whether it is stored as it is. */
    BODY_LOOK = 512,
    /* Blocks are copied in pieces of this size. */
    PIECE = 1 << 20,
};

/* A body that is decoded must fit into memory; so much of one is given out unless told otherwise. */
static const uint64_t USUAL_MAX_BODY = 64 << 20;

typedef enum format { FORMAT_TABLE, FORMAT_JSONL } format;

typedef struct settings {
    size_t format;
    const char *type, *output;
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
    WN_FLAG("pages", 0, pages, "only records that 'winnow extract' may take for pages"),

    {.heading = "Output"},
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format, "form of ls and check (default: table)",
             .choices = format_name),
    WN_FLAG("body", 'b', body, "cat: only what was served, without chunks and compression"),
    WN_VALUE(SIZE, "max-bytes", 0, "SIZE", max_bytes,
             "cat --body: cut a chunked or compressed body at this size (default: 64M)"),
    WN_VALUE(TEXT, "output", 'o', "FILE", output, "write to FILE"),
    WN_FLAG("overwrite", 0, overwrite, "replace FILE if it exists"),
    WN_RAW_OPTION,
    WN_FLAG("quiet", 'q', quiet, "do not say what is broken"),

    {.heading = "Help"},
    {0},
};

/* ---- One file ---------------------------------------------------------------------------- */

typedef struct job {
    const settings *settings;
    const char *path;
    int fd;
    wn_io_source source;
    wn_io_warc warc;
    wn_io_output output;
    wn_io_body_decoder decoder;
    wn_buf line, block;
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
    j->path = path;
    j->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (j->fd < 0) {
        say_problem(j, strerror(errno));
        return false;
    }
    wn_io_source_open(&j->source, j->fd);
    wn_io_warc_open(&j->warc, &j->source);
    return true;
}

/* Says what is broken, once all was read. */
static void say_broken(job *j)
{
    uint64_t truncated = j->warc.truncated, malformed = j->warc.malformed;
    if (j->source.error)
        say_problem(j, j->source.error);
    if (truncated + malformed == 0)
        return;
    j->failed = true;
    if (j->settings->quiet)
        return;
    wn_buf message = {0};
    wn_add_quoted(&message, j->path);
    if (j->warc.records == 0)
        wn_buf_add_literal(&message, " is no web archive: there is no record in it");
    else
        wn_buf_add_format(&message, " is damaged: %" PRIu64 " cut short, %" PRIu64 " malformed",
                          truncated, malformed);
    wn_io_say(&message);
    wn_buf_free(&message);
}

static void close_file(job *j)
{
    wn_io_source_close(&j->source);
    if (j->fd > STDIN_FILENO)
        close(j->fd);
}

/* The content type of what was served, as far as it is declared. */
static wn_str served_type(job *j, const wn_io_warc_record *record, int *status)
{
    wn_io_response response;
    *status = 0;
    if (!wn_io_response_parse(wn_io_warc_peek(&j->warc, HEAD_LOOK), &response))
        return record->content_type;
    *status = response.status;
    return response.content_type;
}

static bool is_wanted(job *j, const wn_io_warc_record *record)
{
    const settings *s = j->settings;
    if (s->type && !wn_str_eq_nocase(record->type_name, wn_str_of(s->type)))
        return false;
    return !s->pages || wn_io_archive_may_be_page(record, wn_io_warc_peek(&j->warc, HEAD_LOOK));
}

/* The response that a block begins with; a block that is none is the body. */
static wn_io_response response_of(wn_str block)
{
    wn_io_response response = {.head = WN_STR(""), .content_type = WN_STR(""), .body = block};
    response.transfer_encoding = response.content_encoding = response.content_length = WN_STR("");
    wn_io_response_parse(block, &response);
    return response;
}

/* Whether a body is stored as it is, by what was seen of it. */
static bool is_plain(const job *j, wn_str look, const wn_io_response *response)
{
    bool told = look.len == j->warc.left || response->body.len >= BODY_LOOK;
    return told && wn_io_response_is_plain(response);
}

/* ---- ls ---------------------------------------------------------------------------------- */

static void add_place(wn_buf *out, wn_io_place place)
{
    wn_buf_add_format(out, "%" PRIu64, place.offset);
    if (place.inner)
        wn_buf_add_format(out, "+%" PRIu64, place.inner);
}

static void key_string(wn_json_writer *json, const char *key, wn_str value)
{
    wn_buf clean = {0};
    wn_add_printable(&clean, value);
    wn_json_key(json, key);
    wn_json_string(json, wn_buf_str(&clean));
    wn_buf_free(&clean);
}

static void key_number(wn_json_writer *json, const char *key, uint64_t value)
{
    wn_json_key(json, key);
    wn_json_uint(json, value);
}

static void list_json(job *j, const wn_io_warc_record *record, wn_str type, int status)
{
    wn_json_writer json = {.out = &j->line};
    wn_json_begin_object(&json);
    key_string(&json, "file", wn_str_of(j->path));
    key_number(&json, "offset", record->place.offset);
    key_number(&json, "inner", record->place.inner);
    key_string(&json, "type", record->type_name);
    key_string(&json, "id", record->id);
    key_string(&json, "url", record->url);
    key_string(&json, "date", record->date);
    key_number(&json, "length", record->length);
    key_number(&json, "http_status", (uint64_t)status);
    key_string(&json, "content_type", type);
    wn_json_end_object(&json);
}

static void list_line(job *j, const wn_io_warc_record *record, wn_str type, int status)
{
    add_place(&j->line, record->place);
    wn_buf_add_char(&j->line, '\t');
    wn_add_printable(&j->line, record->type_name);
    wn_buf_add_format(&j->line, "\t%" PRIu64 "\t%d\t", record->length, status);
    wn_add_printable(&j->line, wn_io_type_name(type));
    wn_buf_add_char(&j->line, '\t');
    wn_add_printable(&j->line, record->url);
}

static void write_line(job *j)
{
    wn_buf_add_char(&j->line, '\n');
    wn_io_output_add(&j->output, wn_buf_str(&j->line));
    wn_buf_clear(&j->line);
}

static void list_records(job *j)
{
    wn_io_warc_record record;
    while (j->output.state == WN_IO_OUTPUT_OPEN && wn_io_warc_next(&j->warc, &record)) {
        int status;
        if (!is_wanted(j, &record))
            continue;
        wn_str type = served_type(j, &record, &status);
        if (j->settings->format == FORMAT_JSONL)
            list_json(j, &record, type, status);
        else
            list_line(j, &record, type, status);
        write_line(j);
        j->listed++;
    }
}

/* A name of a type that is spelled wrong would look like an archive without records. */
static void say_if_none(const job *j)
{
    wn_buf message = {0};
    if (!j->settings->type || j->listed > 0 || j->failed)
        return;
    wn_buf_add_literal(&message, "no record is of the type ");
    wn_add_quoted(&message, j->settings->type);
    wn_buf_add_literal(&message, "; 'winnow warc check' shows which types there are");
    wn_io_say(&message);
    wn_buf_free(&message);
}

/* ---- check ------------------------------------------------------------------------------- */

typedef struct counts {
    uint64_t types[WN_IO_WARC_TYPES];
    uint64_t
        html; /* responses that are declared to be HTML, whatever their status, and are not empty */
    uint64_t pages;              /* records that are pages for `extract`, by what they declare */
    uint64_t bytes;              /* of all blocks */
    uint64_t declared_truncated; /* records that say so themselves: WARC-Truncated */
    uint64_t bodies_truncated;   /* others of which the end is missing */
    uint64_t bodies_damaged;
} counts;

/* Looks whether what was served is all there; only what is chunked or compressed must be read. */
static void check_body(job *j, const wn_io_warc_record *record, counts *c)
{
    wn_str look = wn_io_warc_peek(&j->warc, HEAD_LOOK);
    wn_io_response response = response_of(look);
    bool truncated = false;
    if (record->type == WN_IO_WARC_REVISIT) /* which has the head alone */
        return;
    if (record->truncated.len > 0) {
        c->declared_truncated++;
        return;
    }
    if (record->type != WN_IO_WARC_RESPONSE || response.head.len == 0)
        return;
    if (is_plain(j, look, &response)) {
        truncated = wn_io_response_is_short(&response, record->length - response.head.len);
    } else if (record->length <= j->settings->max_bytes) {
        response = response_of(wn_io_warc_view(&j->warc, &j->block, record->length));
        wn_io_response_body(&j->decoder, &response, j->settings->max_bytes);
        truncated = j->decoder.truncated && !j->decoder.cut;
        c->bodies_damaged += j->decoder.damaged;
    }
    c->bodies_truncated += truncated;
}

static void count_records(job *j, counts *c)
{
    wn_io_warc_record record;
    while (wn_io_warc_next(&j->warc, &record)) {
        int status;
        wn_str type = served_type(j, &record, &status);
        c->types[record.type]++;
        c->html += record.type == WN_IO_WARC_RESPONSE && record.length > 0 &&
                   wn_io_type_is_page(type);
        c->pages += wn_io_archive_may_be_page(&record, wn_io_warc_peek(&j->warc, HEAD_LOOK));
        c->bytes += record.length;
        check_body(j, &record, c);
    }
}

static void check_json(job *j, const counts *c)
{
    wn_json_writer json = {.out = &j->line};
    wn_json_begin_object(&json);
    key_string(&json, "file", wn_str_of(j->path));
    key_string(&json, "format", wn_str_of(j->warc.arc ? "arc" : "warc"));
    key_string(&json, "compression", wn_str_of(wn_io_codec_name(j->source.codec)));
    key_number(&json, "records", j->warc.records);
    wn_json_key(&json, "types");
    wn_json_begin_object(&json);
    for (int i = 0; i < WN_IO_WARC_TYPES; i++) {
        if (c->types[i])
            key_number(&json, wn_io_warc_type_name((wn_io_warc_type)i), c->types[i]);
    }
    wn_json_end_object(&json);
    key_number(&json, "html", c->html);
    key_number(&json, "pages", c->pages);
    key_number(&json, "bytes", c->bytes);
    key_number(&json, "truncated", j->warc.truncated);
    key_number(&json, "malformed", j->warc.malformed);
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
    wn_add_printable(&j->line, wn_str_of(j->path));
    if (j->warc.records == 0) {
        wn_buf_add_literal(&j->line, ": there is no record in it");
        return;
    }
    wn_buf_add_format(&j->line, ": %s, %s: %" PRIu64 " records (", j->warc.arc ? "ARC" : "WARC",
                      wn_io_codec_name(j->source.codec), j->warc.records);
    const char *separator = "";
    for (int i = 0; i < WN_IO_WARC_TYPES; i++) {
        if (!c->types[i])
            continue;
        wn_buf_add_format(&j->line, "%s%" PRIu64 " %s", separator, c->types[i],
                          wn_io_warc_type_name((wn_io_warc_type)i));
        separator = ", ";
    }
    bool sound = !j->source.error && j->warc.truncated + j->warc.malformed == 0 &&
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

/* Copies the rest of the block as it is. */
static void copy_rest(job *j)
{
    while (j->warc.left > 0) {
        uint64_t before = j->warc.left;
        wn_io_output_add(&j->output, wn_io_warc_view(&j->warc, &j->block, PIECE));
        if (j->warc.left == before)
            break;
    }
}

/* Each record is a piece of its own where the output is compressed, as in archives of the web. */
static void copy_record(job *j, const wn_io_warc_record *record)
{
    wn_io_output_add(&j->output, record->head);
    copy_rest(j);
    wn_io_output_add(&j->output, record->arc ? WN_STR("\n") : WN_STR("\r\n\r\n"));
    wn_io_output_end_piece(&j->output);
}

/* Copies a body that must be decoded, which is done in memory. */
static void decode_body(job *j)
{
    uint64_t max = j->settings->max_bytes;
    wn_io_response response = response_of(
        wn_io_warc_view(&j->warc, &j->block, max + WN_IO_ARCHIVE_HEAD_ROOM));
    wn_io_output_add(&j->output, wn_io_response_body(&j->decoder, &response, max));
    if (j->warc.left > 0 || j->decoder.cut)
        say_problem(j, "a body is longer than --max-bytes, and was cut");
}

static void copy_body(job *j)
{
    wn_str look = wn_io_warc_peek(&j->warc, HEAD_LOOK);
    wn_io_response response = response_of(look);
    if (!is_plain(j, look, &response)) {
        decode_body(j);
        return;
    }
    wn_io_warc_view(&j->warc, &j->block, response.head.len);
    copy_rest(j);
}

static void copy(job *j, const wn_io_warc_record *record)
{
    if (j->settings->body)
        copy_body(j);
    else
        copy_record(j, record);
}

static void copy_all(job *j)
{
    wn_io_warc_record record;
    while (j->output.state == WN_IO_OUTPUT_OPEN && wn_io_warc_next(&j->warc, &record)) {
        if (is_wanted(j, &record))
            copy(j, &record);
    }
}

/* OFFSET or OFFSET+INNER */
static bool parse_place(const char *text, wn_io_place *place)
{
    char *end;
    *place = (wn_io_place){.offset = strtoull(text, &end, 10)};
    if (end != text && *end == '+')
        place->inner = strtoull(end + 1, &end, 10);
    return end != text && *end == '\0';
}

static void copy_place(job *j, const char *text, wn_io_place place)
{
    wn_io_warc_record record;
    if (!j->source.seekable) {
        say_problem(j, "records can be looked up by their place only in a file, not in a pipe");
        return;
    }
    j->warc.left = 0;
    if (wn_io_source_seek(&j->source, place) && wn_io_warc_next(&j->warc, &record) &&
        record.place.offset == place.offset && record.place.inner == place.inner) {
        copy(j, &record);
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
    wn_io_place place;
    for (char **arg = args + 1; *arg; arg++) {
        if (!parse_place(*arg, &place))
            return wn_cli_wrong_value(
                command,
                "%s is no place; it is the number that 'winnow warc ls' shows "
                "first, as 1234 or 1234+56",
                *arg);
    }
    if (!open_file(j, args[0]))
        return WN_GO_ON;
    if (args[1])
        wn_io_source_peek(&j->source, 1); /* the dictionary, if there is one */
    else
        copy_all(j);
    for (char **arg = args + 1; *arg; arg++) {
        parse_place(*arg, &place);
        copy_place(j, *arg, place);
    }
    if (!args[1])
        say_broken(j);
    close_file(j);
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
        close_file(j);
    }
    return WN_GO_ON;
}

static int do_work(job *j, const wn_command *command, char **args)
{
    const char *what = args[0] ? args[0] : "";
    bool list = strcmp(what, "ls") == 0, check = strcmp(what, "check") == 0;
    if (!list && !check && strcmp(what, "cat") != 0)
        return wn_cli_wrong_usage(command, "say what to do: ls, check or cat");
    if (!args[1])
        return wn_cli_wrong_usage(command, "name a web archive, or - for standard input");
    if (!wn_io_output_open(&j->output, j->settings->output, j->settings->overwrite)) {
        wn_io_say(&j->output.error);
        return WN_EXIT_USAGE;
    }
    wn_io_output_set_raw(&j->output, j->settings->raw);
    int code = list || check ? each_file(j, args + 1, list ? list_records : check_file)
                             : cat(j, command, args + 1);
    if (list)
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
    wn_io_warc_free(&j.warc);
    wn_io_body_decoder_free(&j.decoder);
    wn_buf_free(&j.line);
    wn_buf_free(&j.block);
    if (code != WN_GO_ON)
        return code;
    return j.failed ? WN_EXIT_FAILED : WN_EXIT_OK;
}

const wn_command wn_command_warc = {
    .name = "warc",
    .operands = "ls|check|cat FILE...",
    .summary = "a look inside web archives: their records, whether they are sound",
    .about = "Shows what web archives hold: WARC 0.17 to 1.1 and ARC, plain or compressed.\n\n"
             "  ls FILE...          one line a record: place, type, length, HTTP status,\n"
             "                      content type, address\n"
             "  check FILE...       one line a file: its records, its pages, what is broken\n"
             "  cat FILE [PLACE...] the records at these places (the first column of ls), or\n"
             "                      all of them, decompressed",
    .notes = "Exit status: 0 all is well; 1 a file could not be read or is damaged; 2 wrong\n"
             "usage.\n\n"
             "Examples:\n"
             "  winnow warc check *.warc.gz\n"
             "  winnow warc ls --pages crawl.warc.gz | head\n"
             "  winnow warc cat --body crawl.warc.gz 940 > page.html\n"
             "  winnow warc cat crawl.warc.gz > crawl.warc",
    .options = options,
    .run = run_warc,
};
