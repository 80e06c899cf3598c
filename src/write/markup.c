/*
 * HTML, XML and TEI: pages as elements. XML uses the element names of the Text Encoding Initiative.
 *
 * One walk over the kept blocks writes all three; a vocabulary has the names of the elements:
 *
 *     HTML                              XML and TEI
 *     <h2>Mills</h2>                    <head rend="h2">Mills</head>     (TEI: <div><head>…)
 *     <ul><li>One</li></ul>             <list rend="ul"><item>One</item></list>
 *     <table><tr><th>Year</th></tr>     <table><row><cell role="head">Year</cell></row>
 *     <a href="…">there</a><br>         <ref target="…">there</ref><lb/>
 *
 * Elements are opened and closed according to the paths of the blocks (paths.h), so the result is
 * well formed whatever the page looks like. The first text of a list item is written without an
 * element of its own; further blocks of the item are paragraphs.
 *
 * TEI allows <head> only at the start of a division, so a heading begins one, which ends at the
 * next heading of the same or a higher rank. Headings inside items, quotations and cells become
 * paragraphs.
 */
#include "base/escape.h"

#include <assert.h>
#include "page/embeds.h"
#include "page/images.h"
#include "page/links.h"
#include "page/tables.h"
#include "write/cells.h"
#include "write/paths.h"
#include "write/pieces.h"
#include "write/plain.h"
#include "write/posts.h"
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
    SUB,
    SUP,
    DELETED,
    INSERTED,
    MARKED,
    KEY,
    QUOTED,
    ABBR,
    FIGURE,
    FIGURE_CAPTION,
    ELEMENTS,
} element;

typedef struct tags {
    const char *open, *close;
} tags;

typedef struct vocabulary {
    tags elements[ELEMENTS];
    const char *line_break;
    const char *rule;
    const char *formula_open[2], *formula_close[2]; /* inline, and displayed */
    const char *link_open, *link_close;             /* before the address, and after the text */
    const char *code_open, *code_close;             /* of a block */
    const char *code_language, *code_end;
    bool divisions; /* headings begin divisions */
    bool html;
} vocabulary;

static const vocabulary html = {
    .elements =
        {
            [PARAGRAPH] = {"<p>", "</p>"},
            [CAPTION] = {"<p>", "</p>"},
            [QUOTE] = {"<blockquote>", "</blockquote>"},
            [UNORDERED] = {"<ul", "</ul>"},
            [ORDERED] = {"<ol", "</ol>"},
            [ITEM] = {"<li", "</li>"},
            [TERMS] = {"<dl>", "</dl>"},
            [TERM] = {"<dt>", "</dt>"},
            [DETAIL] = {"<dd>", "</dd>"},
            [TABLE] = {"<table>", "</table>"},
            [TABLE_CAPTION] = {"<caption>", "</caption>"},
            [ROW] = {"<tr>", "</tr>"},
            [CELL] = {"<td", "</td>"},
            [HEADER_CELL] = {"<th", "</th>"},
            [INLINE_CODE] = {"<code>", "</code>"},
            [BOLD] = {"<strong>", "</strong>"},
            [ITALIC] = {"<em>", "</em>"},
            [SUB] = {"<sub>", "</sub>"},
            [SUP] = {"<sup>", "</sup>"},
            [DELETED] = {"<del>", "</del>"},
            [INSERTED] = {"<ins>", "</ins>"},
            [MARKED] = {"<mark>", "</mark>"},
            [KEY] = {"<kbd>", "</kbd>"},
            [QUOTED] = {"<q>", "</q>"},
            [ABBR] = {"<abbr title=\"", "</abbr>"},
            [FIGURE] = {"<figure>", "</figure>"},
            [FIGURE_CAPTION] = {"<figcaption>", "</figcaption>"},
        },
    .line_break = "<br>",
    .rule = "<hr>",
    .formula_open = {"<span class=\"math inline\">\\(", "<span class=\"math display\">\\["},
    .formula_close = {"\\)</span>", "\\]</span>"},
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
        [QUOTE] = {"<quote>", "</quote>"}, [UNORDERED] = {"<list rend=\"ul\"", "</list>"},         \
        [ORDERED] = {"<list rend=\"ol\"", "</list>"}, [ITEM] = {"<item", "</item>"},               \
        [TERM] = {"<p rend=\"term\">", "</p>"}, [DETAIL] = {"<p rend=\"detail\">", "</p>"},        \
        [TABLE] = {"<table>", "</table>"}, [TABLE_CAPTION] = {"<head>", "</head>"},                \
        [ROW] = {"<row>", "</row>"}, [CELL] = {"<cell", "</cell>"},                                \
        [HEADER_CELL] = {"<cell role=\"head\"", "</cell>"}, [INLINE_CODE] = {"<code>", "</code>"}, \
        [BOLD] = {"<hi rend=\"bold\">", "</hi>"}, [ITALIC] = {"<hi rend=\"italic\">", "</hi>"},    \
        [SUB] = {"<hi rend=\"sub\">", "</hi>"}, [SUP] = {"<hi rend=\"sup\">", "</hi>"},            \
        [DELETED] = {"<del>", "</del>"}, [INSERTED] = {"<add>", "</add>"},                         \
        [MARKED] = {"<hi rend=\"mark\">", "</hi>"}, [KEY] = {"<hi rend=\"kbd\">", "</hi>"},        \
        [QUOTED] = {"<q>", "</q>"}, [ABBR] = {"<abbr>", "</abbr>"},                                \
        [FIGURE] = {"<figure>", "</figure>"}, [FIGURE_CAPTION] = {"<head>", "</head>"},            \
    }
