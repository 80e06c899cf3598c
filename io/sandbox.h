/*
 * A sandbox: the program gives up rights it no longer needs, so that a bug does less harm.
 *
 * A page that exploits a bug to run code could read the user's files, send them away and start
 * other programs. After wn_io_sandbox_enter() the kernel refuses this: only named files and folders
 * can be opened (Landlock, since Linux 5.13), no socket can be made unless it is needed, no program
 * can be started, and no other process can be accessed (seccomp). Files, pipes and sockets that are
 * open already stay usable. There is no way back.
 *
 * It holds for the calling thread and those it starts later: enter it before starting workers.
 */
#ifndef WN_IO_SANDBOX_H
#define WN_IO_SANDBOX_H

#include <stdbool.h>

/* What is still allowed. The lists end with NULL and may be NULL themselves. */
typedef struct wn_io_sandbox {
    const char *const *readable; /* files and folders with all that is below them */
    const char *const *writable; /* files, or folders in which files may be made and removed */
    const char *const *logged;   /* files, or folders in which they are made, to be written only */
    bool connects;               /* to other machines: sockets, names, certificates */
    bool accepts;                /* connections on sockets that listen already */
} wn_io_sandbox;

/* What the kernel enforces. */
enum {
    WN_IO_SANDBOX_FILES = 1 << 0, /* Landlock */
    WN_IO_SANDBOX_CALLS = 1 << 1, /* seccomp */
    WN_IO_SANDBOX_ALL = WN_IO_SANDBOX_FILES | WN_IO_SANDBOX_CALLS,
};

/*
 * Enters the sandbox. Returns what is enforced from now on, as bits; 0 if the system supports
 * neither mechanism. Names that do not exist are ignored. The system's libraries, fonts and
 * dictionaries stay readable and, with `connects`, the files for name resolution and certificates.
 */
unsigned wn_io_sandbox_enter(const wn_io_sandbox *sandbox);

/* What is missing of what was returned, for messages: "Landlock"; NULL if nothing is. Static. */
const char *wn_io_sandbox_missing(unsigned holds);

#endif
