#include "corpus/sites.h"

#include "base/url.h"

static wn_str folder_of(wn_str path)
{
    while (path.len > 0 && path.ptr[path.len - 1] != '/')
        path.len--;
    return path;
}

void wn_site_name(wn_buf *out, wn_str url, wn_str path)
{
    wn_str host = wn_url_host(url);
    for (size_t i = 0; i < host.len; i++)
        wn_buf_add_char(out, wn_ascii_lower(host.ptr[i]));
    if (host.len == 0)
        wn_buf_add(out, folder_of(path));
}

winnow_site *wn_sites_make(wn_sites *sites, wn_str name)
{
    uint32_t number = sites->list.count < WN_SITES_MOST ? wn_vocabulary_number(&sites->names, name)
                                                        : wn_vocabulary_find(&sites->names, name);
    sites->failed = sites->failed || sites->names.failed;
    if (sites->failed || number == UINT32_MAX)
        return NULL;
    if (number == sites->list.count) {
        winnow_site **place = wn_array_push(&sites->list);
        winnow_site *site = place ? winnow_site_new() : NULL;
        sites->failed = !site;
        if (place)
            *place = site;
    }
    return sites->list.items[number];
}

const winnow_site *wn_sites_find(const wn_sites *sites, wn_str name)
{
    uint32_t number = wn_vocabulary_find(&sites->names, name);
    return number == UINT32_MAX ? NULL : sites->list.items[number];
}

bool wn_sites_settle(wn_sites *sites)
{
    for (uint32_t i = 0; i < sites->list.count; i++) {
        wn_page_site_settle(sites->list.items[i]);
        sites->failed = sites->failed || sites->list.items[i]->failed;
    }
    return !sites->failed;
}

void wn_sites_free(wn_sites *sites)
{
    for (uint32_t i = 0; i < sites->list.count; i++)
        winnow_site_free(sites->list.items[i]);
    wn_array_free(&sites->list);
    wn_vocabulary_free(&sites->names);
}
