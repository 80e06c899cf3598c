#include "auto/roles.h"

#include <assert.h>

#include "auto/role_phrases.h"
#include "auto/role_words.h"

enum {
    SMALL_BLOCKS = 4,  /* an element with more blocks is not a label */
    SHORT_WORDS = 25,  /* of a byline */
    MOST_LINKED = 500, /* thousandths of a text that are links; with more it is a link */
};

/* What is in a region is of that kind however large it is. */
enum {
    REGIONS = WN_SAYS_COMMENT | WN_SAYS_RELATED | WN_SAYS_PROMOTION | WN_SAYS_AD | WN_SAYS_SHARE |
              WN_SAYS_EMBED | WN_SAYS_LEGAL | WN_SAYS_NAVIGATION | WN_SAYS_FACTS,
    OTHERS = WN_SAYS_COMMENT | WN_SAYS_RELATED | WN_SAYS_PROMOTION |
             WN_SAYS_AD, /* not the page's */
};

static bool holds(const wn_auto_element *element, uint32_t block)
{
    return block >= element->first_block && block - element->first_block < element->blocks;
}

/*
 * Whether an element with "comments" in its name only leads to them: "3 comments" above the text or
 * among the buttons.
 */
static bool leads_to_comments(const wn_auto_features *f, const wn_auto_element *element,
                              uint16_t around)
{
    enum { FEW_WORDS = 5 };
    if (around & WN_SAYS_COMMENT)
        return false;
    bool is_small = element->blocks == 1 && element->words <= FEW_WORDS;
    const wn_block *first = &f->page->blocks.items[element->first_block];
    return (is_small && first->kind != WINNOW_BLOCK_HEADING &&
            element->first_block < f->last_good) ||
           (element->blocks <= 2 && (around & WN_SAYS_SHARE));
}

/*
 * What the names of an element say of all that is in it. Around the title, or around much of the
 * text, a name such as "has-related" speaks of the page; only comments may be longer than what they
 * are about. "recent-comments" are links to other pages.
 */
static uint16_t region_of(const wn_auto_features *f, uint32_t index, uint16_t around)
{
    enum { MOST_OF_TEXT = 3 }; /* a third */
    const wn_auto_element *element = &f->elements.items[index];
    uint16_t says = f->element_features[index].says & REGIONS;
    if (!says || holds(element, f->title))
        return 0;
    bool is_large = element->good_words * MOST_OF_TEXT > f->elements.items[0].good_words;
    if (is_large)
        says &= f->title < element->first_block ? WN_SAYS_COMMENT : 0;
    if ((says & WN_SAYS_COMMENT) && ((says & WN_SAYS_RELATED) || (around & WN_SAYS_RELATED) ||
                                     leads_to_comments(f, element, around)))
        says &= (uint16_t)~WN_SAYS_COMMENT;
    if (around & WN_SAYS_COMMENT) /* "most-popular" is an order of comments */
        says &= (uint16_t)~WN_SAYS_RELATED;
    return says;
}

