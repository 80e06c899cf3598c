/*
 * A text is cut into tokens: numbers, words and marks. Words are looked up at once: a month,
 * a joint ("of", "de") or something else. Then each token in turn is taken for the start of
 * a date, and the forms are tried one after the other; a form is a few tokens in a row. The
 * first that names a day of the calendar is the date.
 */
#include "meta/date.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "text/unicode.h"

enum {
    LONGEST_TEXT = 400, /* bytes that are read */
    MOST_TOKENS = 96,
    LONGEST_WORD = 48, /* bytes; the longest month has fewer */
    LOOKAHEAD = 8,     /* tokens after the last that a form may ask for */
    MOST_JOINTS = 4,   /* between two parts of a date: "3rd of the" */
    FIRST_YEAR = 1800,
    LAST_YEAR = 2150,
    BUDDHIST_ERA = 543, /* its year 2567 is 2024 */
    SECONDS_A_DAY = 86400,
};

typedef enum token_kind {
    END,
    NUMBER,
    MONTH, /* a name, or 月 and 월 after a number */
    JOINT, /* a word between the parts */
    WORD,  /* any other */
    MARK,  /* one character that is neither letter nor digit; spaces are none */
} token_kind;

typedef struct token {
    token_kind kind;
    uint64_t value; /* of a number; of a month 1 to 12; of a mark the character */
    int digits;     /* of a number */
    char letter;    /* the only letter of a word of one, small; else 0 */
    char half;      /* 'a' or 'p' of the words "am" and "pm"; else 0 */
    bool spaced;    /* white space comes before it */
} token;

typedef struct reader {
    token tokens[MOST_TOKENS + LOOKAHEAD]; /* after the last one all are END */
    int count;
    bool day_first;
} reader;

/* ---- Tokens ------------------------------------------------------------------------------ */

/* The value of a digit of any script; -1 for other characters. */
static int digit_value(uint32_t c)
{
    static const uint32_t zeros[] = {'0', 0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10};
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        if (c - zeros[i] < 10)
            return (int)(c - zeros[i]);
    return -1;
}

static bool is_letter(uint32_t c)
{
    wn_char_class class = wn_text_class_of(c);
    return class == WN_CLASS_LETTER || class == WN_CLASS_MARK || class >= WN_CLASS_THAI;
}

static uint32_t peek(const char *p, const char *end)
{
    return p < end ? wn_utf8_next(&p) : 0;
}

static void read_number(token *t, const char **p, const char *end)
{
    t->kind = NUMBER;
    for (int value; *p < end && (value = digit_value(peek(*p, end))) >= 0; t->digits++) {
        wn_utf8_next(p);
        if (t->digits < 18)
            t->value = t->value * 10 + (uint64_t)value;
    }
}

static int compare_words(const void *key, const void *item)
{
    return wn_str_compare(*(const wn_str *)key, ((const wn_date_word *)item)->word);
}

static void look_up(token *t, wn_str word)
{
    const wn_date_word *found = bsearch(&word, wn_date_words, wn_date_word_count,
                                        sizeof *wn_date_words, compare_words);
    t->kind = !found ? WORD : found->month ? MONTH : JOINT;
    t->value = found ? (uint64_t)found->month : 0;
    t->letter = word.len == 1 ? *word.ptr : 0;
    bool is_half = wn_str_eq(word, WN_STR("am")) || wn_str_eq(word, WN_STR("pm"));
    t->half = is_half ? *word.ptr : 0;
}

/* "ม.ค." is one word: in Thai a full stop between letters belongs to it. */
static bool goes_on(const char *p, const char *end, bool thai)
{
    uint32_t c = peek(p, end);
    if (c == '.' && thai && p + 1 < end)
        return wn_text_class_of(peek(p + 1, end)) == WN_CLASS_THAI;
    return c && is_letter(c) && wn_text_class_of(c) != WN_CLASS_HAN;
}

static void read_word(token *t, const char **p, const char *end)
{
    char word[LONGEST_WORD];
    size_t len = 0;
    bool thai = wn_text_class_of(peek(*p, end)) == WN_CLASS_THAI;
    do {
        uint32_t c = wn_text_lower(wn_utf8_next(p));
        if (len + 4 <= sizeof word)
            len += (size_t)wn_utf8_encode(c, word + len);
    } while (goes_on(*p, end, thai));
    look_up(t, wn_str_from(word, len));
}

/* 年, 月, 日 and their Korean equivalents come after numbers; they are marks like "/". */
static bool is_date_sign(uint32_t c)
{
    return c == 0x5E74 || c == 0x6708 || c == 0x65E5 || c == 0xB144 || c == 0xC6D4 || c == 0xC77C;
}

