/*
 * What a server says of itself: /health, /ready, /version, /v1/methods.
 */
#include "base/json.h"
#include "serve/handlers.h"
#include "serve/stats.h"

/* ---- Whether it works -------------------------------------------------------------------- */

static void answer_word(wn_serve_answer *answer, unsigned status, const char *word)
{
    wn_json_writer json = {.out = &answer->body};
    answer->status = status;
    answer->type = "application/json";
    wn_json_begin_object(&json);
    wn_json_key(&json, "status");
    wn_json_c_string(&json, word);
    wn_json_end_object(&json);
    wn_buf_add_char(&answer->body, '\n');
}

void wn_serve_health(wn_serve_worker *worker, const wn_serve_request *request,
                     wn_serve_answer *answer)
{
    (void)worker;
    (void)request;
    answer_word(answer, 200, "ok");
}

/* Whether it takes more requests: not when it stops, and not when its queue is full. */
void wn_serve_ready(wn_serve_worker *worker, const wn_serve_request *request,
                    wn_serve_answer *answer)
{
    (void)request;
    const wn_serve_stats *stats = worker->stats;
    if (stats && stats->stopping)
        answer_word(answer, 503, "stopping");
    else if (stats && stats->waiting >= worker->settings->queue)
        answer_word(answer, 503, "busy");
    else
        answer_word(answer, 200, "ready");
}

void wn_serve_version(wn_serve_worker *worker, const wn_serve_request *request,
                      wn_serve_answer *answer)
{
    (void)request;
    wn_json_writer json = {.out = &answer->body};
    answer->status = 200;
    answer->type = "application/json";
    wn_json_begin_object(&json);
    wn_json_key(&json, "name");
    wn_json_c_string(&json, "winnow");
    wn_json_key(&json, "version");
    wn_json_c_string(&json, winnow_version());
    wn_json_key(&json, "fetch");
    wn_json_bool(&json, worker->settings->fetch);
    wn_json_key(&json, "store");
    wn_json_bool(&json, worker->settings->store != NULL);
    wn_json_key(&json, "token");
    wn_json_bool(&json, worker->settings->token != NULL);
    wn_json_key(&json, "max_bytes");
    wn_json_uint(&json, worker->settings->max_bytes);
    wn_json_key(&json, "components");
    wn_json_begin_object(&json);
    const winnow_component *component;
    for (size_t i = 0; (component = winnow_component_at(i)); i++) {
        wn_json_key(&json, component->name);
        wn_json_c_string(&json, component->version);
    }
    wn_json_end_object(&json);
    wn_json_end_object(&json);
    wn_buf_add_char(&answer->body, '\n');
}

/* ---- What the library knows -------------------------------------------------------------- */

static const char *kind_name(winnow_value_kind kind)
{
    static const char *const names[] = {
        [WINNOW_VALUE_FLAG] = "flag",   [WINNOW_VALUE_NUMBER] = "number",
        [WINNOW_VALUE_WHOLE] = "whole", [WINNOW_VALUE_CHOICE] = "choice",
        [WINNOW_VALUE_TEXT] = "text",
    };
    return names[kind];
}

static void write_parameter(wn_json_writer *json, const winnow_parameter_info *info)
{
    wn_json_begin_object(json);
    wn_json_key(json, "name");
    wn_json_c_string(json, info->name);
    wn_json_key(json, "kind");
    wn_json_c_string(json, kind_name(info->kind));
    wn_json_key(json, "help");
    wn_json_c_string(json, info->help);
    wn_json_key(json, "default");
    wn_json_c_string(json, info->fallback);
    wn_json_key(json, "allowed");
    wn_json_c_string(json, info->allowed);
    if (info->kind == WINNOW_VALUE_NUMBER || info->kind == WINNOW_VALUE_WHOLE) {
        wn_json_key(json, "min");
        wn_json_double(json, info->min);
        wn_json_key(json, "max");
        wn_json_double(json, info->max);
    }
    if (info->choices) {
        wn_json_key(json, "choices");
        wn_json_begin_array(json);
        for (size_t i = 0; info->choices[i]; i++)
            wn_json_c_string(json, info->choices[i]);
        wn_json_end_array(json);
    }
    wn_json_end_object(json);
}

static void write_method(wn_json_writer *json, const winnow_method_info *method)
{
    wn_json_begin_object(json);
    wn_json_key(json, "name");
    wn_json_c_string(json, method->name);
    wn_json_key(json, "summary");
    wn_json_c_string(json, method->summary);
    wn_json_key(json, "needs_layout");
    wn_json_bool(json, method->needs_layout);
    wn_json_key(json, "needs_noise");
    wn_json_bool(json, method->needs_noise);
    wn_json_key(json, "parameters");
    wn_json_begin_array(json);
    for (size_t i = 0; method->parameters[i]; i++)
        write_parameter(json, method->parameters[i]);
    wn_json_end_array(json);
    wn_json_end_object(json);
}

static void write_formats(wn_json_writer *json)
{
    const winnow_format_info *format;
    wn_json_begin_array(json);
    for (size_t i = 0; (format = winnow_format_at(i)); i++) {
        wn_json_begin_object(json);
        wn_json_key(json, "name");
        wn_json_c_string(json, format->name);
        wn_json_key(json, "media_type");
        wn_json_c_string(json, format->media_type);
        wn_json_key(json, "summary");
        wn_json_c_string(json, format->summary);
        wn_json_end_object(json);
    }
    wn_json_end_array(json);
}

static void write_fields(wn_json_writer *json)
{
    const winnow_field_info *field;
    wn_json_begin_array(json);
    for (size_t i = 0; (field = winnow_field_at(i)); i++) {
        wn_json_begin_object(json);
        wn_json_key(json, "name");
        wn_json_c_string(json, field->name);
        wn_json_key(json, "type");
        wn_json_c_string(json, field->type);
        wn_json_key(json, "help");
        wn_json_c_string(json, field->help);
        wn_json_key(json, "always");
        wn_json_bool(json, field->always);
        wn_json_end_object(json);
    }
    wn_json_end_array(json);
}

void wn_serve_methods(wn_serve_worker *worker, const wn_serve_request *request,
                      wn_serve_answer *answer)
{
    (void)worker;
    (void)request;
    wn_json_writer json = {.out = &answer->body};
    const winnow_method_info *method;
    const winnow_option_info *option;
    answer->status = 200;
    answer->type = "application/json";
    wn_json_begin_object(&json);
    wn_json_key(&json, "methods");
    wn_json_begin_array(&json);
    for (size_t i = 0; (method = winnow_method_at(i)); i++)
        write_method(&json, method);
    wn_json_end_array(&json);
    wn_json_key(&json, "options");
    wn_json_begin_array(&json);
    for (size_t i = 0; (option = winnow_option_at(i)); i++)
        write_parameter(&json, &option->value);
    wn_json_end_array(&json);
    wn_json_key(&json, "formats");
    write_formats(&json);
    wn_json_key(&json, "fields");
    write_fields(&json);
    wn_json_end_object(&json);
    wn_buf_add_char(&answer->body, '\n');
}
