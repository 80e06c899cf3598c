/*
 * auto: the main content of any kind of page.
 *
 * The idea, in three steps:
 *
 *  1. Every block gets a chance of being content, from what it is (long text speaks
 *     for it, links against it) and from where it stands (<nav>, <footer>, "sidebar",
 *     "cookie" speak against it). Chances are whole numbers of 1024ths: the same
 *     page gives the same verdicts on every machine.
 *
 *  2. The best container is the element that would score highest if all of it were
 *     taken for the content: with E the expected content words inside it, W all its
 *     words and G the expected content words of the page, its expected F1
 *     is 2E / (W + G).
 *
 *  3. Inside the container a block is kept if its chance is high enough; blocks
 *     between two kept ones need less, and headings follow what they head.
 *
 * What it sees: text, links, element names, class and id words. What it does not see: style sheets, layout, other
 * pages of the site. Where it fails: pages whose content is a set of cards (products,
 * listings), and pages with a second article behind the first.
 *
 * The constants were chosen on the WCXB development pages.
 */
#include "extract/method.h"

enum {
    ONE = 1024, /* a chance of 1 */

    /* Step 1: what a block is. */
    LONG_BLOCK = 24,  /* words from which on a block is surely text */
    SHORT_CHANCE = 300, /* of a block of no words at all */
    LINK_CHANCE = 100,  /* of a block that is all links */
    FORM_CHANCE = 64,
    CAPTION_CHANCE = 341,

    /* Step 1: where it stands. Chances are multiplied from the root down. */
    MUCH = 512, /* an element with this share of the page's words is judged by its blocks alone */
    IN_NAV = 60,
    IN_FOOTER = 100,
    IN_ASIDE = 250,
    IN_HEADER = 350,
    IN_FORM = 700,
    IN_NOISE_CLASS = 250,
    IN_FOLDED = 800,
    IN_HIDDEN = 250,
    IN_NOSCRIPT = 500,

    /* Step 3. */
    OUTSIDE = 300,    /* the container */
    LOWEST_CUT = 150, /* the chance from which on a block is kept lies between these */
    HIGHEST_CUT = 400,
    KEEP_BETWEEN = 150, /* between two kept blocks */
    FEW_WORDS = 10,     /* fewer expected words than this are no content at all */
};

/* What is gathered for each node of the document. */
typedef struct tally {
    uint32_t words;    /* of all blocks in it */
    uint32_t expected; /* content words among them, in 1024ths / 64 so that sums fit */
    uint16_t chance;   /* that what stands here is content, from the elements around */
} tally;

enum { EXPECTED_UNIT = 16 };

typedef struct judge {
    const wn_page *page;
    tally *tallies;   /* by node */
    uint16_t *chances; /* by block */
} judge;

/* ---- Step 1: chances --------------------------------------------------------------------- */

static uint16_t times(uint32_t a, uint32_t b)
{
    return (uint16_t)(a * b / ONE);
}

/* Words of class names and ids that mark what is around the content; sorted. */
#define W(word) {(word), sizeof(word) - 1}
static const wn_str noise_words[] = {
    W("ad"), W("ads"), W("advert"), W("advertisement"), W("alert"), W("author"), W("avatar"),
    W("banner"), W("bio"), W("breadcrumb"), W("breadcrumbs"), W("byline"), W("captcha"),
    W("cart"), W("cmp"), W("comment"), W("comments"), W("consent"), W("cookie"), W("cookies"),
    W("copyright"), W("crumbs"), W("cta"), W("dialog"), W("disclaimer"), W("dropdown"),
    W("filter"), W("filters"), W("foot"), W("footer"), W("gdpr"), W("hidden"), W("login"),
    W("masthead"), W("mega"), W("megamenu"), W("menu"), W("meta"), W("mobile"), W("modal"),
    W("more"), W("nav"), W("navbar"), W("navigation"), W("newsletter"), W("offcanvas"),
    W("outbrain"), W("overlay"), W("pager"), W("pagination"), W("popular"), W("popup"),
    W("print"), W("promo"), W("rating"), W("recent"), W("recommend"), W("recommendation"),
    W("recommendations"), W("recommended"), W("related"), W("reply"), W("reviews"), W("search"),
    W("share"), W("sharing"), W("sidebar"), W("signup"), W("similar"), W("skip"), W("social"),
    W("sponsor"), W("sponsored"), W("subscribe"), W("subscription"), W("taboola"), W("tag"),
    W("tags"), W("toolbar"), W("tooltip"), W("topbar"), W("trending"), W("upsell"), W("widget"),
    W("widgets"),
};

