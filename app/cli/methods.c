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
    const winnow_method_info *method = winnow_method_at(index);
    return method ? method->name : NULL;
}

const char *wn_cli_method_summary(const void *list, size_t index)
{
    (void)list;
    const winnow_method_info *method = winnow_method_at(index);
    return method ? method->summary : NULL;
}

/* ---- The list ---------------------------------------------------------------------------- */

static void print_method(const winnow_method_info *method)
{
    printf("%s: %s\n", method->name, method->summary);
    for (const winnow_parameter_info *const *p = method->parameters; *p; p++) {
        const winnow_parameter_info *param = *p;
        printf("  %-13s %s\n  %-13s %s (default: %s)\n", param->name, param->help, "",
               param->allowed, param->fallback[0] ? param->fallback : "none");
    }
}

static int print_methods(void)
{
    const winnow_method_info *method;
    for (size_t i = 0; (method = winnow_method_at(i)) != NULL; i++)
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

static bool has_param(const winnow_method_info *method, const char *name)
{
    for (const winnow_parameter_info *const *param = method->parameters; *param; param++)
        if (strcmp((*param)->name, name) == 0)
            return true;
    return false;
}

/* Says that an option belongs to other methods; returns the exit code. */
static int wrong_option(const wn_command *command, const char *option, const char *param,
                        const winnow_method_info *method)
{
    wn_buf others = {0};
    const winnow_method_info *other;
    for (size_t i = 0; (other = winnow_method_at(i)) != NULL; i++)
        if (has_param(other, param))
            wn_buf_add_format(&others, "%s%s", others.len ? ", " : "", other->name);
    int code = wn_cli_wrong_usage(command, "--%s does not apply to the method %s, only to: %s",
                                  option, method->name, wn_buf_c_string(&others));
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
        {"comments", "comments", s->comments ? "yes" : NULL},
        {"no-comments", "comments", s->no_comments ? "no" : NULL},
    };
    const winnow_method_info *method = winnow_method_find(name);
    if (s->precision && s->recall)
        return wn_cli_wrong_usage(command, "--precision and --recall exclude each other");
    if (s->comments && s->no_comments)
        return wn_cli_wrong_usage(command, "--comments and --no-comments exclude each other");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (given[i].value && method && !has_param(method, given[i].param))
            return wrong_option(command, given[i].option, given[i].param, method);
        add_param(request, has_params, given[i].param, given[i].value);
    }
    return WN_GO_ON;
}

/* Files of words belong to methods that read them; WN_GO_ON or an exit code. */
static int check_word_files(const wn_command *command, const wn_method_settings *s, wn_buf *request)
{
    const winnow_method_info *method = winnow_method_find(wn_buf_c_string(request));
    if (method && s->footer_words && !has_param(method, "footer_words"))
        return wrong_option(command, "footer-words", "footer_words", method);
    if (method && s->stop_words && !has_param(method, "stop_words"))
        return wrong_option(command, "stopwords", "stop_words", method);
    if (method && s->stop_words && has_param(method, "stopwords") &&
        !strstr(wn_buf_c_string(request), "stopwords=skip"))
        return wn_cli_wrong_usage(command,
                                  "--stopwords has no effect: the method %s counts stop words; "
                                  "add --param stopwords=skip",
                                  method->name);
    return WN_GO_ON;
}

int wn_cli_method(const wn_command *command, const wn_method_settings *s, wn_buf *request)
{
    if (s->method && strcmp(s->method, "help") == 0)
        return print_methods();
    const char *method = s->method ? s->method : "auto";
    bool has_params = strchr(method, ':') != NULL;
    wn_buf_add_literal(request, method);
    int code = add_options(command, s, method, request, &has_params);
    if (code != WN_GO_ON)
        return code;
    for (size_t i = 0; i < s->params.count; i++)
        add_param(request, &has_params, "", s->params.items[i]);

    winnow_options *options = winnow_options_new();
    if (winnow_options_check_method(options, wn_buf_c_string(request)) != WINNOW_STATUS_OK)
        code = wn_cli_wrong_usage(command, "%s", winnow_options_error(options)->message);
    winnow_options_free(options);
    return code == WN_GO_ON ? check_word_files(command, s, request) : code;
}

int wn_cli_method_words(const wn_command *command, const wn_method_settings *s,
                        wn_buf *footer_words, wn_buf *stop_words)
{
    int code = wn_cli_job_read_words(command, s->footer_words, "footer words", footer_words);
    return code == WN_GO_ON
               ? wn_cli_job_read_words(command, s->stop_words, "stop words", stop_words)
               : code;
}

/* Sets a parameter of the method, if there are words for it. */
static void set_words(winnow_options *options, const char *request, const char *param,
                      wn_buf *words)
{
    wn_buf name = {0};
    if (words->len > 0) {
        wn_buf_add_format(&name, "%s.%s", winnow_method_find(request)->name, param);
        winnow_options_set(options, wn_buf_c_string(&name), wn_buf_c_string(words));
    }
    wn_buf_free(&name);
}

void wn_cli_method_set_words(winnow_options *options, const char *request, wn_buf *footer_words,
                             wn_buf *stop_words)
{
    set_words(options, request, "footer_words", footer_words);
    set_words(options, request, "stop_words", stop_words);
}
