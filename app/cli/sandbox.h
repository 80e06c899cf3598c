/*
 * The sandbox of a command: what it still needs when its inputs are known and its outputs are open,
 * collected name by name; io/sandbox.h says what that keeps a bug from.
 *
 *     wn_cli_sandbox box = {0};
 *     wn_cli_sandbox_read_all(&box, names);
 *     wn_cli_sandbox_write(&box, s->output);
 *     code = wn_cli_sandbox_enter(&box, s->sandbox);
 */
#ifndef WN_CLI_SANDBOX_H
#define WN_CLI_SANDBOX_H

#include "base/buf.h"
#include "cli/options.h"

/* A member `bool sandbox`. */
#define WN_SANDBOX_OPTION                                                                          \
    WN_FLAG("sandbox", 0, sandbox,                                                                 \
            "read only the inputs, write only beside the output, start no program; use the "       \
            "network only if an input is an address")

typedef struct wn_cli_sandbox {
    wn_buf readable, writable; /* names that end with NUL, one after the other */
    bool connects;
} wn_cli_sandbox;

/* A file or folder that is read; an address needs the network; NULL and "-" need nothing. */
void wn_cli_sandbox_read(wn_cli_sandbox *box, const char *name);

/* All of them; the list ends with NULL. With `around`, also the folders that files are in. */
void wn_cli_sandbox_read_all(wn_cli_sandbox *box, char **names, bool around);

/* A file that is written; others are made in its folder. NULL and "-" need nothing. */
void wn_cli_sandbox_write(wn_cli_sandbox *box, const char *name);

/*
 * Enters the sandbox, if it is `wanted`, and frees the names in any case. WN_GO_ON or an exit code:
 * somebody who wants a sandbox does not want to go on without one.
 */
int wn_cli_sandbox_enter(wn_cli_sandbox *box, bool wanted);

#endif
