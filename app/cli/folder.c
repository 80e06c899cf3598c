#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syncfs */
#endif
#include "cli/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/url.h"
#include "base/utf8.h"

enum {
    MAX_NAME = 150, /* bytes; with a number and an ending it stays below the 255 of file systems */
    /*
     * Little is done twice after an interruption, and making files safe takes little of the time.
     */
    CHECKPOINT_FILES = 2000,
    CHECKPOINT_BYTES = 32 << 20,
};

static const char INDEX[] = "index.jsonl";
static const char TEMPORARY[] = ".winnow-page.tmp";

/* ---- Names ------------------------------------------------------------------------------- */

/*
 * Beyond ASCII: letters and marks of all scripts, but no spaces, controls or what cannot be seen.
 */
static bool is_safe_beyond_ascii(uint32_t c)
{
    return c > 0xA0 && c != 0xAD && !(c >= 0x2000 && c <= 0x206F) && c != 0x3000 &&
           !(c >= 0xE000 && c <= 0xF8FF) && !(c >= 0xFE00 && c <= 0xFE0F) &&
           !(c >= 0xFEFF && c <= 0xFFFF) && c < 0xE0000;
}

static bool is_safe(uint32_t c)
{
    if (c >= 0x80)
        return is_safe_beyond_ascii(c);
    return wn_is_ascii_alnum((char)c) || c == '-' || c == '.' || c == '_';
}

/* Adds `text` with one "_" for each run of characters that are not safe; none at its ends. */
static void add_safe(wn_buf *out, wn_str text)
{
    wn_buf repaired = {0};
    wn_utf8_add_repaired(&repaired, text);
    const char *p = repaired.ptr, *end = p + repaired.len;
    bool due = false;
    while (p < end && !repaired.failed) {
        const char *start = p;
        uint32_t c = wn_utf8_next(&p);
        bool leading = out->len == 0 &&
                       (c == '.' || c == '-' || c == '_'); /* hidden, or an option */
        if (leading || !is_safe(c)) {
            due = out->len > 0;
            continue;
        }
        if (due)
            wn_buf_add_char(out, '_');
        due = false;
        wn_buf_add(out, wn_str_between(start, p));
    }
    out->failed = out->failed || repaired.failed;
    wn_buf_free(&repaired);
}

/* Without the endings that pages have: the file gets its own. */
static wn_str without_ending(wn_str name)
{
    static const wn_str endings[] = {WN_STR(".gz"),   WN_STR(".zst"),  WN_STR(".lz4"),
                                     WN_STR(".html"), WN_STR(".htm"),  WN_STR(".xhtml"),
                                     WN_STR(".xht"),  WN_STR(".shtml")};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (name.len > endings[i].len && wn_str_has_ending(name, endings[i]))
            name.len -= endings[i].len;
    return name;
}

/* Host, path and query of an address, readable. */
static void add_of_url(wn_buf *name, const char *url)
{
    wn_buf bare = {0}, decoded = {0};
    wn_url_add_without_credentials(&bare, wn_str_of(url));
    const char *start = strstr(wn_buf_c_string(&bare), "://");
    wn_str rest = wn_str_of(start ? start + strlen("://") : wn_buf_c_string(&bare));
    size_t fragment = wn_str_find(rest, WN_STR("#"));
    if (fragment < rest.len)
        rest.len = fragment;
    wn_url_decode(&decoded, rest);
    add_safe(name, without_ending(wn_buf_str(&decoded)));
    name->failed = name->failed || bare.failed || decoded.failed;
    wn_buf_free(&bare);
    wn_buf_free(&decoded);
}

/* Of a file below a directory of the command line the way there; else the last part of its path. */
static void add_of_id(wn_buf *name, const char *id, const char *input)
{
    size_t length = input ? strlen(input) : 0;
    if (length > 0 && strncmp(id, input, length) == 0 &&
        (id[length] == '/' || (id[length] && id[length - 1] == '/'))) {
        id += length;
    } else {
        const char *slash = strrchr(id, '/');
        id = slash ? slash + 1 : id;
    }
    add_safe(name, without_ending(wn_str_of(id)));
}

