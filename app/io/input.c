#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    /* First guess for inputs that do not tell their size: pipes, devices. */
    UNKNOWN_SIZE = 64 * 1024,
    /* A buffer that one large page made longer than this is not kept for the small ones. */
    KEPT_CAPACITY = 16 * 1024 * 1024,
};

/* ---- The sequence of pages --------------------------------------------------------------- */

bool wn_is_url(const char *name)
{
    wn_str s = wn_str_of(name);
    return wn_str_starts_nocase(s, WN_STR("http://")) ||
           wn_str_starts_nocase(s, WN_STR("https://"));
}

static bool is_stdin(const char *name)
{
    return strcmp(name, "-") == 0;
}

static bool is_directory(const char *name)
{
    struct stat info;
    return !is_stdin(name) && !wn_is_url(name) && stat(name, &info) == 0 && S_ISDIR(info.st_mode);
}

bool wn_inputs_is_single(char **names)
{
    return !names[0] || (!names[1] && !is_directory(names[0]));
}

void wn_inputs_open(wn_inputs *inputs, char **names)
{
    static char standard_input[] = "-";
    static char *none[] = {standard_input, NULL};
    *inputs = (wn_inputs){.names = names[0] ? names : none};
    while (inputs->names[inputs->count])
        inputs->count++;
}

void wn_inputs_free(wn_inputs *inputs)
{
    wn_walk_free(&inputs->walk);
}

void wn_item_free(wn_item *item)
{
    wn_buf_free(&item->memory);
}

static void set_item(wn_item *item, wn_item_kind kind, const char *error)
{
    item->kind = kind;
    item->id = wn_buf_c_string(&item->memory);
    item->error = error;
}

static void set_named_item(wn_item *item, wn_item_kind kind, const char *name, const char *error)
{
    wn_buf_clear(&item->memory);
    wn_buf_add_literal(&item->memory, name);
    set_item(item, kind, error);
}

/* The next item of the directory that is being walked; false at its end. */
static bool walk_on(wn_inputs *inputs, wn_item *item)
{
    switch (wn_walk_next(&inputs->walk, &item->memory)) {
    case WN_WALK_PAGE:
        set_item(item, WN_ITEM_WALKED, NULL);
        return true;
    case WN_WALK_ERROR:
        inputs->walking = inputs->walk.frames.count > 0;
        set_item(item, WN_ITEM_UNREADABLE, strerror(errno));
        return true;
    case WN_WALK_END:
        break;
    }
    inputs->walking = false;
    if (inputs->walk.found > 0)
        return false;
    set_named_item(item, WN_ITEM_NO_PAGES, inputs->names[inputs->next - 1], "no pages found");
    return true;
}

bool wn_inputs_next(wn_inputs *inputs, wn_item *item)
{
    for (;;) {
        if (inputs->walking && walk_on(inputs, item))
            return true;
        if (inputs->walking)
            continue;
        if (inputs->next == inputs->count)
            return false;
        const char *name = inputs->names[inputs->next++];
        if (is_directory(name)) {
            wn_walk_begin(&inputs->walk, name);
            inputs->walking = true;
            continue;
        }
        wn_item_kind kind = is_stdin(name) ? WN_ITEM_STDIN : WN_ITEM_FILE;
        set_named_item(item, wn_is_url(name) ? WN_ITEM_URL : kind, name, NULL);
        return true;
    }
}

uint64_t wn_inputs_ahead(const wn_inputs *inputs, bool *exact)
{
    *exact = true;
    uint64_t ahead = wn_walk_ahead(&inputs->walk, exact);
    for (size_t i = inputs->next; i < inputs->count && *exact; i++) {
        ahead++;
        *exact = !is_directory(inputs->names[i]);
    }
    return ahead;
}

/* ---- The bytes of a page ----------------------------------------------------------------- */

void wn_loader_init(wn_loader *loader, const wn_http_settings *settings)
{
    *loader = (wn_loader){.settings = *settings};
}

void wn_loader_free(wn_loader *loader)
{
    wn_http_free(loader->http);
    wn_buf_free(&loader->bytes);
    wn_buf_free(&loader->error);
}

static wn_loaded failed(wn_loader *loader, const char *reason)
{
    wn_buf_clear(&loader->error);
    wn_buf_add_literal(&loader->error, reason);
    return (wn_loaded){.bytes = WN_STR(""), .error = wn_buf_c_string(&loader->error)};
}

/* Reads `fd` to its end, or one byte past the limit; 0 or an error number. */
static int read_to_end(int fd, wn_buf *bytes, size_t expected, uint64_t max_bytes)
{
    size_t most = (size_t)max_bytes + 1;
    if (expected > most)
        expected = most;
    while (bytes->len < most) {
        if (bytes->len == bytes->cap || bytes->cap < expected) {
            size_t more = bytes->len < expected ? expected - bytes->len : UNKNOWN_SIZE;
            if (!wn_buf_reserve(bytes, more))
                return ENOMEM;
        }
        size_t room = bytes->cap - bytes->len;
        if (room > most - bytes->len)
            room = most - bytes->len;
        ssize_t got = read(fd, bytes->ptr + bytes->len, room);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            return 0;
        bytes->len += (size_t)got;
    }
    return 0;
}

static wn_loaded load_descriptor(wn_loader *loader, int fd, size_t expected)
{
    int error = read_to_end(fd, &loader->bytes, expected, loader->settings.max_bytes);
    if (error)
        return failed(loader, strerror(error));
    return (wn_loaded){.bytes = wn_buf_str(&loader->bytes)};
}

/*
 * A file from a walk is opened without waiting, because it may have become a pipe
 * since its directory was read; one that the user named may well be a pipe.
 */
static wn_loaded load_file(wn_loader *loader, const char *path, bool walked)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (walked ? O_NONBLOCK : 0));
    if (fd < 0)
        return failed(loader, strerror(errno));
    struct stat info;
    wn_loaded loaded;
    if (fstat(fd, &info) != 0)
        loaded = failed(loader, strerror(errno));
    else if (walked && !S_ISREG(info.st_mode))
        loaded = failed(loader, "it is no longer a regular file");
    else
        loaded = load_descriptor(loader, fd,
                                 S_ISREG(info.st_mode) ? (size_t)info.st_size + 1 : UNKNOWN_SIZE);
    close(fd);
    return loaded;
}

static wn_loaded load_url(wn_loader *loader, const char *url)
{
    if (!loader->http)
        loader->http = wn_http_new(&loader->settings);
    if (!loader->http)
        return failed(loader, strerror(ENOMEM));
    wn_http_reply reply = wn_http_get(loader->http, url, &loader->bytes);
    return (wn_loaded){
        .bytes = wn_buf_str(&loader->bytes),
        .url = reply.url,
        .charset = reply.charset,
        .error = reply.error,
        .not_html = reply.not_html,
    };
}

wn_loaded wn_loader_load(wn_loader *loader, const wn_item *item)
{
    if (loader->bytes.cap > KEPT_CAPACITY)
        wn_buf_free(&loader->bytes);
    wn_buf_clear(&loader->bytes);
    switch (item->kind) {
    case WN_ITEM_STDIN:
        return load_descriptor(loader, STDIN_FILENO, UNKNOWN_SIZE);
    case WN_ITEM_URL:
        return load_url(loader, item->id);
    case WN_ITEM_UNREADABLE:
    case WN_ITEM_NO_PAGES:
        return failed(loader, item->error);
    case WN_ITEM_FILE:
    case WN_ITEM_WALKED:
        break;
    }
    return load_file(loader, item->id, item->kind == WN_ITEM_WALKED);
}
