/*
 * What `--explain` shows in text: every block of a page, and why it was kept or not.
 *
 * The short form is for people: the text of each block, then the reason in words. The full form is
 * a table with all numbers and the place of each block.
 *
 * Whatever comes from the page is shown so that a terminal does not obey it; the colours are ours.
 */
#ifndef WN_CLI_EXPLAIN_H
#define WN_CLI_EXPLAIN_H

#include "base/buf.h"
#include "winnow.h"

typedef enum wn_cli_explanation {
    WN_CLI_EXPLAIN_NOT,
    WN_CLI_EXPLAIN_SHORT,
    WN_CLI_EXPLAIN_FULL,
} wn_cli_explanation;

/* What --explain= takes, as a wn_name_list: "short", "full". */
const char *wn_cli_explanation_name(const void *list, size_t index);

/* Appends the explanation of a page. `content` was made with WINNOW_OPTION_EXPLAIN. */
void wn_cli_explain(wn_buf *out, const winnow_page *page, winnow_selection *content,
                    wn_cli_explanation form, bool colored);

#endif
