/*
 * The line is cut into words. Those with digits, with the names of months and the like around them,
 * are the date; what is before it, or else after it, is the name, less the words that join the two.
 */
#include "write/bylines.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "meta/date.h"
#include "meta/names.h"
#include "meta/nearby.h"
#include "text/unicode.h"

enum {
    MOST_WORDS = 14,       /* of a line that nothing names */
    MOST_NAMED_WORDS = 25, /* of one that names of elements call author or date */
    MOST_OTHER_WORDS = 7,  /* beside the date */
    MOST_NAME_WORDS = 6,
    LONGEST_NAME = 60, /* bytes */
};

/* ---- Words ------------------------------------------------------------------------------- */

static bool is_one_of(wn_str word, const wn_str *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wn_str_eq_nocase(word, list[i]))
            return true;
    return false;
}

#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof list / sizeof *list)

/* Between a name and a date, or after the name. */
static const wn_str joints[] = {
    {"on", 2},        {"at", 2},        {"says", 4},    {"said", 4},      {"wrote", 5},
    {"writes", 6},    {"commented", 9}, {"replied", 7}, {"posted", 6},    {"added", 5},
    {"responded", 9}, {"schrieb", 7},   {"sagt", 4},    {"meint", 5},     {"am", 2},
    {"um", 2},        {"dit", 3},       {"le", 2},      {"dice", 4},      {"dijo", 4},
    {"disse", 5},     {"scrive", 6},    {"el", 2},      {"em", 2},        {"pisze", 5},
    {"zegt", 4},      {"schreef", 7},   {"op", 2},      {"by", 2},        {"written", 7},
    {"from", 4},      {"von", 3},       {"par", 3},     {"por", 3},       {"submitted", 9},
    {"comment", 7},   {"guest", 5},     {"(not", 4},    {"not", 3},       {"verified)", 9},
    {"verified", 8},  {"in", 2},        {"reply", 5},   {"permalink", 9},
};

/* What ends a line such as "Jane says:". */
static const wn_str says[] = {
    {"says", 4},  {"said", 4},    {"wrote", 5}, {"writes", 6}, {"commented", 9}, {"replied", 7},
    {"sagt", 4},  {"schrieb", 7}, {"meint", 5}, {"dit", 3},    {"dice", 4},      {"dijo", 4},
    {"disse", 5}, {"scrive", 6},  {"pisze", 5}, {"zegt", 4},   {"schreef", 7},   {"säger", 6},
};

/* Words of dates that are not months. */
static const wn_str of_dates[] = {
    {"am", 2},       {"pm", 2},      {"a.m.", 4},      {"p.m.", 4},     {"at", 2},
    {"@", 1},        {"ago", 3},     {"hours", 5},     {"hour", 4},     {"days", 4},
    {"day", 3},      {"weeks", 5},   {"week", 4},      {"months", 6},   {"month", 5},
    {"years", 5},    {"year", 4},    {"minutes", 7},   {"minute", 6},   {"utc", 3},
    {"gmt", 3},      {"est", 3},     {"edt", 3},       {"pst", 3},      {"pdt", 3},
    {"uhr", 3},      {"um", 2},      {"of", 2},        {"de", 2},       {"à", 2},
    {"monday", 6},   {"tuesday", 7}, {"wednesday", 9}, {"thursday", 8}, {"friday", 6},
    {"saturday", 8}, {"sunday", 6},  {"mon", 3},       {"tue", 3},      {"wed", 3},
    {"thu", 3},      {"fri", 3},     {"sat", 3},       {"sun", 3},      {"|", 1},
    {"-", 1},        {"–", 3},       {",", 1},
};

/* Days of the week that begin a date in other languages; English ones are above. */
static const char weekdays[] =
    " montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi "
    "vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo lunedì martedì "
    "mercoledì giovedì venerdì sabato domenica poniedziałek wtorek środa czwartek piątek sobota "
    "niedziela понедельник вторник среда четверг пятница суббота воскресенье ";

static bool is_edge(char c)
{
    return wn_is_space(c) || c == ',' || c == ':' || c == ';' || c == '|' || c == '(' || c == ')' ||
           c == '-' || c == '@' || c == '"' || c == '~' || c == '*' || c == '#' || c == '/' ||
           c == '[' || c == ']';
}

