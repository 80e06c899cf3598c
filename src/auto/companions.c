/*
 * One walk over the gaps, that is the runs of dropped blocks between two kept ones. A gap may hold
 * labels as well, such as "Copy", "In [3]:" or the name of a language, but no text of any length.
 */
#include "auto/companions.h"

#include <assert.h>

#include "auto/judge.h"
#include "page/attributes.h"

enum {
    ONE = WN_LOGIT_ONE,
    LABEL_WORDS = 6,   /* at most, of all labels in a gap */
    MOST_STEPS = 16,   /* up from a companion to the element that it shares with other blocks */
    MOST_WRAPPERS = 4, /* around the text of an item, up to its list */
    MOST_MORE = 5,     /* from there, and from kept text, to the element that they share */
};

/*
 * The least probability of each kind, in 1/1024. A formula can hardly be anything but content, and
 * that code goes with a text is clearer after a colon than in a gap.
 */
enum {
    LEAST_CODE = ONE * 25 / 100,
    LEAST_CODE_ANNOUNCED = ONE * 10 / 100,
    LEAST_TABLE = ONE * 30 / 100,
    LEAST_LIST = ONE * 25 / 100,
    LEAST_DETAIL = ONE * 10 / 100, /* a term says nothing without it */
    LEAST_FORMULA = 0,
    LEAST_CAPTION = ONE * 20 / 100,
    LEAST_TERM = ONE * 5 / 100, /* what is said of it is kept */
    LEAST_ITEM = ONE * 15 / 100,
    LEAST_TEXT = ONE * 20 / 100,
};

typedef struct search {
    const wn_auto_features *features;
    const wn_page *page;
    const wn_auto_model *model;
    const int32_t *answers;
    wn_selection *selection;
} search;

/* Dropped blocks between `start` - 1 and `end`, which are kept; `end` may be the page's. */
typedef struct gap {
    uint32_t start, end;
    uint32_t label_words;
} gap;

/* A companion: a block of code, a formula, a caption, or all blocks of a table. */
typedef struct companion {
    uint32_t start, end;
    uint32_t least; /* probability */
} companion;

static const wn_block *block_at(const search *s, uint32_t i)
{
    return &s->page->blocks.items[i];
}

/* ---- What is a companion ----------------------------------------------------------------- */

/* Whether the text of a block is a formula, but for a number or a mark after it. */
static bool is_formula(const search *s, const wn_block *block)
{
    uint32_t inside = 0;
    for (uint32_t i = 0; i < block->span_count; i++) {
        const wn_span *span = &s->page->spans.items[block->first_span + i];
        inside += span->kind == WN_SPAN_MATH ? span->end - span->start : 0;
    }
    return inside * 4 >= block->len * 3 && inside > 0;
}

static size_t count_digits(wn_str text)
{
    size_t count = 0;
    while (count < text.len && wn_is_ascii_digit(text.ptr[count]))
        count++;
    return count;
}

/*
 * Whether a block is the caption of a figure that the text can refer to: "Figure 3.1: …", "Abb. 4",
 * "图1", "(a) …". Captions without a number are those of photographs, which gold texts leave out.
 */
static bool is_numbered_caption(const search *s, const wn_block *block)
{
    enum { LONGEST_WORD = 16 }; /* bytes before the number */
    wn_str text = wn_block_text(s->page, block);
    bool is_caption = block->kind == WINNOW_BLOCK_CAPTION ||
                      wn_page_has_class(wn_doc_node(s->page->doc, block->node), WN_STR("caption"));
    if (!is_caption)
        return false;
    if (text.len > 3 && text.ptr[0] == '(' && text.ptr[2] == ')')
        return wn_is_ascii_alpha(text.ptr[1]);
    size_t word = 0;
    while (word < text.len && word < LONGEST_WORD && !wn_is_ascii_digit(text.ptr[word]) &&
           !wn_is_space(text.ptr[word]))
        word++;
    wn_str rest = wn_str_trim(wn_str_from_offset(text, word));
    return word > 0 && count_digits(rest) - 1 < 3; /* one to three; more are a year */
}

/* What the blocks of a table are. */
typedef struct contents {
    uint32_t cells; /* blocks that are all there is in their cell */
    uint64_t bytes, formula_bytes, link_bytes;
} contents;

