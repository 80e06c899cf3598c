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
 *  3. Blocks outside the container become less likely. Then the cut is chosen: blocks
 *     with at least that chance are kept, and it is the one with the highest
 *     expected F1 of what is kept, again 2E / (W + G). Headings follow what they head.
 *
 * An example: a menu of 30 linked words in <nav> (chance about 0.02), an article of 600 words (1.0)
 * in <main>, a footer of 50 (0.09). G is 605; the <main> alone has 2 * 600 / (600 + 605) = 0.996,
 * the whole <body> 2 * 605 / (680 + 605) = 0.94: the container is <main>.
 *
 * What it sees: text, links, element names, class and id words. What it does not
 * see: style sheets, layout, other pages of the site. Where it fails: pages whose
 * content is a set of cards (products, listings), and pages with a second article
 * behind the first.
 *
 * The constants were chosen on the WCXB development pages, one after the other,
 * each time the value with the highest mean word F1 (`make score`).
 */
#include "extract/method.h"

enum {
    ONE = 1024,      /* a chance of 1 */
    INSIDE = 2048,   /* no chance, but a mark: in the container */
    SCALE = 1 << 20, /* an F1 of 1/2 */

    /* Step 1: what a block is. */
    LONG_BLOCK = 9,     /* words from which on a block is surely text */
    SHORT_CHANCE = 800, /* of a block that is as short as can be */
    LINK_CHANCE = 270,  /* of a block that is all links */
    FORM_CHANCE = 85,
    CAPTION_CHANCE = 125,

    /* Step 1: where it stands. Chances are multiplied from the root down. */
    MUCH = 680, /* an element with this share of the page's words is judged by its blocks alone */
    IN_NAV = 60,
    IN_FOOTER = 100,
    IN_ASIDE = 125,
    IN_HEADER = 350,
    IN_FORM = 700,
    IN_NOISE_CLASS = 660,
    IN_FOLDED = 400,
    IN_HIDDEN = 330,
    IN_NOSCRIPT = 500,

    /* Step 3. */
    OUTSIDE = 150,   /* the container */
    LOWEST_CUT = 75, /* the chance from which on a block is kept lies between these */
    HIGHEST_CUT = 225,
    FEW_WORDS = 10, /* fewer expected words than this are no content at all */
};

/* ---- Step 1: chances --------------------------------------------------------------------- */

static uint16_t times(uint32_t a, uint32_t b)
{
    return (uint16_t)(a * b / ONE);
}

/* Words of class names and ids that mark what is around the content; sorted. */
#define W(word)                                                                                    \
    {                                                                                              \
        (word), sizeof(word) - 1                                                                   \
    }
static const wn_str noise_words[] = {
    W("ad"),
    W("ads"),
    W("advert"),
    W("advertisement"),
    W("alert"),
    W("author"),
    W("avatar"),
    W("banner"),
    W("bio"),
    W("breadcrumb"),
    W("breadcrumbs"),
    W("byline"),
    W("captcha"),
    W("cart"),
    W("cmp"),
    W("comment"),
    W("comments"),
    W("consent"),
    W("cookie"),
    W("cookies"),
    W("copyright"),
    W("crumbs"),
    W("cta"),
    W("dialog"),
    W("disclaimer"),
    W("dropdown"),
    W("filter"),
    W("filters"),
    W("foot"),
    W("footer"),
    W("gdpr"),
    W("hidden"),
    W("login"),
    W("masthead"),
    W("mega"),
    W("megamenu"),
    W("menu"),
    W("meta"),
    W("mobile"),
    W("modal"),
    W("more"),
    W("nav"),
    W("navbar"),
    W("navigation"),
    W("newsletter"),
    W("offcanvas"),
    W("outbrain"),
    W("overlay"),
    W("pager"),
    W("pagination"),
    W("popular"),
    W("popup"),
    W("print"),
    W("promo"),
    W("rating"),
    W("recent"),
    W("recommend"),
    W("recommendation"),
    W("recommendations"),
    W("recommended"),
    W("related"),
    W("reply"),
    W("reviews"),
    W("search"),
    W("share"),
    W("sharing"),
    W("sidebar"),
    W("signup"),
    W("similar"),
    W("skip"),
    W("social"),
    W("sponsor"),
    W("sponsored"),
    W("subscribe"),
    W("subscription"),
    W("taboola"),
    W("tag"),
    W("tags"),
    W("toolbar"),
    W("tooltip"),
    W("topbar"),
    W("trending"),
    W("upsell"),
    W("widget"),
    W("widgets"),
};

