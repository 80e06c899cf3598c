#include "cli/styles.h"

#include <sys/stat.h>

#include "io/message.h"

static void say_unreadable(const char *what, const char *path, const char *reason)
{
    wn_buf message = {0};
    wn_buf_add_format(&message, "cannot read the %s ", what);
    wn_add_quoted(&message, path);
    wn_buf_add_literal(&message, ": ");
    wn_add_printable(&message, wn_str_of(reason));
    wn_io_say(&message);
    wn_buf_free(&message);
}

static bool check_root(const char *root)
{
    struct stat info;
    if (!root || (stat(root, &info) == 0 && S_ISDIR(info.st_mode)))
        return true;
    say_unreadable("folder of style sheets", root, "no such directory");
    return false;
}

bool wn_cli_read_styles(const wn_style_settings *s, wn_style_files *files)
{
    bool read = check_root(s->css_root);
    wn_buf error = {0};
    for (size_t i = 0; i < s->css.count && read; i++) {
        read = wn_io_sheet_read(s->css.items[i], &files->bytes[files->count++], &error);
        if (!read)
            say_unreadable("style sheet", s->css.items[i], wn_buf_c_string(&error));
    }
    wn_buf_free(&error);
    return read;
}

void wn_cli_free_styles(wn_style_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        wn_buf_free(&files->bytes[i]);
}
