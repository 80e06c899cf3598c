/*
 * Pages as elements: HTML, and XML in the words of the Text Encoding Initiative.
 *
 * One walk over the kept blocks writes all of them; a vocabulary says what the elements are
 * called:
 *
 *     HTML                              XML and TEI
 *     <h2>Mills</h2>                    <head rend="h2">Mills</head>     (TEI: <div><head>…)
 *     <ul><li>One</li></ul>             <list rend="ul"><item>One</item></list>
 *     <table><tr><th>Year</th></tr>     <table><row><cell role="head">Year</cell></row>
 *     <a href="…">there</a><br>         <ref target="…">there</ref><lb/>
 *
 * Elements are opened and closed by the paths of blocks (paths.h), so the result is well formed
 * whatever the page is. In an item the first text stands by itself, further blocks are paragraphs.
 *
 * In TEI a heading begins a division, which ends where a heading of the same or a higher rank
 * begins, as <head> may stand nowhere else; headings inside items, quotations and cells are
 * paragraphs.
 */
#include "base/escape.h"

#include <assert.h>
#include "page/links.h"
#include "write/paths.h"
#include "write/pieces.h"
#include "write/write.h"

/* ---- Vocabularies ------------------------------------------------------------------------ */

typedef enum element {
    PARAGRAPH,
    CAPTION, /* of a figure */
    QUOTE,
    UNORDERED,
    ORDERED,
    ITEM,
    TERMS, /* around terms and details */
    TERM,
    DETAIL,
    TABLE,
    TABLE_CAPTION,
    ROW,
    CELL,
    HEADER_CELL,
    INLINE_CODE,
    BOLD,
    ITALIC,
    ELEMENTS,
} element;

typedef struct tags {
    const char *open, *close;
} tags;

typedef struct vocabulary {
    tags elements[ELEMENTS];
    const char *line_break;
    const char *link_open, *link_close; /* around the address, and behind the text */
    const char *code_open, *code_close; /* of a block; the language stands in between */
    const char *code_language, *code_end;
    bool divisions; /* headings begin one */
    bool html;
} vocabulary;

static const vocabulary html = {
    .elements =
        {
            [PARAGRAPH] = {"<p>", "</p>"},
            [CAPTION] = {"<p>", "</p>"},
            [QUOTE] = {"<blockquote>", "</blockquote>"},
            [UNORDERED] = {"<ul>", "</ul>"},
            [ORDERED] = {"<ol", "</ol>"},
            [ITEM] = {"<li>", "</li>"},
            [TERMS] = {"<dl>", "</dl>"},
            [TERM] = {"<dt>", "</dt>"},
            [DETAIL] = {"<dd>", "</dd>"},
            [TABLE] = {"<table>", "</table>"},
            [TABLE_CAPTION] = {"<caption>", "</caption>"},
            [ROW] = {"<tr>", "</tr>"},
            [CELL] = {"<td>", "</td>"},
            [HEADER_CELL] = {"<th>", "</th>"},
            [INLINE_CODE] = {"<code>", "</code>"},
            [BOLD] = {"<strong>", "</strong>"},
            [ITALIC] = {"<em>", "</em>"},
        },
    .line_break = "<br>",
    .link_open = "<a href=\"",
    .link_close = "</a>",
    .code_open = "<pre><code",
    .code_language = " class=\"language-",
    .code_end = ">",
    .code_close = "</code></pre>",
    .html = true,
};

#define TEI_ELEMENTS                                                                               \
    {                                                                                              \
        [PARAGRAPH] = {"<p>", "</p>"}, [CAPTION] = {"<p rend=\"caption\">", "</p>"},               \
        [QUOTE] = {"<quote>", "</quote>"}, [UNORDERED] = {"<list rend=\"ul\">", "</list>"},        \
        [ORDERED] = {"<list rend=\"ol\"", "</list>"}, [ITEM] = {"<item>", "</item>"},              \
        [TERM] = {"<p rend=\"term\">", "</p>"}, [DETAIL] = {"<p rend=\"detail\">", "</p>"},        \
        [TABLE] = {"<table>", "</table>"}, [TABLE_CAPTION] = {"<head>", "</head>"},                \
        [ROW] = {"<row>", "</row>"}, [CELL] = {"<cell>", "</cell>"},                               \
        [HEADER_CELL] = {"<cell role=\"head\">", "</cell>"},                                       \
        [INLINE_CODE] = {"<code>", "</code>"}, [BOLD] = {"<hi rend=\"bold\">", "</hi>"},           \
        [ITALIC] = {"<hi rend=\"italic\">", "</hi>"},                                              \
    }
