#include "serve/exchange.h"

#include "base/json.h"

/* Seconds after which a client that was sent away may come back. */
#define RETRY_AFTER "1"

wn_str wn_serve_pair_value(const wn_serve_pairs *pairs, const char *name)
{
    for (uint32_t i = 0; i < pairs->count; i++)
        if (wn_str_eq(pairs->items[i].name, wn_str_of(name)))
            return pairs->items[i].value;
    return WN_STR("");
}

/* ---- The request ------------------------------------------------------------------------- */

wn_serve_verb wn_serve_verb_of(const char *method)
{
    static const struct {
        const char *name;
        wn_serve_verb verb;
    } verbs[] = {
        {"GET", WN_SERVE_GET}, {"HEAD", WN_SERVE_GET},        {"POST", WN_SERVE_POST},
        {"PUT", WN_SERVE_PUT}, {"OPTIONS", WN_SERVE_OPTIONS},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(method, verbs[i].name) == 0)
            return verbs[i].verb;
    return WN_SERVE_OTHER_VERB;
}

void wn_serve_request_set_target(wn_serve_request *request, wn_str target)
{
    request->target = wn_arena_copy(&request->arena, target);
    const char *mark = memchr(request->target.ptr, '?', request->target.len);
    request->path = mark ? wn_str_between(request->target.ptr, mark) : request->target;
    request->query = wn_str_from_offset(request->target, request->path.len + 1);
}

bool wn_serve_request_add_header(wn_serve_request *request, wn_str name, wn_str value)
{
    wn_serve_pair *pair = wn_array_push(&request->headers);
    char *lower = wn_arena_bytes(&request->arena, name.len + 1);
    if (!pair || !lower) {
        request->headers.count -= pair != NULL;
        return false;
    }
    for (size_t i = 0; i < name.len; i++)
        lower[i] = wn_ascii_lower(name.ptr[i]);
    pair->name = wn_str_from(lower, name.len);
    pair->value = wn_arena_copy(&request->arena, wn_str_trim(value));
    return true;
}

wn_str wn_serve_header(const wn_serve_request *request, const char *name)
{
    return wn_serve_pair_value(&request->headers, name);
}

void wn_serve_request_free(wn_serve_request *request)
{
    wn_array_free(&request->headers);
    wn_buf_free(&request->body);
    wn_buf_free(&request->fetched.bytes);
    wn_arena_free(&request->arena);
}

/* ---- The answer -------------------------------------------------------------------------- */

void wn_serve_answer_header(wn_serve_answer *answer, const char *name, wn_str value)
{
    wn_serve_pair *pair = wn_array_push(&answer->headers);
    if (pair)
        *pair = (wn_serve_pair){wn_str_of(name),
                                wn_str_of(wn_arena_c_string(&answer->arena, value))};
}

const char *wn_serve_status_text(unsigned status)
{
    static const struct {
        unsigned status;
        const char *text;
    } texts[] = {
        {200, "OK"},
        {204, "No Content"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {406, "Not Acceptable"},
        {408, "Request Timeout"},
        {413, "Content Too Large"},
        {415, "Unsupported Media Type"},
        {421, "Misdirected Request"},
        {422, "Unprocessable Content"},
        {429, "Too Many Requests"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].status == status)
            return texts[i].text;
    return "Error";
}

static void write_problem(wn_serve_answer *answer, const wn_serve_request *request, unsigned status,
                          const char *detail, const char *name, const char *allowed)
{
    wn_json_writer json = {.out = &answer->body};
    wn_buf_clear(&answer->body);
    answer->status = status;
    answer->fixed = WN_STR("");
    answer->fetch = NULL;
    answer->detail = wn_arena_c_string(&answer->arena, wn_str_of(detail));
    answer->type = "application/problem+json";
    wn_json_begin_object(&json);
    wn_json_key(&json, "title");
    wn_json_c_string(&json, wn_serve_status_text(status));
    wn_json_key(&json, "status");
    wn_json_uint(&json, status);
    wn_json_key(&json, "detail");
    wn_json_outside(&json, wn_str_of(detail));
    if (name && name[0]) {
        wn_json_key(&json, "name");
        wn_json_outside(&json, wn_str_of(name));
    }
    if (allowed && allowed[0]) {
        wn_json_key(&json, "allowed");
        wn_json_outside(&json, wn_str_of(allowed));
    }
    wn_json_key(&json, "request_id");
    wn_json_outside(&json, request->id);
    wn_json_end_object(&json);
    wn_buf_add_char(&answer->body, '\n');
}

void wn_serve_fail(wn_serve_answer *answer, const wn_serve_request *request, unsigned status,
                   const char *detail)
{
    write_problem(answer, request, status, detail, NULL, NULL);
}

void wn_serve_fail_value(wn_serve_answer *answer, const wn_serve_request *request,
                         const char *detail, const char *name, const char *allowed)
{
    write_problem(answer, request, 400, detail, name, allowed);
}

void wn_serve_fail_busy(wn_serve_answer *answer, const wn_serve_request *request, unsigned status,
                        const char *detail)
{
    write_problem(answer, request, status, detail, NULL, NULL);
    wn_serve_answer_header(answer, "Retry-After", WN_STR(RETRY_AFTER));
}

void wn_serve_answer_free(wn_serve_answer *answer)
{
    wn_buf_free(&answer->body);
    wn_array_free(&answer->headers);
    wn_arena_free(&answer->arena);
}
