#include "api/options.h"

#include <assert.h>
#include <string.h>

/* ---- The table --------------------------------------------------------------------------- */

#define FLAG(number, name_, read, help_, fallback_)                                                \
    [number] = {.option = number,                                                                  \
                .name = name_,                                                                     \
                .read_by = read,                                                                   \
                .value = {.name = name_,                                                           \
                          .help = help_,                                                           \
                          .kind = WINNOW_VALUE_FLAG,                                               \
                          .max = 1,                                                                \
                          .choices = (const char *const[]){"no", "yes", NULL},                     \
                          .fallback = fallback_,                                                   \
                          .allowed = "no or yes"}}
#define NUMBER(number, name_, read, help_, fallback_, max_)                                        \
    [number] = {.option = number,                                                                  \
                .name = name_,                                                                     \
                .read_by = read,                                                                   \
                .value = {.name = name_,                                                           \
                          .help = help_,                                                           \
                          .kind = WINNOW_VALUE_WHOLE,                                              \
                          .max = max_,                                                             \
                          .fallback = fallback_,                                                   \
                          .allowed = "a whole number from 0 to " #max_}}
#define TEXT(number, name_, read, help_)                                                           \
    [number] = {.option = number,                                                                  \
                .name = name_,                                                                     \
                .read_by = read,                                                                   \
                .value = {.name = name_,                                                           \
                          .help = help_,                                                           \
                          .kind = WINNOW_VALUE_TEXT,                                               \
                          .fallback = "",                                                          \
                          .allowed = "any text"}}

#define ROLES(number, name_, help_)                                                                \
    [number] = {.option = number,                                                                  \
                .name = name_,                                                                     \
                .read_by = "select",                                                               \
                .value = {.name = name_,                                                           \
                          .help = help_,                                                           \
                          .kind = WINNOW_VALUE_TEXT,                                               \
                          .fallback = "",                                                          \
                          .allowed = "title, byline, lede, body, heading, caption, facts, "        \
                                     "quotation, embed, comment, related, promotion, share, "      \
                                     "navigation, legal, other; separated by commas"}}

static const winnow_option_info table[] = {
    TEXT(WINNOW_OPTION_URL, "url", "parse", "the page's address, for its links and the record"),
    TEXT(WINNOW_OPTION_CHARSET, "charset", "parse",
         "the encoding that the HTTP header names; overrides the declared one"),
    NUMBER(WINNOW_OPTION_MAX_BYTES, "max_bytes", "parse", "bytes of the page; 0: 2 GiB", "33554432",
           2147483648),
    NUMBER(WINNOW_OPTION_MAX_NODES, "max_nodes", "parse",
           "elements, texts and comments; 0: no limit", "3000000", 4294967295),
    NUMBER(WINNOW_OPTION_MAX_DEPTH, "max_depth", "parse", "nesting of elements; 0: 65535", "512",
           65535),
    NUMBER(WINNOW_OPTION_MAX_ATTRIBUTES, "max_attributes", "parse",
           "attributes of one element; 0: no limit", "1024", 4294967295),
    NUMBER(WINNOW_OPTION_MAX_MEMORY, "max_memory", "parse", "bytes of working memory; 0: no limit",
           "0", 1125899906842624),
    NUMBER(WINNOW_OPTION_MAX_MILLISECONDS, "max_milliseconds", "parse",
           "time for all calls on the page; 0: no limit", "0", 4294967295),
    FLAG(WINNOW_OPTION_TABLES, "tables", "select", "keep data tables", "yes"),
    FLAG(WINNOW_OPTION_EXPLAIN, "explain", "select", "reasons and paths for every block", "no"),
    TEXT(WINNOW_OPTION_SHEET_BASE, "sheet_base", "select",
         "the base of links to style sheets; default: url"),
    FLAG(WINNOW_OPTION_LINKS, "links", "write", "keep links, list them in records", "no"),
    FLAG(WINNOW_OPTION_FORMATTING, "formatting", "write", "keep bold and italics", "no"),
    FLAG(WINNOW_OPTION_IMAGES, "images", "write", "keep images, by address and description", "no"),
    FLAG(WINNOW_OPTION_METADATA, "metadata", "write", "text and Markdown begin with the metadata",
         "no"),
    FLAG(WINNOW_OPTION_BLOCKS, "blocks", "write", "JSON lists the blocks", "no"),
    FLAG(WINNOW_OPTION_STANDALONE, "standalone", "write",
         "a whole document: XML declaration, <html> around HTML", "no"),
    FLAG(WINNOW_OPTION_HEADING, "heading", "write",
         "Markdown, HTML, XML and TEI begin with the title if the text does not have it", "yes"),
    FLAG(WINNOW_OPTION_TITLE, "title", "write",
         "plain text and the text of records begin with the title", "no"),
    [WINNOW_OPTION_TEXT_FORMAT] = {.option = WINNOW_OPTION_TEXT_FORMAT,
                                   .name = "text_format",
                                   .read_by = "write",
                                   .value = {.name = "text_format",
                                             .help = "form of the text in JSON",
                                             .kind = WINNOW_VALUE_CHOICE,
                                             .max = 2,
                                             .choices = (const char *const[]){"txt", "md", "html",
                                                                              NULL},
                                             .fallback = "txt",
                                             .allowed = "txt, md or html"}},
    ROLES(WINNOW_OPTION_WITH, "with", "roles of blocks that are kept in any case"),
    ROLES(WINNOW_OPTION_WITHOUT, "without", "roles of blocks that are kept in no case"),
    FLAG(WINNOW_OPTION_CSV_SAFE, "csv_safe", "write",
         "CSV fields that a spreadsheet takes for formulas begin with '", "no"),
    FLAG(WINNOW_OPTION_LOAD_IMAGES, "load_images", "write",
         "whole pages of HTML may load their images from the web", "no"),
};

_Static_assert(sizeof table / sizeof *table == WN_OPTION_COUNT, "every option is in the table");

/* The same values as in the table; a test compares them. */
static const winnow_options defaults = {
    .numbers =
        {
            [WINNOW_OPTION_MAX_BYTES] = 32 << 20,
            [WINNOW_OPTION_MAX_NODES] = 3000000,
            [WINNOW_OPTION_MAX_DEPTH] = 512,
            [WINNOW_OPTION_MAX_ATTRIBUTES] = 1024,
            [WINNOW_OPTION_TABLES] = 1,
            [WINNOW_OPTION_HEADING] = 1,
        },
};

const winnow_options *wn_api_options(const winnow_options *options)
{
    return options ? options : &defaults;
}

const winnow_option_info *winnow_option_at(size_t index)
{
    return index < WN_OPTION_COUNT ? &table[index] : NULL;
}

static const char *option_name(const void *list, size_t index)
{
    (void)list;
    return index < WN_OPTION_COUNT ? table[index].name : NULL;
}

/* The option of that number if it is of that kind; NULL if not. */
static const winnow_option_info *find(winnow_option option, winnow_value_kind kind)
{
    bool known = (size_t)option < WN_OPTION_COUNT && table[option].value.kind == kind;
    return known ? &table[option] : NULL;
}

/* The same for what is set by a number: a choice is the number of its value. */
static const winnow_option_info *find_number(winnow_option option)
{
    const winnow_option_info *info = find(option, WINNOW_VALUE_WHOLE);
    return info ? info : find(option, WINNOW_VALUE_CHOICE);
}

/* ---- Life -------------------------------------------------------------------------------- */

winnow_options *winnow_options_new(void)
{
    winnow_options *options = wn_memory_get_zeroed(sizeof *options);
    if (options) {
        memcpy(options->numbers, defaults.numbers, sizeof options->numbers);
        wn_api_error_clear(&options->error);
    }
    return options;
}

void winnow_options_free(winnow_options *options)
{
    if (!options)
        return;
    for (size_t i = 0; i < WN_OPTION_COUNT; i++)
        wn_memory_release(options->texts[i]);
    for (uint32_t i = 0; i < options->params.count; i++)
        wn_memory_release(options->params.items[i].text);
    wn_array_free(&options->params);
    wn_array_free(&options->sheets);
    wn_api_error_free(&options->error);
    wn_memory_release(options);
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = wn_memory_get(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static bool copy_lists(winnow_options *copy, const winnow_options *options)
{
    for (size_t i = 0; i < WN_OPTION_COUNT; i++)
        if (options->texts[i] && !(copy->texts[i] = copy_text(options->texts[i])))
            return false;
    for (uint32_t i = 0; i < options->params.count; i++) {
        wn_api_param *param = wn_array_push(&copy->params);
        if (!param)
            return false;
        *param = options->params.items[i];
        if (param->text && !(param->text = copy_text(param->text)))
            return false;
    }
    for (uint32_t i = 0; i < options->sheets.count; i++) {
        winnow_sheet *sheet = wn_array_push(&copy->sheets);
        if (!sheet)
            return false;
        *sheet = options->sheets.items[i];
    }
    return true;
}

winnow_options *winnow_options_copy(const winnow_options *options)
{
    winnow_options *copy = winnow_options_new();
    if (!copy || !options)
        return copy;
    memcpy(copy->numbers, options->numbers, sizeof copy->numbers);
    copy->load_sheet = options->load_sheet;
    copy->load_data = options->load_data;
    copy->cancel = options->cancel;
    copy->cancel_data = options->cancel_data;
    copy->model = options->model;
    copy->site = options->site;
    copy->noise = options->noise;
    if (copy_lists(copy, options))
        return copy;
    winnow_options_free(copy);
    return NULL;
}

const winnow_error *winnow_options_error(const winnow_options *options)
{
    return options ? &options->error.shown : &wn_api_no_handle;
}

/* ---- By number --------------------------------------------------------------------------- */

static winnow_status wrong_number(winnow_options *options)
{
    return wn_api_error_say(&options->error, WINNOW_STATUS_BAD_PARAMETER,
                            "there is no option of that number and type; winnow_option_at() lists "
                            "them");
}

static winnow_status no_memory(winnow_options *options)
{
    return wn_api_error_say(&options->error, WINNOW_STATUS_NO_MEMORY, "out of memory");
}

winnow_status winnow_options_set_flag(winnow_options *options, winnow_option option, bool value)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    wn_api_error_clear(&options->error);
    if (!find(option, WINNOW_VALUE_FLAG))
        return wrong_number(options);
    options->numbers[option] = value;
    return WINNOW_STATUS_OK;
}

winnow_status winnow_options_set_number(winnow_options *options, winnow_option option,
                                        uint64_t value)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    wn_api_error_clear(&options->error);
    const winnow_option_info *info = find_number(option);
    if (!info)
        return wrong_number(options);
    if ((double)value > info->value.max) {
        wn_buf given = {0};
        wn_buf_add_format(&given, "%llu", (unsigned long long)value);
        wn_api_error_value(&options->error, "option", &info->value, wn_buf_str(&given));
        wn_buf_free(&given);
        return WINNOW_STATUS_BAD_PARAMETER;
    }
    options->numbers[option] = value;
    return WINNOW_STATUS_OK;
}

/* Puts a copy of `text` (or NULL) in the place of *held. */
static winnow_status replace_text(winnow_options *options, char **held, const char *text)
{
    char *copy = text ? copy_text(text) : NULL;
    if (text && !copy)
        return no_memory(options);
    wn_memory_release(*held);
    *held = copy;
    return WINNOW_STATUS_OK;
}

static int role_of_name(wn_str name)
{
    for (int role = 1; role <= WINNOW_ROLE_OTHER; role++)
        if (wn_str_eq(name, wn_str_of(winnow_block_role_name((winnow_block_role)role))))
            return role;
    return WINNOW_ROLE_UNKNOWN;
}

bool wn_api_read_roles(const char *text, uint32_t *roles)
{
    wn_str rest = wn_str_of(text);
    *roles = 0;
    while (rest.len > 0) {
        const char *comma = memchr(rest.ptr, ',', rest.len);
        wn_str name = comma ? wn_str_between(rest.ptr, comma) : rest;
        int role = role_of_name(wn_str_trim(name));
        if (role == WINNOW_ROLE_UNKNOWN)
            return false;
        *roles |= 1u << role;
        rest = wn_str_from_offset(rest, name.len + (comma != NULL));
    }
    return true;
}

/* Sets an option that is a text, if it may be that one. */
static winnow_status set_text_option(winnow_options *options, const winnow_option_info *info,
                                     const char *value)
{
    uint32_t roles;
    bool is_roles = info->option == WINNOW_OPTION_WITH || info->option == WINNOW_OPTION_WITHOUT;
    if (is_roles && !wn_api_read_roles(value, &roles))
        return wn_api_error_value(&options->error, "option", &info->value, wn_str_of(value));
    return replace_text(options, &options->texts[info->option], value);
}

winnow_status winnow_options_set_text(winnow_options *options, winnow_option option,
                                      const char *value)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    wn_api_error_clear(&options->error);
    const winnow_option_info *info = find(option, WINNOW_VALUE_TEXT);
    return info ? set_text_option(options, info, value) : wrong_number(options);
}

bool winnow_options_flag(const winnow_options *options, winnow_option option)
{
    return find(option, WINNOW_VALUE_FLAG) && wn_api_flag(wn_api_options(options), option);
}

uint64_t winnow_options_number(const winnow_options *options, winnow_option option)
{
    return find_number(option) ? wn_api_options(options)->numbers[option] : 0;
}

const char *winnow_options_text(const winnow_options *options, winnow_option option)
{
    return find(option, WINNOW_VALUE_TEXT) ? wn_api_options(options)->texts[option] : NULL;
}

/* ---- By name ----------------------------------------------------------------------------- */

/* The parameter of a method that was set before, or a new one; NULL if out of memory. */
static wn_api_param *param_place(winnow_options *options, const wn_method *method, int index)
{
    for (uint32_t i = 0; i < options->params.count; i++) {
        wn_api_param *param = &options->params.items[i];
        if (param->method == method && param->index == index)
            return param;
    }
    wn_api_param *param = wn_array_push(&options->params);
    if (param)
        *param = (wn_api_param){.method = method, .index = index};
    return param;
}

/* Sets "METHOD.PARAM"; `dot` is where the parameter begins. */
static winnow_status set_param(winnow_options *options, const char *given, const char *dot,
                               const char *value)
{
    wn_str method_name = wn_str_between(given, dot), name = wn_str_of(dot + 1);
    wn_request request = {.method = wn_method_find(method_name)};
    wn_request_problem problem = {.method = request.method, .word = method_name};
    wn_request_error kind = request.method
                                ? wn_request_set(&request, name, wn_str_of(value), &problem)
                                : WN_UNKNOWN_METHOD;
    if (kind)
        return wn_api_error_of_request(&options->error, wn_str_of(given), kind, &problem);
    int index = wn_method_param(request.method, name);
    wn_api_param *param = param_place(options, request.method, index);
    if (!param)
        return no_memory(options);
    param->value = request.values[index];
    bool is_text = request.method->info.parameters[index]->kind == WINNOW_VALUE_TEXT;
    return is_text ? replace_text(options, &param->text, value) : WINNOW_STATUS_OK;
}

static winnow_status set_option(winnow_options *options, const winnow_option_info *info,
                                const char *value)
{
    double number;
    if (info->value.kind == WINNOW_VALUE_TEXT)
        return set_text_option(options, info, value);
    if (!value || !wn_param_read(&info->value, wn_str_of(value), &number))
        return wn_api_error_value(&options->error, "option", &info->value, wn_str_of(value));
    options->numbers[info->option] = (uint64_t)number;
    return WINNOW_STATUS_OK;
}

winnow_status winnow_options_set(winnow_options *options, const char *name, const char *value)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    wn_api_error_clear(&options->error);
    if (!name)
        return wn_api_error_say(&options->error, WINNOW_STATUS_BAD_ARGUMENT,
                                "the name of the option is NULL");
    const char *dot = strchr(name, '.');
    if (dot)
        return set_param(options, name, dot, value);
    for (size_t i = 0; i < WN_OPTION_COUNT; i++)
        if (strcmp(table[i].name, name) == 0)
            return set_option(options, &table[i], value);
    return wn_api_error_unknown(&options->error, "unknown option ", wn_str_of(name), option_name,
                                NULL);
}

