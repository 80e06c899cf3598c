/*
 * The driver of the metadata: one pass over the nodes, in the order in which the parser made
 * them. <meta>, <link> and JSON-LD speak at once. Elements that only look as if they named an
 * author or a date (their class, <time>, rel=author) are put on a list, for what they are
 * worth depends on where they are: after the heading or before it, in a comment, in a
 * footer. That is judged when the heading is known.
 */
#include "meta/metadata.h"

#include "base/cost.h"
#include "base/url.h"
#include "html/document.h"
#include "meta/date.h"
#include "meta/facts.h"
#include "meta/hints.h"
#include "meta/jsonld.h"
#include "meta/names.h"
#include "meta/nearby.h"
#include "meta/ranks.h"
#include "meta/title.h"
#include "page/attributes.h"
#include "page/permalinks.h"

enum {
    MOST_HINTS = 96,            /* elements of each kind that are looked at */
    MOST_HEADINGS = 8,          /* <h1> that are looked at, */
    MOST_SUBHEADINGS = 4,       /* and <h2> */
    MOST_TEXT_NODES = 64,       /* of an element whose text is read */
    MOST_ANCESTORS = 24,        /* above an element that are asked what it is part of */
    HIGHEST_HINT = 64 + 18 + 1, /* rank of an element: its kind, its place, its name */
    LONGEST_TEXT = 300,         /* bytes of a byline or a heading */
};

const winnow_metadata wn_no_metadata = {
    .title = "",
    .published = "",
    .modified = "",
    .site = "",
    .description = "",
    .language = "",
    .url = "",
    .image = "",
    .license = "",
};

/* An element that may name an author or a date. */
typedef struct hint {
    wn_node_id node;
    unsigned bits;     /* WN_HINT_* */
    uint32_t headings; /* <h1> before it */
} hint;

/* A heading that may be the title. */
typedef struct heading {
    wn_node_id node;
    uint32_t number; /* of <h1> up to here */
    uint8_t level;
} heading;

struct wn_metadata_reader {
    const wn_page *page;
    const wn_doc *doc;
    wn_cost cost;
    wn_facts facts;
    wn_jsonld jsonld;
    wn_buf text;
    wn_str language;
    wn_titles titles;
    wn_hint_memo memo;
    wn_array(hint) hints;
    heading headings[MOST_HEADINGS + MOST_SUBHEADINGS];
    uint32_t heading_count;    /* <h1>, */
    uint32_t subheading_count; /* and <h2> */
    bool wants_author, wants_date;
    char
        author_label; /* of <meta name="twitter:label1">: the digit of the one that says "Written by" */
    wn_node_id licences[2]; /* the first and the last link to a licence of Creative Commons */
    wn_node_id author;      /* the element that named the author, if one did */
    uint32_t main_heading;  /* the number of <h1> up to the one that is the title; 0: none is */
};

/* ---- Text of elements -------------------------------------------------------------------- */

/* Whether what is in an element is not read: scripts, and signs to link to a heading. */
static bool is_no_text(const wn_doc *doc, const wn_node *node)
{
    if (!wn_node_is(node, WN_TAG_A))
        return wn_node_is(node, WN_TAG_SCRIPT) || wn_node_is(node, WN_TAG_STYLE);
    const wn_node *text = wn_doc_node(doc, node->first_child);
    return text->kind == WN_KIND_TEXT && !text->next &&
           wn_page_is_permalink(wn_node_text(text), wn_page_address(node));
}

/* Whether a node is a list of links, as the menu that opens below the name of a member. */
static bool is_menu(const wn_doc *doc, wn_node_id list)
{
    enum { MOST_NODES = 8 }; /* up to the first link */
    wn_node_id id = wn_node_is(wn_doc_node(doc, list), WN_TAG_UL) ? list : WN_NO_NODE;
    for (int i = 0; id && i < MOST_NODES; i++) {
        const wn_node *node = wn_doc_node(doc, id);
        if (wn_node_is(node, WN_TAG_A))
            return true;
        if (node->kind == WN_KIND_TEXT && wn_str_trim(wn_node_text(node)).len > 0)
            return false;
        id = wn_doc_next(doc, id, list);
    }
    return false;
}

