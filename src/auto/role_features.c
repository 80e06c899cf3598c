/*
 * Everything is found in a few passes over elements and blocks, each linear: what is inherited goes
 * from parents to children, which come after them; steps to other blocks go back and forth once.
 */
#include "auto/role_features.h"

#include <assert.h>

#include "auto/features_text.h"
#include "auto/role_words.h"

enum {
    FAR_STEPS = 30, /* blocks to one of a role that is far away, or not there */
    IMAGE_LEVELS = 4,
};

#define NAME_OF(name) #name,
const char *const wn_auto_role_feature_names[WN_ROLE_FEATURE_COUNT] = {WN_ROLE_FEATURES(NAME_OF)};

/* Names whose element is measured, in the order of their features. */
static const uint8_t sized_says[] = {1, 2, 4, 7, 13}; /* related, promotion, caption, lede, ad */
_Static_assert(sizeof sized_says == WN_ROLE_SIZED, "names that are measured");
_Static_assert(WN_SAYS_RELATED == 1 << 1 && WN_SAYS_PROMOTION == 1 << 2 &&
                   WN_SAYS_CAPTION == 1 << 4 && WN_SAYS_LEDE == 1 << 7 && WN_SAYS_AD == 1 << 13,
               "bits of names");

/* Roles to which steps are counted, in the order of their features. */
static const uint8_t step_roles[] = {
    WINNOW_ROLE_TITLE,      WINNOW_ROLE_LEDE,    WINNOW_ROLE_BODY,      WINNOW_ROLE_CAPTION,
    WINNOW_ROLE_COMMENT,    WINNOW_ROLE_RELATED, WINNOW_ROLE_PROMOTION, WINNOW_ROLE_SHARE,
    WINNOW_ROLE_NAVIGATION, WINNOW_ROLE_OTHER,
};
_Static_assert(sizeof step_roles * 2 == WN_ROLE_STEPS, "roles with steps");

static int role_at(const wn_selection *selection, uint32_t block)
{
    int role = selection->verdicts[block].role;
    return wn_selection_role_is_comment(role) ? WINNOW_ROLE_COMMENT : role;
}

/* ---- Elements ---------------------------------------------------------------------------- */

static void inherit_names(wn_auto_role_rows *rows, uint32_t element)
{
    const wn_auto_features *f = rows->roles->features;
    uint16_t says = element ? f->element_features[element].says : 0;
    wn_auto_role_names *own = &rows->names[element];
    const wn_auto_role_names *around = &rows->names[f->elements.items[element].parent];
    own->images = 0;
    for (int i = 0; i < WN_ROLE_SAYS; i++) {
        uint8_t up = element ? around->near[i] : WN_FAR;
        own->near[i] = (uint8_t)(says >> i & 1 ? 0 : up < WN_FAR ? up + 1 : WN_FAR);
    }
    for (int i = 0; i < WN_ROLE_SIZED; i++)
        own->sized[i] = says >> sized_says[i] & 1 ? element : element ? around->sized[i] : 0;
}

/* Counts pictures for the nearest listed element around each, and then for those around that. */
static bool count_images(wn_auto_role_rows *rows, wn_arena *arena)
{
    enum { MOST_UP = 12 };
    const wn_auto_elements *elements = &rows->roles->features->elements;
    const wn_doc *doc = rows->roles->features->page->doc;
    uint32_t *of_node = wn_arena_alloc(arena, doc->nodes.count * sizeof *of_node);
    if (!of_node)
        return false;
    memset(of_node, 0, doc->nodes.count * sizeof *of_node);
    for (uint32_t i = 1; i < elements->count; i++)
        of_node[elements->items[i].node] = i;
    for (wn_node_id id = 1; id < doc->nodes.count; id++) {
        if (!wn_node_is(wn_doc_node(doc, id), WN_TAG_IMG))
            continue;
        wn_node_id around = id;
        for (int up = 0; up < MOST_UP && around && !of_node[around]; up++)
            around = wn_doc_node(doc, around)->parent;
        wn_auto_role_names *names = &rows->names[of_node[around]];
        names->images += names->images < INT16_MAX;
    }
    for (uint32_t i = elements->count; i-- > 1;) {
        wn_auto_role_names *parent = &rows->names[elements->items[i].parent];
        uint32_t sum = parent->images + rows->names[i].images;
        parent->images = (uint16_t)(sum < INT16_MAX ? sum : INT16_MAX);
    }
    return true;
}

/* ---- Links ------------------------------------------------------------------------------- */

