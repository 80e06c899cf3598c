#include "extract/method.h"

#include <assert.h>
#include <stdlib.h>

#include "auto/auto.h"

static const wn_param *const no_params[] = {NULL};

static const wn_method methods[] = {
    {.info = {.name = "auto",
              .summary = "the main content, by text, links and structure (default)",
              .parameters = wn_auto_params,
              .builds_tree = true},
     .select = wn_auto_select,
     .reads_embedded = true},
    {.info = {.name = "lineblock",
              .summary = "lines of the source, by text per tag, links and words of the title",
              .parameters = wn_lineblock_params},
     .read = wn_extract_read_lineblock},
    {.info = {.name = "bte",
              .summary = "the stretch with the most words and the fewest tags",
              .parameters = wn_bte_params},
     .read = wn_extract_read_bte},
    {.info = {.name = "xpath",
              .summary = "groups of texts in the tree, by their share of links",
              .parameters = wn_xpath_params,
              .builds_tree = true},
     .select = wn_extract_select_xpath,
     .by_text = true},
    {.info = {.name = "outlier",
              .summary = "blocks with enough words, not counting noise words of the collection",
              .parameters = wn_outlier_params,
              .needs_noise = true,
              .builds_tree = true},
     .select = wn_extract_select_outlier},
    {.info = {.name = "eifce",
              .summary = "the most informative visual block, by style and layout",
              .parameters = wn_eifce_params,
              .needs_layout = true,
              .builds_tree = true},
     .select = wn_extract_select_eifce,
     .by_text = true},
    {.info = {.name = "fe",
              .summary = "the visual block with the most text; a baseline for eifce",
              .parameters = wn_fe_params,
              .needs_layout = true,
              .builds_tree = true},
     .select = wn_extract_select_fe,
     .by_text = true},
    {.info = {.name = "kfe",
              .summary = "the visual blocks with much text, by clusters; a baseline for eifce",
              .parameters = wn_kfe_params,
              .needs_layout = true,
              .builds_tree = true},
     .select = wn_extract_select_kfe,
     .by_text = true},
    {.info = {.name = "all",
              .summary = "all visible text, nothing removed",
              .parameters = no_params,
              .builds_tree = true},
     .select = wn_extract_select_all},
};

const wn_method *wn_method_at(size_t index)
{
    return index < sizeof methods / sizeof *methods ? &methods[index] : NULL;
}

const wn_method *wn_method_find(wn_str name)
{
    const wn_method *method = NULL;
    for (size_t i = 0; (method = wn_method_at(i)) != NULL; i++)
        if (wn_str_eq(wn_str_of(method->info.name), name))
            break;
    return method;
}

/* ---- Parameters -------------------------------------------------------------------------- */

/* The index of a choice, -1 if there is none of that name. */
static int find_choice(const wn_param *param, wn_str value)
{
    for (int i = 0; param->choices[i]; i++)
        if (wn_str_eq(wn_str_of(param->choices[i]), value))
            return i;
    return -1;
}

/* A decimal number and nothing else, ignoring the locale: "0.5", "30". */
static bool read_number(wn_str text, double *number)
{
    enum { MOST_DIGITS = 16 }; /* as many as the largest limit of memory has */
    double value = 0, scale = 1;
    bool fraction = false;
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '.' && !fraction) {
            fraction = true;
        } else if (wn_is_ascii_digit(c) && ++digits <= MOST_DIGITS) {
            value = value * 10 + (c - '0');
            scale *= fraction ? 10 : 1;
        } else {
            return false;
        }
    }
    *number = value / scale;
    return digits > 0;
}

bool wn_param_read(const wn_param *param, wn_str text, double *value)
{
    if (param->choices) {
        int choice = find_choice(param, text);
        *value = choice;
        return choice >= 0;
    }
    if (!read_number(text, value) || *value < param->min || *value > param->max)
        return false;
    return param->kind != WINNOW_VALUE_WHOLE || *value == (double)(int64_t)*value;
}

int wn_method_param(const wn_method *method, wn_str name)
{
    const wn_param *const *params = method->info.parameters;
    for (int i = 0; params[i]; i++)
        if (wn_str_eq(wn_str_of(params[i]->name), name))
            return i;
    return -1;
}

static wn_request_error note(wn_request_problem *problem, wn_request_error error,
                             const wn_method *method, const wn_param *param, wn_str word)
{
    if (problem)
        *problem = (wn_request_problem){.method = method, .param = param, .word = word};
    return error;
}

wn_request_error wn_request_set(wn_request *request, wn_str name, wn_str value,
                                wn_request_problem *problem)
{
    const wn_method *method = request->method;
    int index = wn_method_param(method, name);
    if (index < 0)
        return note(problem, WN_UNKNOWN_PARAM, method, NULL, name);
    const wn_param *param = method->info.parameters[index];
    if (param->kind == WINNOW_VALUE_TEXT) {
        request->texts[index] = value.ptr;
        return WN_REQUEST_OK;
    }
    return wn_param_read(param, value, &request->values[index])
               ? WN_REQUEST_OK
               : note(problem, WN_BAD_VALUE, method, param, value);
}

static void set_defaults(wn_request *request)
{
    const wn_param *const *params = request->method->info.parameters;
    for (size_t i = 0; params[i]; i++) {
        assert(i < WN_MOST_PARAMS);
        if (params[i]->kind != WINNOW_VALUE_TEXT)
            wn_param_read(params[i], wn_str_of(params[i]->fallback), &request->values[i]);
    }
}

/* Reads "param=value"; a text must be given by other means, for it may hold anything. */
static wn_request_error read_assignment(wn_request *request, wn_str text,
                                        wn_request_problem *problem)
{
    wn_str name = wn_str_take_until(&text, '=');
    int index = wn_method_param(request->method, name);
    if (index >= 0 && request->method->info.parameters[index]->kind == WINNOW_VALUE_TEXT)
        return note(problem, WN_TEXT_PARAM, request->method,
                    request->method->info.parameters[index], name);
    return wn_request_set(request, name, text, problem);
}

wn_request_error wn_request_find(wn_request *request, wn_str *text, wn_request_problem *problem)
{
    wn_str name = wn_str_take_until(text, ':');
    *request = (wn_request){.method = wn_method_find(name)};
    if (!request->method)
        return note(problem, WN_UNKNOWN_METHOD, NULL, NULL, name);
    set_defaults(request);
    return WN_REQUEST_OK;
}

wn_request_error wn_request_read(wn_request *request, wn_str text, wn_request_problem *problem)
{
    wn_request_error error = WN_REQUEST_OK;
    while (text.len > 0 && !error)
        error = read_assignment(request, wn_str_take_until(&text, ','), problem);
    return error;
}

wn_request_error wn_request_parse(wn_request *request, wn_str text, wn_request_problem *problem)
{
    wn_request_error error = wn_request_find(request, &text, problem);
    return error ? error : wn_request_read(request, text, problem);
}
