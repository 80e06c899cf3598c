/*
 * Markdown: CommonMark, with the tables of GitHub's.
 *
 * The writer goes from block to block. What a block stands in (quotations, items of lists) is
 * read from the tree as a path from the outside in; what the path of a block shares with
 * that of the block before stays open, the rest is opened anew:
 *
 *     path of "b": item 2, quote          1. a
 *     path of "c": item 2                 2. > b
 *                                            c
 *
 * An item is opened with its mark on the first line and indented by the mark's width on all others,
 * so that Markdown sees the same nesting. Where two lists meet, the marks change ("-" and
 * "*", "1." and "1)"): that is how Markdown tells them apart.
 */
#include "write/markdown_parts.h"

#include "page/links.h"

/* Nesting that is shown. What lies deeper stands on this level: no line is all indentation. */
enum { DEEPEST = 16 };

/* A quotation or an item of a list. */
typedef struct container {
    wn_node_id node;
    bool is_item;
    bool ordered;
    wn_node_id list; /* of an item; the parent of the element */
    uint32_t number; /* of an item in an ordered list */
    char mark;       /* '-' or '*', '.' or ')' */
    uint8_t width;   /* of the mark and the space behind it */
} container;

typedef struct path {
    container at[DEEPEST]; /* from the outside in */
    int count;
} path;

typedef struct writer {
    wn_markdown parts;
    path open;            /* of the block that was written last */
    const wn_block *last; /* NULL: none yet */
    wn_node_id parent;    /* whose path is parent_path */
    path parent_path;
    uint32_t no_table; /* blocks up to here are of tables that are written as ordinary blocks */
} writer;

/* ---- Paths ------------------------------------------------------------------------------- */

static bool is_list(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_UL) || wn_node_is(node, WN_TAG_OL) ||
           wn_node_is(node, WN_TAG_MENU) || wn_node_is(node, WN_TAG_DIR);
}

/* The item before a list that stands between items: such a list is meant to be in that item. */
static wn_node_id item_before(const wn_doc *doc, wn_node_id id)
{
    enum { MOST_STEPS = 8 }; /* over white space and other such lists */
    for (int step = 0; step < MOST_STEPS && id; step++) {
        id = wn_doc_node(doc, id)->prev;
        if (wn_node_is(wn_doc_node(doc, id), WN_TAG_LI))
            return id;
    }
    return WN_NO_NODE;
}

/* The node of the container that the element makes, if it does. */
static wn_node_id container_of(const wn_doc *doc, wn_node_id id)
{
    const wn_node *node = wn_doc_node(doc, id);
    if (wn_node_is(node, WN_TAG_LI) || wn_node_is(node, WN_TAG_BLOCKQUOTE))
        return id;
    if (is_list(node) && is_list(wn_doc_node(doc, node->parent)))
        return item_before(doc, id);
    return WN_NO_NODE;
}

static void add_container(path *p, const wn_doc *doc, wn_node_id id)
{
    const wn_node *node = wn_doc_node(doc, id);
    bool is_item = wn_node_is(node, WN_TAG_LI);
    if (p->count == DEEPEST)
        return;
    p->at[p->count++] = (container){
        .node = id,
        .is_item = is_item,
        .ordered = is_item && wn_node_is(wn_doc_node(doc, node->parent), WN_TAG_OL),
        .list = is_item ? node->parent : WN_NO_NODE,
    };
}

/* Walks up from `id`, so that the outermost containers come last: only those are remembered. */
static void find_path(path *p, const wn_doc *doc, wn_node_id id)
{
    wn_node_id found[DEEPEST];
    unsigned count = 0;
    for (; id > WN_DOCUMENT_NODE; id = wn_doc_node(doc, id)->parent) {
        wn_node_id node = container_of(doc, id);
        if (node)
            found[count++ % DEEPEST] = node;
    }
    p->count = 0;
    for (unsigned left = count; left > 0 && p->count < DEEPEST; left--)
        add_container(p, doc, found[(left - 1) % DEEPEST]);
}

