#include "api/error.h"

#include "base/printable.h"
#include "base/suggest.h"

const winnow_error wn_api_no_handle = {
    .status = WINNOW_STATUS_BAD_ARGUMENT,
    .message = "the handle is NULL; it was not made, or memory was out when it was",
    .name = "",
    .allowed = "",
};

void wn_api_error_clear(wn_api_error *error)
{
    wn_buf_clear(&error->message);
    wn_buf_clear(&error->name);
    wn_buf_clear(&error->allowed);
    error->shown = (winnow_error){.message = "", .name = "", .allowed = ""};
}

void wn_api_error_free(wn_api_error *error)
{
    wn_buf_free(&error->message);
    wn_buf_free(&error->name);
    wn_buf_free(&error->allowed);
}

/* Shows what was gathered in the buffers. */
static winnow_status show(wn_api_error *error, winnow_status status)
{
    error->shown.status = status;
    error->shown.message = wn_buf_c_string(&error->message);
    error->shown.name = wn_buf_c_string(&error->name);
    error->shown.allowed = wn_buf_c_string(&error->allowed);
    return status;
}

winnow_status wn_api_error_say(wn_api_error *error, winnow_status status, const char *message)
{
    wn_api_error_clear(error);
    error->shown.status = status;
    error->shown.message = message;
    return status;
}

/* ---- Near misses ------------------------------------------------------------------------- */

static const char *choice_name(const void *list, size_t index)
{
    const wn_param *param = list;
    return param->choices[index];
}

static const char *method_name(const void *list, size_t index)
{
    (void)list;
    const wn_method *method = wn_method_at(index);
    return method ? method->info.name : NULL;
}

static const char *param_name(const void *list, size_t index)
{
    const wn_method *method = list;
    const wn_param *param = method->info.parameters[index];
    return param ? param->name : NULL;
}

/* "; did you mean 'format'? Choose from: …", or without a guess. */
static void add_names(wn_api_error *error, wn_name_list names, const void *list)
{
    const char *near = wn_suggest(wn_buf_c_string(&error->name), names, list), *name;
    if (near)
        wn_buf_add_format(&error->message, "; did you mean '%s'?", near);
    wn_buf_add_literal(&error->message, near ? " Choose from: " : "; choose from: ");
    for (size_t i = 0; (name = names(list, i)) != NULL; i++)
        wn_buf_add_format(&error->allowed, "%s%s", i ? ", " : "", name);
    wn_buf_add(&error->message, wn_buf_str(&error->allowed));
}

winnow_status wn_api_error_unknown(wn_api_error *error, const char *what, wn_str name,
                                   wn_name_list names, const void *list)
{
    wn_api_error_clear(error);
    wn_buf_add(&error->name, name);
    wn_buf_add_literal(&error->message, what);
    wn_add_quoted(&error->message, wn_buf_c_string(&error->name));
    if (names(list, 0))
        add_names(error, names, list);
    return show(error, WINNOW_STATUS_BAD_PARAMETER);
}

winnow_status wn_api_error_value(wn_api_error *error, const char *what, const wn_param *param,
                                 wn_str value)
{
    wn_buf given = {0};
    wn_api_error_clear(error);
    wn_buf_add(&given, value);
    wn_buf_add_literal(&error->name, param->name);
    wn_buf_add_literal(&error->allowed, param->allowed);
    wn_buf_add_literal(&error->message, "wrong value ");
    wn_add_quoted(&error->message, wn_buf_c_string(&given));
    wn_buf_add_format(&error->message, " for the %s %s", what, param->name);
    const char *near = param->choices ? wn_suggest(wn_buf_c_string(&given), choice_name, param)
                                      : NULL;
    if (near)
        wn_buf_add_format(&error->message, "; did you mean '%s'?", near);
    wn_buf_add_format(&error->message, "%s%s", near ? " Expected " : "; expected ", param->allowed);
    wn_buf_free(&given);
    return show(error, WINNOW_STATUS_BAD_PARAMETER);
}

/* ---- Methods ----------------------------------------------------------------------------- */

winnow_status wn_api_error_of_request(wn_api_error *error, wn_str given, wn_request_error kind,
                                      const wn_request_problem *problem)
{
    wn_buf what = {0};
    winnow_status status = WINNOW_STATUS_BAD_PARAMETER;
    if (kind == WN_UNKNOWN_METHOD) {
        wn_api_error_unknown(error, "unknown method ", problem->word, method_name, NULL);
        status = error->shown.status = WINNOW_STATUS_UNKNOWN_METHOD;
    } else if (kind == WN_BAD_VALUE) {
        wn_api_error_value(error, "parameter", problem->param, problem->word);
    } else if (kind == WN_TEXT_PARAM) {
        wn_api_error_clear(error);
        wn_buf_add_literal(&error->name, problem->param->name);
        wn_buf_add_format(&error->message,
                          "the parameter %s is a text and cannot be part of the method's name; set "
                          "the option %s.%s",
                          problem->param->name, problem->method->info.name, problem->param->name);
        show(error, status);
    } else {
        wn_buf_add_format(&what, "the method %s has no parameter ", problem->method->info.name);
        wn_api_error_unknown(error, wn_buf_c_string(&what), problem->word, param_name,
                             problem->method);
    }
    if (problem->word.ptr >= given.ptr && problem->word.ptr <= given.ptr + given.len)
        error->shown.position = (size_t)(problem->word.ptr - given.ptr);
    wn_buf_free(&what);
    return status;
}
