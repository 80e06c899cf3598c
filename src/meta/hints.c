#include "meta/hints.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "text/class_words.h"

#define NAME(name, field, rank)                                                                    \
    {                                                                                              \
        name, "meta " name, sizeof(name) - 1, WN_FIELD_##field, rank                               \
    }

/* Sorted by field, the most believable first: readers come to look one up, the program does not. */
static const wn_meta_name names[] = {
    NAME("og:title", TITLE, 90),
    NAME("twitter:title", TITLE, 80),
    NAME("dc.title", TITLE, 70),
    NAME("dcterms.title", TITLE, 70),
    NAME("citation_title", TITLE, 85),
    NAME("parsely-title", TITLE, 85),

    NAME("author", AUTHOR, 72),
    NAME("article:author", AUTHOR, 60),
    NAME("article:author_name", AUTHOR, 75),
    NAME("parsely-author", AUTHOR, 76),
    NAME("sailthru.author", AUTHOR, 76),
    NAME("dc.creator", AUTHOR, 66),
    NAME("dcterms.creator", AUTHOR, 66),
    NAME("dc.creator.personalname", AUTHOR, 66),
    NAME("citation_author", AUTHOR, 92),
    NAME("byl", AUTHOR, 74),
    NAME("byline", AUTHOR, 74),

    NAME("article:published_time", PUBLISHED, 88),
    NAME("article:published", PUBLISHED, 87),
    NAME("og:published_time", PUBLISHED, 86),
    NAME("og:article:published_time", PUBLISHED, 86),
    NAME("datepublished", PUBLISHED, 82),
    NAME("parsely-pub-date", PUBLISHED, 84),
    NAME("sailthru.date", PUBLISHED, 80),
    NAME("cxenseparse:recs:publishtime", PUBLISHED, 80),
    NAME("publish-date", PUBLISHED, 78),
    NAME("publish_date", PUBLISHED, 78),
    NAME("publishdate", PUBLISHED, 78),
    NAME("published_time", PUBLISHED, 78),
    NAME("published-date", PUBLISHED, 78),
    NAME("publication_date", PUBLISHED, 78),
    NAME("publicationdate", PUBLISHED, 78),
    NAME("pubdate", PUBLISHED, 78),
    NAME("release_date", PUBLISHED, 70),
    NAME("article.published", PUBLISHED, 78),
    NAME("published", PUBLISHED, 76),
    NAME("citation_publication_date", PUBLISHED, 74),
    NAME("citation_online_date", PUBLISHED, 75),
    NAME("citation_date", PUBLISHED, 73),
    NAME("dc.date.issued", PUBLISHED, 76),
    NAME("dcterms.issued", PUBLISHED, 76),
    NAME("dcterms.created", PUBLISHED, 72),
    NAME("dc.date.created", PUBLISHED, 72),
    NAME("dcterms.date", PUBLISHED, 70),
    NAME("dc.date", PUBLISHED, 70),
    NAME("date", PUBLISHED, 66),

    NAME("article:modified_time", MODIFIED, 88),
    NAME("og:updated_time", MODIFIED, 80),
    NAME("datemodified", MODIFIED, 82),
    NAME("dcterms.modified", MODIFIED, 76),
    NAME("dc.date.modified", MODIFIED, 76),
    NAME("last-modified", MODIFIED, 70),
    NAME("lastmod", MODIFIED, 70),
    NAME("revised", MODIFIED, 60),
    NAME("updated", MODIFIED, 60),

    NAME("og:site_name", SITE, 90),
    NAME("al:ios:app_name", SITE, 20),
    NAME("application-name", SITE, 50),
    NAME("apple-mobile-web-app-title", SITE, 40),
    NAME("dc.publisher", SITE, 35),
    NAME("citation_journal_title", SITE, 45),

    NAME("og:description", DESCRIPTION, 80),
    NAME("description", DESCRIPTION, 85),
    NAME("twitter:description", DESCRIPTION, 60),
    NAME("dc.description", DESCRIPTION, 55),
    NAME("dcterms.abstract", DESCRIPTION, 55),

    NAME("content-language", LANGUAGE, 60),
    NAME("language", LANGUAGE, 55),
    NAME("dc.language", LANGUAGE, 50),
    NAME("og:locale", LANGUAGE, 40),

    NAME("og:url", URL, 70),

    NAME("og:image", IMAGE, 95),
    NAME("og:image:url", IMAGE, 94),
    NAME("twitter:image", IMAGE, 60),
    NAME("twitter:image:src", IMAGE, 60),

    NAME("article:tag", TAG, 80),
    NAME("news_keywords", TAG, 70),
    NAME("parsely-tags", TAG, 75),
    NAME("keywords", TAG, 50),
    NAME("dc.subject", TAG, 40),
    NAME("citation_keywords", TAG, 72),

    NAME("article:section", CATEGORY, 92),
    NAME("parsely-section", CATEGORY, 70),
    NAME("category", CATEGORY, 60),

    NAME("dc.rights", LICENCE, 50),
    NAME("dcterms.license", LICENCE, 70),
    NAME("dcterms.rights", LICENCE, 50),
};

