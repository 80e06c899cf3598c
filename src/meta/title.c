#include "meta/title.h"

#include "base/url.h"
#include "base/utf8.h"
#include "meta/ranks.h"
#include "text/unicode.h"

enum {
    LONGEST_TITLE = 1000, /* bytes */
    CONFIRMED = 50,       /* percent of the longer of two titles that the other must have */
    NEARLY_ALL = 80,      /* percent of the longer of two titles that is nearly the other */
    SHARED = 60,          /* percent of the long words that a heading has in common with <title> */
    LONG_WORD = 4,        /* bytes */
    SHORT_NAME = 40,      /* bytes of a part of <title> that may be the site's name */
};

/* What is between the parts of a title. */
enum { FULL_WIDTH };
static const char *const separators[] = {"｜",   " | ", " - ", " – ", " — ", " · ", " • ",
                                         " :: ", " » ", " « ", " ⋆ ", " ~ ", " ― ", " │ ",
                                         " \\ ", " / ", " > ", " < ", " › ", " ‹ "};

static bool is_source(const wn_title *title, const char *source)
{
    return title->source && strcmp(title->source, source) == 0;
}

static void add(wn_titles *titles, wn_title title)
{
    if (titles->count < WN_MOST_TITLES && title.text.len > 0 && title.text.len <= LONGEST_TITLE)
        titles->items[titles->count++] = title;
}

/* "Contact |" and "| Contact": the part beside the separator is empty, as of a site without a name. */
static wn_str without_empty_part(wn_str text)
{
    for (size_t i = FULL_WIDTH + 1; i < sizeof separators / sizeof *separators; i++) {
        wn_str separator = wn_str_of(separators[i]);
        wn_str before = wn_str_from(separator.ptr, separator.len - 1);
        wn_str behind = wn_str_from_offset(separator, 1);
        if (wn_str_has_ending(text, before))
            return wn_str_trim(wn_str_from(text.ptr, text.len - before.len));
        if (wn_str_starts(text, behind))
            return wn_str_trim(wn_str_from_offset(text, behind.len));
    }
    return text;
}

void wn_meta_titles_add(wn_titles *titles, const char *source, wn_str text)
{
    add(titles, (wn_title){.source = source, .text = without_empty_part(text)});
}

void wn_meta_titles_add_heading(wn_titles *titles, wn_str text, uint32_t heading, uint8_t level)
{
    const char *source = level == 1 ? "h1" : "h2";
    add(titles, (wn_title){source, text, heading, level});
}

static const wn_title *find(const wn_titles *titles, const char *source)
{
    static const wn_title none = {.source = ""};
    for (uint32_t i = 0; i < titles->count; i++)
        if (is_source(&titles->items[i], source))
            return &titles->items[i];
    return &none;
}

/* ---- Comparing --------------------------------------------------------------------------- */

/* As much of a text as a title can have; of a longer one the beginning must do. */
static wn_str beginning_of(wn_str text)
{
    enum { LONGEST = 2000 };
    if (text.len == 0)
        return WN_STR("");
    return wn_str_from(text.ptr, text.len < LONGEST ? text.len : LONGEST);
}

/* Letters and digits in lower case: what two titles are compared by. */
static wn_str key_of(wn_facts *facts, wn_str text)
{
    text = beginning_of(text);
    size_t room = text.len * 2 + 1, len = 0;
    char *key = wn_arena_bytes(facts->arena, room);
    if (!key)
        return WN_STR("");
    for (const char *p = text.ptr, *end = text.ptr + text.len; p < end;) {
        if ((unsigned char)*p < 0x80) { /* most texts have nothing else */
            char c = wn_ascii_lower(*p++);
            if (wn_is_ascii_alnum(c) && len + 4 <= room)
                key[len++] = c;
            continue;
        }
        uint32_t c = wn_utf8_next(&p);
        wn_char_class class = wn_text_class_of(c);
        bool counts = class == WN_CLASS_LETTER || class == WN_CLASS_DIGIT ||
                      class == WN_CLASS_MARK || class >= WN_CLASS_THAI;
        if (counts && len + 4 <= room)
            len += (size_t)wn_utf8_encode(wn_text_lower(c), key + len);
    }
    return wn_str_from(key, len);
}

