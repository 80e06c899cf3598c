/*
 * Markup inside a block of Markdown: links, code, emphasis, formulas, images, notes.
 *
 * Spans nest. The spans that are shown are listed first, each with the span around it, so that the
 * code that writes a mark knows its neighbours. Then text and marks are written from left to right.
 *
 * Stars and underscores mean emphasis only where CommonMark's rules on their neighbours say so
 * (https://spec.commonmark.org/0.30/#left-flanking-delimiter-run). Elsewhere, inside a word or
 * between letters and punctuation, the HTML element is written: "a<b>b</b>".
 */
#include "write/markdown_parts.h"

#include "base/escape.h"
#include "base/utf8.h"
#include "page/embeds.h"
#include "page/images.h"
#include "page/links.h"
#include "text/unicode.h"
#include "write/pieces.h"
#include "write/quotation_marks.h"

enum { NONE = UINT32_MAX };

typedef wn_markdown_span shown_span;

/* The state of writing one block. */
typedef struct inline_writer {
    wn_markdown *w;
    const wn_block *block;
    wn_markdown_cursor cursor;
    size_t begin;     /* where the block begins in the output */
    uint32_t in_code; /* how many code spans are open */
    const char *closing[16];
    uint32_t stack[16]; /* numbers of open spans */
    uint32_t depth;
} inline_writer;

enum { DEEPEST = 16 };

/* ---- Links and images -------------------------------------------------------------------- */

/* Puts the address of the link into w->url; false if it has no target. */
static bool find_target(wn_markdown *w, const wn_span *span)
{
    return wn_page_links_target(&w->url, w->links, wn_doc_node(w->page->doc, span->node));
}

/* Whether the address can be written without angle brackets. */
static bool is_plain_target(wn_str url)
{
    int depth = 0;
    for (size_t i = 0; i < url.len; i++) {
        unsigned char c = (unsigned char)url.ptr[i];
        if (c <= ' ' || c == 0x7F || c == '<' || c == '>')
            return false;
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth < 0 || depth > 8)
            return false;
    }
    return depth == 0;
}

static bool is_entity(const char *p, const char *end)
{
    enum { LONGEST = 33 };
    const char *at = p + 1;
    at += at < end && *at == '#';
    const char *name = at;
    while (at < end && at - p < LONGEST && wn_is_ascii_alnum(*at))
        at++;
    return at > name && at < end && *at == ';';
}

static void add_target(wn_markdown *w, wn_str url, wn_markdown_place place)
{
    bool plain = is_plain_target(url);
    wn_buf_add_literal(w->out, plain ? "](" : "](<");
    for (const char *p = url.ptr, *end = p + url.len; p < end; p++) {
        bool escaped = *p == '\\' || *p == '<' || *p == '>' || (*p == '|' && place == WN_IN_CELL) ||
                       (*p == '&' && is_entity(p, end));
        if (escaped)
            wn_buf_add_char(w->out, '\\');
        wn_buf_add_char(w->out, *p == '\n' ? ' ' : *p);
    }
    wn_buf_add_literal(w->out, plain ? ")" : ">)");
}

/*
 * Whether brackets in the text of a link can stay unescaped. Escaped as "\\[…\\]", they would look
 * like a formula to some readers.
 */
static bool has_balanced_brackets(wn_str text)
{
    int depth = 0;
    for (size_t i = 0; i < text.len && depth >= 0; i++) {
        char next = i + 1 < text.len ? text.ptr[i + 1] : ' ';
        depth += text.ptr[i] == '[' ? 1 : text.ptr[i] == ']' ? -1 : 0;
        if ((text.ptr[i] == '[' && next == '^') ||
            (text.ptr[i] == ']' && (next == '(' || next == '[')))
            return false;
    }
    return depth == 0;
}

/* Writes the text of an attribute on one line, with every special character escaped. */
static void add_label(wn_buf *out, wn_str text)
{
    const char *special = has_balanced_brackets(text) ? "\\`*_<&|~^$" : "\\[]`*_<&|~^$";
    bool at_space = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool is_space = wn_is_space(c) || (unsigned char)c < ' ';
        if (is_space && at_space)
            continue;
        at_space = is_space;
        if (c == '[' && strchr(special, c)) {
            wn_buf_add_literal(out, "&#91;");
            continue;
        }
        if (!is_space && strchr(special, c)) /* "![^" begins a footnote for GitHub */
            wn_buf_add_char(out, '\\');
        wn_buf_add_char(out, is_space ? ' ' : c);
    }
}