/* The text below an element as a reader sees it, in the reader's buffer; short ones only. */
static wn_str text_below(wn_metadata_reader *r, wn_node_id root, bool to_menu)
{
    wn_page_spacing spacing = {.at_space = true};
    wn_buf_clear(&r->text);
    wn_node_id id = root;
    for (int i = 0; id && i < MOST_TEXT_NODES && r->text.len < LONGEST_TEXT; i++) {
        const wn_node *node = wn_doc_node(r->doc, id);
        wn_cost_use(&r->cost, 1);
        if (to_menu && r->text.len > 0 && is_menu(r->doc, id))
            break;
        if (node->kind == WN_KIND_TEXT) {
            wn_str text = wn_node_text(node);
            text.len = text.len < 4 * LONGEST_TEXT ? text.len : 0;
            wn_page_spacing_add(&spacing, text, &r->text);
        } else if (is_no_text(r->doc, node)) {
            id = wn_doc_skip(r->doc, id, root);
            continue;
        } else if (id != root && node->kind == WN_KIND_ELEMENT && !spacing.at_space) {
            wn_page_spacing_add(&spacing, WN_STR(" "), &r->text);
        }
        id = wn_doc_next(r->doc, id, root);
    }
    return wn_str_trim(wn_buf_str(&r->text));
}

static wn_str element_text(wn_metadata_reader *r, wn_node_id root)
{
    return text_below(r, root, false);
}

/* ---- Offers ------------------------------------------------------------------------------ */

static bool offer_date(wn_metadata_reader *r, wn_field field, int rank, const char *source,
                       wn_str text)
{
    wn_date date;
    char written[WN_DATE_SIZE];
    if (text.len == 0 || !wn_meta_facts_wants(&r->facts, field, rank) ||
        !wn_cost_spend(&r->cost, text.len) || !wn_meta_date_find(text, r->language, &date))
        return false;
    if (!date.day)
        rank /= 2; /* "May 2024" counts only where no day is known */
    wn_meta_date_write(&date, written);
    return wn_meta_facts_offer(&r->facts, field, rank, source, wn_str_of(written));
}

static void offer(wn_metadata_reader *r, wn_field field, int rank, const char *source, wn_str value)
{
    if (field == WN_FIELD_PUBLISHED || field == WN_FIELD_MODIFIED)
        offer_date(r, field, rank, source, value);
    else if (field == WN_FIELD_AUTHOR)
        wn_meta_names_offer(&r->facts, rank, source, value);
    else if (field == WN_FIELD_TAG)
        wn_meta_facts_offer_list(&r->facts, field, rank, source, value);
    else
        wn_meta_facts_offer(&r->facts, field, rank, source, value);
}

/* ---- <meta>, <link>, <script> ------------------------------------------------------------ */

/* Cards have pairs of any meaning: twitter:label1 "Written by", twitter:data1 "Jane Miller". */
static void read_card(wn_metadata_reader *r, wn_str name, wn_str value)
{
    static const wn_str label = WN_STR("twitter:label"), data = WN_STR("twitter:data");
    if (name.len == label.len + 1 && wn_str_starts_nocase(name, label) &&
        wn_meta_is_byline_label(value))
        r->author_label = name.ptr[label.len];
    if (r->author_label && name.len == data.len + 1 && wn_str_starts_nocase(name, data) &&
        name.ptr[data.len] == r->author_label)
        wn_meta_names_offer(&r->facts, 71, "meta twitter:data", value);
}

static void read_named(wn_metadata_reader *r, wn_str name, wn_str value)
{
    read_card(r, name, value);
    const wn_meta_name *known = wn_meta_name_find(name);
    if (!known || value.len == 0)
        return;
    if (known->field == WN_FIELD_TITLE)
        wn_meta_titles_add(&r->titles, known->source, wn_meta_facts_tidy_escaped(&r->facts, value));
    else
        offer(r, known->field, known->rank, known->source, value);
}

static void read_meta(wn_metadata_reader *r, const wn_node *node)
{
    wn_str content = WN_STR(""), names[4] = {{NULL, 0}};
    for (uint32_t i = 0; i < node->len; i++) {
        const wn_attr *attr = &node->attrs[i];
        switch (attr->id) {
        case WN_ATTR_CONTENT:
            content = wn_attr_value(attr);
            break;
        case WN_ATTR_PROPERTY:
            names[0] = wn_attr_value(attr);
            break;
        case WN_ATTR_NAME:
            names[1] = wn_attr_value(attr);
            break;
        case WN_ATTR_ITEMPROP:
            names[2] = wn_attr_value(attr);
            break;
        case WN_ATTR_HTTP_EQUIV:
            names[3] = wn_attr_value(attr);
            break;
        default:
            break;
        }
    }
    for (int i = 0; i < 4; i++)
        if (names[i].len > 0)
            read_named(r, names[i], content);
}

