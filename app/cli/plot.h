/*
 * Pictures that commands draw: their names and sizes, and whether they can be drawn.
 */
#ifndef WN_CLI_PLOT_H
#define WN_CLI_PLOT_H

#include "cli/options.h"
#include "draw/sheet.h"

/* ---- A picture as the output ------------------------------------------------------------- */

/*
 * The format that the end of a file's name stands for: its place among `names`, of which ".htm"
 * means "html", or their number if it is not one of them. Standard output has the format `piped`.
 */
size_t wn_cli_format_of(const char *path, wn_name_list names, size_t piped);

/* Reads "800x600"; false if it is no such thing or a side is not between `least` and `most`. */
bool wn_cli_size(const char *text, unsigned least, unsigned most, unsigned *width,
                 unsigned *height);

/*
 * Whether a picture of that format can be drawn, and `output` takes it; `otherwise` says what
 * can be had without the libraries that are missing. WN_GO_ON or an exit code.
 */
int wn_cli_picture_check(const wn_command *command, wn_picture_format format, const char *output,
                         const char *otherwise);

/* ---- A plot beside the output: --plot FILE ----------------------------------------------- */

/*
 * Whether a picture of that name can be drawn and written, asked before the work so that nobody
 * waits for an error; NULL: none is wanted. WN_GO_ON or an exit code.
 */
int wn_cli_plot_check(const wn_command *command, const char *path, bool overwrite);

/* Draws the sheet in the form that the name asks for; false, and a message, if that fails. */
bool wn_cli_plot_draw(const char *path, const wn_sheet *sheet, wn_buf *out);

/* Draws the sheet into the file; false, and a message, when that does not work. */
bool wn_cli_plot_write(const char *path, bool overwrite, const wn_sheet *sheet);

#endif
