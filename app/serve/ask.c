#include "serve/ask.h"

#include <stdlib.h>

#include "base/printable.h"
#include "base/suggest.h"
#include "io/codec.h"
#include "io/reason.h"

/* ---- Bodies ------------------------------------------------------------------------------ */

/* The codec of a Content-Encoding; false if it is not known. */
static bool codec_of(wn_str name, wn_io_codec *codec)
{
    static const struct {
        const char *name;
        wn_io_codec codec;
    } codecs[] = {
        {"", WN_IO_CODEC_NONE},       {"identity", WN_IO_CODEC_NONE}, {"gzip", WN_IO_CODEC_GZIP},
        {"x-gzip", WN_IO_CODEC_GZIP}, {"deflate", WN_IO_CODEC_ZLIB},  {"br", WN_IO_CODEC_BROTLI},
        {"zstd", WN_IO_CODEC_ZSTD},
    };
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        if (wn_str_eq_nocase(name, wn_str_of(codecs[i].name))) {
            *codec = codecs[i].codec;
            return *codec == WN_IO_CODEC_NONE || wn_io_codec_available(*codec);
        }
    }
    return false;
}

bool wn_serve_body(wn_serve_worker *worker, const wn_serve_request *request, wn_str *body,
                   wn_serve_answer *answer)
{
    wn_io_codec codec = WN_IO_CODEC_NONE;
    uint64_t max = worker->settings->max_bytes;
    wn_str sent = wn_buf_str(&request->body);
    *body = sent;
    if (!codec_of(wn_serve_header(request, "content-encoding"), &codec)) {
        wn_serve_fail(answer, request, 415,
                      "the Content-Encoding is not supported; use gzip, deflate, br or zstd");
        return false;
    }
    if (codec == WN_IO_CODEC_NONE)
        return true;
    wn_buf_clear(&worker->unpacked);
    wn_io_unpacked result = wn_io_unpack(codec, sent, &worker->unpacked, max);
    if (codec == WN_IO_CODEC_ZLIB && result == WN_IO_UNPACKED_NOT)
        result = wn_io_unpack(WN_IO_CODEC_DEFLATE, sent, &worker->unpacked, max);
    *body = wn_buf_str(&worker->unpacked);
    if (result == WN_IO_UNPACKED)
        return true;
    if (result == WN_IO_UNPACKED_CUT)
        wn_serve_fail(answer, request, 413, "the body is too large when it is unpacked");
    else
        wn_serve_fail(answer, request, 400, "the compression of the body is damaged");
    return false;
}

/* ---- Fields ------------------------------------------------------------------------------ */

static const winnow_parameter_info *find_own(const wn_serve_route *route, wn_str name)
{
    for (size_t i = 0; route->values && route->values[i].name; i++)
        if (wn_str_eq(name, wn_str_of(route->values[i].name)))
            return &route->values[i];
    return NULL;
}

/* Whether the route hands this option of the library on. */
static bool takes_option(const wn_serve_route *route, const winnow_option_info *option)
{
    unsigned reader = strcmp(option->read_by, "parse") == 0    ? WN_SERVE_PARSES
                      : strcmp(option->read_by, "select") == 0 ? WN_SERVE_SELECTS
                                                               : WN_SERVE_WRITES;
    return (route->takes & reader) != 0;
}

static const winnow_option_info *find_option(const wn_serve_route *route, wn_str name)
{
    const winnow_option_info *option;
    for (size_t i = 0; (option = winnow_option_at(i)); i++)
        if (wn_str_eq(name, wn_str_of(option->name)))
            return takes_option(route, option) ? option : NULL;
    return NULL;
}

/* The names that a route takes, for suggestions. */
static const char *field_name(const void *list, size_t index)
{
    const wn_serve_route *route = list;
    const winnow_option_info *option;
    for (size_t i = 0; route->values && route->values[i].name; i++)
        if (index-- == 0)
            return route->values[i].name;
    for (size_t i = 0; (option = winnow_option_at(i)); i++)
        if (takes_option(route, option) && index-- == 0)
            return option->name;
    static const char *const more[] = {"html", "method", NULL};
    return more[index];
}

static bool unknown_field(const wn_serve_route *route, const wn_serve_request *request,
                          const char *name, wn_serve_answer *answer)
{
    wn_buf message = {0};
    wn_buf_add_literal(&message, "unknown option ");
    wn_add_quoted(&message, name);
    const char *near = strlen(name) < 64 ? wn_suggest(name, field_name, route) : NULL;
    if (near)
        wn_buf_add_format(&message, "; did you mean '%s'?", near);
    wn_serve_fail_value(answer, request, wn_buf_c_string(&message), name, NULL);
    wn_buf_free(&message);
    return false;
}

