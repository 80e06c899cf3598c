/*
 * Methods: a page in, a selection out.
 *
 * A method is one file in this folder and one line in the table of method.c. Most
 * read a finished page. Those that need no tree read the page's tokens themselves
 * and fill the page on the way (page/stream.h); for those behind it there is no
 * difference.
 *
 * What can be set of a method stands in its table of parameters, and users write
 * it behind its name: "lineblock:rule=all,distance=3".
 */
#ifndef WN_EXTRACT_METHOD_H
#define WN_EXTRACT_METHOD_H

#include "base/arena.h"
#include "page/page.h"
#include "page/selection.h"
#include "page/stream.h"

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

/* What a method is asked for. */
typedef struct wn_request {
    const struct wn_method *method;
    double values[WN_MOST_PARAMS]; /* in the order of the method's parameters */
    const char *footer_words;      /* further ones, one a line; NULL: none */
    const char *stop_words;        /* further ones, one a line; NULL: none */
    const char *noise_words;       /* stems, one a line; NULL: there is no collection */
    const struct wn_model *model;  /* of "auto" */
    bool explain;                  /* reasons may take time: they are read */
} wn_request;

typedef struct wn_method {
    const char *name;
    const char *summary; /* one line for --help */

    /*
     * Gives a verdict on every block. `selection` has room for all of them and
     * starts as "drop"; `arena` is the page's, for working memory.
     */
    void (*select)(const wn_page *page, const wn_request *request, wn_arena *arena,
                   wn_selection *selection);

    /* Or: reads the page from its tokens, then starts the selection and fills it. */
    void (*read)(wn_stream *stream, const wn_request *request, wn_arena *arena,
                 wn_selection *selection);

    const wn_param *params; /* ends with a NULL name; NULL: none */
    bool by_text;           /* `select` decides on page->texts */
    bool looks;             /* it reads page->styles and page->boxes */
    bool digs;              /* a page of which nothing is kept is looked for in its data */
} wn_method;

/* The methods, in the order of --help; ends with a NULL name. */
extern const wn_method wn_methods[];

/* NULL for an unknown name. */
const wn_method *wn_method_find(wn_str name);

typedef enum wn_request_error {
    WN_REQUEST_OK,
    WN_UNKNOWN_METHOD,
    WN_UNKNOWN_PARAM,
    WN_BAD_VALUE,
} wn_request_error;

/* What was wrong with a request, as slices of what was given. */
typedef struct wn_request_problem {
    const wn_method *method; /* NULL if unknown */
    const wn_param *param;   /* of a bad value */
    wn_str word;             /* the name or value that is wrong */
} wn_request_problem;

/* Reads "NAME" or "NAME:param=value,param=value". `problem` may be NULL. */
wn_request_error wn_request_parse(wn_request *request, wn_str text, wn_request_problem *problem);

/* Reads one more "param=value". */
wn_request_error wn_request_set(wn_request *request, wn_str assignment,
                                wn_request_problem *problem);

/* Adds what is allowed: "all or rescue", "a number from 0 to 1". */
void wn_param_add_values(const wn_param *param, wn_buf *out);

/* Adds the default as users write it. */
void wn_param_add_default(const wn_param *param, wn_buf *out);

void wn_select_all(const wn_page *page, const wn_request *request, wn_arena *arena,
                   wn_selection *selection);
void wn_select_auto(const wn_page *page, const wn_request *request, wn_arena *arena,
                    wn_selection *selection);
void wn_select_outlier(const wn_page *page, const wn_request *request, wn_arena *arena,
                       wn_selection *selection);
void wn_select_xpath(const wn_page *page, const wn_request *request, wn_arena *arena,
                     wn_selection *selection);
void wn_select_eifce(const wn_page *page, const wn_request *request, wn_arena *arena,
                     wn_selection *selection);
void wn_select_fe(const wn_page *page, const wn_request *request, wn_arena *arena,
                  wn_selection *selection);
void wn_select_kfe(const wn_page *page, const wn_request *request, wn_arena *arena,
                   wn_selection *selection);
void wn_read_lineblock(wn_stream *stream, const wn_request *request, wn_arena *arena,
                       wn_selection *selection);
void wn_read_bte(wn_stream *stream, const wn_request *request, wn_arena *arena,
                 wn_selection *selection);

extern const wn_param wn_auto_params[], wn_lineblock_params[], wn_bte_params[], wn_xpath_params[],
    wn_outlier_params[], wn_eifce_params[], wn_kfe_params[];

#endif
