#include "write/plain.h"

#include "base/utf8.h"
#include "page/attributes.h"
#include "page/notes.h"
#include "text/unicode.h"
#include "write/quotation_marks.h"

/* Whether the span is a link that its markup calls the mark of a note, and short as one. */
static bool is_called_mark(const wn_page *page, const wn_span *span)
{
    enum { LONGEST = 4 };
    return span->kind == WN_SPAN_LINK && span->end - span->start <= LONGEST &&
           wn_page_notes_is_called_mark(wn_doc_node(page->doc, span->node));
}

static bool is_signed(const wn_page *page, const wn_span *span)
{
    return span->kind == WN_SPAN_SUP || span->kind == WN_SPAN_SUB || span->kind == WN_SPAN_QUOTED ||
           is_called_mark(page, span);
}

bool wn_write_plain_differs(const wn_page *page, const wn_block *block)
{
    const wn_span *spans = page->spans.items + block->first_span;
    for (uint32_t i = 0; i < block->span_count; i++)
        if (is_signed(page, &spans[i]))
            return true;
    return false;
}

static bool is_letter(char c)
{
    return wn_is_ascii_alpha(c) || (unsigned char)c >= 0x80;
}

static bool is_number(wn_str text)
{
    size_t i = 0;
    while (i < text.len && (wn_is_ascii_digit(text.ptr[i]) || text.ptr[i] == ','))
        i++;
    return i == text.len && i > 0;
}

/* How many letters come before an offset, up to three. */
static int letters_before(const char *text, uint32_t start, uint32_t at)
{
    int letters = 0;
    while (letters < 3 && at > start && is_letter(text[at - 1])) {
        at--;
        letters += (text[at] & 0xC0) != 0x80;
    }
    return letters;
}

/* Whether the span is a link to a place of the same page: the mark of a note. */
static bool is_mark(const wn_page *page, const wn_block *block, const wn_span *span)
{
    const wn_span *spans = page->spans.items + block->first_span;
    for (uint32_t i = (uint32_t)(span - spans); i < block->span_count; i++) {
        if (spans[i].start != span->start)
            break;
        const wn_node *node = wn_doc_node(page->doc, spans[i].node);
        if (spans[i].kind == WN_SPAN_LINK)
            return wn_str_starts(wn_page_address(node), WN_STR("#"));
    }
    for (uint32_t i = (uint32_t)(span - spans); i-- > 0 && spans[i].start == span->start;)
        if (spans[i].kind == WN_SPAN_LINK)
            return wn_str_starts(wn_page_address(wn_doc_node(page->doc, spans[i].node)),
                                 WN_STR("#"));
    return false;
}

/*
 * The signs around raised text. A number after a word is the mark of a note; one after a number,
 * a sign or a unit of one or two letters is a power. Letters ("1st", "Mlle") need none.
 */
static wn_write_quotation_marks signs_of_sup(const wn_page *page, const wn_block *block,
                                             const wn_span *span)
{
    const char *text = page->text.ptr;
    wn_str raised = wn_str_from(text + span->start, span->end - span->start);
    char before = span->start > block->text ? text[span->start - 1] : ' ';
    int letters = letters_before(text, block->text, span->start);
    bool glued = wn_is_ascii_alnum(before) || (unsigned char)before >= 0x80 || before == ')' ||
                 before == ']';
    if (raised.ptr[0] == '[' || raised.ptr[0] == '(')
        return (wn_write_quotation_marks){"", ""};
    if (is_mark(page, block, span))
        return (wn_write_quotation_marks){"[", "]"};
    if (!glued && is_number(raised) && before != ' ')
        return (wn_write_quotation_marks){"[", "]"}; /* after a full stop */
    if (!glued)
        return (wn_write_quotation_marks){"", ""};
    if (is_number(raised) && letters > 2)
        return (wn_write_quotation_marks){"[", "]"};
    bool is_power = wn_is_ascii_digit(raised.ptr[0]) || raised.ptr[0] == '-' ||
                    raised.ptr[0] == '+' || wn_str_starts(raised, WN_STR("−")) ||
                    (raised.len == 1 && is_letter(raised.ptr[0]) && letters == 1);
    bool has_parts = raised.len > 3 && wn_str_find(raised, WN_STR(" ")) < raised.len;
    if (!is_power)
        return (wn_write_quotation_marks){"", ""};
    return has_parts ? (wn_write_quotation_marks){"^(", ")"} : (wn_write_quotation_marks){"^", ""};
}

