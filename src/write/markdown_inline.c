/*
 * Text inside a block of Markdown, escaped so that a Markdown reader shows it unchanged. Markup
 * (links, code, formulas, emphasis) is written by markdown_spans.c.
 *
 * A backslash is written only where a character would have a meaning. That is easier than it
 * looks: most markup needs two characters, and it is enough to escape one of them:
 *
 *   - emphasis must be closed, and a closing mark never follows a space: "*note" and "2 * 3" stay,
 *     "note*" becomes "note\*";
 *   - a link needs "](" or a definition, which starts a line: "[1]" stays;
 *   - "#", ">", "-" and "1." count only where a line starts.
 *
 * The rules are those of CommonMark 0.30 and of GitHub's tables and strikethrough. TeX formulas in
 * the text of the page, between "\\(" and "\\)" for example, are not escaped, so that Markdown
 * readers that support formulas find them.
 */
#include "write/markdown_parts.h"

#include "page/links.h"

typedef wn_markdown_cursor cursor;

/* ---- Characters -------------------------------------------------------------------------- */

static bool is_punctuation(char c)
{
    return c > ' ' && c < 0x7F && !wn_is_ascii_alnum(c);
}

/* The character before p in the output, which may be our markup; a space at the start of a line. */
static char char_before(const cursor *c, const char *p)
{
    bool starts_line = p == c->start || p[-1] == '\n';
    if (p == c->part && c->before != '\n')
        return c->before;
    if (starts_line && c->place == WN_IN_CELL)
        return '>'; /* of "<br>" */
    if (p == c->start)
        return c->place == WN_IN_BOLD ? '*' : ' ';
    return p[-1];
}

/* The character at p, a line end after the text. */
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

/* An opening bracket becomes a character reference: "\\[" begins a formula for some readers. */
static void add_escaped(wn_markdown *w, char c)
{
    if (c == '[') {
        wn_buf_add_literal(w->out, "&#91;");
        return;
    }
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

/* Whether "[" could start a definition, "[label]: …", or a task's check box. */
static bool is_definition(const char *p, const char *end)
{
    const char *close = memchr(p, ']', (size_t)(end - p));
    if (!close)
        return true; /* a label may continue on the next line */
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

/* Escapes characters that have a meaning at the start of a line. */
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
    } else if (wn_cost_spend(&w->cost, (uint64_t)(end - c->at)) ? starts_block(c->at, end)
                                                                : is_punctuation(*c->at)) {
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
 * Writes a run of "*", "_" or "~". It is escaped if it could close emphasis: if it comes after
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
        closes = true; /* an opening run could pair with the closing "**" of the term */
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

/* The end of the address that contains p; trailing punctuation belongs to the sentence. */
static const char *end_of_address(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && (unsigned char)*p > ' ' && *p != '<' && *p != '>')
        p++;
    while (p > start && is_punctuation(p[-1]) && p[-1] != '/')
        p--;
    return p;
}

/* The length of "http", "https" or "ftp" before the "://" at c->at; 0: no address begins there. */
static size_t scheme_length(const cursor *c)
{
    static const wn_str schemes[] = {{"https", 5}, {"http", 4}, {"ftp", 3}};
    if (!wn_str_starts(wn_str_between(c->at, c->stop), WN_STR("://")))
        return 0;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const char *start = c->at - schemes[i].len;
        if (c->at - c->part >= (ptrdiff_t)schemes[i].len &&
            memcmp(start, schemes[i].ptr, schemes[i].len) == 0 &&
            (start == c->part || !wn_is_ascii_alnum(start[-1])))
            return schemes[i].len;
    }
    return 0;
}

/*
 * Whether the address from c->at to c->address_end contains a character that must be escaped and
 * none that is forbidden in angle brackets. If not, no address before c->plain_until needs them.
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
 * part of them. False if it is not an address or needs no brackets.
 *
 * A word may contain many addresses, all of which end where it does. The result for one of them is
 * kept for the others, so that the word is not scanned again for each.
 */
