#include "cli/plot.h"

#include "io/message.h"
#include "io/output.h"

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && wn_str_eq_nocase(wn_str_of(text + size - end_size), wn_str_of(end));
}

int wn_cli_plot_check(const wn_command *command, const char *path)
{
    if (!path || ends_with(path, ".svg"))
        return WN_GO_ON;
    if (!ends_with(path, ".png") && !ends_with(path, ".pdf"))
        return wn_wrong_usage(command, "the file of --plot must end in .svg, .png or .pdf");
    wn_buf error = {0};
    bool possible = wn_picture_possible(&error);
    if (!possible) {
        wn_buf_add_literal(&error, "; --plot FILE.svg needs neither");
        wn_say(&error);
    }
    wn_buf_free(&error);
    return possible ? WN_GO_ON : WN_EXIT_FAILED;
}

bool wn_cli_plot_write(const char *path, bool overwrite, const wn_sheet *sheet)
{
    wn_picture_format format = ends_with(path, ".png")   ? WN_PICTURE_PNG
                               : ends_with(path, ".pdf") ? WN_PICTURE_PDF
                                                         : WN_PICTURE_SVG;
    wn_buf picture = {0}, error = {0};
    wn_output output = {0};
    bool drawn = wn_sheet_write(sheet, format, &picture, &error);
    if (!drawn)
        wn_say(&error);
    bool written = drawn && wn_output_open(&output, path, overwrite);
    if (written) {
        wn_output_add(&output, wn_buf_str(&picture));
        written = wn_output_finish(&output);
    }
    if (drawn && !written)
        wn_say(&output.error);
    if (drawn)
        wn_output_free(&output);
    wn_buf_free(&picture);
    wn_buf_free(&error);
    return written;
}
