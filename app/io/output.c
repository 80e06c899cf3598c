#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/message.h"

enum {
    FLUSH_SIZE = 64 * 1024, /* pages are collected up to this size before they are written */
    MAX_ATTEMPTS = 100,     /* to find a temporary name that is free */
};

/* ---- Signals ----------------------------------------------------------------------------- */

/*
 * The one global of the program: a signal handler can be told nothing else. It is
 * written only while the signals are blocked.
 */
static char temporary_to_remove[PATH_MAX];

static void end_at_signal(int signal_number)
{
    if (temporary_to_remove[0])
        unlink(temporary_to_remove);
    _exit(128 + signal_number);
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* A signal that is ignored stays so: `nohup` and background jobs rely on it. */
void wn_output_handle_signals(void)
{
    struct sigaction action = {.sa_handler = end_at_signal}, old;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
}

static sigset_t block_signals(void)
{
    sigset_t signals, old;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++)
        sigaddset(&signals, ending_signals[i]);
    pthread_sigmask(SIG_BLOCK, &signals, &old);
    return old;
}

static void restore_signals(sigset_t old)
{
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* Makes a file that did not exist and tells the signal handler of it; -1 if that failed. */
static int create_temporary(const char *path)
{
    sigset_t old = block_signals();
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int error = errno;
    if (fd >= 0)
        snprintf(temporary_to_remove, sizeof temporary_to_remove, "%s", path);
    restore_signals(old);
    errno = error;
    return fd;
}

static void forget_temporary(void)
{
    sigset_t old = block_signals();
    temporary_to_remove[0] = '\0';
    restore_signals(old);
}

/* ---- Opening ----------------------------------------------------------------------------- */

/* Notes what went wrong with `name`; always false. */
static bool fail(wn_output *output, const char *name, const char *reason)
{
    if (output->state == WN_OUTPUT_FAILED)
        return false; /* the first failure is the cause of the others */
    output->state = WN_OUTPUT_FAILED;
    wn_buf_clear(&output->error);
    wn_buf_add_literal(&output->error, "cannot write ");
    wn_add_quoted(&output->error, name);
    wn_buf_add_format(&output->error, ": %s", reason);
    return false;
}

/* The name to show in messages. */
static const char *shown_name(wn_output *output)
{
    return output->path.len ? wn_buf_c_string(&output->path) : "standard output";
}

/* Makes path.PID.tmp, or the next free name like it. */
static bool open_temporary(wn_output *output)
{
    const char *path = wn_buf_c_string(&output->path);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        wn_buf_clear(&output->temporary);
        wn_buf_add_format(&output->temporary, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        const char *temporary = wn_buf_c_string(&output->temporary);
        if (output->temporary.len >= PATH_MAX)
            return fail(output, path, strerror(ENAMETOOLONG));
        output->fd = create_temporary(temporary);
        if (output->fd >= 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    int error = errno;
    wn_buf_clear(&output->temporary); /* nothing is there to be removed */
    return fail(output, path, strerror(error));
}

static bool open_device(wn_output *output, const char *path)
{
    output->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return output->fd >= 0 || fail(output, path, strerror(errno));
}

/* A link is written through: the file it leads to is replaced, not the link. */
static void resolve_link(wn_output *output, const char *path)
{
    char *resolved = realpath(path, NULL);
    wn_buf_clear(&output->path);
    wn_buf_add_literal(&output->path, resolved ? resolved : path);
    free(resolved);
}

bool wn_output_open(wn_output *output, const char *path, bool overwrite)
{
    struct stat info;
    *output = (wn_output){.fd = STDOUT_FILENO, .overwrite = overwrite};
    if (!path || strcmp(path, "-") == 0)
        return true;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return fail(output, path, "it is a directory; give the name of a file");
    if (exists && !S_ISREG(info.st_mode))
        return open_device(output, path);
    if (exists && !overwrite)
        return fail(output, path, "it exists; --overwrite replaces it");
    resolve_link(output, path);
    if (!open_temporary(output))
        return false;
    if (exists)
        fchmod(output->fd, info.st_mode & 07777); /* as readable as the file it replaces */
    return true;
}

/* ---- Writing ----------------------------------------------------------------------------- */

void wn_output_flush(wn_output *output)
{
    wn_str rest = wn_buf_str(&output->pending);
    while (rest.len > 0 && output->state == WN_OUTPUT_OPEN) {
        ssize_t written = write(output->fd, rest.ptr, rest.len);
        if (written >= 0)
            rest = wn_str_from_offset(rest, (size_t)written);
        else if (errno == EPIPE)
            output->state = WN_OUTPUT_CLOSED;
        else if (errno == EAGAIN)
            poll(&(struct pollfd){.fd = output->fd, .events = POLLOUT}, 1, -1);
        else if (errno != EINTR)
            fail(output, shown_name(output), strerror(errno));
    }
    wn_buf_clear(&output->pending);
}

void wn_output_add(wn_output *output, wn_str bytes)
{
    if (output->state != WN_OUTPUT_OPEN)
        return;
    wn_buf_add(&output->pending, bytes);
    if (output->pending.failed)
        fail(output, shown_name(output), strerror(ENOMEM));
    if (output->pending.len >= FLUSH_SIZE)
        wn_output_flush(output);
}

/* Gives the complete file its name; without `overwrite` never in place of another. */
static bool move_into_place(wn_output *output)
{
    const char *path = wn_buf_c_string(&output->path);
    const char *temporary = wn_buf_c_string(&output->temporary);
    if (!output->overwrite && link(temporary, path) == 0) {
        unlink(temporary);
    } else if (!output->overwrite && errno == EEXIST) {
        return fail(output, path, "it exists now; --overwrite replaces it");
    } else if (rename(temporary, path) != 0) {
        return fail(output, path, strerror(errno));
    }
    forget_temporary();
    wn_buf_clear(&output->temporary);
    return true;
}

/* Some file systems say only when a file is closed that it could not be written. */
static void close_descriptor(wn_output *output)
{
    int fd = output->fd;
    output->fd = -1;
    if (fd >= 0 && close(fd) != 0 && errno != EINTR && output->state == WN_OUTPUT_OPEN)
        fail(output, shown_name(output), strerror(errno));
}

bool wn_output_finish(wn_output *output)
{
    wn_output_flush(output);
    close_descriptor(output);
    if (output->state == WN_OUTPUT_OPEN && output->temporary.len)
        move_into_place(output);
    return output->state != WN_OUTPUT_FAILED;
}

void wn_output_free(wn_output *output)
{
    if (output->fd > STDERR_FILENO)
        close(output->fd);
    if (output->temporary.len) {
        unlink(wn_buf_c_string(&output->temporary));
        forget_temporary();
    }
    wn_buf_free(&output->pending);
    wn_buf_free(&output->path);
    wn_buf_free(&output->temporary);
    wn_buf_free(&output->error);
}
