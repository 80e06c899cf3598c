/*
 * The report as one JSON object: every figure of the tables, and every problem by name.
 */
#include <math.h>

#include "eval/report.h"
#include "eval/report_labels.h"

enum { DECIMALS = 6 };

static void add_number(wn_json_writer *json, const char *key, double value)
{
    wn_json_key(json, key);
    if (isnan(value))
        wn_json_null(json);
    else
        wn_json_fixed(json, value, DECIMALS);
}

static void add_uint(wn_json_writer *json, const char *key, uint64_t value)
{
    wn_json_key(json, key);
    wn_json_uint(json, value);
}

/* Names of files and of rows are the user's. */
static void add_text(wn_json_writer *json, const char *key, wn_str value)
{
    wn_json_key(json, key);
    wn_json_outside(json, value);
}

/* ---- Figures ----------------------------------------------------------------------------- */

static void write_interval(wn_json_writer *json, wn_interval interval)
{
    add_number(json, "low", interval.low);
    add_number(json, "high", interval.high);
}

static void write_summary(wn_json_writer *json, const wn_summary *s)
{
    wn_json_begin_object(json);
    add_uint(json, "pages", s->pages);
    add_number(json, "f1", s->mean.f1);
    write_interval(json, s->f1);
    add_number(json, "precision", s->mean.precision);
    add_number(json, "recall", s->mean.recall);
    add_number(json, "median_f1", s->median.f1);
    add_number(json, "median_precision", s->median.precision);
    add_number(json, "median_recall", s->median.recall);
    wn_json_end_object(json);
}

static void write_blocks(wn_json_writer *json, const wn_block_counts *counts)
{
    wn_json_key(json, "blocks");
    wn_json_begin_object(json);
    add_uint(json, "kept_content", counts->kept_content);
    add_uint(json, "kept_noise", counts->kept_noise);
    add_uint(json, "dropped_content", counts->dropped_content);
    add_uint(json, "dropped_noise", counts->dropped_noise);
    add_number(json, "accuracy", wn_eval_block_accuracy(counts));
    add_number(json, "precision", wn_eval_block_precision(counts));
    add_number(json, "recall", wn_eval_block_recall(counts));
    add_number(json, "specificity", wn_eval_block_specificity(counts));
    wn_json_end_object(json);
}

/* All measures of a row on a group, and its right pages. */
static void write_group(wn_json_writer *json, wn_report *report, uint32_t runner,
                        const wn_groups *groups, const wn_group *group)
{
    wn_totals t = wn_eval_report_totals(report, runner, groups, group);
    wn_json_begin_object(json);
    add_uint(json, "pages", t.pages);
    for (wn_measure m = 0; m < WN_MEASURE_COUNT; m++) {
        wn_summary s = wn_eval_report_summary(report, runner, m, groups, group);
        wn_json_key(json, wn_eval_measure_name(NULL, m));
        write_summary(json, &s);
    }
    add_number(json, "with", wn_eval_share(t.with_found, t.with_count));
    add_number(json, "without", wn_eval_share(t.without_found, t.without_count));
    add_uint(json, "right", t.right);
    add_uint(json, "wrong", t.pages - t.right);
    add_number(json, "accuracy", wn_eval_share(t.right, t.pages));
    add_uint(json, "html_bytes", t.html_bytes);
    add_uint(json, "text_bytes", t.text_bytes);
    add_uint(json, "gold_bytes", t.gold_bytes);
    add_number(json, "saved", 1 - wn_eval_share(t.text_bytes, t.html_bytes));
    if (report->labels) {
        wn_block_counts counts = wn_eval_report_blocks(report, runner, groups, group);
        write_blocks(json, &counts);
    }
    wn_json_end_object(json);
}

static void write_groups(wn_json_writer *json, wn_report *report, const char *key, uint32_t runner,
                         const wn_groups *groups)
{
    wn_json_key(json, key);
    wn_json_begin_object(json);
    for (uint32_t i = 0; i < groups->list.count; i++) {
        wn_json_key_str(json, groups->list.items[i].name);
        write_group(json, report, runner, groups, &groups->list.items[i]);
    }
    wn_json_end_object(json);
}

static void write_speed(wn_json_writer *json, const wn_totals *t)
{
    double seconds = t->seconds > 0 ? t->seconds : NAN;
    add_number(json, "pages_per_second", (double)t->pages / seconds);
    add_number(json, "mb_per_second", (double)t->html_bytes / 1e6 / seconds);
}

/* ---- Parts of the report ----------------------------------------------------------------- */

/* The groups that every part reads. */
typedef struct grouped {
    wn_groups all, types, domains;
} grouped;

static void write_runner(wn_json_writer *json, wn_report *report, uint32_t runner, const grouped *g)
{
    const wn_runner *r = &report->runners->list.items[runner];
    wn_json_begin_object(json);
    add_text(json, "name", wn_str_of(r->name));
    if (r->is_method) {
        wn_json_key(json, "trained_on_set");
        wn_json_bool(json, wn_eval_report_has_learned(report, runner));
    }
    if (g->all.list.count > 0) {
        const wn_group *all = &g->all.list.items[0];
        wn_totals t = wn_eval_report_totals(report, runner, &g->all, all);
        wn_json_key(json, "all");
        write_group(json, report, runner, &g->all, all);
        if (report->timing && r->is_method)
            write_speed(json, &t);
    }
    write_groups(json, report, "types", runner, &g->types);
    if (report->domains || report->labels)
        write_groups(json, report, "sites", runner, &g->domains);
    wn_json_end_object(json);
}

