/*
 * The style sheets that a page links to.
 *
 * They come from disk if the page is a file, and from the web if requested (--fetch-css). Links are
 * untrusted, so:
 *
 *  - A page on disk gets the address beside:///PATH, with the path below its root: the directory
 *    that was named if the page was found in one, else the page's own. Links are resolved against
 *    that address, which has nothing above its root, and a file counts only if it is really (after
 *    links of the file system) below that root, and a regular file. file: addresses lead nowhere.
 *  - A page that is not a file never reads one.
 *  - From the web sheets come by the rules of http.h, within the time of one page for all sheets
 *    of a page, and only if the server says they are style sheets.
 *  - One sheet, and those of a page together, have a limit; what is longer is cut.
 *
 * Pages of a site share their sheets, so they are cached, up to a limit, for the following pages.
 */
#ifndef WN_IO_SHEETS_H
#define WN_IO_SHEETS_H

#include "css/sheet_source.h"
#include "io/input.h"
#include "winnow-io.h"

/* A sheet that was asked for; found or not. */
typedef struct wn_io_kept_sheet {
    wn_buf key;   /* its real path or its address */
    wn_buf bytes; /* empty if it was not found */
    wn_buf url;   /* where it came from in the end; empty: where it was asked for */
    wn_buf charset;
    bool found;
} wn_io_kept_sheet;

struct winnow_sheets {
    winnow_loader loader;
    bool fetch;
    double seconds;   /* for the sheets of a page from the web */
    const char *wide; /* --css-root; or NULL */

    /* Of the page at hand. */
    wn_buf root; /* the real path of its root; empty: there is none */
    wn_buf base; /* its address; may be empty */
    double spent;
    uint64_t bytes;
    uint32_t asked, missing; /* from the web */
    wn_buf problem;          /* with the first that is missing */

    wn_array(wn_io_kept_sheet) kept;
    uint64_t kept_bytes;
    wn_buf sentence; /* of winnow_sheets_problem() */
};

/*
 * Begins a page: an item of `names`, at the address `url` as far as that is known (else NULL).
 * False if it has no sheets but its own; else wn_io_sheets_load() can be used, and sheets->base has
 * its address.
 */
bool wn_io_sheets_begin(winnow_sheets *sheets, const winnow_input *input, const char *const *names,
                        const char *url);

/* Gives a sheet, a wn_css_load. What it points to lives until the next page begins. */
bool wn_io_sheets_load(void *sheets, wn_str url, wn_css_sheet *sheet);

#endif