/*
 * "DC:title", "dc.title" and "dcterms:title" are written with a full stop here; both have the same
 * length.
 */
static bool is_name(wn_str given, const char *known)
{
    for (size_t i = 0; i < given.len; i++) {
        char c = wn_ascii_lower(given.ptr[i]);
        if (c != known[i] && !(known[i] == '.' && c == ':'))
            return false;
    }
    return true;
}

const wn_meta_name *wn_meta_name_find(wn_str name)
{
    name = wn_str_trim(name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.len == names[i].len && is_name(name, names[i].name))
            return &names[i];
    static const wn_meta_name home_made = {"", "meta …publish…date…", 0, WN_FIELD_PUBLISHED, 60};
    static const wn_meta_name of_a_program = {"", "meta ….date", 0, WN_FIELD_PUBLISHED, 58};
    if (wn_str_has_ending(name, WN_STR(".date")))
        return &of_a_program;
    bool is_date = wn_str_contains_nocase(name, WN_STR("publish")) &&
                   (wn_str_contains_nocase(name, WN_STR("date")) ||
                    wn_str_contains_nocase(name, WN_STR("time")));
    return is_date ? &home_made : NULL;
}

/* ---- Classes ----------------------------------------------------------------------------- */

typedef struct class_word {
    wn_str word;
    unsigned hints; /* WN_HINT_*, or WN_AROUND_* */
    bool is_prefix; /* more letters may follow */
} class_word;

#define WORD(word, hints)                                                                          \
    {                                                                                              \
        {word, sizeof(word) - 1}, hints, false                                                     \
    }
#define PREFIX(word, hints)                                                                        \
    {                                                                                              \
        {word, sizeof(word) - 1}, hints, true                                                      \
    }

/* What words of a class name hint at. */
static const class_word hint_words[] = {
    WORD("author", WN_HINT_AUTHOR),
    WORD("authors", WN_HINT_AUTHOR),
    WORD("authorname", WN_HINT_AUTHOR),
    PREFIX("byline", WN_HINT_AUTHOR),
    WORD("writer", WN_HINT_AUTHOR),
    WORD("contributor", WN_HINT_AUTHOR),
    WORD("username", WN_HINT_AUTHOR),
    WORD("bigusername", WN_HINT_AUTHOR),
    WORD("poster", WN_HINT_AUTHOR),
    WORD("autor", WN_HINT_AUTHOR),
    WORD("auteur", WN_HINT_AUTHOR),
    WORD("vcard", WN_HINT_AUTHOR),
    WORD("date", WN_HINT_DATE),
    WORD("dates", WN_HINT_DATE),
    WORD("datetime", WN_HINT_DATE),
    WORD("dateline", WN_HINT_DATE),
    WORD("timestamp", WN_HINT_DATE),
    WORD("time", WN_HINT_DATE),
    WORD("published", WN_HINT_DATE | WN_HINT_PUBLISHED),
    WORD("publishdate", WN_HINT_DATE | WN_HINT_PUBLISHED),
    WORD("pubdate", WN_HINT_DATE | WN_HINT_PUBLISHED),
    WORD("posted", WN_HINT_DATE | WN_HINT_PUBLISHED),
    WORD("postdate", WN_HINT_DATE | WN_HINT_PUBLISHED),
    WORD("updated", WN_HINT_DATE | WN_HINT_MODIFIED),
    WORD("modified", WN_HINT_DATE | WN_HINT_MODIFIED),
    WORD("fecha", WN_HINT_DATE),
    WORD("datum", WN_HINT_DATE),
};

