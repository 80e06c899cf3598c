/*
 * The command line: each command is described by tables, and one parser and one
 * help printer read them.
 *
 * A command fills a struct of its own with its defaults and hands it to
 * wn_cli_options_parse(); each option names the member it sets by its offset:
 *
 *     static const wn_option options[] = {
 *         {.heading = "Output"},
 *         WN_VALUE(CHOICE, "format", 'f', "FORMAT", format, "form of the text",
 *                  .choices = format_name),
 *         WN_FLAG("quiet", 'q', quiet, "only errors"),
 *         {0},
 *     };
 *
 * Understood are --name value, --name=value, -n value, -nvalue, grouped flags
 * (-qj4) and "--", after which everything is an input. Options and inputs may
 * be in any order. Of an option that is given twice the last one counts,
 * unless it is a list. --help and --color belong to every command.
 */
#ifndef WN_CLI_OPTIONS_H
#define WN_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/suggest.h"

/* What an option's value is, and the type of the member that holds it. */
typedef enum wn_option_kind {
    WN_OPTION_FLAG,    /* bool: set to true; takes no value */
    WN_OPTION_TEXT,    /* const char *: a word of argv */
    WN_OPTION_NUMBER,  /* uint64_t */
    WN_OPTION_SIZE,    /* uint64_t: bytes; 10K, 64M and 2G are understood */
    WN_OPTION_SECONDS, /* double: above 0 */
    WN_OPTION_CHOICE,  /* size_t: the index in `choices` */
    WN_OPTION_MAYBE, /* size_t: 0, or the index in `choices` plus 1; --name means the first one, and
                        * a value needs "=": --name=value */
    WN_OPTION_LIST,  /* wn_option_list: words of argv; each use of the option adds one */
} wn_option_kind;

enum { WN_OPTION_LIST_MAX = 64 };

typedef struct wn_option_list {
    const char *items[WN_OPTION_LIST_MAX];
    size_t count;
} wn_option_list;

typedef struct wn_option {
    const char *name; /* without the dashes */
    char letter;      /* 0: it has no short form */
    const char *argument;
    const char *help;
    wn_option_kind kind;
    size_t offset;
    uint64_t min, max;      /* of a number or size; max 0: no bound */
    wn_name_list choices;   /* of a choice; of a text: what the help lists */
    wn_name_list aliases;   /* of a choice: other names of it, "" if there is none; may be NULL */
    wn_name_list summaries; /* one line on each choice; may be NULL */
    const char *heading;    /* not an option: a title for those that follow */
} wn_option;

/* Rows of a table; the struct of the command's values is called `settings` there. */
#define WN_FLAG(long_name, short_name, member, text_)                                              \
    {                                                                                              \
        .name = (long_name), .letter = (short_name), .help = (text_), .kind = WN_OPTION_FLAG,      \
        .offset = offsetof(settings, member)                                                       \
    }
#define WN_VALUE(kind_, long_name, short_name, argument_, member, text_, ...)                      \
    {                                                                                              \
        .name = (long_name), .letter = (short_name), .argument = (argument_), .help = (text_),     \
        .kind = WN_OPTION_##kind_, .offset = offsetof(settings, member), __VA_ARGS__               \
    }

/* A member `const char *output`; NULL: standard output. */
#define WN_OUTPUT_OPTION                                                                           \
    WN_VALUE(TEXT, "output", 'o', "FILE", output,                                                  \
             "write to FILE, which appears when it is complete; - is standard output")

/* Of commands that write what pages hold. */
#define WN_RAW_OPTION                                                                              \
    WN_FLAG("raw", 0, raw,                                                                         \
            "write control characters unchanged even to a terminal, as to files and pipes")

/* The options that every command has: --color and --help. End with {0}. */
extern const wn_option wn_cli_common_options[];

/* Whether an option takes the next word as its value. */
static inline bool wn_cli_option_takes_word(const wn_option *option)
{
    return option->kind != WN_OPTION_FLAG && option->kind != WN_OPTION_MAYBE;
}

/* Prints the title of a part of the help. */
void wn_cli_print_heading(const char *title, FILE *out);

#define WN_CSV_SAFE_OPTION                                                                         \
    WN_FLAG("csv-safe", 0, csv_safe,                                                               \
            "csv: put ' before fields that a spreadsheet would take for a formula")

typedef struct wn_command {
    const char *name;
    const char *operands;                        /* for the usage line: "[INPUT...]" */
    const char *summary;                         /* one line */
    const char *about;                           /* paragraphs above the options */
    const char *notes;                           /* paragraphs below them: examples, exit status */
    const wn_option *options;                    /* ends with {0} */
    const struct wn_command *const *subcommands; /* commands of this one; ends with NULL, or NULL */
    int (*run)(const struct wn_command *command, char **args);
} wn_command;

/* wn_cli_options_parse() found nothing that ends the program. */
enum { WN_GO_ON = -1 };

/*
 * Reads `args`, the words after the command's name, which end with NULL. What is
 * no option is moved to the front of `args` and ended with NULL. Returns WN_GO_ON,
 * or the exit code when help was printed or, after a message, something was wrong.
 */
int wn_cli_options_parse(const wn_command *command, char **args, void *values);

/* Prints what `winnow COMMAND --help` shows. */
void wn_cli_command_help(const wn_command *command, FILE *out);

/* Says that the use of a command is wrong; returns the exit code. */
int wn_cli_wrong_usage(const wn_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of a value that was given: it is, quoted, where `text` has its %s. */
int wn_cli_wrong_value(const wn_command *command, const char *text, const char *value);

#endif
