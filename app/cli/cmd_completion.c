/*
 * winnow completion: what a shell needs to complete command lines of winnow.
 *
 * The script is written from the tables of the commands, so it knows what they know: names of
 * commands, options and choices. Whatever takes a value without choices is completed as a file.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "io/message.h"
#include "io/output.h"

typedef struct settings {
    int unused; /* the command has operands only */
} settings;

static const wn_option options[] = {
    {.heading = "Help"},
    {0},
};

/* ---- What the tables say ----------------------------------------------------------------- */

/* Calls `visit` for each command that has options: also the commands of commands. */
static void visit_commands(wn_buf *out, void (*visit)(wn_buf *out, const wn_command *command))
{
    for (const wn_command *const *command = wn_cli_commands; *command; command++) {
        if (!(*command)->subcommands)
            visit(out, *command);
        for (const wn_command *const *sub = (*command)->subcommands; sub && *sub; sub++)
            visit(out, *sub);
    }
}

/* The next row of a table that is an option; NULL at its end. */
static const wn_option *next_option(const wn_option *option)
{
    while (option->heading && !option->name)
        option++;
    return option->name ? option : NULL;
}

#define EACH_OPTION(option, command)                                                               \
    const wn_option *option = next_option((command)->options);                                     \
    option;                                                                                        \
    option = next_option(option + 1)

/* The choices of an option, or the names of commands, with spaces between. */
static void add_names(wn_buf *out, wn_name_list names, const void *list)
{
    const char *name;
    for (size_t i = 0; (name = names(list, i)) != NULL; i++)
        wn_buf_add_format(out, "%s%s", i ? " " : "", name);
}

static const char *command_name(const void *list, size_t index)
{
    const wn_command *const *table = list;
    const char *space = table[index] ? strchr(table[index]->name, ' ') : NULL;
    return space ? space + 1 : table[index] ? table[index]->name : NULL;
}

/* Text between single quotes: in none of the shells they can hold one simply. */
static void add_plain(wn_buf *out, const char *text)
{
    for (; *text; text++)
        if (!strchr("'[]:\\\n", *text))
            wn_buf_add_char(out, *text);
}

/* ---- bash -------------------------------------------------------------------------------- */

/* A line for each option that has choices. */
static void add_bash_choices(wn_buf *out, const wn_command *command)
{
    for (EACH_OPTION(option, command)) {
        if (!option->choices || !wn_cli_option_takes_word(option))
            continue;
        wn_buf_add_format(out, "    '%s --%s'", command->name, option->name);
        if (option->letter)
            wn_buf_add_format(out, "|'%s -%c'", command->name, option->letter);
        wn_buf_add_literal(out, ") words='");
        add_names(out, option->choices, NULL);
        wn_buf_add_literal(out, "' ;;\n");
    }
}

/* A line with the names of all options. */
static void add_bash_options(wn_buf *out, const wn_command *command)
{
    wn_buf_add_format(out, "    '%s -'*) words='", command->name);
    for (EACH_OPTION(option, command)) {
        wn_buf_add_format(out, "--%s ", option->name);
        if (option->letter)
            wn_buf_add_format(out, "-%c ", option->letter);
    }
    wn_buf_add_literal(out, "--color --help' ;;\n");
}

static void add_bash_groups(wn_buf *out)
{
    for (const wn_command *const *command = wn_cli_commands; *command; command++) {
        if (!(*command)->subcommands)
            continue;
        wn_buf_add_format(out, "    %s) words='", (*command)->name);
        add_names(out, command_name, (*command)->subcommands);
        wn_buf_add_literal(out, "' ;;\n");
    }
}

