#include "corpus/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/escape.h"
#include "base/hash.h"
#include "io/message.h"
#include "winnow.h"

/* ---- JSON lines -------------------------------------------------------------------------- */

static void write_text(wn_json_writer *json, const char *key, wn_str text)
{
    wn_json_key(json, key);
    wn_json_string(json, text);
}

static void write_number(wn_json_writer *json, const char *key, uint64_t number)
{
    wn_json_key(json, key);
    wn_json_uint(json, number);
}

void wn_corpus_stored_write_json(wn_json_writer *json, const wn_stored *page)
{
    write_number(json, "id", (uint64_t)page->id);
    write_text(json, "url", page->url);
    write_text(json, "host", page->host);
    write_text(json, "label", page->label);
    write_text(json, "title", page->title);
    write_text(json, "author", page->author);
    write_text(json, "date", page->date);
    write_text(json, "language", page->language);
    write_text(json, "source", page->source);
    write_number(json, "offset", page->offset);
    write_number(json, "inner", page->inner);
    write_text(json, "method", page->method);
    write_text(json, "status", wn_str_of(wn_corpus_stored_status_name(page->status)));
    wn_json_key(json, "copy_of");
    if (page->copy_of)
        wn_json_int(json, page->copy_of);
    else
        wn_json_null(json);
    write_number(json, "page_bytes", page->page_bytes);
    write_number(json, "text_bytes", page->text_bytes);
    write_number(json, "words", page->words);
}

void wn_corpus_stored_write_line(wn_buf *out, const wn_stored *page, bool text, bool stems)
{
    wn_json_writer json = {.out = out};
    wn_json_begin_object(&json);
    wn_corpus_stored_write_json(&json, page);
    if (text) {
        wn_json_key(&json, "text");
        wn_json_string(&json, page->text);
    }
    if (stems) {
        wn_json_key(&json, "stems");
        wn_json_string(&json, page->stems);
    }
    wn_json_end_object(&json);
    wn_buf_add_char(out, '\n');
}

static void write_jsonl(wn_buf *out, const wn_stored *page, const wn_export_wishes *wishes)
{
    wn_corpus_stored_write_line(out, page, true, wishes->stems);
}

/* ---- CSV (RFC 4180) ---------------------------------------------------------------------- */

static void begin_csv(wn_buf *out)
{
    wn_buf_add_literal(out,
                       "id,url,host,label,title,author,date,language,source,offset,inner,method,"
                       "status,copy_of,page_bytes,text_bytes,words,text\r\n");
}

static void write_csv(wn_buf *out, const wn_stored *page, const wn_export_wishes *wishes)
{
    const wn_str texts[] = {page->url,    page->host, page->label,    page->title,
                            page->author, page->date, page->language, page->source};
    wn_buf_add_format(out, "%" PRId64, page->id);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        wn_buf_add_char(out, ',');
        wn_add_csv_cell(out, texts[i], wishes->csv_safe);
    }
    wn_buf_add_format(out, ",%" PRIu64 ",%" PRIu64 ",", page->offset, page->inner);
    wn_add_csv_cell(out, page->method, wishes->csv_safe);
    wn_buf_add_format(out, ",%s,", wn_corpus_stored_status_name(page->status));
    if (page->copy_of)
        wn_buf_add_format(out, "%" PRId64, page->copy_of);
    wn_buf_add_format(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", page->page_bytes,
                      page->text_bytes, page->words);
    wn_add_csv_cell(out, wishes->stems ? page->stems : page->text, wishes->csv_safe);
    wn_buf_add_literal(out, "\r\n");
}

/* ---- Text files -------------------------------------------------------------------------- */

static void write_txt(wn_buf *out, const wn_stored *page, const wn_export_wishes *wishes)
{
    wn_buf_add(out, wishes->stems ? page->stems : page->text);
    if (out->len > 0 && out->ptr[out->len - 1] != '\n')
        wn_buf_add_char(out, '\n');
}

/* ---- WARC with records of the type conversion ("WET") -------------------------------------- */

/* https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.0/ */
static void begin_record(wn_buf *out, const char *type, int64_t seconds, wn_str identity)
{
    char date[32];
    unsigned char id[16];
    time_t time = (time_t)seconds;
    struct tm parts;
    if (!gmtime_r(&time, &parts)) { /* of a damaged store: no year has so many digits */
        time = 0;
        gmtime_r(&time, &parts);
    }
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    wn_hash_stable128((wn_hash_key){0, 0}, identity, (char *)id);
    id[6] = (id[6] & 0x0F) | 0x80; /* version 8: made of what the maker likes (RFC 9562) */
    id[8] = (id[8] & 0x3F) | 0x80;
    wn_buf_add_format(
        out, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Date: %s\r\nWARC-Record-ID: <urn:uuid:", type,
        date);
    for (size_t i = 0; i < sizeof id; i++)
        wn_buf_add_format(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id[i]);
    wn_buf_add_literal(out, ">\r\n");
}

static void end_record(wn_buf *out, const char *type, wn_str content)
{
    wn_buf_add_format(out, "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n", type, content.len);
    wn_buf_add(out, content);
    wn_buf_add_literal(out, "\r\n\r\n");
}

static void begin_wet(wn_buf *out)
{
    wn_buf fields = {0};
    wn_buf_add_format(&fields, "software: winnow %s\r\nformat: WARC File Format 1.0\r\n",
                      winnow_version());
    begin_record(out, "warcinfo", (int64_t)time(NULL), wn_buf_str(&fields));
    end_record(out, "application/warc-fields", wn_buf_str(&fields));
    wn_buf_free(&fields);
}

static void write_wet(wn_buf *out, const wn_stored *page, const wn_export_wishes *wishes)
{
    wn_buf identity = {0};
    wn_buf_add_format(&identity, "%" PRIu64 " %" PRIu64 " ", page->offset, page->inner);
    wn_buf_add(&identity, page->source);
    begin_record(out, "conversion", page->added, wn_buf_str(&identity));
    wn_buf_add_literal(out, "WARC-Target-URI: ");
    if (page->url.len == 0)
        wn_buf_add_literal(out, "file://");
    wn_add_printable(out, page->url.len ? page->url : page->source);
    wn_buf_add_literal(out, "\r\n");
    if (page->language.len > 0) {
        wn_buf_add_literal(out, "WARC-Identified-Content-Language: ");
        wn_add_printable(out, page->language);
        wn_buf_add_literal(out, "\r\n");
    }
    end_record(out, "text/plain", wishes->stems ? page->stems : page->text);
    wn_buf_free(&identity);
}

const wn_export_form wn_export_forms[] = {
    {.name = "jsonl",
     .summary = "one record per line, with everything that is known",
     .endings = {".jsonl", ".ndjson"},
     .write = write_jsonl},
    {.name = "csv",
     .summary = "a table",
     .endings = {".csv"},
     .begin = begin_csv,
     .write = write_csv},
    {.name = "txt",
     .summary = "one text file per page, in the folder that -o names",
     .write = write_txt,
     .files = true},
    {.name = "wet",
     .summary = "WARC with records of the type conversion",
     .endings = {".wet", ".warc"},
     .begin = begin_wet,
     .write = write_wet,
     .members = true},
    {0},
};
