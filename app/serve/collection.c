/*
 * What is in the store: /v1/search, /v1/pages and /v1/pages/ID.
 *
 * A store that is locked or gone is not the end of the server: the answer is 503, and the next
 * request opens it again.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "corpus/export.h"
#include "corpus/search.h"
#include "serve/ask.h"
#include "serve/handlers.h"

static const char *const status_names[] = {"ok", "partial", "empty", "copy", "all", NULL};

#define FILTER_VALUES                                                                              \
    {.name = "label",                                                                              \
     .help = "only pages with that label",                                                         \
     .kind = WINNOW_VALUE_TEXT,                                                                    \
     .allowed = "a label"},                                                                        \
        {.name = "host",                                                                           \
         .help = "only pages from that host; .example.org: and from those below it",               \
         .kind = WINNOW_VALUE_TEXT,                                                                \
         .allowed = "a host"},                                                                     \
        {.name = "language",                                                                       \
         .help = "only pages in that language: en, de, th, …",                                     \
         .kind = WINNOW_VALUE_TEXT,                                                                \
         .allowed = "a code such as en, de or th"},                                                \
        {.name = "since",                                                                          \
         .help = "only pages of that date or later: 2024-05-31",                                   \
         .kind = WINNOW_VALUE_TEXT,                                                                \
         .allowed = "a date, as 2024-05-31"},                                                      \
        {.name = "until",                                                                          \
         .help = "only pages of that date or earlier",                                             \
         .kind = WINNOW_VALUE_TEXT,                                                                \
         .allowed = "a date, as 2024-05-31"},                                                      \
    {                                                                                              \
        .name = "status", .help = "only pages of that kind; default: all but copies",              \
        .kind = WINNOW_VALUE_CHOICE, .choices = status_names,                                      \
        .allowed = "ok, partial, empty, copy or all"                                               \
    }

enum { LABEL, HOST, LANGUAGE, SINCE, UNTIL, STATUS, OWN };
enum { SEARCH_QUERY = OWN, SEARCH_COUNT, SEARCH_SKIP };
enum { PAGES_AFTER = OWN, PAGES_LIMIT };

const winnow_parameter_info wn_serve_search_values[] = {
    FILTER_VALUES,
    {.name = "q",
     .help = "words that the pages must have; words in double quotes must be adjacent",
     .kind = WINNOW_VALUE_TEXT,
     .allowed = "at least one word"},
    {.name = "n",
     .help = "pages to show",
     .kind = WINNOW_VALUE_WHOLE,
     .min = 1,
     .max = 100,
     .fallback = "10",
     .allowed = "a whole number from 1 to 100"},
    {.name = "skip",
     .help = "leave out the first ones",
     .kind = WINNOW_VALUE_WHOLE,
     .max = 10000,
     .fallback = "0",
     .allowed = "a whole number from 0 to 10000"},
    {.name = NULL},
};

const winnow_parameter_info wn_serve_pages_values[] = {
    FILTER_VALUES,
    {.name = "after",
     .help = "only pages with a higher number",
     .kind = WINNOW_VALUE_WHOLE,
     .max = 9007199254740991,
     .fallback = "0",
     .allowed = "the number of a page"},
    {.name = "limit",
     .help = "pages to show",
     .kind = WINNOW_VALUE_WHOLE,
     .min = 1,
     .max = 1000,
     .fallback = "100",
     .allowed = "a whole number from 1 to 1000"},
    {.name = NULL},
};

/* ---- What is common ---------------------------------------------------------------------- */

void wn_serve_fail_store(wn_serve_worker *worker, const wn_serve_request *request,
                         const char *reason, wn_serve_answer *answer)
{
    wn_buf message = {0};
    wn_buf_add_format(&message, "the store cannot be read: %s", reason);
    wn_serve_fail_busy(answer, request, 503, wn_buf_c_string(&message));
    wn_serve_worker_drop_store(worker);
    wn_buf_free(&message);
}

