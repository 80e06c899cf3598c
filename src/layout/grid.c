/*
 * Grids: items in rows and columns that the style gives or that come up as they are needed.
 *
 * 1. Items get their cells: by line numbers, names and areas, or one after the other where there
 *    is room.  https://drafts.csswg.org/css-grid/#auto-placement-algo
 * 2. Columns are sized, by what they are given and by the widths their items need, then by shares
 *    (fr) of what is left.  https://drafts.csswg.org/css-grid/#algo-track-sizing
 * 3. Items are asked for their heights; rows are sized alike.
 * 4. Items are laid out in their areas.
 *
 * There is no subgrid, and no lines before the first one of the template.
 */
#include <string.h>

#include "layout/engine.h"

enum {
    MAX_TRACKS = 1000,   /* in each direction; as many lines as anyone draws */
    MAX_ROWS = 20000,    /* that come up by themselves */
    MAX_CELLS = 4 << 20, /* of the table that says which cells are taken */
};

#define INFINITE (WN_PX_MAX * 4)

typedef struct track {
    wn_length min, max;
    wn_px base, limit, at;
    wn_px ascent[2]; /* of items lined up at the start and the end of a row: the largest */
    float fr;
} track;

typedef struct grid_item {
    uint32_t box;
    int32_t order;
    uint32_t column, row, columns, rows; /* first track and span */
    bool has_column, has_row;
    uint8_t align; /* wn_align in the axis of the rows, resolved */
    bool at_end;   /* lined up with others at the end of their row */
    wn_px ascent;  /* from that end to its baseline */
} item;

struct wn_grid {
    track *columns, *rows;
    item *items;
    uint8_t *taken; /* a bit a cell */
    uint32_t column_count, row_count, explicit_columns, explicit_rows, item_count, row_room;
    uint32_t extra_columns, extra_rows;       /* tracks that auto-fill repeats added */
    wn_px column_gap, row_gap, width, height; /* of the content box; height may be WN_PX_AUTO */
    float fr_left;
};

typedef struct wn_grid grid;

/* ---- Templates --------------------------------------------------------------------------- */

/* How often repeat(auto-fill, …) fits into `room`. */
static uint32_t repetitions(wn_lay *lay, const wn_track_list *list, wn_px room, wn_px gap)
{
    if (list->repeat_end <= list->repeat_start)
        return 0;
    wn_px once = 0, rest = 0;
    for (uint32_t i = 0; i < list->track_count; i++) {
        const wn_track *t = &list->tracks[i];
        wn_px size = wn_lay_length(lay, t->max, room, WN_PX_AUTO);
        if (size == WN_PX_AUTO)
            size = wn_lay_length(lay, t->min, room, 0);
        if (i >= list->repeat_start && i < list->repeat_end)
            once += wn_px_max(size, WN_UNIT) + gap;
        else
            rest += size + gap;
    }
    if (room == WN_PX_AUTO || once <= 0)
        return 1;
    wn_px count = (room + gap - rest) / once;
    return count < 1 ? 1 : count > MAX_TRACKS ? MAX_TRACKS : (uint32_t)count;
}

static uint32_t template_count(const wn_track_list *list, uint32_t times)
{
    if (!list)
        return 0;
    uint32_t repeated = list->repeat_end - list->repeat_start;
    uint64_t count = (uint64_t)list->track_count - repeated + (uint64_t)repeated * times;
    return count > MAX_TRACKS ? MAX_TRACKS : (uint32_t)count;
}

/* The track of the template that stands at `i` once repetitions are written out. */
static const wn_track *template_track(const wn_track_list *list, uint32_t times, uint32_t i)
{
    uint32_t repeated = list->repeat_end - list->repeat_start, all = repeated * times;
    if (i >= list->repeat_start && i < list->repeat_start + all)
        i = list->repeat_start + (i - list->repeat_start) % repeated;
    else if (i >= list->repeat_start + all && repeated)
        i = i - all + repeated;
    return i < list->track_count ? &list->tracks[i] : NULL;
}

static void set_track(track *t, const wn_track *from)
{
    static const wn_track automatic = {{0, 0, WN_LENGTH_AUTO, 0}, {0, 0, WN_LENGTH_AUTO, 0}};
    if (!from)
        from = &automatic;
    *t = (track){.min = from->min, .max = from->max};
    if (t->max.kind == WN_LENGTH_FR)
        t->fr = t->max.px > 0 ? t->max.px : 0;
}

static void fill_tracks(track *tracks, uint32_t count, const wn_track_list *list, uint32_t times,
                        uint32_t explicit, const wn_track_list *automatic)
{
    for (uint32_t i = 0; i < count; i++) {
        const wn_track *from = NULL;
        if (list && i < explicit)
            from = template_track(list, times, i);
        else if (automatic && automatic->track_count)
            from = &automatic->tracks[(i - explicit) % automatic->track_count];
        set_track(&tracks[i], from);
    }
}

/* ---- Lines ------------------------------------------------------------------------------- */

