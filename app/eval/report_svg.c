/*
 * The picture: bars of F1 by type and method, with whiskers for the 95% intervals.
 *
 *     1 |        _                        A group of bars a type, the first one for all pages;
 *       |  _    | |_   _                  a colour a method. Numbers show when the pointer
 *       |_| |___|_|_|_| |_                rests on a bar.
 *        all   article …
 *
 * It is written by hand as SVG: rectangles, lines and text need no library.
 */
#include <math.h>

#include "eval/report.h"

enum {
    BAR = 16, /* all lengths in pixels */
    GROUP_GAP = 24,
    PLOT_HEIGHT = 260,
    LEFT = 56,
    TOP = 44,
    LABELS = 40, /* below the axis */
    LEGEND_LINE = 20,
    LETTER = 8, /* an average letter of the labels */
};

/* Okabe and Ito's colours: apart also for people who see fewer of them. */
static const char *const colours[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                      "#cc79a7", "#56b4e9", "#999999", "#f0e442"};

typedef struct plot {
    wn_report *report;
    wn_buf *out;
    uint32_t runners;
    double group_width, width;
} plot;

/* Text in XML 1.0, where most control characters must not stand even as references. */
static void add_escaped(wn_buf *out, wn_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '&')
            wn_buf_add_literal(out, "&amp;");
        else if (c == '<')
            wn_buf_add_literal(out, "&lt;");
        else if (c == '>')
            wn_buf_add_literal(out, "&gt;");
        else if (c == '"')
            wn_buf_add_literal(out, "&quot;");
        else
            wn_buf_add_char(out, (unsigned char)c < 0x20 ? ' ' : c);
    }
}

static double height_at(double f1)
{
    return TOP + PLOT_HEIGHT * (1 - f1);
}

static void write_axis(plot *p)
{
    for (int tenth = 0; tenth <= 10; tenth += 2) {
        double y = height_at(tenth / 10.0);
        wn_buf_add_format(p->out,
                          "<line x1=\"%d\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n"
                          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text>\n",
                          LEFT, p->width - GROUP_GAP, y, y, tenth ? "#dddddd" : "#333333", LEFT - 8,
                          y + 4, tenth / 10.0);
    }
}

static void write_whisker(plot *p, double middle, wn_interval interval)
{
    double top = height_at(interval.high), bottom = height_at(interval.low);
    wn_buf_add_format(p->out,
                      "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fh6M%.1f %.1fh6\" stroke=\"#333333\" "
                      "fill=\"none\"/>\n",
                      middle, top, bottom, middle - 3, top, middle - 3, bottom);
}

static void write_bar(plot *p, double x, uint32_t runner, const wn_groups *groups,
                      const wn_group *group)
{
    wn_summary s = wn_report_summary(p->report, runner, p->report->lead, groups, group);
    if (isnan(s.mean.f1))
        return;
    size_t colour = runner % (sizeof colours / sizeof *colours);
    wn_buf_add_format(
        p->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"><title>", x,
        height_at(s.mean.f1), BAR - 2, PLOT_HEIGHT * s.mean.f1, colours[colour]);
    add_escaped(p->out, wn_str_of(p->report->runners->list.items[runner].name));
    wn_buf_add_literal(p->out, ", ");
    add_escaped(p->out, wn_group_shown(group));
    wn_buf_add_format(p->out, ": %.4f (%.4f - %.4f), %u pages</title></rect>\n", s.mean.f1,
                      s.f1.low, s.f1.high, group->count);
    write_whisker(p, x + BAR / 2.0 - 1, s.f1);
}

static void write_group(plot *p, uint32_t place, const wn_groups *groups, const wn_group *group)
{
    double x = LEFT + GROUP_GAP / 2.0 + place * p->group_width;
    double bars = p->group_width - GROUP_GAP;
    double first = x + (bars - p->runners * (double)BAR) / 2;
    for (uint32_t runner = 0; runner < p->runners; runner++)
        write_bar(p, first + runner * (double)BAR, runner, groups, group);
    wn_buf_add_format(p->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x + bars / 2,
                      TOP + PLOT_HEIGHT + 18);
    add_escaped(p->out, wn_group_shown(group));
    wn_buf_add_literal(p->out, "</text>\n");
}

static void write_legend(plot *p)
{
    for (uint32_t runner = 0; runner < p->runners; runner++) {
        int y = TOP + PLOT_HEIGHT + LABELS + (int)runner * LEGEND_LINE;
        wn_buf_add_format(p->out,
                          "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>\n"
                          "<text x=\"%d\" y=\"%d\">",
                          LEFT, y, colours[runner % (sizeof colours / sizeof *colours)], LEFT + 20,
                          y + 11);
        add_escaped(p->out, wn_str_of(p->report->runners->list.items[runner].name));
        wn_buf_add_literal(p->out, "</text>\n");
    }
}

/* Wide enough for the bars and for the longest label. */
static double group_width(const plot *p, const wn_groups *types)
{
    size_t letters = 3;
    for (uint32_t i = 0; i < types->list.count; i++) {
        size_t len = wn_group_shown(&types->list.items[i]).len;
        letters = len > letters ? len : letters;
    }
    double bars = p->runners * (double)BAR, label = (double)letters * LETTER;
    return GROUP_GAP + (bars > label ? bars : label);
}

static void write_start(plot *p, uint32_t groups)
{
    double height = TOP + PLOT_HEIGHT + LABELS + p->runners * LEGEND_LINE + 12;
    double needed = LEFT + groups * p->group_width + GROUP_GAP;
    p->width = needed < 360 ? 360 : needed;
    wn_buf_add_format(p->out,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                      "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"13\">\n"
                      "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
                      "<text x=\"%d\" y=\"24\" font-size=\"16\">",
                      p->width, height, p->width, height, LEFT);
    wn_buf_add_format(p->out, "%s F1 by type of page, with 95%% intervals",
                      wn_measure_name(NULL, p->report->lead));
    wn_buf_add_literal(p->out, "</text>\n");
}

void wn_report_write_svg(wn_report *report, wn_buf *out)
{
    plot p = {.report = report, .out = out, .runners = report->runners->list.count};
    wn_groups all = wn_report_groups(report, WN_GROUP_ALL);
    wn_groups types = wn_report_groups(report, WN_GROUP_TYPE);
    bool by_type = types.list.count > 1;
    p.group_width = group_width(&p, &types);
    write_start(&p, all.list.count + (by_type ? types.list.count : 0));
    write_axis(&p);
    if (all.list.count > 0)
        write_group(&p, 0, &all, &all.list.items[0]);
    for (uint32_t i = 0; by_type && i < types.list.count; i++)
        write_group(&p, i + 1, &types, &types.list.items[i]);
    write_legend(&p);
    wn_buf_add_literal(out, "</svg>\n");
    wn_groups_free(&all);
    wn_groups_free(&types);
}
