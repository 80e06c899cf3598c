/*
 * Which cells of a grid its items are in.
 *
 * The template is written out, lines get their numbers, and items their cells: by line numbers,
 * names and areas, or one after the other where there is room.
 * https://drafts.csswg.org/css-grid/#auto-placement-algo
 */
#include <assert.h>
#include <string.h>

#include "layout/grid.h"

enum {
    MAX_TRACKS = 1000,   /* in each direction; as many lines as anyone draws */
    MAX_ROWS = 20000,    /* that come up by themselves */
    MAX_CELLS = 4 << 20, /* of the table that says which cells are taken */
    WORD_BITS = 64,
};

/*
 * The cost of grids, in steps of a budget that all grids of a page share: a few bytes of style can
 * create thousands of tracks and a million cells at each element.
 */
enum {
    TRACK_STEPS = 128,  /* a track is stored and walked several times */
    SPANNED_STEPS = 4,  /* a track that an item spans */
    WORDS_PER_STEP = 8, /* of the table of cells when it is emptied */
    NAMES_PER_STEP = 4, /* that a line's name is compared with */
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ---- Templates --------------------------------------------------------------------------- */

/* How often repeat(auto-fill, …) fits into the axis. */
static uint32_t repetitions(wn_lay *lay, const axis *a)
{
    const wn_track_list *list = a->template;
    if (!list || list->repeat_end <= list->repeat_start)
        return 0;
    wn_px once = 0, rest = 0;
    for (uint32_t i = 0; i < list->track_count; i++) {
        const wn_track *t = &list->tracks[i];
        wn_px size = wn_layout_length(lay, t->max, a->size, WN_PX_AUTO);
        if (size == WN_PX_AUTO)
            size = wn_layout_length(lay, t->min, a->size, 0);
        if (i >= list->repeat_start && i < list->repeat_end)
            once += wn_px_max(size, WN_UNIT) + a->gap;
        else
            rest += size + a->gap;
    }
    if (a->size == WN_PX_AUTO || once <= 0)
        return 1;
    wn_px count = (a->size + a->gap - rest) / once;
    return count < 1 ? 1 : count > MAX_TRACKS ? MAX_TRACKS : (uint32_t)count;
}

static uint32_t template_count(const wn_track_list *list, uint32_t times)
{
    if (!list)
        return 0;
    assert(list->repeat_start <= list->repeat_end && list->repeat_end <= list->track_count);
    uint32_t repeated = list->repeat_end - list->repeat_start;
    uint64_t count = (uint64_t)list->track_count - repeated + (uint64_t)repeated * times;
    return count > MAX_TRACKS ? MAX_TRACKS : (uint32_t)count;
}

/* Track `i` of the template with its repetitions written out. */
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

void wn_layout_grid_fill(axis *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const wn_track *from = NULL;
        if (i < a->template_count)
            from = template_track(a->template, a->times, i);
        else if (a->automatic && a->automatic->track_count)
            from = &a->automatic->tracks[(i - a->template_count) % a->automatic->track_count];
        set_track(&a->tracks[i], from);
    }
}

/* Finds how many tracks the style gives the axis; gap and size are known. */
static void read_template(wn_lay *lay, axis *a, uint32_t area_count)
{
    a->times = repetitions(lay, a);
    a->template_count = template_count(a->template, a->times);
    a->explicit_count = larger(a->template_count, smaller(area_count, MAX_TRACKS));
    if (a->times)
        a->extra = (a->template->repeat_end - a->template->repeat_start) * (a->times - 1);
}

static void read_templates(wn_lay *lay, const wn_style *style, grid *g)
{
    axis *columns = &g->axes[COLUMNS], *rows = &g->axes[ROWS];
    columns->template = style->grid_columns;
    columns->automatic = style->grid_auto_columns;
    columns->gap = wn_px_max(wn_layout_length(lay, style->column_gap, columns->size, 0), 0);
    rows->template = style->grid_rows;
    rows->automatic = style->grid_auto_rows;
    rows->gap = wn_px_max(wn_layout_length(lay, style->row_gap, rows->size, 0), 0);
    g->areas = style->grid_areas;
    read_template(lay, columns, g->areas ? g->areas->columns : 0);
    read_template(lay, rows, g->areas ? g->areas->rows : 0);
}

