/*
 * The page builder: one walk through the tree, in document order, without a
 * stack of calls.
 *
 * Text gathers in page->text until a block ends: a block-level element starts or ends, a <hr>, two
 * <br>. The properties that a text gets from the elements around it (an item, a quotation, hidden,
 * inside a link) are the builder's `state`. An element that changes the state leaves a frame with
 * the old one, which is restored after it.
 *
 * Elements that are never displayed (scripts, styles, the head) are skipped; what an author has
 * hidden is kept and marked, because some methods need it: tabs, accordions. Style sheets are not
 * read here: `style` attributes are.
 */
#include "page/builder.h"

#include <assert.h>

#include "page/attributes.h"
#include "page/code.h"
#include "page/formulas.h"
#include "page/images.h"
#include "page/inline_style.h"
#include "page/spacing.h"
#include "page/tables.h"
#include "page/tex.h"
#include "page/word_gaps.h"

/* What the builder does with an element; most are inline and need nothing. */
typedef enum display {
    INLINE, /* nothing special */
    BLOCK,
    SKIP,  /* not shown: neither it nor what is in it */
    RULE,  /* ends a block and holds none */
    BREAK, /* <br> */
    LINE,  /* is on lines of its own inside a block: <div> in <pre> */
    APART, /* inline, but never glued to its neighbours: buttons and other controls */
    GAP,   /* not read, but it keeps its neighbours apart: fields to fill in */
    ASIDE, /* inline, in parentheses after what it is said of: how ruby text is read, notes */
} display;

static const uint8_t displays[WN_TAG_COUNT] = {
    [WN_TAG_ADDRESS] = BLOCK,    [WN_TAG_ARTICLE] = BLOCK, [WN_TAG_ASIDE] = BLOCK,
    [WN_TAG_BLOCKQUOTE] = BLOCK, [WN_TAG_BODY] = BLOCK,    [WN_TAG_CAPTION] = BLOCK,
    [WN_TAG_CENTER] = BLOCK,     [WN_TAG_DD] = BLOCK,      [WN_TAG_DETAILS] = BLOCK,
    [WN_TAG_DIALOG] = BLOCK,     [WN_TAG_DIR] = BLOCK,     [WN_TAG_DIV] = BLOCK,
    [WN_TAG_DL] = BLOCK,         [WN_TAG_DT] = BLOCK,      [WN_TAG_FIELDSET] = BLOCK,
    [WN_TAG_FIGCAPTION] = BLOCK, [WN_TAG_FIGURE] = BLOCK,  [WN_TAG_FOOTER] = BLOCK,
    [WN_TAG_FORM] = BLOCK,       [WN_TAG_H1] = BLOCK,      [WN_TAG_H2] = BLOCK,
    [WN_TAG_H3] = BLOCK,         [WN_TAG_H4] = BLOCK,      [WN_TAG_H5] = BLOCK,
    [WN_TAG_H6] = BLOCK,         [WN_TAG_HEADER] = BLOCK,  [WN_TAG_HGROUP] = BLOCK,
    [WN_TAG_HTML] = BLOCK,       [WN_TAG_LEGEND] = BLOCK,  [WN_TAG_LI] = BLOCK,
    [WN_TAG_LISTING] = BLOCK,    [WN_TAG_MAIN] = BLOCK,    [WN_TAG_MARQUEE] = BLOCK,
    [WN_TAG_MENU] = BLOCK,       [WN_TAG_NAV] = BLOCK,     [WN_TAG_OL] = BLOCK,
    [WN_TAG_OPTGROUP] = BLOCK,   [WN_TAG_OPTION] = BLOCK,  [WN_TAG_P] = BLOCK,
    [WN_TAG_PLAINTEXT] = BLOCK,  [WN_TAG_PRE] = BLOCK,     [WN_TAG_SEARCH] = BLOCK,
    [WN_TAG_SECTION] = BLOCK,    [WN_TAG_SUMMARY] = BLOCK, [WN_TAG_TABLE] = BLOCK,
    [WN_TAG_TBODY] = BLOCK,      [WN_TAG_TD] = BLOCK,      [WN_TAG_TEMPLATE] = BLOCK,
    [WN_TAG_TFOOT] = BLOCK,      [WN_TAG_TH] = BLOCK,      [WN_TAG_THEAD] = BLOCK,
    [WN_TAG_TR] = BLOCK,         [WN_TAG_UL] = BLOCK,      [WN_TAG_XMP] = BLOCK,

    [WN_TAG_AREA] = SKIP,        [WN_TAG_AUDIO] = SKIP,    [WN_TAG_BASE] = SKIP,
    [WN_TAG_BASEFONT] = SKIP,    [WN_TAG_CANVAS] = SKIP,   [WN_TAG_COL] = SKIP,
    [WN_TAG_COLGROUP] = SKIP,    [WN_TAG_DATALIST] = SKIP, [WN_TAG_EMBED] = SKIP,
    [WN_TAG_FRAME] = SKIP,       [WN_TAG_FRAMESET] = SKIP, [WN_TAG_HEAD] = SKIP,
    [WN_TAG_IFRAME] = SKIP,      [WN_TAG_IMG] = SKIP,      [WN_TAG_INPUT] = GAP,
    [WN_TAG_LINK] = SKIP,        [WN_TAG_META] = SKIP,     [WN_TAG_METER] = GAP,
    [WN_TAG_NOEMBED] = SKIP,     [WN_TAG_NOFRAMES] = SKIP, [WN_TAG_PARAM] = SKIP,
    [WN_TAG_PROGRESS] = GAP,     [WN_TAG_RP] = SKIP,       [WN_TAG_SCRIPT] = SKIP,
    [WN_TAG_SOURCE] = SKIP,      [WN_TAG_STYLE] = SKIP,    [WN_TAG_TEXTAREA] = GAP,
    [WN_TAG_TITLE] = SKIP,       [WN_TAG_TRACK] = SKIP,    [WN_TAG_VIDEO] = SKIP,

    [WN_TAG_HR] = RULE,          [WN_TAG_BR] = BREAK,      [WN_TAG_BUTTON] = APART,
    [WN_TAG_SELECT] = APART,     [WN_TAG_RT] = ASIDE,
};

enum { DEEPEST = UINT8_MAX }; /* nesting of lists and quotations that is told apart */

