#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* getline */
#endif

#include "eval/results.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/message.h"

static bool fail(wn_results *results, const char *reason)
{
    wn_buf_add_literal(&results->error, "cannot read ");
    wn_add_quoted(&results->error, results->path);
    wn_buf_add_format(&results->error, ": %s", reason);
    return false;
}

static bool is_taken(const wn_result_place *place)
{
    return place->file || place->size;
}

/* ---- A folder ---------------------------------------------------------------------------- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void add_file(wn_results *results, const char *name, const wn_eval_set *set,
                     wn_problems *problems)
{
    uint32_t page = wn_eval_set_find(set, wn_str_of(name));
    if (page == UINT32_MAX) {
        wn_eval_problems_add(problems, WN_PROBLEM_UNMATCHED, wn_str_of(name),
                             wn_str_of(results->path));
        return;
    }
    if (is_taken(&results->places[page])) {
        wn_eval_problems_add(problems, WN_PROBLEM_BROKEN_RESULT, wn_str_of(name),
                             WN_STR("another file has the same name but for its ending"));
        return;
    }
    size_t size = strlen(name) + 1;
    char *copy = wn_arena_bytes(&results->arena, size);
    if (copy)
        memcpy(copy, name, size);
    results->places[page].file = copy;
}

static bool open_folder(wn_results *results, const wn_eval_set *set, wn_problems *problems)
{
    struct dirent **entries;
    int count = scandir(results->path, &entries, is_shown, by_name);
    if (count < 0)
        return fail(results, strerror(errno));
    for (int i = 0; i < count; i++) {
        add_file(results, entries[i]->d_name, set, problems);
        free(entries[i]);
    }
    free(entries);
    return true;
}

/* ---- A JSONL file ------------------------------------------------------------------------ */

typedef struct record_reader {
    wn_results *results;
    const wn_eval_set *set;
    wn_problems *problems;
    wn_json json;
    wn_arena arena;
    uint64_t number; /* of the line, from 1 */
    uint64_t offset; /* where it begins */
} record_reader;

static void add_broken(record_reader *r, const char *reason)
{
    wn_buf name = {0};
    wn_buf_add_format(&name, "%s, line %llu", r->results->path, (unsigned long long)r->number);
    wn_eval_problems_add(r->problems, WN_PROBLEM_BROKEN_RESULT, wn_buf_str(&name),
                         wn_str_of(reason));
    wn_buf_free(&name);
}

/* Where the text of a record may be. */
static const char *const text_keys[] = {"text", "articleBody", "content"};

enum { TEXT_KEYS = sizeof text_keys / sizeof *text_keys };

/*
 * The text of a record: a string, or null where the tool has none; WN_JSON_NONE if it has no such
 * key.
 */
static wn_json_id find_text(const wn_json *json)
{
    wn_json_id found = WN_JSON_NONE;
    for (size_t i = 0; i < TEXT_KEYS && wn_json_text(json, found).len == 0; i++) {
        wn_json_id value = wn_json_get(json, WN_JSON_ROOT, text_keys[i]);
        wn_json_kind kind = (wn_json_kind)wn_json_node_at(json, value)->kind;
        if (kind == WN_JSON_STRING || (kind == WN_JSON_NULL && !found))
            found = value;
    }
    return found;
}

static void add_record(record_reader *r, wn_str line)
{
    wn_arena_reset(&r->arena);
    if (!wn_json_parse(&r->json, &r->arena, line, 0, 0)) {
        add_broken(r, r->json.error);
        return;
    }
    wn_str id = wn_json_text(&r->json, wn_json_get(&r->json, WN_JSON_ROOT, "id"));
    if (id.len == 0) {
        add_broken(r, "there is no \"id\"");
        return;
    }
    uint32_t page = wn_eval_set_find(r->set, id);
    if (page == UINT32_MAX) {
        wn_eval_problems_add(r->problems, WN_PROBLEM_UNMATCHED, id, wn_str_of(r->results->path));
        return;
    }
    wn_json_id text = find_text(&r->json);
    const char *reason = is_taken(&r->results->places[page]) ? "the page was there before"
                         : !text
                             ? "there is no \"text\", \"articleBody\" or \"content\" with a text"
                             : NULL;
    if (reason)
        add_broken(r, reason);
    if (reason || wn_json_node_at(&r->json, text)->kind == WN_JSON_NULL)
        return;
    r->results->places[page] = (wn_result_place){.offset = r->offset, .size = line.len};
}