static bool name_is(wn_grid_name whole, wn_grid_name start, const char *suffix)
{
    size_t length = strlen(suffix);
    return whole.len == start.len + length && memcmp(whole.ptr, start.ptr, start.len) == 0 &&
           memcmp(whole.ptr + start.len, suffix, length) == 0;
}

/* The line of a name: of an area's edge, or given beside the tracks; -1 if there is none. */
static int64_t named_line(const wn_style *style, bool column, bool end, wn_grid_line line,
                          uint32_t extra)
{
    const wn_grid_areas *areas = style->grid_areas;
    for (uint32_t i = 0; areas && i < areas->count; i++) {
        const wn_grid_area *area = &areas->areas[i];
        uint32_t from = column ? area->column_start : area->row_start;
        uint32_t to = column ? area->column_end : area->row_end;
        if (line.number == 0 && wn_grid_name_eq(area->name, line.name))
            return end ? to : from;
        if (name_is(line.name, area->name, "-start"))
            return from;
        if (name_is(line.name, area->name, "-end"))
            return to;
    }
    const wn_track_list *list = column ? style->grid_columns : style->grid_rows;
    int32_t wanted = line.number > 0 ? line.number : 1;
    for (uint32_t i = 0; list && i < list->name_count; i++) {
        wn_grid_name name = list->names[i].name;
        bool same = wn_grid_name_eq(name, line.name) ||
                    (line.number == 0 && name_is(name, line.name, end ? "-end" : "-start"));
        if (same && --wanted == 0) {
            bool behind = list->repeat_end > list->repeat_start &&
                          list->names[i].before >= list->repeat_end;
            return (int64_t)list->names[i].before + (behind ? extra : 0);
        }
    }
    return -1;
}

/* A line as a number from 0; -1: auto. */
static int64_t line_of(const wn_style *style, bool column, bool end, wn_grid_line line,
                       uint32_t explicit, uint32_t extra)
{
    if (line.span)
        return -1;
    if (line.name.len)
        return named_line(style, column, end, line, extra);
    if (line.number == 0)
        return -1;
    int64_t at = line.number > 0 ? (int64_t)line.number - 1 : (int64_t) explicit + 1 + line.number;
    return at < 0 ? 0 : at;
}

static uint32_t span_of(wn_grid_line start, wn_grid_line end)
{
    int32_t span = start.span ? start.number : end.span ? end.number : 1;
    return span < 1 ? 1 : span > MAX_TRACKS ? MAX_TRACKS : (uint32_t)span;
}

/* One axis of an item: whether it has a place, its first track and its span. */
static bool place_axis(const wn_style *style, bool column, wn_grid_line start, wn_grid_line end,
                       uint32_t explicit, uint32_t extra, uint32_t *at, uint32_t *span)
{
    int64_t from = line_of(style, column, false, start, explicit, extra);
    int64_t to = line_of(style, column, true, end, explicit, extra);
    uint32_t most = column ? MAX_TRACKS : MAX_ROWS;
    *span = span_of(start, end);
    if (from >= 0 && to >= 0) {
        if (to < from) {
            int64_t swap = from;
            from = to;
            to = swap;
        }
        *span = to > from ? (uint32_t)(to - from < most ? to - from : most) : 1;
    } else if (to >= 0) {
        from = to - (int64_t)*span;
    }
    if (from < 0 && to < 0)
        return false;
    from = from < 0 ? 0 : from;
    *at = (uint32_t)(from < most - 1 ? from : most - 1);
    if (*span > most - *at)
        *span = most - *at;
    return true;
}

/* ---- Placement --------------------------------------------------------------------------- */

static bool is_free(const grid *g, uint32_t row, uint32_t column, uint32_t rows, uint32_t columns)
{
    for (uint32_t r = row; r < row + rows && r < g->row_room; r++)
        for (uint32_t c = column; c < column + columns; c++) {
            size_t bit = (size_t)r * g->column_count + c;
            if (g->taken[bit / 8] & 1u << bit % 8)
                return false;
        }
    return true;
}

static void take(grid *g, const item *it)
{
    for (uint32_t r = it->row; r < it->row + it->rows && r < g->row_room; r++)
        for (uint32_t c = it->column; c < it->column + it->columns; c++) {
            size_t bit = (size_t)r * g->column_count + c;
            g->taken[bit / 8] |= (uint8_t)(1u << bit % 8);
        }
    if (it->row + it->rows > g->row_count)
        g->row_count = it->row + it->rows;
}

