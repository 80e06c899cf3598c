#include "serve/route.h"

#include "serve/guard.h"
#include "serve/handlers.h"

static const char *const json_types[] = {"application/json", NULL};
static const char *const reader_types[] = {"text/plain", "application/json", NULL};
static const char *const source_types[] = {"application/octet-stream", NULL};
static const char *const text_types[] = {"text/plain", NULL};

static const char *const batch_types[] = {"application/x-ndjson", NULL};

/* Each line may name its page. */
static const winnow_parameter_info batch_values[] = {
    {.name = "id", .help = "names the page in its record", .kind = WINNOW_VALUE_TEXT},
    {.name = NULL},
};

enum { PAGE_OPTIONS = WN_SERVE_PARSES | WN_SERVE_SELECTS | WN_SERVE_WRITES };

/* As Apache Tika's server has them. */
#define TIKA_ROUTE(path_, verbs_, handle_)                                                         \
    {                                                                                              \
        .path = (path_), .verbs = (verbs_) | WN_SERVE_PUT | WN_SERVE_POST, .handle = (handle_),    \
        .summary = "As Apache Tika's server answers", .takes = PAGE_OPTIONS, .hidden = true        \
    }

static const wn_serve_route routes[] = {
    {.path = "/v1/extract",
     .verbs = WN_SERVE_POST,
     .handle = wn_serve_extract,
     .summary = "The main content of a page",
     .takes = PAGE_OPTIONS,
     .values = wn_serve_extract_values,
     .types = wn_serve_extract_types},
    {.path = "/v1/explain",
     .verbs = WN_SERVE_POST,
     .handle = wn_serve_explain,
     .summary = "Every block of a page, and why it was kept or dropped",
     .takes = PAGE_OPTIONS,
     .types = json_types},
    {.path = "/v1/source",
     .verbs = WN_SERVE_POST,
     .handle = wn_serve_source,
     .summary = "The page at an address, as it was fetched",
     .takes = WN_SERVE_PARSES,
     .types = source_types,
     .fetches = true},
    {.path = "/v1/batch",
     .verbs = WN_SERVE_POST,
     .summary = "The main content of many pages",
     .about =
         "The body has a JSON object per line, with html, and perhaps id, url and options; the "
         "answer has a record per line, in the same order. Options in the query hold for all.",
     .takes = PAGE_OPTIONS,
     .values = batch_values,
     .types = batch_types,
     .batch = true},
    {.path = "/v1/segment",
     .verbs = WN_SERVE_POST,
     .handle = wn_serve_segment,
     .summary = "The visual blocks of a page",
     .takes = WN_SERVE_PARSES,
     .values = wn_serve_segment_values,
     .types = wn_serve_segment_types},
    {.path = "/v1/words",
     .verbs = WN_SERVE_POST,
     .handle = wn_serve_words,
     .summary = "The words of a page's content",
     .takes = WN_SERVE_PARSES | WN_SERVE_SELECTS,
     .values = wn_serve_word_values,
     .types = wn_serve_word_types},
    {.path = "/v1/cloud",
     .verbs = WN_SERVE_POST,
     .handle = wn_serve_cloud,
     .summary = "A tag cloud of a page's content",
     .takes = WN_SERVE_PARSES | WN_SERVE_SELECTS,
     .values = wn_serve_cloud_values,
     .types = wn_serve_cloud_types},
    {.path = "/v1/search",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_search,
     .summary = "Pages of the store by their words, the best first",
     .values = wn_serve_search_values,
     .types = json_types,
     .store = true},
    {.path = "/v1/pages",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_pages,
     .summary = "Pages of the store, by their numbers",
     .values = wn_serve_pages_values,
     .types = json_types,
     .store = true},
    {.path = "/v1/pages/",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_page,
     .summary = "A page of the store, with its text",
     .types = json_types,
     .below = "id",
     .store = true},
    {.path = "/v1/outliers",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_outliers,
     .summary = "The words of the store, and which of them are outliers",
     .about =
         "Of each word how often it occurs, and on how many pages. Words that are not outliers and "
         "have about the same numbers are one, with their number in words.",
     .values = wn_serve_outlier_values,
     .types = json_types,
     .store = true},
    {.path = "/r/",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_reader,
     .summary = "The page at an address as Markdown, as Jina's Reader answers",
     .types = reader_types,
     .fetches = true,
     .hidden = true},
    TIKA_ROUTE("/tika", WN_SERVE_GET, wn_serve_tika),
    TIKA_ROUTE("/tika/", 0, wn_serve_tika),
    TIKA_ROUTE("/rmeta", 0, wn_serve_rmeta),
    TIKA_ROUTE("/rmeta/", 0, wn_serve_rmeta),
    TIKA_ROUTE("/meta", 0, wn_serve_meta),
    {.path = "/openapi.json",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_openapi,
     .summary = "This description",
     .types = json_types,
     .direct = true,
     .open = true},
    {.path = "/v1/methods",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_methods,
     .summary = "Methods with their parameters, options, formats and fields of records",
     .types = json_types,
     .direct = true},
    {.path = "/health",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_health,
     .summary = "Whether the server runs",
     .types = json_types,
     .direct = true,
     .open = true},
    {.path = "/ready",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_ready,
     .summary = "Whether the server takes requests at the moment",
     .types = json_types,
     .direct = true,
     .open = true},
    {.path = "/version",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_version,
     .summary = "The version, and what this server offers",
     .types = json_types,
     .direct = true,
     .open = true},
    {.path = "/metrics",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_metrics,
     .summary = "Counters for Prometheus",
     .types = text_types,
     .direct = true},
    {.path = "/",
     .verbs = WN_SERVE_GET,
     .handle = wn_serve_file,
     .summary = "The web page",
     .direct = true,
     .open = true,
     .hidden = true},
};