/* An index after a digit would be read as a part of the number. */
static wn_write_quotation_marks signs_of_sub(const wn_page *page, const wn_block *block,
                                             const wn_span *span)
{
    const char *text = page->text.ptr;
    bool misleads = span->start > block->text && wn_is_ascii_digit(text[span->start - 1]) &&
                    wn_is_ascii_digit(text[span->start]);
    return (wn_write_quotation_marks){misleads ? "_" : "", ""};
}

/* A mark that is raised as well gets its signs there. */
static wn_write_quotation_marks signs_of_mark(const wn_page *page, const wn_block *block,
                                              const wn_span *span)
{
    const wn_span *spans = page->spans.items + block->first_span;
    uint32_t at = (uint32_t)(span - spans);
    bool raised = (at > 0 && spans[at - 1].kind == WN_SPAN_SUP && spans[at - 1].end >= span->end) ||
                  (at + 1 < block->span_count && spans[at + 1].kind == WN_SPAN_SUP &&
                   spans[at + 1].start == span->start);
    bool bare = wn_is_ascii_alnum(page->text.ptr[span->start]);
    return raised || !bare ? (wn_write_quotation_marks){"", ""}
                           : (wn_write_quotation_marks){"[", "]"};
}

static wn_write_quotation_marks signs_of(const wn_page *page, const wn_block *block,
                                         const wn_span *span)
{
    if (span->kind == WN_SPAN_QUOTED)
        return wn_write_quotation_marks_of(page->language);
    if (span->kind == WN_SPAN_LINK)
        return signs_of_mark(page, block, span);
    return span->kind == WN_SPAN_SUP ? signs_of_sup(page, block, span)
                                     : signs_of_sub(page, block, span);
}

void wn_write_plain(wn_buf *out, const wn_page *page, const wn_block *block)
{
    enum { DEEPEST = 4 };
    const char *closing[DEEPEST];
    uint32_t ends[DEEPEST], depth = 0, at = block->text, end = block->text + block->len;
    const wn_span *spans = page->spans.items + block->first_span;
    uint32_t next = 0;
    while (at < end || depth > 0) {
        while (next < block->span_count &&
               (!is_signed(page, &spans[next]) || spans[next].end <= at))
            next++;
        uint32_t limit = depth > 0 ? ends[depth - 1] : end;
        uint32_t stop = next < block->span_count && spans[next].start < limit ? spans[next].start
                                                                              : limit;
        if (stop > at)
            wn_buf_add(out, wn_str_from(page->text.ptr + at, stop - at));
        at = stop > at ? stop : at;
        if (depth > 0 && at >= limit) {
            wn_buf_add_literal(out, closing[--depth]);
        } else if (next < block->span_count && spans[next].start <= at) {
            wn_write_quotation_marks signs = signs_of(page, block, &spans[next]);
            if (depth < DEEPEST) {
                wn_buf_add_literal(out, signs.open);
                ends[depth] = spans[next].end < limit ? spans[next].end : limit;
                closing[depth++] = signs.close;
            }
            next++;
        }
    }
}

wn_str wn_write_plain_text(wn_buf *plain, const wn_page *page, const wn_block *block)
{
    if (block->span_count == 0 || !wn_write_plain_differs(page, block))
        return wn_block_text(page, block);
    wn_buf_clear(plain);
    wn_write_plain(plain, page, block);
    return wn_buf_str(plain);
}
