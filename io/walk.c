#include "io/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "io/archive.h"

typedef struct walk_entry {
    const char *name; /* of a directory: with "/" at its end, which is how it sorts */
    bool is_directory;
} walk_entry;

struct wn_io_walk_frame {
    wn_arena names;
    wn_array(walk_entry) entries; /* sorted */
    uint32_t next;
    uint32_t directories_ahead;
    size_t path_length; /* of this directory in walk->path, "/" at its end included */
};

/* ---- What is taken ----------------------------------------------------------------------- */

bool wn_io_is_page_name(wn_str name)
{
    if (wn_io_archive_by_name(name) == WN_IO_ARCHIVE_WARC)
        return true;
    static const wn_str endings[] = {WN_STR(".html"), WN_STR(".htm"), WN_STR(".xhtml"),
                                     WN_STR(".xht"), WN_STR(".shtml")};
    name = wn_io_without_codec(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (wn_str_has_ending(name, endings[i]))
            return true;
    }
    return false;
}

typedef enum entry_type { ENTRY_SKIPPED, ENTRY_PAGE, ENTRY_DIRECTORY } entry_type;

static entry_type type_of_mode(mode_t mode, bool page_name)
{
    if (S_ISDIR(mode))
        return ENTRY_DIRECTORY;
    return S_ISREG(mode) && page_name ? ENTRY_PAGE : ENTRY_SKIPPED;
}

/*
 * What to do with an entry. A page that vanished, or a link that leads nowhere, is
 * taken for a page: reading it will say what is wrong.
 */
static entry_type classify(int directory, const struct dirent *entry)
{
    bool page_name = wn_io_is_page_name(wn_str_of(entry->d_name));
    struct stat info;
    if (entry->d_type == DT_DIR)
        return ENTRY_DIRECTORY;
    if (entry->d_type == DT_REG)
        return page_name ? ENTRY_PAGE : ENTRY_SKIPPED;
    if (entry->d_type != DT_UNKNOWN && (entry->d_type != DT_LNK || !page_name))
        return ENTRY_SKIPPED;
    if (fstatat(directory, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return page_name ? ENTRY_PAGE : ENTRY_SKIPPED;
    if (!S_ISLNK(info.st_mode))
        return type_of_mode(info.st_mode, page_name);
    if (!page_name)
        return ENTRY_SKIPPED;
    bool leads_nowhere = fstatat(directory, entry->d_name, &info, 0) != 0;
    return leads_nowhere || S_ISREG(info.st_mode) ? ENTRY_PAGE : ENTRY_SKIPPED;
}

/* ---- Directories ------------------------------------------------------------------------- */

static bool is_dot(const char *name)
{
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

static bool add_entry(wn_io_walk_frame *frame, const char *name, bool is_directory)
{
    size_t length = strlen(name);
    char *copy = wn_arena_bytes(&frame->names, length + 2);
    walk_entry *entry = wn_array_push(&frame->entries);
    if (!copy || !entry)
        return false;
    memcpy(copy, name, length);
    copy[length] = is_directory ? '/' : '\0';
    copy[length + is_directory] = '\0';
    *entry = (walk_entry){copy, is_directory};
    frame->directories_ahead += is_directory;
    return true;
}

static bool read_entries(DIR *directory, wn_io_walk_frame *frame)
{
    struct dirent *entry;
    while (errno = 0, (entry = readdir(directory)) != NULL) {
        if (is_dot(entry->d_name))
            continue;
        entry_type type = classify(dirfd(directory), entry);
        if (type != ENTRY_SKIPPED && !add_entry(frame, entry->d_name, type == ENTRY_DIRECTORY)) {
            errno = ENOMEM;
            return false;
        }
    }
    return errno == 0;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(((const walk_entry *)a)->name, ((const walk_entry *)b)->name);
}

static void free_frame(wn_io_walk_frame *frame)
{
    wn_array_free(&frame->entries);
    wn_arena_free(&frame->names);
}

/* Reads the directory that walk->path names and enters it; false with errno if it cannot. */
static bool enter_directory(wn_io_walk *walk)
{
    const char *path = wn_buf_c_string(&walk->path);
    DIR *directory = opendir(walk->path.failed ? "" : path);
    if (!directory)
        return false;
    wn_io_walk_frame frame = {.path_length = walk->path.len};
    wn_arena_init(&frame.names, 0);
    bool read = read_entries(directory, &frame);
    int error = errno;
    closedir(directory);
    wn_io_walk_frame *place = read ? wn_array_push(&walk->frames) : NULL;
    if (!place) {
        free_frame(&frame);
        errno = read ? ENOMEM : error;
        return false;
    }
    if (frame.entries.count > 1)
        qsort(frame.entries.items, frame.entries.count, sizeof *frame.entries.items, by_bytes);
    *place = frame;
    return true;
}

/* ---- The walk ---------------------------------------------------------------------------- */

void wn_io_walk_begin(wn_io_walk *walk, const char *root)
{
    wn_str path = wn_str_of(root);
    wn_buf_clear(&walk->path);
    wn_buf_add(&walk->path, path);
    if (path.len == 0 || path.ptr[path.len - 1] != '/')
        wn_buf_add_char(&walk->path, '/');
    walk->frames.count = 0;
    walk->found = 0;
}

/* The path as the user would write it: a directory without the "/" at its end. */
static wn_io_walk_step report(wn_io_walk *walk, wn_buf *path, wn_io_walk_step step)
{
    wn_buf_clear(path);
    wn_buf_add(path, wn_buf_str(&walk->path));
    if (step == WN_IO_WALK_ERROR && path->len > 1)
        path->len--;
    walk->found++;
    return step;
}

wn_io_walk_step wn_io_walk_next(wn_io_walk *walk, wn_buf *path)
{
    if (walk->frames.count == 0 && !enter_directory(walk))
        return report(walk, path, WN_IO_WALK_ERROR);
    while (walk->frames.count > 0) {
        wn_io_walk_frame *frame = &walk->frames.items[walk->frames.count - 1];
        walk->path.len = frame->path_length;
        if (frame->next == frame->entries.count) {
            free_frame(frame);
            walk->frames.count--;
            continue;
        }
        walk_entry entry = frame->entries.items[frame->next++];
        wn_buf_add_literal(&walk->path, entry.name);
        if (!entry.is_directory)
            return report(walk, path, WN_IO_WALK_PAGE);
        frame->directories_ahead--;
        if (!enter_directory(walk))
            return report(walk, path, WN_IO_WALK_ERROR);
    }
    return WN_IO_WALK_END;
}

uint64_t wn_io_walk_ahead(const wn_io_walk *walk, bool *exact)
{
    uint64_t ahead = 0;
    for (uint32_t i = 0; i < walk->frames.count; i++) {
        const wn_io_walk_frame *frame = &walk->frames.items[i];
        ahead += frame->entries.count - frame->next - frame->directories_ahead;
        if (frame->directories_ahead > 0)
            *exact = false;
    }
    return ahead;
}

void wn_io_walk_free(wn_io_walk *walk)
{
    for (uint32_t i = 0; i < walk->frames.count; i++)
        free_frame(&walk->frames.items[i]);
    wn_array_free(&walk->frames);
    wn_buf_free(&walk->path);
}