/* Puts the items without a place one behind the other. Work is bounded by the cells passed. */
static void place_rest(grid *g, bool dense)
{
    uint32_t row = 0, column = 0;
    uint64_t budget = (uint64_t)MAX_CELLS * 8; /* looks at cells, all in all */
    for (uint32_t i = 0; i < g->item_count; i++) {
        item *it = &g->items[i];
        if (it->has_column && it->has_row)
            continue;
        uint32_t r = dense ? 0 : row, c = dense || it->has_column ? 0 : column;
        if (it->has_column)
            c = it->column;
        if (it->has_row)
            r = it->row, c = it->has_column ? c : 0;
        if (it->has_column && !dense && !it->has_row && c < column)
            r++;
        while (budget > 0 && r < MAX_ROWS - 1) {
            uint64_t cost = (uint64_t)it->rows * it->columns;
            budget = budget > cost ? budget - cost : 0;
            if (c + it->columns <= g->column_count && is_free(g, r, c, it->rows, it->columns))
                break;
            bool next_row = it->has_column || c + it->columns >= g->column_count;
            if (next_row && it->has_row)
                break;
            c = it->has_column ? it->column : next_row ? 0 : c + 1;
            r += next_row;
        }
        if (c + it->columns > g->column_count)
            c = g->column_count - it->columns;
        it->row = r;
        it->column = c;
        take(g, it);
        if (!it->has_row && !dense) {
            row = r;
            column = c + it->columns;
        }
    }
}

static void swap_axes(item *it)
{
    item copy = *it;
    it->column = copy.row;
    it->row = copy.column;
    it->columns = copy.rows;
    it->rows = copy.columns;
    it->has_column = copy.has_row;
    it->has_row = copy.has_column;
}

/* Items by order; few items have one, so insertion from behind is enough up to a bound. */
static void sort_items(item *items, uint32_t count)
{
    enum { MOST_SORTED = 2000 };
    if (count > MOST_SORTED)
        return;
    for (uint32_t i = 1; i < count; i++) {
        item it = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1].order > it.order; at--)
            items[at] = items[at - 1];
        items[at] = it;
    }
}

static bool place_items(wn_lay *lay, uint32_t number, grid *g)
{
    const wn_style *style = wn_lay_at(lay, number)->style;
    uint32_t end = wn_lay_at(lay, number)->end;
    for (uint32_t i = number + 1; i < end; i = wn_lay_at(lay, i)->end)
        g->item_count += !wn_lay_at(lay, i)->absolute;
    g->items = wn_lay_alloc(lay, (g->item_count + 1) * sizeof *g->items);
    if (!g->items)
        return false;
    uint32_t n = 0;
    for (uint32_t i = number + 1; i < end; i = wn_lay_at(lay, i)->end) {
        const wn_lay_box *box = wn_lay_at(lay, i);
        if (box->absolute)
            continue;
        item *it = &g->items[n++];
        *it = (item){.box = i, .columns = 1, .rows = 1};
        it->align = wn_align_of(lay, i, false);
        if (box->anonymous)
            continue;
        it->order = box->style->order;
        it->has_column = place_axis(style, true, box->style->grid_column_start,
                                    box->style->grid_column_end, g->explicit_columns,
                                    g->extra_columns, &it->column, &it->columns);
        it->has_row = place_axis(style, false, box->style->grid_row_start, box->style->grid_row_end,
                                 g->explicit_rows, g->extra_rows, &it->row, &it->rows);
    }
    sort_items(g->items, g->item_count);
    g->column_count = g->explicit_columns ? g->explicit_columns : 1;
    g->row_count = g->explicit_rows;
    uint32_t deepest = g->explicit_rows;
    bool flow_column = style->grid_flow_column;
    for (uint32_t i = 0; i < n; i++) {
        const item *it = &g->items[i];
        uint32_t columns = (it->has_column ? it->column : 0) + it->columns;
        if (columns > g->column_count)
            g->column_count = columns < MAX_TRACKS ? columns : MAX_TRACKS;
        uint32_t rows = (it->has_row ? it->row : 0) + it->rows;
        deepest = rows > deepest ? rows : deepest;
    }
    if (flow_column) { /* the same with rows for columns */
        uint32_t rows = deepest ? deepest : 1;
        if (rows > MAX_TRACKS)
            rows = MAX_TRACKS;
        uint32_t columns = g->column_count;
        for (uint32_t i = 0; i < n; i++)
            swap_axes(&g->items[i]);
        deepest = columns;
        g->column_count = rows;
        g->row_count = g->explicit_columns;
    }
    for (uint32_t i = 0; i < n; i++) {
        item *it = &g->items[i];
        if (it->columns > g->column_count)
            it->columns = g->column_count;
        if (it->column + it->columns > g->column_count)
            it->column = g->column_count - it->columns;
    }
    uint64_t room = (uint64_t)deepest + 2 * (uint64_t)n + 1;
    if (room > MAX_CELLS / g->column_count)
        room = MAX_CELLS / g->column_count;
    g->row_room = (uint32_t)room;
    g->taken = wn_lay_alloc(lay, (size_t)g->row_room * g->column_count / 8 + 1);
    if (!g->taken)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (g->items[i].has_column && g->items[i].has_row)
            take(g, &g->items[i]);
    place_rest(g, style->grid_flow_dense);
    if (flow_column) {
        for (uint32_t i = 0; i < n; i++)
            swap_axes(&g->items[i]);
        uint32_t columns = g->row_count ? g->row_count : 1;
        g->row_count = g->column_count;
        g->column_count = columns;
    }
    return true;
}