static void add_bash(wn_buf *out)
{
    wn_buf_add_literal(out,
                       "# bash completion for winnow, written by: winnow completion bash\n"
                       "_winnow() {\n"
                       "    local current=${COMP_WORDS[COMP_CWORD]} words= command=\n"
                       "    local before=${COMP_WORDS[COMP_CWORD-1]} group= i\n"
                       "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                       "        case ${COMP_WORDS[i]} in\n"
                       "        -*) ;;\n"
                       "        corpus) [ -z \"$command\" ] && group=corpus && command=corpus ;;\n"
                       "        *) if [ -z \"$command\" ]; then command=${COMP_WORDS[i]}\n"
                       "           elif [ \"$command\" = \"$group\" ]; then "
                       "command=\"$group ${COMP_WORDS[i]}\"; fi ;;\n"
                       "        esac\n"
                       "    done\n"
                       "    case $command in\n"
                       "    '') case $current in -*) command=extract ;; *) words='");
    add_names(out, command_name, wn_cli_commands);
    wn_buf_add_literal(out, " help' ;; esac ;;\n");
    add_bash_groups(out);
    wn_buf_add_literal(out, "    esac\n    case \"$command $before\" in\n"
                            "    *' --color') words='auto always never' ;;\n");
    visit_commands(out, add_bash_choices);
    wn_buf_add_literal(out, "    esac\n"
                            "    [ -n \"$words\" ] || case \"$command $current\" in\n");
    visit_commands(out, add_bash_options);
    wn_buf_add_literal(out, "    esac\n"
                            "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                            "}\n"
                            "complete -o default -F _winnow winnow\n");
}

/* ---- zsh --------------------------------------------------------------------------------- */

static void add_zsh_option(wn_buf *out, const wn_option *option, bool with_letter)
{
    wn_buf_add_literal(out, " '");
    if (option->kind == WN_OPTION_LIST)
        wn_buf_add_char(out, '*');
    if (with_letter)
        wn_buf_add_format(out, "-%c", option->letter);
    else
        wn_buf_add_format(out, "--%s", option->name);
    if (option->kind == WN_OPTION_MAYBE)
        wn_buf_add_literal(out, "=-");
    wn_buf_add_char(out, '[');
    add_plain(out, option->help);
    wn_buf_add_literal(out, option->kind == WN_OPTION_MAYBE ? "]:" : "]");
    if (option->choices) {
        wn_buf_add_format(out, ":%s:(", option->argument ? option->argument : option->name);
        add_names(out, option->choices, NULL);
        wn_buf_add_char(out, ')');
    } else if (option->argument) {
        wn_buf_add_format(out, ":%s:_files", option->argument);
    }
    wn_buf_add_literal(out, "'");
}

static void add_zsh_command(wn_buf *out, const wn_command *command)
{
    wn_buf_add_format(out, "    '%s') _arguments", command->name);
    for (EACH_OPTION(option, command)) {
        add_zsh_option(out, option, false);
        if (option->letter)
            add_zsh_option(out, option, true);
    }
    wn_buf_add_literal(out, " '--color[colours at a terminal]:WHEN:(auto always never)'"
                            " '--help[show help]' '*:file:_files' ;;\n");
}

static void add_zsh(wn_buf *out)
{
    wn_buf_add_literal(out, "#compdef winnow\n"
                            "# zsh completion for winnow, written by: winnow completion zsh\n"
                            "_winnow() {\n"
                            "    local command=${words[2]}\n"
                            "    if (( CURRENT == 2 )) && [[ ${words[2]} != -* ]]; then\n"
                            "        compadd -- ");
    add_names(out, command_name, wn_cli_commands);
    wn_buf_add_literal(out, " help; _files; return\n    fi\n    case $command in\n");
    for (const wn_command *const *command = wn_cli_commands; *command; command++) {
        if (!(*command)->subcommands)
            continue;
        wn_buf_add_format(out, "    %s) if (( CURRENT == 3 )); then compadd -- ", (*command)->name);
        add_names(out, command_name, (*command)->subcommands);
        wn_buf_add_literal(out, "; return; fi\n"
                                "        command=\"$command ${words[3]}\"; shift words; "
                                "(( CURRENT-- )) ;;\n");
    }
    wn_buf_add_literal(out, "    esac\n"
                            "    if [[ ${words[2]} == -* ]]; then command=extract\n"
                            "    else shift words; (( CURRENT-- )); fi\n"
                            "    case $command in\n");
    visit_commands(out, add_zsh_command);
    wn_buf_add_literal(out, "    *) _files ;;\n    esac\n}\n_winnow \"$@\"\n");
}

