/*
 * Words: runs of letters and digits, and dictionaries for scripts without spaces.
 *
 * A run of a script without spaces is read into a chunk of at most CHUNK characters, a
 * dictionary marks the edges in it, and its pieces are handed out one by one:
 *
 *     chars      ต า ก ล ม
 *     edges      1 0 1 0 0          "ตา", "กลม"
 *     starts     the address of each character in the text, and of the end
 *
 * If the run is longer than the chunk, the last pieces are unreliable, because the dictionary has
 * not seen what follows: the next chunk starts at the last edge that is MARGIN characters away from
 * the end.
 *
 * libthai says where a line may be broken. That is nearly where words end, but for three rules
 * (F1 on wisesight-1000 / TUD train: 0.914 / 0.938 without them, 0.929 / 0.942 with them):
 *
 *     1. The sign ๆ, "once more", is a word by itself, though no line begins with it.
 *     2. A single consonant is not a word: it belongs to what comes before it ("ลิ|ป", lipstick).
 *     3. Nor is a last letter that was typed again and again, as people do who shout ("มาก|กก").
 */
#include "text/words.h"

#include "base/cost.h"
#include "base/memory.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "text/unicode.h"

#ifdef WN_HAVE_LIBTHAI
#include <thai/thbrk.h>
#endif
#ifdef WN_HAVE_ICU
#include <unicode/ubrk.h>
#endif

enum {
    /* Characters a dictionary sees at once: libthai is fastest at 500 to 5,000 of them, and slows
       down by far beyond 20,000. */
    CHUNK = 512,
    /* Longer than any word: so far from the chunk's end its edges can be trusted. */
    MARGIN = 48,
};

struct wn_words {
    const char *p, *end; /* what is not yet read of the text */
    bool elides;         /* the language has articles with an apostrophe */
    wn_cost cost;        /* of dictionaries: without it, scripts without spaces are cut plainly */

    /* The chunk: pieces are handed out from `next` on. */
    uint32_t count, next;
    uint32_t chars[CHUNK];
    uint8_t edges[CHUNK + 1];
    const char *starts[CHUNK + 1];

#ifdef WN_HAVE_LIBTHAI
    ThBrk *thai;
    bool thai_failed;
    thchar_t tis[CHUNK + 1];
    int breaks[CHUNK];
#endif
#ifdef WN_HAVE_ICU
    UBreakIterator *icu;
    bool icu_failed;
    UChar units[2 * CHUNK];
    uint16_t unit_char[2 * CHUNK + 1]; /* the character to which each unit belongs */
#endif
};

static bool is_alnum(wn_char_class class)
{
    return class == WN_CLASS_LETTER || class == WN_CLASS_DIGIT;
}

static bool starts_word(wn_char_class class)
{
    return is_alnum(class) || class >= WN_CLASS_THAI;
}

/* ---- Runs of letters and digits ---------------------------------------------------------- */

/* What comes before an apostrophe and is a word by itself, in languages that elide. */
static bool is_elided(wn_str word)
{
    static const char *const words[] = {
        "l",     "d",     "j",     "m",      "t",      "s",      "c",      "n",    "qu",
        "un",    "dell",  "all",   "nell",   "sull",   "dall",   "coll",   "gl",   "v",
        "quest", "quell", "jusqu", "lorsqu", "puisqu", "quoiqu", "nessun", "tutt",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (wn_str_eq_nocase(word, wn_str_of(words[i])))
            return true;
    }
    return false;
}

/* Whether a character joins the one before it and the one at `next` to one word. */
static bool joins(const wn_words *w, uint32_t c, wn_char_class class, uint32_t before,
                  const char *next)
{
    if (next == w->end)
        return false;
    uint32_t after = wn_utf8_next(&next);
    wn_char_class after_class = wn_text_class_of(after);
    if (class == WN_CLASS_POINT)
        return wn_text_class_of(before) == WN_CLASS_DIGIT && after_class == WN_CLASS_DIGIT;
    if (c == 0xB7 || c == 0x387) /* the middle dot separates, but in Catalan: col·lecció */
        return wn_text_lower(before) == 'l' && wn_text_lower(after) == 'l';
    return is_alnum(after_class);
}

/* The end of the word that begins at `start`, a letter or digit. */
static const char *run_end(const wn_words *w, const char *start)
{
    const char *p = start, *word_end = start;
    uint32_t before = 0; /* the last letter or digit */
    while (p < w->end) {
        const char *here = p;
        uint32_t c = wn_utf8_next(&p);
        wn_char_class class = wn_text_class_of(c);
        if (is_alnum(class)) {
            while (p < w->end && wn_is_ascii_alnum(*p)) /* most of most words */
                c = (uint32_t)*p++;
            before = c;
            word_end = p;
            if (p < w->end && wn_is_space(*p)) /* as most words end */
                break;
        } else if (class == WN_CLASS_MARK) {
            word_end = p;
        } else if (class == WN_CLASS_FORMAT) {
            continue;
        } else if (class == WN_CLASS_NONE || class >= WN_CLASS_THAI ||
                   !joins(w, c, class, before, p)) {
            break;
        } else if (w->elides && class == WN_CLASS_APOSTROPHE &&
                   is_elided(wn_str_between(start, here))) {
            break;
        }
    }
    return word_end;
}