enum { NOISE_WORDS = sizeof noise_words / sizeof *noise_words, LONGEST_NOISE_WORD = 16 };

/*
 * Where the words with each first letter begin in the table, and, as bits, how long
 * they are: most words of class names are turned away by that alone.
 */
typedef struct noise_index {
    uint8_t start['z' - 'a' + 2];
    uint32_t lengths['z' - 'a' + 1];
} noise_index;

static void index_noise_words(noise_index *index)
{
    *index = (noise_index){0};
    for (unsigned i = 0; i < NOISE_WORDS; i++) {
        unsigned letter = (unsigned)(noise_words[i].ptr[0] - 'a');
        index->start[letter + 1] = (uint8_t)(i + 1);
        index->lengths[letter] |= 1u << noise_words[i].len;
    }
    for (unsigned letter = 1; letter < sizeof index->start; letter++)
        if (index->start[letter] == 0)
            index->start[letter] = index->start[letter - 1];
}

static bool is_noise_word(const noise_index *index, wn_str word)
{
    unsigned letter = (unsigned)(word.ptr[0] - 'a');
    if (!(index->lengths[letter] >> word.len & 1))
        return false;
    for (unsigned i = index->start[letter]; i < index->start[letter + 1]; i++)
        if (wn_str_eq(noise_words[i], word))
            return true;
    return false;
}

/* Looks at each word of "site-header navBar_main": letters, a new word at a capital. */
static bool has_noise_word(const noise_index *index, wn_str names)
{
    char word[LONGEST_NOISE_WORD];
    size_t len = 0;
    for (size_t i = 0; i <= names.len; i++) {
        char c = i < names.len ? names.ptr[i] : ' ';
        bool letter = wn_is_ascii_alpha(c);
        bool starts = letter && c != wn_ascii_lower(c) && i > 0 && names.ptr[i - 1] >= 'a';
        if (!letter || starts) {
            if (len > 1 && len <= LONGEST_NOISE_WORD &&
                is_noise_word(index, wn_str_from(word, len)))
                return true;
            len = 0;
        }
        if (letter && len++ < LONGEST_NOISE_WORD)
            word[len - 1] = wn_ascii_lower(c);
    }
    return false;
}