/* ---- Sizes of tracks --------------------------------------------------------------------- */

static bool is_intrinsic(wn_length length)
{
    return length.kind != WN_LENGTH_FIXED && length.kind != WN_LENGTH_FR;
}

static void start_tracks(wn_lay *lay, track *tracks, uint32_t count, wn_px room)
{
    for (uint32_t i = 0; i < count; i++) {
        track *t = &tracks[i];
        t->base = wn_px_max(wn_lay_length(lay, t->min, room, 0), 0);
        wn_px limit = wn_lay_length(lay, t->max, room, WN_PX_AUTO);
        t->limit = limit == WN_PX_AUTO ? (t->fr > 0 ? t->base : t->base)
                                       : wn_px_max(limit, t->base);
        if (t->min.kind == WN_LENGTH_FIXED && !wn_lay_is_definite(lay, t->min, room))
            t->min.kind = WN_LENGTH_AUTO;
        if (t->max.kind == WN_LENGTH_FIXED && !wn_lay_is_definite(lay, t->max, room))
            t->max.kind = WN_LENGTH_AUTO;
    }
}

/* An item in tracks [first, first + span) needs at least `least`, and `most` to be comfortable. */
static void fit_item(track *tracks, uint32_t first, uint32_t span, wn_px gap, wn_px least,
                     wn_px most)
{
    wn_px base = gap * (span - 1), limit = base;
    uint32_t open = 0, flexible = 0;
    for (uint32_t i = first; i < first + span; i++) {
        base += tracks[i].base;
        limit += tracks[i].limit;
        open += is_intrinsic(tracks[i].min) || is_intrinsic(tracks[i].max);
        flexible += tracks[i].fr > 0;
    }
    if (span > 1 && flexible > 0)
        return; /* shares of the rest see to it */
    if (open == 0)
        return;
    for (uint32_t i = first; i < first + span; i++) {
        track *t = &tracks[i];
        bool min_open = is_intrinsic(t->min);
        bool max_open = is_intrinsic(t->max);
        if (!min_open && !max_open)
            continue;
        wn_px wanted = t->min.kind == WN_LENGTH_MAX_CONTENT ? most : least;
        if (min_open && wanted > base)
            t->base += (wanted - base) / open;
        wn_px comfort = t->max.kind == WN_LENGTH_MIN_CONTENT ? least : most;
        if (t->max.kind == WN_LENGTH_FIT_CONTENT)
            comfort = wn_px_max(wn_px_min(comfort, wn_px_from(t->max.px)), least);
        if (max_open && comfort > limit)
            t->limit += (comfort - limit) / open;
        if (t->max.kind == WN_LENGTH_FIXED)
            t->base = wn_px_min(t->base, wn_px_max(t->limit, wanted));
        t->limit = wn_px_max(t->limit, t->base);
    }
}

static wn_px sum_of(const track *tracks, uint32_t count, wn_px gap)
{
    wn_px sum = count > 1 ? gap * (count - 1) : 0;
    for (uint32_t i = 0; i < count; i++)
        sum += tracks[i].base;
    return sum;
}

/* Grows tracks to their limits, equally, as far as there is room. */
static void grow_to_limits(track *tracks, uint32_t count, wn_px room)
{
    for (int round = 0; round < 32 && room > 0; round++) {
        uint32_t growing = 0;
        for (uint32_t i = 0; i < count; i++)
            growing += tracks[i].fr <= 0 && tracks[i].base < tracks[i].limit;
        if (growing == 0)
            return;
        wn_px each = wn_px_max(room / growing, 1);
        for (uint32_t i = 0; i < count && room > 0; i++) {
            track *t = &tracks[i];
            if (t->fr > 0 || t->base >= t->limit)
                continue;
            wn_px more = wn_px_min(wn_px_min(each, t->limit - t->base), room);
            t->base += more;
            room -= more;
        }
    }
}

/* Shares what is left among the tracks with fr; one that needs more than its share keeps that. */
static void share_rest(track *tracks, uint32_t count, wn_px gap, wn_px room)
{
    for (int round = 0; round < 32; round++) {
        double rest = (double)(room - (count > 1 ? gap * (count - 1) : 0)), shares = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (tracks[i].fr > 0)
                shares += (double)tracks[i].fr;
            else
                rest -= (double)tracks[i].base;
        }
        if (shares <= 0)
            return;
        double one = (rest > 0 ? rest : 0) / (shares < 1 ? 1 : shares);
        bool again = false;
        for (uint32_t i = 0; i < count; i++)
            if (tracks[i].fr > 0 && (double)tracks[i].base > one * (double)tracks[i].fr + 1) {
                tracks[i].fr = 0;
                again = true;
            }
        if (again)
            continue;
        for (uint32_t i = 0; i < count; i++)
            if (tracks[i].fr > 0)
                tracks[i].base = wn_px_clamp((wn_px)(one * (double)tracks[i].fr));
        return;
    }
}

