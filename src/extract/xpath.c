/*
 * xpath: groups of texts in the tree, told apart by how much of them is links.
 *
 * Wigrai Thanadechteemapat, Chun Che Fung: Automatic Web Content Extraction for Generating Tag
 * Clouds from Thai Web Sites, 2011.
 *
 * The idea: navigation is groups of links, content is groups of texts with few links. A group
 * is the smallest element around a text that holds another text, too.
 *
 *  R1  Of the body everything is left out that is not displayed, and script, noscript, embed,
 *      object, img, style, comment and form.
 *  R2  What remains of texts are the leaves. Noted of each: where it stands, its text, whether
 *      it begins like a footer ("powered by", "©", …), whether it is in an <a>.
 *  Blocks: every element around a leaf counts its leaves and their characters (All Elements,
 *      All T-Length) and those in links (All Href, All Href T-Length). Then
 *          ANR = All Href / All Elements         ATR = All Href T-Length / All T-Length
 *          AR  = 0.75 ATR + 0.25 ANR
 *      An element with more than one leaf is a block; the lowest block of a leaf is the
 *      nearest one around it.
 *  Selection: a leaf is content if it is no footer, has at least 2 characters, and its lowest
 *      block has AR < 0.60, or less than 2 links among more than 2 leaves (a headline that
 *      is a link).
 *
 * What we changed, and why:
 *
 *  a) The paper groups by strings of XPaths; we group by nodes, which is the same. --explain
 *     shows real XPaths.
 *  b) It prints "its text length is less than 2 characters" among the conditions for
 *     content: a slip. We drop such a leaf, unless it stands in the middle of a paragraph: there it
 *     is a comma between two links, and shares the fate of the leaf before it.
 *  c) `keep_form=yes` reads forms, too: whole pages sit in one.
 *  d) Footer keywords are lists for 13 languages (data/footer), and users can add to them.
 *
 * What it sees: texts, links, the tree. What it does not see: how long a text is by itself, so that a
 * short notice counts as much as a paragraph. Where it fails: boilerplate without links
 * (notices, dates, labels), and content that is a list of links.
 *
 * Example:
 *
 *     <body><ul><li><a href=1>Home</a><li><a href=2>News</a></ul>
 *     <div><h1>Rain</h1><p>It has been <a href=3>raining</a> since Monday.</p></div>
 *
 *     /html/body/ul       2 leaves, 2 links: AR 1.00                  dropped
 *     /html/body/div/p    3 leaves, 1 link: ATR 0.24, ANR 0.33, AR 0.26    kept
 *     /html/body/div      4 leaves, 1 link: AR 0.23    "Rain" is kept: its h1 is no block
 */
#include "extract/footer.h"
#include "extract/method.h"
#include "html/xpath.h"

/* ---- Parameters -------------------------------------------------------------------------- */

enum { KEEP_FORM, MAX_AR, ATR_WEIGHT, MIN_LENGTH };

const wn_param wn_xpath_params[] = {
    [KEEP_FORM] = {"keep_form", "also read what is in forms", wn_param_no_yes, 0, 0, 0, false},
    [MAX_AR] = {"ar", "anchor ratio from which on a block is navigation", NULL, 0.6, 0, 2, false},
    [ATR_WEIGHT] = {"atr_weight", "share of ATR in the anchor ratio; the rest is ANR", NULL, 0.75, 0,
                    1, false},
    [MIN_LENGTH] = {"min_length", "characters that a text must have", NULL, 2, 0, 1000, true},
    {0},
};

/* ---- Types ------------------------------------------------------------------------------- */

/* What an element knows of the leaves in it, in the paper's words. */
typedef struct block {
    uint32_t all_elements, all_href;
    uint32_t all_t_length, all_href_t_length;
} block;

enum { EXCLUDED = 1, ANCHOR = 2 };

typedef struct leaf {
    wn_str text;     /* without white space at both ends; empty: no leaf */
    uint32_t length; /* in characters */
    bool hidden;
    bool starts_block; /* it is the first of a block of the page */
} leaf;

typedef struct state {
    const wn_page *page;
    const wn_request *request;
    wn_arena *arena;
    leaf *leaves;       /* one for each of page->texts */
    uint32_t *lengths;  /* by node: of the leaf that it is; 0: none */
    block *blocks;      /* by node */
    uint8_t *flags;     /* by node: EXCLUDED, ANCHOR, also for what is around it */
    wn_footer footer;
    wn_xpaths paths;    /* with --explain */
    const char **texts; /* with --explain: paths that were made, by node */
} state;