static void read_records(record_reader *r, FILE *file)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    while ((size = getline(&line, &capacity, file)) > 0) {
        wn_str text = wn_str_from(line, (size_t)size);
        r->number++;
        if (wn_str_trim(text).len > 0)
            add_record(r, text);
        r->offset += (uint64_t)size;
    }
    free(line);
}

static bool open_records(wn_results *results, const wn_eval_set *set, wn_problems *problems)
{
    FILE *file = fopen(results->path, "re");
    results->fd = file ? open(results->path, O_RDONLY | O_CLOEXEC) : -1;
    if (results->fd < 0) {
        int error = errno;
        if (file)
            fclose(file);
        return fail(results, strerror(error));
    }
    record_reader r = {.results = results, .set = set, .problems = problems};
    read_records(&r, file);
    bool failed = ferror(file);
    fclose(file);
    wn_json_free(&r.json);
    wn_arena_free(&r.arena);
    return !failed || fail(results, "it could not be read to its end");
}

/* ---- Both -------------------------------------------------------------------------------- */

bool wn_eval_results_open(wn_results *results, const char *path, const wn_eval_set *set,
                          wn_problems *problems)
{
    struct stat info;
    results->path = path;
    results->fd = -1;
    results->places = calloc((size_t)set->pages.count + 1, sizeof *results->places);
    if (!results->places)
        return fail(results, "out of memory");
    if (stat(path, &info) != 0)
        return fail(results, strerror(errno));
    results->is_folder = S_ISDIR(info.st_mode);
    if (!results->is_folder && !S_ISREG(info.st_mode))
        return fail(results, "results are a folder or a JSONL file");
    return results->is_folder ? open_folder(results, set, problems)
                              : open_records(results, set, problems);
}

void wn_eval_results_free(wn_results *results)
{
    if (results->places && results->fd >= 0)
        close(results->fd);
    free(results->places);
    wn_arena_free(&results->arena);
    wn_buf_free(&results->error);
}

void wn_eval_results_reader_init(wn_results_reader *reader)
{
    *reader = (wn_results_reader){.loader = wn_eval_loader(INT32_MAX)};
}

void wn_eval_results_reader_free(wn_results_reader *reader)
{
    winnow_loader_free(reader->loader);
    wn_buf_free(&reader->record);
    wn_json_free(&reader->json);
    wn_arena_free(&reader->arena);
}

static bool read_bytes(int fd, const wn_result_place *place, wn_buf *out)
{
    wn_buf_clear(out);
    if (!wn_buf_reserve(out, (size_t)place->size))
        return false;
    while (out->len < place->size) {
        ssize_t got = pread(fd, out->ptr + out->len, (size_t)place->size - out->len,
                            (off_t)(place->offset + out->len));
        if (got <= 0)
            return false;
        out->len += (size_t)got;
    }
    return true;
}

static bool read_record(const wn_results *results, const wn_result_place *place,
                        wn_results_reader *reader, wn_str *text)
{
    wn_arena_reset(&reader->arena);
    if (!read_bytes(results->fd, place, &reader->record) ||
        !wn_json_parse(&reader->json, &reader->arena, wn_buf_str(&reader->record), 0, 0))
        return false;
    *text = wn_json_text(&reader->json, find_text(&reader->json));
    return true;
}

bool wn_eval_results_read(const wn_results *results, uint32_t page, wn_results_reader *reader,
                          wn_str *text)
{
    const wn_result_place *place = &results->places[page];
    *text = WN_STR("");
    if (place->size)
        return read_record(results, place, reader, text);
    if (!place->file)
        return false;
    wn_buf_clear(&reader->record);
    wn_buf_add_format(&reader->record, "%s/%s", results->path, place->file);
    const winnow_loaded *loaded = winnow_loader_load(reader->loader,
                                                     wn_buf_c_string(&reader->record));
    *text = wn_str_from(loaded->bytes, loaded->size);
    return !loaded->error;
}

bool wn_eval_results_is_html(const wn_results *results, uint32_t page)
{
    const char *file = results->places[page].file;
    return file && (wn_str_has_ending(wn_str_of(file), WN_STR(".html")) ||
                    wn_str_has_ending(wn_str_of(file), WN_STR(".htm")));
}