/* Without a room to share: all as large as the neediest makes its share. */
static void share_by_need(track *tracks, uint32_t count)
{
    double one = 0;
    for (uint32_t i = 0; i < count; i++)
        if (tracks[i].fr > 0) {
            double need = (double)tracks[i].limit / (double)(tracks[i].fr < 1 ? 1 : tracks[i].fr);
            one = need > one ? need : one;
        }
    for (uint32_t i = 0; i < count; i++)
        if (tracks[i].fr > 0)
            tracks[i].base = wn_px_max(tracks[i].base,
                                       wn_px_clamp((wn_px)(one * (double)tracks[i].fr)));
}

static void stretch_auto(track *tracks, uint32_t count, wn_px room)
{
    uint32_t autos = 0;
    for (uint32_t i = 0; i < count; i++)
        autos += tracks[i].max.kind == WN_LENGTH_AUTO && tracks[i].fr <= 0;
    for (uint32_t i = 0; autos && room > 0 && i < count; i++)
        if (tracks[i].max.kind == WN_LENGTH_AUTO && tracks[i].fr <= 0)
            tracks[i].base += room / autos;
}

/* The end of sizing: `room` is WN_PX_AUTO if the container is as large as its tracks. */
static void finish_tracks(track *tracks, uint32_t count, wn_px gap, wn_px room, uint8_t content)
{
    if (room == WN_PX_AUTO) {
        for (uint32_t i = 0; i < count; i++)
            if (tracks[i].fr <= 0)
                tracks[i].base = wn_px_max(tracks[i].base, tracks[i].limit);
        share_by_need(tracks, count);
    } else {
        grow_to_limits(tracks, count, room - sum_of(tracks, count, gap));
        share_rest(tracks, count, gap, room);
        if (content == WN_ALIGN_NORMAL || content == WN_ALIGN_STRETCH)
            stretch_auto(tracks, count, room - sum_of(tracks, count, gap));
    }
}

static void place_tracks(track *tracks, uint32_t count, wn_px gap, wn_px room, uint8_t how)
{
    wn_px rest = room == WN_PX_AUTO ? 0 : room - sum_of(tracks, count, gap), at = 0, between = 0;
    if (how == WN_ALIGN_CENTER)
        at = rest / 2;
    else if (how == WN_ALIGN_END || how == WN_ALIGN_FLEX_END || how == WN_ALIGN_RIGHT)
        at = rest;
    else if (how == WN_ALIGN_SPACE_BETWEEN && count > 1 && rest > 0)
        between = rest / (count - 1);
    else if (how == WN_ALIGN_SPACE_AROUND && rest > 0)
        between = rest / count, at = between / 2;
    else if (how == WN_ALIGN_SPACE_EVENLY && rest > 0)
        at = between = rest / (count + 1);
    for (uint32_t i = 0; i < count; i++) {
        tracks[i].at = at;
        at += tracks[i].base + gap + between;
    }
}

static wn_px area_size(const track *tracks, uint32_t first, uint32_t span)
{
    const track *last = &tracks[first + span - 1];
    return last->at + last->base - tracks[first].at;
}

/* ---- Columns ----------------------------------------------------------------------------- */

static void size_columns(wn_lay *lay, uint32_t number, grid *g, wn_px room)
{
    const wn_style *style = wn_lay_at(lay, number)->style;
    start_tracks(lay, g->columns, g->column_count, room);
    for (int pass = 0; pass < 2; pass++) /* items in one column first */
        for (uint32_t i = 0; i < g->item_count; i++) {
            const item *it = &g->items[i];
            if ((it->columns == 1) != (pass == 0))
                continue;
            wn_px least, most;
            wn_lay_intrinsic(lay, it->box);
            wn_lay_contribution(lay, it->box, &least, &most);
            const wn_lay_box *box = wn_lay_at(lay, it->box);
            bool scrolls = box->style->overflow_x != WN_OVERFLOW_VISIBLE &&
                           box->style->overflow_x != WN_OVERFLOW_CLIP;
            if (scrolls && wn_length_is_auto(box->style->min_width))
                least = wn_lay_margin_width(box) + wn_lay_edge_width(box);
            fit_item(g->columns, it->column, it->columns, g->column_gap, least, most);
        }
    /* A column with a share is no narrower than its contents. */
    for (uint32_t i = 0; i < g->column_count; i++)
        if (g->columns[i].fr > 0 && room != WN_PX_AUTO)
            g->columns[i].limit = g->columns[i].base;
    finish_tracks(g->columns, g->column_count, g->column_gap, room, style->justify_content);
}

