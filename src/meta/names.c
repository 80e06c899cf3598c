#include "meta/names.h"

#include "base/utf8.h"
#include "meta/date.h"
#include "text/unicode.h"

enum {
    LONGEST_NAME = 100, /* bytes; credentials may follow a name */
    MOST_WORDS = 12,
};

/* ---- The words around a name ------------------------------------------------------------- */

/* What a byline begins with; a longer form comes before a shorter one that begins it. */
static const char *const openings[] = {
    "this post was written by",
    "this article was written by",
    "article written by",
    "article by",
    "articles by",
    "all articles by",
    "posts by",
    "all posts by",
    "blog post by",
    "written and reviewed by",
    "written by",
    "posted by",
    "published by",
    "created by",
    "contributed by",
    "authored by",
    "reviewed by",
    "story by",
    "post by",
    "words by",
    "text by",
    "started by",
    "asked by",
    "thread starter",
    "submitted by",
    "reported by",
    "updated by",
    "edited by",
    "by:",
    "by",
    "author(s)",
    "authors:",
    "author:",
    "authors",
    "author",
    "writer:",
    "name:",
    "posted on by",
    /* German, Dutch, Scandinavian */
    "geschrieben von",
    "ein beitrag von",
    "ein artikel von",
    "veröffentlicht von",
    "von",
    "autor:",
    "autorin:",
    "autor",
    "autorin",
    "geschreven door",
    "door",
    "skrevet av",
    "skrevet af",
    "skriven av",
    "av",
    "af",
    "publicerad av",
    /* Romance languages */
    "écrit par",
    "publié par",
    "rédigé par",
    "par",
    "auteur :",
    "auteur:",
    "auteur",
    "escrito por",
    "publicado por",
    "redactado por",
    "por",
    "texto de",
    "scritto da",
    "pubblicato da",
    "a cura di",
    "autore:",
    "autore",
    /* Slavic languages and others */
    "автор:",
    "автор",
    "autor článku:",
    "autorka:",
    "napisał",
    "napisała",
    "opublikował",
    "yazan:",
    "yazar:",
    "ditulis oleh",
    "oleh:",
    "oleh",
    "penulis:",
    "tác giả:",
    "tác giả",
    "bởi",
    "โดย",
    "ผู้เขียน:",
    "ผู้เขียน",
    "作者：",
    "作者:",
    "作者",
    "撰文",
    "文/",
    "文／",
    "文：",
    "記者",
    "记者",
    "本報記者",
    "本报记者",
    "著者：",
    "著者:",
    "著者",
    "執筆者：",
    "執筆：",
    "글쓴이",
    "글 ",
    "بقلم:",
    "بقلم",
    "كتب:",
    "كتبه",
    "المؤلف:",
    "مؤلف",
    "लेखक:",
    "लेखक",
    "द्वारा",
};

/* What comes after a name and ends it. */
static const char *const endings[] = {
    " | ",
    " » ",
    " — ",
    " – ",
    " - ",
    " · ",
    " • ",
    " / ",
    " // ",
    " updated",
    " published",
    " posted",
    " on ",
    " last ",
    " in ",
    " at ",
    " reviewed by",
    " medically",
    " edited by",
    " fact checked",
    " staff writer",
    ", staff",
    " says",
    " wrote",
    " min read",
    " for ",
    " from ",
    " with ",
    " view all",
    " read more",
    " follow",
    " all posts",
    " see all",
    " more by",
    " joined ",
    " about ",
    " uploaded",
    " am ",
    " veröffentlicht",
    " aktualisiert",
    " le ",
    " publié",
    " el ",
    " publicado",
    " em ",
    " il ",
    " op ",
    " den ",
    "(",
    " @",
    "|",
    "•",
    "·",
    "\n",
};

