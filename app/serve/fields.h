/*
 * The named values of a request, however they were sent: in the query, as JSON, as a form. Routes
 * read them from one list of names and texts.
 *
 *     POST /v1/extract?format=md&links=true                          query, the body is the page
 *     {"html": "…", "url": "…", "options": {"links": true}}          JSON
 *     html=…&url=…                                                   forms, of both types
 *
 * Later parts override earlier ones: the body overrides the query.
 */
#ifndef WN_SERVE_FIELDS_H
#define WN_SERVE_FIELDS_H

#include "base/json.h"
#include "serve/exchange.h"
#include "winnow.h"

typedef struct wn_serve_named {
    wn_str name, value;
    bool bare; /* a number, true or false of JSON, which is not a text */
} wn_serve_named;

typedef struct wn_serve_fields {
    wn_arena arena;
    wn_json json;
    wn_array(wn_serve_named) list;
    wn_str page; /* the bytes of the page; see has_page */
    bool has_page;
    bool text_page; /* the page came as a JSON string or a text field: it is UTF-8 */
    bool as_json;   /* the body was JSON */
    wn_str charset; /* of the page, as its Content-Type says; "" if it does not */
    wn_buf problem; /* what is wrong with the request; empty: nothing */
} wn_serve_fields;

/*
 * Reads the query and the body, whose compression is already undone. False when something is wrong:
 * `problem` says what.
 */
bool wn_serve_fields_read(wn_serve_fields *fields, const wn_serve_request *request, wn_str body);
void wn_serve_fields_free(wn_serve_fields *fields);

/* Reads "a=1&b=2". */
void wn_serve_fields_add_query(wn_serve_fields *fields, wn_str query);

/*
 * Reads the members of a JSON object; nested ones only from "options". False: `problem` says why.
 */
bool wn_serve_fields_add_json(wn_serve_fields *fields, wn_str text);

/* A value as a C string, in the fields' arena; NULL if it was not given. */
const char *wn_serve_field(wn_serve_fields *fields, const char *name);

/* ---- Values by a table ------------------------------------------------------------------- */

/* A value of a table: what kind it is, the table says. */
typedef struct wn_serve_value {
    bool given;
    double number; /* of a number, the index of a choice, 0 or 1 of a flag */
    const char *text;
} wn_serve_value;

/*
 * Reads the values of a table, which ends with a name that is NULL; `values` has as many. False
 * when a value is not allowed: `problem` says so, and `wrong` is its row.
 */
bool wn_serve_fields_values(wn_serve_fields *fields, const winnow_parameter_info *table,
                            wn_serve_value *values, const winnow_parameter_info **wrong);

/* Whether a value may be given for an option of that kind: texts must be texts in JSON, too. */
bool wn_serve_named_fits(const wn_serve_named *named, const winnow_parameter_info *info);

/* The text of a flag in the form that the library takes: "true" is "yes", "0" is "no". */
const char *wn_serve_flag_text(const winnow_parameter_info *info, const char *text);

#endif
