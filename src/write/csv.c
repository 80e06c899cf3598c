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
static void add_field(wn_buf *out, const char *value)
{
    wn_buf repaired = {0};
    wn_utf8_add_repaired(&repaired, wn_str_of(value));
    wn_add_csv_field(out, wn_buf_str(&repaired));
    wn_buf_add_char(out, ',');
    out->failed |= repaired.failed;
    wn_buf_free(&repaired);
}

static void add_list(wn_buf *out, const char *const *values, size_t count)
{
    wn_buf joined = {0};
    for (size_t i = 0; i < count; i++) {
        wn_buf_add_literal(&joined, i > 0 ? "; " : "");
        wn_buf_add_literal(&joined, values[i]);
    }
    wn_add_csv_field(out, wn_buf_str(&joined));
    wn_buf_add_char(out, ',');
    out->failed |= joined.failed;
    wn_buf_free(&joined);
}

void wn_write_csv(wn_buf *out, const wn_write_report *report, wn_str body,
                  const wn_write_options *options)
{
    const winnow_record *record = &report->record;
    wn_write_field field;
    (void)options;
    add_field(out, record->id);
    add_field(out, record->url);
    add_field(out, winnow_status_name(report->status));
    add_field(out, record->error);
    add_field(out, report->method);
    for (size_t i = 0; wn_write_field_at(report->metadata, i, &field); i++)
        add_list(out, field.values, field.count);
    add_field(out, winnow_page_type_name(report->page_type));
    if (report->confidence > 0)
        wn_buf_add_format(out, "%.2f", report->confidence);
    wn_buf_add_char(out, ',');
    wn_add_csv_field(out, body);
    wn_buf_add_literal(out, "\r\n");
}