/* Names that are none. */
static const char *const no_names[] = {
    "admin",
    "administrator",
    "guest",
    "anonymous",
    "author",
    "authors",
    "by",
    "written",
    "posted",
    "share",
    "follow",
    "website",
    "home",
    "editor",
    "null",
    "undefined",
    "none",
    "unknown",
    "user",
    "contributor",
    "contributors",
    "comments",
    "comment",
    "reply",
    "facebook",
    "twitter",
    "n/a",
    "published",
    "updated",
    "read more",
    "about the author",
    "about",
    "view profile",
    "profile",
    "op",
    "on",
    "member",
    "author bio",
    "meet the author",
    "subscribe",
    "about the authors",
    "staff",
    "wordpress",
    "webmaster",
    "the author",
    "login",
    "log in",
    "sign in",
    "sign up",
    "member login",
    "register",
    "username",
    "user name",
    "password",
    "email",
    "e-mail",
    "newsletter",
    "newsletters",
    "search",
    "menu",
    "articles",
    "blog",
    "more",
    "view all",
    "see all",
    "all",
    "contact us",
    "subscribe now",
    "account",
    "my account",
    "my profile",
    "in stock",
    "review",
    "reviews",
    "get",
    "bluesky",
    "blue sky",
    "instagram",
    "linkedin",
    "youtube",
    "mastodon",
    "github",
    "message",
    "messages",
    "discussion",
    "post",
    "posts",
    "topic",
    "topics",
    "thread",
    "replies",
    "views",
    "beitrag",
    "gast",
    "invité",
    "invitado",
    "гость",
    "вход",
    "регистрация",
    "登录",
    "登入",
    "注册",
    "注冊",
    "註冊",
};

/* Beginnings of what is read around a name, of buttons and of sentences. */
static const char *const no_beginnings[] = {
    "skip to ",  "join ",      "if you ",    "email ",      "phone",        "visit the ",
    "shop ",     "read ",      "less than ", "click ",      "log in ",      "sign up ",
    "search ",   "read more",  "learn more", "share ",      "follow us",    "subscribe ",
    "view ",     "back to ",   "copyright ", "©",           "i ",           "i'm ",
    "i’m ",      "about the ", "more from ", "we ",         "download ",    "advertis",
    "terms of ", "privacy ",   "this ",      "home »",      "home ›",       "home >",
    "home /",    "table of ",  "last ",      "originally ", "reading time", "estimated ",
    "photo:",    "foto:",      "фото:",      "image:",      "责任编辑",     "[责任编辑",
    "责编",      "(责编",      "（责编",     "責任編輯",
};

/* Whether s begins with `prefix`, by lower case of any script; the bytes it takes, or 0. */
static size_t starts_folded(wn_str s, const char *prefix)
{
    if (s.len == 0)
        return 0;
    const char *p = s.ptr, *end = s.ptr + s.len;
    for (const char *q = prefix; *q;)
        if (p >= end || wn_text_lower(wn_utf8_next(&p)) != wn_utf8_next(&q))
            return 0;
    return (size_t)(p - s.ptr);
}

static bool is_letter_at(const char *p, const char *end)
{
    if (p >= end)
        return false;
    wn_char_class class = wn_text_class_of(wn_utf8_next(&p));
    return class == WN_CLASS_LETTER || class == WN_CLASS_MARK || class == WN_CLASS_DIGIT;
}

/* Whether a word ends at the offset; scripts without spaces have none after "by" either. */
static bool ends_a_word(wn_str s, size_t offset)
{
    size_t start = offset - 1;
    while (start > 0 && (s.ptr[start] & 0xC0) == 0x80)
        start--;
    const char *last = s.ptr + start;
    wn_char_class class = wn_text_class_of(wn_utf8_next(&last));
    bool in_word = class == WN_CLASS_LETTER || class == WN_CLASS_MARK || class == WN_CLASS_DIGIT;
    return !in_word || !is_letter_at(s.ptr + offset, s.ptr + s.len);
}

static wn_str skip_opening_marks(wn_str s)
{
    while (s.len > 0) {
        const char *p = s.ptr;
        uint32_t c = wn_utf8_next(&p);
        wn_char_class class = wn_text_class_of(c);
        bool is_mark = class == WN_CLASS_NONE || class == WN_CLASS_FORMAT ||
                       class == WN_CLASS_POINT || class == WN_CLASS_APOSTROPHE;
        if (!is_mark || c == '(' || c == '[')
            break;
        s = wn_str_from_offset(s, (size_t)(p - s.ptr));
    }
    return s;
}

/* A label and a name in elements of their own have no space between them: "ByJane Miller". */
static bool is_glued(wn_str s)
{
    return s.len > 4 && wn_str_starts(s, WN_STR("By")) && (unsigned char)(s.ptr[2] - 'A') < 26 &&
           (unsigned char)(s.ptr[3] - 'a') < 26;
}

