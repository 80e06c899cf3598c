/*
 * /openapi.json: the description of the server for programs, made from the table of routes and from
 * the library's tables of options, methods and formats. What is in a table is described; nothing is
 * written twice. https://spec.openapis.org/oas/v3.1.0
 */
#include "base/json.h"
#include "serve/handlers.h"

typedef wn_json_writer writer;

static void put(writer *json, const char *key, const char *value)
{
    wn_json_key(json, key);
    wn_json_c_string(json, value);
}

/* {"$ref": "#/components/KIND/NAME"} */
static void put_reference(writer *json, const char *kind, const char *name)
{
    wn_buf target = {0};
    wn_buf_add_format(&target, "#/components/%s/%s", kind, name);
    wn_json_begin_object(json);
    put(json, "$ref", wn_buf_c_string(&target));
    wn_json_end_object(json);
    wn_buf_free(&target);
}

/* ---- Values ------------------------------------------------------------------------------ */

static const char *type_name(const winnow_parameter_info *info)
{
    switch (info->kind) {
    case WINNOW_VALUE_FLAG:
        return "boolean";
    case WINNOW_VALUE_NUMBER:
        return "number";
    case WINNOW_VALUE_WHOLE:
        return "integer";
    default:
        return "string";
    }
}

static void put_default(writer *json, const winnow_parameter_info *info)
{
    if (!info->fallback || !info->fallback[0])
        return;
    wn_json_key(json, "default");
    if (info->kind == WINNOW_VALUE_FLAG)
        wn_json_bool(json, strcmp(info->fallback, "yes") == 0);
    else if (info->kind == WINNOW_VALUE_TEXT || info->kind == WINNOW_VALUE_CHOICE)
        wn_json_c_string(json, info->fallback);
    else
        wn_buf_add_literal(json->out, info->fallback), json->comma = true;
}

/* "string", or in JSON, where null means that a value is not given, ["string", "null"]. */
static void put_type(writer *json, const char *type, bool nullable)
{
    wn_json_key(json, "type");
    if (nullable)
        wn_json_begin_array(json);
    wn_json_c_string(json, type);
    if (!nullable)
        return;
    wn_json_c_string(json, "null");
    wn_json_end_array(json);
}

static void put_schema(writer *json, const winnow_parameter_info *info, bool nullable)
{
    wn_json_begin_object(json);
    put_type(json, type_name(info), nullable);
    if (info->kind == WINNOW_VALUE_NUMBER || info->kind == WINNOW_VALUE_WHOLE) {
        wn_json_key(json, "minimum");
        wn_json_double(json, info->min);
        wn_json_key(json, "maximum");
        wn_json_double(json, info->max);
    }
    const winnow_method_info *method;
    bool is_method = strcmp(info->name, "method") == 0;
    if (is_method || (info->choices && info->kind != WINNOW_VALUE_FLAG)) {
        wn_json_key(json, "enum");
        wn_json_begin_array(json);
        for (size_t i = 0; is_method && (method = winnow_method_at(i)); i++)
            wn_json_c_string(json, method->name);
        for (size_t i = 0; !is_method && info->choices[i]; i++)
            wn_json_c_string(json, info->choices[i]);
        if (nullable)
            wn_json_null(json);
        wn_json_end_array(json);
    }
    put_default(json, info);
    wn_json_end_object(json);
}

/* ---- The options of a route ---------------------------------------------------------------- */

static const winnow_parameter_info method_info = {
    .name = "method",
    .help = "how content is found; parameters have options of their own, or follow the name, as in "
            "lineblock:rule=all",
    .kind = WINNOW_VALUE_TEXT,
    .fallback = "auto",
};

typedef void visitor(writer *json, const char *name, const winnow_parameter_info *info);

static unsigned reader_bit(const char *read_by)
{
    return strcmp(read_by, "parse") == 0    ? WN_SERVE_PARSES
           : strcmp(read_by, "select") == 0 ? WN_SERVE_SELECTS
                                            : WN_SERVE_WRITES;
}

