#include "write/pieces.h"

#include <assert.h>

#include "write/paths.h"

uint32_t wn_write_end_of_table(const wn_page *page, const wn_selection *selection, uint32_t i)
{
    const wn_block *blocks = page->blocks.items;
    assert(i < selection->count && blocks[i].table > 0);
    uint32_t table = blocks[i].table;
    while (i < selection->count && blocks[i].table == table &&
           blocks[i].kind != WINNOW_BLOCK_CAPTION)
        i++;
    return i;
}

uint32_t wn_write_end_of_code(const wn_page *page, const wn_selection *selection, uint32_t i)
{
    const wn_block *blocks = page->blocks.items;
    wn_node_id pre = wn_write_path_around(page->doc, &blocks[i], WN_TAG_PRE);
    assert(i < selection->count && blocks[i].kind == WINNOW_BLOCK_CODE);
    uint32_t end = i + 1;
    while (pre && end < selection->count && blocks[end].kind == WINNOW_BLOCK_CODE &&
           wn_write_path_around(page->doc, &blocks[end], WN_TAG_PRE) == pre)
        end++;
    return end;
}

/* The language that a class like "language-c" or "lang-c" tells. */
static wn_str language_in(const wn_node *node)
{
    static const char *const starts[] = {"language-", "lang-", "highlight-source-"};
    wn_str rest = node->kind == WN_KIND_ELEMENT ? wn_node_attr_value(node, WN_ATTR_CLASS)
                                                : WN_STR("");
    while ((rest = wn_str_trim(rest)).len > 0) {
        size_t end = 0;
        while (end < rest.len && !wn_is_space(rest.ptr[end]))
            end++;
        wn_str word = wn_str_from(rest.ptr, end);
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
            if (wn_str_starts_nocase(word, wn_str_of(starts[i])))
                return wn_str_from_offset(word, strlen(starts[i]));
        rest = wn_str_from_offset(rest, end);
    }
    return rest;
}

static bool is_language(wn_str name)
{
    bool sound = name.len > 0 && name.len <= 32;
    for (size_t i = 0; i < name.len; i++)
        sound = sound && (wn_is_ascii_alnum(name.ptr[i]) || strchr("+-#._", name.ptr[i]));
    return sound;
}

wn_str wn_write_code_language(const wn_page *page, const wn_block *block)
{
    const wn_doc *doc = page->doc;
    const wn_node *node = wn_doc_node(doc, wn_write_path_around(doc, block, WN_TAG_PRE));
    const wn_node *places[] = {node, wn_doc_node(doc, node->first_child),
                               wn_doc_node(doc, node->parent)};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        wn_str language = language_in(places[i]);
        if (is_language(language))
            return language;
    }
    return WN_STR("");
}
