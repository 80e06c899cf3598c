#include "page/images.h"

#include "base/url.h"
#include "page/attributes.h"

enum {
    SMALLEST = 33, /* pixels; smaller pictures are signs */
    MOST_STEPS = 4 /* up to a link, a <picture>, a <noscript> */
};

/* ---- Addresses --------------------------------------------------------------------------- */

/* Whether the address is that of nothing: of a picture that is to be replaced. */
static bool is_placeholder(wn_str url)
{
    static const char *const names[] = {"placeholder", "blank.gif", "spacer",   "transparent",
                                        "1x1",         "pixel.gif", "lazyload", "loading.gif",
                                        "loader.gif",  "grey.gif",  "gray.gif", "empty.gif"};
    if (url.len == 0 || url.ptr[0] == '#' || wn_url_has_scheme(url, WN_STR("data")) ||
        wn_url_has_scheme(url, WN_STR("about")) || wn_url_has_scheme(url, WN_STR("javascript")) ||
        wn_url_has_scheme(url, WN_STR("blob")))
        return true;
    size_t end = 0, start;
    while (end < url.len && url.ptr[end] != '?' && url.ptr[end] != '#')
        end++;
    for (start = end; start > 0 && url.ptr[start - 1] != '/';)
        start--;
    wn_str file = wn_str_from(url.ptr + start, end - start);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wn_str_contains_nocase(file, wn_str_of(names[i])))
            return true;
    return false;
}

/* "480w", "2x", "1.5x" as a number; 1 if there is none. */
static double size_in(wn_str text)
{
    double size = 0, unit = 1;
    bool after_point = false;
    size_t i = 0;
    for (; i < text.len && (wn_is_ascii_digit(text.ptr[i]) || text.ptr[i] == '.'); i++) {
        if (text.ptr[i] == '.') {
            after_point = true;
            continue;
        }
        size = size * 10 + (text.ptr[i] - '0');
        unit *= after_point ? 10 : 1;
    }
    return i == 0 ? 1 : size / unit;
}

/*
 * The largest picture of "a.jpg 480w, b.jpg 960w". Addresses may hold commas, but not at their end.
 * https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute
 */
static wn_str largest_of(wn_str set)
{
    wn_str best = WN_STR("");
    double most = 0;
    size_t i = 0;
    while (i < set.len) {
        while (i < set.len && (wn_is_space(set.ptr[i]) || set.ptr[i] == ','))
            i++;
        size_t start = i;
        while (i < set.len && !wn_is_space(set.ptr[i]))
            i++;
        size_t end = i;
        bool is_alone = end > start && set.ptr[end - 1] == ',';
        while (end > start && set.ptr[end - 1] == ',')
            end--;
        while (i < set.len && wn_is_space(set.ptr[i]))
            i++;
        double size = is_alone ? 1 : size_in(wn_str_from_offset(set, i));
        while (!is_alone && i < set.len && set.ptr[i] != ',')
            i++;
        wn_str url = wn_str_from(set.ptr + start, end - start);
        if (size > most && !is_placeholder(url)) {
            best = url;
            most = size;
        }
    }
    return best;
}

/* The first of the attributes with an address that shows something. */
static wn_str first_address(const wn_node *element, const char *const *names, bool is_set)
{
    for (; *names; names++) {
        wn_str value = wn_str_trim(wn_page_attr_named(element, wn_str_of(*names)));
        wn_str url = is_set && value.len > 0 ? largest_of(value) : value;
        if (!is_placeholder(url))
            return url;
    }
    return WN_STR("");
}

/* Sizes that the sources of a <picture> offer. */
static wn_str source_of_picture(const wn_doc *doc, const wn_node *image)
{
    static const char *const sets[] = {"srcset", "data-srcset", NULL};
    const wn_node *parent = wn_doc_node(doc, image->parent);
    if (!wn_node_is(parent, WN_TAG_PICTURE))
        return WN_STR("");
    const wn_node *child = wn_doc_node(doc, parent->first_child);
    for (int i = 0; i < 8 && child->kind != WN_KIND_NONE; i++) {
        if (wn_node_is(child, WN_TAG_SOURCE)) {
            wn_str url = first_address(child, sets, true);
            if (url.len > 0)
                return url;
        }
        child = wn_doc_node(doc, child->next);
    }
    return WN_STR("");
}