#define TEI_TEXT                                                                                   \
    .line_break = "<lb/>", .link_open = "<ref target=\"", .link_close = "</ref>",                  \
    .code_open = "<p><code xml:space=\"preserve\"", .code_language = " lang=\"", .code_end = ">",  \
    .code_close = "</code></p>"

static const vocabulary xml = {.elements = TEI_ELEMENTS, TEI_TEXT};
static const vocabulary tei = {.elements = TEI_ELEMENTS, TEI_TEXT, .divisions = true};

/* ---- The writer -------------------------------------------------------------------------- */

typedef struct writer {
    wn_buf *out;
    const vocabulary *words;
    const wn_page *page;
    const wn_selection *selection;
    const wn_write_options *options;
    wn_str base; /* what links are relative to; may be empty */
    wn_buf url;
    wn_paths paths;
    wn_path open;
    bool in_terms;
    uint8_t divisions[6]; /* the ranks of the headings whose divisions are open */
    size_t division_count;
} writer;

static void start_tag(writer *w, element which)
{
    wn_buf_add_literal(w->out, w->words->elements[which].open);
}

static void end_tag(writer *w, element which)
{
    wn_buf_add_literal(w->out, w->words->elements[which].close);
}

static void end_line(writer *w, element which)
{
    end_tag(w, which);
    wn_buf_add_char(w->out, '\n');
}

static bool is_kept(const writer *w, uint32_t i)
{
    return w->selection->verdicts[i].keep;
}

/* ---- Inside a block ---------------------------------------------------------------------- */

static void add_text(writer *w, wn_str text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        wn_add_escaped(w->out, wn_str_from(text.ptr, len));
        if (end)
            wn_buf_add_literal(w->out, w->words->line_break);
        text = wn_str_from_offset(text, len + (end != NULL));
    }
}

/* The element of a span that is no link. */
static element element_of(const wn_span *span)
{
    return span->kind == WN_SPAN_CODE ? INLINE_CODE : span->kind == WN_SPAN_BOLD ? BOLD : ITALIC;
}

/* Writes an image, if it has an address. */
static void add_image(writer *w, const wn_span *span)
{
    const wn_node *image = wn_doc_node(w->page->doc, span->node);
    wn_str description = wn_str_trim(wn_node_attr_value(image, WN_ATTR_ALT));
    if (!wn_page_links_image(&w->url, w->base, image))
        return;
    wn_buf_add_literal(w->out, w->words->html ? "<img src=\"" : "<graphic url=\"");
    wn_add_escaped(w->out, wn_buf_str(&w->url));
    wn_buf_add_literal(w->out, w->words->html ? "\" alt=\"" : "\">");
    if (description.len > 0 && !w->words->html)
        wn_buf_add_literal(w->out, "<desc>");
    wn_add_escaped(w->out, description);
    if (description.len > 0 && !w->words->html)
        wn_buf_add_literal(w->out, "</desc>");
    wn_buf_add_literal(w->out, w->words->html ? "\">" : "</graphic>");
}

/* Opens the element of a span; false if it is not shown. */
static bool open_span(writer *w, const wn_span *span)
{
    bool formats = span->kind == WN_SPAN_BOLD || span->kind == WN_SPAN_ITALIC;
    if (formats && !w->options->formatting)
        return false;
    if (span->kind != WN_SPAN_LINK) {
        start_tag(w, element_of(span));
        return true;
    }
    const wn_node *a = wn_doc_node(w->page->doc, span->node);
    if (!w->options->links || !wn_page_links_target(&w->url, w->base, a))
        return false;
    wn_buf_add_literal(w->out, w->words->link_open);
    wn_add_escaped(w->out, wn_buf_str(&w->url));
    wn_buf_add_literal(w->out, "\">");
    return true;
}