/* The first link of a block, or NULL if it has no link. */
static const wn_node *first_link(const wn_page *page, uint32_t block)
{
    const wn_block *shown = &page->blocks.items[block];
    for (uint32_t i = shown->first_span; i < shown->first_span + shown->span_count; i++)
        if (page->spans.items[i].kind == WN_SPAN_LINK)
            return wn_doc_node(page->doc, page->spans.items[i].node);
    return NULL;
}

/* Where a link leads: the beginning of it, since a long one may be around many blocks. */
static wn_str target_of(const wn_node *link)
{
    enum { LONGEST = 500 };
    wn_str target = wn_node_attr_value(link, WN_ATTR_HREF);
    return wn_str_from(target.ptr, target.len < LONGEST ? target.len : LONGEST);
}

/* The last two parts of the host of an address, empty if it names none; `path` is what follows. */
static wn_str site_of(wn_str target, wn_str *path)
{
    enum { SCHEME = 6 }; /* bytes of "https:"; later ones are part of a path */
    size_t slashes = wn_str_find(target, WN_STR("//")), dots = 0;
    *path = target;
    if (slashes >= target.len || slashes > SCHEME)
        return wn_str_from(target.ptr, 0);
    wn_str host = wn_str_from_offset(target, slashes + 2);
    size_t end = wn_str_find(host, WN_STR("/"));
    host.len = end < host.len ? end : host.len;
    *path = wn_str_from_offset(target, slashes + 2 + host.len);
    for (size_t i = host.len; i-- > 0;)
        if (host.ptr[i] == '.' && ++dots == 2)
            return wn_str_from_offset(host, i + 1);
    return host;
}

static uint8_t one_more(uint8_t count)
{
    return (uint8_t)(count < UINT8_MAX ? count + 1 : count);
}

static void read_address(wn_auto_role_address *address, wn_str path)
{
    *address = (wn_auto_role_address){0};
    for (size_t i = 0; i < path.len && i < UINT8_MAX && path.ptr[i] != '?' && path.ptr[i] != '#';
         i++) {
        char c = path.ptr[i];
        address->length = one_more(address->length);
        address->dashes = c == '-' || c == '_' ? one_more(address->dashes) : address->dashes;
        address->digits = wn_is_ascii_digit(c) ? one_more(address->digits) : address->digits;
        address->depth = c == '/' ? one_more(address->depth) : address->depth;
    }
}

/*
 * Reads where blocks lead to, and finds the site of the page: the host that more than half of the
 * blocks lead to, if there is one, else one of them; links without host vote, too.
 */
static void read_links(wn_auto_role_rows *rows)
{
    const wn_page *page = rows->roles->features->page;
    uint32_t votes = 0;
    rows->site = WN_STR("");
    for (uint32_t i = 0; i < rows->selection->count; i++) {
        const wn_node *link = first_link(page, i);
        wn_str path = WN_STR("");
        wn_str site = link ? site_of(target_of(link), &path) : path;
        read_address(&rows->blocks[i].address, path);
        if (!link)
            continue;
        if (votes == 0)
            rows->site = site;
        votes = wn_str_eq_nocase(site, rows->site) ? votes + 1 : votes - 1;
    }
}

