#include "meta/title.h"

#include "base/utf8.h"
#include "meta/ranks.h"
#include "text/unicode.h"

enum {
    LONGEST_TITLE = 1000, /* bytes */
    CONFIRMED = 50,       /* percent of the longer of two titles that the other must have */
    SHARED = 60,          /* percent of the long words that a heading has in common with <title> */
    LONG_WORD = 4,        /* bytes */
    SHORT_NAME = 40,      /* bytes of a part of <title> that may be the site's name */
};

static bool is_source(const wn_title *title, const char *source)
{
    return title->source && strcmp(title->source, source) == 0;
}

static void add(wn_titles *titles, const char *source, wn_str text, uint32_t heading)
{
    if (titles->count < WN_MOST_TITLES && text.len > 0 && text.len <= LONGEST_TITLE)
        titles->items[titles->count++] = (wn_title){source, text, heading};
}

void wn_meta_titles_add(wn_titles *titles, const char *source, wn_str text)
{
    add(titles, source, text, 0);
}

void wn_meta_titles_add_heading(wn_titles *titles, wn_str text, uint32_t heading)
{
    add(titles, "h1", text, heading);
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
    char *key = wn_arena_bytes(facts->arena, text.len * 2 + 1);
    size_t len = 0;
    if (!key)
        return WN_STR("");
    for (const char *p = text.ptr, *end = text.ptr + text.len; p < end;) {
        uint32_t c = wn_utf8_next(&p);
        wn_char_class class = wn_text_class_of(c);
        bool counts = class == WN_CLASS_LETTER || class == WN_CLASS_DIGIT ||
                      class == WN_CLASS_MARK || class >= WN_CLASS_THAI;
        if (counts && len + 4 <= text.len * 2 + 1)
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

/* What stands between a title and a name; the bytes of it at p, 0 if none. */
static size_t separator_at(wn_str s, size_t at)
{
    enum { FULL_WIDTH };
    static const char *const separators[] = {"｜",   " | ", " - ", " – ", " — ", " · ", " • ",
                                             " :: ", " » ", " « ", " ⋆ ", " ~ ", " ― ", " │ ",
                                             " \\ ", " / ", " > ", " < ", " › ", " ‹ "};
    wn_str rest = wn_str_from_offset(s, at);
    if (*rest.ptr != ' ' && *rest.ptr != separators[FULL_WIDTH][0])
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
        if (!title->heading)
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
 * The first heading without confirmation that shares words with the declared title: pages often
 * tell search engines the same in other words. One that shares none is a slogan.
 */
static const wn_title *likely_heading(const wn_titles *titles, wn_facts *facts, wn_str site,
                                      wn_str declared)
{
    for (uint32_t i = 0; i < titles->count; i++) {
        const wn_title *title = &titles->items[i];
        if (title->heading && !is_sites(facts, title->text, site) &&
            shared_words(title->text, declared) >= SHARED)
            return title;
    }
    return NULL;
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

    wn_str declared[] = {key_of(facts, bare), key_of(facts, page->text), key_of(facts, og_bare),
                         key_of(facts, headline->text)};
    const wn_title *h1 = confirmed_heading(titles, facts, site, declared, 4);
    if (!h1)
        h1 = likely_heading(titles, facts, site, og_bare.len ? og_bare : page->text);
    *heading = h1 ? h1->heading : 0;
    *source = h1                   ? "h1"
              : og_bare.len        ? "meta og:title"
              : headline->text.len ? "json-ld headline"
                                   : "title";
    wn_str title = h1                   ? h1->text
                   : og_bare.len        ? og_bare
                   : headline->text.len ? headline->text
                                        : bare;
    if (title.len == 0) {
        const wn_title *first = find(titles, "h1");
        *source = "h1";
        *heading = first->heading;
        title = first->text;
    }
    bool is_name = name.len > 0 && are_alike(key_of(facts, title), declared[0]);
    if (is_name)
        wn_meta_facts_offer(facts, WN_FIELD_SITE, WN_RANK_LATE - 1, "title", name);
    return title;
}