#define TEI_TEXT                                                                                   \
    .line_break = "<lb/>", .link_open = "<ref target=\"", .link_close = "</ref>",                  \
    .code_open = "<p><code xml:space=\"preserve\"", .code_language = " lang=\"", .code_end = ">",  \
    .code_close = "</code></p>", .rule = "<milestone unit=\"section\" rend=\"rule\"/>",            \
    .formula_open = {"<formula notation=\"TeX\">", "<formula notation=\"TeX\" rend=\"display\">"}, \
    .formula_close = {"</formula>", "</formula>"}

static const vocabulary xml = {.elements = TEI_ELEMENTS, TEI_TEXT};
static const vocabulary tei = {.elements = TEI_ELEMENTS, TEI_TEXT, .divisions = true};

/* ---- The writer -------------------------------------------------------------------------- */

typedef struct writer {
    wn_buf *out;
    const vocabulary *words;
    const wn_page *page;
    const wn_selection *selection;
    const wn_write_options *options;
    wn_page_links *links;
    wn_buf url;
    wn_paths paths;
    wn_page_notes notes;
    wn_path open;
    bool in_terms;              /* a <dl> is open */
    uint32_t first_term, terms; /* terms of HTML not written yet: the first, and past the last */
    uint32_t columns;           /* of the table that is written, in which a cell begins */
    bool in_code;               /* inside a code span */
    bool displays;              /* a formula that is all of a cell outside of a table */
    bool has_component;         /* the body has an element that TEI calls a component */
    bool in_markdown;           /* line ends in code are written as character references */
    uint8_t divisions[7];       /* the ranks of the headings whose divisions are open */
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
    return w->selection->verdicts[i].keep &&
           wn_write_is_shown(&w->page->blocks.items[i], w->options);
}

/* ---- Inside a block ---------------------------------------------------------------------- */

/* Whether a code span is open that may hold nothing but text, as in TEI. */
static bool has_bare_code(const writer *w)
{
    return w->in_code && !w->words->html;
}

/* Removes a start tag from the end of the output; false if the output ends differently. */
static bool take_back(wn_buf *out, const char *tag)
{
    size_t len = strlen(tag);
    bool is_last = out->len >= len && memcmp(out->ptr + out->len - len, tag, len) == 0;
    out->len -= is_last ? len : 0;
    return is_last;
}

/* Closes the code element for something that may not be inside it; resume_code() reopens it. */
static void pause_code(writer *w)
{
    if (has_bare_code(w) && !take_back(w->out, w->words->elements[INLINE_CODE].open))
        end_tag(w, INLINE_CODE);
}

static void resume_code(writer *w)
{
    if (has_bare_code(w))
        start_tag(w, INLINE_CODE);
}

static void add_text(writer *w, wn_str text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        wn_add_escaped(w->out, wn_str_from(text.ptr, len));
        if (end)
            wn_buf_add_literal(w->out, has_bare_code(w) ? " " : w->words->line_break);
        text = wn_str_from_offset(text, len + (end != NULL));
    }
}

/* The element of a span other than a link. */
static element element_of(const wn_span *span)
{
    static const element elements[WN_SPAN_KINDS] = {
        [WN_SPAN_CODE] = INLINE_CODE,  [WN_SPAN_BOLD] = BOLD,     [WN_SPAN_ITALIC] = ITALIC,
        [WN_SPAN_SUB] = SUB,           [WN_SPAN_SUP] = SUP,       [WN_SPAN_DELETED] = DELETED,
        [WN_SPAN_INSERTED] = INSERTED, [WN_SPAN_MARKED] = MARKED, [WN_SPAN_KEY] = KEY,
        [WN_SPAN_QUOTED] = QUOTED,     [WN_SPAN_ABBR] = ABBR,
    };
    return elements[span->kind];
}

/* Opens the link of an element, if it has a target and links are shown. */
static bool open_link(writer *w, wn_node_id a)
{
    if (!a || !w->options->links ||
        !wn_page_links_target(&w->url, w->links, wn_doc_node(w->page->doc, a)))
        return false;
    wn_buf_add_literal(w->out, w->words->link_open);
    wn_add_escaped_url(w->out, wn_buf_str(&w->url));
    wn_buf_add_literal(w->out, "\">");
    return true;
}

/* Writes an image, if it has an address. */
static void add_image(writer *w, wn_node_id id, const char *description_tag)
{
    const wn_node *image = wn_doc_node(w->page->doc, id);
    wn_str description = wn_str_trim(wn_node_attr_value(image, WN_ATTR_ALT));
    if (!wn_page_links_image(&w->url, w->links, w->page->doc, image))
        return;
    wn_buf_add_literal(w->out, w->words->html ? "<img src=\"" : "<graphic url=\"");
    wn_add_escaped_url(w->out, wn_buf_str(&w->url));
    if (w->words->html) {
        wn_buf_add_literal(w->out, "\" alt=\"");
        wn_add_escaped(w->out, description);
        wn_buf_add_literal(w->out, "\">");
    } else if (description.len > 0) {
        wn_buf_add_format(w->out, "\"><%s>", description_tag);
        wn_add_escaped(w->out, description);
        wn_buf_add_format(w->out, "</%s></graphic>", description_tag);
    } else {
        wn_buf_add_literal(w->out, "\"/>");
    }
}

/* An image with the link around it. */
static void add_linked_image(writer *w, wn_node_id id, bool in_link)
{
    bool linked = !in_link && open_link(w, wn_page_image_link(w->page->doc, id));
    add_image(w, id, "desc");
    if (linked)
        wn_buf_add_literal(w->out, w->words->link_close);
}

