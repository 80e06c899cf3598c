#include "meta/jsonld.h"

#include "meta/date.h"
#include "meta/names.h"
#include "meta/ranks.h"

enum {
    MOST_THINGS = 256,   /* of a script */
    MOST_REFERENCES = 8, /* of a script that are followed: each is a walk through it */
    MOST_DEPTH = 64,
};

/* How a thing relates to the page. */
typedef enum role {
    OTHER,
    WORK, /* an article, a product, a question: what the page is about */
    PAGE, /* the page itself */
    SITE,
} role;

/* ---- Types ------------------------------------------------------------------------------- */

static bool ends_with(wn_str s, const char *ending)
{
    wn_str e = wn_str_of(ending);
    return s.len >= e.len && wn_str_eq(wn_str_from_offset(s, s.len - e.len), e);
}

static role role_of_type(wn_str type)
{
    static const char *const works[] = {
        "Article", "Posting", "Report",  "Recipe",  "Question", "HowTo",    "Product",     "Book",
        "Course",  "Event",   "Episode", "Work",    "Dataset",  "Object",   "Application", "Movie",
        "Review",  "Thesis",  "Guide",   "Chapter", "Blog",     "NewsItem", "Story"};
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (ends_with(type, works[i]))
            return ends_with(type, "ImageObject") ? OTHER : WORK;
    return ends_with(type, "WebSite") ? SITE : ends_with(type, "Page") ? PAGE : OTHER;
}

static role role_of(const wn_json *json, wn_json_id thing)
{
    wn_json_id type = wn_json_get(json, thing, "@type");
    if (wn_json_node_at(json, type)->kind != WN_JSON_ARRAY)
        return role_of_type(wn_json_text(json, type));
    role best = OTHER;
    wn_json_each (json, item, type) {
        role r = role_of_type(wn_json_text(json, item));
        if (best == OTHER || r == WORK)
            best = r;
    }
    return best;
}

/* Whether a thing is a page of questions, none of which is what the page as a whole is about. */
static bool is_list_of_questions(const wn_json *json, wn_json_id thing)
{
    wn_json_id type = wn_json_get(json, thing, "@type");
    if (wn_json_node_at(json, type)->kind != WN_JSON_ARRAY)
        return ends_with(wn_json_text(json, type), "FAQPage");
    wn_json_each (json, item, type) {
        if (ends_with(wn_json_text(json, item), "FAQPage"))
            return true;
    }
    return false;
}

/* ---- Values ------------------------------------------------------------------------------ */

static wn_json_kind kind_of(const wn_json *json, wn_json_id id)
{
    return (wn_json_kind)wn_json_node_at(json, id)->kind;
}

/* The first item of an array, anything else as it is. */
static wn_json_id first_of(const wn_json *json, wn_json_id id)
{
    if (kind_of(json, id) != WN_JSON_ARRAY)
        return id;
    return wn_json_node_at(json, id)->len > 0 ? id + 1 : WN_JSON_NONE;
}

/* A string, or that member of an object: {"@type": "ImageObject", "url": "…"}. */
static wn_str text_or_member(const wn_json *json, wn_json_id id, const char *member)
{
    id = first_of(json, id);
    if (kind_of(json, id) == WN_JSON_OBJECT)
        id = first_of(json, wn_json_get(json, id, member));
    return wn_json_text(json, id);
}

static wn_str text_of(const wn_json *json, wn_json_id thing, const char *key)
{
    return wn_json_text(json, first_of(json, wn_json_get(json, thing, key)));
}

/* The thing that {"@id": "…"} refers to, if this script has it. */
static wn_json_id follow(const wn_json *json, wn_json_id reference, int *left)
{
    wn_str wanted = text_of(json, reference, "@id");
    if (wanted.len == 0 || (*left)-- <= 0)
        return reference;
    for (wn_json_id id = WN_JSON_ROOT; id < json->nodes.count; id++) {
        if (id == reference || kind_of(json, id) != WN_JSON_OBJECT ||
            !wn_json_get(json, id, "name"))
            continue;
        if (wn_str_eq(text_of(json, id, "@id"), wanted))
            return id;
    }
    return reference;
}