/* ---- R2: leaves -------------------------------------------------------------------------- */

static uint32_t count_characters(wn_str s)
{
    uint32_t count = 0;
    for (size_t i = 0; i < s.len; i++)
        count += (s.ptr[i] & 0xC0) != 0x80;
    return count;
}

/* The text of page->texts[index] as a reader sees it. */
static wn_str text_of(const wn_page *page, uint32_t index)
{
    uint32_t start = page->texts.items[index].start;
    uint32_t end = index + 1 < page->texts.count ? page->texts.items[index + 1].start
                                                 : (uint32_t)page->text.len;
    wn_str text = wn_str_from(page->text.ptr + start, end - start);
    while (text.len > 0 && text.ptr[text.len - 1] == '\0')
        text.len--;
    return wn_str_trim(text);
}

/* Texts and blocks of the page are both in order: one pass finds the block of each text. */
static void read_leaves(state *s)
{
    const wn_page *page = s->page;
    uint32_t block = 0, seen = UINT32_MAX;
    for (uint32_t i = 0; i < page->texts.count; i++) {
        uint32_t start = page->texts.items[i].start;
        leaf *l = &s->leaves[i];
        *l = (leaf){.text = text_of(page, i)};
        if (l->text.len == 0)
            continue;
        while (block + 1 < page->blocks.count && page->blocks.items[block + 1].text <= start)
            block++;
        l->length = count_characters(l->text);
        l->hidden = page->blocks.items[block].flags &
                    (WN_BLOCK_HIDDEN | WN_BLOCK_TEMPLATE | WN_BLOCK_NOSCRIPT);
        l->starts_block = block != seen;
        seen = block;
        if (!l->hidden)
            s->lengths[page->texts.items[i].node] = l->length;
    }
}

/* ---- R1 and blocks ----------------------------------------------------------------------- */

static uint8_t flags_of(const state *s, const wn_node *node)
{
    if (node->kind != WN_KIND_ELEMENT || node->ns != WN_NS_HTML)
        return 0;
    switch (node->tag) {
    case WN_TAG_A:
        return ANCHOR;
    case WN_TAG_FORM:
        return s->request->values[KEEP_FORM] ? 0 : EXCLUDED;
    case WN_TAG_EMBED:
    case WN_TAG_OBJECT:
    case WN_TAG_NOSCRIPT:
        return EXCLUDED;
    default:
        return 0;
    }
}

static void enter(state *s, wn_node_id id)
{
    const wn_node *node = wn_doc_node(s->page->doc, id);
    s->flags[id] = s->flags[node->parent] | flags_of(s, node);
    uint32_t length = s->lengths[id];
    if (length == 0 || s->flags[id] & EXCLUDED)
        return;
    uint32_t href = s->flags[id] & ANCHOR ? 1 : 0;
    s->blocks[id] = (block){1, href, length, href * length};
}

static void add_to_parent(state *s, wn_node_id id)
{
    const block *from = &s->blocks[id];
    block *to = &s->blocks[wn_doc_node(s->page->doc, id)->parent];
    to->all_elements += from->all_elements;
    to->all_href += from->all_href;
    to->all_t_length += from->all_t_length;
    to->all_href_t_length += from->all_href_t_length;
}

/* One walk: flags on the way down, sums on the way up. */
static void count_leaves(state *s)
{
    const wn_node *nodes = s->page->doc->nodes.items;
    wn_node_id id = nodes[WN_DOCUMENT_NODE].first_child;
    while (id) {
        enter(s, id);
        if (nodes[id].first_child) {
            id = nodes[id].first_child;
            continue;
        }
        add_to_parent(s, id);
        while (id != WN_DOCUMENT_NODE && !nodes[id].next) {
            id = nodes[id].parent;
            if (id != WN_DOCUMENT_NODE)
                add_to_parent(s, id);
        }
        id = id == WN_DOCUMENT_NODE ? WN_NO_NODE : nodes[id].next;
    }
}

/*
 * The lowest block of a leaf: the nearest element around it with more than one leaf; the body
 * (or what is in its place) if there is none. Elements with one leaf are passed by that
 * leaf alone, so all walks together are linear.
 */
static wn_node_id lowest_block(const state *s, wn_node_id text)
{
    const wn_node *nodes = s->page->doc->nodes.items;
    wn_node_id id = nodes[text].parent;
    while (s->blocks[id].all_elements < 2 && nodes[id].parent > WN_DOCUMENT_NODE &&
           !wn_node_is(&nodes[id], WN_TAG_BODY))
        id = nodes[id].parent;
    return id;
}

