#include "cli/commands.h"

const wn_command *const wn_cli_commands[] = {
    &wn_command_extract, &wn_command_eval,    &wn_command_words,      &wn_command_cloud,
    &wn_command_corpus,  &wn_command_segment, &wn_command_warc,       &wn_command_fetch,
    &wn_command_serve,   &wn_command_mcp,     &wn_command_completion, NULL,
};