static void add_formula(writer *w, const wn_span *span)
{
    bool display = w->displays || w->page->formulas.items[span->value].display;
    wn_buf_add_literal(w->out, w->words->formula_open[display]);
    wn_add_escaped(w->out, wn_page_formula_tex(w->page, span));
    wn_buf_add_literal(w->out, w->words->formula_close[display]);
}

/* The mark of a footnote: <sup><a href="#fn-1">1</a></sup>. */
static void add_note_mark(writer *w, const wn_page_note *note)
{
    wn_buf_add_literal(w->out, w->words->html ? "<sup><a href=\"#fn-"
                                              : "<ref type=\"noteref\" target=\"#fn-");
    wn_page_notes_add_name(w->out, &w->notes, note);
    wn_buf_add_literal(w->out, "\">");
    wn_page_notes_add_name(w->out, &w->notes, note);
    wn_buf_add_literal(w->out, w->words->html ? "</a></sup>" : "</ref>");
}

static bool open_link_around_code(writer *w, const wn_span *span)
{
    pause_code(w);
    bool opened = open_link(w, span->node);
    resume_code(w);
    return opened;
}

/* What an abbreviation is short for: an attribute in HTML, a sibling element in TEI. */
static wn_str meaning_of(const writer *w, const wn_span *span)
{
    return wn_page_links_meaning(w->links, wn_doc_node(w->page->doc, span->node));
}

/* Opens the element of a span; false if it is not shown. */
static bool open_span(writer *w, const wn_span *span)
{
    if (has_bare_code(w) && span->kind != WN_SPAN_LINK && span->kind != WN_SPAN_SUB &&
        span->kind != WN_SPAN_SUP)
        return false;
    switch (span->kind) {
    case WN_SPAN_LINK:
        return open_link_around_code(w, span);
    case WN_SPAN_BOLD:
    case WN_SPAN_ITALIC:
    case WN_SPAN_INSERTED:
    case WN_SPAN_MARKED:
    case WN_SPAN_ABBR:
        if (!w->options->formatting)
            return false;
        break;
    default:
        break;
    }
    if (span->kind == WN_SPAN_ABBR && !w->words->html)
        wn_buf_add_literal(w->out, "<choice>");
    pause_code(w);
    start_tag(w, element_of(span));
    resume_code(w);
    w->in_code |= span->kind == WN_SPAN_CODE;
    if (span->kind == WN_SPAN_ABBR && w->words->html) {
        wn_add_escaped(w->out, meaning_of(w, span));
        wn_buf_add_literal(w->out, "\">");
    }
    return true;
}

static void close_span(writer *w, const wn_span *span)
{
    if (span->kind == WN_SPAN_LINK) {
        pause_code(w);
        wn_buf_add_literal(w->out, w->words->link_close);
        resume_code(w);
    } else if (span->kind == WN_SPAN_CODE) {
        if (!has_bare_code(w) || !take_back(w->out, w->words->elements[INLINE_CODE].open))
            end_tag(w, INLINE_CODE);
        w->in_code = false;
    } else {
        pause_code(w);
        end_tag(w, element_of(span));
        resume_code(w);
    }
    if (span->kind == WN_SPAN_ABBR && !w->words->html) {
        wn_buf_add_literal(w->out, "<expan>");
        wn_add_escaped(w->out, meaning_of(w, span));
        wn_buf_add_literal(w->out, "</expan></choice>");
    }
}

/* The footnote whose mark is the span itself or all that the span contains; NULL if neither. */
static const wn_page_note *note_of(const writer *w, const wn_span *span, const wn_span *next)
{
    const wn_page_note *note = wn_page_notes_of_mark(&w->notes, w->page, span);
    if (!note && span->kind == WN_SPAN_SUP && next && next->start == span->start &&
        next->end == span->end)
        note = wn_page_notes_of_mark(&w->notes, w->page, next);
    return note;
}

/* An image in the text, followed by a space: the text may have one only before the image. */
static void add_inline_image(writer *w, const wn_span *span, uint32_t end, bool in_link)
{
    const char *text = w->page->text.ptr;
    pause_code(w);
    add_linked_image(w, span->node, in_link);
    resume_code(w);
    if (span->start < end && !wn_is_space(text[span->start]) && span->start > 0 &&
        wn_is_space(text[span->start - 1]))
        wn_buf_add_char(w->out, ' ');
}

/* Writes a span that is written as a whole and moves *at past it; false for other spans. */
static bool add_leaf(writer *w, const wn_span *span, const wn_span *next, uint32_t *at,
                     uint32_t end, bool in_link)
{
    const wn_page_note *note = note_of(w, span, next);
    if (note || span->kind == WN_SPAN_MATH) {
        pause_code(w);
        if (note)
            add_note_mark(w, note);
        else
            add_formula(w, span);
        resume_code(w);
        *at = span->end;
    } else if (span->kind == WN_SPAN_IMAGE) {
        bool shown = w->options->images && !wn_page_image_is_decoration(
                                               w->page->doc, wn_doc_node(w->page->doc, span->node));
        if (shown)
            add_inline_image(w, span, end, in_link);
    } else {
        return false;
    }
    return true;
}

