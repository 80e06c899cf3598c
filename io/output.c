#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/message.h"

enum {
    FLUSH_SIZE = 64 * 1024, /* pages are collected up to this size before they are written */
    MAX_ATTEMPTS = 100,     /* to find a temporary name that is free */
    MAX_MARKER = 1 << 20,   /* markers are a few hundred bytes */
    /* Bytes of output between checkpoints: little is done twice, and compression loses little. */
    CHECKPOINT_SIZE = 4 << 20,
};

/* ---- Signals ----------------------------------------------------------------------------- */

/*
 * The globals of the program: a signal handler can be told nothing else. The name is written only
 * while the signals are blocked.
 */
static char temporary_to_remove[PATH_MAX];
static volatile sig_atomic_t has_open_line;  /* of progress, at the terminal */
static volatile sig_atomic_t can_be_resumed; /* what was done is kept */

void wn_io_output_note_line(bool open)
{
    has_open_line = open;
}

static void say_at_signal(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static void end_at_signal(int signal_number)
{
    if (temporary_to_remove[0])
        unlink(temporary_to_remove);
    if (has_open_line)
        say_at_signal("\n");
    if (can_be_resumed)
        say_at_signal("winnow: interrupted; run the same command again to continue\n");
    _exit(128 + signal_number);
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* A signal that is ignored stays ignored: `nohup` and background jobs rely on it. */
void wn_io_output_handle_signals(void)
{
    struct sigaction action = {.sa_handler = end_at_signal}, old;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of write() too */
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
static bool fail(wn_io_output *output, const char *name, const char *reason)
{
    if (output->state == WN_IO_OUTPUT_FAILED)
        return false; /* the first failure is the cause of the others */
    output->state = WN_IO_OUTPUT_FAILED;
    wn_buf_clear(&output->error);
    wn_buf_add_literal(&output->error, "cannot write ");
    wn_add_quoted(&output->error, name);
    wn_buf_add_format(&output->error, ": %s", reason);
    return false;
}

/* The name to show in messages. */
static const char *shown_name(wn_io_output *output)
{
    return output->path.len ? wn_buf_c_string(&output->path) : "standard output";
}

/* Makes path.PID.tmp, or the next free name like it. */
static bool open_temporary(wn_io_output *output)
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

static bool open_device(wn_io_output *output, const char *path)
{
    output->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    output->terminal = output->fd >= 0 && isatty(output->fd);
    return output->fd >= 0 || fail(output, path, strerror(errno));
}

/* A link is written through: the file it leads to is replaced, not the link. */
static void resolve_link(wn_io_output *output, const char *path)
{
    char *resolved = realpath(path, NULL);
    wn_buf_clear(&output->path);
    wn_buf_add_literal(&output->path, resolved ? resolved : path);
    free(resolved);
}

/* The name's ending says whether the file is compressed. */
static bool open_encoder(wn_io_output *output, const char *path)
{
    wn_io_codec codec = wn_io_codec_of_name(wn_str_of(path));
    if (codec == WN_IO_CODEC_NONE)
        return true;
    if (!wn_io_codec_available(codec))
        return fail(output, path, "winnow was built without this compression");
    output->encoder = wn_io_encoder_new(codec);
    return output->encoder || fail(output, path, strerror(ENOMEM));
}

/* What is at `path`: false if it must not be written to. */
static bool may_write(wn_io_output *output, const char *path, struct stat *info, bool *exists)
{
    *exists = stat(path, info) == 0;
    if (*exists && S_ISDIR(info->st_mode))
        return fail(output, path, "it is a directory; give the name of a file");
    if (*exists && S_ISREG(info->st_mode) && !output->overwrite)
        return fail(output, path, "it exists; --overwrite replaces it");
    return open_encoder(output, path);
}

bool wn_io_output_open(wn_io_output *output, const char *path, bool overwrite)
{
    struct stat info;
    bool exists;
    *output = (wn_io_output){.fd = STDOUT_FILENO, .overwrite = overwrite};
    if (!path || strcmp(path, "-") == 0) {
        output->terminal = isatty(output->fd);
        return true;
    }
    if (!may_write(output, path, &info, &exists))
        return false;
    if (exists && !S_ISREG(info.st_mode))
        return open_device(output, path);
    resolve_link(output, path);
    if (output->path.failed)
        return fail(output, path, strerror(ENOMEM));
    if (!open_temporary(output))
        return false;
    if (exists)
        fchmod(output->fd, info.st_mode & 0777); /* as readable as the file it replaces */
    return true;
}

/* ---- Work that can be taken up again ----------------------------------------------------- */

static uint64_t hash_of(wn_str key)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < key.len; i++)
        hash = (hash ^ (unsigned char)key.ptr[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/*
 * Whether we own the file and it has no other name. Otherwise someone else could write to it, or it
 * could be a file elsewhere.
 */
static bool is_own(const struct stat *info)
{
    return info->st_uid == geteuid() && info->st_nlink == 1;
}

/* Opens FILE.part; *made: it was not there. */
static int make_or_open_part(const char *part, bool *made)
{
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
    int fd = open(part, flags | O_CREAT | O_EXCL, 0666);
    *made = fd >= 0;
    return *made || errno != EEXIST ? fd : open(part, flags | O_NONBLOCK);
}

/*
 * Opens FILE.part and takes it for ourselves. It may be renamed by another process between
 * the two, so it is looked at again.
 */
static bool open_part(wn_io_output *output)
{
    const char *path = wn_buf_c_string(&output->path);
    const char *part = wn_buf_c_string(&output->temporary);
    struct stat ours, named;
    bool made;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        output->fd = make_or_open_part(part, &made);
        if (output->fd < 0 && errno == ENOENT)
            continue; /* it was there a moment ago */
        if (output->fd < 0)
            return fail(output, path, strerror(errno));
        if (flock(output->fd, LOCK_EX | LOCK_NB) != 0)
            return fail(output, path,
                        errno == EWOULDBLOCK ? "another winnow is writing it" : strerror(errno));
        if (fstat(output->fd, &ours) == 0 && lstat(part, &named) == 0 &&
            ours.st_ino == named.st_ino && ours.st_dev == named.st_dev && S_ISREG(ours.st_mode))
            return made || is_own(&ours) ||
                   fail(output, part, "somebody else made it, or it has another name; remove it");
        close(output->fd);
    }
    return fail(output, path, "its part changes all the time");
}

/* Reads the marker; the state of our work goes to `saved`. Returns the number of valid bytes. */
static uint64_t read_marker(wn_io_output *output)
{
    unsigned long long key = 0, size = 0;
    int length = 0;
    struct stat info;
    int fd = open(wn_buf_c_string(&output->marker), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    wn_buf text = {0};
    if (fd >= 0 && fstat(fd, &info) == 0 && is_own(&info) && wn_buf_reserve(&text, MAX_MARKER)) {
        ssize_t got = read(fd, text.ptr, MAX_MARKER - 1);
        text.len = got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    bool ours = sscanf(wn_buf_c_string(&text), "winnow checkpoint %llx %llu%n", &key, &size,
                       &length) == 2 &&
                key == output->key && text.ptr[length] == '\n' && size > 0 &&
                fstat(output->fd, &info) == 0 && (uint64_t)info.st_size >= size;
    if (ours)
        wn_buf_add(&output->saved, wn_str_from_offset(wn_buf_str(&text), (size_t)length + 1));
    wn_buf_free(&text);
    return output->saved.len > 0 ? size : 0;
}

/* Cuts the file to its first `size` bytes, which count, and continues after them. */
static bool go_on_at(wn_io_output *output, uint64_t size)
{
    if (ftruncate(output->fd, (off_t)size) != 0 || lseek(output->fd, (off_t)size, SEEK_SET) < 0)
        return fail(output, wn_buf_c_string(&output->path), strerror(errno));
    output->written = size;
    output->kept = size > 0;
    return true;
}

static void remember_part(wn_io_output *output)
{
    sigset_t old = block_signals();
    snprintf(temporary_to_remove, sizeof temporary_to_remove, "%s",
             wn_buf_c_string(&output->temporary));
    restore_signals(old);
}

/* Goes on in the part that is ours, or begins it. */
static bool resume(wn_io_output *output)
{
    output->resumable = true;
    if (!go_on_at(output, read_marker(output)))
        return false;
    if (!output->kept)
        remember_part(output);
    can_be_resumed = output->kept;
    return true;
}

bool wn_io_output_open_resumable(wn_io_output *output, const char *path, bool overwrite, wn_str key)
{
    struct stat info;
    bool exists;
    *output = (wn_io_output){.fd = -1, .overwrite = overwrite, .key = hash_of(key)};
    if (!may_write(output, path, &info, &exists))
        return false;
    if (exists && !S_ISREG(info.st_mode))
        return open_device(output, path);
    resolve_link(output, path);
    path = wn_buf_c_string(&output->path);
    wn_buf_add_format(&output->temporary, "%s.part", path);
    wn_buf_add_format(&output->marker, "%s.part.done", path);
    if (output->path.failed || output->temporary.failed || output->marker.failed) {
        wn_buf_clear(&output->temporary); /* half a name is that of another file */
        return fail(output, path, strerror(ENOMEM));
    }
    sigset_t old =
        block_signals(); /* one that comes before the part is remembered would leave it behind */
    bool opened = output->marker.len < PATH_MAX && open_part(output);
    bool resumed = opened && resume(output);
    restore_signals(old);
    if (!opened) {
        wn_buf_clear(&output->temporary);
        return fail(output, path, strerror(ENAMETOOLONG));
    }
    if (!resumed)
        return false;
    if (exists)
        fchmod(output->fd, info.st_mode & 0777);
    return true;
}

void wn_io_output_restart(wn_io_output *output)
{
    wn_buf_clear(&output->saved);
    unlink(wn_buf_c_string(&output->marker));
    go_on_at(output, 0);
    remember_part(output);
}

/* ---- Writing ----------------------------------------------------------------------------- */

static void write_all(wn_io_output *output, wn_str rest)
{
    while (rest.len > 0 && output->state == WN_IO_OUTPUT_OPEN) {
        ssize_t written = write(output->fd, rest.ptr, rest.len);
        if (written >= 0) {
            rest = wn_str_from_offset(rest, (size_t)written);
            output->written += (uint64_t)written;
        } else if (errno == EPIPE) {
            output->state = WN_IO_OUTPUT_CLOSED;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = output->fd, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            fail(output, shown_name(output), strerror(errno));
        }
    }
}

static void write_visible(wn_io_output *output, wn_str bytes)
{
    wn_buf visible = {0};
    wn_add_visible(&visible, bytes);
    if (visible.failed)
        fail(output, shown_name(output), strerror(ENOMEM));
    else
        write_all(output, wn_buf_str(&visible));
    wn_buf_free(&visible);
}

void wn_io_output_set_raw(wn_io_output *output, bool raw)
{
    output->terminal = output->terminal && !raw;
}

/* Compresses what is pending; `end` ends the compressed piece. */
static void encode_pending(wn_io_output *output, bool end)
{
    bool well = wn_io_encoder_add(output->encoder, wn_buf_str(&output->pending), &output->packed) &&
                (!end || wn_io_encoder_end(output->encoder, &output->packed));
    wn_buf_clear(&output->pending);
    if (!well)
        fail(output, shown_name(output), strerror(ENOMEM));
    if (well && (end || output->packed.len >= FLUSH_SIZE)) {
        write_all(output, wn_buf_str(&output->packed));
        wn_buf_clear(&output->packed);
    }
}

static void write_plain(wn_io_output *output, wn_str bytes)
{
    if (output->terminal)
        write_visible(output, bytes);
    else
        write_all(output, bytes);
}

/* Compressed output is not for a waiting reader, and must not depend on when it is written. */
void wn_io_output_flush(wn_io_output *output)
{
    if (output->encoder)
        return;
    write_plain(output, wn_buf_str(&output->pending));
    wn_buf_clear(&output->pending);
}

static void write_pending(wn_io_output *output, bool end)
{
    if (output->encoder)
        encode_pending(output, end);
    else
        wn_io_output_flush(output);
}

void wn_io_output_add(wn_io_output *output, wn_str bytes)
{
    if (output->state != WN_IO_OUTPUT_OPEN)
        return;
    output->since += bytes.len;
    if (bytes.len >= FLUSH_SIZE && !output->encoder) {
        write_pending(output, false);
        write_plain(output, bytes);
        return;
    }
    wn_buf_add(&output->pending, bytes);
    if (output->pending.failed)
        fail(output, shown_name(output), strerror(ENOMEM));
    if (output->pending.len >= FLUSH_SIZE)
        write_pending(output, false);
}

bool wn_io_output_checkpoint_due(const wn_io_output *output)
{
    return output->resumable && output->since >= CHECKPOINT_SIZE;
}

/* Writes the marker under another name and renames it, so that there is always a whole one. */
static bool write_marker(wn_io_output *output, wn_str state)
{
    wn_buf name = {0}, text = {0};
    const char *marker = wn_buf_c_string(&output->marker);
    wn_buf_add_format(&name, "%s.new", marker);
    wn_buf_add_format(&text, "winnow checkpoint %llx %llu\n", (unsigned long long)output->key,
                      (unsigned long long)output->written);
    wn_buf_add(&text, state);
    const char *temporary = wn_buf_c_string(&name);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    bool well = fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len;
    if (fd >= 0)
        well = close(fd) == 0 && well;
    well = well && rename(temporary, marker) == 0;
    if (!well) {
        int error = errno;
        unlink(temporary);
        errno = error ? error : ENOSPC;
    }
    wn_buf_free(&name);
    wn_buf_free(&text);
    return well;
}

void wn_io_output_end_piece(wn_io_output *output)
{
    if (output->encoder)
        encode_pending(output, true);
}

void wn_io_output_checkpoint(wn_io_output *output, wn_str state)
{
    write_pending(output, true);
    output->since = 0;
    if (output->state != WN_IO_OUTPUT_OPEN || !output->resumable)
        return;
    if (fdatasync(output->fd) != 0 || !write_marker(output, state)) {
        fail(output, shown_name(output), strerror(errno));
        return;
    }
    if (!output->kept)
        forget_temporary();
    output->kept = true;
    can_be_resumed = true;
}

/* Gives the complete file its name; without `overwrite` never in place of another. */
static bool move_into_place(wn_io_output *output)
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
    can_be_resumed = false;
    wn_buf_clear(&output->temporary);
    return true;
}

/* Some file systems report write errors only when a file is closed. */
static void close_descriptor(wn_io_output *output)
{
    int fd = output->fd;
    output->fd = -1;
    if (fd >= 0 && close(fd) != 0 && errno != EINTR && output->state == WN_IO_OUTPUT_OPEN)
        fail(output, shown_name(output), strerror(errno));
}

/* Programs that decompress files do not accept an empty one. */
static void write_empty_piece(wn_io_output *output)
{
    if (wn_io_encoder_add_empty(output->encoder, &output->packed))
        write_all(output, wn_buf_str(&output->packed));
    else
        fail(output, shown_name(output), strerror(ENOMEM));
}

/* A resumable file is renamed while it is still ours, and when it is safe: its marker goes then. */
bool wn_io_output_finish(wn_io_output *output)
{
    write_pending(output, true);
    if (output->encoder && output->written == 0 && output->state == WN_IO_OUTPUT_OPEN)
        write_empty_piece(output);
    if (output->resumable) {
        if (output->state == WN_IO_OUTPUT_OPEN && fdatasync(output->fd) != 0)
            fail(output, shown_name(output), strerror(errno));
        if (output->state == WN_IO_OUTPUT_OPEN && move_into_place(output))
            unlink(wn_buf_c_string(&output->marker));
        close_descriptor(output);
        return output->state != WN_IO_OUTPUT_FAILED;
    }
    close_descriptor(output);
    if (output->state == WN_IO_OUTPUT_OPEN && output->temporary.len)
        move_into_place(output);
    return output->state != WN_IO_OUTPUT_FAILED;
}

void wn_io_output_free(wn_io_output *output)
{
    if (output->fd > STDERR_FILENO)
        close(output->fd);
    if (output->temporary.len && !output->kept) {
        unlink(wn_buf_c_string(&output->temporary));
        forget_temporary();
    }
    wn_io_encoder_free(output->encoder);
    wn_buf_free(&output->pending);
    wn_buf_free(&output->packed);
    wn_buf_free(&output->marker);
    wn_buf_free(&output->saved);
    wn_buf_free(&output->path);
    wn_buf_free(&output->temporary);
    wn_buf_free(&output->error);
}
