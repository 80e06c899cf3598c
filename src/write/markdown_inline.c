/*
 * Text inside a block of Markdown: links, code, and everything else escaped so that it stays
 * the text it is.
 *
 * A backslash is written only where a character would mean something. That is easier than
 * it looks, as Markdown needs two things for most of its markup and it is enough to spoil one:
 *
 *   - emphasis has to be closed, and what closes it does not stand behind a space: "*note" and
 *     "2 * 3" stay, "note*" becomes "note\*";
 *   - a link needs "](" or a definition, which starts a line: "[1]" stays;
 *   - "#", ">", "-" and "1." count only where a line starts.
 *
 * The rules are those of CommonMark 0.30 and of GitHub's tables and strikethrough.
 */
#include "write/markdown_parts.h"

#include "page/links.h"

/* The text of a block while it is written. */
typedef struct cursor {
    const char *start, *end; /* of the whole block */
    const char *part, *stop; /* the part without markup that is written */
    const char *at;
    const char *address_end; /* of the last address that was looked at; NULL: none was */
    const char *plain_until; /* no address that begins before needs brackets; NULL: not known */
    wn_markdown_place place;
    bool in_link;
    bool emphasised; /* something in the block is: no star of the text may be taken for ours */
} cursor;

/* ---- Characters -------------------------------------------------------------------------- */

static bool is_punctuation(char c)
{
    return c > ' ' && c < 0x7F && !wn_is_ascii_alnum(c);
}

/* The character before p; a space where a line starts, that of our markup if there is any. */
static char char_before(const cursor *c, const char *p)
{
    bool starts_line = p == c->start || p[-1] == '\n';
    if (p == c->part && c->in_link)
        return '[';
    if (starts_line && c->place == WN_IN_CELL)
        return '>'; /* of "<br>" */
    if (p == c->start)
        return c->place == WN_IN_BOLD ? '*' : ' ';
    return p[-1];
}

/* The character at p, a line end behind the text. */
static char char_at(const cursor *c, const char *p)
{
    return p < c->end ? *p : '\n';
}

static const char *line_end(const cursor *c, const char *p)
{
    const char *end = memchr(p, '\n', (size_t)(c->end - p));
    return end ? end : c->end;
}

static void add_range(wn_markdown *w, const char *from, const char *to)
{
    wn_buf_add(w->out, wn_str_between(from, to));
}

static void add_escaped(wn_markdown *w, char c)
{
    wn_buf_add_char(w->out, '\\');
    wn_buf_add_char(w->out, c);
}

/* ---- Where lines start ------------------------------------------------------------------- */

/* Whether the line could be a rule, the line under a heading, or the second line of a table. */
static bool is_ruling(const char *p, const char *end)
{
    while (p < end && (*p == '-' || *p == '=' || *p == '*' || *p == '_' || *p == '|' || *p == ':' ||
                       *p == ' '))
        p++;
    return p == end;
}

/* Whether "[" starts what could be a definition "[label]: …" or a box to tick. */
static bool is_definition(const char *p, const char *end)
{
    const char *close = memchr(p, ']', (size_t)(end - p));
    if (!close)
        return true; /* a label may go on in the next line */
    if (close == p + 2 && (p[1] == ' ' || p[1] == 'x' || p[1] == 'X'))
        return true;
    for (; close; close = memchr(close + 1, ']', (size_t)(end - close - 1)))
        if (close + 1 < end && close[1] == ':')
            return true;
    return false;
}

/* The "." or ")" of a number that starts a list, or NULL. */
static const char *list_delimiter(const char *p, const char *end)
{
    enum { MOST_DIGITS = 9 };
    const char *digits = p;
    while (p < end && wn_is_ascii_digit(*p))
        p++;
    bool delimited = p > digits && p - digits <= MOST_DIGITS && p < end && (*p == '.' || *p == ')');
    return delimited && (p + 1 == end || p[1] == ' ') ? p : NULL;
}

static bool starts_block(const char *p, const char *end)
{
    const char *run = p;
    switch (*p) {
    case '>':
        return true;
    case '#':
        while (run < end && *run == '#')
            run++;
        return run - p <= 6 && (run == end || *run == ' ');
    case '-':
    case '+':
    case '*':
        return p + 1 == end || p[1] == ' ' || is_ruling(p, end);
    case '=':
    case '_':
    case '|':
    case ':':
        return is_ruling(p, end);
    case '~':
        return end - p >= 3 && p[1] == '~' && p[2] == '~';
    case '[':
        return is_definition(p, end);
    default:
        return false;
    }
}

