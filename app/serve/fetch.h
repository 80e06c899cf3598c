/*
 * Pages from the web for requests that name an address, by the rules of io/http.h: only public
 * addresses, unless the server was started with --allow-private.
 */
#ifndef WN_SERVE_FETCH_H
#define WN_SERVE_FETCH_H

#include "io/http.h"
#include "serve/exchange.h"
#include "serve/settings.h"

/* A client for one thread; NULL if out of memory. wn_io_http_free() it. */
wn_io_http *wn_serve_fetcher_new(const wn_serve_settings *settings);

/* Fetches `url` into request->fetched, with what went wrong. */
void wn_serve_fetch(wn_io_http *http, const wn_serve_settings *settings, const char *url,
                    wn_serve_request *request);

#endif