static grid *make_grid(wn_lay *lay, uint32_t number, wn_px width, wn_px height)
{
    const wn_style *style = wn_lay_at(lay, number)->style;
    grid *g = wn_lay_alloc(lay, sizeof *g);
    if (!g)
        return NULL;
    g->width = width;
    g->height = height;
    g->column_gap = wn_px_max(wn_lay_length(lay, style->column_gap, width, 0), 0);
    g->row_gap = wn_px_max(wn_lay_length(lay, style->row_gap, height, 0), 0);
    const wn_track_list *columns = style->grid_columns, *rows = style->grid_rows;
    uint32_t column_times = columns ? repetitions(lay, columns, width, g->column_gap) : 0;
    uint32_t row_times = rows ? repetitions(lay, rows, height, g->row_gap) : 0;
    g->explicit_columns = template_count(columns, column_times);
    g->explicit_rows = template_count(rows, row_times);
    if (columns && column_times)
        g->extra_columns = (columns->repeat_end - columns->repeat_start) * (column_times - 1);
    if (rows && row_times)
        g->extra_rows = (rows->repeat_end - rows->repeat_start) * (row_times - 1);
    if (style->grid_areas) {
        if (style->grid_areas->columns > g->explicit_columns)
            g->explicit_columns = style->grid_areas->columns < MAX_TRACKS
                                      ? style->grid_areas->columns
                                      : MAX_TRACKS;
        if (style->grid_areas->rows > g->explicit_rows)
            g->explicit_rows = style->grid_areas->rows < MAX_TRACKS ? style->grid_areas->rows
                                                                    : MAX_TRACKS;
    }
    if (!place_items(lay, number, g))
        return NULL;
    g->columns = wn_lay_alloc(lay, (g->column_count + 1) * sizeof *g->columns);
    g->rows = wn_lay_alloc(lay, (g->row_count + 1) * sizeof *g->rows);
    if (lay->failed)
        return NULL;
    fill_tracks(g->columns, g->column_count, columns, column_times,
                template_count(columns, column_times), style->grid_auto_columns);
    fill_tracks(g->rows, g->row_count, rows, row_times, template_count(rows, row_times),
                style->grid_auto_rows);
    if (columns && columns->repeat_fit && column_times > 1) {
        /* auto-fit: columns that nobody stands in vanish. */
        uint32_t used = 0;
        for (uint32_t i = 0; i < g->item_count; i++) {
            uint32_t last = g->items[i].column + g->items[i].columns;
            used = last > used ? last : used;
        }
        if (used > 0 && used < g->column_count)
            g->column_count = used;
    }
    return g;
}

void wn_grid_intrinsic(wn_lay *lay, uint32_t number)
{
    grid *g = make_grid(lay, number, WN_PX_AUTO, WN_PX_AUTO);
    if (!g)
        return;
    start_tracks(lay, g->columns, g->column_count, WN_PX_AUTO);
    size_columns(lay, number, g, WN_PX_AUTO);
    wn_px most = sum_of(g->columns, g->column_count, g->column_gap);
    /* The same once more for the least: only what cannot be broken. */
    fill_tracks(g->columns, g->column_count, wn_lay_at(lay, number)->style->grid_columns, 1,
                g->explicit_columns, wn_lay_at(lay, number)->style->grid_auto_columns);
    start_tracks(lay, g->columns, g->column_count, WN_PX_AUTO);
    for (uint32_t i = 0; i < g->item_count; i++) {
        wn_px item_least, item_most;
        wn_lay_contribution(lay, g->items[i].box, &item_least, &item_most);
        fit_item(g->columns, g->items[i].column, g->items[i].columns, g->column_gap, item_least,
                 item_least);
    }
    wn_px least = sum_of(g->columns, g->column_count, g->column_gap);
    wn_lay_box *box = wn_lay_at(lay, number);
    wn_lay_edges(lay, box, 0);
    box->min_content = wn_px_min(least, most) + wn_lay_edge_width(box);
    box->max_content = most + wn_lay_edge_width(box);
}

/* ---- Steps ------------------------------------------------------------------------------- */

enum { STATE_START, STATE_MEASURE, STATE_ITEMS };

static uint8_t justify_of(const wn_lay_box *box, const wn_style *container)
{
    uint8_t how = box->anonymous ? WN_ALIGN_AUTO : box->style->justify_self;
    if (how == WN_ALIGN_AUTO)
        how = container->justify_items;
    return how == WN_ALIGN_NORMAL || how == WN_ALIGN_AUTO ? WN_ALIGN_STRETCH : how;
}

static wn_px item_width(wn_lay *lay, wn_frame *frame, const item *it)
{
    grid *g = frame->grid.grid;
    wn_lay_box *box = wn_lay_at(lay, it->box);
    wn_px area = area_size(g->columns, it->column, it->columns);
    wn_lay_edges(lay, box, area);
    wn_px available = area - wn_lay_margin_width(box);
    uint8_t how = justify_of(box, wn_lay_at(lay, frame->box)->style);
    bool stretch = how == WN_ALIGN_STRETCH && wn_length_is_auto(box->style->width) &&
                   !box->auto_left && !box->auto_right && box->kind != WN_LAY_REPLACED &&
                   box->kind != WN_LAY_TABLE;
    if (!stretch)
        return wn_lay_fit_width(lay, it->box, area, available, WN_PX_AUTO);
    return wn_lay_limit_width(lay, it->box, wn_px_max(available, 0), area, available);
}