/* "2024", "2024-05", "2024-05-31" */
static bool is_date(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    size_t len = strlen(text);
    bool sound = len == 4 || len == 7 || len == 10;
    for (size_t i = 0; sound && i < len; i++)
        sound = form[i] == 'd' ? wn_is_ascii_digit(text[i]) : text[i] == form[i];
    return sound;
}

static unsigned statuses_of(const wn_serve_value *value)
{
    size_t choice = (size_t)value->number;
    if (!value->given)
        return WN_STORED_NO_COPIES;
    return choice < WN_STORED_STATUSES ? 1u << choice : 0;
}

wn_store *wn_serve_open_store(wn_serve_ask *ask, wn_serve_worker *worker,
                              const wn_serve_request *request, wn_serve_answer *answer)
{
    wn_serve_fields_add_query(&ask->fields, request->query);
    if (!wn_serve_ask_take_fields(ask, worker, wn_serve_route_find(request->path), request, answer))
        return NULL;
    wn_buf error = {0};
    wn_store *store = wn_serve_worker_store(worker, &error);
    if (!store)
        wn_serve_fail_store(worker, request, wn_buf_c_string(&error), answer);
    wn_buf_free(&error);
    return store;
}

/* The same, with a filter; NULL also if the filter is wrong. */
static wn_store *open_filtered(wn_serve_ask *ask, wn_serve_worker *worker,
                               const wn_serve_request *request, wn_store_filter *filter,
                               wn_serve_answer *answer)
{
    wn_store *store = wn_serve_open_store(ask, worker, request, answer);
    const wn_serve_value *values = ask->values;
    if (!store)
        return NULL;
    for (size_t i = SINCE; i <= UNTIL; i++) {
        if (values[i].text && !is_date(values[i].text)) {
            wn_serve_fail_value(answer, request, "this is not a date; write it as 2024-05-31",
                                i == SINCE ? "since" : "until", "a date, as 2024-05-31");
            return NULL;
        }
    }
    *filter = (wn_store_filter){
        .label = values[LABEL].text,
        .host = values[HOST].text,
        .language = values[LANGUAGE].text,
        .since = values[SINCE].text,
        .until = values[UNTIL].text,
        .statuses = statuses_of(&values[STATUS]),
    };
    return store;
}

void wn_serve_begin_json(wn_serve_answer *answer, wn_json_writer *json)
{
    answer->status = 200;
    answer->type = "application/json";
    *json = (wn_json_writer){.out = &answer->body};
    wn_json_begin_object(json);
}

void wn_serve_end_json(wn_serve_answer *answer, wn_json_writer *json)
{
    wn_json_end_object(json);
    wn_buf_add_char(&answer->body, '\n');
}

/* ---- /v1/search -------------------------------------------------------------------------- */

static void write_hits(wn_serve_ask *ask, wn_search *search, wn_serve_answer *answer)
{
    wn_json_writer json;
    wn_search_hit hit;
    uint64_t skip = (uint64_t)ask->values[SEARCH_SKIP].number, shown = 0;
    uint64_t count = (uint64_t)ask->values[SEARCH_COUNT].number;
    wn_serve_begin_json(answer, &json);
    wn_json_key(&json, "query");
    wn_json_outside(&json, wn_str_of(ask->values[SEARCH_QUERY].text));
    wn_json_key(&json, "hits");
    wn_json_begin_array(&json);
    bool any = skip == 0 || wn_corpus_search_skip(search, skip);
    while (any && shown < count && wn_corpus_search_next(search, &hit)) {
        wn_json_begin_object(&json);
        wn_json_key(&json, "rank");
        wn_json_uint(&json, skip + ++shown);
        wn_json_key(&json, "score");
        wn_json_fixed(&json, hit.score, 4);
        wn_corpus_stored_write_json(&json, &hit.page);
        wn_json_key(&json, "snippet");
        wn_json_string(&json, hit.snippet);
        wn_json_end_object(&json);
    }
    wn_json_end_array(&json);
    wn_serve_end_json(answer, &json);
}

