/*
 * Methods: a page in, a selection out.
 *
 * A method is one file in this folder and one line in the table of method.c; `auto` has a folder
 * of its own (auto/). Most methods read a finished page. Those that need no tree read the page's
 * tokens themselves and fill the page on the way (page/stream.h); whoever reads the selection sees
 * no difference.
 *
 * The settings of a method are in its table of parameters, and users write them after its name:
 * "lineblock:rule=all,distance=3".
 */
#ifndef WN_EXTRACT_METHOD_H
#define WN_EXTRACT_METHOD_H

#include "base/arena.h"
#include "page/page.h"
#include "page/request.h"
#include "page/selection.h"
#include "page/stream.h"

typedef struct wn_method {
    winnow_method_info info; /* name, summary, parameters, what it needs */

    /*
     * Gives a verdict on every block. `selection` has room for all of them and
     * starts as "drop"; `arena` is the page's, for working memory.
     */
    void (*select)(const wn_page *page, const wn_request *request, wn_arena *arena,
                   wn_selection *selection);

    /* Or: reads the page from its tokens, then starts the selection and fills it. */
    void (*read)(wn_page_stream *stream, const wn_request *request, wn_arena *arena,
                 wn_selection *selection);

    bool by_text;        /* `select` decides on page->texts */
    bool reads_embedded; /* of a page of which nothing is kept, its embedded data are read */
} wn_method;

/* Method number `index`, in the order of --help; NULL past the end. */
const wn_method *wn_method_at(size_t index);

/* NULL for an unknown name. */
const wn_method *wn_method_find(wn_str name);

typedef enum wn_request_error {
    WN_REQUEST_OK,
    WN_UNKNOWN_METHOD,
    WN_UNKNOWN_PARAM,
    WN_BAD_VALUE,
    WN_TEXT_PARAM, /* a text, which cannot be part of "NAME:param=value" */
} wn_request_error;

/* What was wrong with a request; `word` is a slice of what was given. */
typedef struct wn_request_problem {
    const wn_method *method; /* NULL if unknown */
    const wn_param *param;   /* of a bad value */
    wn_str word;             /* the name or value that is wrong */
} wn_request_problem;

/*
 * Reads "NAME" or "NAME:param=value,param=value". `problem` may be NULL. The two steps of it are
 * wn_request_find(), which leaves the parameters in `text` and sets the defaults, and
 * wn_request_read(), so that others can set parameters in between.
 */
wn_request_error wn_request_parse(wn_request *request, wn_str text, wn_request_problem *problem);
wn_request_error wn_request_find(wn_request *request, wn_str *text, wn_request_problem *problem);
wn_request_error wn_request_read(wn_request *request, wn_str text, wn_request_problem *problem);

/* The number of a method's parameter of that name, -1 if it has none. */
int wn_method_param(const wn_method *method, wn_str name);

/* Reads the value of a parameter that is not a text; false if it is not allowed. */
bool wn_param_read(const wn_param *param, wn_str text, double *value);

/* Sets a parameter; `value` of a text parameter is borrowed and ends with a NUL. */
wn_request_error wn_request_set(wn_request *request, wn_str name, wn_str value,
                                wn_request_problem *problem);

void wn_extract_select_all(const wn_page *page, const wn_request *request, wn_arena *arena,
                           wn_selection *selection);
void wn_extract_select_outlier(const wn_page *page, const wn_request *request, wn_arena *arena,
                               wn_selection *selection);
void wn_extract_select_xpath(const wn_page *page, const wn_request *request, wn_arena *arena,
                             wn_selection *selection);
void wn_extract_select_eifce(const wn_page *page, const wn_request *request, wn_arena *arena,
                             wn_selection *selection);
void wn_extract_select_fe(const wn_page *page, const wn_request *request, wn_arena *arena,
                          wn_selection *selection);
void wn_extract_select_kfe(const wn_page *page, const wn_request *request, wn_arena *arena,
                           wn_selection *selection);
void wn_extract_read_lineblock(wn_page_stream *stream, const wn_request *request, wn_arena *arena,
                               wn_selection *selection);
void wn_extract_read_bte(wn_page_stream *stream, const wn_request *request, wn_arena *arena,
                         wn_selection *selection);

extern const wn_param *const wn_lineblock_params[],
    *const wn_bte_params[], *const wn_xpath_params[], *const wn_outlier_params[],
                                                          *const wn_eifce_params[],
                                                              *const wn_fe_params[],
                                                                  *const wn_kfe_params[];

#endif
