/*
 * The picture: bars of F1 by type and method, with whiskers for the 95% intervals.
 *
 *     1 |        _                        A group of bars a type, the first one for all pages;
 *       |  _    | |_   _                  a colour a method. Numbers show when the pointer
 *       |_| |___|_|_|_| |_                rests on a bar.
 *        all   article …
 *
 * It is drawn on a sheet (draw/sheet.h), which becomes SVG, PNG or PDF.
 */
#include <math.h>

#include "base/utf8.h"
#include "draw/sheet.h"
#include "eval/report.h"

enum {
    BAR = 16, /* all lengths in pixels */
    GROUP_GAP = 24,
    PLOT_HEIGHT = 260,
    LEFT = 56,
    TOP = 44,
    LABELS = 40, /* below the axis */
    LEGEND_LINE = 20,
    LEGEND_BOX = 20,   /* the colour before a name */
    LEGEND_GAP = 24,   /* after it */
    LETTER = 8,        /* an average letter of the labels */
    LEAST_WIDTH = 480, /* for the title */
};

/* Okabe and Ito's colours: apart also for people who see fewer of them. */
static const uint32_t colours[] = {0x0072b2, 0xe69f00, 0x009e73, 0xd55e00,
                                   0xcc79a7, 0x56b4e9, 0x999999, 0xf0e442};

static const uint32_t INK = 0x333333, PALE = 0xdddddd;
static const double TITLE_SIZE = 16, LABEL_SIZE = 13;

typedef struct plot {
    wn_report *report;
    wn_sheet *sheet;
    wn_buf text; /* of the label at hand */
    uint32_t runners;
    double group_width;
} plot;

static double height_at(double f1)
{
    return TOP + PLOT_HEIGHT * (1 - f1);
}

static uint32_t colour_of(uint32_t runner)
{
    return colours[runner % (sizeof colours / sizeof *colours)];
}

static wn_str runner_name(const plot *p, uint32_t runner)
{
    return wn_str_of(p->report->runners->list.items[runner].name);
}

static void draw_line(plot *p, double x, double y, double width, double height, uint32_t colour)
{
    wn_draw_sheet_line(
        p->sheet, (wn_shape){.x = x, .y = y, .width = width, .height = height, .colour = colour});
}

static void draw_label(plot *p, double x, double y, wn_anchor anchor, wn_str text)
{
    wn_draw_sheet_label(
        p->sheet,
        (wn_shape){
            .x = x, .y = y, .size = LABEL_SIZE, .anchor = anchor, .colour = INK, .text = text});
}

static void draw_axis(plot *p)
{
    double width = p->sheet->width - GROUP_GAP - LEFT;
    for (int tenth = 0; tenth <= 10; tenth += 2) {
        double y = height_at(tenth / 10.0);
        wn_buf_clear(&p->text);
        wn_buf_add_format(&p->text, "%.1f", tenth / 10.0);
        draw_line(p, LEFT, y, width, 0, tenth ? PALE : INK);
        draw_label(p, LEFT - 8, y + 4, WN_ANCHOR_END, wn_buf_str(&p->text));
    }
}

static void draw_whisker(plot *p, double middle, wn_interval interval)
{
    double top = height_at(interval.high), bottom = height_at(interval.low);
    draw_line(p, middle, top, 0, bottom - top, INK);
    draw_line(p, middle - 3, top, 6, 0, INK);
    draw_line(p, middle - 3, bottom, 6, 0, INK);
}

static void draw_bar(plot *p, double x, uint32_t runner, const wn_groups *groups,
                     const wn_group *group)
{
    wn_summary s = wn_eval_report_summary(p->report, runner, p->report->lead, groups, group);
    if (isnan(s.mean.f1))
        return;
    wn_buf_clear(&p->text);
    wn_buf_add(&p->text, runner_name(p, runner));
    wn_buf_add_literal(&p->text, ", ");
    wn_buf_add(&p->text, wn_eval_group_shown(group));
    wn_buf_add_format(&p->text, ": %.4f (%.4f - %.4f), %u pages", s.mean.f1, s.f1.low, s.f1.high,
                      group->count);
    wn_draw_sheet_box(p->sheet, (wn_shape){.x = x,
                                           .y = height_at(s.mean.f1),
                                           .width = BAR - 2,
                                           .height = PLOT_HEIGHT * s.mean.f1,
                                           .colour = colour_of(runner),
                                           .text = wn_buf_str(&p->text)});
    draw_whisker(p, x + BAR / 2.0 - 1, s.f1);
}