void wn_serve_search(wn_serve_worker *worker, const wn_serve_request *request,
                     wn_serve_answer *answer)
{
    wn_serve_ask ask;
    wn_store_filter filter;
    const char *problem = NULL;
    bool begun = wn_serve_ask_begin(&ask);
    wn_store *store = begun ? open_filtered(&ask, worker, request, &filter, answer) : NULL;
    if (store) {
        const char *query = ask.values[SEARCH_QUERY].text;
        wn_search *search = wn_corpus_search_open(store, wn_str_of(query), &filter, &problem);
        if (search) {
            write_hits(&ask, search, answer);
            if (!wn_corpus_search_close(search))
                wn_serve_fail_store(worker, request, wn_corpus_store_error(store), answer);
        } else if (problem) {
            wn_serve_fail_value(answer, request, problem, "q", "at least one word");
        } else {
            wn_serve_fail_store(worker, request, wn_corpus_store_error(store), answer);
        }
    }
    wn_serve_ask_free(&ask);
}

/* ---- /v1/pages --------------------------------------------------------------------------- */

static void write_pages(wn_store_walk *walk, uint64_t limit, wn_serve_answer *answer)
{
    wn_json_writer json;
    wn_stored page = {0};
    uint64_t shown = 0;
    wn_serve_begin_json(answer, &json);
    wn_json_key(&json, "pages");
    wn_json_begin_array(&json);
    while (shown < limit && wn_corpus_store_walk_next(walk, &page)) {
        wn_json_begin_object(&json);
        wn_corpus_stored_write_json(&json, &page);
        wn_json_end_object(&json);
        shown++;
    }
    wn_json_end_array(&json);
    wn_json_key(&json, "next");
    if (shown == limit)
        wn_json_int(&json, page.id);
    else
        wn_json_null(&json);
    wn_serve_end_json(answer, &json);
}

void wn_serve_pages(wn_serve_worker *worker, const wn_serve_request *request,
                    wn_serve_answer *answer)
{
    wn_serve_ask ask;
    wn_store_filter filter;
    bool begun = wn_serve_ask_begin(&ask);
    wn_store *store = begun ? open_filtered(&ask, worker, request, &filter, answer) : NULL;
    if (store) {
        uint64_t limit = (uint64_t)ask.values[PAGES_LIMIT].number;
        filter.after = (int64_t)ask.values[PAGES_AFTER].number;
        filter.limit = limit;
        wn_store_walk *walk = wn_corpus_store_walk_open(store, &filter, 0);
        if (walk)
            write_pages(walk, limit, answer);
        if (!walk || !wn_corpus_store_walk_close(walk))
            wn_serve_fail_store(worker, request, wn_corpus_store_error(store), answer);
    }
    wn_serve_ask_free(&ask);
}

/* The number at the end of the path; 0 if it is not one. */
static int64_t page_number(const wn_serve_request *request)
{
    wn_str text = wn_serve_below(wn_serve_route_find(request->path), request);
    int64_t number = 0;
    for (size_t i = 0; i < text.len; i++)
        if (!wn_is_ascii_digit(text.ptr[i]) || __builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, text.ptr[i] - '0', &number))
            return 0;
    return number;
}

void wn_serve_page(wn_serve_worker *worker, const wn_serve_request *request,
                   wn_serve_answer *answer)
{
    wn_buf error = {0};
    bool found = false;
    wn_stored page;
    int64_t number = page_number(request);
    wn_store *store = wn_serve_worker_store(worker, &error);
    if (!store)
        wn_serve_fail_store(worker, request, wn_buf_c_string(&error), answer);
    else if (number && !wn_corpus_store_get(store, number, WN_FIELD_TEXT, &found, &page))
        wn_serve_fail_store(worker, request, wn_corpus_store_error(store), answer);
    else if (!found)
        wn_serve_fail(answer, request, 404, "there is no page of that number in the store");
    if (found && answer->status == 0) {
        answer->status = 200;
        answer->type = "application/json";
        wn_corpus_stored_write_line(&answer->body, &page, true, false);
    }
    wn_buf_free(&error);
}
