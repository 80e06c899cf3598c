#include "page/embeds.h"

#include "page/attributes.h"

wn_str wn_page_embed_source(const wn_doc *doc, const wn_node *element)
{
    static const char *const names[] = {"src", "data-src", "data-lazy-src", NULL};
    for (const char *const *name = names; *name; name++) {
        wn_str url = wn_str_trim(wn_page_attr_named(element, wn_str_of(*name)));
        if (url.len > 0 && !wn_str_starts_nocase(url, WN_STR("about:")) &&
            !wn_str_starts_nocase(url, WN_STR("data:")))
            return url;
    }
    const wn_node *child = wn_doc_node(doc, element->first_child);
    for (int i = 0; i < 8 && child->kind != WN_KIND_NONE; i++) {
        if (wn_node_is(child, WN_TAG_SOURCE))
            return wn_str_trim(wn_node_attr_value(child, WN_ATTR_SRC));
        child = wn_doc_node(doc, child->next);
    }
    return WN_STR("");
}

wn_str wn_page_embed_title(const wn_node *element)
{
    wn_str title = wn_str_trim(wn_node_attr_value(element, WN_ATTR_TITLE));
    return title.len > 0 ? title : wn_str_trim(wn_node_attr_value(element, WN_ATTR_ARIA_LABEL));
}

bool wn_page_embed_is_content(const wn_doc *doc, const wn_node *element)
{
    static const char *const hosts[] = {"youtube.com/embed",
                                        "youtube-nocookie.com/",
                                        "youtu.be/",
                                        "player.vimeo.com/",
                                        "dailymotion.com/embed",
                                        "ted.com/",
                                        "player.bilibili.com/",
                                        "twitch.tv/",
                                        "soundcloud.com/player",
                                        "open.spotify.com/embed",
                                        "bandcamp.com/EmbeddedPlayer",
                                        "codepen.io/",
                                        "jsfiddle.net/",
                                        "codesandbox.io/embed",
                                        "observablehq.com/embed",
                                        "google.com/maps",
                                        "openstreetmap.org/export",
                                        "slideshare.net/",
                                        "archive.org/embed",
                                        "platform.twitter.com/embed",
                                        "instagram.com/",
                                        "facebook.com/plugins/video",
                                        "facebook.com/plugins/post",
                                        "docs.google.com/",
                                        "wistia.",
                                        "brightcove."};
    wn_str url = wn_page_embed_source(doc, element);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (wn_str_contains_nocase(url, wn_str_of(hosts[i])))
            return true;
    return false;
}
