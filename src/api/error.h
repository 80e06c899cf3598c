/*
 * The last error of a handle: a status, a sentence, and for a bad parameter its name and what is
 * allowed. Its strings live until the next call on the handle.
 */
#ifndef WN_API_ERROR_H
#define WN_API_ERROR_H

#include "base/buf.h"
#include "extract/method.h"
#include "winnow.h"

typedef struct wn_api_error {
    winnow_error shown;
    wn_buf message, name, allowed;
} wn_api_error;

void wn_api_error_clear(wn_api_error *error);
void wn_api_error_free(wn_api_error *error);

/* Sets the error to one that needs no more than its sentence; returns the status. */
winnow_status wn_api_error_say(wn_api_error *error, winnow_status status, const char *message);

/* Sets the error to what is wrong with a method: `given` is the text it was read from. */
winnow_status wn_api_error_of_request(wn_api_error *error, wn_str given, wn_request_error kind,
                                      const wn_request_problem *problem);

/* The name `name` is unknown; those that are known come from `names`. */
winnow_status wn_api_error_unknown(wn_api_error *error, const char *what, wn_str name,
                                   const char *(*names)(const void *list, size_t index),
                                   const void *list);

/* The value of an option or parameter is not one of those allowed. */
winnow_status wn_api_error_value(wn_api_error *error, const char *what, const wn_param *param,
                                 wn_str value);

/* What a handle that is NULL says. */
extern const winnow_error wn_api_no_handle;

#endif