static bool has_word(wn_str list, const char *word)
{
    wn_str wanted = wn_str_of(word);
    for (size_t i = 0; i + wanted.len <= list.len; i++) {
        bool starts = i == 0 || wn_is_space(list.ptr[i - 1]);
        size_t end = i + wanted.len;
        if (starts && (end == list.len || wn_is_space(list.ptr[end])) &&
            wn_str_eq_nocase(wn_str_from(list.ptr + i, wanted.len), wanted))
            return true;
    }
    return false;
}

static void read_link(wn_metadata_reader *r, const wn_node *node)
{
    wn_str rel = wn_node_attr_value(node, WN_ATTR_REL);
    wn_str href = wn_str_trim(wn_node_attr_value(node, WN_ATTR_HREF));
    if (rel.len == 0 || href.len == 0)
        return;
    if (has_word(rel, "canonical"))
        wn_meta_facts_offer(&r->facts, WN_FIELD_URL, 90, "link rel=canonical", href);
    else if (has_word(rel, "license") || has_word(rel, "licence"))
        wn_meta_facts_offer(&r->facts, WN_FIELD_LICENCE, 95, "link rel=license", href);
    else if (has_word(rel, "image_src"))
        wn_meta_facts_offer(&r->facts, WN_FIELD_IMAGE, 50, "link rel=image_src", href);
}

static void read_script(wn_metadata_reader *r, const wn_node *node)
{
    wn_str type = wn_node_attr_value(node, WN_ATTR_TYPE);
    const wn_node *text = wn_doc_node(r->doc, node->first_child);
    if (wn_str_contains_nocase(type, WN_STR("ld+json")) && text->kind == WN_KIND_TEXT &&
        wn_cost_spend(&r->cost, text->len))
        wn_meta_jsonld_read(&r->jsonld, &r->facts, wn_node_text(text));
}

/* ---- Elements of the body ---------------------------------------------------------------- */

static void add_hint(wn_metadata_reader *r, wn_node_id id, unsigned bits)
{
    hint *h = r->hints.count < MOST_HINTS ? wn_array_push(&r->hints) : NULL;
    if (h)
        *h = (hint){.node = id, .bits = bits, .headings = r->heading_count};
}

static void add_licence(wn_metadata_reader *r, wn_node_id id)
{
    r->licences[0] = r->licences[0] ? r->licences[0] : id;
    r->licences[1] = id;
}

static void add_heading(wn_metadata_reader *r, wn_node_id id, uint8_t level)
{
    uint32_t *count = level == 1 ? &r->heading_count : &r->subheading_count;
    if (*count >= (level == 1 ? MOST_HEADINGS : MOST_SUBHEADINGS))
        return;
    ++*count;
    r->headings[r->heading_count + r->subheading_count - 1] = (heading){
        .node = id, .number = r->heading_count, .level = level};
}

/* What an element looks like. Classes and addresses are only read while they could matter. */
static unsigned hints_of_element(wn_metadata_reader *r, wn_node_id id, const wn_node *node)
{
    unsigned bits = r->wants_date && wn_node_is(node, WN_TAG_TIME) ? WN_HINT_TIME : 0;
    for (uint32_t i = 0; i < node->len; i++) {
        const wn_attr *attr = &node->attrs[i];
        switch (attr->id) {
        case WN_ATTR_CLASS:
        case WN_ATTR_ID:
            if (r->wants_author || r->wants_date)
                bits |= wn_meta_hints_of_class(&r->memo, wn_attr_value(attr));
            break;
        case WN_ATTR_ITEMPROP:
        case WN_ATTR_PROPERTY:
            bits |= wn_meta_hints_of_property(&r->memo, wn_attr_value(attr));
            break;
        case WN_ATTR_REL:
            bits |= wn_meta_hints_of_rel(&r->memo, wn_attr_value(attr));
            break;
        case WN_ATTR_HREF:
            if (r->wants_author)
                bits |= wn_meta_hints_of_href(wn_attr_value(attr));
            if (wn_meta_is_public_licence(wn_attr_value(attr)))
                add_licence(r, id);
            break;
        default:
            break;
        }
    }
    return bits;
}

