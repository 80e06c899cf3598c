#include "cli/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/color.h"
#include "io/message.h"

/* Help fits a terminal of 80 columns; the text about an option begins at this column. */
enum { HELP_WIDTH = 80, HELP_COLUMN = 26 };

/* The longest time limit that makes sense, and fits into milliseconds anywhere: a day. */
static const double MAX_SECONDS = 86400;

const wn_option wn_cli_common_options[] = {
    {.name = "color",
     .argument = "WHEN",
     .help = "colours at a terminal (default: auto, which NO_COLOR turns off)",
     .kind = WN_OPTION_CHOICE,
     .choices = wn_io_color_name},
    {.name = "help", .letter = 'h', .help = "show this help and exit"},
    {0},
};

/* ---- Saying what is wrong ---------------------------------------------------------------- */

static int end_wrong_usage(const wn_command *command, wn_buf *message)
{
    wn_io_say(message);
    wn_buf_free(message);
    wn_io_sayf("try 'winnow %s --help'", command->name);
    return WN_EXIT_USAGE;
}

int wn_cli_wrong_usage(const wn_command *command, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wn_buf message = {0};
    wn_buf_add_literal(&message, text);
    return end_wrong_usage(command, &message);
}

int wn_cli_wrong_value(const wn_command *command, const char *text, const char *value)
{
    size_t place = wn_str_find(wn_str_of(text), WN_STR("%s"));
    wn_buf message = {0};
    wn_buf_add(&message, wn_str_from(text, place));
    wn_add_quoted(&message, value);
    wn_buf_add(&message, wn_str_from_offset(wn_str_of(text), place + strlen("%s")));
    return end_wrong_usage(command, &message);
}

/* The names of a command's options, the common ones included, without the headings between them. */
static const char *long_name(const void *list, size_t index)
{
    const wn_option *option = list;
    for (; option->name || option->heading; option++) {
        if (option->name && index-- == 0)
            return option->name;
    }
    return index < sizeof wn_cli_common_options / sizeof *wn_cli_common_options
               ? wn_cli_common_options[index].name
               : NULL;
}

static int unknown_option(const wn_command *command, const char *shown, const char *name)
{
    wn_buf message = {0};
    wn_buf_add_literal(&message, "unknown option ");
    wn_add_quoted(&message, shown);
    const char *near = name ? wn_suggest(name, long_name, command->options) : NULL;
    if (near)
        wn_buf_add_format(&message, "; did you mean '--%s'?", near);
    return end_wrong_usage(command, &message);
}

/* "wrong value 'x' for --jobs; expected …" */
static int wrong_value(const wn_command *command, const wn_option *option, const char *value,
                       wn_buf *allowed)
{
    wn_buf message = {0};
    wn_buf_add_literal(&message, "wrong value ");
    wn_add_quoted(&message, value);
    wn_buf_add_format(&message, " for --%s; expected ", option->name);
    wn_buf_add(&message, wn_buf_str(allowed));
    wn_buf_free(allowed);
    return end_wrong_usage(command, &message);
}

/* ---- Values ------------------------------------------------------------------------------ */

/* Digits and nothing else; false also when the number does not fit. */
static bool read_digits(const char **text, uint64_t *number)
{
    const char *p = *text;
    *number = 0;
    for (; wn_is_ascii_digit(*p); p++) {
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*p - '0'), number))
            return false;
    }
    bool any = p > *text;
    *text = p;
    return any;
}

/* K, M or G (or KB, KiB, …) as powers of 1024; false when something else follows the digits. */
static bool apply_unit(const char *unit, uint64_t *number)
{
    static const char letters[] = "kmg";
    if (*unit == '\0' || strcasecmp(unit, "B") == 0)
        return true;
    const char *letter = strchr(letters, wn_ascii_lower(*unit));
    const char *rest = unit + 1;
    if (!letter || (*rest && strcasecmp(rest, "B") != 0 && strcasecmp(rest, "iB") != 0))
        return false;
    for (const char *l = letters; l <= letter; l++) {
        if (__builtin_mul_overflow(*number, 1024, number))
            return false;
    }
    return true;
}

