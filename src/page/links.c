#include "page/links.h"

#include "base/url.h"

/*
 * A base that long is an attack: every link of the page would repeat it. Links then
 * stay as they are.
 */
enum { LONGEST_BASE = 4096 };

bool wn_page_links_leads_nowhere(wn_str url)
{
    static const char *const schemes[] = {"javascript", "vbscript", "data"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (wn_url_has_scheme(url, wn_str_of(schemes[i])))
            return true;
    return url.len == 0;
}

void wn_page_links_base(wn_buf *base, const wn_doc *doc, const char *url)
{
    wn_node_id id = wn_doc_find(doc, WN_TAG_BASE);
    while (id && !(wn_node_is(wn_doc_node(doc, id), WN_TAG_BASE) &&
                   wn_node_attr(wn_doc_node(doc, id), WN_ATTR_HREF)))
        id = wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    if (id)
        wn_url_resolve(base, wn_str_of(url),
                       wn_node_attr_value(wn_doc_node(doc, id), WN_ATTR_HREF));
    if (wn_page_links_leads_nowhere(wn_buf_str(base))) {
        wn_buf_clear(base);
        wn_buf_add_literal(base, url ? url : "");
    }
    if (base->len > LONGEST_BASE)
        wn_buf_clear(base);
}

bool wn_page_links_target(wn_buf *url, wn_str base, const wn_node *a)
{
    wn_buf_clear(url);
    wn_url_resolve(url, base, wn_node_attr_value(a, WN_ATTR_HREF));
    return !wn_page_links_leads_nowhere(wn_buf_str(url));
}

bool wn_page_links_image(wn_buf *url, wn_str base, const wn_node *image)
{
    static const wn_attr_name names[] = {WN_ATTR_SRC, WN_ATTR_DATA_SRC}; /* of one that is late */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        wn_buf_clear(url);
        wn_str source = wn_str_trim(wn_node_attr_value(image, names[i]));
        if (source.len > 0)
            wn_url_resolve(url, base, source);
        if (!wn_page_links_leads_nowhere(wn_buf_str(url)))
            return true;
    }
    return false;
}
