#include "eval/runners.h"

#include "base/utf8.h"
#include "extract/method.h"
#include "io/message.h"

/* ---- Adding one -------------------------------------------------------------------------- */

uint32_t wn_eval_runners_find(const wn_runners *runners, wn_str name)
{
    for (uint32_t i = 0; i < runners->list.count; i++) {
        if (wn_str_eq(wn_str_of(runners->list.items[i].name), name))
            return i;
    }
    return UINT32_MAX;
}

static char *keep(wn_runners *runners, wn_str text)
{
    char *copy = wn_arena_bytes(&runners->arena, text.len + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

static bool add(wn_runners *runners, wn_str name, bool is_method, const char *path)
{
    if (wn_eval_runners_find(runners, name) != UINT32_MAX) {
        wn_buf_add_char(&runners->error, '\'');
        wn_add_printable(&runners->error, name);
        wn_buf_add_literal(&runners->error, "' is there twice; each row needs a name of its own");
        return false;
    }
    const char *copy = keep(runners, name);
    wn_runner *runner = copy ? wn_array_push(&runners->list) : NULL;
    if (!runner) {
        wn_buf_add_literal(&runners->error, "out of memory");
        return false;
    }
    *runner = (wn_runner){
        .name = copy, .is_method = is_method, .method = copy, .results = {.path = path}};
    return true;
}

/* ---- Methods ----------------------------------------------------------------------------- */

static bool add_method(wn_runners *runners, wn_str text)
{
    const char *method = keep(runners, text);
    winnow_options *options = winnow_options_new();
    bool known = method && winnow_options_check_method(options, method) == WINNOW_STATUS_OK;
    if (!known)
        wn_buf_add_literal(&runners->error, winnow_options_error(options)->message);
    winnow_options_free(options);
    return known && add(runners, text, true, NULL);
}

/* Whether a method's name is at `text`. */
static bool starts_method(const char *text)
{
    return wn_method_find(wn_str_from(text, strcspn(text, ":,="))) != NULL;
}

/* The length of the first method of a list, with its parameters. */
static size_t method_length(const char *list)
{
    size_t length = strcspn(list, ",");
    bool has_parameters = memchr(list, ':', length) != NULL;
    while (list[length] && has_parameters && !starts_method(list + length + 1))
        length += 1 + strcspn(list + length + 1, ",");
    return length;
}

static bool add_all_methods(wn_runners *runners)
{
    const winnow_method_info *method;
    for (size_t i = 0; (method = winnow_method_at(i)) != NULL; i++) {
        if (!add(runners, wn_str_of(method->name), true, NULL))
            return false;
    }
    return true;
}

bool wn_eval_runners_add_methods(wn_runners *runners, const char *list)
{
    if (!list)
        return add_all_methods(runners);
    if (strcmp(list, "none") == 0)
        return true;
    for (;;) {
        size_t length = method_length(list);
        if (!add_method(runners, wn_str_from(list, length)))
            return false;
        if (!list[length])
            return true;
        list += length + 1;
    }
}

bool wn_eval_runners_add_sites(wn_runners *runners)
{
    uint32_t count = runners->list.count;
    wn_buf name = {0};
    bool sound = true;
    for (uint32_t i = 0; sound && i < count; i++) {
        const char *method = runners->list.items[i].method;
        if (!runners->list.items[i].is_method)
            continue;
        wn_buf_clear(&name);
        wn_buf_add_format(&name, "%s+site", method);
        sound = add(runners, wn_buf_str(&name), true, NULL);
        if (sound) {
            wn_runner *added = &runners->list.items[runners->list.count - 1];
            added->method = method;
            added->site = true;
        }
    }
    wn_buf_free(&name);
    return sound;
}

/* ---- Results ----------------------------------------------------------------------------- */

bool wn_eval_runners_add_results(wn_runners *runners, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment || !equals[1]) {
        wn_buf_add_literal(&runners->error, "wrong value ");
        wn_add_quoted(&runners->error, assignment);
        wn_buf_add_literal(&runners->error, " for --results; it is NAME=FOLDER or NAME=FILE.jsonl");
        return false;
    }
    wn_buf name = {0}; /* it goes into JSON and SVG, which must be UTF-8 */
    wn_utf8_add_repaired(&name, wn_str_between(assignment, equals));
    bool added = add(runners, wn_buf_str(&name), false, equals + 1);
    wn_buf_free(&name);
    return added;
}

void wn_eval_runners_free(wn_runners *runners)
{
    for (uint32_t i = 0; i < runners->list.count; i++)
        wn_eval_results_free(&runners->list.items[i].results);
    for (uint32_t i = 0; i < runners->list.count; i++)
        winnow_noise_free(runners->list.items[i].noise);
    wn_array_free(&runners->list);
    wn_arena_free(&runners->arena);
    wn_buf_free(&runners->error);
}
