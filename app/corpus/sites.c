#include "corpus/sites.h"

#include <assert.h>

#include "base/url.h"

static wn_str folder_of(wn_str path)
{
    while (path.len > 0 && path.ptr[path.len - 1] != '/')
        path.len--;
    return path;
}

void wn_corpus_sites_key(wn_buf *out, wn_str url, wn_str path)
{
    wn_str host = wn_url_host(url);
    for (size_t i = 0; i < host.len; i++)
        wn_buf_add_char(out, wn_ascii_lower(host.ptr[i]));
    if (host.len == 0)
        wn_buf_add(out, folder_of(path));
}

winnow_site *wn_corpus_sites_make(wn_sites *sites, wn_str key)
{
    uint32_t left;
    sites->keys.most = sites->most ? sites->most : WN_SITES_MOST;
    uint32_t number = wn_corpus_key_sample_add(&sites->keys, key, &left);
    sites->failed = sites->failed || sites->keys.failed;
    if (left != WN_NO_KEY) {
        winnow_site_free(sites->list.items[left]);
        sites->list.items[left] = NULL;
    }
    if (sites->failed || number == WN_NO_KEY)
        return NULL;
    assert(number <= sites->list.count);
    if (number < sites->list.count)
        return sites->list.items[number];
    winnow_site **place = wn_array_push(&sites->list);
    winnow_site *site = place ? winnow_site_new() : NULL;
    sites->failed = !site;
    if (place)
        *place = site;
    return site;
}

const winnow_site *wn_corpus_sites_find(const wn_sites *sites, wn_str key)
{
    uint32_t number = wn_corpus_key_sample_find(&sites->keys, key);
    return number < sites->list.count ? sites->list.items[number] : NULL;
}

bool wn_corpus_sites_settle(wn_sites *sites)
{
    for (uint32_t i = 0; i < sites->list.count; i++) {
        if (!sites->list.items[i])
            continue;
        wn_page_site_settle(sites->list.items[i]);
        sites->failed = sites->failed || sites->list.items[i]->failed;
    }
    return !sites->failed;
}

void wn_corpus_sites_free(wn_sites *sites)
{
    for (uint32_t i = 0; i < sites->list.count; i++)
        winnow_site_free(sites->list.items[i]);
    wn_array_free(&sites->list);
    wn_corpus_key_sample_free(&sites->keys);
}