static bool call_item(wn_lay *lay, wn_frame *frame, bool measure)
{
    grid *g = frame->grid.grid;
    const item *it = &g->items[frame->grid.i];
    wn_lay_input in = {.width = item_width(lay, frame, it),
                       .height = WN_PX_AUTO,
                       .percent = WN_PX_AUTO,
                       .measure = measure};
    if (!measure) {
        const wn_lay_box *box = wn_lay_at(lay, it->box);
        wn_px area = area_size(g->rows, it->row, it->rows);
        in.percent = area;
        bool stretch = it->align == WN_ALIGN_STRETCH && wn_length_is_auto(box->style->height) &&
                       !box->auto_top && !box->auto_bottom && box->kind != WN_LAY_REPLACED &&
                       box->style->aspect_ratio <= 0;
        if (stretch)
            in.height = wn_lay_limit_height(lay, box,
                                            wn_px_max(area - wn_lay_margin_height(box), 0), area);
    }
    return wn_lay_call(lay, it->box, in);
}

/* ---- Baselines --------------------------------------------------------------------------- */

static bool is_lined_up(wn_lay *lay, const item *it)
{
    const wn_lay_box *box = wn_lay_at(lay, it->box);
    return (it->align == WN_ALIGN_BASELINE || it->align == WN_ALIGN_LAST_BASELINE) &&
           !box->auto_top && !box->auto_bottom;
}

/* The row that an item is lined up in: its first, or its last. */
static track *row_of(const grid *g, const item *it)
{
    return &g->rows[it->at_end ? it->row + it->rows - 1 : it->row];
}

/* How far an item stands from the end of its row that it is lined up at. */
static wn_px baseline_shift(const grid *g, const item *it)
{
    return row_of(g, it)->ascent[it->at_end] - it->ascent;
}

/* https://drafts.csswg.org/css-grid/#algo-baseline-shims */
static void find_baselines(wn_lay *lay, grid *g)
{
    for (uint32_t i = 0; i < g->item_count; i++) {
        item *it = &g->items[i];
        if (!is_lined_up(lay, it))
            continue;
        const wn_lay_box *box = wn_lay_at(lay, it->box);
        wn_baseline found = wn_baseline_of(lay, it->box, false, it->align == WN_ALIGN_LAST_BASELINE,
                                           false);
        wn_px at = found.at + box->margin[WN_TOP];
        it->at_end = found.at_end;
        it->ascent = found.at_end ? box->height + wn_lay_margin_height(box) - at : at;
        track *row = row_of(g, it);
        row->ascent[it->at_end] = wn_px_max(row->ascent[it->at_end], it->ascent);
    }
}

/*
 * The container's own: of the items lined up in its first or last row, else of its first or last
 * item.  https://drafts.csswg.org/css-grid/#grid-baselines
 */
static void export_baselines(wn_lay *lay, wn_lay_box *container, const grid *g)
{
    for (int last = 0; last < 2; last++) {
        const item *best = NULL;
        uint64_t best_rank = 0;
        for (uint32_t i = 0; i < g->item_count; i++) {
            const item *it = &g->items[i];
            uint32_t row = last ? it->row + it->rows - 1 : it->row;
            uint32_t column = last ? it->column + it->columns - 1 : it->column;
            uint32_t edge = last ? row : UINT32_MAX - row;
            uint64_t rank = (uint64_t)edge << 32 | (last ? column : MAX_TRACKS - column);
            if (is_lined_up(lay,
                            it)) /* before all others of the row; those at its end first or last */
                rank |= (uint64_t)(it->at_end == (last != 0) ? 3 : 2) << 30;
            if (best && rank <= best_rank)
                continue;
            best = it;
            best_rank = rank;
        }
        if (!best)
            return;
        const wn_lay_box *box = wn_lay_at(lay, best->box);
        bool use_last = is_lined_up(lay, best) ? best->align == WN_ALIGN_LAST_BASELINE : last;
        *(last ? &container->last_baseline : &container->baseline) =
            box->y + (use_last ? wn_baseline_last(box) : wn_baseline_first(box));
    }
}

/* ---- Rows -------------------------------------------------------------------------------- */

static void size_rows(wn_lay *lay, wn_frame *frame)
{
    grid *g = frame->grid.grid;
    wn_lay_box *box = wn_lay_at(lay, frame->box);
    start_tracks(lay, g->rows, g->row_count, g->height);
    find_baselines(lay, g);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < g->item_count; i++) {
            const item *it = &g->items[i];
            if ((it->rows == 1) != (pass == 0))
                continue;
            const wn_lay_box *child = wn_lay_at(lay, it->box);
            wn_px height = child->height + wn_lay_margin_height(child);
            if (is_lined_up(lay, it))
                height += baseline_shift(g, it);
            fit_item(g->rows, it->row, it->rows, g->row_gap, height, height);
        }
    wn_px edges = wn_lay_edge_height(box);
    finish_tracks(g->rows, g->row_count, g->row_gap, g->height, box->style->align_content);
    wn_px natural = sum_of(g->rows, g->row_count, g->row_gap);
    wn_px height = g->height;
    if (height == WN_PX_AUTO) {
        height = wn_lay_limit_height(lay, box, natural + edges, frame->in.percent) - edges;
        if (height > natural && (box->style->align_content == WN_ALIGN_NORMAL ||
                                 box->style->align_content == WN_ALIGN_STRETCH))
            stretch_auto(g->rows, g->row_count, height - natural);
    }
    place_tracks(g->rows, g->row_count, g->row_gap, height, box->style->align_content);
    box->height = frame->in.height != WN_PX_AUTO ? frame->in.height : height + edges;
}