/* Writes what must be escaped because a line starts with it. */
static void start_line(wn_markdown *w, cursor *c)
{
    if (c->at >= c->stop)
        return;
    const char *end = line_end(c, c->at);
    const char *delimiter = list_delimiter(c->at, end);
    if (delimiter && delimiter < c->stop) {
        add_range(w, c->at, delimiter);
        add_escaped(w, *delimiter);
        c->at = delimiter + 1;
    } else if (starts_block(c->at, end)) {
        add_escaped(w, *c->at);
        c->at++;
    }
}

/* ---- Inside lines ------------------------------------------------------------------------ */

/* Whether "&" starts a character reference: "&amp;", "&#8211;". */
static bool is_reference(const char *p, const char *end)
{
    enum { LONGEST = 33 }; /* the longest name and its semicolon */
    const char *at = p + 1;
    if (at < end && *at == '#')
        at++;
    const char *name = at;
    while (at < end && at - p < LONGEST && wn_is_ascii_alnum(*at))
        at++;
    return at > name && at < end && *at == ';';
}

/*
 * Writes a run of "*", "_" or "~". It is escaped if it could close emphasis: if it stands behind
 * something, and is not an underscore inside a word.
 */
static void add_emphasis_run(wn_markdown *w, cursor *c)
{
    const char *run = c->at, *end = run;
    while (end < c->stop && *end == *run)
        end++;
    char before = char_before(c, run);
    bool closes = !wn_is_space(before);
    if (c->place == WN_IN_BOLD || c->emphasised)
        closes = true; /* what only opens could take the closing "**" of the term */
    if (*run == '_' && wn_is_ascii_alnum(before) && wn_is_ascii_alnum(char_at(c, end)))
        closes = false;
    if (!closes)
        add_range(w, run, end);
    for (const char *p = run; closes && p < end; p++)
        add_escaped(w, *p);
    c->at = end;
}

static void add_line_break(wn_markdown *w, cursor *c)
{
    c->at++;
    switch (c->place) {
    case WN_IN_LINES:
    case WN_IN_BOLD:
        wn_buf_add_literal(w->out, "  ");
        wn_write_markdown_next_line(w);
        start_line(w, c);
        break;
    case WN_IN_HEADING:
        wn_buf_add_char(w->out, ' ');
        break;
    case WN_IN_CELL:
        wn_buf_add_literal(w->out, "<br>");
        break;
    }
}

/* Where the address ends that goes on at p; punctuation at its end belongs to the sentence. */
static const char *end_of_address(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && (unsigned char)*p > ' ' && *p != '<' && *p != '>')
        p++;
    while (p > start && is_punctuation(p[-1]) && p[-1] != '/')
        p--;
    return p;
}

/* The length of "http" or "https" before the "://" at c->at; 0: no address begins there. */
static size_t scheme_length(const cursor *c)
{
    static const wn_str schemes[] = {{"https", 5}, {"http", 4}};
    if (!wn_str_starts(wn_str_between(c->at, c->stop), WN_STR("://")))
        return 0;
    for (int i = 0; i < 2; i++) {
        const char *start = c->at - schemes[i].len;
        if (c->at - c->part >= (ptrdiff_t)schemes[i].len &&
            memcmp(start, schemes[i].ptr, schemes[i].len) == 0 &&
            (start == c->part || !wn_is_ascii_alnum(start[-1])))
            return schemes[i].len;
    }
    return 0;
}

/*
 * Whether the address from c->at to c->address_end has something that must be escaped and nothing
 * that brackets cannot hold. If not, no address before c->plain_until needs brackets either.
 */
static bool needs_brackets(cursor *c)
{
    const char *end = c->address_end;
    bool escaped = false;
    for (const char *p = c->at; p < end; p++) {
        c->plain_until = p;
        if ((*p == '|' && c->place == WN_IN_CELL) || (*p == '&' && is_reference(p, c->end)))
            return false;
        bool in_word = wn_is_ascii_alnum(p[-1]) && p + 1 < end && wn_is_ascii_alnum(p[1]);
        escaped |= *p == '*' || (*p == '_' && !in_word) || *p == '~' || *p == '\\' || *p == '`';
    }
    return escaped;
}

/*
 * An address in the text, with c->at on its colon, is put between angle brackets if something
 * in it would have to be escaped: GitHub makes links of addresses and the backslashes would be
 * part of them. False if it is not one or needs no brackets.
 *
 * A word may hold many addresses, all of which end where it does. What was found for one of them
 * serves the others, so that a word is not read again for each.
 */