/* Whether an element that looks like an author or a date could still say something new. */
static void note_wishes(wn_metadata_reader *r)
{
    r->wants_author = wn_meta_facts_wants(&r->facts, WN_FIELD_AUTHOR, HIGHEST_HINT);
    r->wants_date = wn_meta_facts_wants(&r->facts, WN_FIELD_PUBLISHED, HIGHEST_HINT);
}

static void read_element(wn_metadata_reader *r, wn_node_id id, const wn_node *node)
{
    switch (node->tag) {
    case WN_TAG_META:
        read_meta(r, node);
        note_wishes(r);
        return;
    case WN_TAG_LINK:
        read_link(r, node);
        return;
    case WN_TAG_SCRIPT:
        read_script(r, node);
        note_wishes(r);
        return;
    case WN_TAG_H1:
        add_heading(r, id, 1);
        return;
    case WN_TAG_H2: /* may be a byline */
        add_heading(r, id, 2);
        break;
    default:
        break;
    }
    unsigned bits = hints_of_element(r, id, node);
    if (bits)
        add_hint(r, id, bits);
}

/*
 * The first node after what is in a <nav>, which says nothing of the page; one that never ends does
 * none. `endless` is the last of those, so that nobody climbs beyond it again.
 */
static wn_node_id behind_nav(wn_metadata_reader *r, wn_node_id nav, wn_node_id *endless)
{
    const wn_doc *doc = r->doc;
    wn_node_id up = nav;
    for (; up && up != *endless && !wn_doc_node(doc, up)->next; up = wn_doc_node(doc, up)->parent)
        wn_cost_use(&r->cost, 1);
    wn_node_id next = wn_doc_node(doc, up)->next;
    if (!next)
        *endless = nav;
    return next > nav ? next : nav + 1;
}

static void scan(wn_metadata_reader *r)
{
    const wn_node *nodes = r->doc->nodes.items;
    wn_node_id endless = WN_NO_NODE;
    note_wishes(r);
    wn_cost_use(&r->cost, r->doc->nodes.count);
    for (wn_node_id id = WN_DOCUMENT_NODE; id < r->doc->nodes.count && !r->cost.exceeded;) {
        const wn_node *node = &nodes[id];
        if (node->kind != WN_KIND_ELEMENT || node->ns != WN_NS_HTML) {
            id++;
            continue;
        }
        if (node->len > 0 || node->tag == WN_TAG_H1 || node->tag == WN_TAG_H2 ||
            node->tag == WN_TAG_TIME)
            read_element(r, id, node);
        id = node->tag == WN_TAG_NAV ? behind_nav(r, id, &endless) : id + 1;
    }
}

/* ---- Title ------------------------------------------------------------------------------- */

static void choose_title(wn_metadata_reader *r)
{
    wn_titles *titles = &r->titles;
    if (r->jsonld.headline.len > 0)
        wn_meta_titles_add(titles, "json-ld headline", r->jsonld.headline);
    if (r->page->title.len > 0)
        wn_meta_titles_add(titles, "title", r->page->title);
    for (uint32_t i = 0; i < r->heading_count + r->subheading_count; i++) {
        const heading *h = &r->headings[i];
        wn_str text = wn_meta_facts_tidy(&r->facts, element_text(r, h->node));
        if (text.len > 0)
            wn_meta_titles_add_heading(titles, text, h->number, h->level);
    }
    const char *source;
    wn_str title = wn_meta_titles_choose(titles, &r->facts, &source, &r->main_heading);
    if (!r->main_heading)
        title = wn_meta_titles_shown(&r->facts, r->page, title);
    wn_meta_facts_offer(&r->facts, WN_FIELD_TITLE, 1, source, title);
}

/* ---- Hints ------------------------------------------------------------------------------- */

/* What the elements around say: bits of WN_AROUND_*. */
static unsigned surroundings(wn_metadata_reader *r, wn_node_id id)
{
    unsigned around = 0;
    for (int i = 0; id > WN_DOCUMENT_NODE && i < MOST_ANCESTORS; i++) {
        wn_cost_use(&r->cost, 1);
        const wn_node *node = wn_doc_node(r->doc, id);
        around |= wn_meta_around_of(&r->memo, node);
        id = node->parent;
    }
    return around;
}

/* How far an element's place lets it speak for the page: 0 to 20, or -1 for not at all. */
static int worth_of_place(wn_metadata_reader *r, const hint *h)
{
    unsigned around = surroundings(r, h->node);
    if (around & WN_AROUND_ANSWERS)
        return -1;
    if (around & WN_AROUND_OTHERS)
        return 0;
    int worth = around & WN_AROUND_EDGE ? 0 : 6;
    if (r->main_heading && h->headings >= r->main_heading)
        worth += 8;
    return worth + (around & WN_AROUND_ARTICLE ? 4 : 0);
}

