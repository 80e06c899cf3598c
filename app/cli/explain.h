/*
 * What `--explain` shows in text: every block of a page, and why it was kept or not.
 */
#ifndef WN_CLI_EXPLAIN_H
#define WN_CLI_EXPLAIN_H

#include "base/buf.h"
#include "winnow.h"

/* Appends a table with one line a block. `result` was made with options->explain. */
void wn_cli_write_explanation(wn_buf *out, const winnow_page *page, winnow_selection *content);

#endif
