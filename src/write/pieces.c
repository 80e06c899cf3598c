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

bool wn_write_only_arranges(const wn_page *page, const wn_selection *selection, uint32_t first,
                            uint32_t end)
{
    enum { MOST_IN_A_ROW = 2 };
    const wn_block *blocks = page->blocks.items, *before = NULL;
    uint32_t cells = 0;
    bool one_row = true, one_column = true;
    if (first > 0 && blocks[first - 1].kind == WINNOW_BLOCK_CAPTION &&
        blocks[first - 1].table == blocks[first].table)
        return false;
    for (uint32_t i = first; i < end && (one_row || one_column); i++) {
        const wn_block *block = &blocks[i];
        if (!selection->verdicts[i].keep || block->len == 0)
            continue; /* pictures have no text, and may be anywhere */
        if (block->flags & WN_BLOCK_HEADER_CELL || block->kind == WINNOW_BLOCK_CAPTION ||
            page->tables.items[block->table].outermost != block->table)
            return false;
        one_row &= !before || block->row == before->row;
        one_column &= !before || block->column == before->column;
        cells += !before || block->row != before->row || block->column != before->column;
        before = block;
    }
    return one_column || (one_row && cells <= MOST_IN_A_ROW);
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

bool wn_write_is_formula(const wn_page *page, const wn_block *block)
{
    const wn_span *span = block->span_count == 1 ? &page->spans.items[block->first_span] : NULL;
    return span && span->kind == WN_SPAN_MATH && span->start == block->text &&
           span->end == block->text + block->len;
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