/* The first words around an element: "Joined:" in <dd><b>Joined:</b> <span>3 May</span></dd>. */
static wn_str label_before(wn_metadata_reader *r, wn_node_id id)
{
    enum { MOST_NODES = 6, LONGEST_LABEL = 24 };
    wn_node_id parent = wn_doc_node(r->doc, id)->parent, at = parent;
    for (int i = 0; at && i < MOST_NODES; i++) {
        const wn_node *node = wn_doc_node(r->doc, at);
        wn_str text = node->kind == WN_KIND_TEXT ? wn_str_trim(wn_node_text(node)) : WN_STR("");
        wn_cost_use(&r->cost, 1);
        if (text.len > 0)
            return text.len <= LONGEST_LABEL ? text : WN_STR("");
        at = wn_doc_next(r->doc, at, parent);
    }
    return WN_STR("");
}

/* "Moderators: Jane, Ann" stands above a forum's threads, whoever wrote them. */
static bool is_of_moderators(wn_metadata_reader *r, wn_node_id id)
{
    wn_str label = label_before(r, id);
    return wn_str_has_ending(label, WN_STR(":")) &&
           wn_str_starts_nocase(label, WN_STR("moderator"));
}

static void read_date_hint(wn_metadata_reader *r, const hint *h, int worth)
{
    if (wn_meta_says_joined(label_before(r, h->node)))
        return; /* the day on which the author came to the forum */
    const wn_node *node = wn_doc_node(r->doc, h->node);
    wn_str value = wn_node_attr_value(node, WN_ATTR_DATETIME);
    if (value.len == 0)
        value = wn_node_attr_value(node, WN_ATTR_CONTENT);
    if (value.len == 0 && wn_node_is(node, WN_TAG_ABBR))
        value = wn_node_attr_value(node, WN_ATTR_TITLE);
    wn_field field = h->bits & WN_HINT_MODIFIED ? WN_FIELD_MODIFIED : WN_FIELD_PUBLISHED;
    int rank = h->bits & WN_HINT_PROPERTY ? 64 : h->bits & WN_HINT_TIME ? 48 : 42;
    const char *source = h->bits & WN_HINT_PROPERTY ? "itemprop date"
                         : h->bits & WN_HINT_TIME   ? "time"
                                                    : "class of a date";
    if (h->bits & WN_HINT_PUBLISHED)
        rank += 1;
    rank += worth;
    if (value.len > 0 && offer_date(r, field, rank, source, value))
        return;
    if (wn_meta_facts_wants(&r->facts, field, rank))
        offer_date(r, field, rank, source, element_text(r, h->node));
}

/* The itemprop="name" of a person. */
static wn_str name_in(wn_metadata_reader *r, wn_node_id person)
{
    wn_node_id id = person;
    for (int i = 0; id && i < MOST_TEXT_NODES; i++) {
        const wn_node *node = wn_doc_node(r->doc, id);
        if (node->kind == WN_KIND_ELEMENT &&
            wn_str_eq_nocase(wn_node_attr_value(node, WN_ATTR_ITEMPROP), WN_STR("name"))) {
            wn_str content = wn_node_attr_value(node, WN_ATTR_CONTENT);
            return content.len > 0 ? content : element_text(r, id);
        }
        id = wn_doc_next(r->doc, id, person);
    }
    return WN_STR("");
}

/* Several authors are side by side; one far from the first is someone else. */
static bool may_be_another(const wn_metadata_reader *r, wn_node_id id, int rank)
{
    const wn_fact *known = &r->facts.fields[WN_FIELD_AUTHOR];
    if (rank > known->rank)
        return true;
    if (!r->author)
        return false;
    wn_node_id a = wn_doc_node(r->doc, r->author)->parent, b = wn_doc_node(r->doc, id)->parent;
    return a == b || wn_doc_node(r->doc, a)->parent == wn_doc_node(r->doc, b)->parent;
}

