/*
 * Keyword arguments to options. What the library knows as an option has the same name here; the rest
 * is in `own`, below.
 */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool set_failed(const settings *s, winnow_status status)
{
    if (status != WINNOW_STATUS_OK)
        raise_error(winnow_options_error(s->options));
    return status == WINNOW_STATUS_OK;
}

/* ---- Those that are not options of the library ------------------------------------------- */

static bool set_method(settings *s, module_state *state, PyObject *value)
{
    (void)state;
    const char *method = c_string_of(value, "method");
    if (!method || !set_failed(s, winnow_options_check_method(s->options, method)))
        return false;
    free(s->method);
    s->method = strdup(method);
    if (!s->method)
        PyErr_NoMemory();
    return s->method != NULL;
}

int format_of(PyObject *name)
{
    const char *text = c_string_of(name, "format");
    const winnow_format_info *format = text ? winnow_format_find(text) : NULL;
    if (text && !format)
        PyErr_Format(PyExc_ValueError,
                     "unknown format '%s'; there are text, markdown, json, jsonl, html, xml, tei "
                     "and csv",
                     text);
    return format ? (int)format->format : -1;
}

static bool set_format(settings *s, module_state *state, PyObject *value)
{
    (void)state;
    int format = format_of(value);
    if (format >= 0)
        s->format = (winnow_format)format;
    return format >= 0;
}

static bool set_precision(settings *s, module_state *state, PyObject *value)
{
    (void)state;
    int is_true = PyObject_IsTrue(value);
    s->precision = is_true > 0;
    return is_true >= 0;
}

static bool set_recall(settings *s, module_state *state, PyObject *value)
{
    (void)state;
    int is_true = PyObject_IsTrue(value);
    s->recall = is_true > 0;
    return is_true >= 0;
}

static bool set_comments(settings *s, module_state *state, PyObject *value)
{
    (void)state;
    int is_true = PyObject_IsTrue(value);
    return is_true >= 0 &&
           set_failed(s, winnow_options_set(s->options, "auto.comments", is_true ? "yes" : "no"));
}

static bool set_timeout(settings *s, module_state *state, PyObject *value)
{
    (void)state;
    if (value == Py_None)
        return true;
    double seconds = PyFloat_AsDouble(value);
    if (seconds == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        raise_type("timeout", "a number of seconds or None", value);
        return false;
    }
    if (!(seconds > 0) || seconds > 4e6) {
        PyErr_SetString(PyExc_ValueError,
                        "timeout must be more than 0 and at most 4,000,000 seconds, or None");
        return false;
    }
    s->is_timed = true;
    return set_failed(s, winnow_options_set_number(s->options, WINNOW_OPTION_MAX_MILLISECONDS,
                                                   (uint64_t)ceil(seconds * 1000)));
}

static bool set_site(settings *s, module_state *state, PyObject *value)
{
    if (value == Py_None)
        return true;
    if (Py_TYPE(value) != state->site) {
        raise_type("site", "a winnow.Site or None", value);
        return false;
    }
    /* A copy: the site may go on learning in another thread. */
    winnow_site *copy = site_copy(value);
    if (!copy)
        return false;
    winnow_site_free(s->site);
    s->site = copy;
    return set_failed(s, winnow_options_set_site(s->options, copy));
}

static bool set_model(settings *s, module_state *state, PyObject *value)
{
    (void)state;
    borrowed bytes;
    if (value == Py_None)
        return true;
    if (!borrow(&bytes, value, false))
        return false;
    winnow_model *model;
    winnow_status status = winnow_model_load(&model, bytes.bytes, bytes.size);
    give_back(&bytes);
    if (status != WINNOW_STATUS_OK) {
        PyErr_SetString(PyExc_ValueError, "model is not a model of this version of winnow");
        return false;
    }
    winnow_model_free(s->model);
    s->model = model;
    return set_failed(s, winnow_options_set_model(s->options, model));
}

static bool set_noise(settings *s, module_state *state, PyObject *value)
{
    (void)state;
    borrowed bytes;
    if (value == Py_None)
        return true;
    if (!borrow(&bytes, value, false))
        return false;
    winnow_noise *noise = winnow_noise_new(bytes.bytes, bytes.size);
    give_back(&bytes);
    if (!noise) {
        PyErr_NoMemory();
        return false;
    }
    winnow_noise_free(s->noise);
    s->noise = noise;
    return set_failed(s, winnow_options_set_noise(s->options, noise));
}

