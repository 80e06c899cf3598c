/*
 * Lingwal's table: documents, accuracy, precision, recall and specificity by label, and its bar
 * chart.
 *
 * The label of a page is its type; where the set knows no types, its domain.
 */
#ifndef WN_EVAL_REPORT_LABELS_H
#define WN_EVAL_REPORT_LABELS_H

#include "eval/report.h"

/* The pages by label, and after them all pages. */
wn_groups wn_eval_report_labels(wn_report *report);

/* What became of the blocks of a group's pages. */
wn_block_counts wn_eval_report_blocks(const wn_report *report, uint32_t runner,
                                      const wn_groups *groups, const wn_group *group);

/* Adds the table of all rows. */
void wn_eval_report_label_table(wn_report *report, wn_buf *out, bool markdown);

/* Draws the chart of one row on `sheet`, which was zeroed. */
void wn_eval_report_label_plot(wn_report *report, uint32_t runner, wn_sheet *sheet);

#endif