static bool contains(wn_str whole, wn_str part)
{
    for (size_t i = 0; part.len > 0 && i + part.len <= whole.len; i++)
        if (memcmp(whole.ptr + i, part.ptr, part.len) == 0)
            return true;
    return false;
}

/* Whether two keys are of the same title: one holds the other, and most of it is that. */
static bool are_alike(wn_str a, wn_str b)
{
    wn_str longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a;
    return shorter.len * 100 >= longer.len * CONFIRMED && contains(longer, shorter);
}

/* The same, and nearly all of it. */
static bool are_same(wn_str a, wn_str b)
{
    wn_str longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a;
    return shorter.len * 100 >= longer.len * NEARLY_ALL && contains(longer, shorter);
}

/* How many words of the shorter key list both have, in percent. */
static int shared_words(wn_str a, wn_str b)
{
    int common = 0, total = 0;
    a = beginning_of(a);
    b = beginning_of(b);
    wn_str shorter = a.len <= b.len ? a : b, longer = a.len <= b.len ? b : a;
    for (const char *p = shorter.ptr, *end = p + shorter.len; p < end;) {
        const char *start = p;
        while (p < end && !wn_is_space(*p))
            p++;
        if (p - start >= LONG_WORD) {
            total++;
            common += wn_str_contains_nocase(longer, wn_str_between(start, p));
        }
        p += p < end;
    }
    return total ? 100 * common / total : 0;
}

/* ---- The name of the site ---------------------------------------------------------------- */

/* What is between a title and a name; the bytes of it at p, 0 if none. */
static size_t separator_at(wn_str s, size_t at)
{
    wn_str rest = wn_str_from_offset(s, at);
    bool may_be_one = *rest.ptr == ' ' ? rest.len > 1 && !wn_is_ascii_alnum(rest.ptr[1])
                                       : *rest.ptr == separators[FULL_WIDTH][0];
    if (!may_be_one)
        return 0;
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++)
        if (wn_str_starts(rest, wn_str_of(separators[i])))
            return strlen(separators[i]);
    return 0;
}

static bool is_sites(wn_facts *facts, wn_str part, wn_str site)
{
    wn_str key = key_of(facts, part);
    return site.len > 0 && key.len > 0 && (wn_str_eq(key, site) || are_alike(key, site));
}

/* `title` without the site's name at either end, if one of its parts is it. */
static wn_str strip_site(wn_facts *facts, wn_str title, wn_str site)
{
    for (size_t i = title.len; i-- > 1;) {
        size_t len = separator_at(title, i);
        if (len && is_sites(facts, wn_str_from_offset(title, i + len), site))
            return wn_str_from(title.ptr, i);
        if (len)
            break;
    }
    for (size_t i = 1; i < title.len; i++) {
        size_t len = separator_at(title, i);
        if (len && is_sites(facts, wn_str_from(title.ptr, i), site))
            return wn_str_from_offset(title, i + len);
        if (len)
            break;
    }
    return title;
}

/* <title> without its last part, if that is short and the rest is longer: most likely a name. */
static wn_str strip_last_part(wn_str title, wn_str *name)
{
    *name = WN_STR("");
    for (size_t i = title.len; i-- > 1;) {
        size_t len = separator_at(title, i);
        wn_str last = wn_str_from_offset(title, i + len);
        if (!len)
            continue;
        if (last.len > SHORT_NAME || last.len >= i)
            return title;
        *name = last;
        return wn_str_from(title.ptr, i);
    }
    return title;
}

/* ---- The choice -------------------------------------------------------------------------- */

/* The first heading that is alike one of the declared titles. */
static const wn_title *confirmed_heading(const wn_titles *titles, wn_facts *facts, wn_str site,
                                         const wn_str *declared, int count)
{
    for (uint32_t i = 0; i < titles->count; i++) {
        const wn_title *title = &titles->items[i];
        if (title->level != 1)
            continue;
        wn_str key = key_of(facts, title->text);
        if (key.len == 0 || wn_str_eq(key, site))
            continue;
        for (int k = 0; k < count; k++)
            if (are_alike(key, declared[k]))
                return title;
    }
    return NULL;
}

