/*
 * Heights of a table's rows and sections: what their cells need, and how the height of a section or
 * of the table is shared out among them.
 */
#include <assert.h>

#include "layout/table.h"

/* ---- Rows -------------------------------------------------------------------------------- */

static bool on_baseline(const wn_style *style)
{
    return style->vertical_align != WN_VALIGN_TOP && style->vertical_align != WN_VALIGN_MIDDLE &&
           style->vertical_align != WN_VALIGN_BOTTOM;
}

/* What the styles of rows and cells say of the rows' heights. */
static void read_rows(wn_lay *lay, table *t)
{
    for (uint32_t i = 0; i < t->row_count; i++) {
        wn_length height = wn_layout_at(lay, t->rows[i].box)->style->height;
        wn_px given = wn_layout_length(lay, height, WN_PX_AUTO, WN_PX_AUTO);
        t->rows[i].height = wn_px_max(given, 0);
        t->rows[i].percent = wn_layout_table_percent(height);
        t->rows[i].constrained = given != WN_PX_AUTO;
        t->rows[i].baseline = 0;
    }
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const wn_lay_box *cell = wn_layout_at(lay, t->cells[i]);
        assert(cell->row + cell->row_span <= t->row_count);
        row *r = &t->rows[cell->row];
        if (cell->row_span > 1)
            continue;
        float percent = wn_layout_table_percent(cell->style->height);
        r->percent = percent > r->percent ? percent : r->percent;
        if (wn_layout_length(lay, cell->style->height, WN_PX_AUTO, 0) > 0)
            r->constrained = true;
    }
}

/* The rows that a height is shared out among, by what they are like: the first kind there is. */
typedef enum row_kind {
    ROWS_FREE,        /* with something in them, and no height given */
    ROWS_EMPTY,       /* with neither */
    ROWS_CONSTRAINED, /* with a height */
    ROWS_ALL,
} row_kind;

static bool is_of_kind(const row *r, row_kind kind)
{
    bool free = !r->constrained && r->percent == 0;
    return kind == ROWS_FREE          ? free && r->height > 0
           : kind == ROWS_EMPTY       ? free && r->height == 0
           : kind == ROWS_CONSTRAINED ? r->percent == 0 && r->height > 0
                                      : true;
}

/*
 * Makes rows higher by `more` in all: first those with a percentage of `base`, then those that are
 * free, in proportion.  https://drafts.csswg.org/css-tables-3/#height-distribution-algorithm
 */
static void grow_rows(row *rows, uint32_t count, wn_px more, wn_px base)
{
    for (uint32_t i = 0; base != WN_PX_AUTO && i < count && more > 0; i++) {
        wn_px wanted = wn_px_cut((double)base * (double)rows[i].percent / 100) - rows[i].height;
        if (rows[i].percent == 0 || wanted <= 0)
            continue;
        wanted = wn_px_min(wanted, more);
        rows[i].height += wanted;
        more -= wanted;
    }
    for (row_kind kind = ROWS_FREE; kind <= ROWS_ALL && more > 0; kind++) {
        wn_px sum = 0;
        uint32_t found = 0;
        for (uint32_t i = 0; i < count; i++) {
            found += is_of_kind(&rows[i], kind);
            sum += is_of_kind(&rows[i], kind) ? rows[i].height : 0;
        }
        for (uint32_t i = 0; i < count && found > 0; i++) {
            if (!is_of_kind(&rows[i], kind))
                continue;
            double share = sum > 0 ? (double)rows[i].height / (double)sum : 1.0 / found;
            wn_px part = (wn_px)((double)more * share);
            rows[i].height += part;
        }
        if (found > 0)
            return;
    }
}

