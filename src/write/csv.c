/*
 * The record of a page as a line of CSV (RFC 4180), for spreadsheets and data frames:
 *
 *     id,url,status,error,method,title,author,date,…,text
 *     a.html,,ok,,auto,Mills,Jane Miller,2024-05-03,…,"The mill …"
 *
 * The values of a list are one field, separated by "; ". What is not known is empty.
 */
#include "base/escape.h"
#include "base/utf8.h"
#include "write/fields.h"
#include "write/write.h"

/* A string from outside the page may hold any bytes. */
static void add_field(wn_buf *out, const char *value, bool safe)
{
    wn_buf repaired = {0};
    wn_utf8_add_repaired(&repaired, wn_str_of(value));
    wn_add_csv_cell(out, wn_buf_str(&repaired), safe);
    wn_buf_add_char(out, ',');
    out->failed |= repaired.failed;
    wn_buf_free(&repaired);
}

static void add_list(wn_buf *out, const char *const *values, size_t count, bool safe)
{
    wn_buf joined = {0};
    for (size_t i = 0; i < count; i++) {
        wn_buf_add_literal(&joined, i > 0 ? "; " : "");
        wn_buf_add_literal(&joined, values[i]);
    }
    wn_add_csv_cell(out, wn_buf_str(&joined), safe);
    wn_buf_add_char(out, ',');
    out->failed |= joined.failed;
    wn_buf_free(&joined);
}

void wn_write_csv(wn_buf *out, const wn_write_report *report, wn_str body,
                  const wn_write_options *options)
{
    const winnow_record *record = &report->record;
    wn_write_field field;
    bool safe = options->csv_safe;
    add_field(out, record->id, safe);
    add_field(out, record->url, safe);
    add_field(out, winnow_status_name(report->status), safe);
    add_field(out, record->error, safe);
    add_field(out, report->method, safe);
    for (size_t i = 0; wn_write_field_at(report->metadata, i, &field); i++)
        add_list(out, field.values, field.count, safe);
    add_field(out, winnow_page_type_name(report->page_type), safe);
    if (report->confidence > 0)
        wn_buf_add_format(out, "%.2f", report->confidence);
    wn_buf_add_char(out, ',');
    wn_add_csv_cell(out, body, safe);
    wn_buf_add_literal(out, "\r\n");
}