/*
 * Whether <title> ends with that name, as "Which sieve? / Milling / Mill Forums" does with "Mill".
 */
static bool ends_with_name(wn_facts *facts, wn_str title, wn_str name)
{
    for (size_t i = title.len; i-- > 1;) {
        size_t len = separator_at(title, i);
        if (len && title.len - i - len < i)
            return are_alike(key_of(facts, name),
                             key_of(facts, wn_str_from_offset(title, i + len)));
        if (len)
            return false;
    }
    return false;
}

/* Whether a page has many <h1>, which are the titles of the posts of a list. */
static bool has_many_headings(const wn_titles *titles)
{
    enum { MANY = 4 };
    uint32_t count = 0;
    for (uint32_t i = 0; i < titles->count; i++)
        count += titles->items[i].level == 1;
    return count >= MANY;
}

/*
 * The first heading without confirmation that shares words with the declared title: pages often
 * tell search engines the same in other words. One that shares none is a slogan. Of many the title
 * must begin with it: on the front page of a blog words of some post are in the title by chance.
 */
static const wn_title *likely_heading(const wn_titles *titles, wn_facts *facts, wn_str site,
                                      wn_str declared)
{
    bool is_list = has_many_headings(titles);
    for (uint32_t i = 0; i < titles->count; i++) {
        const wn_title *title = &titles->items[i];
        if (title->level == 1 && !is_sites(facts, title->text, site) &&
            !ends_with_name(facts, declared, title->text) &&
            shared_words(title->text, declared) >= SHARED &&
            (!is_list || wn_str_starts(key_of(facts, declared), key_of(facts, title->text))))
            return title;
    }
    return NULL;
}

/*
 * The heading after `chosen` that is the first part of <title> where `chosen` is the rest of it:
 * "Ownership - The Rust Book" says that <h1>The Rust Book</h1> is the name of the site.
 */
static const wn_title *heading_after_name(const wn_titles *titles, wn_facts *facts, wn_str title,
                                          const wn_title *chosen)
{
    wn_str key = key_of(facts, chosen->text);
    for (size_t i = 1; i < title.len; i++) {
        size_t len = separator_at(title, i);
        if (!len)
            continue;
        wn_str first = key_of(facts, wn_str_from(title.ptr, i));
        wn_str rest = key_of(facts, wn_str_from_offset(title, i + len));
        if (are_alike(key, first) || !(contains(rest, key) || are_alike(key, rest)))
            continue;
        for (const wn_title *t = chosen + 1; t < titles->items + titles->count; t++)
            if (t->level && are_same(key_of(facts, t->text), first))
                return t;
    }
    return NULL;
}

/* The only text that the page's <h1> have; NULL if there are several, or the site's name is all. */
static const wn_title *lone_heading(const wn_titles *titles, wn_facts *facts, wn_str site)
{
    const wn_title *lone = NULL;
    for (uint32_t i = 0; i < titles->count; i++) {
        const wn_title *title = &titles->items[i];
        if (title->level != 1 || is_sites(facts, title->text, site))
            continue;
        if (lone && !wn_str_eq(key_of(facts, lone->text), key_of(facts, title->text)))
            return NULL;
        lone = lone ? lone : title;
    }
    return lone;
}

/*
 * Whether <title> has nothing but the name of the site and perhaps what it is: "Mill - All of it".
 */
static bool says_only_site(wn_facts *facts, wn_str bare, wn_str site)
{
    wn_str url = wn_meta_facts_value(facts, WN_FIELD_URL), host = wn_url_host(url);
    bool is_home = host.len > 0 && host.ptr + host.len + 1 >= url.ptr + url.len;
    wn_str key = key_of(facts, bare);
    size_t first = 1;
    while (first < bare.len && !separator_at(bare, first))
        first++;
    wn_str name = key_of(facts, first < bare.len ? wn_str_from(bare.ptr, first) : bare);
    bool is_name = wn_str_eq(key, site) ||
                   (name.len >= LONG_WORD && contains(key_of(facts, host), name));
    return key.len == 0 || (is_name && !is_home);
}