/* ---- Lines ------------------------------------------------------------------------------- */

static bool name_is(wn_grid_name whole, wn_grid_name start, const char *suffix)
{
    size_t length = strlen(suffix);
    return whole.len == start.len + length && memcmp(whole.ptr, start.ptr, start.len) == 0 &&
           memcmp(whole.ptr + start.len, suffix, length) == 0;
}

/* The line of a name that is an area's edge; -1 if there is none. */
static int64_t area_line(const wn_grid_areas *areas, int which, bool end, wn_grid_line line)
{
    for (uint32_t i = 0; areas && i < areas->count; i++) {
        const wn_grid_area *area = &areas->areas[i];
        uint32_t from = which == COLUMNS ? area->column_start : area->row_start;
        uint32_t to = which == COLUMNS ? area->column_end : area->row_end;
        if (line.number == 0 && wn_css_grid_name_eq(area->name, line.name))
            return end ? to : from;
        if (name_is(line.name, area->name, "-start"))
            return from;
        if (name_is(line.name, area->name, "-end"))
            return to;
    }
    return -1;
}

/* The line of a name that the template gives between its tracks; -1 if there is none. */
static int64_t template_line(const axis *a, bool end, wn_grid_line line)
{
    const wn_track_list *list = a->template;
    int32_t wanted = line.number > 0 ? line.number : 1;
    for (uint32_t i = 0; list && i < list->name_count; i++) {
        wn_grid_name name = list->names[i].name;
        bool same = wn_css_grid_name_eq(name, line.name) ||
                    (line.number == 0 && name_is(name, line.name, end ? "-end" : "-start"));
        if (same && --wanted == 0) {
            bool after = list->repeat_end > list->repeat_start &&
                         list->names[i].before >= list->repeat_end;
            return (int64_t)list->names[i].before + (after ? a->extra : 0);
        }
    }
    return -1;
}

/* A line as a number from 0; -1: auto. */
static int64_t line_of(const grid *g, int which, bool end, wn_grid_line line)
{
    if (line.span)
        return -1;
    if (line.name.len) {
        int64_t at = area_line(g->areas, which, end, line);
        return at >= 0 ? at : template_line(&g->axes[which], end, line);
    }
    if (line.number == 0)
        return -1;
    int64_t lines = (int64_t)g->axes[which].explicit_count + 1;
    int64_t at = line.number > 0 ? (int64_t)line.number - 1 : lines + line.number;
    return at < 0 ? 0 : at;
}

static uint32_t span_count(wn_grid_line start, wn_grid_line end)
{
    int32_t count = start.span ? start.number : end.span ? end.number : 1;
    return count < 1 ? 1 : smaller((uint32_t)count, MAX_TRACKS);
}

/*
 * One axis of an item, from the lines that its style gives.
 * https://drafts.csswg.org/css-grid/#line-placement
 */
static span read_span(const grid *g, int which, wn_grid_line start, wn_grid_line end)
{
    int64_t from = line_of(g, which, false, start), to = line_of(g, which, true, end);
    uint32_t most = which == COLUMNS ? MAX_TRACKS : MAX_ROWS;
    span s = {.count = span_count(start, end)};
    if (from < 0 && to < 0)
        return s;
    if (from >= 0 && to >= 0) {
        int64_t first = from < to ? from : to, last = from < to ? to : from;
        s.count = last > first ? (uint32_t)(last - first < most ? last - first : most) : 1;
        from = first;
    } else if (to >= 0) {
        from = to - (int64_t)s.count;
    }
    from = from < 0 ? 0 : from;
    s.at = (uint32_t)(from < most - 1 ? from : most - 1);
    s.count = smaller(s.count, most - s.at);
    s.given = true;
    return s;
}

/* ---- Items ------------------------------------------------------------------------------- */