/* "auto.lean", …: all parameters of all methods. */
static void visit_method_parameters(writer *json, visitor *visit)
{
    const winnow_method_info *method;
    wn_buf name = {0};
    for (size_t i = 0; (method = winnow_method_at(i)); i++) {
        for (size_t k = 0; method->parameters[k]; k++) {
            wn_buf_clear(&name);
            wn_buf_add_format(&name, "%s.%s", method->name, method->parameters[k]->name);
            visit(json, wn_buf_c_string(&name), method->parameters[k]);
        }
    }
    wn_buf_free(&name);
}

/* The options of the library that a route takes. */
static void visit_library_options(writer *json, unsigned takes, visitor *visit)
{
    const winnow_option_info *option;
    for (size_t i = 0; (option = winnow_option_at(i)); i++)
        if (takes & reader_bit(option->read_by))
            visit(json, option->name, &option->value);
    if (takes & WN_SERVE_SELECTS) {
        visit(json, "method", &method_info);
        visit_method_parameters(json, visit);
    }
}

static void put_property(writer *json, const char *name, const winnow_parameter_info *info)
{
    wn_json_key(json, name);
    put_schema(json, info, true);
}

static void put_query(writer *json, const char *name, const winnow_parameter_info *info)
{
    wn_json_begin_object(json);
    put(json, "name", name);
    put(json, "in", "query");
    put(json, "description", info->help);
    wn_json_key(json, "schema");
    put_schema(json, info, false);
    wn_json_end_object(json);
}

static void put_component(writer *json, const char *name, const winnow_parameter_info *info)
{
    wn_json_key(json, name);
    put_query(json, name, info);
}

static void refer_to_component(writer *json, const char *name, const winnow_parameter_info *info)
{
    (void)info;
    put_reference(json, "parameters", name);
}

/* ---- Requests ---------------------------------------------------------------------------- */

static void put_parameters(writer *json, const wn_serve_route *route)
{
    wn_json_key(json, "parameters");
    wn_json_begin_array(json);
    if (route->below) {
        wn_json_begin_object(json);
        put(json, "name", route->below);
        put(json, "in", "path");
        wn_json_key(json, "required");
        wn_json_bool(json, true);
        wn_json_key(json, "schema");
        wn_json_begin_object(json);
        put(json, "type", "integer");
        wn_json_key(json, "minimum");
        wn_json_uint(json, 1);
        wn_json_end_object(json);
        wn_json_end_object(json);
    }
    for (size_t i = 0; route->values && route->values[i].name; i++)
        put_query(json, route->values[i].name, &route->values[i]);
    visit_library_options(json, route->takes, refer_to_component);
    wn_json_end_array(json);
}

static void put_string(writer *json, const char *key, const char *about)
{
    wn_json_key(json, key);
    wn_json_begin_object(json);
    put_type(json, "string", true);
    put(json, "description", about);
    wn_json_end_object(json);
}

/* One of two members must be there. */
static void put_either(writer *json, const char *one, const char *other)
{
    const char *const names[] = {one, other};
    wn_json_key(json, "anyOf");
    wn_json_begin_array(json);
    for (size_t i = 0; i < 2; i++) {
        wn_json_begin_object(json);
        wn_json_key(json, "required");
        wn_json_begin_array(json);
        wn_json_c_string(json, names[i]);
        wn_json_end_array(json);
        wn_json_end_object(json);
    }
    wn_json_end_array(json);
}

/* {"html": …, "url": …, "options": {…}} */
static void put_json_body(writer *json, const wn_serve_route *route)
{
    wn_json_begin_object(json);
    put(json, "type", "object");
    wn_json_key(json, "properties");
    wn_json_begin_object(json);
    put_string(json, "html", "the page");
    put_string(json, "url", "its address; without html it is fetched, if the server may");
    if (route->takes & WN_SERVE_SELECTS)
        put_property(json, "method", &method_info);
    for (size_t i = 0; route->values && route->values[i].name; i++)
        put_property(json, route->values[i].name, &route->values[i]);
    wn_json_key(json, "options");
    wn_json_begin_object(json);
    put_type(json, "object", true);
    wn_json_key(json, "properties");
    wn_json_begin_object(json);
    visit_library_options(json, route->takes, put_property);
    wn_json_end_object(json);
    wn_json_key(json, "additionalProperties");
    wn_json_bool(json, false);
    wn_json_end_object(json);
    wn_json_end_object(json);
    put_either(json, "html", "url");
    wn_json_end_object(json);
}