static bool set_option(wn_serve_ask *ask, const wn_serve_request *request, const char *name,
                       const char *value, wn_serve_answer *answer)
{
    if (winnow_options_set(ask->options, name, value) == WINNOW_STATUS_OK)
        return true;
    const winnow_error *error = winnow_options_error(ask->options);
    wn_serve_fail_value(answer, request, error->message, error->name[0] ? error->name : name,
                        error->allowed);
    return false;
}

static bool take_method(wn_serve_ask *ask, const wn_serve_request *request, const char *value,
                        wn_serve_answer *answer)
{
    ask->method = value;
    if (winnow_options_check_method(ask->options, value) == WINNOW_STATUS_OK)
        return true;
    const winnow_error *error = winnow_options_error(ask->options);
    wn_serve_fail_value(answer, request, error->message, "method", error->allowed);
    return false;
}

/* The parameter that "METHOD.NAME" names; NULL if there is none. */
static const winnow_parameter_info *find_parameter(const char *name)
{
    const winnow_method_info *method;
    for (size_t i = 0; (method = winnow_method_at(i)); i++) {
        size_t len = strlen(method->name);
        if (strncmp(name, method->name, len) != 0 || name[len] != '.')
            continue;
        for (size_t k = 0; method->parameters[k]; k++)
            if (strcmp(method->parameters[k]->name, name + len + 1) == 0)
                return method->parameters[k];
    }
    return NULL;
}

static bool take_field(wn_serve_ask *ask, const wn_serve_route *route,
                       const wn_serve_request *request, const wn_serve_named *named,
                       wn_serve_answer *answer)
{
    const char *name = wn_arena_c_string(&ask->fields.arena, named->name);
    const char *value = wn_arena_c_string(&ask->fields.arena, named->value);
    const winnow_option_info *option = find_option(route, named->name);
    bool selects = (route->takes & WN_SERVE_SELECTS) != 0;
    bool dotted = selects && strchr(name, '.');
    const winnow_parameter_info *info = option   ? &option->value
                                        : dotted ? find_parameter(name)
                                                 : NULL;
    if (find_own(route, named->name))
        return true; /* wn_serve_fields_values() reads it */
    bool is_method = selects && strcmp(name, "method") == 0;
    if (is_method ? named->bare : info && !wn_serve_named_fits(named, info)) {
        wn_serve_fail_value(answer, request, "this value must be a text", name, "a text");
        return false;
    }
    if (is_method)
        return take_method(ask, request, value, answer);
    if (option || dotted)
        return set_option(ask, request, name, info ? wn_serve_flag_text(info, value) : value,
                          answer);
    return unknown_field(route, request, name, answer);
}

/* ---- Limits ------------------------------------------------------------------------------ */

static void bound(winnow_options *options, winnow_option option, uint64_t most)
{
    uint64_t asked = winnow_options_number(options, option);
    if (most && (asked == 0 || asked > most))
        winnow_options_set_number(options, option, most);
}

static void apply_limits(winnow_options *options, const wn_serve_settings *s)
{
    static const winnow_option kept[] = {WINNOW_OPTION_MAX_NODES, WINNOW_OPTION_MAX_DEPTH,
                                         WINNOW_OPTION_MAX_ATTRIBUTES};
    bound(options, WINNOW_OPTION_MAX_BYTES, s->max_bytes);
    bound(options, WINNOW_OPTION_MAX_MEMORY, s->max_memory);
    bound(options, WINNOW_OPTION_MAX_MILLISECONDS, (uint64_t)(s->max_time * 1000));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        bound(options, kept[i], winnow_options_number(NULL, kept[i]));
}

bool wn_serve_ask_begin(wn_serve_ask *ask)
{
    *ask = (wn_serve_ask){.page = WN_STR("")};
    wn_arena_init(&ask->fields.arena, 0);
    ask->options = winnow_options_new();
    return ask->options != NULL;
}

bool wn_serve_ask_take_fields(wn_serve_ask *ask, const wn_serve_worker *worker,
                              const wn_serve_route *route, const wn_serve_request *request,
                              wn_serve_answer *answer)
{
    const winnow_parameter_info *wrong = NULL;
    for (uint32_t i = 0; i < ask->fields.list.count; i++)
        if (!take_field(ask, route, request, &ask->fields.list.items[i], answer))
            return false;
    if (route->values &&
        !wn_serve_fields_values(&ask->fields, route->values, ask->values, &wrong)) {
        wn_serve_fail_value(answer, request, wn_buf_c_string(&ask->fields.problem), wrong->name,
                            wrong->allowed);
        return false;
    }
    ask->url = winnow_options_text(ask->options, WINNOW_OPTION_URL);
    apply_limits(ask->options, worker->settings);
    return true;
}

