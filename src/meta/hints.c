#include "meta/hints.h"

#define NAME(name, field, rank)                                                                    \
    {                                                                                              \
        name, "meta " name, WN_FIELD_##field, rank                                                 \
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
    NAME("twitter:data1", AUTHOR, 20),

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

/* "DC:title", "dc.title" and "dcterms:title" are written with a full stop here. */
static bool is_name(wn_str given, const char *known)
{
    for (size_t i = 0; i < given.len; i++) {
        char c = wn_ascii_lower(given.ptr[i]);
        bool same = c == known[i] || (known[i] == '.' && c == ':');
        if (!same || known[i] == '\0')
            return false;
    }
    return known[given.len] == '\0';
}

const wn_meta_name *wn_meta_name_find(wn_str name)
{
    name = wn_str_trim(name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_name(name, names[i].name))
            return &names[i];
    static const wn_meta_name home_made = {"", "meta …publish…date…", WN_FIELD_PUBLISHED, 60};
    bool is_date = wn_str_contains_nocase(name, WN_STR("publish")) &&
                   (wn_str_contains_nocase(name, WN_STR("date")) ||
                    wn_str_contains_nocase(name, WN_STR("time")));
    return is_date ? &home_made : NULL;
}

/* ---- Classes ----------------------------------------------------------------------------- */

/* Words that class names and ids are made of, and what they hint at. */
typedef struct class_word {
    const char *word;
    unsigned hints; /* WN_HINT_* */
} class_word;

static const class_word class_words[] = {
    {"author", WN_HINT_AUTHOR},
    {"authors", WN_HINT_AUTHOR},
    {"authorname", WN_HINT_AUTHOR},
    {"byline", WN_HINT_AUTHOR},
    {"bylines", WN_HINT_AUTHOR},
    {"writer", WN_HINT_AUTHOR},
    {"contributor", WN_HINT_AUTHOR},
    {"username", WN_HINT_AUTHOR},
    {"poster", WN_HINT_AUTHOR},
    {"autor", WN_HINT_AUTHOR},
    {"auteur", WN_HINT_AUTHOR},
    {"vcard", WN_HINT_AUTHOR},
    {"date", WN_HINT_DATE},
    {"datetime", WN_HINT_DATE},
    {"dateline", WN_HINT_DATE},
    {"timestamp", WN_HINT_DATE},
    {"time", WN_HINT_DATE},
    {"published", WN_HINT_DATE | WN_HINT_PUBLISHED},
    {"pubdate", WN_HINT_DATE | WN_HINT_PUBLISHED},
    {"publishdate", WN_HINT_DATE | WN_HINT_PUBLISHED},
    {"posted", WN_HINT_DATE | WN_HINT_PUBLISHED},
    {"postdate", WN_HINT_DATE | WN_HINT_PUBLISHED},
    {"updated", WN_HINT_DATE | WN_HINT_MODIFIED},
    {"modified", WN_HINT_DATE | WN_HINT_MODIFIED},
    {"fecha", WN_HINT_DATE},
    {"datum", WN_HINT_DATE},
};

/* The first letters of the words, as bits from 'a' on. */
enum {
#define LETTER(c) 1 << ((c) - 'a')
    FIRST_LETTERS = LETTER('a') | LETTER('b') | LETTER('w') | LETTER('c') | LETTER('u') |
                    LETTER('p') | LETTER('v') | LETTER('d') | LETTER('t') | LETTER('m') |
                    LETTER('f'),
#undef LETTER
};

static unsigned hints_of_word(wn_str word)
{
    if (word.len < 4 || !(FIRST_LETTERS >> (wn_ascii_lower(*word.ptr) - 'a') & 1))
        return 0;
    for (size_t i = 0; i < sizeof class_words / sizeof *class_words; i++)
        if (wn_str_eq_nocase(word, wn_str_of(class_words[i].word)))
            return class_words[i].hints;
    return 0;
}

static bool is_capital(char c)
{
    return (unsigned char)(c - 'A') < 26;
}

/* A word ends at what is no letter, and before a capital behind a small letter: postDate. */
static size_t word_length(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && wn_is_ascii_alpha(*p) && !(p > start && is_capital(*p) && !is_capital(p[-1])))
        p++;
    return (size_t)(p - start);
}

unsigned wn_hints_of_class(wn_str value)
{
    unsigned hints = 0;
    for (const char *p = value.ptr, *end = value.ptr + value.len; p < end;) {
        size_t len = word_length(p, end);
        if (len > 0)
            hints |= hints_of_word(wn_str_from(p, len));
        p += len > 0 ? len : 1;
    }
    return hints;
}

/* ---- Properties and relations ------------------------------------------------------------ */

unsigned wn_hints_of_property(wn_str value)
{
    static const class_word properties[] = {
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

unsigned wn_hints_of_rel(wn_str value)
{
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

/* "/authors/jane-miller": where sites present those who write. */
unsigned wn_hints_of_href(wn_str value)
{
    static const char *const folders[] = {"author/", "authors/", "contributor/", "contributors/",
                                          "autor/",  "auteur/",  "profile/",     "writer/"};
    for (size_t i = 0; i + 8 < value.len; i++) {
        if (value.ptr[i] != '/' || !strchr("acpw", value.ptr[i + 1]))
            continue;
        wn_str rest = wn_str_from_offset(value, i + 1);
        for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
            if (wn_str_starts(rest, wn_str_of(folders[k])))
                return WN_HINT_AUTHOR | WN_HINT_LINK;
    }
    return 0;
}

/* ---- Surroundings ------------------------------------------------------------------------ */

static unsigned around_of_class(wn_str value)
{
    static const char *const people[] = {"comment", "answer", "reply", "replies"};
    static const char *const pages[] = {"related",  "recommend", "popular", "recent",   "sidebar",
                                        "carousel", "teaser",    "similar", "trending", "more-"};
    if (value.len == 0)
        return 0;
    for (size_t i = 0; i < sizeof people / sizeof *people; i++)
        if (wn_str_contains_nocase(value, wn_str_of(people[i])))
            return WN_AROUND_ANSWERS;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (wn_str_contains_nocase(value, wn_str_of(pages[i])))
            return WN_AROUND_OTHERS;
    return 0;
}

unsigned wn_around_of(const wn_node *element)
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
        return around_of_class(wn_node_attr_value(element, WN_ATTR_CLASS)) |
               around_of_class(wn_node_attr_value(element, WN_ATTR_ID));
    }
}