static void draw_group(plot *p, uint32_t place, const wn_groups *groups, const wn_group *group)
{
    double x = LEFT + GROUP_GAP / 2.0 + place * p->group_width;
    double bars = p->group_width - GROUP_GAP;
    double first = x + (bars - p->runners * (double)BAR) / 2;
    for (uint32_t runner = 0; runner < p->runners; runner++)
        draw_bar(p, first + runner * (double)BAR, runner, groups, group);
    draw_label(p, x + bars / 2, TOP + PLOT_HEIGHT + 18, WN_ANCHOR_MIDDLE,
               wn_eval_group_shown(group));
}

static double legend_width(const plot *p, uint32_t runner)
{
    return LEGEND_BOX + (double)wn_utf8_count(runner_name(p, runner)) * LETTER + LEGEND_GAP;
}

/*
 * The names side by side, in as many lines as they need; returns how many. Draws them if it shall.
 */
static uint32_t lay_legend(plot *p, bool draw)
{
    double x = LEFT, right = p->sheet->width - GROUP_GAP;
    uint32_t lines = 1;
    for (uint32_t runner = 0; runner < p->runners; runner++) {
        double width = legend_width(p, runner);
        if (x > LEFT && x + width - LEGEND_GAP > right) {
            x = LEFT;
            lines++;
        }
        double y = TOP + PLOT_HEIGHT + LABELS + (lines - 1) * (double)LEGEND_LINE;
        if (draw) {
            wn_draw_sheet_box(
                p->sheet,
                (wn_shape){.x = x, .y = y, .width = 12, .height = 12, .colour = colour_of(runner)});
            draw_label(p, x + LEGEND_BOX, y + 11, WN_ANCHOR_START, runner_name(p, runner));
        }
        x += width;
    }
    return lines;
}

/* Wide enough for the bars and for the longest label. */
static double group_width(const plot *p, const wn_groups *types)
{
    size_t letters = 3;
    for (uint32_t i = 0; i < types->list.count; i++) {
        size_t count = wn_utf8_count(wn_eval_group_shown(&types->list.items[i]));
        letters = count > letters ? count : letters;
    }
    double bars = p->runners * (double)BAR, label = (double)letters * LETTER;
    return GROUP_GAP + (bars > label ? bars : label);
}

/* Wide enough for the groups, the title and the legend. */
static double sheet_width(const plot *p, uint32_t groups)
{
    double width = fmax(LEAST_WIDTH, LEFT + groups * p->group_width + GROUP_GAP);
    for (uint32_t runner = 0; runner < p->runners; runner++)
        width = fmax(width, LEFT + legend_width(p, runner) + GROUP_GAP);
    return ceil(width);
}

static void draw_start(plot *p, uint32_t groups)
{
    p->sheet->width = sheet_width(p, groups);
    p->sheet->height = TOP + PLOT_HEIGHT + LABELS + lay_legend(p, false) * LEGEND_LINE + 12;
    wn_buf_add_format(&p->text, "%s F1 by type of page, with 95%% intervals",
                      wn_eval_measure_name(NULL, p->report->lead));
    wn_draw_sheet_label(
        p->sheet,
        (wn_shape){
            .x = LEFT, .y = 24, .size = TITLE_SIZE, .colour = INK, .text = wn_buf_str(&p->text)});
}

void wn_eval_report_plot(wn_report *report, wn_sheet *sheet)
{
    plot p = {.report = report, .sheet = sheet, .runners = report->runners->list.count};
    wn_groups all = wn_eval_report_groups(report, WN_GROUP_ALL);
    wn_groups types = wn_eval_report_groups(report, WN_GROUP_TYPE);
    bool by_type = types.list.count > 1;
    p.group_width = group_width(&p, &types);
    draw_start(&p, all.list.count + (by_type ? types.list.count : 0));
    draw_axis(&p);
    if (all.list.count > 0)
        draw_group(&p, 0, &all, &all.list.items[0]);
    for (uint32_t i = 0; by_type && i < types.list.count; i++)
        draw_group(&p, i + 1, &types, &types.list.items[i]);
    lay_legend(&p, true);
    wn_buf_free(&p.text);
    wn_eval_groups_free(&all);
    wn_eval_groups_free(&types);
}
