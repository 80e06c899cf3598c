#include "eval/folds.h"

#include <stdlib.h>

#include "io/message.h"

/* Reads FOLDER/NAME into `out`; false, and an error, if it cannot be read. */
static bool read_file(wn_folds *folds, const char *folder, wn_str name, const char *ending,
                      wn_buf *out)
{
    winnow_loader *loader = wn_eval_loader(256 << 20);
    wn_buf path = {0};
    wn_buf_add_format(&path, "%s/%.*s%s", folder, WN_STR_ARGS(name), ending);
    const winnow_loaded *loaded = winnow_loader_load(loader, wn_buf_c_string(&path));
    if (loaded->error) {
        wn_buf_add_literal(&folds->error, "--folds: cannot read ");
        wn_add_quoted(&folds->error, wn_buf_c_string(&path));
        wn_buf_add_format(&folds->error, ": %s", loaded->error);
    } else {
        wn_buf_add(out, wn_str_from(loaded->bytes, loaded->size));
    }
    bool sound = !loaded->error && !out->failed;
    wn_buf_free(&path);
    winnow_loader_free(loader);
    return sound;
}

static bool load_model(wn_folds *folds, const char *folder, wn_fold *fold)
{
    wn_buf bytes = {0};
    bool sound = read_file(folds, folder, fold->name, ".model", &bytes);
    if (sound && winnow_model_load(&fold->model, bytes.ptr, bytes.len) != WINNOW_STATUS_OK) {
        wn_buf_add_format(&folds->error, "--folds: %.*s.model in ", WN_STR_ARGS(fold->name));
        wn_add_quoted(&folds->error, folder);
        wn_buf_add_literal(&folds->error, " is not a model of this version; train it again");
        sound = false;
    }
    wn_buf_free(&bytes);
    return sound;
}

/* The fold with that name, new if there is none; UINT32_MAX if out of memory. */
static uint32_t find_fold(wn_folds *folds, wn_str name)
{
    for (uint32_t i = 0; i < folds->list.count; i++)
        if (wn_str_eq(folds->list.items[i].name, name))
            return i;
    wn_fold *fold = wn_array_push(&folds->list);
    if (!fold)
        return UINT32_MAX;
    *fold = (wn_fold){.name = name};
    return folds->list.count - 1;
}

/* One line of the table. */
static bool read_line(wn_folds *folds, const wn_eval_set *set, wn_str line)
{
    const char *tab = memchr(line.ptr, '\t', line.len);
    if (!tab)
        return true;
    uint32_t page = wn_eval_set_find(set, wn_str_between(line.ptr, tab));
    if (page == UINT32_MAX)
        return true; /* of another set */
    wn_str name = wn_str_trim(wn_str_between(tab + 1, line.ptr + line.len));
    folds->of_page[page] = find_fold(folds, name);
    return folds->of_page[page] != UINT32_MAX;
}

static bool check_pages(wn_folds *folds, const wn_eval_set *set)
{
    for (uint32_t i = 0; i < set->pages.count; i++) {
        if (folds->of_page[i] != UINT32_MAX)
            continue;
        wn_buf_add_literal(&folds->error, "--folds: there is no fold for the page ");
        wn_add_printable(&folds->error, set->pages.items[i].id);
        return false;
    }
    return true;
}

/*
 * Which page is in which fold: the set has a table by its name, or it is the one that models are
 * made for.
 */
static bool read_table(wn_folds *folds, const char *folder, const wn_eval_set *set)
{
    if (read_file(folds, folder, wn_eval_set_name(set), ".tsv", &folds->table))
        return true;
    wn_buf_clear(&folds->error);
    return read_file(folds, folder, WN_STR("folds"), ".tsv", &folds->table);
}

bool wn_eval_folds_open(wn_folds *folds, const char *folder, const wn_eval_set *set)
{
    folds->of_page = malloc(((size_t)set->pages.count + 1) * sizeof *folds->of_page);
    if (!folds->of_page || !read_table(folds, folder, set))
        return false;
    memset(folds->of_page, 0xFF, ((size_t)set->pages.count + 1) * sizeof *folds->of_page);
    wn_str rest = wn_buf_str(&folds->table);
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        wn_str line = end ? wn_str_between(rest.ptr, end) : rest;
        if (!read_line(folds, set, line))
            return false;
        rest = wn_str_from_offset(rest, line.len + 1);
    }
    bool sound = check_pages(folds, set);
    for (uint32_t i = 0; sound && i < folds->list.count; i++)
        sound = load_model(folds, folder, &folds->list.items[i]);
    return sound;
}

void wn_eval_folds_free(wn_folds *folds)
{
    for (uint32_t i = 0; i < folds->list.count; i++)
        winnow_model_free(folds->list.items[i].model);
    wn_array_free(&folds->list);
    wn_buf_free(&folds->table);
    wn_buf_free(&folds->error);
    free(folds->of_page);
}

const winnow_model *wn_eval_folds_model(const wn_folds *folds, uint32_t page)
{
    return folds->list.items[folds->of_page[page]].model;
}
