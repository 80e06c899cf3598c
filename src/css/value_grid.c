/*
 * Values of grids: track lists, areas and lines.
 *
 * https://drafts.csswg.org/css-grid-2/
 *
 * repeat(3, 1fr) is written out here, up to MAX_TRACKS; repeat(auto-fill, …) is stored once, and
 * layout repeats it.
 */
#include <assert.h>
#include <math.h>

#include "css/value_parts.h"

enum {
    MAX_TRACKS = 1000, /* rows or columns of one list; browsers cut off too */
    MAX_NAMES = 1000,
    MAX_AREAS = 500,
    MAX_LINE = 10000,
};

/* ---- Tracks ------------------------------------------------------------------------------ */

typedef struct list {
    wn_css_writer *w;
    wn_array(wn_css_track) tracks;
    wn_array(wn_grid_line_name) names;
    uint32_t repeat_start, repeat_end;
    bool repeats, repeat_fit;
} list;

static wn_grid_name name_of(wn_str text)
{
    return (wn_grid_name){text.ptr, (uint32_t)text.len, wn_str_hash(text)};
}

/* 1fr, 20%, auto, min-content … */
static bool read_breadth(wn_css_writer *w, wn_css_calc *calc, uint8_t *kind)
{
    const wn_css_token *t = wn_css_at(w);
    *calc = (wn_css_calc){0};
    if (wn_css_take_word(w, WN_STR("auto")))
        *kind = WN_LENGTH_AUTO;
    else if (wn_css_take_word(w, WN_STR("min-content")))
        *kind = WN_LENGTH_MIN_CONTENT;
    else if (wn_css_take_word(w, WN_STR("max-content")))
        *kind = WN_LENGTH_MAX_CONTENT;
    else if (t->kind == WN_CSS_DIMENSION && wn_str_eq_nocase(t->text, WN_STR("fr"))) {
        if (t->number < 0)
            return false;
        *kind = WN_LENGTH_FR;
        calc->first.of[WN_CSS_PX] = t->number;
        w->cursor.at++;
    } else {
        *kind = WN_LENGTH_FIXED;
        if (!wn_css_read_calc(&w->cursor, calc))
            return false;
        return calc->is_number ? t->kind == WN_CSS_NUMBER && t->number == 0
                               : t->kind == WN_CSS_FUNCTION || t->number >= 0;
    }
    return true;
}

static bool close_bracket(wn_css_writer *w)
{
    return wn_css_take_delim(w, ')') || wn_css_at_end(w);
}

static bool read_track(wn_css_writer *w, wn_css_track *track)
{
    if (wn_css_is_function(wn_css_at(w), WN_STR("minmax"))) {
        w->cursor.at++;
        return read_breadth(w, &track->min, &track->min_kind) && wn_css_take_delim(w, ',') &&
               read_breadth(w, &track->max, &track->max_kind) && close_bracket(w);
    }
    if (wn_css_is_function(wn_css_at(w), WN_STR("fit-content"))) {
        w->cursor.at++;
        *track = (wn_css_track){.min_kind = WN_LENGTH_AUTO};
        bool ok = read_breadth(w, &track->max, &track->max_kind);
        track->max_kind = WN_LENGTH_FIT_CONTENT;
        return ok && close_bracket(w);
    }
    if (!read_breadth(w, &track->max, &track->max_kind))
        return false;
    bool fr = track->max_kind == WN_LENGTH_FR;
    track->min = fr ? (wn_css_calc){0} : track->max;
    track->min_kind = fr ? WN_LENGTH_AUTO : track->max_kind;
    return true;
}

static bool add_name(list *l, wn_grid_line_name name)
{
    if (l->names.count >= MAX_NAMES)
        return true;
    wn_grid_line_name *slot = wn_array_push(&l->names);
    if (slot)
        *slot = name;
    else
        l->w->failed = true;
    return slot;
}

static bool add_track(list *l, wn_css_track track)
{
    if (l->tracks.count >= MAX_TRACKS)
        return true;
    wn_css_track *slot = wn_array_push(&l->tracks);
    if (slot)
        *slot = track;
    else
        l->w->failed = true;
    return slot;
}