static contents contents_of(const search *s, const companion *table)
{
    contents sum = {0};
    for (uint32_t i = table->start; i < table->end; i++) {
        const wn_block *block = block_at(s, i);
        sum.cells += block->kind == WINNOW_BLOCK_CELL;
        sum.bytes += block->len;
        sum.link_bytes += block->link_bytes;
        sum.formula_bytes += is_formula(s, block) ? block->len : 0;
    }
    return sum;
}

/*
 * Sets the least probability of a table; false if it is something else, such as a post of an old
 * forum or a list of links. Equations are often laid out as a table, with their numbers in the last
 * column.
 */
static bool read_table(const search *s, companion *table)
{
    contents inside = contents_of(s, table);
    table->least = inside.formula_bytes * 2 > inside.bytes ? LEAST_FORMULA : LEAST_TABLE;
    return inside.cells * 2 > table->end - table->start && inside.link_bytes * 2 <= inside.bytes;
}

/* The mean over its words; a copy of something above counts like the first. */
static bool is_likely(const search *s, const companion *c)
{
    uint64_t words = 0, sum = 0;
    for (uint32_t i = c->start; i < c->end; i++) {
        uint64_t here = block_at(s, i)->words + 1;
        words += here;
        sum += here * wn_auto_judge_chance(s->model, s->answers[i]);
    }
    return sum >= words * c->least;
}

/* Whether what is said of a term is kept, or is about to be. */
static bool has_likely_detail(const search *s, uint32_t term)
{
    enum { MOST_TERMS = 8 }; /* of which the same is said */
    companion c = {.start = term, .least = LEAST_TEXT};
    for (int i = 0; i < MOST_TERMS && c.start < s->selection->count; i++, c.start++)
        if (block_at(s, c.start)->kind != WINNOW_BLOCK_TERM)
            break;
    c.end = c.start + 1;
    return c.start < s->selection->count && block_at(s, c.start)->kind == WINNOW_BLOCK_DETAIL &&
           (s->selection->verdicts[c.start].keep || is_likely(s, &c));
}

/* Whether a block is text of a manual that goes with what is around it. */
static bool read_text(const search *s, companion *text)
{
    const wn_block *block = block_at(s, text->start);
    bool is_term = block->kind == WINNOW_BLOCK_TERM;
    if (s->selection->page_type != WINNOW_PAGE_TYPE_DOCUMENTATION ||
        block->link_bytes * 2 > block->len || (is_term && !has_likely_detail(s, text->start)))
        return false;
    text->least = is_term ? LEAST_TERM : LEAST_TEXT;
    return is_likely(s, text);
}

/* The companion that begins at a block; false if none does. Tables are kept or dropped as a whole. */
static bool read_companion(const search *s, uint32_t start, companion *found)
{
    const wn_block *block = block_at(s, start);
    *found = (companion){.start = start, .end = start + 1};
    if (block->flags & WN_BLOCK_INVISIBLE || block->len == 0)
        return false;
    if (block->table) {
        found->end = wn_page_table_end(s->page, start);
        return read_table(s, found);
    }
    found->least = LEAST_FORMULA;
    if (block->kind == WINNOW_BLOCK_CODE)
        found->least = LEAST_CODE;
    else if (is_numbered_caption(s, block))
        found->least = LEAST_CAPTION;
    else
        return is_formula(s, block) || read_text(s, found);
    return true;
}

/* ---- Where it is ------------------------------------------------------------------------- */

static bool holds(const wn_auto_element *element, uint32_t block)
{
    return block - element->first_block < element->blocks;
}

/*
 * The innermost element around a companion that also holds blocks outside its gap; 0 if it is far
 * out. What lies below are wrappers: the box of the code with its buttons.
 */
static uint32_t element_around(const search *s, const gap *g, const companion *c)
{
    const wn_auto_elements *elements = &s->features->elements;
    uint32_t at = elements->of_block[c->start];
    for (int step = 0; at > 0 && step < MOST_STEPS; step++) {
        const wn_auto_element *e = &elements->items[at];
        if (e->first_block < g->start || e->first_block + e->blocks > g->end)
            return at;
        at = e->parent;
    }
    return 0;
}

