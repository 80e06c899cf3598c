/*
 * Handles to what was learned: models of "auto", templates of sites, noise words.
 */
#include "api/learned.h"

#include <string.h>

#include "auto/page_type.h"
#include "page/site.h"

/* ---- Models ------------------------------------------------------------------------------ */

winnow_status winnow_model_load(winnow_model **model, const void *bytes, size_t size)
{
    if (model)
        *model = NULL;
    if (!model || !bytes)
        return WINNOW_STATUS_BAD_ARGUMENT;
    winnow_model *loaded = wn_memory_get_zeroed(sizeof *loaded);
    char *copy = loaded ? wn_memory_get(size + 1) : NULL;
    if (!copy) {
        wn_memory_release(loaded);
        return WINNOW_STATUS_NO_MEMORY;
    }
    memcpy(copy, bytes, size); /* at an address that is aligned, and the caller's may change */
    loaded->bytes = copy;
    if (!wn_auto_model_read(&loaded->model, wn_str_from(copy, size), WN_ROW_SIZES)) {
        winnow_model_free(loaded);
        return WINNOW_STATUS_BAD_MODEL;
    }
    *model = loaded;
    return WINNOW_STATUS_OK;
}

void winnow_model_free(winnow_model *model)
{
    if (!model)
        return;
    wn_memory_release(model->bytes);
    wn_memory_release(model);
}

/* ---- Sites ------------------------------------------------------------------------------- */

winnow_status winnow_site_merge(winnow_site *site, const winnow_site *other)
{
    if (!site || !other || site == other)
        return WINNOW_STATUS_BAD_ARGUMENT;
    wn_page_site_merge(site, other);
    return site->failed ? WINNOW_STATUS_NO_MEMORY : WINNOW_STATUS_OK;
}

uint64_t winnow_site_pages(const winnow_site *site)
{
    return site ? site->pages : 0;
}

void *winnow_site_save(const winnow_site *site, size_t *size)
{
    wn_buf bytes = {0};
    if (size)
        *size = 0;
    if (!site)
        return NULL;
    wn_page_site_write(site, &bytes);
    if (bytes.failed) {
        wn_buf_free(&bytes);
        return NULL;
    }
    if (size)
        *size = bytes.len;
    return bytes.ptr;
}

winnow_status winnow_site_load(winnow_site **site, const void *bytes, size_t size)
{
    if (site)
        *site = NULL;
    if (!site || !bytes)
        return WINNOW_STATUS_BAD_ARGUMENT;
    winnow_site *loaded = *site = winnow_site_new();
    if (!loaded)
        return WINNOW_STATUS_NO_MEMORY;
    if (wn_page_site_read(loaded, wn_str_from(bytes, size)))
        return WINNOW_STATUS_OK;
    winnow_status status = loaded->failed ? WINNOW_STATUS_NO_MEMORY : WINNOW_STATUS_BAD_SITE;
    winnow_site_free(loaded);
    *site = NULL;
    return status;
}

/* ---- Learning from a page ---------------------------------------------------------------- */

typedef struct page_lines {
    wn_array(uint64_t) list;
    bool failed;
} page_lines;

static bool note_line(void *data, uint64_t hash)
{
    page_lines *lines = data;
    uint64_t *place = wn_array_push(&lines->list);
    lines->failed = !place;
    if (place)
        *place = hash;
    return place != NULL;
}

winnow_status winnow_site_learn(winnow_site *site, winnow_page *page)
{
    if (!site || !page)
        return WINNOW_STATUS_BAD_ARGUMENT;
    winnow_selection *all = winnow_select(page, "all", NULL);
    size_t size;
    const char *text = winnow_write(all, WINNOW_FORMAT_TEXT, NULL, &size);
    winnow_status status = winnow_page_error(page)->status;
    if (!text || winnow_selection_status(all) == WINNOW_STATUS_NO_MEMORY) {
        winnow_selection_free(all);
        return status != WINNOW_STATUS_OK ? status : WINNOW_STATUS_NO_MEMORY;
    }
    page_lines lines = {0};
    wn_page_site_lines(wn_str_from(text, size), note_line, &lines);
    if (!lines.failed) {
        wn_page_site_add(site, lines.list.items, lines.list.count);
        wn_page_site_settle(site);
    }
    bool failed = lines.failed || site->failed;
    wn_array_free(&lines.list);
    winnow_selection_free(all);
    if (failed)
        return WINNOW_STATUS_NO_MEMORY;
    return size > 0 ? WINNOW_STATUS_OK : WINNOW_STATUS_EMPTY;
}

/* ---- Noise words ------------------------------------------------------------------------- */

winnow_noise *winnow_noise_new(const char *stems, size_t size)
{
    winnow_noise *noise = wn_memory_get_zeroed(sizeof *noise);
    if (noise &&
        wn_extract_noise_read(&noise->words, wn_str_from(stems ? stems : "", stems ? size : 0)))
        return noise;
    winnow_noise_free(noise);
    return NULL;
}

void winnow_noise_free(winnow_noise *noise)
{
    if (!noise)
        return;
    wn_extract_noise_free(&noise->words);
    wn_memory_release(noise);
}