/* ---- fish -------------------------------------------------------------------------------- */

/* The condition under which the options of a command are offered. */
static void add_fish_condition(wn_buf *out, const char *name)
{
    const char *space = strchr(name, ' ');
    if (space)
        wn_buf_add_format(out,
                          "'__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s'",
                          (int)(space - name), name, space + 1);
    else
        wn_buf_add_format(out, "'__fish_seen_subcommand_from %s'", name);
}

static void add_fish_command(wn_buf *out, const wn_command *command)
{
    for (EACH_OPTION(option, command)) {
        wn_buf_add_literal(out, "complete -c winnow -n ");
        add_fish_condition(out, command->name);
        wn_buf_add_format(out, " -l %s", option->name);
        if (option->letter)
            wn_buf_add_format(out, " -s %c", option->letter);
        if (option->choices && wn_cli_option_takes_word(option)) {
            wn_buf_add_literal(out, " -x -a '");
            add_names(out, option->choices, NULL);
            wn_buf_add_char(out, '\'');
        } else if (wn_cli_option_takes_word(option)) {
            wn_buf_add_literal(out, " -r");
        }
        wn_buf_add_literal(out, " -d '");
        add_plain(out, option->help);
        wn_buf_add_literal(out, "'\n");
    }
}

static void add_fish_names(wn_buf *out, const wn_command *const *table, const char *condition)
{
    for (; *table; table++) {
        wn_buf_add_format(out, "complete -c winnow -n '%s' -a %s -d '", condition,
                          command_name(table, 0));
        add_plain(out, (*table)->summary);
        wn_buf_add_literal(out, "'\n");
    }
}

static void add_fish(wn_buf *out)
{
    wn_buf_add_literal(out, "# fish completion for winnow, written by: winnow completion fish\n"
                            "complete -c winnow -l color -x -a 'auto always never' "
                            "-d 'colours at a terminal'\n");
    add_fish_names(out, wn_cli_commands, "__fish_use_subcommand");
    for (const wn_command *const *command = wn_cli_commands; *command; command++) {
        if (!(*command)->subcommands)
            continue;
        wn_buf condition = {0};
        wn_buf_add_format(&condition, "__fish_seen_subcommand_from %s", (*command)->name);
        add_fish_names(out, (*command)->subcommands, wn_buf_c_string(&condition));
        wn_buf_free(&condition);
    }
    visit_commands(out, add_fish_command);
}

/* ---- The command ------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*add)(wn_buf *out);
} shells[] = {{"bash", add_bash}, {"zsh", add_zsh}, {"fish", add_fish}};

static int print(const wn_buf *script)
{
    wn_io_output output;
    wn_io_output_open(&output, NULL, false);
    wn_io_output_add(&output, wn_buf_str(script));
    bool written = wn_io_output_finish(&output);
    if (!written)
        wn_io_say(&output.error);
    wn_io_output_free(&output);
    return written ? WN_EXIT_OK : WN_EXIT_FAILED;
}

static int run_completion(const wn_command *command, char **args)
{
    settings s = {0};
    int code = wn_cli_options_parse(command, args, &s);
    if (code != WN_GO_ON)
        return code;
    for (size_t i = 0; args[0] && !args[1] && i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(args[0], shells[i].name) != 0)
            continue;
        wn_buf script = {0};
        shells[i].add(&script);
        code = print(&script);
        wn_buf_free(&script);
        return code;
    }
    return wn_cli_wrong_usage(command, "name one shell: bash, zsh or fish");
}

const wn_command wn_command_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .summary = "a script that lets the shell complete command lines of winnow",
    .about = "Prints a script for bash, zsh or fish that completes the names of commands,\n"
             "options and choices. 'make install' puts all three where these shells look\n"
             "for them.",
    .notes = "Exit status: 0 success; 1 it could not be written; 2 wrong usage.\n\n"
             "Examples:\n"
             "  . <(winnow completion bash)\n"
             "  winnow completion fish > ~/.config/fish/completions/winnow.fish",
    .options = options,
    .run = run_completion,
};
