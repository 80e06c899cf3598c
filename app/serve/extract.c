/*
 * /v1/extract and /v1/explain: the content of a page, and why it is that; /v1/source: the page
 * itself.
 */
#include "serve/ask.h"
#include "serve/handlers.h"

/* ---- The form of the answer -------------------------------------------------------------- */

/* The names of the formats in winnow_format_at(), as choices of an option. */
static const char *const format_names[] = {"txt", "md",  "json", "jsonl", "html",
                                           "xml", "tei", "csv",  NULL};

const winnow_parameter_info wn_serve_extract_values[] = {
    {.name = "format",
     .help = "form of the answer, also by Accept; default: txt, for JSON requests json",
     .kind = WINNOW_VALUE_TEXT,
     .choices = format_names,
     .allowed = "txt, md, json, jsonl, html, xml, tei or csv"},
    {.name = "id", .help = "names the page in records", .kind = WINNOW_VALUE_TEXT, .allowed = ""},
    {.name = NULL},
};

enum { VALUE_FORMAT, VALUE_ID };

/* In the order of winnow_format_at(). */
const char *const wn_serve_extract_types[] = {
    "text/plain",           "text/markdown", "application/json",
    "application/x-ndjson", "text/html",     "application/xml",
    "application/tei+xml",  "text/csv",      NULL,
};

enum { TYPES = sizeof wn_serve_extract_types / sizeof *wn_serve_extract_types - 1 };

/*
 * The format that was named, or that Accept asks for; NULL, and the answer is an error, if none
 * fits.
 */
static const winnow_format_info *choose_format(wn_serve_ask *ask, const wn_serve_request *request,
                                               wn_serve_answer *answer)
{
    const char *named = ask->values[VALUE_FORMAT].text;
    const winnow_format_info *format = named ? winnow_format_find(named) : NULL;
    if (named && !format)
        wn_serve_fail_value(answer, request, "there is no such format", "format",
                            wn_serve_extract_values[VALUE_FORMAT].allowed);
    if (named)
        return format;
    int usual = ask->fields.as_json ? WINNOW_FORMAT_JSON : WINNOW_FORMAT_TEXT;
    int chosen = wn_serve_accepted(wn_serve_header(request, "accept"), wn_serve_extract_types,
                                   TYPES, usual);
    if (chosen >= 0)
        return winnow_format_at((size_t)chosen);
    wn_serve_fail(answer, request, 406,
                  "the content can be had as text/plain, text/markdown, application/json, "
                  "application/x-ndjson, text/html, application/xml, application/tei+xml and "
                  "text/csv");
    return NULL;
}

static void write_content(wn_serve_ask *ask, wn_serve_worker *worker,
                          const wn_serve_request *request, const winnow_format_info *format,
                          wn_serve_answer *answer)
{
    winnow_selection *content = wn_serve_ask_select(ask, worker, request, answer);
    if (!content)
        return;
    winnow_record record = {
        .struct_size = sizeof record,
        .id = ask->values[VALUE_ID].text ? ask->values[VALUE_ID].text : ask->url,
        .url = ask->url,
    };
    size_t size = 0;
    const char *bytes = winnow_write_record(content, format->format, ask->options, &record, &size);
    answer->status = 200;
    answer->type = wn_serve_type(answer, format->media_type);
    if (format->format == WINNOW_FORMAT_CSV)
        wn_buf_add_literal(&answer->body, format->head);
    wn_buf_add(&answer->body, wn_str_from(bytes ? bytes : "", size));
    if (answer->body.len > 0 && answer->body.ptr[answer->body.len - 1] != '\n')
        wn_buf_add_char(&answer->body, '\n');
    if (!bytes || answer->body.failed)
        wn_serve_fail(answer, request, 503, "out of memory");
}

/* ---- The routes -------------------------------------------------------------------------- */

void wn_serve_extract(wn_serve_worker *worker, const wn_serve_request *request,
                      wn_serve_answer *answer)
{
    wn_serve_ask ask;
    const winnow_format_info *format = NULL;
    if (wn_serve_ask_read(&ask, worker, request, answer))
        format = choose_format(&ask, request, answer);
    if (format)
        write_content(&ask, worker, request, format, answer);
    wn_serve_ask_free(&ask);
}