/* ---- Offers ------------------------------------------------------------------------------ */

static void offer_date(wn_jsonld *ld, wn_facts *facts, wn_json_id thing, const char *key,
                       wn_field field, int rank, const char *source)
{
    wn_date date;
    char written[WN_DATE_SIZE];
    wn_str text = text_of(&ld->json, thing, key);
    if (text.len == 0 || !wn_meta_facts_wants(facts, field, rank) ||
        !wn_meta_date_find(text, ld->language, &date))
        return;
    wn_meta_date_write(&date, written);
    wn_meta_facts_offer(facts, field, rank, source, wn_str_of(written));
}

static void offer_author(wn_jsonld *ld, wn_facts *facts, wn_json_id author, wn_str publisher,
                         int rank, int *left)
{
    const wn_json *json = &ld->json;
    if (kind_of(json, author) == WN_JSON_OBJECT && !wn_json_get(json, author, "name"))
        author = follow(json, author, left);
    wn_str name = text_or_member(json, author, "name");
    bool is_person = !ends_with(text_of(json, author, "@type"), "Organization") &&
                     !wn_str_eq_nocase(name, publisher);
    wn_meta_names_offer(facts, is_person ? rank : WN_RANK_ORGANISATION, "json-ld author", name);
}

static void offer_authors(wn_jsonld *ld, wn_facts *facts, wn_json_id thing, int rank, int *left)
{
    const wn_json *json = &ld->json;
    wn_json_id author = wn_json_get(json, thing, "author");
    if (!wn_meta_facts_wants(facts, WN_FIELD_AUTHOR, rank))
        return;
    if (!author)
        author = wn_json_get(json, thing, "creator");
    wn_str publisher = text_or_member(json, wn_json_get(json, thing, "publisher"), "name");
    if (kind_of(json, author) != WN_JSON_ARRAY) {
        offer_author(ld, facts, author, publisher, rank, left);
        return;
    }
    int count = 0;
    wn_json_each (json, item, author) {
        if (count++ < WN_MOST_VALUES)
            offer_author(ld, facts, item, publisher, rank, left);
    }
}

/* Keywords and sections: a list with commas, or an array. */
static void offer_words(wn_jsonld *ld, wn_facts *facts, wn_json_id thing, const char *key,
                        wn_field field, const char *source)
{
    const wn_json *json = &ld->json;
    wn_json_id words = wn_json_get(json, thing, key);
    if (kind_of(json, words) != WN_JSON_ARRAY) {
        wn_meta_facts_offer_list(facts, field, WN_RANK_JSONLD, source, wn_json_text(json, words));
        return;
    }
    int count = 0;
    wn_json_each (json, item, words) {
        if (count++ < WN_MOST_VALUES)
            wn_meta_facts_offer(facts, field, WN_RANK_JSONLD, source,
                                text_or_member(json, item, "name"));
    }
}