/* The path of what stands in `id`. Neighbours share a parent, whose path is kept. */
static path path_in(writer *w, wn_node_id id)
{
    const wn_doc *doc = w->parts.page->doc;
    wn_node_id parent = wn_doc_node(doc, id)->parent;
    if (parent != w->parent) {
        find_path(&w->parent_path, doc, parent);
        w->parent = parent;
    }
    path p = w->parent_path;
    wn_node_id own = container_of(doc, id);
    if (own)
        add_container(&p, doc, own);
    return p;
}

/* The nearest element with that tag around a block. */
static wn_node_id around(const writer *w, const wn_block *block, wn_tag tag)
{
    const wn_doc *doc = w->parts.page->doc;
    wn_node_id id = block->node;
    while (id && !wn_node_is(wn_doc_node(doc, id), tag))
        id = wn_doc_node(doc, id)->parent;
    return id;
}

/* ---- Marks ------------------------------------------------------------------------------- */

/*
 * Chooses the mark of an item. `before` is what stood on its level last: an item of the
 * same list has the same mark, unless the numbers have a gap, which only a new list can have.
 */
static void choose_mark(const wn_doc *doc, container *item, const container *before,
                        const uint32_t *number)
{
    bool same_list = before && before->is_item && before->list == item->list;
    if (!item->ordered) {
        bool meets = before && before->is_item && !before->ordered;
        item->mark = '-';
        if (meets)
            item->mark = same_list == (before->mark == '-') ? '-' : '*';
        item->width = 2;
        return;
    }
    const wn_attr *start = wn_node_attr(wn_doc_node(doc, item->list), WN_ATTR_START);
    const wn_attr *value = wn_node_attr(wn_doc_node(doc, item->node), WN_ATTR_VALUE);
    uint32_t next = same_list ? before->number + 1 : wn_attr_number(start, 1);
    item->number = number ? *number : wn_attr_number(value, next);
    bool goes_on = same_list && item->number == next;
    bool meets = before && before->is_item && before->ordered;
    item->mark = '.';
    if (meets)
        item->mark = goes_on == (before->mark == '.') ? '.' : ')';
    item->width = 3;
    for (uint32_t rest = item->number; rest >= 10; rest /= 10)
        item->width++;
}

static void add_mark(writer *w, const container *c)
{
    wn_buf *out = w->parts.out;
    if (!c->is_item)
        wn_buf_add_literal(out, "> ");
    else if (c->ordered)
        wn_buf_add_format(out, "%u%c ", (unsigned)c->number, c->mark);
    else
        wn_buf_add_char(out, c->mark), wn_buf_add_char(out, ' ');
}

/* What a line inside the first `count` containers starts with. */
static void add_prefix(wn_buf *out, const path *p, int count)
{
    for (int i = 0; i < count; i++) {
        if (p->at[i].is_item)
            wn_buf_add_repeated(out, ' ', p->at[i].width);
        else
            wn_buf_add_literal(out, "> ");
    }
}

static void trim_spaces(wn_buf *out)
{
    while (out->len > 0 && out->ptr[out->len - 1] == ' ')
        out->len--;
}

void wn_markdown_next_line(wn_markdown *w)
{
    wn_buf_add_char(w->out, '\n');
    wn_buf_add(w->out, wn_buf_str(&w->prefix));
}

/* ---- Between blocks ---------------------------------------------------------------------- */

/* How many containers the two paths share; the marks of those go over to the new one. */
static int share(path *next, const path *open)
{
    int common = 0;
    while (common < next->count && common < open->count &&
           next->at[common].node == open->at[common].node) {
        next->at[common] = open->at[common];
        common++;
    }
    return common;
}

/* Whether the block follows the last one without an empty line: items, and lists in items. */
static bool is_tight(const path *next, const path *open, int common)
{
    if (common == next->count || !next->at[common].is_item)
        return false;
    const container *item = &next->at[common];
    if (common < open->count)
        return open->at[common].is_item && open->at[common].list == item->list;
    bool in_item = common > 0 && open->at[common - 1].is_item;
    return in_item && (!item->ordered || item->number == 1); /* only 1 may follow text at once */
}