/* What they say of the elements inside. */
static const class_word around_words[] = {
    PREFIX("comment", WN_AROUND_ANSWERS), PREFIX("answer", WN_AROUND_ANSWERS),
    WORD("reply", WN_AROUND_ANSWERS),     WORD("replies", WN_AROUND_ANSWERS),
    PREFIX("related", WN_AROUND_OTHERS),  PREFIX("recommend", WN_AROUND_OTHERS),
    PREFIX("popular", WN_AROUND_OTHERS),  PREFIX("recent", WN_AROUND_OTHERS),
    PREFIX("sidebar", WN_AROUND_OTHERS),  PREFIX("carousel", WN_AROUND_OTHERS),
    PREFIX("teaser", WN_AROUND_OTHERS),   PREFIX("similar", WN_AROUND_OTHERS),
    WORD("trending", WN_AROUND_OTHERS),   WORD("more", WN_AROUND_OTHERS),
};

static const struct {
    const class_word *words;
    size_t count;
} lists[WN_HINT_LISTS] = {
    [WN_HINT_LIST_OWN] = {hint_words, sizeof hint_words / sizeof *hint_words},
    [WN_HINT_LIST_AROUND] = {around_words, sizeof around_words / sizeof *around_words},
};

enum { SHORTEST = 4 }; /* of the words in both lists */

/* A number from 0 for a letter, whether it is small or a capital. */
static unsigned letter(char c)
{
    unsigned number = (unsigned)((unsigned char)c | 0x20) - 'a';
    assert(number < WN_HINT_LETTERS);
    return number;
}

/*
 * Notes which letters the words begin with. Class names and ids are most of what this file reads,
 * and few words in them go further than this.
 */
static void read_starts(wn_hint_memo *memo)
{
    for (int list = 0; list < WN_HINT_LISTS; list++)
        for (size_t i = 0; i < lists[list].count; i++) {
            const char *word = lists[list].words[i].word.ptr;
            assert(lists[list].words[i].word.len >= SHORTEST);
            uint32_t *following = &memo->starts[list][letter(word[0])][0];
            following[0] |= 1u << letter(word[1]);
            following[1] |= 1u << letter(word[2]);
            following[2] |= 1u << letter(word[3]);
        }
    memo->has_starts = true;
}

/* Whether a word may be in a list: each of its first letters is one that some word there has. */
static bool may_be_in(const uint32_t starts[WN_HINT_LETTERS][3], wn_str word)
{
    const uint32_t *following = starts[letter(word.ptr[0])];
    return following[0] >> letter(word.ptr[1]) & following[1] >> letter(word.ptr[2]) &
           following[2] >> letter(word.ptr[3]) & 1;
}

static unsigned look_up(wn_str word, int list)
{
    for (size_t i = 0; i < lists[list].count; i++) {
        const class_word *known = &lists[list].words[i];
        bool fits = known->is_prefix ? word.len >= known->word.len : word.len == known->word.len;
        if (fits && wn_str_starts_nocase(word, known->word))
            return known->hints;
    }
    return 0;
}

