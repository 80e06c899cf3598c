#include "css/token.h"

#include <assert.h>
#include <math.h>

#include "base/utf8.h"

enum {
    MAX_ESCAPE_DIGITS = 6,
    MAX_DIGITS = 40, /* of a number; further ones do not change a float */
    MAX_EXPONENT = 60,
};

static bool is_hex(char c)
{
    return wn_is_ascii_digit(c) || (unsigned char)((c | 0x20) - 'a') < 6;
}

static bool is_name_start(char c)
{
    return wn_is_ascii_alpha(c) || c == '_' || (c & 0x80);
}

static bool starts_escape(const char *p, const char *end)
{
    return end - p >= 2 && p[0] == '\\' && p[1] != '\n';
}

static bool starts_name(const char *p, const char *end)
{
    if (p >= end)
        return false;
    if (*p == '-')
        return p + 1 < end && (is_name_start(p[1]) || p[1] == '-' || starts_escape(p + 1, end));
    return is_name_start(*p) || starts_escape(p, end);
}

static bool starts_number(const char *p, const char *end)
{
    if (p < end && (*p == '+' || *p == '-'))
        p++;
    if (p < end && *p == '.')
        p++;
    return p < end && wn_is_ascii_digit(*p);
}

/* ---- Space ------------------------------------------------------------------------------- */

/* The end of the comment that starts at p. */
static const char *skip_comment(const char *p, const char *end)
{
    for (p += 2; p < end; p++) {
        p = memchr(p, '*', (size_t)(end - p));
        if (!p)
            return end;
        if (p + 1 < end && p[1] == '/')
            return p + 2;
    }
    return end;
}

const char *wn_css_skip_space(const char *p, const char *end)
{
    for (;;) {
        while (p < end && wn_is_space(*p))
            p++;
        if (end - p < 2 || p[0] != '/' || p[1] != '*')
            return p;
        p = skip_comment(p, end);
    }
}

/* ---- Names and strings ------------------------------------------------------------------- */

/* Reads the escape at *p (after the backslash) into out; returns its length. */
static int read_escape(const char **p, const char *end, char out[4])
{
    if (!is_hex(**p)) {
        out[0] = *(*p)++;
        return 1;
    }
    uint32_t code = 0;
    for (int i = 0; i < MAX_ESCAPE_DIGITS && *p < end && is_hex(**p); i++, (*p)++)
        code = code * 16 + (uint32_t)wn_hex_digit(**p);
    if (*p < end && wn_is_space(**p))
        (*p)++;
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        code = WN_REPLACEMENT;
    return wn_utf8_encode(code, out);
}

/* The bytes [start, end) with escapes replaced, in the arena. */
static wn_str without_escapes(wn_arena *arena, const char *start, const char *end)
{
    /* An escape is at least as long as what it stands for, but for "\" and a NUL or the like. */
    size_t room = (size_t)(end - start) * 2 + 4;
    char *copy = wn_arena_bytes(arena, room);
    if (!copy)
        return WN_STR("");
    char *out = copy;
    for (const char *p = start; p < end;) {
        if (*p != '\\') {
            *out++ = *p++;
        } else if (++p < end && *p == '\n') {
            p++;
        } else if (p < end) {
            out += read_escape(&p, end, out);
        }
    }
    wn_arena_resize(arena, copy, room, (size_t)(out - copy));
    return wn_str_between(copy, out);
}

/* Reads a name at reader->p. */
static wn_str read_name(wn_css_reader *reader)
{
    const char *start = reader->p, *p = start;
    bool escaped = false;
    for (; p < reader->end; p++) {
        if (wn_css_is_name_char(*p) || *p == '\0')
            continue;
        if (!starts_escape(p, reader->end))
            break;
        escaped = true;
        p++; /* the escaped character; the digits after it are name characters */
        if (is_hex(*p)) {
            for (int i = 1; i < MAX_ESCAPE_DIGITS && p + 1 < reader->end && is_hex(p[1]); i++)
                p++;
            if (p + 1 < reader->end && wn_is_space(p[1]))
                p++;
        }
    }
    reader->p = p;
    return escaped ? without_escapes(reader->arena, start, p) : wn_str_between(start, p);
}

