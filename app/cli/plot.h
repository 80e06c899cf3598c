/*
 * Pictures that commands draw beside their output: --plot FILE.
 */
#ifndef WN_CLI_PLOT_H
#define WN_CLI_PLOT_H

#include "cli/options.h"
#include "draw/sheet.h"

/* Whether a picture of that name can be drawn; NULL: none is wanted. WN_GO_ON or an exit code. */
int wn_cli_plot_check(const wn_command *command, const char *path);

/* Draws the sheet into the file; false, and a message, when that does not work. */
bool wn_cli_plot_write(const char *path, bool overwrite, const wn_sheet *sheet);

#endif