/* "!" before "[" would start a picture, so a "!" that is text is escaped. */
static void open_bracket(wn_markdown *w)
{
    wn_buf *out = w->out;
    if (out->len > 0 && out->ptr[out->len - 1] == '!') {
        out->len--;
        wn_buf_add_literal(out, "\\!");
    }
    wn_buf_add_char(out, '[');
}

static bool add_picture(wn_markdown *w, const wn_node *image, wn_markdown_place place)
{
    if (!wn_page_links_image(&w->image, w->links, w->page->doc, image))
        return false;
    wn_buf_add_literal(w->out, "![");
    add_label(w->out, wn_str_trim(wn_node_attr_value(image, WN_ATTR_ALT)));
    add_target(w, wn_buf_str(&w->image), place);
    return true;
}

bool wn_write_markdown_image(wn_markdown *w, wn_node_id id, wn_markdown_place place)
{
    const wn_doc *doc = w->page->doc;
    wn_node_id link = w->options->links ? wn_page_image_link(doc, id) : WN_NO_NODE;
    bool linked = link && wn_page_links_target(&w->url, w->links, wn_doc_node(doc, link));
    size_t before = w->out->len;
    if (linked)
        open_bracket(w);
    if (!add_picture(w, wn_doc_node(doc, id), place)) {
        w->out->len = before;
        return false;
    }
    if (linked)
        add_target(w, wn_buf_str(&w->url), place);
    return true;
}

bool wn_write_markdown_embed(wn_markdown *w, wn_node_id id, wn_markdown_place place)
{
    const wn_node *element = wn_doc_node(w->page->doc, id);
    wn_str title = wn_page_embed_title(element);
    if (!wn_page_links_embed(&w->url, w->links, w->page->doc, element))
        return false;
    wn_buf_add_char(w->out, '[');
    add_label(w->out, title.len > 0 ? title : wn_buf_str(&w->url));
    add_target(w, wn_buf_str(&w->url), place);
    return true;
}

/* ---- Which spans are shown --------------------------------------------------------------- */

static bool is_emphasis(const wn_span *span)
{
    return span->kind == WN_SPAN_BOLD || span->kind == WN_SPAN_ITALIC ||
           span->kind == WN_SPAN_DELETED;
}

/* Whether the span becomes markup; in code links do, and what changes the meaning if it is lost. */
static bool is_shown(inline_writer *i, const wn_span *span, bool in_code)
{
    const wn_write_options *options = i->w->options;
    switch (span->kind) {
    case WN_SPAN_LINK:
        return options->links && find_target(i->w, span);
    case WN_SPAN_IMAGE:
        return options->images && !in_code;
    case WN_SPAN_BOLD:
        return options->formatting && !in_code && i->cursor.place != WN_IN_BOLD;
    case WN_SPAN_ITALIC:
    case WN_SPAN_INSERTED:
    case WN_SPAN_MARKED:
    case WN_SPAN_ABBR:
        return options->formatting && !in_code;
    case WN_SPAN_SUB:
    case WN_SPAN_SUP:
        return true;
    default:
        return !in_code;
    }
}

/* Whether the span is a superscript that contains only a footnote mark. */
static bool raises_note(const inline_writer *i, const wn_span *span)
{
    const wn_span *end = i->w->page->spans.items + i->block->first_span + i->block->span_count;
    return span->kind == WN_SPAN_SUP && span + 1 < end && span[1].start == span->start &&
           span[1].end == span->end &&
           wn_page_notes_of_mark(&i->w->notes, i->w->page, span + 1) != NULL;
}

/* Joins two adjacent spans of the same kind: "**ab**", not "**a****b**". */
static bool joins_last(inline_writer *i, const wn_span *span, uint32_t around)
{
    if (i->w->spans.count == 0 || raises_note(i, span))
        return false;
    shown_span *last = &i->w->spans.items[i->w->spans.count - 1];
    bool joins = last->span->kind == span->kind && last->end == span->start &&
                 last->around == around &&
                 (is_emphasis(span) || span->kind == WN_SPAN_CODE || span->kind == WN_SPAN_SUP ||
                  span->kind == WN_SPAN_SUB);
    if (joins)
        last->end = span->end;
    return joins;
}