static int set_number(const wn_command *command, const wn_option *option, const char *value,
                      uint64_t *target)
{
    const char *rest = value;
    uint64_t number;
    bool is_size = option->kind == WN_OPTION_SIZE;
    bool valid = read_digits(&rest, &number) && (is_size ? apply_unit(rest, &number) : *rest == 0);
    uint64_t max = option->max ? option->max : UINT64_MAX;
    if (valid && number >= option->min && number <= max) {
        *target = number;
        return WN_GO_ON;
    }
    wn_buf allowed = {0};
    wn_buf_add_literal(&allowed,
                       is_size ? "a size such as 1000, 500K, 64M or 2G" : "a whole number");
    if (option->max)
        wn_buf_add_format(&allowed, " from %" PRIu64 " to %" PRIu64, option->min, option->max);
    else if (option->min)
        wn_buf_add_format(&allowed, ", at least %" PRIu64, option->min);
    return wrong_value(command, option, value, &allowed);
}

static int set_seconds(const wn_command *command, const wn_option *option, const char *value,
                       double *target)
{
    char *end;
    double seconds = strtod(value, &end);
    bool is_number = wn_is_ascii_digit(*value) || *value == '.';
    if (is_number && end > value && *end == '\0' && seconds > 0 && seconds <= MAX_SECONDS) {
        *target = seconds;
        return WN_GO_ON;
    }
    wn_buf allowed = {0};
    wn_buf_add_format(&allowed, "a number of seconds above 0, at most %.0f", MAX_SECONDS);
    return wrong_value(command, option, value, &allowed);
}

static void add_choices(wn_buf *out, const wn_option *option)
{
    const char *name;
    for (size_t i = 0; (name = option->choices(NULL, i)) != NULL; i++)
        wn_buf_add_format(out, "%s%s", i ? ", " : "", name);
}

static int set_choice(const wn_command *command, const wn_option *option, const char *value,
                      size_t *target)
{
    const char *name;
    for (size_t i = 0; (name = option->choices(NULL, i)) != NULL; i++) {
        if (strcmp(name, value) == 0 ||
            (option->aliases && strcmp(option->aliases(NULL, i), value) == 0)) {
            *target = i;
            return WN_GO_ON;
        }
    }
    wn_buf message = {0};
    wn_buf_add_literal(&message, "wrong value ");
    wn_add_quoted(&message, value);
    wn_buf_add_format(&message, " for --%s", option->name);
    const char *near = wn_suggest(value, option->choices, NULL);
    if (near)
        wn_buf_add_format(&message, "; did you mean '%s'?", near);
    wn_buf_add_literal(&message, near ? " Choose from: " : "; choose from: ");
    add_choices(&message, option);
    return end_wrong_usage(command, &message);
}

/* --name without a value is the first choice. */
static int set_maybe(const wn_command *command, const wn_option *option, const char *value,
                     size_t *target)
{
    size_t choice = 0;
    int code = value ? set_choice(command, option, value, &choice) : WN_GO_ON;
    if (code == WN_GO_ON)
        *target = choice + 1;
    return code;
}

static int add_to_list(const wn_command *command, const wn_option *option, const char *value,
                       wn_option_list *list)
{
    if (list->count == WN_OPTION_LIST_MAX - 1) /* the last item stays NULL */
        return wn_cli_wrong_usage(command, "--%s can be given at most %d times", option->name,
                                  WN_OPTION_LIST_MAX - 1);
    list->items[list->count++] = value;
    return WN_GO_ON;
}

static int set_value(const wn_command *command, const wn_option *option, const char *value,
                     void *values)
{
    void *target = (char *)values + option->offset;
    switch (option->kind) {
    case WN_OPTION_FLAG:
        *(bool *)target = true;
        return WN_GO_ON;
    case WN_OPTION_TEXT:
        *(const char **)target = value;
        return WN_GO_ON;
    case WN_OPTION_NUMBER:
    case WN_OPTION_SIZE:
        return set_number(command, option, value, target);
    case WN_OPTION_SECONDS:
        return set_seconds(command, option, value, target);
    case WN_OPTION_CHOICE:
        return set_choice(command, option, value, target);
    case WN_OPTION_MAYBE:
        return set_maybe(command, option, value, target);
    case WN_OPTION_LIST:
        return add_to_list(command, option, value, target);
    }
    return WN_EXIT_USAGE;
}