/* Whether an element is the label of a field, or has one: it asks for a name. */
static bool asks_for_name(wn_metadata_reader *r, wn_node_id root)
{
    wn_node_id id = root;
    for (int i = 0; id && i < MOST_TEXT_NODES; i++) {
        const wn_node *node = wn_doc_node(r->doc, id);
        wn_cost_use(&r->cost, 1);
        if (wn_node_is(node, WN_TAG_LABEL) || wn_node_is(node, WN_TAG_SELECT) ||
            wn_node_is(node, WN_TAG_TEXTAREA) ||
            (wn_node_is(node, WN_TAG_INPUT) &&
             !wn_str_eq_nocase(wn_node_attr_value(node, WN_ATTR_TYPE), WN_STR("hidden"))))
            return true;
        id = wn_doc_next(r->doc, id, root);
    }
    return false;
}

static void read_author_hint(wn_metadata_reader *r, const hint *h, int worth)
{
    const wn_node *node = wn_doc_node(r->doc, h->node);
    int rank = h->bits & WN_HINT_PROPERTY ? 64
               : h->bits & WN_HINT_REL    ? 52
               : h->bits & WN_HINT_LINK   ? 44
                                          : 40;
    const char *source = h->bits & WN_HINT_PROPERTY ? "itemprop author"
                         : h->bits & WN_HINT_REL    ? "rel=author"
                         : h->bits & WN_HINT_LINK   ? "link to an author"
                                                    : "class of an author";
    rank += worth;
    if (!wn_meta_facts_wants(&r->facts, WN_FIELD_AUTHOR, rank) ||
        !may_be_another(r, h->node, rank) || asks_for_name(r, h->node) ||
        is_of_moderators(r, h->node))
        return;
    wn_str value = wn_node_attr_value(node, WN_ATTR_CONTENT);
    if (value.len == 0 && h->bits & WN_HINT_PROPERTY)
        value = name_in(r, h->node);
    if (value.len == 0)
        value = text_below(r, h->node, true);
    if (value.len >= LONGEST_TEXT)
        return;
    wn_meta_names_offer(&r->facts, rank, source, value);
    if (r->facts.fields[WN_FIELD_AUTHOR].source == source)
        r->author = h->node;
}

static void read_hints(wn_metadata_reader *r)
{
    for (uint32_t i = 0; i < r->hints.count; i++) {
        const hint *h = &r->hints.items[i];
        bool matters = h->bits & ~(unsigned)(WN_HINT_AUTHOR | WN_HINT_DATE | WN_HINT_TIME) ||
                       wn_meta_facts_wants(&r->facts, WN_FIELD_AUTHOR, HIGHEST_HINT) ||
                       wn_meta_facts_wants(&r->facts, WN_FIELD_PUBLISHED, HIGHEST_HINT);
        int worth = matters ? worth_of_place(r, h) : -1;
        if (worth < 0)
            continue;
        if (h->bits & (WN_HINT_TIME | WN_HINT_DATE))
            read_date_hint(r, h, worth);
        if (h->bits & WN_HINT_AUTHOR)
            read_author_hint(r, h, worth);
        if (h->bits & WN_HINT_TAG)
            wn_meta_facts_offer(&r->facts, WN_FIELD_TAG, 60, "rel=tag", element_text(r, h->node));
        if (h->bits & WN_HINT_CATEGORY)
            wn_meta_facts_offer(&r->facts, WN_FIELD_CATEGORY, 60, "rel=category",
                                element_text(r, h->node));
        if (h->bits & WN_HINT_LICENCE)
            wn_meta_facts_offer(&r->facts, WN_FIELD_LICENCE, 80, "rel=license",
                                wn_node_attr_value(wn_doc_node(r->doc, h->node), WN_ATTR_HREF));
    }
}

/* ---- The licence ------------------------------------------------------------------------- */

/* Whether an element is in a figure, whose licence is that of the picture. */
static bool is_in_figure(const wn_metadata_reader *r, wn_node_id id)
{
    for (int i = 0; id > WN_DOCUMENT_NODE && i < MOST_ANCESTORS; i++) {
        const wn_node *node = wn_doc_node(r->doc, id);
        if (wn_node_is(node, WN_TAG_FIGURE) || wn_node_is(node, WN_TAG_FIGCAPTION))
            return true;
        id = node->parent;
    }
    return false;
}

/*
 * A plain link to a licence of Creative Commons speaks for the page in its footer, and elsewhere if
 * all links on the page are to the same one: pages with several link to those of pictures.
 */
