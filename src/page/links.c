#include "page/links.h"

#include "base/url.h"
#include "page/embeds.h"
#include "page/images.h"

/*
 * A base that long is an attack: every link of the page would repeat it. Links then
 * stay as they are.
 */
enum { LONGEST_BASE = 4096 };

static bool is_absolute(wn_str url)
{
    return wn_url_has_scheme(url, WN_STR("http")) || wn_url_has_scheme(url, WN_STR("https"));
}

/*
 * Whether no host can have this name, so that browsers go nowhere.
 * https://url.spec.whatwg.org/#forbidden-domain-code-point
 */
static bool has_impossible_host(wn_str url)
{
    if (!is_absolute(url) || wn_str_find(url, WN_STR("://")) == url.len)
        return false;
    wn_str host = wn_url_host(url);
    for (size_t i = 0; i < host.len; i++)
        if ((unsigned char)host.ptr[i] <= ' ' || strchr("%<>^|\x7F", host.ptr[i]))
            return true;
    const char *next = host.ptr, *end = url.ptr + url.len;
    while (host.len == 0 && next < end && *next == '/')
        next++; /* after more slashes there may be one yet */
    return host.len == 0 && (next == end || *next == '?' || *next == '#');
}

bool wn_page_links_leads_nowhere(wn_str url)
{
    static const char *const schemes[] = {"javascript", "vbscript", "data"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (wn_url_has_scheme(url, wn_str_of(schemes[i])))
            return true;
    return url.len == 0 || has_impossible_host(url);
}

/* The element <base href>; WN_NO_NODE if there is none. */
static wn_node_id find_base(const wn_doc *doc)
{
    wn_node_id id = wn_doc_find(doc, WN_TAG_BASE);
    while (id && !(wn_node_is(wn_doc_node(doc, id), WN_TAG_BASE) &&
                   wn_node_attr(wn_doc_node(doc, id), WN_ATTR_HREF)))
        id = wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    return id;
}

/* What the page calls its own address, in its head; "" if it does not. */
static wn_str own_address(const wn_doc *doc)
{
    wn_node_id head = wn_doc_find(doc, WN_TAG_HEAD);
    for (wn_node_id id = head; id; id = wn_doc_next(doc, id, head)) {
        const wn_node *node = wn_doc_node(doc, id);
        wn_str url = WN_STR("");
        if (wn_node_is(node, WN_TAG_LINK) &&
            wn_str_eq_nocase(wn_node_attr_value(node, WN_ATTR_REL), WN_STR("canonical")))
            url = wn_node_attr_value(node, WN_ATTR_HREF);
        else if (wn_node_is(node, WN_TAG_META) &&
                 wn_str_eq_nocase(wn_node_attr_value(node, WN_ATTR_PROPERTY), WN_STR("og:url")))
            url = wn_node_attr_value(node, WN_ATTR_CONTENT);
        if (is_absolute(wn_str_trim(url)))
            return wn_str_trim(url);
    }
    return WN_STR("");
}

static void find_links_base(wn_buf *base, const wn_doc *doc, const char *url)
{
    wn_node_id id = find_base(doc);
    wn_str own = wn_str_of(url);
    if (own.len == 0)
        own = own_address(doc);
    if (id)
        wn_url_resolve(base, own, wn_node_attr_value(wn_doc_node(doc, id), WN_ATTR_HREF));
    if (wn_page_links_leads_nowhere(wn_buf_str(base))) {
        wn_buf_clear(base);
        wn_buf_add(base, own);
    }
    if (base->len > LONGEST_BASE)
        wn_buf_clear(base);
}

void wn_page_links_start(wn_page_links *links, const wn_doc *doc, const char *url, bool relative)
{
    *links = (wn_page_links){0};
    wn_cost_start(&links->cost, WN_COST_ADDRESSES, doc->source.len);
    if (relative)
        find_links_base(&links->base, doc, url);
}

void wn_page_links_free(wn_page_links *links)
{
    wn_buf_free(&links->base);
}

/* Puts the absolute form of an address into `url`; false if it leads nowhere. */
static bool resolve(wn_buf *url, wn_page_links *links, wn_str target)
{
    wn_str base = wn_buf_str(&links->base);
    wn_buf_clear(url);
    if (base.len + target.len > links->cost.left) {
        wn_cost_exceed(&links->cost);
        return false;
    }
    size_t whole = target.len;
    target = wn_str_trim(target);
    wn_cost_use(&links->cost, whole - target.len);
    if (base.len == 0 && wn_str_starts(target, WN_STR("//")) && target.len > 2)
        wn_buf_add_literal(url, "https:"); /* of any page; nobody serves both for long */
    if (url->len > 0)
        wn_buf_add(url, target);
    else
        wn_url_resolve(url, base, target);
    wn_cost_use(&links->cost, url->len);
    return !wn_page_links_leads_nowhere(wn_buf_str(url));
}

bool wn_page_links_target(wn_buf *url, wn_page_links *links, const wn_node *a)
{
    return resolve(url, links, wn_node_attr_value(a, WN_ATTR_HREF));
}

wn_str wn_page_links_meaning(wn_page_links *links, const wn_node *abbr)
{
    wn_str title = wn_node_attr_value(abbr, WN_ATTR_TITLE);
    return wn_cost_spend(&links->cost, title.len) ? wn_str_trim(title) : WN_STR("");
}

bool wn_page_links_image(wn_buf *url, wn_page_links *links, const wn_doc *doc, const wn_node *image)
{
    wn_str source = wn_page_image_source(doc, image);
    return source.len > 0 && resolve(url, links, source);
}

bool wn_page_links_embed(wn_buf *url, wn_page_links *links, const wn_doc *doc,
                         const wn_node *element)
{
    wn_str source = wn_page_embed_source(doc, element);
    return source.len > 0 && resolve(url, links, source);
}