/* [full-start main-start] */
static bool read_names(list *l)
{
    while (wn_css_take_delim(l->w, '[')) {
        while (wn_css_at(l->w)->kind == WN_CSS_IDENT) {
            wn_grid_name name = name_of(wn_css_at(l->w)->text);
            if (!add_name(l, (wn_grid_line_name){name, l->tracks.count}))
                return false;
            l->w->cursor.at++;
        }
        if (!wn_css_take_delim(l->w, ']'))
            return false;
    }
    return true;
}

/* Names and tracks until something else comes. */
static bool read_tracks(list *l)
{
    for (;;) {
        const wn_css_token *t = wn_css_at(l->w);
        if (!read_names(l))
            return false;
        if (wn_css_at_end(l->w) || wn_css_is_delim(wn_css_at(l->w), ')') ||
            wn_css_is_function(wn_css_at(l->w), WN_STR("repeat")) ||
            wn_css_at(l->w)->kind == WN_CSS_STRING || wn_css_is_delim(wn_css_at(l->w), '/'))
            return true;
        wn_css_track track;
        if (!read_track(l->w, &track) || !add_track(l, track) || wn_css_at(l->w) == t)
            return false;
    }
}

static bool repeat_times(list *l, uint32_t tracks, uint32_t names, uint32_t times)
{
    uint32_t track_end = l->tracks.count, name_end = l->names.count;
    uint32_t each = track_end - tracks;
    for (uint32_t i = 1; i < times && l->tracks.count + each <= MAX_TRACKS && each; i++) {
        for (uint32_t n = names; n < name_end; n++) {
            wn_grid_line_name name = l->names.items[n];
            name.before += i * each;
            if (!add_name(l, name))
                return false;
        }
        for (uint32_t n = tracks; n < track_end; n++)
            if (!add_track(l, l->tracks.items[n]))
                return false;
    }
    return true;
}

static bool read_repeat(list *l)
{
    wn_css_writer *w = l->w;
    w->cursor.at++;
    uint32_t times = 1, tracks = l->tracks.count, names = l->names.count;
    bool fill = wn_css_take_word(w, WN_STR("auto-fill"));
    bool fit = !fill && wn_css_take_word(w, WN_STR("auto-fit"));
    if (!fill && !fit) {
        const wn_css_token *t = wn_css_at(w);
        wn_css_calc calc;
        if (!wn_css_read_calc(&w->cursor, &calc) || !calc.is_number ||
            (t->kind == WN_CSS_NUMBER && !t->integer) || calc.first.of[WN_CSS_PX] < 1)
            return false;
        times = (uint32_t)fminf(calc.first.of[WN_CSS_PX], MAX_TRACKS);
    }
    if (!wn_css_take_delim(w, ',') || !read_tracks(l) || !close_bracket(w) ||
        l->tracks.count == tracks)
        return false;
    if (fill || fit) {
        if (l->repeats)
            return false;
        l->repeats = true;
        l->repeat_fit = fit;
        l->repeat_start = tracks;
        l->repeat_end = l->tracks.count;
        return true;
    }
    return repeat_times(l, tracks, names, times);
}

/* Adds what was read as the value of `property`. */
static bool add_list(list *l, wn_css_property property, bool subgrid)
{
    wn_arena *arena = l->w->cursor.arena;
    wn_css_track *tracks = wn_arena_alloc(arena, l->tracks.count * sizeof *tracks + 1);
    wn_grid_line_name *names = wn_arena_alloc(arena, l->names.count * sizeof *names + 1);
    if (!tracks || !names) {
        l->w->failed = true;
        return false;
    }
    if (l->tracks.count)
        memcpy(tracks, l->tracks.items, l->tracks.count * sizeof *tracks);
    if (l->names.count)
        memcpy(names, l->names.items, l->names.count * sizeof *names);
    assert(l->repeat_start <= l->repeat_end && l->repeat_end <= l->tracks.count);
    wn_css_track_list value = {
        .list = {.names = names,
                 .track_count = l->tracks.count,
                 .name_count = l->names.count,
                 .repeat_start = l->repeat_start,
                 .repeat_end = l->repeat_end,
                 .repeat_fit = l->repeat_fit,
                 .subgrid = subgrid},
        .tracks = tracks,
    };
    return wn_css_add_data(l->w, property, &value, sizeof value);
}