/* The regions of an element: what it says itself counts more than what is said around it. */
static uint16_t join_regions(uint16_t around, uint16_t says)
{
    if (says & OTHERS)
        around &= (uint16_t)~OTHERS;
    return around | says;
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
        uint16_t says = f->element_features[i].says, around = roles->regions[element->parent];
        assert(element->parent < i);
        roles->regions[i] = join_regions(around, region_of(f, i, around));
        roles->posts[i] = roles->posts[element->parent];
        if (!roles->posts[i] && (roles->regions[i] & WN_SAYS_COMMENT) && element->kin > 1 &&
            !wn_node_is(wn_doc_node(f->page->doc, element->node), WN_TAG_P)) /* of a text */
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

bool wn_auto_is_ad_label(const wn_page *page, const wn_block *block)
{
    enum { MOST_WORDS = 7 };
    return block->words <= MOST_WORDS && block->link_bytes * 2 < block->len &&
           wn_auto_role_phrase_starts(wn_block_text(page, block), WN_PHRASE_AD);
}

/* Whether a block is a line such as "Read also: …", most of it a link. */
static bool is_read_also(const wn_auto_roles *roles, uint32_t block)
{
    enum { MOST_WORDS = 50 };
    const wn_block *shown = &roles->features->page->blocks.items[block];
    return shown->words <= MOST_WORDS &&
           roles->features->blocks[block].own[WN_F_LINK_SHARE] >= MOST_LINKED &&
           wn_auto_role_phrase_starts(wn_block_text(roles->features->page, shown),
                                      WN_PHRASE_READ_ALSO);
}

/* Whether a block is a line such as "Leave a comment", below the title. */
static bool is_comment_sign(const wn_auto_features *f, uint32_t block)
{
    enum { MOST_WORDS = 14 };
    const wn_block *shown = &f->page->blocks.items[block];
    return shown->words <= MOST_WORDS && block > f->title &&
           wn_auto_role_phrase_starts(wn_block_text(f->page, shown), WN_PHRASE_COMMENT);
}

/* ---- Roles ------------------------------------------------------------------------------- */

static uint8_t distance_to(const wn_auto_features *f, uint32_t element, wn_auto_feature near)
{
    return f->element_features[element].near[near - WN_F_NEAR_ARTICLE];
}

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

/*
 * Whether a block is in the form for a comment, or a button beside one. A form with much text is
 * around what readers wrote, or around the whole page.
 */
static bool is_comment_form(const wn_auto_features *f, uint32_t block)
{
    enum { MOST_WORDS = 150, MOST_PART_WORDS = 40 };
    const wn_block *shown = &f->page->blocks.items[block];
    uint32_t element = f->elements.of_block[block];
    wn_str text = wn_block_text(f->page, shown);
    if (wn_auto_is_comment_button(text) ||
        (shown->words <= MOST_PART_WORDS &&
         wn_auto_role_phrase_starts(text, WN_PHRASE_COMMENT_FORM)))
        return true;
    uint8_t up = distance_to(f, element, WN_F_NEAR_FORM);
    if (up >= WN_FAR)
        return false;
    for (; up > 0; up--)
        element = f->elements.items[element].parent;
    return f->elements.items[element].words <= MOST_WORDS;
}

/* "12", "+3": how many liked it. */
static bool is_counter(wn_str text)
{
    bool has_digit = false;
    for (size_t i = 0; i < text.len; i++) {
        bool is_digit = wn_is_ascii_digit(text.ptr[i]);
        if (!is_digit && !strchr("+-,.", text.ptr[i]))
            return false;
        has_digit |= is_digit;
    }
    return has_digit;
}

/* Whether a line in comments may be one of the site's, in whatever language. */
static bool may_be_of_site(const wn_auto_features *f, uint32_t block)
{
    enum { FEW_WORDS = 6, SEVERAL = 3 };
    const wn_block *shown = &f->page->blocks.items[block];
    return (shown->words <= FEW_WORDS && f->blocks[block].copies >= SEVERAL) ||
           is_counter(wn_block_text(f->page, shown));
}

static int role_in_comments(const wn_auto_roles *roles, uint32_t block)
{
    const wn_auto_features *f = roles->features;
    uint32_t element = f->elements.of_block[block];
    uint16_t labels = roles->labels[element];
    if (is_comment_sign(f, block) || is_comment_form(f, block))
        return WN_ROLE_COMMENT_SIGN;
    bool is_short = f->page->blocks.items[block].words <= SHORT_WORDS;
    if (is_short && ((labels & WN_SAYS_DATE) || begins_with_time(f, element)))
        return WN_ROLE_COMMENT_DATE;
    if (is_short && (labels & WN_SAYS_AUTHOR))
        return WN_ROLE_COMMENT_AUTHOR;
    return may_be_of_site(f, block) ? WN_ROLE_COMMENT_REPEATED : WINNOW_ROLE_COMMENT;
}

/* Whether a block is the first of a comment, as far as markup tells comments apart. */
static bool begins_comment(const wn_auto_roles *roles, uint32_t block)
{
    const uint32_t *elements = roles->features->elements.of_block;
    uint32_t post = roles->posts[elements[block]];
    return post != 0 && (block == 0 || post != roles->posts[elements[block - 1]]);
}

/*
 * The heading that is most like the title, its copies, and a text that says no more than the title
 * and is named or placed like one.
 */
static bool is_title(const wn_auto_features *f, uint32_t block, uint16_t labels)
{
    enum { MOST = 800, ALL = 950, HALF = 500 };
    const int16_t *own = f->blocks[block].own;
    const wn_block *shown = &f->page->blocks.items[block];
    if (shown->kind == WINNOW_BLOCK_HEADING)
        return block == f->title || (shown->level == 1 && own[WN_F_OF_TITLE] >= MOST) ||
               (shown->level <= 3 && own[WN_F_OF_TITLE] >= ALL && own[WN_F_TITLE_SHARE] >= MOST &&
                own[WN_F_LINK_SHARE] < MOST_LINKED);
    return shown->kind == WINNOW_BLOCK_PARAGRAPH && own[WN_F_LINK_SHARE] == 0 &&
           own[WN_F_OF_TITLE] >= ALL && own[WN_F_TITLE_SHARE] >= HALF && shown->words >= 2 &&
           ((labels & WN_SAYS_TITLE) || own[WN_F_TITLE_SHARE] >= MOST);
}

static bool is_caption(const wn_auto_features *f, uint32_t block, uint16_t labels, uint16_t region)
{
    enum { NEAR = 2, MOST_WORDS = 60 };
    uint32_t element = f->elements.of_block[block];
    const wn_block *shown = &f->page->blocks.items[block];
    if (shown->kind == WINNOW_BLOCK_FORM ||
        (region & (WN_SAYS_NAVIGATION | WN_SAYS_LEGAL | WN_SAYS_SHARE)) ||
        distance_to(f, element, WN_F_NEAR_FORM) <= NEAR)
        return false;
    bool is_in_figure = distance_to(f, element, WN_F_NEAR_FIGURE) <= NEAR;
    if (f->blocks[block].own[WN_F_LINK_SHARE] >= MOST_LINKED)
        return is_in_figure && shown->words < 4;
    if (shown->kind == WINNOW_BLOCK_CAPTION || is_in_figure)
        return true;
    return ((labels & WN_SAYS_CAPTION) && !(labels & (WN_SAYS_AUTHOR | WN_SAYS_DATE)) &&
            f->blocks[block].own[WN_F_COPYRIGHT] == 0) ||
           (shown->words <= MOST_WORDS && shown->words > 1 &&
            wn_auto_role_phrase_starts(wn_block_text(f->page, shown), WN_PHRASE_CAPTION));
}

/* Whether markup says that a block is a caption. */
static bool is_sure_caption(const wn_auto_features *f, uint32_t block, uint16_t region)
{
    uint32_t element = f->elements.of_block[block];
    const wn_block *shown = &f->page->blocks.items[block];
    return (shown->kind == WINNOW_BLOCK_CAPTION ||
            (f->element_features[element].says & WN_SAYS_CAPTION) != 0) &&
           is_caption(f, block, WN_SAYS_CAPTION, region);
}

/* The smallest element around the title that is around a block, too. */
static uint32_t shared_with_title(const wn_auto_features *f, uint32_t block)
{
    enum { MOST_UP = 12 };
    uint32_t element = f->elements.of_block[f->title];
    for (int up = 0; up < MOST_UP && !holds(&f->elements.items[element], block); up++)
        element = f->elements.items[element].parent;
    return holds(&f->elements.items[element], block) ? element : 0;
}

/*
 * Whether a block is apart from the text below it: the next block with some words is in an element
 * of another kind or in another place.
 */
static bool is_apart(const wn_auto_features *f, uint32_t block)
{
    enum { SOME_WORDS = 12, FAR_AHEAD = 8 };
    const wn_auto_elements *elements = &f->elements;
    const wn_auto_element *own = &elements->items[elements->of_block[block]];
    for (uint32_t i = block + 1; i < f->page->blocks.count && i <= block + FAR_AHEAD; i++) {
        const wn_auto_element *next = &elements->items[elements->of_block[i]];
        if (f->page->blocks.items[i].words >= SOME_WORDS)
            return next->parent != own->parent || next->signature != own->signature;
    }
    return own->kin <= 1;
}

/* Whether a block is in a small element with the title, as in a header above the text. */
static bool is_in_header(const wn_auto_features *f, uint32_t block)
{
    enum { MOST_BLOCKS = 14, MOST_WORDS = 160 };
    const wn_auto_element *shared = &f->elements.items[shared_with_title(f, block)];
    return shared->blocks <= MOST_BLOCKS && shared->good_words <= MOST_WORDS;
}

/* Whether a text is little more than a date: "Last updated on 28 November 2025". */
static bool is_dated(const wn_auto_features *f, uint32_t block)
{
    enum { MOST_WORDS = 10, OF_YEAR = 4 };
    const wn_block *shown = &f->page->blocks.items[block];
    wn_str text = wn_block_text(f->page, shown);
    int digits = 0;
    if (shown->words > MOST_WORDS)
        return false;
    for (size_t i = 0; i < text.len; i++)
        digits += wn_is_ascii_digit(text.ptr[i]);
    return digits >= OF_YEAR;
}

/*
 * The paragraph between title and text, by its name, its size of type, because the head says it,
 * too, or because it is in the header of the text.
 */
static bool is_lede(const wn_auto_features *f, uint32_t block, uint16_t labels, int page_type)
{
    enum {
        FEWEST_WORDS = 6,
        MOST_WORDS = 120,
        MOST_BEFORE = 60,
        MOST_BEFORE_NAMED = 110,
        OF_DESCRIPTION = 600
    };
    const wn_auto_block_features *b = &f->blocks[block];
    const wn_block *shown = &f->page->blocks.items[block];
    if (block <= f->title || shown->words < FEWEST_WORDS || shown->words > MOST_WORDS ||
        b->own[WN_F_LINK_SHARE] >= MOST_LINKED || shown->kind == WINNOW_BLOCK_FORM ||
        is_dated(f, block))
        return false;
    uint32_t before = b->good_before - f->blocks[f->title].good_before;
    if ((f->element_features[f->elements.of_block[block]].says & WN_SAYS_LEDE) &&
        before <= MOST_BEFORE_NAMED)
        return true;
    if ((labels & (WN_SAYS_AUTHOR | WN_SAYS_DATE | WN_SAYS_LEGAL | WN_SAYS_BYLINE)) ||
        before > MOST_BEFORE)
        return false;
    if (labels & WN_SAYS_LEDE)
        return true;
    if (shown->kind == WINNOW_BLOCK_HEADING)
        return block == f->title + 1 && shown->level <= 4;
    if (page_type == WINNOW_PAGE_TYPE_FORUM || page_type == WINNOW_PAGE_TYPE_PRODUCT ||
        shown->kind != WINNOW_BLOCK_PARAGRAPH || !is_apart(f, block))
        return false;
    return b->own[WN_F_DESCRIPTION_SHARE] >= OF_DESCRIPTION ||
           (is_in_header(f, block) && b->own[WN_F_ENDS_SENTENCE] > 0);
}

/* Of links to other pages: teasers have several words each, menus do not. */
static int role_of_links(const wn_auto_features *f, uint32_t block)
{
    enum { FEWEST_WORDS = 5, EACH = 4, IN_GROUP = 4, GROUP = 3, NEAR = 4 };
    uint32_t element = f->elements.of_block[block];
    const int16_t *own = f->blocks[block].own;
    const wn_block *shown = &f->page->blocks.items[block];
    const wn_auto_group *group = &f->paths.items[f->blocks[block].path];
    int links = own[WN_F_LINKS] > 0 ? own[WN_F_LINKS] : 1;
    bool is_like_teasers = group->count >= GROUP && group->words >= group->count * IN_GROUP;
    if (block == 0 || distance_to(f, element, WN_F_NEAR_FOOTER) <= NEAR)
        return WINNOW_ROLE_NAVIGATION;
    if (own[WN_F_COPYRIGHT] || (int)shown->words < links * EACH ||
        (shown->words < FEWEST_WORDS && !is_like_teasers))
        return WINNOW_ROLE_NAVIGATION;
    return WINNOW_ROLE_RELATED;
}

static bool is_offer(const wn_auto_features *f, uint32_t block)
{
    enum { MOST_WORDS = 18 };
    const wn_block *shown = &f->page->blocks.items[block];
    return shown->words <= MOST_WORDS &&
           wn_auto_role_phrase_starts(wn_block_text(f->page, shown), WN_PHRASE_OFFER);
}

/* Whether a block is one of many short links. */
static bool is_in_menu(const wn_auto_features *f, uint32_t block)
{
    enum { MANY = 8, SHORT_WORDS_EACH = 3 };
    const wn_auto_group *group = &f->paths.items[f->blocks[block].path];
    return f->blocks[block].own[WN_F_LINK_SHARE] >= MOST_LINKED && group->count >= MANY &&
           group->words < group->count * SHORT_WORDS_EACH;
}

/* Whether a block is a button of what it is in, such as "X" or "Close", or of the site. */
static bool is_control(const wn_auto_features *f, uint32_t block)
{
    enum { SHORT = 6 };
    const wn_block *shown = &f->page->blocks.items[block];
    return shown->kind == WINNOW_BLOCK_FORM || shown->len <= SHORT || is_in_menu(f, block) ||
           wn_auto_role_phrase_starts(wn_block_text(f->page, shown), WN_PHRASE_CONTROL);
}

/* What is promoted: teasers of the site's own pages are often called that. */
static int role_of_promotion(const wn_auto_features *f, uint32_t block, uint16_t region,
                             uint16_t labels)
{
    bool is_linked = f->blocks[block].own[WN_F_LINK_SHARE] >= MOST_LINKED;
    const int16_t *own = f->blocks[block].own;
    const wn_block *shown = &f->page->blocks.items[block];
    if ((region & WN_SAYS_AD) || own[WN_F_MONEY] > 0 || is_offer(f, block))
        return is_control(f, block) ? WINNOW_ROLE_OTHER : WINNOW_ROLE_PROMOTION;
    if (labels & WN_SAYS_AUTHOR)
        return WINNOW_ROLE_BYLINE;
    if (shown->kind == WINNOW_BLOCK_CELL || shown->kind == WINNOW_BLOCK_FORM)
        return WINNOW_ROLE_OTHER;
    bool is_title = f->page->blocks.items[block].kind == WINNOW_BLOCK_HEADING ||
                    role_of_links(f, block) == WINNOW_ROLE_RELATED;
    return is_linked && is_title ? WINNOW_ROLE_RELATED : WINNOW_ROLE_PROMOTION;
}

/* The role of a part of readers' comments, or of a sign that leads to them; else UNKNOWN. */
static int role_of_comment(const wn_auto_roles *roles, uint32_t block, int page_type, bool kept)
{
    const wn_auto_features *f = roles->features;
    if (page_type == WINNOW_PAGE_TYPE_FORUM)
        return WINNOW_ROLE_UNKNOWN;
    bool is_product = page_type == WINNOW_PAGE_TYPE_PRODUCT; /* where customers review */
    if (!is_product && wn_auto_roles_in_comments(roles, block))
        return role_in_comments(roles, block);
    uint16_t labels = roles->labels[f->elements.of_block[block]];
    bool is_sign = !kept && is_comment_sign(f, block) && !is_title(f, block, labels);
    return is_sign ? (int)WN_ROLE_COMMENT_SIGN : (int)WINNOW_ROLE_UNKNOWN;
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
    int of_comment = role_of_comment(roles, block, page_type, kept);
    if (of_comment != WINNOW_ROLE_UNKNOWN)
        return of_comment;
    if (is_title(f, block, labels))
        return WINNOW_ROLE_TITLE;
    if (wn_auto_is_ad_label(f->page, shown) && !(region & (WN_SAYS_NAVIGATION | WN_SAYS_LEGAL)))
        return WINNOW_ROLE_PROMOTION;
    if (is_sure_caption(f, block, region))
        return WINNOW_ROLE_CAPTION;
    if (is_lede(f, block, labels, page_type) && !(region & WN_SAYS_AD))
        return WINNOW_ROLE_LEDE;
    if ((labels & WN_SAYS_LEGAL) && !doubted)
        return WINNOW_ROLE_LEGAL;
    if (is_caption(f, block, labels, region))
        return WINNOW_ROLE_CAPTION;
    if (region & WN_SAYS_EMBED)
        return WINNOW_ROLE_EMBED;
    if ((region & WN_SAYS_SHARE) && !doubted)
        return WINNOW_ROLE_SHARE;
    if ((region & (WN_SAYS_PROMOTION | WN_SAYS_AD)) && !doubted)
        return role_of_promotion(f, block, region, labels);
    if ((region & WN_SAYS_RELATED) && !doubted)
        return WINNOW_ROLE_RELATED;
    if (kept && is_read_also(roles, block)) /* dropped links of some words are that without it */
        return WINNOW_ROLE_RELATED;
    if (!kept && is_offer(f, block))
        return WINNOW_ROLE_PROMOTION;
    if (((region & WN_SAYS_LEGAL) || own[WN_F_COPYRIGHT]) && !doubted)
        return WINNOW_ROLE_LEGAL;
    if ((labels & (WN_SAYS_AUTHOR | WN_SAYS_DATE | WN_SAYS_BYLINE)) && shown->words <= SHORT_WORDS)
        return WINNOW_ROLE_BYLINE;
    if ((region & WN_SAYS_NAVIGATION) && !doubted)
        return WINNOW_ROLE_NAVIGATION;
    return region & WN_SAYS_FACTS ? WINNOW_ROLE_FACTS : WINNOW_ROLE_UNKNOWN;
}

int wn_auto_role_of_kept(const wn_block *block)
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

/* Of what names, markup and words do not tell. */
static int role_without_signs(const wn_auto_roles *roles, uint32_t block, int page_type, bool kept)
{
    const wn_auto_features *f = roles->features;
    if (kept)
        return wn_auto_role_of_kept(&f->page->blocks.items[block]);
    if (f->blocks[block].own[WN_F_LINK_SHARE] < MOST_LINKED)
        return WINNOW_ROLE_OTHER;
    bool is_list = page_type == WINNOW_PAGE_TYPE_LISTING ||
                   page_type == WINNOW_PAGE_TYPE_COLLECTION;
    if (is_list && block < f->last_good)
        return WINNOW_ROLE_OTHER; /* what the page is a list of, more often than not */
    return role_of_links(f, block);
}

static int role_of(const wn_auto_roles *roles, uint32_t block, int page_type, bool kept)
{
    assert(block < roles->features->page->blocks.count);
    int role = role_by_signs(roles, block, page_type, kept);
    return role != WINNOW_ROLE_UNKNOWN ? role : role_without_signs(roles, block, page_type, kept);
}

/* ---- Cards ------------------------------------------------------------------------------- */

/* Whether a role is what a block has if nothing is known of it. */
static bool is_weak(const wn_verdict *verdict)
{
    return !verdict->keep &&
           (verdict->role == WINNOW_ROLE_OTHER || verdict->role == WINNOW_ROLE_NAVIGATION ||
            verdict->role == WINNOW_ROLE_BYLINE || verdict->role == WINNOW_ROLE_LEDE ||
            verdict->role == WINNOW_ROLE_CAPTION);
}

/*
 * The card around a block: a small element, one of several alike, none of which is kept. 0: there is
 * none.
 */
static uint32_t card_of(const wn_auto_features *f, uint32_t block)
{
    enum { MOST_BLOCKS = 10, MOST_UP = 6 };
    uint32_t element = f->elements.of_block[block];
    for (int up = 0; up < MOST_UP && element; up++) {
        const wn_auto_element *e = &f->elements.items[element];
        if (e->blocks > MOST_BLOCKS)
            return 0;
        if (e->blocks > 1 && e->kin > 1)
            return element;
        element = e->parent;
    }
    return 0;
}

/*
 * Date, author and first words of a teaser are teasers, too, with the title that is a link. A card
 * has few blocks, so each of its titles may look at all of them. None may be skipped: a card that
 * is an inline element has text between its blocks that belongs to the block around it, so `i` may
 * lie past the blocks that are counted from its first one.
 */
static void join_cards(const wn_auto_features *f, wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        uint32_t card = selection->verdicts[i].role == WINNOW_ROLE_RELATED &&
                                !selection->verdicts[i].keep
                            ? card_of(f, i)
                            : 0;
        if (!card)
            continue;
        const wn_auto_element *e = &f->elements.items[card];
        for (uint32_t k = e->first_block; k < e->first_block + e->blocks; k++)
            if (is_weak(&selection->verdicts[k]))
                selection->verdicts[k].role = WINNOW_ROLE_RELATED;
    }
}

