/*
 * Few pages hide who wrote them and when: it stands below the title, or above it, in a short
 * block of its own. The nearer, the more likely it is the page's own and not that of the
 * next one in a list. A date with "updated" before it is the last change, and the date of the page only
 * if no other is known.
 */
#include "meta/nearby.h"

#include "meta/date.h"
#include "meta/names.h"
#include "meta/ranks.h"

enum {
    BLOCKS_BEHIND = 16, /* the title that are looked at */
    BLOCKS_BEFORE = 6,
    LONGEST_LINE = 160, /* bytes of a block that may be a byline */
    LATE_BYLINES = 400, /* blocks that are asked for "Written by" */
};

/* The block that is the title: the first heading with its text, else the first large heading. */
static uint32_t find_title(const wn_page *page, wn_str title)
{
    uint32_t first = page->blocks.count, same = page->blocks.count;
    for (uint32_t i = 0; i < page->blocks.count; i++) {
        const wn_block *block = &page->blocks.items[i];
        bool is_title = block->len == title.len && wn_str_eq(wn_block_text(page, block), title);
        if (is_title && block->kind == WINNOW_BLOCK_HEADING)
            return i;
        if (is_title && same == page->blocks.count)
            same = i;
        if (block->kind == WINNOW_BLOCK_HEADING && block->level == 1 && first == page->blocks.count)
            first = i;
    }
    return same < page->blocks.count ? same : first < page->blocks.count ? first : 0;
}

static bool says_updated(wn_str text)
{
    static const char *const words[] = {"updated",      "modified",   "reviewed",    "revised",
                                        "aktualisiert", "mis à jour", "actualizado", "atualizado",
                                        "aggiornato",   "bijgewerkt", "обновлено",   "更新",
                                        "cập nhật"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (wn_str_contains_nocase(text, wn_str_of(words[i])))
            return true;
    return false;
}

static void read_date(wn_facts *facts, wn_str text, wn_str language, int rank)
{
    wn_date date;
    char written[WN_DATE_SIZE];
    bool wanted = wn_meta_facts_wants(facts, WN_FIELD_PUBLISHED, rank) ||
                  wn_meta_facts_wants(facts, WN_FIELD_MODIFIED, rank);
    if (!wanted || !wn_meta_date_find(text, language, &date) || !date.day)
        return;
    wn_meta_date_write(&date, written);
    bool updated = says_updated(text);
    wn_meta_facts_offer(facts, updated ? WN_FIELD_MODIFIED : WN_FIELD_PUBLISHED, rank,
                        "text near the title", wn_str_of(written));
    if (updated)
        wn_meta_facts_offer(facts, WN_FIELD_PUBLISHED, rank / 2, "text near the title",
                            wn_str_of(written));
}

/* A name begins with a capital, or in a script that has none. */
static bool looks_like_name(wn_str rest)
{
    return rest.len > 1 && !((unsigned char)(*rest.ptr - 'a') < 26) &&
           !wn_is_ascii_digit(*rest.ptr);
}

static void read_block(wn_facts *facts, const wn_page *page, uint32_t index, int rank)
{
    const wn_block *block = &page->blocks.items[index];
    wn_str text = wn_block_text(page, block), rest;
    if (block->len > LONGEST_LINE)
        return;
    read_date(facts, text, page->language, rank);
    if (wn_meta_facts_wants(facts, WN_FIELD_AUTHOR, rank) && wn_meta_byline_starts(text, &rest) &&
        looks_like_name(rest))
        wn_meta_names_offer(facts, rank, "byline", rest);
}

/* "Written by Jane Miller" at the end. */
static void read_late_bylines(wn_facts *facts, const wn_page *page)
{
    uint32_t first = page->blocks.count > LATE_BYLINES ? page->blocks.count - LATE_BYLINES : 0;
    wn_str rest;
    for (uint32_t i = first; i < page->blocks.count; i++) {
        wn_str text = wn_block_text(page, &page->blocks.items[i]);
        if (text.len <= LONGEST_LINE && (*text.ptr | 0x20) == 'w' &&
            wn_str_starts_nocase(text, WN_STR("written by")) &&
            wn_meta_byline_starts(text, &rest) && looks_like_name(rest)) {
            wn_meta_names_offer(facts, WN_RANK_LATE, "byline", rest);
            return;
        }
    }
}

void wn_meta_nearby_read(wn_facts *facts, const wn_page *page, wn_str title)
{
    if (page->blocks.count == 0 ||
        (!wn_meta_facts_wants(facts, WN_FIELD_PUBLISHED, WN_RANK_NEARBY) &&
         !wn_meta_facts_wants(facts, WN_FIELD_AUTHOR, WN_RANK_NEARBY)))
        return;
    uint32_t at = find_title(page, title);
    for (uint32_t k = 1; k <= BLOCKS_BEHIND && at + k < page->blocks.count; k++)
        read_block(facts, page, at + k, WN_RANK_NEARBY - (int)k);
    for (uint32_t k = 1; k <= BLOCKS_BEFORE && k <= at; k++)
        read_block(facts, page, at - k, WN_RANK_NEARBY - 2 * (int)k);
    if (wn_meta_facts_wants(facts, WN_FIELD_AUTHOR, WN_RANK_LATE))
        read_late_bylines(facts, page);
}