/* Vietnamese counts its months: "tháng 5". */
static bool starts_vietnamese_month(const char **p, const char *end)
{
    static const char *const words[] = {"th\xC3\xA1ng", "Th\xC3\xA1ng", "TH\xC3\x81NG"};
    enum { LENGTH = 6 };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (end - *p < LENGTH || memcmp(*p, words[i], LENGTH) != 0)
            continue;
        const char *number = *p + LENGTH;
        while (number < end && (wn_is_space(*number) || (unsigned char)*number == 0xC2 ||
                                (unsigned char)*number == 0xA0))
            number++;
        if (number < end && wn_is_ascii_digit(*number)) {
            *p = number;
            return true;
        }
    }
    return false;
}

static void read_token(token *t, const char **p, const char *end)
{
    uint32_t c = peek(*p, end);
    if (digit_value(c) >= 0) {
        read_number(t, p, end);
    } else if (starts_vietnamese_month(p, end)) {
        read_number(t, p, end);
        t->kind = t->value >= 1 && t->value <= 12 ? MONTH : NUMBER;
    } else if (is_letter(c) && !is_date_sign(c) && wn_text_class_of(c) != WN_CLASS_HAN) {
        read_word(t, p, end);
    } else {
        t->kind = MARK;
        t->value = wn_utf8_next(p);
    }
}

static bool is_white(uint32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0x202F || c == 0x3000 ||
           (c >= 0x2000 && c <= 0x200F);
}

static void read_tokens(reader *r, wn_str text)
{
    if (text.len == 0)
        return;
    const char *p = text.ptr, *end = text.ptr + text.len;
    bool spaced = false;
    while (p < end && r->count < MOST_TOKENS) {
        if (is_white(peek(p, end))) {
            wn_utf8_next(&p);
            spaced = true;
            continue;
        }
        token *t = &r->tokens[r->count++];
        *t = (token){.spaced = spaced};
        read_token(t, &p, end);
        spaced = false;
    }
}

/* ---- The calendar ------------------------------------------------------------------------ */

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

/* The year a number means, 0 if none: of four digits, or of two if `short_too`. */
static int year_of(const token *t, bool short_too)
{
    if (t->kind != NUMBER)
        return 0;
    int year = t->value < 10000 ? (int)t->value : 0;
    if (t->digits == 2 && short_too)
        return year < 70 ? 2000 + year : 1900 + year;
    if (t->digits == 4 && year >= FIRST_YEAR + BUDDHIST_ERA && year <= LAST_YEAR + BUDDHIST_ERA &&
        year > LAST_YEAR)
        year -= BUDDHIST_ERA;
    return t->digits == 4 && year >= FIRST_YEAR && year <= LAST_YEAR ? year : 0;
}

static bool set_date(wn_date *date, int year, uint64_t month, uint64_t day)
{
    if (!year || month < 1 || month > 12 || day < 1 || day > (uint64_t)days_of(year, (int)month))
        return false;
    *date = (wn_date){.year = year, .month = (int)month, .day = (int)day};
    return true;
}

/* ---- Times ------------------------------------------------------------------------------- */

static bool is_mark(const token *t, uint32_t c)
{
    return t->kind == MARK && t->value == c;
}

static bool is_number(const token *t, int most_digits, uint64_t most)
{
    return t->kind == NUMBER && t->digits <= most_digits && t->value <= most;
}

/* "Z", "+02:00", "-0500" */
static void read_zone(wn_date *date, const token *t)
{
    if (t->kind == WORD && t->letter == 'z') {
        date->has_zone = true;
        return;
    }
    if (!(is_mark(t, '+') || is_mark(t, '-')) || t[1].kind != NUMBER)
        return;
    uint64_t hours = t[1].value, minutes = 0;
    if (t[1].digits == 4) {
        hours = t[1].value / 100;
        minutes = t[1].value % 100;
    } else if (t[1].digits != 2) {
        return;
    } else if (is_mark(&t[2], ':') && is_number(&t[3], 2, 59)) {
        minutes = t[3].value;
    }
    if (hours > 14 || minutes > 59)
        return;
    date->has_zone = true;
    date->zone = (int)(hours * 60 + minutes) * (is_mark(t, '-') ? -1 : 1);
}

/* "am" or "p.m." after a time; returns what comes after it. */
static const token *read_half(wn_date *date, const token *t)
{
    bool dotted = t->letter && is_mark(&t[1], '.') && t[2].letter == 'm';
    char half = dotted ? t->letter : t->half;
    if (half != 'a' && half != 'p')
        return t;
    if (date->hour <= 12) /* "16:33 pm" is said, too */
        date->hour = date->hour % 12 + (half == 'p' ? 12 : 0);
    return t + (!dotted ? 1 : is_mark(&t[3], '.') ? 4 : 3);
}