static bool is_choice_of_form(const writer *w, const wn_block *block, const path *next, int common)
{
    return block->kind == WINNOW_FORM && w->last->kind == WINNOW_FORM && common == next->count &&
           common == w->open.count;
}

/* Ends the last block and opens what `block` stands in, up to where its text begins. */
static void start_block(writer *w, const wn_block *block, path next)
{
    wn_buf *out = w->parts.out;
    int common = share(&next, &w->open);
    for (int i = common; i < next.count; i++) {
        bool innermost = i == next.count - 1 && block->flags & WN_BLOCK_ORDERED;
        const container *before = i == common && common < w->open.count ? &w->open.at[i] : NULL;
        if (next.at[i].is_item)
            choose_mark(w->parts.page->doc, &next.at[i], before, innermost ? &block->number : NULL);
    }
    if (w->last && is_choice_of_form(w, block, &next, common)) {
        wn_buf_add_literal(out, "  \n");
    } else if (w->last) {
        wn_buf_add_char(out, '\n');
        if (!is_tight(&next, &w->open, common)) {
            add_prefix(out, &next, common);
            trim_spaces(out);
            wn_buf_add_char(out, '\n');
        }
    }
    add_prefix(out, &next, common);
    for (int i = common; i < next.count; i++)
        add_mark(w, &next.at[i]);
    wn_buf_clear(&w->parts.prefix);
    add_prefix(&w->parts.prefix, &next, next.count);
    w->open = next;
    w->last = block;
}

/* ---- Code -------------------------------------------------------------------------------- */

/* The language that a class like "language-c" or "lang-c" tells. */
static wn_str language_in(const wn_node *node)
{
    static const char *const starts[] = {"language-", "lang-", "highlight-source-"};
    wn_str rest = node->kind == WN_KIND_ELEMENT ? wn_node_attr_value(node, WN_ATTR_CLASS)
                                                : WN_STR("");
    while ((rest = wn_str_trim(rest)).len > 0) {
        size_t end = 0;
        while (end < rest.len && !wn_is_space(rest.ptr[end]))
            end++;
        wn_str word = wn_str_from(rest.ptr, end);
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
            if (wn_str_starts_nocase(word, wn_str_of(starts[i])))
                return wn_str_from_offset(word, strlen(starts[i]));
        rest = wn_str_from_offset(rest, end);
    }
    return rest;
}

/* The language of code: its <pre>, the <code> in it or the element around it may tell. */
static wn_str language_of(const writer *w, wn_node_id pre)
{
    const wn_doc *doc = w->parts.page->doc;
    const wn_node *node = wn_doc_node(doc, pre);
    const wn_node *places[] = {node, wn_doc_node(doc, node->first_child),
                               wn_doc_node(doc, node->parent)};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        wn_str language = language_in(places[i]);
        bool sound = language.len > 0 && language.len <= 32;
        for (size_t j = 0; j < language.len; j++)
            sound = sound &&
                    (wn_is_ascii_alnum(language.ptr[j]) || strchr("+-#._", language.ptr[j]));
        if (sound)
            return language;
    }
    return WN_STR("");
}

static void add_code_lines(writer *w, wn_str text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        wn_markdown_next_line(&w->parts);
        if (len == 0)
            trim_spaces(w->parts.out);
        wn_buf_add(w->parts.out, wn_str_from(text.ptr, len));
        text = wn_str_from_offset(text, len + 1);
    }
}

