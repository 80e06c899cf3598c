/*
 * Plain text: paragraphs apart by an empty line; items, lines of a form and rows of a table
 * on lines of their own, cells apart by a tab.
 */
#include "write/write.h"

/* Blocks that stand on neighbouring lines rather than apart. */
static bool is_close(const wn_block *a, const wn_block *b)
{
    if (a->kind != b->kind) {
        bool terms = (a->kind == WINNOW_TERM && b->kind == WINNOW_DETAIL) ||
                     (a->kind == WINNOW_DETAIL && b->kind == WINNOW_TERM);
        return terms;
    }
    return a->kind == WINNOW_LIST_ITEM || a->kind == WINNOW_FORM || a->kind == WINNOW_TERM ||
           a->kind == WINNOW_DETAIL;
}

static const char *separator(const wn_block *before, const wn_block *block)
{
    if (before->table && before->table == block->table) {
        if (before->row != block->row)
            return "\n";
        return before->column != block->column ? "\t" : " ";
    }
    return is_close(before, block) ? "\n" : "\n\n";
}

static void add_item_mark(wn_buf *out, const wn_block *block)
{
    wn_buf_add_repeated(out, ' ', 2 * (size_t)(block->list_depth ? block->list_depth - 1 : 0));
    wn_buf_add_literal(out, block->flags & WN_BLOCK_ITEM_START ? "- " : "  ");
}

void wn_write_text(wn_buf *out, const wn_page *page, const wn_selection *selection)
{
    const wn_block *before = NULL;
    for (uint32_t i = 0; i < selection->count; i++) {
        const wn_block *block = &page->blocks.items[i];
        if (!selection->verdicts[i].keep)
            continue;
        if (before)
            wn_buf_add_literal(out, separator(before, block));
        if (block->kind == WINNOW_LIST_ITEM)
            add_item_mark(out, block);
        wn_buf_add(out, wn_block_text(page, block));
        before = block;
    }
    if (before)
        wn_buf_add_char(out, '\n');
}
