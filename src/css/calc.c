#include "css/calc.h"

#include <math.h>

enum { MAX_DEPTH = 32 }; /* of brackets; browsers have such a limit too */

#define PER_INCH 96.0f

/* ---- Units ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t unit;
    float factor;
} units[] = {
    {"px", WN_CSS_PX, 1},
    {"em", WN_CSS_EM, 1},
    {"rem", WN_CSS_REM, 1},
    {"pt", WN_CSS_PX, PER_INCH / 72},
    {"ex", WN_CSS_EX, 1},
    {"ch", WN_CSS_CH, 1},
    {"in", WN_CSS_PX, PER_INCH},
    {"cm", WN_CSS_PX, PER_INCH / 2.54f},
    {"mm", WN_CSS_PX, PER_INCH / 25.4f},
    {"q", WN_CSS_PX, PER_INCH / 101.6f},
    {"pc", WN_CSS_PX, PER_INCH / 6},
    {"lh", WN_CSS_LH, 1},
    {"rlh", WN_CSS_REM, 1.15f},
    {"ic", WN_CSS_EM, 1},
    {"ric", WN_CSS_REM, 1},
    {"cap", WN_CSS_EM, 0.7f},
    {"rcap", WN_CSS_REM, 0.7f},
    {"rex", WN_CSS_REM, 0.5f},
    {"rch", WN_CSS_REM, 0.5f},
};

/* vw, vh …, with s, l or d before them; cqw and the like count as parts of the screen too. */
static bool find_screen_unit(wn_str name, wn_css_screen screen, float *factor)
{
    if (name.len > 2 && wn_str_starts_nocase(name, WN_STR("cq")))
        name = wn_str_from_offset(name, 2);
    else if (name.len > 1 && (name.ptr[0] | 0x20) == 'v')
        name = wn_str_from_offset(name, 1);
    else if (name.len > 2 && (name.ptr[1] | 0x20) == 'v' && strchr("sldSLD", name.ptr[0]))
        name = wn_str_from_offset(name, 2);
    else
        return false;
    float w = screen.width / 100, h = screen.height / 100;
    if (wn_str_eq_nocase(name, WN_STR("w")) || wn_str_eq_nocase(name, WN_STR("i")))
        *factor = w;
    else if (wn_str_eq_nocase(name, WN_STR("h")) || wn_str_eq_nocase(name, WN_STR("b")))
        *factor = h;
    else if (wn_str_eq_nocase(name, WN_STR("min")))
        *factor = fminf(w, h);
    else if (wn_str_eq_nocase(name, WN_STR("max")))
        *factor = fmaxf(w, h);
    else
        return false;
    return true;
}

bool wn_css_find_unit(wn_str name, wn_css_screen screen, wn_css_unit *unit, float *factor)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (wn_str_eq_nocase(name, wn_str_of(units[i].name))) {
            *unit = (wn_css_unit)units[i].unit;
            *factor = units[i].factor;
            return true;
        }
    *unit = WN_CSS_PX;
    return find_screen_unit(name, screen, factor);
}

/* ---- Arithmetic -------------------------------------------------------------------------- */

static void add_sum(wn_css_sum *to, const wn_css_sum *from)
{
    for (int i = 0; i < WN_CSS_UNITS; i++)
        to->of[i] += from->of[i];
}

static void scale(wn_css_calc *calc, float factor)
{
    for (int i = 0; i < WN_CSS_UNITS; i++)
        calc->first.of[i] *= factor;
    for (int a = 0; a < calc->arm_count; a++) {
        for (int i = 0; i < WN_CSS_UNITS; i++)
            calc->arms[a].of[i] *= factor;
        if (factor < 0)
            calc->larger[a] = !calc->larger[a];
    }
}

static bool add(wn_css_calc *to, wn_css_calc *from)
{
    if (to->is_number != from->is_number)
        return false;
    if (from->arm_count > to->arm_count) {
        wn_css_calc swap = *to;
        *to = *from;
        *from = swap;
    }
    add_sum(&to->first, &from->first);
    for (int a = 0; a < to->arm_count; a++)
        add_sum(&to->arms[a], &from->first);
    return true;
}

static bool multiply(wn_css_calc *to, wn_css_calc *by)
{
    if (!by->is_number) {
        wn_css_calc swap = *to;
        *to = *by;
        *by = swap;
    }
    if (!by->is_number || by->arm_count)
        return false;
    scale(to, by->first.of[WN_CSS_PX]);
    return true;
}

/* Whether a sum is known without the element: pixels or a number only. */
static bool is_known(const wn_css_sum *sum)
{
    for (int i = WN_CSS_PX + 1; i < WN_CSS_UNITS; i++)
        if (sum->of[i] != 0)
            return false;
    return true;
}

