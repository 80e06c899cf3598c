/*
 * Sizes of a grid's tracks: what the style gives them, what their items need, then shares (fr) of
 * what is left.  https://drafts.csswg.org/css-grid/#algo-track-sizing
 */
#include <assert.h>

#include "layout/grid.h"

enum { MAX_ROUNDS = 32 }; /* of sharing; a few are the rule */

static bool is_intrinsic(wn_length length)
{
    return length.kind != WN_LENGTH_FIXED && length.kind != WN_LENGTH_FR;
}

static wn_px gaps_of(const axis *a)
{
    return a->count > 1 ? a->gap * (a->count - 1) : 0;
}

wn_px wn_layout_grid_sum(const axis *a)
{
    wn_px sum = gaps_of(a);
    for (uint32_t i = 0; i < a->count; i++)
        sum += a->tracks[i].base;
    return sum;
}

/* https://drafts.csswg.org/css-grid/#algo-init */
void wn_layout_grid_start_tracks(const wn_lay *lay, axis *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        track *t = &a->tracks[i];
        t->base = wn_px_max(wn_layout_length(lay, t->min, a->size, 0), 0);
        t->limit = wn_px_max(wn_layout_length(lay, t->max, a->size, t->base), t->base);
        if (t->min.kind == WN_LENGTH_FIXED && !wn_layout_is_definite(lay, t->min, a->size))
            t->min.kind = WN_LENGTH_AUTO;
        if (t->max.kind == WN_LENGTH_FIXED && !wn_layout_is_definite(lay, t->max, a->size))
            t->max.kind = WN_LENGTH_AUTO;
    }
}

/* ---- What items need --------------------------------------------------------------------- */

/* The tracks of a span as they are before an item is fitted in. */
typedef struct span_sum {
    wn_px base, limit;
    uint32_t open; /* tracks whose size depends on items */
    bool flexible;
} span_sum;

static span_sum sum_span(const axis *a, span s)
{
    span_sum sum = {.base = a->gap * (s.count - 1)};
    sum.limit = sum.base;
    for (uint32_t i = s.at; i < s.at + s.count; i++) {
        const track *t = &a->tracks[i];
        sum.base += t->base;
        sum.limit += t->limit;
        sum.open += is_intrinsic(t->min) || is_intrinsic(t->max);
        sum.flexible |= t->fr > 0;
    }
    return sum;
}

/* Gives one of the open tracks its part of what is missing. */
static void fit_track(track *t, const span_sum *sum, need n)
{
    wn_px wanted = t->min.kind == WN_LENGTH_MAX_CONTENT ? n.most : n.least;
    if (is_intrinsic(t->min) && wanted > sum->base)
        t->base += (wanted - sum->base) / sum->open;
    wn_px comfort = t->max.kind == WN_LENGTH_MIN_CONTENT ? n.least : n.most;
    if (t->max.kind == WN_LENGTH_FIT_CONTENT)
        comfort = wn_px_max(wn_px_min(comfort, wn_px_from(t->max.px)), n.least);
    if (is_intrinsic(t->max) && comfort > sum->limit)
        t->limit += (comfort - sum->limit) / sum->open;
    if (t->max.kind == WN_LENGTH_FIXED)
        t->base = wn_px_min(t->base, wn_px_max(t->limit, wanted));
    t->limit = wn_px_max(t->limit, t->base);
}

/* https://drafts.csswg.org/css-grid/#algo-content */
void wn_layout_grid_fit(axis *a, span s, need n)
{
    assert(s.count > 0 && s.at + s.count <= a->count);
    span_sum sum = sum_span(a, s);
    if (s.count > 1 && sum.flexible)
        return; /* shares of the rest see to it */
    for (uint32_t i = s.at; i < s.at + s.count; i++)
        if (is_intrinsic(a->tracks[i].min) || is_intrinsic(a->tracks[i].max))
            fit_track(&a->tracks[i], &sum, n);
}

/* ---- The room that is left --------------------------------------------------------------- */

/* Grows tracks to their limits, equally, as far as there is room. */
static void grow_to_limits(axis *a, wn_px room)
{
    for (int round = 0; round < MAX_ROUNDS && room > 0; round++) {
        uint32_t growing = 0;
        for (uint32_t i = 0; i < a->count; i++)
            growing += a->tracks[i].fr <= 0 && a->tracks[i].base < a->tracks[i].limit;
        if (growing == 0)
            return;
        wn_px each = wn_px_max(room / growing, 1);
        for (uint32_t i = 0; i < a->count && room > 0; i++) {
            track *t = &a->tracks[i];
            if (t->fr > 0 || t->base >= t->limit)
                continue;
            wn_px more = wn_px_min(wn_px_min(each, t->limit - t->base), room);
            t->base += more;
            room -= more;
        }
    }
}

