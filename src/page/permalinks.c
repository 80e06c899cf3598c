#include "page/permalinks.h"

#include <assert.h>

#include "page/attributes.h"

enum { LONGEST = 8 }; /* bytes of a sign */
enum { NONE = UINT32_MAX };

/* The text without a character that says how the one before it is drawn: U+FE0E, U+FE0F. */
static wn_str without_variation(wn_str text)
{
    bool has = wn_str_has_ending(text, WN_STR("\xEF\xB8\x8E")) ||
               wn_str_has_ending(text, WN_STR("\xEF\xB8\x8F"));
    return has ? wn_str_from(text.ptr, text.len - 3) : text;
}

bool wn_page_is_permalink(wn_str text, wn_str target)
{
    static const char *const signs[] = {"#",       "¶", "§", "🔗", "⚓", "Â¶" /* read as Latin 1 */,
                                        "↩",       "↵", "⏎", "⤴", "↑", "^",
                                        "&#8617;", "◆" /* Doxygen */};
    text = wn_str_trim(text);
    if (text.len > LONGEST || target.len == 0 || !memchr(target.ptr, '#', target.len))
        return false;
    text = without_variation(text);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (wn_str_eq(text, wn_str_of(signs[i])))
            return true;
    return false;
}

static bool is_sign(const wn_page *page, const wn_span *span)
{
    return span->kind == WN_SPAN_LINK && span->end - span->start <= LONGEST &&
           wn_page_is_permalink(wn_str_from(page->text.ptr + span->start, span->end - span->start),
                                wn_page_address(wn_doc_node(page->doc, span->node)));
}

static uint32_t between(uint32_t offset, uint32_t low, uint32_t high)
{
    return offset < low ? low : offset > high ? high : offset;
}

/* What is left of a block between two offsets. */
typedef struct rest {
    uint32_t start, end;
} rest;

/* Whether the span is in what is left, and not only formatting, which may be around a sign. */
static bool counts(const wn_span *span, rest whole)
{
    return span->start < whole.end && span->end > whole.start &&
           (span->kind == WN_SPAN_LINK || span->kind == WN_SPAN_CODE);
}

/* Takes the sign at one end off, if there is one; the rest is empty if nothing else is there. */
static rest without_sign(const wn_page *page, const wn_block *block, rest whole)
{
    const wn_span *spans = page->spans.items + block->first_span;
    uint32_t first = 0, last = block->span_count;
    while (first < last && !counts(&spans[first], whole))
        first++;
    while (last > first && !counts(&spans[last - 1], whole))
        last--;
    rest left = whole;
    if (first == last)
        return whole;
    if (spans[last - 1].end == whole.end && is_sign(page, &spans[last - 1]))
        left.end = spans[last - 1].start;
    else if (spans[first].start == whole.start && is_sign(page, &spans[first]))
        left.start = spans[first].end;
    else
        return whole;
    while (left.start < left.end && wn_is_space(page->text.ptr[left.end - 1]))
        left.end--;
    while (left.start < left.end && wn_is_space(page->text.ptr[left.start]))
        left.start++;
    return left;
}

/* The last end of a text before `end` that is not a space or one of the characters. */
static uint32_t back_over(const wn_page *page, const char *characters, uint32_t start, uint32_t end)
{
    while (end > start &&
           (wn_is_space(page->text.ptr[end - 1]) || strchr(characters, page->text.ptr[end - 1])))
        end--;
    return end;
}

/* Whether the span is a link to change a section of a wiki's page. */
static bool is_editor(const wn_page *page, const wn_span *span)
{
    wn_str href = wn_page_address(wn_doc_node(page->doc, span->node));
    return span->kind == WN_SPAN_LINK && wn_str_find(href, WN_STR("action=edit")) < href.len &&
           wn_str_find(href, WN_STR("section=")) < href.len;
}

/* Takes "[edit]" and "[edit | edit source]" off the end of a heading, if they are links to that. */
static rest without_editors(const wn_page *page, const wn_block *block, rest whole)
{
    if (block->kind != WINNOW_BLOCK_HEADING || page->text.ptr[whole.end - 1] != ']')
        return whole;
    rest left = {whole.start, back_over(page, "]", whole.start, whole.end)};
    bool found = false;
    for (uint32_t i = block->span_count; i > 0; i--) {
        const wn_span *span = &page->spans.items[block->first_span + i - 1];
        if (span->end != left.end || !is_editor(page, span))
            continue;
        found = true;
        left.end = back_over(page, "|", left.start, span->start);
    }
    bool is_whole = found && left.end > left.start && page->text.ptr[left.end - 1] == '[';
    left.end = back_over(page, "[", left.start, left.end);
    return is_whole && left.end > left.start ? left : whole;
}

/* The offset after white space. */
static uint32_t over_spaces(const wn_page *page, uint32_t start, uint32_t end)
{
    while (start < end && wn_is_space(page->text.ptr[start]))
        start++;
    return start;
}