/* Spans nest, ordered by start. One that would outlast the span around it ends together with it. */
static void add_inline(writer *w, const wn_block *block)
{
    enum { DEEPEST = 16 };
    const wn_span *stack[DEEPEST];
    uint32_t ends[DEEPEST], depth = 0, links = 0;
    const char *text = w->page->text.ptr;
    const wn_span *spans = w->page->spans.items + block->first_span;
    uint32_t at = block->text, end = block->text + block->len, next = 0;
    w->displays = block->kind == WINNOW_BLOCK_CELL && w->columns == 0 &&
                  wn_write_is_formula(w->page, block);
    while (at < end || depth > 0 || next < block->span_count) {
        const wn_span *span = next < block->span_count ? &spans[next] : NULL;
        uint32_t limit = depth > 0 ? ends[depth - 1] : end;
        uint32_t stop = span && span->start < limit ? span->start : limit;
        if (stop > at) {
            add_text(w, wn_str_from(text + at, stop - at));
            at = stop;
        }
        bool starts = span && span->start <= at;
        bool is_image_inside = starts && depth > 0 && span->kind == WN_SPAN_IMAGE &&
                               wn_page_image_is_in(w->page->doc, span->node,
                                                   stack[depth - 1]->node);
        if (depth > 0 && at >= limit && !is_image_inside) {
            close_span(w, stack[--depth]);
            links -= stack[depth]->kind == WN_SPAN_LINK;
        } else if (starts) {
            next++;
            bool is_over = span->end <= at && span->kind != WN_SPAN_IMAGE;
            const wn_span *inner = next < block->span_count ? &spans[next] : NULL;
            if (is_over || add_leaf(w, span, inner, &at, end, links > 0))
                continue;
            if (depth < DEEPEST && open_span(w, span)) {
                assert(span->start >= block->text && span->end <= end);
                links += span->kind == WN_SPAN_LINK;
                ends[depth] = span->end < limit ? span->end : limit;
                stack[depth++] = span;
            }
        }
    }
}

/* The text of a block as an element on a line of its own. */
static void add_line(writer *w, element which, const wn_block *block, bool bold)
{
    start_tag(w, which);
    if (bold)
        start_tag(w, BOLD);
    add_inline(w, block);
    if (bold)
        end_tag(w, BOLD);
    end_line(w, which);
}

/* ---- Code -------------------------------------------------------------------------------- */

static void add_code_text(writer *w, wn_str text)
{
    const char *line;
    while (w->in_markdown && (line = memchr(text.ptr, '\n', text.len))) {
        wn_add_escaped_lines(w->out, wn_str_between(text.ptr, line));
        wn_buf_add_literal(w->out, "&#10;");
        text = wn_str_from_offset(text, (size_t)(line - text.ptr) + 1);
    }
    wn_add_escaped_lines(w->out, text);
}

static void add_code(writer *w, uint32_t first, uint32_t end)
{
    const wn_block *blocks = w->page->blocks.items;
    wn_str language = wn_write_code_language(w->page, &blocks[first]);
    bool begun = false;
    wn_buf plain = {0}; /* of text with raised parts, as in Markdown */
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
            wn_buf_add_literal(w->out, w->in_markdown ? "&#10;" : "\n");
        add_code_text(w, wn_write_plain_text(&plain, w->page, &blocks[i]));
        begun = true;
    }
    wn_buf_add_literal(w->out, w->words->code_close);
    w->out->failed |= plain.failed;
    wn_buf_free(&plain);
}

/* ---- Headings ---------------------------------------------------------------------------- */

static bool begins_division(const writer *w, const wn_block *block)
{
    return w->words->divisions && block->kind == WINNOW_BLOCK_HEADING && w->open.count == 0 &&
           !block->table;
}

/* Ends the divisions of headings of that rank and of lower ranks. */
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

/* A video or frame, as a link. */
static void add_embed(writer *w, wn_node_id id)
{
    const wn_node *element = wn_doc_node(w->page->doc, id);
    wn_str title = wn_page_embed_title(element);
    if (!wn_page_links_embed(&w->url, w->links, w->page->doc, element))
        return;
    wn_buf_add_literal(w->out, w->words->link_open);
    wn_add_escaped_url(w->out, wn_buf_str(&w->url));
    wn_buf_add_literal(w->out, "\">");
    wn_add_escaped(w->out, title.len > 0 ? title : wn_buf_str(&w->url));
    wn_buf_add_literal(w->out, w->words->link_close);
}

/* Whether the block is a heading in a cell, and may be one: not in header cells, nor in TEI. */
static bool is_heading_of_cell(const writer *w, const wn_block *block)
{
    return w->words->html && block->kind == WINNOW_BLOCK_HEADING &&
           !(block->flags & WN_BLOCK_HEADER_CELL) && block->table;
}

/* The text of a block in a cell or caption. */
static void add_part(writer *w, uint32_t i)
{
    const wn_block *block = &w->page->blocks.items[i];
    if (block->kind == WINNOW_BLOCK_CODE)
        add_code(w, i, i + 1);
    else if (block->kind == WINNOW_BLOCK_IMAGE)
        add_linked_image(w, block->node, false);
    else if (block->kind == WINNOW_BLOCK_EMBED)
        add_embed(w, block->node);
    else if (is_heading_of_cell(w, block))
        add_heading(w, block);
    else
        add_inline(w, block);
}

static void start_cell(writer *w, element which, const wn_block *block)
{
    static const char *const alignments[] = {"", "left", "center", "right"};
    start_tag(w, which);
    if (block) {
        wn_write_cell cell = wn_write_cell_of(w->page, block);
        const char *columns = w->words->html ? "colspan" : "cols";
        uint32_t left = w->columns - block->column; /* HTML allows no columns without a cell */
        if (cell.columns > 1 && left > 1)
            wn_buf_add_format(w->out, " %s=\"%u\"", columns,
                              (unsigned)(cell.columns < left ? cell.columns : left));
        if (cell.rows > 1)
            wn_buf_add_format(w->out, " %s=\"%u\"", w->words->html ? "rowspan" : "rows",
                              (unsigned)cell.rows);
        if (cell.alignment && w->words->html)
            wn_buf_add_format(w->out, " style=\"text-align: %s\"", alignments[cell.alignment]);
        else if (cell.alignment)
            wn_buf_add_format(w->out, " rend=\"%s\"", alignments[cell.alignment]);
    }
    wn_buf_add_char(w->out, '>');
}

