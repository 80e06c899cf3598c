#include "auto/roles.h"

#include <assert.h>

#include "auto/role_words.h"

enum {
    SMALL_BLOCKS = 4,  /* an element with more blocks is not a label */
    SHORT_WORDS = 25,  /* of a byline */
    MOST_LINKED = 500, /* thousandths of a text that are links; with more it is a link */
};

/* What is in a region is of that kind however large it is. */
enum {
    REGIONS = WN_SAYS_COMMENT | WN_SAYS_RELATED | WN_SAYS_PROMOTION | WN_SAYS_SHARE |
              WN_SAYS_EMBED | WN_SAYS_LEGAL | WN_SAYS_NAVIGATION | WN_SAYS_FACTS,
};

static bool holds(const wn_auto_element *element, uint32_t block)
{
    return block >= element->first_block && block - element->first_block < element->blocks;
}

/*
 * What the names of an element say of all that is in it. Around the title, or around much of the
 * text, a name such as "has-related" speaks of the page; only comments may be longer than what they
 * are about.
 */
static uint16_t region_of(const wn_auto_features *f, uint32_t index)
{
    enum { MOST_OF_TEXT = 3 }; /* a third */
    const wn_auto_element *element = &f->elements.items[index];
    uint16_t says = f->element_features[index].says & REGIONS;
    if (!says || holds(element, f->title))
        return 0;
    bool is_large = element->good_words * MOST_OF_TEXT > f->elements.items[0].good_words;
    if (is_large)
        says &= f->title < element->first_block ? WN_SAYS_COMMENT : 0;
    return says;
}

bool wn_auto_roles_prepare(wn_auto_roles *roles, const wn_auto_features *f, wn_arena *arena)
{
    uint32_t count = f->elements.count;
    *roles = (wn_auto_roles){
        .features = f,
        .regions = wn_arena_alloc(arena, count * sizeof *roles->regions),
        .labels = wn_arena_alloc(arena, count * sizeof *roles->labels),
        .posts = wn_arena_alloc(arena, count * sizeof *roles->posts),
    };
    if (!roles->regions || !roles->labels || !roles->posts)
        return false;
    roles->regions[0] = roles->labels[0] = 0;
    roles->posts[0] = 0;
    for (uint32_t i = 1; i < count; i++) {
        const wn_auto_element *element = &f->elements.items[i];
        uint16_t says = f->element_features[i].says;
        assert(element->parent < i);
        roles->regions[i] = roles->regions[element->parent] | region_of(f, i);
        roles->posts[i] = roles->posts[element->parent];
        if (!roles->posts[i] && (roles->regions[i] & WN_SAYS_COMMENT) && element->kin > 1)
            roles->posts[i] = i;
        roles->labels[i] = 0;
        if (element->blocks <= SMALL_BLOCKS)
            roles->labels[i] = roles->labels[element->parent] | says;
    }
    return true;
}

bool wn_auto_roles_in_comments(const wn_auto_roles *roles, uint32_t block)
{
    return roles->regions[roles->features->elements.of_block[block]] & WN_SAYS_COMMENT;
}

/* ---- What a text begins with ------------------------------------------------------------- */

/* "Read also: …" in the languages of the sets that were read. */
static const wn_str read_also[] = {
    {"read also", 9},       {"also read", 9},        {"read more", 9},
    {"read next", 9},       {"more on this", 12},    {"more:", 5},
    {"related:", 8},        {"related article", 15}, {"see also", 8},
    {"don't miss", 10},     {"recommended", 11},     {"lire aussi", 10},
    {"à lire", 7},          {"a lire", 6},           {"lesen sie auch", 14},
    {"lesen sie mehr", 14}, {"mehr zum thema", 14},  {"leggi anche", 11},
    {"lea también", 12},    {"lee también", 12},     {"te puede interesar", 18},
    {"leia também", 12},    {"leia mais", 9},        {"lees ook", 8},
    {"läs också", 11},      {"les også", 9},         {"læs også", 10},
    {"lue myös", 9},        {"czytaj także", 13},    {"czytaj też", 11},
    {"zobacz także", 13},   {"baca juga", 9},        {"читайте также", 25},
    {"читайте також", 25},  {"相关阅读", 12},        {"延伸阅读", 12},
    {"延伸閱讀", 12},       {"関連記事", 12},        {"あわせて読みたい", 24},
    {"tin liên quan", 14},  {"xem thêm", 9},         {"ilgili haber", 12},
    {"اقرأ أيضا", 17},
};