static void close_span(writer *w, const wn_span *span)
{
    if (span->kind == WN_SPAN_LINK)
        wn_buf_add_literal(w->out, w->words->link_close);
    else
        end_tag(w, element_of(span));
}

/* Spans nest and are in order of their start; what ends behind the one around it ends with it. */
static void add_inline(writer *w, const wn_block *block)
{
    enum { DEEPEST = 8 };
    const wn_span *stack[DEEPEST];
    uint32_t ends[DEEPEST], depth = 0;
    const char *text = w->page->text.ptr;
    uint32_t at = block->text, end = block->text + block->len, next = 0;
    while (at < end || depth > 0 || next < block->span_count) {
        const wn_span *span = next < block->span_count
                                  ? &w->page->spans.items[block->first_span + next]
                                  : NULL;
        uint32_t limit = depth > 0 ? ends[depth - 1] : end;
        uint32_t stop = span && span->start < limit ? span->start : limit;
        if (stop > at) {
            add_text(w, wn_str_from(text + at, stop - at));
            at = stop;
        }
        if (depth > 0 && at >= limit) {
            close_span(w, stack[--depth]);
        } else if (span && span->start <= at) {
            next++;
            if (span->kind == WN_SPAN_IMAGE) {
                if (w->options->images)
                    add_image(w, span);
            } else if (depth < DEEPEST && span->end > at && open_span(w, span)) {
                assert(span->start >= block->text && span->end <= end);
                ends[depth] = span->end < limit ? span->end : limit;
                stack[depth++] = span;
            }
        }
    }
}

/* ---- Code -------------------------------------------------------------------------------- */

static void add_code(writer *w, uint32_t first, uint32_t end)
{
    const wn_block *blocks = w->page->blocks.items;
    wn_str language = wn_write_code_language(w->page, &blocks[first]);
    bool begun = false;
    wn_buf_add_literal(w->out, w->words->code_open);
    if (language.len > 0) {
        wn_buf_add_literal(w->out, w->words->code_language);
        wn_add_escaped(w->out, language);
        wn_buf_add_char(w->out, '"');
    }
    wn_buf_add_literal(w->out, w->words->code_end);
    for (uint32_t i = first; i < end; i++) {
        if (!is_kept(w, i))
            continue;
        if (begun)
            wn_buf_add_char(w->out, '\n');
        wn_add_escaped_lines(w->out, wn_block_text(w->page, &blocks[i]));
        begun = true;
    }
    wn_buf_add_literal(w->out, w->words->code_close);
}

/* ---- Headings ---------------------------------------------------------------------------- */

static bool begins_division(const writer *w, const wn_block *block)
{
    return w->words->divisions && block->kind == WINNOW_BLOCK_HEADING && w->open.count == 0 &&
           !block->table;
}

/* Ends the divisions of headings of that rank and lower ones. */
static void end_divisions(writer *w, uint8_t rank)
{
    while (w->division_count > 0 && w->divisions[w->division_count - 1] >= rank) {
        wn_buf_add_literal(w->out, "</div>\n");
        w->division_count--;
    }
}

static void begin_division(writer *w, const wn_block *block)
{
    end_divisions(w, block->level);
    wn_buf_add_literal(w->out, "<div>\n<head>");
    add_inline(w, block);
    wn_buf_add_literal(w->out, "</head>\n");
    w->divisions[w->division_count++] = block->level;
}

static void add_heading(writer *w, const wn_block *block)
{
    if (w->words->html)
        wn_buf_add_format(w->out, "<h%u>", block->level);
    else
        wn_buf_add_format(w->out, "<%s rend=\"h%u\">", w->words->divisions ? "p" : "head",
                          block->level);
    add_inline(w, block);
    if (w->words->html)
        wn_buf_add_format(w->out, "</h%u>\n", block->level);
    else
        wn_buf_add_literal(w->out, w->words->divisions ? "</p>\n" : "</head>\n");
}

/* ---- Tables ------------------------------------------------------------------------------ */

/* The text of a block in a cell or caption. */
static void add_part(writer *w, uint32_t i)
{
    const wn_block *block = &w->page->blocks.items[i];
    if (block->kind == WINNOW_BLOCK_CODE)
        add_code(w, i, i + 1);
    else
        add_inline(w, block);
}

