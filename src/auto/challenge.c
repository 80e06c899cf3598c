#include "auto/challenge.h"

enum {
    MOST_WORDS = 120, /* of a challenge, what is hidden included */
    MOST_NOTICE_WORDS =
        40,                /* that ask for scripts; some forums keep a whole thread in <noscript> */
    MOST_SHELL_WORDS = 15, /* of a shell, what is in <noscript> not included: "Loading …" */
};

/* What the scripts and frames of the large services have in their text or address. */
static const wn_str signs[] = {
    {"_cf_chl_opt", 11},
    {"captcha-delivery.com", 20},
    {"_Incapsula_Resource", 19},
    {"px-captcha", 10},
};

/* Titles of challenges; those of other services are in the language of the visitor. */
static const wn_str titles[] = {
    {"just a moment...", 16},
    {"attention required! | cloudflare", 32},
    {"access denied", 13},
    {"access to this page has been denied", 35},
    {"pardon our interruption", 23},
    {"are you a robot?", 16},
    {"robot check", 11},
    {"human verification", 18},
    {"ddos-guard", 10},
};

/* Ids of the element that the large frameworks put an application into. */
static const wn_str roots[] = {
    {"root", 4},      {"app", 3},         {"__next", 6},   {"__nuxt", 6},
    {"___gatsby", 9}, {"react-root", 10}, {"app-root", 8}, {"svelte", 6},
};

static bool is_one_of(wn_str text, const wn_str *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wn_str_eq_nocase(text, list[i]))
            return true;
    return false;
}

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
    if (is_one_of(page->title, titles, sizeof titles / sizeof *titles))
        return true;
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

bool wn_auto_asks_for_scripts(const wn_page *page, const wn_block *block)
{
    return (block->flags & WN_BLOCK_NOSCRIPT) && block->words <= MOST_NOTICE_WORDS &&
           wn_str_contains_nocase(wn_block_text(page, block), WN_STR("javascript"));
}

/* Whether the document has scripts and an element for an application. */
static bool has_root(const wn_doc *doc)
{
    bool has_script = false, found = false;
    for (wn_node_id id = WN_DOCUMENT_NODE; id < doc->nodes.count && !(has_script && found); id++) {
        const wn_node *node = wn_doc_node(doc, id);
        if (node->kind != WN_KIND_ELEMENT)
            continue;
        has_script |= wn_node_is(node, WN_TAG_SCRIPT);
        found |= !wn_node_is(node, WN_TAG_BODY) && is_one_of(wn_node_attr_value(node, WN_ATTR_ID),
                                                             roots, sizeof roots / sizeof *roots);
    }
    return has_script && found;
}

bool wn_auto_is_shell(const wn_page *page)
{
    uint64_t words[2] = {0}; /* outside <noscript>, in it */
    bool asks = false;
    for (uint32_t i = 0; i < page->blocks.count && words[0] <= MOST_SHELL_WORDS; i++) {
        const wn_block *block = &page->blocks.items[i];
        asks |= wn_auto_asks_for_scripts(page, block);
        words[(block->flags & WN_BLOCK_NOSCRIPT) != 0] += block->words;
    }
    return words[0] <= MOST_SHELL_WORDS && words[1] <= MOST_NOTICE_WORDS &&
           (asks || has_root(page->doc));
}