bool wn_meta_byline_starts(wn_str text, wn_str *rest)
{
    *rest = skip_opening_marks(text);
    if (is_glued(*rest)) {
        *rest = wn_str_from_offset(*rest, 2);
        return true;
    }
    unsigned char first = rest->len > 0 ? (unsigned char)*rest->ptr : 0;
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        if (first < 0x80 && (first | 0x20) != (unsigned char)*openings[i])
            continue;
        size_t taken = starts_folded(*rest, openings[i]);
        if (taken > 0 && taken < rest->len && ends_a_word(*rest, taken)) {
            *rest = skip_opening_marks(wn_str_from_offset(*rest, taken));
            return true;
        }
    }
    return false;
}

bool wn_meta_is_byline_label(wn_str text)
{
    enum { LONGEST_LABEL = 48 }; /* bytes */
    text = wn_str_trim(text);
    if (text.len > 0 && text.ptr[text.len - 1] == ':')
        text.len--;
    if (text.len == 0 || text.len > LONGEST_LABEL)
        return false;
    unsigned char first = (unsigned char)*text.ptr;
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
        if ((first >= 0x80 || (first | 0x20) == (unsigned char)*openings[i]) &&
            starts_folded(text, openings[i]) == text.len)
            return true;
    return false;
}

/* ---- The name ---------------------------------------------------------------------------- */

static wn_str cut_ending(wn_str s)
{
    for (size_t i = 1; i < s.len; i++) {
        wn_str rest = wn_str_from_offset(s, i);
        if ((*rest.ptr & 0xC0) == 0x80 || is_letter_at(rest.ptr, rest.ptr + 1))
            continue;
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
            if (*rest.ptr == *endings[k] && starts_folded(rest, endings[k])) /* most differ here */
                return wn_str_from(s.ptr, i);
    }
    return s;
}

/* "Jane Miller 5 minute read": the name ends before the number. */
static wn_str cut_reading_time(wn_str s)
{
    size_t at = wn_str_find(s, WN_STR(" min"));
    if (at >= s.len)
        return s;
    size_t end = at;
    while (end > 0 && wn_is_ascii_digit(s.ptr[end - 1]))
        end--;
    return end < at && end > 0 ? wn_str_trim(wn_str_from(s.ptr, end)) : s;
}

/* A date after the name ends it: "Jane Miller, May 3, 2024", "Jane Miller 03/05/2024". */
static wn_str cut_numbers(wn_str s)
{
    wn_date date;
    size_t digit = 0;
    while (digit < s.len && !wn_is_ascii_digit(s.ptr[digit]))
        digit++;
    if (digit == s.len || !wn_meta_date_find(s, WN_STR(""), &date))
        return s;
    /* The month may come before its day: it goes with the word before the number. */
    size_t end = digit;
    while (end > 0 && !wn_is_ascii_alnum(s.ptr[end - 1]) && (s.ptr[end - 1] & 0x80) == 0)
        end--;
    size_t word = end;
    while (word > 0 && !wn_is_space(s.ptr[word - 1]) && s.ptr[word - 1] != ',')
        word--;
    wn_date month;
    bool has_month = wn_meta_date_find(wn_str_from_offset(s, word), WN_STR(""), &month) &&
                     !wn_meta_date_find(wn_str_from_offset(s, digit), WN_STR(""), &month);
    return wn_str_from(s.ptr, has_month ? word : digit);
}

/* An e-mail address ends the name, too: "Jane Miller jane@mills.example". */
static wn_str cut_address(wn_str s)
{
    const char *at = s.len > 0 ? memchr(s.ptr, '@', s.len) : NULL;
    size_t start = at ? (size_t)(at - s.ptr) : 0;
    while (start > 0 && !wn_is_space(s.ptr[start - 1]))
        start--;
    bool is_address = start > 0 && at > s.ptr + start && at + 1 < s.ptr + s.len &&
                      !wn_is_space(at[1]);
    return is_address ? wn_str_trim(wn_str_from(s.ptr, start)) : s;
}

static wn_str trim_marks(wn_str s)
{
    static const wn_str last[] = {WN_STR(" on"), WN_STR("–"), WN_STR("—")};
    s = wn_str_trim(skip_opening_marks(s));
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        if (s.len > last[i].len && wn_str_eq(wn_str_from_offset(s, s.len - last[i].len), last[i]))
            s = wn_str_trim(wn_str_from(s.ptr, s.len - last[i].len));
    while (s.len > 0 && (strchr(",:;-|/\\", s.ptr[s.len - 1]) || wn_is_space(s.ptr[s.len - 1])))
        s.len--;
    return s;
}

