/*
 * The cascade, from sheets to styles. Read wn_css_compute() at the end first.
 *
 * Two caches make it fast, since pages repeat themselves:
 *
 *     paths    Elements that look alike to selectors, with ancestors that do, are matched by the
 *     same
 *              rules: the second <li class="item"> of a list takes the rules of the first. A path
 *              is a number for (path of the parent, tag, classes, id, attributes that matter). If a
 *              rule that was tried depends on more than that (:nth-child, `+`), the path is only a
 *              name and its elements are matched one by one.
 *     styles   The same rules, inline declarations and attributes below the same parent style
 *              make the same style. Styles that turn out equal get the same number.
 *
 * Both are looked up by 64-bit hashes only: in the unlikely event of a collision, an element gets
 * another one's style.
 */
#include "css/cascade.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/url.h"
#include "css/browser_sheet.h"
#include "css/compute.h"
#include "css/hints.h"
#include "css/match.h"
#include "css/media.h"
#include "css/sheet.h"

const wn_css_options wn_css_defaults = {.width = 1366, .height = 768};

enum {
    MAX_CLASSES = 1000, /* of one element that are looked at */
    MAX_LINKS = 100,    /* sheets that a page may ask for */
    FILTER_WORDS = WN_CSS_FILTER_BITS / 64,
    SMALL_SORT = 48,
    SEARCH_COST = 8, /* groups that can be looked at in the time in which one is searched for */
    MAX_MATCHED = 1 << 21, /* rules that elements are matched by, all together */
};

/* ---- Working memory ---------------------------------------------------------------------- */

typedef struct filter {
    uint64_t words[FILTER_WORDS];
} filter;

/* An open element: what its children need of it. */
typedef struct level {
    wn_node_id node;
    uint32_t path;
    uint32_t keys; /* where its own begin among `keys` */
    filter filter; /* of the element and its ancestors */
} level;

/* A rule that matched; in the browser's own sheets or the page's. */
typedef struct match {
    uint64_t key;
    uint32_t rule;
} match;

typedef wn_array(match) matches;

/* The rules of an element or of its ::before or ::after. */
typedef struct rule_list {
    uint64_t hash;                             /* of the blocks; 0: there are none */
    uint32_t first, browser_count, page_count; /* in `matched` */
} rule_list;

enum { PARTS = 3 }; /* the element, ::before, ::after: as WN_PSEUDO_* */

typedef struct path {
    uint64_t key;
    bool shared; /* its elements are matched by the same rules */
    rule_list lists[PARTS];
} path;

/* A style and what was computed beside it. */
typedef struct style_info {
    const wn_css_env *env;
    const wn_css_content *content;
} style_info;

/* Numbers by 64-bit keys. */
typedef struct key_table {
    wn_map64 keys;
    wn_array(uint32_t) numbers; /* by the key's number in the map */
} key_table;

struct wn_css {
    wn_css_names names;
    wn_arena browser_arena;
    wn_css_values browser_values;
    wn_css_rules browser[2]; /* [1]: in quirks mode */
    wn_css_rules page;
    wn_css_values values;
    wn_css_computer computer;
    wn_css_vars vars;
    wn_css_matcher matchers[2]; /* the browser's sheets, the page's */
    wn_array(level) levels;
    wn_array(uint32_t) keys; /* classes and ids of the open elements, each once */
    bool *is_above;          /* by key: it is among them */
    matches found[PARTS][2];
    wn_array(match) matched;
    wn_array(path) paths;
    key_table path_table, style_table, equal_table;
    wn_array(wn_style) styles;
    wn_array(style_info) infos;
    wn_array(wn_generated) generated;
    wn_css_decls hints, inlines;
    wn_array(uint32_t) class_atoms;
    wn_array(match) important;
    wn_buf sheet; /* of a <style> in several pieces */

    /* Of the page at hand. */
    const wn_doc *doc;
    wn_arena *arena;
    wn_watch *watch;
    uint32_t *of, *generated_of; /* by node: numbers of styles and of generated text */
    bool no_author;
    wn_cost declarations, generated_bytes;
    uint32_t max_styles;
    bool author; /* the page says something */
    bool failed; /* out of memory */
    bool limited;
};

/* ---- Key tables -------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static uint64_t mix_bytes(uint64_t hash, const void *bytes, size_t len)
{
    const char *p = bytes;
    for (; len >= 8; p += 8, len -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = mix(hash, word);
    }
    uint64_t last = len;
    for (size_t i = 0; i < len; i++)
        last = last << 8 | (unsigned char)p[i];
    return mix(hash, last);
}

static void table_clear(key_table *table)
{
    wn_map64_clear(&table->keys);
    table->numbers.count = 0;
}

static void table_free(key_table *table)
{
    wn_map64_free(&table->keys);
    wn_array_free(&table->numbers);
}

static size_t table_memory(const key_table *table)
{
    return wn_map64_memory(&table->keys) + wn_array_bytes(&table->numbers);
}

/* The number of a key; UINT32_MAX if it has none. */
static uint32_t table_find(const key_table *table, uint64_t key)
{
    uint32_t place = wn_map64_find(&table->keys, key);
    return place < table->numbers.count ? table->numbers.items[place] : UINT32_MAX;
}

/* Gives a key its number; false if out of memory. */
static bool table_add(key_table *table, uint64_t key, uint32_t number)
{
    uint32_t place = wn_map64_add(&table->keys, key);
    if (place == WN_MAP_NONE || !wn_array_reserve(&table->numbers, table->keys.keys.count))
        return false;
    assert(place <= table->numbers.count);
    table->numbers.items[place] = number;
    table->numbers.count = table->keys.keys.count;
    return true;
}

/* ---- Sheets ------------------------------------------------------------------------------ */