/* ---- The page ---------------------------------------------------------------------------- */

static bool is_web_address(const char *url)
{
    wn_str text = wn_str_of(url);
    return wn_str_starts_nocase(text, WN_STR("http://")) ||
           wn_str_starts_nocase(text, WN_STR("https://"));
}

/* There is an address and no page: it must be fetched. */
static bool fetch_page(wn_serve_ask *ask, const wn_serve_worker *worker,
                       const wn_serve_request *request, wn_serve_answer *answer)
{
    if (!worker->settings->fetch)
        wn_serve_fail(answer, request, 403,
                      "this server does not fetch pages; send the page itself as html, or start it "
                      "with --fetch");
    else if (!is_web_address(ask->url))
        wn_serve_fail_value(answer, request, "the address must begin with http:// or https://",
                            "url", "an http or https address");
    else
        answer->fetch = wn_arena_c_string(&answer->arena, wn_str_of(ask->url));
    return false;
}

static bool take_fetched(wn_serve_ask *ask, const wn_serve_request *request,
                         wn_serve_answer *answer)
{
    const wn_serve_fetched *fetched = &request->fetched;
    if (fetched->error) {
        wn_serve_fail(answer, request, fetched->not_html ? 415 : 502, fetched->error);
        return false;
    }
    ask->page = wn_buf_str(&fetched->bytes);
    if (fetched->url) {
        winnow_options_set_text(ask->options, WINNOW_OPTION_URL, fetched->url);
        ask->url = winnow_options_text(ask->options, WINNOW_OPTION_URL);
    }
    ask->charset = fetched->charset;
    return true;
}

bool wn_serve_ask_take_fetched(wn_serve_ask *ask, const wn_serve_worker *worker,
                               const wn_serve_request *request, wn_serve_answer *answer)
{
    apply_limits(ask->options, worker->settings);
    if (!take_fetched(ask, request, answer))
        return false;
    winnow_options_set_text(ask->options, WINNOW_OPTION_CHARSET, ask->charset);
    return true;
}

static bool take_page(wn_serve_ask *ask, wn_serve_worker *worker, const wn_serve_request *request,
                      wn_serve_answer *answer)
{
    wn_serve_fields *fields = &ask->fields;
    const char *said = winnow_options_text(ask->options, WINNOW_OPTION_CHARSET);
    if (request->fetched.done) {
        if (!take_fetched(ask, request, answer))
            return false;
    } else if (fields->has_page) {
        ask->page = fields->page;
        if (fields->text_page)
            ask->charset = "utf-8";
        else if (fields->charset.len > 0)
            ask->charset = wn_arena_c_string(&fields->arena, fields->charset);
    } else if (ask->url && ask->url[0]) {
        return fetch_page(ask, worker, request, answer);
    } else {
        wn_serve_fail(answer, request, 400,
                      "there is no page: send it as the body, or as html in JSON or a form");
        return false;
    }
    if (said)
        ask->charset = said;
    else
        winnow_options_set_text(ask->options, WINNOW_OPTION_CHARSET, ask->charset);
    return true;
}

bool wn_serve_ask_read(wn_serve_ask *ask, wn_serve_worker *worker, const wn_serve_request *request,
                       wn_serve_answer *answer)
{
    wn_str body;
    const wn_serve_route *route = wn_serve_route_find(request->path);
    if (!wn_serve_ask_begin(ask)) {
        wn_serve_fail(answer, request, 503, "out of memory");
        return false;
    }
    if (!wn_serve_body(worker, request, &body, answer))
        return false;
    if (!wn_serve_fields_read(&ask->fields, request, body)) {
        wn_serve_fail(answer, request, 400, wn_buf_c_string(&ask->fields.problem));
        return false;
    }
    return wn_serve_ask_take_fields(ask, worker, route, request, answer) &&
           take_page(ask, worker, request, answer);
}

void wn_serve_ask_free(wn_serve_ask *ask)
{
    winnow_options_free(ask->options);
    wn_serve_fields_free(&ask->fields);
}

/* ---- Selecting --------------------------------------------------------------------------- */

