/*
 * Pages from the web, through libcurl.
 *
 * Addresses come from users, from lists, and from pages: they must not become a way into the user's
 * own network. So a connection is made only to a public address, and the check is made where it
 * cannot be bypassed: when the socket is opened, after the name was resolved and redirects were
 * followed. It applies to every notation of an address (http://2130706433/,
 * http://[::ffff:7f00:1]/).
 *
 * Size (after decompression), time and the number of redirects are bounded, and only http and https
 * are spoken, also after a redirect. Proxies of the environment are used only if private addresses
 * are allowed: with a proxy we cannot see where a connection ends.
 */
#ifndef WN_IO_HTTP_H
#define WN_IO_HTTP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/buf.h"

typedef struct wn_io_http_settings {
    uint64_t max_bytes; /* of a page; what is longer is cut one byte after it */
    uint64_t max_redirects;
    double timeout;         /* seconds for a page in all */
    bool allow_private;     /* also addresses that are not public */
    bool sheets;            /* accept style sheets only; otherwise pages */
    const char *user_agent; /* NULL: winnow's own */
    const char *proxy;      /* NULL: that of the environment, if private addresses are allowed */
    const char *const *headers; /* further header lines; the list ends with NULL, or is NULL */
} wn_io_http_settings;

enum {
    /* Header lines of a response, trailers included: libcurl keeps all that it is sent. */
    WN_IO_HTTP_MAX_HEADERS = 256 << 10,
};

/* What came back; the strings are valid until the next call with the same wn_io_http. */
typedef struct wn_io_http_reply {
    const char *url;     /* after redirects, without user and password */
    const char *charset; /* NULL: not declared */
    const char *error;   /* NULL: all is well */
    bool not_html;       /* refused because of its type; `error` names it */
} wn_io_http_reply;

/* A client that keeps its connections from page to page; use one in one thread at a time. */
typedef struct wn_io_http wn_io_http;

/* Call it once, before any thread fetches; false if libcurl does not work. */
bool wn_io_http_start(void);

/* NULL if out of memory. */
wn_io_http *wn_io_http_new(const wn_io_http_settings *settings);
void wn_io_http_free(wn_io_http *http);

/* Fetches `url` and puts the page into `body`. */
wn_io_http_reply wn_io_http_get(wn_io_http *http, const char *url, wn_buf *body);

/* Changes the time limit of the following requests, in seconds. */
void wn_io_http_set_timeout(wn_io_http *http, double seconds);

/* An address that a connection was refused to, because it is not public. */
typedef struct wn_io_refusal {
    bool allow_private;
    const char *why; /* NULL: none was refused */
    char address[64];
} wn_io_refusal;

/*
 * Applies the rules above to a libcurl handle: protocols, time limits, proxies and addresses; a
 * refused address is noted in `refusal`. For callers that need more of libcurl than
 * wn_io_http_get().
 */
void wn_io_http_set_safety(void *curl, const wn_io_http_settings *settings, wn_io_refusal *refusal);

/* Why an address is not public ("a loopback address"); NULL if it is. */
const char *wn_io_address_private(const struct sockaddr *address);

#endif