static size_t count_words(wn_str s)
{
    size_t words = 0;
    for (size_t i = 0; i < s.len; i++)
        words += wn_is_space(s.ptr[i]) && i > 0 && !wn_is_space(s.ptr[i - 1]);
    return words + (s.len > 0);
}

/* "page.author.name": a template that was not filled in. */
static bool is_path(wn_str s)
{
    size_t stops = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (wn_is_space(s.ptr[i]))
            return false;
        stops += s.ptr[i] == '.';
    }
    return stops > 1 && (wn_str_contains_nocase(s, WN_STR("author")) ||
                         wn_str_contains_nocase(s, WN_STR("name")));
}

/*
 * A sentence, a role or a list of labels: names have at most one longer word with a small letter
 * ("Team of editors").
 */
static bool is_sentence(wn_str s)
{
    enum { LONG_WORD = 4 };
    size_t small = 0;
    for (size_t i = 0; i < s.len;) {
        size_t start = i;
        while (i < s.len && !wn_is_space(s.ptr[i]))
            i++;
        small += start > 0 && i - start >= LONG_WORD && (unsigned char)(s.ptr[start] - 'a') < 26;
        while (i < s.len && wn_is_space(s.ptr[i]))
            i++;
    }
    return small > 1;
}

/* "2809 Saucon Valley Road, Center Valley 18034": where somebody lives, or how to call. */
static bool is_postal(wn_str s)
{
    enum { MOST_DIGITS = 4 };
    size_t digits = 0;
    for (size_t i = 0; i < s.len; i++)
        digits += wn_is_ascii_digit(s.ptr[i]);
    return digits > MOST_DIGITS && memchr(s.ptr, ' ', s.len);
}

/* "10 mins read", "3 comments": a number and what is counted. */
static bool is_count(wn_str s)
{
    static const char *const units[] = {"min", "read", "comment", "view", "share", "hour", "day"};
    size_t digits = 0;
    while (digits < s.len && wn_is_ascii_digit(s.ptr[digits]))
        digits++;
    wn_str unit = wn_str_trim(wn_str_from_offset(s, digits));
    for (size_t i = 0; digits > 0 && i < sizeof units / sizeof *units; i++)
        if (wn_str_starts_nocase(unit, wn_str_of(units[i])))
            return true;
    return digits > 0 && unit.len > 0 && *unit.ptr == ':'; /* a time of day */
}

/* "Created by Result::iter_mut" says where a value comes from. */
static bool is_code(wn_str s)
{
    return wn_str_find(s, WN_STR("::")) < s.len || wn_str_find(s, WN_STR("()")) < s.len;
}

/* "浏览：": a label whose number was cut off; a letter of a catalogue; a sentence. */
static bool is_label(wn_str s)
{
    const char *p = s.ptr;
    wn_char_class first = s.len > 0 ? wn_text_class_of(wn_utf8_next(&p)) : WN_CLASS_NONE;
    return wn_str_has_ending(s, WN_STR("：")) || wn_str_has_ending(s, WN_STR("。")) ||
           (first == WN_CLASS_LETTER && p == s.ptr + s.len);
}

/* "Home » Technology": where a page is on its site. */
static bool is_trail(wn_str s)
{
    static const char *const marks[] = {"»", "›", " > "};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (wn_str_find(s, wn_str_of(marks[i])) < s.len)
            return true;
    return false;
}

static bool has_no_beginning_of_a_name(wn_str s)
{
    for (size_t i = 0; i < sizeof no_beginnings / sizeof *no_beginnings; i++)
        if (starts_folded(s, no_beginnings[i]))
            return true;
    return wn_str_has_ending(s, WN_STR(" by")) || wn_str_contains_nocase(s, WN_STR(" by "));
}

static bool is_no_name(wn_str s)
{
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names; i++)
        if (s.len > 0 && starts_folded(s, no_names[i]) == s.len)
            return true;
    return s.len == 0 || s.len > LONGEST_NAME || count_words(s) > MOST_WORDS ||
           wn_str_contains_nocase(s, WN_STR("http")) || wn_str_contains_nocase(s, WN_STR("www.")) ||
           memchr(s.ptr, '{', s.len) || memchr(s.ptr, '}', s.len) || memchr(s.ptr, '<', s.len) ||
           is_path(s) || is_postal(s) || is_sentence(s) || is_count(s) || is_code(s) ||
           is_label(s) || is_trail(s) || has_no_beginning_of_a_name(s);
}

