/*
 * Characters as Python sees them: what `\w` matches and what `str.lower()` does.
 *
 * The word measure is defined by two Python expressions (words.h), and figures that
 * people publish are made with them, so the tables come from Python itself
 * (tools/gen_eval_tables.py). The classes of src/text are others: there a word is what a reader
 * takes for one, and it may change without the figures changing with it.
 */
#ifndef WN_EVAL_UNICODE_H
#define WN_EVAL_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

enum { WN_EVAL_BLOCK = 128 };

/* Bits of a character's class. */
enum {
    WN_CHAR_WORD = 1,      /* \w */
    WN_CHAR_CASED = 2,     /* has a case, and is not ignorable */
    WN_CHAR_IGNORABLE = 4, /* does not count when a sigma looks for its neighbours */
    WN_CHAR_SPACE = 8,     /* str.isspace() */
};

enum {
    WN_DOTTED_I = 0x130,    /* its small letter is an i and a dot, which is no \w */
    WN_SIGMA = 0x3A3,       /* its small letter depends on its neighbours */
    WN_SMALL_SIGMA = 0x3C3, /* inside a word */
    WN_FINAL_SIGMA = 0x3C2, /* at its end */
};

/* Characters first, first + step, …, last, whose small letters are all `distance` away. */
typedef struct wn_lower_run {
    uint32_t first, last;
    uint16_t step;
    int32_t distance;
} wn_lower_run;

/* Made by tools/gen_eval_tables.py. */
extern const uint8_t wn_eval_blocks[0x110000 / WN_EVAL_BLOCK];
extern const uint8_t wn_eval_classes[][WN_EVAL_BLOCK];
extern const wn_lower_run wn_lower_runs[];
extern const uint32_t wn_lower_run_count;

/* The class of a code point, as bits. */
static inline unsigned wn_char_class(uint32_t c)
{
    return wn_eval_classes[wn_eval_blocks[c / WN_EVAL_BLOCK]][c % WN_EVAL_BLOCK];
}

/* The small letter; WN_DOTTED_I and WN_SIGMA are the caller's. */
uint32_t wn_char_lower(uint32_t c);

#endif