/* Whether an element at most a few steps above this one, or itself, holds the block. */
static bool is_near(const search *s, uint32_t at, uint32_t block)
{
    const wn_auto_element *items = s->features->elements.items;
    for (int step = 0; at > 0 && step <= MOST_MORE; step++, at = items[at].parent)
        if (holds(&items[at], block))
            return true;
    return false;
}

/* Whether a companion in the element `around` and a block are close to each other, seen from both. */
static bool belong_together(const search *s, uint32_t around, const companion *c, uint32_t block)
{
    return is_near(s, around, block) && is_near(s, s->features->elements.of_block[block], c->start);
}

static bool ends_with_colon(const search *s, uint32_t block)
{
    wn_str text = wn_str_trim(wn_block_text(s->page, block_at(s, block)));
    return wn_str_has_ending(text, WN_STR(":")) || wn_str_has_ending(text, WN_STR("："));
}

bool wn_auto_companions_is_continuous(const wn_selection *selection)
{
    switch (selection->page_type) {
    case WINNOW_PAGE_TYPE_PRODUCT:
    case WINNOW_PAGE_TYPE_COLLECTION:
    case WINNOW_PAGE_TYPE_LISTING:
    case WINNOW_PAGE_TYPE_SERVICE:
        return false;
    default:
        return true;
    }
}

/* ---- The walk ---------------------------------------------------------------------------- */

static void keep(const search *s, const companion *c, const char *reason)
{
    for (uint32_t i = c->start; i < c->end; i++)
        s->selection->verdicts[i] = (wn_verdict){.reason = reason, .keep = true};
}

/* Counts the words of a gap that are in no companion. Headings do not part what they divide. */
static void measure(const search *s, gap *g)
{
    companion c;
    for (uint32_t i = g->start; i < g->end; i = c.end)
        if (!read_companion(s, i, &c) && block_at(s, i)->kind != WINNOW_BLOCK_HEADING)
            g->label_words += block_at(s, i)->words;
}

static bool is_list_of_links(const search *s, const companion *list)
{
    uint64_t bytes = 0, link_bytes = 0;
    for (uint32_t i = list->start; i < list->end; i++) {
        bytes += block_at(s, i)->len;
        link_bytes += block_at(s, i)->link_bytes;
    }
    return link_bytes * 2 > bytes;
}

/* Keeps the list that a sentence with a colon announces, or what is said of a term. */
static void keep_list(const search *s, gap *g)
{
    bool is_term = block_at(s, g->start - 1)->kind == WINNOW_BLOCK_TERM;
    companion list = {
        .start = g->start, .end = g->start, .least = is_term ? LEAST_DETAIL : LEAST_LIST};
    if (!is_term && !ends_with_colon(s, g->start - 1))
        return;
    while (list.end < g->end &&
           block_at(s, list.end)->kind == (is_term ? WINNOW_BLOCK_DETAIL : WINNOW_BLOCK_LIST_ITEM))
        list.end++;
    if (list.end == list.start || is_list_of_links(s, &list) || !is_likely(s, &list) ||
        !belong_together(s, element_around(s, g, &list), &list, g->start - 1))
        return;
    keep(s, &list, is_term ? "what is said of a term" : "the list that is announced before it");
    g->start = list.end;
}

/* Whether a block of a list or of terms is in the same one as another block. */
static bool in_one_list(const search *s, uint32_t block, uint32_t other)
{
    const wn_auto_elements *elements = &s->features->elements;
    uint32_t at = elements->of_block[block];
    for (int step = 0; step < MOST_WRAPPERS; step++, at = elements->items[at].parent) {
        const wn_node *node = wn_doc_node(s->page->doc, elements->items[at].node);
        if (wn_node_is(node, WN_TAG_UL) || wn_node_is(node, WN_TAG_OL) ||
            wn_node_is(node, WN_TAG_DL))
            return holds(&elements->items[at], other);
    }
    return false;
}

static bool is_kind(const search *s, uint32_t block, int kind)
{
    return block_at(s, block)->kind == kind;
}

