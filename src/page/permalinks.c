#include "page/permalinks.h"

enum { LONGEST = 4 }; /* bytes of a sign */

bool wn_page_is_permalink(wn_str text, wn_str target)
{
    static const char *const signs[] = {"#", "¶", "§", "🔗", "⚓", "Â¶" /* read as Latin 1 */};
    text = wn_str_trim(text);
    if (text.len > LONGEST || target.len == 0 || !memchr(target.ptr, '#', target.len))
        return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (wn_str_eq(text, wn_str_of(signs[i])))
            return true;
    return false;
}

static bool is_sign(const wn_page *page, const wn_span *span)
{
    return span->kind == WN_SPAN_LINK && span->end - span->start <= LONGEST &&
           wn_page_is_permalink(
               wn_str_from(page->text.ptr + span->start, span->end - span->start),
               wn_node_attr_value(wn_doc_node(page->doc, span->node), WN_ATTR_HREF));
}

static uint32_t between(uint32_t offset, uint32_t low, uint32_t high)
{
    return offset < low ? low : offset > high ? high : offset;
}

/* Leaves of the block what stands between two offsets, and of its spans what lies in that. */
static void shorten(wn_page *page, wn_block *block, uint32_t start, uint32_t end)
{
    wn_span *spans = page->spans.items + block->first_span;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block->span_count; i++) {
        wn_span span = spans[i];
        span.start = between(span.start, start, end);
        span.end = between(span.end, start, end);
        if (span.start < span.end || span.kind == WN_SPAN_IMAGE)
            spans[kept++] = span;
    }
    block->span_count = kept;
    block->text = start;
    block->len = end - start;
    page->text.ptr[end] = '\0';
}

/* Takes the sign at one end off, if there is one; false if nothing else is there. */
static bool drop_sign(wn_page *page, wn_block *block)
{
    const wn_span *spans = page->spans.items + block->first_span;
    const wn_span *last = &spans[block->span_count - 1];
    uint32_t start = block->text, end = start + block->len;
    if (last->end == end && is_sign(page, last))
        end = last->start;
    else if (spans->start == start && is_sign(page, spans))
        start = spans->end;
    else
        return true;
    while (start < end && wn_is_space(page->text.ptr[end - 1]))
        end--;
    while (start < end && wn_is_space(page->text.ptr[start]))
        start++;
    if (start < end)
        shorten(page, block, start, end);
    return start < end;
}

void wn_page_permalinks_drop(wn_page *page, wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_block *block = &page->blocks.items[i];
        bool has_text = true;
        for (int side = 0; side < 2 && has_text && block->span_count > 0; side++)
            has_text = drop_sign(page, block);
        if (!has_text)
            selection->verdicts[i] = (wn_verdict){.reason = "only a sign to link here"};
    }
}
