/*
 * Plain text, as someone would type it:
 *
 *     A paragraph, and an empty line after it.
 *
 *     - an item
 *       - an item of a list in it
 *     - the next; its second line
 *       is below the first
 *     3. an item with a number
 *
 *     Year	Harvest
 *     1911	12 t
 *
 * Cells are separated by tabs, an empty cell shows as two of them. Code is unchanged. Marks and the
 * numbers of items and notes are all that is added: no word is written that the page does not have.
 */
#include "page/notes.h"
#include "write/numbers.h"
#include "write/plain.h"
#include "write/write.h"

enum {
    DEEPEST = 16,   /* list that is still indented further: no line is all indentation */
    INDENT = 2,     /* columns a level */
    MOST_TABS = 32, /* for empty cells between two others */
};

static bool is_code_of_lines(const wn_page *page, const wn_block *block)
{
    return block->kind == WINNOW_BLOCK_CODE &&
           memchr(page->text.ptr + block->text, '\n', block->len);
}

/* ---- Between blocks ---------------------------------------------------------------------- */

/* Whether the block is written with the indentation of an item. */
static bool is_in_item(const wn_block *block)
{
    return block->kind == WINNOW_BLOCK_LIST_ITEM ||
           (block->flags & WN_BLOCK_ITEM_START && block->kind != WINNOW_BLOCK_CODE &&
            !block->table);
}

static bool is_of_definitions(const wn_block *block)
{
    return block->kind == WINNOW_BLOCK_TERM || block->kind == WINNOW_BLOCK_DETAIL;
}

/* The <pre> that a line of code is in, which may be an element of its own. */
static wn_node_id element_of_code(const wn_page *page, const wn_block *block)
{
    const wn_node *node = wn_doc_node(page->doc, block->node);
    return wn_node_is(node, WN_TAG_DIV) || wn_node_is(node, WN_TAG_P) ? node->parent : block->node;
}

static bool are_lines_of_code(const wn_page *page, const wn_block *a, const wn_block *b)
{
    return a->kind == WINNOW_BLOCK_CODE && b->kind == WINNOW_BLOCK_CODE &&
           element_of_code(page, a) == element_of_code(page, b);
}

/* Blocks that are on neighbouring lines rather than apart. */
static bool is_close(const wn_page *page, const wn_block *a, const wn_block *b)
{
    if (is_of_definitions(a) && is_of_definitions(b))
        return true;
    if (is_in_item(a) && is_in_item(b))
        return true;
    return (a->kind == WINNOW_BLOCK_FORM && b->kind == WINNOW_BLOCK_FORM) ||
           are_lines_of_code(page, a, b);
}

static void separate(wn_buf *out, const wn_page *page, const wn_block *before,
                     const wn_block *block)
{
    bool one_table = before->table && before->table == block->table &&
                     before->kind != WINNOW_BLOCK_CAPTION && !is_code_of_lines(page, before) &&
                     !is_code_of_lines(page, block);
    if (one_table && before->row != block->row) {
        wn_buf_add_char(out, '\n');
        wn_buf_add_repeated(out, '\t', block->column < MOST_TABS ? block->column : MOST_TABS);
    } else if (one_table && block->column > before->column) {
        uint32_t tabs = block->column - before->column;
        wn_buf_add_repeated(out, '\t', tabs < MOST_TABS ? tabs : MOST_TABS);
    } else if (one_table) {
        wn_buf_add_char(out, ' ');
    } else {
        wn_buf_add_literal(out, is_close(page, before, block) ? "\n" : "\n\n");
    }
}

/* ---- Blocks ------------------------------------------------------------------------------ */

/* The columns by which the text of a block is moved to the right. */
static size_t indentation(const wn_block *block)
{
    size_t depth = block->list_depth < DEEPEST ? block->list_depth : DEEPEST;
    if (block->kind == WINNOW_BLOCK_DETAIL)
        depth++;
    else if (block->kind != WINNOW_BLOCK_LIST_ITEM && !(block->flags & WN_BLOCK_ITEM_START))
        depth = 0;
    return depth * INDENT;
}