/* Takes "^ a b", links from a note back to its marks in a wiki, off the start of a block. */
static rest without_ways_back(const wn_page *page, const wn_block *block, rest whole)
{
    enum { LONGEST_NAME = 4 }; /* "ab" after "z", and "1.10" */
    wn_str text = wn_str_from(page->text.ptr + whole.start, whole.end - whole.start);
    size_t sign = wn_str_starts(text, WN_STR("^ ")) ? 1 : wn_str_starts(text, WN_STR("↑ ")) ? 3 : 0;
    if (sign == 0)
        return whole;
    uint32_t at = over_spaces(page, whole.start + (uint32_t)sign, whole.end), found = 0;
    for (uint32_t i = 0; i < block->span_count; i++) {
        const wn_span *span = &page->spans.items[block->first_span + i];
        if (span->kind != WN_SPAN_LINK || span->start < at)
            continue;
        wn_str href = wn_page_address(wn_doc_node(page->doc, span->node));
        if (span->start > at || span->end - span->start > LONGEST_NAME ||
            wn_str_find(href, WN_STR("#")) == href.len)
            break;
        found++;
        at = over_spaces(page, span->end, whole.end);
    }
    return found > 0 && at < whole.end ? (rest){at, whole.end} : whole;
}

/* Whether a block is nothing but such links: in newer wikis they are beside the heading. */
static bool is_only_editors(const wn_page *page, const wn_block *block)
{
    enum { LONGEST_BLOCK = 60 };
    uint32_t end = block->text + block->len;
    if (block->kind == WINNOW_BLOCK_HEADING || block->len > LONGEST_BLOCK ||
        page->text.ptr[end - 1] != ']' || page->text.ptr[block->text] != '[')
        return false;
    for (uint32_t i = 0; i < block->span_count; i++) {
        const wn_span *span = &page->spans.items[block->first_span + i];
        if (span->kind == WN_SPAN_LINK && !is_editor(page, span))
            return false;
    }
    return block->link_bytes > 0;
}

/* Leaves of the block what lies between two offsets, and of its spans what lies in that. */
static void shorten(wn_page *page, wn_block *block, rest left)
{
    wn_span *spans = page->spans.items + block->first_span;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block->span_count; i++) {
        wn_span span = spans[i];
        span.start = between(span.start, left.start, left.end);
        span.end = between(span.end, left.start, left.end);
        if (span.start < span.end || span.kind == WN_SPAN_IMAGE)
            spans[kept++] = span;
    }
    assert(left.start >= block->text && left.end <= block->text + block->len);
    block->span_count = kept;
    block->text = left.start;
    block->len = left.end - left.start;
}

/* Whether a heading is only the number of a note, "(3)", and the way back from it. */
static bool is_number_of_note(const wn_page *page, const wn_block *block)
{
    enum { LONGEST_NUMBER = 6 }; /* bytes */
    wn_str text = wn_block_text(page, block);
    if (block->kind != WINNOW_BLOCK_HEADING || text.len < 3 || text.len > LONGEST_NUMBER ||
        block->link_bytes < block->len || text.ptr[0] != '(' || text.ptr[text.len - 1] != ')')
        return false;
    for (size_t i = 1; i + 1 < text.len; i++)
        if (!wn_is_ascii_digit(text.ptr[i]))
            return false;
    const wn_node *a = wn_doc_node(page->doc, page->spans.items[block->first_span].node);
    return wn_str_starts(wn_node_attr_value(a, WN_ATTR_HREF), WN_STR("#"));
}

/* Whether markup says that a link is the way back from a note to its mark. */
static bool is_way_back(const wn_doc *doc, wn_node_id link)
{
    const wn_node *a = wn_doc_node(doc, link), *parent = wn_doc_node(doc, a->parent);
    return wn_page_has_class(a, WN_STR("fn-backref")) ||
           wn_str_eq(wn_node_attr_value(a, WN_ATTR_ROLE), WN_STR("doc-backlink")) ||
           (parent->kind == WN_KIND_ELEMENT && wn_page_has_class(parent, WN_STR("fn-backref")));
}

/* Whether a block is the label of a note, which is the way back from it: "1", "[2]". */
static bool is_label_of_note(const wn_page *page, const wn_block *block)
{
    enum { LONGEST_LABEL = 24 }; /* bytes */
    wn_str text = wn_block_text(page, block);
    size_t marks = 0;
    if (block->len > LONGEST_LABEL || block->table)
        return false;
    for (size_t i = 0; i < text.len; i++)
        marks += strchr("[](),: ", text.ptr[i]) != NULL;
    for (uint32_t i = 0; i < block->span_count; i++) {
        const wn_span *span = &page->spans.items[block->first_span + i];
        if (span->kind == WN_SPAN_LINK && !is_way_back(page->doc, span->node))
            return false;
    }
    return block->link_bytes + marks >= block->len; /* nothing else is said */
}

/* Whether a link is one to an element of its page. */
static bool leads_to(const wn_node *a, const wn_node *element)
{
    wn_str href = wn_node_attr_value(a, WN_ATTR_HREF), id = wn_node_attr_value(element, WN_ATTR_ID);
    return id.len > 0 && wn_str_starts(href, WN_STR("#")) &&
           wn_str_eq(wn_str_from_offset(href, 1), id);
}

