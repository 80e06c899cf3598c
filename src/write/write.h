/*
 * Writers: a page and a selection in, bytes out.
 *
 * A writer reads only kept blocks, in order. What it shows of them (links,
 * markup) never changes which text is written.
 */
#ifndef WN_WRITE_WRITE_H
#define WN_WRITE_WRITE_H

#include "base/buf.h"
#include "page/page.h"
#include "page/selection.h"
#include "winnow.h"

/* A writer adds the kept blocks to `out`, as options->links, ->url and its format say. */
typedef void wn_writer(wn_buf *out, const wn_page *page, const wn_selection *selection,
                       const winnow_options *options);

/* Plain text: paragraphs apart by an empty line, items and rows on lines of their own. */
wn_writer wn_write_text;

/* CommonMark with tables; links are kept if options->links. */
wn_writer wn_write_markdown;

/* Elements: HTML, XML in the words of the TEI, and TEI with its divisions (markup.c). */
wn_writer wn_write_html;
wn_writer wn_write_xml;
wn_writer wn_write_tei;

/* The writer for options->format; a JSON record holds plain text. */
wn_writer *wn_writer_for(winnow_format format);

/*
 * What the page says of itself, as YAML between two lines "---", one field a line; nothing if nothing
 * is known. Markdown tools know it as front matter.
 */
void wn_write_front_matter(wn_buf *out, const winnow_metadata *metadata);

/* What the program knows of a record that the library does not. */
typedef struct wn_record {
    const char *id;    /* path or record id; NULL: the record has no id */
    const char *url;   /* NULL: unknown */
    const char *error; /* NULL: none */
    double ms;         /* time it took; below 0: not measured */
    const char *file;  /* that holds this page and others; NULL: none */
    uint64_t offset;   /* of the page in it, */
    uint64_t inner;    /* and in the compressed piece that begins there */
} wn_record;

/* "ok", …; "unreadable" of a page of which the program could not get the bytes: NULL. */
const char *wn_record_status(const winnow_result *result);

/*
 * A page with what is known of it (documents.c): `body` is what the writer of the format made. Nothing
 * is written of an empty page in HTML.
 */
typedef void wn_document_writer(wn_buf *out, const winnow_result *result, wn_str body,
                                const wn_record *record);
wn_document_writer wn_write_html_document;
wn_document_writer wn_write_xml_document;
wn_document_writer wn_write_tei_document;

/* The one for a format; NULL if it has none. */
wn_document_writer *wn_document_writer_for(winnow_format format);

/* What stands before the body of an HTML page; "</body>\n</html>\n" stands behind it. */
void wn_write_html_head(wn_buf *out, const winnow_metadata *metadata);

/* What stands before the texts of a corpus in TEI; "</teiCorpus>\n" stands behind them. */
void wn_write_tei_corpus_head(wn_buf *out);

/* The record as a line of CSV, and the line of names. */
wn_document_writer wn_write_csv;
void wn_write_csv_head(wn_buf *out);

/*
 * One JSON object on one line, without the line end: id, file and offset (of a page in
 * a file of many), url, status, error, limited, method, title,
 * author, date, language, encoding, authors, modified, site, description, canonical, image, tags, categories,
 * licence, text, sources (if the result lists them), blocks (if `blocks`), links (if the result lists them), ms. `text` is the text in the form the record should carry.
 */
void wn_write_json(wn_buf *out, const winnow_result *result, wn_str text, const wn_record *record,
                   bool blocks);

#endif