static bool read_list(wn_css_writer *w, wn_css_property property)
{
    list l = {.w = w};
    bool ok = true, subgrid = false;
    if (wn_css_take_word(w, WN_STR("none")))
        return wn_css_add_word(w, property, WN_WORD_AUTO);
    if (wn_css_take_word(w, WN_STR("subgrid"))) {
        subgrid = true;
        ok = read_names(&l);
    } else {
        ok = read_tracks(&l);
        while (ok && wn_css_is_function(wn_css_at(w), WN_STR("repeat")))
            ok = read_repeat(&l) && read_tracks(&l);
        ok &= l.tracks.count > 0;
    }
    ok = ok && add_list(&l, property, subgrid);
    wn_array_free(&l.tracks);
    wn_array_free(&l.names);
    return ok;
}

/* ---- Areas ------------------------------------------------------------------------------- */

typedef struct areas {
    wn_css_writer *w;
    wn_array(wn_grid_area) items;
    uint32_t rows, columns;
} areas;

static bool add_cell(areas *a, wn_str name, uint32_t row, uint32_t column)
{
    wn_grid_name key = name_of(name);
    for (uint32_t i = 0; i < a->items.count; i++) {
        wn_grid_area *area = &a->items.items[i];
        if (!wn_css_grid_name_eq(area->name, key))
            continue;
        if (column >= area->column_end)
            area->column_end = (uint16_t)(column + 1);
        if (row >= area->row_end)
            area->row_end = (uint16_t)(row + 1);
        return column >= area->column_start;
    }
    if (a->items.count >= MAX_AREAS)
        return true;
    wn_grid_area *area = wn_array_push(&a->items);
    if (area)
        *area = (wn_grid_area){key, (uint16_t)row, (uint16_t)(row + 1), (uint16_t)column,
                               (uint16_t)(column + 1)};
    else
        a->w->failed = true;
    return area;
}

/* One row: "head head" */
static bool read_row(areas *a, wn_str row)
{
    uint32_t column = 0;
    const char *p = row.ptr, *end = row.ptr + row.len;
    for (;; column++) {
        while (p < end && wn_is_space(*p))
            p++;
        if (p >= end)
            break;
        const char *start = p;
        if (*p == '.')
            while (p < end && *p == '.')
                p++;
        else
            while (p < end && !wn_is_space(*p) && *p != '.')
                p++;
        if (column >= MAX_TRACKS || a->rows >= MAX_TRACKS)
            return false;
        if (*start != '.' && !add_cell(a, wn_str_between(start, p), a->rows, column))
            return false;
    }
    if (column == 0 || (a->rows > 0 && column != a->columns))
        return false;
    a->columns = column;
    a->rows++;
    return true;
}

static bool add_areas(const areas *a)
{
    wn_css_writer *w = a->w;
    size_t size = a->items.count * sizeof *a->items.items;
    wn_grid_area *items = wn_arena_alloc(w->cursor.arena, size + 1);
    if (!items) {
        w->failed = true;
        return false;
    }
    if (size)
        memcpy(items, a->items.items, size);
    wn_grid_areas value = {items, a->items.count, a->rows, a->columns};
    return wn_css_add_data(w, WN_PROP_GRID_TEMPLATE_AREAS, &value, sizeof value);
}

static bool read_areas(wn_css_writer *w)
{
    areas a = {.w = w};
    if (wn_css_take_word(w, WN_STR("none")))
        return wn_css_add_word(w, WN_PROP_GRID_TEMPLATE_AREAS, WN_WORD_AUTO);
    bool ok = wn_css_at(w)->kind == WN_CSS_STRING;
    while (ok && wn_css_at(w)->kind == WN_CSS_STRING) {
        ok = read_row(&a, wn_css_at(w)->text);
        w->cursor.at++;
    }
    ok = ok && add_areas(&a);
    wn_array_free(&a.items);
    return ok;
}

/* ---- Lines and flow ---------------------------------------------------------------------- */