static void put_file_body(writer *json)
{
    wn_json_begin_object(json);
    put(json, "type", "object");
    wn_json_key(json, "properties");
    wn_json_begin_object(json);
    wn_json_key(json, "html");
    wn_json_begin_object(json);
    put(json, "type", "string");
    put(json, "format", "binary");
    wn_json_end_object(json);
    put_string(json, "url", "its address");
    wn_json_end_object(json);
    wn_json_key(json, "required");
    wn_json_begin_array(json);
    wn_json_c_string(json, "html");
    wn_json_end_array(json);
    wn_json_end_object(json);
}

static void begin_media_type(writer *json, const char *type)
{
    wn_json_key(json, type);
    wn_json_begin_object(json);
    wn_json_key(json, "schema");
}

static void put_text_type(writer *json, const char *type, const char *about)
{
    begin_media_type(json, type);
    wn_json_begin_object(json);
    put(json, "type", "string");
    wn_json_key(json, "minLength");
    wn_json_uint(json, 1);
    put(json, "description", about);
    wn_json_end_object(json);
    wn_json_end_object(json);
}

static void put_request_body(writer *json, const wn_serve_route *route)
{
    wn_json_key(json, "requestBody");
    wn_json_begin_object(json);
    wn_json_key(json, "required");
    wn_json_bool(json, true);
    wn_json_key(json, "content");
    wn_json_begin_object(json);
    if (route->batch) {
        put_text_type(json, "application/x-ndjson",
                      "an object per line, as the JSON body of /v1/extract, and its id");
    } else {
        put_text_type(json, "text/html", "the page, in any encoding");
        begin_media_type(json, "application/json");
        put_json_body(json, route);
        wn_json_end_object(json);
        begin_media_type(json, "multipart/form-data");
        put_file_body(json);
        wn_json_end_object(json);
    }
    wn_json_end_object(json);
    wn_json_end_object(json);
}

/* ---- Answers ----------------------------------------------------------------------------- */

static bool is_json(const char *type)
{
    return strcmp(type, "application/json") == 0;
}

static void put_responses(writer *json, const wn_serve_route *route)
{
    wn_json_key(json, "responses");
    wn_json_begin_object(json);
    wn_json_key(json, "200");
    wn_json_begin_object(json);
    put(json, "description", route->summary);
    wn_json_key(json, "content");
    wn_json_begin_object(json);
    for (size_t i = 0; route->types && route->types[i]; i++) {
        begin_media_type(json, route->types[i]);
        wn_json_begin_object(json);
        put(json, "type", is_json(route->types[i]) ? "object" : "string");
        wn_json_end_object(json);
        wn_json_end_object(json);
    }
    wn_json_end_object(json);
    wn_json_end_object(json);
    wn_json_key(json, "default");
    put_reference(json, "responses", "Problem");
    wn_json_end_object(json);
}

/* "/v1/pages/{id}" */
static void put_path_key(writer *json, const wn_serve_route *route)
{
    wn_buf path = {0};
    wn_buf_add_literal(&path, route->path);
    if (route->below)
        wn_buf_add_format(&path, "{%s}", route->below);
    wn_json_key_str(json, wn_buf_str(&path));
    wn_buf_free(&path);
}

/* "post_v1_extract" */
static void put_operation_id(writer *json, const wn_serve_route *route, const char *verb)
{
    wn_buf id = {0};
    wn_buf_add_literal(&id, verb);
    wn_buf_add_literal(&id, route->path);
    for (size_t i = 0; i < id.len; i++)
        if (!wn_is_ascii_alnum(id.ptr[i]))
            id.ptr[i] = '_';
    put(json, "operationId", wn_buf_c_string(&id));
    wn_buf_free(&id);
}

