/*
 * A sandbox: the program gives up what it no longer needs, so that a bug in it is worth less.
 *
 * A page that makes the program run somebody's code could read the user's files, send them away
 * and start other programs. After wn_io_sandbox_enter() the kernel refuses that: only named files
 * and folders can be opened (Landlock, since Linux 5.13), no socket can be made unless it is
 * needed, no program can be started, and no other process be touched (seccomp). Files, pipes and
 * sockets that are open already stay usable. There is no way back.
 *
 * It holds for the calling thread and those it starts later: enter it before starting workers.
 */
#ifndef WN_IO_SANDBOX_H
#define WN_IO_SANDBOX_H

#include <stdbool.h>

/* What is still allowed. The lists end with NULL and may be NULL themselves. */
typedef struct wn_io_sandbox {
    const char *const *readable; /* files and folders with all that is below them */
    const char *const *writable; /* folders in which files may be made, replaced and removed */
    bool connects;               /* to other machines: sockets, names, certificates */
    bool accepts;                /* connections on sockets that are open already */
} wn_io_sandbox;

/* What the kernel enforces. */
enum {
    WN_IO_SANDBOX_FILES = 1 << 0, /* Landlock */
    WN_IO_SANDBOX_CALLS = 1 << 1, /* seccomp */
    WN_IO_SANDBOX_ALL = WN_IO_SANDBOX_FILES | WN_IO_SANDBOX_CALLS,
};

/*
 * Enters the sandbox. Returns what holds from now on, as bits: 0 where the kernel, or the system,
 * has neither. Names that do not exist are passed over. Also readable are the system's libraries,
 * fonts, dictionaries and, if `connects`, what names and certificates are found with.
 */
unsigned wn_io_sandbox_enter(const wn_io_sandbox *sandbox);

#endif