/* Our own sheets: their declarations are read at once, since they outlive the page. */
static void load_browser_sheets(wn_css *css)
{
    wn_css_source source = {.values = &css->browser_values};
    for (int quirks = 0; quirks < 2; quirks++) {
        wn_css_rules *rules = &css->browser[quirks];
        wn_css_rules_reset(rules, false);
        wn_css_rules_add(rules, wn_str_of(wn_css_browser_sheet), &source);
        if (quirks)
            wn_css_rules_add(rules, wn_str_of(wn_css_quirks_sheet), &source);
        wn_css_rules_index(rules);
        for (uint32_t i = 0; i < rules->blocks.count; i++)
            wn_css_block_decls(rules, &css->browser_values, i);
        css->failed |= rules->set.failed || css->browser_arena.failed;
    }
}

wn_css *wn_css_new(void)
{
    wn_css *css = wn_memory_get_zeroed(sizeof *css);
    if (!css)
        return NULL;
    wn_css_names_init(&css->names);
    wn_arena_init(&css->browser_arena, 0);
    css->browser_values = (wn_css_values){
        .names = &css->names, .arena = &css->browser_arena, .screen = {1366, 768}};
    load_browser_sheets(css);
    if (css->failed) {
        wn_css_free(css);
        return NULL;
    }
    return css;
}

void wn_css_free(wn_css *css)
{
    if (!css)
        return;
    wn_css_rules_free(&css->browser[0]);
    wn_css_rules_free(&css->browser[1]);
    wn_css_rules_free(&css->page);
    wn_css_computer_free(&css->computer);
    wn_array_free(&css->browser_values.tokens);
    wn_array_free(&css->values.tokens);
    wn_array_free(&css->levels);
    wn_array_free(&css->keys);
    for (int part = 0; part < PARTS; part++) {
        wn_array_free(&css->found[part][0]);
        wn_array_free(&css->found[part][1]);
    }
    wn_array_free(&css->matched);
    wn_array_free(&css->paths);
    table_free(&css->path_table);
    table_free(&css->style_table);
    table_free(&css->equal_table);
    wn_array_free(&css->styles);
    wn_array_free(&css->infos);
    wn_array_free(&css->generated);
    wn_array_free(&css->hints);
    wn_array_free(&css->inlines);
    wn_array_free(&css->class_atoms);
    wn_array_free(&css->important);
    wn_buf_free(&css->sheet);
    wn_arena_free(&css->browser_arena);
    wn_memory_release(css);
}

size_t wn_css_memory(const wn_css *css)
{
    size_t bytes = sizeof *css + css->browser_arena.reserved + css->sheet.cap;
    bytes += wn_css_rules_memory(&css->browser[0]) + wn_css_rules_memory(&css->browser[1]);
    bytes += wn_css_rules_memory(&css->page) + wn_array_bytes(&css->values.tokens);
    for (int part = 0; part < PARTS; part++)
        bytes += wn_array_bytes(&css->found[part][0]) + wn_array_bytes(&css->found[part][1]);
    bytes += wn_array_bytes(&css->levels) + wn_array_bytes(&css->keys);
    bytes += wn_array_bytes(&css->matched);
    bytes += wn_array_bytes(&css->paths) + wn_array_bytes(&css->styles);
    bytes += wn_array_bytes(&css->infos) + wn_array_bytes(&css->generated);
    bytes += wn_array_bytes(&css->hints) + wn_array_bytes(&css->inlines);
    bytes += wn_array_bytes(&css->class_atoms) + wn_array_bytes(&css->important);
    bytes += table_memory(&css->path_table) + table_memory(&css->style_table) +
             table_memory(&css->equal_table);
    return bytes;
}

/* The text of a <style>: one piece in most pages. */
static wn_str style_text(wn_css *css, const wn_node *node)
{
    const wn_doc *doc = css->doc;
    const wn_node *first = wn_doc_node(doc, node->first_child);
    if (first->kind == WN_KIND_TEXT && !first->next)
        return wn_node_text(first);
    wn_buf_clear(&css->sheet);
    for (wn_node_id id = node->first_child; id; id = wn_doc_node(doc, id)->next)
        if (wn_doc_node(doc, id)->kind == WN_KIND_TEXT)
            wn_buf_add(&css->sheet, wn_node_text(wn_doc_node(doc, id)));
    css->failed |= css->sheet.failed;
    return wn_arena_copy(css->arena, wn_buf_str(&css->sheet));
}

static bool is_css(const wn_node *node)
{
    wn_str type = wn_str_trim(wn_node_attr_value(node, WN_ATTR_TYPE));
    return type.len == 0 || wn_str_starts_nocase(type, WN_STR("text/css"));
}

/* Whether a list of words apart by spaces has one. */
static bool has_word(wn_str list, wn_str word)
{
    const char *p = list.ptr, *end = list.ptr + list.len;
    while (p < end) {
        const char *start = p;
        while (p < end && !wn_is_space(*p))
            p++;
        if (wn_str_eq_nocase(wn_str_between(start, p), word))
            return true;
        p++;
    }
    return false;
}

/* Whether a <link> leads to a sheet that is used at once. */
static bool links_sheet(const wn_node *node)
{
    wn_str rel = wn_node_attr_value(node, WN_ATTR_REL);
    return wn_node_is(node, WN_TAG_LINK) && has_word(rel, WN_STR("stylesheet")) &&
           !has_word(rel, WN_STR("alternate")) && !wn_node_attr(node, WN_ATTR_DISABLED) &&
           wn_node_attr_value(node, WN_ATTR_HREF).len > 0 && is_css(node);
}

/* The address that references are relative to: <base href> or the page's own. */
static wn_str base_of(wn_css *css, wn_str base)
{
    const wn_doc *doc = css->doc;
    wn_node_id id = wn_doc_find(doc, WN_TAG_BASE);
    const wn_attr *href = id ? wn_node_attr(wn_doc_node(doc, id), WN_ATTR_HREF) : NULL;
    if (!href)
        return base;
    wn_buf address = {0};
    wn_url_resolve(&address, base, wn_attr_value(href));
    wn_str resolved = wn_arena_copy(css->arena, wn_buf_str(&address));
    css->failed |= address.failed;
    wn_buf_free(&address);
    return resolved;
}