static double anr(const block *b)
{
    return b->all_elements ? (double)b->all_href / b->all_elements : 0;
}

static double atr(const block *b)
{
    return b->all_t_length ? (double)b->all_href_t_length / b->all_t_length : 0;
}

static double ar(const state *s, const block *b)
{
    double weight = s->request->values[ATR_WEIGHT];
    return weight * atr(b) + (1 - weight) * anr(b);
}

/* ---- Selection --------------------------------------------------------------------------- */

/* The path of a block, made once. */
static const char *path_of(state *s, wn_node_id id)
{
    if (s->texts[id])
        return s->texts[id];
    wn_buf path = {0};
    wn_xpath_add(&s->paths, id, &path);
    wn_buf_add_char(&path, '\0');
    s->texts[id] = wn_arena_copy(s->arena, wn_buf_str(&path)).ptr;
    wn_buf_free(&path);
    return s->texts[id];
}

/* The row of the block table, in place of the reason. */
static const char *explain(state *s, const block *b)
{
    wn_buf text = {0};
    wn_buf_add_format(&text, "AR %.2f (ATR %.2f, ANR %.2f), %u of %u are links", ar(s, b), atr(b),
                      anr(b), b->all_href, b->all_elements);
    wn_buf_add_char(&text, '\0');
    const char *copy = wn_arena_copy(s->arena, wn_buf_str(&text)).ptr;
    wn_buf_free(&text);
    return copy;
}

static wn_verdict judge_block(const state *s, const block *b)
{
    if (ar(s, b) < s->request->values[MAX_AR])
        return (wn_verdict){.reason = "a group with few links", .keep = true};
    if (b->all_href < 2 && b->all_elements > 2)
        return (wn_verdict){.reason = "one link among texts", .keep = true};
    return (wn_verdict){.reason = "a group of links"};
}

static wn_verdict judge(state *s, uint32_t index)
{
    const leaf *l = &s->leaves[index];
    wn_node_id node = s->page->texts.items[index].node;
    if (l->hidden)
        return (wn_verdict){.reason = "not displayed"};
    if (s->flags[node] & EXCLUDED)
        return (wn_verdict){.reason = "in a form or object"};
    if (wn_footer_begins(&s->footer, l->text))
        return (wn_verdict){.reason = "begins like a footer"};
    if (l->length < (uint32_t)s->request->values[MIN_LENGTH])
        return (wn_verdict){.reason = "too short"};
    const block *b = &s->blocks[lowest_block(s, node)];
    wn_verdict verdict = judge_block(s, b);
    if (s->request->explain)
        verdict.reason = explain(s, b);
    return verdict;
}

/* What is no leaf, or too short for one in the middle of a block, goes with the text before it. */
static bool follows(const state *s, uint32_t index)
{
    const leaf *l = &s->leaves[index];
    return l->text.len == 0 ||
           (!l->starts_block && l->length < (uint32_t)s->request->values[MIN_LENGTH]);
}

static void select_leaves(state *s, wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_verdict *verdict = &selection->verdicts[i];
        if (!follows(s, i))
            *verdict = judge(s, i);
        else if (i > 0)
            *verdict = selection->verdicts[i - 1];
        if (s->request->explain && !follows(s, i))
            verdict->where = path_of(s, lowest_block(s, s->page->texts.items[i].node));
    }
}

static void *zeroed(wn_arena *arena, size_t size)
{
    void *piece = wn_arena_alloc(arena, size);
    if (piece)
        memset(piece, 0, size);
    return piece;
}

static bool start(state *s)
{
    size_t nodes = s->page->doc->nodes.count;
    s->leaves = wn_arena_alloc(s->arena, (s->page->texts.count + 1) * sizeof *s->leaves);
    s->lengths = zeroed(s->arena, nodes * sizeof *s->lengths);
    s->blocks = zeroed(s->arena, nodes * sizeof *s->blocks);
    s->flags = zeroed(s->arena, nodes);
    wn_footer_start(&s->footer, s->request->footer_words);
    if (s->request->explain) {
        s->texts = zeroed(s->arena, nodes * sizeof *s->texts);
        wn_xpaths_start(&s->paths, s->page->doc, s->arena);
    }
    return !s->arena->failed;
}

void wn_select_xpath(const wn_page *page, const wn_request *request, wn_arena *arena,
                     wn_selection *selection)
{
    state s = {.page = page, .request = request, .arena = arena};
    if (!start(&s) || page->blocks.count == 0)
        return;
    read_leaves(&s);
    count_leaves(&s);
    select_leaves(&s, selection);
}
