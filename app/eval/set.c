#include "eval/set.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "io/message.h"
#include "io/path.h"
#include "io/domain.h"

/* ---- Files ------------------------------------------------------------------------------- */

winnow_loader *wn_eval_loader(uint64_t max_bytes)
{
    return winnow_loader_new(&(winnow_inputs_settings){
        .struct_size = sizeof(winnow_inputs_settings),
        .max_bytes = max_bytes,
    });
}

static void add_path(wn_buf *path, const wn_eval_set *set, const char *part, wn_str id,
                     const char *ending)
{
    wn_buf_add_format(path, "%s/%s/", set->folder, part);
    wn_buf_add(path, id);
    wn_buf_add_literal(path, ending);
}

static const winnow_loaded *read_part(const wn_eval_set *set, const char *part, wn_str id,
                                      const char *ending, winnow_loader *loader)
{
    wn_buf path = {0};
    add_path(&path, set, part, id, ending);
    const winnow_loaded *loaded = winnow_loader_load(loader, wn_buf_c_string(&path));
    wn_buf_free(&path);
    return loaded;
}

const winnow_loaded *wn_eval_read_html(const wn_eval_set *set, const wn_eval_page *page,
                                       winnow_loader *loader)
{
    return read_part(set, "html", page->id, ".html", loader);
}

static bool is_there(const wn_eval_set *set, const char *part, wn_str id, const char *ending)
{
    wn_buf path = {0};
    add_path(&path, set, part, id, ending);
    bool found = access(wn_buf_c_string(&path), F_OK) == 0;
    wn_buf_free(&path);
    return found;
}

const winnow_loaded *wn_eval_read_gold(const wn_eval_set *set, const wn_eval_page *page,
                                       winnow_loader *loader, wn_text_form *form)
{
    static const char *const endings[] = {
        [WN_FORM_MARKDOWN] = ".md", [WN_FORM_HTML] = ".html", [WN_FORM_PLAIN] = ".txt"};
    *form = WN_FORM_MARKDOWN;
    while (*form < WN_FORM_PLAIN && !is_there(set, "gold", page->id, endings[*form]))
        ++*form;
    return read_part(set, "gold", page->id, endings[*form], loader);
}

/* ---- pages.jsonl ------------------------------------------------------------------------- */

/* What is needed while the lines are read. */
typedef struct line_reader {
    wn_eval_set *set;
    wn_problems *problems;
    wn_json json;
    uint32_t number; /* of the line, from 1 */
} line_reader;

static void add_broken(line_reader *r, const char *reason)
{
    char name[40];
    snprintf(name, sizeof name, "line %u", r->number);
    wn_eval_problems_add(r->problems, WN_PROBLEM_BROKEN_LINE, wn_str_of(name), wn_str_of(reason));
}

/* An id is part of a path: it must stay inside the folder. */
static bool is_usable(wn_str id)
{
    if (id.len == 0 || id.len > 200)
        return false;
    return !memchr(id.ptr, '/', id.len) && !memchr(id.ptr, '\0', id.len);
}

static wn_str keep(line_reader *r, const char *key)
{
    wn_str text = wn_json_text(&r->json, wn_json_get(&r->json, WN_JSON_ROOT, key));
    return wn_arena_copy(&r->set->arena, text);
}

/* Gives `id` the next number; false if it has one already or out of memory. */
static bool add_id(wn_eval_set *set, wn_str id)
{
    uint32_t before = set->ids.words.keys.count;
    uint32_t number = wn_text_vocabulary_number(&set->ids, id);
    return !set->ids.failed && number == before;
}

static void read_line(line_reader *r, wn_str line)
{
    wn_eval_set *set = r->set;
    if (!wn_json_parse(&r->json, &set->arena, line, 0, 0)) {
        add_broken(r, r->json.error);
        return;
    }
    wn_str id = keep(r, "id");
    if (!is_usable(id)) {
        add_broken(r, id.len ? "the id cannot be a file name" : "there is no \"id\"");
        return;
    }
    if (!add_id(set, id)) {
        wn_eval_problems_add(r->problems, WN_PROBLEM_REPEATED, id, WN_STR(""));
        return;
    }
    wn_eval_page *page = wn_array_push(&set->pages);
    if (!page)
        return;
    char domain[WN_IO_DOMAIN_SIZE];
    wn_str url = keep(r, "url");
    wn_io_domain(url, domain);
    *page = (wn_eval_page){
        .id = id,
        .url = url,
        .type = keep(r, "type"),
        .domain = wn_arena_copy(&set->arena, wn_str_of(domain)),
        .line = line,
    };
}

static void read_lines(line_reader *r)
{
    wn_str rest = wn_buf_str(&r->set->lines);
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        wn_str line = wn_str_from(rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len);
        r->number++;
        if (wn_str_trim(line).len > 0)
            read_line(r, line);
        rest = wn_str_from_offset(rest, line.len + 1);
    }
}