/* A sheet that is not for this screen is not asked for. */
static void add_page_sheets(wn_css *css, const wn_css_source *source)
{
    const wn_doc *doc = css->doc;
    uint32_t links = 0;
    for (wn_node_id id = wn_doc_next(doc, WN_DOCUMENT_NODE, WN_DOCUMENT_NODE); id;) {
        const wn_node *node = wn_doc_node(doc, id);
        bool style = node->kind == WN_KIND_ELEMENT && node->tag == WN_TAG_STYLE && is_css(node);
        bool link = source->load && links_sheet(node);
        if ((style || link) &&
            !wn_css_media_holds(&css->values, wn_node_attr_value(node, WN_ATTR_MEDIA)))
            style = link = false;
        if (style)
            wn_css_rules_add(&css->page, style_text(css, node), source);
        else if (link && links++ < MAX_LINKS)
            wn_css_rules_load(&css->page, wn_node_attr_value(node, WN_ATTR_HREF), source);
        id = node->kind == WN_KIND_CONTENT ? wn_doc_skip(doc, id, WN_DOCUMENT_NODE)
                                           : wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    }
    css->limited |= links > MAX_LINKS;
}

static void add_sheets(wn_css *css, const wn_css_options *options)
{
    wn_css_source source = {
        .values = &css->values,
        .load = options->load,
        .load_data = options->load_data,
        .base = options->base.ptr ? options->base : WN_STR(""),
    };
    wn_css_rules_reset(&css->page, css->doc->quirks == WN_QUIRKS);
    if (!options->no_author) {
        source.base = base_of(css, source.base);
        add_page_sheets(css, &source);
    }
    for (size_t i = 0; i < options->sheet_count; i++) {
        const wn_css_sheet *sheet = &options->sheets[i];
        source.user = sheet->user;
        source.base = sheet->url.ptr ? sheet->url : WN_STR("");
        if (wn_css_media_holds(&css->values, sheet->media.ptr ? sheet->media : WN_STR("")))
            wn_css_rules_add(&css->page, wn_css_sheet_text(sheet, css->arena), &source);
    }
    css->author = css->page.rules.count > 0;
    wn_css_rules_index(&css->page);
    css->failed |= css->page.set.failed;
}

/* ---- Elements ---------------------------------------------------------------------------- */

/* The side of the sheets: 0 the browser's, 1 the page's. */
static wn_css_rules *rules_of(wn_css *css, int side)
{
    return side ? &css->page : &css->browser[css->values.quirks];
}

static void add_class(wn_css *css, uint32_t atom)
{
    uint32_t *slot = wn_array_push(&css->class_atoms);
    if (slot)
        *slot = atom;
    else
        css->failed = true;
}

/* Adds those of an element's classes that a selector names, up to MAX_CLASSES. */
static void read_classes(wn_css *css, wn_str list)
{
    const char *p = list.ptr, *end = list.ptr + list.len;
    uint32_t first = css->class_atoms.count;
    while (p < end && css->class_atoms.count - first < MAX_CLASSES && !css->failed) {
        while (p < end && wn_is_space(*p))
            p++;
        const char *start = p;
        while (p < end && !wn_is_space(*p))
            p++;
        uint32_t atom = p > start ? wn_css_atom_find(&css->page.set.atoms, wn_str_between(start, p))
                                  : 0;
        if (atom)
            add_class(css, atom);
    }
}

/* The numbers of the classes and the id of each element. */
static void read_names(wn_css *css, uint32_t *ids, uint32_t *starts)
{
    wn_css_atoms *atoms = &css->page.set.atoms;
    uint32_t count = css->doc->nodes.count;
    css->class_atoms.count = 0;
    for (wn_node_id id = 0; id < count; id++) {
        const wn_node *node = wn_doc_node(css->doc, id);
        ids[id] = 0;
        starts[id] = css->class_atoms.count;
        if (node->kind != WN_KIND_ELEMENT || wn_css_atoms_count(atoms) == 0)
            continue;
        for (uint32_t i = 0; i < node->len; i++) {
            const wn_attr *attr = &node->attrs[i];
            if (attr->id == WN_ATTR_ID)
                ids[id] = wn_css_atom_find(atoms, wn_attr_value(attr));
            else if (attr->id == WN_ATTR_CLASS)
                read_classes(css, wn_attr_value(attr));
        }
    }
    starts[count] = css->class_atoms.count;
}

/* Prepares for matching: names of elements, and what is above the one at hand. */
static void make_matchers(wn_css *css)
{
    uint32_t count = css->doc->nodes.count, keys = wn_css_key_end(&css->page.set);
    uint32_t *ids = wn_arena_alloc(css->arena, count * sizeof *ids);
    uint32_t *starts = wn_arena_alloc(css->arena, (count + 1) * sizeof *starts);
    css->is_above = wn_arena_alloc(css->arena, keys * sizeof *css->is_above);
    if (!ids || !starts || !css->is_above) {
        css->failed = true;
        return;
    }
    memset(css->is_above, 0, keys * sizeof *css->is_above);
    read_names(css, ids, starts);
    for (int i = 0; i < 2; i++) {
        css->matchers[i] = (wn_css_matcher){
            .doc = css->doc,
            .arena = css->arena,
            .set = &rules_of(css, i)->set,
            .ids = ids,
            .class_starts = starts,
            .class_atoms = css->class_atoms.items,
        };
        wn_cost_start(&css->matchers[i].cost, WN_COST_MATCHING, count);
    }
}

/* Whether a selector of either side may ask for an attribute. */
static bool is_asked_for(const wn_css *css, const wn_attr *attr)
{
    const wn_css_set *browser = css->matchers[0].set, *page = css->matchers[1].set;
    if (attr->id == WN_ATTR_UNKNOWN) {
        uint64_t names = browser->names_used | page->names_used;
        return names && names >> wn_str_hash(wn_str_from(attr->name, attr->name_len)) % 64 & 1;
    }
    uint64_t used = browser->attrs_used[attr->id / 64 % 4] | page->attrs_used[attr->id / 64 % 4];
    return used >> attr->id % 64 & 1;
}