/* ---- Chunks of scripts without spaces ---------------------------------------------------- */

/* Chinese and Japanese are cut together: Japanese words mix ideographs and kana. */
static bool same_script(wn_char_class a, wn_char_class b)
{
    bool both_cjk = (a == WN_CLASS_HAN || a == WN_CLASS_KANA) &&
                    (b == WN_CLASS_HAN || b == WN_CLASS_KANA);
    return a == b || both_cjk;
}

/* Reads characters of one script; marks of no script go with the character before them. */
static void fill_chunk(wn_words *w, wn_char_class script)
{
    const char *last_end = w->p;
    w->count = 0;
    w->next = 0;
    while (w->p < w->end) {
        const char *next = w->p;
        uint32_t c = wn_utf8_next(&next);
        wn_char_class class = wn_text_class_of(c);
        if (same_script(class, script)) {
            if (w->count == CHUNK)
                break;
            w->starts[w->count] = w->p;
            w->edges[w->count] = 0;
            w->chars[w->count++] = c;
            last_end = next;
        } else if (class == WN_CLASS_MARK) {
            last_end = next;
        } else if (class != WN_CLASS_FORMAT) {
            break;
        }
        w->p = next;
    }
    w->starts[w->count] = last_end;
    w->edges[0] = 1;
    w->edges[w->count] = 1;
}

/* Gives back what is too close to the end of a full chunk, if its run goes on. */
static void trim_chunk(wn_words *w, wn_char_class script)
{
    if (w->count < CHUNK || w->p == w->end)
        return;
    const char *next = w->p;
    if (!same_script(wn_text_class_of(wn_utf8_next(&next)), script))
        return;
    uint32_t cut = CHUNK - MARGIN;
    while (cut > CHUNK / 2 && !w->edges[cut])
        cut--;
    if (!w->edges[cut])
        return;
    w->count = cut;
    w->p = w->starts[cut];
}

/* Without a dictionary: an ideograph is a word, and so is a run of anything else. */
static void cut_plainly(wn_words *w)
{
    for (uint32_t i = 1; i < w->count; i++)
        w->edges[i] = wn_text_class_of(w->chars[i]) == WN_CLASS_HAN ||
                      wn_text_class_of(w->chars[i - 1]) == WN_CLASS_HAN;
}

#ifdef WN_HAVE_ICU
/* Puts the chunk into UTF-16; returns the number of units. */
static int32_t fill_units(wn_words *w)
{
    int32_t n = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t c = w->chars[i];
        w->unit_char[n] = (uint16_t)i;
        if (c >= 0x10000) {
            w->units[n++] = (UChar)(0xD7C0 + (c >> 10));
            w->unit_char[n] = (uint16_t)i;
            c = 0xDC00 | (c & 0x3FF);
        }
        w->units[n++] = (UChar)c;
    }
    w->unit_char[n] = (uint16_t)w->count;
    return n;
}

/* False when ICU or its data are not there. */
static bool cut_by_icu(wn_words *w)
{
    UErrorCode status = U_ZERO_ERROR;
    if (!w->icu && !w->icu_failed)
        w->icu = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
    if (U_FAILURE(status) || !w->icu) {
        w->icu_failed = true;
        return false;
    }
    ubrk_setText(w->icu, w->units, fill_units(w), &status);
    if (U_FAILURE(status))
        return false;
    for (int32_t at; (at = ubrk_next(w->icu)) != UBRK_DONE;)
        w->edges[w->unit_char[at]] = 1;
    return true;
}
#endif

static void cut_others(wn_words *w)
{
#ifdef WN_HAVE_ICU
    if (cut_by_icu(w))
        return;
#endif
    cut_plainly(w);
}

/* ---- Thai -------------------------------------------------------------------------------- */

enum {
    THAI_BLOCK = 0xE00,
    FIRST_CONSONANT = 0xE01,
    LAST_CONSONANT = 0xE2E,
    MAIYAMOK = 0xE46, /* ๆ: the word before it once more */
    NO_NU = 0xE13,    /* ณ: "at", the one consonant that is a word */
};

static bool is_thai_consonant(uint32_t c)
{
    return c >= FIRST_CONSONANT && c <= LAST_CONSONANT;
}

/* Vowels and tones above and below a consonant: no word begins with one. */
static bool is_thai_mark(uint32_t c)
{
    return c == 0xE31 || (c >= 0xE34 && c <= 0xE3A) || (c >= 0xE47 && c <= 0xE4E);
}

#ifdef WN_HAVE_LIBTHAI
/* False when libthai's dictionary is not there. */
static bool cut_by_libthai(wn_words *w)
{
    if (!w->thai && !w->thai_failed)
        w->thai = th_brk_new(NULL);
    if (!w->thai) {
        w->thai_failed = true;
        return false;
    }
    for (uint32_t i = 0; i < w->count; i++)
        w->tis[i] = (thchar_t)(w->chars[i] - THAI_BLOCK + 0xA0);
    w->tis[w->count] = 0;
    int found = th_brk_find_breaks(w->thai, w->tis, w->breaks, w->count);
    for (int i = 0; i < found; i++)
        w->edges[w->breaks[i]] = 1;
    return true;
}
#endif