static bool read_line(wn_css_writer *w, wn_grid_line *line)
{
    *line = (wn_grid_line){.name = {"", 0, 0}};
    if (wn_css_take_word(w, WN_STR("auto")))
        return true;
    bool any = false, number = false;
    for (int i = 0; i < 3; i++) {
        const wn_css_token *t = wn_css_at(w);
        wn_css_calc calc;
        if (!line->span && wn_css_take_word(w, WN_STR("span"))) {
            line->span = true;
        } else if (t->kind == WN_CSS_IDENT && !line->name.len) {
            line->name = name_of(t->text);
            w->cursor.at++;
            any = true;
        } else if (!number && (t->kind == WN_CSS_NUMBER || t->kind == WN_CSS_FUNCTION) &&
                   wn_css_read_calc(&w->cursor, &calc) && calc.is_number) {
            float value = roundf(calc.first.of[WN_CSS_PX]);
            line->number = (int32_t)fminf(fmaxf(value, -MAX_LINE), MAX_LINE);
            number = any = true;
        }
    }
    if (number && (line->number == 0 || (line->span && line->number < 0)))
        return false;
    if (line->span && !number)
        line->number = 1;
    return any;
}

static bool read_flow(wn_css_writer *w)
{
    unsigned column = 0, dense = 0;
    bool any = false;
    while (wn_css_at(w)->kind == WN_CSS_IDENT) {
        if (wn_css_take_word(w, WN_STR("column")))
            column = 1;
        else if (wn_css_take_word(w, WN_STR("dense")))
            dense = 2;
        else if (!wn_css_take_word(w, WN_STR("row")))
            return false;
        any = true;
    }
    return any && wn_css_add_word(w, WN_PROP_GRID_AUTO_FLOW, column | dense);
}

bool wn_css_read_grid_longhand(wn_css_writer *w, wn_css_property property)
{
    wn_grid_line line;
    switch (property) {
    case WN_PROP_GRID_TEMPLATE_COLUMNS:
    case WN_PROP_GRID_TEMPLATE_ROWS:
    case WN_PROP_GRID_AUTO_COLUMNS:
    case WN_PROP_GRID_AUTO_ROWS:
        return read_list(w, property);
    case WN_PROP_GRID_TEMPLATE_AREAS:
        return read_areas(w);
    case WN_PROP_GRID_AUTO_FLOW:
        return read_flow(w);
    case WN_PROP_GRID_ROW_START:
    case WN_PROP_GRID_ROW_END:
    case WN_PROP_GRID_COLUMN_START:
    case WN_PROP_GRID_COLUMN_END:
        return read_line(w, &line) && wn_css_add_data(w, property, &line, sizeof line);
    default:
        return false;
    }
}

/* ---- Shorthands -------------------------------------------------------------------------- */

/* grid-row: start / end; grid-area: row / column / row end / column end. */
static bool read_placement(wn_css_writer *w, const wn_css_property *lines, int count)
{
    wn_grid_line values[4];
    int given = 0;
    do {
        if (given >= count || !read_line(w, &values[given++]))
            return false;
    } while (wn_css_take_delim(w, '/'));
    for (int i = given; i < count; i++) {
        /* A name stands for its area: it is repeated; numbers are not. */
        const wn_grid_line *from = &values[count == 4 && i == 1 ? 0 : i - count / 2];
        bool name_only = from->name.len && !from->number && !from->span;
        values[i] = name_only ? *from : (wn_grid_line){.name = {"", 0, 0}};
    }
    for (int i = 0; i < count; i++)
        if (!wn_css_add_data(w, lines[i], &values[i], sizeof values[i]))
            return false;
    return true;
}

/* "head head" 40px "main side" 1fr / 2fr 1fr */
static bool read_rows_with_areas(wn_css_writer *w)
{
    areas a = {.w = w};
    list rows = {.w = w};
    bool ok = true;
    while (ok && !wn_css_at_end(w) && !wn_css_is_delim(wn_css_at(w), '/')) {
        ok = read_names(&rows) && wn_css_at(w)->kind == WN_CSS_STRING &&
             read_row(&a, wn_css_at(w)->text);
        if (!ok)
            break;
        w->cursor.at++;
        wn_css_track track = {.min_kind = WN_LENGTH_AUTO, .max_kind = WN_LENGTH_AUTO};
        const wn_css_token *t = wn_css_at(w);
        if (t->kind != WN_CSS_STRING && t->kind != WN_CSS_END && !wn_css_is_delim(t, '/') &&
            !wn_css_is_delim(t, '['))
            ok = read_track(w, &track);
        ok = ok && add_track(&rows, track) && read_names(&rows);
    }
    ok = ok && a.rows > 0 && add_areas(&a) && add_list(&rows, WN_PROP_GRID_TEMPLATE_ROWS, false);
    wn_array_free(&a.items);
    wn_array_free(&rows.tracks);
    wn_array_free(&rows.names);
    if (!ok)
        return false;
    return wn_css_take_delim(w, '/')
               ? read_list(w, WN_PROP_GRID_TEMPLATE_COLUMNS)
               : wn_css_add_word(w, WN_PROP_GRID_TEMPLATE_COLUMNS, WN_WORD_AUTO);
}