/* Items by order; few items have one, so insertion from the end is enough up to a bound. */
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

/* What it costs to find the lines of one axis by their names. */
static uint64_t naming_steps(const grid *g, int which, wn_grid_line start, wn_grid_line end)
{
    const wn_track_list *list = g->axes[which].template;
    uint64_t names = (g->areas ? g->areas->count : 0) + (list ? list->name_count : 0);
    return names * ((start.name.len > 0) + (end.name.len > 0)) / NAMES_PER_STEP;
}

/* An item of one cell anywhere takes the place of one that costs too much. */
static span read_span_within_budget(wn_lay *lay, const grid *g, int which, wn_grid_line start,
                                    wn_grid_line end)
{
    static const span one = {.count = 1};
    if (!wn_cost_spend(&lay->grid_steps, naming_steps(g, which, start, end)))
        return one;
    span s = read_span(g, which, start, end);
    return s.count == 1 || wn_cost_spend(&lay->grid_steps, (uint64_t)s.count * SPANNED_STEPS) ? s
                                                                                              : one;
}

static item read_item(wn_lay *lay, const grid *g, uint32_t number)
{
    const wn_lay_box *box = &lay->boxes.items[number];
    const wn_style *style = box->style;
    item it = {.box = number, .align = wn_layout_align_of(lay, number, false)};
    it.spans[COLUMNS].count = it.spans[ROWS].count = 1;
    if (box->anonymous)
        return it;
    it.order = style->order;
    it.spans[COLUMNS] = read_span_within_budget(lay, g, COLUMNS, style->grid_column_start,
                                                style->grid_column_end);
    it.spans[ROWS] = read_span_within_budget(lay, g, ROWS, style->grid_row_start,
                                             style->grid_row_end);
    return it;
}

/* Lists the children that are in the grid, with the places that their styles give. */
static bool collect_items(wn_lay *lay, uint32_t number, grid *g)
{
    uint32_t end = wn_layout_at(lay, number)->end, count = 0;
    for (uint32_t i = number + 1; i < end; i = wn_layout_at(lay, i)->end)
        count += !wn_layout_at(lay, i)->absolute;
    g->items = wn_layout_alloc(lay, (count + 1) * sizeof *g->items);
    if (!g->items)
        return false;
    for (uint32_t i = number + 1; i < end; i = wn_layout_at(lay, i)->end)
        if (!wn_layout_at(lay, i)->absolute)
            g->items[g->item_count++] = read_item(lay, g, i);
    assert(g->item_count == count);
    sort_items(g->items, g->item_count);
    return true;
}

/* ---- Placement --------------------------------------------------------------------------- */

/*
 * Items follow one another along an axis, the columns unless grid-auto-flow says otherwise, and in
 * the next track across it once that is full.
 */
typedef struct placement {
    wn_lay *lay;
    grid *g;
    int along, across;
    bool dense;
    uint64_t *taken; /* a bit for each cell; each track across starts a word */
    uint32_t width;  /* tracks along; what is across grows */
    uint32_t words;  /* of each track across */
    uint32_t room;   /* tracks across that `taken` has bits for */
} placement;

typedef struct cell {
    uint32_t along, across;
} cell;

/* The bits of [from, end) in a word; the word has some of them. */
static uint64_t bits_in_word(uint32_t word, uint32_t from, uint32_t end)
{
    uint32_t first = word * WORD_BITS;
    uint32_t low = from > first ? from - first : 0;
    uint32_t high = end - first < WORD_BITS ? end - first : WORD_BITS;
    assert(low < high);
    return UINT64_MAX >> (WORD_BITS - high) & UINT64_MAX << low;
}

/* What a look at all cells of an item costs. */
static uint64_t look_steps(const placement *p, const item *it)
{
    uint64_t words = it->spans[p->along].count / WORD_BITS + 1;
    return 1 + words * (smaller(it->spans[p->across].count, p->room) - 1);
}