/* A row is as high as its cells; those on the baseline are lined up first. */
static void size_rows(wn_lay *lay, table *t)
{
    read_rows(lay, t);
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const wn_lay_box *cell = wn_layout_at(lay, t->cells[i]);
        if (cell->baseline != WN_PX_NONE && on_baseline(cell->style))
            t->rows[cell->row].baseline = wn_px_max(t->rows[cell->row].baseline, cell->baseline);
    }
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const wn_lay_box *cell = wn_layout_at(lay, t->cells[i]);
        row *r = &t->rows[cell->row];
        wn_px height = cell->measured_height;
        if (cell->baseline != WN_PX_NONE && on_baseline(cell->style))
            height += r->baseline - cell->baseline;
        if (cell->row_span == 1)
            r->height = wn_px_max(r->height, height);
    }
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const wn_lay_box *cell = wn_layout_at(lay, t->cells[i]);
        if (cell->row_span == 1 || cell->row_span > MAX_SHARING_ROWS ||
            !wn_cost_spend(&lay->table_steps, (uint64_t)cell->row_span * SPANNED_STEPS))
            continue;
        wn_px sum = t->spacing_y * (cell->row_span - 1);
        for (uint32_t k = 0; k < cell->row_span; k++)
            sum += t->rows[cell->row + k].height;
        wn_px more = cell->measured_height - sum;
        if (more > 0 && sum == t->spacing_y * (cell->row_span - 1))
            t->rows[cell->row + cell->row_span - 1].height += more;
        else if (more > 0)
            grow_rows(&t->rows[cell->row], cell->row_span, more, WN_PX_AUTO);
    }
}

/* ---- Sections ---------------------------------------------------------------------------- */

static void set_section_height(table *t, section *s, wn_px height)
{
    wn_px more = height - s->height;
    if (more <= 0)
        return;
    grow_rows(&t->rows[s->first], s->count, more, height);
    s->height = height;
}

static void size_sections(table *t)
{
    for (uint32_t i = 0; i < t->section_count; i++) {
        section *s = &t->sections[i];
        s->height = s->count > 1 ? t->spacing_y * (s->count - 1) : 0;
        for (uint32_t r = s->first; r < s->first + s->count; r++)
            s->height += t->rows[r].height;
        set_section_height(t, s, s->given);
    }
}

/* Whether a section may grow with its table, in turn: free ones, those with a height, all. */
static bool may_grow(const section *s, bool bodies, int turn)
{
    if (bodies && !s->body)
        return false;
    return turn == 0   ? s->given == WN_PX_AUTO && s->percent == 0
           : turn == 1 ? s->percent == 0
                       : true;
}

/* Height that the table has beyond its sections goes to its bodies, or to all if there are none. */
void wn_layout_table_stretch(table *t, wn_px more, wn_px whole)
{
    bool bodies = false;
    for (uint32_t i = 0; i < t->section_count; i++)
        bodies = bodies || t->sections[i].body;
    for (uint32_t i = 0; i < t->section_count && more > 0; i++) {
        section *s = &t->sections[i];
        wn_px wanted = wn_px_cut((double)whole * (double)s->percent / 100) - s->height;
        if (s->percent == 0 || wanted <= 0 || (bodies && !s->body))
            continue;
        wanted = wn_px_min(wanted, more);
        set_section_height(t, s, s->height + wanted);
        more -= wanted;
    }
    for (int turn = 0; turn < 3 && more > 0; turn++) {
        wn_px sum = 0;
        uint32_t found = 0;
        for (uint32_t i = 0; i < t->section_count; i++) {
            found += may_grow(&t->sections[i], bodies, turn);
            sum += may_grow(&t->sections[i], bodies, turn) ? t->sections[i].height : 0;
        }
        for (uint32_t i = 0; i < t->section_count && found > 0; i++) {
            section *s = &t->sections[i];
            if (!may_grow(s, bodies, turn))
                continue;
            double share = sum > 0 ? (double)s->height / (double)sum : 1.0 / found;
            set_section_height(t, s, s->height + (wn_px)((double)more * share));
        }
        if (found > 0)
            return;
    }
}

/* Places sections and rows from `y` on; returns where they end. */
wn_px wn_layout_table_place_sections(table *t, wn_px y)
{
    bool any = false;
    for (uint32_t i = 0; i < t->section_count; i++) {
        section *s = &t->sections[i];
        bool shown = s->count > 0 || s->height > 0;
        y += shown && !any ? t->spacing_y : 0;
        any = any || shown;
        s->y = y;
        for (uint32_t r = s->first; r < s->first + s->count; r++) {
            t->rows[r].y = y;
            y += t->rows[r].height + t->spacing_y;
        }
        y = shown ? s->y + s->height + t->spacing_y : y;
    }
    return y;
}

void wn_layout_table_size_rows(wn_lay *lay, table *t)
{
    size_rows(lay, t);
    size_sections(t);
}
