/*
 * The words of a piece of Markdown: backslashes, code spans, links, emphasis, tags, references and
 * formulas are read, each by a function that says how many bytes it took; 0: it is not one.
 */
#include "base/utf8.h"
#include "eval/structure.h"
#include "html/entities.h"

enum { LONGEST_ADDRESS = 4096, LONGEST_FORMULA = 1 << 14 };

typedef struct reader {
    wn_structure *s;
    wn_buf *out;
    wn_str text;
    size_t at;
    size_t open_until[3]; /* by kind of formula: none that starts before it is closed */
} reader;

/* Kinds of formulas that are looked for to their end. */
enum { DOLLAR, DOLLARS, BACKSLASH };

static char char_at(const reader *r, size_t at)
{
    return at < r->text.len ? r->text.ptr[at] : '\0';
}

static bool is_punctuation(char c)
{
    return c > ' ' && c < 0x7F && !wn_is_ascii_alnum(c);
}

static size_t run_length(const reader *r, size_t at, char c)
{
    size_t end = at;
    while (char_at(r, end) == c && end < r->text.len)
        end++;
    return end - at;
}

/* ---- Formulas ---------------------------------------------------------------------------- */

static size_t add_formula(reader *r, size_t open, size_t close, size_t size)
{
    wn_str tex = wn_str_from(r->text.ptr + open, close - open);
    for (size_t i = 0; i < tex.len; i++)
        if (!wn_is_space(tex.ptr[i]))
            wn_buf_add_char(&r->s->formulas, tex.ptr[i]);
    wn_buf_add_char(&r->s->formulas, '\n');
    wn_buf_add(r->out, tex);
    return size;
}

/* Where `mark` is from `at` on, not far away; the end of the text if it is not. */
static size_t find_mark(reader *r, size_t at, const char *mark, int kind)
{
    size_t len = strlen(mark);
    size_t most = r->text.len - at < LONGEST_FORMULA ? r->text.len : at + LONGEST_FORMULA;
    if (at < r->open_until[kind])
        return r->text.len;
    for (size_t i = at; i + len <= most; i++)
        if (memcmp(r->text.ptr + i, mark, len) == 0)
            return i;
    r->open_until[kind] = most;
    return r->text.len;
}

static size_t read_dollars(reader *r)
{
    bool display = char_at(r, r->at + 1) == '$';
    size_t open = r->at + (display ? 2 : 1);
    char before = r->at > 0 ? r->text.ptr[r->at - 1] : ' ';
    if (!display && (wn_is_ascii_alnum(before) || wn_is_space(char_at(r, open))))
        return 0;
    size_t close = find_mark(r, open, display ? "$$" : "$", display ? DOLLARS : DOLLAR);
    bool sound = close < r->text.len && close > open &&
                 (display || (!wn_is_space(r->text.ptr[close - 1]) &&
                              !wn_is_ascii_digit(char_at(r, close + 1))));
    return sound ? add_formula(r, open, close, close - r->at + (display ? 2 : 1)) : 0;
}

/*
 * A formula between \( and \), or \[ and \] at the start of a line; else a sign after a backslash.
 */
static size_t read_backslash(reader *r)
{
    char next = char_at(r, r->at + 1);
    bool starts_line = r->at == 0 || r->text.ptr[r->at - 1] == '\n';
    if (next == '(' || (next == '[' && starts_line)) {
        size_t close = find_mark(r, r->at + 2, next == '(' ? "\\)" : "\\]", BACKSLASH);
        if (close < r->text.len)
            return add_formula(r, r->at + 2, close, close + 2 - r->at);
    }
    if (next == '\n' || !is_punctuation(next))
        return next == '\n';
    wn_buf_add_char(r->out, next);
    return 2;
}

/* ---- Code, links, tags ------------------------------------------------------------------- */

static size_t read_code(reader *r)
{
    size_t ticks = run_length(r, r->at, '`');
    for (size_t i = r->at + ticks; i < r->text.len; i++) {
        size_t found = char_at(r, i) == '`' ? run_length(r, i, '`') : 0;
        if (found == ticks) {
            wn_buf_add(r->out,
                       wn_str_trim(wn_str_between(r->text.ptr + r->at + ticks, r->text.ptr + i)));
            return i + ticks - r->at;
        }
        i += found;
    }
    wn_buf_add(r->out, wn_str_from(r->text.ptr + r->at, ticks));
    return ticks;
}

/* The bytes of "(address "title")" or "[label]" after the text of a link; 0: there is none. */
static size_t target_length(const reader *r, size_t at)
{
    char open = char_at(r, at), close = open == '(' ? ')' : ']';
    bool in_angles = char_at(r, at + 1) == '<';
    size_t most = at + LONGEST_ADDRESS;
    int depth = 0;
    if (open != '(' && open != '[')
        return 0;
    for (size_t i = at; i < r->text.len && i < most; i++) {
        char c = r->text.ptr[i];
        if (c == '\\')
            i++;
        else if (in_angles && c == '>')
            in_angles = false;
        else if (!in_angles && c == open)
            depth++;
        else if (!in_angles && c == close && --depth == 0)
            return i + 1 - at;
    }
    return 0;
}