static uint32_t chance_of_names(const noise_index *index, const wn_node *element)
{
    for (uint32_t i = 0; i < element->len; i++) {
        const wn_attr *attr = &element->attrs[i];
        if ((attr->id == WN_ATTR_CLASS || attr->id == WN_ATTR_ID) &&
            has_noise_word(index, wn_attr_value(attr)))
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
static uint32_t chance_of_element(const noise_index *index, const wn_node *element)
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
    return times(chance, times(chance_of_role(element), chance_of_names(index, element)));
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

/* What is gathered; a large page has millions of nodes, so the arrays are narrow. */
typedef struct judge {
    const wn_page *page;
    uint32_t *words;    /* by node: of all blocks in it */
    uint32_t *expected; /* by node: content words among them, in 1024ths >> shift */
    uint16_t *places;   /* by node: the chance that what stands here is content */
    uint16_t *chances;  /* by block */
    unsigned shift;     /* so that the page's expected words fit */
    noise_index noise;
} judge;

/* Adds what each node holds to its parent's, children before parents. */
static void add_up(const wn_doc *doc, uint32_t *numbers)
{
    wn_node_id id = wn_doc_first_bottom_up(doc, WN_DOCUMENT_NODE);
    for (; id != WN_DOCUMENT_NODE; id = wn_doc_next_bottom_up(doc, id))
        numbers[wn_doc_node(doc, id)->parent] += numbers[id];
}

static void count_words(judge *j)
{
    for (uint32_t i = 0; i < j->page->blocks.count; i++)
        j->words[j->page->blocks.items[i].node] += j->page->blocks.items[i].words;
    add_up(j->page->doc, j->words);
    while ((uint64_t)j->words[WN_DOCUMENT_NODE] * ONE >> j->shift > UINT32_MAX)
        j->shift++;
}

/*
 * Gives every element the chance of its place, in document order. An element with
 * much of the page's text is no sidebar, whatever it is called.
 */
static void judge_places(judge *j)
{
    const wn_doc *doc = j->page->doc;
    uint32_t much = (uint32_t)((uint64_t)j->words[WN_DOCUMENT_NODE] * MUCH / ONE);
    j->places[WN_DOCUMENT_NODE] = ONE;
    wn_node_id id = wn_doc_node(doc, WN_DOCUMENT_NODE)->first_child;
    while (id) {
        const wn_node *node = wn_doc_node(doc, id);
        bool wordless = j->words[id] == 0;
        uint32_t chance = j->places[node->parent];
        if (node->kind == WN_KIND_ELEMENT && !wordless && j->words[id] <= much)
            chance = times(chance, chance_of_element(&j->noise, node));
        j->places[id] = (uint16_t)chance;
        id = wordless ? wn_doc_skip(doc, id, WN_DOCUMENT_NODE)
                      : wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    }
}

/* The chance of each block, and how many content words that lets us expect. */
static void judge_blocks(judge *j)
{
    for (uint32_t i = 0; i < j->page->blocks.count; i++) {
        const wn_block *block = &j->page->blocks.items[i];
        uint32_t by_place = times(j->places[block->node], chance_of_text(block));
        uint32_t by_nature = times(chance_of_kind(block), chance_of_flags(block));
        j->chances[i] = times(by_place, by_nature);
        j->expected[block->node] += (uint32_t)((uint64_t)block->words * j->chances[i] >> j->shift);
    }
    add_up(j->page->doc, j->expected);
}

/* ---- Step 2: the container --------------------------------------------------------------- */

/* The node with the highest expected F1, 2E / (W + G); of equal ones the one made last. */
static wn_node_id best_container(const judge *j)
{
    uint64_t whole = j->expected[WN_DOCUMENT_NODE], best_f1 = 0;
    wn_node_id best = WN_DOCUMENT_NODE;
    for (wn_node_id id = WN_DOCUMENT_NODE; id < j->page->doc->nodes.count; id++) {
        uint64_t expected = j->expected[id];
        if (expected == 0)
            continue;
        uint64_t f1 = expected * SCALE / (((uint64_t)j->words[id] * ONE >> j->shift) + whole);
        if (f1 >= best_f1) {
            best = id;
            best_f1 = f1;
        }
    }
    return best;
}

/* What stands outside the container is less likely, but not impossible. */
static void judge_outside(judge *j, wn_node_id container)
{
    const wn_doc *doc = j->page->doc;
    for (wn_node_id id = container; id; id = wn_doc_next(doc, id, container))
        j->places[id] = INSIDE;
    for (uint32_t i = 0; i < j->page->blocks.count; i++)
        if (j->places[j->page->blocks.items[i].node] != INSIDE)
            j->chances[i] = times(j->chances[i], OUTSIDE);
}

/* ---- Step 3: verdicts -------------------------------------------------------------------- */

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
        selection->verdicts[i] = (wn_verdict){
            .reason = keep ? "likely content" : "unlikely content", .keep = keep};
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
        selection->verdicts[i] = (wn_verdict){
            .reason = heads ? "heading of kept text" : "heading of nothing", .keep = heads};
    }
}

/* Takes the working memory from the arena; false when there is none. */
static bool start_judging(judge *j, wn_arena *arena)
{
    size_t nodes = j->page->doc->nodes.count;
    j->words = wn_arena_alloc(arena, nodes * sizeof *j->words);
    j->expected = wn_arena_alloc(arena, nodes * sizeof *j->expected);
    j->places = wn_arena_alloc(arena, nodes * sizeof *j->places);
    j->chances = wn_arena_alloc(arena, (j->page->blocks.count + 1) * sizeof *j->chances);
    if (!j->words || !j->expected || !j->places || !j->chances)
        return false;
    memset(j->words, 0, nodes * sizeof *j->words);
    memset(j->expected, 0, nodes * sizeof *j->expected);
    memset(j->places, 0, nodes * sizeof *j->places);
    return true;
}

void wn_select_auto(const wn_page *page, const wn_request *request, wn_arena *arena,
                    wn_selection *selection)
{
    (void)request;
    judge j = {.page = page};
    if (!start_judging(&j, arena))
        return;
    index_noise_words(&j.noise);
    count_words(&j);
    judge_places(&j);
    judge_blocks(&j);
    if (j.expected[WN_DOCUMENT_NODE] < ((uint32_t)FEW_WORDS * ONE >> j.shift))
        return;
    judge_outside(&j, best_container(&j));
    keep_likely(&j, best_cut(&j), selection);
    follow_headings(&j, selection);
}