/* Fills the row with empty cells up to column `until`, except where a cell from above reaches. */
static void fill_row(writer *w, uint32_t from, uint32_t until, const uint16_t *below)
{
    for (; from < until; from++) {
        if (from < WN_SPANNED_COLUMNS && below[from] > 0)
            continue;
        start_cell(w, CELL, NULL);
        end_tag(w, CELL);
    }
}

/* Records how many rows below the cell also covers. */
static void cover(const writer *w, const wn_block *block, uint16_t *below)
{
    wn_write_cell cell = wn_write_cell_of(w->page, block);
    for (uint32_t i = block->column; cell.rows > 1 && i < block->column + cell.columns; i++)
        if (i < WN_SPANNED_COLUMNS)
            below[i] = (uint16_t)cell.rows;
}

/* Where a block is in a table: its own cell, or the cell of the nested table that it is in. */
typedef struct place {
    uint32_t inner; /* that table; 0: none */
    uint32_t row, column;
    wn_block block; /* in the cell, at its node */
} place;

static place place_in(const writer *w, uint32_t table, uint32_t i)
{
    const wn_block *block = &w->page->blocks.items[i];
    place p = {.inner = wn_write_table_in(w->page, block, table),
               .row = block->row,
               .column = block->column,
               .block = *block};
    if (p.inner) {
        const wn_table *inner = &w->page->tables.items[p.inner];
        p.row = inner->row;
        p.column = p.block.column = inner->column;
        p.block.node = wn_doc_node(w->page->doc, inner->node)->parent;
        p.block.flags &= (uint16_t)~WN_BLOCK_HEADER_CELL;
    }
    return p;
}

static void add_table(writer *w, uint32_t table, uint32_t first, uint32_t end);

/* Writes what is in a cell: the text of a block, or a table. Returns the first block after it. */
static uint32_t add_cell_part(writer *w, const place *p, uint32_t i, uint32_t end)
{
    if (!p->inner) {
        add_part(w, i);
        return i + 1;
    }
    uint32_t first = i;
    while (i < end && wn_write_is_in_table(w->page, &w->page->blocks.items[i], p->inner))
        i++;
    wn_buf_add_char(w->out, '\n');
    add_table(w, p->inner, first, i); /* tables nest up to WN_DEEPEST_TABLE */
    return i;
}

/* Writes the row of block `i`; returns the first block after it. */
static uint32_t add_row(writer *w, uint32_t table, uint32_t i, uint32_t end, uint16_t *below)
{
    uint32_t row = place_in(w, table, i).row;
    uint32_t column = 0, written = 0; /* of the cell that is open; from 1 */
    element last = CELL;
    start_tag(w, ROW);
    while (i < end) {
        place p = place_in(w, table, i);
        if (p.row != row)
            break;
        if (!is_kept(w, i)) {
            i++;
            continue;
        }
        if (p.column + 1 <= written) {
            bool breaks = !p.inner && !is_heading_of_cell(w, &p.block) &&
                          !wn_str_has_ending(wn_buf_str(w->out), WN_STR(">\n"));
            wn_buf_add_literal(w->out, breaks ? w->words->line_break : "");
        } else {
            if (written > 0)
                end_tag(w, last);
            fill_row(w, column, p.column, below);
            last = p.block.flags & WN_BLOCK_HEADER_CELL ? HEADER_CELL : CELL;
            start_cell(w, last, &p.block);
            written = p.column + 1;
            column = p.column + wn_write_cell_of(w->page, &p.block).columns;
            cover(w, &p.block, below);
        }
        i = add_cell_part(w, &p, i, end);
    }
    if (written > 0)
        end_tag(w, last);
    end_line(w, ROW);
    return i;
}

/* After each row the cells that reach down from above have fewer rows left to cover. */
static void pass_rows(uint16_t *below, uint32_t rows)
{
    for (uint32_t i = 0; i < WN_SPANNED_COLUMNS; i++)
        below[i] = below[i] > rows ? (uint16_t)(below[i] - rows) : 0;
}

/*
 * Writes the caption of a table, if it is the first kept block; returns the first block after it.
 */
static uint32_t add_caption(writer *w, uint32_t table, uint32_t first, uint32_t end)
{
    const wn_block *blocks = w->page->blocks.items;
    while (first < end && !is_kept(w, first))
        first++;
    if (first == end || blocks[first].kind != WINNOW_BLOCK_CAPTION || blocks[first].table != table)
        return first;
    start_tag(w, TABLE_CAPTION);
    add_part(w, first);
    end_line(w, TABLE_CAPTION);
    return first + 1;
}

/* Writes the table that the blocks from `first` to before `end` are in. */
/* How many columns the table has, up to the last one in which a kept cell begins. */
static uint32_t count_columns(const writer *w, uint32_t table, uint32_t first, uint32_t end)
{
    uint32_t columns = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t column = is_kept(w, i) ? place_in(w, table, i).column : 0;
        columns = column >= columns ? column + 1 : columns;
    }
    return columns;
}

static void add_table(writer *w, uint32_t table, uint32_t first, uint32_t end)
{
    uint32_t columns_around = w->columns;
    w->columns = count_columns(w, table, first, end);
    start_tag(w, TABLE);
    wn_buf_add_char(w->out, '\n');
    first = add_caption(w, table, first, end);
    uint16_t below[WN_SPANNED_COLUMNS] = {0};
    uint32_t row = first < end ? place_in(w, table, first).row : 0;
    for (uint32_t i = first; i < end;) {
        uint32_t here = place_in(w, table, i).row;
        pass_rows(below, here - row);
        row = here;
        if (is_kept(w, i))
            i = add_row(w, table, i, end, below);
        else
            i++;
    }
    end_line(w, TABLE);
    w->columns = columns_around;
}