/* Writes code. Where lines are elements of their own, the blocks up to `end` are one piece. */
static void add_code(writer *w, uint32_t first, uint32_t end)
{
    const wn_page *page = w->parts.page;
    size_t fence = 3;
    for (uint32_t i = first; i < end; i++) {
        size_t longest = wn_markdown_longest_fence(wn_block_text(page, &page->blocks.items[i]));
        fence = longest >= fence ? longest + 1 : fence;
    }
    wn_buf_add_repeated(w->parts.out, '`', fence);
    wn_buf_add(w->parts.out, language_of(w, around(w, &page->blocks.items[first], WN_TAG_PRE)));
    for (uint32_t i = first; i < end; i++)
        if (w->parts.selection->verdicts[i].keep)
            add_code_lines(w, wn_block_text(page, &page->blocks.items[i]));
    wn_markdown_next_line(&w->parts);
    wn_buf_add_repeated(w->parts.out, '`', fence);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static void add_heading(writer *w, const wn_block *block)
{
    wn_buf *out = w->parts.out;
    wn_buf_add_repeated(out, '#', block->level);
    wn_buf_add_char(out, ' ');
    wn_markdown_inline(&w->parts, block, WN_IN_HEADING);
    if (!out->failed && out->ptr[out->len - 1] == '#') { /* it would be taken for decoration */
        out->len--;
        wn_buf_add_literal(out, "\\#");
    }
}

static void add_text(writer *w, const wn_block *block)
{
    if (block->kind == WINNOW_HEADING) {
        add_heading(w, block);
    } else if (block->kind == WINNOW_TERM) {
        wn_buf_add_literal(w->parts.out, "**");
        wn_markdown_inline(&w->parts, block, WN_IN_BOLD);
        wn_buf_add_literal(w->parts.out, "**");
    } else {
        wn_markdown_inline(&w->parts, block, WN_IN_LINES);
    }
}

/* The first block behind `i` that is not of the same table. */
static uint32_t end_of_table(const writer *w, uint32_t i)
{
    const wn_block *blocks = w->parts.page->blocks.items;
    uint32_t table = blocks[i].table;
    while (i < w->parts.selection->count && blocks[i].table == table &&
           blocks[i].kind != WINNOW_CAPTION)
        i++;
    return i;
}

/* The first block behind `i` that is not of the same <pre>. */
static uint32_t end_of_code(const writer *w, uint32_t i)
{
    const wn_block *blocks = w->parts.page->blocks.items;
    wn_node_id pre = around(w, &blocks[i], WN_TAG_PRE);
    uint32_t end = i + 1;
    while (pre && end < w->parts.selection->count && blocks[end].kind == WINNOW_CODE &&
           around(w, &blocks[end], WN_TAG_PRE) == pre)
        end++;
    return end;
}

/* Writes the block and those that make one piece with it; returns the first one behind. */
static uint32_t add_block(writer *w, uint32_t i)
{
    const wn_block *block = &w->parts.page->blocks.items[i];
    if (block->table && i >= w->no_table && block->kind != WINNOW_CAPTION) {
        uint32_t end = end_of_table(w, i);
        if (wn_markdown_fits_table(&w->parts, i, end)) {
            start_block(w, block, path_in(w, around(w, block, WN_TAG_TABLE)));
            wn_markdown_table(&w->parts, i, end);
            return end;
        }
        w->no_table = end;
    }
    bool nested = block->list_depth || block->quote_depth;
    start_block(w, block, nested ? path_in(w, block->node) : (path){.count = 0});
    if (block->kind == WINNOW_CODE) {
        uint32_t end = end_of_code(w, i);
        add_code(w, i, end);
        return end;
    }
    add_text(w, block);
    return i + 1;
}

/* ---- The whole --------------------------------------------------------------------------- */

void wn_write_markdown(wn_buf *out, const wn_page *page, const wn_selection *selection,
                       const winnow_options *options)
{
    wn_buf base = {0};
    writer w = {
        .parts = {.out = out, .page = page, .selection = selection, .links = options->links}};
    if (options->links)
        wn_links_base(&base, page->doc, options->url);
    w.parts.base = wn_buf_str(&base);
    uint32_t i = 0;
    while (i < selection->count) {
        if (selection->verdicts[i].keep)
            i = add_block(&w, i);
        else
            i++;
    }
    if (w.last)
        wn_buf_add_char(out, '\n');
    out->failed |= base.failed || w.parts.url.failed || w.parts.prefix.failed;
    wn_buf_free(&base);
    wn_buf_free(&w.parts.url);
    wn_buf_free(&w.parts.prefix);
}