/* All of an element that selectors can see without looking at other elements. */
static uint64_t look_of(const wn_css *css, const wn_node *node, wn_node_id id)
{
    const wn_css_matcher *page = &css->matchers[1];
    uint64_t hash = mix(node->tag, (uint64_t)node->ns << 32 | page->ids[id]);
    if (node->tag == WN_TAG_UNKNOWN) {
        wn_str name = wn_node_name(node);
        hash = mix_bytes(hash, name.ptr, name.len);
    }
    for (uint32_t i = page->class_starts[id]; i < page->class_starts[id + 1]; i++)
        hash = mix(hash, page->class_atoms[i]);
    for (uint32_t i = 0; i < node->len; i++) {
        const wn_attr *attr = &node->attrs[i];
        switch (attr->id) {
        case WN_ATTR_HREF:
        case WN_ATTR_DISABLED:
        case WN_ATTR_CHECKED:
        case WN_ATTR_SELECTED:
            hash = mix(hash, attr->id);
            break;
        case WN_ATTR_TYPE:
        case WN_ATTR_LANG:
        case WN_ATTR_DIR:
            hash = mix_bytes(mix(hash, attr->id), attr->value, attr->value_len);
            continue;
        default:
            break;
        }
        if (is_asked_for(css, attr)) {
            hash = attr->id ? mix(hash, attr->id) : mix_bytes(hash, attr->name, attr->name_len);
            hash = mix_bytes(hash, attr->value, attr->value_len);
        }
    }
    return hash;
}