/* ---- The parser -------------------------------------------------------------------------- */

static const wn_option *find_in(const wn_option *option, wn_str name)
{
    for (; option->name || option->heading; option++) {
        if (option->name && wn_str_eq(wn_str_of(option->name), name))
            return option;
    }
    return NULL;
}

static bool is_common(const wn_option *option)
{
    return option >= wn_cli_common_options &&
           option <
               wn_cli_common_options + sizeof wn_cli_common_options / sizeof *wn_cli_common_options;
}

static const wn_option *find_long(const wn_command *command, wn_str name)
{
    const wn_option *own = find_in(command->options, name);
    return own ? own : find_in(wn_cli_common_options, name);
}

static const wn_option *find_short(const wn_command *command, char letter)
{
    for (const wn_option *option = command->options; option->name || option->heading; option++) {
        if (option->name && option->letter == letter)
            return option;
    }
    return NULL;
}

static int print_help(const wn_command *command)
{
    wn_cli_command_help(command, stdout);
    return fflush(stdout) == 0 || errno == EPIPE ? WN_EXIT_OK : WN_EXIT_FAILED;
}

static int missing_value(const wn_command *command, const wn_option *option)
{
    return wn_cli_wrong_usage(command, "--%s needs a value: --%s %s", option->name, option->name,
                              option->argument);
}

/* --color and --help: no command has a place for their values. */
static int set_common(const wn_command *command, const wn_option *option, const char *value)
{
    size_t when = WN_IO_COLOR_AUTO;
    if (option->kind != WN_OPTION_CHOICE)
        return print_help(command);
    int code = set_choice(command, option, value, &when);
    if (code == WN_GO_ON)
        wn_io_color_choose((wn_io_color)when);
    return code;
}

/* The name of a long option without its value, for messages: "--fromat" of "--fromat=md". */
static int unknown_long(const wn_command *command, wn_str name)
{
    wn_buf shown = {0}, bare = {0};
    wn_buf_add_literal(&shown, "--");
    wn_buf_add(&shown, name);
    wn_buf_add(&bare, name);
    int code = unknown_option(command, wn_buf_c_string(&shown), wn_buf_c_string(&bare));
    wn_buf_free(&shown);
    wn_buf_free(&bare);
    return code;
}

/* Reads the long option *word; moves *word to its value if that is a word of its own. */
static int parse_long(const wn_command *command, char ***word, void *values)
{
    const char *text = **word + 2;
    const char *equals = strchr(text, '=');
    wn_str name = equals ? wn_str_between(text, equals) : wn_str_of(text);
    const wn_option *option = find_long(command, name);
    if (!option)
        return unknown_long(command, name);
    if (option->kind == WN_OPTION_FLAG && equals)
        return wn_cli_wrong_usage(command, "--%s takes no value", option->name);
    const char *value = equals ? equals + 1 : NULL;
    if (!equals && wn_cli_option_takes_word(option)) {
        if (!(*word)[1])
            return missing_value(command, option);
        value = *++*word;
    }
    return is_common(option) ? set_common(command, option, value)
                             : set_value(command, option, value, values);
}

/* Reads a word of short options: flags, and perhaps one option with a value at its end. */
static int parse_short(const wn_command *command, char ***word, void *values)
{
    for (const char *letter = **word + 1; *letter; letter++) {
        const wn_option *option = find_short(command, *letter);
        if (!option && *letter == 'h')
            return print_help(command);
        if (!option) {
            /* "-format" is more often a long option with one dash than six short ones. */
            bool first = letter == **word + 1;
            char shown[3] = {'-', *letter, '\0'};
            return unknown_option(command, first ? **word : shown, first ? letter : NULL);
        }
        bool takes_word = wn_cli_option_takes_word(option);
        const char *value = letter[1] ? letter + 1 : (*word)[1];
        if (takes_word && !value)
            return missing_value(command, option);
        int code = set_value(command, option, takes_word ? value : NULL, values);
        if (code != WN_GO_ON)
            return code;
        if (!takes_word)
            continue;
        if (!letter[1])
            ++*word;
        break;
    }
    return WN_GO_ON;
}