/* Whether a block is an item by itself, as opposed to a line of a card or of a comment. */
static bool is_item(const search *s, uint32_t block)
{
    const wn_auto_elements *elements = &s->features->elements;
    return is_kind(s, block, WINNOW_BLOCK_LIST_ITEM) &&
           block_at(s, block)->flags & WN_BLOCK_ITEM_START &&
           elements->items[elements->of_block[block]].blocks == 1;
}

/* Keeps a gap that is items between two kept ones of the same list, such as "a space." for the
   second time. */
static void keep_items(const search *s, const gap *g)
{
    companion items = {.start = g->start, .end = g->end, .least = LEAST_ITEM};
    if (g->end == s->selection->count || !is_item(s, g->start - 1) ||
        !in_one_list(s, g->start - 1, g->end))
        return;
    for (uint32_t i = g->start; i < g->end; i++)
        if (!is_item(s, i) || !in_one_list(s, i, g->start - 1))
            return;
    if (!is_list_of_links(s, &items) && is_likely(s, &items))
        keep(s, &items, "in a list that is kept");
}

/* Keeps the terms of what is kept after the gap. */
static void keep_terms(const search *s, gap *g)
{
    companion terms = {.start = g->end, .end = g->end, .least = LEAST_TERM};
    while (g->end < s->selection->count && is_kind(s, g->end, WINNOW_BLOCK_DETAIL) &&
           terms.start > g->start && is_kind(s, terms.start - 1, WINNOW_BLOCK_TERM) &&
           in_one_list(s, terms.start - 1, g->end))
        terms.start--;
    if (terms.start == g->end || !is_likely(s, &terms))
        return;
    keep(s, &terms, "the term of what is kept");
    g->end = terms.start;
}

static void fill(const search *s, gap *g)
{
    companion c;
    uint32_t labels = 0; /* their words so far */
    keep_list(s, g);
    if (wn_auto_companions_is_continuous(s->selection)) {
        keep_items(s, g);
        keep_terms(s, g);
    }
    bool announced = ends_with_colon(s, g->start - 1);
    measure(s, g);
    bool is_enclosed = g->label_words <= LABEL_WORDS && g->end < s->selection->count &&
                       wn_auto_companions_is_continuous(s->selection);
    for (uint32_t i = g->start; i < g->end && labels <= LABEL_WORDS; i = c.end) {
        if (!read_companion(s, i, &c)) {
            labels += block_at(s, i)->words;
            continue;
        }
        if (announced && c.least == LEAST_CODE)
            c.least = LEAST_CODE_ANNOUNCED;
        uint32_t around = is_likely(s, &c) ? element_around(s, g, &c) : 0;
        if (announced && belong_together(s, around, &c, g->start - 1))
            keep(s, &c, "what the sentence before it announces");
        else if (is_enclosed && belong_together(s, around, &c, g->start - 1) &&
                 belong_together(s, around, &c, g->end))
            keep(s, &c, "between text that is kept");
        announced = false;
    }
}

/* The same before the first kept text: its terms, and the declaration that a manual begins with. */
static void fill_start(const search *s, gap *g)
{
    companion c;
    if (g->start == g->end || g->end == s->selection->count ||
        !wn_auto_companions_is_continuous(s->selection))
        return;
    keep_terms(s, g);
    bool is_code = s->selection->page_type == WINNOW_PAGE_TYPE_DOCUMENTATION && g->end > g->start &&
                   is_kind(s, g->end - 1, WINNOW_BLOCK_CODE) && read_companion(s, g->end - 1, &c);
    uint32_t around = is_code && is_likely(s, &c) ? element_around(s, g, &c) : 0;
    if (around && belong_together(s, around, &c, g->end))
        keep(s, &c, "directly before the first kept text");
}

void wn_auto_companions_keep(const wn_auto_features *features, const wn_auto_model *model,
                             const int32_t *answers, wn_selection *selection)
{
    search s = {features, features->page, model, answers, selection};
    assert(selection->count == features->page->blocks.count);
    for (uint32_t i = 0; i < selection->count;) {
        gap g = {.start = i, .end = i};
        while (g.end < selection->count && !selection->verdicts[g.end].keep)
            g.end++;
        uint32_t end = g.end;
        if (i == 0)
            fill_start(&s, &g);
        else if (g.end > g.start)
            fill(&s, &g);
        i = end + 1;
    }
}
