/*
 * The report as tables, for a terminal or in Markdown: first the measure that leads, then all
 * of them, then what the papers print.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "eval/report.h"
#include "eval/report_labels.h"
#include "draw/text_table.h"
#include "io/message.h"

/* What the tables are written with. */
typedef struct writer {
    wn_report *report;
    wn_buf *out;
    bool markdown;
    wn_groups all, types;
} writer;

static uint32_t runner_count(const writer *w)
{
    return w->report->runners->list.count;
}

static wn_str runner_name(const writer *w, uint32_t runner)
{
    return wn_str_of(w->report->runners->list.items[runner].name);
}

static void heading(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void heading(writer *w, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wn_buf_add_format(w->out, "%s%s\n%s", w->markdown ? "## " : "", text, w->markdown ? "\n" : "");
}

static void finish(writer *w, wn_draw_table *table)
{
    wn_draw_table_write(table, w->out, w->markdown);
    wn_draw_table_free(table);
}

static void add_titles(wn_draw_table *table, const char *const *titles)
{
    for (; *titles; titles++)
        wn_draw_table_cell(table, "%s", *titles);
}

static void add_interval(wn_draw_table *table, wn_interval interval)
{
    if (isnan(interval.low))
        wn_draw_table_cell(table, "-");
    else
        wn_draw_table_cell(table, "%.4f - %.4f", interval.low, interval.high);
}

/* Percent of a whole. */
static void add_share(wn_draw_table *table, double share)
{
    if (isnan(share))
        wn_draw_table_cell(table, "-");
    else
        wn_draw_table_cell(table, "%.1f%%", 100 * share);
}

/* A difference and its interval, both with their signs. */
static void add_difference(wn_draw_table *table, const wn_difference *d)
{
    if (isnan(d->mean)) {
        wn_draw_table_cell(table, "-");
        wn_draw_table_cell(table, "-");
        return;
    }
    wn_draw_table_cell(table, "%+.4f", d->mean);
    wn_draw_table_cell(table, "%+.4f - %+.4f", d->interval.low, d->interval.high);
}

/* Pages, F1, interval, median, precision, recall. */
static void add_summary(writer *w, wn_draw_table *table, uint32_t runner, const wn_groups *groups,
                        const wn_group *group)
{
    wn_summary s = wn_eval_report_summary(w->report, runner, w->report->lead, groups, group);
    wn_draw_table_cell(table, "%" PRIu64, s.pages);
    wn_draw_table_number(table, s.mean.f1, 4);
    add_interval(table, s.f1);
    wn_draw_table_number(table, s.median.f1, 4);
    wn_draw_table_number(table, s.mean.precision, 4);
    wn_draw_table_number(table, s.mean.recall, 4);
}

/* ---- The tables -------------------------------------------------------------------------- */

static void write_lead(writer *w)
{
    static const char *const titles[] = {"method", "pages",     "F1",     "95% interval",
                                         "median", "precision", "recall", NULL};
    wn_draw_table table;
    heading(w, "%s", wn_eval_measure_name(NULL, w->report->lead));
    wn_draw_table_begin(&table, 7, 1);
    add_titles(&table, titles);
    for (uint32_t i = 0; i < runner_count(w); i++) {
        wn_draw_table_text(&table, runner_name(w, i));
        add_summary(w, &table, i, &w->all, &w->all.list.items[0]);
    }
    finish(w, &table);
}

/* Whether a measure has a column: those of structure only if a page has some. */
static bool is_measured(const writer *w, wn_measure measure)
{
    const wn_report *report = w->report;
    for (uint32_t i = 0; i < report->results.count && measure >= WN_MEASURE_CODE; i++)
        if (!isnan(report->results.items[i].score.by[measure].f1))
            return true;
    return measure < WN_MEASURE_CODE;
}

static void write_measures(writer *w)
{
    wn_draw_table table;
    uint32_t measures = 0;
    for (wn_measure m = 0; m < WN_MEASURE_COUNT; m++)
        measures += is_measured(w, m);
    heading(w, "F1 by every measure; shares of snippets found, and of pages that are right");
    wn_draw_table_begin(&table, 1 + measures + 3, 1);
    wn_draw_table_cell(&table, "method");
    for (wn_measure m = 0; m < WN_MEASURE_COUNT; m++)
        if (is_measured(w, m))
            wn_draw_table_cell(&table, "%s", wn_eval_measure_name(NULL, m));
    wn_draw_table_cell(&table, "with");
    wn_draw_table_cell(&table, "without");
    wn_draw_table_cell(&table, "right");
    for (uint32_t i = 0; i < runner_count(w); i++) {
        const wn_group *all = &w->all.list.items[0];
        wn_totals t = wn_eval_report_totals(w->report, i, &w->all, all);
        wn_draw_table_text(&table, runner_name(w, i));
        for (wn_measure m = 0; m < WN_MEASURE_COUNT; m++)
            if (is_measured(w, m))
                wn_draw_table_number(
                    &table, wn_eval_report_summary(w->report, i, m, &w->all, all).mean.f1, 4);
        wn_draw_table_number(&table, wn_eval_share(t.with_found, t.with_count), 4);
        wn_draw_table_number(&table, wn_eval_share(t.without_found, t.without_count), 4);
        wn_draw_table_number(&table, wn_eval_share(t.right, t.pages), 4);
    }
    finish(w, &table);
}

static void write_types(writer *w)
{
    wn_draw_table table;
    uint32_t types = w->types.list.count;
    if (types < 2)
        return;
    heading(w, "%s F1 by type of page", wn_eval_measure_name(NULL, w->report->lead));
    wn_draw_table_begin(&table, 1 + types, 1);
    wn_draw_table_cell(&table, "method");
    for (uint32_t t = 0; t < types; t++)
        wn_draw_table_text(&table, wn_eval_group_shown(&w->types.list.items[t]));
    for (uint32_t i = 0; i < runner_count(w); i++) {
        wn_draw_table_text(&table, runner_name(w, i));
        for (uint32_t t = 0; t < types; t++) {
            wn_summary s = wn_eval_report_summary(w->report, i, w->report->lead, &w->types,
                                                  &w->types.list.items[t]);
            wn_draw_table_number(&table, s.mean.f1, 4);
        }
    }
    finish(w, &table);
}

static void write_type_details(writer *w)
{
    static const char *const titles[] = {"type",   "method",    "pages",  "F1", "95% interval",
                                         "median", "precision", "recall", NULL};
    wn_draw_table table;
    heading(w, "%s by type of page", wn_eval_measure_name(NULL, w->report->lead));
    wn_draw_table_begin(&table, 8, 2);
    add_titles(&table, titles);
    for (uint32_t t = 0; t < w->types.list.count; t++) {
        for (uint32_t i = 0; i < runner_count(w); i++) {
            wn_draw_table_text(&table, wn_eval_group_shown(&w->types.list.items[t]));
            wn_draw_table_text(&table, runner_name(w, i));
            add_summary(w, &table, i, &w->types, &w->types.list.items[t]);
        }
    }
    finish(w, &table);
}

/* San & Aye, table 1: what is saved by keeping the text and not the page. */
static void write_sizes(writer *w)
{
    static const char *const titles[] = {"method",     "HTML bytes", "text bytes",
                                         "gold bytes", "saved",      NULL};
    wn_draw_table table;
    heading(w, "Sizes");
    wn_draw_table_begin(&table, 5, 1);
    add_titles(&table, titles);
    for (uint32_t i = 0; i < runner_count(w); i++) {
        wn_totals t = wn_eval_report_totals(w->report, i, &w->all, &w->all.list.items[0]);
        wn_draw_table_text(&table, runner_name(w, i));
        wn_draw_table_cell(&table, "%" PRIu64, t.html_bytes);
        wn_draw_table_cell(&table, "%" PRIu64, t.text_bytes);
        wn_draw_table_cell(&table, "%" PRIu64, t.gold_bytes);
        add_share(&table, 1 - wn_eval_share(t.text_bytes, t.html_bytes));
    }
    finish(w, &table);
}

static bool has_methods(const writer *w)
{
    for (uint32_t i = 0; i < runner_count(w); i++)
        if (w->report->runners->list.items[i].is_method)
            return true;
    return false;
}

/* The time that other tools took is not known. */
static void write_speed(writer *w)
{
    wn_draw_table table;
    heading(w, "Speed on one processor core");
    wn_draw_table_begin(&table, 3, 1);
    wn_draw_table_cell(&table, "method");
    wn_draw_table_cell(&table, "pages/s");
    wn_draw_table_cell(&table, "MB/s");
    for (uint32_t i = 0; i < runner_count(w); i++) {
        wn_totals t = wn_eval_report_totals(w->report, i, &w->all, &w->all.list.items[0]);
        if (!w->report->runners->list.items[i].is_method)
            continue;
        double seconds = t.seconds > 0 ? t.seconds : NAN;
        wn_draw_table_text(&table, runner_name(w, i));
        wn_draw_table_number(&table, (double)t.pages / seconds, 0);
        wn_draw_table_number(&table, (double)t.html_bytes / 1e6 / seconds, 1);
    }
    finish(w, &table);
}

/* Ha & Nam, table 1. */
static void add_share_rows(writer *w, wn_draw_table *table, const wn_groups *groups)
{
    for (uint32_t g = 0; g < groups->list.count; g++) {
        wn_totals t = wn_eval_report_totals(w->report, 0, groups, &groups->list.items[g]);
        wn_draw_table_text(table, wn_eval_group_shown(&groups->list.items[g]));
        wn_draw_table_cell(table, "%" PRIu64, t.pages);
        wn_draw_table_number(table, 100 * t.text_share, 1);
        wn_draw_table_number(table, 100 * t.tag_share, 1);
    }
}

static void write_shares(writer *w, const char *title, const wn_groups *groups)
{
    wn_draw_table table;
    heading(w, "How much of a page is content, in percent, by %s", title);
    wn_draw_table_begin(&table, 4, 1);
    wn_draw_table_cell(&table, "%s", title);
    wn_draw_table_cell(&table, "pages");
    wn_draw_table_cell(&table, "of its text");
    wn_draw_table_cell(&table, "of its tags");
    add_share_rows(w, &table, groups);
    if (groups != &w->all && groups->list.count > 1)
        add_share_rows(w, &table, &w->all);
    finish(w, &table);
}

/* San & Aye, table 2. */
static void write_domains(writer *w)
{
    static const char *const titles[] = {"site",     "method", "pages",  "right", "wrong",
                                         "accuracy", "F1",     "median", NULL};
    wn_groups domains = wn_eval_report_groups(w->report, WN_GROUP_DOMAIN);
    wn_draw_table table;
    heading(w, "By site: a page is right if its LCS F1 is at least %.2f; F1 and median: %s",
            w->report->right, wn_eval_measure_name(NULL, w->report->lead));
    wn_draw_table_begin(&table, 8, 2);
    add_titles(&table, titles);
    for (uint32_t g = 0; g < domains.list.count; g++) {
        const wn_group *domain = &domains.list.items[g];
        for (uint32_t i = 0; i < runner_count(w); i++) {
            wn_totals t = wn_eval_report_totals(w->report, i, &domains, domain);
            wn_summary s = wn_eval_report_summary(w->report, i, w->report->lead, &domains, domain);
            wn_draw_table_text(&table, wn_eval_group_shown(domain));
            wn_draw_table_text(&table, runner_name(w, i));
            wn_draw_table_cell(&table, "%" PRIu64, t.pages);
            wn_draw_table_cell(&table, "%" PRIu64, t.right);
            wn_draw_table_cell(&table, "%" PRIu64, t.pages - t.right);
            add_share(&table, wn_eval_share(t.right, t.pages));
            wn_draw_table_number(&table, s.mean.f1, 4);
            wn_draw_table_number(&table, s.median.f1, 4);
        }
    }
    finish(w, &table);
    write_shares(w, "site", &domains);
    wn_eval_groups_free(&domains);
}

static void write_pairs(writer *w)
{
    static const char *const titles[] = {"first",  "second", "difference", "95% interval",
                                         "better", "equal",  "worse",      NULL};
    wn_draw_table table;
    heading(w, "Differences in %s F1, page by page", wn_eval_measure_name(NULL, w->report->lead));
    wn_draw_table_begin(&table, 7, 2);
    add_titles(&table, titles);
    for (uint32_t i = 0; i < w->report->pairs.count; i++) {
        wn_pair pair = w->report->pairs.items[i];
        wn_difference d = wn_eval_report_difference(w->report, pair);
        wn_draw_table_text(&table, runner_name(w, pair.a));
        wn_draw_table_text(&table, runner_name(w, pair.b));
        add_difference(&table, &d);
        wn_draw_table_cell(&table, "%" PRIu64, d.better);
        wn_draw_table_cell(&table, "%" PRIu64, d.equal);
        wn_draw_table_cell(&table, "%" PRIu64, d.worse);
    }
    finish(w, &table);
}

/* One of the worst pages, in three lines: texts are too long for a table on a terminal. */
static void add_worst_lines(writer *w, const wn_worst *worst, const wn_eval_page *page, double f1)
{
    wn_add_printable(w->out, runner_name(w, worst->runner));
    wn_buf_add_format(w->out, "  %.4f  ", f1);
    wn_add_printable(w->out, page->id);
    wn_buf_add_literal(w->out, "  ");
    wn_add_printable(w->out, page->type);
    wn_buf_add_literal(w->out, "  ");
    wn_add_printable(w->out, page->url);
    wn_buf_add_format(w->out, "\n    missed %u of %u words: ", worst->missed, worst->gold_words);
    wn_add_printable(w->out, worst->missed_text);
    wn_buf_add_format(w->out, "\n    wrong  %u of %u words: ", worst->wrong, worst->our_words);
    wn_add_printable(w->out, worst->wrong_text);
    wn_buf_add_char(w->out, '\n');
}

static void add_worst_row(writer *w, wn_draw_table *table, const wn_worst *worst,
                          const wn_eval_page *page, double f1)
{
    wn_draw_table_text(table, runner_name(w, worst->runner));
    wn_draw_table_text(table, page->id);
    wn_draw_table_text(table, page->type);
    wn_draw_table_number(table, f1, 4);
    wn_draw_table_cell(table, "%u of %u", worst->missed, worst->gold_words);
    wn_draw_table_text(table, worst->missed_text);
    wn_draw_table_cell(table, "%u of %u", worst->wrong, worst->our_words);
    wn_draw_table_text(table, worst->wrong_text);
}

static void write_worst(writer *w)
{
    static const char *const titles[] = {"method", "page",
                                         "type",   "F1",
                                         "missed", "longest stretch missed",
                                         "wrong",  "longest stretch kept wrongly",
                                         NULL};
    wn_draw_table table;
    heading(w, "The worst pages by %s F1, and the longest stretches of words missed and wrong",
            wn_eval_measure_name(NULL, w->report->lead));
    wn_draw_table_begin(&table, 8, 8);
    add_titles(&table, titles);
    for (uint32_t i = 0; i < w->report->worst.count; i++) {
        const wn_worst *worst = &w->report->worst.items[i];
        const wn_eval_page *page = wn_eval_report_page(w->report, worst->result);
        const wn_run_result *run = wn_eval_report_result(w->report, worst->result, worst->runner);
        double f1 = run->score.by[w->report->lead].f1;
        if (w->markdown)
            add_worst_row(w, &table, worst, page, f1);
        else
            add_worst_lines(w, worst, page, f1);
    }
    if (w->markdown)
        wn_draw_table_write(&table, w->out, true);
    else
        wn_buf_add_char(w->out, '\n');
    wn_draw_table_free(&table);
}

static void write_problems(writer *w)
{
    const wn_problems *problems = w->report->problems;
    wn_draw_table table;
    bool any = false;
    wn_draw_table_begin(&table, 3, 3);
    wn_draw_table_cell(&table, "number");
    wn_draw_table_cell(&table, "what");
    wn_draw_table_cell(&table, "which");
    for (wn_problem_kind kind = 0; kind < WN_PROBLEM_KINDS; kind++) {
        if (problems->counts[kind] == 0)
            continue;
        wn_buf names = {0};
        wn_eval_problems_add_names(problems, kind, &names);
        wn_draw_table_cell(&table, "%" PRIu64, problems->counts[kind]);
        wn_draw_table_cell(&table, "%s", wn_eval_problem_meaning(kind));
        wn_draw_table_text(&table, wn_buf_str(&names));
        wn_buf_free(&names);
        any = true;
    }
    if (any) {
        heading(w, "Remarks on the data");
        wn_draw_table_write(&table, w->out, w->markdown);
    }
    wn_draw_table_free(&table);
}

static void write_title(writer *w)
{
    wn_buf_add_literal(w->out, w->markdown ? "# " : "");
    wn_add_printable(w->out, wn_eval_set_name(w->report->set));
    wn_buf_add_format(w->out, ": %u of %" PRIu64 " pages scored\n\n", w->report->pages.count,
                      w->report->wanted);
}

/* Figures of a method on pages that it was trained on are not those to expect elsewhere. */
static void write_learned(writer *w)
{
    uint32_t learned = 0;
    for (uint32_t i = 0; i < runner_count(w); i++) {
        if (!wn_eval_report_has_learned(w->report, i))
            continue;
        wn_buf_add_literal(w->out, learned++ ? ", " : "Trained on these very pages: ");
        wn_add_printable(w->out, runner_name(w, i));
    }
    if (learned)
        wn_buf_add_literal(w->out, ". Expect less on other pages; --folds scores it by "
                                   "cross-validation.\n\n");
}

static void write_scores(writer *w)
{
    write_learned(w);
    write_lead(w);
    write_measures(w);
    write_types(w);
    if (w->report->details)
        write_type_details(w);
    write_sizes(w);
    if (w->report->timing && has_methods(w))
        write_speed(w);
    if (w->report->pairs.count > 0)
        write_pairs(w);
    if (w->report->labels)
        wn_eval_report_label_table(w->report, w->out, w->markdown);
}

void wn_eval_report_write_tables(wn_report *report, wn_buf *out, bool markdown)
{
    writer w = {
        .report = report,
        .out = out,
        .markdown = markdown,
        .all = wn_eval_report_groups(report, WN_GROUP_ALL),
        .types = wn_eval_report_groups(report, WN_GROUP_TYPE),
    };
    write_title(&w);
    if (report->pages.count > 0 && !report->failed) {
        if (runner_count(&w) > 0)
            write_scores(&w);
        write_shares(&w, "type", w.types.list.count > 1 ? &w.types : &w.all);
        if (report->domains)
            write_domains(&w);
        if (report->worst.count > 0)
            write_worst(&w);
    }
    write_problems(&w);
    if (out->len > 0)
        out->len--; /* the empty line after the last table */
    wn_eval_groups_free(&w.all);
    wn_eval_groups_free(&w.types);
}
