/*
 * The program: finds the command that was asked for and hands over to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "io/message.h"
#include "io/output.h"
#include "winnow.h"

static const wn_command *find_command(const char *name)
{
    for (size_t i = 0; wn_cli_commands[i]; i++) {
        if (strcmp(wn_cli_commands[i]->name, name) == 0)
            return wn_cli_commands[i];
    }
    return NULL;
}

/* What can come after `winnow`, for suggestions. */
static const char *first_word(const void *list, size_t index)
{
    (void)list;
    static const char *const others[] = {"help", "--help", "--version", NULL};
    size_t count = 0;
    while (wn_cli_commands[count])
        count++;
    return index < count ? wn_cli_commands[index]->name : others[index - count];
}

/* ---- Help -------------------------------------------------------------------------------- */

static void print_overview(FILE *out)
{
    wn_cli_print_heading("Usage:", out);
    fputs(" winnow COMMAND [OPTION...] [INPUT...]\n"
          "       winnow [OPTION...] INPUT...      (the same as winnow extract)\n\n"
          "The main content of web pages, and nothing else.\n\n",
          out);
    wn_cli_print_heading("Commands:", out);
    fputc('\n', out);
    for (size_t i = 0; wn_cli_commands[i]; i++)
        fprintf(out, "  %-10s %s\n", wn_cli_commands[i]->name, wn_cli_commands[i]->summary);
    fputs("  help       help on a command: winnow help COMMAND\n\n", out);
    wn_cli_print_heading("Options:", out);
    fputs("\n"
          "  -h, --help     show this help and exit\n"
          "  --version      show the version and exit\n"
          "\n",
          out);
    wn_cli_print_heading("Examples:", out);
    fputs("\n"
          "  winnow page.html\n"
          "  curl -s https://example.org/ | winnow extract -f md\n"
          "  winnow extract -f jsonl -o pages.jsonl crawl/\n",
          out);
}

/* Ends what was printed to standard output; a reader that has gone is not a failure. */
static int finish_stdout(void)
{
    if (fflush(stdout) == 0 || errno == EPIPE)
        return WN_EXIT_OK;
    wn_io_sayf("cannot write to standard output: %s", strerror(errno));
    return WN_EXIT_FAILED;
}

static int unknown_command(const char *name)
{
    wn_buf message = {0};
    wn_buf_add_literal(&message, "unknown command ");
    wn_add_quoted(&message, name);
    const char *near = wn_suggest(name, first_word, NULL);
    if (near)
        wn_buf_add_format(&message, "; did you mean '%s'?", near);
    wn_io_say(&message);
    wn_buf_free(&message);
    wn_io_sayf("try 'winnow --help'");
    return WN_EXIT_USAGE;
}

static bool is_word(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* Help on what the words name: nothing, a command, or a command of a command ("corpus add"). */
static int help(char **words)
{
    while (words[0] && (strcmp(words[0], "help") == 0 || is_word(words[0], "--help", "-h")))
        words++; /* help on help */
    const wn_command *command = words[0] ? find_command(words[0]) : NULL;
    if (words[0] && !command)
        return unknown_command(words[0]);
    if (command) {
        static char asks[] = "--help";
        char *args[] = {words[1] ? words[1] : asks, words[1] ? asks : NULL, NULL};
        return command->run(command, args);
    }
    print_overview(stdout);
    return finish_stdout();
}

/* ---- Start ------------------------------------------------------------------------------- */

/*
 * A descriptor of the three standard ones that is closed would be given to the next
 * file that is opened. It is filled with something that cannot be used instead.
 */
static void hold_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
    }
}

/* Whether a word that names no command is an input or an option of `extract`. The name of a file
 * may be misspelt: `extract` then says that there is no such file. */
static bool is_for_extract(const char *word)
{
    return word[0] == '-' || strpbrk(word, "./") || access(word, F_OK) == 0;
}

/* Where memory ran out something is missing, even if nobody had the memory to say so. */
static int run_command(const wn_command *command, char **args)
{
    int code = command->run(command, args);
    if (code != WN_EXIT_OK || !wn_memory_ran_out())
        return code;
    wn_io_sayf("out of memory: something is missing in the output");
    return WN_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    hold_standard_descriptors();
    wn_io_output_handle_signals();
    if (argc < 2) {
        print_overview(stderr);
        return WN_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (is_word(word, "--help", "-h"))
        return help(argv + argc);
    if (strcmp(word, "help") == 0)
        return help(argv + 2);
    if (is_word(word, "--version", "-V")) {
        printf("winnow %s\n", winnow_version());
        return finish_stdout();
    }
    const wn_command *command = find_command(word);
    if (command)
        return run_command(command, argv + 2);
    return is_for_extract(word) ? run_command(&wn_command_extract, argv + 1)
                                : unknown_command(word);
}