/* The size of 1fr; 0 if no track has a share. */
static double size_of_share(const axis *a)
{
    double rest = (double)(a->size - gaps_of(a)), shares = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->tracks[i].fr > 0)
            shares += (double)a->tracks[i].fr;
        else
            rest -= (double)a->tracks[i].base;
    }
    if (shares <= 0)
        return 0;
    return (rest > 0 ? rest : 0) / (shares < 1 ? 1 : shares);
}

/* Takes their share from tracks that need more than that; true if there are any. */
static bool drop_shares(axis *a, double one)
{
    bool any = false;
    for (uint32_t i = 0; i < a->count; i++) {
        track *t = &a->tracks[i];
        if (t->fr > 0 && (double)t->base > one * (double)t->fr + 1) {
            t->fr = 0;
            any = true;
        }
    }
    return any;
}

/* Shares what is left among the tracks with fr; one that needs more than its share keeps that. */
static void share_rest(axis *a)
{
    for (int round = 0; round < MAX_ROUNDS; round++) {
        double one = size_of_share(a);
        if (drop_shares(a, one))
            continue;
        for (uint32_t i = 0; i < a->count; i++)
            if (a->tracks[i].fr > 0)
                a->tracks[i].base = wn_px_cut(one * (double)a->tracks[i].fr);
        return;
    }
}

/* Without a room to share: all as large as the neediest makes its share. */
static void share_by_need(axis *a)
{
    double one = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const track *t = &a->tracks[i];
        double need = t->fr > 0 ? (double)t->limit / (double)(t->fr < 1 ? 1 : t->fr) : 0;
        one = need > one ? need : one;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        track *t = &a->tracks[i];
        if (t->fr > 0)
            t->base = wn_px_max(t->base, wn_px_cut(one * (double)t->fr));
    }
}

void wn_layout_grid_stretch(axis *a, wn_px room)
{
    uint32_t autos = 0;
    for (uint32_t i = 0; i < a->count; i++)
        autos += a->tracks[i].max.kind == WN_LENGTH_AUTO && a->tracks[i].fr <= 0;
    for (uint32_t i = 0; autos && room > 0 && i < a->count; i++)
        if (a->tracks[i].max.kind == WN_LENGTH_AUTO && a->tracks[i].fr <= 0)
            a->tracks[i].base += room / autos;
}

/* An axis of unknown size is as large as its tracks. */
void wn_layout_grid_finish_tracks(axis *a, uint8_t content)
{
    if (a->size == WN_PX_AUTO) {
        for (uint32_t i = 0; i < a->count; i++)
            if (a->tracks[i].fr <= 0)
                a->tracks[i].base = wn_px_max(a->tracks[i].base, a->tracks[i].limit);
        share_by_need(a);
    } else {
        grow_to_limits(a, a->size - wn_layout_grid_sum(a));
        share_rest(a);
        if (content == WN_ALIGN_NORMAL || content == WN_ALIGN_STRETCH)
            wn_layout_grid_stretch(a, a->size - wn_layout_grid_sum(a));
    }
}

/* https://drafts.csswg.org/css-grid/#grid-align */
void wn_layout_grid_place_tracks(axis *a, wn_px room, uint8_t content)
{
    wn_px rest = room == WN_PX_AUTO ? 0 : room - wn_layout_grid_sum(a), at = 0, between = 0;
    if (content == WN_ALIGN_CENTER)
        at = rest / 2;
    else if (content == WN_ALIGN_END || content == WN_ALIGN_FLEX_END || content == WN_ALIGN_RIGHT)
        at = rest;
    else if (content == WN_ALIGN_SPACE_BETWEEN && a->count > 1 && rest > 0)
        between = rest / (a->count - 1);
    else if (content == WN_ALIGN_SPACE_AROUND && a->count > 0 && rest > 0)
        between = rest / a->count, at = between / 2;
    else if (content == WN_ALIGN_SPACE_EVENLY && rest > 0)
        at = between = rest / (a->count + 1);
    for (uint32_t i = 0; i < a->count; i++) {
        a->tracks[i].at = at;
        at += a->tracks[i].base + a->gap + between;
    }
}
