/*
 * The sandbox of a command: what it still needs when its inputs are known and its outputs are open,
 * collected name by name; io/sandbox.h says what that keeps a bug from.
 *
 *     wn_cli_sandbox box = {0};
 *     wn_cli_sandbox_read_all(&box, names, false);
 *     wn_cli_sandbox_write(&box, s->output);
 *     code = wn_cli_sandbox_enter(&box, s->sandbox);
 */
#ifndef WN_CLI_SANDBOX_H
#define WN_CLI_SANDBOX_H

#include "base/buf.h"
#include "cli/options.h"
#include "serve/settings.h"

/* A member `bool sandbox`. */
#define WN_SANDBOX_OPTION                                                                          \
    WN_FLAG(                                                                                       \
        "sandbox", 0, sandbox,                                                                     \
        "read only the inputs, write only to the folder of the output, start no program; use the " \
        "network only if an input is an address")

/* Of commands that have it by default. Members `bool sandbox, no_sandbox`. */
#define WN_BOXING_OPTIONS                                                                          \
    WN_FLAG("sandbox", 0, sandbox,                                                                 \
            "do not start if the system cannot enforce the sandbox, which is used in any case: "   \
            "no program is started and no file opened but those that are needed"),                 \
        WN_FLAG("no-sandbox", 0, no_sandbox, "go without the sandbox")

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
 * a user who asks for a sandbox does not want to continue without one.
 */
int wn_cli_sandbox_enter(wn_cli_sandbox *box, bool wanted);

/* All of this, for a command that reads inputs and writes one output. */
int wn_cli_sandbox_files(char **inputs, const char *output, bool wanted);

/*
 * What the two options of WN_BOXING_OPTIONS mean; and WN_GO_ON, or an exit code if both are given.
 */
wn_serve_boxing wn_cli_boxing(bool sandbox, bool no_sandbox);
int wn_cli_boxing_check(const wn_command *command, bool sandbox, bool no_sandbox);

/* Says what the sandbox lacks; NULL: nothing. */
void wn_cli_boxing_say(const char *missing);

#endif
