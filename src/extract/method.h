/*
 * Methods: a page in, a selection out.
 *
 * A method is one file in this folder and one line in the table of method.c; `auto` has a folder
 * of its own (auto/). Most methods read a finished page. Those that need no tree read the page's
 * tokens themselves and fill the page on the way (page/stream.h); whoever reads the selection sees
 * no difference.
 *
 * What can be set of a method stands in its table of parameters, and users write
 * it behind its name: "lineblock:rule=all,distance=3".
 */
#ifndef WN_EXTRACT_METHOD_H
#define WN_EXTRACT_METHOD_H

#include "base/arena.h"
#include "page/page.h"
#include "page/request.h"
#include "page/selection.h"
#include "page/stream.h"

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
    void (*read)(wn_page_stream *stream, const wn_request *request, wn_arena *arena,
                 wn_selection *selection);

    const wn_param *params; /* ends with a NULL name; NULL: none */
    bool by_text;           /* `select` decides on page->texts */
    bool needs_layout;      /* it reads page->styles and page->boxes */
    bool reads_embedded;    /* of a page of which nothing is kept, its embedded data are read */
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
void wn_read_lineblock(wn_page_stream *stream, const wn_request *request, wn_arena *arena,
                       wn_selection *selection);
void wn_read_bte(wn_page_stream *stream, const wn_request *request, wn_arena *arena,
                 wn_selection *selection);

extern const wn_param wn_lineblock_params[], wn_bte_params[], wn_xpath_params[],
    wn_outlier_params[], wn_eifce_params[], wn_kfe_params[];

#endif