/* Dashes, bullets and quotation marks, U+2010 to U+203F, and the middle dot. */
static size_t edge_bytes(wn_str s, bool at_end)
{
    const unsigned char *p = (const unsigned char *)s.ptr;
    if (s.len == 0)
        return 0;
    if (is_edge(s.ptr[at_end ? s.len - 1 : 0]))
        return 1;
    size_t three = at_end && s.len >= 3 ? s.len - 3 : 0, two = at_end && s.len >= 2 ? s.len - 2 : 0;
    if (s.len >= 3 && p[three] == 0xE2 && p[three + 1] == 0x80 && p[three + 2] >= 0x90)
        return 3;
    return s.len >= 2 && p[two] == 0xC2 && p[two + 1] == 0xB7 ? 2 : 0;
}

static wn_str trim_edges(wn_str s)
{
    for (size_t n; (n = edge_bytes(s, false)) > 0;)
        s = wn_str_from_offset(s, n);
    for (size_t n; (n = edge_bytes(s, true)) > 0;)
        s.len -= n;
    return s;
}

/* White space, or a bullet between two facts: "Jane•3 days ago". The bytes of it, 0 if neither. */
static size_t gap_bytes(wn_str text, size_t at)
{
    if (wn_is_space(text.ptr[at]))
        return 1;
    static const wn_str bullets[] = {WN_STR("•"), WN_STR("·"), WN_STR("・")};
    for (size_t i = 0; i < sizeof bullets / sizeof *bullets; i++)
        if (wn_str_starts(wn_str_from_offset(text, at), bullets[i]))
            return bullets[i].len;
    return 0;
}

/* The next run of other characters than these; false if there is none. */
static bool next_word(wn_str text, size_t *at, wn_str *word)
{
    size_t i = *at;
    for (size_t gap; i < text.len && (gap = gap_bytes(text, i)) > 0;)
        i += gap;
    size_t start = i;
    while (i < text.len && !gap_bytes(text, i))
        i++;
    *at = i;
    *word = wn_str_from(text.ptr + start, i - start);
    return i > start;
}

static size_t count_words(wn_str text)
{
    size_t count = 0, at = 0;
    for (wn_str word; next_word(text, &at, &word);)
        count++;
    return count;
}

/* ---- The date ---------------------------------------------------------------------------- */

/* Not of an address, which has digits of its own. */
static bool has_digit(wn_str word)
{
    if (wn_str_contains_nocase(word, WN_STR("://")) ||
        wn_str_contains_nocase(word, WN_STR("www.")) ||
        (word.len > 1 && wn_str_find(word, WN_STR("@")) < word.len))
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (wn_is_ascii_digit(word.ptr[i]))
            return true;
    return false;
}

static int compare(const void *key, const void *item)
{
    return wn_str_compare(*(const wn_str *)key, ((const wn_date_word *)item)->word);
}

static bool is_month(wn_str word)
{
    enum { LONGEST = 24 };
    char lower[LONGEST];
    word = trim_edges(word);
    if (word.len > 0 && word.ptr[word.len - 1] == '.')
        word.len--;
    if (word.len == 0 || word.len > LONGEST)
        return false;
    for (size_t i = 0; i < word.len; i++)
        lower[i] = wn_ascii_lower(word.ptr[i]);
    wn_str key = wn_str_from(lower, word.len);
    return bsearch(&key, wn_date_words, wn_date_word_count, sizeof *wn_date_words, compare);
}

static bool is_weekday(wn_str word)
{
    enum { SHORTEST = 5, LONGEST = 24 }; /* bytes */
    char lower[LONGEST + 2];
    size_t len = 0;
    if (word.len < SHORTEST || word.len > LONGEST)
        return false;
    lower[len++] = ' ';
    for (const char *p = word.ptr, *end = p + word.len; p < end && len + 4 <= sizeof lower;)
        len += (size_t)wn_utf8_encode(wn_text_lower(wn_utf8_next(&p)), lower + len);
    if (len >= sizeof lower)
        return false;
    lower[len++] = ' ';
    return wn_str_find(WN_STR(weekdays), wn_str_from(lower, len)) < sizeof weekdays - 1;
}

static bool is_of_date(wn_str word)
{
    wn_str bare = trim_edges(word);
    return has_digit(word) || is_month(word) || IS_ONE_OF(word, of_dates) ||
           IS_ONE_OF(bare, of_dates) || is_weekday(bare);
}

