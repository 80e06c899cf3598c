#include "auto/challenge.h"

enum { MOST_WORDS = 120 }; /* of a challenge, what is hidden included */

/* What the scripts and frames of the large services have in their text or address. */
static const wn_str signs[] = {
    {"_cf_chl_opt", 11},
    {"captcha-delivery.com", 20},
    {"_Incapsula_Resource", 19},
    {"px-captcha", 10},
};

static bool has_sign(wn_str text)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (wn_str_find(text, signs[i]) < text.len)
            return true;
    return false;
}

static bool has_few_words(const wn_page *page)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i < page->blocks.count && words <= MOST_WORDS; i++)
        words += page->blocks.items[i].words;
    return words <= MOST_WORDS;
}

bool wn_auto_is_challenge(const wn_page *page)
{
    if (!has_few_words(page))
        return false;
    const wn_doc *doc = page->doc;
    for (wn_node_id id = WN_DOCUMENT_NODE; id < doc->nodes.count; id++) {
        const wn_node *node = wn_doc_node(doc, id);
        if (!wn_node_is(node, WN_TAG_SCRIPT) && !wn_node_is(node, WN_TAG_IFRAME))
            continue;
        if (has_sign(wn_node_attr_value(node, WN_ATTR_SRC)) ||
            (node->first_child && has_sign(wn_node_text(wn_doc_node(doc, node->first_child)))))
            return true;
    }
    return false;
}