void wn_serve_explain(wn_serve_worker *worker, const wn_serve_request *request,
                      wn_serve_answer *answer)
{
    wn_serve_ask ask;
    if (wn_serve_ask_read(&ask, worker, request, answer)) {
        winnow_options_set_flag(ask.options, WINNOW_OPTION_EXPLAIN, true);
        winnow_options_set_flag(ask.options, WINNOW_OPTION_BLOCKS, true);
        write_content(&ask, worker, request, winnow_format_at(WINNOW_FORMAT_JSON), answer);
    }
    wn_serve_ask_free(&ask);
}

/* ---- Lines of a batch -------------------------------------------------------------------- */

bool wn_serve_batch_check(wn_serve_worker *worker, const wn_serve_request *request,
                          wn_serve_answer *answer)
{
    wn_serve_ask ask;
    bool sound = wn_serve_ask_begin(&ask);
    if (!sound)
        wn_serve_fail(answer, request, 503, "out of memory");
    wn_serve_fields_add_query(&ask.fields, request->query);
    sound = sound && wn_serve_ask_take_fields(&ask, worker, wn_serve_route_find(request->path),
                                              request, answer);
    wn_serve_ask_free(&ask);
    return sound;
}

/* Reads a line; false, and the answer says why, if there is nothing to extract. */
static bool read_line(wn_serve_ask *ask, wn_serve_worker *worker, const wn_serve_request *request,
                      wn_str line, bool too_long, wn_serve_answer *answer)
{
    bool begun = wn_serve_ask_begin(ask);
    if (!begun || too_long) {
        wn_serve_fail(answer, request, begun ? 413 : 503,
                      begun ? "the line is longer than this server takes; see --max-bytes"
                            : "out of memory");
        return false;
    }
    wn_serve_fields_add_query(&ask->fields, request->query);
    if (!wn_serve_fields_add_json(&ask->fields, line)) {
        wn_serve_fail(answer, request, 400, wn_buf_c_string(&ask->fields.problem));
        return false;
    }
    if (!wn_serve_ask_take_fields(ask, worker, wn_serve_route_find(request->path), request, answer))
        return false;
    if (!ask->fields.has_page) {
        wn_serve_fail(answer, request, 400, "the line has no html; batches do not fetch pages");
        return false;
    }
    ask->page = ask->fields.page;
    winnow_options_set_text(ask->options, WINNOW_OPTION_CHARSET, "utf-8");
    return true;
}

/* The id of a line, also of one whose options are wrong. */
static const char *line_id(wn_serve_ask *ask)
{
    const char *id = wn_serve_field(&ask->fields, "id");
    return id ? id : wn_serve_field(&ask->fields, "url");
}

void wn_serve_batch_line(wn_serve_worker *worker, const wn_serve_request *request, wn_str line,
                         bool too_long, wn_buf *out)
{
    wn_serve_ask ask;
    wn_serve_answer answer = {0};
    winnow_selection *content = NULL;
    wn_arena_init(&answer.arena, 0);
    if (read_line(&ask, worker, request, line, too_long, &answer))
        content = wn_serve_ask_select(&ask, worker, request, &answer);
    winnow_record record = {
        .struct_size = sizeof record,
        .id = line_id(&ask),
        .url = wn_serve_field(&ask.fields, "url"),
        .error = content ? NULL : answer.detail,
        .status = answer.status == 415 ? WINNOW_STATUS_NOT_HTML : WINNOW_STATUS_UNREADABLE,
    };
    size_t size = 0;
    const char *bytes =
        content
            ? winnow_write_record(content, WINNOW_FORMAT_JSONL, ask.options, &record, &size)
            : winnow_write_failure(worker->page, WINNOW_FORMAT_JSONL, ask.options, &record, &size);
    wn_buf_add(out, wn_str_from(bytes ? bytes : "", size));
    if (out->len == 0 || out->ptr[out->len - 1] != '\n')
        wn_buf_add_char(out, '\n');
    wn_serve_ask_free(&ask);
    wn_serve_answer_free(&answer);
}

/*
 * The page as it was fetched, for a web page that shows it beside its content. It is never named as
 * HTML: no browser is to show it as a page of ours.
 */
void wn_serve_source(wn_serve_worker *worker, const wn_serve_request *request,
                     wn_serve_answer *answer)
{
    wn_serve_ask ask;
    if (wn_serve_ask_read(&ask, worker, request, answer)) {
        answer->status = 200;
        answer->type = "application/octet-stream";
        wn_buf_add(&answer->body, ask.page);
        if (ask.charset)
            wn_serve_answer_header(answer, "X-Winnow-Charset", wn_str_of(ask.charset));
        if (ask.url)
            wn_serve_answer_header(answer, "X-Winnow-Url", wn_str_of(ask.url));
    }
    wn_serve_ask_free(&ask);
}