/* Reads a string whose quotation mark is at reader->p. */
static void read_string(wn_css_reader *reader, wn_css_token *token)
{
    char mark = *reader->p++;
    const char *start = reader->p, *p = start;
    bool escaped = false;
    token->kind = WN_CSS_STRING;
    for (; p < reader->end && *p != mark; p++) {
        if (*p == '\n') {
            token->kind = WN_CSS_BAD;
            break;
        }
        if (*p == '\\') {
            escaped = true;
            if (++p >= reader->end)
                break;
        }
    }
    token->text = escaped ? without_escapes(reader->arena, start, p) : wn_str_between(start, p);
    reader->p = p < reader->end && *p == mark ? p + 1 : p;
}

/* Reads a url without quotation marks, after "url(". */
static void read_url(wn_css_reader *reader, wn_css_token *token)
{
    const char *p = reader->p, *end = reader->end;
    while (p < end && wn_is_space(*p))
        p++;
    const char *start = p;
    bool escaped = false, bad = false;
    for (; p < end && *p != ')'; p++) {
        if (*p == '\\' && p + 1 < end) {
            escaped = true;
            p++;
        } else if (*p == '"' || *p == '\'' || *p == '(') {
            bad = true;
        } else if (wn_is_space(*p)) {
            const char *after = p;
            while (after < end && wn_is_space(*after))
                after++;
            bad |= after < end && *after != ')';
        }
    }
    wn_str text = wn_str_trim(wn_str_between(start, p));
    token->kind = bad ? WN_CSS_BAD : WN_CSS_URL;
    token->text = escaped ? without_escapes(reader->arena, text.ptr, text.ptr + text.len) : text;
    reader->p = p < end ? p + 1 : p;
}

/* A name at reader->p, and what it turns out to be. */
static void read_name_like(wn_css_reader *reader, wn_css_token *token)
{
    token->text = read_name(reader);
    token->kind = WN_CSS_IDENT;
    if (reader->p >= reader->end || *reader->p != '(')
        return;
    reader->p++;
    token->kind = WN_CSS_FUNCTION;
    if (!wn_str_eq_nocase(token->text, WN_STR("url")))
        return;
    const char *p = reader->p;
    while (p < reader->end && wn_is_space(*p))
        p++;
    if (p < reader->end && (*p == '"' || *p == '\''))
        return; /* a function with a string */
    read_url(reader, token);
}

/* ---- Numbers ----------------------------------------------------------------------------- */

static double read_digits(const char **p, const char *end, double number, int *count)
{
    for (; *p < end && wn_is_ascii_digit(**p); (*p)++, (*count)++)
        number = *count < MAX_DIGITS ? number * 10 + (**p - '0') : number * 10;
    return number;
}

static double read_number(wn_css_reader *reader, wn_css_token *token)
{
    const char *p = reader->p, *end = reader->end;
    double sign = *p == '-' ? -1 : 1, scale = 0;
    int digits = 0;
    token->sign = *p == '-' || *p == '+';
    if (token->sign)
        p++;
    double number = read_digits(&p, end, 0, &digits);
    token->integer = true;
    if (end - p >= 2 && *p == '.' && wn_is_ascii_digit(p[1])) {
        token->integer = false;
        p++;
        double factor = 0.1;
        for (; p < end && wn_is_ascii_digit(*p); p++, factor /= 10)
            number += (*p - '0') * factor;
    }
    if (p < end && (*p | 0x20) == 'e' && starts_number(p + 1, end) && p[1] != '.') {
        double exponent_sign = p[1] == '-' ? -1 : 1;
        const char *q = p + 1 + (p[1] == '-' || p[1] == '+');
        if (q < end && wn_is_ascii_digit(*q)) {
            int count = 0;
            scale = exponent_sign * fmin(read_digits(&q, end, 0, &count), MAX_EXPONENT);
            token->integer = false;
            p = q;
        }
    }
    reader->p = p;
    if (scale != 0)
        number *= pow(10, scale);
    return sign * fmin(number, 1e30);
}

static void read_numeric(wn_css_reader *reader, wn_css_token *token)
{
    token->number = (float)read_number(reader, token);
    token->kind = WN_CSS_NUMBER;
    if (starts_name(reader->p, reader->end)) {
        token->kind = WN_CSS_DIMENSION;
        token->text = read_name(reader);
    } else if (reader->p < reader->end && *reader->p == '%') {
        token->kind = WN_CSS_PERCENT;
        reader->p++;
    }
}