/* The longest part of the text that may be a date: words of dates, one of which has a digit. */
static wn_str find_date(wn_str text)
{
    wn_str best = WN_STR(""), run = WN_STR(""), word;
    bool is_date = false;
    for (size_t at = 0; next_word(text, &at, &word);) {
        if (!is_of_date(word)) {
            run.len = 0;
            is_date = false;
            continue;
        }
        run = run.len ? wn_str_between(run.ptr, word.ptr + word.len) : word;
        is_date |= has_digit(word);
        if (is_date && run.len > best.len)
            best = run;
    }
    return best;
}

/*
 * A date without what is in front of it and not of it, where a script needs no spaces:
 * "举报2024-01-25" is "2024-01-25".
 */
static wn_str skip_lead(wn_str date)
{
    size_t start = 0;
    wn_date found;
    for (size_t i = 0; i < date.len && !wn_is_space(date.ptr[i]); i++)
        start = (unsigned char)date.ptr[i] >= 0x80 ? i + 1 : start;
    wn_str rest = wn_str_from_offset(date, start);
    return rest.len > 0 && wn_is_ascii_digit(*rest.ptr) &&
                   wn_meta_date_find(rest, WN_STR(""), &found)
               ? rest
               : date;
}

/* "3 weeks ago", "10:11 am": no day that could be found, but a time all the same. */
static bool is_time(wn_str date)
{
    return wn_str_contains_nocase(date, WN_STR("ago")) ||
           (wn_str_find(date, WN_STR(":")) < date.len && has_digit(date));
}

/* ---- The name ---------------------------------------------------------------------------- */

/* Takes one word that is not of the name off either end; false if there is none. */
static bool take_joint(wn_str *s)
{
    size_t end = 0, last = s->len;
    while (end < s->len && !wn_is_space(s->ptr[end]))
        end++;
    while (last > 0 && !wn_is_space(s->ptr[last - 1]))
        last--;
    if (IS_ONE_OF(trim_edges(wn_str_from(s->ptr, end)), joints))
        *s = wn_str_from_offset(*s, end);
    else if (IS_ONE_OF(trim_edges(wn_str_from_offset(*s, last)), joints))
        s->len = last;
    else
        return false;
    return s->len > 0;
}

static bool has_letter(wn_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (wn_is_ascii_alpha(s.ptr[i]) || (unsigned char)s.ptr[i] >= 0x80)
            return true;
    return false;
}

/* What is left of a text that holds a name; "" if it is too long for one. */
static wn_str name_in(wn_str text)
{
    do
        text = trim_edges(text);
    while (text.len > 0 && take_joint(&text));
    text = trim_edges(text);
    if (text.len > LONGEST_NAME || count_words(text) > MOST_NAME_WORDS || !has_letter(text))
        return WN_STR("");
    return text;
}

static bool ends_with_says(wn_str text)
{
    text = trim_edges(text);
    size_t last = text.len;
    while (last > 0 && !wn_is_space(text.ptr[last - 1]))
        last--;
    return last > 0 && IS_ONE_OF(trim_edges(wn_str_from_offset(text, last)), says);
}

/* ---- The line ---------------------------------------------------------------------------- */

static bool is_sentence(wn_str text)
{
    char last = text.len ? text.ptr[text.len - 1] : ' ';
    return last == '.' || last == '!' || last == '?';
}

bool wn_write_byline_read(wn_write_byline *byline, const wn_page *page, const wn_block *block,
                          bool is_named)
{
    wn_str text = wn_str_trim(wn_block_text(page, block)), date = find_date(text);
    wn_str before = text, after = WN_STR("");
    wn_date found;
    if (date.len > 0) {
        before = wn_str_between(text.ptr, date.ptr);
        after = wn_str_between(date.ptr + date.len, text.ptr + text.len);
    }
    bool is_dated = date.len > 0 && (is_time(date) || wn_meta_block_date(page, block, &found));
    size_t others = count_words(before) + count_words(after);
    *byline = (wn_write_byline){WN_STR(""), WN_STR("")};
    if (text.len == 0 || block->words > (is_named ? MOST_NAMED_WORDS : MOST_WORDS))
        return false;
    if (is_named ? !is_dated && is_sentence(text) && block->words > MOST_NAME_WORDS
                 : !(is_dated && others <= MOST_OTHER_WORDS && !is_sentence(text)) &&
                       !(ends_with_says(text) && block->words <= MOST_NAME_WORDS + 2))
        return false;
    byline->author = wn_meta_block_author(page, block);
    if (byline->author.len == 0)
        byline->author = name_in(before);
    if (byline->author.len == 0)
        byline->author = name_in(after);
    byline->date = is_dated ? skip_lead(trim_edges(date)) : WN_STR("");
    return true;
}