/* Whether the last thing in a shown span is this image, whose offset is that of the span's end. */
static bool ends_with_image(const wn_markdown *w, const shown_span *shown, const wn_span *image)
{
    return image->kind == WN_SPAN_IMAGE && image->start == shown->end && !shown->note &&
           wn_page_image_is_in(w->page->doc, image->node, shown->span->node);
}

/* Lists the spans of the block that are shown, outer ones first. */
static void list_spans(inline_writer *i)
{
    wn_markdown *w = i->w;
    uint32_t around = NONE, end = i->block->text + i->block->len;
    w->spans.count = 0;
    for (uint32_t k = 0; k < i->block->span_count; k++) {
        const wn_span *span = &w->page->spans.items[i->block->first_span + k];
        const wn_page_note *note = wn_page_notes_of_mark(&w->notes, w->page, span);
        bool in_code = false;
        uint32_t depth = 0;
        while (around != NONE && w->spans.items[around].end <= span->start &&
               !ends_with_image(w, &w->spans.items[around], span))
            around = w->spans.items[around].around;
        for (uint32_t up = around; up != NONE; up = w->spans.items[up].around, depth++)
            in_code |= w->spans.items[up].span->kind == WN_SPAN_CODE;
        if (depth >= DEEPEST - 1 || (!note && !is_shown(i, span, in_code)) ||
            (around != NONE && w->spans.items[around].note) || joins_last(i, span, around))
            continue;
        uint32_t limit = around == NONE ? end : w->spans.items[around].end;
        shown_span *fresh = wn_array_push(&w->spans);
        if (!fresh) {
            w->out->failed = true;
            return;
        }
        *fresh = (shown_span){.span = span,
                              .note = note,
                              .end = span->end < limit ? span->end : limit,
                              .around = around};
        if (span->kind != WN_SPAN_IMAGE)
            around = w->spans.count - 1;
        i->cursor.emphasised |= is_emphasis(span);
    }
}

/* ---- Neighbours of marks ----------------------------------------------------------------- */

typedef enum side {
    SPACE,
    PUNCTUATION,
    LETTER,
    UNSURE, /* a symbol: Markdown readers differ */
} side;

static bool is_sure_punctuation(uint32_t c)
{
    return (c >= 0x2010 && c <= 0x2027) || (c >= 0x2030 && c <= 0x203B) ||
           (c >= 0x3001 && c <= 0x3003) || (c >= 0x3008 && c <= 0x3011) || c == 0xFF01 ||
           c == 0xFF08 || c == 0xFF09 || c == 0xFF0C || c == 0xFF0E || c == 0xFF1A || c == 0xFF1B ||
           c == 0xFF1F || c == 0xAB || c == 0xBB || c == 0xA1 || c == 0xBF;
}

static side side_of(uint32_t c)
{
    if (c < 0x80)
        return c <= ' ' ? SPACE : wn_is_ascii_alnum((char)c) ? LETTER : PUNCTUATION;
    if (wn_text_is_space_char(c) || c == 0xA0)
        return SPACE;
    if (is_sure_punctuation(c))
        return PUNCTUATION;
    return wn_text_class_of(c) == WN_CLASS_NONE ? UNSURE : LETTER;
}

/* The side of the character that starts at `p`, and of the one that ends there. */
static side side_at(const char *p)
{
    return side_of(wn_utf8_next(&p));
}

static side side_before(const char *p, const char *start)
{
    if (p == start)
        return SPACE;
    do
        p--;
    while (p > start && (*p & 0xC0) == 0x80);
    return side_at(p);
}

/* The characters next to the marks of one span, outside and inside, at both ends. */
typedef struct sides {
    side before, first, last, after;
} sides;

static bool is_flanking(side outside, side inside)
{
    bool sure = outside == SPACE || outside == PUNCTUATION;
    return inside != SPACE && (inside == LETTER || sure);
}

/* Whether stars can open and close here, and whether underscores can. */
static bool can_have_stars(const sides *s)
{
    return is_flanking(s->before, s->first) && is_flanking(s->after, s->last);
}

static bool can_have_underscores(const sides *s)
{
    bool before = s->before == SPACE || s->before == PUNCTUATION;
    bool after = s->after == SPACE || s->after == PUNCTUATION;
    return can_have_stars(s) && before && after;
}