static void add_to_filter(const wn_css *css, const wn_node *node, wn_node_id id, filter *f)
{
    const wn_css_matcher *page = &css->matchers[1];
    uint16_t bit = wn_css_filter_bit(WN_TEST_TAG, node->tag);
    f->words[bit / 64] |= (uint64_t)1 << bit % 64;
    if (page->ids[id]) {
        bit = wn_css_filter_bit(WN_TEST_ID, page->ids[id]);
        f->words[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    for (uint32_t i = page->class_starts[id]; i < page->class_starts[id + 1]; i++) {
        bit = wn_css_filter_bit(WN_TEST_CLASS, page->class_atoms[i]);
        f->words[bit / 64] |= (uint64_t)1 << bit % 64;
    }
}

/* ---- Matching ---------------------------------------------------------------------------- */

static bool passes(const filter *ancestors, const wn_css_selector *selector)
{
    for (int i = 0; i < WN_CSS_FILTERS && selector->filter[i]; i++) {
        uint16_t bit = selector->filter[i];
        if (!(ancestors->words[bit / 64] >> bit % 64 & 1))
            return false;
    }
    return true;
}

/* Tries rules of the index. */
static void try_rules(wn_css *css, int side, uint32_t first, uint32_t end, wn_node_id id,
                      const filter *ancestors)
{
    const wn_css_rules *rules = rules_of(css, side);
    wn_css_matcher *m = &css->matchers[side];
    if (!wn_cost_spend(&m->cost, end - first))
        return;
    for (uint32_t i = first; i < end; i++) {
        uint32_t number = rules->index.entries.items[i].rule;
        assert(number < rules->rules.count);
        const wn_css_rule *rule = &rules->rules.items[number];
        const wn_css_selector *selector = &rules->set.selectors.items[rule->selector];
        if (selector->pseudo >= PARTS || !passes(ancestors, selector) ||
            !wn_css_matches(m, selector, id))
            continue;
        match *found = wn_array_push(&css->found[selector->pseudo][side]);
        if (!found) {
            css->failed = true;
            return;
        }
        *found = (match){rule->key, number};
    }
}

/* The group of an anchor, of those in [first, end); NULL if there is none. */
static const wn_css_group *find_group(const wn_css_group *first, const wn_css_group *end,
                                      uint32_t anchor)
{
    while (end - first > 1) {
        const wn_css_group *middle = first + (end - first) / 2;
        if (middle->anchor <= anchor)
            first = middle;
        else
            end = middle;
    }
    return first < end && first->anchor == anchor ? first : NULL;
}

/* Tries the rules of a bucket, of groups with an anchor only where that is above. */
static void try_bucket(wn_css *css, int side, uint32_t bucket, wn_node_id id,
                       const filter *ancestors)
{
    const wn_css_index *index = &rules_of(css, side)->index;
    assert(bucket + 1 < index->buckets.count);
    const wn_css_group *first = &index->groups.items[index->buckets.items[bucket]];
    const wn_css_group *end = &index->groups.items[index->buckets.items[bucket + 1]];
    assert(first <= end && end < &index->groups.items[index->groups.count]);
    if (first < end && !first->anchor) {
        try_rules(css, side, first->first, first[1].first, id, ancestors);
        first++;
    }
    if ((size_t)(end - first) < SEARCH_COST * (size_t)css->keys.count) {
        for (const wn_css_group *group = first; group < end; group++)
            if (css->is_above[group->anchor])
                try_rules(css, side, group->first, group[1].first, id, ancestors);
        return;
    }
    for (uint32_t i = 0; i < css->keys.count && first < end; i++) {
        const wn_css_group *group = find_group(first, end, css->keys.items[i]);
        if (group)
            try_rules(css, side, group->first, group[1].first, id, ancestors);
    }
}

static void try_all(wn_css *css, int side, wn_node_id id, const filter *ancestors)
{
    const wn_css_rules *rules = rules_of(css, side);
    const wn_css_matcher *m = &css->matchers[side];
    const wn_node *node = wn_doc_node(m->doc, id);
    if (rules->rules.count == 0)
        return;
    try_bucket(css, side, WN_BUCKET_ANY, id, ancestors);
    if (node->tag)
        try_bucket(css, side, WN_BUCKET_TAG + node->tag, id, ancestors);
    else
        try_bucket(css, side, WN_BUCKET_NAME + wn_css_name_bucket(wn_node_name(node)), id,
                   ancestors);
    for (uint32_t i = 0; i < node->len; i++) {
        const wn_attr *attr = &node->attrs[i];
        if (attr->id)
            try_bucket(css, side, (uint32_t)WN_BUCKET_ATTR + attr->id, id, ancestors);
        else if (rules->set.names_used)
            try_bucket(css, side,
                       WN_BUCKET_ATTR_NAME +
                           wn_css_name_bucket(wn_str_from(attr->name, attr->name_len)),
                       id, ancestors);
    }
    if (side == 0)
        return; /* our own sheets have no classes and ids */
    if (m->ids[id])
        try_bucket(css, side, WN_BUCKET_KEY + wn_css_id_key(m->ids[id]), id, ancestors);
    for (uint32_t i = m->class_starts[id]; i < m->class_starts[id + 1]; i++)
        try_bucket(css, side, WN_BUCKET_KEY + wn_css_class_key(m->class_atoms[i]), id, ancestors);
}

static int compare_matches(const void *a, const void *b)
{
    const match *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static void sort_matches(match *items, uint32_t count)
{
    bool sorted = true;
    for (uint32_t i = 1; i < count && sorted; i++)
        sorted = items[i - 1].key <= items[i].key;
    if (sorted)
        return;
    if (count > SMALL_SORT) {
        qsort(items, count, sizeof *items, compare_matches);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        match item = items[i];
        uint32_t j = i;
        for (; j > 0 && items[j - 1].key > item.key; j--)
            items[j] = items[j - 1];
        items[j] = item;
    }
}

/* Moves what was found for one part to `matched`, sorted, each rule once. */
static void keep_found(wn_css *css, int part, rule_list *list)
{
    *list = (rule_list){.first = css->matched.count};
    for (int side = 0; side < 2; side++) {
        matches *found = &css->found[part][side];
        const wn_css_rules *rules = rules_of(css, side);
        uint32_t kept = 0;
        if (found->count > MAX_MATCHED - css->matched.count) {
            css->limited = true;
            found->count = 0;
        }
        if (found->count == 0)
            continue;
        sort_matches(found->items, found->count);
        if (!wn_array_reserve(&css->matched, css->matched.count + found->count)) {
            css->failed = true;
            return;
        }
        for (uint32_t i = 0; i < found->count; i++) {
            if (i > 0 && found->items[i].rule == found->items[i - 1].rule)
                continue; /* a class that is given twice */
            css->matched.items[css->matched.count++] = found->items[i];
            uint64_t block = rules->rules.items[found->items[i].rule].block;
            list->hash = mix(list->hash, block * 2 + (uint64_t)side + 1);
            kept++;
        }
        assert(css->matched.count <= css->matched.capacity);
        *(side ? &list->page_count : &list->browser_count) = kept;
        found->count = 0;
    }
}

/* Tries all rules on an element, and keeps those that match. */
static void find_rules(wn_css *css, wn_node_id id, const filter *ancestors, rule_list lists[PARTS])
{
    css->matchers[0].by_place = css->matchers[1].by_place = false;
    if (wn_doc_node(css->doc, id)->ns == WN_NS_HTML)
        try_all(css, 0, id, ancestors);
    try_all(css, 1, id, ancestors);
    for (int part = 0; part < PARTS; part++)
        keep_found(css, part, &lists[part]);
}

/* The rules that match an element, of its path if they are known. Returns the path's number. */
static uint32_t match_element(wn_css *css, wn_node_id id, const filter *ancestors,
                              uint32_t outer_path, rule_list lists[PARTS])
{
    uint64_t look = look_of(css, wn_doc_node(css->doc, id), id);
    uint64_t key = mix(look, outer_path + UINT64_C(0x51ED270B));
    uint32_t number = table_find(&css->path_table, key);
    bool known = number != UINT32_MAX;
    if (known && css->paths.items[number].shared) {
        memcpy(lists, css->paths.items[number].lists, PARTS * sizeof *lists);
        return number;
    }
    find_rules(css, id, ancestors, lists);
    if (known)
        return number;
    number = css->paths.count;
    path *p = wn_array_push(&css->paths);
    if (!p || !table_add(&css->path_table, key, number)) {
        css->failed = true;
        return 0;
    }
    p->key = key;
    p->shared = !css->matchers[0].by_place && !css->matchers[1].by_place;
    memcpy(p->lists, lists, PARTS * sizeof *lists);
    return number;
}

/* ---- Styles ------------------------------------------------------------------------------ */

static void apply_block(wn_css *css, int side, uint32_t rule, bool important)
{
    wn_css_rules *rules = rules_of(css, side);
    uint32_t number = rules->rules.items[rule].block;
    wn_css_values *values = side ? &css->values : &css->browser_values;
    const wn_css_block *block = wn_css_block_decls(rules, values, number);
    if (block->count == 0 || (important && !block->important))
        return;
    assert(block->first + block->count <= rules->decls.count);
    wn_cost_use(&css->declarations, block->count);
    wn_css_apply(&css->computer, rules->decls.items + block->first, block->count, important);
}

/* Declarations may move while more of them are read: all are read before any is applied. */
static bool read_blocks(wn_css *css, const rule_list *list)
{
    bool logical = false;
    for (uint32_t i = 0; i < list->page_count; i++) {
        uint32_t rule = css->matched.items[list->first + list->browser_count + i].rule;
        logical |= wn_css_block_decls(&css->page, &css->values, css->page.rules.items[rule].block)
                       ->logical;
    }
    for (uint32_t i = 0; i < list->browser_count; i++) {
        wn_css_rules *rules = rules_of(css, 0);
        uint32_t rule = css->matched.items[list->first + i].rule;
        logical |= rules->blocks.items[rules->rules.items[rule].block].logical;
    }
    return logical;
}

/* Direction and writing mode: logical properties go by them while they are collected. */
static void find_direction(wn_css *css, const rule_list *list)
{
    wn_css_computer *c = &css->computer;
    const wn_css_decls *inlines = &css->inlines;
    uint32_t total = list->browser_count + list->page_count;
    for (uint32_t i = 0; i <= total; i++) {
        const wn_css_decl *decls = inlines->items;
        uint32_t count = inlines->count;
        if (i < total) {
            wn_css_rules *rules = rules_of(css, i >= list->browser_count);
            uint32_t rule = css->matched.items[list->first + i].rule;
            const wn_css_block *block = &rules->blocks.items[rules->rules.items[rule].block];
            count = block->count;
            decls = count ? rules->decls.items + block->first : NULL;
        }
        for (uint32_t d = 0; d < count; d++) {
            if (decls[d].type != WN_VALUE_WORD)
                continue;
            if (decls[d].property == WN_PROP_DIRECTION)
                c->rtl = decls[d].number != 0;
            else if (decls[d].property == WN_PROP_WRITING_MODE)
                c->writing = (uint8_t)decls[d].number;
        }
    }
}

enum { LAYER_SHIFT = 52 };

/* Important declarations: the first layers win, and the reader's sheets over all. */
static void apply_important(wn_css *css, const rule_list *list)
{
    uint32_t first = list->first + list->browser_count;
    assert(first + list->page_count <= css->matched.count);
    css->important.count = 0;
    for (uint32_t i = first; i < first + list->page_count; i++) {
        uint32_t block = css->page.rules.items[css->matched.items[i].rule].block;
        if (!css->page.blocks.items[block].important)
            continue;
        match *item = wn_array_push(&css->important);
        if (!item) {
            css->failed = true;
            return;
        }
        *item = css->matched.items[i];
        item->key ^= (uint64_t)0xFFF << LAYER_SHIFT;
    }
    sort_matches(css->important.items, css->important.count);
    for (uint32_t i = 0; i < css->important.count; i++)
        apply_block(css, 1, css->important.items[i].rule, true);
    wn_css_apply(&css->computer, css->inlines.items, css->inlines.count, true);
    for (uint32_t i = 0; i < list->browser_count; i++)
        apply_block(css, 0, css->matched.items[list->first + i].rule, true);
}

/* Runs the cascade for an element (hints and inlines are filled) or a pseudo-element. */
static void compute(wn_css *css, const rule_list *list, uint32_t parent)
{
    wn_css_computer *c = &css->computer;
    assert(list->first + list->browser_count + list->page_count <= css->matched.count);
    assert(parent == UINT32_MAX || parent < css->styles.count);
    bool logical = read_blocks(css, list);
    wn_css_start(c, parent == UINT32_MAX ? NULL : &css->styles.items[parent],
                 parent == UINT32_MAX ? c->env : css->infos.items[parent].env);
    for (uint32_t i = 0; i < css->inlines.count; i++)
        logical |= css->inlines.items[i].logical;
    if (logical)
        find_direction(css, list);
    for (uint32_t i = 0; i < list->browser_count; i++)
        apply_block(css, 0, css->matched.items[list->first + i].rule, false);
    wn_css_mark_reverted(c);
    wn_css_apply(c, css->hints.items, css->hints.count, false);
    if (list->page_count && wn_cost_is_used_up(&css->declarations))
        wn_cost_exceed(&css->declarations); /* from here on the page's sheets have no say */
    for (uint32_t i = 0; i < list->page_count && !wn_cost_is_used_up(&css->declarations); i++)
        apply_block(css, 1, css->matched.items[list->first + list->browser_count + i].rule, false);
    wn_css_apply(c, css->inlines.items, css->inlines.count, false);
    apply_important(css, list);
    wn_css_finish(c);
}

/* The number of the style in css->computer: that of an equal one if there is any. */
static uint32_t keep_style(wn_css *css, const wn_css_content *content)
{
    const wn_css_computer *c = &css->computer;
    uint64_t key = mix_bytes(0, &c->style, sizeof c->style);
    key = mix(mix(key, (uint64_t)(uintptr_t)c->env), (uint64_t)(uintptr_t)content);
    uint32_t number = table_find(&css->equal_table, key);
    if (number != UINT32_MAX)
        return number;
    assert(css->styles.count == css->infos.count);
    number = css->styles.count;
    if (number >= css->max_styles) {
        css->limited = true;
        return 1; /* the document's, which is a plain block */
    }
    if (!wn_array_reserve(&css->styles, number + 1) || !wn_array_reserve(&css->infos, number + 1) ||
        !table_add(&css->equal_table, key, number)) {
        css->failed = true;
        return 0;
    }
    memcpy(&css->styles.items[number], &c->style, sizeof c->style);
    css->infos.items[number] = (style_info){c->env, content};
    css->styles.count = css->infos.count = number + 1;
    return number;
}

/* The inline declarations of an element; a number that tells them apart. */
static uint64_t inline_hash(wn_css *css, const wn_node *node, wn_str *text)
{
    const wn_attr *attr = wn_node_attr(node, WN_ATTR_STYLE);
    *text = attr ? wn_attr_value(attr) : WN_STR("");
    if (!attr || attr->value_len == 0)
        return 0;
    css->author = true;
    return mix_bytes(1, attr->value, attr->value_len);
}

static uint32_t style_element(wn_css *css, wn_node_id id, const rule_list *list, uint32_t parent)
{
    const wn_node *node = wn_doc_node(css->doc, id);
    wn_str text = WN_STR("");
    uint64_t hints;
    css->hints.count = css->inlines.count = 0;
    css->failed |= !wn_css_add_hints(css->doc, id, &css->hints, &hints);
    uint64_t inlined = css->no_author ? 0 : inline_hash(css, node, &text);
    uint64_t key = mix(mix(mix(list->hash, inlined), hints), (uint64_t)parent + 7);
    uint32_t number = table_find(&css->style_table, key);
    if (number != UINT32_MAX)
        return number;
    if (inlined)
        wn_css_read_decls(&css->values, text, &css->inlines);
    compute(css, list, parent);
    number = keep_style(css, NULL);
    if (!table_add(&css->style_table, key, number))
        css->failed = true;
    return number;
}

/* The style of ::before or ::after; 0 if there is nothing to be seen. */
static uint32_t style_part(wn_css *css, const rule_list *list, uint32_t parent)
{
    if (!list->hash)
        return 0;
    uint64_t key = mix(mix(list->hash, parent), UINT64_C(0xBEF0AF7E));
    uint32_t number = table_find(&css->style_table, key);
    if (number != UINT32_MAX)
        return number;
    css->hints.count = css->inlines.count = 0;
    compute(css, list, parent);
    const wn_css_content *content = css->computer.content;
    bool seen = content && !content->none && css->computer.style.display != WN_DISPLAY_NONE;
    number = seen ? keep_style(css, content) : 0;
    if (!table_add(&css->style_table, key, number))
        css->failed = true;
    return number;
}

/* ---- Generated text ---------------------------------------------------------------------- */

/* The attribute that generated text ends with; NULL if the element does not have it. */
static const wn_attr *content_attr(const wn_node *node, const wn_css_content *content)
{
    for (uint32_t i = 0; content->attr.len && i < node->len; i++) {
        const wn_attr *attr = &node->attrs[i];
        if (wn_str_eq_nocase(wn_str_from(attr->name, attr->name_len), content->attr))
            return attr;
    }
    return NULL;
}

/*
 * A few bytes of a sheet can generate much text at each element: text beyond the budget is left
 * out.
 */
static wn_str content_text(wn_css *css, const wn_node *node, uint32_t style)
{
    assert(style < css->infos.count);
    const wn_css_content *content = css->infos.items[style].content;
    if (!content)
        return WN_STR("");
    const wn_attr *attr = content_attr(node, content);
    size_t len = content->text.len + (attr ? attr->value_len : 0);
    if (!wn_cost_spend(&css->generated_bytes, len))
        return WN_STR("");
    char *both = attr ? wn_arena_bytes(css->arena, len + 1) : NULL;
    if (!both)
        return content->text;
    memcpy(both, content->text.ptr, content->text.len);
    if (attr->value_len)
        memcpy(both + content->text.len, attr->value, attr->value_len);
    return wn_str_from(both, len);
}

static uint32_t generate(wn_css *css, const wn_node *node, const rule_list lists[PARTS],
                         uint32_t style)
{
    if (!lists[WN_PSEUDO_BEFORE].hash && !lists[WN_PSEUDO_AFTER].hash)
        return 0;
    wn_generated made = {.before_text = {"", 0}, .after_text = {"", 0}};
    made.before_style = style_part(css, &lists[WN_PSEUDO_BEFORE], style);
    made.after_style = style_part(css, &lists[WN_PSEUDO_AFTER], style);
    if (!made.before_style && !made.after_style)
        return 0;
    if (made.before_style)
        made.before_text = content_text(css, node, made.before_style);
    if (made.after_style)
        made.after_text = content_text(css, node, made.after_style);
    wn_generated *slot = wn_array_push(&css->generated);
    if (!slot) {
        css->failed = true;
        return 0;
    }
    *slot = made;
    return css->generated.count - 1;
}

/* ---- The page ---------------------------------------------------------------------------- */

/* Half of the memory is for styles, which are copied once; few pages have a thousand of them. */
static uint32_t most_styles(size_t max_memory)
{
    size_t most = max_memory / (4 * sizeof(wn_style));
    return max_memory == 0 || most > UINT32_MAX ? UINT32_MAX : (uint32_t)most + 2;
}

static void start_page(wn_css *css, const wn_doc *doc, const wn_css_options *options,
                       wn_arena *arena)
{
    bool quirks = doc->quirks == WN_QUIRKS;
    css->doc = doc;
    css->arena = arena;
    css->watch = options->watch;
    css->no_author = options->no_author;
    css->failed = css->limited = css->author = false;
    css->values = (wn_css_values){.names = &css->names,
                                  .arena = arena,
                                  .screen = {options->width, options->height},
                                  .quirks = quirks,
                                  .tokens = css->values.tokens};
    css->vars = (wn_css_vars){.arena = arena};
    wn_cost_start(&css->vars.cost, WN_COST_VARIABLES, doc->source.len);
    wn_cost_start(&css->declarations, WN_COST_STYLES, doc->nodes.count);
    wn_cost_start(&css->generated_bytes, WN_COST_GENERATED, doc->source.len);
    css->max_styles = most_styles(options->max_memory);
    wn_css_computer *c = &css->computer;
    c->values = &css->values;
    c->vars = &css->vars;
    c->arena = arena;
    c->arms.count = 0;
    c->quirks = quirks;
    c->root_font_size = 16;
    c->env = NULL;
    c->read_text = NULL;
    for (int part = 0; part < PARTS; part++) /* what a page that failed left there */
        css->found[part][0].count = css->found[part][1].count = 0;
    css->levels.count = css->keys.count = css->matched.count = css->paths.count = 0;
    css->styles.count = css->infos.count = css->generated.count = 0;
    table_clear(&css->path_table);
    table_clear(&css->style_table);
    table_clear(&css->equal_table);
}

/* Number 0 is for what is not drawn, number 1 for the document itself. */
static void add_first_styles(wn_css *css)
{
    wn_generated *none = wn_array_push(&css->generated);
    if (!wn_array_reserve(&css->styles, 2) || !wn_array_reserve(&css->infos, 2) || !none) {
        css->failed = true;
        return;
    }
    *none = (wn_generated){.before_text = {"", 0}, .after_text = {"", 0}};
    for (int i = 0; i < 2; i++) {
        memcpy(&css->styles.items[i], &wn_css_initial, sizeof wn_css_initial);
        css->styles.items[i].display = i ? WN_DISPLAY_BLOCK : WN_DISPLAY_NONE;
        css->styles.items[i].specified_display = css->styles.items[i].display;
        memset(css->styles.items[i].border_width, 0, sizeof css->styles.items[i].border_width);
        css->infos.items[i] = (style_info){NULL, NULL};
    }
    css->styles.count = css->infos.count = 2;
}

/* Initial values that @property gives are below all variables of the page. */
static void add_registered(wn_css *css)
{
    wn_css_computer *c = &css->computer;
    c->customs.count = 0;
    for (uint32_t i = 0; i < css->page.registered.count; i++) {
        if (css->page.registered.items[i].property != WN_PROP_CUSTOM)
            continue;
        const wn_css_decl **slot = wn_array_push(&c->customs);
        if (!slot) {
            css->failed = true;
            return;
        }
        *slot = &css->page.registered.items[i];
    }
    if (c->customs.count)
        c->env = wn_css_env_make(&css->vars, NULL, c->customs.items, c->customs.count);
}

/* Notes a class or id as one that is above what follows. */
static void open_key(wn_css *css, uint32_t key)
{
    assert(key < wn_css_key_end(&css->page.set));
    uint32_t *slot = css->is_above[key] ? NULL : wn_array_push(&css->keys);
    if (slot)
        *slot = key;
    css->failed |= !slot && !css->is_above[key];
    css->is_above[key] = true;
}

/* Opens an element: its children come next. */
static void open_level(wn_css *css, const wn_node *node, wn_node_id id, uint32_t path,
                       const filter *ancestors)
{
    const wn_css_matcher *m = &css->matchers[1];
    level *own = wn_array_push(&css->levels);
    if (!own) {
        css->failed = true;
        return;
    }
    *own = (level){id, path, css->keys.count, *ancestors};
    add_to_filter(css, node, id, &own->filter);
    if (m->ids[id])
        open_key(css, wn_css_id_key(m->ids[id]));
    for (uint32_t i = m->class_starts[id]; i < m->class_starts[id + 1]; i++)
        open_key(css, wn_css_class_key(m->class_atoms[i]));
}

/* Closes elements until `parent` is the innermost, or none is open. */
static void close_levels(wn_css *css, wn_node_id parent)
{
    while (css->levels.count && css->levels.items[css->levels.count - 1].node != parent) {
        uint32_t keys = css->levels.items[--css->levels.count].keys;
        assert(keys <= css->keys.count);
        while (css->keys.count > keys)
            css->is_above[css->keys.items[--css->keys.count]] = false;
    }
}

static void style_node(wn_css *css, wn_node_id id)
{
    const wn_node *node = wn_doc_node(css->doc, id);
    close_levels(css, node->parent);
    const level *outer = css->levels.count ? &css->levels.items[css->levels.count - 1] : NULL;
    filter ancestors = outer ? outer->filter : (filter){{0}};
    rule_list lists[PARTS];
    uint32_t path = match_element(css, id, &ancestors, outer ? outer->path : UINT32_MAX, lists);
    bool root = node->parent == WN_DOCUMENT_NODE;
    uint32_t style = style_element(css, id, &lists[0], root ? UINT32_MAX : css->of[node->parent]);
    assert(style < css->styles.count);
    if (root)
        css->computer.root_font_size = css->styles.items[style].font_size;
    css->of[id] = style;
    css->generated_of[id] = generate(css, node, lists, style);
    if (node->first_child)
        open_level(css, node, id, path, &ancestors);
}

static void style_all(wn_css *css)
{
    const wn_doc *doc = css->doc;
    wn_node_id id = wn_doc_next(doc, WN_DOCUMENT_NODE, WN_DOCUMENT_NODE);
    while (id && !css->failed && !css->arena->failed && !wn_watch_over(css->watch)) {
        const wn_node *node = wn_doc_node(doc, id);
        if (node->kind == WN_KIND_TEXT)
            css->of[id] = css->of[node->parent];
        else if (node->kind == WN_KIND_ELEMENT)
            style_node(css, id);
        id = node->kind == WN_KIND_CONTENT ? wn_doc_skip(doc, id, WN_DOCUMENT_NODE)
                                           : wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    }
}

/* Zeroed numbers for all nodes; NULL if out of memory. */
static uint32_t *numbers(wn_arena *arena, uint32_t nodes)
{
    uint32_t *items = wn_arena_alloc(arena, (nodes + 1) * sizeof *items);
    if (items)
        memset(items, 0, (nodes + 1) * sizeof *items);
    return items;
}

/* A copy of an array in the arena. */
static const void *copied(wn_arena *arena, const void *items, size_t size)
{
    void *copy = wn_arena_alloc(arena, size + 1);
    if (copy && size)
        memcpy(copy, items, size);
    return copy;
}

static bool was_limited(const wn_css *css)
{
    return css->limited || css->page.limited || css->vars.cost.exceeded ||
           css->declarations.exceeded || css->generated_bytes.exceeded ||
           css->matchers[0].cost.exceeded || css->matchers[1].cost.exceeded;
}

/* What was computed, apart from the working memory. */
static const wn_styles *make_result(wn_css *css, const wn_css_options *options)
{
    wn_arena *arena = css->arena;
    wn_styles *styles = wn_arena_alloc(arena, sizeof *styles);
    if (!styles)
        return NULL;
    assert(css->styles.count == css->infos.count);
    *styles = (wn_styles){
        .table = copied(arena, css->styles.items, css->styles.count * sizeof(wn_style)),
        .count = css->styles.count,
        .of = css->of,
        .generated_of = css->generated_of,
        .generated = copied(arena, css->generated.items,
                            css->generated.count * sizeof(wn_generated)),
        .generated_count = css->generated.count,
        .arms = copied(arena, css->computer.arms.items,
                       css->computer.arms.count * sizeof(wn_length_arm)),
        .sheets = copied(arena, css->page.texts.items, css->page.texts.count * sizeof(wn_str)),
        .sheet_count = css->page.texts.count,
        .viewport_width = options->width,
        .viewport_height = options->height,
        .has_author_css = css->author,
        .limited = was_limited(css),
    };
    wn_array_free_if_large(&css->styles);
    wn_array_free_if_large(&css->infos);
    wn_array_free_if_large(&css->generated);
    return arena->failed ? NULL : styles;
}

const wn_styles *wn_css_compute(wn_css *css, const wn_doc *doc, const wn_css_options *options,
                                wn_arena *arena)
{
    start_page(css, doc, options, arena);
    css->of = numbers(arena, doc->nodes.count);
    css->generated_of = numbers(arena, doc->nodes.count);
    if (arena->failed)
        return NULL;
    add_sheets(css, options);
    if (!css->failed && !arena->failed)
        make_matchers(css);
    if (!css->failed && !arena->failed)
        add_first_styles(css);
    if (!css->failed && !arena->failed && doc->nodes.count > WN_DOCUMENT_NODE) {
        css->of[WN_DOCUMENT_NODE] = 1;
        add_registered(css);
        style_all(css);
    }
    arena->failed |= css->failed;
    return arena->failed ? NULL : make_result(css, options);
}
