/*
 * Most pages show who wrote them and when: below the title, or above it, in a separate short block.
 * The nearer it is, the more likely it belongs to the page and not to the next one in a list. A
 * byline right after the title is more credible than the declaration in the head, which often names
 * the person who entered the text. A date with "updated" before it is the last change, and the date
 * of the page only if no other is known.
 */
#include "meta/nearby.h"

#include "meta/names.h"
#include "meta/ranks.h"
#include "page/attributes.h"

enum {
    BLOCKS_BEHIND = 16, /* the title that are looked at */
    BLOCKS_BEFORE = 6,
    LONGEST_LINE = 160, /* bytes of a block that may be a byline */
    LATE_BYLINES = 400, /* blocks that are asked for "Written by" */
    NEXT_TO_TITLE = 4,  /* blocks after it whose byline says more than the head of the page */
    SHORTEST_NAME = 3,  /* bytes of a block that is a name and nothing else */
    LONGEST_NAME = 60,  /* bytes of a block that is a name and nothing else */
};

wn_str wn_meta_date_language(const wn_page *page)
{
    enum { ENOUGH = 64 }; /* bytes */
    size_t foreign = 0, len = page->title.len < ENOUGH ? page->title.len : ENOUGH;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)page->title.ptr[i] >= 0x80 && foreign++ == len / 2)
            return WN_STR("und");
    return page->language;
}

bool wn_meta_block_date(const wn_page *page, const wn_block *block, wn_date *date)
{
    enum { MOST_NODES = 16 };
    wn_node_id id = block->node;
    for (int i = 0; id && i < MOST_NODES; i++) {
        const wn_node *node = wn_doc_node(page->doc, id);
        wn_str machine = wn_node_is(node, WN_TAG_TIME) ? wn_node_attr_value(node, WN_ATTR_DATETIME)
                                                       : WN_STR("");
        if (machine.len > 0 && wn_meta_date_find(machine, wn_meta_date_language(page), date) &&
            date->day)
            return true;
        id = wn_doc_next(page->doc, id, block->node);
    }
    return wn_meta_date_find(wn_block_text(page, block), wn_meta_date_language(page), date) &&
           date->day;
}

