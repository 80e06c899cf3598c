/*
 * Handles to what was learned: models of "auto", templates of sites, noise words. The learning from
 * a page is in winnow.c, which has the page.
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

/* ---- Noise words ------------------------------------------------------------------------- */

winnow_noise *winnow_noise_new(const char *stems, size_t size)
{
    winnow_noise *noise = wn_memory_get_zeroed(sizeof *noise);
    if (noise && wn_noise_read(&noise->words, wn_str_from(stems ? stems : "", stems ? size : 0)))
        return noise;
    winnow_noise_free(noise);
    return NULL;
}

void winnow_noise_free(winnow_noise *noise)
{
    if (!noise)
        return;
    wn_noise_free(&noise->words);
    wn_memory_release(noise);
}