/* ---- Sheets, callbacks and what was learned ---------------------------------------------- */

winnow_status winnow_options_add_sheet(winnow_options *options, const winnow_sheet *sheet)
{
    if (!options || !sheet || sheet->struct_size < sizeof *sheet)
        return WINNOW_STATUS_BAD_ARGUMENT;
    winnow_sheet *place = wn_array_push(&options->sheets);
    if (!place)
        return no_memory(options);
    *place = *sheet;
    return WINNOW_STATUS_OK;
}

winnow_status winnow_options_set_sheet_loader(winnow_options *options, winnow_load_sheet *load,
                                              void *data)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    options->load_sheet = load;
    options->load_data = data;
    return WINNOW_STATUS_OK;
}

winnow_status winnow_options_set_cancel(winnow_options *options, winnow_cancel *cancel, void *data)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    options->cancel = cancel;
    options->cancel_data = data;
    return WINNOW_STATUS_OK;
}

winnow_status winnow_options_set_model(winnow_options *options, const winnow_model *model)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    options->model = model;
    return WINNOW_STATUS_OK;
}

winnow_status winnow_options_set_site(winnow_options *options, const winnow_site *site)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    options->site = site;
    return WINNOW_STATUS_OK;
}

winnow_status winnow_options_set_noise(winnow_options *options, const winnow_noise *noise)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    options->noise = noise;
    return WINNOW_STATUS_OK;
}

/* ---- Requests ---------------------------------------------------------------------------- */

wn_request_error wn_api_read_request(const winnow_options *options, const char *method,
                                     wn_request *request, wn_request_problem *problem)
{
    wn_str text = wn_str_of(method ? method : "auto");
    wn_request_error error = wn_request_find(request, &text, problem);
    if (error)
        return error;
    for (uint32_t i = 0; i < options->params.count; i++) {
        const wn_api_param *param = &options->params.items[i];
        if (param->method != request->method)
            continue;
        assert(param->index >= 0 && param->index < WN_MOST_PARAMS);
        request->values[param->index] = param->value;
        request->texts[param->index] = param->text;
    }
    return wn_request_read(request, text, problem);
}

winnow_status winnow_options_check_method(winnow_options *options, const char *method)
{
    if (!options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    wn_request request;
    wn_request_problem problem;
    wn_request_error kind = wn_api_read_request(options, method, &request, &problem);
    wn_api_error_clear(&options->error);
    return kind ? wn_api_error_of_request(&options->error, wn_str_of(method), kind, &problem)
                : WINNOW_STATUS_OK;
}