/* What the elements around a text say of it. */
typedef struct state {
    wn_node_id node;              /* the nearest block-level element */
    wn_node_id in[WN_SPAN_KINDS]; /* the <a href>, <code>, … around, or WN_NO_NODE */
    uint16_t spans;               /* a bit for each kind that is not WN_NO_NODE */
    wn_node_id flex;              /* the nearest element whose children are separate */
    uint32_t table;               /* its number in tables; 0: none */
    uint32_t list;                /* index into lists; 0: none */
    uint16_t flags;
    uint8_t kind; /* winnow_block_kind */
    uint8_t level;
    uint8_t list_depth, quote_depth;
    bool verbatim;    /* white space counts */
    wn_node_id lines; /* the element in which it does not: around the lines of code */
} state;

typedef struct frame {
    wn_node_id node;
    display how; /* the element was entered */
    state before;
} frame;

/* What came after the last text. */
typedef enum gap {
    NO_GAP,
    ELEMENT_ENDED,
    ELEMENT_STARTED, /* after one that ended */
} gap;

typedef struct list {
    uint32_t number; /* of the item that is read */
    bool ordered;
    bool reversed; /* it counts down */
} list;

struct wn_page_builder {
    const wn_doc *doc;
    wn_page *page;
    state now;
    wn_array(frame) frames;
    wn_page_tables tables;
    wn_array(list) lists;

    /* The block that gathers. */
    wn_page_spacing spacing;
    uint32_t start;      /* its offset in page->text */
    uint32_t first_span; /* its first one in page->spans */
    uint32_t span_start[WN_SPAN_KINDS];
    uint32_t link_bytes;
    uint32_t last_text; /* offset of what the last text node has added */
    wn_node_id last_text_node;
    gap gap;
    bool continues;   /* it begins in the middle of its element (WN_BLOCK_CONTINUES) */
    uint16_t flags;   /* of its text; an inline element can be hidden inside a block that is not */
    bool item_starts; /* the next block is the first of its list item */
    bool new_line;    /* the last thing was a <br> */
    uint16_t task;    /* WN_BLOCK_TASK, WN_BLOCK_DONE: of a box before its first text */
    wn_node_id no_formula; /* the element around in which none was found; or WN_NO_NODE */
    wn_buf plain;          /* a formula as readable text */
};

/* ---- Spans ------------------------------------------------------------------------------- */

static uint32_t text_end(const wn_page_builder *b)
{
    return (uint32_t)b->page->text.len;
}

static void add_span(wn_page_builder *b, wn_span_kind kind, wn_node_id node, uint32_t start)
{
    uint32_t end = text_end(b);
    while (start < end && wn_is_space(b->page->text.ptr[start]))
        start++;
    while (start < end && wn_is_space(b->page->text.ptr[end - 1]))
        end--;
    if (start >= end)
        return;
    wn_span *span = wn_array_push(&b->page->spans);
    if (!span) {
        b->page->failed = true;
        return;
    }
    assert(b->first_span < b->page->spans.count);
    wn_span fresh = {.start = start, .end = end, .node = node, .kind = (uint32_t)kind};
    /*
     * A link that holds code ends after it but starts before it: spans are kept by their start. An
     * image has no text: one that comes before the element stays before it.
     */
    while (span > b->page->spans.items + b->first_span && span[-1].start >= start &&
           !(span[-1].kind == WN_SPAN_IMAGE && span[-1].start == start && span[-1].node < node)) {
        *span = span[-1];
        span--;
    }
    *span = fresh;
    if (kind == WN_SPAN_LINK)
        b->link_bytes += end - start;
}

static void end_span(wn_page_builder *b, wn_span_kind kind)
{
    if (b->now.in[kind])
        add_span(b, kind, b->now.in[kind], b->span_start[kind]);
    b->span_start[kind] = text_end(b);
}

