/*
 * The request: the input of a method and its parameters.
 *
 * Together with the page and the selection, this is all that a method knows about its caller. A
 * method describes its parameters as the public interface shows them:
 *
 *     const wn_param *const wn_bte_params[] = {
 *         [SEARCH] = WN_CHOICE("search", "how the stretch is found", "linear",
 *                              "linear or original", "linear", "original"),
 *         [CLEAN] = WN_SWITCH("clean", "first take out what holds no content", "yes"),
 *         NULL,
 *     };
 */
#ifndef WN_PAGE_REQUEST_H
#define WN_PAGE_REQUEST_H

#include <stdbool.h>

#include "base/watch.h"
#include "winnow.h"

enum { WN_MOST_PARAMS = 12 };

typedef winnow_parameter_info wn_param;

#define WN_NUMBER(name_, help_, fallback_, min_, max_)                                             \
    (&(const wn_param){.name = name_,                                                              \
                       .help = help_,                                                              \
                       .kind = WINNOW_VALUE_NUMBER,                                                \
                       .min = min_,                                                                \
                       .max = max_,                                                                \
                       .fallback = #fallback_,                                                     \
                       .allowed = "a number from " #min_ " to " #max_})
#define WN_WHOLE(name_, help_, fallback_, min_, max_)                                              \
    (&(const wn_param){.name = name_,                                                              \
                       .help = help_,                                                              \
                       .kind = WINNOW_VALUE_WHOLE,                                                 \
                       .min = min_,                                                                \
                       .max = max_,                                                                \
                       .fallback = #fallback_,                                                     \
                       .allowed = "a whole number from " #min_ " to " #max_})
#define WN_CHOICE(name_, help_, fallback_, allowed_, ...)                                          \
    (&(const wn_param){.name = name_,                                                              \
                       .help = help_,                                                              \
                       .kind = WINNOW_VALUE_CHOICE,                                                \
                       .choices = (const char *const[]){__VA_ARGS__, NULL},                        \
                       .fallback = fallback_,                                                      \
                       .allowed = allowed_})
#define WN_SWITCH(name_, help_, fallback_)                                                         \
    (&(const wn_param){.name = name_,                                                              \
                       .help = help_,                                                              \
                       .kind = WINNOW_VALUE_FLAG,                                                  \
                       .choices = (const char *const[]){"no", "yes", NULL},                        \
                       .fallback = fallback_,                                                      \
                       .allowed = "no or yes"})
#define WN_WORDS(name_, help_)                                                                     \
    (&(const wn_param){.name = name_,                                                              \
                       .help = help_,                                                              \
                       .kind = WINNOW_VALUE_TEXT,                                                  \
                       .fallback = "",                                                             \
                       .allowed = "words, one per line"})

typedef struct wn_request {
    const struct wn_method *method;
    double values[WN_MOST_PARAMS];     /* by parameter: a number, or the number of a choice */
    const char *texts[WN_MOST_PARAMS]; /* of parameters that are texts; NULL: not given */
    const struct wn_noise *noise;      /* NULL: there is no collection */
    const struct wn_auto_model *model; /* of "auto" */
    wn_watch *watch;                   /* says when to stop; may be NULL */
    bool explain;                      /* reasons may take time: they are read */
    bool roles;                        /* roles may take time, too */
    const struct wn_auto_role_listener *role_listener; /* of "auto", for training; may be NULL */
} wn_request;

#endif