wn_str wn_page_image_source(const wn_doc *doc, const wn_node *image)
{
    static const char *const late[] = {"data-src",       "data-lazy-src",   "data-original",
                                       "data-orig-file", "data-lazy",       "data-actualsrc",
                                       "data-image-src", "data-hi-res-src", NULL};
    static const char *const own[] = {"src", NULL};
    static const char *const sets[] = {"srcset", "data-srcset", "data-lazy-srcset", NULL};
    wn_str url = first_address(image, late, false);
    if (url.len == 0)
        url = first_address(image, own, false);
    if (url.len == 0)
        url = first_address(image, sets, true);
    return url.len > 0 ? url : source_of_picture(doc, image);
}

/* ---- What is not content ----------------------------------------------------------------- */

static bool is_small(const wn_node *image)
{
    uint32_t width = wn_attr_number(wn_node_attr(image, WN_ATTR_WIDTH), SMALLEST);
    uint32_t height = wn_attr_number(wn_node_attr(image, WN_ATTR_HEIGHT), SMALLEST);
    return width < SMALLEST && height < SMALLEST ? true : width < 3 || height < 3;
}

/* Whether a word of the classes, cut at its hyphens, says so. */
static bool has_telling_class(const wn_node *element)
{
    static const char *const names[] = {"avatar", "icon",  "emoji",    "gravatar", "favicon",
                                        "spacer", "pixel", "tracking", "userpic"};
    wn_str classes = wn_page_classes(element);
    for (size_t i = 0; classes.len > 0 && i < sizeof names / sizeof *names; i++)
        if (wn_str_contains_nocase(classes, wn_str_of(names[i])))
            return true;
    return false;
}

static bool has_telling_address(wn_str url)
{
    static const char *const names[] = {
        "gravatar.com/", "/avatar",          "/emoji/", "/smilies/", "feeds.feedburner.com/",
        "/pixel?",       "doubleclick.net/", "/beacon", "favicon",   "shields.io/"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wn_str_contains_nocase(url, wn_str_of(names[i])))
            return true;
    return false;
}

bool wn_page_image_is_decoration(const wn_doc *doc, const wn_node *image)
{
    return is_small(image) || has_telling_class(image) ||
           has_telling_class(wn_doc_node(doc, image->parent)) ||
           has_telling_address(wn_page_image_source(doc, image));
}

/* ---- Around ------------------------------------------------------------------------------ */

bool wn_page_image_is_copy(const wn_doc *doc, wn_node_id id)
{
    for (int i = 0; i < MOST_STEPS && id; i++) {
        const wn_node *node = wn_doc_node(doc, id);
        if (!wn_node_is(node, WN_TAG_NOSCRIPT)) {
            id = node->parent;
            continue;
        }
        const wn_node *before = wn_doc_node(doc, node->prev);
        if (before->kind == WN_KIND_TEXT)
            before = wn_doc_node(doc, before->prev);
        if (wn_node_is(before, WN_TAG_PICTURE))
            before = wn_doc_node(doc, before->last_child);
        return wn_node_is(before, WN_TAG_IMG) && wn_page_image_source(doc, before).len > 0;
    }
    return false;
}

wn_node_id wn_page_image_link(const wn_doc *doc, wn_node_id image)
{
    wn_node_id id = wn_doc_node(doc, image)->parent;
    for (int i = 0; i < MOST_STEPS && id; i++, id = wn_doc_node(doc, id)->parent)
        if (wn_node_is(wn_doc_node(doc, id), WN_TAG_A) &&
            wn_node_attr(wn_doc_node(doc, id), WN_ATTR_HREF))
            return id;
    return WN_NO_NODE;
}
