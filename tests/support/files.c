#include "files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <zlib.h>

enum { STEP = 1 << 16 };

static bool ends_with(const char *s, const char *suffix)
{
    size_t len = strlen(s), end = suffix ? strlen(suffix) : 0;
    return len >= end && strcmp(s + len - end, suffix ? suffix : "") == 0;
}

static void add_path(test_files *files, const char *path)
{
    files->paths = realloc(files->paths, (files->count + 1) * sizeof *files->paths);
    if (!files->paths || !(files->paths[files->count++] = strdup(path)))
        abort();
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Directories of tests are a few levels deep, so this may call itself. */
static bool find(test_files *files, const char *path, const char *suffix)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    if (!S_ISDIR(info.st_mode)) {
        if (S_ISREG(info.st_mode) && ends_with(path, suffix))
            add_path(files, path);
        return true;
    }
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char below[4096];
        int len = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && len > 0 && (size_t)len < sizeof below)
            find(files, below, suffix);
    }
    closedir(dir);
    return true;
}

bool test_files_find(test_files *files, const char *path, const char *suffix)
{
    size_t before = files->count;
    bool found = find(files, path, suffix);
    if (files->count > before)
        qsort(files->paths + before, files->count - before, sizeof *files->paths, compare_paths);
    return found;
}

void test_files_free(test_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (test_files){0};
}

const char *test_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool test_file_read(wn_buf *out, const char *path)
{
    wn_buf_clear(out);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    while (wn_buf_reserve(out, STEP)) {
        size_t got = fread(out->ptr + out->len, 1, STEP, file);
        out->len += got;
        if (got == 0)
            break;
    }
    bool sound = !ferror(file) && !out->failed;
    fclose(file);
    return sound;
}

bool test_file_write(const char *path, wn_str bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool sound = fwrite(bytes.ptr, 1, bytes.len, file) == bytes.len;
    return fclose(file) == 0 && sound;
}

bool test_file_inflate(wn_buf *out, const char *path, size_t max)
{
    if (!ends_with(path, ".gz")) {
        bool sound = test_file_read(out, path);
        if (out->len > max)
            out->len = max;
        return sound;
    }
    wn_buf_clear(out);
    gzFile file = gzopen(path, "rb");
    if (!file)
        return false;
    int got = 0;
    while (out->len < max && wn_buf_reserve(out, STEP)) {
        size_t room = max - out->len < STEP ? max - out->len : STEP;
        got = gzread(file, out->ptr + out->len, (unsigned)room);
        if (got <= 0)
            break;
        out->len += (size_t)got;
    }
    gzclose(file);
    return got >= 0 && !out->failed;
}

void test_normalise_line_ends(wn_buf *text)
{
    size_t out = 0;
    for (size_t i = 0; i < text->len; i++) {
        if (text->ptr[i] == '\n' && i > 0 && text->ptr[i - 1] == '\r')
            continue;
        text->ptr[out++] = text->ptr[i];
    }
    for (size_t i = 0; i < out; i++)
        if (text->ptr[i] == '\r')
            text->ptr[i] = '\n';
    text->len = out;
}

double test_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

_Noreturn void test_skip(const char *what, const char *path)
{
    printf("SKIPPED: %s: %s\n", what, path ? path : "no directory was given");
    exit(TEST_EXIT_SKIPPED);
}
