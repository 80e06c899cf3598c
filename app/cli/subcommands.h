/*
 * Commands of commands: `winnow corpus add`, `winnow corpus search`, …
 *
 * Each is a wn_command like any other, with both words in its name, in a file of its own; the group
 * has a table of them.
 */
#ifndef WN_CLI_SUBCOMMANDS_H
#define WN_CLI_SUBCOMMANDS_H

#include "cli/options.h"

/*
 * Runs the one that args[0] names, with the words after it. `table` ends with NULL. Prints an
 * overview when help is asked for; says what is wrong when there is none of that name.
 */
int wn_cli_run_subcommand(const wn_command *group, const wn_command *const *table, char **args);

#endif
