/*
 * The options of the public interface: values by number, parameters of methods by name, and handles
 * to what was learned. One table (options.c) has the name, kind, range, default and help of each.
 */
#ifndef WN_API_OPTIONS_H
#define WN_API_OPTIONS_H

#include "api/error.h"
#include "base/array.h"

enum { WN_OPTION_COUNT = WINNOW_OPTION_LOAD_IMAGES + 1 };

/* A parameter that was set for a method. */
typedef struct wn_api_param {
    const wn_method *method;
    int index;    /* among its parameters */
    double value; /* if it is not a text */
    char *text;   /* if it is one */
} wn_api_param;

struct winnow_options {
    uint64_t numbers[WN_OPTION_COUNT]; /* flags are 0 or 1 */
    char *texts[WN_OPTION_COUNT];      /* NULL: not set */
    wn_array(wn_api_param) params;
    wn_array(winnow_sheet) sheets;
    winnow_load_sheet *load_sheet;
    void *load_data;
    winnow_cancel *cancel;
    void *cancel_data;
    const winnow_model *model;
    const winnow_site *site;
    const winnow_noise *noise;
    wn_api_error error;
};

/* The options themselves, or the defaults in place of NULL. */
const winnow_options *wn_api_options(const winnow_options *options);

static inline bool wn_api_flag(const winnow_options *options, winnow_option option)
{
    return options->numbers[option] != 0;
}

/* Reads "NAME:param=value" over the parameters that the options set; `method` NULL: "auto". */
wn_request_error wn_api_read_request(const winnow_options *options, const char *method,
                                     wn_request *request, wn_request_problem *problem);

/*
 * Reads comma-separated names of roles as bits 1 << role; false if one is unknown. NULL means none.
 */
bool wn_api_read_roles(const char *text, uint32_t *roles);

#endif