/* Whether another mark is written at the offset: one that starts there, after number `from`. */
static bool starts_at(const inline_writer *i, uint32_t from, uint32_t offset)
{
    const shown_span *spans = i->w->spans.items;
    uint32_t count = i->w->spans.count, first = from;
    while (from < count && spans[from].span->start < offset)
        from++;
    wn_cost_use(&i->w->cost, from - first);
    return from < count && spans[from].span->start == offset;
}

/* Whether a mark of a span inside number `index` ends at the offset. */
static bool inner_ends_at(const inline_writer *i, uint32_t index, uint32_t offset)
{
    const shown_span *spans = i->w->spans.items;
    uint32_t k = index + 1;
    while (k < i->w->spans.count && spans[k].span->start < offset && spans[k].end != offset)
        k++;
    wn_cost_use(&i->w->cost, k - index);
    return k < i->w->spans.count && spans[k].span->start < offset;
}

/* The number of the first span after the images that are the last things in number `index`. */
static uint32_t behind_images(const inline_writer *i, uint32_t index)
{
    const shown_span *spans = i->w->spans.items;
    uint32_t k = index + 1, end = spans[index].end;
    while (k < i->w->spans.count && spans[k].span->start < end)
        k++;
    wn_cost_use(&i->w->cost, k - index);
    while (k < i->w->spans.count && spans[k].span->kind == WN_SPAN_IMAGE &&
           spans[k].span->start == end && spans[k].around == index)
        k++;
    return k;
}

static sides sides_of(const inline_writer *i, uint32_t index)
{
    const shown_span *s = &i->w->spans.items[index];
    const char *text = i->w->page->text.ptr;
    const wn_buf *out = i->w->out;
    uint32_t end = i->block->text + i->block->len;
    sides found;
    const char *written = out->ptr ? out->ptr : ""; /* nothing yet */
    found.before = side_before(written + out->len, written + i->begin);
    if (out->len == i->begin && i->cursor.place == WN_IN_BOLD)
        found.before = PUNCTUATION;
    found.first = starts_at(i, index + 1, s->span->start) ? PUNCTUATION
                                                          : side_at(text + s->span->start);
    uint32_t behind = behind_images(i, index);
    bool has_image_last = i->w->spans.items[behind - 1].span->start == s->end;
    found.last = has_image_last || inner_ends_at(i, index, s->end)
                     ? PUNCTUATION
                     : side_before(text + s->end, text);
    bool closes = s->around != NONE && i->w->spans.items[s->around].end == s->end;
    if (closes || starts_at(i, behind, s->end))
        found.after = PUNCTUATION;
    else if (s->end == end)
        found.after = i->cursor.place == WN_IN_BOLD ? PUNCTUATION : SPACE;
    else
        found.after = text[s->end] == '\n' ? i->cursor.place == WN_IN_CELL ? PUNCTUATION : SPACE
                                           : side_at(text + s->end);
    return found;
}

/* ---- Marks ------------------------------------------------------------------------------- */

typedef struct mark {
    const char *open, *close;
} mark;

/* Two runs of stars that touch would be read as one. */
static bool touches_star(const inline_writer *i, uint32_t index)
{
    const wn_buf *out = i->w->out;
    bool at_start = out->len == i->begin;
    bool at_end = i->w->spans.items[index].end == i->block->text + i->block->len;
    if (i->cursor.place == WN_IN_BOLD && (at_start || at_end)) /* the block's own stars */
        return true;
    return out->len > i->begin && !out->failed && out->ptr[out->len - 1] == '*';
}

static mark mark_of_emphasis(const inline_writer *i, uint32_t index)
{
    const wn_span *span = i->w->spans.items[index].span;
    sides beside = sides_of(i, index);
    if (span->kind == WN_SPAN_DELETED)
        return can_have_stars(&beside) ? (mark){"~~", "~~"} : (mark){"<del>", "</del>"};
    bool bold = span->kind == WN_SPAN_BOLD;
    if (can_have_stars(&beside) && !touches_star(i, index))
        return bold ? (mark){"**", "**"} : (mark){"*", "*"};
    if (can_have_underscores(&beside))
        return bold ? (mark){"__", "__"} : (mark){"_", "_"};
    return bold ? (mark){"<b>", "</b>"} : (mark){"<i>", "</i>"};
}