enum { NOISE_WORDS = sizeof noise_words / sizeof *noise_words, LONGEST_NOISE_WORD = 16 };

static bool is_noise_word(wn_str word)
{
    size_t low = 0, high = NOISE_WORDS;
    while (low < high) {
        size_t middle = (low + high) / 2;
        wn_str other = noise_words[middle];
        size_t common = word.len < other.len ? word.len : other.len;
        int order = memcmp(word.ptr, other.ptr, common);
        if (order == 0 && word.len == other.len)
            return true;
        if (order < 0 || (order == 0 && word.len < other.len))
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* Looks at each word of "site-header navBar_main": letters, a new word at a capital. */
static bool has_noise_word(wn_str names)
{
    char word[LONGEST_NOISE_WORD];
    size_t len = 0;
    for (size_t i = 0; i <= names.len; i++) {
        char c = i < names.len ? names.ptr[i] : ' ';
        bool letter = wn_is_ascii_alpha(c);
        bool starts = letter && c != wn_ascii_lower(c) && i > 0 && names.ptr[i - 1] >= 'a';
        if (!letter || starts) {
            if (len > 1 && len <= LONGEST_NOISE_WORD && is_noise_word(wn_str_from(word, len)))
                return true;
            len = 0;
        }
        if (letter && len++ < LONGEST_NOISE_WORD)
            word[len - 1] = wn_ascii_lower(c);
    }
    return false;
}

static uint32_t chance_of_names(const wn_node *element)
{
    for (uint32_t i = 0; i < element->len; i++) {
        const wn_attr *attr = &element->attrs[i];
        if ((attr->id == WN_ATTR_CLASS || attr->id == WN_ATTR_ID) &&
            has_noise_word(wn_attr_value(attr)))
            return IN_NOISE_CLASS;
    }
    return ONE;
}

static uint32_t chance_of_role(const wn_node *element)
{
    wn_str role = wn_node_attr_value(element, WN_ATTR_ROLE);
    if (role.len == 0)
        return ONE;
    if (wn_str_eq(role, WN_STR("navigation")) || wn_str_eq(role, WN_STR("menu")))
        return IN_NAV;
    if (wn_str_eq(role, WN_STR("contentinfo")) || wn_str_eq(role, WN_STR("search")))
        return IN_FOOTER;
    if (wn_str_eq(role, WN_STR("complementary")) || wn_str_eq(role, WN_STR("dialog")))
        return IN_ASIDE;
    return wn_str_eq(role, WN_STR("banner")) ? IN_HEADER : ONE;
}

/* What an element says of all that is in it. */
static uint32_t chance_of_element(const wn_node *element)
{
    uint32_t chance = ONE;
    switch (element->tag) {
    case WN_TAG_NAV:
        return IN_NAV;
    case WN_TAG_FOOTER:
        return IN_FOOTER;
    case WN_TAG_ASIDE:
        chance = IN_ASIDE;
        break;
    case WN_TAG_HEADER:
        chance = IN_HEADER;
        break;
    case WN_TAG_FORM:
        chance = IN_FORM;
        break;
    default:
        break;
    }
    if (element->len == 0)
        return chance;
    return times(chance, times(chance_of_role(element), chance_of_names(element)));
}

/* What the text of the block says: how long it is, how much of it is links. */
static uint32_t chance_of_text(const wn_block *block)
{
    uint32_t words = block->words < LONG_BLOCK ? block->words : LONG_BLOCK;
    uint32_t by_length = SHORT_CHANCE + (ONE - SHORT_CHANCE) * words / LONG_BLOCK;
    uint32_t plain = (uint32_t)((uint64_t)(block->len - block->link_bytes) * ONE / block->len);
    return times(by_length, LINK_CHANCE + times(ONE - LINK_CHANCE, times(plain, plain)));
}

static uint32_t chance_of_kind(const wn_block *block)
{
    switch (block->kind) {
    case WINNOW_FORM:
        return FORM_CHANCE;
    case WINNOW_CAPTION:
        return CAPTION_CHANCE;
    default:
        return ONE;
    }
}

static uint32_t chance_of_flags(const wn_block *block)
{
    uint32_t chance = ONE;
    if (block->flags & WN_BLOCK_TEMPLATE)
        return 0;
    if (block->flags & WN_BLOCK_HIDDEN)
        chance = times(chance, IN_HIDDEN);
    if (block->flags & WN_BLOCK_FOLDED)
        chance = times(chance, IN_FOLDED);
    if (block->flags & WN_BLOCK_NOSCRIPT)
        chance = times(chance, IN_NOSCRIPT);
    return chance;
}

/* ---- Step 2: containers ------------------------------------------------------------------ */

static uint32_t *number_of(judge *j, wn_node_id id, size_t field)
{
    return (uint32_t *)((char *)&j->tallies[id] + field);
}

/* Adds a number of each element to its parent, children before parents. */
static void add_up(judge *j, size_t field)
{
    const wn_node *nodes = j->page->doc->nodes.items;
    wn_node_id id = WN_DOCUMENT_NODE;
    for (;;) {
        while (nodes[id].first_child)
            id = nodes[id].first_child;
        while (id != WN_DOCUMENT_NODE) {
            wn_node_id parent = nodes[id].parent;
            *number_of(j, parent, field) += *number_of(j, id, field);
            if (nodes[id].next)
                break;
            id = parent;
        }
        if (id == WN_DOCUMENT_NODE)
            return;
        id = nodes[id].next;
    }
}

/*
 * Gives every element the chance of its place, in document order. An element with
 * much of the page's text is no sidebar, whatever it is called.
 */
static void judge_places(judge *j)
{
    const wn_doc *doc = j->page->doc;
    uint32_t much = (uint32_t)((uint64_t)j->tallies[WN_DOCUMENT_NODE].words * MUCH / ONE);
    j->tallies[WN_DOCUMENT_NODE].chance = ONE;
    wn_node_id id = wn_doc_node(doc, WN_DOCUMENT_NODE)->first_child;
    while (id) {
        const wn_node *node = wn_doc_node(doc, id);
        tally *t = &j->tallies[id];
        uint32_t chance = j->tallies[node->parent].chance;
        if (node->kind == WN_KIND_ELEMENT && t->words > 0 && t->words <= much)
            chance = times(chance, chance_of_element(node));
        t->chance = (uint16_t)chance;
        id = t->words > 0 ? wn_doc_next(doc, id, WN_DOCUMENT_NODE)
                          : wn_doc_skip(doc, id, WN_DOCUMENT_NODE);
    }
}

static void count_words(judge *j)
{
    for (uint32_t i = 0; i < j->page->blocks.count; i++) {
        const wn_block *block = &j->page->blocks.items[i];
        j->tallies[block->node].words += block->words;
    }
    add_up(j, offsetof(tally, words));
}

/* The chance of each block, and what to expect of the elements that hold them. */
static void judge_blocks(judge *j)
{
    for (uint32_t i = 0; i < j->page->blocks.count; i++) {
        const wn_block *block = &j->page->blocks.items[i];
        tally *t = &j->tallies[block->node];
        uint32_t chance = times(t->chance, chance_of_text(block));
        chance = times(chance, times(chance_of_kind(block), chance_of_flags(block)));
        j->chances[i] = (uint16_t)chance;
        t->expected += block->words * (chance / EXPECTED_UNIT);
    }
    add_up(j, offsetof(tally, expected));
}

/* The node with the highest expected F1, 2E / (W + G); the deepest of equal ones. */
static wn_node_id best_container(const judge *j)
{
    uint64_t unit = ONE / EXPECTED_UNIT, whole = j->tallies[WN_DOCUMENT_NODE].expected;
    wn_node_id best = WN_DOCUMENT_NODE;
    uint64_t best_expected = 0, best_total = 1;
    for (wn_node_id id = WN_DOCUMENT_NODE; id < j->page->doc->nodes.count; id++) {
        uint64_t expected = j->tallies[id].expected;
        uint64_t total = j->tallies[id].words * unit + whole;
        if (expected * best_total >= best_expected * total && expected > 0) {
            best = id;
            best_expected = expected;
            best_total = total;
        }
    }
    return best;
}

/* ---- Step 3: verdicts -------------------------------------------------------------------- */

static bool is_inside(const wn_doc *doc, wn_node_id id, wn_node_id container)
{
    for (; id != WN_NO_NODE; id = wn_doc_node(doc, id)->parent)
        if (id == container)
            return true;
    return false;
}

/* What stands outside the container is less likely, but not impossible. */
static void judge_outside(judge *j, wn_node_id container)
{
    for (uint32_t i = 0; i < j->page->blocks.count; i++)
        if (!is_inside(j->page->doc, j->page->blocks.items[i].node, container))
            j->chances[i] = times(j->chances[i], OUTSIDE);
}

/*
 * The chance from which on blocks are kept: the one with the highest expected
 * F1 of what is kept, 2E / (W + G), within bounds.
 */
static uint32_t best_cut(const judge *j)
{
    enum { STEPS = 32, STEP = ONE / STEPS };
    uint64_t words[STEPS + 1] = {0}, expected[STEPS + 1] = {0}, whole = 0;
    for (uint32_t i = 0; i < j->page->blocks.count; i++) {
        uint32_t step = j->chances[i] / STEP, n = j->page->blocks.items[i].words;
        words[step] += (uint64_t)n * ONE;
        expected[step] += (uint64_t)n * j->chances[i];
        whole += (uint64_t)n * j->chances[i];
    }
    uint64_t kept = 0, hits = 0, best = 0;
    uint32_t cut = STEPS;
    for (uint32_t step = STEPS + 1; step-- > 0;) {
        kept += words[step];
        hits += expected[step];
        uint64_t score = hits * 2 * ONE / (kept + whole + 1);
        if (score > best) {
            best = score;
            cut = step;
        }
    }
    uint32_t chance = cut * STEP;
    return chance < LOWEST_CUT ? LOWEST_CUT : chance > HIGHEST_CUT ? HIGHEST_CUT : chance;
}

static void keep_likely(const judge *j, uint32_t cut, wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        bool keep = j->chances[i] >= cut;
        selection->verdicts[i] = (wn_verdict){keep ? "likely content" : "unlikely content", keep};
    }
}

/* A block between two kept ones is kept if it is not too unlikely. */
static void fill_gaps(const judge *j, wn_selection *selection)
{
    bool before = false;
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_verdict *verdict = &selection->verdicts[i];
        bool after = i + 1 < selection->count && selection->verdicts[i + 1].keep;
        bool was_kept = verdict->keep;
        if (!verdict->keep && before && after && j->chances[i] >= KEEP_BETWEEN)
            *verdict = (wn_verdict){"between kept blocks", true};
        before = was_kept;
    }
}

