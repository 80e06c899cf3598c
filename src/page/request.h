/*
 * The request: what a method is asked for, and the parameters that it can be asked with.
 *
 * Together with the page and the selection it is all that a method needs to know of its caller.
 */
#ifndef WN_PAGE_REQUEST_H
#define WN_PAGE_REQUEST_H

#include <stdbool.h>

enum { WN_MOST_PARAMS = 12 };

/* A parameter: a number, or one of some words. */
typedef struct wn_param {
    const char *name;
    const char *help;           /* one line, without the values that are allowed */
    const char *const *choices; /* ends with NULL; NULL: it is a number */
    double fallback;            /* its default; of a choice the index */
    double min, max;            /* of a number */
    bool whole;                 /* a number without a fraction */
} wn_param;

/* The choices of a switch: the value is 0 or 1. */
extern const char *const wn_param_no_yes[];

typedef struct wn_request {
    const struct wn_method *method;
    double values[WN_MOST_PARAMS];     /* in the order of the method's parameters */
    const char *footer_words;          /* further ones, one per line; NULL: none */
    const char *stop_words;            /* further ones, one per line; NULL: none */
    const char *noise_words;           /* stems, one per line; NULL: there is no collection */
    const struct wn_auto_model *model; /* of "auto" */
    bool explain;                      /* reasons may take time: they are read */
} wn_request;

#endif
