#include "eval/edit.h"

#include "base/utf8.h"

void wn_eval_edit_free(wn_edit *edit)
{
    wn_map64_free(&edit->alphabet);
    wn_eval_lcs_free(&edit->places);
    wn_array_free(&edit->up);
    wn_array_free(&edit->down);
    wn_array_free(&edit->a);
    wn_array_free(&edit->b);
}

void wn_eval_edit_add_chars(wn_edit *edit, wn_edit_chars *chars, wn_str text, uint32_t most)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    for (uint32_t i = 0; i < most && at < end && !edit->failed; i++) {
        uint32_t number = wn_map64_add(&edit->alphabet, wn_utf8_next(&at));
        uint32_t *slot = wn_array_push(chars);
        edit->failed = edit->alphabet.failed || !slot;
        if (slot)
            *slot = number;
    }
}

/* What a step hands on to the next 64 rows. */
typedef struct carry {
    uint64_t up, down;
} carry;

/* 64 rows of one column; `at` are those whose character is that of the column. */
static carry step(uint64_t *up, uint64_t *down, uint64_t at, carry in, uint64_t last)
{
    uint64_t x = at | in.down;
    uint64_t diagonal = (((x & *up) + *up) ^ *up) | x | *down;
    uint64_t grows = *down | ~(diagonal | *up);
    uint64_t falls = diagonal & *up;
    carry out = {.up = (grows & last) != 0, .down = (falls & last) != 0};
    grows = grows << 1 | in.up;
    falls = falls << 1 | in.down;
    *up = falls | ~(diagonal | grows);
    *down = grows & diagonal;
    return out;
}

/* The last row of the table, column by column. */
static uint32_t walk(wn_edit *edit, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    uint32_t parts = (a_count + 63) / 64, distance = a_count;
    uint64_t last = UINT64_C(1) << (a_count - 1) % 64, top = UINT64_C(1) << 63;
    for (uint32_t i = 0; i < parts; i++) {
        edit->up.items[i] = UINT64_MAX;
        edit->down.items[i] = 0;
    }
    for (uint32_t j = 0; j < b_count; j++) {
        const wn_lcs *places = &edit->places;
        const wn_lcs_stretch *next = places->stretches.items + places->first.items[b[j]];
        const wn_lcs_stretch *end = places->stretches.items + places->first.items[b[j] + 1];
        carry c = {.up = 1};
        for (uint32_t i = 0; i < parts; i++) {
            uint64_t at = next < end && next->number == i ? next++->mask : 0;
            c = step(&edit->up.items[i], &edit->down.items[i], at, c, i + 1 < parts ? top : last);
        }
        distance += (uint32_t)c.up;
        distance -= (uint32_t)c.down;
    }
    return distance;
}

uint32_t wn_eval_edit_distance(wn_edit *edit, const uint32_t *a, uint32_t a_count,
                               const uint32_t *b, uint32_t b_count)
{
    while (a_count > 0 && b_count > 0 && a[0] == b[0])
        a++, b++, a_count--, b_count--;
    while (a_count > 0 && b_count > 0 && a[a_count - 1] == b[b_count - 1])
        a_count--, b_count--;
    if (a_count == 0 || b_count == 0)
        return a_count + b_count;
    uint32_t parts = (a_count + 63) / 64;
    if (!wn_array_reserve(&edit->up, parts) || !wn_array_reserve(&edit->down, parts) ||
        !wn_eval_lcs_collect(&edit->places, a, a_count, edit->alphabet.keys.count)) {
        edit->failed = true;
        return a_count + b_count;
    }
    return walk(edit, a_count, b, b_count);
}

double wn_eval_edit_similarity(wn_edit *edit, wn_str a, wn_str b)
{
    edit->a.count = edit->b.count = 0;
    wn_map64_clear(&edit->alphabet);
    wn_eval_edit_add_chars(edit, &edit->a, a, WN_EDIT_MOST_CHARS);
    wn_eval_edit_add_chars(edit, &edit->b, b, WN_EDIT_MOST_CHARS);
    uint32_t longer = edit->a.count > edit->b.count ? edit->a.count : edit->b.count;
    if (longer == 0 || edit->failed)
        return 1;
    uint32_t distance = wn_eval_edit_distance(edit, edit->a.items, edit->a.count, edit->b.items,
                                              edit->b.count);
    return 1 - (double)distance / longer;
}