/* Whether a block is promoted only because it is in a "promo". */
static bool is_only_promo(const wn_auto_roles *roles, uint32_t block, const wn_verdict *verdict)
{
    const wn_auto_features *f = roles->features;
    return verdict->role == WINNOW_ROLE_PROMOTION &&
           !(roles->regions[f->elements.of_block[block]] & WN_SAYS_AD) &&
           f->blocks[block].own[WN_F_MONEY] == 0 && !is_offer(f, block) &&
           !wn_auto_is_ad_label(f->page, &f->page->blocks.items[block]);
}

/* The short line above teasers: "Latest posts". */
static void join_heads(const wn_auto_roles *roles, wn_selection *selection)
{
    const wn_auto_features *f = roles->features;
    enum { MOST_WORDS = 7 };
    for (uint32_t i = selection->count; i-- > 1;) {
        wn_verdict *above = &selection->verdicts[i - 1];
        const wn_block *block = &f->page->blocks.items[i - 1];
        if (selection->verdicts[i].role == WINNOW_ROLE_RELATED && !selection->verdicts[i].keep &&
            !above->keep && block->words <= MOST_WORDS &&
            (above->role == WINNOW_ROLE_OTHER || is_only_promo(roles, i - 1, above) ||
             (above->role == WINNOW_ROLE_NAVIGATION && block->kind == WINNOW_BLOCK_HEADING)))
            above->role = WINNOW_ROLE_RELATED;
    }
}

