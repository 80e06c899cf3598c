/*
 * Characters: their role in words, and their lower case.
 *
 * Sixteen classes are enough to find words in any script, so a class has four bits
 * and the table for all of Unicode about 20 KB. It is generated from the Unicode
 * Character Database by tools/gen_unicode.py. The classes from WN_CLASS_THAI on are
 * scripts that write no spaces between words.
 *
 * The word measure of `winnow eval` is defined by two Python expressions (app/eval/words.h). What
 * `\w`, str.isspace() and str.lower() need beyond the classes are short lists of ranges here.
 */
#ifndef WN_TEXT_UNICODE_H
#define WN_TEXT_UNICODE_H

#include "base/buf.h"
#include "base/str.h"

/* In the order of tools/gen_unicode.py. */
typedef enum wn_char_class {
    WN_CLASS_NONE, /* spaces, punctuation, symbols, emoji: never part of a word */
    WN_CLASS_LETTER,
    WN_CLASS_DIGIT,      /* every kind of number */
    WN_CLASS_MARK,       /* accents, vowel signs: part of the character before them */
    WN_CLASS_FORMAT,     /* soft hyphen, zero width joiner, …: invisible */
    WN_CLASS_APOSTROPHE, /* joins letters: don't */
    WN_CLASS_POINT,      /* joins digits: 3.14 */
    WN_CLASS_CONNECTOR,  /* joins both: snake_case */
    WN_CLASS_THAI,
    WN_CLASS_HAN,
    WN_CLASS_KANA, /* Hiragana and Katakana */
    WN_CLASS_LAO,
    WN_CLASS_KHMER,
    WN_CLASS_MYANMAR,
} wn_char_class;

/* Capitals from first to last, every step-th of them, and how far away their lower case is. */
typedef struct wn_case_range {
    uint32_t first, last;
    int32_t step, difference;
} wn_case_range;

enum { WN_LOW_CASE = 0x600 }; /* below it the lower case is one look-up */

extern const uint8_t wn_class_index[];
extern const uint8_t wn_class_blocks[];
extern const uint16_t wn_low_case[];
extern const wn_case_range wn_case_ranges[];
extern const uint32_t wn_case_range_count;

static inline wn_char_class wn_text_class_of(uint32_t c)
{
    uint8_t pair = wn_class_blocks[(uint32_t)wn_class_index[c >> 8] << 7 | (c & 0xFF) >> 1];
    return (wn_char_class)(c & 1 ? pair >> 4 : pair & 15);
}

/* The lower case of a character, by itself: no context, no language. */
uint32_t wn_text_lower(uint32_t c);

/* ---- Characters as Python sees them ------------------------------------------------------ */

enum {
    WN_DOTTED_I = 0x130,    /* Python's lower case is an i and a dot, which is not \w */
    WN_SIGMA = 0x3A3,       /* its lower case depends on its neighbours */
    WN_SMALL_SIGMA = 0x3C3, /* inside a word */
    WN_FINAL_SIGMA = 0x3C2, /* at its end */
};

typedef struct wn_char_range {
    uint32_t first, last;
} wn_char_range;

typedef struct wn_char_set {
    const wn_char_range *ranges; /* in order */
    uint32_t count;
} wn_char_set;

extern const wn_char_set wn_cased;          /* has a case, and is not ignorable */
extern const wn_char_set wn_case_ignorable; /* skipped when a sigma looks for its neighbours */
extern const wn_char_set wn_script_marks;   /* the class says THAI, LAO, …, but it is not \w */
extern const wn_char_set wn_space_chars;    /* str.isspace() */

bool wn_text_char_set_has(const wn_char_set *set, uint32_t c);

/* Whether `\w` matches. */
static inline bool wn_text_is_word_char(uint32_t c)
{
    if (c < 0x80)
        return wn_is_ascii_alnum((char)c) || c == '_';
    wn_char_class class = wn_text_class_of(c);
    if (class < WN_CLASS_THAI)
        return class == WN_CLASS_LETTER || class == WN_CLASS_DIGIT;
    return !wn_text_char_set_has(&wn_script_marks, c);
}

static inline bool wn_text_is_space_char(uint32_t c)
{
    if (c < 0x80)
        return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
    return wn_text_class_of(c) == WN_CLASS_NONE && wn_text_char_set_has(&wn_space_chars, c);
}

/* ---- Folding ----------------------------------------------------------------------------- */

/*
 * Appends `word`, which is well-formed UTF-8, in the form in which words are compared: lower
 * case, typographic apostrophes as ', without invisible characters that only say where a
 * word may be broken.
 */
void wn_text_fold(wn_buf *out, wn_str word);

#endif
