/*
 * What answers each route; the table in route.c names them.
 */
#ifndef WN_SERVE_HANDLERS_H
#define WN_SERVE_HANDLERS_H

#include "base/json.h"
#include "serve/ask.h"
#include "serve/route.h"

/* extract.c */
wn_serve_handler wn_serve_extract, wn_serve_explain, wn_serve_source;
extern const winnow_parameter_info wn_serve_extract_values[];
extern const char *const wn_serve_extract_types[];

/*
 * Checks the options of a batch, which are in its query; false, and the answer is an error, if one
 * is wrong.
 */
bool wn_serve_batch_check(wn_serve_worker *worker, const wn_serve_request *request,
                          wn_serve_answer *answer);

/*
 * Adds the record of one line of a batch: a JSON object with html, id, url and options. One that is
 * too long is not given, and its record says so.
 */
void wn_serve_batch_line(wn_serve_worker *worker, const wn_serve_request *request, wn_str line,
                         bool too_long, wn_buf *out);

/* views.c */
wn_serve_handler wn_serve_segment, wn_serve_words, wn_serve_cloud;
extern const winnow_parameter_info wn_serve_segment_values[], wn_serve_word_values[],
    wn_serve_cloud_values[];
extern const char *const wn_serve_segment_types[], *const wn_serve_word_types[],
                                                       *const wn_serve_cloud_types[];

/* collection.c */
wn_serve_handler wn_serve_search, wn_serve_pages, wn_serve_page;
extern const winnow_parameter_info wn_serve_search_values[], wn_serve_pages_values[];

/*
 * Reads the query into `ask`, which was begun, and opens the store; NULL, and the answer is an
 * error, if one of them fails. A store that fails later is closed by wn_serve_fail_store(), with
 * the answer 503.
 */
wn_store *wn_serve_open_store(wn_serve_ask *ask, wn_serve_worker *worker,
                              const wn_serve_request *request, wn_serve_answer *answer);
void wn_serve_fail_store(wn_serve_worker *worker, const wn_serve_request *request,
                         const char *reason, wn_serve_answer *answer);

/* Begins and ends an answer that is a JSON object. */
void wn_serve_begin_json(wn_serve_answer *answer, wn_json_writer *json);
void wn_serve_end_json(wn_serve_answer *answer, wn_json_writer *json);

/* outliers.c */
wn_serve_handler wn_serve_outliers;
extern const winnow_parameter_info wn_serve_outlier_values[];

/* tika.c */
wn_serve_handler wn_serve_tika, wn_serve_rmeta, wn_serve_meta;

/* reader.c */
wn_serve_handler wn_serve_reader;

/* openapi.c */
wn_serve_handler wn_serve_openapi;

/* about.c */
wn_serve_handler wn_serve_health, wn_serve_ready, wn_serve_version, wn_serve_methods;

/* stats.c */
wn_serve_handler wn_serve_metrics;

/* files.c */
wn_serve_handler wn_serve_file;

#endif
