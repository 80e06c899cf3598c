/*
 * xpath: groups of texts in the tree, classified by their share of links.
 *
 * Wigrai Thanadechteemapat, Chun Che Fung: Automatic Web Content Extraction for Generating Tag
 * Clouds from Thai Web Sites, 2011.
 *
 * The idea: navigation consists of groups of links, content of groups of texts with few links. A
 * group is the smallest element that contains a text and at least one other.
 *
 *  R1  Everything in the body that is not displayed is removed, and so are script, noscript, embed,
 *      object, img, style, comment and form.
 *  R2  The remaining texts are the leaves. For each, its position, its text, whether it starts like
 *      a footer ("powered by", "©", …) and whether it is in an <a> are recorded.
 *  Blocks: for every element around a leaf, its leaves and their characters (All Elements,
 *      All T-Length) are counted, and those in links (All Href, All Href T-Length):
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
 *     content: a slip. We drop such a leaf, unless it is in the middle of a paragraph: there it
 *     is a comma between two links, and shares the fate of the leaf before it.
 *  c) Whole pages sit in a form. R1 leaves nothing of them, and then, and only then, forms
 *     are read after all; `keep_form=yes` always reads them, `keep_form=no` never, as printed.
 *  d) Footer keywords are lists for 13 languages (data/footer), and users can add to them.
 *
 * What it sees: texts, links, the tree. What it does not see: how long a text is by itself, so that
 * a short notice counts as much as a paragraph. Where it fails: boilerplate without links (notices,
 * dates, labels), and content that is a list of links.
 *
 * Example:
 *
 *     <body><ul><li><a href=1>Home</a><li><a href=2>News</a></ul>
 *     <div><h1>Rain</h1><p>It has been <a href=3>raining</a> since Monday.</p></div>
 *
 *     /html/body/ul       2 leaves, 2 links: AR 1.00                  dropped
 *     /html/body/div/p    3 leaves, 1 link: ATR 0.24, ANR 0.33, AR 0.26    kept
 *     /html/body/div      4 leaves, 1 link: AR 0.23    "Rain" is kept: its h1 is not a block
 */
#include "base/utf8.h"
#include "extract/footer.h"
#include "extract/method.h"
#include "html/xpath.h"

/* ---- Parameters -------------------------------------------------------------------------- */

enum { KEEP_FORM, MAX_AR, ATR_WEIGHT, MIN_LENGTH, FOOTER_WORDS };

enum { FORM_NO, FORM_YES, FORM_FALLBACK }; /* the choices of KEEP_FORM */

const wn_param *const wn_xpath_params[] = {
    [KEEP_FORM] = WN_CHOICE("keep_form",
                            "whether forms are read: no, as in the paper; yes; or only if the "
                            "page has nothing else",
                            "fallback", "no, yes or fallback", "no", "yes", "fallback"),
    [MAX_AR] = WN_NUMBER("ar", "anchor ratio at which a block becomes navigation", 0.6, 0, 2),
    [ATR_WEIGHT] = WN_NUMBER("atr_weight", "share of ATR in the anchor ratio; the rest is ANR",
                             0.75, 0, 1),
    [MIN_LENGTH] = WN_WHOLE("min_length", "minimum number of characters of a text", 2, 0, 1000),
    [FOOTER_WORDS] = WN_WORDS("footer_words", "further words that a footer may begin with"),
    NULL,
};

/* ---- Types ------------------------------------------------------------------------------- */

/* What an element knows of the leaves in it, in the paper's words. */
typedef struct block {
    uint32_t all_elements, all_href;
    uint32_t all_t_length, all_href_t_length;
} block;

/* A row of the paper's table of blocks. */
typedef struct row {
    wn_node_id node;
    block block;
} row;

/* An element that is open in the walk. */
typedef struct frame {
    wn_node_id node;
    uint32_t row;     /* its place in the table, with --explain */
    uint32_t pending; /* leaves that waited for their lowest block when it was entered */
    bool excluded;    /* by R1 */
    bool anchor;
    block block;
} frame;

typedef struct state {
    const wn_page *page;
    const wn_request *request;
    wn_arena *arena;
    wn_selection *selection;
    wn_array(frame) frames;
    uint32_t *pending; /* leaves that wait, by their index in page->texts */
    uint32_t pending_count;
    uint32_t text;       /* the next of page->texts */
    uint32_t page_block; /* the block of the page that it is in */
    uint32_t last_block; /* that of the leaf before it */
    bool keep_form;
    wn_footer footer;
    wn_xpaths paths;     /* with --explain … */
    wn_array(row) table; /* … and elements in document order */
} state;

/* The verdict of texts that share the fate of the text before them, until the end. */
static const char follows[] = "as the text before it";

/* ---- Ratios ------------------------------------------------------------------------------ */

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

static void add(block *to, const block *from)
{
    to->all_elements += from->all_elements;
    to->all_href += from->all_href;
    to->all_t_length += from->all_t_length;
    to->all_href_t_length += from->all_href_t_length;
}