static bool is_free(const placement *p, cell at, uint32_t along, uint32_t across)
{
    assert(at.along + along <= p->width);
    uint32_t end = at.along + along;
    for (uint32_t r = at.across; r < at.across + across && r < p->room; r++)
        for (uint32_t w = at.along / WORD_BITS; w <= (end - 1) / WORD_BITS; w++)
            if (p->taken[(size_t)r * p->words + w] & bits_in_word(w, at.along, end))
                return false;
    return true;
}

static void take(placement *p, const item *it)
{
    span along = it->spans[p->along], across = it->spans[p->across];
    uint32_t end = along.at + along.count;
    assert(end <= p->width);
    bool marks = wn_cost_spend(&p->lay->grid_steps, look_steps(p, it));
    for (uint32_t r = across.at; marks && r < across.at + across.count && r < p->room; r++)
        for (uint32_t w = along.at / WORD_BITS; w <= (end - 1) / WORD_BITS; w++)
            p->taken[(size_t)r * p->words + w] |= bits_in_word(w, along.at, end);
    axis *grows = &p->g->axes[p->across];
    grows->count = larger(grows->count, across.at + across.count);
}

/* The first cell to look at for an item, if the one before it ended at `cursor`. */
static cell first_cell(const placement *p, const item *it, cell cursor)
{
    const span *along = &it->spans[p->along], *across = &it->spans[p->across];
    if (across->given)
        return (cell){0, across->at};
    cell at = p->dense ? (cell){0, 0} : cursor;
    if (along->given) {
        at.across += along->at < at.along;
        at.along = along->at;
    }
    return at;
}

/* The first cell from `at` on where there is room for an item, as far as the budget goes. */
static cell find_cell(placement *p, const item *it, cell at)
{
    const span *along = &it->spans[p->along], *across = &it->spans[p->across];
    uint64_t steps = look_steps(p, it);
    while (at.across < MAX_ROWS - 1 && wn_cost_spend(&p->lay->grid_steps, steps)) {
        if (at.along + along->count <= p->width && is_free(p, at, along->count, across->count))
            break;
        bool next = along->given || at.along + along->count >= p->width;
        if (next && across->given)
            break;
        at.along = along->given ? along->at : next ? 0 : at.along + 1;
        at.across += next;
    }
    at.along = smaller(at.along, p->width - along->count);
    return at;
}

static bool has_cell(const item *it)
{
    return it->spans[COLUMNS].given && it->spans[ROWS].given;
}

static void place_given(placement *p)
{
    for (uint32_t i = 0; i < p->g->item_count; i++)
        if (has_cell(&p->g->items[i]))
            take(p, &p->g->items[i]);
}

static void place_rest(placement *p)
{
    cell cursor = {0, 0};
    for (uint32_t i = 0; i < p->g->item_count; i++) {
        item *it = &p->g->items[i];
        if (has_cell(it))
            continue;
        cell at = find_cell(p, it, first_cell(p, it, cursor));
        span *along = &it->spans[p->along], *across = &it->spans[p->across];
        along->at = at.along;
        across->at = at.across;
        take(p, it);
        if (!across->given)
            cursor = (cell){at.along + along->count, at.across};
    }
}

/* The tracks of an axis that the style gives or an item's place needs. */
static uint32_t tracks_needed(const grid *g, int which)
{
    uint32_t count = g->axes[which].explicit_count;
    for (uint32_t i = 0; i < g->item_count; i++)
        count = larger(count, g->items[i].spans[which].at + g->items[i].spans[which].count);
    return count;
}

/* Moves items that would be past the end of the axis along which they are placed. */
static void keep_inside(placement *p)
{
    for (uint32_t i = 0; i < p->g->item_count; i++) {
        span *s = &p->g->items[i].spans[p->along];
        s->count = smaller(s->count, p->width);
        s->at = smaller(s->at, p->width - s->count);
    }
}

/* The tracks across that items may need whose place is not given. */
static uint64_t automatic_tracks(const grid *g, int across)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < g->item_count; i++)
        if (!g->items[i].spans[across].given)
            count += g->items[i].spans[across].count;
    return count < MAX_ROWS ? count : MAX_ROWS;
}