/* "]": the end of the text of a link, if an address follows; the text was written already. */
static size_t read_bracket_end(reader *r)
{
    size_t target = target_length(r, r->at + 1);
    return target ? 1 + target : 0;
}

/* The place of the bracket that closes the one at `open`; the end of the text if there is none. */
static size_t closing_bracket(const reader *r, size_t open)
{
    int depth = 0;
    for (size_t i = open; i < r->text.len && i < open + LONGEST_ADDRESS; i++) {
        char c = r->text.ptr[i];
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        i += c == '\\';
        if (depth == 0)
            return i;
    }
    return r->text.len;
}

/* "![alt](address)" goes, of "[text](address)" the bracket; "[^1]" is the mark of a note. */
static size_t read_bracket(reader *r)
{
    bool is_image = char_at(r, r->at) == '!';
    size_t open = r->at + is_image;
    if (char_at(r, open) != '[')
        return 0;
    if (!is_image && char_at(r, open + 1) == '^')
        return wn_buf_add_char(r->out, '['), 2;
    size_t end = closing_bracket(r, open);
    size_t target = end < r->text.len ? target_length(r, end + 1) : 0;
    if (target == 0)
        return 0;
    return is_image ? end + 1 + target - r->at : 1;
}

/* "<br>" is a line end, other tags go, "<https://…>" is its address. */
static size_t read_tag(reader *r)
{
    char next = char_at(r, r->at + 1);
    size_t end = r->at + 1, most = r->at + LONGEST_ADDRESS;
    if (!wn_is_ascii_alpha(next) && next != '/' && next != '!')
        return 0;
    while (end < r->text.len && end < most && r->text.ptr[end] != '>')
        end++;
    if (char_at(r, end) != '>')
        return 0;
    wn_str inside = wn_str_between(r->text.ptr + r->at + 1, r->text.ptr + end);
    if (memchr(inside.ptr, ':', inside.len) && !memchr(inside.ptr, ' ', inside.len))
        wn_buf_add(r->out, inside);
    else if (wn_str_starts_nocase(inside, WN_STR("br")))
        wn_buf_add_char(r->out, '\n');
    return end + 1 - r->at;
}

static size_t read_reference(reader *r)
{
    char text[WN_ENTITY_MAX_NAME * 2];
    wn_str rest = wn_str_from_offset(r->text, r->at);
    const char *end = memchr(rest.ptr, ';',
                             rest.len < WN_ENTITY_MAX_NAME ? rest.len : WN_ENTITY_MAX_NAME);
    if (!end)
        return 0;
    wn_str reference = wn_str_between(rest.ptr, end + 1);
    size_t len = wn_html_references_replace(reference, false, false, text, NULL);
    wn_buf_add(r->out, wn_str_from(text, len));
    return reference.len;
}

/* Stars and tildes go where they touch a word; underscores where a word ends there, too. */
static size_t read_emphasis(reader *r, char c)
{
    size_t count = run_length(r, r->at, c);
    char before = r->at > 0 ? r->text.ptr[r->at - 1] : ' ', after = char_at(r, r->at + count);
    bool opens = after != '\0' && !wn_is_space(after), closes = !wn_is_space(before);
    bool inside = (wn_is_ascii_alnum(before) || (before & 0x80)) &&
                  (wn_is_ascii_alnum(after) || (after & 0x80));
    bool is_mark = (opens || closes) && (c == '~' ? count == 2 : count <= 3) &&
                   !(c == '_' && inside);
    if (!is_mark)
        wn_buf_add(r->out, wn_str_from(r->text.ptr + r->at, count));
    return count;
}

/* ---- All of it --------------------------------------------------------------------------- */

static size_t read_mark(reader *r)
{
    char c = r->text.ptr[r->at];
    switch (c) {
    case '\\':
        return read_backslash(r);
    case '`':
        return read_code(r);
    case '$':
        return read_dollars(r);
    case '!':
    case '[':
        return read_bracket(r);
    case ']':
        return read_bracket_end(r);
    case '<':
        return read_tag(r);
    case '&':
        return read_reference(r);
    case '*':
    case '_':
    case '~':
        return read_emphasis(r, c);
    default:
        return 0;
    }
}

void wn_eval_structure_inline(wn_structure *s, wn_buf *out, wn_str text)
{
    reader r = {.s = s, .out = out, .text = text};
    while (r.at < text.len) {
        size_t used = read_mark(&r);
        if (used == 0)
            wn_buf_add_char(out, text.ptr[r.at]);
        r.at += used ? used : 1;
    }
}
