/*
 * The commands. A new one is a file cmd_*.c, a line here and a line in the table of commands.c.
 */
#ifndef WN_CLI_COMMANDS_H
#define WN_CLI_COMMANDS_H

#include "cli/options.h"

extern const wn_command wn_command_cloud;
extern const wn_command wn_command_completion;
extern const wn_command wn_command_corpus;
extern const wn_command wn_command_eval;
extern const wn_command wn_command_extract;
extern const wn_command wn_command_segment;
extern const wn_command wn_command_serve;
extern const wn_command wn_command_fetch;
extern const wn_command wn_command_mcp;
extern const wn_command wn_command_warc;
extern const wn_command wn_command_words;

/* All of them, in the order of the help; ends with NULL. */
extern const wn_command *const wn_cli_commands[];

#endif