/* A heading is kept if what it heads is. */
static void follow_headings(const judge *j, wn_selection *selection)
{
    for (uint32_t i = selection->count; i-- > 0;) {
        const wn_block *block = &j->page->blocks.items[i];
        if (block->kind != WINNOW_HEADING)
            continue;
        bool heads = i + 1 < selection->count && selection->verdicts[i + 1].keep;
        selection->verdicts[i] =
            heads ? (wn_verdict){"heading of kept text", true} : (wn_verdict){"heading of nothing", false};
    }
}

void wn_select_auto(const wn_page *page, wn_arena *arena, wn_selection *selection)
{
    size_t nodes = page->doc->nodes.count;
    judge j = {.page = page};
    j.tallies = wn_arena_alloc(arena, nodes * sizeof *j.tallies);
    j.chances = wn_arena_alloc(arena, (page->blocks.count + 1) * sizeof *j.chances);
    if (!j.tallies || !j.chances)
        return;
    memset(j.tallies, 0, nodes * sizeof *j.tallies);
    count_words(&j);
    judge_places(&j);
    judge_blocks(&j);
    if (j.tallies[WN_DOCUMENT_NODE].expected < FEW_WORDS * (ONE / EXPECTED_UNIT))
        return;
    wn_node_id container = best_container(&j);
    judge_outside(&j, container);
    keep_likely(&j, best_cut(&j), selection);
    fill_gaps(&j, selection);
    follow_headings(&j, selection);
}