/* ---- Terms ------------------------------------------------------------------------------- */

/*
 * In HTML a <dl> has groups of terms, each followed by details. So a term is not written before
 * its first detail; if something else follows it, such as code, it becomes a paragraph in bold. A
 * detail without a term, such as the text after that code, becomes a paragraph.
 */

/* Writes the terms that were put off. */
static void add_terms(writer *w, bool in_list)
{
    for (uint32_t i = w->first_term; i < w->terms; i++) {
        if (is_kept(w, i))
            add_line(w, in_list ? TERM : PARAGRAPH, &w->page->blocks.items[i], !in_list);
    }
    w->first_term = w->terms = 0;
}

static void end_terms(writer *w)
{
    if (w->in_terms)
        end_line(w, TERMS);
    w->in_terms = false;
    add_terms(w, false);
}

static void add_detail(writer *w, const wn_block *block)
{
    if (!w->in_terms && w->terms > 0) {
        start_tag(w, TERMS);
        wn_buf_add_char(w->out, '\n');
        w->in_terms = true;
    }
    add_terms(w, true);
    add_line(w, w->in_terms || !w->words->html ? DETAIL : PARAGRAPH, block, false);
}

static void add_term(writer *w, uint32_t i)
{
    w->first_term = w->terms > 0 ? w->first_term : i;
    w->terms = i + 1;
    if (!w->words->html)
        add_terms(w, true);
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

static void close_container(writer *w, const wn_container *c)
{
    if (c->is_item)
        end_line(w, ITEM);
    else if (c->note || c->admonition)
        wn_buf_add_literal(w->out, !w->words->html ? "</note>\n"
                                   : c->note       ? "</div>\n"
                                                   : "</aside>\n");
    else
        end_line(w, QUOTE);
}

static void close_containers(writer *w, const wn_path *next, int common)
{
    for (int i = w->open.count; i-- > common;) {
        const wn_container *c = &w->open.at[i];
        close_container(w, c);
        if (c->is_item && !(i == common && goes_on(next, &w->open, i)))
            end_line(w, list_of(c));
    }
}

/* How the items of an ordered list are numbered, if not from 1 upwards. */
static void add_numbering(writer *w, const wn_container *item, const wn_block *block)
{
    const wn_node *list = wn_doc_node(w->page->doc, item->list);
    wn_str type = wn_node_attr_value(list, WN_ATTR_TYPE);
    if (block->flags & WN_BLOCK_ORDERED && block->number != 1 && w->words->html)
        wn_buf_add_format(w->out, " start=\"%u\"", (unsigned)block->number);
    if (wn_node_attr(list, WN_ATTR_REVERSED) && w->words->html)
        wn_buf_add_literal(w->out, " reversed");
    if (type.len == 1 && strchr("aAiI", type.ptr[0]))
        wn_buf_add_format(w->out, " type=\"%c\"", type.ptr[0]);
}

/* An ordered list begins with the number of its first item. */
static void open_list_of(writer *w, const wn_container *item, const wn_block *block)
{
    start_tag(w, list_of(item));
    if (item->ordered)
        add_numbering(w, item, block);
    wn_buf_add_literal(w->out, ">\n");
}

/* Writes the number of an item only if the list does not imply it: after a gap, and in XML. */
static void open_item(writer *w, const wn_path *next, int level, const wn_block *block, bool first)
{
    const wn_container *c = &next->at[level];
    bool numbered = c->ordered && level == next->count - 1 && block->flags & WN_BLOCK_ORDERED;
    bool down = wn_node_attr(wn_doc_node(w->page->doc, c->list), WN_ATTR_REVERSED);
    uint32_t last = !first && level < w->open.count ? w->open.at[level].number : 0;
    bool follows = last == 0 || block->number == (down ? last - 1 : last + 1);
    start_tag(w, ITEM);
    if (numbered && !w->words->html)
        wn_buf_add_format(w->out, " n=\"%u\"", (unsigned)block->number);
    else if (numbered && !first && !follows)
        wn_buf_add_format(w->out, " value=\"%u\"", (unsigned)block->number);
    wn_buf_add_char(w->out, '>');
}

static void open_note(writer *w, const wn_container *c)
{
    wn_buf_add_literal(w->out, w->words->html ? "<div class=\"footnote\" id=\"fn-"
                                              : "<note place=\"foot\" xml:id=\"fn-");
    wn_page_notes_add_name(w->out, &w->notes, c->note);
    if (!w->words->html) {
        wn_buf_add_literal(w->out, "\" n=\"");
        wn_page_notes_add_name(w->out, &w->notes, c->note);
    }
    wn_buf_add_literal(w->out, "\">\n");
}

static void open_containers(writer *w, const wn_path *next, int common, const wn_block *block)
{
    for (int i = common; i < next->count; i++) {
        const wn_container *c = &next->at[i];
        bool first = c->is_item && !(i == common && goes_on(next, &w->open, i));
        if (first)
            open_list_of(w, c, block);
        if (c->is_item) {
            open_item(w, next, i, block, first);
        } else if (c->note) {
            open_note(w, c);
        } else if (c->admonition) {
            wn_buf_add_format(w->out,
                              w->words->html ? "<aside class=\"%s\">\n" : "<note type=\"%s\">\n",
                              wn_write_admonitions[c->admonition]);
        } else {
            start_tag(w, QUOTE);
            wn_buf_add_char(w->out, '\n');
        }
    }
}

/* Closes and opens the containers between the last block and this one; true if the innermost
 * container opened is an item. */
static bool move_to(writer *w, wn_path next, const wn_block *block)
{
    int common = wn_write_path_share(&next, &w->open);
    bool same = common == next.count && common == w->open.count;
    bool of_terms = block &&
                    (block->kind == WINNOW_BLOCK_TERM || block->kind == WINNOW_BLOCK_DETAIL);
    if (!same || !of_terms)
        end_terms(w);
    close_containers(w, &next, common);
    if (block && next.count > common && block->flags & WN_BLOCK_ORDERED)
        next.at[next.count - 1].number = block->number;
    if (block)
        open_containers(w, &next, common, block);
    bool opened = next.count > common && next.at[next.count - 1].is_item;
    w->open = next;
    return opened;
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static const char *task_box(const writer *w, const wn_block *block)
{
    bool done = block->flags & WN_BLOCK_DONE;
    if (w->words->html)
        return done ? "<input type=\"checkbox\" disabled checked> "
                    : "<input type=\"checkbox\" disabled> ";
    return done ? "☑ " : "☐ ";
}

/* A link in a <figure> of TEI has to be in a paragraph. */
static void add_image_of_figure(writer *w, wn_node_id id)
{
    bool is_wrapped = !w->words->html && w->options->links &&
                      wn_page_image_link(w->page->doc, id) != WN_NO_NODE;
    if (is_wrapped)
        start_tag(w, PARAGRAPH);
    add_linked_image(w, id, false);
    if (is_wrapped)
        end_tag(w, PARAGRAPH);
}

/* A picture with its caption, which may come before or after it. */
static void add_figure(writer *w, const wn_block *image, const wn_block *caption,
                       bool caption_first)
{
    start_tag(w, FIGURE);
    for (int i = 0; i < 2; i++) {
        if ((i == 0) == caption_first && caption) {
            start_tag(w, FIGURE_CAPTION);
            add_inline(w, caption);
            end_tag(w, FIGURE_CAPTION);
        } else if ((i == 0) != caption_first) {
            add_image_of_figure(w, image->node);
        }
    }
    end_line(w, FIGURE);
}

/* A rule, or an embedded video or frame. */
static void add_thing(writer *w, const wn_block *block)
{
    if (block->kind == WINNOW_BLOCK_RULE) {
        wn_buf_add_literal(w->out, w->words->rule);
        wn_buf_add_char(w->out, '\n');
        return;
    }
    start_tag(w, PARAGRAPH);
    add_embed(w, block->node);
    end_line(w, PARAGRAPH);
}

static void add_plain(writer *w, const wn_block *block, bool in_new_item)
{
    element which = block->kind == WINNOW_BLOCK_CAPTION ? CAPTION : PARAGRAPH;
    if (in_new_item && block->flags & WN_BLOCK_TASK)
        wn_buf_add_literal(w->out, task_box(w, block));
    if (in_new_item && block->kind == WINNOW_BLOCK_LIST_ITEM) {
        add_inline(w, block);
        return;
    }
    add_line(w, which, block, wn_write_is_label(w->page, block));
}

/* The first kept block from `i` on, if it is a cell of that table; else `none`. */
static uint32_t first_cell(const writer *w, uint32_t i, uint32_t table, uint32_t none)
{
    while (i < w->selection->count && !is_kept(w, i))
        i++;
    const wn_block *block = &w->page->blocks.items[i];
    bool cell = i < w->selection->count && wn_write_is_in_table(w->page, block, table) &&
                wn_write_is_of_table(w->page, block);
    return cell ? i : none;
}

/* The block after `i` if it is kept, of that kind and in the same <figure>; else `i`. */
static uint32_t partner_in_figure(const writer *w, uint32_t i, winnow_block_kind kind)
{
    const wn_block *blocks = w->page->blocks.items;
    wn_node_id figure = wn_write_path_around(w->page->doc, &blocks[i], WN_TAG_FIGURE);
    bool is_one = figure && i + 1 < w->selection->count && is_kept(w, i + 1) &&
                  blocks[i + 1].kind == kind && !blocks[i + 1].table &&
                  wn_write_path_around(w->page->doc, &blocks[i + 1], WN_TAG_FIGURE) == figure;
    return is_one ? i + 1 : i;
}

/* Writes an image, or a caption and the image after it; false if the block is neither. */
static bool add_picture(writer *w, uint32_t *i)
{
    const wn_block *blocks = w->page->blocks.items, *block = &blocks[*i];
    bool is_image = block->kind == WINNOW_BLOCK_IMAGE;
    if (!is_image && block->kind != WINNOW_BLOCK_CAPTION)
        return false;
    uint32_t partner = partner_in_figure(w, *i,
                                         is_image ? WINNOW_BLOCK_CAPTION : WINNOW_BLOCK_IMAGE);
    if (!is_image && partner == *i)
        return false;
    const wn_block *other = partner > *i ? &blocks[partner] : NULL;
    add_figure(w, is_image ? block : other, is_image ? other : block, !is_image);
    *i = partner + 1;
    return true;
}

/* Whether the block, or its outermost container, is more than a note, a figure or a rule. */
static bool is_component(writer *w, const wn_block *block)
{
    if (w->has_component || !w->words->divisions)
        return true;
    wn_path path = wn_write_path_of(&w->paths, block);
    if (path.count > 0)
        return !path.at[0].note && !path.at[0].admonition;
    return block->kind != WINNOW_BLOCK_IMAGE && block->kind != WINNOW_BLOCK_RULE &&
           (block->kind != WINNOW_BLOCK_CAPTION || block->table);
}

/* Writes a block, and what belongs to it but the cells of its table; returns the first block after. */
static uint32_t add_single(writer *w, uint32_t i)
{
    const wn_block *block = &w->page->blocks.items[i];
    bool in_new_item = move_to(w, wn_write_path_of(&w->paths, block), block);
    if (block->kind == WINNOW_BLOCK_CODE) {
        uint32_t end = wn_write_end_of_code(w->page, w->selection, i);
        add_code(w, i, end);
        wn_buf_add_char(w->out, '\n');
        return end;
    }
    if (add_picture(w, &i))
        return i;
    if (block->kind == WINNOW_BLOCK_RULE || block->kind == WINNOW_BLOCK_EMBED)
        add_thing(w, block);
    else if (begins_division(w, block))
        begin_division(w, block);
    else if (block->kind == WINNOW_BLOCK_HEADING)
        add_heading(w, block);
    else if (block->kind == WINNOW_BLOCK_TERM)
        add_term(w, i);
    else if (block->kind == WINNOW_BLOCK_DETAIL)
        add_detail(w, block);
    else
        add_plain(w, block, in_new_item);
    return i + 1;
}

/* Writes the block and the blocks that belong to it; returns the first block after them. */
static uint32_t add_block(writer *w, uint32_t i)
{
    const wn_block *block = &w->page->blocks.items[i];
    w->has_component |= is_component(w, block);
    uint32_t table = block->table ? w->page->tables.items[block->table].outermost : 0;
    uint32_t first = table && !wn_write_is_of_table(w->page, block) ? first_cell(w, i + 1, table, i)
                                                                    : i;
    if (!table || (first == i && !wn_write_is_of_table(w->page, block)))
        return add_single(w, i);
    uint32_t end = wn_write_end_of_table(w->page, w->selection, table, first);
    if (!wn_write_only_arranges(w->page, w->selection, i, end)) {
        move_to(w, wn_write_path_of_table(&w->paths, w->page, block), block);
        add_table(w, table, i, end);
        return end;
    }
    while (i < end)
        i = is_kept(w, i) ? add_single(w, i) : i + 1;
    return i;
}

/* Writes a rule between two forum posts, and the author and date before each post. */
static void add_post_head(writer *w, uint32_t first, bool follows)
{
    wn_write_post post;
    wn_write_post_read(&post, w->page, w->selection, first);
    move_to(w, (wn_path){.count = 0}, NULL);
    if (follows) {
        wn_buf_add_literal(w->out, w->words->rule);
        wn_buf_add_char(w->out, '\n');
    }
    if (post.new_author.len == 0 && !*post.new_date)
        return;
    start_tag(w, PARAGRAPH);
    if (post.new_author.len > 0) {
        start_tag(w, BOLD);
        wn_add_escaped(w->out, post.new_author);
        end_tag(w, BOLD);
    }
    wn_buf_add_literal(w->out, post.new_author.len > 0 && *post.new_date ? ", " : "");
    wn_buf_add_literal(w->out, post.new_date);
    end_line(w, PARAGRAPH);
}

/* ---- The whole --------------------------------------------------------------------------- */

/* The title of the page as its first heading. */
static void add_title(writer *w)
{
    wn_str title = wn_str_of(w->options->title);
    if (title.len == 0)
        return;
    wn_buf_add_literal(w->out, w->words->html        ? "<h1>"
                               : w->words->divisions ? "<div>\n<head>"
                                                     : "<head rend=\"h1\">");
    wn_add_escaped(w->out, title);
    wn_buf_add_literal(w->out, w->words->html ? "</h1>\n" : "</head>\n");
    w->has_component = true;
    if (w->words->divisions)
        w->divisions[w->division_count++] = 0; /* headings of all ranks are below it */
}

static void write_elements(wn_buf *out, const vocabulary *words, const wn_page *page,
                           const wn_selection *selection, const wn_write_options *options,
                           const char *url)
{
    wn_page_links links;
    writer w = {.out = out,
                .words = words,
                .links = &links,
                .page = page,
                .selection = selection,
                .options = options,
                .paths = {.doc = page->doc}};
    wn_page_notes_find(&w.notes, page, selection);
    w.paths.notes = &w.notes;
    wn_page_links_start(&links, page->doc, url, options->links || options->images);
    add_title(&w);
    uint32_t post = 0;    /* one that is about to begin: its first block, counted from 1; 0: none */
    bool follows = false; /* a post was written before */
    for (uint32_t i = 0; i < selection->count;) {
        post = selection->verdicts[i].post & WN_POST_STARTS ? i + 1 : post;
        if (!is_kept(&w, i)) {
            i++;
            continue;
        }
        if (post > 0)
            add_post_head(&w, post - 1, follows);
        follows |= post > 0;
        post = 0;
        i = add_block(&w, i);
    }
    move_to(&w, (wn_path){.count = 0}, NULL);
    end_divisions(&w, 0);
    if (words->divisions && !w.has_component && out->len > 0)
        wn_buf_add_literal(out, "<p/>\n"); /* TEI: a body needs more than notes and figures */
    out->failed |= links.base.failed || w.url.failed || w.notes.failed;
    wn_write_note_exceeded(options, &links.cost);
    wn_page_links_free(&links);
    wn_buf_free(&w.url);
    wn_write_paths_free(&w.paths);
    wn_page_notes_free(&w.notes);
}

void wn_write_html_table(wn_buf *out, const wn_page *page, const wn_selection *selection,
                         const wn_write_options *options, wn_page_links *links,
                         const wn_page_notes *notes, uint32_t first, uint32_t end)
{
    writer w = {.out = out,
                .words = &html,
                .page = page,
                .selection = selection,
                .options = options,
                .links = links,
                .notes = *notes, /* borrowed */
                .in_markdown = true};
    add_table(&w, page->tables.items[page->blocks.items[first].table].outermost, first, end);
    out->failed |= w.url.failed;
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