/* Writes the row of block `i`; returns the first block behind it. */
static uint32_t add_row(writer *w, uint32_t i, uint32_t end)
{
    const wn_block *blocks = w->page->blocks.items;
    uint32_t row = blocks[i].row, written = 0; /* cells that are there, the last one open */
    element last = CELL;
    start_tag(w, ROW);
    for (; i < end && blocks[i].row == row; i++) {
        if (!is_kept(w, i))
            continue;
        uint32_t cell = blocks[i].column + 1;
        if (cell <= written) {
            wn_buf_add_literal(w->out, w->words->line_break);
        } else {
            if (written > 0)
                end_tag(w, last);
            for (written++; written < cell; written++) {
                start_tag(w, CELL);
                end_tag(w, CELL);
            }
            last = blocks[i].flags & WN_BLOCK_HEADER_CELL ? HEADER_CELL : CELL;
            start_tag(w, last);
        }
        add_part(w, i);
    }
    if (written > 0)
        end_tag(w, last);
    end_line(w, ROW);
    return i;
}

/* Writes the cells from `first` on, with the caption before them, if there is one. */
static void add_table(writer *w, uint32_t caption, uint32_t first, uint32_t end)
{
    start_tag(w, TABLE);
    wn_buf_add_char(w->out, '\n');
    if (caption < first) {
        start_tag(w, TABLE_CAPTION);
        add_part(w, caption);
        end_line(w, TABLE_CAPTION);
    }
    for (uint32_t i = first; i < end;) {
        if (is_kept(w, i))
            i = add_row(w, i, end);
        else
            i++;
    }
    end_line(w, TABLE);
}

/* ---- Containers -------------------------------------------------------------------------- */

static element list_of(const wn_container *item)
{
    return item->ordered ? ORDERED : UNORDERED;
}

/* Whether the item at `level` of the path follows one of the same list that is open. */
static bool goes_on(const wn_path *next, const wn_path *open_path, int level)
{
    return level < next->count && level < open_path->count && next->at[level].is_item &&
           open_path->at[level].is_item && next->at[level].list == open_path->at[level].list;
}

static void end_terms(writer *w)
{
    if (w->in_terms)
        end_line(w, TERMS);
    w->in_terms = false;
}

static void close_containers(writer *w, const wn_path *next, int common)
{
    for (int i = w->open.count; i-- > common;) {
        const wn_container *c = &w->open.at[i];
        end_line(w, c->is_item ? ITEM : QUOTE);
        if (c->is_item && !(i == common && goes_on(next, &w->open, i)))
            end_line(w, list_of(c));
    }
}

/* An ordered list begins with the number of its first item. */
static void open_list(writer *w, const wn_container *item, const wn_block *block)
{
    start_tag(w, list_of(item));
    if (item->ordered) {
        bool other = block->flags & WN_BLOCK_ORDERED && block->number != 1;
        if (other && w->words->html)
            wn_buf_add_format(w->out, " start=\"%u\"", (unsigned)block->number);
        wn_buf_add_char(w->out, '>');
    }
    wn_buf_add_char(w->out, '\n');
}

static void open_containers(writer *w, const wn_path *next, int common, const wn_block *block)
{
    for (int i = common; i < next->count; i++) {
        const wn_container *c = &next->at[i];
        if (c->is_item && !(i == common && goes_on(next, &w->open, i)))
            open_list(w, c, block);
        start_tag(w, c->is_item ? ITEM : QUOTE);
        if (!c->is_item)
            wn_buf_add_char(w->out, '\n');
    }
}

