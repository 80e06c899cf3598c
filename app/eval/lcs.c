#include "eval/lcs.h"

#include <assert.h>
#include <string.h>

enum {
    /* 8 MiB: pages of up to 8,000 words are solved in one go. */
    DEFAULT_MOST_ROWS = 1 << 20,
    /* Each cut halves `b`, so there are never more parts waiting than this. */
    MOST_PARTS = 64,
};

/* A part of the problem: the words of both lists between two places each. */
typedef struct part {
    uint32_t a_start, a_end, b_start, b_end;
} part;

static uint32_t row_size(uint32_t count)
{
    return (count + 63) / 64;
}

/* ---- One row after the other ------------------------------------------------------------- */

/* Whether a word has all `size` stretches of `a`, some of which may be empty. */
static bool is_everywhere(const wn_lcs *lcs, uint32_t size, uint32_t word)
{
    return lcs->first.items[word + 1] - lcs->first.items[word] == size;
}

/*
 * Counts the stretches of each word in first[word + 1], then makes places of the counts. A word that
 * is in most stretches gets all, which costs a third more at most: see add_two_words().
 */
static void place_words(wn_lcs *lcs, const uint32_t *a, uint32_t count, uint32_t words)
{
    uint32_t *first = lcs->first.items, *last = lcs->cursor.items;
    uint32_t size = row_size(count), most = size - size / 4;
    memset(first, 0, ((size_t)words + 1) * sizeof *first);
    memset(last, 0, (size_t)words * sizeof *last);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t stretch = i / 64 + 1;
        assert(a[i] < words);
        first[a[i] + 1] += last[a[i]] != stretch;
        last[a[i]] = stretch;
    }
    for (uint32_t word = 0; word < words; word++)
        first[word + 1] = first[word] + (first[word + 1] >= most ? size : first[word + 1]);
}

/* All stretches of the words that are everywhere, without a place yet. */
static void clear_stretches(wn_lcs *lcs, uint32_t size, uint32_t words)
{
    for (uint32_t word = 0; word < words; word++) {
        wn_lcs_stretch *stretch = lcs->stretches.items + lcs->first.items[word];
        for (uint32_t k = 0; k < size && is_everywhere(lcs, size, word); k++)
            stretch[k] = (wn_lcs_stretch){.number = k};
    }
}

bool wn_eval_lcs_collect(wn_lcs *lcs, const uint32_t *a, uint32_t count, uint32_t words)
{
    if (!wn_array_reserve(&lcs->first, words + 1) || !wn_array_reserve(&lcs->cursor, words + 1) ||
        !wn_array_reserve(&lcs->stretches, count + count / 3 + 1))
        return false;
    uint32_t size = row_size(count);
    place_words(lcs, a, count, words);
    clear_stretches(lcs, size, words);
    memcpy(lcs->cursor.items, lcs->first.items, (size_t)words * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *cursor = &lcs->cursor.items[a[i]];
        wn_lcs_stretch *stretch = &lcs->stretches.items[*cursor];
        if (is_everywhere(lcs, size, a[i]))
            stretch += i / 64;
        else if (*cursor > lcs->first.items[a[i]] && stretch[-1].number == i / 64)
            stretch--;
        else
            *stretch = (wn_lcs_stretch){.number = i / 64}, ++*cursor;
        stretch->mask |= UINT64_C(1) << i % 64;
    }
    return true;
}

/* V + U + carry in one stretch of the row; gives the new carry. */
static uint64_t step(uint64_t *v, uint64_t mask, uint64_t carry)
{
    uint64_t u = *v & mask, sum, first;
    uint64_t out = __builtin_add_overflow(*v, u, &first);
    out |= __builtin_add_overflow(first, carry, &sum);
    *v = sum | (*v & ~mask);
    return out;
}

/* What one word of `b` does to the row. */
static void add_word(const wn_lcs *lcs, uint64_t *row, uint32_t size, uint32_t word)
{
    assert(word < lcs->words);
    const wn_lcs_stretch *stretch = lcs->stretches.items + lcs->first.items[word];
    const wn_lcs_stretch *end = lcs->stretches.items + lcs->first.items[word + 1];
    uint64_t carry = 0;
    uint32_t at = 0; /* the stretch that the carry goes into */
    for (; stretch < end; stretch++) {
        for (; at < stretch->number && carry; at++)
            carry = step(&row[at], 0, carry);
        carry = step(&row[stretch->number], stretch->mask, carry);
        at = stretch->number + 1;
    }
    for (; carry && at < size; at++)
        carry = step(&row[at], 0, carry);
}