/* The smaller or larger of two. */
static bool compare(wn_css_calc *to, wn_css_calc *with, bool larger)
{
    if (to->is_number != with->is_number)
        return false;
    if (!to->arm_count && !with->arm_count && is_known(&to->first) && is_known(&with->first)) {
        float a = to->first.of[WN_CSS_PX], b = with->first.of[WN_CSS_PX];
        to->first.of[WN_CSS_PX] = larger ? fmaxf(a, b) : fminf(a, b);
        return true;
    }
    if (with->arm_count > to->arm_count) {
        wn_css_calc swap = *to;
        *to = *with;
        *with = swap;
    }
    if (to->arm_count < WN_CSS_MAX_ARMS) {
        to->larger[to->arm_count] = larger;
        to->arms[to->arm_count++] = with->first;
    }
    return true;
}

/* ---- Functions --------------------------------------------------------------------------- */

typedef struct parser {
    wn_css_cursor *cursor;
    int depth;
} parser;

static bool read_sum(parser *p, wn_css_calc *out);

static bool take(parser *p, char delim)
{
    if (!wn_css_is_delim(p->cursor->at, delim))
        return false;
    p->cursor->at++;
    return true;
}

/* The arguments of a function, folded by `compare`. */
static bool read_comparison(parser *p, wn_css_calc *out, bool larger)
{
    if (!read_sum(p, out))
        return false;
    while (take(p, ',')) {
        wn_css_calc next;
        if (!read_sum(p, &next) || !compare(out, &next, larger))
            return false;
    }
    return true;
}

static bool read_clamp(parser *p, wn_css_calc *out)
{
    wn_css_calc low, high;
    bool has_low = !wn_css_is_ident(p->cursor->at, WN_STR("none"));
    if (!has_low)
        p->cursor->at++;
    else if (!read_sum(p, &low))
        return false;
    if (!take(p, ',') || !read_sum(p, out) || !take(p, ','))
        return false;
    bool has_high = !wn_css_is_ident(p->cursor->at, WN_STR("none"));
    if (!has_high)
        p->cursor->at++;
    else if (!read_sum(p, &high))
        return false;
    return (!has_high || compare(out, &high, false)) && (!has_low || compare(out, &low, true));
}

static float rounded(float a, float step, wn_str how)
{
    if (wn_str_eq_nocase(how, WN_STR("up")))
        return ceilf(a / step) * step;
    if (wn_str_eq_nocase(how, WN_STR("down")))
        return floorf(a / step) * step;
    if (wn_str_eq_nocase(how, WN_STR("to-zero")))
        return truncf(a / step) * step;
    return roundf(a / step) * step;
}

/* A function of one or two numbers; NAN if it has no value or is not known. */
static float call(wn_str name, float a, float b, wn_str how)
{
    if (wn_str_eq_nocase(name, WN_STR("abs")))
        return fabsf(a);
    if (wn_str_eq_nocase(name, WN_STR("sign")))
        return (float)((a > 0) - (a < 0));
    if (wn_str_eq_nocase(name, WN_STR("sqrt")))
        return a >= 0 ? sqrtf(a) : 0;
    if (wn_str_eq_nocase(name, WN_STR("exp")))
        return expf(a);
    if (wn_str_eq_nocase(name, WN_STR("hypot")))
        return hypotf(a, b);
    if (wn_str_eq_nocase(name, WN_STR("pow")))
        return powf(a, b);
    if (b == 0)
        return NAN;
    if (wn_str_eq_nocase(name, WN_STR("mod")))
        return a - floorf(a / b) * b;
    if (wn_str_eq_nocase(name, WN_STR("rem")))
        return fmodf(a, b);
    return wn_str_eq_nocase(name, WN_STR("round")) ? rounded(a, b, how) : NAN;
}

/* round(), mod(), pow() …: of what is known; the rounding step is the last argument. */
static bool read_other(parser *p, wn_str name, wn_css_calc *out)
{
    wn_css_calc second = {.is_number = true, .first.of[WN_CSS_PX] = 1};
    wn_str how = WN_STR("nearest");
    if (wn_str_eq_nocase(name, WN_STR("round")) && p->cursor->at->kind == WN_CSS_IDENT) {
        how = p->cursor->at++->text;
        if (!take(p, ','))
            return false;
    }
    if (!read_sum(p, out))
        return false;
    if (take(p, ',') && !read_sum(p, &second))
        return false;
    if (!is_known(&out->first) || !is_known(&second.first))
        return wn_str_eq_nocase(name, WN_STR("round"));
    if (wn_str_eq_nocase(name, WN_STR("sign")))
        out->is_number = true;
    float *value = &out->first.of[WN_CSS_PX];
    *value = call(name, *value, second.first.of[WN_CSS_PX], how);
    return isfinite(*value);
}

