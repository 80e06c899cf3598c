#include "eval/report_labels.h"

#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "draw/text_table.h"

/* ---- Groups ------------------------------------------------------------------------------ */

wn_groups wn_eval_report_labels(wn_report *report)
{
    wn_groups types = wn_eval_report_groups(report, WN_GROUP_TYPE);
    if (types.list.count > 1 || (types.list.count == 1 && types.list.items[0].name.len > 0))
        return types;
    wn_eval_groups_free(&types);
    return wn_eval_report_groups(report, WN_GROUP_DOMAIN);
}

wn_block_counts wn_eval_report_blocks(const wn_report *report, uint32_t runner,
                                      const wn_groups *groups, const wn_group *group)
{
    wn_block_counts sum = {0};
    for (uint32_t i = group->first; i < group->first + group->count; i++)
        wn_eval_block_counts_add(&sum,
                                 &wn_eval_report_result(report, groups->order[i], runner)->blocks);
    return sum;
}

/* ---- The table --------------------------------------------------------------------------- */

static void add_row(wn_report *report, wn_draw_table *table, uint32_t runner,
                    const wn_groups *groups, const wn_group *group, wn_str label)
{
    wn_block_counts counts = wn_eval_report_blocks(report, runner, groups, group);
    wn_draw_table_cell(table, "%s", report->runners->list.items[runner].name);
    wn_draw_table_text(table, label);
    wn_draw_table_cell(table, "%u", group->count);
    wn_draw_table_number(table, 100 * wn_eval_block_accuracy(&counts), 1);
    wn_draw_table_number(table, 100 * wn_eval_block_precision(&counts), 1);
    wn_draw_table_number(table, 100 * wn_eval_block_recall(&counts), 1);
    wn_draw_table_number(table, 100 * wn_eval_block_specificity(&counts), 1);
}

void wn_eval_report_label_table(wn_report *report, wn_buf *out, bool markdown)
{
    static const char *const names[] = {"method",    "label",  "documents",  "accuracy",
                                        "precision", "recall", "specificity"};
    wn_groups labels = wn_eval_report_labels(report),
              all = wn_eval_report_groups(report, WN_GROUP_ALL);
    wn_draw_table table;
    wn_draw_table_begin(&table, sizeof names / sizeof *names, 2);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        wn_draw_table_cell(&table, "%s", names[i]);
    for (uint32_t runner = 0; runner < report->runners->list.count; runner++) {
        for (uint32_t i = 0; i < labels.list.count; i++)
            add_row(report, &table, runner, &labels, &labels.list.items[i],
                    wn_eval_group_shown(&labels.list.items[i]));
        for (uint32_t i = 0; i < all.list.count; i++)
            add_row(report, &table, runner, &all, &all.list.items[i], WN_STR("all"));
    }
    wn_buf_add_literal(out, markdown ? "## " : "");
    wn_buf_add_literal(out, "Blocks right and wrong, in percent, by label\n");
    wn_buf_add_literal(out, markdown ? "\n" : "");
    wn_draw_table_write(&table, out, markdown);
    report->failed = report->failed || table.failed;
    wn_draw_table_free(&table);
    wn_eval_groups_free(&labels);
    wn_eval_groups_free(&all);
}

/* ---- The chart --------------------------------------------------------------------------- */

enum { LEFT = 48, TOP = 64, BAR = 16, GAP = 28, PLOT_HEIGHT = 260, BOTTOM = 40, LETTER = 8 };

static const uint32_t INK = 0x333333, PALE = 0xdddddd;

static const struct {
    const char *name;
    double (*figure)(const wn_block_counts *counts);
    uint32_t colour;
} figures[] = {
    {"accuracy", wn_eval_block_accuracy, 0x0072b2},
    {"precision", wn_eval_block_precision, 0xe69f00},
    {"recall", wn_eval_block_recall, 0x009e73},
    {"specificity", wn_eval_block_specificity, 0xcc79a7},
};

