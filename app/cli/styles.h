/*
 * The style sheets of an extraction or a segmentation, as they are given on the command line.
 */
#ifndef WN_CLI_STYLES_H
#define WN_CLI_STYLES_H

#include "cli/options.h"
#include "cli/job.h"
#include "winnow-io.h"

typedef struct wn_style_settings {
    wn_option_list css; /* names of files */
    bool fetch_css;
    const char *css_root;
} wn_style_settings;

/* Rows of a table of options; the member is called `styles`. */
#define WN_STYLE_OPTIONS                                                                           \
    WN_VALUE(LIST, "css", 0, "FILE", styles.css,                                                   \
             "a style sheet in addition to those of the page; can be repeated"),                   \
        WN_FLAG("fetch-css", 0, styles.fetch_css,                                                  \
                "fetch the style sheets that pages link to; else only those on disk next to a "    \
                "page are read"),                                                                  \
        WN_VALUE(TEXT, "css-root", 0, "DIR", styles.css_root,                                      \
                 "the folder that linked style sheets on disk must be in, and where /PATH "        \
                 "begins (default: INPUT if it is a directory, else the folder of the page)")

/* The bytes of the sheets of --css. */
typedef struct wn_style_files {
    wn_buf bytes[WN_OPTION_LIST_MAX];
    size_t count;
} wn_style_files;

/* The sheets that pages link to; NULL if out of memory. */
winnow_sheets *wn_cli_linked_styles(const wn_style_settings *settings, const wn_web_settings *web);

/* Adds which sheets of a page could not be fetched: nothing if all could be. */
void wn_cli_add_missing_styles(wn_buf *message, const char *page, winnow_sheets *sheets);

/* Reads them; false, after a message, if that is not possible. Free them in any case. */
bool wn_cli_read_styles(const wn_style_settings *settings, wn_style_files *files);
void wn_cli_free_styles(wn_style_files *files);

#endif