static void write_share_groups(wn_json_writer *json, const wn_report *report, const char *key,
                               const wn_groups *groups)
{
    wn_json_key(json, key);
    wn_json_begin_object(json);
    for (uint32_t i = 0; i < groups->list.count; i++) {
        wn_totals t = wn_eval_report_totals(report, 0, groups, &groups->list.items[i]);
        wn_json_key_str(json, groups->list.items[i].name);
        wn_json_begin_object(json);
        add_uint(json, "pages", t.pages);
        add_number(json, "text", t.text_share);
        add_number(json, "tags", t.tag_share);
        wn_json_end_object(json);
    }
    wn_json_end_object(json);
}

static void write_shares(wn_json_writer *json, const wn_report *report, const grouped *g)
{
    wn_json_key(json, "content");
    wn_json_begin_object(json);
    write_share_groups(json, report, "all", &g->all);
    write_share_groups(json, report, "types", &g->types);
    if (report->domains)
        write_share_groups(json, report, "sites", &g->domains);
    wn_json_end_object(json);
}

static void write_pairs(wn_json_writer *json, wn_report *report)
{
    wn_json_key(json, "differences");
    wn_json_begin_array(json);
    for (uint32_t i = 0; i < report->pairs.count; i++) {
        wn_pair pair = report->pairs.items[i];
        wn_difference d = wn_eval_report_difference(report, pair);
        wn_json_begin_object(json);
        add_text(json, "first", wn_str_of(report->runners->list.items[pair.a].name));
        add_text(json, "second", wn_str_of(report->runners->list.items[pair.b].name));
        add_number(json, "difference", d.mean);
        write_interval(json, d.interval);
        add_uint(json, "better", d.better);
        add_uint(json, "equal", d.equal);
        add_uint(json, "worse", d.worse);
        wn_json_end_object(json);
    }
    wn_json_end_array(json);
}

static void write_worst(wn_json_writer *json, const wn_report *report)
{
    wn_json_key(json, "worst");
    wn_json_begin_array(json);
    for (uint32_t i = 0; i < report->worst.count; i++) {
        const wn_worst *worst = &report->worst.items[i];
        const wn_eval_page *page = wn_eval_report_page(report, worst->result);
        const wn_run_result *run = wn_eval_report_result(report, worst->result, worst->runner);
        wn_json_begin_object(json);
        add_text(json, "method", wn_str_of(report->runners->list.items[worst->runner].name));
        add_text(json, "id", page->id);
        add_text(json, "type", page->type);
        add_text(json, "url", page->url);
        add_number(json, "f1", run->score.by[report->lead].f1);
        add_uint(json, "gold_words", worst->gold_words);
        add_uint(json, "missed_words", worst->missed);
        add_text(json, "missed", worst->missed_text);
        add_uint(json, "our_words", worst->our_words);
        add_uint(json, "wrong_words", worst->wrong);
        add_text(json, "wrong", worst->wrong_text);
        wn_json_end_object(json);
    }
    wn_json_end_array(json);
}

static void write_problems(wn_json_writer *json, const wn_problems *problems)
{
    wn_json_key(json, "problems");
    wn_json_begin_object(json);
    for (wn_problem_kind kind = 0; kind < WN_PROBLEM_KINDS; kind++) {
        wn_json_key(json, wn_eval_problem_name(kind));
        wn_json_begin_array(json);
        for (uint32_t i = 0; i < problems->list.count; i++) {
            const wn_problem *p = &problems->list.items[i];
            if (p->kind != kind)
                continue;
            wn_json_begin_object(json);
            add_text(json, "name", p->name);
            add_text(json, "detail", p->detail);
            wn_json_end_object(json);
        }
        wn_json_end_array(json);
    }
    wn_json_end_object(json);
}

static void write_head(wn_json_writer *json, const wn_report *report)
{
    add_text(json, "set", wn_str_of(report->set->folder));
    add_uint(json, "pages", report->wanted);
    add_uint(json, "scored", report->pages.count);
    add_text(json, "measure", wn_str_of(wn_eval_measure_name(NULL, report->lead)));
    add_number(json, "right_from", report->right);
    add_uint(json, "seed", report->seed);
}

void wn_eval_report_write_json(wn_report *report, wn_buf *out)
{
    wn_json_writer json = {.out = out};
    grouped g = {
        .all = wn_eval_report_groups(report, WN_GROUP_ALL),
        .types = wn_eval_report_groups(report, WN_GROUP_TYPE),
        .domains = wn_eval_report_groups(report, WN_GROUP_DOMAIN),
    };
    wn_json_begin_object(&json);
    write_head(&json, report);
    if (!report->failed) {
        wn_json_key(&json, "methods");
        wn_json_begin_array(&json);
        for (uint32_t i = 0; i < report->runners->list.count; i++)
            write_runner(&json, report, i, &g);
        wn_json_end_array(&json);
        write_shares(&json, report, &g);
    }
    write_pairs(&json, report);
    write_worst(&json, report);
    write_problems(&json, report->problems);
    wn_json_end_object(&json);
    wn_buf_add_char(out, '\n');
    wn_eval_groups_free(&g.all);
    wn_eval_groups_free(&g.types);
    wn_eval_groups_free(&g.domains);
}