/* "T10:11:12.5Z", "4:33 pm" after a date; nothing happens if there is no time. */
static void read_time(wn_date *date, const token *t)
{
    if (t->kind == WORD && t->letter == 't')
        t++;
    if (!is_number(t, 2, 23) || !is_mark(&t[1], ':') || !is_number(&t[2], 2, 59))
        return;
    date->has_time = true;
    date->hour = (int)t->value;
    date->minute = (int)t[2].value;
    t += 3;
    if (is_mark(t, ':') && is_number(&t[1], 2, 59)) {
        date->second = (int)t[1].value;
        t += 2;
        if ((is_mark(t, '.') || is_mark(t, ',')) && t[1].kind == NUMBER)
            t += 2;
    }
    read_zone(date, read_half(date, t));
}

/* ---- Forms ------------------------------------------------------------------------------- */

/* What is between the numbers of a date: one of - / . or a sign, and the same both times. */
static bool is_separator(const token *t)
{
    return t->kind == MARK && (t->value == '-' || t->value == '/' || t->value == '.' ||
                               is_date_sign((uint32_t)t->value));
}

static bool is_same_separator(const token *a, const token *b)
{
    return is_separator(a) && is_separator(b) &&
           (a->value == b->value || is_date_sign((uint32_t)a->value));
}

/* 2024-05-03, 2024/5/3, 2024年5月3日 */
static bool read_year_first(const token *t, wn_date *date)
{
    bool shaped = t->kind == NUMBER && is_same_separator(&t[1], &t[3]) && is_number(&t[2], 2, 12) &&
                  is_number(&t[4], 2, 31);
    if (!shaped || !set_date(date, year_of(t, false), t[2].value, t[4].value))
        return false;
    date->in_words = is_date_sign((uint32_t)t[1].value);
    read_time(date, &t[5]);
    return true;
}

/* 03/05/2024, 3.5.24 */
static bool read_year_last(const reader *r, const token *t, wn_date *date)
{
    bool shaped = is_number(t, 2, 31) && is_same_separator(&t[1], &t[3]) &&
                  is_number(&t[2], 2, 31) && t[4].kind == NUMBER && !t[2].spaced;
    bool has_time = is_mark(&t[5], '-') && t[6].kind == NUMBER && is_mark(&t[7], ':');
    if (!shaped || (is_separator(&t[5]) && !has_time))
        return false; /* a fourth number: an address, a version */
    int year = year_of(&t[4], true);
    bool day_first = r->day_first || is_mark(&t[1], '.');
    uint64_t first = t->value, second = t[2].value;
    return day_first ? set_date(date, year, second, first) || set_date(date, year, first, second)
                     : set_date(date, year, first, second) || set_date(date, year, second, first);
}

/* The next part of a date: joints and the marks of abbreviations are skipped. */
static const token *next_part(const token *t)
{
    for (int passed = 0; passed < MOST_JOINTS; passed++, t++) {
        bool passes = t->kind == JOINT || is_mark(t, '.') || is_mark(t, ',') || is_mark(t, '-') ||
                      is_mark(t, '/') || is_mark(t, '\'') || is_mark(t, 0x2019) ||
                      is_mark(t, 0xBA) || is_mark(t, 0xB0);
        if (!passes)
            break;
    }
    return t;
}

/* "3 May 2024", "3rd of May, 2024", "3 พ.ค. 67" */
static bool read_day_first(const token *t, wn_date *date)
{
    if (!is_number(t, 2, 31))
        return false;
    const token *month = next_part(t + 1);
    if (month->kind != MONTH)
        return false;
    const token *year = next_part(month + 1);
    bool joined = is_mark(year - 1, '-') || is_mark(year - 1, '/') || is_mark(year - 1, '\'') ||
                  is_mark(year - 1, 0x2019);
    if (!set_date(date, year_of(year, joined), month->value, t->value))
        return false;
    date->in_words = true;
    read_time(date, year + 1);
    return true;
}

/* "May 3, 2024", "May 2024" */
static bool read_month_first(const token *t, wn_date *date)
{
    if (t->kind != MONTH)
        return false;
    const token *day = next_part(t + 1);
    const token *year = next_part(day + 1);
    if (is_number(day, 2, 31) && set_date(date, year_of(year, false), t->value, day->value)) {
        date->in_words = true;
        read_time(date, year + 1);
        return true;
    }
    int only_year = year_of(day, false);
    if (!only_year)
        return false;
    *date = (wn_date){.year = only_year, .month = (int)t->value};
    return true;
}