/*
 * What two words of `b`, the second after the first, do to the row if both are everywhere. Each
 * step waits for the carry of the one before it; the steps of two words overlap.
 */
static void add_two_words(const wn_lcs *lcs, uint64_t *row, uint32_t size, uint32_t word,
                          uint32_t next)
{
    const wn_lcs_stretch *stretch = lcs->stretches.items + lcs->first.items[word];
    const wn_lcs_stretch *of_next = lcs->stretches.items + lcs->first.items[next];
    uint64_t carry = 0, next_carry = 0;
    for (uint32_t at = 0; at < size; at++) {
        assert(stretch[at].number == at && of_next[at].number == at);
        uint64_t v = row[at];
        carry = step(&v, stretch[at].mask, carry);
        next_carry = step(&v, of_next[at].mask, next_carry);
        row[at] = v;
    }
}

/* The last row of the table of `a` and `b`, in lcs->row; false if out of memory. */
static bool last_row(wn_lcs *lcs, const uint32_t *a, uint32_t a_count, const uint32_t *b,
                     uint32_t b_count)
{
    uint32_t size = row_size(a_count);
    if (!wn_array_reserve(&lcs->row, size + 1) || !wn_eval_lcs_collect(lcs, a, a_count, lcs->words))
        return false;
    memset(lcs->row.items, 0xFF, size * sizeof(uint64_t));
    uint32_t j = 0;
    while (j < b_count) {
        bool both = j + 1 < b_count && is_everywhere(lcs, size, b[j]) &&
                    is_everywhere(lcs, size, b[j + 1]);
        if (both)
            add_two_words(lcs, lcs->row.items, size, b[j], b[j + 1]);
        else
            add_word(lcs, lcs->row.items, size, b[j]);
        j += both ? 2 : 1;
    }
    return true;
}

static bool row_bit(const uint64_t *row, uint32_t i)
{
    return row[i / 64] >> i % 64 & 1;
}

/* ---- A part whose rows fit --------------------------------------------------------------- */

/*
 * Walks from the end of both lists to the start. Equal words are always a pair of some longest
 * subsequence; else the walk goes where the length stays the same.
 */
static void walk_back(const wn_lcs *lcs, const part *p, const uint32_t *a, const uint32_t *b,
                      uint32_t *match)
{
    uint32_t i = p->a_end - p->a_start, j = p->b_end - p->b_start;
    uint32_t size = row_size(i);
    while (i > 0 && j > 0) {
        if (a[i - 1] == b[j - 1]) {
            match[p->a_start + --i] = p->b_start + --j;
            continue;
        }
        const uint64_t *row = lcs->rows.items + (size_t)(j - 1) * size;
        if (row_bit(row, i - 1))
            i--;
        else
            j--;
    }
}

static bool solve(wn_lcs *lcs, const part *p, const uint32_t *a, const uint32_t *b, uint32_t *match)
{
    uint32_t a_count = p->a_end - p->a_start, b_count = p->b_end - p->b_start;
    uint32_t size = row_size(a_count);
    if (!wn_array_reserve(&lcs->rows, size * b_count + 1) ||
        !wn_eval_lcs_collect(lcs, a, a_count, lcs->words))
        return false;
    for (uint32_t j = 0; j < b_count; j++) {
        uint64_t *row = lcs->rows.items + (size_t)j * size;
        if (j == 0)
            memset(row, 0xFF, size * sizeof *row);
        else
            memcpy(row, row - size, size * sizeof *row);
        add_word(lcs, row, size, b[j]);
    }
    walk_back(lcs, p, a, b, match);
    return true;
}

/* ---- A part that must be cut ------------------------------------------------------------- */

static uint32_t *flip(uint32_t *out, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = list[count - 1 - i];
    return out;
}

