/*
 * A page and the request for it: the common part of /v1/extract, /v1/segment, /v1/words and similar
 * routes.
 *
 * Names of options are the library's own (winnow_option_at()) and those of the route's table, so
 * that nothing here has to be changed when the library learns a new option. Limits of the server
 * are upper bounds: a request can lower them.
 */
#ifndef WN_SERVE_ASK_H
#define WN_SERVE_ASK_H

#include "serve/fields.h"
#include "serve/route.h"

enum { WN_SERVE_MAX_VALUES = 16 }; /* of a route's own table */

typedef struct wn_serve_ask {
    wn_serve_fields fields;
    wn_serve_value values[WN_SERVE_MAX_VALUES]; /* of the route's own table, in its order */
    winnow_options *options;
    const char *method; /* NULL: the default */
    wn_str page;
    const char *url, *charset; /* NULL: unknown */
} wn_serve_ask;

/*
 * Reads the request. False when there is nothing to do with it: the answer is an error, or says
 * that an address must be fetched first. Free it in any case.
 */
bool wn_serve_ask_read(wn_serve_ask *ask, wn_serve_worker *worker, const wn_serve_request *request,
                       wn_serve_answer *answer);
void wn_serve_ask_free(wn_serve_ask *ask);

/*
 * The same in parts, for requests of another form: sets up options with the server's limits; takes
 * in the fields; undoes the compression of the body.
 */
bool wn_serve_ask_begin(wn_serve_ask *ask);
bool wn_serve_ask_take_fields(wn_serve_ask *ask, const wn_serve_worker *worker,
                              const wn_serve_route *route, const wn_serve_request *request,
                              wn_serve_answer *answer);
bool wn_serve_body(wn_serve_worker *worker, const wn_serve_request *request, wn_str *body,
                   wn_serve_answer *answer);

/*
 * Takes the page that was fetched, of a request without fields; false, and the answer is an error.
 */
bool wn_serve_ask_take_fetched(wn_serve_ask *ask, const wn_serve_worker *worker,
                               const wn_serve_request *request, wn_serve_answer *answer);

/*
 * Parses the page and selects its content; NULL, and the answer is an error, if that is not
 * possible.
 */
winnow_selection *wn_serve_ask_select(wn_serve_ask *ask, wn_serve_worker *worker,
                                      const wn_serve_request *request, wn_serve_answer *answer);

/* Says that a page has no content or not all of it: in the header X-Winnow-Status. */
void wn_serve_tell_status(wn_serve_answer *answer, winnow_status status);

/* The type of an answer in a format: "text/markdown; charset=utf-8". */
const char *wn_serve_type(wn_serve_answer *answer, const char *media_type);

/*
 * Which of the `count` types, the preferred one first, the Accept header asks for; `otherwise` if
 * it takes everything, -1 if it takes none of them.
 */
int wn_serve_accepted(wn_str accept, const char *const *types, size_t count, int otherwise);

#endif
