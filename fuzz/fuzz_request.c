/*
 * Fuzzes requests to the server, without a network: any target, headers and body.
 *
 * Properties: every request is answered, with a status of HTTP; an error is a problem in JSON; an answer
 * to a request that was refused at its head never comes from the page; the same request gives the same
 * answer again.
 *
 * The input is a byte that chooses the path, one that chooses headers, then the query and the body,
 * separated by a line end.
 *
 * Requests are the subject, not pages, which other targets have: three of four requests that extract are
 * given the cheapest method, and one of eight is asked again. Both were most of the time.
 */
#include "fuzz.h"

#include "base/json.h"
#include "serve/route.h"

static const struct {
    const char *path;
    bool selects; /* content, so that it takes a method */
} paths[] = {
    {"/v1/extract", true},  {"/v1/explain", true}, {"/v1/words", true},   {"/v1/segment", false},
    {"/v1/methods", false}, {"/tika", true},       {"/rmeta/text", true}, {"/meta", true},
    {"/version", false},    {"/r/http:/x", false}, {"/v1/search", false}, {"/%2e%2e/", false},
};

enum { PATHS = sizeof paths / sizeof *paths, REPEATED = 8 };

static const char *const types[] = {
    "text/html",
    "application/json",
    "multipart/form-data; boundary=b",
    "application/x-www-form-urlencoded",
    "text/html; charset=shift_jis",
    "multipart/form-data; boundary=\"",
};

static const char *const encodings[] = {"", "gzip", "deflate", "br", "zstd", "identity"};

static void build(wn_serve_request *request, unsigned path, unsigned headers, wn_str query,
                  wn_str body)
{
    wn_buf target = {0};
    wn_buf_add_format(&target, "%s?", paths[path % PATHS].path);
    wn_buf_add(&target, query);
    if (paths[path % PATHS].selects && headers % 4 != 3)
        wn_buf_add_literal(&target, query.len ? "&method=all" : "method=all");
    wn_arena_init(&request->arena, 0);
    wn_serve_request_set_target(request, wn_buf_str(&target));
    request->verb = path >= 250 ? WN_SERVE_PUT : path >= 200 ? WN_SERVE_GET : WN_SERVE_POST;
    request->id = WN_STR("id");
    wn_serve_request_add_header(request, WN_STR("Host"),
                                headers == 255 ? WN_STR("evil.example") : WN_STR("localhost"));
    wn_serve_request_add_header(request, WN_STR("Content-Type"), wn_str_of(types[headers % 6]));
    wn_serve_request_add_header(request, WN_STR("Content-Encoding"),
                                wn_str_of(encodings[headers / 6 % 6]));
    if (headers & 128)
        wn_serve_request_add_header(request, WN_STR("Accept"), query);
    wn_buf_add(&request->body, body);
    wn_buf_free(&target);
}

static void check_problem(const wn_serve_answer *answer)
{
    wn_json json = {0};
    wn_arena arena;
    wn_arena_init(&arena, 0);
    FUZZ_CHECK(wn_json_parse(&json, &arena, wn_buf_str(&answer->body), 0, 0));
    FUZZ_CHECK(wn_json_count(&json, wn_json_get(&json, WN_JSON_ROOT, "status"), 0) ==
               answer->status);
    wn_json_free(&json);
    wn_arena_free(&arena);
}

static uint64_t answer_once(wn_serve_worker *worker, unsigned path, unsigned headers, wn_str query,
                            wn_str body)
{
    wn_serve_request request = {0};
    wn_serve_answer answer = {0};
    wn_arena_init(&answer.arena, 0);
    build(&request, path, headers, query, body);
    const wn_serve_route *route = wn_serve_admit(worker->settings, &request, &answer);
    if (route)
        wn_serve_answer_request(route, worker, &request, &answer);
    FUZZ_CHECK(answer.status >= 200 && answer.status < 600);
    if (!route)
        FUZZ_CHECK(answer.status >= 400 || answer.status == 204);
    if (headers == 255)
        FUZZ_CHECK(answer.status == 421);
    if (answer.status >= 400)
        check_problem(&answer);
    wn_str shown = answer.fixed.len ? answer.fixed : wn_buf_str(&answer.body);
    uint64_t digest = fuzz_digest(answer.status, shown);
    wn_serve_worker_rest(worker);
    wn_serve_request_free(&request);
    wn_serve_answer_free(&answer);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const wn_serve_settings settings = {
        .max_bytes = 1 << 16, .max_memory = 32 << 20, .workers = 1, .queue = 1};
    static wn_serve_worker worker;
    if (!worker.page)
        wn_serve_worker_init(&worker, &settings);
    if (size < 2)
        return 0;
    wn_str rest = wn_str_from((const char *)data + 2, size - 2);
    const char *end = memchr(rest.ptr, '\n', rest.len);
    wn_str query = end ? wn_str_between(rest.ptr, end) : rest;
    wn_str body = wn_str_from_offset(rest, query.len + 1);
    uint64_t first = answer_once(&worker, data[0], data[1], query, body);
    if (first % REPEATED == 0)
        FUZZ_CHECK(first == answer_once(&worker, data[0], data[1], query, body));
    return 0;
}
