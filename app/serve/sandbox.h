/*
 * What the server and winnow mcp may still do once they have started; io/sandbox.h says how.
 *
 *     what                      rights
 *     ----                      ------
 *     system's libraries, fonts read
 *     store                     read and write its files, as SQLite needs it to read along with writers;
 *                               if it is alone in its folder, that folder, so that it can be replaced
 *     folders of --allow        read
 *     folder of the log         make and write files, for SIGHUP
 *     network                   accept connections; make some only for --fetch or a remote store
 *
 * The files beside an SQLite store go away when the last process closes it, and could not be made
 * again. So one connection stays open as long as the program runs.
 */
#ifndef WN_SERVE_SANDBOX_H
#define WN_SERVE_SANDBOX_H

#include "corpus/store.h"
#include "serve/settings.h"

/* Zero it before the first use. */
typedef struct wn_serve_sandbox {
    const char *const *folders; /* to be read */
    size_t folder_count;
    bool accepts; /* connections */
    const char
        *missing; /* what the kernel lacks; NULL: nothing, or no sandbox was wanted. Static */
    wn_store *store;
} wn_serve_sandbox;

/*
 * Enters the sandbox, according to the settings; call it before threads are started. False, with
 * the reason in `error`, if a sandbox is required but not available.
 */
bool wn_serve_sandbox_enter(wn_serve_sandbox *sandbox, const wn_serve_settings *settings,
                            wn_buf *error);

/* Closes the store. There is no way out of the sandbox. */
void wn_serve_sandbox_free(wn_serve_sandbox *sandbox);

#endif