static bool says_read_also(wn_str text)
{
    for (size_t i = 0; i < sizeof read_also / sizeof *read_also; i++)
        if (text.len >= read_also[i].len &&
            wn_str_eq_nocase(wn_str_from(text.ptr, read_also[i].len), read_also[i]))
            return true;
    return false;
}

/* Whether a block is a line such as "Read also: …", most of it a link. */
static bool is_read_also(const wn_auto_roles *roles, uint32_t block)
{
    enum { MOST_WORDS = 50 };
    const wn_block *shown = &roles->features->page->blocks.items[block];
    return shown->words <= MOST_WORDS &&
           roles->features->blocks[block].own[WN_F_LINK_SHARE] >= MOST_LINKED &&
           says_read_also(wn_block_text(roles->features->page, shown));
}

/* ---- Roles ------------------------------------------------------------------------------- */

/*
 * Whether an element that holds one block, and begins with another, holds a date: <p><time>3
 * May</time>.
 */
static bool begins_with_time(const wn_auto_features *f, uint32_t element)
{
    const wn_auto_element *e = &f->elements.items[element];
    const wn_doc *doc = f->page->doc;
    wn_node_id first = wn_doc_node(doc, e->node)->first_child;
    return e->blocks == 1 && first && wn_node_is(wn_doc_node(doc, first), WN_TAG_TIME);
}

static int role_in_comments(const wn_auto_roles *roles, uint32_t block)
{
    const wn_auto_features *f = roles->features;
    const uint32_t *elements = f->elements.of_block;
    uint16_t labels = roles->labels[elements[block]];
    bool is_short = f->page->blocks.items[block].words <= SHORT_WORDS;
    if (is_short && ((labels & WN_SAYS_DATE) || begins_with_time(f, elements[block])))
        return WN_ROLE_COMMENT_DATE;
    if (is_short && (labels & WN_SAYS_AUTHOR))
        return WN_ROLE_COMMENT_AUTHOR;
    bool is_first = block > 0 && roles->posts[elements[block]] != roles->posts[elements[block - 1]];
    return is_first ? WN_ROLE_COMMENT_FIRST : WINNOW_ROLE_COMMENT;
}

static bool is_title(const wn_auto_features *f, uint32_t block)
{
    const int16_t *own = f->blocks[block].own;
    const wn_block *shown = &f->page->blocks.items[block];
    return shown->kind == WINNOW_BLOCK_HEADING &&
           (block == f->title || (shown->level == 1 && own[WN_F_OF_TITLE] >= 800));
}

static bool is_caption(const wn_auto_features *f, uint32_t block, uint16_t labels)
{
    enum { NEAR = 2 };
    const uint8_t *near = f->element_features[f->elements.of_block[block]].near;
    return f->page->blocks.items[block].kind == WINNOW_BLOCK_CAPTION ||
           near[WN_F_NEAR_FIGURE - WN_F_NEAR_ARTICLE] <= NEAR || (labels & WN_SAYS_CAPTION);
}

/*
 * The paragraph between title and text, by its name, its size of type, or because the head says it,
 * too.
 */
static bool is_lede(const wn_auto_features *f, uint32_t block, uint16_t labels)
{
    enum { FEWEST_WORDS = 6, MOST_BEFORE = 40, OF_DESCRIPTION = 600 };
    const wn_auto_block_features *b = &f->blocks[block];
    const wn_block *shown = &f->page->blocks.items[block];
    return block > f->title && shown->words >= FEWEST_WORDS &&
           b->own[WN_F_LINK_SHARE] < MOST_LINKED &&
           b->good_before - f->blocks[f->title].good_before <= MOST_BEFORE &&
           ((labels & WN_SAYS_LEDE) || b->own[WN_F_DESCRIPTION_SHARE] >= OF_DESCRIPTION ||
            (shown->kind == WINNOW_BLOCK_HEADING && block == f->title + 1));
}

