/*
 * Lengths and numbers as they are written: units, calc(), min(), max(), clamp().
 *
 * Units that do not depend on the element become pixels when a sheet is read (cm, vw of the given
 * screen); the others (em, rem, percentages) stay a sum with one term per unit:
 *
 *     calc(50% - 2 * (1em + 10px))    =>    percent 50, em -2, px -20
 *
 * min() and max() of such sums become a chain: a first sum, then arms that are compared with the
 * value so far, one after the other. clamp(a, b, c) is b, then the smaller of it and c, then the
 * larger of it and a. Adding to a chain adds to each of its arms, so most expressions stay exact.
 * For the sum of two chains, only the first arm of the second one is used.
 */
#ifndef WN_CSS_CALC_H
#define WN_CSS_CALC_H

#include "base/arena.h"
#include "css/token.h"

typedef enum wn_css_unit {
    WN_CSS_PX,
    WN_CSS_PERCENTAGE,
    WN_CSS_EM,
    WN_CSS_REM,
    WN_CSS_EX,
    WN_CSS_CH,
    WN_CSS_LH,
    WN_CSS_UNITS, /* how many there are */
} wn_css_unit;

enum { WN_CSS_MAX_ARMS = 6 };

typedef struct wn_css_sum {
    float of[WN_CSS_UNITS];
} wn_css_sum;

typedef struct wn_css_calc {
    wn_css_sum first;
    uint8_t arm_count;
    bool larger[WN_CSS_MAX_ARMS];
    bool is_number; /* no unit at all: first.of[WN_CSS_PX] is the number */
    wn_css_sum arms[WN_CSS_MAX_ARMS];
} wn_css_calc;

typedef struct wn_css_screen {
    float width, height;
} wn_css_screen;

/* A position among tokens. */
typedef struct wn_css_cursor {
    const wn_css_token *at; /* at most the WN_CSS_END */
    wn_css_screen screen;
    wn_arena *arena;
    bool quirks; /* lengths may lack their unit */
} wn_css_cursor;

/* The unit of a dimension, and how many of it one is: 1in is 96 px. False if there is none. */
bool wn_css_find_unit(wn_str name, wn_css_screen screen, wn_css_unit *unit, float *factor);

/*
 * Reads a length, percentage, number or mathematical function and moves past it. False,
 * without moving, if there is none or it makes no sense.
 */
bool wn_css_read_calc(wn_css_cursor *cursor, wn_css_calc *calc);

/* Moves past the bracket that closes the function at the cursor, or to the end. */
void wn_css_skip_function(wn_css_cursor *cursor);

#endif
