#include "extract/method.h"

#include <stdlib.h>

#include "auto/auto.h"

const wn_method wn_methods[] = {
    {.name = "auto",
     .summary = "the main content, found by text, links and structure (default)",
     .select = wn_select_auto,
     .params = wn_auto_params,
     .reads_embedded = true},
    {.name = "lineblock",
     .summary = "lines of the source, by text per tag, links and words of the title",
     .read = wn_read_lineblock,
     .params = wn_lineblock_params},
    {.name = "bte",
     .summary = "the stretch of the page with most words and fewest tags",
     .read = wn_read_bte,
     .params = wn_bte_params},
    {.name = "xpath",
     .summary = "groups of texts in the tree, by how much of them is links",
     .select = wn_select_xpath,
     .params = wn_xpath_params,
     .by_text = true},
    {.name = "outlier",
     .summary = "blocks with enough words, noise words of the collection not counted",
     .select = wn_select_outlier,
     .params = wn_outlier_params},
    {.name = "eifce",
     .summary = "the most informative of the blocks that the eye sees, by style and layout",
     .select = wn_select_eifce,
     .params = wn_eifce_params,
     .by_text = true,
     .needs_layout = true},
    {.name = "fe",
     .summary = "the visual block with most text; a baseline for eifce",
     .select = wn_select_fe,
     .by_text = true,
     .needs_layout = true},
    {.name = "kfe",
     .summary = "the visual blocks with much text, by clusters; a baseline for eifce",
     .select = wn_select_kfe,
     .params = wn_kfe_params,
     .by_text = true,
     .needs_layout = true},
    {.name = "all", .summary = "all visible text, nothing removed", .select = wn_select_all},
    {0},
};

const wn_method *wn_method_find(wn_str name)
{
    for (const wn_method *method = wn_methods; method->name; method++)
        if (wn_str_eq(wn_str_of(method->name), name))
            return method;
    return NULL;
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

/* A decimal number and nothing else, without regard to the locale: "0.5", "30". */
static bool read_number(wn_str text, double *number)
{
    enum { MOST_DIGITS = 15 };
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

static bool read_value(const wn_param *param, wn_str text, double *value)
{
    if (param->choices) {
        int choice = find_choice(param, text);
        *value = choice;
        return choice >= 0;
    }
    if (!read_number(text, value) || *value < param->min || *value > param->max)
        return false;
    return !param->whole || *value == (double)(int64_t)*value;
}

static wn_request_error note(wn_request_problem *problem, wn_request_error error,
                             const wn_method *method, const wn_param *param, wn_str word)
{
    if (problem)
        *problem = (wn_request_problem){.method = method, .param = param, .word = word};
    return error;
}

wn_request_error wn_request_set(wn_request *request, wn_str assignment, wn_request_problem *problem)
{
    const wn_method *method = request->method;
    const char *equals = assignment.len ? memchr(assignment.ptr, '=', assignment.len) : NULL;
    size_t name_len = equals ? (size_t)(equals - assignment.ptr) : assignment.len;
    wn_str name = wn_str_from(assignment.ptr, name_len);
    wn_str value = equals ? wn_str_from_offset(assignment, name_len + 1) : WN_STR("");
    for (size_t i = 0; method->params && method->params[i].name; i++) {
        const wn_param *param = &method->params[i];
        if (!wn_str_eq(wn_str_of(param->name), name))
            continue;
        double number;
        if (!read_value(param, value, &number))
            return note(problem, WN_BAD_VALUE, method, param, value);
        request->values[i] = number;
        return WN_REQUEST_OK;
    }
    return note(problem, WN_UNKNOWN_PARAM, method, NULL, name);
}

/* Cuts the part before `separator` off *text; all of it if there is none. */
static wn_str take_part(wn_str *text, char separator)
{
    const char *at = text->len ? memchr(text->ptr, separator, text->len) : NULL;
    size_t len = at ? (size_t)(at - text->ptr) : text->len;
    wn_str part = wn_str_from(text->ptr, len);
    *text = wn_str_from_offset(*text, at ? len + 1 : len);
    return part;
}

wn_request_error wn_request_parse(wn_request *request, wn_str text, wn_request_problem *problem)
{
    wn_str name = take_part(&text, ':');
    *request = (wn_request){.method = wn_method_find(name)};
    if (!request->method)
        return note(problem, WN_UNKNOWN_METHOD, NULL, NULL, name);
    const wn_param *params = request->method->params;
    for (size_t i = 0; params && params[i].name; i++)
        request->values[i] = params[i].fallback;
    while (text.len > 0) {
        wn_request_error error = wn_request_set(request, take_part(&text, ','), problem);
        if (error)
            return error;
    }
    return WN_REQUEST_OK;
}

void wn_param_add_values(const wn_param *param, wn_buf *out)
{
    if (!param->choices) {
        wn_buf_add_format(out, "a %snumber from %g to %g", param->whole ? "whole " : "", param->min,
                          param->max);
        return;
    }
    for (size_t i = 0; param->choices[i]; i++) {
        const char *separator = i == 0 ? "" : param->choices[i + 1] ? ", " : " or ";
        wn_buf_add_format(out, "%s%s", separator, param->choices[i]);
    }
}

void wn_param_add_default(const wn_param *param, wn_buf *out)
{
    if (param->choices)
        wn_buf_add_literal(out, param->choices[(size_t)param->fallback]);
    else
        wn_buf_add_format(out, "%g", param->fallback);
}
