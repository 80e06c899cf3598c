#include "serve/fields.h"

#include "base/url.h"
#include "extract/method.h"
#include "io/mime.h"
#include "serve/multipart.h"

enum {
    MAX_FIELDS = 200, /* more are not looked at: nobody has so many options */
    MAX_JSON_DEPTH = 16,
};

static const wn_serve_named *find_named(const wn_serve_fields *fields, wn_str name)
{
    for (uint32_t i = 0; i < fields->list.count; i++)
        if (wn_str_eq(fields->list.items[i].name, name))
            return &fields->list.items[i];
    return NULL;
}

static void add_value(wn_serve_fields *fields, wn_str name, wn_str value, bool bare)
{
    wn_serve_named *place = (wn_serve_named *)find_named(fields, name);
    if (!place && fields->list.count < MAX_FIELDS)
        place = wn_array_push(&fields->list);
    if (place)
        *place = (wn_serve_named){name, value, bare};
}

static void add_field(wn_serve_fields *fields, wn_str name, wn_str value)
{
    add_value(fields, name, value, false);
}

static void take_page(wn_serve_fields *fields, wn_str bytes, bool text)
{
    fields->page = bytes;
    fields->has_page = true;
    fields->text_page = text;
}

/* A field of a form or of JSON: the page has its own place. */
static void take_field(wn_serve_fields *fields, wn_str name, wn_str value)
{
    if (wn_str_eq(name, WN_STR("html")))
        take_page(fields, value, true);
    else
        add_field(fields, name, value);
}

/* ---- Queries and forms ------------------------------------------------------------------- */

/* Percent-encoded, "+" for a space. */
static wn_str decode(wn_arena *arena, wn_str part)
{
    wn_buf plain = {0}, decoded = {0};
    wn_buf_add(&plain, part);
    for (size_t i = 0; i < plain.len; i++)
        if (plain.ptr[i] == '+')
            plain.ptr[i] = ' ';
    wn_url_decode(&decoded, wn_buf_str(&plain));
    wn_str copy = wn_arena_copy(arena, wn_buf_str(&decoded));
    wn_buf_free(&plain);
    wn_buf_free(&decoded);
    return copy;
}

static void add_pairs(wn_serve_fields *fields, wn_str text, bool form)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '&', text.len);
        wn_str pair = end ? wn_str_between(text.ptr, end) : text;
        text = wn_str_from_offset(text, pair.len + 1);
        const char *equals = memchr(pair.ptr, '=', pair.len);
        wn_str raw = equals ? wn_str_between(pair.ptr, equals) : pair;
        if (raw.len == 0)
            continue;
        wn_str name = decode(&fields->arena, raw);
        wn_str value = decode(&fields->arena, wn_str_from_offset(pair, raw.len + 1));
        if (form)
            take_field(fields, name, value);
        else
            add_field(fields, name, value);
    }
}

void wn_serve_fields_add_query(wn_serve_fields *fields, wn_str query)
{
    add_pairs(fields, query, false);
}

/* curl -d and --data-binary say "form" of whatever they send; a form has no "<". */
static bool is_bare_page(wn_str body)
{
    wn_str start = wn_str_trim(wn_str_from(body.ptr, body.len < 512 ? body.len : 512));
    return start.len > 0 && start.ptr[0] == '<';
}

/* ---- JSON -------------------------------------------------------------------------------- */

static bool fail_json(wn_serve_fields *fields, const char *what, wn_str name)
{
    wn_buf_clear(&fields->problem);
    wn_buf_add_format(&fields->problem, "%s", what);
    if (name.len > 0)
        wn_buf_add_format(&fields->problem, ": \"%.*s\"", WN_STR_ARGS(name));
    return false;
}

/* The members of one object; `outer`: it may have "options". */
static bool add_members(wn_serve_fields *fields, wn_json_id object, bool outer)
{
    const wn_json *json = &fields->json;
    wn_json_each_key (json, key, object) {
        wn_str name = wn_json_text(json, key);
        const wn_json_node *value = wn_json_node_at(json, key + 1);
        switch ((wn_json_kind)value->kind) {
        case WN_JSON_MISSING:
        case WN_JSON_NULL:
            break;
        case WN_JSON_TRUE:
            add_value(fields, name, WN_STR("true"), true);
            break;
        case WN_JSON_FALSE:
            add_value(fields, name, WN_STR("false"), true);
            break;
        case WN_JSON_NUMBER:
            if (wn_str_eq(name, WN_STR("html")))
                return fail_json(fields, "this value must be a text", name);
            add_value(fields, name, wn_str_from(value->text, value->len), true);
            break;
        case WN_JSON_STRING:
            take_field(fields, name, wn_str_from(value->text, value->len));
            break;
        case WN_JSON_OBJECT:
            if (!outer || !wn_str_eq(name, WN_STR("options")))
                return fail_json(fields, "a value may not be an object", name);
            if (!add_members(fields, key + 1, false))
                return false;
            break;
        case WN_JSON_ARRAY:
            return fail_json(fields, "a value may not be a list", name);
        }
    }
    return true;
}