/* The link of a heading that leads to the heading itself, as in mdBook; its number, or NONE. */
static uint32_t find_own_link(const wn_page *page, const wn_block *block)
{
    if (block->kind != WINNOW_BLOCK_HEADING || block->link_bytes < block->len)
        return NONE;
    const wn_node *heading = wn_doc_node(page->doc, block->node);
    for (uint32_t i = 0; i < block->span_count; i++) {
        const wn_span *span = &page->spans.items[block->first_span + i];
        const wn_node *node = wn_doc_node(page->doc, span->node);
        if (span->kind == WN_SPAN_LINK && span->start == block->text &&
            span->end == block->text + block->len)
            return leads_to(node, heading) || leads_to(node, node) ? i : NONE;
    }
    return NONE;
}

/* Takes a link off its text. */
static void drop_link(wn_page *page, wn_block *block, uint32_t link)
{
    wn_span *spans = page->spans.items + block->first_span;
    memmove(&spans[link], &spans[link + 1], (block->span_count - link - 1) * sizeof *spans);
    block->span_count--;
    block->link_bytes = 0;
}

/* "[3]:" after an optional word; what the cells of notebooks have beside them. */
static bool reads_like_prompt(wn_str text, bool *has_word)
{
    enum { LONGEST_PROMPT = 14 };
    size_t at = wn_str_starts(text, WN_STR("In")) ? 2 : wn_str_starts(text, WN_STR("Out")) ? 3 : 0;
    *has_word = at > 0;
    text = wn_str_trim(wn_str_from_offset(text, at));
    if (text.len > LONGEST_PROMPT || !wn_str_starts(text, WN_STR("[")))
        return false;
    size_t end = wn_str_find(text, WN_STR("]"));
    for (size_t i = 1; i < end; i++)
        if (!wn_is_ascii_digit(text.ptr[i]) && text.ptr[i] != ' ' && text.ptr[i] != '*')
            return false;
    wn_str rest = wn_str_from_offset(text, end);
    return wn_str_eq(rest, WN_STR("]")) || wn_str_eq(rest, WN_STR("]:"));
}

/* Whether the names of the elements around a block say that it is a prompt. */
static bool is_called_prompt(const wn_doc *doc, wn_node_id id)
{
    static const char *const names[] = {"prompt", "jp-InputPrompt", "jp-OutputPrompt", NULL};
    for (int i = 0; id && i < 3; i++, id = wn_doc_node(doc, id)->parent) {
        const wn_node *node = wn_doc_node(doc, id);
        if (node->kind == WN_KIND_ELEMENT && wn_page_has_class_of(node, names))
            return true;
    }
    return false;
}

/* Whether a block is the number of a notebook's cell: "In [3]:", "Out[3]:". */
static bool is_prompt(const wn_page *page, const wn_block *block)
{
    enum { LONGEST_BLOCK = 20 };
    bool has_word;
    return block->len <= LONGEST_BLOCK &&
           reads_like_prompt(wn_str_trim(wn_block_text(page, block)), &has_word) &&
           (has_word || is_called_prompt(page->doc, block->node));
}

/* Whether a block may have a sign: a short link at one of its ends. */
static bool may_have_sign(const wn_block *block)
{
    return block->span_count > 0 && block->link_bytes > 0;
}

bool wn_page_permalinks_drop(wn_page_view *view, wn_selection *selection)
{
    assert(selection->count <= view->page.blocks.count);
    for (uint32_t i = 0; i < selection->count; i++) {
        const wn_block *block = &view->page.blocks.items[i];
        if (selection->verdicts[i].keep && is_prompt(&view->page, block))
            wn_selection_drop(selection, i, "the number of a cell");
        if (!may_have_sign(block))
            continue;
        if (is_only_editors(&view->page, block)) {
            wn_selection_drop(selection, i, "only a link to change a section");
            continue;
        }
        if (is_number_of_note(&view->page, block) || is_label_of_note(&view->page, block)) {
            wn_selection_drop(selection, i, "only the number of a note");
            continue;
        }
        uint32_t own_link = find_own_link(&view->page, block);
        if (own_link != NONE) {
            if (!wn_page_view_own(view))
                return false;
            drop_link(&view->page, &view->page.blocks.items[i], own_link);
            continue;
        }
        rest whole = {block->text, block->text + block->len};
        rest left = without_editors(&view->page, block, whole);
        left = without_ways_back(&view->page, block, left);
        for (int side = 0; side < 2 && left.start < left.end; side++) {
            rest before = left;
            left = without_sign(&view->page, block, left);
            if (left.start == before.start && left.end == before.end) /* as most often */
                break;
        }
        if (left.start >= left.end) {
            wn_selection_drop(selection, i, "only a sign to link here");
        } else if (left.start != whole.start || left.end != whole.end) {
            if (!wn_page_view_own(view))
                return false;
            shorten(&view->page, &view->page.blocks.items[i], left);
        }
    }
    return true;
}