/* Ends the spans of the kinds in a set of bits. */
static void end_spans(wn_page_builder *b, unsigned kinds)
{
    for (int kind = 0; kinds >> kind; kind++)
        if (kinds >> kind & 1)
            end_span(b, (wn_span_kind)kind);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

/* Makes the block that gathers empty, at the end of the text. */
static void start_block(wn_page_builder *b)
{
    b->start = text_end(b);
    for (int kind = 0; b->now.spans >> kind; kind++)
        b->span_start[kind] = b->start;
    b->first_span = b->page->spans.count;
    b->link_bytes = 0;
    b->spacing = (wn_page_spacing){.at_space = true};
    b->new_line = false;
}

/*
 * Whether there are only joiners and direction marks (U+200C to U+200F), which have no effect on
 * their own: page generators put them into empty paragraphs.
 */
static bool is_unseen(wn_str text)
{
    size_t i = 0;
    while (i < text.len && (wn_is_space(text.ptr[i]) || text.ptr[i] == '\xE2'))
        if (wn_is_space(text.ptr[i]))
            i++;
        else if (text.len - i >= 3 && text.ptr[i + 1] == '\x80' &&
                 (unsigned char)(text.ptr[i + 2] - 0x8C) <= 3)
            i += 3;
        else
            return false;
    return i == text.len;
}

/*
 * Takes white space off the end of the text of the block, and all of it if nothing is seen; returns
 * its size.
 */
static uint32_t trim(wn_page_builder *b)
{
    wn_buf *text = &b->page->text;
    assert(b->start <= text->len);
    while (text->len > b->start && wn_is_space(text->ptr[text->len - 1]))
        text->len--;
    if (is_unseen(wn_str_from(text->ptr + b->start, text->len - b->start)))
        text->len = b->start;
    return (uint32_t)text->len - b->start;
}

/* What the elements around say of the block. */
static void describe_block(wn_page_builder *b, wn_block *block)
{
    block->node = b->now.node;
    block->words = wn_page_spacing_words(&b->spacing);
    block->link_bytes = b->link_bytes;
    block->first_span = b->first_span;
    assert(b->first_span <= b->page->spans.count);
    block->span_count = b->page->spans.count - b->first_span;
    block->flags = (uint16_t)(b->flags | b->task);
    b->task = 0;
    block->kind = b->now.kind;
    block->level = b->now.level;
    block->list_depth = b->now.list_depth;
    block->quote_depth = b->now.quote_depth;
    if (b->now.table)
        wn_page_tables_place(&b->tables, b->now.table, block);
    if (b->now.list_depth) {
        assert(b->now.list < b->lists.count);
        block->number = b->lists.items[b->now.list].number;
        block->flags |= b->item_starts ? WN_BLOCK_ITEM_START : 0;
        b->item_starts = false;
    }
    if (b->continues)
        block->flags |= WN_BLOCK_CONTINUES;
    b->continues = false;
}

/* ---- Images ------------------------------------------------------------------------------ */

/* An image too small to be seen counts visits. */
static bool is_pixel(const wn_node *image)
{
    return wn_attr_number(wn_node_attr(image, WN_ATTR_WIDTH), 2) < 2 ||
           wn_attr_number(wn_node_attr(image, WN_ATTR_HEIGHT), 2) < 2;
}

static void add_image(wn_page_builder *b, wn_node_id id)
{
    uint32_t at = text_end(b);
    bool is_copy = b->now.flags & WN_BLOCK_NOSCRIPT && wn_page_image_is_copy(b->doc, id);
    bool is_shown = !is_copy && !is_pixel(wn_doc_node(b->doc, id));
    wn_span *span = is_shown ? wn_array_push(&b->page->spans) : NULL;
    if (span)
        *span = (wn_span){.start = at, .end = at, .node = id, .kind = WN_SPAN_IMAGE};
}

/* Spans after removed white space are at the end of the text. */
static void pull_images(wn_page_builder *b)
{
    wn_span *spans = b->page->spans.items;
    for (uint32_t i = b->page->spans.count; i > b->first_span && spans[i - 1].start > text_end(b);
         i--)
        spans[i - 1].start = spans[i - 1].end = text_end(b);
}

/* Something without text, before the block that comes next. */
static void add_object(wn_page_builder *b, wn_node_id id, winnow_block_kind kind)
{
    wn_object *object = wn_array_push(&b->page->objects);
    if (!object) {
        b->page->failed = true;
        return;
    }
    wn_block place = {.kind = (uint8_t)kind};
    if (b->now.table)
        wn_page_tables_locate(&b->tables, b->now.table, &place);
    *object = (wn_object){
        .node = id,
        .text = b->start,
        .table = place.table,
        .row = place.row,
        .column = place.column,
        .flags = b->now.flags,
        .kind = (uint8_t)kind,
        .number = b->now.list ? b->lists.items[b->now.list].number : 0,
        .list_depth = b->now.list_depth,
        .quote_depth = b->now.quote_depth,
    };
}

/* Images without text around them, or in a heading, are objects of their own; other spans stay. */
static void move_images_out(wn_page_builder *b)
{
    uint32_t kept = b->first_span, end = b->page->spans.count;
    for (uint32_t i = b->first_span; i < end; i++) {
        wn_span span = b->page->spans.items[i];
        if (span.kind == WN_SPAN_IMAGE)
            add_object(b, span.node, WINNOW_BLOCK_IMAGE);
        else
            b->page->spans.items[kept++] = span;
    }
    b->page->spans.count = kept;
}

/* ---- The end of a block ------------------------------------------------------------------ */

/* Makes a block of what was gathered, if it is text. */
__attribute__((noinline)) static void add_block(wn_page_builder *b)
{
    end_spans(b, b->now.spans);
    uint32_t length = trim(b);
    pull_images(b);
    if (length == 0 || b->now.kind == WINNOW_BLOCK_HEADING)
        move_images_out(b);
    wn_block *block = length > 0 ? wn_page_add_block(b->page, b->start) : NULL;
    if (block)
        describe_block(b, block);
    else
        b->page->spans.count = b->first_span; /* spans of no text */
    start_block(b);
}

/* Ends the block that gathers; nothing happens if it holds no text, as most often. */
static inline void end_block(wn_page_builder *b)
{
    if (text_end(b) != b->start || b->page->spans.count != b->first_span) {
        add_block(b);
        return;
    }
    b->spacing = (wn_page_spacing){.at_space = true};
    b->new_line = false;
}

/* ---- Visibility -------------------------------------------------------------------------- */

static bool is_edge_role(wn_str role)
{
    return wn_str_eq_nocase(role, WN_STR("navigation")) ||
           wn_str_eq_nocase(role, WN_STR("contentinfo"));
}

/*
 * The flags that the element's own attributes and nature add to its contents, and what
 * its `style` says.
 */
static uint16_t visibility_of(const wn_node *element, wn_page_inline_style *styled)
{
    unsigned flags = 0;
    bool open = false;
    for (uint32_t i = 0; i < element->len; i++) {
        const wn_attr *attr = &element->attrs[i];
        switch (attr->id) {
        case WN_ATTR_HIDDEN:
        case WN_ATTR_POPOVER:
            flags |= WN_BLOCK_HIDDEN;
            break;
        case WN_ATTR_STYLE:
            *styled = wn_page_inline_style_read(wn_attr_value(attr));
            if (styled->hidden)
                flags |= WN_BLOCK_HIDDEN;
            break;
        case WN_ATTR_ARIA_HIDDEN:
            if (wn_str_eq_nocase(wn_attr_value(attr), WN_STR("true")))
                flags |= WN_BLOCK_ARIA_HIDDEN;
            break;
        case WN_ATTR_OPEN:
            open = true;
            break;
        case WN_ATTR_ROLE:
            if (is_edge_role(wn_attr_value(attr)))
                flags |= WN_BLOCK_EDGE;
            break;
        default:
            break;
        }
    }
    if (wn_node_is(element, WN_TAG_DIALOG) && !open)
        flags |= WN_BLOCK_HIDDEN;
    else if (wn_node_is(element, WN_TAG_DETAILS) && !open)
        flags |= WN_BLOCK_FOLDED;
    else if (wn_node_is(element, WN_TAG_NOSCRIPT))
        flags |= WN_BLOCK_NOSCRIPT;
    else if (wn_node_is(element, WN_TAG_TEMPLATE))
        flags |= WN_BLOCK_TEMPLATE;
    else if (wn_node_is(element, WN_TAG_NAV) || wn_node_is(element, WN_TAG_FOOTER) ||
             (element->ns == WN_NS_SVG && element->tag == WN_TAG_SVG))
        flags |= WN_BLOCK_EDGE;
    return (uint16_t)flags;
}

/* Whether it is the footer of one comment, with its author and date; WordPress writes such. */
static bool is_comment_footer(const wn_node *element)
{
    return wn_node_is(element, WN_TAG_FOOTER) &&
           wn_str_contains_nocase(wn_page_classes(element), WN_STR("comment"));
}

/* ---- Entering elements ------------------------------------------------------------------- */

static bool push_frame(wn_page_builder *b, wn_node_id id, display how)
{
    frame *f = wn_array_push(&b->frames);
    if (!f) {
        b->page->failed = true;
        return false;
    }
    f->node = id;
    f->how = how;
    f->before = b->now;
    return true;
}

static uint32_t count_items(const wn_doc *doc, const wn_node *list)
{
    uint32_t count = 0;
    for (wn_node_id id = list->first_child; id; id = wn_doc_node(doc, id)->next)
        count += wn_node_is(wn_doc_node(doc, id), WN_TAG_LI);
    return count;
}

static void enter_list(wn_page_builder *b, const wn_node *element)
{
    list *l = wn_array_push(&b->lists);
    if (!l) {
        b->page->failed = true;
        return;
    }
    l->ordered = element->tag == WN_TAG_OL;
    l->reversed = l->ordered && wn_node_attr(element, WN_ATTR_REVERSED);
    uint32_t first = l->reversed ? count_items(b->doc, element) : 1;
    first = wn_attr_number(wn_node_attr(element, WN_ATTR_START), first);
    l->number = l->reversed ? first + 1 : first - 1;
    b->now.list = b->lists.count - 1;
    b->now.list_depth += b->now.list_depth < DEEPEST;
}

static void enter_item(wn_page_builder *b, const wn_node *element)
{
    b->now.kind = WINNOW_BLOCK_LIST_ITEM;
    b->now.flags &= (uint16_t)~WN_BLOCK_ORDERED;
    b->item_starts = true;
    if (b->now.list == 0) { /* an item without a list */
        b->now.list_depth += b->now.list_depth == 0;
        return;
    }
    list *l = &b->lists.items[b->now.list];
    uint32_t next = l->reversed ? l->number - (l->number > 0) : l->number + 1;
    l->number = wn_attr_number(wn_node_attr(element, WN_ATTR_VALUE), next);
    if (l->ordered)
        b->now.flags |= WN_BLOCK_ORDERED;
}

static void enter_table(wn_page_builder *b, wn_node_id id, const wn_node *element)
{
    wn_str role = wn_node_attr_value(element, WN_ATTR_ROLE);
    bool is_layout = wn_str_eq_nocase(role, WN_STR("presentation")) ||
                     wn_str_eq_nocase(role, WN_STR("none")) || wn_page_code_is_frame(element) ||
                     wn_page_has_class_start(wn_doc_node(b->doc, element->parent),
                                             WN_STR("admonition")); /* icon and text, Asciidoctor */
    if (wn_page_code_is_table(b->doc, element)) {
        b->now.kind = WINNOW_BLOCK_CODE;
        b->now.verbatim = true;
        return;
    }
    b->now.table = wn_page_tables_enter(&b->tables, id, b->now.table, is_layout);
    b->now.kind = WINNOW_BLOCK_PARAGRAPH;
    b->page->failed |= b->now.table == 0;
}

static void enter_cell(wn_page_builder *b, const wn_node *element)
{
    const wn_attr *width = wn_node_attr(element, WN_ATTR_COLSPAN);
    const wn_attr *height = wn_node_attr(element, WN_ATTR_ROWSPAN);
    wn_page_tables_enter_cell(&b->tables, b->now.table, wn_attr_number(width, 1),
                              wn_attr_number(height, 1));
    b->now.kind = WINNOW_BLOCK_CELL;
    b->now.flags &= (uint16_t)~WN_BLOCK_HEADER_CELL;
    if (element->tag == WN_TAG_TH) {
        b->now.flags |= WN_BLOCK_HEADER_CELL;
        wn_page_tables_note_header(&b->tables, b->now.table);
    }
}

/* The summary of folded details is seen; its frame lies on that of the details. */
static void enter_summary(wn_page_builder *b, const wn_node *element)
{
    const frame *details = b->frames.count >= 2 ? &b->frames.items[b->frames.count - 2] : NULL;
    if (!details || details->node != element->parent)
        return;
    if (wn_node_is(wn_doc_node(b->doc, details->node), WN_TAG_DETAILS) &&
        !(details->before.flags & WN_BLOCK_FOLDED))
        b->now.flags &= (uint16_t)~WN_BLOCK_FOLDED;
}

/* What a block-level element makes of the text in it. Plain ones (<div>) leave it as it is. */
static void enter_block(wn_page_builder *b, const wn_node *element)
{
    state *now = &b->now;
    switch (element->tag) {
    case WN_TAG_H1:
    case WN_TAG_H2:
    case WN_TAG_H3:
    case WN_TAG_H4:
    case WN_TAG_H5:
    case WN_TAG_H6:
        now->kind = WINNOW_BLOCK_HEADING;
        now->level = (uint8_t)(element->tag - WN_TAG_H1 + 1);
        break;
    case WN_TAG_UL:
    case WN_TAG_OL:
    case WN_TAG_MENU:
    case WN_TAG_DIR:
        enter_list(b, element);
        break;
    case WN_TAG_LI:
        enter_item(b, element);
        break;
    case WN_TAG_DT:
        now->kind = WINNOW_BLOCK_TERM;
        break;
    case WN_TAG_DD:
        now->kind = WINNOW_BLOCK_DETAIL;
        break;
    case WN_TAG_TABLE:
        enter_table(b, now->node, element);
        break;
    case WN_TAG_TR:
        if (now->table)
            wn_page_tables_enter_row(&b->tables, now->table);
        break;
    case WN_TAG_TD:
    case WN_TAG_TH:
        if (now->table)
            enter_cell(b, element);
        break;
    case WN_TAG_PRE:
    case WN_TAG_LISTING:
    case WN_TAG_PLAINTEXT:
    case WN_TAG_XMP:
        now->kind = WINNOW_BLOCK_CODE;
        now->verbatim = true;
        break;
    case WN_TAG_BLOCKQUOTE:
        now->kind = WINNOW_BLOCK_QUOTE;
        now->quote_depth += now->quote_depth < DEEPEST;
        break;
    case WN_TAG_CAPTION:
        if (now->table)
            wn_page_tables_note_header(&b->tables, now->table);
        now->kind = WINNOW_BLOCK_CAPTION;
        break;
    case WN_TAG_FIGCAPTION:
        now->kind = WINNOW_BLOCK_CAPTION;
        break;
    case WN_TAG_OPTION:
    case WN_TAG_OPTGROUP:
    case WN_TAG_LEGEND:
        now->kind = WINNOW_BLOCK_FORM;
        break;
    case WN_TAG_SUMMARY:
        enter_summary(b, element);
        break;
    default:
        break;
    }
}

static void add_space(wn_page_builder *b)
{
    wn_page_spacing_add(&b->spacing, WN_STR(" "), &b->page->text);
}

static void add_new_line(wn_page_builder *b)
{
    wn_buf_add_char(&b->page->text, '\n');
    wn_page_spacing_start_line(&b->spacing);
}

/* A <br> starts a line, a second one starts a block. */
static void add_line_break(wn_page_builder *b)
{
    if (b->now.verbatim) {
        add_new_line(b);
        return;
    }
    if (b->new_line) {
        end_block(b);
        b->continues = true;
        return;
    }
    if (trim(b) == 0)
        return;
    add_new_line(b);
    b->new_line = true;
}

/* What follows is on a new line of its block. */
static void end_line(wn_page_builder *b)
{
    if (text_end(b) > b->start && b->page->text.ptr[text_end(b) - 1] != '\n')
        add_new_line(b);
}

/*
 * Hidden words inside a visible block become a separate block. An element without words, such as an
 * icon, divides nothing, nor does one that only assistive technology skips.
 */
static void match_flags(wn_page_builder *b, wn_str text)
{
    unsigned differing = (b->flags ^ b->now.flags) & ~(unsigned)WN_BLOCK_EDGE;
    if (text_end(b) == b->start) {
        b->flags = b->now.flags;
    } else if (differing == WN_BLOCK_ARIA_HIDDEN) {
        b->flags &= b->now.flags;
    } else if (differing && wn_str_trim(text).len > 0) {
        end_block(b);
        b->continues = true;
        b->flags = b->now.flags;
    }
}

/* ---- Formulas ---------------------------------------------------------------------------- */

/* Writes the formula that was added to page->tex from `start` on. */
static void write_formula(wn_page_builder *b, wn_node_id id, uint32_t start, bool display)
{
    wn_page *page = b->page;
    uint32_t number = page->formulas.count, text = text_end(b);
    wn_str tex = wn_page_tex_visible(wn_str_from_offset(wn_buf_str(&page->tex), start));
    page->tex.len = start + tex.len;
    if (tex.len == 0 && !page->tex.failed) {
        wn_page_spacing_add(&b->spacing, WN_STR(" "), &page->text);
        return;
    }
    wn_formula *formula = wn_array_push(&page->formulas);
    if (!formula || page->tex.failed) {
        page->failed = true;
        return;
    }
    *formula = (wn_formula){
        .tex = start, .len = (uint32_t)page->tex.len - start, .display = display};
    wn_buf_clear(&b->plain);
    wn_page_tex_to_text(&b->plain, wn_str_from(page->tex.ptr + start, formula->len));
    if (b->plain.len == 0)
        wn_buf_add(&b->plain, wn_str_from(page->tex.ptr + start, formula->len));
    wn_page_spacing_add(&b->spacing, wn_buf_str(&b->plain), &page->text);
    page->failed |= b->plain.failed;
    add_span(b, WN_SPAN_MATH, id, text);
    wn_span *span = page->spans.count > b->first_span ? &page->spans.items[page->spans.count - 1]
                                                      : NULL;
    if (span && span->kind == WN_SPAN_MATH && span->node == id)
        span->value = number;
}

/* Notes where the text of a text node begins. */
static void note_text(wn_page_builder *b, wn_node_id id, wn_node_id formula)
{
    wn_text *text = wn_array_push(&b->page->texts);
    if (text)
        *text = (wn_text){.node = id, .start = text_end(b), .formula = formula};
    else
        b->page->failed = true;
}

/* The first text node in an element that is not only white space; WN_NO_NODE if there is none. */
static wn_node_id first_text(const wn_doc *doc, wn_node_id root)
{
    for (wn_node_id id = root; id; id = wn_doc_next(doc, id, root)) {
        const wn_node *node = wn_doc_node(doc, id);
        if (node->kind == WN_KIND_TEXT && wn_str_trim(wn_node_text(node)).len > 0)
            return id;
    }
    return WN_NO_NODE;
}

/* Forgets what was read as a formula from `start` on, and looks for none inside; returns false. */
static bool drop_formula(wn_page_builder *b, wn_node_id id, uint32_t start)
{
    b->page->tex.len = start;
    if (wn_doc_node(b->doc, id)->first_child)
        b->no_formula = id;
    return false;
}

/* Reads the element as a formula; false if it is not one, and is to be read as others are. */
static bool add_formula(wn_page_builder *b, wn_node_id id)
{
    enum { MOST_FORMULAS = 1 << 22 }; /* numbers of them fit into spans */
    wn_page *page = b->page;
    if (b->now.verbatim || page->formulas.count >= MOST_FORMULAS || b->no_formula)
        return false;
    uint32_t start = (uint32_t)page->tex.len;
    wn_page_formula_kind kind = wn_page_formulas_read(&page->tex, b->doc, id);
    if (kind == WN_FORMULA_WRAPPER)
        return false;
    if (kind == WN_FORMULA_NONE)
        return drop_formula(b, id, start);
    if (kind == WN_FORMULA_COPY)
        return true;
    wn_node_id text = page->wants_texts ? first_text(b->doc, id) : WN_NO_NODE;
    if (page->wants_texts && !text) /* a picture: verdicts are on texts */
        return drop_formula(b, id, start);
    bool display = kind == WN_FORMULA_DISPLAY && b->now.kind != WINNOW_BLOCK_HEADING &&
                   b->now.kind != WINNOW_BLOCK_CELL;
    if (display)
        end_block(b);
    match_flags(b, WN_STR("x"));
    b->gap = NO_GAP;
    if (text)
        note_text(b, text, id);
    write_formula(b, id, start, display);
    b->new_line = false;
    if (display)
        end_block(b);
    return true;
}

/* ---- Displays ---------------------------------------------------------------------------- */

/* SVG and MathML: which elements show text. */
static display display_of_foreign(const wn_node *element, wn_str name)
{
    switch (element->tag) {
    case WN_TAG_TITLE:
    case WN_TAG_DESC:
    case WN_TAG_DEFS:
    case WN_TAG_STYLE:
    case WN_TAG_SCRIPT:
    case WN_TAG_SYMBOL:
    case WN_TAG_ANNOTATION_XML:
        return SKIP;
    case WN_TAG_TEXT:
    case WN_TAG_SVG:
    case WN_TAG_FOREIGNOBJECT:
        return element->tag == WN_TAG_SVG ? APART : BLOCK;
    default:
        break;
    }
    bool skipped = wn_str_eq(name, WN_STR("annotation")) || wn_str_eq(name, WN_STR("metadata"));
    return skipped ? SKIP : INLINE;
}

static display display_of(const wn_node *element)
{
    if (element->ns != WN_NS_HTML)
        return display_of_foreign(element, wn_node_name(element));
    return (display)displays[element->tag];
}

static bool is_code_tag(uint16_t tag)
{
    return tag == WN_TAG_CODE || tag == WN_TAG_SAMP || tag == WN_TAG_TT;
}

/* What the text of an element is besides text, however it is displayed; WN_SPAN_KINDS: nothing. */
static wn_span_kind span_of(const wn_page_builder *b, const wn_node *element)
{
    switch (element->tag) {
    case WN_TAG_A:
        return wn_node_attr(element, WN_ATTR_HREF) ? WN_SPAN_LINK : WN_SPAN_KINDS;
    case WN_TAG_B:
    case WN_TAG_STRONG:
        return WN_SPAN_BOLD;
    case WN_TAG_I:
    case WN_TAG_EM:
        return WN_SPAN_ITALIC;
    case WN_TAG_SUB:
        return WN_SPAN_SUB;
    case WN_TAG_SUP:
        return WN_SPAN_SUP;
    case WN_TAG_DEL:
    case WN_TAG_S:
    case WN_TAG_STRIKE:
        return WN_SPAN_DELETED;
    case WN_TAG_INS:
        return WN_SPAN_INSERTED;
    case WN_TAG_MARK:
        return WN_SPAN_MARKED;
    case WN_TAG_Q:
        return WN_SPAN_QUOTED;
    case WN_TAG_ABBR:
        return wn_str_trim(wn_node_attr_value(element, WN_ATTR_TITLE)).len > 0 ? WN_SPAN_ABBR
                                                                               : WN_SPAN_KINDS;
    case WN_TAG_KBD:
        return b->now.verbatim ? WN_SPAN_KINDS : WN_SPAN_KEY;
    default:
        return is_code_tag(element->tag) && !b->now.verbatim ? WN_SPAN_CODE : WN_SPAN_KINDS;
    }
}

/* Whether the span begins with the element: a link ends the one around it, others go on. */
static bool begins_span(const wn_page_builder *b, wn_span_kind span)
{
    return span == WN_SPAN_LINK || (span < WN_SPAN_KINDS && !b->now.in[span]);
}

/*
 * Whether the element, in a <pre>, is or contains lines of it: syntax highlighters wrap each line
 * in a <div> or <li>.
 */
static bool is_code_line(const wn_node *element)
{
    return wn_node_is(element, WN_TAG_DIV) || wn_node_is(element, WN_TAG_LI) ||
           wn_node_is(element, WN_TAG_OL) || wn_node_is(element, WN_TAG_UL);
}

/* Inside code lines may be elements of any kind, and cells of a table. */
static display display_in_code(const wn_page_builder *b, const wn_node *element, display how,
                               const wn_page_inline_style *styled)
{
    switch (element->tag) {
    case WN_TAG_TABLE:
    case WN_TAG_TBODY:
    case WN_TAG_TD:
        return INLINE;
    case WN_TAG_TR:
        return LINE;
    default:
        break;
    }
    if (how == BLOCK && styled->inlined)
        return INLINE;
    if (how == INLINE && (styled->block || wn_page_code_is_line(b->doc, element)))
        return LINE;
    return how == BLOCK && is_code_line(element) ? LINE : how;
}

/* How the element is displayed, by its nature, its parent and its style. */
static display style_display(const wn_page_builder *b, const wn_node *element, display how,
                             const wn_page_inline_style *styled)
{
    bool is_item = element->parent == b->now.flex && b->now.flex != WN_NO_NODE;
    if (b->now.verbatim && how != SKIP && element->ns == WN_NS_HTML)
        return display_in_code(b, element, how, styled);
    if (how == INLINE || how == APART)
        return styled->block || is_item ? BLOCK : how;
    return how == BLOCK && styled->inlined && !is_item ? INLINE : how;
}

/* Of an index or exponent, and of a formula, the parts belong together. */
static void start_gap(wn_page_builder *b, const wn_node *element)
{
    bool joins = element->ns != WN_NS_HTML || element->tag == WN_TAG_SUB ||
                 element->tag == WN_TAG_SUP || element->tag == WN_TAG_WBR;
    if (joins)
        b->gap = NO_GAP;
    else if (b->gap == ELEMENT_ENDED)
        b->gap = ELEMENT_STARTED;
}

/* Whether the classes begin with that word. */
static bool starts_with_class(wn_str classes, wn_str word)
{
    return wn_str_starts(classes, word) &&
           (classes.len == word.len || wn_is_space(classes.ptr[word.len]));
}

/*
 * Whether the element is a note inside the text that it is said of, as LaTeXML and the style of
 * Tufte's books have them: style sheets put it into the margin. Distill has elements of its own.
 */
static bool is_note(const wn_node *element)
{
    if (element->tag == WN_TAG_UNKNOWN)
        return wn_str_eq(wn_node_name(element), WN_STR("d-footnote")) ||
               wn_str_eq(wn_node_name(element), WN_STR("dt-fn"));
    if (element->tag != WN_TAG_SPAN || element->len == 0)
        return false;
    wn_str classes = wn_node_attr_value(element, WN_ATTR_CLASS);
    return starts_with_class(classes, WN_STR("ltx_note_outer")) ||
           starts_with_class(classes, WN_STR("sidenote")) ||
           starts_with_class(classes, WN_STR("marginnote"));
}

/* A box to tick, before the first text of an item. */
static void add_box(wn_page_builder *b, const wn_node *input)
{
    bool is_box = wn_node_is(input, WN_TAG_INPUT) && b->now.list_depth > 0 &&
                  text_end(b) == b->start &&
                  wn_str_eq_nocase(wn_node_attr_value(input, WN_ATTR_TYPE), WN_STR("checkbox"));
    if (is_box)
        b->task = wn_node_attr(input, WN_ATTR_CHECKED) ? WN_BLOCK_TASK | WN_BLOCK_DONE
                                                       : WN_BLOCK_TASK;
}

/* An element without text of its own. */
static void add_thing(wn_page_builder *b, wn_node_id id, const wn_node *element)
{
    switch (element->tag) {
    case WN_TAG_IMG:
        add_image(b, id);
        break;
    case WN_TAG_IFRAME:
    case WN_TAG_VIDEO:
    case WN_TAG_AUDIO:
    case WN_TAG_EMBED:
        end_block(b);
        add_object(b, id, WINNOW_BLOCK_EMBED);
        break;
    default:
        break;
    }
}

/* Elements that hold nothing to be read; true if the element is one. */
static bool enter_empty(wn_page_builder *b, wn_node_id id, const wn_node *element, display how)
{
    switch (how) {
    case SKIP:
        if (element->ns == WN_NS_HTML)
            add_thing(b, id, element);
        return true;
    case GAP:
        add_space(b);
        add_box(b, element);
        return true;
    case BREAK:
        add_line_break(b);
        return true;
    case RULE:
        start_gap(b, element);
        end_block(b);
        b->continues = false;
        add_object(b, id, WINNOW_BLOCK_RULE);
        if (b->now.table)
            wn_page_tables_note_rule(&b->tables, b->now.table);
        return true;
    default:
        return false;
    }
}

static void open_span(wn_page_builder *b, wn_span_kind span, wn_node_id id)
{
    end_span(b, span);
    b->now.in[span] = id;
    b->now.spans |= (uint16_t)(1u << span);
}

/* What is in an element that has changed the state, or how it is displayed. */
static void enter_changed(wn_page_builder *b, wn_node_id id, const wn_node *element, display how,
                          const wn_page_inline_style *styled)
{
    if (styled->items)
        b->now.flex = id;
    if (how != BLOCK)
        return;
    b->continues = false;
    b->now.node = id;
    if (element->ns == WN_NS_HTML)
        enter_block(b, element);
    bool is_fragment = wn_page_code_is_fragment(b->doc, element);
    if (is_fragment)
        b->now.lines = id;
    if ((styled->pre && b->now.kind == WINNOW_BLOCK_PARAGRAPH) || is_fragment) {
        b->now.kind = WINNOW_BLOCK_CODE;
        b->now.verbatim = true;
    }
}

/* Whether an element is what LaTeXML says again of a note inside it: its mark, or "footnote: ". */
static bool is_mark_of_note(const wn_page_builder *b, const wn_node *element)
{
    static const char *const names[] = {"ltx_note_mark", "ltx_note_type", "ltx_tag_note", NULL};
    return b->frames.count > 0 && b->frames.items[b->frames.count - 1].how == ASIDE &&
           element->ns == WN_NS_HTML && wn_page_has_class_of(element, names);
}

/* Whether an element holds a few words and nothing that is separate. */
static bool is_few_words(const wn_doc *doc, wn_node_id root)
{
    enum { MOST_NODES = 12, MOST_BYTES = 80 };
    size_t bytes = 0;
    int count = 0;
    for (wn_node_id id = root; id; id = wn_doc_next(doc, id, root)) {
        const wn_node *node = wn_doc_node(doc, id);
        if (node->kind == WN_KIND_TEXT)
            bytes += wn_node_text(node).len;
        if (++count > MOST_NODES || bytes > MOST_BYTES ||
            (node->kind == WN_KIND_ELEMENT && display_of(node) != INLINE))
            return false;
    }
    return true;
}

/*
 * Whether an element that is not read aloud says again the words before it, which are for those who
 * listen: "10<span class=sr-only> minutes</span> <span aria-hidden=true>minutes</span>".
 */
static bool is_said_aloud(const wn_page_builder *b, const wn_node *element)
{
    const wn_node *child = wn_doc_node(b->doc, element->first_child);
    if (!element->first_child || child->kind != WN_KIND_TEXT || child->next)
        return false;
    wn_str again = wn_str_trim(wn_node_text(child));
    wn_str said = wn_str_trim(wn_str_from(b->page->text.ptr + b->start, text_end(b) - b->start));
    if (again.len < 2 || said.len <= again.len || !wn_str_has_ending(said, again))
        return false;
    return wn_is_space(said.ptr[said.len - again.len - 1]);
}

/*
 * Whether an element is a few hidden words within a line or a cell: a date or a sort key for
 * programs, a link for editors. They are not read, since they would divide the text around them.
 */
static bool is_hidden_within(const wn_page_builder *b, wn_node_id id, const wn_node *element)
{
    bool is_within = text_end(b) > b->start ||
                     (b->now.kind == WINNOW_BLOCK_CELL && element->next != WN_NO_NODE);
    return is_within && is_few_words(b->doc, id);
}

/* Takes the element in; returns whether what is in it is to be read. */
static bool enter_element(wn_page_builder *b, wn_node_id id, const wn_node *element)
{
    display how = display_of(element);
    if (wn_page_formulas_may_start(element) && add_formula(b, id))
        return false;
    if (enter_empty(b, id, element, how))
        return false;
    start_gap(b, element);
    bool html = element->ns == WN_NS_HTML;
    if (html && is_note(element)) {
        add_space(b);
        how = ASIDE;
    }
    if (is_mark_of_note(b, element))
        return false;
    if ((b->now.verbatim || element->tag == WN_TAG_TD) && html && wn_page_code_is_gutter(element))
        return false;
    if (b->now.kind == WINNOW_BLOCK_TERM && element->tag == WN_TAG_SPAN && html &&
        wn_page_has_class(element, WN_STR("classifier"))) /* style sheets put a colon before it */
        add_space(b);
    wn_span_kind span = html ? span_of(b, element) : WN_SPAN_KINDS;
    wn_page_inline_style styled = {0};
    uint16_t flags = visibility_of(element, &styled);
    if (b->now.quote_depth > 0 || is_comment_footer(element)) /* they say whose words these are */
        flags &= (uint16_t)~WN_BLOCK_EDGE;
    how = style_display(b, element, how, &styled);
    if (how == INLINE && flags & WN_BLOCK_HIDDEN && is_hidden_within(b, id, element))
        return false;
    if (how == INLINE && flags & WN_BLOCK_ARIA_HIDDEN && is_said_aloud(b, element))
        return false;
    bool spans = begins_span(b, span);
    bool changes = spans || styled.items || (b->now.flags | flags) != b->now.flags;
    if (how == INLINE && !changes)
        return true;
    if (how == ASIDE && !element->first_child)
        return false;
    if (how == APART)
        add_space(b);
    if (how == LINE)
        end_line(b);
    if (how == BLOCK)
        end_block(b);
    if (!push_frame(b, id, how))
        return false;
    b->now.flags |= flags;
    if (spans)
        open_span(b, span, id);
    if (how == ASIDE)
        wn_page_spacing_add(&b->spacing, WN_STR("("), &b->page->text);
    enter_changed(b, id, element, how, &styled);
    return true;
}

/* ---- Leaving elements -------------------------------------------------------------------- */

static void leave_element(wn_page_builder *b, wn_node_id id)
{
    if (b->gap == NO_GAP && id < b->last_text_node) /* it is around the text */
        b->gap = ELEMENT_ENDED;
    if (id == b->no_formula)
        b->no_formula = WN_NO_NODE;
    if (b->frames.count == 0 || b->frames.items[b->frames.count - 1].node != id)
        return;
    const wn_node *element = wn_doc_node(b->doc, id);
    const state *before = &b->frames.items[b->frames.count - 1].before;
    display how = b->frames.items[b->frames.count - 1].how;
    if (how == BLOCK) {
        end_block(b);
        b->continues = false;
    }
    if (how == LINE)
        end_line(b);
    if (how == ASIDE)
        wn_page_spacing_add(&b->spacing, WN_STR(")"), &b->page->text);
    for (int kind = 0; b->now.spans >> kind; kind++)
        if (before->in[kind] != b->now.in[kind])
            end_span(b, (wn_span_kind)kind);
    b->now = *before;
    b->frames.count--;
    if (wn_node_is(element, WN_TAG_LI))
        b->item_starts = false;
    if (how == APART)
        add_space(b);
}

/* ---- Text -------------------------------------------------------------------------------- */

/* Elements that touch are kept apart where their words are different ones. */
static void keep_apart(wn_page_builder *b, wn_node_id id, wn_str text)
{
    bool touches = b->gap == ELEMENT_STARTED && b->last_text >= b->start &&
                   b->last_text < text_end(b) && !b->now.verbatim;
    b->gap = NO_GAP;
    b->last_text_node = id;
    if (touches) {
        wn_str before = wn_str_from(b->page->text.ptr + b->last_text, text_end(b) - b->last_text);
        if (wn_page_are_separate_words(before, text))
            add_space(b);
    }
    b->last_text = text_end(b);
}

/* Whether a text is the white space of the page's source, between elements that are lines of code. */
static bool is_between_lines(const wn_page_builder *b, const wn_node *text)
{
    if (!b->now.verbatim || wn_str_trim(wn_node_text(text)).len > 0)
        return false;
    switch (wn_doc_node(b->doc, text->parent)->tag) {
    case WN_TAG_OL:
    case WN_TAG_UL:
    case WN_TAG_TABLE:
    case WN_TAG_TBODY:
    case WN_TAG_TR:
        return true;
    default:
        return text->parent == b->now.lines;
    }
}

static void add_text(wn_page_builder *b, wn_node_id id, const wn_node *node, wn_watch *watch)
{
    wn_str text = wn_node_text(node);
    match_flags(b, text);
    if (is_between_lines(b, node))
        return;
    keep_apart(b, id, text);
    if (b->page->wants_texts)
        note_text(b, id, WN_NO_NODE);
    size_t before = b->page->text.len;
    wn_page_spacing_add_within(&b->spacing, text, b->now.verbatim, &b->page->text, watch);
    if (b->page->text.len > before && !b->now.verbatim)
        b->new_line = false;
}

/* ---- The whole --------------------------------------------------------------------------- */

static void walk(wn_page_builder *b, wn_watch *watch)
{
    const wn_node *nodes = b->doc->nodes.items;
    wn_node_id id = nodes[WN_DOCUMENT_NODE].first_child;
    while (id && !b->page->failed && !wn_watch_over(watch)) {
        const wn_node *node = &nodes[id];
        bool descend = node->kind == WN_KIND_CONTENT;
        if (node->kind == WN_KIND_TEXT)
            add_text(b, id, node, watch);
        else if (node->kind == WN_KIND_ELEMENT)
            descend = enter_element(b, id, node);
        if (descend && node->first_child) {
            id = node->first_child;
            continue;
        }
        leave_element(b, id);
        while (id && !nodes[id].next) {
            id = nodes[id].parent;
            leave_element(b, id);
        }
        id = nodes[id].next;
    }
    end_block(b);
}

/* The text of the first <title>, collapsed; stored after the blocks' text. */
static void read_title(wn_page_builder *b)
{
    wn_page *page = b->page;
    wn_node_id head = wn_doc_find(b->doc, WN_TAG_TITLE);
    start_block(b);
    for (wn_node_id id = head; id; id = wn_doc_next(b->doc, id, head))
        if (wn_doc_node(b->doc, id)->kind == WN_KIND_TEXT)
            wn_page_spacing_add(&b->spacing, wn_node_text(wn_doc_node(b->doc, id)), &page->text);
    uint32_t len = trim(b);
    page->title = wn_arena_copy(b->doc->arena, wn_str_from(page->text.ptr + b->start, len));
    page->text.len = b->start;
}

static void read_language(wn_page_builder *b)
{
    wn_node_id html = wn_doc_find(b->doc, WN_TAG_HTML);
    b->page->language = wn_str_trim(wn_node_attr_value(wn_doc_node(b->doc, html), WN_ATTR_LANG));
}

/* White space that was taken off the end of a block may have moved texts past it forward. */
static void order_texts(wn_page *page)
{
    uint32_t end = (uint32_t)page->text.len;
    for (uint32_t i = page->texts.count; i-- > 0; end = page->texts.items[i].start)
        if (page->texts.items[i].start > end)
            page->texts.items[i].start = end;
}

void wn_page_build(wn_page_builder *b, wn_page *page, const wn_doc *doc, wn_watch *watch)
{
    b->doc = doc;
    b->page = page;
    b->now = (state){.kind = WINNOW_BLOCK_PARAGRAPH, .node = WN_DOCUMENT_NODE};
    b->frames.count = 0;
    b->lists.count = 0;
    b->item_starts = false;
    b->task = 0;
    b->no_formula = WN_NO_NODE;
    b->last_text = 0;
    b->last_text_node = WN_NO_NODE;
    b->gap = NO_GAP;
    wn_page_start(page, doc);

    list *none = wn_array_push(&b->lists); /* number 0 */
    if (!wn_page_tables_start(&b->tables) || !none || page->failed) {
        page->failed = true;
        return;
    }
    *none = (list){0};
    start_block(b);
    walk(b, watch);
    wn_page_tables_dissolve(&b->tables, page);
    read_title(b);
    read_language(b);
    order_texts(page);
    page->failed |= page->text.failed;
}

wn_page_builder *wn_page_builder_new(void)
{
    return wn_memory_get_zeroed(sizeof(wn_page_builder));
}

void wn_page_builder_free(wn_page_builder *b)
{
    if (!b)
        return;
    wn_array_free(&b->frames);
    wn_page_tables_free(&b->tables);
    wn_array_free(&b->lists);
    wn_buf_free(&b->plain);
    wn_memory_release(b);
}

size_t wn_page_builder_memory(const wn_page_builder *b)
{
    return sizeof *b + wn_array_bytes(&b->frames) + wn_page_tables_memory(&b->tables) +
           wn_array_bytes(&b->lists) + b->plain.cap;
}