static void read_licence_links(wn_metadata_reader *r)
{
    enum { IN_FOOTER = 60, ELSEWHERE = 40 };
    wn_node_id last = r->licences[1];
    if (!last || is_in_figure(r, last))
        return;
    wn_str first_address = wn_node_attr_value(wn_doc_node(r->doc, r->licences[0]), WN_ATTR_HREF);
    wn_str address = wn_node_attr_value(wn_doc_node(r->doc, last), WN_ATTR_HREF);
    bool in_footer = surroundings(r, last) & WN_AROUND_EDGE;
    if (in_footer || wn_str_eq(address, first_address))
        wn_meta_facts_offer(&r->facts, WN_FIELD_LICENCE, in_footer ? IN_FOOTER : ELSEWHERE,
                            "link to a licence", address);
}

/* ---- The address ------------------------------------------------------------------------- */

/* "/2024/05/03/", "/2024/september/03/": a date that the site itself wrote. */
static void read_url_date(wn_metadata_reader *r, wn_str url)
{
    enum { LONGEST_DATE = sizeof "2024/september/03" - 1 };
    for (size_t i = 0; i + 11 <= url.len; i++) {
        const char *p = url.ptr + i;
        bool shaped = *p == '/' && (p[1] == '1' || p[1] == '2') && wn_is_ascii_digit(p[4]) &&
                      (p[5] == '/' || p[5] == '-');
        bool names_month = shaped && wn_is_ascii_alpha(p[6]);
        size_t len = names_month && i + 1 + LONGEST_DATE <= url.len ? LONGEST_DATE : 10;
        int rank = names_month ? 70 : 58; /* a month's name is never a guess */
        if (shaped && offer_date(r, WN_FIELD_PUBLISHED, rank, "url", wn_str_from(p + 1, len)))
            return;
    }
}

/*
 * "01/05/2018" is in January or in May, and the language that a page declares may not tell which.
 * If the address has the other one of the two, that is it.
 */
static void settle_order(wn_metadata_reader *r, wn_str url)
{
    enum { DAY = sizeof "2024-05-03" - 1 };
    wn_fact *fact = &r->facts.fields[WN_FIELD_PUBLISHED];
    wn_str known = wn_meta_facts_value(&r->facts, WN_FIELD_PUBLISHED);
    if (known.len < DAY)
        return;
    char other[] = {'/',          known.ptr[0], known.ptr[1], known.ptr[2], known.ptr[3], '/',
                    known.ptr[8], known.ptr[9], '/',          known.ptr[5], known.ptr[6], '/'};
    if (wn_str_find(url, wn_str_from(other, sizeof other)) >= url.len)
        return;
    char *settled = wn_arena_bytes(r->facts.arena, known.len);
    if (!settled)
        return;
    memcpy(settled, known.ptr, known.len);
    memcpy(settled + 5, known.ptr + 8, 2);
    memcpy(settled + 8, known.ptr + 5, 2);
    fact->values[0] = wn_str_from(settled, known.len);
}

static void resolve(wn_metadata_reader *r, wn_field field, const char *url)
{
    wn_fact *fact = &r->facts.fields[field];
    if (fact->count == 0 || !url)
        return;
    wn_buf_clear(&r->text);
    wn_url_resolve(&r->text, wn_str_of(url), fact->values[0]);
    fact->values[0] = wn_arena_copy(r->facts.arena, wn_buf_str(&r->text));
}

/* The address that the caller knows, or the one that the page gives. */
static wn_str address_of(wn_metadata_reader *r, const char *url)
{
    return url ? wn_str_of(url) : wn_meta_facts_value(&r->facts, WN_FIELD_URL);
}

static void read_urls(wn_metadata_reader *r, const char *url)
{
    resolve(r, WN_FIELD_URL, url);
    resolve(r, WN_FIELD_IMAGE, url);
    resolve(r, WN_FIELD_LICENCE, url);
    read_url_date(r, address_of(r, url));
}

/* ---- The result -------------------------------------------------------------------------- */

static const char *c_string(wn_metadata_reader *r, wn_field field)
{
    return wn_arena_c_string(r->facts.arena, wn_meta_facts_value(&r->facts, field));
}

static const char *const *c_strings(wn_metadata_reader *r, wn_field field, size_t *count)
{
    const wn_fact *fact = &r->facts.fields[field];
    const char **list = wn_arena_alloc(r->facts.arena, fact->count * sizeof *list + 1);
    *count = list ? fact->count : 0;
    for (size_t i = 0; i < *count; i++)
        list[i] = wn_arena_c_string(r->facts.arena, fact->values[i]);
    return list;
}