static bool has_letter(wn_str s)
{
    if (s.len == 0)
        return false;
    for (const char *p = s.ptr, *end = s.ptr + s.len; p < end;) {
        wn_char_class class = wn_text_class_of(wn_utf8_next(&p));
        if (class == WN_CLASS_LETTER || class >= WN_CLASS_THAI)
            return true;
    }
    return false;
}

wn_str wn_meta_name_clean(wn_str text)
{
    wn_str name = skip_opening_marks(wn_str_trim(text));
    for (int i = 0; i < 2 && wn_meta_byline_starts(name, &name); i++)
        continue;
    name = trim_marks(cut_address(cut_numbers(cut_ending(name))));
    return is_no_name(name) || !has_letter(name) ? WN_STR("") : name;
}

/* ---- Several names ----------------------------------------------------------------------- */

static const char *const joints[] = {" and ", " & ",  " und ", " et ", " y ", " e ",   " en ",
                                     " och ", " og ", " и ",   ";",    "、",  ", and "};

/* Where the first of several names ends, and how long what joins them is; its length if one. */
static size_t first_joint(wn_str s, size_t *joint)
{
    *joint = 0;
    for (size_t i = 1; i < s.len; i++) {
        if (wn_is_ascii_alnum(s.ptr[i]) || (s.ptr[i] & 0xC0) == 0x80)
            continue;
        for (size_t k = 0; k < sizeof joints / sizeof *joints; k++)
            if ((*joint = starts_folded(wn_str_from_offset(s, i), joints[k])))
                return i;
    }
    return s.len;
}

/* "Jane Miller, Ann Weaver" are two, "Jane Miller, PhD" and "Miller, Jane" one. */
static bool is_list_of_names(wn_str s)
{
    size_t parts = 0;
    while (s.len > 0) {
        const char *comma = memchr(s.ptr, ',', s.len);
        wn_str part = wn_str_trim(wn_str_from(s.ptr, comma ? (size_t)(comma - s.ptr) : s.len));
        if (count_words(part) < 2 || count_words(part) > 4)
            return false;
        parts++;
        s = comma ? wn_str_from_offset(s, (size_t)(comma - s.ptr) + 1) : WN_STR("");
    }
    return parts > 1;
}

static void offer_name(wn_facts *facts, int rank, const char *source, wn_str name)
{
    name = wn_meta_name_clean(name);
    if (name.len > 0)
        wn_meta_facts_offer(facts, WN_FIELD_AUTHOR, rank, source, name);
}

static void offer_part(wn_facts *facts, int rank, const char *source, wn_str part)
{
    if (!is_list_of_names(part)) {
        offer_name(facts, rank, source, part);
        return;
    }
    while (part.len > 0) {
        const char *comma = memchr(part.ptr, ',', part.len);
        size_t len = comma ? (size_t)(comma - part.ptr) : part.len;
        offer_name(facts, rank, source, wn_str_from(part.ptr, len));
        part = wn_str_from_offset(part, len + 1);
    }
}

/* "3 May 2024 · Jane Miller": a date before a mark is removed. */
static wn_str skip_date(wn_str text)
{
    static const char *const marks[] = {" · ", " | ", " • ", " – ", " — ", " - ", " by ", " / "};
    wn_date date;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        for (size_t at = 1; at < text.len && at < LONGEST_NAME; at++) {
            wn_str mark = wn_str_of(marks[i]);
            if (wn_str_starts(wn_str_from_offset(text, at), mark) &&
                wn_meta_date_find(wn_str_from(text.ptr, at), WN_STR(""), &date))
                return wn_str_from_offset(text, at + mark.len);
        }
    return text;
}

void wn_meta_names_offer(wn_facts *facts, int rank, const char *source, wn_str text)
{
    if (!wn_meta_facts_wants(facts, WN_FIELD_AUTHOR, rank))
        return;
    text = wn_meta_facts_tidy_escaped(facts, text);
    if (wn_str_starts(text, WN_STR("©"))) /* who owns a page need not have written it */
        return;
    text = skip_date(text);
    for (int i = 0; i < 2 && wn_meta_byline_starts(text, &text); i++)
        continue;
    text = cut_numbers(cut_reading_time(cut_ending(text)));
    for (int parts = 0; text.len > 0 && parts < WN_MOST_VALUES; parts++) {
        size_t joint, len = first_joint(text, &joint);
        offer_part(facts, rank, source, wn_str_from(text.ptr, len));
        text = wn_str_from_offset(text, len + joint);
    }
}