int wn_cli_options_parse(const wn_command *command, char **args, void *values)
{
    char **operands = args;
    bool options_ended = false;
    for (char **word = args; *word; word++) {
        int code = WN_GO_ON;
        if (options_ended || (*word)[0] != '-' || (*word)[1] == '\0')
            *operands++ = *word;
        else if (strcmp(*word, "--") == 0)
            options_ended = true;
        else if ((*word)[1] == '-')
            code = parse_long(command, &word, values);
        else
            code = parse_short(command, &word, values);
        if (code != WN_GO_ON)
            return code;
    }
    *operands = NULL;
    return WN_GO_ON;
}

/* ---- Help -------------------------------------------------------------------------------- */

void wn_cli_print_heading(const char *title, FILE *out)
{
    bool colored = wn_io_color_at(fileno(out));
    fprintf(out, "%s%s%s", colored ? WN_IO_BOLD : "", title, colored ? WN_IO_PLAIN : "");
}

/* Prints `text` from column `at` on, broken between words, further lines indented to `indent`. */
static void print_wrapped(FILE *out, const char *text, size_t at, size_t indent)
{
    while (*text) {
        size_t word = strcspn(text, " ");
        if (at > indent && at + 1 + word > HELP_WIDTH) {
            fputc('\n', out);
            at = 0;
        }
        if (at < indent) {
            fprintf(out, "%*s", (int)(indent - at), "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        fwrite(text, 1, word, out);
        at += word;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void print_choices(const wn_option *option, FILE *out)
{
    if (!option->summaries) {
        wn_buf names = {0};
        wn_buf_add_literal(&names, "one of: ");
        add_choices(&names, option);
        print_wrapped(out, wn_buf_c_string(&names), 0, HELP_COLUMN);
        wn_buf_free(&names);
        return;
    }
    const char *name;
    for (size_t i = 0; (name = option->choices(NULL, i)) != NULL; i++) {
        int width = fprintf(out, "%*s%-10s", HELP_COLUMN + 2, "", name);
        print_wrapped(out, option->summaries(NULL, i), (size_t)width, HELP_COLUMN + 12);
    }
}

static void print_option(const wn_option *option, FILE *out)
{
    char left[64];
    char letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    bool maybe = option->kind == WN_OPTION_MAYBE;
    snprintf(left, sizeof left, "  %s--%s%s%s%s", letter, option->name,
             maybe              ? "[="
             : option->argument ? " "
                                : "",
             option->argument ? option->argument : "", maybe ? "]" : "");
    size_t width = strlen(left);
    fputs(left, out);
    if (width + 2 > HELP_COLUMN) {
        fputc('\n', out);
        width = 0;
    }
    print_wrapped(out, option->help, width, HELP_COLUMN);
    if (option->choices)
        print_choices(option, out);
}

/* Notes have titles of their own, which begin a line: "Examples:", "Exit status: 0 …". */
static void print_notes(const char *notes, FILE *out)
{
    static const char *const titles[] = {"Examples:", "Exit status:"};
    while (*notes) {
        size_t line = strcspn(notes, "\n");
        size_t title = 0;
        for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
            if (strncmp(notes, titles[i], strlen(titles[i])) == 0) {
                title = strlen(titles[i]);
                wn_cli_print_heading(titles[i], out);
            }
        }
        fprintf(out, "%.*s\n", (int)(line - title), notes + title);
        notes += line + (notes[line] == '\n');
    }
}

void wn_cli_command_help(const wn_command *command, FILE *out)
{
    wn_cli_print_heading("Usage:", out);
    fprintf(out, " winnow %s [OPTION...]%s%s\n\n", command->name, *command->operands ? " " : "",
            command->operands);
    fprintf(out, "%s\n", command->about);
    for (const wn_option *option = command->options; option->name || option->heading; option++) {
        if (option->heading) {
            fputc('\n', out);
            wn_cli_print_heading(option->heading, out);
            fputs(":\n", out);
        } else {
            print_option(option, out);
        }
    }
    for (const wn_option *option = wn_cli_common_options; option->name; option++)
        print_option(option, out);
    fputc('\n', out);
    print_notes(command->notes, out);
}
