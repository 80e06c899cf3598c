/*
 * Documents: the elements of a page (markup.c) with its metadata around them.
 *
 *     HTML   <article lang="en" data-id="a.html">…</article>
 *     XML    <doc id="a.html" status="ok" title="…" author="…" date="…"><main>…</main></doc>
 *     TEI    <TEI xmlns="…"><teiHeader>…</teiHeader><text><body>…</body></text></TEI>
 *
 * What is not known is left out. The values of a list are one attribute, separated by "; ".
 */
#include "base/escape.h"
#include "base/utf8.h"
#include "write/fields.h"
#include "write/write.h"

/* ---- Parts ------------------------------------------------------------------------------- */

/* A string from outside the page may hold any bytes. */
static void add_outside(wn_buf *out, const char *text)
{
    wn_buf repaired = {0};
    wn_utf8_add_repaired(&repaired, wn_str_of(text));
    wn_add_escaped(out, wn_buf_str(&repaired));
    out->failed |= repaired.failed;
    wn_buf_free(&repaired);
}

/* " name="value"", if there is one. */
static void add_attribute(wn_buf *out, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    wn_buf_add_format(out, " %s=\"", name);
    add_outside(out, value);
    wn_buf_add_char(out, '"');
}

static void add_list_attribute(wn_buf *out, const char *name, const char *const *values,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i == 0)
            wn_buf_add_format(out, " %s=\"", name);
        wn_buf_add_literal(out, i > 0 ? "; " : "");
        add_outside(out, values[i]);
    }
    wn_buf_add_literal(out, count > 0 ? "\"" : "");
}

/* "<name>value</name>", if there is one. */
static void add_element(wn_buf *out, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    wn_buf_add_format(out, "<%s>", name);
    add_outside(out, value);
    wn_buf_add_format(out, "</%s>\n", name);
}

static void add_elements(wn_buf *out, const char *name, const char *const *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_element(out, name, values[i]);
}

/* "<name attribute="value"/>", if there is one. */
static void add_empty(wn_buf *out, const char *name, const char *attribute, const char *value)
{
    if (!value || !*value)
        return;
    wn_buf_add_format(out, "<%s", name);
    add_attribute(out, attribute, value);
    wn_buf_add_literal(out, "/>\n");
}

/* ---- HTML -------------------------------------------------------------------------------- */

static void add_meta(wn_buf *out, const char *name, const char *content)
{
    if (!*content)
        return;
    wn_buf_add_literal(out, "<meta");
    add_attribute(out, "name", name);
    add_attribute(out, "content", content);
    wn_buf_add_literal(out, ">\n");
}

static void add_html_head(wn_buf *out, const winnow_metadata *m, bool load_images)
{
    wn_buf_add_literal(out, "<!DOCTYPE html>\n<html");
    add_attribute(out, "lang", m->language);
    wn_buf_add_literal(out, ">\n<head>\n<meta charset=\"utf-8\">\n");
    wn_buf_add_literal(out, load_images ? WN_WRITE_HTML_POLICY(WN_WRITE_IMAGES_OF_THE_WEB)
                                        : WN_WRITE_HTML_POLICY(""));
    wn_buf_add_literal(out, "<title>");
    add_outside(out, *m->title ? m->title : "winnow");
    wn_buf_add_literal(out, "</title>\n");
    for (size_t i = 0; i < m->author_count; i++)
        add_meta(out, "author", m->authors[i]);
    add_meta(out, "date", m->published);
    add_meta(out, "description", m->description);
    for (size_t i = 0; i < m->tag_count; i++)
        add_meta(out, "keywords", m->tags[i]);
    if (*m->url) {
        wn_buf_add_literal(out, "<link rel=\"canonical\" href=\"");
        wn_add_escaped_url(out, wn_str_of(m->url));
        wn_buf_add_literal(out, "\">\n");
    }
    wn_buf_add_literal(out, "</head>\n<body>\n");
}

void wn_write_html_document(wn_buf *out, const wn_write_report *report, wn_str body,
                            const wn_write_options *options)
{
    if (options->standalone)
        add_html_head(out, report->metadata, options->load_images);
    if (body.len > 0) {
        wn_buf_add_literal(out, "<article");
        add_attribute(out, "lang", report->metadata->language);
        add_attribute(out, "data-id", report->record.id);
        add_attribute(out, "data-url", report->record.url);
        wn_buf_add_literal(out, ">\n");
        wn_buf_add(out, body);
        wn_buf_add_literal(out, "</article>\n");
    }
    if (options->standalone)
        wn_buf_add_literal(out, "</body>\n</html>\n");
}

/* ---- XML --------------------------------------------------------------------------------- */

