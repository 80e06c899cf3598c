#include "page/page.h"

#include <assert.h>

void wn_page_start(wn_page *page, const wn_doc *doc)
{
    page->doc = doc;
    page->blocks.count = page->spans.count = page->texts.count = 0;
    page->objects.count = page->formulas.count = page->tables.count = 0;
    wn_buf_clear(&page->tex);
    page->title = page->language = WN_STR("");
    wn_buf_clear(&page->text);
    bool there = wn_buf_reserve(&page->text, 1) && wn_array_reserve(&page->blocks, 1) &&
                 wn_array_reserve(&page->spans, 1);
    page->failed = !there;
}

wn_block *wn_page_add_block(wn_page *page, uint32_t start)
{
    assert(start <= page->text.len);
    uint32_t len = (uint32_t)page->text.len - start;
    bool room = wn_buf_reserve(&page->text, 1) &&
                wn_array_reserve(&page->blocks, page->blocks.count + 1);
    if (!room) {
        page->failed = true;
        page->text.len = start;
        return NULL;
    }
    wn_buf_add_char(&page->text, '\0');
    wn_block *block = &page->blocks.items[page->blocks.count++];
    *block = (wn_block){.text = start, .len = len};
    return block;
}

void wn_page_free(wn_page *page)
{
    wn_buf_free(&page->text);
    wn_array_free(&page->blocks);
    wn_array_free(&page->spans);
    wn_array_free(&page->texts);
    wn_array_free(&page->objects);
    wn_array_free(&page->tables);
    wn_array_free(&page->formulas);
    wn_buf_free(&page->tex);
}

size_t wn_page_memory(const wn_page *page)
{
    return page->text.cap + wn_array_bytes(&page->blocks) + wn_array_bytes(&page->spans) +
           wn_array_bytes(&page->texts) + wn_array_bytes(&page->objects) +
           wn_array_bytes(&page->tables) + wn_array_bytes(&page->formulas) + page->tex.cap;
}

/* ---- Cutting blocks ---------------------------------------------------------------------- */

/* Bounds the work for a block with many spans that is split many times. */
enum { MOST_CUTS = 64 };

/* Gives `part` the pieces of the spans of `whole` that lie in its text. */
static void clip_spans(wn_page *page, const wn_block *whole, wn_block *part)
{
    uint32_t from = part->text;
    part->first_span = page->spans.count;
    part->link_bytes = 0;
    for (uint32_t i = 0; i < whole->span_count; i++) {
        wn_span span = page->spans.items[whole->first_span + i];
        bool image = span.kind == WN_SPAN_IMAGE;
        if (image && (span.start < from || span.start >= from + part->len))
            continue;
        span.start = span.start < from ? from : span.start;
        span.end = span.end > from + part->len ? from + part->len : span.end;
        bool whole_formula = span.kind == WN_SPAN_MATH &&
                             span.start == page->spans.items[whole->first_span + i].start &&
                             span.end == page->spans.items[whole->first_span + i].end;
        if ((span.start >= span.end && !image) || (span.kind == WN_SPAN_MATH && !whole_formula))
            continue;
        wn_span *fresh = wn_array_push(&page->spans);
        if (!fresh) {
            page->failed = true;
            break;
        }
        part->link_bytes += span.kind == WN_SPAN_LINK ? span.end - span.start : 0;
        *fresh = span;
    }
    part->span_count = page->spans.count - part->first_span;
}

/* The part [start, end) of a block; false if it holds nothing but white space. */
static bool make_part(wn_page *page, const wn_block *whole, uint32_t start, uint32_t end,
                      wn_block *part)
{
    const char *text = page->text.ptr;
    while (start < end && wn_is_space(text[start]))
        start++;
    while (end > start && wn_is_space(text[end - 1]))
        end--;
    if (start == end)
        return false;
    assert(start >= whole->text && end <= whole->text + whole->len);
    *part = *whole;
    part->len = end - start;
    part->text = start;
    part->words = (uint32_t)((uint64_t)whole->words * part->len / whole->len);
    if (start > whole->text)
        part->flags &= (uint16_t)~WN_BLOCK_ITEM_START;
    clip_spans(page, whole, part);
    return true;
}

/* Writes the parts of `whole` to `out`, and where they were to `starts`; returns how many. */
static uint32_t cut_block(wn_page *page, const wn_block *whole, const uint32_t *offsets,
                          uint32_t count, wn_block *out, uint32_t *starts)
{
    uint32_t made = 0, start = whole->text;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t end = i < count ? offsets[i] : whole->text + whole->len;
        while (end < whole->text + whole->len && (page->text.ptr[end] & 0xC0) == 0x80)
            end++; /* never inside a character */
        if (!make_part(page, whole, start, end, &out[made]))
            continue;
        starts[made++] = start;
        start = end;
    }
    return made;
}

uint32_t *wn_page_cut(wn_page *page, const uint32_t *offsets, uint32_t count, wn_arena *arena)
{
    uint32_t old = page->blocks.count, made = 0, next = 0;
    uint32_t *starts = wn_arena_alloc(arena, ((size_t)old + count + 1) * sizeof *starts);
    if (!starts || !wn_array_reserve(&page->blocks, old + count))
        return NULL;
    wn_block *blocks = page->blocks.items; /* read from their end, written from their start */
    if (old > 0)
        memmove(blocks + count, blocks, old * sizeof *blocks);
    for (uint32_t i = 0; i < old; i++) {
        wn_block whole = blocks[count + i];
        while (next < count && offsets[next] <= whole.text)
            next++;
        uint32_t first = next;
        while (next < count && offsets[next] < whole.text + whole.len)
            next++;
        uint32_t cuts = next - first < MOST_CUTS ? next - first : MOST_CUTS;
        if (cuts == 0) {
            blocks[made] = whole;
            starts[made++] = whole.text;
        } else {
            made += cut_block(page, &whole, offsets + first, cuts, &blocks[made], &starts[made]);
        }
    }
    assert(made <= old + count);
    page->blocks.count = made;
    return page->failed ? NULL : starts;
}

uint32_t wn_page_table_end(const wn_page *page, uint32_t block)
{
    uint32_t end = block + 1;
    while (end < page->blocks.count &&
           page->blocks.items[end].table == page->blocks.items[block].table)
        end++;
    return end;
}