static const struct {
    const char *name;
    bool (*set)(settings *s, module_state *state, PyObject *value);
} own[] = {
    {"format", set_format}, {"method", set_method},   {"precision", set_precision},
    {"recall", set_recall}, {"timeout", set_timeout}, {"comments", set_comments},
    {"site", set_site},     {"model", set_model},     {"noise", set_noise},
};

/* ---- Those that are ---------------------------------------------------------------------- */

static bool set_text(settings *s, const winnow_option_info *info, PyObject *value)
{
    if (value == Py_None)
        return true;
    const char *text = c_string_of(value, info->name);
    return text && set_failed(s, winnow_options_set_text(s->options, info->option, text));
}

static bool set_flag(settings *s, const winnow_option_info *info, PyObject *value)
{
    int is_true = PyObject_IsTrue(value);
    return is_true >= 0 &&
           set_failed(s, winnow_options_set_flag(s->options, info->option, is_true));
}

static bool set_number(settings *s, const winnow_option_info *info, PyObject *value)
{
    if (value == Py_None)
        return true;
    PyObject *whole = PyNumber_Index(value);
    if (!whole) {
        PyErr_Clear();
        raise_type(info->name, "an int or None", value);
        return false;
    }
    unsigned long long number = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    if (PyErr_Occurred()) {
        PyErr_Format(PyExc_ValueError, "%s must be %s", info->name, info->value.allowed);
        return false;
    }
    return set_failed(s, winnow_options_set_number(s->options, info->option, number));
}

/* One of a few words; the library says which. */
static bool set_choice(settings *s, const winnow_option_info *info, PyObject *value)
{
    const char *word = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
    if (!word) {
        PyErr_Format(PyExc_TypeError, "%s must be %s", info->name, info->value.allowed);
        return false;
    }
    return set_failed(s, winnow_options_set(s->options, info->name, word));
}

static bool set_option(settings *s, const winnow_option_info *info, PyObject *value)
{
    switch (info->value.kind) {
    case WINNOW_VALUE_TEXT:
        return set_text(s, info, value);
    case WINNOW_VALUE_FLAG:
        return set_flag(s, info, value);
    case WINNOW_VALUE_CHOICE:
        return set_choice(s, info, value);
    default:
        return set_number(s, info, value);
    }
}

static bool is_offered(const winnow_option_info *info)
{
    return info->option != WINNOW_OPTION_MAX_MILLISECONDS && info->option != WINNOW_OPTION_EXPLAIN;
}

/* ---- All of them ------------------------------------------------------------------------- */

static bool raise_unknown(const char *call, PyObject *name)
{
    char known[512] = "url";
    const winnow_option_info *info;
    for (size_t i = 1; (info = winnow_option_at(i)); i++)
        if (is_offered(info) && strlen(known) + strlen(info->name) + 3 < sizeof known)
            strcat(strcat(known, ", "), info->name);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strlen(known) + strlen(own[i].name) + 3 < sizeof known)
            strcat(strcat(known, ", "), own[i].name);
    PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'; there are %s",
                 call, name, known);
    return false;
}

bool settings_set(settings *s, module_state *state, const char *call, PyObject *name,
                  PyObject *value)
{
    if (!s->options && !(s->options = winnow_options_new())) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (PyUnicode_CompareWithASCIIString(name, own[i].name) == 0)
            return own[i].set(s, state, value);
    const winnow_option_info *info;
    for (size_t i = 0; (info = winnow_option_at(i)); i++)
        if (is_offered(info) && PyUnicode_CompareWithASCIIString(name, info->name) == 0)
            return set_option(s, info, value);
    return raise_unknown(call, name);
}

bool settings_finish(settings *s)
{
    if (s->precision && s->recall) {
        PyErr_SetString(PyExc_ValueError, "precision and recall exclude each other");
        return false;
    }
    if (s->precision || s->recall)
        return set_failed(
            s, winnow_options_set(s->options, "auto.lean", s->precision ? "precision" : "recall"));
    return true;
}

void settings_clear(settings *s)
{
    winnow_options_free(s->options);
    winnow_site_free(s->site);
    winnow_model_free(s->model);
    winnow_noise_free(s->noise);
    free(s->method);
    *s = (settings){0};
}