enum { FIGURES = sizeof figures / sizeof *figures };

static void add_label(wn_sheet *sheet, double x, double y, double size, wn_anchor anchor,
                      wn_str text)
{
    wn_draw_sheet_label(
        sheet,
        (wn_shape){.x = x, .y = y, .size = size, .colour = INK, .anchor = anchor, .text = text});
}

static void draw_axis(wn_sheet *sheet)
{
    for (int percent = 0; percent <= 100; percent += 20) {
        char text[8];
        double y = TOP + PLOT_HEIGHT * (1 - percent / 100.0);
        snprintf(text, sizeof text, "%d", percent);
        wn_draw_sheet_line(sheet, (wn_shape){.x = LEFT,
                                             .y = y,
                                             .width = sheet->width - LEFT - GAP / 2.0,
                                             .colour = percent ? PALE : INK});
        add_label(sheet, LEFT - 6, y + 4, 12, WN_ANCHOR_END, wn_str_of(text));
    }
}

static void draw_group(wn_sheet *sheet, double x, const wn_block_counts *counts, wn_str label)
{
    for (int i = 0; i < FIGURES; i++) {
        char text[48];
        double value = figures[i].figure(counts);
        if (isnan(value))
            continue;
        snprintf(text, sizeof text, "%s %.1f", figures[i].name, 100 * value);
        wn_draw_sheet_box(sheet, (wn_shape){.x = x + i * BAR,
                                            .y = TOP + PLOT_HEIGHT * (1 - value),
                                            .width = BAR - 2,
                                            .height = PLOT_HEIGHT * value,
                                            .colour = figures[i].colour,
                                            .text = wn_str_of(text)});
    }
    add_label(sheet, x + FIGURES * BAR / 2.0, TOP + PLOT_HEIGHT + 18, 12, WN_ANCHOR_MIDDLE, label);
}

static void draw_legend(wn_sheet *sheet)
{
    for (int i = 0; i < FIGURES; i++) {
        double x = LEFT + i * 110.0;
        wn_draw_sheet_box(
            sheet,
            (wn_shape){.x = x, .y = 38, .width = 10, .height = 10, .colour = figures[i].colour});
        add_label(sheet, x + 16, 47, 12, WN_ANCHOR_START, wn_str_of(figures[i].name));
    }
}

/* As wide as the longest label, and its bars. */
static double group_width(const wn_groups *labels)
{
    size_t letters = 0;
    for (uint32_t i = 0; i < labels->list.count; i++) {
        size_t count = wn_utf8_count(wn_eval_group_shown(&labels->list.items[i]));
        letters = count > letters ? count : letters;
    }
    return GAP + fmax(FIGURES * BAR, (double)letters * LETTER);
}

void wn_eval_report_label_plot(wn_report *report, uint32_t runner, wn_sheet *sheet)
{
    wn_groups labels = wn_eval_report_labels(report);
    double width = group_width(&labels);
    wn_buf title = {0};
    sheet->width = fmax(LEFT + FIGURES * 110.0 + GAP, LEFT + labels.list.count * width + GAP);
    sheet->height = TOP + PLOT_HEIGHT + BOTTOM;
    wn_buf_add_format(&title, "%s: blocks right and wrong, in percent",
                      report->runners->list.items[runner].name);
    add_label(sheet, LEFT, 24, 15, WN_ANCHOR_START, wn_buf_str(&title));
    draw_legend(sheet);
    draw_axis(sheet);
    for (uint32_t i = 0; i < labels.list.count; i++) {
        const wn_group *group = &labels.list.items[i];
        wn_block_counts counts = wn_eval_report_blocks(report, runner, &labels, group);
        double x = LEFT + GAP / 2.0 + i * width + (width - GAP - FIGURES * BAR) / 2;
        draw_group(sheet, x, &counts, wn_eval_group_shown(group));
    }
    wn_buf_free(&title);
    wn_eval_groups_free(&labels);
}