/* ---- Tokens ------------------------------------------------------------------------------ */

static void read_delim(wn_css_reader *reader, wn_css_token *token)
{
    token->kind = WN_CSS_DELIM;
    token->delim = *reader->p++;
}

void wn_css_next(wn_css_reader *reader, wn_css_token *token)
{
    const char *before = reader->p, *end = reader->end;
    const char *p = reader->p = wn_css_skip_space(before, end);
    *token = (wn_css_token){.space = p != before, .start = p, .end = p, .text = {"", 0}};
    if (p >= end)
        return;
    if (*p == '"' || *p == '\'') {
        read_string(reader, token);
    } else if (starts_number(p, end)) {
        read_numeric(reader, token);
    } else if (starts_name(p, end)) {
        read_name_like(reader, token);
    } else if (*p == '#' && p + 1 < end &&
               (wn_css_is_name_char(p[1]) || starts_escape(p + 1, end))) {
        reader->p++;
        token->is_id = starts_name(p + 1, end);
        token->text = read_name(reader);
        token->kind = WN_CSS_HASH;
    } else if (*p == '@' && starts_name(p + 1, end)) {
        reader->p++;
        token->text = read_name(reader);
        token->kind = WN_CSS_AT;
    } else {
        read_delim(reader, token);
    }
    token->end = reader->p;
}

bool wn_css_read_all(wn_css_tokens *tokens, wn_arena *arena, wn_str text, uint32_t max)
{
    wn_css_reader reader = {text.ptr, text.ptr + text.len, arena};
    tokens->count = 0;
    for (;;) {
        wn_css_token *token = wn_array_push(tokens);
        if (!token) {
            arena->failed = true;
            return false;
        }
        wn_css_next(&reader, token);
        assert(token->start <= token->end && token->end <= reader.end);
        if (token->kind == WN_CSS_END)
            return true;
        if (tokens->count > max) {
            *token = (wn_css_token){.start = token->start, .end = token->start, .text = {"", 0}};
            return false;
        }
    }
}

/* ---- Scanning ---------------------------------------------------------------------------- */

/* Whether the "(" at p belongs to an unquoted url(. */
static bool opens_url(const char *start, const char *p, const char *end)
{
    if (p - start < 3 || !wn_str_eq_nocase(wn_str_from(p - 3, 3), WN_STR("url")))
        return false;
    if (p - start > 3 && wn_css_is_name_char(p[-4]))
        return false;
    for (p++; p < end && wn_is_space(*p);)
        p++;
    return p < end && *p != '"' && *p != '\'';
}

static const char *skip_string(const char *p, const char *end)
{
    char mark = *p++;
    for (; p < end && *p != mark && *p != '\n'; p++)
        if (*p == '\\')
            p++;
    return p < end ? p : end - 1;
}

static const char *skip_url(const char *p, const char *end)
{
    for (; p < end && *p != ')'; p++)
        if (*p == '\\')
            p++;
    return p < end ? p : end - 1;
}

/* Bytes that mean something to wn_css_scan(). */
static const bool special[256] = {
    ['"'] = 1, ['\''] = 1, ['\\'] = 1, ['/'] = 1, ['('] = 1, [')'] = 1,
    ['['] = 1, [']'] = 1,  ['{'] = 1,  ['}'] = 1, [';'] = 1, [','] = 1,
};

/*
 * Brackets are counted, not matched by kind: a page that closes "(" with "]" gets another
 * reading than in a browser, and nothing worse.
 */
const char *wn_css_scan(const char *p, const char *end, const char *stops)
{
    const char *start = p;
    uint32_t depth = 0;
    for (; p < end; p++) {
        char c = *p;
        if (!special[(unsigned char)c])
            continue;
        if (depth == 0 && strchr(stops, c))
            return p;
        if (c == '"' || c == '\'')
            p = skip_string(p, end);
        else if (c == '\\')
            p++;
        else if (c == '/' && p + 1 < end && p[1] == '*')
            p = skip_comment(p, end) - 1;
        else if (c == '(' && opens_url(start, p, end))
            p = skip_url(p, end);
        else if (c == '(' || c == '[' || c == '{')
            depth++;
        else if ((c == ')' || c == ']' || c == '}') && depth > 0)
            depth--;
    }
    return end;
}
