/*
 * What answers each route; the table in route.c names them.
 */
#ifndef WN_SERVE_HANDLERS_H
#define WN_SERVE_HANDLERS_H

#include "serve/route.h"

/* extract.c */
wn_serve_handler wn_serve_extract, wn_serve_explain;
extern const winnow_parameter_info wn_serve_extract_values[];
extern const char *const wn_serve_extract_types[];

/*
 * Checks the options of a batch, which are in its query; false, and the answer is an error, if one is
 * wrong.
 */
bool wn_serve_batch_check(wn_serve_worker *worker, const wn_serve_request *request,
                          wn_serve_answer *answer);

/*
 * Adds the record of one line of a batch: a JSON object with html, id, url and options. One that is too
 * long is not given, and its record says so.
 */
void wn_serve_batch_line(wn_serve_worker *worker, const wn_serve_request *request, wn_str line,
                         bool too_long, wn_buf *out);

/* about.c */
wn_serve_handler wn_serve_health, wn_serve_ready, wn_serve_version, wn_serve_methods;

/* stats.c */
wn_serve_handler wn_serve_metrics;

/* files.c */
wn_serve_handler wn_serve_file;

#endif