/*
 * Comments follow what they are about: above most of the text, names such as "comments" belong to
 * what leads to them.
 */
static void doubt_early_comments(const wn_auto_roles *roles, int page_type, wn_selection *selection)
{
    enum { EARLY = 10, OF_TEXT = 3 }; /* less than three tenths of the text is before it */
    const wn_page *page = roles->features->page;
    uint64_t all = 0, before = 0;
    for (uint32_t i = 0; i < selection->count; i++)
        all += selection->verdicts[i].keep ? page->blocks.items[i].words : 0;
    for (uint32_t i = 0; i < selection->count && before * EARLY < all * OF_TEXT; i++) {
        wn_verdict *verdict = &selection->verdicts[i];
        before += verdict->keep ? page->blocks.items[i].words : 0;
        if (wn_selection_role_is_comment(verdict->role) && !verdict->keep)
            verdict->role = (uint8_t)role_without_signs(roles, i, page_type, false);
    }
}

/*
 * A line that is the site's is in most of the comments; one that is only in some of them, several
 * readers wrote: "Congratulations!".
 */
static void doubt_repeated(const wn_auto_features *f, wn_selection *selection)
{
    uint32_t comments = 0;
    for (uint32_t i = 0; i < selection->count; i++)
        comments += selection->verdicts[i].post == WN_POST_COMMENT;
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_verdict *verdict = &selection->verdicts[i];
        bool is_common = comments > 0 && f->blocks[i].copies >= comments / 2;
        if (verdict->role == WN_ROLE_COMMENT_REPEATED && !is_common &&
            !is_counter(wn_block_text(f->page, &f->page->blocks.items[i])))
            verdict->role = WINNOW_ROLE_COMMENT;
    }
}