/* The heading that is the title; NULL if the head of the page has to tell. */
static const wn_title *choose_heading(const wn_titles *titles, wn_facts *facts, wn_str site,
                                      const wn_title *page, wn_str bare, wn_str og)
{
    const wn_title *headline = find(titles, "json-ld headline");
    wn_str declared[] = {key_of(facts, bare), key_of(facts, page->text), key_of(facts, og),
                         key_of(facts, headline->text)};
    const wn_title *h1 = confirmed_heading(titles, facts, site, declared, 4);
    if (!h1)
        h1 = likely_heading(titles, facts, site, og.len ? og : page->text);
    const wn_title *later = h1 ? heading_after_name(titles, facts, page->text, h1) : NULL;
    if (later)
        return later;
    bool is_untold = og.len == 0 && headline->text.len == 0 && says_only_site(facts, bare, site);
    return h1 || !is_untold ? h1 : lone_heading(titles, facts, site);
}

/* ---- The part that is shown -------------------------------------------------------------- */

/* Whether a block of the page has that text, or nearly: signs of punctuation may differ. */
static bool is_shown(wn_facts *facts, const wn_page *page, wn_str text)
{
    enum { SIGNS = 8, MOST_TRIES = 16 }; /* bytes that may differ; blocks that are compared */
    wn_str key = key_of(facts, text);
    int tries = 0;
    for (uint32_t i = 0; key.len > 0 && i < page->blocks.count && tries < MOST_TRIES; i++) {
        const wn_block *block = &page->blocks.items[i];
        bool is_long_enough = block->len + SIGNS >= text.len && block->len <= text.len + SIGNS;
        if (!is_long_enough || *wn_block_text(page, block).ptr != *text.ptr)
            continue;
        tries++;
        if (wn_str_eq(key_of(facts, wn_block_text(page, block)), key))
            return true;
    }
    return false;
}

wn_str wn_meta_titles_shown(wn_facts *facts, const wn_page *page, wn_str title)
{
    enum { MOST_PARTS = 4, SHORTEST = 12 }; /* bytes */
    int parts = 0;
    for (size_t i = 1; i < title.len && parts < MOST_PARTS; i++) {
        size_t len = separator_at(title, i);
        if (!len)
            continue;
        parts++;
        if (i >= SHORTEST && i * 2 >= title.len && is_shown(facts, page, wn_str_from(title.ptr, i)))
            return wn_str_from(title.ptr, i);
    }
    return title;
}

/*
 * Whether what was cut off the end of a title was after a bar, which titles have inside more seldom
 * than dashes.
 */
static bool was_after_bar(wn_str title, wn_str bare)
{
    wn_str rest = bare.ptr == title.ptr ? wn_str_from_offset(title, bare.len) : WN_STR("");
    return wn_str_starts(rest, WN_STR(" | ")) || wn_str_starts(rest, WN_STR("｜"));
}

wn_str wn_meta_titles_choose(const wn_titles *titles, wn_facts *facts, const char **source,
                             uint32_t *heading)
{
    wn_str site = key_of(facts, wn_meta_facts_value(facts, WN_FIELD_SITE));
    const wn_title *page = find(titles, "title"), *og = find(titles, "meta og:title");
    const wn_title *headline = find(titles, "json-ld headline");
    wn_str bare = strip_site(facts, page->text, site), name = WN_STR("");
    if (bare.len == page->text.len)
        bare = strip_last_part(page->text, &name);
    wn_str og_bare = strip_site(facts, og->text, site);
    if (wn_str_eq(og->text, page->text) && was_after_bar(page->text, bare))
        og_bare = bare;
    if (wn_str_eq(key_of(facts, og_bare), site))
        og_bare = WN_STR("");

    const wn_title *chosen = choose_heading(titles, facts, site, page, bare, og_bare);
    wn_title declared = {.source = "title", .text = bare};
    if (og_bare.len)
        declared = (wn_title){.source = "meta og:title", .text = og_bare};
    else if (headline->text.len)
        declared = *headline;
    if (!chosen)
        chosen = declared.text.len > 0 ? &declared : find(titles, "h1");
    *source = chosen->source;
    *heading = chosen->heading;
    if (name.len > 0 && are_alike(key_of(facts, chosen->text), key_of(facts, bare)))
        wn_meta_facts_offer(facts, WN_FIELD_SITE, WN_RANK_LATE - 1, "title", name);
    return chosen->text;
}