void wn_css_skip_function(wn_css_cursor *cursor)
{
    uint32_t depth = 0;
    do {
        const wn_css_token *t = cursor->at;
        if (t->kind == WN_CSS_END)
            return;
        depth += t->kind == WN_CSS_FUNCTION || wn_css_is_delim(t, '(');
        depth -= wn_css_is_delim(t, ')') && depth > 0;
        cursor->at++;
    } while (depth > 0);
}

static bool read_function(parser *p, wn_css_calc *out)
{
    wn_str name = p->cursor->at->text;
    bool ok;
    if (wn_str_eq_nocase(name, WN_STR("env"))) { /* screens without notches */
        *out = (wn_css_calc){0};
        wn_css_skip_function(p->cursor);
        return true;
    }
    p->cursor->at++;
    if (wn_str_eq_nocase(name, WN_STR("calc")) || wn_str_eq_nocase(name, WN_STR("-webkit-calc")))
        ok = read_sum(p, out);
    else if (wn_str_eq_nocase(name, WN_STR("min")) || wn_str_eq_nocase(name, WN_STR("max")))
        ok = read_comparison(p, out, (name.ptr[1] | 0x20) == 'a');
    else if (wn_str_eq_nocase(name, WN_STR("clamp")))
        ok = read_clamp(p, out);
    else
        ok = read_other(p, name, out);
    return ok && (p->cursor->at->kind == WN_CSS_END || take(p, ')'));
}

/* A number, length, percentage, bracket or function. */
static bool read_term(parser *p, wn_css_calc *out)
{
    const wn_css_token *t = p->cursor->at;
    if (t->kind == WN_CSS_FUNCTION || wn_css_is_delim(t, '(')) {
        if (p->depth >= MAX_DEPTH)
            return false;
        p->depth++;
        bool ok;
        if (t->kind == WN_CSS_FUNCTION) {
            ok = read_function(p, out);
        } else {
            p->cursor->at++;
            ok = read_sum(p, out) && (p->cursor->at->kind == WN_CSS_END || take(p, ')'));
        }
        p->depth--;
        return ok;
    }
    *out = (wn_css_calc){0};
    wn_css_unit unit = WN_CSS_PX;
    float factor = 1;
    if (t->kind == WN_CSS_NUMBER)
        out->is_number = true;
    else if (t->kind == WN_CSS_PERCENT)
        unit = WN_CSS_PERCENTAGE;
    else if (wn_css_is_ident(t, WN_STR("infinity")))
        out->is_number = true, factor = 1e9f;
    else if (wn_css_is_ident(t, WN_STR("pi")))
        out->is_number = true, factor = 3.14159265f;
    else if (t->kind != WN_CSS_DIMENSION ||
             !wn_css_find_unit(t->text, p->cursor->screen, &unit, &factor))
        return false;
    out->first.of[unit] = (t->kind == WN_CSS_IDENT ? 1 : t->number) * factor;
    p->cursor->at++;
    return true;
}

static bool read_product(parser *p, wn_css_calc *out)
{
    if (!read_term(p, out))
        return false;
    for (;;) {
        bool times = wn_css_is_delim(p->cursor->at, '*');
        if (!times && !wn_css_is_delim(p->cursor->at, '/'))
            return true;
        p->cursor->at++;
        wn_css_calc by;
        if (!read_term(p, &by))
            return false;
        if (!times) {
            float divisor = by.first.of[WN_CSS_PX];
            if (!is_known(&by.first) || by.arm_count || divisor == 0)
                return false;
            if (!by.is_number && !out->is_number)
                out->is_number = by.is_number = true; /* a ratio of lengths */
            by.first.of[WN_CSS_PX] = 1 / divisor;
        }
        if (!multiply(out, &by))
            return false;
    }
}

static bool read_sum(parser *p, wn_css_calc *out)
{
    if (!read_product(p, out))
        return false;
    for (;;) {
        const wn_css_token *t = p->cursor->at;
        bool minus = wn_css_is_delim(t, '-');
        if (!minus && !wn_css_is_delim(t, '+'))
            return true;
        if (!t->space || !t[1].space)
            return false;
        p->cursor->at++;
        wn_css_calc next;
        if (!read_product(p, &next))
            return false;
        if (minus)
            scale(&next, -1);
        if (!add(out, &next))
            return false;
    }
}

static bool is_finite(const wn_css_calc *calc)
{
    for (int i = 0; i < WN_CSS_UNITS; i++)
        if (!isfinite(calc->first.of[i]))
            return false;
    for (int a = 0; a < calc->arm_count; a++)
        for (int i = 0; i < WN_CSS_UNITS; i++)
            if (!isfinite(calc->arms[a].of[i]))
                return false;
    return true;
}

bool wn_css_read_calc(wn_css_cursor *cursor, wn_css_calc *calc)
{
    parser p = {cursor, 0};
    const wn_css_token *start = cursor->at;
    if (read_term(&p, calc) && is_finite(calc))
        return true;
    cursor->at = start;
    return false;
}
