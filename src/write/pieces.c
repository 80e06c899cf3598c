#include "write/pieces.h"

#include <assert.h>

#include "page/attributes.h"
#include "page/code.h"
#include "write/paths.h"

bool wn_write_is_in_table(const wn_page *page, const wn_block *block, uint32_t table)
{
    uint32_t inner = block->table; /* at most WN_DEEPEST_TABLE steps */
    while (inner && inner != table)
        inner = page->tables.items[inner].around;
    return inner == table && table;
}

bool wn_write_is_of_table(const wn_page *page, const wn_block *block)
{
    return block->table && (block->kind != WINNOW_BLOCK_CAPTION ||
                            page->tables.items[block->table].outermost != block->table);
}

uint32_t wn_write_table_in(const wn_page *page, const wn_block *block, uint32_t table)
{
    uint32_t inner = block->table;
    if (inner == table)
        return 0;
    while (page->tables.items[inner].around != table)
        inner = page->tables.items[inner].around;
    return inner;
}

uint32_t wn_write_end_of_table(const wn_page *page, const wn_selection *selection, uint32_t table,
                               uint32_t i)
{
    const wn_block *blocks = page->blocks.items;
    assert(i < selection->count && blocks[i].table > 0 && table > 0);
    while (i < selection->count && wn_write_is_in_table(page, &blocks[i], table) &&
           (blocks[i].kind != WINNOW_BLOCK_CAPTION || blocks[i].table != table))
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

wn_str wn_write_code_language(const wn_page *page, const wn_block *block)
{
    wn_node_id pre = wn_write_path_around(page->doc, block, WN_TAG_PRE);
    return wn_page_code_language(page->doc, pre ? pre : block->node);
}

bool wn_write_is_label(const wn_page *page, const wn_block *block)
{
    static const char *const titles[] = {"admonition-title",
                                         "markdown-alert-title",
                                         "callout-title",
                                         "admonitionHeading",
                                         "alert-heading",
                                         "rubric",
                                         NULL};
    const wn_node *node = wn_doc_node(page->doc, block->node);
    if (block->kind != WINNOW_BLOCK_PARAGRAPH || block->len == 0)
        return false;
    return wn_node_is(node, WN_TAG_SUMMARY) || wn_page_has_class_start_of(node, titles);
}