static bool add_address(wn_markdown *w, cursor *c)
{
    size_t scheme = c->in_link || (c->plain_until && c->at < c->plain_until) ? 0 : scheme_length(c);
    bool after_backslash = c->at - scheme > c->part && c->at[-1 - (ptrdiff_t)scheme] == '\\';
    if (scheme == 0 || after_backslash)
        return false;
    if (!c->address_end || c->at >= c->address_end)
        c->address_end = end_of_address(c->at, c->stop);
    bool needs = !wn_cost_is_used_up(&w->cost) && needs_brackets(c);
    wn_cost_use(&w->cost, (uint64_t)(c->plain_until - c->at));
    if (!needs || w->out->failed)
        return false;
    w->out->len -= scheme; /* already in the output */
    wn_buf_add_char(w->out, '<');
    add_range(w, c->at - scheme, c->address_end);
    wn_buf_add_char(w->out, '>');
    c->at = c->address_end;
    return true;
}

/* ---- Formulas of the page's text --------------------------------------------------------- */

/* Where the formula ends that starts with `open` at c->at; NULL if nothing closes it. */
static const char *end_of_formula(const cursor *c, wn_str close)
{
    wn_str rest = wn_str_between(c->at + 2, c->stop);
    size_t found = wn_str_find(rest, close);
    return found < rest.len ? rest.ptr + found + close.len : NULL;
}

/* Whether what is between two dollars looks like TeX. */
static bool looks_like_tex(const char *p, const char *end)
{
    if (end - p <= 1)
        return p < end && wn_is_ascii_alpha(*p);
    for (; p < end; p++)
        if (strchr("\\^_={}", *p))
            return true;
    return false;
}

/*
 * Writes a TeX formula unchanged; false if none starts at c->at. After a kind of formula was found
 * unclosed, it is not searched for again.
 */
static bool add_raw_formula(wn_markdown *w, cursor *c)
{
    static const struct {
        wn_str open, close;
    } marks[] = {{{"\\(", 2}, {"\\)", 2}}, {{"\\[", 2}, {"\\]", 2}}, {{"$$", 2}, {"$$", 2}}};
    for (unsigned i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (c->unclosed >> i & 1 || !wn_str_starts(wn_str_between(c->at, c->stop), marks[i].open))
            continue;
        const char *end = end_of_formula(c, marks[i].close);
        wn_cost_use(&w->cost, (uint64_t)((end ? end : c->stop) - c->at));
        bool is_dollars = marks[i].open.ptr[0] == '$'; /* "$$" may also be a price range */
        if (!end || (is_dollars && !looks_like_tex(c->at + 2, end - 2))) {
            c->unclosed |= 1u << i;
            continue;
        }
        for (; c->at < end; c->at++) {
            if (*c->at == '|' && c->place == WN_IN_CELL)
                wn_buf_add_char(w->out, '\\');
            wn_buf_add_char(w->out, *c->at == '\n' ? ' ' : *c->at);
        }
        return true;
    }
    return false;
}

/*
 * Whether "$$" belongs to a TeX formula of the page with marked-up parts; otherwise it is a price
 * range, as on restaurant pages.
 */
static bool is_of_formula(cursor *c)
{
    enum { LONGEST = 4096 };
    if (c->at == c->formula_end)
        return true;
    wn_str rest = wn_str_between(c->at + 2, c->end - c->at > LONGEST ? c->at + LONGEST : c->end);
    size_t found = wn_str_find(rest, WN_STR("$$"));
    if (found == rest.len || !looks_like_tex(rest.ptr, rest.ptr + found))
        return false;
    c->formula_end = rest.ptr + found;
    return true;
}

/* Writes a run of dollar signs; false if there is only one. */
static bool add_dollars(wn_markdown *w, cursor *c)
{
    const char *end = c->at;
    while (end < c->stop && *end == '$')
        end++;
    if (end - c->at < 2)
        return false;
    bool verbatim = end - c->at == 2 && is_of_formula(c);
    while (c->at < end) {
        if (verbatim)
            wn_buf_add_char(w->out, *c->at++);
        else
            add_escaped(w, *c->at++);
    }
    return true;
}

