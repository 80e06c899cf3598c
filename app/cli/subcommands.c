#include "cli/subcommands.h"

#include <errno.h>
#include <string.h>

#include "io/message.h"

/* The second word of "corpus add". */
static const char *own_name(const wn_command *command)
{
    return strchr(command->name, ' ') + 1;
}

static const char *name_at(const void *list, size_t index)
{
    const wn_command *const *table = list;
    return table[index] ? own_name(table[index]) : NULL;
}

static int print_overview(const wn_command *group, const wn_command *const *table, FILE *out)
{
    wn_cli_print_heading("Usage:", out);
    fprintf(out, " winnow %s %s\n\n%s\n\n", group->name, group->operands, group->about);
    wn_cli_print_heading("Commands:", out);
    fputc('\n', out);
    for (size_t i = 0; table[i]; i++)
        fprintf(out, "  %-10s %s\n", own_name(table[i]), table[i]->summary);
    fprintf(out,
            "\n"
            "'winnow %s COMMAND --help' describes each.\n"
            "\n"
            "%s\n",
            group->name, group->notes);
    return fflush(out) == 0 || errno == EPIPE ? WN_EXIT_OK : WN_EXIT_FAILED;
}

static int unknown(const wn_command *group, const wn_command *const *table, const char *word)
{
    wn_buf message = {0};
    wn_buf_add_format(&message, "unknown command of '%s': ", group->name);
    wn_add_quoted(&message, word);
    const char *near = wn_suggest(word, name_at, table);
    if (near)
        wn_buf_add_format(&message, "; did you mean '%s'?", near);
    wn_io_say(&message);
    wn_buf_free(&message);
    wn_io_sayf("try 'winnow %s --help'", group->name);
    return WN_EXIT_USAGE;
}

int wn_cli_run_subcommand(const wn_command *group, const wn_command *const *table, char **args)
{
    const char *word = args[0];
    if (!word) {
        print_overview(group, table, stderr);
        return WN_EXIT_USAGE;
    }
    bool is_help = strcmp(word, "help") == 0;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (is_help && !args[1]))
        return print_overview(group, table, stdout);
    static char help_option[] = "--help";
    char *help_args[] = {args[1], help_option, NULL}; /* "help add" is "add --help" */
    if (is_help)
        args = help_args, word = args[0];
    for (size_t i = 0; table[i]; i++) {
        if (strcmp(own_name(table[i]), word) == 0)
            return table[i]->run(table[i], args + 1);
    }
    return unknown(group, table, word);
}
