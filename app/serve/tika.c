/*
 * In place of Apache Tika's server, for clients that were written for it: PUT a page to /tika,
 * /rmeta or /meta. The content is the main content, not all text; ?method=all gives all of it.
 *
 * https://cwiki.apache.org/confluence/display/TIKA/TikaServer
 */
#include "base/json.h"
#include "serve/ask.h"
#include "serve/handlers.h"

/* The forms of the content. */
typedef enum form { FORM_TEXT, FORM_HTML, FORM_XML, FORM_JSON, FORM_NONE } form;

static const char *const form_types[] = {"text/plain", "text/html", "text/xml", "application/json"};
static const char *const form_names[] = {"text", "html", "xml", "json", "ignore"};

/* The form that the path names (/tika/text, /rmeta/html); -1 if it names none. */
static int form_of_path(const wn_serve_request *request)
{
    const char *slash = memchr(request->path.ptr + 1, '/', request->path.len - 1);
    size_t start = slash ? (size_t)(slash + 1 - request->path.ptr) : request->path.len;
    wn_str name = wn_str_from_offset(request->path, start);
    for (size_t i = 0; i < sizeof form_names / sizeof *form_names; i++)
        if (wn_str_eq(name, wn_str_of(form_names[i])))
            return (int)i;
    return -1;
}

/* The content in a form, as bytes of the selection. */
static wn_str content_in(wn_serve_ask *ask, winnow_selection *content, form wanted)
{
    size_t size = 0;
    winnow_options_set_flag(ask->options, WINNOW_OPTION_STANDALONE, true);
    winnow_format format = wanted == FORM_TEXT || wanted == FORM_JSON ? WINNOW_FORMAT_TEXT
                                                                      : WINNOW_FORMAT_HTML;
    const char *bytes = winnow_write(content, format, ask->options, &size);
    return wn_str_from(bytes ? bytes : "", size);
}

static void add_member(wn_json_writer *json, const char *key, const char *value)
{
    if (!value[0])
        return;
    wn_json_key(json, key);
    wn_json_c_string(json, value);
}

static void add_list(wn_json_writer *json, const char *key, const char *const *values, size_t count)
{
    if (count == 0)
        return;
    wn_json_key(json, key);
    if (count == 1) {
        wn_json_c_string(json, values[0]);
        return;
    }
    wn_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        wn_json_c_string(json, values[i]);
    wn_json_end_array(json);
}

/* The metadata by Tika's names, as members of the object that is open. */
static void add_metadata(wn_json_writer *json, wn_serve_worker *worker, winnow_selection *content)
{
    const winnow_metadata *m = winnow_selection_metadata(content);
    const char *encoding = winnow_page_encoding(worker->page);
    wn_buf type = {0};
    wn_buf_add_format(&type, "text/html; charset=%s", encoding);
    add_member(json, "Content-Type", wn_buf_c_string(&type));
    add_member(json, "Content-Encoding", encoding);
    add_member(json, "dc:title", m->title);
    add_list(json, "dc:creator", m->authors, m->author_count);
    add_member(json, "dc:description", m->description);
    add_member(json, "dc:language", m->language);
    add_member(json, "dcterms:created", m->published);
    add_member(json, "dcterms:modified", m->modified);
    add_list(json, "dc:subject", m->tags, m->tag_count);
    add_member(json, "dc:rights", m->license);
    add_member(json, "dc:publisher", m->site);
    add_member(json, "X-TIKA:Parsed-By", "winnow");
    wn_buf_free(&type);
}

static void write_object(wn_serve_ask *ask, wn_serve_worker *worker, winnow_selection *content,
                         form wanted, wn_json_writer *json)
{
    wn_json_begin_object(json);
    add_metadata(json, worker, content);
    if (wanted != FORM_NONE) {
        wn_json_key(json, "X-TIKA:content");
        wn_json_string(json, content_in(ask, content, wanted));
    }
    wn_json_end_object(json);
}

/* Parses the page that was sent; NULL, and the answer is an error, if there is none. */
static winnow_selection *read_page(wn_serve_ask *ask, wn_serve_worker *worker,
                                   const wn_serve_request *request, wn_serve_answer *answer)
{
    if (!wn_serve_ask_read(ask, worker, request, answer))
        return NULL;
    winnow_selection *content = wn_serve_ask_select(ask, worker, request, answer);
    /* Tika's server says 422 of what it cannot read. */
    if (!content && answer->status == 415)
        wn_serve_fail(answer, request, 422, answer->detail);
    return content;
}