/*
 * Writes a dollar sign. Together with a later one it could turn the text between them into a
 * formula, "$5 or 6$", so it is escaped unless it belongs to a formula. One behind a backslash
 * belongs to none.
 */
static void add_dollar(wn_markdown *w, cursor *c)
{
    enum { LONGEST = 512 };
    const char *p = c->at + 1, *limit = c->stop - c->at > LONGEST ? c->at + LONGEST : c->stop;
    bool is_literal = c->at > c->part && c->at[-1] == '\\';
    bool opens = p < c->stop && !wn_is_space(*p) && *p != '$';
    while (opens && p < limit && (*p != '$' || p[-1] == '\\') && *p != '\n')
        p++;
    bool closes = opens && p < limit && *p == '$' && !wn_is_space(p[-1]) &&
                  !(p + 1 < c->end && wn_is_ascii_digit(p[1]));
    bool may_close = opens && p == c->stop && c->stop < c->end; /* after our own markup */
    if (is_literal ||
        (may_close && memchr(p, '$', (size_t)(c->end - p > LONGEST ? LONGEST : c->end - p)))) {
        add_escaped(w, *c->at++);
    } else if (!closes) {
        wn_buf_add_char(w->out, *c->at++);
    } else if (looks_like_tex(c->at + 1, p)) {
        add_range(w, c->at, p + 1);
        c->at = p + 1;
    } else {
        add_escaped(w, *c->at++);
    }
}

/* ---- Escapes ----------------------------------------------------------------------------- */

static bool needs_escape(const cursor *c)
{
    char next = char_at(c, c->at + 1);
    switch (*c->at) {
    case '\\':
        return c->at + 1 == c->stop || is_punctuation(next) || next == '\n';
    case '`':
        return true;
    case '[':
        return c->in_link && !c->is_balanced;
    case ']':
        return (c->in_link && !c->is_balanced) ||
               (next == '(' &&
                !(c->in_link && c->at + 1 == c->stop)); /* "](" of the link follows */
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

/* The next character that may need escaping; most text is copied up to it. */
static const char *find_special(const char *p, const char *end)
{
    static const bool special[256] = {
        ['\\'] = true, ['`'] = true, ['['] = true, [']'] = true, ['<'] = true,
        ['&'] = true,  ['|'] = true, ['*'] = true, ['_'] = true, ['~'] = true,
        ['\n'] = true, [':'] = true, ['$'] = true,
    };
    while (p < end && !special[(unsigned char)*p])
        p++;
    return p;
}

/* Writes one character that may have a meaning, and whatever it begins. */
static void add_special(wn_markdown *w, cursor *c)
{
    char special = *c->at;
    if (special == '\n')
        add_line_break(w, c);
    else if (special == '*' || special == '_' || special == '~')
        add_emphasis_run(w, c);
    else if ((special == '\\' || special == '$') && add_raw_formula(w, c))
        return;
    else if (special == '$' && add_dollars(w, c))
        return;
    else if (special == '$')
        add_dollar(w, c);
    else if (special == ':' && add_address(w, c))
        return;
    else if (needs_escape(c))
        add_escaped(w, *c->at++);
    else
        wn_buf_add_char(w->out, *c->at++);
}

void wn_write_markdown_text(wn_markdown *w, wn_markdown_cursor *c)
{
    bool lines = c->place == WN_IN_LINES || c->place == WN_IN_BOLD;
    c->unclosed = 0;
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
        add_special(w, c);
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

/* Puts a space between the fence and a backtick, and where Markdown would strip one. */
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
            wn_buf_add_char(w->out, '\\'); /* Markdown splits cells before it looks for code */
        wn_buf_add_char(w->out, text.ptr[i] == '\n' ? ' ' : text.ptr[i]);
    }
    wn_buf_add_repeated(w->out, ' ', padded);
    wn_buf_add_repeated(w->out, '`', fence);
}