/* ---- Verdicts of blocks ------------------------------------------------------------------ */

static const char *copy_string(state *s, wn_buf *buf)
{
    const char *copy = wn_arena_c_string(s->arena, wn_buf_str(buf));
    wn_buf_free(buf);
    return copy;
}

static const char *path_of(state *s, wn_node_id id)
{
    wn_buf path = {0};
    wn_html_xpath_add(&s->paths, id, &path);
    return copy_string(s, &path);
}

/* The row of the block table, in place of the reason. */
static const char *explain(state *s, const block *b)
{
    wn_buf text = {0};
    wn_buf_add_format(&text, "AR %.2f (ATR %.2f, ANR %.2f), %u of %u are links", ar(s, b), atr(b),
                      anr(b), b->all_href, b->all_elements);
    return copy_string(s, &text);
}

static wn_verdict judge_block(const state *s, const block *b)
{
    if (ar(s, b) < s->request->values[MAX_AR])
        return (wn_verdict){.reason = "a group with few links", .keep = true};
    if (b->all_href < 2 && b->all_elements > 2)
        return (wn_verdict){.reason = "one link among texts", .keep = true};
    return (wn_verdict){.reason = "a group of links"};
}

/* The element is the lowest block of all leaves in it that still wait for theirs. */
static void settle_leaves(state *s, const frame *f)
{
    wn_verdict verdict = judge_block(s, &f->block);
    const char *path = NULL;
    if (s->request->explain && f->pending < s->pending_count) {
        verdict.reason = explain(s, &f->block);
        path = path_of(s, f->node);
    }
    while (s->pending_count > f->pending) {
        uint32_t leaf = s->pending[--s->pending_count];
        if (!s->selection->verdicts[leaf].reason)
            s->selection->verdicts[leaf] = verdict;
        if (path)
            s->selection->places[leaf] = path;
    }
}

/* ---- The table of blocks ----------------------------------------------------------------- */

/* Opens a row in the order of the document; it is filled when the element ends. */
static void open_row(state *s, frame *f)
{
    f->row = s->table.count;
    row *place = wn_array_push(&s->table);
    if (place)
        *place = (row){.node = f->node};
    else
        s->arena->failed = true;
}

/* The table of all blocks with the attributes of section III.B; NULL if out of memory. */
static const char *write_table(state *s)
{
    enum { LARGEST = 4 << 20 }; /* a page of deep nests has long XPaths */
    wn_buf text = {0};
    uint32_t blocks = 0, left_out = 0;
    wn_buf_add_literal(&text, "all elements  all href  text length  href length   ANR   ATR    AR  "
                              "block\n");
    for (uint32_t i = 0; i < s->table.count; i++) {
        const block *b = &s->table.items[i].block;
        if (b->all_elements < 2)
            continue;
        blocks++;
        if (text.len > LARGEST) {
            left_out++;
            continue;
        }
        wn_buf_add_format(&text, "%12u  %8u  %11u  %11u  %.2f  %.2f  %.2f  ", b->all_elements,
                          b->all_href, b->all_t_length, b->all_href_t_length, anr(b), atr(b),
                          ar(s, b));
        wn_html_xpath_add(&s->paths, s->table.items[i].node, &text);
        wn_buf_add_char(&text, '\n');
    }
    if (left_out > 0)
        wn_buf_add_format(&text, "… and %u more blocks\n", left_out);
    if (blocks == 0)
        wn_buf_clear(&text);
    return copy_string(s, &text);
}

/* ---- R2: leaves -------------------------------------------------------------------------- */

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

/*
 * Texts and blocks of the page are both in order: the block of a text is this one or a later one.
 */
static const wn_block *page_block_of(state *s, uint32_t text)
{
    uint32_t start = s->page->texts.items[text].start;
    while (s->page_block + 1 < s->page->blocks.count &&
           s->page->blocks.items[s->page_block + 1].text <= start)
        s->page_block++;
    return &s->page->blocks.items[s->page_block];
}

/* Why a leaf is dropped, or goes with another one, whatever its block is; NULL: it does not. */
static const char *judge_leaf(const state *s, wn_str text, uint32_t length)
{
    if (wn_extract_footer_begins(&s->footer, text))
        return "begins like a footer";
    if (length >= (uint32_t)s->request->values[MIN_LENGTH])
        return NULL;
    return s->page_block == s->last_block ? follows : "too short";
}

static void take_leaf(state *s, uint32_t index, wn_str text)
{
    frame *around = &s->frames.items[s->frames.count - 1];
    const char **reason = &s->selection->verdicts[index].reason;
    bool hidden = page_block_of(s, index)->flags &
                  (WN_BLOCK_HIDDEN | WN_BLOCK_TEMPLATE | WN_BLOCK_NOSCRIPT);
    if (hidden || around->excluded) {
        *reason = hidden ? "not displayed" : "in a form or object";
        if (s->request->explain)
            s->selection->places[index] = path_of(s, around->node);
        return;
    }
    uint32_t length = (uint32_t)wn_utf8_count(text), href = around->anchor ? 1 : 0;
    add(&around->block, &(block){1, href, length, href * length});
    *reason = judge_leaf(s, text, length);
    s->last_block = s->page_block;
    s->pending[s->pending_count++] = index;
}