/* ---- /tika ------------------------------------------------------------------------------- */

static void greet(wn_serve_answer *answer)
{
    answer->status = 200;
    answer->type = "text/plain; charset=utf-8";
    wn_buf_add_format(&answer->body,
                      "This is winnow %s, which answers as a Tika Server does. Please PUT\n",
                      winnow_version());
}

void wn_serve_tika(wn_serve_worker *worker, const wn_serve_request *request,
                   wn_serve_answer *answer)
{
    wn_serve_ask ask;
    if (request->verb == WN_SERVE_GET) {
        greet(answer);
        return;
    }
    winnow_selection *content = read_page(&ask, worker, request, answer);
    int named = form_of_path(request);
    int wanted = named >= 0 && named < FORM_NONE
                     ? named
                     : wn_serve_accepted(wn_serve_header(request, "accept"), form_types, FORM_NONE,
                                         FORM_TEXT);
    if (content && wanted < 0) {
        wn_serve_fail(answer, request, 406,
                      "the content can be had as text/plain, text/html, text/xml and "
                      "application/json");
    } else if (content) {
        answer->status = 200;
        answer->type = wn_serve_type(answer, form_types[wanted]);
        wn_json_writer json = {.out = &answer->body};
        if (wanted == FORM_JSON)
            write_object(&ask, worker, content, FORM_TEXT, &json);
        else
            wn_buf_add(&answer->body, content_in(&ask, content, (form)wanted));
    }
    wn_serve_ask_free(&ask);
}

/* ---- /rmeta and /meta -------------------------------------------------------------------- */

void wn_serve_rmeta(wn_serve_worker *worker, const wn_serve_request *request,
                    wn_serve_answer *answer)
{
    wn_serve_ask ask;
    winnow_selection *content = read_page(&ask, worker, request, answer);
    if (content) {
        int named = form_of_path(request);
        wn_json_writer json = {.out = &answer->body};
        answer->status = 200;
        answer->type = "application/json";
        wn_json_begin_array(&json);
        write_object(&ask, worker, content, named >= 0 ? (form)named : FORM_XML, &json);
        wn_json_end_array(&json);
    }
    wn_serve_ask_free(&ask);
}

/* A value of CSV: in quotes, quotes doubled. */
static void add_quoted(wn_buf *out, wn_str text)
{
    wn_buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            wn_buf_add_char(out, '"');
        wn_buf_add_char(out, text.ptr[i]);
    }
    wn_buf_add_char(out, '"');
}

/* The members of a JSON object as lines of CSV: the key, then its value or values. */
static void write_csv(wn_str object, wn_buf *out)
{
    wn_json json = {0};
    wn_arena arena;
    wn_arena_init(&arena, 0);
    if (wn_json_parse(&json, &arena, object, 0, 0)) {
        wn_json_each_key (&json, key, WN_JSON_ROOT) {
            const wn_json_node *value = wn_json_node_at(&json, key + 1);
            add_quoted(out, wn_json_text(&json, key));
            if (value->kind == WN_JSON_ARRAY) {
                wn_json_each (&json, item, key + 1) {
                    wn_buf_add_char(out, ',');
                    add_quoted(out, wn_json_text(&json, item));
                }
            } else {
                wn_buf_add_char(out, ',');
                add_quoted(out, wn_json_text(&json, key + 1));
            }
            wn_buf_add_char(out, '\n');
        }
    }
    wn_json_free(&json);
    wn_arena_free(&arena);
}

void wn_serve_meta(wn_serve_worker *worker, const wn_serve_request *request,
                   wn_serve_answer *answer)
{
    static const char *const types[] = {"text/csv", "application/json"};
    wn_serve_ask ask;
    winnow_selection *content = read_page(&ask, worker, request, answer);
    int type = wn_serve_accepted(wn_serve_header(request, "accept"), types, 2, 0);
    if (content && type < 0) {
        wn_serve_fail(answer, request, 406, "metadata can be had as text/csv and application/json");
    } else if (content) {
        wn_buf object = {0};
        wn_json_writer json = {.out = &object};
        write_object(&ask, worker, content, FORM_NONE, &json);
        answer->status = 200;
        answer->type = wn_serve_type(answer, types[type]);
        if (type == 0)
            write_csv(wn_buf_str(&object), &answer->body);
        else
            wn_buf_add(&answer->body, wn_buf_str(&object));
        wn_buf_free(&object);
    }
    wn_serve_ask_free(&ask);
}