static bool add_address(wn_markdown *w, cursor *c)
{
    size_t scheme = c->in_link || (c->plain_until && c->at < c->plain_until) ? 0 : scheme_length(c);
    bool after_backslash = c->at - scheme > c->part && c->at[-1 - (ptrdiff_t)scheme] == '\\';
    if (scheme == 0 || after_backslash)
        return false;
    if (!c->address_end || c->at >= c->address_end)
        c->address_end = end_of_address(c->at, c->stop);
    if (!needs_brackets(c) || w->out->failed)
        return false;
    w->out->len -= scheme; /* it is written already */
    wn_buf_add_char(w->out, '<');
    add_range(w, c->at - scheme, c->address_end);
    wn_buf_add_char(w->out, '>');
    c->at = c->address_end;
    return true;
}

static bool needs_escape(const cursor *c)
{
    char next = char_at(c, c->at + 1);
    switch (*c->at) {
    case '\\':
        return c->at + 1 == c->stop || is_punctuation(next) || next == '\n';
    case '`':
        return true;
    case '[':
        return c->in_link;
    case ']':
        return c->in_link || next == '(';
    case '<':
        return wn_is_ascii_alpha(next) || next == '/' || next == '!' || next == '?';
    case '&':
        return is_reference(c->at, c->end);
    case '|':
        return c->place == WN_IN_CELL;
    default:
        return false;
    }
}

/* The next character that may need care; most of a text is copied up to it. */
static const char *find_special(const char *p, const char *end)
{
    static const bool special[256] = {
        ['\\'] = true, ['`'] = true, ['['] = true, [']'] = true, ['<'] = true,  ['&'] = true,
        ['|'] = true,  ['*'] = true, ['_'] = true, ['~'] = true, ['\n'] = true, [':'] = true,
    };
    while (p < end && !special[(unsigned char)*p])
        p++;
    return p;
}

/* Writes the text up to c->stop, which has no markup of ours in it. */
static void add_text(wn_markdown *w, cursor *c)
{
    bool lines = c->place == WN_IN_LINES || c->place == WN_IN_BOLD;
    if (c->at == c->start && c->place == WN_IN_LINES && !c->in_link)
        start_line(w, c);
    else if (lines && c->at > c->start && c->at[-1] == '\n' && !c->in_link)
        start_line(w, c);
    while (c->at < c->stop) {
        const char *special = find_special(c->at, c->stop);
        add_range(w, c->at, special);
        c->at = special;
        if (special == c->stop)
            break;
        if (*special == '\n') {
            add_line_break(w, c);
        } else if (*special == '*' || *special == '_' || *special == '~') {
            add_emphasis_run(w, c);
        } else if (*special == ':' && add_address(w, c)) {
            continue;
        } else if (needs_escape(c)) {
            add_escaped(w, *c->at++);
        } else {
            wn_buf_add_char(w->out, *c->at++);
        }
    }
}

/* ---- Code -------------------------------------------------------------------------------- */

size_t wn_write_markdown_longest_fence(wn_str text)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}

/* A space is put between the fence and a backtick, and where Markdown would take one off. */
static bool needs_padding(wn_str text)
{
    char first = text.ptr[0], last = text.ptr[text.len - 1];
    bool blank = wn_str_trim(text).len == 0;
    return first == '`' || last == '`' || (wn_is_space(first) && wn_is_space(last) && !blank);
}

void wn_write_markdown_code_span(wn_markdown *w, wn_str text, wn_markdown_place place)
{
    if (text.len == 0)
        return;
    size_t fence = wn_write_markdown_longest_fence(text) + 1;
    bool padded = needs_padding(text);
    wn_buf_add_repeated(w->out, '`', fence);
    wn_buf_add_repeated(w->out, ' ', padded);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '|' && place == WN_IN_CELL)
            wn_buf_add_char(w->out, '\\'); /* the cells are told apart before the code is */
        wn_buf_add_char(w->out, text.ptr[i] == '\n' ? ' ' : text.ptr[i]);
    }
    wn_buf_add_repeated(w->out, ' ', padded);
    wn_buf_add_repeated(w->out, '`', fence);
}

/* ---- Links ------------------------------------------------------------------------------- */

/* Puts the address of the link into w->url; false if it leads nowhere. */
static bool find_target(wn_markdown *w, const wn_span *span)
{
    return wn_page_links_target(&w->url, w->base, wn_doc_node(w->page->doc, span->node));
}