void wn_cli_folder_add_name(wn_buf *name, const char *url, const char *id, const char *input)
{
    if (url)
        add_of_url(name, url);
    else
        add_of_id(name, strcmp(id, "-") == 0 ? "page" : id, input);
    name->len = wn_utf8_prefix(wn_buf_str(name), MAX_NAME).len;
    while (name->len > 0 && (name->ptr[name->len - 1] == '.' || name->ptr[name->len - 1] == '_'))
        name->len--;
    if (name->len == 0)
        wn_buf_add_literal(name, "page");
}

/* Takes a name; false if it is taken, or out of memory. */
static bool take_name(wn_cli_folder *folder, wn_str name, uint32_t *place)
{
    wn_buf lower = {0};
    for (size_t i = 0; i < name.len; i++)
        wn_buf_add_char(&lower, wn_ascii_lower(name.ptr[i]));
    uint32_t before = folder->used.keys.count;
    *place = lower.failed ? WN_MAP_NONE
                          : wn_map_add(&folder->used, wn_buf_str(&lower), &folder->names);
    wn_buf_free(&lower);
    bool is_new = folder->used.keys.count > before;
    if (is_new) {
        uint32_t *number = wn_array_push(&folder->number);
        if (!number)
            folder->used.failed = true;
        else
            *number = 1;
    }
    return is_new && !folder->used.failed;
}

/* Makes `name` a file's name that no other page has. */
static bool complete_name(wn_cli_folder *folder, wn_buf *name)
{
    size_t length = name->len;
    uint32_t first, place;
    wn_buf_add_literal(name, folder->ending);
    if (take_name(folder, wn_buf_str(name), &first))
        return !name->failed;
    while (first != WN_MAP_NONE && !folder->used.failed && !name->failed) {
        name->len = length;
        wn_buf_add_format(name, "-%u%s", ++folder->number.items[first], folder->ending);
        if (take_name(folder, wn_buf_str(name), &place))
            return !name->failed;
    }
    return false;
}

/* ---- The directory ----------------------------------------------------------------------- */

bool wn_cli_folder_is_meant(const char *output)
{
    struct stat info;
    size_t length = output ? strlen(output) : 0;
    return length > 0 &&
           (output[length - 1] == '/' || (stat(output, &info) == 0 && S_ISDIR(info.st_mode)));
}

/* Whether nothing is in it but what an interrupted run left of its index. */
static bool is_empty(int fd)
{
    int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy >= 0 ? fdopendir(copy) : NULL;
    if (!entries) {
        if (copy >= 0)
            close(copy);
        return false;
    }
    bool empty = true;
    const struct dirent *entry;
    while (empty && (entry = readdir(entries)) != NULL) {
        bool part = strncmp(entry->d_name, INDEX, strlen(INDEX)) == 0 &&
                    entry->d_name[strlen(INDEX)];
        empty = part || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                strcmp(entry->d_name, TEMPORARY) == 0;
    }
    closedir(entries);
    return empty;
}

const char *wn_cli_folder_open(wn_cli_folder *folder, const char *path, const char *ending,
                               bool overwrite)
{
    uint32_t place;
    *folder = (wn_cli_folder){.fd = -1, .ending = ending, .replaces = overwrite};
    wn_arena_init(&folder->names, 0);
    wn_buf_add_literal(&folder->path, path);
    if (folder->path.len > 0 && folder->path.ptr[folder->path.len - 1] != '/')
        wn_buf_add_char(&folder->path, '/');
    wn_buf_add(&folder->index, wn_buf_str(&folder->path));
    wn_buf_add_literal(&folder->index, INDEX);
    if (folder->path.failed || folder->index.failed)
        return strerror(ENOMEM); /* half a name is that of another file */
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return strerror(errno);
    folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0)
        return strerror(errno);
    folder->was_empty = is_empty(folder->fd);
    if (!take_name(folder, wn_str_of(INDEX), &place))
        return strerror(ENOMEM);
    return NULL;
}

/* ---- An earlier run ---------------------------------------------------------------------- */

bool wn_cli_folder_was_begun(const wn_cli_folder *folder)
{
    wn_buf marker = {0};
    wn_buf_add_format(&marker, "%s.part.done", INDEX);
    bool begun = faccessat(folder->fd, wn_buf_c_string(&marker), F_OK, 0) == 0;
    wn_buf_free(&marker);
    return begun;
}

