/*
 * The report as CSV (RFC 4180): a line for every page and row, so that a spreadsheet or a
 * script can make any other table of it.
 */
#include <inttypes.h>
#include <math.h>

#include "base/escape.h"
#include "eval/report.h"

/* A number, nothing if it is not defined. */
static void add_number(wn_buf *out, double value)
{
    if (!isnan(value))
        wn_buf_add_format(out, ",%.6f", value);
    else
        wn_buf_add_char(out, ',');
}

static void write_titles(const wn_report *report, wn_buf *out)
{
    wn_buf_add_literal(out, "id,type,site,url,method");
    for (size_t m = 0; m < WN_MEASURE_COUNT; m++) {
        const char *name = wn_eval_measure_name(NULL, m);
        wn_buf_add_format(out, ",%s_precision,%s_recall,%s_f1", name, name, name);
    }
    wn_buf_add_literal(out, ",with,with_found,without,without_found,"
                            "html_bytes,gold_bytes,text_bytes,content_text,content_tags");
    wn_buf_add_literal(out, report->timing ? ",ms\r\n" : "\r\n");
}

static void write_row(const wn_report *report, uint32_t number, uint32_t runner, bool safe,
                      wn_buf *out)
{
    const wn_page_result *page = &report->pages.items[number];
    const wn_eval_page *p = wn_eval_report_page(report, number);
    const wn_runner *r = &report->runners->list.items[runner];
    const wn_run_result *run = wn_eval_report_result(report, number, runner);
    const wn_score *score = &run->score;
    const wn_str texts[] = {p->id, p->type, p->domain, p->url, wn_str_of(r->name)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        wn_buf_add_literal(out, i ? "," : "");
        wn_add_csv_cell(out, texts[i], safe);
    }
    for (size_t m = 0; m < WN_MEASURE_COUNT; m++) {
        add_number(out, score->by[m].precision);
        add_number(out, score->by[m].recall);
        add_number(out, score->by[m].f1);
    }
    wn_buf_add_format(out, ",%u,%u,%u,%u", score->with_count, score->with_found,
                      score->without_count, score->without_found);
    wn_buf_add_format(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, page->html_bytes, page->gold_bytes,
                      score->bytes);
    add_number(out, page->shares.text);
    add_number(out, page->shares.tags);
    if (report->timing)
        add_number(out, r->is_method ? run->seconds * 1e3 : NAN);
    wn_buf_add_literal(out, "\r\n");
}

void wn_eval_report_write_csv(wn_report *report, bool safe, wn_buf *out)
{
    write_titles(report, out);
    for (uint32_t page = 0; page < report->pages.count; page++) {
        for (uint32_t runner = 0; runner < report->runners->list.count; runner++)
            write_row(report, page, runner, safe, out);
    }
}
