#include "cli/plot.h"

#include <sys/stat.h>
#include <unistd.h>

#include "io/message.h"
#include "io/output.h"

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && wn_str_eq_nocase(wn_str_of(text + size - end_size), wn_str_of(end));
}

/* ---- A picture as the output ------------------------------------------------------------- */

size_t wn_cli_format_of(const char *path, wn_name_list names, size_t piped)
{
    if (!path || strcmp(path, "-") == 0)
        return piped;
    const char *dot = strrchr(path, '.');
    wn_str end = wn_str_of(dot ? dot + 1 : "");
    if (wn_str_eq_nocase(end, WN_STR("htm")))
        end = WN_STR("html");
    size_t format = 0;
    while (names(NULL, format) && !wn_str_eq_nocase(end, wn_str_of(names(NULL, format))))
        format++;
    return format;
}

/* Reads digits up to `end`; 0 if there is anything else, or more than `most`. */
static unsigned read_side(const char *text, const char *end, unsigned most)
{
    unsigned side = 0;
    for (; text < end; text++) {
        side = side * 10 + (unsigned)(*text - '0');
        if (!wn_is_ascii_digit(*text) || side > most)
            return 0;
    }
    return side;
}

bool wn_cli_size(const char *text, unsigned least, unsigned most, unsigned *width, unsigned *height)
{
    const char *x = text + strcspn(text, "xX");
    *width = read_side(text, x, most);
    *height = *x ? read_side(x + 1, x + strlen(x), most) : 0;
    return *width >= least && *height >= least;
}

/* Says what is missing for drawing, if anything is; WN_GO_ON or an exit code. */
static int check_libraries(const char *otherwise)
{
    wn_buf error = {0};
    bool possible = wn_draw_picture_possible(&error);
    if (!possible) {
        wn_buf_add_format(&error, "; %s", otherwise);
        wn_io_say(&error);
    }
    wn_buf_free(&error);
    return possible ? WN_GO_ON : WN_EXIT_FAILED;
}

int wn_cli_picture_check(const wn_command *command, wn_picture_format format, const char *output,
                         const char *otherwise)
{
    bool bytes = format == WN_PICTURE_PNG || format == WN_PICTURE_PDF;
    if (bytes && (!output || strcmp(output, "-") == 0) && isatty(STDOUT_FILENO))
        return wn_cli_wrong_usage(command, "a picture cannot be written to a terminal; see "
                                           "--output");
    return check_libraries(otherwise);
}

/* ---- A plot beside the output ------------------------------------------------------------ */

/* Says what is wrong with the name of a file, if anything is; WN_GO_ON or an exit code. */
static int check_file(const char *path, bool overwrite)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return WN_GO_ON; /* whoever reads from a pipe would take the trial for all there is */
    wn_io_output trial;
    bool writable = wn_io_output_open(&trial, path, overwrite);
    if (!writable)
        wn_io_say(&trial.error);
    wn_io_output_free(&trial);
    return writable ? WN_GO_ON : WN_EXIT_USAGE;
}

int wn_cli_plot_check(const wn_command *command, const char *path, bool overwrite)
{
    if (!path)
        return WN_GO_ON;
    bool svg = ends_with(path, ".svg");
    if (!svg && !ends_with(path, ".png") && !ends_with(path, ".pdf"))
        return wn_cli_wrong_usage(command, "the name of a plot must end in .svg, .png or .pdf");
    int code = svg ? WN_GO_ON : check_libraries("a plot as .svg needs neither");
    return code == WN_GO_ON ? check_file(path, overwrite) : code;
}

bool wn_cli_plot_draw(const char *path, const wn_sheet *sheet, wn_buf *out)
{
    wn_picture_format format = ends_with(path, ".png")   ? WN_PICTURE_PNG
                               : ends_with(path, ".pdf") ? WN_PICTURE_PDF
                                                         : WN_PICTURE_SVG;
    wn_buf error = {0};
    bool drawn = wn_draw_sheet_write(sheet, format, out, &error);
    if (!drawn)
        wn_io_say(&error);
    wn_buf_free(&error);
    return drawn;
}

bool wn_cli_plot_write(const char *path, bool overwrite, const wn_sheet *sheet)
{
    wn_buf picture = {0};
    wn_io_output output = {0};
    bool drawn = wn_cli_plot_draw(path, sheet, &picture);
    bool written = drawn && wn_io_output_open(&output, path, overwrite);
    if (written) {
        wn_io_output_add(&output, wn_buf_str(&picture));
        written = wn_io_output_finish(&output);
    }
    if (drawn && !written)
        wn_io_say(&output.error);
    if (drawn)
        wn_io_output_free(&output);
    wn_buf_free(&picture);
    return written;
}