static bool has_string(const wn_css_token *t)
{
    for (; t->kind != WN_CSS_END; t++)
        if (t->kind == WN_CSS_STRING)
            return true;
    return false;
}

static bool read_template(wn_css_writer *w)
{
    if (has_string(wn_css_at(w)))
        return read_rows_with_areas(w);
    wn_css_add_word(w, WN_PROP_GRID_TEMPLATE_AREAS, WN_WORD_AUTO);
    if (wn_css_is_ident(wn_css_at(w), WN_STR("none")) && wn_css_at(w)[1].kind == WN_CSS_END) {
        w->cursor.at++;
        return wn_css_add_word(w, WN_PROP_GRID_TEMPLATE_ROWS, WN_WORD_AUTO) &&
               wn_css_add_word(w, WN_PROP_GRID_TEMPLATE_COLUMNS, WN_WORD_AUTO);
    }
    return read_list(w, WN_PROP_GRID_TEMPLATE_ROWS) && wn_css_take_delim(w, '/') &&
           read_list(w, WN_PROP_GRID_TEMPLATE_COLUMNS);
}

static bool take_auto_flow(wn_css_writer *w, unsigned *dense)
{
    if (wn_css_take_word(w, WN_STR("dense"))) {
        *dense = 2;
        return wn_css_take_word(w, WN_STR("auto-flow"));
    }
    if (!wn_css_take_word(w, WN_STR("auto-flow")))
        return false;
    *dense = wn_css_take_word(w, WN_STR("dense")) ? 2 : 0;
    return true;
}

/* grid: a template, or "auto-flow [tracks] / columns", or "rows / auto-flow [tracks]". */
static bool read_grid(wn_css_writer *w)
{
    unsigned dense;
    if (take_auto_flow(w, &dense)) {
        if (!wn_css_is_delim(wn_css_at(w), '/') && !read_list(w, WN_PROP_GRID_AUTO_ROWS))
            return false;
        return wn_css_take_delim(w, '/') && read_list(w, WN_PROP_GRID_TEMPLATE_COLUMNS) &&
               wn_css_add_word(w, WN_PROP_GRID_AUTO_FLOW, dense);
    }
    const wn_css_token *start = wn_css_at(w);
    uint32_t added = w->out->count;
    if (read_template(w) && wn_css_at_end(w))
        return wn_css_add_word(w, WN_PROP_GRID_AUTO_FLOW, 0);
    w->cursor.at = start;
    w->out->count = added;
    if (!read_list(w, WN_PROP_GRID_TEMPLATE_ROWS) || !wn_css_take_delim(w, '/') ||
        !take_auto_flow(w, &dense))
        return false;
    return (wn_css_at_end(w) || read_list(w, WN_PROP_GRID_AUTO_COLUMNS)) &&
           wn_css_add_word(w, WN_PROP_GRID_AUTO_FLOW, 1 | dense);
}

bool wn_css_read_grid_shorthand(wn_css_writer *w, wn_css_property property)
{
    static const wn_css_property area[] = {WN_PROP_GRID_ROW_START, WN_PROP_GRID_COLUMN_START,
                                           WN_PROP_GRID_ROW_END, WN_PROP_GRID_COLUMN_END};
    static const wn_css_property row[] = {WN_PROP_GRID_ROW_START, WN_PROP_GRID_ROW_END};
    static const wn_css_property column[] = {WN_PROP_GRID_COLUMN_START, WN_PROP_GRID_COLUMN_END};
    switch (property) {
    case WN_PROP_GRID_AREA:
        return read_placement(w, area, 4);
    case WN_PROP_GRID_ROW:
        return read_placement(w, row, 2);
    case WN_PROP_GRID_COLUMN:
        return read_placement(w, column, 2);
    case WN_PROP_GRID_TEMPLATE:
        return read_template(w);
    default:
        return read_grid(w);
    }
}