bool wn_meta_says_joined(wn_str text)
{
    static const char *const words[] = {"joined",      "join date",   "registered", "member since",
                                        "registriert", "beigetreten", "inscri",     "last seen"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (wn_str_contains_nocase(text, wn_str_of(words[i])))
            return true;
    return false;
}

bool wn_meta_is_of_account(const wn_page *page, uint32_t block)
{
    enum { LONGEST_LABEL = 24 };
    const wn_block *shown = &page->blocks.items[block];
    if (wn_meta_says_joined(wn_block_text(page, shown)))
        return true;
    wn_str before = block > 0 ? wn_block_text(page, shown - 1) : WN_STR("");
    bool has_digit = false; /* then it has a date of its own */
    for (size_t i = 0; i < before.len && before.len <= LONGEST_LABEL; i++)
        has_digit |= wn_is_ascii_digit(before.ptr[i]);
    return before.len <= LONGEST_LABEL && !has_digit && wn_meta_says_joined(before);
}

/* Whether a class has one of these words, ignoring case. */
static bool is_class_of_author(wn_str class)
{
    static const wn_str words[] = {WN_STR("username"), WN_STR("user-name"), WN_STR("author"),
                                   WN_STR("creator"), WN_STR("nickname")};
    for (size_t at = 0; at < class.len; at++) {
        char c = wn_ascii_lower(class.ptr[at]);
        if (c != 'u' && c != 'a' && c != 'c' && c != 'n')
            continue;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (c == *words[i].ptr && wn_str_starts_nocase(wn_str_from_offset(class, at), words[i]))
                return true;
    }
    return false;
}

/* Whether a page of a forum's program is that of a member: Discuz, vBulletin, phpBB, SMF. */
static bool is_page_of_member(wn_str href)
{
    static const wn_str pages[] = {WN_STR("mod=space&uid="), WN_STR("member.php?"),
                                   WN_STR("mode=viewprofile"), WN_STR("action=profile;u=")};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (wn_str_find(href, pages[i]) < href.len)
            return wn_str_find(href, WN_STR("&do=")) == href.len; /* a list of what they did */
    return false;
}

/* Whether an address has one of the folders where forums present their members. */
static bool is_address_of_author(wn_str href)
{
    static const wn_str folders[] = {WN_STR("/u/"), WN_STR("/user/"), WN_STR("/users/"),
                                     WN_STR("/members/"), WN_STR("/profile/")};
    const char *at = href.ptr, *end = href.ptr + href.len;
    for (; at < end && (at = memchr(at, '/', (size_t)(end - at))) != NULL; at++)
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
            if (wn_str_starts(wn_str_between(at, end), folders[i]))
                return true;
    return false;
}

/* Whether an element says that it holds the name of who wrote something. */
static bool is_author(const wn_node *node)
{
    if (node->kind != WN_KIND_ELEMENT)
        return false;
    for (uint32_t i = 0; i < node->len; i++) {
        wn_str value = wn_attr_value(&node->attrs[i]);
        switch (node->attrs[i].id) {
        case WN_ATTR_CLASS:
            if (is_class_of_author(wn_page_classes(node)))
                return true;
            break;
        case WN_ATTR_ITEMPROP:
            if (wn_str_eq(value, WN_STR("author")) || wn_str_eq(value, WN_STR("creator")))
                return true;
            break;
        case WN_ATTR_HREF:
            if (is_address_of_author(wn_page_address(node)) ||
                is_page_of_member(wn_page_address(node)))
                return true;
            break;
        default:
            break;
        }
    }
    return false;
}

wn_str wn_meta_block_author(const wn_page *page, const wn_block *block)
{
    enum { MOST_NODES = 24 };
    wn_node_id id = block->node, marked = WN_NO_NODE;
    for (int i = 0; id && i < MOST_NODES; i++) {
        const wn_node *node = wn_doc_node(page->doc, id);
        wn_str text = node->kind == WN_KIND_TEXT ? wn_str_trim(wn_node_text(node)) : WN_STR("");
        if (!marked && is_author(node))
            marked = id;
        if (marked && text.len >= 2 && text.len <= LONGEST_NAME) /* one letter is a picture's */
            return wn_meta_name_clean(text);
        id = wn_doc_next(page->doc, id, block->node);
    }
    return WN_STR("");
}

/* The block that is the title: the first heading with its text, else the first large heading. */
static uint32_t find_title(const wn_page *page, wn_str title)
{
    uint32_t first = page->blocks.count, same = page->blocks.count;
    for (uint32_t i = 0; i < page->blocks.count; i++) {
        const wn_block *block = &page->blocks.items[i];
        bool is_title = block->len == title.len && wn_str_eq(wn_block_text(page, block), title);
        if (is_title && block->kind == WINNOW_BLOCK_HEADING)
            return i;
        if (is_title && same == page->blocks.count && block->kind != WINNOW_BLOCK_FORM)
            same = i; /* a form is filled in with it elsewhere */
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

/* A label in a block of its own: "Last updated", then "3 May 2024". */
static bool is_label_of_update(wn_str before)
{
    enum { LONGEST_LABEL = 30 };
    return before.len <= LONGEST_LABEL && says_updated(before);
}

static void read_date(wn_facts *facts, const wn_page *page, uint32_t index, int rank, int shown)
{
    wn_date date;
    char written[WN_DATE_SIZE];
    wn_str text = wn_block_text(page, &page->blocks.items[index]);
    wn_str language = wn_meta_date_language(page);
    wn_str before = index > 0 ? wn_block_text(page, &page->blocks.items[index - 1]) : WN_STR("");
    bool wanted = wn_meta_facts_wants(facts, WN_FIELD_PUBLISHED, shown) ||
                  wn_meta_facts_wants(facts, WN_FIELD_MODIFIED, rank);
    if (!wanted || !wn_meta_date_find(text, language, &date) || !date.day ||
        wn_meta_is_of_account(page, index))
        return;
    wn_meta_date_write(&date, written);
    bool updated = says_updated(text) || is_label_of_update(before);
    enum { DAY = sizeof "2024-05-03" - 1 };
    wn_str known = wn_meta_facts_value(facts, WN_FIELD_PUBLISHED);
    if (!updated && known.len > DAY && memcmp(known.ptr, written, DAY) == 0)
        return; /* the same day, and the time is known */
    bool is_clear = !updated && text.len <= LONGEST_NAME && date.in_words;
    wn_meta_facts_offer(facts, updated ? WN_FIELD_MODIFIED : WN_FIELD_PUBLISHED,
                        is_clear ? shown : rank, "text near the title", wn_str_of(written));
    if (updated)
        wn_meta_facts_offer(facts, WN_FIELD_PUBLISHED, rank / 2, "text near the title",
                            wn_str_of(written));
}

static bool is_small(char c)
{
    return (unsigned char)(c - 'a') < 26;
}

/*
 * A name begins with a capital, or in a script that has none; "3i Global" and "ibby" are names,
 * too.
 */
static bool looks_like_name(wn_str rest)
{
    if (rest.len < 2)
        return false;
    if (is_small(*rest.ptr))
        return !memchr(rest.ptr, ' ', rest.len);
    return !wn_is_ascii_digit(*rest.ptr) || wn_is_ascii_alpha(rest.ptr[1]);
}

/* Whether a block is the head of a column: "Views" after "Author", above the rows of a forum. */
static bool heads_column(const wn_page *page, const wn_block *block)
{
    const wn_node *node = wn_doc_node(page->doc, block->node);
    return wn_node_is(node, WN_TAG_TH) ||
           wn_node_is(wn_doc_node(page->doc, node->parent), WN_TAG_TH);
}

/* The name that a label in a block of its own announces: "Written by", then "Jane Miller". */
static bool read_label(const wn_page *page, uint32_t index, wn_str *name)
{
    if (index + 1 >= page->blocks.count ||
        page->blocks.items[index + 1].kind == WINNOW_BLOCK_FORM || /* asks for more */
        !wn_meta_is_byline_label(wn_block_text(page, &page->blocks.items[index])) ||
        heads_column(page, &page->blocks.items[index + 1]))
        return false;
    *name = wn_block_text(page, &page->blocks.items[index + 1]);
    return name->len >= SHORTEST_NAME && name->len <= LONGEST_NAME &&
           !memchr(name->ptr, ':', name->len) && looks_like_name(*name);
}

/* "By Jane Miller" names who wrote the text, "Reviewed by Ann Weaver" may not. */
static bool says_by(wn_str text)
{
    return wn_str_starts_nocase(text, WN_STR("by")) ||
           wn_str_starts_nocase(text, WN_STR("written by")) ||
           wn_str_starts_nocase(text, WN_STR("words by"));
}

static void read_block(wn_facts *facts, const wn_page *page, uint32_t index, int rank, int shown)
{
    const wn_block *block = &page->blocks.items[index];
    wn_str text = wn_block_text(page, block), rest;
    if (block->len > LONGEST_LINE)
        return;
    read_date(facts, page, index, rank, shown);
    if (!wn_meta_facts_wants(facts, WN_FIELD_AUTHOR, shown))
        return;
    if (wn_meta_byline_starts(text, &rest) && looks_like_name(rest))
        wn_meta_names_offer(facts, says_by(text) && !is_small(*rest.ptr) ? shown : rank, "byline",
                            rest);
    else if (read_label(page, index, &rest))
        wn_meta_names_offer(facts, rank, "byline", rest);
}

/* "Written by Jane Miller" at the end, or "Author" above the name. */
static void read_late_bylines(wn_facts *facts, const wn_page *page)
{
    uint32_t count = page->blocks.count;
    wn_str rest = WN_STR("");
    for (uint32_t i = count > LATE_BYLINES ? count - LATE_BYLINES : 0; i < count; i++) {
        wn_str text = wn_block_text(page, &page->blocks.items[i]);
        char first = text.len > 0 && text.len <= LONGEST_LINE ? wn_ascii_lower(*text.ptr) : 0;
        bool is_written = first == 'w' && wn_str_starts_nocase(text, WN_STR("written by")) &&
                          wn_meta_byline_starts(text, &rest) && looks_like_name(rest);
        if (is_written || ((first == 'w' || first == 'a') && read_label(page, i, &rest))) {
            wn_meta_names_offer(facts, WN_RANK_LATE, "byline", rest);
            return;
        }
    }
}

void wn_meta_nearby_read(wn_facts *facts, const wn_page *page, wn_str title)
{
    if (page->blocks.count == 0)
        return;
    uint32_t at = find_title(page, title);
    for (uint32_t k = 1; k <= BLOCKS_BEHIND && at + k < page->blocks.count; k++) {
        int rank = WN_RANK_NEARBY - (int)k;
        read_block(facts, page, at + k, rank, k <= NEXT_TO_TITLE ? WN_RANK_SHOWN : rank);
    }
    for (uint32_t k = 1; k <= BLOCKS_BEFORE && k <= at; k++) {
        int rank = WN_RANK_NEARBY - 2 * (int)k;
        read_block(facts, page, at - k, rank, rank);
    }
    if (wn_meta_facts_wants(facts, WN_FIELD_AUTHOR, WN_RANK_LATE))
        read_late_bylines(facts, page);
}