/* What is said of a work or a page. */
static void read_thing(wn_jsonld *ld, wn_facts *facts, wn_json_id thing, bool is_work, int *left)
{
    const wn_json *json = &ld->json;
    int rank = is_work ? WN_RANK_JSONLD : WN_RANK_JSONLD_PAGE;
    offer_date(ld, facts, thing, "datePublished", WN_FIELD_PUBLISHED, rank,
               "json-ld datePublished");
    offer_date(ld, facts, thing, "dateCreated", WN_FIELD_PUBLISHED, rank - 1,
               "json-ld dateCreated");
    offer_date(ld, facts, thing, "uploadDate", WN_FIELD_PUBLISHED, rank - 1, "json-ld uploadDate");
    offer_date(ld, facts, thing, "dateModified", WN_FIELD_MODIFIED, rank, "json-ld dateModified");
    offer_authors(ld, facts, thing, rank, left);
    wn_meta_facts_offer(facts, WN_FIELD_DESCRIPTION, rank, "json-ld description",
                        text_of(json, thing, "description"));
    wn_meta_facts_offer(facts, WN_FIELD_LANGUAGE, WN_RANK_LATE, "json-ld inLanguage",
                        text_of(json, thing, "inLanguage"));
    wn_meta_facts_offer(facts, WN_FIELD_IMAGE, rank, "json-ld image",
                        text_or_member(json, wn_json_get(json, thing, "image"), "url"));
    wn_meta_facts_offer(facts, WN_FIELD_LICENCE, rank, "json-ld license",
                        text_or_member(json, wn_json_get(json, thing, "license"), "url"));
    offer_words(ld, facts, thing, "keywords", WN_FIELD_TAG, "json-ld keywords");
    offer_words(ld, facts, thing, "articleSection", WN_FIELD_CATEGORY, "json-ld articleSection");
    wn_meta_facts_offer(facts, WN_FIELD_SITE, WN_RANK_LATE, "json-ld publisher",
                        text_or_member(json, wn_json_get(json, thing, "publisher"), "name"));
    if (is_work && ld->headline.len == 0) {
        wn_str headline = text_of(json, thing, "headline");
        if (headline.len == 0)
            headline = text_of(json, thing, "name");
        ld->headline = wn_meta_facts_tidy_escaped(facts, headline);
    }
}

/* ---- Things ------------------------------------------------------------------------------ */

static void add_thing(wn_jsonld *ld, wn_json_id id)
{
    if (kind_of(&ld->json, id) != WN_JSON_OBJECT || ld->things.count >= MOST_THINGS)
        return;
    wn_json_id *thing = wn_array_push(&ld->things);
    if (thing)
        *thing = id;
}

static void add_things(wn_jsonld *ld, wn_json_id id)
{
    if (kind_of(&ld->json, id) != WN_JSON_ARRAY) {
        add_thing(ld, id);
        return;
    }
    wn_json_each (&ld->json, item, id) {
        add_thing(ld, item);
    }
}

/* Scripts are sometimes wrapped in comments or CDATA: they begin with the first real bracket. */
static wn_str unwrap(wn_str script)
{
    const wn_str cdata = WN_STR("[CDATA[");
    if (script.len == 0)
        return script;
    const char *p = script.ptr, *end = script.ptr + script.len;
    while (p < end && *p != '{' && (*p != '[' || wn_str_starts(wn_str_between(p, end), cdata)))
        p += *p == '[' ? cdata.len : 1;
    return wn_str_between(p, end);
}

void wn_meta_jsonld_read(wn_jsonld *ld, wn_facts *facts, wn_str script)
{
    int references = MOST_REFERENCES;
    /* What comes before an error is as good as without one. */
    wn_json_parse(&ld->json, facts->arena, unwrap(script), WN_JSON_RELAXED, MOST_DEPTH);
    ld->things.count = 0;
    if (ld->json.nodes.count <= WN_JSON_ROOT)
        return;
    add_things(ld, WN_JSON_ROOT);
    for (uint32_t i = 0; i < ld->things.count; i++) {
        wn_json_id thing = ld->things.items[i];
        add_things(ld, wn_json_get(&ld->json, thing, "@graph"));
        if (!is_list_of_questions(&ld->json, thing))
            add_things(ld, wn_json_get(&ld->json, thing, "mainEntity"));
        role role = role_of(&ld->json, thing);
        if (role == WORK || role == PAGE)
            read_thing(ld, facts, thing, role == WORK, &references);
        else if (role == SITE)
            wn_meta_facts_offer(facts, WN_FIELD_SITE, WN_RANK_JSONLD_PAGE, "json-ld WebSite",
                                text_of(&ld->json, thing, "name"));
    }
}

void wn_meta_jsonld_free(wn_jsonld *ld)
{
    wn_json_free(&ld->json);
    wn_array_free(&ld->things);
}
