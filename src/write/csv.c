/*
 * The record of a page as a line of CSV (RFC 4180), for spreadsheets and data frames:
 *
 *     id,url,status,error,method,title,author,date,…,text
 *     a.html,,ok,,auto,Mills,Jane Miller,2024-05-03,…,"The mill …"
 *
 * Lists are one field, their parts apart by "; ". What is not known is empty.
 */
#include "base/escape.h"
#include "base/utf8.h"
#include "meta/metadata.h"
#include "write/fields.h"
#include "write/write.h"

void wn_write_csv_head(wn_buf *out)
{
    wn_field_values field;
    wn_buf_add_literal(out, "id,url,status,error,method,");
    for (size_t i = 0; wn_field_at(&wn_no_metadata, WN_FIELDS_OF_CSV, i, &field); i++)
        wn_buf_add_format(out, "%s,", field.name);
    wn_buf_add_literal(out, "page_type,confidence,text\r\n");
}

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

void wn_write_csv(wn_buf *out, const winnow_result *result, wn_str text, const wn_record *record)
{
    const winnow_metadata *m = wn_known_metadata(result);
    wn_field_values field;
    add_field(out, record->id);
    add_field(out, record->url);
    add_field(out, wn_record_status(result));
    add_field(out, record->error);
    add_field(out, result ? result->method : NULL);
    for (size_t i = 0; wn_field_at(m, WN_FIELDS_OF_CSV, i, &field); i++)
        add_list(out, field.values, field.count);
    add_field(out, result ? winnow_page_type_name(result->page_type) : NULL);
    if (result && result->confidence > 0)
        wn_buf_add_format(out, "%.2f", result->confidence);
    wn_buf_add_char(out, ',');
    wn_add_csv_field(out, text);
    wn_buf_add_literal(out, "\r\n");
}
