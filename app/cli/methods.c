#include "cli/methods.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"
#include "io/message.h"

/* ---- Names ------------------------------------------------------------------------------- */

const char *wn_cli_method_name(const void *list, size_t index)
{
    (void)list;
    return winnow_method_name(index);
}

const char *wn_cli_method_summary(const void *list, size_t index)
{
    (void)list;
    return winnow_method_summary(index);
}

static const char *param_name(const void *list, size_t index)
{
    const wn_param *params = list;
    return params ? params[index].name : NULL;
}

static const char *choice_name(const void *list, size_t index)
{
    const wn_param *param = list;
    return param->choices ? param->choices[index] : NULL;
}

/* ---- What is wrong ----------------------------------------------------------------------- */

static void add_suggestion(wn_buf *message, const char *word, wn_name_list names, const void *list)
{
    const char *near = wn_suggest(word, names, list);
    if (near)
        wn_buf_add_format(message, "; did you mean '%s'?", near);
    wn_buf_add_literal(message, near ? " Known are: " : "; known are: ");
    const char *name;
    for (size_t i = 0; (name = names(list, i)) != NULL; i++)
        wn_buf_add_format(message, "%s%s", i ? ", " : "", name);
}

static void add_bad_value(wn_buf *message, const wn_param *param, const char *word)
{
    wn_buf_add_literal(message, "wrong value ");
    wn_add_quoted(message, word);
    wn_buf_add_format(message, " for the parameter %s", param->name);
    const char *near = param->choices ? wn_suggest(word, choice_name, param) : NULL;
    if (near)
        wn_buf_add_format(message, "; did you mean '%s'?", near);
    wn_buf_add_literal(message, near ? " Allowed is " : "; allowed is ");
    wn_param_add_values(param, message);
}

void wn_cli_add_method_problem(wn_buf *message, wn_request_error error,
                               const wn_request_problem *problem)
{
    wn_buf word = {0};
    wn_buf_add(&word, problem->word);
    const char *shown = wn_buf_c_string(&word);
    if (error == WN_UNKNOWN_METHOD) {
        wn_buf_add_literal(message, "unknown method ");
        wn_add_quoted(message, shown);
        add_suggestion(message, shown, wn_cli_method_name, NULL);
    } else if (error == WN_BAD_VALUE) {
        add_bad_value(message, problem->param, shown);
    } else {
        wn_buf_add_format(message, "the method %s has no parameter ", problem->method->name);
        wn_add_quoted(message, shown);
        if (problem->method->params)
            add_suggestion(message, shown, param_name, problem->method->params);
    }
    wn_buf_free(&word);
}

static int say_problem(const wn_command *command, wn_request_error error,
                       const wn_request_problem *problem)
{
    wn_buf message = {0};
    wn_cli_add_method_problem(&message, error, problem);
    int code = wn_wrong_usage(command, "%s", wn_buf_c_string(&message));
    wn_buf_free(&message);
    return code;
}

/* ---- The list ---------------------------------------------------------------------------- */

static void print_method(const wn_method *method)
{
    printf("%s: %s\n", method->name, method->summary);
    for (const wn_param *param = method->params; param && param->name; param++) {
        wn_buf values = {0}, fallback = {0};
        wn_param_add_values(param, &values);
        wn_param_add_default(param, &fallback);
        printf("  %-12s %s\n  %-12s %s (default: %s)\n", param->name, param->help, "",
               wn_buf_c_string(&values), wn_buf_c_string(&fallback));
        wn_buf_free(&values);
        wn_buf_free(&fallback);
    }
}

static int print_methods(void)
{
    for (const wn_method *method = wn_methods; method->name; method++)
        print_method(method);
    return fflush(stdout) == 0 || errno == EPIPE ? WN_EXIT_OK : WN_EXIT_FAILED;
}

/* ---- The request ------------------------------------------------------------------------- */

static void add_param(wn_buf *request, bool *has_params, const char *name, const char *value)
{
    if (!value)
        return;
    wn_buf_add_char(request, *has_params ? ',' : ':');
    wn_buf_add_format(request, "%s%s%s", name, *name ? "=" : "", value);
    *has_params = true;
}

static bool has_param(const wn_method *method, const char *name)
{
    for (const wn_param *param = method->params; param && param->name; param++)
        if (strcmp(param->name, name) == 0)
            return true;
    return false;
}

/* Says that an option belongs to other methods; returns the exit code. */
static int wrong_option(const wn_command *command, const char *option, const char *param,
                        const wn_method *method)
{
    wn_buf others = {0};
    for (const wn_method *other = wn_methods; other->name; other++)
        if (has_param(other, param))
            wn_buf_add_format(&others, "%s%s", others.len ? ", " : "", other->name);
    int code = wn_wrong_usage(command, "--%s is not for the method %s but for: %s", option,
                              method->name, wn_buf_c_string(&others));
    wn_buf_free(&others);
    return code;
}

/* Adds the options that are parameters under a name of their own; WN_GO_ON or an exit code. */
static int add_options(const wn_command *command, const wn_method_settings *s, const char *name,
                       wn_buf *request, bool *has_params)
{
    const struct {
        const char *option, *param, *value;
    } given[] = {
        {"rule", "rule", s->rule},
        {"thresholds", "thresholds", s->thresholds},
        {"search", "search", s->search},
        {"importance", "importance", s->importance},
        {"blocks", "blocks", s->blocks},
        {"keep-form", "keep_form", s->keep_form ? "yes" : NULL},
        {"precision", "lean", s->precision ? "precision" : NULL},
        {"recall", "lean", s->recall ? "recall" : NULL},
        {"no-comments", "comments", s->no_comments ? "no" : NULL},
    };
    const wn_method *method = wn_method_find(wn_str_from(name, strcspn(name, ":")));
    if (s->precision && s->recall)
        return wn_wrong_usage(command, "--precision and --recall exclude each other");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (given[i].value && method && !has_param(method, given[i].param))
            return wrong_option(command, given[i].option, given[i].param, method);
        add_param(request, has_params, given[i].param, given[i].value);
    }
    return WN_GO_ON;
}

int wn_cli_method(const wn_command *command, const wn_method_settings *s, wn_buf *request)
{
    if (s->method && strcmp(s->method, "help") == 0)
        return print_methods();
    winnow_options defaults;
    winnow_options_init(&defaults);
    const char *method = s->method ? s->method : defaults.method;
    bool has_params = strchr(method, ':') != NULL;
    wn_buf_add_literal(request, method);
    int code = add_options(command, s, method, request, &has_params);
    if (code != WN_GO_ON)
        return code;
    for (size_t i = 0; i < s->params.count; i++)
        add_param(request, &has_params, "", s->params.items[i]);

    wn_request parsed;
    wn_request_problem problem;
    wn_request_error error = wn_request_parse(&parsed, wn_str_of(wn_buf_c_string(request)),
                                              &problem);
    return error ? say_problem(command, error, &problem) : WN_GO_ON;
}

int wn_cli_method_words(const wn_command *command, const wn_method_settings *s,
                        wn_buf *footer_words, wn_buf *stop_words)
{
    int code = wn_job_read_words(command, s->footer_words, "footer words", footer_words);
    return code == WN_GO_ON ? wn_job_read_words(command, s->stop_words, "stop words", stop_words)
                            : code;
}