static void put_route(writer *json, const wn_serve_settings *settings, const wn_serve_route *route)
{
    const char *verb = route->verbs & WN_SERVE_POST ? "post" : "get";
    put_path_key(json, route);
    wn_json_begin_object(json);
    wn_json_key(json, verb);
    wn_json_begin_object(json);
    put_operation_id(json, route, verb);
    put(json, "summary", route->summary);
    if (route->about)
        put(json, "description", route->about);
    put_parameters(json, route);
    if (route->verbs & WN_SERVE_POST)
        put_request_body(json, route);
    put_responses(json, route);
    if (settings->token && !route->open) {
        wn_json_key(json, "security");
        wn_json_begin_array(json);
        wn_json_begin_object(json);
        wn_json_key(json, "token");
        wn_json_begin_array(json);
        wn_json_end_array(json);
        wn_json_end_object(json);
        wn_json_end_array(json);
    }
    wn_json_end_object(json);
    wn_json_end_object(json);
}

/* ---- What all share ---------------------------------------------------------------------- */

static void put_problem(writer *json)
{
    static const char *const texts[] = {"title", "detail", "name", "allowed", "request_id"};
    wn_json_key(json, "responses");
    wn_json_begin_object(json);
    wn_json_key(json, "Problem");
    wn_json_begin_object(json);
    put(json, "description",
        "What is wrong, and what to do (RFC 9457). 429 and 503 come with the "
        "header Retry-After.");
    wn_json_key(json, "content");
    wn_json_begin_object(json);
    begin_media_type(json, "application/problem+json");
    wn_json_begin_object(json);
    put(json, "type", "object");
    wn_json_key(json, "properties");
    wn_json_begin_object(json);
    wn_json_key(json, "status");
    wn_json_begin_object(json);
    put(json, "type", "integer");
    wn_json_end_object(json);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        wn_json_key(json, texts[i]);
        wn_json_begin_object(json);
        put(json, "type", "string");
        wn_json_end_object(json);
    }
    wn_json_end_object(json);
    wn_json_end_object(json);
    wn_json_end_object(json);
    wn_json_end_object(json);
    wn_json_end_object(json);
    wn_json_end_object(json);
}

static void put_components(writer *json, const wn_serve_settings *settings)
{
    wn_json_key(json, "components");
    wn_json_begin_object(json);
    wn_json_key(json, "parameters");
    wn_json_begin_object(json);
    visit_library_options(json, WN_SERVE_PARSES | WN_SERVE_SELECTS | WN_SERVE_WRITES,
                          put_component);
    wn_json_end_object(json);
    put_problem(json);
    if (settings->token) {
        wn_json_key(json, "securitySchemes");
        wn_json_begin_object(json);
        wn_json_key(json, "token");
        wn_json_begin_object(json);
        put(json, "type", "http");
        put(json, "scheme", "bearer");
        wn_json_end_object(json);
        wn_json_end_object(json);
    }
    wn_json_end_object(json);
}

void wn_serve_openapi(wn_serve_worker *worker, const wn_serve_request *request,
                      wn_serve_answer *answer)
{
    const wn_serve_settings *settings = worker->settings;
    const wn_serve_route *route;
    writer json = {.out = &answer->body};
    (void)request;
    answer->status = 200;
    answer->type = "application/json";
    wn_json_begin_object(&json);
    put(&json, "openapi", "3.1.0");
    wn_json_key(&json, "info");
    wn_json_begin_object(&json);
    put(&json, "title", "winnow");
    put(&json, "version", winnow_version());
    put(&json, "description", "The main content of web pages.");
    wn_json_end_object(&json);
    wn_json_key(&json, "paths");
    wn_json_begin_object(&json);
    for (size_t i = 0; (route = wn_serve_route_at(i)); i++)
        if (!route->hidden && (!route->store || settings->store))
            put_route(&json, settings, route);
    wn_json_end_object(&json);
    put_components(&json, settings);
    wn_json_end_object(&json);
    wn_buf_add_char(&answer->body, '\n');
}