/* A grid whose tracks cost too much has as many as items: places far away move nearer. */
static void limit_tracks(wn_lay *lay, grid *g, int across)
{
    uint64_t needed = automatic_tracks(g, across);
    for (int which = COLUMNS; which <= ROWS; which++)
        needed += tracks_needed(g, which);
    if (wn_cost_spend(&lay->grid_steps, needed * TRACK_STEPS))
        return;
    uint32_t most = g->item_count + 1;
    for (int which = COLUMNS; which <= ROWS; which++) {
        axis *a = &g->axes[which];
        a->template_count = smaller(a->template_count, most);
        a->explicit_count = smaller(a->explicit_count, most);
        for (uint32_t i = 0; i < g->item_count; i++) {
            span *s = &g->items[i].spans[which];
            s->at = smaller(s->at, most - 1);
            s->count = s->given ? smaller(s->count, most - s->at) : 1;
        }
    }
}

/* The table of cells that are taken. Without it, for lack of budget, all of them are free. */
static bool make_table(placement *p)
{
    wn_lay *lay = p->lay;
    uint64_t room = (uint64_t)tracks_needed(p->g, p->across) + 2 * (uint64_t)p->g->item_count + 1;
    p->words = (p->width - 1) / WORD_BITS + 1;
    p->room = (uint32_t)(room < MAX_CELLS / p->width ? room : MAX_CELLS / p->width);
    if (!wn_cost_spend(&lay->grid_steps, (uint64_t)p->room * p->words / WORDS_PER_STEP))
        p->room = 1;
    uint32_t words = p->room * p->words;
    if (!wn_array_reserve(&lay->taken, words)) {
        lay->failed = true;
        return false;
    }
    p->taken = lay->taken.items;
    memset(p->taken, 0, words * sizeof *p->taken);
    return true;
}

static bool place_items(wn_lay *lay, const wn_style *style, grid *g)
{
    placement p = {
        .lay = lay,
        .g = g,
        .along = style->grid_flow_column ? ROWS : COLUMNS,
        .across = style->grid_flow_column ? COLUMNS : ROWS,
        .dense = style->grid_flow_dense,
    };
    limit_tracks(lay, g, p.across);
    p.width = smaller(larger(tracks_needed(g, p.along), 1), MAX_TRACKS);
    if (!make_table(&p))
        return false;
    g->axes[p.along].count = p.width;
    g->axes[p.across].count = g->axes[p.across].explicit_count;
    keep_inside(&p);
    place_given(&p);
    place_rest(&p);
    g->axes[COLUMNS].count = larger(g->axes[COLUMNS].count, 1);
    return true;
}

/* auto-fit: columns after the last one with an item vanish. */
static void drop_empty_columns(grid *g)
{
    axis *columns = &g->axes[COLUMNS];
    if (!columns->template || !columns->template->repeat_fit || columns->times <= 1)
        return;
    uint32_t used = 0;
    for (uint32_t i = 0; i < g->item_count; i++)
        used = larger(used, g->items[i].spans[COLUMNS].at + g->items[i].spans[COLUMNS].count);
    if (used > 0)
        columns->count = smaller(columns->count, used);
}

grid *wn_layout_grid_make(wn_lay *lay, uint32_t number, wn_px width, wn_px height)
{
    const wn_style *style = wn_layout_at(lay, number)->style;
    grid *g = wn_layout_alloc(lay, sizeof *g);
    if (!g)
        return NULL;
    g->axes[COLUMNS].size = width;
    g->axes[ROWS].size = height;
    read_templates(lay, style, g);
    if (!collect_items(lay, number, g) || !place_items(lay, style, g))
        return NULL;
    for (int which = COLUMNS; which <= ROWS; which++) {
        axis *a = &g->axes[which];
        a->tracks = wn_layout_alloc(lay, (a->count + 1) * sizeof *a->tracks);
        if (!a->tracks)
            return NULL;
        wn_layout_grid_fill(a);
    }
    drop_empty_columns(g);
    return g;
}