/* Where `a` is cut when `b` is cut at `middle`; false if out of memory. */
static bool find_cut(wn_lcs *lcs, const uint32_t *a, uint32_t a_count, const uint32_t *b,
                     uint32_t b_count, uint32_t middle, uint32_t *cut)
{
    uint32_t rest = b_count - middle;
    if (!wn_array_reserve(&lcs->profile, a_count + 1) ||
        !wn_array_reserve(&lcs->flipped, a_count + rest + 1) ||
        !last_row(lcs, a, a_count, b, middle))
        return false;
    uint32_t *profile = lcs->profile.items;
    profile[0] = 0;
    for (uint32_t i = 0; i < a_count; i++)
        profile[i + 1] = profile[i] + !row_bit(lcs->row.items, i);
    const uint32_t *a_flipped = flip(lcs->flipped.items, a, a_count);
    const uint32_t *b_flipped = flip(lcs->flipped.items + a_count, b + middle, rest);
    if (!last_row(lcs, a_flipped, a_count, b_flipped, rest))
        return false;
    uint32_t best = profile[a_count], behind = 0;
    *cut = a_count;
    for (uint32_t i = 0; i < a_count; i++) {
        behind += !row_bit(lcs->row.items, i);
        uint32_t sum = profile[a_count - 1 - i] + behind;
        if (sum > best) {
            best = sum;
            *cut = a_count - 1 - i;
        }
    }
    return true;
}

/* ---- All parts --------------------------------------------------------------------------- */

/* Pairs equal words at both ends, which need no search. */
static void trim(part *p, const uint32_t *a, const uint32_t *b, uint32_t *match)
{
    while (p->a_start < p->a_end && p->b_start < p->b_end && a[p->a_start] == b[p->b_start])
        match[p->a_start++] = p->b_start++;
    while (p->a_start < p->a_end && p->b_start < p->b_end && a[p->a_end - 1] == b[p->b_end - 1])
        match[--p->a_end] = --p->b_end;
}

static bool solve_parts(wn_lcs *lcs, part whole, const uint32_t *a, const uint32_t *b,
                        uint32_t *match)
{
    uint64_t most = lcs->most_rows ? lcs->most_rows : DEFAULT_MOST_ROWS;
    part parts[MOST_PARTS] = {whole};
    size_t count = 1;
    while (count > 0) {
        part p = parts[--count];
        trim(&p, a, b, match);
        uint32_t a_count = p.a_end - p.a_start, b_count = p.b_end - p.b_start;
        if (a_count == 0 || b_count == 0)
            continue;
        if (b_count == 1 || (uint64_t)row_size(a_count) * b_count <= most) {
            if (!solve(lcs, &p, a + p.a_start, b + p.b_start, match))
                return false;
            continue;
        }
        assert(count + 2 <= MOST_PARTS);
        uint32_t middle = b_count / 2, cut;
        if (!find_cut(lcs, a + p.a_start, a_count, b + p.b_start, b_count, middle, &cut))
            return false;
        parts[count++] = (part){p.a_start, p.a_start + cut, p.b_start, p.b_start + middle};
        parts[count++] = (part){p.a_start + cut, p.a_end, p.b_start + middle, p.b_end};
    }
    return true;
}

static uint32_t at_most(uint32_t count)
{
    return count < WN_LCS_MOST_WORDS ? count : WN_LCS_MOST_WORDS;
}

uint32_t wn_eval_lcs_align(wn_lcs *lcs, const uint32_t *a, uint32_t a_count, const uint32_t *b,
                           uint32_t b_count, uint32_t words, uint32_t *match)
{
    lcs->words = words;
    for (uint32_t i = 0; i < a_count; i++)
        match[i] = WN_LCS_NONE;
    part whole = {0, at_most(a_count), 0, at_most(b_count)};
    if (!solve_parts(lcs, whole, a, b, match))
        return UINT32_MAX;
    uint32_t length = 0;
    for (uint32_t i = 0; i < a_count; i++)
        length += match[i] != WN_LCS_NONE;
    return length;
}

void wn_eval_lcs_free(wn_lcs *lcs)
{
    wn_array_free(&lcs->row);
    wn_array_free(&lcs->rows);
    wn_array_free(&lcs->first);
    wn_array_free(&lcs->cursor);
    wn_array_free(&lcs->stretches);
    wn_array_free(&lcs->profile);
    wn_array_free(&lcs->flipped);
}