static void list_sources(wn_metadata_reader *r, winnow_metadata *metadata)
{
    static const char *const names[WN_FIELD_COUNT] = {
        "title",    "author", "published", "modified", "site",       "description",
        "language", "url",    "image",     "tags",     "categories", "license",
    };
    winnow_source *sources = wn_arena_alloc(r->facts.arena, WN_FIELD_COUNT * sizeof *sources);
    for (int i = 0; sources && i < WN_FIELD_COUNT; i++)
        if (r->facts.fields[i].count > 0)
            sources[metadata->source_count++] = (winnow_source){
                .field = names[i], .source = r->facts.fields[i].source};
    metadata->sources = sources;
}

static void write_metadata(wn_metadata_reader *r, winnow_metadata *metadata)
{
    metadata->title = c_string(r, WN_FIELD_TITLE);
    metadata->authors = c_strings(r, WN_FIELD_AUTHOR, &metadata->author_count);
    metadata->published = c_string(r, WN_FIELD_PUBLISHED);
    metadata->modified = c_string(r, WN_FIELD_MODIFIED);
    metadata->site = c_string(r, WN_FIELD_SITE);
    metadata->description = c_string(r, WN_FIELD_DESCRIPTION);
    metadata->language = c_string(r, WN_FIELD_LANGUAGE);
    metadata->url = c_string(r, WN_FIELD_URL);
    metadata->image = c_string(r, WN_FIELD_IMAGE);
    metadata->tags = c_strings(r, WN_FIELD_TAG, &metadata->tag_count);
    metadata->categories = c_strings(r, WN_FIELD_CATEGORY, &metadata->category_count);
    metadata->license = c_string(r, WN_FIELD_LICENCE);
}

bool wn_meta_read(wn_metadata_reader *r, const wn_page *page, const char *url, bool explain,
                  wn_arena *arena, winnow_metadata *metadata)
{
    *metadata = wn_no_metadata;
    r->page = page;
    r->doc = page->doc;
    r->hints.count = r->heading_count = r->subheading_count = r->main_heading = r->author = 0;
    r->licences[0] = r->licences[1] = WN_NO_NODE;
    r->author_label = 0;
    wn_cost_start(&r->cost, WN_COST_METADATA, r->doc->nodes.count + r->doc->source.len);
    r->titles.count = 0;
    memset(&r->memo, 0, sizeof r->memo);
    r->language = r->jsonld.language = wn_meta_date_language(page);
    r->jsonld.headline = WN_STR("");
    wn_meta_facts_start(&r->facts, arena);
    wn_meta_facts_offer(&r->facts, WN_FIELD_LANGUAGE, 90, "html lang", page->language);
    if (url)
        wn_meta_facts_offer(&r->facts, WN_FIELD_URL, 10, "url", wn_str_of(url));

    scan(r);
    choose_title(r);
    read_hints(r);
    read_licence_links(r);
    read_urls(r, url);
    wn_meta_nearby_read(&r->facts, page, wn_meta_facts_value(&r->facts, WN_FIELD_TITLE));
    settle_order(r, address_of(r, url));
    write_metadata(r, metadata);
    if (explain)
        list_sources(r, metadata);
    return !r->cost.exceeded;
}

void wn_meta_of_tokens(const wn_page *page, wn_arena *arena, winnow_metadata *metadata)
{
    *metadata = wn_no_metadata;
    metadata->title = wn_arena_c_string(arena, page->title);
    wn_facts facts = {.arena = arena};
    metadata->language = wn_arena_c_string(arena, wn_meta_facts_language(&facts, page->language));
}

/* ---- Life -------------------------------------------------------------------------------- */

wn_metadata_reader *wn_meta_reader_new(void)
{
    return wn_memory_get_zeroed(sizeof(wn_metadata_reader));
}

void wn_meta_reader_free(wn_metadata_reader *r)
{
    if (!r)
        return;
    wn_meta_facts_free(&r->facts);
    wn_meta_jsonld_free(&r->jsonld);
    wn_buf_free(&r->text);
    wn_array_free(&r->hints);
    wn_memory_release(r);
}

size_t wn_meta_reader_memory(const wn_metadata_reader *r)
{
    return sizeof *r + r->facts.scratch.cap + r->text.cap + wn_array_bytes(&r->hints) +
           wn_array_bytes(&r->jsonld.json.nodes) + wn_array_bytes(&r->jsonld.json.open) +
           wn_array_bytes(&r->jsonld.things);
}
