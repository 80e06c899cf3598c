/*
 * A request and its answer, without the network: what the routes work on.
 *
 * The server (server.c) fills in a request and sends the answer; the assistants' protocol (mcp.c),
 * the fuzz target and the tests do the same without a socket.
 */
#ifndef WN_SERVE_EXCHANGE_H
#define WN_SERVE_EXCHANGE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/str.h"

typedef struct wn_serve_pair {
    wn_str name, value;
} wn_serve_pair;

typedef wn_array(wn_serve_pair) wn_serve_pairs;

/* The value of the first pair of that name, which is in lower case; "" if there is none. */
wn_str wn_serve_pair_value(const wn_serve_pairs *pairs, const char *name);

/* ---- The request ------------------------------------------------------------------------- */

typedef enum wn_serve_verb {
    WN_SERVE_GET = 1 << 0, /* and HEAD */
    WN_SERVE_POST = 1 << 1,
    WN_SERVE_PUT = 1 << 2,
    WN_SERVE_OPTIONS = 1 << 3,
    WN_SERVE_OTHER_VERB = 1 << 4,
} wn_serve_verb;

wn_serve_verb wn_serve_verb_of(const char *method);

/* A page that was fetched for the request. */
typedef struct wn_serve_fetched {
    bool done;
    wn_buf bytes;
    const char *url, *charset, *error; /* in the request's arena; NULL: none */
    bool not_html;
} wn_serve_fetched;

typedef struct wn_serve_request {
    wn_arena arena; /* strings of the request */
    wn_serve_verb verb;
    wn_str target;          /* as it was sent: path and query */
    wn_str path, query;     /* its parts, still percent-encoded */
    wn_serve_pairs headers; /* names in lower case */
    wn_buf body;            /* as it was sent: perhaps compressed */
    wn_str id;              /* names it in logs and errors */
    wn_serve_fetched fetched;
} wn_serve_request;

/* Takes in the target of the request line; copies it. */
void wn_serve_request_set_target(wn_serve_request *request, wn_str target);

/* Copies a header. False if out of memory. */
bool wn_serve_request_add_header(wn_serve_request *request, wn_str name, wn_str value);

/* The value of a header, whose name is given in lower case; "" if there is none. */
wn_str wn_serve_header(const wn_serve_request *request, const char *name);

void wn_serve_request_free(wn_serve_request *request);

/* ---- The answer -------------------------------------------------------------------------- */

typedef struct wn_serve_answer {
    unsigned status;
    const char *type; /* Content-Type; static, or in `arena` */
    wn_buf body;
    wn_str fixed;           /* the body, if it is static memory */
    wn_serve_pairs headers; /* besides those that every answer has; values in `arena` */
    wn_arena arena;
    const char *detail; /* of an error: the sentence */
    const char *fetch;  /* not answered yet: this address must be fetched first */
    bool is_page;       /* a file of the web page, which may run its own scripts */
    bool is_frame;      /* the one that pages are shown in whose images were asked for */
} wn_serve_answer;

void wn_serve_answer_header(wn_serve_answer *answer, const char *name, wn_str value);

/*
 * Makes the answer an error: a problem as RFC 9457 writes it. `detail` says what is wrong and what
 * to do; `name` and `allowed` (or NULL) name the value that is wrong and what it may be.
 */
void wn_serve_fail(wn_serve_answer *answer, const wn_serve_request *request, unsigned status,
                   const char *detail);
void wn_serve_fail_value(wn_serve_answer *answer, const wn_serve_request *request,
                         const char *detail, const char *name, const char *allowed);

/* The same, and the client should try again after some seconds. */
void wn_serve_fail_busy(wn_serve_answer *answer, const wn_serve_request *request, unsigned status,
                        const char *detail);

/* "Not Found" */
const char *wn_serve_status_text(unsigned status);

void wn_serve_answer_free(wn_serve_answer *answer);

#endif
