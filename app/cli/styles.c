#include "cli/styles.h"

#include <sys/stat.h>

#include "io/message.h"

enum { MAX_SHEET = 64 << 20 }; /* bytes of a sheet that the user names */

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

winnow_sheets *wn_cli_linked_styles(const wn_style_settings *s, const wn_web_settings *web)
{
    return winnow_sheets_new(&(winnow_sheets_settings){
        .struct_size = sizeof(winnow_sheets_settings),
        .fetch = s->fetch_css,
        .root = s->css_root,
        .inputs = wn_cli_job_inputs(web, 0),
    });
}

void wn_cli_add_missing_styles(wn_buf *message, const char *page, winnow_sheets *sheets)
{
    const char *problem = winnow_sheets_problem(sheets);
    if (!*problem)
        return;
    wn_add_quoted(message, page);
    wn_buf_add_format(message, ": %s", problem);
}

bool wn_cli_read_styles(const wn_style_settings *s, wn_style_files *files)
{
    winnow_inputs_settings limits = {.struct_size = sizeof limits, .max_bytes = MAX_SHEET};
    winnow_loader *loader = winnow_loader_new(&limits);
    bool read = check_root(s->css_root);
    for (size_t i = 0; i < s->css.count && read; i++) {
        const winnow_loaded *loaded = winnow_loader_load(loader, s->css.items[i]);
        read = !loaded->error;
        if (read)
            wn_buf_add(&files->bytes[files->count++], wn_str_from(loaded->bytes, loaded->size));
        else
            say_unreadable("style sheet", s->css.items[i], loaded->error);
    }
    winnow_loader_free(loader);
    return read;
}

void wn_cli_free_styles(wn_style_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        wn_buf_free(&files->bytes[i]);
}