/* The bits of all words of a class name; apart from the memo, which has most of them. */
__attribute__((noinline)) static unsigned bits_of_words(wn_hint_memo *memo, wn_str value, int list)
{
    unsigned bits = 0;
    if (!memo->has_starts)
        read_starts(memo);
    wn_text_class_words words = wn_text_class_words_of(value);
    for (wn_str word; wn_text_class_words_next(&words, &word);)
        if (word.len >= SHORTEST && may_be_in(memo->starts[list], word))
            bits |= look_up(word, list);
    return bits;
}

/* ---- Values that come again -------------------------------------------------------------- */

/* The hints of a value, from the memo if they are there; `seed` tells kinds of values apart. */
static inline unsigned remember(wn_hint_memo *memo, uint64_t seed, wn_str value,
                                unsigned (*hints_of)(wn_hint_memo *memo, wn_str value))
{
    enum { SLOTS = sizeof memo->slots / sizeof *memo->slots };
    uint32_t hash = wn_hash_quick(seed, value);
    hash += hash == 0;
    if (memo->slots[hash % SLOTS].hash != hash) {
        memo->slots[hash % SLOTS].hash = hash;
        memo->slots[hash % SLOTS].hints = hints_of(memo, value);
    }
    return memo->slots[hash % SLOTS].hints;
}

enum { CLASS_VALUE = 1, PROPERTY_VALUE, REL_VALUE, AROUND_VALUE };

static unsigned class_hints(wn_hint_memo *memo, wn_str value)
{
    return bits_of_words(memo, value, WN_HINT_LIST_OWN);
}

unsigned wn_meta_hints_of_class(wn_hint_memo *memo, wn_str value)
{
    return value.len < SHORTEST ? 0 : remember(memo, CLASS_VALUE, value, class_hints);
}

static unsigned property_hints(wn_hint_memo *memo, wn_str value)
{
    (void)memo;
    static const struct {
        const char *word;
        unsigned hints;
    } properties[] = {
        {"author", WN_HINT_AUTHOR},
        {"schema:author", WN_HINT_AUTHOR},
        {"dc:creator", WN_HINT_AUTHOR},
        {"creator", WN_HINT_AUTHOR},
        {"datepublished", WN_HINT_DATE | WN_HINT_PUBLISHED},
        {"schema:datepublished", WN_HINT_DATE | WN_HINT_PUBLISHED},
        {"datecreated", WN_HINT_DATE | WN_HINT_PUBLISHED},
        {"dc:date", WN_HINT_DATE | WN_HINT_PUBLISHED},
        {"dc:created", WN_HINT_DATE | WN_HINT_PUBLISHED},
        {"datemodified", WN_HINT_DATE | WN_HINT_MODIFIED},
        {"keywords", WN_HINT_TAG},
        {"articlesection", WN_HINT_CATEGORY},
    };
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        wn_str name = wn_str_of(properties[i].word);
        if (wn_str_starts_nocase(value, name) &&
            (value.len == name.len || wn_is_space(value.ptr[name.len])))
            return properties[i].hints | WN_HINT_PROPERTY;
    }
    return 0;
}

unsigned wn_meta_hints_of_property(wn_hint_memo *memo, wn_str value)
{
    return remember(memo, PROPERTY_VALUE, value, property_hints);
}

static unsigned rel_hints(wn_hint_memo *memo, wn_str value)
{
    (void)memo;
    unsigned hints = 0;
    if (wn_str_contains_nocase(value, WN_STR("author")))
        hints |= WN_HINT_AUTHOR | WN_HINT_REL;
    if (wn_str_contains_nocase(value, WN_STR("category")))
        hints |= WN_HINT_CATEGORY;
    else if (wn_str_eq_nocase(value, WN_STR("tag")))
        hints |= WN_HINT_TAG;
    if (wn_str_contains_nocase(value, WN_STR("license")))
        hints |= WN_HINT_LICENCE;
    return hints;
}