/* Writes text whose further lines, if any, are indented like the first. */
static void add_lines(wn_buf *out, wn_str text, size_t indent)
{
    const char *end;
    while ((end = memchr(text.ptr, '\n', text.len))) {
        size_t len = (size_t)(end - text.ptr);
        wn_buf_add(out, wn_str_from(text.ptr, len + 1));
        wn_buf_add_repeated(out, ' ', indent);
        text = wn_str_from_offset(text, len + 1);
    }
    wn_buf_add(out, text);
}

/* A cell is a part of a line. */
static void add_cell(wn_buf *out, wn_str text)
{
    size_t start = out->len;
    wn_buf_add(out, text);
    for (size_t i = start; i < out->len; i++)
        if (out->ptr[i] == '\n')
            out->ptr[i] = ' ';
}

/* "- " or "3. ", and for a task its box. */
static void add_mark(wn_buf *out, const wn_page *page, const wn_block *block)
{
    if (block->flags & WN_BLOCK_ORDERED) {
        wn_write_add_number(out, page, block);
        wn_buf_add_literal(out, ". ");
    } else {
        wn_buf_add_literal(out, "- ");
    }
    if (block->flags & WN_BLOCK_TASK)
        wn_buf_add_literal(out, block->flags & WN_BLOCK_DONE ? "[x] " : "[ ] ");
}

static void add_block(wn_buf *out, const wn_page *page, const wn_block *block, bool labelled,
                      wn_buf *plain)
{
    wn_str text = wn_write_plain_text(plain, page, block);
    size_t indent = labelled ? 0 : indentation(block);
    if (block->table && block->kind != WINNOW_BLOCK_CAPTION && !is_code_of_lines(page, block)) {
        add_cell(out, text);
    } else if (indent == 0 || block->kind == WINNOW_BLOCK_CODE) {
        wn_buf_add(out, text);
    } else {
        bool marked = block->flags & WN_BLOCK_ITEM_START;
        wn_buf_add_repeated(out, ' ', marked ? indent - INDENT : indent);
        if (marked)
            add_mark(out, page, block);
        add_lines(out, text, indent);
    }
}

/* Whether a text begins with the label of its note: "1", "[1]", "*". */
static bool begins_with_label(wn_str text, wn_str label)
{
    if (text.len > 0 && (*text.ptr == '[' || *text.ptr == '('))
        text = wn_str_from_offset(text, 1);
    return wn_str_starts(text, label) &&
           (text.len == label.len || !wn_is_ascii_alnum(text.ptr[label.len]));
}

/* "[1] " before a note that is neither an item with a number nor says its label itself. */
static const wn_page_note *add_label(wn_buf *out, const wn_page *page, const wn_page_notes *notes,
                                     uint32_t i, const wn_page_note *before)
{
    const wn_block *block = &page->blocks.items[i];
    const wn_page_note *note = wn_page_notes_around(notes, page, i);
    bool is_item = block->list_depth > 0 || block->table;
    if (note && note != before && !is_item &&
        !begins_with_label(wn_block_text(page, block), note->label)) {
        wn_buf_add_char(out, '[');
        wn_buf_add(out, note->label);
        wn_buf_add_literal(out, "] ");
    }
    return note;
}

void wn_write_text(wn_buf *out, const wn_page *page, const wn_selection *selection,
                   const wn_write_options *options, const char *url)
{
    (void)url;
    const wn_block *before = NULL;
    const wn_page_note *note = NULL;
    wn_page_notes notes = {0};
    wn_buf plain = {0};
    wn_page_notes_find(&notes, page, selection);
    if (options->title && *options->title) {
        wn_buf_add_literal(out, options->title);
        wn_buf_add_literal(out, "\n\n");
    }
    for (uint32_t i = 0; i < selection->count; i++) {
        const wn_block *block = &page->blocks.items[i];
        if (!selection->verdicts[i].keep || block->len == 0) /* pictures have no text */
            continue;
        if (before)
            separate(out, page, before, block);
        size_t start = out->len;
        note = add_label(out, page, &notes, i, note);
        add_block(out, page, block, out->len > start, &plain);
        before = block;
    }
    if (before)
        wn_buf_add_char(out, '\n');
    out->failed |= plain.failed || notes.failed;
    wn_buf_free(&plain);
    wn_page_notes_free(&notes);
}