/*
 * Roles that names, markup or words tell; WINNOW_ROLE_UNKNOWN if none does. Of a text that is kept
 * the names of large regions are doubted: "ads-enabled" and "share-content" are often around the
 * article itself.
 */
static int role_by_signs(const wn_auto_roles *roles, uint32_t block, int page_type, bool kept)
{
    const wn_auto_features *f = roles->features;
    const wn_block *shown = &f->page->blocks.items[block];
    const int16_t *own = f->blocks[block].own;
    uint32_t element = f->elements.of_block[block];
    uint16_t region = roles->regions[element], labels = roles->labels[element];
    bool doubted = kept && own[WN_F_LINK_SHARE] < MOST_LINKED;
    if ((region & WN_SAYS_COMMENT) && page_type != WINNOW_PAGE_TYPE_FORUM)
        return role_in_comments(roles, block);
    if (is_title(f, block))
        return WINNOW_ROLE_TITLE;
    if (region & WN_SAYS_EMBED)
        return WINNOW_ROLE_EMBED;
    if ((region & WN_SAYS_SHARE) && !doubted)
        return WINNOW_ROLE_SHARE;
    if ((region & WN_SAYS_PROMOTION) && !doubted)
        return WINNOW_ROLE_PROMOTION;
    if ((region & WN_SAYS_RELATED) && !doubted)
        return WINNOW_ROLE_RELATED;
    if (is_caption(f, block, labels))
        return WINNOW_ROLE_CAPTION;
    if (kept && is_read_also(roles, block)) /* dropped links of some words are that without it */
        return WINNOW_ROLE_RELATED;
    if (((region & WN_SAYS_LEGAL) || own[WN_F_COPYRIGHT]) && !doubted)
        return WINNOW_ROLE_LEGAL;
    if (is_lede(f, block, labels))
        return WINNOW_ROLE_LEDE;
    if ((labels & (WN_SAYS_AUTHOR | WN_SAYS_DATE)) && shown->words <= SHORT_WORDS)
        return WINNOW_ROLE_BYLINE;
    if ((region & WN_SAYS_NAVIGATION) && !doubted)
        return WINNOW_ROLE_NAVIGATION;
    return region & WN_SAYS_FACTS ? WINNOW_ROLE_FACTS : WINNOW_ROLE_UNKNOWN;
}

static int role_of_kept(const wn_block *block)
{
    switch (block->kind) {
    case WINNOW_BLOCK_HEADING:
        return WINNOW_ROLE_HEADING;
    case WINNOW_BLOCK_QUOTE:
        return WINNOW_ROLE_QUOTATION;
    case WINNOW_BLOCK_CELL:
    case WINNOW_BLOCK_TERM:
    case WINNOW_BLOCK_DETAIL:
        return WINNOW_ROLE_FACTS;
    default:
        return WINNOW_ROLE_BODY;
    }
}

int wn_auto_role_of(const wn_auto_roles *roles, uint32_t block, int page_type, bool kept)
{
    enum { FEWEST_TEASER_WORDS = 5 };
    const wn_auto_features *f = roles->features;
    const wn_block *shown = &f->page->blocks.items[block];
    assert(block < f->page->blocks.count);
    int role = role_by_signs(roles, block, page_type, kept);
    if (role != WINNOW_ROLE_UNKNOWN)
        return role;
    if (kept)
        return role_of_kept(shown);
    if (f->blocks[block].own[WN_F_LINK_SHARE] < MOST_LINKED)
        return WINNOW_ROLE_OTHER;
    return shown->words >= FEWEST_TEASER_WORDS ? WINNOW_ROLE_RELATED : WINNOW_ROLE_NAVIGATION;
}