/* Whether the address can stand without angle brackets. */
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

static void add_target(wn_markdown *w, wn_str url, wn_markdown_place place)
{
    bool plain = is_plain_target(url);
    wn_buf_add_literal(w->out, plain ? "](" : "](<");
    for (const char *p = url.ptr, *end = p + url.len; p < end; p++) {
        bool escaped = *p == '\\' || *p == '<' || *p == '>' || (*p == '|' && place == WN_IN_CELL) ||
                       (*p == '&' && is_reference(p, end));
        if (escaped)
            wn_buf_add_char(w->out, '\\');
        wn_buf_add_char(w->out, *p == '\n' ? ' ' : *p);
    }
    wn_buf_add_literal(w->out, plain ? ")" : ">)");
}

/* ---- Images ------------------------------------------------------------------------------ */

/* A space stands between an image and the text, where there is none. */
static void add_image(wn_markdown *w, const wn_span *span, size_t begin, char next,
                      wn_markdown_place place)
{
    const wn_node *image = wn_doc_node(w->page->doc, span->node);
    wn_str description = wn_str_trim(wn_node_attr_value(image, WN_ATTR_ALT));
    wn_buf *out = w->out;
    if (!wn_page_links_image(&w->image, w->base, image))
        return;
    char before = out->len > begin ? out->ptr[out->len - 1] : ' ';
    wn_buf_add_literal(out, wn_is_space(before) || before == '[' ? "![" : " ![");
    for (size_t i = 0; i < description.len; i++) {
        char c = description.ptr[i];
        if (strchr("\\[]`*_<&|~^", c)) /* "![^" begins a footnote for GitHub */
            wn_buf_add_char(out, '\\');
        wn_buf_add_char(out, (unsigned char)c < ' ' ? ' ' : c);
    }
    add_target(w, wn_buf_str(&w->image), place);
    wn_buf_add_literal(out, wn_is_space(next) ? "" : " ");
}

/* ---- Spans ------------------------------------------------------------------------------- */

/* The spans of one kind, one after the other. */
typedef struct span_list {
    const wn_span *next, *end;
    wn_span_kind kind;
} span_list;

/* The first span that ends behind `offset`, or NULL. */
static const wn_span *span_behind(span_list *list, uint32_t offset)
{
    while (list->next < list->end && (list->next->kind != list->kind || list->next->end <= offset))
        list->next++;
    return list->next < list->end ? list->next : NULL;
}

/* Where the code around `offset` ends, neighbours count as one; `offset` if there is none. */
static uint32_t end_of_code(span_list *list, uint32_t offset)
{
    uint32_t end = offset;
    const wn_span *span = span_behind(list, offset);
    for (; span && span < list->end && span->start <= end; span++)
        if (span->kind == WN_SPAN_CODE && span->end > end)
            end = span->end;
    return end;
}

/* ---- Bold and italics -------------------------------------------------------------------- */

/* The spans that are written with stars, one after the other. */
typedef struct emphasis {
    const wn_span *next, *end; /* those that were not looked at yet */
    const wn_span *now;        /* the one that is open, or comes next; NULL: none */
    uint32_t covered;          /* no other may begin before */
} emphasis;

/* Whether stars may stand between the text and its neighbour: a space, a sign or nothing. */
static bool is_edge(const wn_page *page, const wn_block *block, uint32_t at, bool before)
{
    bool outermost = before ? at == block->text : at == block->text + block->len;
    char c = outermost ? ' ' : page->text.ptr[before ? at - 1 : at];
    return wn_is_space(c) || is_punctuation(c);
}

static bool is_obstacle(const wn_markdown *w, const wn_span *span)
{
    return span->kind == WN_SPAN_CODE || (span->kind == WN_SPAN_IMAGE && w->options->images) ||
           (span->kind == WN_SPAN_LINK && w->options->links);
}

/* Whether Markdown can tell: between edges, without links, code and line ends in it. */
static bool can_be_told(const wn_markdown *w, const wn_block *block, const emphasis *e,
                        const wn_span *span)
{
    for (const wn_span *inner = span + 1; inner < e->end && inner->start < span->end; inner++)
        if (is_obstacle(w, inner))
            return false;
    return is_edge(w->page, block, span->start, true) &&
           is_edge(w->page, block, span->end, false) &&
           !memchr(w->page->text.ptr + span->start, '\n', span->end - span->start);
}

