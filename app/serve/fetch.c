#include "serve/fetch.h"

enum { MAX_REDIRECTS = 10 };

wn_io_http *wn_serve_fetcher_new(const wn_serve_settings *settings)
{
    return wn_io_http_new(&(wn_io_http_settings){
        .max_bytes = settings->max_bytes,
        .max_redirects = MAX_REDIRECTS,
        .timeout = settings->fetch_timeout,
        .allow_private = settings->allow_private,
    });
}

/* A copy in the request's arena; NULL stays NULL. */
static const char *keep(wn_serve_request *request, const char *text)
{
    return text ? wn_arena_c_string(&request->arena, wn_str_of(text)) : NULL;
}

void wn_serve_fetch(wn_io_http *http, const wn_serve_settings *settings, const char *url,
                    wn_serve_request *request)
{
    wn_serve_fetched *fetched = &request->fetched;
    wn_buf_clear(&fetched->bytes);
    wn_io_http_reply reply = {.error = "out of memory"};
    if (http)
        reply = wn_io_http_get(http, url, &fetched->bytes);
    *fetched = (wn_serve_fetched){
        .done = true,
        .bytes = fetched->bytes,
        .url = keep(request, reply.url),
        .charset = keep(request, reply.charset),
        .error = keep(request, reply.error),
        .not_html = reply.not_html,
    };
    if (fetched->bytes.len > settings->max_bytes)
        fetched->bytes.len = (size_t)settings->max_bytes;
}