static wn_px aligned(uint8_t how, wn_px room, bool before, bool after)
{
    if (before || after)
        return before && after ? wn_px_max(room, 0) / 2 : before ? wn_px_max(room, 0) : 0;
    switch (how) {
    case WN_ALIGN_CENTER:
        return room / 2;
    case WN_ALIGN_END:
    case WN_ALIGN_FLEX_END:
    case WN_ALIGN_RIGHT:
    case WN_ALIGN_LAST_BASELINE:
        return room;
    default:
        return 0;
    }
}

static void place_item(wn_lay *lay, wn_frame *frame, const item *it)
{
    grid *g = frame->grid.grid;
    wn_lay_box *box = wn_lay_at(lay, it->box), *container = wn_lay_at(lay, frame->box);
    const wn_style *style = container->style;
    wn_px width = area_size(g->columns, it->column, it->columns);
    wn_px height = area_size(g->rows, it->row, it->rows);
    wn_px x = g->columns[it->column].at + aligned(justify_of(box, style),
                                                  width - box->width - wn_lay_margin_width(box),
                                                  box->auto_left, box->auto_right);
    wn_px room = height - box->height - wn_lay_margin_height(box);
    wn_px y = g->rows[it->row].at;
    if (is_lined_up(lay, it))
        y += it->at_end ? room - baseline_shift(g, it) : baseline_shift(g, it);
    else
        y += aligned(it->align, room, box->auto_top, box->auto_bottom);
    if (style->rtl)
        x = g->width - x - box->width - wn_lay_margin_width(box);
    box->origin = frame->box;
    box->x = container->edge[WN_LEFT] + box->margin[WN_LEFT] + x;
    box->y = container->edge[WN_TOP] + box->margin[WN_TOP] + y;
    box->placed = true;
}

static void start(wn_lay *lay, wn_frame *frame)
{
    wn_lay_box *box = wn_lay_at(lay, frame->box);
    wn_px width = wn_px_max(frame->in.width - wn_lay_edge_width(box), 0);
    wn_px height = frame->in.height;
    if (height == WN_PX_AUTO) {
        height = wn_lay_given_height(lay, box, box->style->height, frame->in.percent);
        if (height != WN_PX_AUTO)
            height = wn_lay_limit_height(lay, box, height, frame->in.percent);
    }
    if (height != WN_PX_AUTO)
        height = wn_px_max(height - wn_lay_edge_height(box), 0);
    grid *g = make_grid(lay, frame->box, width, height);
    frame->grid.grid = g;
    if (!g)
        return;
    size_columns(lay, frame->box, g, width);
    place_tracks(g->columns, g->column_count, g->column_gap, width,
                 wn_lay_at(lay, frame->box)->style->justify_content);
}

static void finish(wn_lay *lay, wn_frame *frame)
{
    grid *g = frame->grid.grid;
    wn_lay_box *box = wn_lay_at(lay, frame->box);
    box->baseline = box->last_baseline = WN_PX_NONE;
    for (uint32_t i = 0; i < g->item_count; i++)
        place_item(lay, frame, &g->items[i]);
    export_baselines(lay, box, g);
    for (uint32_t i = frame->box + 1; !frame->in.measure && i < box->end;
         i = wn_lay_at(lay, i)->end)
        if (wn_lay_at(lay, i)->absolute)
            wn_lay_set_static_room(lay, frame, i, WN_STATIC_START, WN_STATIC_START);
    wn_lay_return(lay, frame);
}

void wn_grid_step(wn_lay *lay, wn_frame *frame)
{
    if (frame->state == STATE_START) {
        start(lay, frame);
        if (lay->failed)
            return;
        frame->state = STATE_MEASURE;
    }
    grid *g = frame->grid.grid;
    for (; frame->state == STATE_MEASURE && frame->grid.i < g->item_count; frame->grid.i++) {
        if (!frame->called && call_item(lay, frame, true))
            return;
        frame->called = false;
    }
    if (frame->state == STATE_MEASURE) {
        size_rows(lay, frame);
        frame->state = STATE_ITEMS;
        frame->grid.i = frame->in.measure ? g->item_count : 0;
    }
    for (; frame->grid.i < g->item_count; frame->grid.i++) {
        if (!frame->called && call_item(lay, frame, false))
            return;
        frame->called = false;
    }
    finish(lay, frame);
}