static bool is_foreign(const wn_auto_role_rows *rows, const wn_node *link)
{
    wn_str path, site = site_of(target_of(link), &path);
    return site.len > 0 && !wn_str_eq_nocase(site, rows->site);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

/* Only one direction, so that each block looks at one other; `last` is FAR_STEPS at the start. */
static void count_steps(wn_auto_role_rows *rows, uint32_t block, bool on,
                        uint8_t last[sizeof step_roles])
{
    wn_auto_role_block *b = &rows->blocks[block];
    int role = role_at(rows->selection, block);
    for (size_t i = 0; i < sizeof step_roles; i++) {
        b->steps[2 * i + on] = last[i];
        last[i] = (uint8_t)(role == step_roles[i] ? 1
                            : last[i] < FAR_STEPS ? last[i] + 1
                                                  : FAR_STEPS);
    }
}

static void read_text(wn_auto_role_rows *rows, uint32_t block)
{
    const wn_page *page = rows->roles->features->page;
    wn_str text = wn_block_text(page, &page->blocks.items[block]);
    wn_auto_role_block *b = &rows->blocks[block];
    wn_auto_role_terms_count(&b->terms, text);
    b->phrases = 0;
    for (unsigned i = 0; i < WN_PHRASE_KINDS; i++)
        b->phrases |= (uint8_t)(wn_auto_role_phrase_starts(text, i) << i);
}

static void read_blocks(wn_auto_role_rows *rows)
{
    uint8_t back[sizeof step_roles], on[sizeof step_roles];
    const wn_page *page = rows->roles->features->page;
    memset(back, FAR_STEPS, sizeof back);
    memset(on, FAR_STEPS, sizeof on);
    rows->kept = 0;
    for (uint32_t i = 0; i < rows->selection->count; i++) {
        read_text(rows, i);
        count_steps(rows, i, false, back);
        rows->blocks[i].kept_before = rows->kept;
        rows->kept += rows->selection->verdicts[i].keep ? page->blocks.items[i].words : 0;
    }
    for (uint32_t i = rows->selection->count; i-- > 0;)
        count_steps(rows, i, true, on);
}

bool wn_auto_role_rows_prepare(wn_auto_role_rows *rows, const wn_auto_roles *roles, int page_type,
                               const uint16_t *chances, const wn_selection *selection,
                               wn_arena *arena)
{
    uint32_t elements = roles->features->elements.count;
    *rows = (wn_auto_role_rows){
        .roles = roles,
        .selection = selection,
        .chances = chances,
        .page_type = page_type,
        .names = wn_arena_alloc(arena, elements * sizeof *rows->names),
        .blocks = wn_arena_alloc(arena, selection->count * sizeof *rows->blocks),
    };
    if (!rows->names || !rows->blocks)
        return false;
    for (uint32_t i = 0; i < elements; i++)
        inherit_names(rows, i);
    read_blocks(rows);
    read_links(rows);
    return count_images(rows, arena);
}

/* ---- Rows -------------------------------------------------------------------------------- */

static void write_own(const wn_auto_role_rows *rows, uint32_t block, int16_t *row)
{
    const wn_auto_features *f = rows->roles->features;
    const wn_selection *selection = rows->selection;
    const wn_auto_role_block *b = &rows->blocks[block];
    int role = role_at(selection, block);
    bool is_kept = selection->verdicts[block].keep;
    uint32_t behind = rows->kept - b->kept_before -
                      (is_kept ? f->page->blocks.items[block].words : 0);
    row[WN_R_ROLE] = (int16_t)role;
    row[WN_R_ROLE_TITLE] = role == WINNOW_ROLE_TITLE;
    row[WN_R_ROLE_LEDE] = role == WINNOW_ROLE_LEDE;
    row[WN_R_ROLE_CAPTION] = role == WINNOW_ROLE_CAPTION;
    row[WN_R_ROLE_RELATED] = role == WINNOW_ROLE_RELATED;
    row[WN_R_ROLE_PROMOTION] = role == WINNOW_ROLE_PROMOTION;
    row[WN_R_ROLE_BODY] = role == WINNOW_ROLE_BODY;
    row[WN_R_ROLE_NAVIGATION] = role == WINNOW_ROLE_NAVIGATION;
    row[WN_R_KEPT] = is_kept;
    row[WN_R_CHANCE] = (int16_t)rows->chances[block];
    row[WN_R_TYPE] = (int16_t)rows->page_type;
    row[WN_R_BLOCK_OF_TITLE] = wn_auto_clip((int64_t)block - f->title);
    row[WN_R_KEPT_LEFT] = block > 0 && selection->verdicts[block - 1].keep;
    row[WN_R_KEPT_RIGHT] = block + 1 < selection->count && selection->verdicts[block + 1].keep;
    row[WN_R_KEPT_BEFORE] = wn_auto_clip(b->kept_before);
    row[WN_R_KEPT_BEHIND] = wn_auto_clip(behind);
    row[WN_R_KEPT_PLACE] = wn_auto_share(b->kept_before, rows->kept);
}

static void write_images(const wn_auto_role_rows *rows, uint32_t block, int16_t *row)
{
    const wn_auto_elements *elements = &rows->roles->features->elements;
    uint32_t element = elements->of_block[block];
    for (int i = 0; i < IMAGE_LEVELS; i++) {
        row[WN_R_IMAGES0 + i] = (int16_t)rows->names[element].images;
        element = elements->items[element].parent;
    }
}

static void write_address(const wn_auto_role_rows *rows, bool is_there, uint32_t block,
                          int16_t *length, int16_t *dashes)
{
    *length = (int16_t)(is_there ? rows->blocks[block].address.length : -1);
    *dashes = (int16_t)(is_there ? rows->blocks[block].address.dashes : -1);
}

static void write_link(const wn_auto_role_rows *rows, uint32_t block, int16_t *row)
{
    const wn_auto_role_address *address = &rows->blocks[block].address;
    const wn_node *link = first_link(rows->roles->features->page, block);
    memset(row + WN_R_LINK_ABSOLUTE, 0, (WN_R_LEFT_LENGTH - WN_R_LINK_ABSOLUTE) * sizeof *row);
    write_address(rows, block > 0, block - 1, &row[WN_R_LEFT_LENGTH], &row[WN_R_LEFT_DASHES]);
    write_address(rows, block + 1 < rows->selection->count, block + 1, &row[WN_R_RIGHT_LENGTH],
                  &row[WN_R_RIGHT_DASHES]);
    if (!link)
        return;
    wn_str target = target_of(link), rel = wn_node_attr_value(link, WN_ATTR_REL);
    row[WN_R_LINK_ABSOLUTE] = wn_str_starts_nocase(target, WN_STR("http"));
    row[WN_R_LINK_NOFOLLOW] = wn_str_contains_nocase(rel, WN_STR("nofollow")) ||
                              wn_str_contains_nocase(rel, WN_STR("sponsored"));
    row[WN_R_LINK_TRACKED] = wn_str_find(target, WN_STR("?")) < target.len;
    row[WN_R_LINK_WINDOW] = wn_node_attr_value(link, WN_ATTR_TARGET).len > 0;
    row[WN_R_LINK_FOREIGN] = is_foreign(rows, link);
    row[WN_R_LINK_LENGTH] = address->length;
    row[WN_R_LINK_DASHES] = address->dashes;
    row[WN_R_LINK_DIGITS] = address->digits;
    row[WN_R_LINK_DEPTH] = address->depth;
}

static void write_names(const wn_auto_role_rows *rows, uint32_t block, int16_t *row)
{
    const wn_auto_elements *elements = &rows->roles->features->elements;
    const wn_auto_role_names *names = &rows->names[elements->of_block[block]];
    for (int i = 0; i < WN_ROLE_SAYS; i++)
        row[WN_R_SAYS_COMMENT + i] = names->near[i];
    for (int i = 0; i < WN_ROLE_SIZED; i++) {
        const wn_auto_element *e = &elements->items[names->sized[i]];
        bool is_there = names->sized[i] != 0;
        int16_t *size = &row[WN_R_RELATED_WORDS + 3 * i];
        size[0] = (int16_t)(is_there ? wn_auto_clip(e->words) : -1);
        size[1] = (int16_t)(is_there ? wn_auto_clip(e->blocks) : -1);
        size[2] = (int16_t)(is_there ? wn_auto_share(e->good_words, elements->items[0].good_words)
                                     : -1);
    }
}

/* What is said of a block, or of none, in features that begin at `first`. */
static void write_terms(const wn_auto_role_rows *rows, bool is_there, uint32_t block,
                        int16_t *first)
{
    for (int i = 0; i < WN_TERM_KINDS; i++)
        first[i] = (int16_t)(is_there ? rows->blocks[block].terms.all[i] : -1);
}

static void write_phrases(const wn_auto_role_rows *rows, bool is_there, uint32_t block,
                          int16_t *first)
{
    for (int i = 0; i < WN_PHRASE_KINDS; i++)
        first[i] = is_there && (rows->blocks[block].phrases >> i & 1);
}

void wn_auto_role_row(const wn_auto_role_rows *rows, uint32_t block, int16_t *row)
{
    const wn_auto_features *f = rows->roles->features;
    const wn_auto_role_block *b = &rows->blocks[block];
    bool has_heading = f->blocks[block].heading_level > 0;
    uint32_t heading = f->blocks[block].heading_block, count = rows->selection->count;
    assert(block < count && (!has_heading || heading < count));
    wn_auto_features_row(f, block, row);
    row += WN_FEATURE_COUNT;
    write_own(rows, block, row);
    row[WN_R_UNDER] = (int16_t)(has_heading ? wn_auto_clip((int64_t)block - heading) : -1);
    row[WN_R_UNDER_ROLE] = (int16_t)(has_heading ? role_at(rows->selection, heading) : -1);
    write_images(rows, block, row);
    write_link(rows, block, row);
    write_names(rows, block, row);
    for (int i = 0; i < WN_ROLE_STEPS; i++)
        row[WN_R_TITLE_BACK + i] = b->steps[i];
    write_phrases(rows, true, block, row + WN_R_OWN_READ_ALSO);
    write_phrases(rows, block > 0, block - 1, row + WN_R_LEFT_READ_ALSO);
    write_phrases(rows, has_heading, heading, row + WN_R_HEAD_READ_ALSO);
    write_terms(rows, true, block, row + WN_R_OFFER_TERMS);
    for (int i = 0; i < WN_TERM_KINDS; i++)
        row[WN_R_OFFER_FIRST + i] = b->terms.first[i];
    write_terms(rows, block > 0, block - 1, row + WN_R_OFFER_LEFT);
    write_terms(rows, block + 1 < count, block + 1, row + WN_R_OFFER_RIGHT);
    write_terms(rows, has_heading, heading, row + WN_R_OFFER_HEAD);
}