/* Whether the piece from..to only repeats the consonant before it. */
static bool only_repeats(const wn_words *w, uint32_t from, uint32_t to)
{
    uint32_t c = w->chars[from - 1];
    for (uint32_t i = from; i < to; i++) {
        if (w->chars[i] != c)
            return false;
    }
    return is_thai_consonant(c);
}

static bool is_lone_consonant(const wn_words *w, uint32_t from, uint32_t to)
{
    uint32_t c = w->chars[from];
    return to == from + 1 && is_thai_consonant(c) && c != NO_NU && w->chars[from - 1] != MAIYAMOK;
}

/* The three rules at the top of this file, and what never begins a word. */
static void mend_thai(wn_words *w)
{
    for (uint32_t i = 1; i < w->count; i++) {
        if (w->chars[i] == MAIYAMOK || w->chars[i - 1] == MAIYAMOK)
            w->edges[i] = 1;
        if (is_thai_mark(w->chars[i]))
            w->edges[i] = 0;
    }
    uint32_t to = w->count;
    for (uint32_t from = w->count - 1; from > 0; from--) {
        if (!w->edges[from])
            continue;
        if (only_repeats(w, from, to) || is_lone_consonant(w, from, to))
            w->edges[from] = 0;
        to = from;
    }
}

static void cut_thai(wn_words *w)
{
#ifdef WN_HAVE_LIBTHAI
    if (cut_by_libthai(w)) {
        mend_thai(w);
        return;
    }
#endif
    cut_others(w);
    mend_thai(w);
}

/* ---- The walk ---------------------------------------------------------------------------- */

static void cut_chunk(wn_words *w, wn_char_class script)
{
    fill_chunk(w, script);
    if (w->count == 1)
        return;
    if (!wn_cost_spend(&w->cost, w->count))
        cut_plainly(w);
    else if (script == WN_CLASS_THAI)
        cut_thai(w);
    else
        cut_others(w);
    trim_chunk(w, script);
}

static wn_str next_piece(wn_words *w)
{
    uint32_t from = w->next++;
    while (w->next < w->count && !w->edges[w->next])
        w->next++;
    return wn_str_between(w->starts[from], w->starts[w->next]);
}

/* Moves to the next character that can begin a word and returns its class; NONE at the end. */
static wn_char_class skip_to_word(wn_words *w)
{
    while (w->p < w->end) {
        if (wn_is_space(*w->p)) { /* as most words begin */
            w->p++;
            continue;
        }
        const char *next = w->p;
        wn_char_class class = wn_text_class_of(wn_utf8_next(&next));
        if (starts_word(class))
            return class;
        w->p = next;
    }
    return WN_CLASS_NONE;
}

bool wn_text_words_next(wn_words *w, wn_str *word)
{
    if (w->next == w->count) {
        wn_char_class class = skip_to_word(w);
        if (class == WN_CLASS_NONE)
            return false;
        if (is_alnum(class)) {
            const char *end = run_end(w, w->p);
            *word = wn_str_between(w->p, end);
            w->p = end;
            return true;
        }
        cut_chunk(w, class);
    }
    *word = next_piece(w);
    return true;
}

void wn_text_words_begin(wn_words *w, wn_str text)
{
    w->p = text.len ? text.ptr : "";
    w->end = w->p + text.len;
    w->count = 0;
    w->next = 0;
    wn_cost_start(&w->cost, WN_COST_WORDS, text.len);
}

size_t wn_text_words_count(wn_words *w, wn_str text)
{
    size_t count = 0;
    wn_text_words_begin(w, text);
    for (wn_str word; wn_text_words_next(w, &word);)
        count++;
    return count;
}

void wn_text_words_set_language(wn_words *w, wn_str language)
{
    w->elides = wn_str_eq(language, WN_STR("fr")) || wn_str_eq(language, WN_STR("it")) ||
                wn_str_eq(language, WN_STR("ca"));
}

wn_words *wn_text_words_new(void)
{
    return wn_memory_get_zeroed(sizeof(wn_words));
}

void wn_text_words_free(wn_words *w)
{
    if (!w)
        return;
#ifdef WN_HAVE_LIBTHAI
    if (w->thai)
        th_brk_delete(w->thai);
#endif
#ifdef WN_HAVE_ICU
    if (w->icu)
        ubrk_close(w->icu);
#endif
    wn_memory_release(w);
}

const char *wn_text_words_other_engine(void)
{
#ifdef WN_HAVE_ICU
    return "ICU";
#else
    return "none";
#endif
}

const char *wn_text_words_thai_engine(void)
{
#ifdef WN_HAVE_LIBTHAI
    return "libthai";
#else
    return wn_text_words_other_engine();
#endif
}