/* Makes e->now the first one that ends behind `offset`. */
static void find_emphasis(const wn_markdown *w, const wn_block *block, emphasis *e, uint32_t offset)
{
    if (e->now && e->now->end > offset)
        return;
    e->now = NULL;
    for (; e->next < e->end && !e->now; e->next++) {
        const wn_span *span = e->next;
        bool formats = span->kind == WN_SPAN_BOLD || span->kind == WN_SPAN_ITALIC;
        if (formats && span->start >= e->covered && can_be_told(w, block, e, span))
            e->now = span;
        if ((e->now || is_obstacle(w, span)) && span->end > e->covered)
            e->covered = span->end;
    }
}

static void add_stars(wn_markdown *w, const wn_span *span)
{
    wn_buf_add_literal(w->out, span->kind == WN_SPAN_BOLD ? "**" : "*");
}

/* The next image; NULL if there is none. */
static const wn_span *next_image(span_list *list)
{
    while (list->next < list->end && list->next->kind != list->kind)
        list->next++;
    return list->next < list->end ? list->next : NULL;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void open_link(wn_markdown *w)
{
    wn_buf *out = w->out;
    if (out->len > 0 && out->ptr[out->len - 1] == '!') { /* "![" starts a picture */
        out->len--;
        wn_buf_add_literal(out, "\\!");
    }
    wn_buf_add_char(out, '[');
}

/* The first link that ends behind `offset` and leads somewhere; its address is in w->url. */
static const wn_span *link_behind(wn_markdown *w, span_list *links, uint32_t offset,
                                  const wn_span *known)
{
    const wn_span *link = span_behind(links, offset);
    while (link && link != known && !find_target(w, link)) {
        links->next++;
        link = span_behind(links, offset);
    }
    return link;
}

/* ---- The whole --------------------------------------------------------------------------- */

/*
 * The text is written part by part; a part ends where a link, code or emphasis starts or ends.
 * Code cannot hold links in Markdown, so links are the outer ones.
 */
void wn_write_markdown_inline(wn_markdown *w, const wn_block *block, wn_markdown_place place)
{
    const char *text = w->page->text.ptr;
    static const wn_span none;
    const wn_span *spans = block->span_count ? w->page->spans.items + block->first_span : &none;
    span_list links = {spans, spans + (w->options->links ? block->span_count : 0), WN_SPAN_LINK};
    span_list codes = {spans, spans + block->span_count, WN_SPAN_CODE};
    span_list images = {spans, spans + (w->options->images ? block->span_count : 0), WN_SPAN_IMAGE};
    const wn_span *image;
    size_t begin = w->out->len;
    uint32_t at = block->text, end = block->text + block->len, code_end = 0;
    const wn_span *link = NULL;
    emphasis stars = {.next = spans, .end = spans + block->span_count};
    if (place == WN_IN_BOLD || !w->options->formatting)
        stars.end = spans;
    cursor c = {.start = text + at,
                .end = text + end,
                .place = place,
                .emphasised = w->options->formatting};
    while (at < end) {
        link = link_behind(w, &links, at, link);
        c.in_link = link && link->start <= at;
        if (c.in_link && link->start == at)
            open_link(w);
        for (; (image = next_image(&images)) && image->start <= at; images.next++)
            add_image(w, image, begin, text[at], place);
        if (at >= code_end)
            code_end = end_of_code(&codes, at);
        bool in_code = at < code_end;
        const wn_span *code = in_code ? NULL : span_behind(&codes, at);

        uint32_t stop = in_code ? least(code_end, end) : code ? least(code->start, end) : end;
        if (link)
            stop = least(stop, c.in_link ? link->end : link->start);
        if (image && !in_code)
            stop = least(stop, image->start);
        find_emphasis(w, block, &stars, at);
        const wn_span *star = stars.now && stars.now->start <= at ? stars.now : NULL;
        if (stars.now)
            stop = least(stop, star ? star->end : stars.now->start);
        if (star && star->start == at)
            add_stars(w, star);
        c.part = c.at = text + at;
        c.stop = text + stop;
        if (in_code)
            wn_write_markdown_code_span(w, wn_str_between(c.at, c.stop), place);
        else
            add_text(w, &c);
        if (star && stop == star->end)
            add_stars(w, star);
        if (c.in_link && stop == link->end)
            add_target(w, wn_buf_str(&w->url), place);
        at = stop;
    }
    for (; (image = next_image(&images)); images.next++)
        add_image(w, image, begin, ' ', place);
}