unsigned wn_meta_hints_of_rel(wn_hint_memo *memo, wn_str value)
{
    return remember(memo, REL_VALUE, value, rel_hints);
}

/* ---- Addresses --------------------------------------------------------------------------- */

/* Whether an address names somebody after the folder, and is not that of the folder itself. */
static bool names_one(wn_str rest)
{
    return rest.len > 0 && *rest.ptr != '?' && *rest.ptr != '#' &&
           !wn_str_starts_nocase(rest, WN_STR("index."));
}

/* "/authors/jane-miller": where sites present those who write. */
unsigned wn_meta_hints_of_href(wn_str value)
{
    static const char *const folders[] = {"author/", "authors/", "contributor/", "contributors/",
                                          "autor/",  "auteur/",  "profile/",     "writer/"};
    enum { SHORTEST_REST = 8 }; /* with the slash before it */
    if (value.len <= SHORTEST_REST)
        return 0;
    const char *at = value.ptr, *end = at + value.len, *last = end - SHORTEST_REST;
    while ((at = memchr(at, '/', (size_t)(last - at))) != NULL) {
        at++;
        if (*at != 'a' && *at != 'c' && *at != 'p' && *at != 'w')
            continue;
        wn_str rest = wn_str_between(at, end);
        for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
            if (wn_str_starts(rest, wn_str_of(folders[k])) &&
                names_one(wn_str_from_offset(rest, strlen(folders[k]))))
                return WN_HINT_AUTHOR | WN_HINT_LINK;
    }
    return 0;
}

/* Whether an address begins so; the first letter decides for most. */
static inline bool starts_so(wn_str address, wn_str start)
{
    return address.len > 0 && (*address.ptr | 0x20) == *start.ptr &&
           wn_str_starts_nocase(address, start);
}

bool wn_meta_is_public_licence(wn_str address)
{
    static const wn_str starts[] = {WN_STR("https:"), WN_STR("http:"), WN_STR("//"), WN_STR("www."),
                                    WN_STR("creativecommons.org/")};
    enum { HOST = sizeof starts / sizeof *starts - 1 };
    address = wn_str_trim(address);
    for (int i = 0; i < HOST; i++)
        if (starts_so(address, starts[i]))
            address = wn_str_from_offset(address, starts[i].len);
    if (!starts_so(address, starts[HOST]))
        return false;
    address = wn_str_from_offset(address, starts[HOST].len);
    return wn_str_starts_nocase(address, WN_STR("licenses/")) ||
           wn_str_starts_nocase(address, WN_STR("publicdomain/"));
}

/* ---- Surroundings ------------------------------------------------------------------------ */

static unsigned around_hints(wn_hint_memo *memo, wn_str value)
{
    return bits_of_words(memo, value, WN_HINT_LIST_AROUND);
}

unsigned wn_meta_around_of(wn_hint_memo *memo, const wn_node *element)
{
    if (element->kind != WN_KIND_ELEMENT || element->ns != WN_NS_HTML)
        return 0;
    switch (element->tag) {
    case WN_TAG_BODY:
    case WN_TAG_HTML:
        return 0;
    case WN_TAG_ARTICLE:
    case WN_TAG_MAIN:
        return WN_AROUND_ARTICLE;
    case WN_TAG_FOOTER:
    case WN_TAG_NAV:
        return WN_AROUND_EDGE;
    case WN_TAG_ASIDE:
        return WN_AROUND_EDGE;
    default:
        break;
    }
    unsigned around = 0;
    for (uint32_t i = 0; i < element->len; i++)
        if (element->attrs[i].id == WN_ATTR_CLASS || element->attrs[i].id == WN_ATTR_ID)
            around |= remember(memo, AROUND_VALUE, wn_attr_value(&element->attrs[i]), around_hints);
    return around;
}