/* What HTTP says of a page that gave nothing. */
static unsigned http_status(winnow_status status)
{
    switch (status) {
    case WINNOW_STATUS_NOT_HTML:
        return 415;
    case WINNOW_STATUS_TOO_LARGE:
        return 413;
    case WINNOW_STATUS_UNKNOWN_METHOD:
    case WINNOW_STATUS_BAD_PARAMETER:
    case WINNOW_STATUS_NEEDS_COLLECTION:
        return 400;
    case WINNOW_STATUS_CANCELLED:
        return 503;
    default:
        return 422;
    }
}

winnow_selection *wn_serve_ask_select(wn_serve_ask *ask, wn_serve_worker *worker,
                                      const wn_serve_request *request, wn_serve_answer *answer)
{
    winnow_parse(worker->page, ask->page.ptr, ask->page.len, ask->options);
    winnow_selection *content = winnow_select(worker->page, ask->method, ask->options);
    const winnow_error *error = winnow_page_error(worker->page);
    winnow_status status = content ? winnow_selection_status(content) : error->status;
    wn_buf reason = {0};
    wn_io_add_reason(&reason, status, ask->page);
    if (!content && reason.len == 0)
        wn_buf_add_literal(&reason, error->message);
    if (reason.len > 0) {
        wn_serve_fail(answer, request, http_status(status), wn_buf_c_string(&reason));
        content = NULL;
    } else {
        wn_serve_tell_status(answer, status);
    }
    wn_buf_free(&reason);
    return content;
}

void wn_serve_tell_status(wn_serve_answer *answer, winnow_status status)
{
    wn_serve_answer_header(answer, "X-Winnow-Status", wn_str_of(winnow_status_name(status)));
}

/* ---- What the client takes --------------------------------------------------------------- */

const char *wn_serve_type(wn_serve_answer *answer, const char *media_type)
{
    bool is_text = strncmp(media_type, "text/", 5) == 0 || strstr(media_type, "xml");
    if (!is_text)
        return media_type;
    wn_buf type = {0};
    wn_buf_add_format(&type, "%s; charset=utf-8", media_type);
    const char *copy = wn_arena_c_string(&answer->arena, wn_buf_str(&type));
    wn_buf_free(&type);
    return copy;
}

/* The weight of "text/html;q=0.5", in thousandths. */
static int weight_of(wn_str item)
{
    size_t at = wn_str_find(item, WN_STR("q="));
    if (at == item.len)
        return 1000;
    char number[8] = {0};
    wn_str text = wn_str_from_offset(item, at + 2);
    memcpy(number, text.ptr, text.len < sizeof number - 1 ? text.len : sizeof number - 1);
    double weight = strtod(number, NULL);
    return weight >= 0 && weight <= 1 ? (int)(weight * 1000) : 0;
}

/*
 * How well a range fits a type: 3 exactly, 2 by its first half (text and a star), 1 as anything, 0
 * not.
 */
static int fit_of(wn_str range, const char *type)
{
    wn_str name = wn_str_of(type);
    if (wn_str_eq_nocase(range, name))
        return 3;
    if (wn_str_eq(range, WN_STR("*/*")))
        return 1;
    bool half = range.len > 2 && memcmp(range.ptr + range.len - 2, "/*", 2) == 0;
    return half && wn_str_starts_nocase(name, wn_str_from(range.ptr, range.len - 1)) ? 2 : 0;
}

/* The weight that the most exact range of the header gives to a type; 0: it is not taken. */
static int weight_for(wn_str accept, const char *type, int *fit)
{
    int weight = 0;
    *fit = 0;
    while (accept.len > 0) {
        const char *comma = memchr(accept.ptr, ',', accept.len);
        wn_str item = comma ? wn_str_between(accept.ptr, comma) : accept;
        accept = wn_str_from_offset(accept, item.len + 1);
        const char *semicolon = memchr(item.ptr, ';', item.len);
        wn_str range = wn_str_trim(semicolon ? wn_str_between(item.ptr, semicolon) : item);
        int here = fit_of(range, type);
        if (here > *fit) {
            *fit = here;
            weight = weight_of(item);
        }
    }
    return weight;
}

int wn_serve_accepted(wn_str accept, const char *const *types, size_t count, int otherwise)
{
    int best = -1, best_rank = 0, fit;
    if (accept.len == 0)
        return otherwise;
    for (size_t i = 0; i < count; i++) {
        int weight = weight_for(accept, types[i], &fit);
        /* A type that is named counts more than one that a star lets in; then the default. */
        int rank = weight ? weight * 8 + (fit > 1 ? 4 : 0) + ((int)i == otherwise ? 2 : 0) : 0;
        if (rank > best_rank) {
            best_rank = rank;
            best = (int)i;
        }
    }
    return best;
}