/* Takes the name of the file that a line of the index tells of. */
static void take_line(wn_cli_folder *folder, wn_str line, wn_arena *arena)
{
    wn_json json = {0};
    uint32_t place;
    wn_arena_reset(arena);
    if (wn_json_parse(&json, arena, line, 0, 0)) {
        wn_str name = wn_json_text(&json, wn_json_get(&json, WN_JSON_ROOT, "file"));
        if (name.len > 0)
            take_name(folder, name, &place);
    }
    wn_json_free(&json);
}

const char *wn_cli_folder_resume(wn_cli_folder *folder, const char *index, uint64_t bytes)
{
    FILE *file = fopen(index, "rb");
    if (!file)
        return strerror(errno);
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    wn_arena arena;
    wn_arena_init(&arena, 0);
    for (uint64_t at = 0; at < bytes && (length = getline(&line, &room, file)) > 0;
         at += (uint64_t)length)
        take_line(folder, wn_str_from(line, (size_t)length), &arena);
    wn_arena_free(&arena);
    free(line);
    fclose(file);
    /* Pages after the last checkpoint may be there. */
    folder->replaces = folder->began = true;
    return folder->used.failed ? strerror(ENOMEM) : NULL;
}

void wn_cli_folder_restart(wn_cli_folder *folder)
{
    uint32_t place;
    wn_map_clear(&folder->used);
    folder->number.count = 0;
    take_name(folder, wn_str_of(INDEX), &place);
}

/* ---- Files ------------------------------------------------------------------------------- */

static bool write_all(int fd, wn_str rest)
{
    while (rest.len > 0) {
        ssize_t written = write(fd, rest.ptr, rest.len);
        if (written < 0 && errno != EINTR)
            return false;
        rest = wn_str_from_offset(rest, written > 0 ? (size_t)written : 0);
    }
    return true;
}

/* Gives a complete file its name. */
static bool move_into_place(const wn_cli_folder *folder, const char *name)
{
    if (folder->replaces)
        return renameat(folder->fd, TEMPORARY, folder->fd, name) == 0;
    if (linkat(folder->fd, TEMPORARY, folder->fd, name, 0) == 0)
        return unlinkat(folder->fd, TEMPORARY, 0) == 0;
    /* Some file systems have no links. */
    struct stat info;
    bool taken = errno == EEXIST || fstatat(folder->fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
    if (taken)
        errno = EEXIST;
    return !taken && renameat(folder->fd, TEMPORARY, folder->fd, name) == 0;
}

static bool write_file(const wn_cli_folder *folder, const char *name, wn_str bytes)
{
    unlinkat(folder->fd, TEMPORARY, 0); /* of a run that was killed */
    int fd = openat(folder->fd, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                    0666);
    if (fd < 0)
        return false;
    bool well = write_all(fd, bytes);
    int error = errno;
    if (close(fd) != 0 && well) {
        error = errno;
        well = false;
    }
    if (well && move_into_place(folder, name))
        return true;
    error = well ? errno : error;
    unlinkat(folder->fd, TEMPORARY, 0);
    errno = error;
    return false;
}

/* An interruption waits until the file has its name, which takes no time that anybody notices. */
const char *wn_cli_folder_write(wn_cli_folder *folder, wn_buf *name, wn_str bytes)
{
    sigset_t all, old;
    if (!complete_name(folder, name))
        return strerror(ENOMEM);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    bool well = write_file(folder, wn_buf_c_string(name), bytes);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    folder->files++;
    folder->bytes += bytes.len;
    return well ? NULL : strerror(error);
}

/*
 * The first page has a checkpoint too: without one, its file would be in the way of a second try.
 */
bool wn_cli_folder_checkpoint_due(wn_cli_folder *folder)
{
    bool due = (!folder->began && folder->files > 0) || folder->files >= CHECKPOINT_FILES ||
               folder->bytes >= CHECKPOINT_BYTES;
    if (!due)
        return false;
#ifdef __linux__
    syncfs(folder->fd);
#else
    sync();
#endif
    folder->files = folder->bytes = 0;
    folder->began = true;
    return true;
}

void wn_cli_folder_free(wn_cli_folder *folder)
{
    if (folder->fd >= 0)
        close(folder->fd);
    wn_buf_free(&folder->path);
    wn_buf_free(&folder->index);
    wn_map_free(&folder->used);
    wn_array_free(&folder->number);
    wn_arena_free(&folder->names);
}