static mark mark_of(const inline_writer *i, uint32_t index)
{
    const wn_span *span = i->w->spans.items[index].span;
    wn_write_quotation_marks quotes;
    switch (span->kind) {
    case WN_SPAN_SUB:
        return (mark){"<sub>", "</sub>"};
    case WN_SPAN_SUP:
        return (mark){"<sup>", "</sup>"};
    case WN_SPAN_INSERTED:
        return (mark){"<ins>", "</ins>"};
    case WN_SPAN_MARKED:
        return (mark){"<mark>", "</mark>"};
    case WN_SPAN_KEY:
        return (mark){"<kbd>", "</kbd>"};
    case WN_SPAN_ABBR:
        return (mark){"", "</abbr>"};
    case WN_SPAN_QUOTED:
        quotes = wn_write_quotation_marks_of(i->w->page->language);
        return (mark){quotes.open, quotes.close};
    case WN_SPAN_BOLD:
    case WN_SPAN_ITALIC:
    case WN_SPAN_DELETED:
        return mark_of_emphasis(i, index);
    default:
        return (mark){"", ""};
    }
}

static void add_abbreviation(wn_markdown *w, const wn_span *span)
{
    const wn_node *abbr = wn_doc_node(w->page->doc, span->node);
    wn_buf_add_literal(w->out, "<abbr title=\"");
    wn_add_escaped(w->out, wn_page_links_meaning(w->links, abbr));
    wn_buf_add_literal(w->out, "\">");
}

static void open_span(inline_writer *i, uint32_t index)
{
    const wn_span *span = i->w->spans.items[index].span;
    mark marks = mark_of(i, index);
    i->stack[i->depth] = index;
    i->closing[i->depth++] = marks.close;
    if (span->kind == WN_SPAN_LINK) {
        open_bracket(i->w);
        i->cursor.is_balanced = has_balanced_brackets(
            wn_str_from(i->w->page->text.ptr + span->start, span->end - span->start));
    } else if (span->kind == WN_SPAN_ABBR)
        add_abbreviation(i->w, span);
    else
        wn_buf_add_literal(i->w->out, marks.open);
    i->in_code += span->kind == WN_SPAN_CODE;
}

static void close_span(inline_writer *i)
{
    const wn_span *span = i->w->spans.items[i->stack[--i->depth]].span;
    wn_buf_add_literal(i->w->out, i->closing[i->depth]);
    i->in_code -= span->kind == WN_SPAN_CODE;
    if (span->kind == WN_SPAN_LINK && find_target(i->w, span))
        add_target(i->w, wn_buf_str(&i->w->url), i->cursor.place);
}

/* ---- Formulas and marks of notes --------------------------------------------------------- */

/* TeX on one line, without characters that would end it. */
static void add_tex(wn_buf *out, wn_str tex, wn_markdown_place place)
{
    bool at_space = true;
    for (size_t k = 0; k < tex.len; k++) {
        bool is_space = wn_is_space(tex.ptr[k]);
        if (is_space && at_space)
            continue;
        at_space = is_space;
        if (tex.ptr[k] == '|' && place == WN_IN_CELL)
            wn_buf_add_literal(out, "\\vert{}"); /* not "\\|", which is a different symbol */
        else
            wn_buf_add_char(out, is_space ? ' ' : tex.ptr[k]);
    }
}

static void add_formula(inline_writer *i, const wn_span *span)
{
    wn_buf *out = i->w->out;
    const wn_page *page = i->w->page;
    bool display = page->formulas.items[span->value].display ||
                   i->block->kind == WINNOW_BLOCK_CELL; /* of a table that only arranges */
    bool whole = display && i->cursor.place == WN_IN_LINES && wn_write_is_formula(page, i->block);
    if (out->len > i->begin && out->ptr[out->len - 1] == '$') /* two adjacent formulas */
        wn_buf_add_char(out, ' ');
    wn_buf_add_literal(out, whole ? "$$" : "$");
    if (whole)
        wn_write_markdown_next_line(i->w);
    add_tex(out, wn_page_formula_tex(page, span), i->cursor.place);
    if (whole)
        wn_write_markdown_next_line(i->w);
    wn_buf_add_literal(out, whole ? "$$" : "$");
}

static void add_note_mark(inline_writer *i, const wn_page_note *note)
{
    wn_buf_add_literal(i->w->out, "[^");
    wn_page_notes_add_name(i->w->out, &i->w->notes, note);
    wn_buf_add_char(i->w->out, ']');
}