/* ---- What the lines do not name ---------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Looks for files in `part` that belong to no page, in bytewise order. */
static void find_unlisted(const wn_eval_set *set, const char *part, wn_problems *problems)
{
    wn_buf path = {0};
    wn_array(char *) names = {0};
    wn_buf_add_format(&path, "%s/%s", set->folder, part);
    DIR *folder = opendir(wn_buf_c_string(&path));
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        wn_str name = wn_str_of(entry->d_name);
        if (name.ptr[0] == '.' || wn_eval_set_find(set, name) != UINT32_MAX)
            continue;
        char *copy = strdup(name.ptr), **place = copy ? wn_array_push(&names) : NULL;
        if (place)
            *place = copy;
        else
            free(copy);
    }
    if (folder)
        closedir(folder);
    if (names.count > 0)
        qsort(names.items, names.count, sizeof *names.items, by_name);
    for (uint32_t i = 0; i < names.count; i++) {
        wn_buf_clear(&path);
        wn_buf_add_format(&path, "%s/%s", part, names.items[i]);
        wn_eval_problems_add(problems, WN_PROBLEM_UNLISTED, wn_buf_str(&path), WN_STR(""));
        free(names.items[i]);
    }
    wn_array_free(&names);
    wn_buf_free(&path);
}

/* ---- The set ----------------------------------------------------------------------------- */

static bool read_list(wn_eval_set *set)
{
    winnow_loader *loader = wn_eval_loader(INT32_MAX);
    wn_buf path = {0};
    wn_buf_add_format(&path, "%s/pages.jsonl", set->folder);
    const winnow_loaded *loaded = winnow_loader_load(loader, wn_buf_c_string(&path));
    wn_buf_add(&set->lines, wn_str_from(loaded->bytes, loaded->size));
    if (loaded->error) {
        wn_buf_add_literal(&set->error, "cannot read ");
        wn_add_quoted(&set->error, wn_buf_c_string(&path));
        wn_buf_add_format(&set->error,
                          ": %s; a set is a folder with html/ID.html, gold/ID.txt and pages.jsonl",
                          loaded->error);
    }
    winnow_loader_free(loader);
    wn_buf_free(&path);
    return set->error.len == 0;
}

wn_str wn_eval_set_name(const wn_eval_set *set)
{
    return wn_io_path_last(wn_str_of(set->folder));
}

bool wn_eval_set_open(wn_eval_set *set, const char *folder, wn_problems *problems)
{
    set->folder = folder;
    if (!read_list(set))
        return false;
    line_reader r = {.set = set, .problems = problems};
    read_lines(&r);
    wn_json_free(&r.json);
    find_unlisted(set, "html", problems);
    find_unlisted(set, "gold", problems);
    if (set->lines.failed || set->arena.failed || set->ids.failed)
        wn_buf_add_literal(&set->error, "out of memory");
    return set->error.len == 0;
}

void wn_eval_set_free(wn_eval_set *set)
{
    wn_array_free(&set->pages);
    wn_text_vocabulary_free(&set->ids);
    wn_buf_free(&set->lines);
    wn_arena_free(&set->arena);
    wn_buf_free(&set->error);
}

uint32_t wn_eval_set_find(const wn_eval_set *set, wn_str name)
{
    for (size_t i = name.len; i > 0; i--) {
        if (name.ptr[i - 1] == '/') {
            name = wn_str_from_offset(name, i);
            break;
        }
    }
    uint32_t page = wn_text_vocabulary_find(&set->ids, name);
    for (size_t i = name.len; page == UINT32_MAX && i > 0; i--) {
        if (name.ptr[i - 1] != '.')
            continue;
        page = wn_text_vocabulary_find(&set->ids, wn_str_from(name.ptr, i - 1));
        break;
    }
    return page;
}

/* ---- Snippets ---------------------------------------------------------------------------- */

/* The strings of an array, folded; NULL if there are none or out of memory. */
static const wn_str *fold_strings(const wn_json *json, const char *key, wn_arena *arena,
                                  uint32_t *count)
{
    wn_json_id array = wn_json_get(json, WN_JSON_ROOT, key);
    const wn_json_node *node = wn_json_node_at(json, array);
    *count = 0;
    if (node->kind != WN_JSON_ARRAY || node->len == 0)
        return NULL;
    wn_str *strings = wn_arena_alloc(arena, node->len * sizeof *strings);
    if (!strings)
        return NULL;
    wn_buf folded = {0};
    wn_json_each (json, item, array) {
        wn_buf_clear(&folded);
        wn_eval_add_folded(&folded, wn_json_text(json, item));
        strings[(*count)++] = wn_arena_copy(arena, wn_buf_str(&folded));
    }
    wn_buf_free(&folded);
    return strings;
}

wn_eval_snippets wn_eval_read_snippets(const wn_eval_page *page, wn_json *json, wn_arena *arena)
{
    wn_eval_snippets snippets = {0};
    if (!wn_json_parse(json, arena, page->line, 0, 0))
        return snippets;
    snippets.with = fold_strings(json, "with", arena, &snippets.with_count);
    snippets.without = fold_strings(json, "without", arena, &snippets.without_count);
    return snippets;
}
