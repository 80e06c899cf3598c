/*
 * Segments. ASCII is decided by a few characters; see breaks_between() for all others.
 */
#include "layout/segment.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"
#include "text/unicode.h"

enum {
    SOFT_HYPHEN = 0xAD,
    NO_BREAK_SPACE = 0xA0,
    ZERO_WIDTH_SPACE = 0x200B,
    EM_DASH = 0x2014,
    ELLIPSIS = 0x2026,
    MAX_PIECE = 2048, /* bytes looked at in one go: a word of a megabyte comes in pieces */
};

static bool is_in(const char *set, uint32_t c)
{
    return c < 0x80 && c && strchr(set, (int)c) != NULL;
}

/* Ideographs, kana, hangul and what is written between them. */
static bool is_wide(uint32_t c)
{
    return (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFFEF) ||
           (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

/* Scripts without spaces whose words only a dictionary knows. */
static bool is_south_east_asian(uint32_t c)
{
    return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) ||
           (c >= 0x1780 && c <= 0x17FF);
}

/* Small kana, marks of length, closing brackets and stops: never first in a line. */
static bool is_never_first(uint32_t c)
{
    if (c < 0x80)
        return is_in(")]}!,.:;?/'\"", c);
    if (c < 0x3000)
        return c == 0xBB || (c >= 0x2018 && c <= 0x201F) || c == ELLIPSIS || c == 0x2013;
    return c == 0x3001 || c == 0x3002 || c == 0x3005 || (c >= 0x3008 && c <= 0x3011 && (c & 1)) ||
           c == 0x30FB || c == 0x30FC || c == 0xFF01 || c == 0xFF09 || c == 0xFF0C || c == 0xFF0E ||
           c == 0xFF1A || c == 0xFF1B || c == 0xFF1F;
}

static bool is_opening(uint32_t c)
{
    if (c < 0x80)
        return is_in("([{", c);
    return c == 0xAB || (c >= 0x2018 && c <= 0x201F) || c == 0xFF08 ||
           (c >= 0x3008 && c <= 0x3010 && !(c & 1));
}

static bool is_mark(uint32_t c)
{
    wn_char_class class = wn_text_class_of(c);
    return class == WN_CLASS_MARK || class == WN_CLASS_FORMAT || (c >= 0xFE00 && c <= 0xFE0F);
}

static bool breaks_between(uint32_t a, uint32_t b)
{
    if (a == 0)
        return false;
    if (a == ZERO_WIDTH_SPACE)
        return true;
    if (a == NO_BREAK_SPACE || b == NO_BREAK_SPACE || a == 0x2060 || b == 0x2060)
        return false;
    if (b < 0x80 && a < 0x80) {
        if (a == '-')
            return wn_is_ascii_alpha((char)b) || is_in("\"#%&'(*+-<=>@[\\^_`{|~", b);
        if (a == '?')
            return wn_is_ascii_alnum((char)b) || is_in("#$%&(*+-<=>@[\\^_`{|~", b);
        return is_in("(<[{", b) && is_in("!\"#%&)*+,.:;=>]\\|}~", a);
    }
    if (is_never_first(b) || is_opening(a) || (b >= 0x80 && is_mark(b)))
        return false;
    if (a == EM_DASH || b == EM_DASH)
        return a != b;
    if (is_wide(a) || is_wide(b) || a == ELLIPSIS || a == SOFT_HYPHEN)
        return true;
    if (is_south_east_asian(a) && is_south_east_asian(b))
        return wn_text_class_of(b) != WN_CLASS_MARK && !(a >= 0x0E40 && a <= 0x0E44) &&
               !(b >= 0x0E30 && b <= 0x0E3A) && b != 0x0E45 && b != 0x0E46;
    return (a == '-' || a == '?') && wn_text_class_of(b) == WN_CLASS_LETTER;
}

/* Whether the character can have a break on one of its sides although it is not a space. */
static bool is_special(unsigned char c)
{
    return c >= 0x80 || c == '-' || c == '?' || c == '(' || c == '[' || c == '{' || c == '<';
}

static bool breaks_all(const wn_style *style)
{
    return style->word_break == WN_WORD_BREAK_ALL;
}

static bool may_break(const wn_style *style, uint32_t a, uint32_t b)
{
    if (breaks_between(a, b))
        return !(style->word_break == WN_WORD_BREAK_KEEP_ALL && is_wide(a) && is_wide(b));
    return breaks_all(style) && a && a != NO_BREAK_SPACE && b != NO_BREAK_SPACE &&
           wn_text_class_of(a) != WN_CLASS_NONE && wn_text_class_of(b) != WN_CLASS_NONE &&
           !is_mark(b);
}

static wn_segment word_at(wn_str text, uint32_t start, const wn_style *style, uint32_t previous)
{
    const char *p = text.ptr + start, *end = text.ptr + text.len;
    const char *first_end = p;
    uint32_t first = wn_utf8_next(&first_end);
    wn_segment word = {WN_SEGMENT_WORD, start, 0, may_break(style, previous, first)};
    bool all = breaks_all(style);
    uint32_t a = first;
    p = first_end;
    const char *limit = end - p > MAX_PIECE ? p + MAX_PIECE : end;
    while (p < limit && !wn_is_space(*p)) {
        if (!all && !is_special((unsigned char)*p) && a < 0x80 && a != '-' && a != '?') {
            a = (unsigned char)*p++;
            continue;
        }
        const char *next = p;
        uint32_t b = wn_utf8_next(&next);
        if (may_break(style, a, b))
            break;
        a = b;
        p = next;
    }
    word.end = (uint32_t)(p - text.ptr);
    return word;
}

wn_segment wn_layout_segment_at(wn_str text, uint32_t start, const wn_style *style,
                                uint32_t previous)
{
    assert(start < text.len);
    const char *p = text.ptr + start, *end = text.ptr + text.len;
    if (!wn_is_space(*p))
        return word_at(text, start, style, previous);
    bool keeps_lines = wn_layout_keeps_lines(style), collapses = wn_layout_collapses(style);
    if (keeps_lines && (*p == '\n' || *p == '\r')) {
        uint32_t length = *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
        return (wn_segment){WN_SEGMENT_NEWLINE, start, start + length, false};
    }
    if (!collapses && *p == '\t')
        return (wn_segment){WN_SEGMENT_TAB, start, start + 1, false};
    while (p < end && wn_is_space(*p) && !(keeps_lines && (*p == '\n' || *p == '\r')) &&
           (collapses || *p != '\t'))
        p++;
    return (wn_segment){collapses ? WN_SEGMENT_SPACE : WN_SEGMENT_KEPT, start,
                        (uint32_t)(p - text.ptr), false};
}

uint32_t wn_layout_segment_char_end(wn_str text, uint32_t at)
{
    assert(at < text.len);
    const char *p = text.ptr + at, *end = text.ptr + text.len;
    wn_utf8_next(&p);
    while (p < end && (unsigned char)*p >= 0x80) {
        const char *next = p;
        if (!is_mark(wn_utf8_next(&next)))
            break;
        p = next;
    }
    return (uint32_t)(p - text.ptr);
}