void wn_write_xml_document(wn_buf *out, const wn_write_report *report, wn_str body,
                           const wn_write_options *options)
{
    const winnow_record *record = &report->record;
    wn_write_field field;
    if (options->standalone)
        wn_buf_add_literal(out, WN_WRITE_XML_DECLARATION);
    wn_buf_add_literal(out, "<doc");
    add_attribute(out, "id", record->id);
    add_attribute(out, "url", record->url);
    add_attribute(out, "status", winnow_status_name(report->status));
    add_attribute(out, "error", record->error);
    add_attribute(out, "method", report->method);
    for (size_t i = 0; wn_write_field_at(report->metadata, i, &field); i++)
        add_list_attribute(out, field.name, field.values, field.count);
    add_attribute(out, "page_type", winnow_page_type_name(report->page_type));
    wn_buf_add_literal(out, ">\n<main>\n");
    wn_buf_add(out, body);
    wn_buf_add_literal(out, "</main>\n</doc>\n");
}

/* ---- TEI: https://tei-c.org/release/doc/tei-p5-doc/en/html/HD.html ------------------------ */

/* What the electronic text is. */
static void add_file_description(wn_buf *out, const winnow_metadata *m)
{
    wn_buf_add_literal(out, "<titleStmt>\n<title>");
    add_outside(out, m->title);
    wn_buf_add_literal(out, "</title>\n");
    add_elements(out, "author", m->authors, m->author_count);
    wn_buf_add_literal(out, "</titleStmt>\n<publicationStmt>\n");
    add_element(out, "publisher", *m->site ? m->site : "unknown");
    if (*m->license) {
        wn_buf_add_literal(out, "<availability>\n<licence>");
        add_outside(out, m->license);
        wn_buf_add_literal(out, "</licence>\n</availability>\n");
    }
    add_element(out, "date", m->published);
    wn_buf_add_literal(out, "</publicationStmt>\n");
}

/* What it was made from. */
static void add_source(wn_buf *out, const winnow_metadata *m, const winnow_record *record)
{
    wn_buf_add_literal(out, "<sourceDesc>\n<bibl>\n");
    add_element(out, "title", m->title);
    add_elements(out, "author", m->authors, m->author_count);
    add_element(out, "publisher", m->site);
    add_element(out, "date", m->published);
    add_element(out, "idno", record->id);
    add_empty(out, "ptr", "target", record->url && *record->url ? record->url : m->url);
    wn_buf_add_literal(out, "</bibl>\n</sourceDesc>\n");
}

static void add_terms(wn_buf *out, const char *type, const char *const *terms, size_t count)
{
    if (count == 0)
        return;
    wn_buf_add_format(out, "<keywords n=\"%s\">\n", type);
    add_elements(out, "term", terms, count);
    wn_buf_add_literal(out, "</keywords>\n");
}

/* What it is about, and in which language. */
static void add_profile(wn_buf *out, const winnow_metadata *m)
{
    if (!*m->description && !*m->language && m->tag_count + m->category_count == 0)
        return;
    wn_buf_add_literal(out, "<profileDesc>\n");
    if (*m->description) {
        wn_buf_add_literal(out, "<abstract>\n");
        add_element(out, "p", m->description);
        wn_buf_add_literal(out, "</abstract>\n");
    }
    if (*m->language) {
        wn_buf_add_literal(out, "<langUsage>\n<language");
        add_attribute(out, "ident", m->language);
        wn_buf_add_literal(out, ">");
        add_outside(out, m->language);
        wn_buf_add_literal(out, "</language>\n</langUsage>\n");
    }
    if (m->tag_count + m->category_count > 0) {
        wn_buf_add_literal(out, "<textClass>\n");
        add_terms(out, "categories", m->categories, m->category_count);
        add_terms(out, "tags", m->tags, m->tag_count);
        wn_buf_add_literal(out, "</textClass>\n");
    }
    wn_buf_add_literal(out, "</profileDesc>\n");
}

static void add_application(wn_buf *out)
{
    wn_buf_add_literal(out, WN_WRITE_TEI_APPLICATION);
}

void wn_write_tei_document(wn_buf *out, const wn_write_report *report, wn_str body,
                           const wn_write_options *options)
{
    const winnow_metadata *m = report->metadata;
    if (options->standalone)
        wn_buf_add_literal(out, WN_WRITE_XML_DECLARATION);
    wn_buf_add_format(out, "<TEI xmlns=\"%s\"", WN_WRITE_TEI_NAMESPACE);
    add_attribute(out, "xml:lang", m->language);
    wn_buf_add_literal(out, ">\n<teiHeader>\n<fileDesc>\n");
    add_file_description(out, m);
    add_source(out, m, &report->record);
    wn_buf_add_literal(out, "</fileDesc>\n");
    add_application(out);
    add_profile(out, m);
    wn_buf_add_literal(out, "</teiHeader>\n<text>\n<body>\n");
    wn_buf_add(out, body.len ? body : WN_STR("<p/>\n"));
    wn_buf_add_literal(out, "</body>\n</text>\n</TEI>\n");
}
