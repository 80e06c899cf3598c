#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "serve/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { IN_MEMORY = 4 << 20 };

/* A file that is gone when it is closed; -1 if there can be none. */
static int open_nameless(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int size = snprintf(path, sizeof path, "%s/winnow-XXXXXX",
                        folder && folder[0] ? folder : "/tmp");
    int fd = size > 0 && (size_t)size < sizeof path ? mkostemp(path, O_CLOEXEC) : -1;
    if (fd >= 0)
        unlink(path);
    return fd;
}

void wn_serve_spool_files_open(wn_serve_spool_file files[WN_SERVE_SPOOLS])
{
    for (size_t i = 0; i < WN_SERVE_SPOOLS; i++)
        files[i].fd = open_nameless();
}

void wn_serve_spool_files_close(wn_serve_spool_file files[WN_SERVE_SPOOLS])
{
    for (size_t i = 0; i < WN_SERVE_SPOOLS; i++)
        if (files[i].fd >= 0)
            close(files[i].fd);
}

bool wn_serve_spool_open(wn_serve_spool *spool, wn_serve_spool_file files[WN_SERVE_SPOOLS])
{
    for (size_t i = 0; i < WN_SERVE_SPOOLS && !spool->file; i++)
        if (!atomic_exchange(&files[i].used, true))
            spool->file = &files[i];
    return spool->file != NULL;
}

/* Moves what is in memory to the end of the file. */
static void spill(wn_serve_spool *spool)
{
    wn_str rest = wn_str_from_offset(wn_buf_str(&spool->memory), spool->taken);
    while (rest.len > 0 && !spool->failed) {
        ssize_t size = pwrite(spool->file->fd, rest.ptr, rest.len, (off_t)spool->written);
        if (size < 0 && errno == EINTR)
            continue;
        spool->failed = size <= 0;
        if (spool->failed)
            break;
        spool->written += (uint64_t)size;
        rest = wn_str_from_offset(rest, (size_t)size);
    }
    wn_buf_clear(&spool->memory);
    spool->taken = 0;
}

void wn_serve_spool_add(wn_serve_spool *spool, wn_str bytes)
{
    if (spool->failed)
        return;
    wn_buf_add(&spool->memory, bytes);
    spool->failed = spool->memory.failed;
    if (spool->memory.len - spool->taken > IN_MEMORY)
        spill(spool);
}

size_t wn_serve_spool_take(wn_serve_spool *spool, char *out, size_t room)
{
    uint64_t in_file = spool->written - spool->read;
    if (in_file > 0) {
        size_t wanted = in_file < room ? (size_t)in_file : room;
        ssize_t size = pread(spool->file->fd, out, wanted, (off_t)spool->read);
        spool->failed = spool->failed || size <= 0;
        spool->read += size > 0 ? (uint64_t)size : 0;
        return size > 0 ? (size_t)size : 0;
    }
    wn_str rest = wn_str_from_offset(wn_buf_str(&spool->memory), spool->taken);
    size_t size = rest.len < room ? rest.len : room;
    memcpy(out, rest.ptr, size);
    spool->taken += size;
    if (spool->taken == spool->memory.len) {
        wn_buf_clear(&spool->memory);
        spool->taken = 0;
    }
    return size;
}

void wn_serve_spool_close(wn_serve_spool *spool)
{
    wn_buf_free(&spool->memory);
    if (!spool->file)
        return;
    /* The next spool overwrites what is there; it is the disk that wants its room back. */
    int kept = spool->written > 0 ? ftruncate(spool->file->fd, 0) : 0;
    (void)kept;
    spool->file->used = false;
    spool->file = NULL;
}