/* A picture in the text, separated by spaces, which are added if missing. */
static void add_inline_image(inline_writer *i, const wn_span *span)
{
    wn_buf *out = i->w->out;
    const wn_node *image = wn_doc_node(i->w->page->doc, span->node);
    uint32_t end = i->block->text + i->block->len;
    bool in_link = i->cursor.in_link;
    if (wn_page_image_is_decoration(i->w->page->doc, image))
        return;
    uint32_t opened = i->depth > 0 ? i->w->spans.items[i->stack[i->depth - 1]].span->start
                                   : i->block->text;
    bool apart = span->start > opened && !wn_is_space(out->ptr[out->len - 1]);
    size_t start = out->len;
    wn_buf_add_literal(out, apart ? " " : "");
    bool written = in_link ? add_picture(i->w, image, i->cursor.place)
                           : wn_write_markdown_image(i->w, span->node, i->cursor.place);
    bool is_last = i->depth > 0 && i->w->spans.items[i->stack[i->depth - 1]].end == span->start;
    if (!written)
        out->len = start;
    else if (!is_last && span->start < end && !wn_is_space(i->w->page->text.ptr[span->start]))
        wn_buf_add_char(out, ' ');
}

/* ---- The whole --------------------------------------------------------------------------- */

/* Writes the text from `at` to `stop`; no span starts or ends in it. */
static void add_piece(inline_writer *i, uint32_t at, uint32_t stop)
{
    const char *text = i->w->page->text.ptr;
    wn_buf *out = i->w->out;
    wn_markdown_cursor *c = &i->cursor;
    if (i->in_code > 0) {
        wn_write_markdown_code_span(i->w, wn_str_from(text + at, stop - at), c->place);
        return;
    }
    c->part = c->at = text + at;
    c->stop = text + stop;
    c->before = out->len > i->begin && !out->failed ? out->ptr[out->len - 1] : '\n';
    bool after_note = c->before == ']' && *c->at == ':';
    if (after_note) { /* "[^1]:" would define the note */
        wn_buf_add_literal(out, "\\:");
        c->at++;
    }
    wn_write_markdown_text(i->w, c);
}

/* Writes a span that has no inner markup; returns where the text continues. */
static uint32_t add_leaf(inline_writer *i, const shown_span *s, uint32_t at)
{
    if (s->span->kind == WN_SPAN_IMAGE) {
        add_inline_image(i, s->span);
        return at;
    }
    if (s->note)
        add_note_mark(i, s->note);
    else
        add_formula(i, s->span);
    return s->end;
}

static bool is_leaf(const shown_span *s)
{
    return s->note || s->span->kind == WN_SPAN_IMAGE || s->span->kind == WN_SPAN_MATH;
}

/* "[^1]" is shown as a superscript anyway, so <sup> around it is left out. */
static bool is_only_note(const inline_writer *i, uint32_t index)
{
    const shown_span *s = &i->w->spans.items[index];
    const shown_span *inner = s + 1;
    return s->span->kind == WN_SPAN_SUP && index + 1 < i->w->spans.count && inner->note &&
           inner->span->start == s->span->start && inner->end == s->end;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void wn_write_markdown_inline(wn_markdown *w, const wn_block *block, wn_markdown_place place)
{
    const char *text = w->page->text.ptr;
    uint32_t at = block->text, end = block->text + block->len, next = 0;
    inline_writer i = {.w = w,
                       .block = block,
                       .begin = w->out->len,
                       .cursor = {.start = text + at, .end = text + end, .place = place}};
    list_spans(&i);
    while (at < end || i.depth > 0 || next < w->spans.count) {
        const shown_span *s = next < w->spans.count ? &w->spans.items[next] : NULL;
        uint32_t limit = i.depth > 0 ? w->spans.items[i.stack[i.depth - 1]].end : end;
        i.cursor.in_link = false;
        for (uint32_t k = 0; k < i.depth; k++)
            i.cursor.in_link |= w->spans.items[i.stack[k]].span->kind == WN_SPAN_LINK;
        uint32_t stop = s ? least(s->span->start, limit) : limit;
        if (stop > at) {
            add_piece(&i, at, stop);
            at = stop;
        } else if (s && s->span->start <= at &&
                   (at < limit || i.depth == 0 ||
                    (s->span->kind == WN_SPAN_IMAGE && s->around == i.stack[i.depth - 1]))) {
            next++;
            if (is_leaf(s))
                at = add_leaf(&i, s, at);
            else if (s->end > at && !is_only_note(&i, next - 1))
                open_span(&i, next - 1);
        } else if (i.depth > 0) {
            close_span(&i);
        } else {
            break;
        }
    }
}