/* Closes what the block does not stand in and opens what it does; true if an item was opened last. */
static bool move_to(writer *w, wn_path next, const wn_block *block)
{
    int common = wn_write_path_share(&next, &w->open);
    bool same = common == next.count && common == w->open.count;
    bool of_terms = block &&
                    (block->kind == WINNOW_BLOCK_TERM || block->kind == WINNOW_BLOCK_DETAIL);
    if (!same || !of_terms)
        end_terms(w);
    close_containers(w, &next, common);
    if (block)
        open_containers(w, &next, common, block);
    bool opened = next.count > common && next.at[next.count - 1].is_item;
    w->open = next;
    return opened;
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static void add_term(writer *w, const wn_block *block)
{
    element which = block->kind == WINNOW_BLOCK_TERM ? TERM : DETAIL;
    if (!w->in_terms && w->words->elements[TERMS].open) {
        start_tag(w, TERMS);
        wn_buf_add_char(w->out, '\n');
        w->in_terms = true;
    }
    start_tag(w, which);
    add_inline(w, block);
    end_line(w, which);
}

static void add_plain(writer *w, const wn_block *block, bool in_new_item)
{
    element which = block->kind == WINNOW_BLOCK_CAPTION ? CAPTION : PARAGRAPH;
    if (in_new_item && block->kind == WINNOW_BLOCK_LIST_ITEM) {
        add_inline(w, block);
        return;
    }
    start_tag(w, which);
    add_inline(w, block);
    end_line(w, which);
}

/* The first kept block from `i` on, if it is a cell of that table; else `none`. */
static uint32_t first_cell(const writer *w, uint32_t i, uint32_t table, uint32_t none)
{
    while (i < w->selection->count && !is_kept(w, i))
        i++;
    const wn_block *block = &w->page->blocks.items[i];
    bool cell = i < w->selection->count && block->table == table &&
                block->kind != WINNOW_BLOCK_CAPTION;
    return cell ? i : none;
}

/* Writes the block and those that make one piece with it; returns the first one behind. */
static uint32_t add_block(writer *w, uint32_t i)
{
    const wn_block *block = &w->page->blocks.items[i];
    uint32_t first = block->table && block->kind == WINNOW_BLOCK_CAPTION
                         ? first_cell(w, i + 1, block->table, i)
                         : i;
    if (block->table && (block->kind != WINNOW_BLOCK_CAPTION || first > i)) {
        uint32_t end = wn_write_end_of_table(w->page, w->selection, first);
        move_to(w, wn_write_path_of_table(&w->paths, block), block);
        add_table(w, i, first, end);
        return end;
    }
    bool in_new_item = move_to(w, wn_write_path_of(&w->paths, block), block);
    if (block->kind == WINNOW_BLOCK_CODE) {
        uint32_t end = wn_write_end_of_code(w->page, w->selection, i);
        add_code(w, i, end);
        wn_buf_add_char(w->out, '\n');
        return end;
    }
    if (begins_division(w, block))
        begin_division(w, block);
    else if (block->kind == WINNOW_BLOCK_HEADING)
        add_heading(w, block);
    else if (block->kind == WINNOW_BLOCK_TERM || block->kind == WINNOW_BLOCK_DETAIL)
        add_term(w, block);
    else
        add_plain(w, block, in_new_item);
    return i + 1;
}

/* ---- The whole --------------------------------------------------------------------------- */

static void write_elements(wn_buf *out, const vocabulary *words, const wn_page *page,
                           const wn_selection *selection, const wn_write_options *options,
                           const char *url)
{
    wn_buf base = {0};
    writer w = {.out = out,
                .words = words,
                .page = page,
                .selection = selection,
                .options = options,
                .paths = {.doc = page->doc}};
    if (options->links || options->images)
        wn_page_links_base(&base, page->doc, url);
    w.base = wn_buf_str(&base);
    for (uint32_t i = 0; i < selection->count;) {
        if (is_kept(&w, i))
            i = add_block(&w, i);
        else
            i++;
    }
    move_to(&w, (wn_path){.count = 0}, NULL);
    end_divisions(&w, 0);
    out->failed |= base.failed || w.url.failed;
    wn_buf_free(&base);
    wn_buf_free(&w.url);
}

void wn_write_html(wn_buf *out, const wn_page *page, const wn_selection *selection,
                   const wn_write_options *options, const char *url)
{
    write_elements(out, &html, page, selection, options, url);
}

void wn_write_xml(wn_buf *out, const wn_page *page, const wn_selection *selection,
                  const wn_write_options *options, const char *url)
{
    write_elements(out, &xml, page, selection, options, url);
}

void wn_write_tei(wn_buf *out, const wn_page *page, const wn_selection *selection,
                  const wn_write_options *options, const char *url)
{
    write_elements(out, &tei, page, selection, options, url);
}
