#include "cli/sandbox.h"

#include <stdlib.h>
#include <string.h>

#include "io/message.h"
#include "io/sandbox.h"

static void add_name(wn_buf *names, const char *name, size_t length)
{
    wn_buf_add(names, wn_str_from(name, length));
    wn_buf_add_char(names, '\0');
}

/* The folder a file is in; "." if its name does not tell. */
static void add_folder_of(wn_buf *names, const char *name)
{
    const char *slash = strrchr(name, '/');
    if (!slash)
        add_name(names, ".", 1);
    else
        add_name(names, name, slash > name ? (size_t)(slash - name) : 1);
}

static bool is_file(const char *name)
{
    return name && strcmp(name, "-") != 0;
}

void wn_cli_sandbox_read(wn_cli_sandbox *box, const char *name)
{
    if (is_file(name) && strstr(name, "://"))
        box->connects = true;
    else if (is_file(name))
        add_name(&box->readable, name, strlen(name));
}

void wn_cli_sandbox_read_all(wn_cli_sandbox *box, char **names, bool around)
{
    for (; *names; names++) {
        wn_cli_sandbox_read(box, *names);
        if (around && is_file(*names) && !strstr(*names, "://"))
            add_folder_of(&box->readable, *names);
    }
}

void wn_cli_sandbox_write(wn_cli_sandbox *box, const char *name)
{
    if (is_file(name))
        add_folder_of(&box->writable, name);
}

/* The names as a list that ends with NULL; NULL if out of memory. */
static const char **list_names(const wn_buf *names)
{
    size_t count = 0;
    for (size_t i = 0; i < names->len; i++)
        count += names->ptr[i] == '\0';
    const char **list = names->failed ? NULL : calloc(count + 1, sizeof *list);
    const char *next = names->ptr;
    for (size_t i = 0; list && i < count; i++) {
        list[i] = next;
        next += strlen(next) + 1;
    }
    return list;
}

static int enter(const wn_cli_sandbox *box, const char *const *readable,
                 const char *const *writable)
{
    wn_io_sandbox sandbox = {
        .readable = readable,
        .writable = writable,
        .connects = box->connects,
    };
    if (!readable || !writable) {
        wn_io_sayf("cannot enter the sandbox: out of memory");
        return WN_EXIT_FAILED;
    }
    unsigned holds = wn_io_sandbox_enter(&sandbox);
    if (holds == WN_IO_SANDBOX_ALL)
        return WN_GO_ON;
    wn_io_sayf(
        "cannot enter the sandbox: this system has no %s; --sandbox needs Linux 5.13 or later",
        wn_io_sandbox_missing(holds));
    return WN_EXIT_FAILED;
}

int wn_cli_sandbox_enter(wn_cli_sandbox *box, bool wanted)
{
    int code = WN_GO_ON;
    if (wanted) {
        const char **readable = list_names(&box->readable);
        const char **writable = list_names(&box->writable);
        code = enter(box, readable, writable);
        free(readable);
        free(writable);
    }
    wn_buf_free(&box->readable);
    wn_buf_free(&box->writable);
    return code;
}

/* ---- By default -------------------------------------------------------------------------- */

int wn_cli_sandbox_files(char **inputs, const char *output, bool wanted)
{
    wn_cli_sandbox box = {0};
    wn_cli_sandbox_read_all(&box, inputs, false);
    wn_cli_sandbox_write(&box, output);
    return wn_cli_sandbox_enter(&box, wanted);
}

wn_serve_boxing wn_cli_boxing(bool sandbox, bool no_sandbox)
{
    return no_sandbox ? WN_SERVE_BOX_NOT
           : sandbox  ? WN_SERVE_BOX_OR_FAIL
                      : WN_SERVE_BOX_IF_POSSIBLE;
}

int wn_cli_boxing_check(const wn_command *command, bool sandbox, bool no_sandbox)
{
    if (sandbox && no_sandbox)
        return wn_cli_wrong_usage(command, "--sandbox and --no-sandbox exclude each other");
    return WN_GO_ON;
}

void wn_cli_boxing_say(const char *missing)
{
    if (missing)
        wn_io_sayf("the sandbox is not complete, as this system has no %s; --no-sandbox goes "
                   "without",
                   missing);
}