/* "2024 May 3" */
static bool read_year_month(const token *t, wn_date *date)
{
    int year = year_of(t, false);
    const token *month = next_part(t + 1);
    const token *day = next_part(month + 1);
    if (!year || month->kind != MONTH || !is_number(day, 2, 31) ||
        !set_date(date, year, month->value, day->value))
        return false;
    date->in_words = true;
    return true;
}

/* ---- Numbers of programs ----------------------------------------------------------------- */

/* Days since 1970 as a date; the calendar of 400 years begins on the first of March. */
static void set_days(wn_date *date, int64_t days)
{
    days += 719468; /* from 0000-03-01 to 1970-01-01 */
    int64_t era = days / 146097, day_of_era = days % 146097;
    int64_t year = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) /
                   365;
    int64_t day = day_of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * day + 2) / 153;
    date->day = (int)(day - (153 * month + 2) / 5 + 1);
    date->month = (int)(month < 10 ? month + 3 : month - 9);
    date->year = (int)(year + era * 400 + (date->month <= 2));
}

/* A text that is one number: 20240503, 20240503101112, seconds or milliseconds since 1970. */
static bool read_lone_number(const reader *r, wn_date *date)
{
    enum {
        FIRST_OF_TELEPHONES = 2000000000
    }; /* in 2033; ten digits from here on are other things */
    const token *t = r->tokens;
    if (r->count != 1 || t->kind != NUMBER)
        return false;
    uint64_t value = t->digits == 14 ? t->value / 1000000 : t->value;
    if (t->digits == 8 || t->digits == 14)
        return value / 10000 >= FIRST_YEAR && value / 10000 <= LAST_YEAR &&
               set_date(date, (int)(value / 10000), value / 100 % 100, value % 100);
    if (t->digits != 10 && t->digits != 13)
        return false;
    value = t->digits == 13 ? t->value / 1000 : t->value;
    if (value >= FIRST_OF_TELEPHONES)
        return false;
    *date = (wn_date){.has_time = true, .has_zone = true};
    set_days(date, (int64_t)(value / SECONDS_A_DAY));
    date->hour = (int)(value % SECONDS_A_DAY / 3600);
    date->minute = (int)(value % 3600 / 60);
    date->second = (int)(value % 60);
    return true;
}

/* ---- The interface ----------------------------------------------------------------------- */

/* Where English is written with the day first, or most of the world. */
static bool puts_day_first(wn_str language)
{
    static const char *const regions[] = {"gb", "au", "nz", "ie", "in", "za", "uk", "sg", "my"};
    if (language.len == 0)
        return false;
    if (!wn_str_starts_nocase(language, WN_STR("en")))
        return true;
    for (size_t i = 0; language.len >= 5 && i < sizeof regions / sizeof *regions; i++)
        if (wn_str_eq_nocase(wn_str_from(language.ptr + 3, 2), wn_str_of(regions[i])))
            return true;
    return false;
}

/* No date is without one, and most texts are: digits of other scripts are not ASCII. */
static bool may_have_number(wn_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (wn_is_ascii_digit(text.ptr[i]) || (unsigned char)text.ptr[i] >= 0x80)
            return true;
    return false;
}

bool wn_meta_date_find(wn_str text, wn_str language, wn_date *date)
{
    text = wn_utf8_prefix(text, LONGEST_TEXT);
    if (!may_have_number(text))
        return false;
    reader r = {.day_first = puts_day_first(language)};
    read_tokens(&r, text);
    if (read_lone_number(&r, date))
        return true;
    for (const token *t = r.tokens; t->kind != END; t++) {
        if (t->kind != NUMBER && t->kind != MONTH)
            continue;
        if (read_year_first(t, date) || read_year_last(&r, t, date) || read_day_first(t, date) ||
            read_month_first(t, date) || read_year_month(t, date))
            return true;
    }
    return false;
}

void wn_meta_date_write(const wn_date *date, char out[WN_DATE_SIZE])
{
    int len = snprintf(out, WN_DATE_SIZE, "%04d", date->year);
    if (date->month)
        len += snprintf(out + len, WN_DATE_SIZE - (size_t)len, "-%02d", date->month);
    if (date->day)
        len += snprintf(out + len, WN_DATE_SIZE - (size_t)len, "-%02d", date->day);
    if (date->has_time)
        len += snprintf(out + len, WN_DATE_SIZE - (size_t)len, "T%02d:%02d:%02d", date->hour,
                        date->minute, date->second);
    int zone = abs(date->zone);
    if (date->has_time && date->has_zone && zone == 0)
        snprintf(out + len, WN_DATE_SIZE - (size_t)len, "Z");
    else if (date->has_time && date->has_zone)
        snprintf(out + len, WN_DATE_SIZE - (size_t)len, "%c%02d:%02d", date->zone < 0 ? '-' : '+',
                 zone / 60, zone % 60);
}