static void take_text(state *s, wn_node_id id)
{
    uint32_t index = s->text;
    if (index == s->page->texts.count || s->page->texts.items[index].node != id)
        return; /* it is not shown */
    s->text++;
    wn_str text = text_of(s->page, index);
    if (text.len > 0)
        take_leaf(s, index, text);
    else
        s->selection->verdicts[index].reason = follows;
}

/* ---- R1 and the walk --------------------------------------------------------------------- */

static bool is_excluded(const state *s, const wn_node *node)
{
    switch (node->tag) {
    case WN_TAG_FORM:
        return !s->keep_form;
    case WN_TAG_EMBED:
    case WN_TAG_OBJECT:
    case WN_TAG_NOSCRIPT:
        return true;
    default:
        return false;
    }
}

static bool enter(state *s, wn_node_id id)
{
    const wn_node *node = wn_doc_node(s->page->doc, id);
    frame *f = wn_array_push(&s->frames);
    if (!f) {
        s->arena->failed = true;
        return false;
    }
    *f = (frame){.node = id, .pending = s->pending_count};
    if (s->frames.count > 1) {
        f->excluded = f[-1].excluded;
        f->anchor = f[-1].anchor;
    }
    if (node->kind == WN_KIND_ELEMENT && node->ns == WN_NS_HTML) {
        f->excluded |= is_excluded(s, node);
        f->anchor |= node->tag == WN_TAG_A;
    }
    if (s->request->explain && node->kind == WN_KIND_ELEMENT && !wn_node_is(node, WN_TAG_HTML))
        open_row(s, f);
    return true;
}

/* A block settles its leaves; so does the body, if there is only one. */
static void leave(state *s)
{
    frame *f = &s->frames.items[--s->frames.count];
    const wn_node *node = wn_doc_node(s->page->doc, f->node);
    if (f->block.all_elements > 1 || wn_node_is(node, WN_TAG_BODY) || s->frames.count <= 1)
        settle_leaves(s, f);
    if (f->row < s->table.count && s->table.items[f->row].node == f->node)
        s->table.items[f->row].block = f->block;
    if (s->frames.count > 0)
        add(&f[-1].block, &f->block);
}

/* One walk through the document: elements on the way down, their sums on the way up. */
static void walk(state *s)
{
    const wn_node *nodes = s->page->doc->nodes.items;
    wn_node_id id = WN_DOCUMENT_NODE;
    while (id) {
        if (nodes[id].kind == WN_KIND_TEXT)
            take_text(s, id);
        if (nodes[id].first_child) {
            if (!enter(s, id))
                return;
            id = nodes[id].first_child;
            continue;
        }
        while (id && !nodes[id].next) {
            id = nodes[id].parent;
            if (id)
                leave(s);
        }
        id = nodes[id].next;
    }
}

/*
 * What is not a leaf, or too short for one in the middle of a block, goes with the text before it.
 */
static void follow(wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        if (selection->verdicts[i].reason != follows)
            continue;
        if (i > 0)
            selection->verdicts[i] = selection->verdicts[i - 1];
        if (i > 0 && selection->places)
            selection->places[i] = selection->places[i - 1];
    }
}

static void read_page(state *s, bool keep_form)
{
    s->keep_form = keep_form;
    s->table.count = 0;
    s->frames.count = s->pending_count = s->text = s->page_block = 0;
    s->last_block = UINT32_MAX;
    walk(s);
    follow(s->selection);
}

static bool keeps_nothing(const wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++)
        if (selection->verdicts[i].keep)
            return false;
    return true;
}

void wn_extract_select_xpath(const wn_page *page, const wn_request *request, wn_arena *arena,
                             wn_selection *selection)
{
    state s = {.page = page, .request = request, .arena = arena, .selection = selection};
    s.pending = wn_arena_alloc(arena, (page->texts.count + 1) * sizeof *s.pending);
    wn_extract_footer_start(&s.footer, request->texts[FOOTER_WORDS]);
    if (request->explain)
        wn_html_xpaths_start(&s.paths, page->doc, arena);
    bool readable = !arena->failed && page->blocks.count > 0;
    if (readable)
        read_page(&s, request->values[KEEP_FORM] == FORM_YES);
    if (readable && !arena->failed && request->values[KEEP_FORM] == FORM_FALLBACK &&
        keeps_nothing(selection))
        read_page(&s, true);
    if (readable && request->explain && !arena->failed)
        selection->notes = write_table(&s);
    wn_array_free(&s.frames);
    wn_array_free(&s.table);
}
