#include "serve/sandbox.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/sandbox.h"

enum { OWN_NAMES = 16 }; /* besides those of --allow */

/* Names that end with NULL, and the memory of those that are made here. */
typedef struct rights {
    const char *readable[WN_SERVE_MAX_NAMES + OWN_NAMES];
    const char *writable[OWN_NAMES], *logged[OWN_NAMES];
    size_t readable_count, writable_count, logged_count;
    wn_buf made[OWN_NAMES];
    size_t made_count;
} rights;

/* A name of two parts, which lives as long as the rights; NULL if out of memory. */
static const char *make_name(rights *r, wn_str first, const char *second)
{
    wn_buf *name = &r->made[r->made_count++];
    wn_buf_add(name, first);
    wn_buf_add_literal(name, second);
    const char *made = wn_buf_c_string(name);
    return name->failed ? NULL : made;
}

/* The folder a file is in. */
static const char *folder_of(rights *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    wn_str folder = wn_str_between(path, slash ? slash : path);
    return make_name(r, folder, !slash ? "." : slash == path ? "/" : "");
}

/* ---- The store --------------------------------------------------------------------------- */

/* Whether a folder has nothing but the store and the files of SQLite that begin with its name. */
static bool is_alone(const char *folder, const char *path)
{
    const char *slash = strrchr(path, '/'), *own = slash ? slash + 1 : path;
    DIR *list = opendir(folder);
    bool alone = list != NULL;
    for (const struct dirent *entry; alone && (entry = readdir(list));)
        alone = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                strncmp(entry->d_name, own, strlen(own)) == 0;
    if (list)
        closedir(list);
    return alone;
}

/* What libpq reads of the user: the name, passwords, certificates. */
static void allow_remote_store(rights *r)
{
    static const char *const own[] = {"/.pgpass", "/.postgresql", "/.pg_service.conf"};
    static const char *const named[] = {"PGPASSFILE", "PGSERVICEFILE", "PGSSLROOTCERT"};
    const char *home = getenv("HOME");
    r->readable[r->readable_count++] = "/etc/passwd";
    for (size_t i = 0; home && i < sizeof own / sizeof *own; i++)
        r->readable[r->readable_count++] = make_name(r, wn_str_of(home), own[i]);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const char *path = getenv(named[i]);
        if (path && path[0])
            r->readable[r->readable_count++] = path;
    }
}

/*
 * Opens the store once: one of an older winnow is brought up to date before the rights for that are
 * gone. A store that cannot be opened now is not the end; requests for it tell why.
 */
static void allow_store(rights *r, wn_serve_sandbox *sandbox, const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    const char *folder = folder_of(r, path);
    wn_buf error = {0};
    sandbox->store = wn_corpus_store_open(path, WN_STORE_READ, &error);
    wn_buf_free(&error);
    if (folder && is_alone(folder, path)) {
        r->writable[r->writable_count++] = folder;
        wn_serve_sandbox_free(sandbox);
        return;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        r->writable[r->writable_count++] = make_name(r, wn_str_of(path), endings[i]);
}

void wn_serve_sandbox_free(wn_serve_sandbox *sandbox)
{
    if (sandbox->store)
        wn_corpus_store_close(sandbox->store);
    sandbox->store = NULL;
}

/* The folder of the log, in which a new file is made when the old one was moved away. */
static void allow_log(rights *r, const char *path)
{
    struct stat about;
    bool rotates = stat(path, &about) != 0 || S_ISREG(about.st_mode); /* /dev/null does not */
    r->logged[r->logged_count++] = rotates ? folder_of(r, path) : path;
}

/* ---- All of it --------------------------------------------------------------------------- */

static void collect(rights *r, wn_serve_sandbox *sandbox, const wn_serve_settings *s)
{
    for (size_t i = 0; i < sandbox->folder_count; i++)
        r->readable[r->readable_count++] = sandbox->folders[i];
    if (s->store && wn_corpus_store_is_remote(s->store))
        allow_remote_store(r);
    else if (s->store)
        allow_store(r, sandbox, s->store);
    if (s->log)
        allow_log(r, s->log);
}

/* A name that could not be made ends its list early: less is allowed, never more. */
static unsigned enter(rights *r, wn_serve_sandbox *sandbox, const wn_serve_settings *s)
{
    collect(r, sandbox, s);
    return wn_io_sandbox_enter(&(wn_io_sandbox){
        .readable = r->readable,
        .writable = r->writable,
        .logged = r->logged,
        .connects = s->fetch || (s->store && wn_corpus_store_is_remote(s->store)),
        .accepts = sandbox->accepts,
    });
}

bool wn_serve_sandbox_enter(wn_serve_sandbox *sandbox, const wn_serve_settings *settings,
                            wn_buf *error)
{
    if (settings->boxing == WN_SERVE_BOX_NOT)
        return true;
    rights *r = calloc(1, sizeof *r);
    if (!r) {
        wn_buf_add_literal(error, "cannot enter the sandbox: out of memory");
        return false;
    }
    sandbox->missing = wn_io_sandbox_missing(enter(r, sandbox, settings));
    for (size_t i = 0; i < r->made_count; i++)
        wn_buf_free(&r->made[i]);
    free(r);
    if (!sandbox->missing || settings->boxing == WN_SERVE_BOX_IF_POSSIBLE)
        return true;
    wn_buf_add_format(error,
                      "cannot enter the sandbox: this system has no %s; --sandbox needs Linux 5.13 "
                      "or later",
                      sandbox->missing);
    return false;
}