bool wn_serve_fields_add_json(wn_serve_fields *fields, wn_str text)
{
    if (!wn_json_parse(&fields->json, &fields->arena, text, 0, MAX_JSON_DEPTH)) {
        wn_buf_clear(&fields->problem);
        wn_buf_add_format(&fields->problem, "the JSON is not valid: %s, at byte %zu",
                          fields->json.error, fields->json.error_offset);
        return false;
    }
    if (wn_json_node_at(&fields->json, WN_JSON_ROOT)->kind != WN_JSON_OBJECT)
        return fail_json(fields, "the JSON must be an object, as {\"html\": \"…\"}", WN_STR(""));
    return add_members(fields, WN_JSON_ROOT, true);
}

/* ---- The body ---------------------------------------------------------------------------- */

static bool add_multipart(wn_serve_fields *fields, wn_str type, wn_str body)
{
    wn_serve_multipart parts;
    wn_serve_part part;
    if (!wn_serve_multipart_begin(&parts, type, body)) {
        wn_buf_add_literal(&fields->problem, "the form has no boundary in its Content-Type");
        return false;
    }
    while (wn_serve_multipart_next(&parts, &part)) {
        bool is_page = wn_str_eq(part.name, WN_STR("html")) ||
                       wn_str_eq(part.name, WN_STR("file")) ||
                       wn_str_eq(part.name, WN_STR("upload"));
        if (is_page) {
            wn_str charset = wn_io_type_charset(part.type);
            take_page(fields, part.body, false);
            fields->charset = charset;
        } else if (part.name.len > 0) {
            add_field(fields, part.name, part.body);
        }
    }
    if (parts.broken)
        wn_buf_add_literal(&fields->problem, "the form ends before its last boundary");
    return !parts.broken;
}

static bool type_is(wn_str type, const char *name)
{
    return wn_str_eq_nocase(type, wn_str_of(name));
}

bool wn_serve_fields_read(wn_serve_fields *fields, const wn_serve_request *request, wn_str body)
{
    wn_str header = wn_serve_header(request, "content-type");
    wn_str type = wn_io_type_name(header);
    wn_serve_fields_add_query(fields, request->query);
    bool form = type_is(type, "application/x-www-form-urlencoded");
    if (type_is(type, "application/json")) {
        fields->as_json = true;
        return wn_serve_fields_add_json(fields, body);
    }
    if (type_is(type, "multipart/form-data"))
        return add_multipart(fields, header, body);
    if (form && body.len > 0 && !is_bare_page(body)) {
        add_pairs(fields, body, true);
    } else if (body.len > 0) {
        take_page(fields, body, false);
        fields->charset = form ? WN_STR("") : wn_io_type_charset(header);
    }
    if (!fields->arena.failed)
        return true;
    wn_buf_add_literal(&fields->problem, "out of memory");
    return false;
}

void wn_serve_fields_free(wn_serve_fields *fields)
{
    wn_json_free(&fields->json);
    wn_array_free(&fields->list);
    wn_buf_free(&fields->problem);
    wn_arena_free(&fields->arena);
}

const char *wn_serve_field(wn_serve_fields *fields, const char *name)
{
    const wn_serve_named *named = find_named(fields, wn_str_of(name));
    return named ? wn_arena_c_string(&fields->arena, named->value) : NULL;
}

/* ---- Values by a table ------------------------------------------------------------------- */

bool wn_serve_named_fits(const wn_serve_named *named, const winnow_parameter_info *info)
{
    bool is_text = info->kind == WINNOW_VALUE_TEXT || info->kind == WINNOW_VALUE_CHOICE;
    return !named || !named->bare || !is_text;
}

const char *wn_serve_flag_text(const winnow_parameter_info *info, const char *text)
{
    if (info->kind != WINNOW_VALUE_FLAG)
        return text;
    if (strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
        return "yes";
    return strcmp(text, "false") == 0 || strcmp(text, "0") == 0 ? "no" : text;
}

static bool read_value(const winnow_parameter_info *info, const char *text, wn_serve_value *value)
{
    value->given = true;
    value->text = text;
    return info->kind == WINNOW_VALUE_TEXT ||
           wn_param_read(info, wn_str_of(wn_serve_flag_text(info, text)), &value->number);
}

bool wn_serve_fields_values(wn_serve_fields *fields, const winnow_parameter_info *table,
                            wn_serve_value *values, const winnow_parameter_info **wrong)
{
    for (size_t i = 0; table[i].name; i++) {
        const char *text = wn_serve_field(fields, table[i].name);
        const char *used = text ? text : table[i].fallback;
        if (!used) {
            values[i] = (wn_serve_value){0};
            continue;
        }
        bool sound = wn_serve_named_fits(find_named(fields, wn_str_of(table[i].name)), &table[i]) &&
                     read_value(&table[i], used, &values[i]);
        values[i].given = text != NULL;
        if (sound)
            continue;
        *wrong = &table[i];
        wn_buf_add_format(&fields->problem, "wrong value for %s; expected %s", table[i].name,
                          table[i].allowed);
        return false;
    }
    return true;
}