const wn_serve_route *wn_serve_route_at(size_t index)
{
    return index < sizeof routes / sizeof *routes ? &routes[index] : NULL;
}

/* The first row that fits; "/", which has everything below it, is the last. */
const wn_serve_route *wn_serve_route_find(wn_str path)
{
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        wn_str own = wn_str_of(routes[i].path);
        bool folder = own.ptr[own.len - 1] == '/';
        if (wn_str_eq(path, own) || (folder && wn_str_starts(path, own)))
            return &routes[i];
    }
    return NULL;
}

wn_str wn_serve_below(const wn_serve_route *route, const wn_serve_request *request)
{
    return wn_str_from_offset(request->path, strlen(route->path));
}

void wn_serve_add_verbs(wn_buf *out, unsigned verbs)
{
    static const struct {
        unsigned verb;
        const char *names;
    } names[] = {{WN_SERVE_GET, "GET, HEAD"}, {WN_SERVE_POST, "POST"}, {WN_SERVE_PUT, "PUT"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (verbs & names[i].verb)
            wn_buf_add_format(out, "%s%s", out->len ? ", " : "", names[i].names);
}

static void refuse_verb(const wn_serve_settings *settings, const wn_serve_route *route,
                        const wn_serve_request *request, wn_serve_answer *answer)
{
    wn_buf verbs = {0};
    wn_serve_add_verbs(&verbs, route->verbs);
    if (request->verb == WN_SERVE_OPTIONS) {
        wn_serve_preflight(settings, request, wn_buf_c_string(&verbs), answer);
    } else {
        wn_serve_fail(answer, request, 405, "this path does not take this method");
        wn_serve_answer_header(answer, "Allow", wn_buf_str(&verbs));
    }
    wn_buf_free(&verbs);
}

const wn_serve_route *wn_serve_admit(const wn_serve_settings *settings,
                                     const wn_serve_request *request, wn_serve_answer *answer)
{
    const wn_serve_route *route = wn_serve_route_find(request->path);
    if (!wn_serve_guard(settings, request, route && route->open, answer))
        return NULL;
    const char *missing = !route ? "there is nothing at this path" : NULL;
    if (route && !(request->verb & route->verbs)) {
        refuse_verb(settings, route, request, answer);
        return NULL;
    }
    if (route && route->store && !settings->store)
        missing = "this server has no store; start it with --store STORE";
    else if (route && route->fetches && !settings->fetch)
        missing = "this server does not fetch pages; start it with --fetch";
    if (missing)
        wn_serve_fail(answer, request, 404, missing);
    return missing ? NULL : route;
}

void wn_serve_answer_request(const wn_serve_route *route, wn_serve_worker *worker,
                             const wn_serve_request *request, wn_serve_answer *answer)
{
    route->handle(worker, request, answer);
    bool unanswered = answer->status == 0 && !answer->fetch;
    if (answer->body.failed || answer->arena.failed || unanswered)
        wn_serve_fail(answer, request, 503, "out of memory");
}