/* Marks where comments begin, and what is the site's in them. */
static void settle_comments(const wn_auto_roles *roles, int page_type, wn_selection *selection)
{
    doubt_early_comments(roles, page_type, selection);
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_verdict *verdict = &selection->verdicts[i];
        if (!wn_selection_role_is_comment(verdict->role))
            continue;
        selection->has_comments = true;
        if (begins_comment(roles, i))
            verdict->post = WN_POST_COMMENT;
    }
    if (selection->has_comments)
        doubt_repeated(roles->features, selection);
}

void wn_auto_roles_assign(const wn_auto_roles *roles, int page_type, wn_selection *selection)
{
    assert(selection->count == roles->features->page->blocks.count);
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_verdict *verdict = &selection->verdicts[i];
        verdict->role = (uint8_t)role_of(roles, i, page_type, verdict->keep);
    }
    settle_comments(roles, page_type, selection);
    join_cards(roles->features, selection);
    join_heads(roles, selection);
}

void wn_auto_roles_assign_comments(const wn_auto_roles *roles, int page_type,
                                   wn_selection *selection)
{
    assert(selection->count == roles->features->page->blocks.count);
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_verdict *verdict = &selection->verdicts[i];
        int role = role_of_comment(roles, i, page_type, verdict->keep);
        int other = verdict->keep ? WINNOW_ROLE_BODY : WINNOW_ROLE_OTHER;
        verdict->role = (uint8_t)(role != WINNOW_ROLE_UNKNOWN ? role : other);
    }
    settle_comments(roles, page_type, selection);
}

int wn_auto_role_of_edge(const wn_page *page, const wn_block *block)
{
    return wn_auto_is_ad_label(page, block) ? WINNOW_ROLE_PROMOTION : WINNOW_ROLE_NAVIGATION;
}
